"""The watch of the benchmark from nothing to a score: what it sees of a command on its terminal."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")

if sys.platform != "win32":
    from benchmarks.first_score import new_home, show_match, watch


def python(text: str) -> list[str]:
    return [sys.executable, "-c", text]


def test_a_command_has_a_terminal_and_its_first_hand_is_noticed(tmp_path: Path) -> None:
    text = """
import os, sys, time
from pathlib import Path
assert sys.stderr.isatty()
Path("matches/m").mkdir(parents=True)
Path("matches/m/table000.log").write_text("STATE:0\\\\n" * 100)
time.sleep(0.3)
print("the score", os.environ["HOME"])
"""
    seen = watch(python(text), tmp_path, new_home(tmp_path))
    assert f"the score {tmp_path / 'home'}".encode() in seen.text
    assert seen.first_hand_s is not None
    assert 0 < seen.first_hand_s <= seen.seconds
    assert 0 < seen.silence_s <= seen.seconds
    assert seen.cpu_s > 0


def test_a_command_that_fails_ends_the_measuring(tmp_path: Path) -> None:
    """Catches a figure of a match that was never played."""
    with pytest.raises(SystemExit, match="no network"):
        watch(python("raise SystemExit('no network')"), tmp_path, new_home(tmp_path))


def test_the_match_of_the_readme_is_the_one_of_the_script() -> None:
    assert show_match()[0] == "match"
    assert "--duplicate" in show_match()
