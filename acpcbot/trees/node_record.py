"""The record of a decision node: eight int32, half a cache line.

CHILD + k    the child by the k-th legal action, in the order fold, call, raise: the number of a
             decision node, or ``~outcome`` where the hand is over
SLOT         the node's first slot in the row of a bucket of its street
INFO         seat, street and legal actions packed; read it with the functions below
STREET_POT   chips in the pot when the street began, blinds counted
POTENTIAL    chips that the players who were in at that time could still add to the pot

Betting trees have records of their own, whose CHILD and SLOT are other columns
(``betting_tree.py``). Tried: a numpy structured array, read as ``nodes[node].slot``. It costs
nothing in sampling kernels (medians of 41 paired runs in one process: external sampling 0.96 to
0.98 of the time with columns, outcome sampling 0.97 to 0.99, UCT 0.98 to 1.00, in Leduc and limit
hold'em). For the sweeps of ``learning/deal_sweeps.py``, which get their arrays in a NamedTuple,
1.12 to 1.23 was measured in Leduc, of which the harness itself explains some 0.1; so columns stayed.
"""

from __future__ import annotations

from acpcbot.jit import shared

CHILD, SLOT, INFO, STREET_POT, POTENTIAL = 0, 3, 4, 5, 6
RECORD_LENGTH = 8

FOLD_BIT, CALL_BIT, RAISE_BIT = 1, 2, 4


@shared
def pack_info(seat: int, street: int, kinds: int) -> int:
    """Return INFO for *seat*, *street* and *kinds*, the set of legal actions as bits."""
    return seat | street << 8 | kinds << 16


@shared
def info_seat(info: int) -> int:
    """Return the seat that acts."""
    return info & 255


@shared
def info_street(info: int) -> int:
    """Return the street of the node."""
    return info >> 8 & 255


@shared
def info_kinds(info: int) -> int:
    """Return the legal actions as bits: 1 fold, 2 call, 4 raise."""
    return info >> 16


@shared
def num_actions(kinds: int) -> int:
    """Return the number of legal actions in the set *kinds*."""
    return (kinds & 1) + (kinds >> 1 & 1) + (kinds >> 2)


@shared
def action_kind(kinds: int, index: int) -> int:
    """Return the kind (0 fold, 1 call, 2 raise) of the legal action number *index*."""
    for kind in range(3):
        if kinds >> kind & 1:
            if index == 0:
                return kind
            index -= 1
    return -1
