"""Payoffs of a finished hand: chips won or lost, one number a seat.

The chips are cut into layers at each distinct amount that a seat has put in. The
best hands of a layer share the chips of the others evenly, as real numbers;
there is no odd-chip rule. Chips that nobody matched form a layer with one
participant and so come back.

Source: the values that the ACPC server, release 1.0.42, writes into its logs;
the order of the additions is kept, so that even rounding agrees.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from acpcbot.cards.showdown import showdown_strength
from acpcbot.jit import shared
from acpcbot.poker.betting import BettingState
from acpcbot.poker.rules import FOLDED, NUM_PLAYERS, SPENT


def payoffs(
    betting: BettingState, hole_cards: Sequence[Sequence[int]], board: Sequence[int]
) -> tuple[float, ...]:
    """Return the chips won (positive) or lost by each seat in a hand that is over.

    *hole_cards* has one entry a seat; *board* holds all board cards if there
    is a showdown and is not read otherwise.
    """
    num_players = betting.game.definition.num_players
    strengths = [0] * num_players
    if betting.is_showdown:
        for seat, has_folded in enumerate(betting.folded):
            strengths[seat] = -1 if has_folded else showdown_strength((*hole_cards[seat], *board))
    values = [0.0] * num_players
    fill_values(betting.game.vector, betting.vector, strengths, values)
    return tuple(values)


@shared
def fill_values(
    game: Sequence[int],
    state: Sequence[int],
    strengths: Sequence[int],
    values: MutableSequence[float],
) -> None:
    """Fill *values* [seat] with the payoffs of the finished *state*.

    *strengths* count for seats that have not folded.
    """
    for seat in range(game[NUM_PLAYERS]):
        values[seat] = 0.0
    # Layers from the bottom up. Floating-point sums depend on their order, and this is the
    # official dealer's: only so do values agree to the last bit.
    floor = 0
    level = _next_level(game, state, floor)
    while level > floor:
        _share_layer(game, state, strengths, values, floor, level)
        floor = level
        level = _next_level(game, state, floor)


@shared
def _next_level(game: Sequence[int], state: Sequence[int], floor: int) -> int:
    """Return the smallest amount above *floor* that a seat has put in; *floor* if there is none."""
    # Searched anew for each layer instead of sorted: there are at most ten seats, and kernels need
    # no memory for it.
    level = floor
    for seat in range(game[NUM_PLAYERS]):
        spent = state[SPENT + seat]
        if spent > floor and (level == floor or spent < level):
            level = spent
    return level


@shared
def _share_layer(
    game: Sequence[int],
    state: Sequence[int],
    strengths: Sequence[int],
    values: MutableSequence[float],
    floor: int,
    level: int,
) -> None:
    """Add the layer of chips from *floor* to *level* to *values*."""
    # All seats that put in more than *floor* pay into the layer; of these, seats that have not
    # folded can win it. Strengths are at least 0.
    best, num_winners, num_sharers = -1, 0, 0
    for seat in range(game[NUM_PLAYERS]):
        if state[SPENT + seat] > floor:
            num_sharers += 1
            if state[FOLDED + seat] == 0:
                if strengths[seat] > best:
                    best, num_winners = strengths[seat], 0
                num_winners += strengths[seat] == best
    for seat in range(game[NUM_PLAYERS]):
        if state[SPENT + seat] > floor:
            if state[FOLDED + seat] == 0 and strengths[seat] == best:
                # A winner gets its own chips back and an even share of the losers'.
                values[seat] += (level - floor) * (num_sharers - num_winners) / num_winners
            else:
                values[seat] -= level - floor
