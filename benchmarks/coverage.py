"""Coverage of 95 % intervals in matches of 100 to 3,000 hands of small games.

Rare mistakes among the opponents are the hard case: AIVAT leaves no luck, so that all spread comes
from hands that a short match may not show. Where a match shows less than one such event on average,
an interval that reaches far enough for those it did not show holds the truth always; these settings
are told apart. Beside our intervals stands the normal approximation; widths are shares of the
normal ones of chips. A setting is an opponent, what AIVAT knows, a number of hands, and with or
without duplicate; COVERAGE_MATCHES is the number of matches in each [1000].
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from acpcbot.matches.intervals import (
    MIN_EFFECTIVE_SAMPLES,
    NORMAL_95,
    effective_samples,
    half_widths,
)
from benchmarks.figure import Figure
from tests.evaluation.drawn_matches import (
    BOTH,
    HERO,
    OPPONENTS,
    ROUNDING_CHIPS,
    Drawn,
    Pairing,
    pairing,
)

KUHN, LEDUC, LEDUC_NOLIMIT = "kuhn.limit.2p", "leduc.limit.2p", "leduc.nolimit.2p"
PAIRINGS = [
    *[(LEDUC, opponent, known) for opponent in OPPONENTS for known in (HERO, BOTH)],
    *[
        (LEDUC_NOLIMIT, name, BOTH)
        for name in ("one rare mistake", "two rare mistakes", "careful", "call", "fold")
    ],
    *[(KUHN, name, BOTH) for name in ("some mistakes", "call", "random")],
]
NUM_HANDS = (100, 300, 1000, 3000)
NUM_MATCHES = 1000


@dataclass(frozen=True, slots=True)
class Coverage:
    """The coverage of one estimator in one setting, by *ours* and by the *normal* interval.

    *width* is ours as a share of the normal one of chips. *tells* says that in the middle match
    enough samples decided the interval. *num_events* is the number of those expected that decide
    the sum of AIVAT, see ``events_a_hand``.
    """

    estimator: str
    setting: str
    num_hands: int
    ours: float
    normal: float
    width: float
    tells: bool
    num_events: float


def figures() -> Iterator[Figure]:
    found = list(coverages(int(os.environ.get("COVERAGE_MATCHES", NUM_MATCHES))))
    yield share("all settings, chips and AIVAT", found)
    for estimator in ("chips", "AIVAT"):
        own = [one for one in found if one.estimator == estimator]
        for num_hands in NUM_HANDS:
            yield share(
                f"{estimator}, {num_hands:,} hands",
                [one for one in own if one.num_hands == num_hands],
            )
        if estimator == "AIVAT":
            yield from by_events(own)
        yield share(
            f"{estimator}, at least {MIN_EFFECTIVE_SAMPLES:g} samples tell",
            [one for one in own if one.tells],
        )
        yield share(f"{estimator}, fewer tell", [one for one in own if not one.tells])
        worst = min(own, key=lambda one: one.ours)
        yield Figure(
            name=f"{estimator}, the lowest of {len(own)} settings",
            value=100 * worst.ours,
            unit="%",
            target=90,
            note=f"{worst.setting}; normal {100 * min(one.normal for one in own):.3g}",
        )


def by_events(found: list[Coverage]) -> Iterator[Figure]:
    """Settings where a match shows an event on average, and the others, by number of hands."""
    for num_hands in NUM_HANDS:
        own = [one for one in found if one.num_hands == num_hands]
        yield share(
            f"AIVAT, {num_hands:,} hands, an event or more",
            [one for one in own if one.num_events >= 1],
        )
        yield share(f"AIVAT, {num_hands:,} hands, less", [one for one in own if one.num_events < 1])


def coverages(num_matches: int) -> Iterator[Coverage]:
    """Yield every estimator in every setting."""
    generator = np.random.default_rng(1)
    for game, opponent, known in PAIRINGS:
        pair = pairing(game, opponent, known)
        for num_hands in NUM_HANDS:
            for is_duplicate in (False, True):
                kind = ", duplicate" * is_duplicate
                setting = f"{game}, {opponent}, {known} known, {num_hands:,} hands{kind}"
                drawn = pair.draw(num_hands, num_matches, generator, is_duplicate=is_duplicate)
                yield from both_coverages(setting, drawn, pair, num_hands)


def both_coverages(setting: str, drawn: Drawn, pair: Pairing, num_hands: int) -> Iterator[Coverage]:
    """Return the coverage of the intervals of chips and of AIVAT in the matches *drawn*."""
    for estimator, sums in (("chips", drawn.chips), ("AIVAT", drawn.aivat)):
        residuals = sums - sums.mean(axis=1, keepdims=True)
        num_samples = sums.shape[1]
        squares, cubes, fourths = (np.power(residuals, power).sum(axis=1) for power in (2, 3, 4))
        off = np.abs(sums.sum(axis=1) / num_hands - pair.truth) - ROUNDING_CHIPS
        normal = NORMAL_95 * np.sqrt(num_samples / (num_samples - 1) * squares) / num_hands
        if estimator == "chips":
            of_chips = normal.mean()
        ours = half_widths(squares, cubes, num_samples, num_hands, drawn.hand_rms)
        yield Coverage(
            estimator,
            setting,
            num_hands,
            ours=float((off <= ours).mean()),
            normal=float((off <= normal).mean()),
            width=float(ours.mean() / of_chips),
            tells=bool(
                np.median(effective_samples(squares, fourths, drawn.hand_rms))
                >= MIN_EFFECTIVE_SAMPLES
            ),
            num_events=pair.events_a_hand * num_hands,
        )


def share(name: str, found: list[Coverage]) -> Figure:
    """Return the mean over settings."""
    ours, normal = 100 * np.mean([(one.ours, one.normal) for one in found], axis=0)
    width = np.mean([one.width for one in found])
    note = f"normal {normal:.3g}; width {width:.3f}; {len(found)} settings"
    return Figure(name=name, value=float(ours), unit="%", target=93, note=note)
