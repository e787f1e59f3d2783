"""Coverage of 95 % intervals in no-limit hold'em, by slices of one long match.

The shipped blueprint plays a long match against each of several opponents, in process. Matches of
100 to 3,000 hands are drawn from its hands, with replacement, so that the mean of the whole match is
exactly what their intervals should contain. A pot of 200 big blinds that the long match has once is
in some of them and not in others. SLICE_HANDS is the length of the long match [20,000].
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from rich.progress import Progress

from acpcbot.arrays import Floats
from acpcbot.cli.evaluate_options import KnownMatch, known_names
from acpcbot.matches.intervals import NORMAL_95, half_widths
from acpcbot.reports.hands import find_logs, read_hands
from benchmarks.commands import acpcbot
from benchmarks.figure import Figure

ONLY_BY_NAME = True
GAME = "holdem.nolimit.2p.reverse_blinds"
BLUEPRINT = f"strategies/{GAME}/cfr_br"
OPPONENTS = {
    "tight": "tight",
    "random": "random",
    "the blueprint, its likeliest actions": f"{BLUEPRINT}?play=purified",
}
PLAYER = "cfr_br"
NUM_HANDS, NUM_MATCHES, LENGTHS, MBB = 20_000, 2_000, (100, 300, 1000, 3000), 10.0


def figures() -> Iterator[Figure]:
    """Yield the coverage of every estimator against every opponent at each length, in percent."""
    num_hands = int(os.environ.get("SLICE_HANDS", NUM_HANDS))
    generator = np.random.default_rng(1)
    for label, opponent in OPPONENTS.items():
        chips = hand_chips(opponent, num_hands)
        for name, values in ((name, chips[name]) for name in ("chips", "AIVAT")):
            for length in LENGTHS:
                ours, normal, width = coverage(values, chips["chips"], length, generator)
                yield Figure(
                    name=f"against {label}, {name}, {length:,} hands",
                    value=100 * ours,
                    unit="%",
                    note=f"normal {100 * normal:.1f}; ± {width * MBB:.0f} mbb/hand on average,"
                    f" drawn from {len(values):,} hands",
                )


def hand_chips(opponent: str, num_hands: int) -> dict[str, Floats]:
    """Return the chips of each hand of the blueprint against *opponent*, by estimator."""
    with TemporaryDirectory() as folder:
        words = ["--game", GAME, "--hands", str(num_hands), "--in-process", "-o", folder]
        acpcbot("match", BLUEPRINT, opponent, *words)
        logs, definition = find_logs([Path(folder)])
        table = read_hands(logs, definition)
        names = known_names([Path(folder)], [], table)
        match = KnownMatch(table, names, BLUEPRINT, Progress(disable=True))
        return match.hand_chips(PLAYER)[1]


def coverage(
    values: Floats, chips: Floats, length: int, generator: np.random.Generator
) -> tuple[float, float, float]:
    """Return how often our interval and the normal one hold the mean of *values*, and our width.

    The matches have *length* hands each; *chips* are what the log has of each hand.
    """
    hands = generator.integers(len(values), size=(NUM_MATCHES, length))
    drawn, hand_rms = values[hands], np.sqrt((chips[hands] ** 2).mean(axis=1))
    residuals = drawn - drawn.mean(axis=1, keepdims=True)
    squares, cubes = (np.power(residuals, power).sum(axis=1) for power in (2, 3))
    off = np.abs(drawn.mean(axis=1) - values.mean())
    normal = NORMAL_95 * np.sqrt(length / (length - 1) * squares) / length
    ours = half_widths(squares, cubes, length, length, hand_rms)
    return float((off <= ours).mean()), float((off <= normal).mean()), float(ours.mean())
