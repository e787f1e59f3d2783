"""Progress of a busy command: the line of a phase, and every long phase at a terminal."""

from __future__ import annotations

import io
import os
import pty
import re
import select
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from acpcbot.cli.phases import START_QUIET_S, Phase
from acpcbot.cli.progress_bars import ShareLines
from acpcbot.cli.status_line import ERASE_LINE, FIRST_LINE_S, NEXT_LINE_S
from acpcbot.tournaments.plan import TournamentPlan
from tests.cli.running import LONGEST_S
from tests.strategies.random_snapshots import saved
from tests.support.games import KUHN, LEDUC
from tests.support.matches import plan_of, play
from tests.support.terminals import SetClock, Terminal

ROOT = Path(__file__).parents[2]


class Rows:
    def __init__(self) -> None:
        self.told: list[str] = []

    def show_phase(self, text: str) -> None:
        self.told.append(text)

    def end_phase(self) -> None:
        self.told.append("")


# The line


def test_a_terminal_sees_one_line_that_vanishes() -> None:
    stream, clock = Terminal(), SetClock()
    phase = Phase("loading", stream, clock=clock)
    phase.tick(0.0)
    assert stream.getvalue() == ""
    clock.now_s += FIRST_LINE_S
    phase.tick(0.0)
    clock.now_s += 1
    phase.tick(0.0)
    assert stream.getvalue() == f"{ERASE_LINE}loading, 1 s{ERASE_LINE}loading, 2 s"
    phase.erase()
    assert stream.getvalue().endswith(ERASE_LINE)
    phase.erase()
    assert stream.getvalue().count(ERASE_LINE) == 3


def test_a_file_gets_a_line_now_and_then() -> None:
    stream, clock = io.StringIO(), SetClock()
    phase = Phase("loading", stream, clock=clock)
    for _ in range(22):
        phase.tick(0.0)
        clock.now_s += 0.5
    assert stream.getvalue() == "loading, 1 s\n"
    clock.now_s += NEXT_LINE_S
    phase.tick(0.0)
    phase.erase()
    assert stream.getvalue() == "loading, 1 s\nloading, 21 s\n"


def test_a_start_is_told_on_terminals_alone() -> None:
    stream, clock = io.StringIO(), SetClock()
    phase = Phase("starting", stream, is_start=True, clock=clock)
    clock.now_s += 5
    phase.tick(0.0)
    assert stream.getvalue() == ""


def test_a_start_is_told_before_a_second_is_over() -> None:
    clock = SetClock()
    told = []
    for is_start in (True, False):
        stream = Terminal()
        phase = Phase("starting", stream, is_start=is_start, clock=clock)
        clock.now_s += START_QUIET_S
        phase.tick(0.0)
        told.append(stream.getvalue())
    assert told == [f"{ERASE_LINE}starting, 0 s", ""]


def test_a_phase_beside_bars_is_a_row() -> None:
    rows, stream, clock = Rows(), Terminal(), SetClock()
    phase = Phase("loading", stream, rows=lambda: rows, clock=clock)
    clock.now_s += 3
    phase.tick(0.0)
    phase.erase()
    assert (rows.told, stream.getvalue()) == (["loading, 3 s", ""], "")


def test_nothing_is_told_beside_a_bar_that_moves_or_while_kernels_are_compiled() -> None:
    stream, clock, busy = Terminal(), SetClock(), [False]
    phase = Phase("loading", stream, is_busy=lambda: busy[0], clock=clock)
    clock.now_s += 5
    phase.tick(quiet_since_s=clock.now_s - FIRST_LINE_S / 2)
    busy[0] = True
    phase.tick(0.0)
    assert stream.getvalue() == ""
    busy[0] = False
    phase.tick(0.0)
    assert stream.getvalue() == f"{ERASE_LINE}loading, 5 s"


