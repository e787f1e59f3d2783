"""A tight player for every game: it compares its hand's percentile with the price of a call.

The win probability is the hand's percentile among an opponent's possible hands, once for each
opponent who is still in; cards to come and position are ignored.

* It folds hands that do not beat the pot odds by a margin, and checks where that is free.
* It raises where the win probability is much more than a fair share of the pot, and calls with the
  rest.
* It bluffs with a few hands of any kind where nobody has raised yet.

Each raise on the street makes both demands stricter, as it signals a hand.

``hand_percentile`` ranks two hole cards as combos: on three to five board cards by their strength,
before the flop by Chen's points. Other games (one or three hole cards, odd boards) are ranked by
the strength of the cards in view, hand by hand; where there are very many hands, an even selection
of them stands for all.

``chen_points`` counts A 10, K 8, Q 7, J 6 for the higher card, and half its number below; a pair
counts twice that, and at least 5. Two cards of a suit get 2 more. Cards apart lose 1, 2, 4 or 5 for
one, two, three or more missing ranks between them; if at most one is missing and both are below a
queen, they get 1 more. Half points are rounded up.

Source: Bill Chen's formula, in L. Krieger, Hold'em Excellence, 2nd ed. (2000).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, islice
from math import ceil, comb

from acpcbot.agents.decision_stream import decision_stream
from acpcbot.cards.any_strength import strength
from acpcbot.cards.beaten_hands import standing
from acpcbot.cards.deck import RANKS
from acpcbot.poker import rules
from acpcbot.poker.actions import CALLING, FOLDING, Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.protocol.messages import MatchState

HIGH_CARD_POINTS = (1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 10)
MIN_PAIR_POINTS = 5
SUITED_POINTS = 2
GAP_COSTS = (0, 1, 2, 4, 5)
_QUEEN = RANKS.index("Q")
MAX_COUNTED_HANDS = 300


class TightAgent:
    """The tight player for one game."""

    is_instant = True

    def __init__(
        self, definition: GameDefinition, seed: int, settings: TightSettings | None = None
    ) -> None:
        self.definition = definition
        self.seed = seed
        self.settings = settings or TightSettings()
        self._warm_up()

    def _warm_up(self) -> None:
        """Read tables now, not in the middle of a hand."""
        deck, size = self.definition.deck, self.definition.num_hole_cards
        for street in range(self.definition.num_streets):
            hand_percentile(
                self.definition, deck[:size], deck[size : size + self.definition.board_size(street)]
            )

    def act(self, state: MatchState, deadline_s: float) -> Action:
        """Return a raise, a call, a check or a fold."""
        betting, settings = state.betting, self.settings
        bluff_share = settings.bluff_share_after(betting)
        if bluff_share and decision_stream(self.seed, state).unit() < bluff_share:
            return settings.raise_after(betting)
        return settings.action(
            betting, hand_percentile(self.definition, state.own_cards, state.board)
        )


@dataclass(frozen=True, slots=True)
class TightSettings:
    """Margins and frequencies of the tight player."""

    raise_share: float = 1.4
    """Multiple of a fair share of the pot that a raise needs."""
    call_margin: float = 0.05
    """Margin over the pot odds that a call needs."""
    respect: float = 0.04
    """Discount of the win probability for each raise on this street."""
    bluff_share: float = 0.05
    """Share of hands raised as a bluff where nobody has raised yet."""
    pot_share: float = 0.75
    """Size of a no-limit raise over the call, as a share of the pot."""

    def action(self, betting: BettingState, percentile: float) -> Action:
        """Return the action with a hand of this *percentile*, where it does not bluff."""
        probability = percentile ** (num_left(betting) - 1) - self.respect * num_raises(betting)
        if probability < pot_odds(betting) + self.call_margin:
            return FOLDING if betting.can_act(FOLDING) else CALLING
        is_raise = probability >= self.raise_share / num_left(betting)
        return self.raise_after(betting) if is_raise else CALLING

    def bluff_share_after(self, betting: BettingState) -> float:
        """Return the share of hands of any kind that are raised: none if somebody has raised."""
        return 0.0 if num_raises(betting) else self.bluff_share

    def raise_after(self, betting: BettingState) -> Action:
        """Return the raise after *betting*, a call where none is legal."""
        legal = betting.raise_range
        if legal is None:
            return CALLING
        smallest, largest = legal
        wanted = betting.max_spent + round(self.pot_share * (betting.pot + betting.to_call))
        return Action(rules.RAISE, max(smallest, min(wanted, largest)))


def win_probability(state: MatchState) -> float:
    """Return the probability that no opponent holds a better hand now, with random cards."""
    percentile = hand_percentile(state.definition, state.own_cards, state.board)
    return percentile ** (num_left(state.betting) - 1)


def pot_odds(betting: BettingState) -> float:
    """Return the price of a call as a share of the pot that the actor can win with it."""
    in_all = betting.vector[rules.SPENT + betting.actor] + betting.to_call
    return betting.to_call / sum(
        [min(chips, in_all) for chips in betting.spent] + [betting.to_call]
    )


def num_left(betting: BettingState) -> int:
    """Return the number of players who have not folded."""
    return betting.folded.count(False)


def num_raises(betting: BettingState) -> int:
    """Return the number of raises on this street."""
    return betting.vector[rules.NUM_RAISES]


def hand_percentile(
    definition: GameDefinition, own_cards: Sequence[int], board: Sequence[int]
) -> float:
    """Return the share of the opponent's possible hands that *own_cards* beat on *board*.

    Ties count half.
    """
    if definition.num_hole_cards == 2 and _suits_combos(definition, len(board)):
        return _combo_percentile(definition, own_cards, board)
    return _counted_percentile(definition, own_cards, board)


@cache
def chen_points(card: int, other: int) -> int:
    """Return the points of two different cards, from -1 (seven and two) to 20 (two aces)."""
    high, low = max(card, other) >> 2, min(card, other) >> 2
    points = float(HIGH_CARD_POINTS[high])
    if high == low:
        return ceil(max(2 * points, MIN_PAIR_POINTS))
    gap = high - low - 1
    points -= GAP_COSTS[min(gap, len(GAP_COSTS) - 1)]
    if card & 3 == other & 3:
        points += SUITED_POINTS
    if gap <= 1 and high < _QUEEN:
        points += 1
    return ceil(points)


def _suits_combos(definition: GameDefinition, board_size: int) -> bool:
    return 3 <= board_size <= 5 or (board_size == 0 and any(definition.num_board_cards))


def _combo_percentile(
    definition: GameDefinition, own_cards: Sequence[int], board: Sequence[int]
) -> float:
    if board:
        return standing(own_cards, board, definition.deck).share
    high, low = max(own_cards), min(own_cards)
    return _first_percentile(definition.deck, high >> 2, low >> 2, is_suited=high & 3 == low & 3)


@cache
def _first_percentile(deck: tuple[int, ...], high: int, low: int, *, is_suited: bool) -> float:
    """Return the percentile by Chen's points of two cards of these ranks.

    A deck has the same ranks in each of its suits.
    """
    suit = deck[0] & 3
    own = (4 * high + suit, 4 * low + (suit if is_suited else deck[-1] & 3))
    points = chen_points(*own)
    rivals = [
        chen_points(*held) for held in combinations([card for card in deck if card not in own], 2)
    ]
    beaten, tied = sum([rival < points for rival in rivals]), rivals.count(points)
    return (beaten + tied / 2) / len(rivals)


def _counted_percentile(
    definition: GameDefinition, own_cards: Sequence[int], board: Sequence[int]
) -> float:
    unseen = [card for card in definition.deck if card not in own_cards and card not in board]
    rivals = [strength((*held, *board)) for held in _spread(unseen, definition.num_hole_cards)]
    own = strength((*own_cards, *board))
    points = sum([(rival < own) + (rival <= own) for rival in rivals])
    return points / (2 * len(rivals))


def _spread(cards: Sequence[int], size: int) -> Iterator[tuple[int, ...]]:
    """Yield hands of *size* of the *cards*: all of them, or every n-th if there are too many."""
    step = -(-comb(len(cards), size) // MAX_COUNTED_HANDS)
    return islice(combinations(cards, size), 0, None, step)
