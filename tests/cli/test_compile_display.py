"""The line that tells what is being compiled: on a terminal, in a log file, beside bars."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from acpcbot.cli.compile_display import CompileDisplay, command_of
from acpcbot.jit import CompileEvent
from tests.support.terminals import SetClock, Terminal

ROOT = Path(__file__).parents[2]

PROGRAM = """
from acpcbot.cli.compile_display import show_compiling
show_compiling()
import numpy as np
from acpcbot.cards.any_strength_kernel import any_strength  # compiled at import, for a second or two
print(any_strength(np.arange(5, dtype=np.uint8), 5) > 0)
"""


class Bars:
    def __init__(self) -> None:
        self.rows: list[tuple[object, ...]] = []

    def show_delay(self, text: str, note: str, num_done: int, total: int | None) -> None:
        self.rows.append((text, note, num_done, total))

    def end_delay(self) -> None:
        self.rows.append(())


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture(autouse=True)
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """No thread that ticks: the tests say when."""
    monkeypatch.setattr(CompileDisplay, "_start_ticker", lambda self: None)


def began(kernel: str) -> CompileEvent:
    return CompileEvent(kernel, is_over=False)


def ended(kernel: str) -> CompileEvent:
    return CompileEvent(kernel, is_over=True)


def test_a_terminal_shows_the_outermost_kernel_and_how_far_it_is(clock: SetClock) -> None:
    stream = Terminal()
    display = CompileDisplay(stream, 40, clock=clock)
    display(began("solvers.sweep"))
    display.tick()
    assert not stream.getvalue()  # too short to be worth a line
    display(began("cards.strength"))
    display(ended("cards.strength"))
    clock.now_s += 3
    display.tick()
    assert (
        stream.getvalue()
        == "\r\x1b[2Kcompiling, once: 1 of about 40 functions, 3 s, now solvers.sweep"
    )
    display(ended("solvers.sweep"))
    assert stream.getvalue().endswith(
        "sweep\r\x1b[2K"
    )  # what is printed next begins on an empty line
    clock.now_s += 50
    display(began("trees.walk"))
    clock.now_s += 1
    display.tick()
    assert stream.getvalue().endswith(
        "2 of about 40 functions, 4 s, now trees.walk"
    )  # work in between is not counted


def test_more_functions_than_were_expected_have_no_total(clock: SetClock) -> None:
    stream = Terminal()
    display = CompileDisplay(stream, 1, clock=clock)
    for _ in range(2):
        display(began("cards.strength"))
        display(ended("cards.strength"))
    display(began("cards.strength"))
    clock.now_s += 1
    display.tick()
    assert stream.getvalue().endswith("once: 2 functions, 1 s, now cards.strength")


def test_a_file_gets_a_line_now_and_then(clock: SetClock) -> None:
    stream = io.StringIO()
    display = CompileDisplay(stream, clock=clock)
    display(began("solvers.sweep"))
    for _ in range(100):
        clock.now_s += 0.25
        display.tick()
    display(ended("solvers.sweep"))
    assert [line.split(", ")[2] for line in stream.getvalue().splitlines()] == [
        "1 s",
        "11 s",
        "21 s",
    ]
    assert "\x1b" not in stream.getvalue()


def test_a_quick_compilation_leaves_no_trace_in_a_file(clock: SetClock) -> None:
    stream = io.StringIO()
    display = CompileDisplay(stream, clock=clock)
    display(began("solvers.sweep"))
    clock.now_s += 0.9
    display.tick()
    display(ended("solvers.sweep"))
    assert not stream.getvalue()


def test_a_stream_that_was_closed_meanwhile_is_left_alone(clock: SetClock) -> None:
    """Catches a thread that dies in a program that runs commands."""
    for stream in (Terminal(), io.StringIO()):
        display = CompileDisplay(stream, clock=clock)
        display(began("solvers.sweep"))
        clock.now_s += 5
        display.tick()
        assert stream.getvalue()
        stream.close()
        clock.now_s += 20
        display.tick()
        display(ended("solvers.sweep"))


def test_bars_on_the_terminal_have_a_row_of_their_own_for_it(clock: SetClock) -> None:
    """Catches two writers on one line."""
    stream, bars = Terminal(), Bars()
    display = CompileDisplay(stream, 40, clock=clock, shown_bars=lambda: bars)
    display(began("solvers.sweep"))
    display.tick()
    display(ended("solvers.sweep"))
    assert bars.rows == [("compiling, once", "solvers.sweep", 0, 40), ()]
    assert not stream.getvalue()


@pytest.mark.parametrize(
    ("words", "command"),
    [(["evaluate", "exact", "call"], "exploitability"), (["arena", "x"], "arena"), ([], "")],
)
def test_a_command_is_named_by_its_words(words: list[str], command: str) -> None:
    assert command_of(words) == command


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_a_program_with_an_empty_cache_tells_what_it_compiles_before_its_result(
    tmp_path: Path,
) -> None:
    """Catches silence: the whole way, on a pseudo-terminal."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "ACPCBOT_CACHE": str(tmp_path), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", PROGRAM]
    with subprocess.Popen(
        command, env=environment, cwd=ROOT, stdout=subprocess.PIPE, stderr=theirs
    ) as process:
        os.close(theirs)
        heard = b""
        while True:
            try:
                chunk = os.read(ours, 4096)
            except OSError:
                break
            heard += chunk
            if not chunk:
                break
        assert process.stdout is not None
        assert process.stdout.read().strip() == b"True"
    os.close(ours)
    assert b"compiling, once: " in heard
    assert heard.rstrip().endswith(b"\x1b[2K")


def test_the_end_of_a_kernel_whose_start_an_interrupt_took_is_nothing(
    clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = Terminal()
    display = CompileDisplay(stream, clock=clock)

    def interrupt(_display: CompileDisplay) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(CompileDisplay, "_start_ticker", interrupt)
        with pytest.raises(KeyboardInterrupt):
            display(began("poker.deal"))
    display(ended("poker.deal"))
    assert not display.is_compiling
    assert display.num_done == 0
    display(began("poker.play"))
    assert display.is_compiling
    display(ended("poker.play"))
    assert not display.is_compiling
    assert display.num_done == 1


def test_two_processes_that_compile_share_the_line(clock: SetClock) -> None:
    """Catches events of one that end the line of the other, and a line that stays when a
    process has gone.
    """
    stream = Terminal()
    display = CompileDisplay(stream, clock=clock)
    display(began("cards.strength"), "worker 1")
    display(began("solvers.sweep"), "worker 2")
    display(ended("cards.strength"), "worker 1")
    clock.now_s += 2
    display.tick()
    assert stream.getvalue().endswith("once: 1 functions, 2 s, now solvers.sweep")
    display.end("worker 2")
    display.end("worker 1")
    assert stream.getvalue().endswith("sweep\r\x1b[2K")
