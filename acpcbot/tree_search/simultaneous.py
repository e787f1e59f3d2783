"""Monte Carlo tree search in games with simultaneous moves (SM-MCTS), algorithm 1 of the paper.

For games of two seats in which everything but a move made at the same time is seen by both, such as
Goofspiel with open bids. A search in other games would look at what its seat cannot know.

A simulation goes down the tree by joint actions that a selection policy chooses, and by outcomes of
chance. While the matrix of a decision is not full it takes a joint action that was never taken, and
plays on from there uniformly at random. Its reward goes into every cell of its path and into the
policy's sums at every decision.

Source: Lanctot, Lisy & Winands (2013), Monte Carlo tree search in simultaneous move games with
applications to Goofspiel, https://doi.org/10.1007/978-3-319-05428-5_3
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from acpcbot.arrays import AnyArray, Floats, Ints
from acpcbot.errors import UsageError
from acpcbot.games.game import CHANCE, OVER, Game, State, chance_action, play_out, unobserved
from acpcbot.jit import kernel
from acpcbot.random_kernels import RandomState, below, seed_state, unit
from acpcbot.tree_search.joint_tree import (
    ROOT,
    TREE_IS_FULL,
    TREE_IS_SEQUENTIAL,
    TREE_NODES,
    TREE_SIMULATIONS,
    JointTree,
    add_node,
    clear_tree,
    empty_tree,
    uncounted_tree,
)
from acpcbot.tree_search.selection.policy import SelectionPolicy, Visit
from acpcbot.uncounted_arrays import uncounted

DEFAULT_MEMORY_BYTES = 1 << 30

NODE_OF, CELL_OF, ROW, COLUMN = range(4)
FACTOR_REACH, FACTOR_PLAYED, FACTOR_SAMPLED = range(3)


class Rewards(NamedTuple):
    """Rewards as policies see them: *shift* + *scale* * payoff, for either seat."""

    shift: float = 0.0
    scale: float = 1.0


PAYOFFS = Rewards()
WIN_LOSS = Rewards(0.5, 0.5)
"""From payoffs of -1, 0 and 1 to 0, a half and 1."""


class Path(NamedTuple):
    """Arrays for the path of one simulation.

    ``steps``       int64 [depth, NODE_OF .. COLUMN]; COLUMN is -1 at chance
    ``factors``     float64 [depth, FACTOR_REACH .. FACTOR_SAMPLED], of the exploring seat
    ``strategies``  float64 [depth, seat, action], flat
    ``values``      float64 [action], for the policy to work with
    ``words``       int64 [word], the state of a simulation; ``words_after`` is one to try moves on
    """

    steps: Ints
    factors: Floats
    strategies: Floats
    values: Floats
    words: State
    words_after: State


class SimultaneousSearch:
    """SM-MCTS of *game* with a selection *policy*, from a state given to ``begin``.

    Equal seeds give equal searches. Raises UsageError for a game that is not for two.
    """

    def __init__(
        self,
        game: Game,
        policy: SelectionPolicy,
        seed: int,
        rewards: Rewards = PAYOFFS,
        memory_bytes: int = DEFAULT_MEMORY_BYTES,
    ) -> None:
        if game.num_seats() != 2:
            raise UsageError(
                f"a search of simultaneous moves is for 2 seats, not {game.num_seats()}",
                "choose a game for two",
            )
        self.game, self.policy, self.rewards = game, policy, rewards
        self.tree = empty_tree(game, memory_bytes)
        self.random_state = seed_state(seed)
        self._root: State = np.zeros(game.state_length(), np.int64)
        depth, width = game.max_moves() + 1, game.max_actions()
        self._path = Path(
            np.zeros((depth, 4), np.int64),
            np.zeros((depth, 3)),
            np.zeros(depth * 2 * width),
            np.zeros(width),
            self._root.copy(),
            self._root.copy(),
        )
        game.start(self._root)

    @property
    def num_nodes(self) -> int:
        """The number of nodes in the tree."""
        return int(self.tree.used[TREE_NODES])

    @property
    def is_full(self) -> bool:
        """True when the tree has stopped growing because its memory is full."""
        return bool(self.tree.used[TREE_IS_FULL])

    def begin(self, state: State) -> None:
        """Empty the tree and search from *state* from now on."""
        clear_tree(self.tree)
        self._root[:] = state

    def simulate(self, num_simulations: int) -> None:
        """Add so many simulations to those since the last ``begin``.

        Raises UsageError where seats do not move at the same time, or the game is over.
        """
        if self.game.actor(self._root) == OVER:
            raise UsageError("the game is over in the state to search", "search before the end")
        simulate(
            self.game,
            self.policy,
            self.rewards,
            self._root,
            self.tree,
            self._path,
            num_simulations,
            self.random_state,
        )
        if self.tree.used[TREE_IS_SEQUENTIAL]:
            raise UsageError(
                "the seats of this game do not move at the same time",
                "search it by information sets: IS-MCTS or OOS",
            )

    def strategy(self, seat: int, node: int = ROOT) -> Floats:
        """Return the strategy [action] of *seat* at a *node*, the root if none is given.

        Raises UsageError where the node is not a decision.
        """
        record = self.tree.nodes[node]
        counts = int(record["num_rows"]), int(record["num_columns"])
        if node >= self.num_nodes or counts[1] == 0:
            raise UsageError(f"node {node} of the tree is not a decision", "simulate from one")
        strategy = np.zeros(counts[seat])
        first = int(record["first_slot"]) + (counts[0] if seat else 0)
        self.policy.final(self.tree.sums, first, counts[seat], strategy, 0)
        return strategy

    def child(self, node: int, row: int, column: int = 0) -> int | None:
        """Return the node behind a joint action or an outcome of chance, or None."""
        record = self.tree.nodes[node]
        width = max(1, int(record["num_columns"]))
        cell = int(record["first_cell"]) + row * width + column
        return int(self.tree.cells[cell]["child"]) or None


@kernel
def simulate(
    game: Game,
    policy: SelectionPolicy,
    rewards: Rewards,
    root: State,
    tree: JointTree,
    path: Path,
    num_simulations: int,
    random_state: RandomState,
) -> None:
    """Run *num_simulations* from *root* on *tree*; *path* is memory to work with."""
    # Nothing is counted below: rules are called at every move and would count references each time.
    grown, own, numbers = uncounted_tree(tree), uncounted_path(path), uncounted(random_state)
    first_words, cells, used = uncounted(root), grown.cells, grown.used
    # Neither the tree nor a playout reads keys; mixing them took half of a playout's time.
    words, state = own.words, unobserved(own.words)
    copy_words(first_words, words)
    if used[TREE_NODES] == 0:
        add_node(game, grown, words, own.words_after, 0)
    for _ in range(num_simulations):
        copy_words(first_words, words)
        explorer = used[TREE_SIMULATIONS] & 1
        used[TREE_SIMULATIONS] += 1
        node, depth, reach = ROOT, 0, 1.0
        # Lines 3 to 18 of algorithm 1 as a loop: on the way down everything that the updates need
        # is noted, and the reward comes at the end only. The path is short and stays in the first
        # cache; what costs time are the cold lines of cells and sums far from the root.
        is_known = True
        while is_known and game.actor(state) != OVER:
            if game.actor(state) == CHANCE:
                cell = take_outcome(game, grown, own, state, node, depth, numbers)
            else:
                cell, reach = take_bids(
                    game, policy, grown, own, state, node, depth, explorer, reach, numbers
                )
            depth += 1
            # A joint action taken for the first time ends the descent (lines 9 to 12). A new
            # outcome of chance does not: its node is added at once and goes on (lines 4 to 6).
            is_known = cells[cell]["visits"] > 0 or own.steps[depth - 1, COLUMN] < 0
            if is_known:
                node = cells[cell]["child"]
                if node == ROOT:
                    node = add_node(game, grown, words, own.words_after, cells[cell]["visits"])
                    cells[cell]["child"] = node
                    is_known = node != ROOT
        play_out(game, state, numbers)
        reward = rewards.shift + rewards.scale * game.payoff(state, 0)
        learn(policy, rewards, grown, own, depth, explorer, reward)


@kernel(inline=True)
def take_outcome(
    game: Game,
    tree: JointTree,
    path: Path,
    state: State,
    node: int,
    depth: int,
    numbers: RandomState,
) -> int:
    """Let chance move at *node*, note it in *path*, and return the cell of the outcome."""
    outcome = chance_action(game, state, unit(numbers))
    cell = tree.nodes[node]["first_cell"] + outcome
    note(path, depth, node, cell, outcome, -1)
    game.apply(state, outcome)
    return int(cell)


@kernel(inline=True)
def take_bids(
    game: Game,
    policy: SelectionPolicy,
    tree: JointTree,
    path: Path,
    state: State,
    node: int,
    depth: int,
    explorer: int,
    reach: float,
    numbers: RandomState,
) -> tuple[int, float]:
    """Let both seats move at *node*, note it in *path*, and return the cell of the joint action.

    Return also the exploring seat's *reach* behind it.
    """
    nodes, cells, sums, strategies = tree.nodes, tree.cells, tree.sums, path.strategies
    first_cell, slot = nodes[node]["first_cell"], nodes[node]["first_slot"]
    num_rows, num_columns = nodes[node]["num_rows"], nodes[node]["num_columns"]
    # Rows of strategies are given by where they begin: each view of an array would be counted.
    width = len(strategies) // (2 * len(path.steps))
    own, others = 2 * depth * width, (2 * depth + 1) * width
    # The strategies before this simulation: both what is sampled and what the update needs.
    policy.prepare(sums, slot, num_rows, strategies, own)
    policy.prepare(sums, slot + num_rows, num_columns, strategies, others)
    if policy.fills_matrix() and nodes[node]["num_filled"] < num_rows * num_columns:
        cell = empty_cell(cells, first_cell, num_rows * num_columns, numbers)
        nodes[node]["num_filled"] += 1
        row = (cell - first_cell) // num_columns
        column = cell - first_cell - row * num_columns
    else:
        visits = nodes[node]["visits"]
        row = policy.choose(sums, slot, num_rows, visits, strategies, own, explorer == 0, numbers)
        column = policy.choose(
            sums, slot + num_rows, num_columns, visits, strategies, others, explorer == 1, numbers
        )
        cell = first_cell + row * num_columns + column
    # pi of section 3.4: the probability of coming here by the exploring seat's sampling.
    path.factors[depth, FACTOR_REACH] = reach
    if explorer == 0:
        played, sampled = policy.sampling(strategies, own, num_rows, row)
    else:
        played, sampled = policy.sampling(strategies, others, num_columns, column)
    path.factors[depth, FACTOR_PLAYED], path.factors[depth, FACTOR_SAMPLED] = played, sampled
    note(path, depth, node, cell, row, column)
    game.apply(state, row)
    game.apply(state, column)
    return cell, reach * sampled


@kernel(inline=True)
def empty_cell(cells: AnyArray, first_cell: int, num_cells: int, numbers: RandomState) -> int:
    """Return a random cell that was never visited."""
    # The next one from a random cell on, in a circle: line 10 leaves the choice open, and counting
    # the empty ones would read the whole matrix.
    cell = int(first_cell + np.int64(below(numbers, num_cells)))
    while cells[cell]["visits"] > 0:
        cell += 1
        if cell == first_cell + num_cells:
            cell = first_cell
    return cell


@kernel(inline=True)
def note(path: Path, depth: int, node: int, cell: int, row: int, column: int) -> None:
    """Write a step down in *path*."""
    steps = path.steps
    steps[depth, NODE_OF], steps[depth, CELL_OF] = node, cell
    steps[depth, ROW], steps[depth, COLUMN] = row, column


@kernel(inline=True)
def learn(
    policy: SelectionPolicy,
    rewards: Rewards,
    tree: JointTree,
    path: Path,
    depth: int,
    explorer: int,
    reward: float,
) -> None:
    """Add the *reward* of seat 0 to everything on *path*, which has so many steps."""
    steps, factors = path.steps, path.factors
    tail = 1.0
    # Last step first, for the tail. These lines were read on the way down and are still cached.
    for step in range(depth - 1, -1, -1):
        cell = steps[step, CELL_OF]
        tree.nodes[steps[step, NODE_OF]]["visits"] += 1
        if steps[step, COLUMN] >= 0:
            update_seats(policy, rewards, tree, path, step, explorer, reward, tail)
            tail *= factors[step, FACTOR_PLAYED] / factors[step, FACTOR_SAMPLED]
        tree.cells[cell]["total"] += reward
        tree.cells[cell]["visits"] += 1


@kernel(inline=True)
def update_seats(
    policy: SelectionPolicy,
    rewards: Rewards,
    tree: JointTree,
    path: Path,
    step: int,
    explorer: int,
    reward: float,
    tail: float,
) -> None:
    """Let both seats learn the *reward* of seat 0 at one *step*."""
    node, row, column = path.steps[step, NODE_OF], path.steps[step, ROW], path.steps[step, COLUMN]
    first_cell, slot = tree.nodes[node]["first_cell"], tree.nodes[node]["first_slot"]
    num_rows, num_columns = tree.nodes[node]["num_rows"], tree.nodes[node]["num_columns"]
    total_reward = 2.0 * rewards.shift
    width = len(path.strategies) // (2 * len(path.steps))
    # Seat 0 owns the rows: from one of its actions to the next a whole row lies between.
    own_slot, num_own, num_others = slot, num_rows, num_columns
    own_action, other_action, own_reward = row, column, reward
    own_stride, other_stride = int(np.int64(num_columns)), 1
    base, sign = 0.0, 1.0
    for seat in range(2):
        visit = Visit(
            own_slot,
            num_own,
            num_others,
            own_action,
            other_action,
            first_cell,
            own_stride,
            other_stride,
            base,
            sign,
            own_reward,
            rewards.shift,
            seat == explorer,
            path.factors[step, FACTOR_REACH],
            path.factors[step, FACTOR_PLAYED],
            path.factors[step, FACTOR_SAMPLED],
            tail,
        )
        policy.update(
            visit,
            tree.sums,
            tree.cells,
            path.strategies,
            (2 * step + seat) * width,
            (2 * step + 1 - seat) * width,
            path.values,
        )
        # Now as seat 1 sees it.
        own_slot, num_own, num_others = slot + num_rows, num_columns, num_rows
        own_action, other_action, own_reward = column, row, total_reward - reward
        own_stride, other_stride = other_stride, own_stride
        base, sign = total_reward, -1.0


@kernel(inline=True)
def copy_words(source: State, words: State) -> None:
    """Write the state *source* to *words*."""
    # A slice would be an array that is counted.
    for word in range(len(source)):
        words[word] = source[word]


@kernel(inline=True)
def uncounted_path(path: Path) -> Path:
    """Return *path* without a count of references."""
    return Path(
        uncounted(path.steps),
        uncounted(path.factors),
        uncounted(path.strategies),
        uncounted(path.values),
        uncounted(path.words),
        uncounted(path.words_after),
    )
