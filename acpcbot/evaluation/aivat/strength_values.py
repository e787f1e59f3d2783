"""Value function for any hold'em game, from the strength of hands and the size of the pot.

With S the share of the pot that a hand wins if all who are still in check down, n how many they
are, and paid the chips that the hero has put in, a state is worth

    pot / n - paid + growth (S - 1/n) pot

to the hero: an equal part of the pot, and the gain from better cards, for which growth says how
much larger the pot will be. Every player is assumed to pay half of what it has still to call.
Before the cards and after the flop there are too many hands and boards to check them all down;
there E[HS2], the expected squared hand strength, stands for S, on the flop without the hero's own.

``GROWTH`` is indexed by the streets of betting to come, after an action without its own; no pot
grows beyond the stacks. The numbers are rounded regressions of chips won on (S - 1/n) pot
(docs/methods/evaluation.md). Rough values cost precision alone: the estimate stays unbiased.

The second half has the features for fitted values (``self_play_values.py``). At the end of a
street's betting, with cards to come, the hand is worth

    pot S - paid + room (weights . features)

to the hero: what it would win without further bets, and what these bring. ``room`` is how much
further bets can move: the pot, or what the stacks leave of it. Features come from the hero's and
the rivals' hands, the last raiser of the street, and who acts last on the next one.

``scale_to_pot`` maps values of betting in a strategy's tree to real betting with another pot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.canonical_boards import BOARD_SIZES
from acpcbot.abstraction.hand_strengths import HandStrengths
from acpcbot.arrays import Floats
from acpcbot.cards.combos import NUM_COMBOS, combo_index
from acpcbot.errors import UsageError
from acpcbot.evaluation.aivat.deal_sums import possible_deals
from acpcbot.evaluation.aivat.estimator import View
from acpcbot.evaluation.aivat.showdowns import can_check_down, pot_shares
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.rules import RAISE
from acpcbot.worker_threads import Progress

GROWTH = (1.0, 1.25, 1.7, 2.0)
HOLE_CARDS_WORTH = 7.0
"""Big blinds that an E[HS2] one higher than the others' mean is worth before the first action."""
NUM_DRAWN = 1000
NUM_KEPT = 256
NUM_RAISE_CLASSES = 3
"""Streets without a raise, with one, and with more have weights of their own."""
NUM_FEATURES = 8
MEAN_STRENGTH = 0.4
"""Typical E[HS2] of hands that go on; subtracted, so that features correlate less."""


class StrengthValues:
    """A ``ValueFunction`` of *definition*.

    Raises UsageError if that is not hold'em of two to four streets.
    """

    def __init__(self, definition: GameDefinition, on_progress: Progress | None = None) -> None:
        if not can_value(definition):
            raise UsageError(
                "values by hand strength are for hold'em",
                "name a trained strategy's folder instead",
            )
        self._definition = definition
        self._strengths = HandStrengths(on_progress)

    def start(self, view: View) -> tuple[float, Floats]:
        """Return 0, all seats being alike before the cards, and the value of hole cards, [hand]."""
        others = [self._strengths.preflop[combo_index(*cards)] for cards in _others(view)]
        worth = HOLE_CARDS_WORTH * self._definition.big_blind
        return 0.0, worth * (self._strengths.preflop - np.mean(others))

    def after_actions(
        self, view: View, betting: BettingState, board: Sequence[int], actions: Sequence[Action]
    ) -> Floats:
        """Return the value after each of *actions* of the actor of *betting*, [hand, action]."""
        num_streets = self._definition.num_streets - 1 - betting.street
        return np.stack(
            [
                self.state_value(view, betting.apply(action), board, num_streets)
                for action in actions
            ],
            axis=1,
        )

    def after_deals(
        self, view: View, betting: BettingState, board: Sequence[int]
    ) -> tuple[NDArray[np.uint8], Floats]:
        """Return all deals of a new street, and the value after each, [deal, hand]."""
        size = self._definition.board_size(betting.street)
        deals = possible_deals(
            self._definition, (*board, *chain.from_iterable(view.hole_cards)), size - len(board)
        )
        if not board:
            return deals, self._on_flops(view, betting, deals)
        num_streets = self._definition.num_streets - betting.street
        boards = [(*board, *dealt) for dealt in deals.tolist()]
        return deals, np.stack(
            [self.state_value(view, betting, dealt, num_streets) for dealt in boards]
        )

    def state_value(
        self, view: View, betting: BettingState, board: Sequence[int], num_streets: int
    ) -> Floats:
        """Return the value of *betting* with *num_streets* of betting to come, [hand]."""
        if betting.folded[view.hero]:
            return np.full(NUM_COMBOS, -float(betting.spent[view.hero]))
        pot = pot_of(betting, view.hero)
        return (
            pot.chips / pot.num_players
            - pot.paid
            + pot.grown(num_streets) * self._above_even(view, betting, board)
        )

    def _above_even(self, view: View, betting: BettingState, board: Sequence[int]) -> Floats:
        """Return each hand's share of the pot beyond an equal part, [hand]."""
        rivals = rivals_of(view, betting)
        return hand_shares(self._definition, view, rivals, board) - 1 / (len(rivals) + 1)

    def _on_flops(self, view: View, betting: BettingState, flops: NDArray[np.uint8]) -> Floats:
        """Return the value after each flop, from the strength of the rivals' hands, [deal, 1]."""
        strength = mean_on_boards(self._strengths, rivals_of(view, betting), flops)
        return (
            -pot_of(betting, view.hero).grown(self._definition.num_streets - betting.street)
            * strength
        )


