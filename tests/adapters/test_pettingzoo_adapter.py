"""Poker as PettingZoo's environment: its own tests, and hands against the dealer and OpenSpiel."""

from __future__ import annotations

import importlib
import sys
import warnings
from random import Random
from typing import Any

import numpy as np
import pytest

from acpcbot.cards.deck import parse_cards
from acpcbot.errors import UsageError
from acpcbot.poker.dealing import Dealing
from acpcbot.poker.shipped import SHIPPED_NAMES
from tests.support.games import (
    ALL_GAMES,
    FOLDER,
    KUHN,
    LEDUC,
    LEDUC_NOLIMIT,
    LIMIT_2P,
    LIMIT_3P,
    NOLIMIT_2P,
    NOLIMIT_6P,
    SHORT_LIMIT_3P,
    UNEVEN_3P,
    definition_of,
)
from tests.support.oracle import oracle_action, oracle_cards, oracle_game

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, seed_test
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

from acpcbot.adapters.pettingzoo import PokerEnv, longest_hand, poker_env

KNOWN_WARNINGS = (
    # An observation with a mask is a dictionary; the environments of PettingZoo itself that have
    # one stand on a list of exceptions.
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box",
    # The mask of a player whose hand is over.
    "Action mask numpy array is all zeros",
)


