"""Best responses in the whole of generic poker to strategies that are defined in an open part.

A seat has *opened* actions at some of its information sets. Wherever it opened none it checks or
calls, and where it opened some it may check or call as well. So a strategy that covers few of
millions of information sets is complete, and a best response to it visits only what its owner
reaches: below all that the traverser may do, a vector over its hands at a time.

Source: Johanson et al. (2011), Accelerating best response calculation in large extensive games.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats, Ints
from acpcbot.games.poker_streets import DECISION, FOLD_END, STREET_END, PokerStreets, StreetTree
from acpcbot.jit import kernel

ROOT = 0
MOST_ACTIONS = 16


class Strategy(NamedTuple):
    """The open actions of both seats and their probabilities; see poker_streets.py for the numbers.

    ``masks``   uint16 [public decision, hand], a bit for each open action; none: checks or calls
    ``slots``   int32 [public decision, hand], the first slot of the open actions in the policy
    ``policy``  float64 [slot]
    """

    masks: NDArray[np.uint16]
    slots: NDArray[np.int32]
    policy: Floats


class Scratch(NamedTuple):
    """Scratch arrays for the walk of one street; axes [node, hand], but ``order``.

    ``reaches``  float64, the reach probability of the other seat
    ``values``   float64, counterfactual, of the traverser
    ``best``     int64, the traverser's best action
    ``comes``    bool, True if the traverser's open actions lead there
    ``order``    int64 [node], the nodes that were reached
    """

    reaches: Floats
    values: Floats
    best: Ints
    comes: NDArray[np.bool_]
    order: Ints


def make_scratch(street: StreetTree, num_hands: int) -> Scratch:
    """Return scratch arrays for *street*."""
    shape = (len(street.kinds), num_hands)
    return Scratch(
        reaches=np.zeros(shape),
        values=np.zeros(shape),
        best=np.zeros(shape, np.int64),
        comes=np.zeros(shape, np.bool_),
        order=np.zeros(shape[0], np.int64),
    )


class BestResponseQuery(NamedTuple):
    """The seat that responds, and the gain in chips above which an action is opened."""

    traverser: int
    least_gain: float


@kernel
def best_response(
    game: PokerStreets,
    strategy: Strategy,
    query: BestResponseQuery,
    first: Scratch,
    second: Scratch,
) -> tuple[float, Ints]:
    """Return the traverser's best-response value in chips, and the actions to open for it.

    It responds to the other seat's *strategy*. The actions are int64 [any], (public decision *
    hands + hand) * MOST_ACTIONS + action. Wherever the traverser's open actions lead, the best
    action is among them, checking or calling beside, if it is worth more than *least_gain* above
    those that are open already.
    """
    # First the values, from the end of the game upwards. The second street is valued for each line
    # of the first and each board in the same scratch arrays, of which only the root's value stays.
    found = [0]
    first.reaches[ROOT] = 1.0
    num_nodes = _spread_reaches(game.first, strategy, ROOT, query, first)
    _write_ends(
        game.first,
        game.deal_probabilities.sum(axis=0),
        game.showdowns[0],
        0.0,
        query,
        first,
        num_nodes,
    )
    for node in first.order[:num_nodes]:
        if game.first.kinds[node] == STREET_END:
            first.values[node] = 0.0
            for board in range(len(game.deal_probabilities)):
                _value_second(game, strategy, query, node, board, first, second)
                first.values[node] += second.values[ROOT]
    _maximise(game.first, strategy, ROOT, query, first, num_nodes)
    # Then, from the root downwards, the actions to open. The second street is valued once more
    # where the traverser comes to it: to keep all its choices would take memory for every line.
    first.comes[ROOT] = True
    _open_best(game.first, strategy, ROOT, query, first, num_nodes, found)
    for node in first.order[:num_nodes]:
        if game.first.kinds[node] == STREET_END and first.comes[node].any():
            for board in range(len(game.deal_probabilities)):
                count = _value_second(game, strategy, query, node, board, first, second)
                second.comes[ROOT] = first.comes[node]
                start = game.starts[game.first.numbers[node], board]
                _open_best(game.second, strategy, start, query, second, count, found)
    return first.values[ROOT].sum(), np.array(found[1:], np.int64)


@kernel
def _value_second(
    game: PokerStreets,
    strategy: Strategy,
    query: BestResponseQuery,
    node: int,
    board: int,
    first: Scratch,
    second: Scratch,
) -> int:
    """Value the second street on *board*, after the first closed at *node*.

    Returns the number of nodes that are reached.
    """
    start = game.starts[game.first.numbers[node], board]
    second.reaches[ROOT] = first.reaches[node]
    num_nodes = _spread_reaches(game.second, strategy, start, query, second)
    stake = game.first.stakes[node]
    _write_ends(
        game.second,
        game.deal_probabilities[board],
        game.showdowns[board],
        stake,
        query,
        second,
        num_nodes,
    )
    _maximise(game.second, strategy, start, query, second, num_nodes)
    return num_nodes


@kernel
def _spread_reaches(
    street: StreetTree, strategy: Strategy, start: int, query: BestResponseQuery, scratch: Scratch
) -> int:
    """Spread the other seat's reach from the root, and list the nodes that it comes to.

    Returns their number.
    """
    reaches, order = scratch.reaches, scratch.order
    # *order* is queue and result. What the other seat never reaches has the counterfactual value
    # 0 for the traverser and is not walked: that is what keeps a best response to a strategy of
    # few open actions cheap.
    order[0], count, index = ROOT, 1, 0
    while index < count:
        node = order[index]
        index += 1
        first = street.first_children[node]
        for action in range(street.num_children[node]):
            child, reached = first + action, False
            for hand in range(reaches.shape[1]):
                is_own = street.actors[node] == query.traverser
                probability = (
                    1.0 if is_own else _probability(street, strategy, start, node, hand, action)
                )
                reaches[child, hand] = reaches[node, hand] * probability
                reached |= reaches[child, hand] > 0
            if reached:
                order[count] = child
                count += 1
            else:
                scratch.values[child] = 0.0
    return count


@kernel
def _probability(
    street: StreetTree, strategy: Strategy, start: int, node: int, hand: int, action: int
) -> float:
    """Return the probability with which the actor of *node* takes *action* with *hand*."""
    number = start + street.numbers[node]
    mask = strategy.masks[number, hand]
    if mask == 0:
        return 1.0 if action == street.calls[node] else 0.0
    if mask >> action & 1 == 0:
        return 0.0
    # Open actions have slots in their order, so an action's slot is the first one plus the number
    # of open actions before it.
    slot = strategy.slots[number, hand]
    for earlier in range(action):
        slot += mask >> earlier & 1
    return float(strategy.policy[slot])


@kernel
def _write_ends(
    street: StreetTree,
    deal_probabilities: Floats,
    showdowns: Floats,
    chips_before: float,
    query: BestResponseQuery,
    scratch: Scratch,
    num_nodes: int,
) -> None:
    """Write the values of folds and of showdowns, after *chips_before* of each seat.

    Showdowns are the nodes where the betting closes.
    """
    # A matrix [own rank, other rank] times the vector of the other's reaches. A hand is a rank and
    # ranks are few, so the plain product is enough.
    for node in scratch.order[:num_nodes]:
        if street.kinds[node] != DECISION:
            weights = deal_probabilities if street.kinds[node] == FOLD_END else showdowns
            stake = chips_before + street.stakes[node]
            if street.kinds[node] == FOLD_END and street.actors[node] == query.traverser:
                stake = -stake
            for own in range(len(weights)):
                value = 0.0
                for other in range(len(weights)):
                    value += weights[own, other] * scratch.reaches[node, other]
                scratch.values[node, own] = stake * value


@kernel
def _maximise(
    street: StreetTree,
    strategy: Strategy,
    start: int,
    query: BestResponseQuery,
    scratch: Scratch,
    num_nodes: int,
) -> None:
    """Write the values of the decisions that are reached, and the traverser's best actions."""
    # Backwards through a list in which parents stand before children. At the traverser's nodes the
    # maximum, at the other's the sum: its probabilities are in the reaches already.
    values = scratch.values
    for node in scratch.order[:num_nodes][::-1]:
        if street.kinds[node] == DECISION:
            first, end = (
                street.first_children[node],
                street.first_children[node] + street.num_children[node],
            )
            for hand in range(values.shape[1]):
                if street.actors[node] == query.traverser:
                    values[node, hand] = values[first:end, hand].max()
                    scratch.best[node, hand] = _choose(
                        street, strategy, start, query, node, hand, values
                    )
                else:
                    values[node, hand] = values[first:end, hand].sum()


