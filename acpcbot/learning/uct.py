"""UCT and Smooth UCT: self-play Monte Carlo tree search with a tree for each player.

At each of its information sets a player takes the action with the highest upper bound or, with
probability 1 - eta_k, samples its own average strategy (Smooth UCT). UCT is the same with eta_k =
1.

    (2)  eta_k = max(gamma, eta / (1 + d sqrt(N_k)))
    (3)  c = min(C, pot + k * remaining betting potential), set anew on each street

Statistics of a slot are a pair that shares a cache line: how often the action was taken, N(u, a),
and the mean of what followed, Q(u, a), in big blinds. Kernels get them as two views of the same
memory, [slot, 2] each: ``visits[slot, 0]`` and ``means[slot, 1]``. An information set is in its
player's tree once it has a visit.

Source: Heinrich & Silver (2015), Smooth UCT Search in Computer Poker, algorithms 1 and 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats, Number, Triple, Uints64
from acpcbot.errors import UsageError
from acpcbot.jit import kernel
from acpcbot.learning.sampling import Deals, RandomState
from acpcbot.prefetching import LINE_BYTES, prefetch
from acpcbot.random_kernels import next_bits
from acpcbot.trees.public_tree import (
    LIMIT_CHILD,
    LIMIT_INFO,
    LIMIT_POTENTIAL,
    LIMIT_SLOT,
    LIMIT_STREET_POT,
    AbstractGame,
    info_kinds,
    info_seat,
    info_street,
    num_actions,
)

Statistics = NDArray[Any]

GAMMA, ETA, D, CAP, POTENTIAL_SHARE, LEAST, CHIP = range(7)
LOG_BITS = 10
LOG_TABLE = np.log1p((np.arange(1 << LOG_BITS) + 0.5) / (1 << LOG_BITS))
LN_2 = float(np.log(2.0))
ZERO, ONE, TWO = np.uint64(0), np.uint64(1), np.uint64(2)
HALF_WORD, LOWER_HALF, UNIT = np.uint64(32), np.uint64(0xFFFFFFFF), 2.0**-32
MAX_VISITS = 256
LARGE_TREE = 1 << 15
LINES_AHEAD = 4

Storage = Literal["float64", "float32"]


@dataclass(frozen=True, slots=True)
class UCTSettings:
    """The constants of equations (2) and (3), the latter in big blinds.

    Without *potential_share* (k of equation 3) c is *exploration* everywhere. *storage* is float64
    for counts and means alike, or half of that: uint32 counts, good for four billion visits to an
    action, and float32 means.
    """

    exploration: float
    potential_share: float | None = None
    gamma: float = 0.1
    eta: float = 0.9
    d: float = 0.001
    storage: Storage = "float64"

    def __post_init__(self) -> None:
        if not (0 <= self.gamma <= self.eta <= 1 and self.d >= 0 and self.exploration > 0):
            raise UsageError(
                f"gamma = {self.gamma}, eta = {self.eta}, d = {self.d}, "
                f"exploration = {self.exploration} are out of range",
                "0 <= gamma <= eta <= 1, d >= 0 and exploration > 0",
            )
        if self.storage not in ("float64", "float32"):
            raise UsageError(f"storage = {self.storage!r} is unknown", "use float64 or float32")


class UCTLearner:
    """UCT (gamma = eta = 1) or Smooth UCT on *game*."""

    round_length = 1 << 18

    def __init__(self, game: AbstractGame, settings: UCTSettings) -> None:
        self.game, self.settings = game, settings
        kind = np.float64 if settings.storage == "float64" else np.uint32
        self._statistics: NDArray[Any] = np.zeros((game.layout.num_slots, 2), kind)
        self._means = self._statistics.view(np.float64 if kind is np.float64 else np.float32)
        self._schedule = _schedule(settings, game.tree.definition.big_blind or 1)

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """``statistics`` [slot, 2]: N and Q; with float32 storage the bits of Q are in a uint32."""
        return {"statistics": self._statistics}

    @property
    def visits(self) -> NDArray[Any]:
        """N(u, a), [slot]."""
        return self._statistics[:, 0]

    @property
    def means(self) -> NDArray[Any]:
        """Q(u, a) in big blinds, [slot]."""
        return self._means[:, 1]

    def walk(self, deals: Deals, random_state: RandomState) -> None:
        """Play an episode for each deal."""
        tree, layout = self.game.tree, self.game.layout
        run_episodes(
            tree.nodes,
            layout.row_starts,
            layout.row_widths,
            tree.payoffs,
            deals,
            self._statistics,
            self._means,
            self._schedule,
            random_state,
        )

    def settle(self, num_done: int) -> None:
        """Do nothing: every episode is complete in itself."""

    def average_strategy(self) -> NDArray[np.float64]:
        """N(u, a) / N(u), [slot]."""
        return self.game.normalised(self.visits)


def _schedule(settings: UCTSettings, big_blind: int) -> NDArray[np.float64]:
    """Return the kernel's constants; a constant c is one that is never below its cap."""
    cap = settings.exploration * big_blind
    share, least = (
        (0.0, cap) if settings.potential_share is None else (settings.potential_share, 0.0)
    )
    return np.array([settings.gamma, settings.eta, settings.d, cap, share, least, 1 / big_blind])


