"""Small logs are checked without what large ones and other commands need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.protocol.log_making import LOG, as_bytes, match_log
from tests.support.games import LEDUC

HEAVY = ("numba", "llvmlite", "rich", "structlog", "asyncio", "pokerkit", "numpy", "msgspec")


@pytest.mark.parametrize("lines", [LOG, match_log(LEDUC, 20), LOG[1:4]])
def test_a_small_log_is_checked_without_the_compiler(lines: list[str], tmp_path: Path) -> None:
    """Caught: a second of loading numba, or many of compiling, for a log of some hands."""
    path = tmp_path / "small.log"
    path.write_bytes(as_bytes(lines))
    program = (
        "import sys; from acpcbot.cli.dispatch import main; "
        f"status = main(['log', 'check', {str(path)!r}]); "
        f"print(status, *sorted({{name.partition('.')[0] for name in sys.modules}} & set({HEAVY!r})))"
    )
    assert_light(program)


def test_a_report_on_a_small_match_compiles_nothing(tmp_path: Path) -> None:
    """Caught: seconds of compiling before the first report of a match of some thousand hands."""
    path = tmp_path / "small.log"
    path.write_bytes(as_bytes(match_log(LEDUC, 200)))
    program = (
        "import sys; from acpcbot.cli.dispatch import main; "
        f"status = main(['report', {str(path)!r}, '-o', {str(tmp_path / 'page.html')!r}]); "
        "print(status, *sorted({name.partition('.')[0] for name in sys.modules} & {'numba', 'llvmlite'}))"
    )
    assert_light(program)


def assert_light(program: str) -> None:
    """Run *program*, which prints a status and the heavy modules that it has loaded."""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.splitlines()[-1] == "0"
