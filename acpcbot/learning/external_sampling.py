"""External-sampling Monte Carlo CFR, for any number of seats.

An iteration is one deal. Each seat in turn traverses the tree: it tries all actions at its own
nodes, while the others' actions are sampled from their strategies, and adds the sampled
counterfactual regrets. Strategies follow from regrets by regret matching (``regret_matching.py``),
so the second traversal of a deal meets what the first one learnt.

The average strategy is collected at the others' nodes: whenever one is visited, its strategy is
added to its sums. With two seats a visit is as likely as the owner's reach makes it, which is the
weight that theory asks for (stochastically weighted averaging). With more seats the reach of the
remaining ones is in the weight as well; theory, which guarantees nothing for more than two players,
has no such factor.

A traversal needs no recursion. A sweep forward lists what it visits, parents first: of the
traverser's nodes all children, of the others' nodes a sampled child, which takes its parent's
place. A sweep backward then finds the values of all children before it needs them. Neighbours in
the list do not depend on each other, so the processor overlaps their fetches from memory. The list
is three arrays [visit]. ``visits``: a node, ``~end`` of a finished hand, or SKIPPED. ``children``:
the visit of the first child, which the others follow, or 0 for none. ``values``: the traverser's
value of the visit, in big blinds.

The sweeps are written once, for both kinds of trees (``tree_formats.py``); in a limit game both
learn the same numbers. They take 0.96 to 1.02 of the time of the kernels that each kind of tree
once had for itself (docs/methods/learning.md).

Discounting is by periods of ``discount_interval`` iterations: after period t positive regrets are
multiplied by t^alpha / (t^alpha + 1), negative ones by t^beta / (t^beta + 1), and strategy sums by
(t / (t + 1))^gamma. Exponents of 1 are linear CFR: period t has weight t.

Sources: Lanctot, Waugh, Zinkevich & Bowling (2009), Monte Carlo sampling for regret minimization in
extensive games, section 3.2 (external sampling); Brown & Sandholm (2019),
https://arxiv.org/abs/1809.04040 (discounts); the same (2019), Superhuman AI for multiplayer poker,
supplement (pruning).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats, Ints32, Number, Uints64
from acpcbot.errors import UsageError
from acpcbot.jit import kernel
from acpcbot.learning.sampling import Deals, RandomState
from acpcbot.learning.tree_formats import TreeFormat, tree_arrays
from acpcbot.random_kernels import unit
from acpcbot.regret_matching import (
    ONE,
    REGRET,
    STRATEGY,
    TWO,
    ZERO,
    Storage,
    Sums,
    add_regrets,
    add_strategy,
    empty_sums,
    matched_strategy,
    sampled,
)
from acpcbot.trees.betting_tree import MenuGame
from acpcbot.trees.public_tree import AbstractGame

# No end has so high a number.
SKIPPED = np.int64(-(2**40))

MAX_EXPONENT = 10


@dataclass(frozen=True, slots=True)
class ExternalSamplingSettings:
    """Discounts, pruning and storage of external sampling; regrets are in big blinds.

    Periods that end after *discount_until* iterations are not discounted: with 0 all iterations
    weigh the same. No regret falls below *regret_floor*, if there is one (0 is the floor of CFR+).
    In *prune_share* of the iterations a traverser skips its actions with regrets below
    *prune_below*, if given, but never on the last street, nor those that end the hand, nor those to
    which its strategy gives a positive probability.

    float32 storage takes half the memory, but a sum of 2**24 = 16.8 million visits grows no more.
    """

    alpha: float = 1.0
    beta: float = 1.0
    gamma: float = 1.0
    discount_interval: int = 1 << 17
    discount_until: int = 10_000_000
    regret_floor: float | None = None
    prune_below: float | None = None
    prune_share: float = 0.95
    storage: Storage = "float64"

    def __post_init__(self) -> None:
        exponents = (self.alpha, self.beta, self.gamma)
        if not all(abs(exponent) <= MAX_EXPONENT for exponent in exponents):
            raise UsageError(
                f"alpha, beta, gamma = {exponents} are out of range",
                f"use numbers from -{MAX_EXPONENT} to {MAX_EXPONENT}; 1, 1, 1 is linear CFR",
            )
        if self.discount_interval < 1 or self.discount_until < 0:
            raise UsageError(
                f"discount_interval = {self.discount_interval}, "
                f"discount_until = {self.discount_until} are out of range",
                "discount_interval is at least 1, discount_until at least 0 (no discounts)",
            )
        if self.regret_floor is not None and not self.regret_floor <= 0:
            raise UsageError(
                f"regret_floor = {self.regret_floor} is out of range", "use a number up to 0"
            )
        if not (0 <= self.prune_share <= 1 and (self.prune_below is None or self.prune_below < 0)):
            raise UsageError(
                f"prune_below = {self.prune_below}, prune_share = {self.prune_share} "
                "are out of range",
                "prune_below is negative, prune_share from 0 to 1",
            )
        if self.storage not in ("float64", "float32"):
            raise UsageError(f"storage = {self.storage!r} is unknown", "use float64 or float32")


class ExternalSamplingLearner:
    """External sampling on *game*, limit or with a menu.

    ``sums`` [slot, 2] are regrets and strategy sums.
    """

    def __init__(
        self, game: AbstractGame | MenuGame, settings: ExternalSamplingSettings | None = None
    ) -> None:
        self.game, self.settings = game, settings or ExternalSamplingSettings()
        self.round_length = self.settings.discount_interval
        self.sums = empty_sums(game.layout.num_slots, self.settings.storage)
        self._num_settled = np.zeros(1, np.int64)
        self._format, self._tree = tree_arrays(game)
        self._max_visits = max(
            most_visits(self._format, *self._tree[:2], seat)
            for seat in range(game.definition.num_players)
        )

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """``sums`` [slot, 2], and ``num_settled`` [1]: the iterations whose discounts are done."""
        return {"sums": self.sums, "num_settled": self._num_settled}

    def walk(self, deals: Deals, random_state: RandomState) -> None:
        """Run an iteration for each deal."""
        layout = self.game.layout
        run_iterations(
            self._format,
            *self._tree,
            layout.row_starts,
            layout.row_widths,
            deals,
            self.sums,
            _limits(self.settings),
            self._max_visits,
            random_state,
        )

    def settle(self, num_done: int) -> None:
        """Discount for the periods that ended since the last call."""
        settings, interval = self.settings, self.settings.discount_interval
        first = self._num_settled[0] // interval + 1
        last = min(num_done, settings.discount_until) // interval
        periods = np.arange(first, last + 1, dtype=np.float64)
        if len(periods):
            positive = float(np.prod(1 / (1 + periods**-settings.alpha)))
            negative = float(np.prod(1 / (1 + periods**-settings.beta)))
            strategy = float(np.prod(periods / (periods + 1))) ** settings.gamma
            discount(self.sums, positive, negative, strategy)
        self._num_settled[0] = num_done

    def average_strategy(self) -> NDArray[np.float64]:
        """Return the average strategy [slot], which converges.

        Uniform where an information set was never visited.
        """
        return self.game.normalised(self.sums[:, STRATEGY])


def _limits(settings: ExternalSamplingSettings) -> tuple[float, float, float]:
    """Return the kernel's floor of regrets, pruning threshold and share of pruned iterations."""
    floor = -inf if settings.regret_floor is None else float(settings.regret_floor)
    if settings.prune_below is None:
        return floor, -inf, 0.0
    return floor, float(settings.prune_below), float(settings.prune_share)


