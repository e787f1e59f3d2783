"""Python programs in processes of their own, which need not load the compiler each time.

To import numba and to compile a first kernel takes two seconds of CPU, more than most programs that
tests run. A process that has done both, and nothing else, waits here; each program runs in a copy
of it with its own folder, words, environment and files. Nothing of acpcbot is in that process: a
program imports it anew, and finds those kernels that are on disk. Elsewhere than on Linux each
program is started as usual.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

LONGEST_S = 300

# A copy goes on behind the loop, and ends as any program does.
COPIES = r"""
import gc, json, os, random, runpy, signal, sys
import numba
numba.njit(lambda number: number + 1)(1)
gc.collect()
gc.freeze()
print("ready", flush=True)
for line in sys.stdin:
    child = os.fork()
    if not child:
        break
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
else:
    sys.exit()
job = json.loads(line)
signal.alarm(job["longest_s"])
for number, path in enumerate([os.devnull, *job["files"]]):
    os.dup2(os.open(path, os.O_RDWR | os.O_CREAT), number)
os.chdir(job["folder"])
os.environ.clear()
os.environ.update(job["environment"])
random.seed()
own_path = os.environ.get("PYTHONPATH", "").split(os.pathsep)
sys.path[1:1] = [path for path in own_path if path and path not in sys.path]
kind, *words = job["command"]
if kind == "-m":
    sys.path[0] = os.getcwd()
    sys.argv = words
    runpy.run_module(words[0], run_name="__main__", alter_sys=True)
elif kind == "-c":
    sys.argv = ["-c", *words[1:]]
    exec(compile(words[0], "<string>", "exec"), {"__name__": "__main__"})
else:
    sys.path[0] = os.path.dirname(kind)
    sys.argv = [kind, *words]
    runpy.run_path(kind, run_name="__main__")
"""


@cache
def _loaded_process() -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", COPIES],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
    )
    atexit.register(_end, process)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def _end(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.close()
    process.wait()


def run_python(
    *words: object, folder: Path, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run ``python WORDS`` in *folder* to its end, with nothing to read."""
    command = [str(word) for word in words]
    surroundings = dict(os.environ if environment is None else environment)
    if sys.platform == "linux":
        return _run_copy(command, folder, surroundings)
    return subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env=surroundings,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=LONGEST_S,
        check=False,
    )


def _run_copy(
    command: Sequence[str], folder: Path, environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    process = _loaded_process()
    assert process.stdin is not None
    assert process.stdout is not None
    with tempfile.TemporaryDirectory() as place:
        files = [Path(place, name) for name in ("out", "err")]
        job = {
            "command": command,
            "folder": str(folder),
            "environment": environment,
            "files": [str(path) for path in files],
            "longest_s": LONGEST_S,
        }
        process.stdin.write(json.dumps(job) + "\n")
        process.stdin.flush()
        status = int(process.stdout.readline())
        out, err = (path.read_text(encoding="utf-8") for path in files)
    return subprocess.CompletedProcess([sys.executable, *command], status, out, err)