def test_a_progress_bar_is_lines_in_a_file() -> None:
    stream, clock = io.StringIO(), SetClock()
    lines = ShareLines("boards", Console(file=stream), clock)
    for done in range(0, 40):
        lines.tell(done, 40)
        clock.now_s += 0.5
    lines.tell(40, 40)
    assert stream.getvalue() == "boards: 5.0%\nboards: 55.0%\n"


# Every command


HOLD = """
import importlib, os, sys
heard, said, places, *words = sys.argv[1:]
from acpcbot.cli import phases
phases.FIRST_LINE_S = phases.TICK_S = 0.05
from acpcbot.__main__ import main

def hold(place, is_last):
    name, _, attribute = place.partition(":")
    module = importlib.import_module(name)
    function = getattr(module, attribute)

    def held(*arguments, **named):
        setattr(module, attribute, function)
        os.write(int(said), b"?")
        if not os.read(int(heard), 1):
            os._exit(7)
        return os._exit(0) if is_last else function(*arguments, **named)

    setattr(module, attribute, held)

*first, last = places.split()
for place in first:
    hold(place, is_last=False)
hold(last, is_last=True)
sys.argv[1:] = words
sys.exit(main())
"""
INVISIBLE = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]|\s")

EXACT = "acpcbot.cli.exploitability_run"
SHORT_COMMANDS = (
    "report played",
    "match --resume played",
    "train recipe.toml --run-dir run --output mine",
)
LONG_PHASES = [
    ("games", "importlib:import_module"),
    (
        "match kuhn call -o new",
        "acpcbot.net.players:verify_players acpcbot.net.match_runner:WorkerPool",
    ),
    ("match --resume played", "acpcbot.matches.score:score_match"),
    (
        "tournament run kuhn call raise -o new_cup",
        "acpcbot.cli.commands.tournament:verify_players acpcbot.net.match_runner:WorkerPool",
    ),
    ("tournament show cup", "acpcbot.cli.commands.tournament:read_standings"),
    (
        "arena leduc call",
        "acpcbot.cli.commands.arena:build_tree acpcbot.cli.commands.arena:find_entrant acpcbot.cli.commands.arena:play",
    ),
    ("train recipe.toml --run-dir run --output mine", "acpcbot.cli.commands.train:build_session"),
    ("build-preflop-values leduc", "acpcbot.cli.commands.build_preflop_values:load_snapshot"),
    (
        "solve --game leduc.limit.2p --iterations 1",
        "acpcbot.cli.commands.solve:make_game acpcbot.cli.commands.solve:RangeCFR "
        "acpcbot.cli.commands.solve:read_solution",
    ),
    (
        "evaluate played",
        "acpcbot.reports.hands:read_hands acpcbot.cli.evaluate_options:KnownMatch",
    ),
    (
        "exploitability leduc",
        f"{EXACT}:find_strategy {EXACT}:game_from {EXACT}:tabulate {EXACT}:response_values",
    ),
    ("exploitability leduc --abstract", f"{EXACT}:abstract_response_values"),
    ("lbr call --jobs 1", "acpcbot.evaluation.exploitability.lbr_match:play_match"),
    (
        "explain played --hand 0 --strategy kuhn",
        "acpcbot.cli.commands.explain:watched acpcbot.cli.commands.explain:find_strategy",
    ),
    ("log check played/table000.log", "acpcbot.cli.commands.log:_summary"),
    ("log all-in played/table000.log", "acpcbot.logs.all_in:all_in_lines"),
    ("log to-phh played/table000.log out.phhs", "acpcbot.logs.phh:write_phh"),
    ("log from-phh played/table000.log -o back.log", "acpcbot.logs.phh:read_phh"),
    (
        "log to-pokerstars played/table000.log out.txt",
        "acpcbot.logs.pokerstars_writer:write_pokerstars",
    ),
    (
        "log from-pokerstars played/table000.log -o back.log",
        "acpcbot.logs.pokerstars:read_pokerstars",
    ),
    (
        "report played",
        "acpcbot.cli.commands.report:read_hands acpcbot.cli.commands.report:summarise",
    ),
    (
        "show kuhn MATCHSTATE:0:0::Ks|",
        "acpcbot.cli.commands.show:load_snapshot acpcbot.cli.commands.show:hand_range",
    ),
    ("serve bots.toml", "acpcbot.cli.commands.serve:verify_name"),
    ("play kuhn 127.0.0.1 1 --game kuhn.limit.2p", "acpcbot.agents.registry:make_agent"),
    ("strategies verify kuhn", "acpcbot.strategies.files:load_snapshot"),
]
"""A command, and functions that may take long, in their order.

Each goes on after something has been shown.
"""

