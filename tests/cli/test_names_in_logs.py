"""Names outside ASCII in match logs: two players, the same bytes, and prints that do not crash."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from io import BytesIO, StringIO
from pathlib import Path

import pytest

from acpcbot.logs.match_log import HandRecord, read_match_log, write_match_log
from acpcbot.logs.tally import SeatingTotals
from tests.protocol.log_making import as_bytes, match_log
from tests.support.games import LEDUC

CHINESE = ("\u5f20\u4e09", "\u674e\u56db")
OLD_BYTES = "\udcc5ke"
"""A name that an older dealer wrote in latin-1."""


SEVERAL = """
import sys
from acpcbot.cli.dispatch import main

for line in sys.argv[1:]:
    assert main(line.split()) == 0
    sys.stdout.flush()
    sys.stdout.buffer.write(bytes(1))
"""


def printed(folder: Path, *commands: str, encoding: str) -> list[bytes]:
    """Return the output of each of *commands* under an *encoding*, one process for all."""
    process = subprocess.run(
        [sys.executable, "-c", SEVERAL, *commands],
        cwd=folder,
        capture_output=True,
        env=os.environ | {"PYTHONIOENCODING": encoding},
        timeout=120,
        check=True,
    )
    return process.stdout.split(bytes(1))[:-1]


@pytest.mark.parametrize("names", [CHINESE, ("\u00c5ke", OLD_BYTES), (OLD_BYTES, "\udcc6ke")])
def test_names_are_two_players_and_come_out_as_they_were(names: tuple[str, str]) -> None:
    """Caught: `??` for both, one player instead of two, bytes that were replaced."""
    log, file, totals = as_bytes(match_log(LEDUC, 6, names=names)), BytesIO(), SeatingTotals()
    entries = list(read_match_log(BytesIO(log)))
    write_match_log(entries, file)
    assert file.getvalue() == log
    for entry in entries:
        if isinstance(entry, HandRecord):
            totals.add(entry)
    assert sorted(totals.by_name()) == sorted(names)


def test_a_name_is_read_as_utf_8() -> None:
    """Caught: letters of two bytes read as two letters."""
    log = as_bytes(match_log(LEDUC, 1, names=CHINESE))
    assert CHINESE[0].encode() in log
    (hand,) = [entry for entry in read_match_log(BytesIO(log)) if isinstance(entry, HandRecord)]
    assert hand.names == CHINESE


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "cp1252"])
def test_every_form_of_report_prints_them(encoding: str, tmp_path: Path) -> None:
    """Caught: UnicodeEncodeError at the end of a long report, or names that become one another."""
    (tmp_path / "a.log").write_bytes(as_bytes(match_log(LEDUC, 30, names=(CHINESE[0], OLD_BYTES))))
    commands = (
        "log check a.log",
        *[f"report a.log{more}" for more in ("", " --format rows", " --format json")],
    )
    checked, report, rows, text, _ = printed(
        tmp_path, *commands, "report a.log -o page.html", encoding=encoding
    )
    assert b"\\udcc5ke" in checked
    assert b"30 hands" in report
    assert len({row["player"] for row in csv.DictReader(StringIO(rows.decode(encoding)))}) == 2
    assert {player["name"] for player in json.loads(text.decode(encoding))["players"]} == {
        CHINESE[0],
        OLD_BYTES,
    }
    assert CHINESE[0] in (tmp_path / "page.html").read_text(encoding="utf-8")
