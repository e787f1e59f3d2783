"""Runs of sweeps: traversals of a ``RangeGame``, one after another, by threads that share them.

A sweep is *opened* by the forward pass on the root's street, goes through the boards of later
streets in chunks, and is *closed* by the backward pass on the root's street. All sweeps of a run
are one kernel call a thread. Threads take one chunk after another by a counter that they share.
Each chunk has its own sum of values, in one of a few *slots*, and these are added up in the order
of the chunks, so that results are the same to the last bit for any number of threads, whichever was
faster. The thread that adds the last chunk of a sweep closes it and opens the next, while the
others wait.

Gadgets are part of that: they choose the reaches before each sweep, and learn behind it.

With leaf values, which may be Python code, each sweep is opened and closed by the caller.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, wait
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np

from acpcbot.arrays import AnyArray, Ints
from acpcbot.jit import kernel, shared_methods
from acpcbot.subgames.atomic import fetch_and_add, load
from acpcbot.subgames.block_rows import NUM_SEATS
from acpcbot.subgames.board_sweeps import (
    add_chunk,
    average_root,
    backward_root,
    board_chunks,
    clear_parts,
    forward_root,
    sweep_boards,
)
from acpcbot.subgames.gadgets import GadgetState, learn_choice, no_gadget, write_reach
from acpcbot.subgames.game import Betting, RangeGame
from acpcbot.subgames.leaf_values import LeafValues
from acpcbot.subgames.progress import (
    DONE,
    FINISHED,
    OPENED,
    STOPPED,
    TAKEN,
    USES,
    new_progress,
    wait_for,
)
from acpcbot.subgames.traversal import Scratch, Sweep, TraversalPolicy
from acpcbot.trees.board_tree import BoardArrays
from acpcbot.uncounted_arrays import uncounted
from acpcbot.worker_threads import worker_threads

SLOTS_PER_THREAD = 3
"""A thread waits for a slot when one of its earlier chunks is not added up yet."""
PROGRESS_INTERVAL_S = 0.1
SLICE_S = 0.004
"""Time after which the caller is asked whether to stop."""


@shared_methods
class SweepPolicies(Protocol):
    """The policies of the sweeps of a run. Sweep 0 is seat 0's, sweep 1 seat 1's."""

    def policy_of(self, number: int) -> TraversalPolicy:
        """Return the policy of a sweep; all are of one type."""
        ...


class RunArrays(NamedTuple):
    """Arrays of a run, which its threads share.

    ``chunks``  those of ``board_chunks``
    ``ranges``  [seat, hand]: the reaches with which both seats enter each sweep
    ``above``   [part of the second street, seat, hand]: the reaches behind the root's street
    ``sums``    [slot, part of the second street, hand]: the values of chunks until they are added
    ``below``   [part of the second street, hand]: the values behind the root's street
    ``values``  [seat, hand]: those of the root's street, in the last two sweeps
    ``gadgets`` by seat: they write ``ranges`` before each sweep, and learn from ``values``
    """

    chunks: Ints
    ranges: AnyArray
    above: AnyArray
    sums: AnyArray
    below: AnyArray
    values: AnyArray
    gadgets: tuple[GadgetState, GadgetState]


NO_GADGETS = no_gadget(), no_gadget()


def run_arrays(
    game: RangeGame,
    chunks: Ints,
    ranges: AnyArray,
    num_threads: int,
    gadgets: tuple[GadgetState, GadgetState] = NO_GADGETS,
) -> RunArrays:
    """Return the arrays of a run of sweeps of *game* by *num_threads*.

    *chunks* are its ``board_chunks``; seats enter with *ranges*, and with *gadgets*.
    """
    betting = game.betting
    num_below, num_hands = int(betting.first_child[1] - betting.first_child[0]), ranges.shape[1]
    # A thread alone adds up each chunk before it takes the next.
    most_slots = SLOTS_PER_THREAD * num_threads if num_threads > 1 else 1
    num_slots = max(1, min(len(chunks) - 1, most_slots))
    return RunArrays(
        chunks,
        ranges,
        above=np.empty((num_below, NUM_SEATS, num_hands), ranges.dtype),
        sums=np.empty((num_slots, num_below, num_hands), ranges.dtype),
        below=np.empty((num_below, num_hands), ranges.dtype),
        values=np.empty((NUM_SEATS, num_hands), ranges.dtype),
        gadgets=gadgets,
    )


@kernel
def run_sweeps(
    betting: Betting,
    boards: BoardArrays,
    policies: SweepPolicies,
    scratch: Scratch,
    arrays: RunArrays,
    first: int,
    last: int,
    progress: Ints,
) -> None:
    """Take part in the sweeps from number *first* to before *last*, until they are over or stopped.

    All threads of a run call it, with a *scratch* of their own.
    """
    # Tickets count the chunks of all sweeps and are never taken back, so that a thread that comes
    # late takes up where the others are, and none waits for a thread that has not begun. A sweep
    # without boards has one ticket and nothing to do for it.
    chunks, sums = arrays.chunks, arrays.sums
    num_tickets, num_slots = max(1, len(chunks) - 1), len(sums)
    while not progress[STOPPED]:
        ticket = fetch_and_add(progress, TAKEN, 1)
        number, chunk = first + ticket // num_tickets, ticket % num_tickets
        if number >= last:
            break
        sweep = uncounted(Sweep(betting, boards, policies.policy_of(number), scratch))
        if ticket == 0:
            open_sweep(sweep, arrays)
            fetch_and_add(progress, OPENED, 1)
        wait_for(progress, OPENED, number - first + 1)
        slot = ticket % num_slots
        wait_for(progress, DONE, ticket - num_slots + 1)
        if progress[STOPPED]:
            break
        if chunk + 1 < len(chunks):
            clear_parts(sums[slot])
            bounds = chunks[chunk], chunks[chunk + 1]
            sweep_boards(sweep, bounds, arrays.above, sums[slot], progress)
            if progress[STOPPED]:
                break
        fetch_and_add(progress, USES + slot, 1)
        # Whoever finishes a chunk adds up what can be added. Where another thread is at that, it is
        # left to it: FINISHED counts the chunks whose threads have come here and that the one which
        # adds has not taken note of, so that it looks again before it leaves.
        num_finished = 1 if fetch_and_add(progress, FINISHED, 1) == 0 else 0
        while num_finished > 0:
            done = load(progress, DONE)
            while load(progress, USES + done % num_slots) > done // num_slots:
                if done % num_tickets == 0:
                    clear_parts(arrays.below)
                add_chunk(sums[done % num_slots], arrays.below)
                is_over = (done + 1) % num_tickets == 0
                if is_over:
                    # No longer the sweep of this thread's own chunk where it adds those of others.
                    over = first + done // num_tickets
                    closed = Sweep(betting, boards, policies.policy_of(over), scratch)
                    close_sweep(uncounted(closed), arrays, over % NUM_SEATS)
                    if over + 1 < last:
                        following = Sweep(betting, boards, policies.policy_of(over + 1), scratch)
                        open_sweep(uncounted(following), arrays)
                fetch_and_add(progress, DONE, 1)
                if is_over:
                    fetch_and_add(progress, OPENED, 1)
                done += 1
            num_finished = fetch_and_add(progress, FINISHED, -num_finished) - num_finished


@kernel
def close_sweep(sweep: Sweep, arrays: RunArrays, seat: int) -> None:
    """Fill the values of the root's street from those behind it, and let the gadget learn."""
    average_root(sweep.boards, arrays.below)
    values = arrays.values[seat]
    backward_root(sweep, arrays.ranges, arrays.below, values)
    learn_choice(arrays.gadgets[seat], values)


