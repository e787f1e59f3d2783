"""The numbers that cards add to the key of a hand, as Python's own ints.

``hand_keys.py`` explains the key and has the same numbers as arrays.
"""

from __future__ import annotations

MIN_CARDS, MAX_CARDS = 5, 7
# From rank to rank the smallest number that keeps all sums of seven ranks apart, with at most four
# equal ranks.
RANK_KEYS = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
SUIT_SHIFT = 32
# The lookup splits the lower half of a key into a row and a place in it.
ROW_BITS = 10
NONE_SUITED = 0x3333 << SUIT_SHIFT
FIVE_SUITED = 0x8888 << SUIT_SHIFT


def _start_keys() -> tuple[tuple[int, ...], int]:
    """Return the key of no cards for each number of cards to come, and the end of all rank sums."""
    keys = [0] * (MAX_CARDS + 1)
    start = 0
    for count in range(MAX_CARDS, MIN_CARDS - 1, -1):
        keys[count] = start + NONE_SUITED
        rows = (count * RANK_KEYS[-1] >> ROW_BITS) + 1
        start += rows << ROW_BITS
    return tuple(keys), start


CARD_KEYS = tuple(
    [RANK_KEYS[card >> 2] + (1 << (SUIT_SHIFT + 4 * (card & 3))) for card in range(52)]
)
START_KEYS, KEY_LIMIT = _start_keys()
