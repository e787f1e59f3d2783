"""Kuhn and Leduc poker twice: as research games, and as game files through the betting engine."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from acpcbot.arrays import Floats
from acpcbot.games.game import CHANCE, Game, State, new_state
from acpcbot.games.generic_poker import LEDUC as LEDUC_RULES
from acpcbot.games.kuhn import Kuhn
from acpcbot.games.solvers.sequence_cfr import SequenceCFR
from acpcbot.learning.vector_cfr import VectorCFR
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.payoffs import payoffs
from acpcbot.regret_matching import CFR, DCFR, LINEAR_CFR, DiscountSettings
from acpcbot.trees.public_tree import LIMIT_CHILD
from tests.support.games import KUHN, LEDUC
from tests.support.research_games import form_of, random_policy, respond
from tests.support.small_games import KUHN_3P, SmallGame, shipped_small_game

PAIRS: dict[str, Game] = {KUHN: Kuhn(2), KUHN_3P: Kuhn(3), LEDUC: LEDUC_RULES}

Slots = dict[int, slice]
"""Where the betting engine's game stores the information set of a key."""


class Walk:
    """Both games side by side; payoffs and actors have to be the same throughout."""

    def __init__(self, name: str) -> None:
        self.rules, self.small = PAIRS[name], shipped_small_game(name)
        self.slots: Slots = {}
        start = BettingRules(self.small.definition).start
        self.num_ends = sum(1 for _ in self._ends(new_state(self.rules), start, 0, []))

    def _ends(
        self, state: State, betting: BettingState, node: int, dealt: list[int]
    ) -> Iterator[None]:
        """Everything below *state*, which is *betting* and *node* there.

        *dealt* are the cards, hole cards first.
        """
        seats, actor = self.rules.num_seats(), self.rules.actor(state)
        if actor == CHANCE:
            for action, card in enumerate(self._different_cards(dealt)):
                yield from self._ends(self._after(state, action), betting, node, [*dealt, card])
            return
        if betting.is_over:
            hands = [(card,) for card in dealt[:seats]]
            theirs = payoffs(betting, hands, dealt[seats:])
            assert theirs == tuple(self.rules.payoff(state, seat) for seat in range(seats))
            yield
            return
        assert betting.actor == actor
        bucket = self.small.abstraction.bucket(
            betting.street, dealt[actor : actor + 1], dealt[seats:]
        )
        slots = self.small.slots(node, bucket)
        assert self.slots.setdefault(int(state[actor]), slots) == slots
        actions = betting.legal_actions()
        assert len(actions) == self.rules.num_actions(state)
        for index, taken in enumerate(actions):
            child = int(self.small.game.tree.nodes[node, LIMIT_CHILD + index])
            yield from self._ends(self._after(state, index), betting.apply(taken), child, dealt)

    def _different_cards(self, dealt: list[int]) -> list[int]:
        """A card of each rank that is left, as chance deals ranks."""
        left = [card for card in sorted(self.small.definition.deck) if card not in dealt]
        return [
            card
            for place, card in enumerate(left)
            if place == 0 or left[place - 1] // 4 != card // 4
        ]

    def _after(self, state: State, action: int) -> State:
        after = state.copy()
        self.rules.apply(after, action)
        return after


@pytest.mark.parametrize("name", PAIRS)
def test_neither_rule_book_has_an_ending_or_a_payoff_of_its_own(name: str) -> None:
    assert Walk(name).num_ends == len(form_of(PAIRS[name]).end_chances)


@pytest.mark.parametrize("name", PAIRS)
def test_both_games_have_the_same_information_sets(name: str) -> None:
    slots = Walk(name).slots
    assert (
        len(slots)
        == len(form_of(PAIRS[name]).infoset_keys)
        == shipped_small_game(name).game.layout.num_infosets
    )


@pytest.mark.parametrize("name", PAIRS)
def test_a_policy_is_worth_the_same_and_its_best_responses_too(name: str) -> None:
    policy = random_policy(form_of(PAIRS[name]), 1)
    ours, theirs = (
        respond(PAIRS[name], policy),
        shipped_small_game(name).respond(translated(name, policy)),
    )
    assert ours.values == pytest.approx(theirs.values, abs=1e-12)
    assert ours.policy_values == pytest.approx(theirs.policy_values, abs=1e-12)


# CFR+ and DCFR are not compared in Kuhn poker for two: there two regrets cancel, and what rounding
# leaves of them decides between two strategies.
@pytest.mark.parametrize(
    ("name", "settings"),
    [(KUHN, CFR), (KUHN_3P, CFR), (KUHN_3P, DCFR), (LEDUC, LINEAR_CFR), (LEDUC, DCFR)],
)
def test_learners_do_not_stray_from_each_other(name: str, settings: DiscountSettings) -> None:
    small: SmallGame = shipped_small_game(name)
    ours = SequenceCFR(form_of(PAIRS[name]), settings)
    theirs = VectorCFR(small.game, small.rows, small.weights, settings)
    for learner in (ours, theirs):
        learner.step(30)
    assert translated(name, ours.average_strategy()) == pytest.approx(
        theirs.average_strategy(), abs=1e-9
    )
    assert translated(name, ours.current_strategy()) == pytest.approx(
        theirs.current_strategy(), abs=1e-9
    )


def translated(name: str, policy: Floats) -> Floats:
    """*policy* [slot] of the research game for the game of the betting engine."""
    result = np.empty(shipped_small_game(name).game.layout.num_slots)
    ours = form_of(PAIRS[name]).slots_by_key()
    for key, slots in Walk(name).slots.items():
        result[slots] = policy[ours[key]]
    return result
