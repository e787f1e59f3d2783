"""How often intervals of 95 % hold the truth, in matches of 100 to 3,000 hands between players of small games.

Rare mistakes among the opponents are the hard case: AIVAT leaves no luck, so that all spread comes from hands that a
short match may not show. Beside our intervals stands the normal approximation. A setting is an opponent, what
AIVAT knows, a number of hands, and with or without duplicate; COVERAGE_MATCHES is the number of matches in each [1000].
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from acpcbot.matches.intervals import LEAST_TELLING, NORMAL_95, Floats, half_widths, telling
from benchmarks.figure import Figure
from tests.evaluation.drawn_matches import BOTH, HERO, OPPONENTS, pairing

KUHN, LEDUC, LEDUC_NOLIMIT = "kuhn.limit.2p", "leduc.limit.2p", "leduc.nolimit.2p"
PAIRINGS = [
    *[(LEDUC, opponent, known) for opponent in OPPONENTS for known in (HERO, BOTH)],
    *[(LEDUC_NOLIMIT, name, BOTH) for name in ("one rare mistake", "two rare mistakes", "careful", "call", "fold")],
    *[(KUHN, name, BOTH) for name in ("some mistakes", "call", "random")],
]
NUM_HANDS = (100, 300, 1000, 3000)
NUM_MATCHES = 1000
ROUNDING_CHIPS = 1e-9


@dataclass(frozen=True, slots=True)
class Coverage:
    """One estimator in one setting: the shares of matches whose interval, *ours* and the *normal* one, held the truth.

    *tells* says that in the middle match enough samples decided the interval.
    """

    estimator: str
    setting: str
    num_hands: int
    ours: float
    normal: float
    tells: bool


def figures() -> Iterator[Figure]:
    found = list(coverages(int(os.environ.get("COVERAGE_MATCHES", NUM_MATCHES))))
    yield share("all settings, chips and AIVAT", found)
    for estimator in ("chips", "AIVAT"):
        own = [one for one in found if one.estimator == estimator]
        for num_hands in NUM_HANDS:
            yield share(f"{estimator}, {num_hands:,} hands", [one for one in own if one.num_hands == num_hands])
        yield share(f"{estimator}, at least {LEAST_TELLING:g} samples tell", [one for one in own if one.tells])
        yield share(f"{estimator}, fewer tell", [one for one in own if not one.tells])
        worst = min(own, key=lambda one: one.ours)
        yield Figure(
            name=f"{estimator}, the lowest of {len(own)} settings",
            value=100 * worst.ours,
            unit="%",
            target=90,
            note=f"{worst.setting}; normal {100 * min(one.normal for one in own):.3g}",
        )


def coverages(num_matches: int) -> Iterator[Coverage]:
    """Every estimator in every setting."""
    generator = np.random.default_rng(1)
    for game, opponent, known in PAIRINGS:
        pair = pairing(game, opponent, known)
        for num_hands in NUM_HANDS:
            for is_duplicate in (False, True):
                setting = f"{game}, {opponent}, {known} known, {num_hands:,} hands{', duplicate' * is_duplicate}"
                drawn = pair.draw(num_hands, num_matches, generator, is_duplicate=is_duplicate)
                for estimator, sums in (("chips", drawn.chips), ("AIVAT", drawn.aivat)):
                    yield coverage(estimator, setting, sums, pair.truth, drawn.hand_rms, num_hands)


def coverage(estimator: str, setting: str, sums: Floats, truth: float, hand_rms: Floats, num_hands: int) -> Coverage:
    """How often intervals of matches with these *sums* [match, sample] hold the *truth*, chips a hand."""
    residuals = sums - sums.mean(axis=1, keepdims=True)
    num_samples = sums.shape[1]
    squares, fourths = (np.power(residuals, power).sum(axis=1) for power in (2, 4))
    off = np.abs(sums.sum(axis=1) / num_hands - truth) - ROUNDING_CHIPS
    normal = NORMAL_95 * np.sqrt(num_samples / (num_samples - 1) * squares) / num_hands
    ours = half_widths(squares, fourths, num_samples, num_hands, hand_rms)
    tells = bool(np.median(telling(squares, fourths, hand_rms)) >= LEAST_TELLING)
    return Coverage(estimator, setting, num_hands, float((off <= ours).mean()), float((off <= normal).mean()), tells)


def share(name: str, found: list[Coverage]) -> Figure:
    """The mean over settings."""
    ours, normal = 100 * np.mean([(one.ours, one.normal) for one in found], axis=0)
    return Figure(name=name, value=float(ours), unit="%", target=93, note=f"normal {normal:.3g}; {len(found)} settings")