@kernel
def run_iterations(
    tree: TreeFormat,
    nodes: Ints32,
    actions: Ints32,
    ends: Any,
    row_starts: NDArray[np.int64],
    row_widths: NDArray[np.int64],
    deals: NDArray[np.uint16],
    sums: Sums,
    limits: tuple[float, float, float],
    max_visits: int,
    random_state: Uints64,
) -> None:
    """Run an iteration for each deal: a traversal for each seat in turn.

    *limits* are the floor of regrets, the regret below which actions are pruned, and the share of
    iterations that prune; *max_visits* is the largest ``most_visits`` of a seat.
    """
    floor, prune_below, prune_share = limits
    num_seats = tree.seat_count()
    rows = np.zeros((np.uint64(len(row_starts)), num_seats), np.uint64)
    # Room for the longest traversal, allotted once for all deals. Two more, since in a limit game
    # the backward sweep reads three children even where there is one.
    most = max_visits + 2
    visits, children, values = np.zeros(most, np.int64), np.zeros(most, np.uint64), np.zeros(most)
    # Indices are uint64 throughout: of a signed one numba would ask each time if it is negative
    # and counts from the end.
    for deal in range(np.uint64(len(deals))):
        ordering = read_deal(deals, deal, row_starts, row_widths, rows)
        # Pruning is drawn for a whole iteration, as in Pluribus (Brown & Sandholm 2019).
        prunes = prune_share > 0.0 and unit(random_state) < prune_share
        threshold = prune_below if prunes else -np.inf
        # Alternating updates: the second traversal of a deal meets what the first one learnt.
        for traverser in range(num_seats):
            num_visits = sweep_forward(
                tree,
                nodes,
                actions,
                ends,
                sums,
                rows,
                ordering,
                traverser,
                threshold,
                random_state,
                visits,
                children,
                values,
            )
            sweep_backward(
                tree, nodes, sums, rows, traverser, floor, num_visits, visits, children, values
            )


