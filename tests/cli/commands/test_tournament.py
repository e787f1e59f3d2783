"""``tournament`` as a process: what is played, by whom, and going on after anything that ended
it.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from acpcbot.cli.dispatch import main
from acpcbot.matches.score import score_match
from acpcbot.net.worker_pool import TableTask, tasks_of
from acpcbot.poker.definition import format_definition
from acpcbot.tournaments.plan import TournamentPlan
from dealer_tests.adversity import free_ports
from tests.cli.running import (
    LONGEST_S,
    acpcbot,
    kill_after,
    logs,
    num_hands,
    start,
    uninterrupted,
    wait_until,
)
from tests.support.games import KUHN, LIMIT_2P, definition_of

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs process groups and SIGKILL")

KUHN_3P = "kuhn.limit.3p"
CRASHING_ONCE = """
from pathlib import Path

from acpcbot.agents.baseline import CallAgent

class Bot(CallAgent):
    def act(self, state, deadline_s):
        if state.hand_id == 20 and not Path("crashed").exists():
            Path("crashed").touch()
            raise SystemExit(7)
        return super().act(state, deadline_s)
"""


def plan_of(*strategies: str, game: str = KUHN, num_hands: int = 30) -> TournamentPlan:
    text = format_definition(definition_of(game))
    return TournamentPlan(
        strategies, game, text, num_hands, seed=2, is_duplicate=True, is_in_process=True
    )


def tasks_below(plan: TournamentPlan, folder: Path) -> list[TableTask]:
    return [
        task for match in plan.matches() for task in tasks_of(match.plan, folder / match.folder)
    ]


def played(plan: TournamentPlan, folder: Path, num_tables: int = 1000) -> Path:
    """*folder*, with the first tables of *plan* played in it."""
    plan.save(folder)
    uninterrupted(tasks_below(plan, folder)[:num_tables], folder)
    return folder


def shown(capfd: pytest.CaptureFixture[str], folder: Path, *words: str) -> str:
    """Return the output of ``tournament show``."""
    assert main(["tournament", "show", str(folder), "--resamples", "50", *words]) == 0
    captured = capfd.readouterr()
    assert captured.err == ""
    return captured.out


@pytest.mark.slow
@pytest.mark.parametrize("mode", [[], ["--in-process"]], ids=["sockets", "in process"])
def test_a_tournament_that_is_killed_ends_as_if_nothing_had_happened(
    mode: list[str], tmp_path: Path
) -> None:
    """No hand is lost, and none is played twice.

    The killed one was in the midst of its second match.
    """
    hands = 3000 if mode else 800
    words = [
        "tournament",
        "run",
        "random",
        "raise",
        "random",
        "--game",
        KUHN,
        "--hands",
        hands,
        "-o",
        "t",
        *mode,
    ]
    kill_after(2 * hands + hands // 2, start(tmp_path, *words, "--jobs", 2), tmp_path / "t")
    assert 2 * hands < num_hands(tmp_path / "t") < 6 * hands
    last = acpcbot(tmp_path, "tournament", "run", "--resume", "t", "--jobs", 2)
    assert last.returncode == 0, last.stderr
    plan = TournamentPlan.load(tmp_path / "t")
    (tmp_path / "whole").mkdir()
    assert logs(tmp_path / "t") == uninterrupted(
        tasks_below(plan, tmp_path / "whole"), tmp_path / "whole"
    )
    assert "not over yet" not in last.stdout


def test_a_table_that_fails_leaves_the_others_alone_and_is_gone_on_with(tmp_path: Path) -> None:
    """Its worker dies with it, though it is the only one."""
    (tmp_path / "bad.py").write_text(CRASHING_ONCE)
    words = ["--game", KUHN, "--hands", 40, "-o", "t", "--jobs", 1, "--in-process"]
    done = acpcbot(tmp_path, "tournament", "run", "bad.py:Bot", "call", "raise", *words)
    assert done.returncode == 1
    assert "error: t/000-Bot-call/table000: its process ended with status 7\n" in done.stderr
    assert done.stderr.endswith("hint: go on with acpcbot tournament run --resume t\n")
    assert "not over yet: 1 of 3 matches\n  000-Bot-call lacks 20 deals\n" in done.stdout
    assert [len(lines) for lines in logs(tmp_path / "t").values()] == [20, *[40] * 5]
    done = acpcbot(tmp_path, "tournament", "run", "--resume", "t", "--jobs", 1)
    assert done.returncode == 0, done.stderr
    assert "not over yet" not in done.stdout
    assert [len(lines) for lines in logs(tmp_path / "t").values()] == [40] * 6


@pytest.fixture
def running(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A tournament that would go on for very long."""
    words = [
        "random",
        "raise",
        "call",
        "--game",
        KUHN,
        "--hands",
        1_000_000,
        "-o",
        "t",
        "--jobs",
        2,
        "--in-process",
    ]
    process = start(tmp_path, "tournament", "run", *words)
    try:
        wait_until(
            lambda: (
                len(logs(tmp_path / "t")) > 1 and min(map(len, logs(tmp_path / "t").values())) > 50
            ),
            "hands are played at two tables",
        )
        yield process
    finally:
        process.kill()
        process.communicate(timeout=LONGEST_S)


