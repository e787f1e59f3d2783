"""The double oracle for generic poker: a restricted game that grows until its equilibrium is exact.

In the restricted game the seats have their open actions alone (``poker_best_response.py``). It is
solved as sequences (``restricted_form``) by any solver; a best response in the whole game to the
solution bounds the value from either side, and opens the actions by which it gains. The bounds are
certain, up to rounding, however well or ill the restricted game was solved.

``GrowingCFR`` solves it by discounted CFR, which goes on where it was when actions are opened: sums
are kept by the names of slots. Once the game has stood still for a while the average is begun anew,
because strategies of a smaller game weigh on it. Rounds are short while the game grows, then
ever longer. Actions are opened only if they gain a share of the gap: best responses to strategies
that are still rough would open much that is never used.

Source: Bosansky, Kiekintveld, Lisy & Pechoucek (2014), An exact double-oracle algorithm for
zero-sum extensive-form games with imperfect information. Departures: actions are opened wherever
the open ones lead, not only on a best response's own path; a seat that has opened nothing checks or
calls. Brown & Sandholm (2019), https://arxiv.org/abs/1809.04040 (discounted CFR).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats, Ints
from acpcbot.errors import UsageError
from acpcbot.games.generic_poker import GenericPoker
from acpcbot.games.poker_streets import (
    DECISION,
    FOLD_END,
    NUM_SEATS,
    STREET_END,
    PokerStreets,
    StreetTree,
    poker_streets,
)
from acpcbot.games.sequence_form import SequenceForm
from acpcbot.games.solvers.poker_best_response import (
    MOST_ACTIONS,
    ROOT,
    BestResponseQuery,
    Strategy,
    best_response,
    make_scratch,
)
from acpcbot.games.solvers.sequence_cfr import SequenceCFR
from acpcbot.jit import kernel
from acpcbot.regret_matching import DCFR, DiscountSettings

NOWHERE = -1
# The game stands still as long as it has not grown by more than this share since it began to.
STILL = 0.01
# A round takes this share of the iterations for which the game has stood still.
ROUND_SHARE = 0.2
# The average is begun anew after so many shortest rounds without growth.
SETTLING_ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bounds of seat 0's equilibrium value in chips: at least *lower* and at most *upper*."""

    lower: float
    upper: float

    @property
    def gap(self) -> float:
        """The difference of the bounds."""
        return self.upper - self.lower


class DoubleOracle:
    """The restricted game that grows by best responses in *game*.

    ``masks``       uint16 [public decision, hand], see poker_best_response.py
    ``form``        the restricted game as sequences, another one after each ``respond``
    ``slot_names``  int64 [slot], a number for each slot that it keeps while the game grows
    ``policy``      float64 [slot], the strategies of both seats there, to be assigned by a solver
    ``bounds``      the narrowest of all that are certain

    Six bytes stand for each public decision and hand, most of which the system never hands out:
    parts of the game that were not opened take no memory. Raises UsageError for more than 16
    actions.
    """

    def __init__(self, game: GenericPoker) -> None:
        if game.max_actions() > MOST_ACTIONS:
            raise UsageError(
                f"{game} has up to {game.max_actions()} actions",
                f"at most {MOST_ACTIONS} are counted",
            )
        self.game, self.bounds = poker_streets(game), Bounds(-np.inf, np.inf)
        shape = self.game.num_public_decisions, game.num_ranks
        self.masks, self._slots = np.zeros(shape, np.uint16), np.zeros(shape, np.int32)
        self._scratches = [
            make_scratch(street, game.num_ranks) for street in (self.game.first, self.game.second)
        ]
        self._grow(np.empty(0, np.int64))

    def respond(self, least_gain: float = 0.0) -> Bounds:
        """Open the actions by which best responses in the whole game gain on the policy.

        These gain more than *least_gain*, counterfactual and in chips. Slots are numbered anew, and
        the policy is uniform again. Returns the bounds that the policy gave.
        """
        strategy = Strategy(self.masks, self._slots, self.policy)
        values, found = [], []
        for seat in range(NUM_SEATS):
            value, actions = best_response(
                self.game, strategy, BestResponseQuery(seat, least_gain), *self._scratches
            )
            values.append(value)
            found.append(actions)
        bounds = Bounds(-values[1], values[0])
        self.bounds = Bounds(
            max(self.bounds.lower, bounds.lower), min(self.bounds.upper, bounds.upper)
        )
        self._grow(np.concatenate(found))
        return bounds

    def _grow(self, actions: Ints) -> None:
        """Open *actions*, as best_response gives them, and number the slots anew."""
        infosets, bits = actions // MOST_ACTIONS, (1 << actions % MOST_ACTIONS).astype(np.uint16)
        np.bitwise_or.at(self.masks.reshape(-1), infosets, bits)
        self.form, self.slot_names = restricted_form(
            self.game, Strategy(self.masks, self._slots, np.empty(0))
        )
        self.policy = self.form.normalised(np.zeros(self.form.num_slots))


