"""The walk that counts or writes the betting tree below a state, by the one text of the rules."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import KernelArray
from acpcbot.jit import kernel, shared
from acpcbot.poker import rules
from acpcbot.trees.bet_menu import MAX_SIZES, wanted_raise
from acpcbot.trees.betting_record import (
    CHILD,
    END_STREET,
    FIRST_ACTION,
    FOLDED,
    KIND,
    NOBODY,
    NUM_ACTIONS,
    RAISE_TO,
    SEAT,
    SPENT,
    STREET,
)

# int64 arrays, which the rules know as sequences.
Records = NDArray[np.int32]


@kernel
def walk_betting(
    game: KernelArray,
    root: KernelArray,
    menu: NDArray[np.float64],
    counts: KernelArray,
    nodes: Records,
    actions: Records,
    ends: Records,
) -> int:
    """Go through the tree below *root*, parents first, and write what there is room for: with empty arrays it counts.

    *menu* is ``BetMenu.table``. Adds up nodes and actions in *counts* int64 [street, 2], and
    returns how many ends there are. Slots and blocks are left open.
    """
    max_depth = rules.MAX_ACTIONS_PER_STREET * game[rules.NUM_STREETS]
    states = np.zeros((max_depth + 1, rules.STATE_LENGTH), np.int64)
    choices = np.zeros((max_depth + 1, MAX_SIZES + 2, 2), np.int64)
    num_choices, next_choice = np.zeros(max_depth + 1, np.int64), np.zeros(max_depth + 1, np.int64)
    first_action = np.zeros(max_depth + 1, np.int64)
    _copy_state(root, states[0])
    num_choices[0] = fill_choices(game, root, menu, choices[0])
    _write_node(states[0], 0, num_choices[0], counts, nodes, 0)
    num_nodes, num_actions, num_ends = 1, num_choices[0], 0
    depth = 0
    while depth >= 0:
        choice = next_choice[depth]
        if choice == num_choices[depth]:
            depth -= 1
            continue
        next_choice[depth] += 1
        kind, raise_to = choices[depth, choice]
        following = states[depth + 1]
        _copy_state(states[depth], following)
        rules.apply_action(game, following, kind, raise_to)
        action = first_action[depth] + choice
        if action < len(actions):
            actions[action, CHILD] = num_nodes if following[rules.ACTOR] != rules.OVER else ~num_ends
            actions[action, KIND], actions[action, RAISE_TO] = kind, raise_to
        if following[rules.ACTOR] == rules.OVER:
            _write_end(following, states[depth, rules.STREET], ends, num_ends)
            num_ends += 1
        else:
            depth += 1
            first_action[depth], next_choice[depth] = num_actions, 0
            num_choices[depth] = fill_choices(game, following, menu, choices[depth])
            _write_node(following, num_actions, num_choices[depth], counts, nodes, num_nodes)
            num_nodes += 1
            num_actions += num_choices[depth]
    return num_ends


@shared
def _copy_state(state: KernelArray, copy: KernelArray) -> None:
    # Number by number: an assignment of arrays compiles what would word its error, which takes as long as all the rest.
    for place in range(rules.STATE_LENGTH):
        copy[place] = state[place]


@shared
def fill_choices(game: KernelArray, state: KernelArray, menu: NDArray[np.float64], choices: KernelArray) -> int:
    """Write the kinds and sizes of the actor's actions, *choices* [action, 2], raises rising; returns their number."""
    count = 0
    if rules.can_fold(game, state):
        choices[count, 0], choices[count, 1] = rules.FOLD, 0
        count += 1
    choices[count, 0], choices[count, 1] = rules.CALL, 0
    count += 1
    if not rules.can_raise(game, state):
        return count
    if game[rules.IS_LIMIT]:
        choices[count, 0], choices[count, 1] = rules.RAISE, 0
        return count + 1
    street, num_raises = min(state[rules.STREET], menu.shape[1] - 1), min(state[rules.NUM_RAISES], menu.shape[2] - 1)
    for share in menu[min(state[rules.ACTOR], len(menu) - 1), street, num_raises]:
        if not np.isnan(share):
            count = _insert(choices, count, wanted_raise(game, state, share))
    return count


@shared
def _insert(choices: KernelArray, count: int, raise_to: int) -> int:
    """Put a raise in its place among *choices*, unless it is there; returns their number."""
    place = count
    while place > 0 and choices[place - 1, 0] == rules.RAISE and choices[place - 1, 1] >= raise_to:
        place -= 1
    if place < count and choices[place, 1] == raise_to:
        return count
    for other in range(count, place, -1):
        choices[other, 0], choices[other, 1] = choices[other - 1, 0], choices[other - 1, 1]
    choices[place, 0], choices[place, 1] = rules.RAISE, raise_to
    return count + 1


@shared
def _write_node(
    state: KernelArray, first_action: int, num_actions: int, counts: KernelArray, nodes: Records, node: int
) -> None:
    counts[state[rules.STREET], 0] += 1
    counts[state[rules.STREET], 1] += num_actions
    if node < len(nodes):
        nodes[node, FIRST_ACTION], nodes[node, NUM_ACTIONS] = first_action, num_actions
        nodes[node, SEAT], nodes[node, STREET] = state[rules.ACTOR], state[rules.STREET]


@shared
def _write_end(state: KernelArray, street: int, ends: Records, end: int) -> None:
    if end < len(ends):
        ends[end, FOLDED], ends[end, END_STREET] = NOBODY, street
        for seat in range(2):
            ends[end, SPENT + seat] = state[rules.SPENT + seat]
            if state[rules.FOLDED + seat]:
                ends[end, FOLDED] = seat
