"""Commands behind a line of progress: what is shown, what comes back, and what is told of a
failure.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from tests.support.terminals import Terminal
from tooling import progress
from tooling.progress import Activity, Failed, run


def python(text: str) -> list[str]:
    return [sys.executable, "-c", text]


def test_a_commands_output_is_returned_and_progress_shown(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert run(
        "counting", python("import sys; print('one'); print('two', file=sys.stderr)")
    ).split() == ["one", "two"]
    captured = capfd.readouterr()
    assert captured.out == ""
    assert "one" not in captured.err
    assert captured.err.startswith("counting ...\ncounting  ")


def test_a_failure_carries_the_talk_and_its_last_line_is_the_reason(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(Failed) as failure:
        run("trying", python("print('much'); print('no network'); raise SystemExit(3)"))
    assert (failure.value.status, failure.value.reason()) == (3, "no network")
    assert capfd.readouterr().err.endswith(", failed\n")


def test_a_program_that_is_not_there_is_a_failure() -> None:
    with pytest.raises(Failed, match="nosuch"):
        run("trying", ["/nosuch/program"])


def test_long_work_is_shown_again_and_again(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Catches a line that is printed once before a minute of silence. The child ends when two
    more lines are there.
    """
    monkeypatch.setattr(progress, "PLAIN_LINE_EVERY_S", 0.01)
    run("working", python("import time; time.sleep(0.5)"))
    assert capfd.readouterr().err.count("working ... 0 s\n") >= 2


def test_a_terminal_sees_one_line_that_turns_and_then_the_time() -> None:
    terminal = Terminal()
    activity = Activity("fetching", terminal)
    activity.turn()
    activity.end(is_done=True)
    frames = terminal.getvalue().split("\r\x1b[K")
    assert [frame[:1] for frame in frames[1:3]] == ["|", "/"]
    assert frames[-1].startswith("fetching  0.")
    assert terminal.getvalue().count("\n") == 1


def test_an_interrupt_ends_the_command_too(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []
    popen = subprocess.Popen

    def interrupt(self: Activity) -> None:
        raise KeyboardInterrupt

    def start(*words: Any, **options: Any) -> Any:
        started.append(popen(*words, **options))
        return started[-1]

    monkeypatch.setattr(progress, "PLAIN_LINE_EVERY_S", 0.01)
    monkeypatch.setattr(Activity, "turn", interrupt)
    monkeypatch.setattr(subprocess, "Popen", start)
    with pytest.raises(KeyboardInterrupt):
        run("sleeping", python("import time; time.sleep(60)"))
    assert [process.poll() is not None for process in started] == [True]
