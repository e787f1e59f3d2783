"""Recorded command lines of the official dealer: ours has the same words, files and exit status.

Behind a refusal ours may add a blank line and a hint.
"""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from acpcbot.poker.shipped import shipped_path
from dealer_tests.adversity import HOST, free_ports

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parent / "unit" / "cli.jsonl").read_text().splitlines()
]
WAITING = "waiting for players"
HINT = re.compile(r"(\nhint: [^\n]+\n)?")
LONGEST_S = 60

Row = dict[str, Any]


def title(row: Row) -> str:
    words = " ".join(row["argv"][1:]).replace("holdem.limit.2p.reverse_blinds.game", "GAME")
    return f"{words} {row.get('note', '')}"


def words_of(row: Row) -> tuple[list[str], dict[str, str]]:
    """The row's words with ports that are free here, and what each recorded port became."""
    argv = list(row["argv"][1:])
    if "-p" not in argv or not (row["exit"] == WAITING or "note" in row):
        return argv, {}
    place = argv.index("-p") + 1
    recorded = [port for port in re.findall("[0-9]+", argv[place]) if port != "0"]
    ports = dict(zip(recorded, map(str, free_ports(len(recorded))), strict=True))
    argv[place] = re.sub("[0-9]+", lambda found: ports.get(found[0], found[0]), argv[place])
    return argv, ports


def start(argv: list[str], folder: Path) -> subprocess.Popen[bytes]:
    game = "holdem.limit.2p.reverse_blinds"
    (folder / f"{game}.game").write_bytes(shipped_path(game).read_bytes())
    command = [sys.executable, "-m", "acpcbot", "deal", *argv]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def told(row: Row, process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """Return the dealer's output until it ends, or is ended while it waits for players."""
    assert process.stdout is not None
    assert process.stderr is not None
    if row["exit"] != WAITING:
        return process.communicate(timeout=LONGEST_S)
    stdout = process.stdout.readline()
    stderr = b"".join(process.stderr.readline() for _ in row["stderr"].splitlines())
    assert process.poll() is None
    process.kill()
    rest = process.communicate(timeout=LONGEST_S)
    return stdout + rest[0], stderr + rest[1]


def expected_ports(row: Row, ports: dict[str, str]) -> re.Pattern[str]:
    """Return the expected stdout, port numbers of the system's own choice aside."""
    if not re.fullmatch(r"[0-9 ]+\n", row["stdout"]):
        return re.compile(re.escape(row["stdout"]))
    return re.compile(" ".join(ports.get(port, "[0-9]+") for port in row["stdout"].split()) + "\n")


@pytest.mark.parametrize("row", ROWS, ids=title)
def test_the_recorded_words_files_and_exit_status(row: Row, tmp_path: Path) -> None:
    argv, ports = words_of(row)
    holder = None
    if "already taken" in row.get("note", ""):
        holder = socket.create_server((HOST, int(ports["18712"])))
    process = start(argv, tmp_path)
    try:
        stdout, stderr = told(row, process)
    finally:
        process.kill()
        process.wait()
        if holder is not None:
            holder.close()
    assert expected_ports(row, ports).fullmatch(stdout.decode())
    assert stderr.decode().startswith(row["stderr"])
    assert HINT.fullmatch(stderr.decode()[len(row["stderr"]) :])
    assert sorted(path.name for path in tmp_path.glob("*log")) == sorted(row["files"])
    if row["exit"] != WAITING:
        assert process.returncode == row["exit"]
    if row["exit"] == WAITING and row["files"]:
        assert (tmp_path / "m.log").read_text() == row["stderr"]
