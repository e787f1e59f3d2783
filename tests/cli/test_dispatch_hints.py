"""Hints for errors of the operating system, each provoked where that can be done."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from acpcbot.cli.commands import games
from acpcbot.cli.dispatch import hint_of, main
from tests.cli.running import REFUSAL

NO_FILE = "path"
"""A word of the hint for files, which once stood under every error."""


def busy_port() -> None:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        socket.create_server(holder.getsockname())


def refused_connection() -> None:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        address = holder.getsockname()
    socket.create_connection(address)


def unknown_host() -> None:
    socket.getaddrinfo("no.such.host.invalid", 1)


def other_machine() -> None:
    socket.create_server(("192.0.2.1", 0))


@pytest.mark.parametrize(
    ("provoke", "told"),
    [
        (busy_port, "name another port"),
        (refused_connection, "nobody listens there"),
        (unknown_host, "spelling"),
        (other_machine, "address of this machine"),
    ],
)
def test_trouble_with_a_port_is_not_taken_for_trouble_with_a_file(
    provoke: Callable[[], None],
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(games, "run", lambda _arguments: provoke())
    assert main(["games"]) == 1
    captured = capfd.readouterr()
    assert REFUSAL.fullmatch(captured.err)
    _, _, hint = captured.err.partition("hint: ")
    assert told in hint
    assert NO_FILE not in hint


def test_a_file_is_named_with_what_is_wrong_with_it(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as missing:
        (tmp_path / "nowhere" / "file").read_text()
    assert "folder" in hint_of(missing.value)
    with pytest.raises(IsADirectoryError) as folder:
        tmp_path.read_text()
    assert "name a file" in hint_of(folder.value)


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (errno.ENOSPC, "disk is full"),
        (errno.EMFILE, "ulimit -n"),
        (errno.EACCES, "permissions"),
        (errno.EROFS, "another file system"),
        (errno.EIO, NO_FILE),
    ],
)
def test_rare_errors_of_the_system_get_a_hint(number: int, told: str) -> None:
    assert told in hint_of(OSError(number, os.strerror(number), "place/file"))


def test_a_number_that_says_nothing_has_no_hint() -> None:
    assert hint_of(OSError(errno.EIO, os.strerror(errno.EIO))) == ""
