"""Cost of a command's first run beyond a later one: compiled kernels and kept tables.

A command is run twice, first with an empty cache: CPU seconds of all its processes, those of the
second run taken away, and the number of functions compiled. `acpcbot/cli/compile_display.py` has
these numbers as ``TYPICAL_FUNCTIONS``, from which its line tells how far compiling is. All of it
takes a quarter of an hour.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figure import Figure

ONLY_BY_NAME = True
ROOT = Path(__file__).resolve().parents[1]
LIMIT = "strategies/holdem.limit.2p.reverse_blinds"
LEDUC = "strategies/leduc.limit.2p/dcfr"
RECIPE = f"{LEDUC}/recipe.toml"
LOG = "tests/data/gold/all_in/script_random_uneven_s28.log"
COMMANDS = (
    (
        "match",
        f"{LIMIT}/external_sampling",
        f"{LIMIT}/smooth_uct",
        "--hands",
        "20",
        "--duplicate",
        "-o",
        "{out}/match",
    ),
    ("show", f"{LIMIT}/external_sampling", "MATCHSTATE:0:0:r:AsKd|"),
    ("report", "{out}/match"),
    ("exploitability", LEDUC),
    ("evaluate", "{out}/match"),
    ("lbr", f"{LIMIT}/smooth_uct", "--deals", "20"),
    ("explain", "{out}/match", "--hand", "3", "--strategy", f"{LIMIT}/smooth_uct"),
    ("solve", "--board", "KsTd9h4s2c", "--pot", "100", "--stack", "400"),
    ("train", RECIPE, "--run-dir", "{out}/run", "--output", "{out}/snapshot"),
    ("arena", LEDUC, f"{LEDUC}?play=purified", "--deals", "2000"),
)
PROGRAM = """
import sys
from acpcbot.cli.compile_display import compile_display, show_compiling
from acpcbot.cli.dispatch import main
sys.argv = ["acpcbot", *sys.argv[1:]]
show_compiling()
status = main()
print(compile_display().num_done, file=sys.stderr)
sys.exit(status)
"""


def figures() -> Iterator[Figure]:
    """Yield seconds and functions for each command."""
    with tempfile.TemporaryDirectory() as place:
        out, cache = Path(place), Path(place, "cache")
        for words in COMMANDS:
            name = words[0]
            cold_s, num_functions = _run(words, out, cache / name)
            for folder in ("match", "run", "snapshot"):
                if words[0] in ("match", "train") and (out / folder).exists():
                    (out / folder).rename(out / f"{folder}_of_{words[0]}_cold")
            warm_s, _ = _run(words, out, cache / name)
            yield Figure(
                name=f"first run of '{name}', beyond a later one",
                value=cold_s - warm_s,
                unit="CPU-s",
                note=f"{num_functions} functions",
            )
            yield Figure(name=f"'{name}' when all is compiled", value=warm_s, unit="CPU-s")


def _run(words: tuple[str, ...], out: Path, cache: Path) -> tuple[float, int]:
    """Run the command.

    CPU seconds of it and all it started, and how many functions were compiled.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "ACPCBOT_CACHE": str(cache)}
    command = [sys.executable, "-c", PROGRAM, *(word.replace("{out}", str(out)) for word in words)]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return took_s, int(done.stderr.split()[-1])
