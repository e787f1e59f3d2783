"""Guesses for any hold'em game, from the strength of hands and the size of the pot.

With S the share of the pot that a hand wins if all who are still in check down, n how many
they are, and paid what the hero has put in, a state is worth

    pot / n - paid + growth (S - 1/n) pot

to him: his part of the pot, and what better cards than the others' bring, for which growth
says how much larger the pot will be. Everybody is taken to pay half of what he has still to
call. Before the cards, and when the flop is dealt, too many hands and boards are possible
to check them all down; E[HS2], a hand's expected squared strength, stands for S there, on
the flop without the hero's own.

``GROWTH`` is by how many streets of betting are to come, after an action without its own;
no pot grows beyond the stacks. The numbers are rounded regressions of chips won on
(S - 1/n) pot (docs/methods/evaluation.md). That the guesses are rough costs precision alone.

Values of betting that a strategy's tree does not have, from those of the betting that it sees
instead.

What is known when a street's betting ends and cards are still to come, as numbers to weigh.

With S the share of the pot that a hand wins if all who are still in check down, n how many
they are, and paid what the hero has put in, the hand is worth

    pot S - paid + room (weights . features)

to him: what he would win without further bets, and what these bring. ``room`` is how much
further bets can move, the pot or what the stacks leave of it. ``FEATURES`` are by his and
the others' hands, by who raised last on the street, and by who will act later on the next.
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
from acpcbot.evaluation.aivat.deal_sums import deal_ways
from acpcbot.evaluation.aivat.estimator import View
from acpcbot.evaluation.aivat.showdowns import can_check_down, pot_shares
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.rules import RAISE
from acpcbot.worker_threads import Progress

GROWTH = (1.0, 1.25, 1.7, 2.0)
HOLE_CARDS_WORTH = 7.0
"""In big blinds, what E[HS2] one higher than the others' on average is worth before the first
action.
"""
NUM_DRAWN = 1000
NUM_KEPT = 256


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
        """Before the cards, when all seats are alike, and with those dealt to the others,
        [hand].
        """
        others = [self._strengths.preflop[combo_index(*cards)] for cards in _others(view)]
        worth = HOLE_CARDS_WORTH * self._definition.big_blind
        return 0.0, worth * (self._strengths.preflop - np.mean(others))

    def after_actions(
        self, view: View, betting: BettingState, board: Sequence[int], actions: Sequence[Action]
    ) -> Floats:
        """After each of *actions* of the actor of *betting*, [hand, action]."""
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
        """All ways to deal the cards of a new street, [way, card], and the value after each,
        [way, hand].
        """
        size = self._definition.board_size(betting.street)
        ways = deal_ways(
            self._definition, (*board, *chain.from_iterable(view.hole_cards)), size - len(board)
        )
        if not board:
            return ways, self._on_flops(view, betting, ways)
        num_streets = self._definition.num_streets - betting.street
        boards = [(*board, *way) for way in ways.tolist()]
        return ways, np.stack(
            [self.state_value(view, betting, dealt, num_streets) for dealt in boards]
        )

    def state_value(
        self, view: View, betting: BettingState, board: Sequence[int], num_streets: int
    ) -> Floats:
        """The value of *betting* on *board*, [hand], with so many streets of betting to come."""
        if betting.folded[view.hero]:
            return np.full(NUM_COMBOS, -float(betting.spent[view.hero]))
        pot = pot_of(betting, view.hero)
        return (
            pot.chips / pot.num_players
            - pot.paid
            + pot.grown(num_streets) * self._above_even(view, betting, board)
        )

    def _above_even(self, view: View, betting: BettingState, board: Sequence[int]) -> Floats:
        """How much more of the pot than an equal part each hand wins, [hand]."""
        rivals = rivals_of(view, betting)
        return hand_shares(self._definition, view, rivals, board) - 1 / (len(rivals) + 1)

    def _on_flops(self, view: View, betting: BettingState, flops: NDArray[np.uint8]) -> Floats:
        """The value after each flop, the better the worse the others' hands, [way, 1]."""
        strength = mean_on_boards(self._strengths, rivals_of(view, betting), flops)
        return (
            -pot_of(betting, view.hero).grown(self._definition.num_streets - betting.street)
            * strength
        )


def mean_on_boards(
    strengths: HandStrengths, hands: tuple[tuple[int, ...], ...], boards: NDArray[np.uint8]
) -> Floats:
    """The mean of the strengths of *hands* on each of *boards*, [board, 1]."""
    cards = np.array([*chain.from_iterable(hands)], np.uint8)
    means: Floats = strengths.of_hands(np.tile(cards, (len(boards), 1)), boards).mean(
        axis=1, keepdims=True
    )
    return means


