"""Recorded decisions: what is read is what was written and played, and what cannot be right is
refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from acpcbot.errors import BadLogLine, UsageError
from acpcbot.poker.actions import CALLING, FOLDING, raising
from acpcbot.poker.hands import all_hands, hands_without
from acpcbot.protocol.messages import MatchState
from acpcbot.strategies.public_strategy import ActionTable
from acpcbot.strategies.strategy_file import StrategyRecorder, read_strategies
from tests.support.games import LEDUC, NOLIMIT_2P, definition_of, rules_of

BOARD = (40, 3, 17)
ACTIONS = (FOLDING, CALLING, raising(900))


def state_of(
    game: str = NOLIMIT_2P,
    hand_id: int = 7,
    text: str = "r300c/r600",
    board: tuple[int, ...] = BOARD,
) -> MatchState:
    betting = rules_of(game).parse(text)
    return MatchState(betting.actor, hand_id, betting, ((), ()), board, "")


def random_table(game: str = NOLIMIT_2P, seed: int = 1) -> ActionTable:
    definition = definition_of(game)
    weights = np.random.default_rng(seed).random((len(all_hands(definition)), len(ACTIONS))) ** 4
    weights[:, 0] *= weights[:, 0] > 0.01
    free = hands_without(definition, BOARD if game == NOLIMIT_2P else ())
    return ActionTable(ACTIONS, weights / weights.sum(axis=1, keepdims=True) * free[:, None])


@contextmanager
def recorder(path: Path, game: str = NOLIMIT_2P) -> Iterator[StrategyRecorder]:
    found = StrategyRecorder(path, definition_of(game))
    yield found
    found.close()


def test_a_strategy_file_reads_as_it_is_to_be_played(tmp_path: Path) -> None:
    """Catches an agent that plays what it meant while the file has what was rounded."""
    state, meant = state_of(), random_table()
    with recorder(tmp_path / "x") as writer:
        played = writer.record(state, meant)
    found = (
        read_strategies(tmp_path / "x", definition_of(NOLIMIT_2P))
        .hand_strategy(7)
        .table(state.betting, BOARD)
    )
    assert found.actions == played.actions == ACTIONS
    assert (found.probabilities == played.probabilities).all()
    assert np.abs(found.probabilities - meant.probabilities).max() < 1 / 65_535
    assert found.probabilities.sum(axis=1) == pytest.approx(meant.probabilities.sum(axis=1))
    assert (found.probabilities[meant.probabilities == 0] == 0).all()


def test_few_hands_are_written_in_full(tmp_path: Path) -> None:
    meant = random_table(LEDUC)
    with recorder(tmp_path / "x", LEDUC) as writer:
        assert (
            writer.record(state_of(LEDUC, text="r", board=()), meant).probabilities
            == meant.probabilities
        ).all()


def test_a_decision_is_not_taken_for_another(tmp_path: Path) -> None:
    """Catches keys that leave out the hand, the betting or the board."""
    with recorder(tmp_path / "x") as writer:
        for seed, state in enumerate(
            [state_of(), state_of(hand_id=8), state_of(text="r300c/r900")]
        ):
            writer.record(state, random_table(seed=seed))
    found = read_strategies(tmp_path / "x", definition_of(NOLIMIT_2P))
    first = found.hand_strategy(7).table(state_of().betting, BOARD).probabilities
    assert (first != found.hand_strategy(8).table(state_of().betting, BOARD).probabilities).any()
    assert (
        first
        != found.hand_strategy(7).table(state_of(text="r300c/r900").betting, BOARD).probabilities
    ).any()
    for number, text, board in [
        (9, "r300c/r600", BOARD),
        (7, "r300c/", BOARD),
        (7, "r300c/r600", (40, 3, 18)),
    ]:
        with pytest.raises(UsageError, match=f"in hand {number}"):
            found.hand_strategy(number).table(rules_of(NOLIMIT_2P).parse(text), board)


def test_a_match_that_was_killed_goes_on_behind_what_is_whole(tmp_path: Path) -> None:
    path, again = tmp_path / "x", random_table(seed=2)
    with recorder(path) as writer:
        writer.record(state_of(hand_id=1), random_table())
        writer.record(state_of(hand_id=2), random_table())
    path.write_bytes(path.read_bytes()[:-9])
    with recorder(path) as writer:
        writer.record(state_of(hand_id=1), again)
    found = read_strategies(path, definition_of(NOLIMIT_2P))
    assert found.hand_strategy(1).table(state_of().betting, BOARD).probabilities == pytest.approx(
        again.probabilities, abs=1e-4
    )
    with pytest.raises(UsageError):
        found.hand_strategy(2).table(state_of().betting, BOARD)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"hand": "7"}, "a decision has"),
        ({"actions": ["f", "x"]}, "actions are"),
        ({"actions": ["f", "c"]}, "reshape"),
        ({"probabilities": "eJz"}, "padding"),
        ({"probabilities": "AAAA"}, "decompress"),
    ],
)
def test_a_line_that_cannot_be_right_is_named(
    changes: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    path = tmp_path / "x"
    with recorder(path) as writer:
        writer.record(state_of(), random_table())
    header, line = path.read_text().splitlines()
    path.write_text(f"{header}\n{line}\n{json.dumps(json.loads(line) | changes)}\n")
    with pytest.raises(BadLogLine, match=reason) as caught:
        read_strategies(path, definition_of(NOLIMIT_2P))
    assert caught.value.number == 3


def test_probabilities_that_are_none_are_refused(tmp_path: Path) -> None:
    table = random_table(LEDUC)
    with recorder(tmp_path / "x", LEDUC) as writer, pytest.raises(ValueError, match="sum to 1"):
        writer.record(
            state_of(LEDUC, text="r", board=()), ActionTable(ACTIONS, table.probabilities * 0.9)
        )


def test_files_of_other_games_and_no_files_are_refused(tmp_path: Path) -> None:
    with recorder(tmp_path / "x", LEDUC):
        pass
    with pytest.raises(UsageError, match="another game"):
        read_strategies(tmp_path / "x", definition_of(NOLIMIT_2P))
    with pytest.raises(UsageError, match="could not read"):
        read_strategies(tmp_path / "y", definition_of(NOLIMIT_2P))
    (tmp_path / "z").write_text("[]\n")
    with pytest.raises(BadLogLine, match="format 1"):
        read_strategies(tmp_path / "z", definition_of(NOLIMIT_2P))