@kernel
def run_episodes(
    nodes: NDArray[np.int32],
    row_starts: NDArray[np.int64],
    row_widths: NDArray[np.int64],
    payoffs: NDArray[np.float64],
    deals: NDArray[np.uint16],
    visits: Statistics,
    means: Statistics,
    schedule: NDArray[np.float64],
    random_state: NDArray[np.uint64],
) -> None:
    """Play one episode for each deal (algorithm 1) and learn from it.

    *schedule* holds gamma, eta and d of equation (2); the cap C in chips and the share k of
    equation (3), and a least value in chips; the value of a chip in big blinds.
    """
    num_seats, num_rows = np.uint64(payoffs.shape[2]), np.uint64(deals.shape[1] - 1)
    mixing = (schedule[GAMMA], schedule[ETA], schedule[D])
    # The slots of smaller trees lie in the caches of one core, and hints would only cost time.
    is_large = len(visits) > LARGE_TREE
    rows = np.zeros(num_rows, np.uint64)
    path_slots, path_seats = np.zeros(MAX_VISITS, np.uint64), np.zeros(MAX_VISITS, np.uint64)
    for deal in range(np.uint64(len(deals))):
        # The first slot of each seat's bucket on each street, [street * seats + seat].
        for place in range(num_rows):
            street = place // num_seats
            rows[place] = row_starts[street] + row_widths[street] * np.int64(deals[deal, place])
        # A bit of *outside* is set for each seat that has left its own tree in this episode.
        outside, length, node = ZERO, ZERO, np.int64(0)
        while node >= 0:
            here = np.uint64(node)
            info = nodes[here, LIMIT_INFO]
            seat = np.uint64(info_seat(info))
            actions = np.uint64(num_actions(info_kinds(info)))
            bits = next_bits(random_state)
            if outside >> seat & ONE:
                choice = roll_out(bits, actions)
            else:
                slot = rows[np.uint64(info_street(info)) * num_seats + seat] + np.uint64(
                    nodes[here, LIMIT_SLOT]
                )
                if is_large:
                    fetch_ahead(nodes, here, actions, rows, num_seats, visits)
                # Tried: the choice in the tree as a kernel of its own. Even inlined it made Leduc
                # 1.26 and Kuhn for three 1.33 times as long.
                # Three actions as scalars, which stay in registers, and not as an array. N and Q
                # of a slot are 16 bytes at most, so those of a node lie in one or two cache lines.
                first = np.float64(visits[slot, 0])
                second = np.float64(visits[slot + ONE, 0]) if actions > ONE else 0.0
                third = np.float64(visits[slot + TWO, 0]) if actions > TWO else 0.0
                if first + second + third > 0:
                    # Equation (3): c by the pot of the street and what may still be bet.
                    scope = (
                        nodes[here, LIMIT_STREET_POT]
                        + schedule[POTENTIAL_SHARE] * nodes[here, LIMIT_POTENTIAL]
                    )
                    bonus = schedule[CHIP] * max(schedule[LEAST], min(schedule[CAP], scope))
                    values = (
                        np.float64(means[slot, 1]),
                        np.float64(means[slot + ONE, 1]) if actions > ONE else 0.0,
                        np.float64(means[slot + TWO, 1]) if actions > TWO else 0.0,
                    )
                    choice = select(bits, actions, (first, second, third), values, bonus, mixing)
                else:
                    # A new information set: it enters the tree, and the seat rolls out from here.
                    outside |= ONE << seat
                    choice = roll_out(bits, actions)
                path_slots[length], path_seats[length] = slot + choice, seat
                length += ONE
            node = np.int64(nodes[here, np.uint64(LIMIT_CHILD) + choice])
        outcome, ordering = np.uint64(~node), np.uint64(deals[deal, num_rows])
        update(visits, means, path_slots, path_seats, length, payoffs, outcome, ordering)


