"""The player of a no-limit strategy: legal against anybody, and as often as the strategy tells."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from acpcbot.agents.blueprint import BlueprintAgent
from acpcbot.agents.registry import make_agent
from acpcbot.matches.agent import Agent
from acpcbot.matches.in_process import play_in_process
from acpcbot.matches.match_files import MatchFiles
from acpcbot.matches.settings import MatchSettings, TimeLimits
from acpcbot.poker.actions import Action
from acpcbot.poker.hands import hand_number
from acpcbot.protocol.messages import MatchState
from acpcbot.strategies.public_play import SnapshotStrategy
from tests.agents.playing import NO_DEADLINE, action_text, decision
from tests.strategies.menu_snapshots import saved_menu_snapshot
from tests.support.games import LEDUC_NOLIMIT, NOLIMIT_2P, NOLIMIT_3P, NOLIMIT_6P, definition_of
from tests.support.playouts import random_action


class Wild:
    """Anything legal: the smallest and the largest bets, a chip beside them, and whatever lies
    between.
    """

    is_instant = True

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def act(self, state: MatchState, deadline_s: float) -> Action:
        action = random_action(self.random, state.betting.legal_actions(), 2)
        beside = Action(action.kind, action.raise_to + self.random.choice((-1, 0, 1)))
        return beside if action.raise_to and state.betting.can_act(beside) else action


@pytest.mark.parametrize(
    ("game", "num_hands"),
    [(LEDUC_NOLIMIT, 1500), (NOLIMIT_2P, 150), (NOLIMIT_3P, 150), (NOLIMIT_6P, 150)],
)
def test_whole_matches_against_any_bets_are_played_without_a_fallback(
    game: str, num_hands: int, tmp_path: Path
) -> None:
    """A fallback stands for any answer that was illegal, and for any exception."""
    snapshot, definition = saved_menu_snapshot(tmp_path / "x", game), definition_of(game)
    others = range(definition.num_players - 1)
    agents: list[Agent] = [BlueprintAgent(definition, 1, snapshot), *map(Wild, others)]
    names = ("own", *[f"wild{seed}" for seed in others])
    limits = TimeLimits.from_milliseconds(0, 0, 0, num_hands)
    match = MatchSettings(str(tmp_path / "match"), game, definition, num_hands, 3, names, limits)
    files = MatchFiles(match.name, keeps_log=True, keeps_transactions=False, appends=False)
    assert play_in_process(match, agents, files) == 0
    files.close()
    assert Path(f"{match.name}.log").read_text().count("STATE:") == num_hands


@pytest.mark.parametrize(
    ("betting", "cards", "board"), [("r200", "Ks", ""), ("r270", "Qs", ""), ("cr455", "As", "")]
)
def test_actions_come_as_often_as_the_strategy_tells(
    betting: str, cards: str, board: str, tmp_path: Path
) -> None:
    snapshot, definition = (
        saved_menu_snapshot(tmp_path / "x", LEDUC_NOLIMIT),
        definition_of(LEDUC_NOLIMIT),
    )
    agent = BlueprintAgent(definition, 5, snapshot)
    states = [decision(LEDUC_NOLIMIT, betting, cards, board, hand_id) for hand_id in range(4000)]
    drawn = Counter(action_text(agent, state) for state in states)
    verify_frequencies(drawn, SnapshotStrategy(snapshot), states[0])


def test_earlier_translations_weigh_in_later_decisions(tmp_path: Path) -> None:
    """Catches a table for later streets that forgets that one view of the opponent's bet led
    there oftener.
    """
    snapshot, definition = (
        saved_menu_snapshot(tmp_path / "x", LEDUC_NOLIMIT, seed=7),
        definition_of(LEDUC_NOLIMIT),
    )
    agent, drawn = BlueprintAgent(definition, 5, snapshot), Counter[str]()
    for hand_id in range(12_000):
        if agent.act(decision(LEDUC_NOLIMIT, "r270", "Qs", "", hand_id), NO_DEADLINE).text == "c":
            drawn[action_text(agent, decision(LEDUC_NOLIMIT, "r270c/c", "Qs", "Kh", hand_id))] += 1
    state = decision(LEDUC_NOLIMIT, "r270c/c", "Qs", "Kh")
    assert drawn.total() > 500
    verify_frequencies(drawn, SnapshotStrategy(snapshot), state)


def verify_frequencies(drawn: Counter[str], strategy: SnapshotStrategy, state: MatchState) -> None:
    """Within five standard errors."""
    table = strategy.table(state.betting, state.board)
    row = table.probabilities[hand_number(state.definition, state.own_cards)]
    expected = {
        action.text: chance for action, chance in zip(table.actions, row.tolist(), strict=True)
    }
    assert set(drawn) <= set(expected)
    for text, chance in expected.items():
        error = (chance * (1 - chance) / drawn.total()) ** 0.5
        assert abs(drawn[text] / drawn.total() - chance) < 5 * error + 1e-3, text


def test_the_same_hand_is_played_alike_whenever_it_is_asked_for(tmp_path: Path) -> None:
    saved_menu_snapshot(tmp_path / "x", LEDUC_NOLIMIT)
    agents = [make_agent(str(tmp_path / "x"), definition_of(LEDUC_NOLIMIT), 7) for _ in range(2)]
    for hand_id in range(50):
        state = decision(LEDUC_NOLIMIT, "r270c/r555", "Ks", "Qh", hand_id)
        assert action_text(agents[0], state) == action_text(agents[1], state)


def test_all_in_of_the_tree_is_called_down(tmp_path: Path) -> None:
    """Catches a fold after a call of the tree's all-in, where nothing is left to decide."""
    agent = BlueprintAgent(
        definition_of(NOLIMIT_2P), 1, saved_menu_snapshot(tmp_path / "x", NOLIMIT_2P)
    )
    states = [
        decision(NOLIMIT_2P, "r19999c/cc/cc/r20000", "AsKd", "2c7dThJh4d", hand_id)
        for hand_id in range(20)
    ]
    assert {action_text(agent, state) for state in states} == {"c"}
