"""``acpcbot log``: what it prints, what it writes, and what it refuses."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import pytest

from acpcbot.cli import progress_bars as bars
from acpcbot.cli.commands import log
from acpcbot.errors import BadLogLine, UsageError
from tests.protocol.log_making import as_bytes, match_log
from tests.support.games import FOLDER, LEDUC, NOLIMIT_2P, UNEVEN_3P

LEDUC_LOG = (
    "# name/game/hands/seed m leduc.limit.2p.game 2 7",
    "STATE:0:rc/cc:As|Kh/Ah:3|-3:Ann|Bo",
    "STATE:1:rc/rrc:Qh|Kh/Ah:-11|11:Bo|Ann",
    "SCORE:14|-14:Ann|Bo",
)


def run(*words: object) -> int:
    parser = argparse.ArgumentParser()
    log.add_arguments(parser)
    return log.run(parser.parse_args([str(word) for word in words]))


def written(path: Path, lines: Sequence[str]) -> Path:
    path.write_bytes(as_bytes(lines))
    return path


def test_check_prints_one_line_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Caught: totals by position, thousandths of a chip instead of a blind, text on the wrong
    stream.
    """
    first, second = (
        written(tmp_path / "a.log", LEDUC_LOG),
        written(tmp_path / "b.log", LEDUC_LOG[:1]),
    )
    assert run("check", first, second) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        f"{first}: 2 hands, 2 players: Ann 14 (7000.0 mbb/hand), Bo -14 (-7000.0 mbb/hand)",
        f"{second}: no hands",
    ]
    assert err == ""


def test_check_prints_names_as_they_stand_where_they_cannot_be_told_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Caught: an error for a log that is right."""
    path = written(tmp_path / "a.log", [line.replace("Bo", "B|o") for line in LEDUC_LOG])
    assert run("check", path) == 0
    assert capsys.readouterr().out == f"{path}: 2 hands, 2 players: Ann|B|o 14|-14\n"


def test_check_refuses_a_bad_line_behind_the_files_before(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Caught: a bad file passed over, or good ones kept back."""
    good = written(tmp_path / "good.log", LEDUC_LOG)
    bad = written(
        tmp_path / "bad.log", [*LEDUC_LOG[:2], LEDUC_LOG[2].replace("11", "12"), LEDUC_LOG[3]]
    )
    with pytest.raises(BadLogLine, match=r"bad\.log, line 3: expected the values"):
        run("check", good, bad)
    assert capsys.readouterr().out.count("\n") == 1


def test_check_takes_the_game_from_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Caught: --game ignored, or only shipped games taken."""
    path = written(tmp_path / "a.log", match_log(UNEVEN_3P, 3))
    with pytest.raises(UsageError):
        run("check", path)
    assert run("check", path, "--game", FOLDER / f"{UNEVEN_3P}.game") == 0
    assert "3 hands, 3 players" in capsys.readouterr().out


def test_check_can_leave_values_alone(tmp_path: Path) -> None:
    """Caught: logs with luck averaged out that cannot be checked at all."""
    path = written(tmp_path / "a.log", [line.replace("3|-3", "1.25|-1.25") for line in LEDUC_LOG])
    with pytest.raises(BadLogLine):
        run("check", path)
    assert run("check", path, "--any-values") == 0


def test_a_missing_file_is_the_systems_error(tmp_path: Path) -> None:
    """Caught: silence about a file that is not there."""
    with pytest.raises(OSError, match="No such file"):
        run("check", tmp_path / "none.log")


def test_a_log_goes_to_phh_and_comes_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Caught: a hand or the score lost on the way."""
    lines = match_log(NOLIMIT_2P, 5)
    path = written(tmp_path / "a.log", lines)
    assert run("to-phh", path, tmp_path / "a.phhs") == 0
    assert run("to-phh", path, tmp_path / "folder") == 0
    assert len(list((tmp_path / "folder").iterdir())) == 5
    for source in ("a.phhs", "folder"):
        assert run("from-phh", tmp_path / source, "-o", tmp_path / "b.log") == 0
        assert (tmp_path / "b.log").read_bytes() == as_bytes(lines[2:])
    assert capsys.readouterr().out.count("5 hands\n") == 4


def test_a_log_goes_to_pokerstars_text_and_comes_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Caught: a hand or the score lost on the way."""
    lines = match_log(NOLIMIT_2P, 5)
    path = written(tmp_path / "a.log", lines)
    assert run("to-pokerstars", path, tmp_path / "a.txt") == 0
    assert run("from-pokerstars", tmp_path / "a.txt", "-o", tmp_path / "b.log") == 0
    assert (tmp_path / "b.log").read_bytes() == as_bytes(lines[2:])
    assert capsys.readouterr().out.count("5 hands\n") == 2
    leduc = written(tmp_path / "c.log", match_log(LEDUC, 2))
    with pytest.raises(UsageError, match="PokerStars has no form for this game"):
        run("to-pokerstars", leduc, tmp_path / "c.txt")
    with pytest.raises(UsageError, match="holds no hand of PokerStars"):
        run("from-pokerstars", leduc, "-o", tmp_path / "d.log")
    assert not (tmp_path / "d.log").exists()


def test_a_log_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    """Caught: a file emptied before it is known what will stand in it."""
    target = written(tmp_path / "b.log", ["something else"])
    (tmp_path / "a.phhs").write_text("variant = 'PO'\n")
    with pytest.raises(UsageError):
        run("from-phh", tmp_path / "a.phhs", "-o", target)
    assert target.read_text() == "something else\n"


def test_games_without_a_form_in_phh_are_refused(tmp_path: Path) -> None:
    """Caught: Leduc written as hold'em."""
    path = written(tmp_path / "a.log", match_log(LEDUC, 2))
    with pytest.raises(UsageError, match="PHH has no form for this game"):
        run("to-phh", path, tmp_path / "a.phhs")


def test_a_large_file_has_a_bar_on_a_terminal_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Caught: control characters in a file that stderr goes to, or a bar that swallows the
    reading.
    """
    path = written(tmp_path / "a.log", match_log(LEDUC, 30))
    monkeypatch.setattr(bars, "LARGE_FILE", 1)
    for is_terminal in (True, False):
        monkeypatch.setattr("rich.console.Console.is_terminal", is_terminal)
        assert run("check", path) == 0