@kernel(inline=True)
def fetch_ahead(
    nodes: NDArray[np.int32],
    here: Number,
    actions: Number,
    rows: Uints64,
    num_seats: Number,
    visits: Statistics,
) -> None:
    """Begin to fetch the statistics that may be read after each action at node *here*."""
    # A street's nodes below one first node follow each other in the row of each seat's bucket, and
    # a hand seldom gets beyond their first few lines. These are fetched while the player before
    # still chooses, for all seats together, so that a street waits for memory once and not at each
    # node. Within a street the next node is, which helps where streets are longer: with three
    # players. docs/methods/smooth_uct.md says what it gains, and what was slower.
    slots_of_line = np.uint64(LINE_BYTES // (2 * visits.itemsize))
    street = info_street(nodes[here, LIMIT_INFO])
    for action in range(actions):
        child = nodes[here, np.uint64(LIMIT_CHILD) + action]
        if child >= 0:
            after = np.uint64(child)
            info, offset = nodes[after, LIMIT_INFO], np.uint64(nodes[after, LIMIT_SLOT])
            first_row = np.uint64(info_street(info)) * num_seats
            if info_street(info) == street:
                prefetch(visits, rows[first_row + np.uint64(info_seat(info))] + offset)
            else:
                for seat in range(num_seats):
                    for line in range(np.uint64(LINES_AHEAD)):
                        prefetch(visits, rows[first_row + seat] + offset + line * slots_of_line)


@kernel(inline=True)
def update(
    visits: Statistics,
    means: Statistics,
    path_slots: Uints64,
    path_seats: Uints64,
    length: Number,
    payoffs: Floats,
    outcome: Number,
    ordering: Number,
) -> None:
    """Count the actions of an episode, and move their means by its payoffs (UPDATE)."""
    # The mean moves by (payoff - Q) / N, so no sum of payoffs is kept.
    for step in range(length):
        slot = path_slots[step]
        count = visits[slot, 0] + 1
        visits[slot, 0] = count
        means[slot, 1] += (
            payoffs[outcome, ordering, path_seats[step]] - means[slot, 1]
        ) / np.float64(count)


@kernel(inline=True)
def roll_out(bits: Number, actions: Number) -> Number:
    """Return an action of the rollout policy: all alike, by the lower half of *bits*."""
    return (bits & LOWER_HALF) * actions >> HALF_WORD


@kernel(inline=True)
def select(
    bits: Number, actions: Number, counts: Triple, values: Triple, bonus: Number, mixing: Triple
) -> Number:
    """Return the action of SELECT of algorithm 2.

    *counts* are the N(u, a), *values* the Q(u, a), *bonus* is c, *mixing* gamma, eta and d. The
    halves of *bits* are two random numbers: the first decides between the highest bound and the
    average strategy, the second draws.
    """
    total = counts[0] + counts[1] + counts[2]
    draw = np.float64(bits >> HALF_WORD) * UNIT
    # draw < max(gamma, eta / (1 + d sqrt(N))), without the division and the root.
    gap, slope = mixing[1] - draw, mixing[2] * draw
    if draw < mixing[0] or (gap > 0 and slope * slope * total < gap * gap):
        return highest_bound(bits, actions, counts, values, bonus * bonus * natural_log(total))
    # The average strategy N(u, a) / N(u): a place among all visits.
    left = np.float64(bits & LOWER_HALF) * UNIT * total
    choice = ZERO
    if left >= counts[0]:
        choice = TWO if left >= counts[0] + counts[1] else ONE
    return min(choice, actions - ONE)


@kernel(inline=True)
def highest_bound(
    bits: Number, actions: Number, counts: Triple, values: Triple, spread: Number
) -> Number:
    """Return the action with the highest Q + sqrt(spread / N); untried ones come first."""
    if counts[0] == 0 or (counts[1] == 0 and actions > ONE) or (counts[2] == 0 and actions > TWO):
        return untried(bits, actions, counts)
    # *spread* is c^2 ln N, so that one root an action is all: c sqrt(ln N / N(a)).
    choice = ZERO
    best = values[0] + np.sqrt(spread / counts[0])
    if actions > ONE:
        bound = values[1] + np.sqrt(spread / counts[1])
        if bound > best:
            best, choice = bound, ONE
        if actions > TWO and values[2] + np.sqrt(spread / counts[2]) > best:
            choice = TWO
    return choice


@kernel
def untried(bits: Number, actions: Number, counts: Triple) -> Number:
    """Return one of the actions without a visit, each as likely: ties are broken at random."""
    number = ZERO
    for action in range(actions):
        number += np.uint64(counts[action] == 0)
    place = roll_out(bits, number)
    for action in range(actions):
        if counts[action] == 0:
            if place == 0:
                return action
            place -= ONE
    return ZERO


@kernel(inline=True)
def natural_log(number: Number) -> Number:
    """Return ln of a number of at least one, to 0.0005.

    It is that of the exponent and, from a table, that of the leading bits.
    """
    # IEEE 754: eleven bits of exponent above 52 of mantissa, whose first LOG_BITS are the index.
    bits = np.float64(number).view(np.uint64)
    exponent = np.float64(np.int64(bits >> np.uint64(52)) - 1023)
    return (
        exponent * LN_2
        + LOG_TABLE[bits >> np.uint64(52 - LOG_BITS) & np.uint64((1 << LOG_BITS) - 1)]
    )
