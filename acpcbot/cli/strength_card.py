"""Strength cards: what was measured of a stored strategy, as its manifest has it.

Measurements stand in the records of a manifest's ``strength``, oldest first:

    exploitability              by training, in big blinds a hand
    exploitability_mbb          exactly, in mbb/hand
    exploitability_low_mbb, ..._high_mbb, ..._high_mbb_ci
                                bounds by drawn flops, and half an interval
    lbr_MENU_mbb, ..._ci        won by local best response with that bet menu, and half an interval
    OPPONENT_mbb, ..._ci        won from that opponent, and half an interval
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import Any, NamedTuple, TypeGuard

from acpcbot.strategies.manifest import Record

EXPLOITABILITY, LBR, WON = "exploitability", "local best response", "won"
BOUNDS = "bounds on exploitability"
LOW, HIGH = f"{EXPLOITABILITY}_low", f"{EXPLOITABILITY}_high"
MBB = 1000.0
LEAST_MBB = 0.001
"""Less than this is told as less than this."""
LARGE_MBB, SMALL_MBB = 100.0, 10.0
NAMES = re.compile(r"(?:(?P<lbr>lbr)_)?(?P<what>.+)_mbb")
NO_OPPONENTS = ("nash_conv", "largest_gain")


class Measurement(NamedTuple):
    """One figure, in mbb/hand: *kind* is one of the four above.

    *against* is the bet menu of a local best response, or the opponent. *half_width_mbb* is half
    of a 95 % confidence interval, None for exact figures. Of bounds *mbb* is the higher one and
    *low_mbb* the lower.
    """

    kind: str
    against: str
    mbb: float
    half_width_mbb: float | None
    low_mbb: float | None = None

    @property
    def text(self) -> str:
        """The figure in a few words, without its unit."""
        if self.kind == EXPLOITABILITY:
            return f"exploitable {_shown(self.mbb)}"
        width = "" if self.half_width_mbb is None else f" ± {_shown(self.half_width_mbb)}"
        if self.low_mbb is not None:
            width = "" if self.half_width_mbb is None else f" ± {self.half_width_mbb:.0f}"
            return f"exploitable ≤ {_shown(self.mbb)}{width}"
        if self.kind == LBR:
            return f"LBR {self.against} {_shown(self.mbb)}{width}"
        sign = "+" if self.mbb > 0 else ""
        return f"{PurePath(self.against).name} {sign}{_shown(self.mbb)}{width}"


def measurements(strength: Iterable[Record]) -> list[Measurement]:
    """Return the figures of the records of *strength*; of two for one thing the later one."""
    found = {
        (figure.kind, figure.against): figure for record in strength for figure in _figures(record)
    }
    return list(found.values())


def headline(found: Iterable[Measurement]) -> Measurement | None:
    """Return the figure that says most.

    Exploitability, else bounds on it, else the largest win of a local best response, which is less
    than exploitability, else the smallest win over an opponent. None where nothing was measured.
    """
    found = list(found)
    for kind in (EXPLOITABILITY, BOUNDS):
        own = [figure for figure in found if figure.kind == kind]
        if own:
            return own[-1]
    local = [figure for figure in found if figure.kind == LBR]
    if local:
        return max(local, key=lambda figure: figure.mbb)
    return min(found, key=lambda figure: figure.mbb, default=None)


def _figures(record: Record) -> Iterator[Measurement]:
    for name, value in record.items():
        if not _is_number(value):
            continue
        if name == EXPLOITABILITY:
            yield Measurement(EXPLOITABILITY, "", MBB * value, None)
            continue
        part = NAMES.fullmatch(name)
        if part is None or part["what"] in (*NO_OPPONENTS, LOW):
            continue
        half_width, low = record.get(f"{name}_ci"), record.get(f"{LOW}_mbb")
        half_width_mbb = float(half_width) if _is_number(half_width) else None
        if part["what"] == HIGH:
            if _is_number(low):
                yield Measurement(BOUNDS, "", float(value), half_width_mbb, float(low))
        elif name == f"{EXPLOITABILITY}_mbb":
            yield Measurement(EXPLOITABILITY, "", float(value), None)
        else:
            kind = LBR if part["lbr"] else WON
            yield Measurement(kind, part["what"], float(value), half_width_mbb)


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _shown(mbb: float) -> str:
    """Return *mbb* to two or three digits.

    >>> _shown(2671.6), _shown(21.63), _shown(0.14), _shown(4e-9)
    ('2672', '21.6', '0.14', '< 0.001')
    """
    if 0 < mbb < LEAST_MBB:
        return f"< {LEAST_MBB:g}"
    if abs(mbb) >= LARGE_MBB:
        return f"{mbb:.0f}"
    return f"{mbb:.1f}" if abs(mbb) >= SMALL_MBB else f"{mbb:.2g}"
