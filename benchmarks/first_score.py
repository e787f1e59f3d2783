"""Time from nothing to the score of the README's match: a fresh clone, and a wheel.

Both start with an empty home, so nothing is compiled or kept of packages; they come from wherever
pip takes them. The clone is of what is committed here. From a wheel: the time of ``python -m
venv``, of pip and of the same match; building the wheel is not counted. Everything is watched
through a pseudo-terminal, as a user sees it, and the longest time in which nothing moved there is a
figure, too.
"""

from __future__ import annotations

import os
import pty
import re
import resource
import runpy
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.figure import Figure
from tooling.wheels import build_wheel

ONLY_BY_NAME = True
ROOT = Path(__file__).resolve().parents[1]
BASE_PYTHON = os.path.realpath(sys.executable)
CLONE_S, WHEEL_S, SILENCE_S = 60.0, 45.0, 2.0
# What a new user's environment does not have. Where packages come from is left as it is.
OWN_PLACES = (
    "ACPCBOT_CACHE",
    "PIP_CACHE_DIR",
    "PYTHONPATH",
    "UV_CACHE_DIR",
    "VIRTUAL_ENV",
    "XDG_CACHE_HOME",
)
PIP_FILES = ("~/.config/pip/pip.conf", "~/.pip/pip.conf")


@dataclass(frozen=True, slots=True)
class Watched:
    """One command: its *seconds*, its processes' CPU seconds, and the time of the first hand."""

    seconds: float
    cpu_s: float
    first_hand_s: float | None
    silence_s: float
    text: bytes


def figures() -> Iterator[Figure]:
    """Yield the whole of each way, then where the time went."""
    with tempfile.TemporaryDirectory() as place:
        yield from from_clone(Path(place))
    with tempfile.TemporaryDirectory() as place:
        yield from from_wheel(Path(place))


def from_clone(place: Path) -> Iterator[Figure]:
    """Clone, and type ``./dev match``; then once more, when all is warm."""
    home = new_home(place)
    clone = place / "clone"
    cloned = watch(["git", "clone", str(ROOT), str(clone)], place, home)
    match = [BASE_PYTHON, "dev", "match"]
    played = watch(match, clone, home)
    set_up_s = float(re.findall(rb"set up in ([0-9.]+) s", played.text)[0])
    yield from rows("fresh clone to score", CLONE_S, [cloned, played])
    yield _figure("  of which git clone", cloned.seconds)
    yield _figure("  of which set-up", set_up_s)
    yield from _rows_of_match(played, set_up_s)
    again = watch(match, clone, home)
    yield _figure("./dev match when warm", again.seconds, 12.0, note=f"{again.cpu_s:.1f} CPU-s")
    light = watch([BASE_PYTHON, "dev", "--version"], clone, home)
    bare = watch([str(clone / ".venv/bin/python"), "-m", "acpcbot", "--version"], clone, home)
    yield _figure(
        "./dev --version when warm", light.seconds, note=f"{bare.seconds:.3f} s without ./dev"
    )


def from_wheel(place: Path) -> Iterator[Figure]:
    """Make an environment, install the wheel by pip, and type the same match in an empty folder."""
    home, folder = new_home(place), place / "empty"
    folder.mkdir()
    wheel = build_wheel(ROOT, place / "wheels")
    scripts = place / "venv" / "bin"
    made = watch([BASE_PYTHON, "-m", "venv", str(place / "venv")], folder, home)
    installed = watch([str(scripts / "pip"), "install", str(wheel)], folder, home)
    played = watch([str(scripts / "acpcbot"), *show_match()], folder, home)
    yield from rows("wheel to score", WHEEL_S, [made, installed, played])
    yield _figure("  of which python -m venv", made.seconds)
    yield _figure(
        "  of which pip install",
        installed.seconds,
        note=f"a wheel of {wheel.stat().st_size / 1e6:.0f} MB",
    )
    yield from _rows_of_match(played, 0.0)


def show_match() -> list[str]:
    """Return the words of the README's match, which ``dev`` has."""
    words: list[str] = runpy.run_path(str(ROOT / "dev"))["SHOW_MATCH"]
    return words


def rows(name: str, target_s: float, parts: Sequence[Watched]) -> Iterator[Figure]:
    """Yield the whole, and the longest silence of its last part, which is ours."""
    cpu = sum(part.cpu_s for part in parts)
    yield _figure(name, sum(part.seconds for part in parts), target_s, note=f"{cpu:.1f} CPU-s")
    yield _figure("  longest time without a sign of life", parts[-1].silence_s, SILENCE_S)


def _rows_of_match(played: Watched, before_s: float) -> Iterator[Figure]:
    assert played.first_hand_s is not None
    yield _figure(
        "  of which loading and compiling, to the first hand", played.first_hand_s - before_s
    )
    yield _figure("  of which playing and the score", played.seconds - played.first_hand_s)


def _figure(name: str, value: float, target: float | None = None, note: str = "") -> Figure:
    return Figure(
        name=name, value=value, unit="s", target=target, higher_is_better=False, note=note
    )


def new_home(place: Path) -> dict[str, str]:
    """Return an environment with an empty home below *place* and this one's sources of packages."""
    kept = {name: value for name, value in os.environ.items() if name not in OWN_PLACES}
    for name in PIP_FILES:
        if Path(name).expanduser().exists():
            kept.setdefault("PIP_CONFIG_FILE", str(Path(name).expanduser()))
    (place / "home").mkdir()
    return {**kept, "HOME": str(place / "home"), "TERM": "xterm"}


def watch(words: Sequence[str], folder: Path, environment: dict[str, str]) -> Watched:
    """Run *words* on a terminal of their own; they must succeed."""
    cpu_before = _cpu_s()
    ours, theirs = pty.openpty()
    began = moved = time.monotonic()
    process = subprocess.Popen(
        words, cwd=folder, env=environment, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    text, silence_s, first_hand_s = b"", 0.0, None
    while True:
        ready, _, _ = select.select([ours], [], [], 0.05)
        now = time.monotonic()
        if first_hand_s is None and any(
            log.stat().st_size > 300 for log in folder.glob("matches/*/table*.log")
        ):
            first_hand_s = now - began
        if not ready:
            continue
        try:
            chunk = os.read(ours, 65536)
        except OSError:  # the other end was closed
            chunk = b""
        silence_s, moved = max(silence_s, now - moved), now
        if not chunk:
            break
        text += chunk
    os.close(ours)
    status = process.wait()
    seconds = time.monotonic() - began
    if status:
        raise SystemExit(
            f"error: {' '.join(words)} ended with {status}\n{text.decode(errors='replace')[-2000:]}"
        )
    return Watched(seconds, _cpu_s() - cpu_before, first_hand_s, silence_s, text)


def _cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
