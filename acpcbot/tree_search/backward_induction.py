"""Exact values of Goofspiel by points, by backward induction over everything that can be left.

With open bids the value of a position depends only on the cards that each seat has left and on the
points still to be turned up. With k tricks to go there are C(n, k) sets for each of the three, and
a position's value is the mean, over the point card turned up next, of a matrix game of k x k bids.
Exchanging the hands changes the sign, so only half of the positions are solved, and equal hands are
worth nothing. Sets are numbered within their size in ascending order of their bits.

Values are kept for all positions: 1.1 GB for 11 cards as float32. ``values`` [number of tricks to
go] are float [hand of seat 0, hand of seat 1, points]. In a folder they are files that are mapped
into memory, with a mark for each finished hand of seat 0, and a run that was interrupted, or
killed, goes on from there.

Sources: Ross (1971), Goofspiel, the game of pure strategy; Rhoads & Bartholdi (2012), Computer
solution to the game of pure strategy.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from math import comb
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.lib.format import open_memmap

from acpcbot.arrays import AnyArray, AnyFloats, Floats, Ints
from acpcbot.errors import UsageError
from acpcbot.games.game import CHANCE, OVER, State
from acpcbot.games.goofspiel import ACTOR, HAND, LEAD, NUM_LEFT, POINTS, UPCARD
from acpcbot.jit import kernel
from acpcbot.memory import available_bytes, memory_text, size_text, verify_memory
from acpcbot.tree_search.matrix_games import matrix_value
from acpcbot.worker_threads import worker_threads

MOST_CARDS = 11
Storage = Literal["float64", "float32"]

Progress = Callable[[int, int], None]
"""Called with the number of matrix games that are solved, and of all that have to be."""


def count_positions(num_cards: int) -> int:
    """Return the number of positions of Goofspiel with *num_cards* for each seat."""
    return sum(comb(num_cards, left) ** 3 for left in range(num_cards + 1))


def count_matrix_games(num_cards: int) -> int:
    """Return the number of matrix games to solve: half of all, none between equal hands."""
    counts = [comb(num_cards, left) for left in range(num_cards + 1)]
    return sum(left * (count - 1) * count**2 // 2 for left, count in enumerate(counts))


def needed_bytes(num_cards: int, storage: Storage = "float32") -> dict[str, int]:
    """Return the bytes that the values take, by purpose."""
    return {"values": count_positions(num_cards) * np.dtype(storage).itemsize}


def announcement(num_cards: int, storage: Storage = "float32") -> str:
    """Return a line with the work that values for *num_cards* take, and the memory.

    >>> announcement(11).split(";")[0]
    'Goofspiel(11): 278,415,920 positions, 763,703,842 matrix games'
    """
    games = f"{count_positions(num_cards):,} positions, {count_matrix_games(num_cards):,}"
    memory = memory_text(needed_bytes(num_cards, storage), available_bytes())
    return f"Goofspiel({num_cards}): {games} matrix games; {memory}"


class GoofspielValues:
    """The value of every position of PD-Goof(*num_cards*), once ``solve`` has gone through.

    In a *folder* values are kept in files, and are taken up again from there. Raises UsageError for
    more than 11 cards, for too little memory, and for a folder of other values.
    """

    def __init__(
        self, num_cards: int, folder: Path | None = None, storage: Storage = "float32"
    ) -> None:
        if not 1 <= num_cards <= MOST_CARDS:
            raise UsageError(
                f"{num_cards} cards: values are for 1 to {MOST_CARDS}; {num_cards} cards have"
                f" {count_positions(max(0, num_cards)):,} positions"
                f" ({size_text(sum(needed_bytes(max(0, num_cards), storage).values()))})",
                f"ask for at most {MOST_CARDS} cards",
            )
        needed = needed_bytes(num_cards, storage)
        work = f"Goofspiel({num_cards}) by backward induction"
        verify_memory(needed, available_bytes(), work, "ask for fewer cards")
        self.num_cards = num_cards
        self.ranks, self.sets = _numbered_sets(num_cards)
        self.values: list[AnyFloats] = []
        self.is_done: list[AnyArray] = []
        for left in range(num_cards + 1):
            shape = (comb(num_cards, left),) * 3
            self.values.append(_array(folder, f"values_{left}.npy", shape, storage))
            self.is_done.append(_array(folder, f"done_{left}.npy", shape[:1], "uint8"))

    @property
    def is_solved(self) -> bool:
        """True when all values are there."""
        return all(done.all() for done in self.is_done)

    def solve(
        self, on_progress: Progress | None = None, num_threads: int = os.cpu_count() or 1
    ) -> None:
        """Find all values that are missing; the same ones on any number of threads."""
        num_solved, num_games = 0, count_matrix_games(self.num_cards)
        self.is_done[0][:] = 1
        for left in range(1, self.num_cards + 1):
            done = self.is_done[left]
            missing = np.flatnonzero(done == 0).tolist()
            count = len(done)
            num_solved += sum(_games_of(left, count, row) for row in np.flatnonzero(done).tolist())

            def work(row: int, left: int = left) -> int:
                solve_row(
                    self.values[left],
                    self.values[left - 1],
                    self.sets[left],
                    self.ranks,
                    left,
                    row,
                )
                return row

            with worker_threads(num_threads) as pool:
                # A mark is set when its values stand, so that a run that is killed loses only the
                # rows that it was at.
                for row in pool.map(work, missing):
                    done[row] = 1
                    num_solved += _games_of(left, count, row)
                    if on_progress is not None:
                        on_progress(num_solved, num_games)

    def value(self, state: State) -> float:
        """Return the payoff of seat 0 to expect in *state* of PD-Goof with open bids.

        The state is one of chance, of seat 0, or the end.
        """
        lead, left = int(state[LEAD]), int(state[NUM_LEFT])
        hands, points = [int(state[HAND]), int(state[HAND + 1])], int(state[POINTS])
        if state[ACTOR] == OVER:
            return float(lead)
        if state[ACTOR] == CHANCE:
            place = self.ranks[hands[0]], self.ranks[hands[1]], self.ranks[points]
            return lead + float(self.values[left][place])
        if state[ACTOR] != 0:
            raise UsageError("seat 1 is to bid in this state", "ask before seat 0 bids")
        tableau, labels = _memory(left)
        places = np.zeros(left * left, np.int64)
        find_places(hands[0], hands[1], len(self.sets[left - 1]), self.ranks, places)
        behind = self.values[left - 1].reshape(-1)
        rest = int(self.ranks[points])
        fill_matrix(tableau, hands[0], hands[1], left, int(state[UPCARD]), behind, places, rest)
        return lead + float(matrix_value(tableau, left, left, labels))


def _memory(left: int) -> tuple[Floats, Ints]:
    return np.zeros((left + 1, left + 1)), np.zeros(2 * left, np.int64)


def _games_of(left: int, count: int, row: int) -> int:
    """Return the number of matrix games that a *row* of so many hands and points takes."""
    return left * (count - 1 - row) * count


def _numbered_sets(num_cards: int) -> tuple[Ints, list[Ints]]:
    """Return the number of each set among those of its size, and the sets by size and number."""
    masks = np.arange(1 << num_cards)
    sizes = np.array([mask.bit_count() for mask in masks.tolist()])
    sets = [masks[sizes == size] for size in range(num_cards + 1)]
    ranks = np.zeros(1 << num_cards, np.int64)
    for members in sets:
        ranks[members] = np.arange(len(members))
    return ranks, sets


def _array(folder: Path | None, name: str, shape: tuple[int, ...], dtype: str) -> AnyArray:
    """Return zeros, or what the file *name* in *folder* holds."""
    if folder is None:
        return np.zeros(shape, dtype)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    if not path.exists():
        # Under another name until its size is right: what was killed in between is made anew.
        fresh = open_memmap(path.with_suffix(".new"), "w+", dtype, shape)
        fresh.flush()
        path.with_suffix(".new").rename(path)
    found: AnyArray = open_memmap(path, "r+")
    if found.shape != shape or found.dtype != dtype:
        raise UsageError(
            f"{path}: expected {dtype} {list(shape)}, found {found.dtype} {list(found.shape)}",
            "name another folder: this one holds other values",
        )
    return found


@kernel
def solve_row(
    values: AnyFloats, behind: AnyFloats, sets: Ints, ranks: Ints, left: int, row: int
) -> None:
    """Find the values of all positions in which seat 0 holds the hand number *row*."""
    # Both hands outside, points inside: the k * k rows of values behind two hands are C(n, k - 1)
    # numbers each, some 50 KB in the middle of 11 cards, and serve all sets of points from the
    # second cache.
    count = len(sets)
    tableau, labels = np.zeros((left + 1, left + 1)), np.zeros(2 * left, np.int64)
    places = np.zeros(left * left, np.int64)
    flat = behind.reshape(-1)
    first = sets[row]
    for other in range(row + 1, count):
        second = sets[other]
        find_places(first, second, behind.shape[0], ranks, places)
        for rank in range(count):
            points, total = sets[rank], 0.0
            upcards = points
            while upcards > 0:
                # The lowest bit of what is left, and its number.
                bit = upcards & -upcards
                upcards ^= bit
                upcard = 0
                while bit >> upcard > 1:
                    upcard += 1
                fill_matrix(tableau, first, second, left, upcard, flat, places, ranks[points ^ bit])
                total += matrix_value(tableau, left, left, labels)
            values[row, other, rank] = total / left
            values[other, row, rank] = -values[row, other, rank]


@kernel
def find_places(first: int, second: int, num_behind: int, ranks: Ints, places: Ints) -> None:
    """Write the place in the values behind of each pair of bids, [bid, bid], points aside."""
    # One pass over the bids of two hands, and not one for each upcard and set of points.
    place, own = 0, first
    while own > 0:
        bid = own & -own
        own ^= bid
        others = second
        while others > 0:
            answer = others & -others
            others ^= answer
            hands = ranks[first ^ bid] * num_behind + ranks[second ^ answer]
            places[place] = hands * num_behind
            place += 1


@kernel
def fill_matrix(
    tableau: Floats,
    first: int,
    second: int,
    left: int,
    upcard: int,
    behind: AnyFloats,
    places: Ints,
    rest: int,
) -> None:
    """Write the matrix game of bids for *upcard* to *tableau*; *rest* is the number of points."""
    # Rows and columns are bids from the lowest. Bits compare as their cards do.
    own, prize = first, np.float64(upcard + 1)
    for row in range(left):
        bid = own & -own
        own ^= bid
        others = second
        for column in range(left):
            answer = others & -others
            others ^= answer
            won = prize if bid > answer else (-prize if bid < answer else 0.0)
            tableau[row, column] = won + behind[places[row * left + column] + rest]