@dataclass(frozen=True, slots=True)
class Growth:
    """Progress: the restricted game's slots, all iterations, and the value's *bounds* in chips."""

    num_slots: int
    num_iterations: int
    bounds: Bounds


class GrowingCFR:
    """A CFR learner of the restricted game of *oracle*, which grows between rounds."""

    def __init__(self, oracle: DoubleOracle, settings: DiscountSettings = DCFR) -> None:
        self.oracle, self.settings = oracle, settings
        self._learner = SequenceCFR(oracle.form, settings)

    @property
    def num_iterations(self) -> int:
        """The number of all iterations so far."""
        return int(self._learner.arrays["num_iterations"][0])

    def solve(
        self, target: float, *, shortest_round: int = 200, gain_share: float = 1e-4
    ) -> Iterator[Growth]:
        """Learn and grow in rounds until the bounds are *target* chips apart; yield the progress.

        An action is opened if it gains *gain_share* of the gap, or of a chip while the gap is
        wider.
        """
        still_since, still_slots, is_settled = 0, 0, False
        while self.oracle.bounds.gap > target:
            if self.oracle.form.num_slots > (1 + STILL) * still_slots:
                still_since, still_slots, is_settled = (
                    self.num_iterations,
                    self.oracle.form.num_slots,
                    False,
                )
            still_for = self.num_iterations - still_since
            if still_for >= SETTLING_ROUNDS * shortest_round and not is_settled:
                self._learner.arrays["strategy_sum"][:] = 0
                is_settled = True
            length = max(shortest_round, int(ROUND_SHARE * still_for))
            yield self.round(length, gain_share * min(self.oracle.bounds.gap, 1.0))

    def round(self, num_iterations: int, least_gain: float) -> Growth:
        """Learn for *num_iterations*, and open actions that gain more than *least_gain* chips.

        They gain on the average strategy.
        """
        oracle, names = self.oracle, self.oracle.slot_names
        self._learner.step(num_iterations)
        oracle.policy = self._learner.average_strategy()
        oracle.respond(least_gain)
        self._continue(names)
        return Growth(oracle.form.num_slots, self.num_iterations, oracle.bounds)

    def _continue(self, names: Ints) -> None:
        """Go on in the game as it is now; *names* are those of the slots before."""
        before, self._learner = self._learner.arrays, SequenceCFR(self.oracle.form, self.settings)
        for name in ("regret_sum", "strategy_sum"):
            self._learner.arrays[name][:] = _carried(names, before[name], self.oracle.slot_names)
        self._learner.arrays["num_iterations"][:] = before["num_iterations"]


def _carried(names: Ints, sums: NDArray[np.float64], new_names: Ints) -> Floats:
    """Return *sums* [slot of *names*] in the order of *new_names*; 0 for those that are new."""
    order = np.argsort(names)
    places = order[np.minimum(np.searchsorted(names, new_names, sorter=order), len(names) - 1)]
    return np.where(names[places] == new_names, sums[places], 0.0)


def restricted_form(game: PokerStreets, strategy: Strategy) -> tuple[SequenceForm, Ints]:
    """Return the open part of *game*, and names of its slots that last while it grows.

    Writes the *strategy*'s slots. Where a seat opened nothing it has no choice, and so no slots.
    Ends with the same last slot of both seats stay apart; those that pay nothing are left out.

    The key of an information set is public decision * hands + hand. Names are int64 [slot], key *
    MOST_ACTIONS + action; those of the empty sequences are negative.
    """
    infosets, actions, ends = _walk(game, strategy)
    keys, seats, parents, counts = infosets.reshape(-1, 4).T
    chance_reaches, payoffs, *slots = ends.reshape(-1, 4).T
    form = SequenceForm(
        infoset_keys=keys,
        infoset_seats=seats,
        first_slots=NUM_SEATS + np.append(0, np.cumsum(counts)),
        parent_slots=parents,
        end_chances=chance_reaches,
        end_payoffs=np.stack([payoffs, -payoffs], axis=1),
        end_slots=np.stack(slots, axis=1).astype(np.int64),
    )
    names = np.repeat(keys, counts) * MOST_ACTIONS + actions[NUM_SEATS:]
    return form, np.append(-1 - np.arange(NUM_SEATS), names)