@kernel(inline=True)
def read_deal(
    deals: NDArray[np.uint16],
    deal: Number,
    row_starts: NDArray[np.int64],
    row_widths: NDArray[np.int64],
    rows: Uints64,
) -> Number:
    """Write the first slot of each seat's bucket to *rows* [street, seat]; return the ordering."""
    # A deal is uint16 [street * seats + seat, ordering]: the buckets, then one number for all that
    # the cards decide at the showdown.
    column = ZERO
    for street in range(np.uint64(rows.shape[0])):
        for seat in range(np.uint64(rows.shape[1])):
            bucket = np.int64(deals[deal, column])
            rows[street, seat] = row_starts[street] + row_widths[street] * bucket
            column += ONE
    return np.uint64(deals[deal, column])


@kernel(inline=True)
def sweep_forward(
    tree: TreeFormat,
    nodes: Ints32,
    actions: Ints32,
    ends: Any,
    sums: Sums,
    rows: Uints64,
    ordering: Number,
    traverser: Number,
    threshold: float,
    random_state: Uints64,
    visits: NDArray[np.int64],
    children: Uints64,
    values: NDArray[np.float64],
) -> Number:
    """List the visits of a traversal, and add the others' strategies to their averages.

    Returns the list's length.
    """
    # A queue in place of recursion: the root is visit 0, children are appended behind.
    visits[ZERO] = 0
    visit, num_visits = ZERO, ONE
    while visit < num_visits:
        node = visits[visit]
        if node < 0:
            # The hand is over, or the child was skipped: 0 stands for no children.
            children[visit] = ZERO
            values[visit] = (
                0.0
                if node == SKIPPED
                else tree.end_value(ends, np.uint64(~node), ordering, traverser)
            )
            visit += ONE
            continue
        here = np.uint64(node)
        seat, street, own_slot, count = tree.decision(nodes, here)
        # All slots of a bucket on a street lie together, so later visits of the same street find
        # their cache lines near this one.
        slot = rows[street, seat] + own_slot
        if seat == traverser:
            children[visit] = num_visits
            for action in range(count):
                visits[num_visits + action] = tree.child(nodes, actions, here, action)
            if threshold > -np.inf and street + ONE < len(rows):
                skip_hopeless(sums, slot, count, threshold, visits, num_visits)
            num_visits += count
            visit += ONE
        else:
            # The sampled child takes the visit's place, and is looked at next: the value of the
            # visit is that of the child, with no weight to correct (external sampling).
            # The draw comes first, so that both ways of sampling use the same random numbers.
            draw = unit(random_state)
            if tree.is_narrow():
                strategy = matched_strategy(sums, slot, count)
                add_strategy(sums, slot, count, strategy, 1.0)
                action = sampled(draw, strategy)
            else:
                action = sample_any(sums, slot, count, draw)
            visits[visit] = tree.child(nodes, actions, here, action)
    return num_visits


@kernel(inline=True)
def skip_hopeless(
    sums: Sums,
    slot: Number,
    count: Number,
    threshold: float,
    visits: NDArray[np.int64],
    first: Number,
) -> None:
    """Mark as SKIPPED the listed children whose regret is below *threshold*.

    The children of the *count* slots from *slot* on are listed from *first* on. Those that end the
    hand are kept, and where no regret is positive all are: only actions without probability are
    skipped.
    """
    best = -np.inf
    for action in range(count):
        best = max(best, sums[slot + action, REGRET])
    for action in range(count):
        if best > 0.0 and sums[slot + action, REGRET] < threshold and visits[first + action] >= 0:
            visits[first + action] = SKIPPED


@kernel(inline=True)
def sweep_backward(
    tree: TreeFormat,
    nodes: Ints32,
    sums: Sums,
    rows: Uints64,
    traverser: Number,
    floor: float,
    num_visits: Number,
    visits: NDArray[np.int64],
    children: Uints64,
    values: NDArray[np.float64],
) -> None:
    """Find the values of all visits and update the *traverser*'s regrets, last visit first."""
    # Children stand behind their parents in the list, so backwards all their values are known.
    visit = num_visits
    while visit > ZERO:
        visit -= ONE
        first = children[visit]
        if first > ZERO:
            here = np.uint64(visits[visit])
            _, street, own_slot, count = tree.decision(nodes, here)
            slot = rows[street, traverser] + own_slot
            if tree.is_narrow():
                values[visit] = learn_three(sums, slot, count, floor, visits, values, first)
            else:
                values[visit] = learn_any(sums, slot, count, floor, visits, values, first)


