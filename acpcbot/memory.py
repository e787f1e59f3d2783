"""Memory checks before large work: the bytes it needs against those that are free."""

from __future__ import annotations

import os
from pathlib import Path

from acpcbot.errors import UsageError

MEMORY_FILE = Path("/proc/meminfo")
PROCESS_BYTES = 400 << 20
"""A process with the compiler and the kernels, before it loads a large strategy."""
GROUP_FILES = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current"))


def available_bytes() -> int | None:
    """Return the bytes that a process may still take, or None where the system does not tell."""
    free = _available_in_system()
    group = _available_in_group()
    return free if group is None else group if free is None else min(free, group)


def verify_memory(needed: dict[str, int], available: int | None, work: str, hint: str) -> None:
    """Raise UsageError if *work* needs more bytes than *available*; *needed* is by purpose."""
    total = sum(needed.values())
    if available is not None and total > available:
        raise UsageError(
            f"{work} would take {size_text(total)} ({_parts_text(needed)}),"
            f" and {size_text(available)} are free: {size_text(total - available)} are missing",
            hint,
        )


def processes_that_fit(process_bytes: int, available: int | None, most: int) -> int:
    """Return how many processes fit into the *available* bytes: at least one, and up to *most*.

    >>> processes_that_fit(1_000_000_000, 20_000_000_000, 4)
    4
    >>> processes_that_fit(9_000_000_000, 20_000_000_000, 4)
    2
    """
    return most if available is None else max(1, min(most, available // process_bytes))


def memory_text(needed: dict[str, int], available: int | None) -> str:
    """Return a line with the bytes *needed* for each purpose and those *available*.

    >>> memory_text({"tree": 20_000_000, "cards": 63_000_000}, 4_300_000_000)
    'memory: tree 20 MB, cards 63 MB of 4.3 GB free'
    """
    free = "" if available is None else f" of {size_text(available)} free"
    return f"memory: {_parts_text(needed)}{free}"


def size_text(size: int) -> str:
    """Return *size* bytes in words.

    >>> size_text(63_000_000), size_text(4_300_000_000)
    ('63 MB', '4.3 GB')
    """
    if size < 1_000_000_000:
        return f"{size / 1e6:.0f} MB" if size >= 10_000_000 else f"{size / 1e6:.1f} MB"
    return f"{size / 1e9:.1f} GB"


def _parts_text(needed: dict[str, int]) -> str:
    return ", ".join(f"{purpose} {size_text(size)}" for purpose, size in needed.items() if size)


def _available_in_system() -> int | None:
    if MEMORY_FILE.exists():
        for line in MEMORY_FILE.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    if "SC_AVPHYS_PAGES" in getattr(os, "sysconf_names", {}):
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return None


def _available_in_group() -> int | None:
    """Return the bytes that the control group, such as a container's, still allows."""
    try:
        limit, used = (path.read_text().strip() for path in GROUP_FILES)
    except OSError:
        return None
    return None if limit == "max" else max(0, int(limit) - int(used))