@pytest.mark.parametrize("name", SHIPPED_NAMES)
def test_pettingzoos_own_tests_pass_for_every_shipped_game(name: str) -> None:
    """Catches departures from the interface, rewards that add up wrongly, and seeds that are
    forgotten.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(poker_env(name, render_mode="ansi"), num_cycles=50)
    found = {str(warning.message) for warning in caught}
    assert [text for text in found if not text.startswith(KNOWN_WARNINGS)] == []
    seed_test(lambda: poker_env(name), num_cycles=50)


def env_of(name: str, **settings: Any) -> PokerEnv:
    return PokerEnv(definition_of(name), **settings)


def play_hand(env: PokerEnv, random: Random) -> list[tuple[str, dict[str, Any]]]:
    """Play a random hand, and return the players to act with what they saw."""
    seen = []
    for agent in env.agent_iter():
        observation, _, is_over, _, _ = env.last()
        if is_over:
            break
        seen.append((agent, observation))
        env.step(random.choice(np.flatnonzero(observation["action_mask"]).tolist()))
    return seen


@pytest.mark.parametrize("name", sorted(set(ALL_GAMES) - {SHORT_LIMIT_3P}))
def test_hands_end_as_openspiel_says(name: str) -> None:
    """Catches rewards of other seats or cards, and actions that are played as others."""
    pytest.importorskip("pyspiel")
    env, random = env_of(name, bets="min,0.5,1,all-in"), Random(name)
    for hand in range(60):
        env.reset(seed=11 if hand == 0 else None)
        play_hand(env, random)
        state = oracle_game(name).new_initial_state()
        dealt = [card for held in env.deal.hole_cards for card in held] + list(env.deal.board)
        cards = iter([oracle_cards(name)[card] for card in dealt])
        actions = iter([action for _, action in env.betting.decisions()])
        while not state.is_terminal():
            is_dealt = state.is_chance_node()
            state.apply_action(next(cards) if is_dealt else oracle_action(next(actions)))
        assert list(actions) == []
        rewards = [env.rewards[agent] for agent in env.possible_agents]
        assert rewards == pytest.approx(state.returns())
        assert sum(rewards) == pytest.approx(0, abs=1e-9)


def test_hands_are_those_of_the_dealer() -> None:
    """Catches cards of another order: a seed of the environment is one of a match."""
    env, dealing = env_of(LIMIT_3P), Dealing(definition_of(LIMIT_3P), 5)
    env.reset(seed=5)
    for _ in range(5):
        deal = dealing.next_deal()
        assert env.deal == deal
        env.reset()


def test_every_reward_is_paid_once_and_to_its_player() -> None:
    """Catches rewards that are cleared before a player sees them, or added twice."""
    env, random, definition = env_of(LIMIT_3P), Random(1), definition_of(LIMIT_3P)
    for seed in range(50):
        env.reset(seed=seed)
        paid = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            observation, reward, is_over, _, _ = env.last()
            paid[agent] += reward
            legal = np.flatnonzero(observation["action_mask"]).tolist()
            env.step(None if is_over else random.choice(legal))
        assert tuple(paid.values()) == env._payoffs
        assert len(paid) == definition.num_players


def part(env: PokerEnv, observation: dict[str, Any], name: str) -> list[float]:
    values = observation["observation"][env.layout.parts[name]]
    return [round(float(value), 6) for value in values]


def test_an_observation_has_its_documented_layout() -> None:
    """Catches parts that overlap or move: a hand of Leduc poker, number by number."""
    env = env_of(LEDUC)
    env.reset(seed=3)
    env.deal = type(env.deal)(
        (tuple(parse_cards("Ks")), tuple(parse_cards("Ah"))), tuple(parse_cards("Qh"))
    )
    for action in (2, 2, 1, 1):  # a raise, a re-raise, a call; a check on the flop
        env.step(action)
    assert env.betting.text == "rrc/c"
    seen = env.observe("player_1")
    assert env.layout.scale == 1 + 2 * 2 + 2 * 4
    # The deck from the lowest card, hearts before spades: Qh Qs Kh Ks Ah As.
    assert part(env, seen, "hole") == [0, 0, 0, 0, 1, 0]
    assert part(env, seen, "board") == [1, 0, 0, 0, 0, 0]
    assert part(env, seen, "street") == [0, 1]
    assert part(env, seen, "seat") == [0, 1]
    assert part(env, seen, "actor") == [0, 1]
    assert part(env, seen, "spent") == [round(5 / 13, 6)] * 2
    assert part(env, seen, "folded") == [0, 0]
    assert part(env, seen, "to_call") == [0]
    rows = np.reshape(part(env, seen, "history"), (env.layout.rows, -1)).tolist()
    assert rows[:4] == [
        [1, 0, 1, 0, 0, 0, 1, round(3 / 13, 6)],
        [1, 0, 0, 1, 0, 0, 1, round(5 / 13, 6)],
        [1, 0, 1, 0, 0, 1, 0, round(5 / 13, 6)],
        [0, 1, 1, 0, 0, 1, 0, round(5 / 13, 6)],
    ]
    assert not np.any(rows[4:])
    assert env.layout.length == 6 + 6 + 2 + 2 + 2 + 2 + 2 + 1 + 8 * 8
    assert seen["action_mask"].tolist() == [0, 1, 1]
    other = env.observe("player_0")
    assert other["action_mask"].tolist() == [0, 0, 0]
    assert part(env, other, "hole") == [0, 0, 0, 1, 0, 0]


@pytest.mark.parametrize("name", [KUHN, LEDUC, LIMIT_2P, LIMIT_3P])
def test_players_of_limit_games_see_as_much_as_they_know(name: str) -> None:
    """Catches two situations that look alike: an observation stands for own cards, board and
    betting.
    """
    env, random = env_of(name), Random(2)
    found: dict[bytes, tuple[object, ...]] = {}
    for seed in range(300):
        env.reset(seed=seed)
        while not env.betting.is_over:
            seat = env.betting.actor
            seen = env.observe(env.agent_selection)["observation"].tobytes()
            known = (
                seat,
                sorted(env.deal.hole_cards[seat]),
                sorted(env._board()),
                env.betting.text,
            )
            assert found.setdefault(seen, known) == known
            env.step(random.choice(list(env.legal_actions())))
        assert len(list(env.betting.decisions())) <= env.layout.rows
    assert len({str(known) for known in found.values()}) == len(found)


@pytest.mark.parametrize("name", [KUHN, LEDUC, LIMIT_2P, LIMIT_3P])
def test_the_longest_hand_is_reached_and_not_passed(name: str) -> None:
    """Catches a bound that is too small for a hand, or wasteful: all check, and bet at the end."""
    env = env_of(name)
    env.reset(seed=0)
    while not env.betting.is_over:
        betting = env.betting
        # The last to act raises; so that all the others answer, each time.
        others = betting.apply(env.legal_actions()[1])
        ends_street = others.street > betting.street or others.is_over
        env.step(2 if ends_street and 2 in env.legal_actions() else 1)
    assert len(list(env.betting.decisions())) == longest_hand(definition_of(name))


def test_a_menu_of_bets_is_the_actions_of_a_no_limit_game() -> None:
    """Catches sizes of another pot, and two numbers of one raise."""
    env = env_of(NOLIMIT_2P, bets="min,0.5,1,all-in")
    env.reset(seed=1)
    legal = {number: action.text for number, action in env.legal_actions().items()}
    # The small blind calls 50 into a pot of 200: half of it is the smallest raise, too.
    assert legal == {0: "f", 1: "c", 2: "r200", 4: "r300", 5: "r20000"}
    env.step(5)
    assert list(env.legal_actions()) == [0, 1]
    assert env.observe("player_0")["action_mask"].tolist() == [1, 1, 0, 0, 0, 0]
    streets = env_of(NOLIMIT_2P, bets="all-in/1,2")
    assert streets.action_space("player_0").n == 4


def test_a_short_history_keeps_the_last_actions() -> None:
    """Catches the first ones kept in their place."""
    env = env_of(LEDUC_NOLIMIT, history=2)
    env.reset(seed=1)
    for action in (1, 2, 1):
        env.step(action)
    rows = np.reshape(part(env, env.observe("player_0"), "history"), (2, -1))
    kinds = rows[:, 4:7].tolist()
    assert kinds == [[0, 0, 1], [0, 1, 0]]


def test_masked_actions_and_wrong_settings_are_refused() -> None:
    env = env_of(LEDUC)
    env.reset(seed=0)
    with pytest.raises(UsageError, match="action 0 of player_0") as caught:
        env.step(0)
    assert "expected one of 1, 2" in caught.value.hint
    with pytest.raises(UsageError, match="action None"):
        env.step(None)
    with pytest.raises(UsageError, match="render_mode"):
        env_of(LEDUC, render_mode="human")
    with pytest.raises(UsageError, match="history=0"):
        env_of(LEDUC, history=0)
    with pytest.raises(UsageError, match="no game definition"):
        poker_env("leduc")
    with pytest.raises(UsageError, match="is no size of a bet"):
        poker_env(NOLIMIT_2P, bets="huge")


def test_pettingzoos_wrapper_ends_an_episode_with_a_masked_action() -> None:
    """Catches a mask that the wrapper does not find."""
    env = TerminateIllegalWrapper(PokerEnv(definition_of(LEDUC)), illegal_reward=-1)
    env.reset(seed=0)
    env.last()
    env.step(0)
    assert env.rewards == {"player_0": -1, "player_1": 0}
    assert all(env.terminations.values())


def test_a_hand_is_shown_as_a_line_of_text() -> None:
    env = env_of(KUHN, render_mode="ansi")
    env.reset(seed=2)
    first = str(env.render())
    assert "player_0 to act" in first
    assert "betting -" in first
    env.step(2)
    env.step(0)
    assert str(env.render()).endswith("betting rf  pot 3  won +1 -1")
    assert env_of(KUHN).render() is None


def test_a_game_of_the_users_own_is_played_from_its_file() -> None:
    """Catches names that only shipped games have."""
    env = poker_env(str(FOLDER / f"{UNEVEN_3P}.game"))
    env.reset(seed=1)
    assert len(env.agents) == 3
    assert poker_env(NOLIMIT_6P).unwrapped.layout.scale == 20_000


def test_without_pettingzoo_the_import_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Catches a traceback where a sentence would do."""
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "acpcbot.adapters.pettingzoo")
    with pytest.raises(UsageError, match="needs PettingZoo") as caught:
        importlib.import_module("acpcbot.adapters.pettingzoo")
    assert "acpcbot[pettingzoo]" in caught.value.hint
