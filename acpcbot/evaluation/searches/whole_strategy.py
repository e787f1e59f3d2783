"""Strategies of searches at all information sets of an enumerated game, and their NashConv.

What a search has in its memory is one strategy of the whole game, completed where the search never
was: uniformly, or by one random action at each information set, the same for all searches that are
compared (as in the OOS paper).

A table of searches by information set is looked up by key. A joint tree has no keys: it is walked
together with the states of the game, whose keys name the information sets of both seats.

Source: Lisy, Lanctot & Bowling (2015), Online Monte Carlo counterfactual regret minimization for
search in imperfect information games, section "Convergence at the root".
"""

from __future__ import annotations

from itertools import pairwise
from typing import Literal

import numpy as np

from acpcbot.arrays import AnyArray, Floats, Ints
from acpcbot.games.game import CHANCE, Game, State, new_state
from acpcbot.games.sequence_form import SequenceForm
from acpcbot.games.solvers.best_response import sequence_best_response
from acpcbot.jit import kernel
from acpcbot.rng import Stream
from acpcbot.tree_search.infoset_table import PLACE, InfosetTable, find
from acpcbot.tree_search.is_mcts import FinalMove, InfosetSearch
from acpcbot.tree_search.joint_tree import ROOT, TREE_NODES, JointTree
from acpcbot.tree_search.oos import OOSSearch
from acpcbot.tree_search.selection.policy import FIRST, SECOND, SelectionPolicy
from acpcbot.tree_search.simultaneous import SimultaneousSearch

Completion = Literal["uniform", "one-action"]

SHARES, MOST_VISITS, BEST_VALUE = range(3)
FINAL_MOVES: dict[FinalMove, int] = {
    "visits": SHARES,
    "most-visits": MOST_VISITS,
    "best-value": BEST_VALUE,
}


def completing_policy(form: SequenceForm, completion: Completion, seed: int = 0) -> Floats:
    """Return the policy [slot] that completes strategies where a search never was."""
    if completion == "uniform":
        return form.normalised(np.zeros(form.num_slots))
    policy, stream = np.zeros(form.num_slots), Stream(seed)
    policy[: form.num_seats] = 1
    for first, end in pairwise(form.first_slots.tolist()):
        policy[first + stream.below(end - first)] = 1
    return policy


class WholeStrategy:
    """Read the strategies of searches of *game* at all information sets of its sequence *form*.

    The form begins at *root*, and searches of simultaneous moves have to begin there too; the start
    of the game if it is left out.
    """

    def __init__(
        self,
        game: Game,
        form: SequenceForm,
        completion: Completion = "uniform",
        seed: int = 0,
        root: State | None = None,
    ) -> None:
        self.game, self.form = game, form
        self.completion = completing_policy(form, completion, seed)
        self._root = new_state(game) if root is None else root
        self._places = form_places(form)
        depth = game.max_moves() + 1
        # Memory for a walk of the joint tree: states, nodes and next cells by depth.
        self._path = (
            np.zeros((depth, game.state_length()), np.int64),
            np.zeros((depth, 2), np.int64),
            np.zeros(game.state_length(), np.int64),
        )

    def policy(
        self, search: OOSSearch | InfosetSearch | SimultaneousSearch, final: FinalMove = "visits"
    ) -> Floats:
        """Return the policy [slot] of *search*; IS-MCTS with its *final* move."""
        policy = self.completion.copy()
        if isinstance(search, SimultaneousSearch):
            if search.num_nodes > 0:
                read_joint_tree(
                    self.game,
                    search.policy,
                    search.tree,
                    self._root,
                    self._places,
                    *self._path,
                    policy,
                )
            return policy
        is_sampled = isinstance(search, OOSSearch)
        read_table(
            self.form.infoset_keys,
            self.form.first_slots,
            search.table,
            SHARES if is_sampled else FINAL_MOVES[final],
            policy,
        )
        return policy

    def nash_conv(
        self, search: OOSSearch | InfosetSearch | SimultaneousSearch, final: FinalMove = "visits"
    ) -> float:
        """Return what both seats together gain by best responses to the policy of *search*."""
        return sequence_best_response(self.form, self.policy(search, final)).nash_conv


