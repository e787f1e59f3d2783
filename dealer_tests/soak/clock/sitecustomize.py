"""A wall clock that can be made to jump, for processes that have this folder on their PYTHONPATH.

The file ``shift`` in the folder SOAK_CLOCK says by how many seconds ``time.time``, ``time.time_ns``
and ``datetime.now`` are wrong; it is read when the process begins and at each SIGUSR2. What the
process then takes for the time is written to ``told.<process>``. The monotonic clock goes on.
"""

from __future__ import annotations

import datetime
import os
import signal
import time
from pathlib import Path

FOLDER = Path(os.environ.get("SOAK_CLOCK", ""))
NANOS = 1_000_000_000
real_time_ns = time.time_ns
shift_ns = 0


def shifted_time_ns() -> int:
    return real_time_ns() + shift_ns


def shifted_time() -> float:
    return shifted_time_ns() / NANOS


class ShiftedDatetime(datetime.datetime):
    """The time of day by the shifted clock."""

    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> ShiftedDatetime:
        return cls.fromtimestamp(shifted_time(), tz)

    @classmethod
    def utcnow(cls) -> ShiftedDatetime:
        return cls.now(datetime.UTC).replace(tzinfo=None)


def jump(*_: object) -> None:
    """Read the shift, and tell what time it is now, by the clock that everybody here asks."""
    global shift_ns
    shift_ns = int((FOLDER / "shift").read_text()) * NANOS
    (FOLDER / f"told.{os.getpid()}").write_text(f"{time.time() - real_time_ns() / NANOS:.3f}")


if "SOAK_CLOCK" in os.environ:
    time.time, time.time_ns = shifted_time, shifted_time_ns
    datetime.datetime = ShiftedDatetime  # type: ignore[misc]
    jump()
    signal.signal(signal.SIGUSR2, jump)
