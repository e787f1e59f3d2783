"""Spots: heads-up no-limit hold'em from a flop, turn or river on, with any pot and stacks.

A spot is a betting state like any other. The game behind it has antes of the smallest bet and seat
1 acts first on all streets; both raised to half of the pot before the flop, and have checked since.

Of unequal stacks the smaller one is the effective stack: what the other seat bets beyond it comes
back, so the game is that in which both have the effective stack.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from acpcbot.errors import UsageError
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.shipped import shipped_definition

NUM_SEATS = 2
STREETS = {3: 1, 4: 2, 5: 3}
MAX_CHIPS = 1 << 30


def holdem_spot(
    num_board_cards: int, pot_chips: int, stack_chips: int | Sequence[int], smallest_bet: int = 1
) -> BettingState:
    """Return the first decision with so many board cards and *stack_chips* left to both seats.

    Of two stacks, by seat, both seats get the smaller one. Raises ``UsageError``.
    """
    stack = effective_stack(stack_chips if isinstance(stack_chips, Sequence) else (stack_chips,))
    _verify(num_board_cards, pot_chips, stack, smallest_bet)
    half = pot_chips // 2
    definition = replace(
        shipped_definition("holdem.nolimit.2p.reverse_blinds"),
        stacks=(half + stack, half + stack),
        blinds=(smallest_bet, smallest_bet),
        first_seats=(0, 0, 0, 0),
    )
    preflop = "cc/" if half == smallest_bet else f"r{half}c/"
    return BettingRules(definition).parse(preflop + "cc/" * (STREETS[num_board_cards] - 1))


def effective_stack(stacks: Sequence[int]) -> int:
    """Return the chips that can be bet of *stacks*: one for both seats, or one for each.

    Raises ``UsageError``.

    >>> effective_stack([400]), effective_stack([400, 250])
    (400, 250)
    """
    if len(stacks) not in (1, NUM_SEATS):
        raise UsageError(
            f"{len(stacks)} stacks behind a pot", "expected one for both seats, or one for each"
        )
    return min(stacks)


def stacks_words(stacks: Sequence[int]) -> str:
    """Return the stacks of a spot in words.

    >>> stacks_words([400]), stacks_words([400, 400]), stacks_words([400, 250])
    ('400', '400', '400 and 250 (effective 250)')
    """
    if len(set(stacks)) == 1:
        return str(stacks[0])
    return f"{' and '.join(map(str, stacks))} (effective {effective_stack(stacks)})"


def _verify(num_board_cards: int, pot_chips: int, stack_chips: int, smallest_bet: int) -> None:
    if num_board_cards not in STREETS:
        raise UsageError(
            f"a board of {num_board_cards} cards: expected three, four or five",
            "a spot begins on the flop, the turn or the river",
        )
    if min(pot_chips, stack_chips, smallest_bet) < 1 or pot_chips + 2 * stack_chips > MAX_CHIPS:
        raise UsageError(
            f"a pot of {pot_chips}, stacks of {stack_chips} and smallest bets of {smallest_bet}",
            f"all are at least 1, and at most {MAX_CHIPS:,} chips are in play",
        )
    if pot_chips % 2:
        raise UsageError(
            f"a pot of {pot_chips} cannot have come half from each",
            "where one chip is odd, double all amounts",
        )
    if pot_chips // 2 != smallest_bet and pot_chips < 4 * smallest_bet:
        raise UsageError(
            f"no bets of at least {smallest_bet} make a pot of {pot_chips}",
            f"{2 * smallest_bet}, or {4 * smallest_bet} and more",
        )