def test_a_running_tournament_is_shown_and_an_interrupt_says_how_to_go_on(
    running: subprocess.Popen[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert "not over yet: 3 of 3 matches" in shown(capfd, tmp_path / "t")
    os.killpg(running.pid, signal.SIGINT)
    stdout, stderr = running.communicate(timeout=LONGEST_S)
    assert (running.returncode, stdout) == (130, "")
    assert "Traceback" not in stderr
    assert "go on with: acpcbot tournament run --resume t\n" in stderr


# Remote entrants

DOOR = re.compile(r"waiting for (\S+) at (\S+) port (\d+) \((\S+)\)")
NAMES = re.compile(r":[^:]*$")


def doors_in(folder: Path) -> list[tuple[str, ...]]:
    """Name, host, port and table of each door that was opened."""
    path = folder / "doors.log"
    return DOOR.findall(path.read_text()) if path.exists() else []


def test_a_remote_seat_is_taken_by_the_player_that_connects(tmp_path: Path) -> None:
    """In a match; nobody comes at first, which is told and keeps nothing else from being played."""
    words = [
        "call",
        "remote:alice",
        "--game",
        KUHN,
        "--hands",
        30,
        "--duplicate",
        "-o",
        "m",
        "--jobs",
        2,
    ]
    done = acpcbot(tmp_path, "match", *words, "--start-timeout", 0.2)
    assert done.returncode == 1
    assert done.stderr.count("timed out waiting for seat") == 2
    assert done.stderr.count("alice was expected at 127.0.0.1 port ") == 2
    match = start(tmp_path, "match", "--resume", "m", "--start-timeout", 60)
    guests = []
    try:
        wait_until(
            lambda: len(doors_in(tmp_path / "m")) == 4, "both tables have opened their doors again"
        )
        for name, host, port, _ in doors_in(tmp_path / "m")[2:]:
            assert (name, host) == ("alice", "127.0.0.1")
            guests.append(start(tmp_path, "play", "raise", host, port, "--game", KUHN))
        _, stderr = match.communicate(timeout=LONGEST_S)
        assert match.returncode == 0, stderr
        assert len(DOOR.findall(stderr)) == 2
        assert [guest.communicate(timeout=LONGEST_S)[1][:8] for guest in guests] == ["30 hands"] * 2
    finally:
        for process in [match, *guests]:
            process.kill()
            process.communicate(timeout=LONGEST_S)
    same = acpcbot(
        tmp_path,
        "match",
        "call",
        "raise",
        "--game",
        KUHN,
        "--hands",
        30,
        "--duplicate",
        "-o",
        "s",
        "--in-process",
    )
    assert same.returncode == 0
    hands = [
        [NAMES.sub("", line) for lines in logs(tmp_path / name).values() for line in lines]
        for name in "ms"
    ]
    assert hands[0] == hands[1]


def test_a_bot_that_is_served_at_one_port_plays_all_its_tables(tmp_path: Path) -> None:
    """Two workers must not open the door at the same time."""
    (port,) = free_ports(1)
    bot = {"strategy": "raise", "game": KUHN, "host": "127.0.0.1", "port": port}
    lines = [f"{key} = {json.dumps(value)}" for key, value in bot.items()]
    (tmp_path / "bots.toml").write_text("\n".join(["[[bot]]", *lines]) + "\n")
    serving = start(tmp_path, "serve", "bots.toml")
    try:
        words = ["--game", KUHN, "--hands", 20, "-o", "t", "--jobs", 2, "--port", f"alice={port}"]
        done = acpcbot(tmp_path, "tournament", "run", "call", "remote:alice", "random", *words)
    finally:
        serving.kill()
        serving.communicate(timeout=LONGEST_S)
    assert done.returncode == 0, done.stderr
    assert [door[:3] for door in doors_in(tmp_path / "t")] == [
        ("alice", "127.0.0.1", str(port))
    ] * 4
    assert [len(found) for found in logs(tmp_path / "t").values()] == [20] * 6


# What is shown


def test_text_tells_of_everybody_and_of_what_is_missing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = shown(capfd, played(plan_of("call", "raise", "tight"), tmp_path / "t", num_tables=4))
    assert text.startswith(f"tournament of {KUHN}: 3 entrants, 3 duplicate matches of 30 deals\n")
    assert "not over yet: 1 of 3 matches\n  002-raise-tight lacks 30 deals\n" in text
    (row,) = re.findall(r"^  call .*[±–].*[±–].*[±–].*$", text, re.MULTILINE)
    assert (row.count("±"), row.count("–")) == (3, 1)
    assert not re.search(r" $", text, re.MULTILINE)


def test_a_cross_table_of_five_entrants_fits_100_columns(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Caught: tenths of a mbb beside intervals of hundreds, which took 118 columns. Where every
    interval is narrow they are shown.
    """
    plan = plan_of("call", "raise", "tight", "random", "fold", game=LIMIT_2P)
    text = shown(capfd, played(plan, tmp_path / "five")).partition("\nrankings")[0]
    assert max(map(len, text.splitlines())) <= 100
    assert re.search(r"^  tight .* [+-]\d+ ± \d+ ", text, re.MULTILINE)
    text = shown(capfd, played(plan_of("call", "call", num_hands=3000), tmp_path / "two"))
    assert re.search(r"^  call .* [+-]\d+\.\d ± \d\.\d ", text, re.MULTILINE)


def test_a_cell_is_the_score_of_its_match(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    plan = plan_of("call", "random", "tight")
    folder = played(plan, tmp_path / "t")
    entrants = {
        entrant["name"]: entrant
        for entrant in json.loads(shown(capfd, folder, "--format", "json"))["entrants"]
    }
    for match in plan.matches():
        for score in score_match(match.plan, folder / match.folder):
            (opponent,) = set(match.plan.names) - {score.name}
            cell = entrants[score.name]["against"][opponent]
            assert cell["mean_mbb"] == pytest.approx(score.mean_mbb)
            assert cell["half_width_mbb"] == pytest.approx(score.half_width_mbb)


@pytest.mark.parametrize(
    ("game", "strategies"),
    [(KUHN, ("call", "raise", "tight")), (KUHN_3P, ("call", "raise", "tight", "random"))],
)
def test_csv_and_json_say_the_same(
    game: str, strategies: tuple[str, ...], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = played(plan_of(*strategies, game=game), tmp_path / "t")
    rows = list(csv.DictReader(io.StringIO(shown(capfd, folder, "--format", "csv"))))
    entrants = json.loads(shown(capfd, folder, "--format", "json"))["entrants"]
    assert [row["name"] for row in rows] == [entrant["name"] for entrant in entrants]
    assert sum(entrant["mean_mbb"] for entrant in entrants) == pytest.approx(0.0, abs=1e-6)
    for row, entrant in zip(rows, entrants, strict=True):
        assert float(row["mean_mbb"]) == entrant["mean_mbb"]
        assert int(row["run_off_rank"]) == entrant["run_off"]["rank"]
        assert sum(entrant["run_off"]["probabilities"]) == pytest.approx(1.0)
        for name, cell in entrant["against"].items():
            mean = row[f"{name}_mean_mbb"]
            assert (float(mean) if mean else None) == cell["mean_mbb"]


@pytest.mark.parametrize("form", ["text", "csv", "json"])
def test_a_tournament_that_has_not_begun_can_be_shown(
    form: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    plan_of("call", "raise", "tight").save(tmp_path)
    assert "nan" not in shown(capfd, tmp_path, "--format", form).lower()
