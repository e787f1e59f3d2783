"""Products of matrices in a kernel of our own against the linear algebra library's, on one core.

With leaf values behind a street nearly all the time of a sweep goes to products of matrices: reaches
of all leaves by the equities of all pairs of hands, and for each leaf the residual by sums over
buckets and cards. A kernel with them inside could run many sweeps at once, as without leaf values.
This says how fast it would be.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from acpcbot.arrays import Floats32
from acpcbot.jit import kernel
from acpcbot.wide_lanes import WIDTH, load_wide, multiply_add, spread, store_wide
from benchmarks.abstraction import once
from benchmarks.figure import Figure

ONLY_BY_NAME = True
ROOT = Path(__file__).parents[1]
ROWS, DEPTH = 8, 32
SHAPES = {
    "19 leaves by equities of 1,184 hands": (19, 1184, 1184),
    "the residual of a leaf, other seat's": (64, 256, 64),
    "the residual of a leaf, chooser's": (256, 64, 64),
}
"""Rows, columns of the first matrix, columns of the second; these are whole vectors."""
RUNS, STARTS = 200, 5


def figures() -> Iterator[Figure]:
    """Yield the ratio of each product: above 1, the kernel takes longer."""
    found = [process_ratios() for _ in range(STARTS)]
    for name, own in zip(SHAPES, zip(*found, strict=True), strict=True):
        ratios, taken_ms = zip(*own, strict=True)
        yield Figure(
            name=name,
            value=statistics.median(ratios),
            unit="times",
            note=f"{STARTS} processes, from {min(ratios):.2f} to {max(ratios):.2f}; "
            f"the library's {statistics.median(taken_ms):.3f} ms",
        )


def process_ratios() -> list[tuple[float, float]]:
    """Return the ratio of each product in a new process, and the library's milliseconds."""
    words = [sys.executable, "-m", "benchmarks.leaf_products"]
    one_thread = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    run = subprocess.run(
        words, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=one_thread
    )
    return [(float(line.split()[0]), float(line.split()[1])) for line in run.stdout.splitlines()]


def main() -> None:
    """Print for each product the ratio and the library's milliseconds."""
    draw = np.random.default_rng(1)
    for rows, inner, columns in SHAPES.values():
        one = draw.random((rows, inner)).astype(np.float32)
        other = draw.random((inner, columns)).astype(np.float32)
        by_kernel, by_library = np.empty((2, rows, columns), np.float32)
        multiply(one, other, by_kernel)
        np.matmul(one, other, out=by_library)
        if not np.allclose(by_kernel, by_library, rtol=1e-4):
            raise RuntimeError("expected the same product from both")
        own_s, library_s = list[float](), list[float]()
        for _ in range(RUNS):
            own_s.append(once(partial(multiply, one, other, by_kernel))[0])
            library_s.append(once(partial(np.matmul, one, other, out=by_library))[0])
        own, library = statistics.median(own_s), statistics.median(library_s)
        print(own / library, 1000 * library)


@kernel
def multiply(one: Floats32, other: Floats32, product: Floats32) -> None:
    """Fill *product* [row, column] with *one* [row, inner] times *other* [inner, column].

    There are at least eight rows, and whole vectors of columns.
    """
    # Eight rows of one vector of sums stay in registers while thirty-two rows of the other matrix
    # go by; these stay in the first cache for all columns. The elements of eight rows lie side by
    # side, without those that are 0 in all. Faster than four, five, six or ten rows and than two
    # vectors, but on registers of half the width, where four rows of one vector are.
    num_rows, num_inner = one.shape
    num_columns = product.shape[1]
    sums, others = product.reshape(-1), other.reshape(-1)
    packed, used = np.empty(num_inner * ROWS, np.float32), np.empty(num_inner, np.int64)
    for begin in range(0, num_rows, ROWS):
        # The last eight rows overlap with those before, whose sums are then made once more.
        first = min(begin, num_rows - ROWS)
        for place in range(first * num_columns, (first + ROWS) * num_columns):
            sums[place] = 0
        num_used = 0
        for inner in range(num_inner):
            is_used = False
            for row in range(ROWS):
                number = one[first + row, inner]
                packed[num_used * ROWS + row] = number
                is_used |= number != 0
            used[num_used] = inner * num_columns
            num_used += is_used
        for start in range(0, num_used, DEPTH):
            for column in range(0, num_columns, WIDTH):
                top = first * num_columns + column
                a = load_wide(sums, top)
                b = load_wide(sums, top + num_columns)
                c = load_wide(sums, top + 2 * num_columns)
                d = load_wide(sums, top + 3 * num_columns)
                e = load_wide(sums, top + 4 * num_columns)
                f = load_wide(sums, top + 5 * num_columns)
                g = load_wide(sums, top + 6 * num_columns)
                h = load_wide(sums, top + 7 * num_columns)
                for place in range(start, min(num_used, start + DEPTH)):
                    vector = load_wide(others, used[place] + column)
                    a = multiply_add(spread(others, packed[place * ROWS]), vector, a)
                    b = multiply_add(spread(others, packed[place * ROWS + 1]), vector, b)
                    c = multiply_add(spread(others, packed[place * ROWS + 2]), vector, c)
                    d = multiply_add(spread(others, packed[place * ROWS + 3]), vector, d)
                    e = multiply_add(spread(others, packed[place * ROWS + 4]), vector, e)
                    f = multiply_add(spread(others, packed[place * ROWS + 5]), vector, f)
                    g = multiply_add(spread(others, packed[place * ROWS + 6]), vector, g)
                    h = multiply_add(spread(others, packed[place * ROWS + 7]), vector, h)
                store_wide(sums, top, a)
                store_wide(sums, top + num_columns, b)
                store_wide(sums, top + 2 * num_columns, c)
                store_wide(sums, top + 3 * num_columns, d)
                store_wide(sums, top + 4 * num_columns, e)
                store_wide(sums, top + 5 * num_columns, f)
                store_wide(sums, top + 6 * num_columns, g)
                store_wide(sums, top + 7 * num_columns, h)


if __name__ == "__main__":
    main()