@kernel
def _choose(
    street: StreetTree,
    strategy: Strategy,
    start: int,
    query: BestResponseQuery,
    node: int,
    hand: int,
    values: Floats,
) -> int:
    """Return the traverser's best action: an open one, unless another gains enough more."""
    first, count = street.first_children[node], street.num_children[node]
    mask = _open_mask(strategy, start + street.numbers[node], hand, street.calls[node])
    # The best open action and the best of all, of equals the first.
    known, best = -1, 0
    for action in range(count):
        value = values[first + action, hand]
        if mask >> action & 1 and (known < 0 or value > values[first + known, hand]):
            known = action
        if value > values[first + best, hand]:
            best = action
    is_better = values[first + best, hand] > values[first + known, hand] + query.least_gain
    return best if is_better else known


@kernel
def _open_mask(strategy: Strategy, number: int, hand: int, call: int) -> int:
    """Return the bits of the open actions at public decision *number* with *hand*."""
    mask = int(strategy.masks[number, hand])
    return mask if mask else 1 << call


@kernel
def _open_best(
    street: StreetTree,
    strategy: Strategy,
    start: int,
    query: BestResponseQuery,
    scratch: Scratch,
    num_nodes: int,
    found: list[int],
) -> None:
    """Append to *found* the traverser's best actions that are not open yet.

    They are those where its open actions and these lead.
    """
    # Parents before children, so *comes* is known of a node when its children are marked. Unlike
    # Bosansky et al. it follows open actions as well as the best one.
    comes, num_hands = scratch.comes, scratch.comes.shape[1]
    for node in scratch.order[:num_nodes]:
        first, number, call = (
            street.first_children[node],
            start + street.numbers[node],
            street.calls[node],
        )
        is_own = street.actors[node] == query.traverser
        for hand in range(num_hands if street.kinds[node] == DECISION else 0):
            mask = _open_mask(strategy, number, hand, call)
            best = scratch.best[node, hand] if is_own else call
            if comes[node, hand] and mask >> best & 1 == 0:
                key = (number * num_hands + hand) * MOST_ACTIONS
                found.append(key + best)
                if strategy.masks[number, hand] == 0:
                    found.append(key + call)
            for action in range(street.num_children[node]):
                may = not is_own or action == best or mask >> action & 1 > 0
                comes[first + action, hand] = comes[node, hand] and may
