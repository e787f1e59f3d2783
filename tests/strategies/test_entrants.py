"""From names to policies of the arena."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from acpcbot.cli.dispatch import main
from acpcbot.errors import AcpcbotError, UnknownStrategy, UsageError
from acpcbot.poker.baselines import BASELINES
from acpcbot.strategies.entrants import find_entrant
from tests.strategies.random_snapshots import game_of, random_policy, saved
from tests.support.games import KUHN, LEDUC


def test_a_snapshot_is_found_and_played_as_its_name_says(tmp_path: Path) -> None:
    saved(tmp_path / "x", LEDUC)
    tree = game_of(LEDUC).tree
    average = find_entrant(str(tmp_path / "x"), tree)
    purified = find_entrant(f"{tmp_path / 'x'}?play=purified", tree)
    assert np.max(np.abs(average.probabilities / 255 - random_policy(LEDUC))) <= 1 / 255
    assert set(np.unique(purified.probabilities)) <= {0, 127, 128, 255}
    assert average.abstraction is not None


@pytest.mark.parametrize("name", ["call", "raise", "random", "fold"])
def test_baselines_play_without_card_tables(name: str) -> None:
    entrant = find_entrant(name, game_of(KUHN).tree)
    assert (entrant.name, entrant.abstraction) == (name, None)


@pytest.mark.parametrize(
    ("name", "error"),
    [("nowhere", UnknownStrategy), ("{}?play=best", UsageError), ("{}?play=greedy", AcpcbotError)],
)
def test_entrants_that_cannot_be_found_are_refused(
    name: str, error: type[AcpcbotError], tmp_path: Path
) -> None:
    saved(tmp_path / "x", LEDUC, greedy=None)
    with pytest.raises(error):
        find_entrant(name.format(tmp_path / "x"), game_of(LEDUC).tree)


def test_a_snapshot_of_another_game_is_refused_by_its_name(tmp_path: Path) -> None:
    saved(tmp_path / "x", LEDUC)
    with pytest.raises(UsageError, match=r"plays leduc\.limit\.2p"):
        find_entrant(str(tmp_path / "x"), game_of(KUHN).tree)


@pytest.mark.parametrize(
    ("name", "nearest"),
    [("rasie", "raise"), ("strategies/leduc.limit.2p/dcfrr", "strategies/leduc.limit.2p/dcfr")],
)
def test_a_misspelt_entrant_comes_with_the_nearest_name(name: str, nearest: str) -> None:
    with pytest.raises(UnknownStrategy) as caught:
        find_entrant(name, game_of(LEDUC).tree)
    assert caught.value.hint.startswith(f"did you mean {nearest}? ")
    assert (caught.value.name, caught.value.known) == (name, BASELINES)


def test_the_arena_command_prints_both_sides_of_the_score(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved(tmp_path / "x", LEDUC)
    words = [
        "arena",
        str(tmp_path / "x"),
        "call",
        "--game",
        LEDUC,
        "--deals",
        "20000",
        "--seed",
        "3",
    ]
    assert main([*words, "--threads", "1"]) == 0
    first = capsys.readouterr().out
    assert main([*words, "--threads", "3"]) == 0
    assert capsys.readouterr().out == first
    assert "20000 deals in all seats, 40000 hands" in first
    means = [float(line.split()[1]) for line in first.splitlines()[1:3]]
    assert means[0] == -means[1]


def test_the_arena_command_refuses_what_makes_no_match(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "call", "--game", LEDUC]) == 1
    assert main(["arena", "call", "raise", "--deals", "0"]) == 1
    assert main(["arena", "call", "raise", "--game", "leduc.nolimit.2p"]) == 1
    assert capsys.readouterr().err.count("error: ") == 3