BOTS = f'[[bot]]\nstrategy = "kuhn"\ngame = "{KUHN}"\nhost = "127.0.0.1"\nport = 1\n'


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two trained strategies, a match that is over, a tournament that was begun, a recipe and
    bots.
    """
    place = tmp_path_factory.mktemp("phases")
    saved(place / "kuhn", KUHN)
    saved(place / "leduc", LEDUC)
    (place / "bots.toml").write_text(BOTS)
    (place / "recipe.toml").write_text(
        (ROOT / "strategies" / KUHN / "dcfr" / "recipe.toml").read_text()
    )
    plan = plan_of("call", "raise", num_hands=4)
    (place / "played").mkdir()
    play(plan, place / "played")
    plan.save(place / "played")
    TournamentPlan(
        plan.strategies, plan.game_name, plan.game_text, 4, seed=3, is_duplicate=True
    ).save(place / "cup")
    return place


@pytest.mark.skipif(sys.platform == "win32", reason="needs pseudo-terminals")
@pytest.mark.parametrize(
    ("command", "places"),
    [
        pytest.param(
            *pair, id=pair[0], marks=[] if pair[0] in SHORT_COMMANDS else [pytest.mark.slow]
        )
        for pair in LONG_PHASES
    ],
)
def test_a_terminal_sees_something_before_a_long_phase_has_ended(
    command: str, places: str, folder: Path
) -> None:
    """Each phase is held until the terminal has shown something new, which without progress is
    never.
    """
    controller, terminal = pty.openpty()
    heard, hear = os.pipe()
    say, said = os.pipe()
    program = [sys.executable, "-c", HOLD, str(heard), str(said), places, *command.split()]
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "100"}
    process = subprocess.Popen(
        program,
        cwd=folder,
        stdout=terminal,
        stderr=terminal,
        env=environment,
        pass_fds=(heard, said),
    )
    for descriptor in (terminal, heard, said):
        os.close(descriptor)
    try:
        for place in places.split():
            assert is_called(say, controller), f"{place} was not called"
            drained(controller)
            assert shown(controller), f"nothing was shown during {place}"
            os.write(hear, b"!")
        assert process.wait(LONGEST_S) == 0
    finally:
        process.kill()
        process.wait()
        for descriptor in (controller, hear, say):
            os.close(descriptor)


def is_called(say: int, controller: int) -> bool:
    """Wait until the function is called.

    What the terminal shows meanwhile is read, or it would fill up.
    """
    while ready := select.select([say, controller], [], [], LONGEST_S)[0]:
        if say in ready:
            return os.read(say, 1) == b"?"
        drained(controller)
    return False


def drained(controller: int) -> bytes:
    """Return the text that the terminal holds already."""
    found = b""
    while select.select([controller], [], [], 0)[0]:
        try:
            found += os.read(controller, 65_536)
        except OSError:  # nobody is left at the other end
            break
    return found


def shown(controller: int) -> bool:
    """Wait until the terminal shows more than blanks."""
    while select.select([controller], [], [], LONGEST_S)[0]:
        if INVISIBLE.sub(b"", os.read(controller, 65_536)):
            return True
    return False
