"""The part of generic poker in which seats have their open actions alone, as sequences.

Where a seat opened nothing it has no choice, and so no slots. Ends with the same last slot of both
seats stay apart; those that pay nothing are left out.
"""

from __future__ import annotations

import numpy as np

from acpcbot.arrays import Floats, Ints
from acpcbot.games.poker_streets import CLOSE, DECISION, FOLD, NUM_SEATS, PokerStreets, StreetTree
from acpcbot.games.sequence_form import SequenceForm
from acpcbot.jit import kernel
from acpcbot.solvers.poker_responses import MOST_ACTIONS, ROOT, Strategy

NOWHERE = -1


def restricted_form(game: PokerStreets, strategy: Strategy) -> tuple[SequenceForm, Ints]:
    """The open part of *game*, and names of its slots that last while it grows; writes the *strategy*'s slots.

    The key of an information set is public decision * hands + hand. Names are int64 [slot],
    key * MOST_ACTIONS + action; those of the empty sequences are negative.
    """
    infosets, actions, ends = _walk(game, strategy)
    keys, seats, parents, counts = infosets.reshape(-1, 4).T
    chances, payoffs, *slots = ends.reshape(-1, 4).T
    form = SequenceForm(
        infoset_keys=keys,
        infoset_seats=seats,
        first_slots=NUM_SEATS + np.append(0, np.cumsum(counts)),
        parent_slots=parents,
        end_chances=chances,
        end_payoffs=np.stack([payoffs, -payoffs], axis=1),
        end_slots=np.stack(slots, axis=1).astype(np.int64),
    )
    names = np.repeat(keys, counts) * MOST_ACTIONS + actions[NUM_SEATS:]
    return form, np.append(-1 - np.arange(NUM_SEATS), names)


@kernel
def _walk(game: PokerStreets, strategy: Strategy) -> tuple[Ints, Ints, Floats]:
    """List the information sets (key, seat, parent slot, number of slots), the slots' actions, and the ends.

    An end is a chance, what seat 0 wins, and the last slot of each seat.
    """
    num_hands = len(game.chances)
    infosets, actions, ends = [0], [NOWHERE, NOWHERE], [0.0]
    first = np.empty((len(game.first.kinds), NUM_SEATS, num_hands), np.int64)
    second = np.empty((len(game.second.kinds), NUM_SEATS, num_hands), np.int64)
    orders = np.empty(len(first), np.int64), np.empty(len(second), np.int64)
    for seat in range(NUM_SEATS):
        first[ROOT, seat] = seat
    count = _expand(game.first, strategy, 0, first, orders[0], infosets, actions)
    for node in orders[0][:count]:
        if game.first.kinds[node] == FOLD:
            _add_ends(game.chances.sum(axis=0), _won_by_fold(game.first, node, 0.0), first[node], ends)
        elif game.first.kinds[node] == CLOSE:
            stake = game.first.stakes[node]
            for board in range(num_hands):
                second[ROOT] = first[node]
                start = game.starts[game.first.numbers[node], board]
                beyond = _expand(game.second, strategy, start, second, orders[1], infosets, actions)
                for end in orders[1][:beyond]:
                    if game.second.kinds[end] == FOLD:
                        _add_ends(game.chances[board], _won_by_fold(game.second, end, stake), second[end], ends)
                    elif game.second.kinds[end] == CLOSE:
                        _add_ends(game.showdowns[board], stake + game.second.stakes[end], second[end], ends)
    return np.array(infosets[1:], np.int64), np.array(actions, np.int64), np.array(ends[1:], np.float64)


@kernel
def _expand(
    street: StreetTree,
    strategy: Strategy,
    start: int,
    lasts: Ints,
    order: Ints,
    infosets: list[int],
    actions: list[int],
) -> int:
    """Number the open slots of a street, and list the nodes to which both seats may come; returns how many.

    *lasts* [node, seat, hand] is the last slot of each seat, or NOWHERE if it opened no way there.
    """
    order[0], count, index = ROOT, 1, 0
    while index < count:
        node = order[index]
        index += 1
        if street.kinds[node] != DECISION:
            continue
        first, seat, number = street.first_children[node], street.actors[node], start + street.numbers[node]
        for child in range(first, first + street.num_children[node]):
            lasts[child, 1 - seat] = lasts[node, 1 - seat]
            lasts[child, seat] = NOWHERE
        for hand in range(lasts.shape[2]):
            _number_slots(street, strategy, node, number, hand, lasts, infosets, actions)
        for child in range(first, first + street.num_children[node]):
            if lasts[child, seat].max() != NOWHERE:
                order[count] = child
                count += 1
    return count


@kernel
def _number_slots(
    street: StreetTree,
    strategy: Strategy,
    node: int,
    number: int,
    hand: int,
    lasts: Ints,
    infosets: list[int],
    actions: list[int],
) -> None:
    """Give the actor's open actions with *hand* their slots, if it comes to *node*, public decision *number*."""
    first, seat, mask = street.first_children[node], street.actors[node], strategy.masks[number, hand]
    parent = lasts[node, seat, hand]
    if parent == NOWHERE:
        return
    if mask == 0:
        lasts[first + street.calls[node], seat, hand] = parent
        return
    slot = len(actions)
    strategy.slots[number, hand] = slot
    for action in range(street.num_children[node]):
        if mask >> action & 1:
            lasts[first + action, seat, hand] = len(actions)
            actions.append(action)
    infosets.append(number * lasts.shape[2] + hand)
    infosets.append(seat)
    infosets.append(parent)
    infosets.append(len(actions) - slot)


@kernel
def _won_by_fold(street: StreetTree, node: int, chips_before: float) -> float:
    """What seat 0 wins where *node* is a fold, after *chips_before* of each seat."""
    stake = chips_before + street.stakes[node]
    return float(stake if street.actors[node] == 1 else -stake)


@kernel
def _add_ends(weights: Floats, won: float, lasts: Ints, ends: list[float]) -> None:
    """Append the ends with all hands to which both *lasts* [seat, hand] lead; *weights* may be negative."""
    for own in range(len(weights)):
        for other in range(len(weights)):
            weight = weights[own, other]
            if weight != 0 and lasts[0, own] != NOWHERE and lasts[1, other] != NOWHERE:
                ends.append(abs(weight))
                ends.append(won if weight > 0 else -won)
                ends.append(float(lasts[0, own]))
                ends.append(float(lasts[1, other]))
