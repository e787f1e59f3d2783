"""Many hands side by side: one policy acts in all of them, then the next.

So a kernel needs one policy at a time, whatever the number of entrants, and what it
fetches for one hand does not wait for another.

A hand is played for every deal and seating. Those that go on are the first rows of *hands*
int32 [hand, 3]: the decision node, the deal, and the seating, a row of *seatings* uint8
[seating, seat], which entrant sits where. Deals are as in ``abstraction/dealing.py``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Bytes, Number
from acpcbot.jit import kernel
from acpcbot.random_kernels import RandomState, below
from acpcbot.solvers.policy_kernels import ONE, WHOLE, ZERO
from acpcbot.trees.node_record import CHILD, INFO, SLOT, info_seat, info_street

NODE, DEAL, SEATING = np.uint64(0), np.uint64(1), np.uint64(2)
TWO = np.uint64(2)

Hands = NDArray[np.int32]
# A number in a kernel: what numba makes of numpy's numbers is beyond mypy.


@kernel
def start_hands(hands: Hands, num_deals: int) -> None:
    """A hand for every deal and seating, at the first decision."""
    for hand in range(len(hands)):
        hands[hand, NODE], hands[hand, DEAL], hands[hand, SEATING] = 0, hand % num_deals, hand // num_deals


@kernel
def act(
    nodes: NDArray[np.int32],
    row_starts: NDArray[np.int64],
    row_widths: NDArray[np.int64],
    policy: Bytes,
    deals: NDArray[np.uint16],
    seatings: Bytes,
    entrant: int,
    hands: Hands,
    outcomes: NDArray[np.int32],
    random_state: RandomState,
) -> Number:
    """Let *entrant* act by *policy* wherever it is his turn, as long as it is; returns how many hands go on.

    They are moved to the front. *outcomes* [seating, deal] is written where a hand is over.
    """
    num_seats = np.uint64(seatings.shape[1])
    num_left = ZERO
    for hand in range(np.uint64(len(hands))):
        node, deal, seating = hands[hand, NODE], np.uint64(hands[hand, DEAL]), np.uint64(hands[hand, SEATING])
        while node >= 0:
            here = np.uint64(node)
            info = nodes[here, INFO]
            seat = np.uint64(info_seat(info))
            if seatings[seating, seat] != entrant:
                break
            street = np.uint64(info_street(info))
            row = row_starts[street] + row_widths[street] * np.int64(deals[deal, street * num_seats + seat])
            slot = np.uint64(row) + np.uint64(nodes[here, SLOT])
            node = nodes[here, np.uint64(CHILD) + drawn_action(policy, slot, random_state)]
        if node >= 0:
            hands[num_left, NODE], hands[num_left, DEAL], hands[num_left, SEATING] = node, deal, seating
            num_left += ONE
        else:
            outcomes[seating, deal] = ~node
    return num_left


@kernel(inline=True)
def drawn_action(policy: Bytes, slot: Number, random_state: RandomState) -> Number:
    """An action of the information set at *slot*; no number is drawn where there is no choice.

    Its probabilities sum to 255, so what lies behind the information set is never looked at.
    """
    first = np.uint64(policy[slot])
    if first == WHOLE:
        return ZERO
    second = np.uint64(policy[slot + ONE])
    if second == WHOLE:
        return ONE
    if first + second == ZERO:
        return TWO
    draw = below(random_state, WHOLE)
    return np.uint64(draw >= first) + np.uint64(draw >= first + second)


@kernel
def fill_winnings(
    payoffs: NDArray[np.float64],
    outcomes: NDArray[np.int32],
    orderings: NDArray[np.uint16],
    seatings: Bytes,
    winnings: NDArray[np.float64],
    squares: NDArray[np.float64],
) -> None:
    """Write what every entrant won with every deal, all seatings and seats together: *winnings* [deal, entrant].

    To *squares* [entrant] the squares are added of what it won in each hand, in all its seats there.
    """
    winnings[:] = 0.0
    for seating in range(np.uint64(len(seatings))):
        for deal in range(np.uint64(len(orderings))):
            outcome, ordering = np.uint64(outcomes[seating, deal]), np.uint64(orderings[deal])
            for entrant in range(np.uint64(winnings.shape[1])):
                # An entrant in two seats of a hand wins their sum: from itself, nothing.
                won = 0.0
                for seat in range(np.uint64(seatings.shape[1])):
                    if seatings[seating, seat] == entrant:
                        won += payoffs[outcome, ordering, seat]
                winnings[deal, entrant] += won
                squares[entrant] += won * won