def form_places(form: SequenceForm) -> AnyArray:
    """Return places of a table in which ``find`` looks up the first slot of a key of *form*."""
    num_infosets = len(form.infoset_keys)
    places = np.zeros(1 << (2 * num_infosets + 1).bit_length(), PLACE)
    fill_places(form.infoset_keys, form.first_slots, places)
    return places


@kernel
def fill_places(keys: Ints, first_slots: Ints, places: AnyArray) -> None:
    """Put *keys* [infoset] into empty *places*."""
    # The layout of a search's own table, so that one kernel looks up both. At least half of the
    # places stay empty: runs are short.
    for infoset in range(len(keys)):
        place = find(places, keys[infoset])
        places[place]["key"], places[place]["slot"] = keys[infoset], first_slots[infoset]
        places[place]["count"] = first_slots[infoset + 1] - first_slots[infoset]


@kernel
def read_table(
    keys: Ints, first_slots: Ints, table: InfosetTable, final: int, policy: Floats
) -> None:
    """Write strategies of *table* to *policy* [slot] where it has any.

    *final* is SHARES, MOST_VISITS or BEST_VALUE.
    """
    # In the order of the form, so that the policy is written from front to back; the table, whose
    # places are random by key, is read one cache line an information set, and one for its sums.
    places, sums = table.places, table.sums
    for infoset in range(len(keys)):
        slot = places[find(places, keys[infoset])]["slot"]
        begin = first_slots[infoset]
        count = first_slots[infoset + 1] - begin
        total = 0.0
        if slot > 0:
            for action in range(count):
                total += sums[slot + action, SECOND]
        if total > 0:
            chosen = chosen_action(sums, slot, count, final)
            for action in range(count):
                if final == SHARES:
                    policy[begin + action] = sums[slot + action, SECOND] / total
                else:
                    policy[begin + action] = 1.0 if action == chosen else 0.0


@kernel
def chosen_action(sums: Floats, slot: int, count: int, final: int) -> int:
    """Return the action of most visits, or of the highest mean payoff; the first of equal ones."""
    # Actions without visits have no mean. At least one has visits.
    chosen, best = 0, -np.inf
    for action in range(count):
        visits = sums[slot + action, SECOND]
        score = visits
        if final == BEST_VALUE:
            score = sums[slot + action, FIRST] / visits if visits > 0 else -np.inf
        if score > best:
            chosen, best = action, score
    return chosen


@kernel
def read_joint_tree(
    game: Game,
    selection: SelectionPolicy,
    tree: JointTree,
    root: State,
    slots: AnyArray,
    states: Ints,
    places: Ints,
    after: State,
    policy: Floats,
) -> None:
    """Write the strategies of both seats at all decisions of *tree* to *policy* [slot].

    *slots* are places by key; *states* [depth, word], *places* [depth, (node, next cell)] and
    *after* are memory to work with.
    """
    # Depth first through the nodes that exist alone: a tree of a thousand simulations has as many
    # of them, where the game may have millions of states. A state of each depth is kept, since
    # rules cannot be undone.
    nodes, cells, sums = tree.nodes, tree.cells, tree.sums
    states[0] = root
    places[0, 0], places[0, 1] = ROOT, 0
    depth = 0
    while depth >= 0 and tree.used[TREE_NODES] > 0:
        node, cell = places[depth, 0], places[depth, 1]
        state = states[depth]
        num_rows, num_columns = nodes[node]["num_rows"], nodes[node]["num_columns"]
        if cell == 0 and num_columns > 0:
            # Neither seat observes anything between the two moves, so both keys are in this state.
            slot = nodes[node]["first_slot"]
            own, others = find(slots, state[0]), find(slots, state[1])
            selection.final(sums, slot, num_rows, policy, slots[own]["slot"])
            selection.final(sums, slot + num_rows, num_columns, policy, slots[others]["slot"])
        child, width = 0, max(num_columns, 1)
        first_cell = nodes[node]["first_cell"]
        while cell < num_rows * width and child == 0:
            child = cells[first_cell + cell]["child"]
            cell += 1
        places[depth, 1] = cell
        if child == 0:
            depth -= 1
            continue
        taken = cell - 1
        after[:] = state
        row = taken // width
        if game.actor(after) == CHANCE:
            game.apply(after, row)
        else:
            game.apply(after, row)
            game.apply(after, taken - row * width)
        depth += 1
        states[depth] = after
        places[depth, 0], places[depth, 1] = child, 0
