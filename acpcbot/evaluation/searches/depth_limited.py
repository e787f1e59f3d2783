"""Depth-limited exploitability of SM-MCTS in Goofspiel by points, against optimal values.

``Ex_d`` assumes that the opponent of a searching seat answers its strategy in the best way through
*d* plies, and that both play optimally from there on. It is a lower bound on exploitability, and
equals it where d covers the game. Plies are in turn a pair of bids at the same time and a card
turned up. The value behind a pair of bids is the mean over the cards that may be turned up, so an
odd d and the even one after it give the same.

A search begins once, at the root: where its tree ends, its strategy is uniform, or one random
action at each decision.

Source: Lanctot, Lisy & Winands (2013), Monte Carlo tree search in simultaneous move games with
applications to Goofspiel, section 4.3.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from acpcbot.arrays import AnyFloats, Floats, Ints, Number
from acpcbot.errors import UsageError
from acpcbot.evaluation.searches.whole_strategy import Completion
from acpcbot.games.game import CHANCE, OVER, Game, State
from acpcbot.games.goofspiel import HAND, LEAD, NUM_LEFT, POINTS, Goofspiel
from acpcbot.jit import kernel
from acpcbot.random_kernels import RandomState, below, seed_state
from acpcbot.tree_search.backward_induction import GoofspielValues
from acpcbot.tree_search.joint_tree import ROOT, TREE_NODES, JointTree
from acpcbot.tree_search.selection.policy import SelectionPolicy
from acpcbot.tree_search.simultaneous import SimultaneousSearch

MISSING = -1


class DepthLimit:
    """Optimal values of PD-Goof behind a depth, against which searches are measured.

    Raises UsageError for values that are not solved yet.
    """

    def __init__(self, values: GoofspielValues) -> None:
        if not values.is_solved:
            raise UsageError(
                f"the values of Goofspiel({values.num_cards}) are not solved yet",
                "call solve() on them first",
            )
        self.values = values
        self.game = Goofspiel(values.num_cards, pays_points=True)

    def exploitability(
        self,
        search: SimultaneousSearch,
        root: State,
        seat: int,
        depth: int,
        completion: Completion = "uniform",
        seed: int = 0,
    ) -> float:
        """Return Ex_*depth* of the strategy of *seat* in *search*, which began at *root*.

        In points: what the opponent wins beyond its value under optimal play of both. Raises
        UsageError for another game, and for a root at which seat 0 is not to bid.
        """
        if search.game != self.game or depth < 0 or self.game.actor(root) != 0:
            raise UsageError(
                f"Ex_{depth} of a search of {search.game}",
                f"search {self.game} from a state where seat 0 is to bid, to a depth from 0 on",
            )
        if depth == 0:
            return 0.0
        num_tricks = min((depth + 1) // 2, int(root[NUM_LEFT]))
        # All states behind the limit have as many tricks to go: one array has their values.
        left = int(root[NUM_LEFT]) - num_tricks
        answered = answered_value(
            self.game,
            search.policy,
            search.tree,
            root,
            seat,
            num_tricks,
            self.values.values[left],
            self.values.ranks,
            completion == "one-action",
            *_working_memory(self.game, num_tricks),
            seed_state(seed),
        )
        gain = float(answered) - self.values.value(root)
        return gain if seat == 1 else -gain


class Level(NamedTuple):
    """Memory of the walk, by the number of tricks before.

    ``states``     int64 [trick, word], where bids are to be made
    ``afters``     int64 [trick, word], behind the pair of bids that is looked at
    ``nodes``      int64 [trick, 2], the decision in the tree and the node behind the pair of bids
    ``cells``      int64 [trick], the pair of bids
    ``outcomes``   int64 [trick], the card turned up behind it that comes next
    ``means``      float64 [trick], the sum of values over cards turned up so far
    ``strategies`` float64 [trick, bid], of the seat that searched, flat
    ``answers``    float64 [trick, bid], payoffs of seat 0 by the other seat's bid
    """

    states: Ints
    afters: Ints
    nodes: Ints
    cells: Ints
    outcomes: Ints
    means: Floats
    strategies: Floats
    answers: Floats


def _working_memory(game: Goofspiel, num_tricks: int) -> tuple[Level, int]:
    words, width = (num_tricks, game.state_length()), game.max_actions()
    level = Level(
        np.zeros(words, np.int64),
        np.zeros(words, np.int64),
        np.zeros((num_tricks, 2), np.int64),
        np.zeros(num_tricks, np.int64),
        np.zeros(num_tricks, np.int64),
        np.zeros(num_tricks),
        np.zeros(num_tricks * width),
        np.zeros((num_tricks, width)),
    )
    return level, width


@kernel
def answered_value(
    game: Game,
    policy: SelectionPolicy,
    tree: JointTree,
    root: State,
    seat: int,
    num_tricks: int,
    behind: AnyFloats,
    ranks: Ints,
    takes_one_action: Number,
    level: Level,
    width: int,
    random_state: RandomState,
) -> float:
    """Return the payoff of seat 0 when the other seat than *seat* answers in the best way.

    *behind* [hand of seat 0, hand of seat 1, points] are optimal values after *num_tricks*.
    """
    # Depth first, an entry of each array a trick. In the middle of 11 cards, two tricks deep, it
    # looks at 121 * 10 * 100 values: bids that the seat never makes are passed over.
    # Tried: the best answer and the value at the limit in kernels of their own. It took 1.3 times
    # as long with inlined ones and 1.5 times with others (medians, alternating in one process).
    trick, value = 0, 0.0
    level.states[0] = root
    level.nodes[0, 0] = ROOT if tree.used[TREE_NODES] > 0 else MISSING
    open_trick(game, policy, tree, seat, level, 0, width, takes_one_action, random_state)
    while trick >= 0:
        state, after = level.states[trick], level.afters[trick]
        count = game.num_actions(state)
        cell = level.cells[trick]
        if cell == count * count:
            # All pairs of bids are done: the other seat takes the bid that is best for it. Seat 0
            # maximises and seat 1 minimises the payoff of seat 0.
            sign = -1.0 if seat == 0 else 1.0
            best = -np.inf
            for bid in range(count):
                best = max(best, sign * level.answers[trick, bid])
            value = sign * best
            trick -= 1
            if trick >= 0:
                level.means[trick] += value
                level.outcomes[trick] += 1
            continue
        row, column = cell // count, cell % count
        own, other = (row, column) if seat == 0 else (column, row)
        share = level.strategies[trick * width + own]
        if level.outcomes[trick] == 0 and share > 0:
            after[:] = state
            game.apply(after, row)
            game.apply(after, column)
            level.means[trick] = 0.0
        num_outcomes = 0
        if share > 0 and game.actor(after) == CHANCE and trick + 1 < num_tricks:
            num_outcomes = game.num_actions(after)
        if level.outcomes[trick] < num_outcomes:
            open_outcome(game, tree, level, trick, cell)
            trick += 1
            open_trick(
                game, policy, tree, seat, level, trick, width, takes_one_action, random_state
            )
            continue
        if share > 0:
            mean = level.means[trick] / max(num_outcomes, 1)
            if num_outcomes == 0:
                # The end of the game, or the limit: the value before a card is turned up is the
                # mean of those after it.
                mean = np.float64(after[LEAD])
                if game.actor(after) != OVER:
                    mean += behind[ranks[after[HAND]], ranks[after[HAND + 1]], ranks[after[POINTS]]]
            level.answers[trick, other] += share * mean
        level.cells[trick] += 1
        level.outcomes[trick] = 0
    return value


@kernel
def open_outcome(game: Game, tree: JointTree, level: Level, trick: int, cell: int) -> None:
    """Turn up the next card behind the pair of bids *cell* of a *trick*."""
    # A child of 0 is none: the root is nobody's child.
    nodes, cells = tree.nodes, tree.cells
    outcome, node = level.outcomes[trick], level.nodes[trick, 0]
    if outcome == 0:
        level.nodes[trick, 1] = MISSING
        if node != MISSING and cells[nodes[node]["first_cell"] + cell]["child"] > 0:
            level.nodes[trick, 1] = cells[nodes[node]["first_cell"] + cell]["child"]
    chance = level.nodes[trick, 1]
    level.nodes[trick + 1, 0] = MISSING
    if chance != MISSING and cells[nodes[chance]["first_cell"] + outcome]["child"] > 0:
        level.nodes[trick + 1, 0] = cells[nodes[chance]["first_cell"] + outcome]["child"]
    level.states[trick + 1] = level.afters[trick]
    game.apply(level.states[trick + 1], outcome)


@kernel
def open_trick(
    game: Game,
    policy: SelectionPolicy,
    tree: JointTree,
    seat: int,
    level: Level,
    trick: int,
    width: int,
    takes_one_action: Number,
    random_state: RandomState,
) -> None:
    """Begin at the decision of a *trick*: write the strategy of *seat* there."""
    # The policy writes the strategy that it would play straight into its row.
    level.cells[trick], level.outcomes[trick] = 0, 0
    count, node, start = game.num_actions(level.states[trick]), level.nodes[trick, 0], trick * width
    level.answers[trick, :count] = 0.0
    if node != MISSING:
        slot = tree.nodes[node]["first_slot"] + (count if seat == 1 else 0)
        policy.final(tree.sums, slot, count, level.strategies, start)
    else:
        chosen = np.int64(below(random_state, count))
        for bid in range(count):
            level.strategies[start + bid] = 1.0 / count
            if takes_one_action:
                level.strategies[start + bid] = 1.0 if bid == chosen else 0.0
