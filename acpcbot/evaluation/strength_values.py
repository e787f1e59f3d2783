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
(S - 1/n) pot (docs/methods.md). That the guesses are rough costs precision alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.canonical_boards import BOARD_SIZES
from acpcbot.abstraction.row_chunks import Progress
from acpcbot.arrays import Floats
from acpcbot.cards.combos import NUM_COMBOS, combo_index
from acpcbot.errors import UsageError
from acpcbot.evaluation.aivat import View
from acpcbot.evaluation.checkdown import can_check_down, pot_shares
from acpcbot.evaluation.deal_sums import deal_ways
from acpcbot.evaluation.hand_strengths import HandStrengths
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition

GROWTH = (1.0, 1.25, 1.7, 2.0)
HOLE_CARDS_WORTH = 7.0
"""In big blinds, what E[HS2] one higher than the others' on average is worth before the first action."""
NUM_DRAWN = 1000
NUM_KEPT = 256


class StrengthValues:
    """A ``ValueFunction`` of *definition*; raises UsageError if that is not hold'em of two to four streets."""

    def __init__(self, definition: GameDefinition, on_progress: Progress | None = None) -> None:
        if not can_value(definition):
            raise UsageError("values by hand strength are for hold'em", "name a trained strategy's folder instead")
        self._definition = definition
        self._strengths = HandStrengths(on_progress)

    def start(self, view: View) -> tuple[float, Floats]:
        """Before the cards, when all seats are alike, and with those dealt to the others, [hand]."""
        others = [self._strengths.preflop[combo_index(*cards)] for cards in _others(view)]
        worth = HOLE_CARDS_WORTH * self._definition.big_blind
        return 0.0, worth * (self._strengths.preflop - np.mean(others))

    def after_actions(
        self, view: View, betting: BettingState, board: Sequence[int], actions: Sequence[Action]
    ) -> Floats:
        """After each of *actions* of the actor of *betting*, [hand, action]."""
        num_streets = self._definition.num_streets - 1 - betting.street
        return np.stack(
            [self.state_value(view, betting.apply(action), board, num_streets) for action in actions], axis=1
        )

    def after_deals(self, view: View, betting: BettingState, board: Sequence[int]) -> tuple[NDArray[np.uint8], Floats]:
        """All ways to deal the cards of a new street, [way, card], and the value after each, [way, hand]."""
        size = self._definition.board_size(betting.street)
        ways = deal_ways(self._definition, (*board, *chain.from_iterable(view.hole_cards)), size - len(board))
        if not board:
            return ways, self._on_flops(view, betting, ways)
        num_streets = self._definition.num_streets - betting.street
        boards = [(*board, *way) for way in ways.tolist()]
        return ways, np.stack([self.state_value(view, betting, dealt, num_streets) for dealt in boards])

    def state_value(self, view: View, betting: BettingState, board: Sequence[int], num_streets: int) -> Floats:
        """The value of *betting* on *board*, [hand], with so many streets of betting to come."""
        if betting.folded[view.hero]:
            return np.full(NUM_COMBOS, -float(betting.spent[view.hero]))
        pot = pot_of(betting, view.hero)
        return pot.chips / pot.num_players - pot.paid + pot.grown(num_streets) * self._above_even(view, betting, board)

    def _above_even(self, view: View, betting: BettingState, board: Sequence[int]) -> Floats:
        """How much more of the pot than an equal part each hand wins, [hand]."""
        rivals = rivals_of(view, betting)
        return hand_shares(self._definition, view, rivals, board) - 1 / (len(rivals) + 1)

    def _on_flops(self, view: View, betting: BettingState, flops: NDArray[np.uint8]) -> Floats:
        """The value after each flop, the better the worse the others' hands, [way, 1]."""
        strength = mean_on_boards(self._strengths, rivals_of(view, betting), flops)
        return -pot_of(betting, view.hero).grown(self._definition.num_streets - betting.street) * strength


def mean_on_boards(strengths: HandStrengths, hands: tuple[tuple[int, ...], ...], boards: NDArray[np.uint8]) -> Floats:
    """The mean of the strengths of *hands* on each of *boards*, [board, 1]."""
    cards = np.array([*chain.from_iterable(hands)], np.uint8)
    means: Floats = strengths.of_hands(np.tile(cards, (len(boards), 1)), boards).mean(axis=1, keepdims=True)
    return means


def can_value(definition: GameDefinition) -> bool:
    """Whether ``StrengthValues`` can be had for a game: hold'em of two to four streets."""
    sizes = tuple([definition.board_size(street) for street in range(definition.num_streets)])
    return can_check_down(definition) and sizes == BOARD_SIZES[: len(sizes)]


@dataclass(frozen=True, slots=True)
class Pot:
    """What one player can win: *chips* with what he has *paid*, *most_chips* if all goes in; so many may win it."""

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
        (betting.spent[seat] + min(betting.max_spent, stacks[seat])) / 2 if seat in staying else betting.spent[seat]
        for seat in seats
    ]
    all_in = [stacks[seat] if seat in staying else betting.spent[seat] for seat in seats]
    paid = _matched(half_called, staying, hero)
    at_most = _matched(all_in, staying, hero)
    chips = sum([min(stake, paid) for stake in half_called])
    return Pot(chips, paid, sum([min(stake, at_most) for stake in all_in]), len(staying))


def _matched(stakes: Sequence[float], staying: Sequence[int], hero: int) -> float:
    """How much of the hero's stake somebody else could win."""
    return min(stakes[hero], max([stakes[seat] for seat in staying if seat != hero], default=stakes[hero]))


def _others(view: View) -> list[tuple[int, ...]]:
    return [cards for seat, cards in enumerate(view.hole_cards) if seat != view.hero]


def rivals_of(view: View, betting: BettingState) -> tuple[tuple[int, ...], ...]:
    """The hands of the others who are still in."""
    hands = enumerate(view.hole_cards)
    return tuple([cards for seat, cards in hands if seat != view.hero and not betting.folded[seat]])


def hand_shares(
    definition: GameDefinition, view: View, rivals: tuple[tuple[int, ...], ...], board: Sequence[int]
) -> Floats:
    """The share of the pot that each hand wins against *rivals* if all check down from *board* on, [hand]."""
    if not rivals:
        return np.ones(NUM_COMBOS)
    dead = {*chain.from_iterable(view.hole_cards)}.difference(*rivals)
    shares = _kept_shares(rivals, tuple(board), tuple(sorted(dead)), sum(definition.num_board_cards))
    return shares.astype(np.float64)


@lru_cache(maxsize=NUM_KEPT)
def _kept_shares(
    rivals: tuple[tuple[int, ...], ...], board: tuple[int, ...], dead: tuple[int, ...], board_cards: int
) -> NDArray[np.float32]:
    return pot_shares(rivals, board, dead, board_cards=board_cards, num_drawn=NUM_DRAWN)