def can_value(definition: GameDefinition) -> bool:
    """Whether ``StrengthValues`` can be had for a game: hold'em of two to four streets."""
    sizes = tuple([definition.board_size(street) for street in range(definition.num_streets)])
    return can_check_down(definition) and sizes == BOARD_SIZES[: len(sizes)]


@dataclass(frozen=True, slots=True)
class Pot:
    """What one player can win: *chips* with what he has *paid*, *most_chips* if all goes in.

    So many may win it.
    """

    chips: float
    paid: float
    most_chips: float
    num_players: int

    def grown(self, num_streets: int) -> float:
        """The chips after so many more streets of betting."""
        return min(GROWTH[num_streets] * self.chips, max(self.most_chips, self.chips))


def pot_of(betting: BettingState, hero: int) -> Pot:
    """The pot for *hero*, who is still in, when everybody has paid half of what he has to call."""
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
    """How much of the hero's stake somebody else could win."""
    return min(
        stakes[hero], max([stakes[seat] for seat in staying if seat != hero], default=stakes[hero])
    )


def _others(view: View) -> list[tuple[int, ...]]:
    return [cards for seat, cards in enumerate(view.hole_cards) if seat != view.hero]


def rivals_of(view: View, betting: BettingState) -> tuple[tuple[int, ...], ...]:
    """The hands of the others who are still in."""
    hands = enumerate(view.hole_cards)
    return tuple([cards for seat, cards in hands if seat != view.hero and not betting.folded[seat]])


def hand_shares(
    definition: GameDefinition,
    view: View,
    rivals: tuple[tuple[int, ...], ...],
    board: Sequence[int],
) -> Floats:
    """The share of the pot that each hand wins against *rivals* if all check down from *board*
    on, [hand].
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


def shared_alike(
    values: Floats, seen: BettingState, betting: BettingState, seats: Any = slice(None)
) -> Floats:
    """*values* after *seen* as those after *betting*, in which whoever gets so much of the pot
    gets as much of it.

    Chips won; the last axis of *values* is that of the *seats*, or they are one seat's.
    """
    if seen.text == betting.text:
        return values
    growth = betting.pot / seen.pot if seen.pot else 1.0
    shared: Floats = (
        growth * (values + np.array(seen.spent)[seats]) - np.array(betting.spent)[seats]
    )
    return shared


NUM_RAISE_CLASSES = 3
"""Streets without a raise, with one, and with more have weights of their own."""
NUM_FEATURES = 8
MEAN_STRENGTH = 0.4
"""About what E[HS2] is in hands that go on, so that features say different things."""


@dataclass(frozen=True, slots=True)
class StreetEnd:
    """The betting when *street* is over, for every seat that is still in; chips.

    ``initiative`` and ``position`` are by seat and add up to nothing over those *staying*:
    who raised last on the street, and who acts later on the next one.
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
    """What *betting*, with which a street has begun whose cards are still to come, says of the
    one before.
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
    """1 for the last raiser if he is still in, shared as a loss by the others."""
    if not raiser or raiser[0] not in staying:
        return (0.0,) * num_seats
    return tuple(
        [1.0 if seat == raiser[0] else -1.0 / (len(staying) - 1) for seat in range(num_seats)]
    )


def _position(num_seats: int, staying: Sequence[int], first: int) -> tuple[float, ...]:
    """From -1 for who acts first to 1 for who acts last."""
    order = sorted(staying, key=lambda seat: (seat - first) % num_seats)
    places = {seat: 2.0 * place / (len(order) - 1) - 1.0 for place, seat in enumerate(order)}
    return tuple([places.get(seat, 0.0) for seat in range(num_seats)])


def features(end: StreetEnd, hero: int, share: Any, own: Any, rivals: Any) -> list[Any]:
    """The features of *hero*, who wins *share* of the pot with a hand of strength *own* against
    *rivals*' mean.

    Strengths are E[HS2] on the street's board; all three are numbers or arrays of one shape.
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
    """What the hand is worth to *hero*, chips.

    *weights* are [street, raise class, feature], the rest as above.
    """
    found = features(end, hero, share, own, rivals)
    further = sum(
        weight * feature
        for weight, feature in zip(weights[end.street, end.raises], found, strict=True)
    )
    return end.pot * share - end.paid[hero] + end.room * further
