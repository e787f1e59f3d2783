"""Chen's point count: how good two hole cards are before the flop.

The higher card counts A 10, K 8, Q 7, J 6, and half its number below; a pair counts
twice that, and at least 5. Two cards of a suit get 2 more. Cards apart lose 1, 2, 4 or 5
for one, two, three or more missing ranks between them; if at most one is missing and
both are below a queen, they get 1 more. Half points are rounded up.

Source: Bill Chen's formula, in L. Krieger, Hold'em Excellence, 2nd ed. (2000).
"""

from __future__ import annotations

from functools import cache
from math import ceil

from acpcbot.cards.deck import RANKS

HIGH_CARD_POINTS = (1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 10)
MIN_PAIR_POINTS = 5
SUITED_POINTS = 2
GAP_COSTS = (0, 1, 2, 4, 5)
_QUEEN = RANKS.index("Q")


@cache
def chen_points(card: int, other: int) -> int:
    """The points of two different cards, from -1 (seven and two) to 20 (two aces)."""
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
