"""Betting and payoffs against OpenSpiel: random hands agree at every decision and at the end.

In limit games the whole list of legal actions is compared each time. A no-limit
list has up to twenty thousand sizes, so its ends and their outer neighbours are
tried each time and the whole list is compared where it is short, and in some hands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from acpcbot.poker import rules
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.dealing import Deal, Dealing
from acpcbot.poker.payoffs import payoffs
from tests.support.games import (
    ALL_GAMES,
    LIMIT_2P,
    LIMIT_3P,
    NOLIMIT_2P,
    NOLIMIT_3P,
    NOLIMIT_6P,
    SHORT_LIMIT_3P,
    definition_of,
    rules_of,
)
from tests.support.oracle import (
    oracle_action,
    oracle_cards,
    oracle_game,
    silent_oracle,
    verify_ends,
    verify_list,
)
from tests.support.playouts import random_action

pytest.importorskip("pyspiel")

MAIN_GAMES = (LIMIT_2P, LIMIT_3P, NOLIMIT_2P, NOLIMIT_3P, NOLIMIT_6P)
NUM_SLICES = 10
HANDS_PER_SLICE = 10_000
HANDS_OF_A_SHORT_TEST = 800
MANY_HANDS, FEW_HANDS = 1_000, 400
"""Of the other games."""

SHORT_LIST = 50
HANDS_PER_FULL_LIST = 100

LEAST_SHARES = {
    "limit": {"showdown": 0.4, "folded out": 0.4, "last street": 0.5, "raising stopped": 0.1},
    "nolimit": {"showdown": 0.4, "folded out": 0.2, "last street": 0.06, "all-in": 0.4, "run out": 0.3,
                "one size only": 0.3},
}  # fmt: skip


class OracleHand:
    """A hand with its cards dealt, played here and there at once."""

    def __init__(self, name: str, deal: Deal, *, compares_lists: bool) -> None:
        self.betting = rules_of(name).start
        self.deal = deal
        self.state: Any = oracle_game(name).new_initial_state()
        self.compares_lists = compares_lists
        dealt = [card for held in deal.hole_cards for card in held] + list(deal.board)
        self._cards = map(oracle_cards(name).__getitem__, dealt)
        self._deal_cards()

    def _deal_cards(self) -> None:
        while self.state.is_chance_node():
            self.state.apply_action(next(self._cards))

    def play(self, random: Random) -> set[str]:
        """Play to the end, comparing; what was seen on the way."""
        seen = set()
        while not self.state.is_terminal():
            assert self.state.current_player() == self.betting.actor
            actions = self.betting.legal_actions()
            self._compare(actions)
            seen.update(features_of_decision(self.betting, actions))
            action = random_action(random, actions, len(self.deal.hole_cards))
            self.betting = self.betting.apply(action)
            self.state.apply_action_with_legality_check(oracle_action(action))
            self._deal_cards()
        assert self.betting.is_over
        values = payoffs(self.betting, self.deal.hole_cards, self.deal.board)
        assert list(values) == self.state.returns(), self.betting
        return seen.union(features_of_end(self.betting, values))

    def _compare(self, actions: Sequence[Action]) -> None:
        if not self.betting.game.definition.is_limit:
            verify_ends(actions, self.state)
        if self.compares_lists or actions[-1].raise_to - actions[0].raise_to < SHORT_LIST:
            verify_list(actions, self.state)


def features_of_decision(betting: BettingState, actions: Sequence[Action]) -> list[str]:
    found = ["last street"] if betting.street == betting.game.definition.num_streets - 1 else []
    if actions[-1].kind != rules.RAISE:
        found.append("raising stopped")
    elif actions[-1].raise_to and actions[-2].kind != rules.RAISE:
        found.append("one size only")
    return found


def features_of_end(betting: BettingState, values: tuple[float, ...]) -> list[str]:
    found = {
        "showdown": betting.is_showdown,
        "folded out": not betting.is_showdown,
        "all-in": any(map(int.__eq__, betting.spent, betting.game.definition.stacks)),
        "run out": betting.text.endswith("/"),
        "split": sum(value > 0 for value in values) > 1,
    }
    return [feature for feature, is_there in found.items() if is_there]


def play_hands(name: str, seed: int, num_hands: int) -> Counter[str]:
    """Return how many of *num_hands* random hands had each feature."""
    random, dealing = Random(f"{name} {seed}"), Dealing(definition_of(name), seed)
    seen: Counter[str] = Counter()
    with silent_oracle():
        for number in range(num_hands):
            hand = OracleHand(
                name, dealing.next_deal(), compares_lists=number % HANDS_PER_FULL_LIST == 0
            )
            seen.update(hand.play(random))
    return seen


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(NUM_SLICES))
@pytest.mark.parametrize("name", MAIN_GAMES)
def test_a_hundred_thousand_hands_of_each_main_game_agree_with_openspiel(
    name: str, seed: int
) -> None:
    verify_hands(name, seed, HANDS_PER_SLICE)


@pytest.mark.parametrize("name", MAIN_GAMES)
def test_hundreds_of_hands_of_each_main_game_agree_with_openspiel(name: str) -> None:
    """Other hands than those of the slow test."""
    verify_hands(name, NUM_SLICES, HANDS_OF_A_SHORT_TEST)


def verify_hands(name: str, seed: int, num_hands: int) -> None:
    """Play hands here and there; every situation has to come up often enough to have been tried."""
    seen = play_hands(name, seed, num_hands)
    least = LEAST_SHARES["limit" if definition_of(name).is_limit else "nolimit"]
    shares = {feature: seen[feature] / num_hands for feature in least}
    assert all(shares[feature] >= share for feature, share in least.items()), shares


# OpenSpiel leaves stacks out of limit games: there players bet more than they have.
@pytest.mark.parametrize("name", sorted(set(ALL_GAMES) - set(MAIN_GAMES) - {SHORT_LIMIT_3P}))
@pytest.mark.parametrize("num_hands", [pytest.param(MANY_HANDS, marks=pytest.mark.slow), FEW_HANDS])
def test_small_decks_antes_and_uneven_stacks_agree_with_openspiel(
    name: str, num_hands: int
) -> None:
    play_hands(name, 1, num_hands)