@kernel
def _walk(game: PokerStreets, strategy: Strategy) -> tuple[Ints, Ints, Floats]:
    """List the information sets, the slots' actions, and the ends.

    An information set is its key, seat, parent slot and number of slots. An end is its probability,
    the payoff of seat 0, and the last slot of each seat.
    """
    # Lists of numbers, because nobody knows how many there will be; the first ones tell numba the
    # types and are cut off at the end. The two empty sequences have slots 0 and 1.
    num_hands = len(game.deal_probabilities)
    infosets, actions, ends = [0], [NOWHERE, NOWHERE], [0.0]
    first = np.empty((len(game.first.kinds), NUM_SEATS, num_hands), np.int64)
    second = np.empty((len(game.second.kinds), NUM_SEATS, num_hands), np.int64)
    orders = np.empty(len(first), np.int64), np.empty(len(second), np.int64)
    for seat in range(NUM_SEATS):
        first[ROOT, seat] = seat
    count = _expand(game.first, strategy, 0, first, orders[0], infosets, actions)
    for node in orders[0][:count]:
        if game.first.kinds[node] == FOLD_END:
            _add_ends(
                game.deal_probabilities.sum(axis=0),
                _won_by_fold(game.first, node, 0.0),
                first[node],
                ends,
            )
        elif game.first.kinds[node] == STREET_END:
            # One tree of the second street serves all lines of the first and all boards; only
            # *start*, the number of its first public decision, differs.
            stake = game.first.stakes[node]
            for board in range(num_hands):
                second[ROOT] = first[node]
                start = game.starts[game.first.numbers[node], board]
                beyond = _expand(game.second, strategy, start, second, orders[1], infosets, actions)
                for end in orders[1][:beyond]:
                    if game.second.kinds[end] == FOLD_END:
                        _add_ends(
                            game.deal_probabilities[board],
                            _won_by_fold(game.second, end, stake),
                            second[end],
                            ends,
                        )
                    elif game.second.kinds[end] == STREET_END:
                        _add_ends(
                            game.showdowns[board],
                            stake + game.second.stakes[end],
                            second[end],
                            ends,
                        )
    return (
        np.array(infosets[1:], np.int64),
        np.array(actions, np.int64),
        np.array(ends[1:], np.float64),
    )


@kernel
def _expand(
    street: StreetTree,
    strategy: Strategy,
    start: int,
    lasts: Ints,
    order: Ints,
    infosets: list[int],
    actions: list[int],
) -> int:
    """Number the open slots of a street, and list the nodes to which both seats may come.

    *lasts* [node, seat, hand] is the last slot of each seat, or NOWHERE if its open actions do not
    lead there. Returns the number of nodes listed.
    """
    # *order* is queue and result: nodes are appended behind and never taken away.
    order[0], count, index = ROOT, 1, 0
    while index < count:
        node = order[index]
        index += 1
        if street.kinds[node] != DECISION:
            continue
        first, seat, number = (
            street.first_children[node],
            street.actors[node],
            start + street.numbers[node],
        )
        for child in range(first, first + street.num_children[node]):
            lasts[child, 1 - seat] = lasts[node, 1 - seat]
            lasts[child, seat] = NOWHERE
        for hand in range(lasts.shape[2]):
            _number_slots(street, strategy, node, number, hand, lasts, infosets, actions)
        for child in range(first, first + street.num_children[node]):
            # Nodes that no hand's open actions lead to are left out, and so is all below them.
            if lasts[child, seat].max() != NOWHERE:
                order[count] = child
                count += 1
    return count


@kernel
def _number_slots(
    street: StreetTree,
    strategy: Strategy,
    node: int,
    number: int,
    hand: int,
    lasts: Ints,
    infosets: list[int],
    actions: list[int],
) -> None:
    """Give the actor's open actions with *hand* their slots, if it comes to *node*.

    The node is public decision *number*.
    """
    first, seat, mask = (
        street.first_children[node],
        street.actors[node],
        strategy.masks[number, hand],
    )
    parent = lasts[node, seat, hand]
    if parent == NOWHERE:
        return
    # Nothing opened: a check or call without a slot, so the sequence stays that of the parent.
    if mask == 0:
        lasts[first + street.calls[node], seat, hand] = parent
        return
    slot = len(actions)
    strategy.slots[number, hand] = slot
    for action in range(street.num_children[node]):
        if mask >> action & 1:
            lasts[first + action, seat, hand] = len(actions)
            actions.append(action)
    infosets.append(number * lasts.shape[2] + hand)
    infosets.append(seat)
    infosets.append(parent)
    infosets.append(len(actions) - slot)


@kernel
def _won_by_fold(street: StreetTree, node: int, chips_before: float) -> float:
    """Return the payoff of seat 0 if *node* is a fold, after *chips_before* of each seat."""
    stake = chips_before + street.stakes[node]
    return float(stake if street.actors[node] == 1 else -stake)


@kernel
def _add_ends(weights: Floats, won: float, lasts: Ints, ends: list[float]) -> None:
    """Append the ends with all hands to which both *lasts* [seat, hand] lead.

    *weights* may be negative.
    """
    # A showdown's weights carry the sign of the result; as ends have positive probabilities the
    # sign goes to the payoff. Ties weigh 0 and are left out.
    for own in range(len(weights)):
        for other in range(len(weights)):
            weight = weights[own, other]
            if weight != 0 and lasts[0, own] != NOWHERE and lasts[1, other] != NOWHERE:
                ends.append(abs(weight))
                ends.append(won if weight > 0 else -won)
                ends.append(float(lasts[0, own]))
                ends.append(float(lasts[1, other]))
