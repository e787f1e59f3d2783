"""An interrupt that comes while Python swallows exceptions still ends the command, and its
process at once.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

SWALLOWING = """
import ctypes, signal, sys, time
from acpcbot import __main__
from acpcbot.cli import dispatch

signal.signal(signal.SIGINT, signal.default_int_handler)

class Finalized:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)

called_back = ctypes.CFUNCTYPE(None)(lambda: signal.raise_signal(signal.SIGINT))

class Tangled:
    def __del__(self):
        print("freed", flush=True)

def work(words):
    tangled = Tangled()
    {swallow}
    print("went on", flush=True)
    time.sleep(60)

dispatch._run = work
sys.exit(__main__.main())
"""


@pytest.mark.parametrize("swallow", ["Finalized()", "called_back()"])
def test_an_interrupt_that_python_swallows_comes_again(swallow: str) -> None:
    program = SWALLOWING.replace("{swallow}", swallow)
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=50
    )
    # Nothing of the interrupted work is freed: what it had half done may not bear it.
    assert (ended.returncode, ended.stdout) == (130, "went on\n"), ended.stderr
    assert "error: interrupted" in ended.stderr


@pytest.mark.parametrize(
    "failure", ["RuntimeError('no code')", "UsageError('no agent', 'name one')", "OSError(2, 'x')"]
)
def test_an_error_that_a_swallowed_interrupt_causes_is_the_interrupt(failure: str) -> None:
    program = SWALLOWING.replace("{swallow}", "called_back()").replace(
        "time.sleep(60)", f"from acpcbot.errors import UsageError; raise {failure}"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=50
    )
    assert (ended.returncode, ended.stderr) == (130, "error: interrupted\n")


def test_other_errors_that_python_swallows_are_told_as_ever() -> None:
    program = SWALLOWING.replace("signal.raise_signal(signal.SIGINT)", "1 / 0", 1).replace(
        "{swallow}", "Finalized()"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program.replace("time.sleep(60)", "return 0")],
        capture_output=True,
        text=True,
        check=False,
        timeout=50,
    )
    assert (ended.returncode, "ZeroDivisionError" in ended.stderr) == (0, True), ended.stderr
