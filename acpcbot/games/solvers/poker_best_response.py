"""Best responses in the whole of generic poker to strategies that are known where the game was
opened.

A seat has *opened* actions at some of its information sets. Wherever it opened none it
checks or calls, and where it opened some it may check or call as well. So a strategy that
speaks of few of millions of information sets is complete, and a best response to it visits
only what its owner reaches: below all that the traverser may do, a vector over its hands at a time.

Source: Johanson et al. (2011), Accelerating best response calculation in large extensive games.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats, Ints
from acpcbot.games.poker_streets import CLOSE, DECISION, FOLD, PokerStreets, StreetTree
from acpcbot.jit import kernel

ROOT = 0
MOST_ACTIONS = 16


class Strategy(NamedTuple):
    """What seats may do, and how likely they do it; poker_streets.py numbers the public decisions.

    ``masks``   uint16 [public decision, hand], a bit for each open action; none: checks or calls
    ``slots``   int32 [public decision, hand], where in the policy the open actions begin
    ``policy``  float64 [slot]
    """

    masks: NDArray[np.uint16]
    slots: NDArray[np.int32]
    policy: Floats


class Scratch(NamedTuple):
    """Room for the walk of one street; axes [node, hand], but ``order``.

    ``reaches``  float64, how likely the other seat plays up to there
    ``values``   float64, counterfactual, of the traverser
    ``best``     int64, the traverser's best action
    ``comes``    bool, whether the traverser has opened the way there
    ``order``    int64 [node], the nodes that were reached
    """

    reaches: Floats
    values: Floats
    best: Ints
    comes: NDArray[np.bool_]
    order: Ints


def make_scratch(street: StreetTree, num_hands: int) -> Scratch:
    """Room for *street*."""
    shape = (len(street.kinds), num_hands)
    return Scratch(
        reaches=np.zeros(shape),
        values=np.zeros(shape),
        best=np.zeros(shape, np.int64),
        comes=np.zeros(shape, np.bool_),
        order=np.zeros(shape[0], np.int64),
    )


class Question(NamedTuple):
    """Whose best response is asked for, and by how many chips an action must be better to be
    opened.
    """

    traverser: int
    least_gain: float


@kernel
def best_response(
    game: PokerStreets, strategy: Strategy, question: Question, first: Scratch, second: Scratch
) -> tuple[float, Ints]:
    """What the traverser wins at best from the other seat's *strategy*, in chips, and the
    actions to open for it.

    The second is int64 [any], (public decision * hands + hand) * MOST_ACTIONS + action. Wherever
    the traverser's open actions lead, the best action is in it, checking or calling beside, if it
    is worth more than *least_gain* above those that may be taken already.
    """
    found = [0]
    first.reaches[ROOT] = 1.0
    num_nodes = _spread_reaches(game.first, strategy, ROOT, question, first)
    _write_ends(
        game.first, game.chances.sum(axis=0), game.showdowns[0], 0.0, question, first, num_nodes
    )
    for node in first.order[:num_nodes]:
        if game.first.kinds[node] == CLOSE:
            first.values[node] = 0.0
            for board in range(len(game.chances)):
                _value_second(game, strategy, question, node, board, first, second)
                first.values[node] += second.values[ROOT]
    _maximise(game.first, strategy, ROOT, question, first, num_nodes)
    first.comes[ROOT] = True
    _open_best(game.first, strategy, ROOT, question, first, num_nodes, found)
    for node in first.order[:num_nodes]:
        if game.first.kinds[node] == CLOSE and first.comes[node].any():
            for board in range(len(game.chances)):
                count = _value_second(game, strategy, question, node, board, first, second)
                second.comes[ROOT] = first.comes[node]
                start = game.starts[game.first.numbers[node], board]
                _open_best(game.second, strategy, start, question, second, count, found)
    return first.values[ROOT].sum(), np.array(found[1:], np.int64)


@kernel
def _value_second(
    game: PokerStreets,
    strategy: Strategy,
    question: Question,
    node: int,
    board: int,
    first: Scratch,
    second: Scratch,
) -> int:
    """Value the second street on *board*, after the first closed at *node*.

    Returns how many nodes are reached.
    """
    start = game.starts[game.first.numbers[node], board]
    second.reaches[ROOT] = first.reaches[node]
    num_nodes = _spread_reaches(game.second, strategy, start, question, second)
    stake = game.first.stakes[node]
    _write_ends(
        game.second, game.chances[board], game.showdowns[board], stake, question, second, num_nodes
    )
    _maximise(game.second, strategy, start, question, second, num_nodes)
    return num_nodes


@kernel
def _spread_reaches(
    street: StreetTree, strategy: Strategy, start: int, question: Question, scratch: Scratch
) -> int:
    """Spread the other seat's reach from the root, list the nodes that it comes to, and return
    their number.
    """
    reaches, order = scratch.reaches, scratch.order
    order[0], count, index = ROOT, 1, 0
    while index < count:
        node = order[index]
        index += 1
        first = street.first_children[node]
        for action in range(street.num_children[node]):
            child, reached = first + action, False
            for hand in range(reaches.shape[1]):
                is_own = street.actors[node] == question.traverser
                chance = (
                    1.0 if is_own else _probability(street, strategy, start, node, hand, action)
                )
                reaches[child, hand] = reaches[node, hand] * chance
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
    """How likely the actor of *node* takes *action* with *hand*."""
    number = start + street.numbers[node]
    mask = strategy.masks[number, hand]
    if mask == 0:
        return 1.0 if action == street.calls[node] else 0.0
    if mask >> action & 1 == 0:
        return 0.0
    slot = strategy.slots[number, hand]
    for earlier in range(action):
        slot += mask >> earlier & 1
    return float(strategy.policy[slot])


@kernel
def _write_ends(
    street: StreetTree,
    chances: Floats,
    showdowns: Floats,
    chips_before: float,
    question: Question,
    scratch: Scratch,
    num_nodes: int,
) -> None:
    """Value the folds, and as showdowns the nodes where the betting closes, after
    *chips_before* of each seat.
    """
    for node in scratch.order[:num_nodes]:
        if street.kinds[node] != DECISION:
            weights = chances if street.kinds[node] == FOLD else showdowns
            stake = chips_before + street.stakes[node]
            if street.kinds[node] == FOLD and street.actors[node] == question.traverser:
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
    question: Question,
    scratch: Scratch,
    num_nodes: int,
) -> None:
    """Value the decisions that are reached, from the last to the first, and choose the
    traverser's actions.
    """
    values = scratch.values
    for node in scratch.order[:num_nodes][::-1]:
        if street.kinds[node] == DECISION:
            first, end = (
                street.first_children[node],
                street.first_children[node] + street.num_children[node],
            )
            for hand in range(values.shape[1]):
                if street.actors[node] == question.traverser:
                    values[node, hand] = values[first:end, hand].max()
                    scratch.best[node, hand] = _choose(
                        street, strategy, start, question, node, hand, values
                    )
                else:
                    values[node, hand] = values[first:end, hand].sum()


@kernel
def _choose(
    street: StreetTree,
    strategy: Strategy,
    start: int,
    question: Question,
    node: int,
    hand: int,
    values: Floats,
) -> int:
    """The best action of the traverser: an open one, unless another gains more than the least
    gain.
    """
    first, count = street.first_children[node], street.num_children[node]
    mask = _open_mask(strategy, start + street.numbers[node], hand, street.calls[node])
    known, best = -1, 0
    for action in range(count):
        value = values[first + action, hand]
        if mask >> action & 1 and (known < 0 or value > values[first + known, hand]):
            known = action
        if value > values[first + best, hand]:
            best = action
    is_better = values[first + best, hand] > values[first + known, hand] + question.least_gain
    return best if is_better else known


@kernel
def _open_mask(strategy: Strategy, number: int, hand: int, call: int) -> int:
    """The bits of the actions that may be taken at public decision *number* with *hand*."""
    mask = int(strategy.masks[number, hand])
    return mask if mask else 1 << call


@kernel
def _open_best(
    street: StreetTree,
    strategy: Strategy,
    start: int,
    question: Question,
    scratch: Scratch,
    num_nodes: int,
    found: list[int],
) -> None:
    """Append to *found* the traverser's best actions where its open ones and these lead, if
    they are not open yet.
    """
    comes, num_hands = scratch.comes, scratch.comes.shape[1]
    for node in scratch.order[:num_nodes]:
        first, number, call = (
            street.first_children[node],
            start + street.numbers[node],
            street.calls[node],
        )
        is_own = street.actors[node] == question.traverser
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