def mean_on_boards(
    strengths: HandStrengths, hands: tuple[tuple[int, ...], ...], boards: NDArray[np.uint8]
) -> Floats:
    """Return the mean of the strengths of *hands* on each of *boards*, [board, 1]."""
    cards = np.array([*chain.from_iterable(hands)], np.uint8)
    means: Floats = strengths.of_hands(np.tile(cards, (len(boards), 1)), boards).mean(
        axis=1, keepdims=True
    )
    return means


def can_value(definition: GameDefinition) -> bool:
    """Return True if ``StrengthValues`` exist for a game: hold'em of two to four streets."""
    sizes = tuple([definition.board_size(street) for street in range(definition.num_streets)])
    return can_check_down(definition) and sizes == BOARD_SIZES[: len(sizes)]


@dataclass(frozen=True, slots=True)
class Pot:
    """The pot that one player can win: *chips*, of which it has *paid* a part.

    *most_chips* is the pot if all stacks go in, *num_players* how many compete for it.
    """

    chips: float
    paid: float
    most_chips: float
    num_players: int

    def grown(self, num_streets: int) -> float:
        """Return the chips in the pot after *num_streets* more streets of betting."""
        return min(GROWTH[num_streets] * self.chips, max(self.most_chips, self.chips))


def pot_of(betting: BettingState, hero: int) -> Pot:
    """Return the pot for *hero*, who is still in, if every player pays half of its call."""
    seats = range(len(betting.spent))
    stacks = betting.game.definition.stacks
    staying = [seat for seat in seats if not betting.folded[seat]]
    half_called = [
        (betting.spent[seat] + min(betting.max_spent, stacks[seat])) / 2
        if seat in staying
        else betting.spent[seat]
        for seat in seats
    ]
    all_in = [stacks[seat] if seat in staying else betting.spent[seat] for seat in seats]
    paid = _matched(half_called, staying, hero)
    at_most = _matched(all_in, staying, hero)
    chips = sum([min(stake, paid) for stake in half_called])
    return Pot(chips, paid, sum([min(stake, at_most) for stake in all_in]), len(staying))


def _matched(stakes: Sequence[float], staying: Sequence[int], hero: int) -> float:
    """Return the part of the hero's stake that another player can win."""
    return min(
        stakes[hero], max([stakes[seat] for seat in staying if seat != hero], default=stakes[hero])
    )


def _others(view: View) -> list[tuple[int, ...]]:
    return [cards for seat, cards in enumerate(view.hole_cards) if seat != view.hero]


def rivals_of(view: View, betting: BettingState) -> tuple[tuple[int, ...], ...]:
    """Return the hands of the other players who are still in."""
    hands = enumerate(view.hole_cards)
    return tuple([cards for seat, cards in hands if seat != view.hero and not betting.folded[seat]])


def hand_shares(
    definition: GameDefinition,
    view: View,
    rivals: tuple[tuple[int, ...], ...],
    board: Sequence[int],
) -> Floats:
    """Return each hand's share of the pot against *rivals* if all check down, [hand].

    Cards come after *board*; those of players who folded are dead.
    """
    if not rivals:
        return np.ones(NUM_COMBOS)
    dead = {*chain.from_iterable(view.hole_cards)}.difference(*rivals)
    shares = _kept_shares(
        rivals, tuple(board), tuple(sorted(dead)), sum(definition.num_board_cards)
    )
    return shares.astype(np.float64)