# At each node strategies and regrets are three numbers in registers, where a tree is narrow, or
# loops over the slots. The compiler knows ``is_narrow`` and keeps one of the two. With the loops
# alone Leduc took 1.45 times as long and Kuhn for three 2.2 times.


@kernel(inline=True)
def sample_any(sums: Sums, slot: Number, count: Number, draw: Number) -> Number:
    """Return the action that *draw*, in [0, 1), samples, and add the strategy to its average."""
    # Regret matching: sigma(a) = R+(a) / sum R+, uniform where no regret is positive.
    total: Number = 0.0
    for action in range(count):
        total += max(np.float64(sums[slot + action, REGRET]), 0.0)
    chosen: Number = ZERO
    before: Number = 0.0
    for action in range(count):
        weight = max(np.float64(sums[slot + action, REGRET]), 0.0)
        probability = weight / total if total > 0.0 else 1.0 / np.float64(count)
        sums[slot + action, STRATEGY] += probability
        # The last one with a probability is taken, if sums of them fall short of the draw.
        chosen = action if (probability > 0.0) & (draw >= before) else chosen
        before += probability
    return chosen


@kernel(inline=True)
def learn_any(
    sums: Sums,
    slot: Number,
    count: Number,
    floor: float,
    visits: NDArray[np.int64],
    values: Floats,
    first: Number,
) -> Number:
    """Return the value of a visit with children from *first* on, and add its actions' regrets."""
    # The strategy is computed again from the regrets, which lie in cache lines that are written
    # below anyway, instead of being kept for each visit.
    total: Number = 0.0
    for action in range(count):
        total += max(np.float64(sums[slot + action, REGRET]), 0.0)
    value: Number = 0.0
    for action in range(count):
        weight = max(np.float64(sums[slot + action, REGRET]), 0.0)
        probability = weight / total if total > 0.0 else 1.0 / np.float64(count)
        value += probability * values[first + action]
    # r(a) = v(a) - v: sampled counterfactual regrets, since the sampling probability of the other
    # seats' actions and of the deal cancels their reach.
    for action in range(count):
        regret = regret_of(visits[first + action], values[first + action], value)
        sums[slot + action, REGRET] = max(sums[slot + action, REGRET] + regret, floor)
    return value


@kernel(inline=True)
def learn_three(
    sums: Sums,
    slot: Number,
    count: Number,
    floor: float,
    visits: NDArray[np.int64],
    values: Floats,
    first: Number,
) -> Number:
    """Do the same as ``learn_any`` for up to three actions."""
    strategy = matched_strategy(sums, slot, count)
    # Triples stay in registers: actions that the node lacks have probability 0, and what stands
    # behind the list is read and unused.
    action_values = (values[first], values[first + ONE], values[first + TWO])
    value = (
        strategy[0] * action_values[0]
        + strategy[1] * action_values[1]
        + strategy[2] * action_values[2]
    )
    regrets = (
        regret_of(visits[first], action_values[0], value),
        regret_of(visits[first + ONE], action_values[1], value),
        regret_of(visits[first + TWO], action_values[2], value),
    )
    add_regrets(sums, slot, count, regrets, floor)
    return value


@kernel
def regret_of(child: Number, action_value: Number, value: Number) -> float:
    """Return the regret of an action of value *action_value*; 0 if it was skipped."""
    return 0.0 if child == SKIPPED else action_value - value


@kernel
def most_visits(tree: TreeFormat, nodes: Ints32, actions: Ints32, traverser: Number) -> int:
    """Return the largest number of visits that a traversal can have, whatever is sampled."""
    # A traverser's node adds all its subtrees, one of another seat only the largest. Children have
    # higher numbers than their parents.
    below = np.zeros(len(nodes), np.int64)
    for node in range(len(nodes) - 1, -1, -1):
        seat, _, _, count = tree.decision(nodes, np.uint64(node))
        own = seat == np.uint64(traverser)
        total: Number = np.int64(count) if own else 0
        for action in range(count):
            child = tree.child(nodes, actions, np.uint64(node), action)
            if child >= 0:
                total = total + below[child] if own else max(total, below[child])
        below[node] = total
    return int(below[0]) + 1


@kernel
def discount(sums: Sums, positive: float, negative: float, strategy: float) -> None:
    """Multiply positive regrets, negative regrets and strategy sums by these factors."""
    # One pass over both columns, which share cache lines; a regret of 0 stays one either way.
    for slot in range(len(sums)):
        sums[slot, REGRET] *= positive if sums[slot, REGRET] > 0 else negative
        sums[slot, STRATEGY] *= strategy
