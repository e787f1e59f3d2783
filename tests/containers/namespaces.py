"""Machines that are none: network namespaces on one switch, each with an address and a cable of
its own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

NETWORK = "10.231.77"


class Machines:
    """One namespace for each of *names*; the switch that joins them lies in another one."""

    def __init__(self, names: Sequence[str]) -> None:
        self._mark = f"acpcbot{os.getpid()}"
        self._names = list(names)

    def address(self, name: str) -> str:
        return f"{NETWORK}.{1 + self._names.index(name)}"

    def inside(self, name: str) -> list[str]:
        """Return the words before a command that is run on the machine *name*.

        The process keeps its id.
        """
        return ["ip", "netns", "exec", self._space(name)]

    def plug(self, name: str, *, is_in: bool) -> None:
        """Put the cable of *name* into the switch, or pull it."""
        _run(*self.inside("switch"), "ip", "link", "set", f"to-{name}", "up" if is_in else "down")

    def build(self) -> None:
        _run("ip", "netns", "add", self._space("switch"))
        _run(*self.inside("switch"), "ip", "link", "add", "bridge", "type", "bridge")
        _run(*self.inside("switch"), "ip", "link", "set", "bridge", "up")
        for name in self._names:
            self._build(name)

    def _build(self, name: str) -> None:
        _run("ip", "netns", "add", self._space(name))
        plug = [
            "ip",
            "link",
            "add",
            f"to-{name}",
            "type",
            "veth",
            "peer",
            "name",
            "cable",
            "netns",
            self._space(name),
        ]
        _run(*self.inside("switch"), *plug)
        _run(*self.inside("switch"), "ip", "link", "set", f"to-{name}", "master", "bridge", "up")
        _run(*self.inside(name), "ip", "address", "add", f"{self.address(name)}/24", "dev", "cable")
        for device in ("lo", "cable"):
            _run(*self.inside(name), "ip", "link", "set", device, "up")

    def remove(self) -> None:
        for name in [*self._names, "switch"]:
            subprocess.run(
                ["ip", "netns", "delete", self._space(name)], capture_output=True, check=False
            )

    def _space(self, name: str) -> str:
        return f"{self._mark}-{name}"


def _run(*words: str) -> None:
    subprocess.run(words, check=True, capture_output=True, text=True)


@contextmanager
def machines(*names: str) -> Iterator[Machines]:
    """The machines *names*; skips the test, with the reason, where the system has none to give."""
    if shutil.which("ip") is None:
        pytest.skip("no network namespaces: there is no command ip (iproute2)")
    made = Machines(names)
    try:
        try:
            made.build()
        except subprocess.CalledProcessError as error:
            pytest.skip(f"no network namespaces: {error.stderr.strip()}")
        yield made
    finally:
        made.remove()