@lru_cache(maxsize=NUM_KEPT)
def _kept_shares(
    rivals: tuple[tuple[int, ...], ...],
    board: tuple[int, ...],
    dead: tuple[int, ...],
    board_cards: int,
) -> NDArray[np.float32]:
    return pot_shares(rivals, board, dead, board_cards=board_cards, num_drawn=NUM_DRAWN)


def scale_to_pot(
    values: Floats, seen: BettingState, betting: BettingState, seats: Any = slice(None)
) -> Floats:
    """Return *values* after *seen* as values after *betting*, at equal shares of the pot.

    Chips won. The last axis of *values* is that of the *seats*, or they are one seat's.
    """
    if seen.text == betting.text:
        return values
    growth = betting.pot / seen.pot if seen.pot else 1.0
    shared: Floats = (
        growth * (values + np.array(seen.spent)[seats]) - np.array(betting.spent)[seats]
    )
    return shared


@dataclass(frozen=True, slots=True)
class StreetEnd:
    """The betting at the end of *street*, for every seat that is still in; chips.

    ``initiative`` and ``position`` are by seat and sum to 0 over those *staying*: the last raise of
    the street, and the order of acting on the next one.
    """

    street: int
    raises: int
    staying: tuple[int, ...]
    pot: float
    room: float
    paid: tuple[int, ...]
    initiative: tuple[float, ...]
    position: tuple[float, ...]


def street_end(betting: BettingState) -> StreetEnd:
    """Return the end of the street before the one that *betting* has just begun.

    The cards of the new street are still to come.
    """
    street = betting.street - 1
    stacks = betting.game.definition.stacks
    staying = tuple([seat for seat, has_folded in enumerate(betting.folded) if not has_folded])
    raisers = [
        before.actor
        for before, action in betting.decisions()
        if before.street == street and action.kind == RAISE
    ]
    behind = sum([stacks[seat] - betting.spent[seat] for seat in staying])
    return StreetEnd(
        street,
        min(len(raisers), NUM_RAISE_CLASSES - 1),
        staying,
        float(betting.pot),
        float(min(betting.pot, behind)),
        betting.spent,
        _initiative(len(stacks), staying, raisers[-1:]),
        _position(len(stacks), staying, betting.game.definition.first_seats[betting.street]),
    )


def _initiative(num_seats: int, staying: Sequence[int], raiser: Sequence[int]) -> tuple[float, ...]:
    """Return 1 for the last raiser if it is still in, shared as a loss by the others."""
    if not raiser or raiser[0] not in staying:
        return (0.0,) * num_seats
    return tuple(
        [1.0 if seat == raiser[0] else -1.0 / (len(staying) - 1) for seat in range(num_seats)]
    )


def _position(num_seats: int, staying: Sequence[int], first: int) -> tuple[float, ...]:
    """Return positions from -1 for the first to act to 1 for the last."""
    order = sorted(staying, key=lambda seat: (seat - first) % num_seats)
    places = {seat: 2.0 * place / (len(order) - 1) - 1.0 for place, seat in enumerate(order)}
    return tuple([places.get(seat, 0.0) for seat in range(num_seats)])


def features(end: StreetEnd, hero: int, share: Any, own: Any, rivals: Any) -> list[Any]:
    """Return the features of *hero*, which wins *share* of the pot with strength *own*.

    *rivals* is the mean strength of the other hands. Strengths are E[HS2] on the street's board;
    all three are numbers or arrays of one shape.
    """
    above, ahead, level = (
        share - 1 / len(end.staying),
        own - rivals,
        own + rivals - 2 * MEAN_STRENGTH,
    )
    initiative, position = end.initiative[hero], end.position[hero]
    return [
        above,
        ahead,
        above * level,
        ahead * level,
        initiative * level,
        position * level,
        initiative + 0 * level,
        position + 0 * level,
    ]


def end_value(end: StreetEnd, hero: int, share: Any, own: Any, rivals: Any, weights: Floats) -> Any:
    """Return the value of the hand to *hero* at the end of a street, chips.

    *weights* are [street, raise class, feature], the rest as for ``features``.
    """
    found = features(end, hero, share, own, rivals)
    further = sum(
        weight * feature
        for weight, feature in zip(weights[end.street, end.raises], found, strict=True)
    )
    return end.pot * share - end.paid[hero] + end.room * further