@kernel
def open_sweep(sweep: Sweep, arrays: RunArrays) -> None:
    """Let the gadgets choose, and fill the reaches behind the root's street."""
    for seat in range(NUM_SEATS):
        write_reach(arrays.gadgets[seat], arrays.ranges[seat])
    if len(arrays.above):
        forward_root(sweep, arrays.ranges, arrays.above)


def never() -> bool:
    """Return False."""
    return False


class Limits(NamedTuple):
    """Limits that end a run of sweeps before it is done.

    ``deadline_s`` is a moment on the monotonic clock; ``is_stopped`` is asked every few
    milliseconds. Threads stop after the board that they are at.
    """

    deadline_s: float = math.inf
    is_stopped: Callable[[], bool] = never

    def are_reached(self) -> bool:
        """Return whether the run is to end now."""
        return time.monotonic() >= self.deadline_s or self.is_stopped()


NO_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Sweeper:
    """Traversals of *game* by as many threads as there are *scratches*.

    With *leaves* the game ends with the root's street, and they give the values beyond it.
    """

    game: RangeGame
    scratches: Sequence[Scratch]
    leaves: LeafValues | None = None
    chunks: Ints = field(init=False)

    def __post_init__(self) -> None:
        """Cut the boards into chunks once, for a best response on a river lasts 0.1 ms."""
        object.__setattr__(self, "chunks", board_chunks(self.game))

    def values(
        self,
        policies: SweepPolicies,
        number: int,
        ranges: AnyArray,
        *,
        learns: bool = False,
        on_chunk: Callable[[int, int], None] | None = None,
    ) -> AnyArray:
        """Return the traverser's values of the root's hands in sweep *number*, [hand].

        *ranges* [seat, hand] are the reaches with which both seats enter. With *learns* the leaves
        learn, too. *on_chunk* is called with the number of finished chunks and that of all.
        """
        arrays = run_arrays(self.game, self.chunks, ranges, len(self.scratches))
        row: AnyArray = arrays.values[number % NUM_SEATS]
        if self.leaves is None:
            self._run(policies, (number, number + 1), arrays, NO_LIMITS, on_chunk)
            return row
        policy, below = policies.policy_of(number), arrays.below
        sweep = Sweep(self.game.betting, self.game.boards.arrays, policy, self.scratches[0])
        if len(below):
            forward_root(sweep, ranges, arrays.above)
            below = self.leaves.values(policy.own_seat(), arrays.above, learns=learns)
        backward_root(sweep, ranges, below, row)
        return row

    def both_values(self, policies: SweepPolicies, ranges: AnyArray) -> AnyArray:
        """Return the values of both seats' sweeps, [seat, hand], with *ranges* [seat, hand]."""
        if self.leaves is not None:
            return np.stack([self.values(policies, seat, ranges) for seat in range(NUM_SEATS)])
        # One run for both: its arrays, its threads and the kernel call are made once.
        arrays = run_arrays(self.game, self.chunks, ranges, len(self.scratches))
        self._run(policies, (0, NUM_SEATS), arrays, NO_LIMITS, None)
        return arrays.values

    def run(
        self,
        policies: SweepPolicies,
        num_sweeps: int,
        ranges: AnyArray,
        limits: Limits,
        gadgets: tuple[GadgetState, GadgetState] = NO_GADGETS,
    ) -> int:
        """Make *num_sweeps* sweeps without leaves, each with *ranges*, until *limits* are reached.

        Seats with *gadgets* enter with their reaches, which are written into *ranges*. Return how
        many sweeps were made; the next one may have been begun.
        """
        arrays = run_arrays(self.game, self.chunks, ranges, len(self.scratches), gadgets)
        return self._run(policies, (0, num_sweeps), arrays, limits, None)

    def _run(
        self,
        policies: SweepPolicies,
        bounds: tuple[int, int],
        arrays: RunArrays,
        limits: Limits,
        on_chunk: Callable[[int, int], None] | None,
    ) -> int:
        if len(arrays.chunks) > 1:
            return self._run_threads(policies, bounds, arrays, limits, on_chunk)
        return self._run_slices(policies, bounds, arrays, limits)

    def _run_slices(
        self,
        policies: SweepPolicies,
        bounds: tuple[int, int],
        arrays: RunArrays,
        limits: Limits,
    ) -> int:
        """Make sweeps that have no boards to share on this thread, some at a time."""
        # An interrupt waits for a kernel on the caller's thread, and a thread takes about as long
        # to start as a small sweep: so there are as many sweeps in a call as a slice has time for.
        (first, last), size = bounds, 2
        while first < last and not limits.are_reached():
            end, started_s = min(last, first + size), time.monotonic()
            self._sweep(policies, self.scratches[0], arrays, (first, end), new_progress())
            took_s = max(time.monotonic() - started_s, 1e-6) / (end - first)
            first, size = end, max(1, int(SLICE_S / took_s))
        return first - bounds[0]

    def _run_threads(
        self,
        policies: SweepPolicies,
        bounds: tuple[int, int],
        arrays: RunArrays,
        limits: Limits,
        on_chunk: Callable[[int, int], None] | None,
    ) -> int:
        """Make sweeps by threads. An exception, such as an interrupt, stops them, as limits do."""
        progress, num_chunks = new_progress(len(arrays.sums)), len(arrays.chunks) - 1
        with worker_threads(len(self.scratches)) as threads:
            waiting = {
                threads.submit(self._sweep, policies, scratch, arrays, bounds, progress)
                for scratch in self.scratches
            }
            try:
                while waiting:
                    waiting = ended_wait(waiting, limits, is_observed=on_chunk is not None)
                    if on_chunk is not None:
                        on_chunk(int(progress[DONE]), num_chunks)
                    if limits.are_reached():
                        progress[STOPPED] = 1
            except BaseException:
                progress[STOPPED] = 1
                raise
        return int(progress[DONE]) // num_chunks

    def _sweep(
        self,
        policies: SweepPolicies,
        scratch: Scratch,
        arrays: RunArrays,
        bounds: tuple[int, int],
        progress: Ints,
    ) -> None:
        game = self.game
        run_sweeps(game.betting, game.boards.arrays, policies, scratch, arrays, *bounds, progress)


def ended_wait(waiting: set[Future[Any]], limits: Limits, *, is_observed: bool) -> set[Future[Any]]:
    """Wait until a call fails, all end, or it is time to look at limits; return those not ended.

    Raises what a call raised.
    """
    interval_s = PROGRESS_INTERVAL_S if is_observed else math.inf
    if limits.is_stopped is not never:
        interval_s = SLICE_S
    left_s = max(0.0, limits.deadline_s - time.monotonic())
    interval_s = min(interval_s, left_s)
    over, left = wait(waiting, None if interval_s == math.inf else interval_s, FIRST_EXCEPTION)
    for ended in over:
        ended.result()
    return left
