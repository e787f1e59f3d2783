"""A real browser without a window: pages are opened, asked and typed at over the DevTools
protocol, by a pipe.
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-extensions",
    "--mute-audio",
)
LONGEST_S = 120.0
# The browser reads commands from one and writes to the other; a pipe's own numbers must lie
# elsewhere.
COMMANDS_FD, REPORTS_FD, FIRST_FREE_FD = 3, 4, 10
CHUNK_SIZE = 1 << 16
LEFT = "Inspected target navigated or closed"
Message = dict[str, Any]


def chromium_path() -> str | None:
    """Return the path of a browser that can be driven, if there is one."""
    if sys.platform == "win32":
        return None
    return next((path for path in map(shutil.which, NAMES) if path), None)


needs_chromium = pytest.mark.skipif(
    chromium_path() is None, reason=f"no browser: none of {', '.join(NAMES)}"
)


class PageLeftError(Exception):
    """The page was left, as by a reload, while something was evaluated in it."""


class BrowserPage:
    """One open page: what it says on the console, what it asks the network for, and what is
    evaluated in it.
    """

    def __init__(self, commands: int, reports: int) -> None:
        self._commands, self._reports = commands, reports
        self._unread = b""
        self._number = 0
        self._session: str | None = None
        self._events: list[Message] = []

    def attach(self) -> None:
        """Begin with an empty page."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def open(self, path: Path, fragment: str = "") -> None:
        """Load the page at *path* to its end."""
        self.open_address(path.resolve().as_uri() + fragment)

    def open_address(self, address: str) -> None:
        """Load the page at *address* to its end."""
        self._events.clear()
        self.call("Page.navigate", url=address)
        while not self._of("Page.loadEventFired"):
            self._receive()

    def evaluate(self, expression: str) -> Any:
        """The value of *expression* in the page."""
        answer = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def text(self, selector: str) -> str:
        """Return the text of the first element that *selector* finds."""
        found = self.evaluate(f"document.querySelector({json.dumps(selector)}).innerText")
        assert isinstance(found, str)
        return found

    def click(self, selector: str) -> None:
        """Click the first element that *selector* finds."""
        self.evaluate(f"document.querySelector({json.dumps(selector)}).click()")

    def wait_for(self, expression: str, longest_s: float = LONGEST_S) -> None:
        """Look again and again until *expression* is true in the page, or in the one that follows."""
        deadline_s = time.monotonic() + longest_s
        while True:
            with suppress(PageLeftError):
                if self.evaluate(expression):
                    return
            assert time.monotonic() < deadline_s, f"waited in vain for {expression}"
            time.sleep(0.02)

    def picture(self, path: Path) -> None:
        """Write what is seen now to *path*, a PNG."""
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def whole_picture(self, path: Path) -> None:
        """Write the whole page, with what lies below the window, to *path*, a PNG."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)
        path.write_bytes(base64.b64decode(shot["data"]))

    def press(self, key: str) -> None:
        """Press and release *key*."""
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key)

    def complaints(self) -> list[Message]:
        """Everything that was said on the console, and every error."""
        self.evaluate("new Promise((done) => setTimeout(done, 50))")
        return self._of("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")

    def requests(self) -> list[str]:
        """Return the addresses that were requested, the page itself included."""
        return [event["request"]["url"] for event in self._of("Network.requestWillBeSent")]

    def call(self, method: str, **parameters: Any) -> Message:
        """Send a command and wait for its result."""
        self._number += 1
        number = self._number
        message = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while True:
            received = self._receive()
            if received.get("id") == number:
                if received.get("error", {}).get("message") == LEFT:
                    raise PageLeftError
                assert "error" not in received, received
                result: Message = received["result"]
                return result

    def _of(self, *methods: str) -> list[Message]:
        return [event["params"] for event in self._events if event.get("method") in methods]

    def _receive(self) -> Message:
        while b"\0" not in self._unread:
            ready, _, _ = select.select([self._reports], [], [], LONGEST_S)
            data = os.read(self._reports, CHUNK_SIZE) if ready else b""
            assert data, "the browser is silent"
            self._unread += data
        text, _, self._unread = self._unread.partition(b"\0")
        message: Message = json.loads(text)
        if "method" in message:
            self._events.append(message)
        return message


@contextmanager
def browser_page(profile: Path) -> Iterator[BrowserPage]:
    """A page of a browser of its own, which keeps its files in *profile*."""
    command_end, commands = _high_pipe()
    reports, report_end = _high_pipe()

    def place_ends() -> None:
        os.dup2(command_end, COMMANDS_FD)
        os.dup2(report_end, REPORTS_FD)

    path = chromium_path()
    assert path is not None
    words = [path, *FLAGS, f"--user-data-dir={profile}", "--remote-debugging-pipe", "about:blank"]
    process = subprocess.Popen(
        words,
        close_fds=False,
        preexec_fn=place_ends,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    os.close(command_end)
    os.close(report_end)
    try:
        page = BrowserPage(commands, reports)
        page.attach()
        yield page
        page.call("Browser.close")
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        os.close(commands)
        os.close(reports)


def _high_pipe() -> tuple[int, int]:
    """Both ends of a pipe, under numbers that are not the browser's."""
    import fcntl

    ends = os.pipe()
    high = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, FIRST_FREE_FD) for end in ends]
    for end in ends:
        os.close(end)
    return high[0], high[1]
