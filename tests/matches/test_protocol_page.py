"""Claims of docs/concepts/protocol.md to owners of existing bots, held against our dealer.

Versions and their order, spellings and line ends stand in test_table.py and test_referee.py.
"""

from __future__ import annotations

import pytest

from acpcbot.matches.referee import GUARD_WARNING, guard_warnings
from acpcbot.matches.table import Phase
from acpcbot.poker.actions import raising
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import with_stacks
from acpcbot.poker.shipped import shipped_definition
from tests.support.games import KUHN, LIMIT_2P
from tests.support.tables import GREETING, Match, settings_of


def greeted(game: str) -> Match:
    at_table = Match(settings_of(game))
    for seat in range(2):
        at_table.table.receive(seat, GREETING)
    assert at_table.phase is Phase.PLAYING
    return at_table


def test_a_line_is_cut_behind_4095_bytes() -> None:
    """Caught: a reply in the rest of a long line that is lost, or one before the cut that is
    taken.
    """
    at_table = greeted(LIMIT_2P)
    seat = at_table.table.heard_seat
    assert seat is not None
    state = at_table.recorder.last_line(seat)
    at_table.table.receive(seat, b"x" * 4095 + f"{state}:c\n".encode())
    assert "WARNING: bad state format in response" in at_table.recorder.talk_text
    assert at_table.recorder.last_line(seat) != state


def test_an_answer_to_a_finished_state_is_passed_over_at_the_next_turn() -> None:
    """Caught: a reply that counts for the next hand, or ends the match."""
    at_table = greeted(KUHN)
    finished = None
    while finished is None:
        seat = at_table.table.heard_seat
        assert seat is not None
        at_table.table.receive(seat, f"{at_table.recorder.last_line(seat)}:c\n".encode())
        lines = at_table.recorder.sent[0].decode().splitlines()
        finished = next((line for line in lines if line.split(":")[3] == "cc"), None)
    talk = at_table.recorder.talk_text
    assert "WARNING" not in talk
    for seat in range(2):
        at_table.table.receive(seat, f"{finished}:c\n".encode())
    seat = at_table.table.heard_seat
    assert seat is not None
    at_table.table.receive(seat, f"{at_table.recorder.last_line(seat)}:c\n".encode())
    assert "WARNING: ignoring un-requested response" in at_table.recorder.talk_text
    assert at_table.phase is Phase.PLAYING


@pytest.mark.parametrize(
    ("game", "last_raise"), [("holdem.nolimit.2p.reverse_blinds", 63), ("holdem.nolimit.6p", 59)]
)
def test_raises_stop_where_actions_and_players_exceed_64(game: str, last_raise: int) -> None:
    """Caught: a guard that is off by one, or counts over the whole hand."""
    state = BettingRules(with_stacks(shipped_definition(game), [1_000_000])).start
    num_actions = 0
    while state.raise_range is not None:
        state = state.apply(raising(state.raise_range[0]))
        num_actions += 1
    assert (num_actions, state.is_stopped_by_guard) == (last_raise, True)
    assert guard_warnings(state) == (GUARD_WARNING,)
