"""Commands that run behind a line of progress with the time that they take."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from typing import IO, NoReturn

SPINNER = "|/-\\"
TURN_S = 0.1
PLAIN_LINE_EVERY_S = 2.0


class Failed(Exception):
    """A command ended with *status*; *talk* is what it printed."""

    def __init__(self, status: int, talk: str) -> None:
        super().__init__(status, talk)
        self.status, self.talk = status, talk

    def reason(self) -> str:
        """Return the last line that the command printed."""
        lines = self.talk.strip().splitlines()
        return lines[-1].strip() if lines else f"status {self.status}"


def say(text: str) -> None:
    """Print *text* on stderr, where all talk goes."""
    print(text, file=sys.stderr, flush=True)


def refuse(problem: str, hint: str) -> NoReturn:
    """End the program with one line and a hint."""
    say(f"error: {problem}\n\nhint: {hint}")
    raise SystemExit(1)


class Activity:
    """A line of progress: a spinner on a terminal, elsewhere a line every two seconds."""

    def __init__(self, doing: str, stream: IO[str] | None = None) -> None:
        self._doing, self._stream = doing, stream or sys.stderr
        self._is_terminal = self._stream.isatty()
        self._began = self._printed = time.monotonic()
        self._turn = 0
        if self._is_terminal:
            self.turn()
        else:
            self._print(f"{doing} ...\n")

    @property
    def pause_s(self) -> float:
        """Return the seconds until the next turn."""
        return TURN_S if self._is_terminal else PLAIN_LINE_EVERY_S

    def turn(self) -> None:
        """Show that it still goes on."""
        now = time.monotonic()
        if self._is_terminal:
            spinner = SPINNER[self._turn % len(SPINNER)]
            self._print(f"\r\x1b[K{spinner} {self._doing}  {now - self._began:.0f} s")
            self._turn += 1
        elif now - self._printed >= PLAIN_LINE_EVERY_S:
            self._print(f"{self._doing} ... {now - self._began:.0f} s\n")
            self._printed = now

    def end(self, *, is_done: bool) -> None:
        """Leave one line with the time on a terminal; elsewhere only what lasted is told."""
        lasted_s = time.monotonic() - self._began
        line = f"{self._doing}  {lasted_s:.1f} s{'' if is_done else ', failed'}\n"
        self._print(f"\r\x1b[K{line}" if self._is_terminal else line)

    def _print(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def run(
    doing: str,
    words: Sequence[str],
    *,
    environment: Mapping[str, str] | None = None,
    folder: str = "",
) -> str:
    """Run *words* while a line tells that *doing* goes on.

    Return what was printed, raise Failed with the talk.
    """
    activity = Activity(doing)
    is_done = False
    try:
        with tempfile.TemporaryFile() as talk:
            process = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=talk,
                stderr=subprocess.STDOUT,
                env=None if environment is None else dict(environment),
                cwd=folder or None,
            )
            _wait(process, activity)
            talk.seek(0)
            said = talk.read().decode(errors="replace")
        if process.returncode:
            raise Failed(process.returncode, said)
        is_done = True
        return said
    except OSError as error:
        raise Failed(127, f"{words[0]}: {error.strerror}") from None
    finally:
        activity.end(is_done=is_done)


def _wait(process: subprocess.Popen[bytes], activity: Activity) -> None:
    """Wait for *process*; end it if this process is interrupted meanwhile."""
    try:
        while True:
            try:
                process.wait(activity.pause_s)
                return
            except subprocess.TimeoutExpired:
                activity.turn()
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait()


def environment_with(settings: Mapping[str, str]) -> dict[str, str]:
    """This process's environment with *settings* in it."""
    return {**os.environ, **settings}
