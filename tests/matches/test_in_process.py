"""Matches without sockets: the dealer's own hands and records, from agents called directly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from acpcbot.agents.registry import make_agent
from acpcbot.logs.match_log import read_match_log
from acpcbot.matches.agent import Agent
from acpcbot.matches.in_process import OnFallback, ignore_fallback, play_in_process
from acpcbot.matches.match_files import MatchFiles
from acpcbot.poker import rules
from acpcbot.poker.actions import FOLDING, Action
from acpcbot.poker.shipped import SHIPPED_NAMES
from acpcbot.protocol.messages import MatchState
from tests.support.games import ALL_GAMES, KUHN, NOLIMIT_2P, definition_of
from tests.support.tables import Match, seeded_policy, settings_of


class Doing:
    """An agent that does what it is told."""

    is_instant = True

    def __init__(self, do: Callable[[MatchState], Any]) -> None:
        self._do = do
        self.seen: list[MatchState] = []
        self.over: list[MatchState] = []

    def act(self, state: MatchState, deadline_s: float) -> Action:
        self.seen.append(state)
        action: Action = self._do(state)
        return action


class Observing(Doing):
    """An agent that wants to see how hands end."""

    def observe(self, state: MatchState) -> None:
        self.over.append(state)


def played(
    game: str,
    agents: list[Agent],
    folder: Path,
    num_hands: int = 10,
    on_fallback: OnFallback = ignore_fallback,
) -> tuple[int, list[str]]:
    """The number of fallbacks and the lines of the log: each hand's, and the score."""
    settings = replace(settings_of(game, num_hands), name=str(folder / "m"))
    files = MatchFiles(settings.name, keeps_log=True, keeps_transactions=False, appends=True)
    num_fallbacks = play_in_process(settings, agents, files, on_fallback)
    files.close()
    return num_fallbacks, (folder / "m.log").read_text().splitlines()


def copies(game: str, do: Callable[[MatchState], Any]) -> list[Agent]:
    return [Doing(do) for _ in range(definition_of(game).num_players)]


@pytest.mark.parametrize("game", ALL_GAMES)
def test_the_hands_are_those_of_the_dealers_table(game: str, tmp_path: Path) -> None:
    """The same policy at a table with protocol, referee and echoes: line for line the same log."""
    match = Match(settings_of(game, 10)).greet().play()
    num_fallbacks, in_process = played(game, copies(game, seeded_policy), tmp_path)
    assert in_process == match.recorder.logged
    assert num_fallbacks == 0


@pytest.mark.parametrize("game", SHIPPED_NAMES)
def test_every_agent_sees_the_same_words_as_at_the_dealer(game: str, tmp_path: Path) -> None:
    match = Match(settings_of(game, 4)).greet().play()
    agents = [Doing(seeded_policy) for _ in range(definition_of(game).num_players)]
    played(game, list(agents), tmp_path, 4)
    for seat, agent in enumerate(agents):
        lines = match.recorder.sent[seat].decode().splitlines()
        assert [state.line for state in agent.seen] == [
            line for line in lines if line in {s.line for s in agent.seen}
        ]
        assert all(state.is_my_turn for state in agent.seen)


def test_nobody_sees_cards_that_are_not_his(tmp_path: Path) -> None:
    agents = [Doing(seeded_policy) for _ in range(2)]
    played(NOLIMIT_2P, list(agents), tmp_path, 30)
    for state in (state for agent in agents for state in agent.seen):
        assert state.own_cards
        assert state.hole_cards[1 - state.seat] == ()
        assert len(state.board) == state.definition.board_size(state.betting.street)


def test_the_log_can_be_read_again(tmp_path: Path) -> None:
    played(NOLIMIT_2P, copies(NOLIMIT_2P, seeded_policy), tmp_path, 50)
    assert len(list(read_match_log(tmp_path / "m.log", definition_of(NOLIMIT_2P)))) == 50 + 1


@pytest.mark.parametrize("num_before", [1, 7, 20])
def test_a_match_goes_on_after_the_last_whole_hand_in_its_log(
    num_before: int, tmp_path: Path
) -> None:
    whole = played(KUHN, copies(KUHN, seeded_policy), tmp_path, 20)[1]
    kept = "".join(f"{line}\n" for line in whole[:num_before])
    (tmp_path / "m.log").write_text(kept + whole[num_before][:9])
    assert played(KUHN, copies(KUHN, seeded_policy), tmp_path, 20)[1] == whole


def crashes(state: MatchState) -> Action:
    raise KeyError("mine")


FAULTS: dict[str, Callable[[MatchState], Any]] = {
    "raises": crashes,
    "folds a check": lambda state: FOLDING,
    "bets too much": lambda state: Action(rules.RAISE, 20_001),
    "no action": lambda state: None,
    "a letter": lambda state: "c",
    "an unknown kind": lambda state: Action(7),
    "a kind that is text": lambda state: Action("c"),  # type: ignore[arg-type]
    "a broken size": lambda state: Action(rules.RAISE, 300.5),  # type: ignore[arg-type]
    "no number": lambda state: Action(rules.RAISE, float("nan")),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("fault", FAULTS)
def test_an_agents_fault_is_answered_for_and_counted(fault: str, tmp_path: Path) -> None:
    agents: list[Agent] = [Doing(FAULTS[fault]), make_agent("call", definition_of(NOLIMIT_2P), 0)]
    told: list[tuple[str, str, str]] = []
    num_fallbacks, lines = played(
        NOLIMIT_2P,
        agents,
        tmp_path,
        on_fallback=lambda player, state, reason: told.append((player, state.line, reason)),
    )
    assert len(lines) == 10 + 1
    assert num_fallbacks == len(told) > 0
    expected = "KeyError('mine')" if fault == "raises" else "not a legal action: "
    for player, line, reason in told:
        assert player == settings_of(NOLIMIT_2P, 10).player_names[0]
        assert line.startswith("MATCHSTATE:")
        assert reason.startswith(expected)
    assert len(list(read_match_log(tmp_path / "m.log", definition_of(NOLIMIT_2P)))) == 10 + 1


def test_an_agent_that_observes_sees_how_every_hand_ends(tmp_path: Path) -> None:
    """As a client lets it: one that learns from showdowns must not play worse in process than
    over sockets.
    """
    agents = [Observing(seeded_policy) for _ in range(2)]
    match = Match(settings_of(KUHN, 10)).greet().play()
    played(KUHN, list(agents), tmp_path)
    for seat, agent in enumerate(agents):
        lines = match.recorder.sent[seat].decode().splitlines()
        assert [state.hand_id for state in agent.over] == list(range(10))
        assert all(state.line in lines and state.betting.is_over for state in agent.over)
