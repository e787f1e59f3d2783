"""The game of logs that do not say it: found by trying, never made up."""

from __future__ import annotations

from pathlib import Path

import pytest

from acpcbot.logs.game import guess_game, names_game
from acpcbot.logs.match_log import HandRecord, read_match_log
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import GameDefinition, with_stacks
from acpcbot.poker.shipped import SHIPPED_NAMES, shipped_definition
from tests.protocol.log_making import HEADER, as_bytes, match_lines, shared_files
from tests.support.games import UNEVEN_3P, definition_of

SIX = "holdem.nolimit.6p"
TWO = "holdem.nolimit.2p.reverse_blinds"
# An all-in that raises by less than the raise before it: legal only with these stacks.
SHORT_ALL_IN = (
    "STATE:0:r9000r10000fffff:2c3d|2d3h|2h3s|4c5d|4d5h|4h5s:-50|-100|-9000|9150|0|0:A|B|C|D|E|F"
)


def written(
    folder: Path, definition: GameDefinition, *, num_hands: int = 60, header: str = ""
) -> Path:
    """A log of random play in the game *definition*."""
    path = folder / "some.log"
    lines = match_lines(BettingRules(definition), num_hands, 3)
    path.write_bytes(as_bytes([header, *lines] if header else lines))
    return path


@pytest.mark.parametrize("name", SHIPPED_NAMES)
def test_every_shipped_game_is_found_by_its_hands(name: str, tmp_path: Path) -> None:
    """Caught: games told apart by less than differs, so that hands are refused or chips counted
    otherwise.
    """
    path = written(tmp_path, shipped_definition(name))
    guess = guess_game([path])
    assert guess is not None
    assert (guess.definition, guess.options) == (shipped_definition(name), f"--game {name}")


@pytest.mark.parametrize(
    "name", [name for name in SHIPPED_NAMES if shipped_definition(name).has_stacks]
)
@pytest.mark.parametrize("stack", [3000, 10_000, 50_000])
def test_other_equal_stacks_are_found(name: str, stack: int, tmp_path: Path) -> None:
    """Caught: published logs that cannot be read without writing a game file."""
    definition = with_stacks(shipped_definition(name), [stack])
    guess = guess_game([written(tmp_path, definition)])
    assert guess is not None
    assert (guess.definition, guess.options) == (definition, f"--game {name} --stack {stack}")


def test_an_all_in_below_the_smallest_raise_tells_the_stack(tmp_path: Path) -> None:
    """Caught: a legal all-in refused as 'raises go from 17900 to 20000'."""
    path = tmp_path / "some.log"
    path.write_bytes(as_bytes([SHORT_ALL_IN]))
    guess = guess_game([path])
    assert guess is not None
    assert guess.options == f"--game {SIX} --stack 10000"


def test_unequal_stacks_have_to_be_named(tmp_path: Path) -> None:
    """Caught: stacks made up for logs that no equal ones fit."""
    definition = with_stacks(shipped_definition(TWO), [10_000, 5000])
    path = written(tmp_path, definition)
    assert guess_game([path]) is None
    guess = guess_game([path], [10_000, 5000])
    assert guess is not None
    assert (guess.definition, guess.options) == (definition, f"--game {TWO} --stack 10000,5000")


def test_a_game_of_ones_own_is_not_guessed(tmp_path: Path) -> None:
    """Caught: a shipped game taken that some hands do not fit."""
    assert guess_game([written(tmp_path, definition_of(UNEVEN_3P))]) is None


def test_a_log_without_hands_tells_nothing(tmp_path: Path) -> None:
    """Caught: an exception, or the first game of the list."""
    path = tmp_path / "some.log"
    path.write_bytes(b"")
    assert guess_game([path]) is None
    assert not names_game(path)


def test_a_header_names_a_game_with_other_stacks_too(tmp_path: Path) -> None:
    """Caught: our own logs of such matches, which could not be read without naming the game
    again.
    """
    header = HEADER.replace(TWO, f"{TWO}@10000,5000")
    path = written(tmp_path, with_stacks(shipped_definition(TWO), [10_000, 5000]), header=header)
    assert names_game(path)
    assert len(list(read_match_log(path))) == 62


@pytest.mark.parametrize("path", shared_files("data/pluribus/sample_game_*.log"))
def test_published_logs_of_six_players_fit_one_game(path: Path) -> None:
    """Caught: a legal all-in refused, a blank line refused."""
    guess = guess_game([path])
    assert guess is not None
    assert guess.options.startswith(f"--game {SIX}")
    hands = [
        entry
        for entry in read_match_log(path, shipped_definition(f"{SIX}@10000"))
        if isinstance(entry, HandRecord)
    ]
    assert len(hands) == path.read_bytes().count(b"STATE:") > 20
