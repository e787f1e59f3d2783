"""``--game`` and ``--stack``: which game is taken, what is told of it, and what is refused."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from acpcbot.cli.commands import log, report
from acpcbot.cli.dispatch import main
from acpcbot.cli.game_arguments import add_game_arguments, named_game, stacked
from acpcbot.errors import BadLogLine, UnknownGame, UsageError
from acpcbot.matches.plan import load_plan
from acpcbot.poker.definition import with_stacks
from acpcbot.poker.shipped import find_definition, recognise, shipped_definition, shipped_path
from tests.cli.running import acpcbot
from tests.logs.test_game import SHORT_ALL_IN, SIX, TWO
from tests.protocol.log_making import as_bytes, shared_files

HEADER = f"# name/game/hands/seed m ../games/{SIX}.game 1 1"


def arguments_of(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_game_arguments(parser)
    return parser.parse_args(words)


def written(path: Path, *lines: str) -> Path:
    path.write_bytes(as_bytes(lines))
    return path


def check(*words: object) -> int:
    parser = argparse.ArgumentParser()
    log.add_arguments(parser)
    return log.run(parser.parse_args(["check", *map(str, words)]))


@pytest.mark.parametrize("name", [TWO, str(shipped_path(TWO)), f"{TWO}.game"])
@pytest.mark.parametrize(
    ("text", "stacks"), [("10000", (10_000, 10_000)), ("10000,5000", (10_000, 5000))]
)
def test_a_shipped_game_takes_other_stacks(name: str, text: str, stacks: tuple[int, ...]) -> None:
    """Caught: stacks that only shipped games take, or only equal ones."""
    game = named_game(arguments_of("--game", name, "--stack", text))
    assert game == (f"{TWO}@{text}", with_stacks(shipped_definition(TWO), stacks))
    assert find_definition(f"{name}@{text}") == game
    assert recognise(game[1]) == game[0]


@pytest.mark.parametrize(
    "text", ["", "0", "-5", "1e4", "10000,", "10000,5000,1", "10000;5000", "99", "99999999999"]
)
def test_stacks_that_cannot_be_are_refused(text: str) -> None:
    """Caught: a game that nobody can play, or a traceback."""
    with pytest.raises(UsageError):
        named_game(arguments_of("--game", TWO, "--stack", text))


def test_a_stack_needs_a_game() -> None:
    """Caught: an option that is passed over."""
    with pytest.raises(UsageError, match="--stack without a game"):
        named_game(arguments_of("--stack", "10000"))
    assert named_game(arguments_of()) is None
    own = (TWO, shipped_definition(TWO))
    assert stacked(arguments_of(), own) is own
    assert stacked(arguments_of("--stack", "7000"), own)[1].stacks == (7000, 7000)


def test_a_log_that_says_no_game_is_tried(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Caught: published logs that ask for a definition; a game that is taken and not told."""
    path = written(tmp_path / "a.log", SHORT_ALL_IN)
    assert check(path) == 0
    out, err = capsys.readouterr()
    assert out.startswith(f"{path}: 1 hands, 6 players: A -50 (-500.0 mbb/hand)")
    assert err == f"no log says its game; taken for --game {SIX} --stack 10000\n"


def test_a_log_that_does_not_fit_its_header_is_refused_with_the_options_that_fit(
    tmp_path: Path,
) -> None:
    """Caught: a game taken against what the log says, or a hint that leaves the user to guess."""
    path = written(tmp_path / "a.log", HEADER, SHORT_ALL_IN)
    with pytest.raises(BadLogLine, match="raises go from 17900 to 20000") as error:
        check(path)
    assert error.value.hint == f"all hands fit --game {SIX} --stack 10000"
    assert check(path, "--game", SIX, "--stack", 10_000) == 0
    assert check(path, "--stack", 10_000) == 0


def test_a_damaged_log_keeps_its_own_hint(tmp_path: Path) -> None:
    """Caught: damage that is taken for another game."""
    path = written(tmp_path / "a.log", HEADER, SHORT_ALL_IN.replace("9150", "9151"))
    with pytest.raises(BadLogLine) as error:
        check(path)
    assert "the line reads" in error.value.hint
    bare = written(tmp_path / "b.log", SHORT_ALL_IN.replace("9150", "9151"))
    with pytest.raises(UnknownGame, match="names no shipped game"):
        check(bare)


@pytest.mark.parametrize("path", shared_files("data/pluribus/sample_game_1*.log"))
def test_published_logs_are_checked_without_a_game_file(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Caught: a log with or without a header that no option reads."""
    assert check(path, "--game", SIX, "--stack", 10_000) == 0
    assert check(path, "--stack", "10000") == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == second
    assert "6 players" in first


def test_a_report_takes_one_game_for_all_logs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Caught: a log without all-ins taken for a game with other stacks than the log beside it."""
    folded = SHORT_ALL_IN.replace("r9000r10000fffff", "r300fffff").replace("-9000|9150", "150|0")
    logs = [written(tmp_path / "a.log", folded), written(tmp_path / "b.log", SHORT_ALL_IN)]
    parser = argparse.ArgumentParser()
    report.add_arguments(parser)
    assert report.run(parser.parse_args([*map(str, logs), "--format", "rows"])) == 0
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 13
    assert err.splitlines()[0] == f"no log says its game; taken for --game {SIX} --stack 10000"


def test_a_match_with_other_stacks_can_be_read_again(tmp_path: Path) -> None:
    """Caught: a plan, a header or a reader that falls back to the shipped stacks."""
    words = [
        "match",
        "raise",
        "raise",
        "--game",
        TWO,
        "--stack",
        "3000,1000",
        "--hands",
        20,
        "--in-process",
    ]
    done = acpcbot(tmp_path, *words, "-o", "m")
    assert done.returncode == 0, done.stderr
    assert load_plan(tmp_path / "m").definition.stacks == (3000, 1000)
    checked = acpcbot(tmp_path, "log", "check", "m/table000.log")
    assert checked.returncode == 0, checked.stderr
    assert "20 hands" in checked.stdout
    refused = acpcbot(tmp_path, "log", "check", "m/table000.log", "--game", TWO)
    assert refused.returncode == 1


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("solve --board KsTd9h4s2c --pot 100", "no --stack"),
        (
            "solve --game leduc.nolimit.2p --stack 10,20,30",
            "--stack 10,20,30: 3 stacks for 2 players",
        ),
        ("match call call --game leduc.limit.2p --stack x", "expected stacks, got 'x'"),
        ("play call localhost 5000 --game kuhn.limit.2p --stack 0", "expected stacks, got '0'"),
    ],
)
def test_a_wrong_stack_is_named(
    words: str, problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Caught: "no game" where a stack is missing or wrong."""
    assert main(words.split()) == 1
    assert f"error: {problem}" in capsys.readouterr().err
