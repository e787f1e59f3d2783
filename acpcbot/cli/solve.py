"""``acpcbot solve``: an equilibrium of what is left of a game, with all hands of both players."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from math import inf
from pathlib import Path

from acpcbot.cli.bars import make_bars
from acpcbot.cli.game_arguments import GAME_HELP
from acpcbot.cli.phases import bar_moved, phase
from acpcbot.cli.solve_game import make_game, spot_label
from acpcbot.cli.solve_text import solution_text
from acpcbot.cli.stopping import stopping
from acpcbot.errors import UsageError
from acpcbot.memory import available_bytes, memory_text, verify_memory
from acpcbot.reports.solution_data import solution_json
from acpcbot.reports.solution_page import solution_page
from acpcbot.solvers.range_cfr import Progress, RangeCFR, fast_settings, solver_bytes
from acpcbot.solvers.range_decisions import Solution, place_after, read_solution
from acpcbot.solvers.range_game import RangeGame
from acpcbot.trees.betting_tree import betting_bytes

INTERRUPTED = 130
SUFFIXES = {".json": "json", ".html": "html", ".htm": "html"}
FORMATS = ("text", "json", "html")
MEMORY_HINT = "fewer sizes in --bets, a later street or smaller stacks take less, and --short half"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where the game begins, with which hands and bets; when to stop; what to show."""
    parser.add_argument("--board", default="", metavar="CARDS", help="the cards on the table, as in KsTd9h4s2c")
    parser.add_argument("--pot", type=int, metavar="CHIPS", help="hold'em: what lies in the middle, half from each")
    parser.add_argument(
        "--stack",
        metavar="CHIPS",
        help="hold'em: what each player has left; with --game: the stacks at the start, as in 10000,5000",
    )
    parser.add_argument(
        "--smallest-bet", type=int, default=1, metavar="CHIPS", help="hold'em: the least that may be bet [1]"
    )
    parser.add_argument("--game", metavar="GAME", help=f"any game for two instead of --pot and --stack: {GAME_HELP}")
    parser.add_argument(
        "--betting", default="", metavar="TEXT", help="with --game: begin after this betting, as in cc/r20c [the start]"
    )
    for seat in (1, 2):
        parser.add_argument(
            f"--range{seat}", metavar="HANDS", help=f"what seat {seat} may hold, as in TT+,A5s-A2s,76s:0.5,AsKd [all]"
        )
    parser.add_argument(
        "--strategy", metavar="STRATEGY", help="with --game: the ranges with which this trained strategy gets there"
    )
    parser.add_argument(
        "--bets", metavar="SIZES", help="what may be bet, in shares of the pot: bets;raises [0.75,all-in;all-in]"
    )
    parser.add_argument(
        "--target",
        type=float,
        default=0.5,
        metavar="PERCENT",
        help="stop when exploitable for no more of the pot than this [0.5]",
    )
    parser.add_argument("--iterations", type=int, metavar="N", help="stop after so many [no limit]")
    parser.add_argument("--seconds", type=float, default=inf, metavar="S", help="stop after so many [no limit]")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="[as many as there are cores]")
    parser.add_argument(
        "--short", action="store_true", help="keep what is learnt in 16 bits, in half of the memory [32]"
    )
    parser.add_argument(
        "--after", default="", metavar="WORDS", help="show what is done after this, as in 'check, bet 75, call, 2c'"
    )
    parser.add_argument("--hands", action="store_true", help="text: every hand and its value in place of the chart")
    parser.add_argument("--format", choices=FORMATS, help="how to write the result [by the name of FILE, else text]")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="the file to write instead of stdout")


def run(arguments: argparse.Namespace) -> int:
    """Solve until the target, the time or somebody says enough, and write what was found."""
    _verify(arguments)
    with phase("building the game"):
        game = make_game(arguments, _verify_tree)
    place = place_after(game, [word.strip() for word in arguments.after.split(",") if word.strip()])
    _verify_all(game, is_short=arguments.short)
    with phase("preparing the solver"):
        solver = RangeCFR(game, fast_settings(game), num_threads=arguments.threads, is_short=arguments.short)
    with stopping() as is_stopped:
        progress = _solve(solver, arguments, is_stopped)
    with phase("reading the solution"):
        text = _formatted(arguments, read_solution(solver, progress, place))
    _write(text, arguments.output)
    return INTERRUPTED if is_stopped() else 0


def _verify(arguments: argparse.Namespace) -> None:
    if arguments.threads < 1:
        raise UsageError(f"--threads {arguments.threads}", "one or more")
    if not (arguments.target >= 0 and arguments.seconds > 0):
        raise UsageError(
            f"--target {arguments.target:g} and --seconds {arguments.seconds:g}", "a target of 0 or more, and some time"
        )
    if arguments.iterations is not None and arguments.iterations < 1:
        raise UsageError(f"--iterations {arguments.iterations}", "one or more")
    if arguments.output is not None and not arguments.output.parent.is_dir():
        raise UsageError(f"no folder {arguments.output.parent} to write {arguments.output.name} in", "make it first")


def _verify_tree(num_bytes: int) -> None:
    verify_memory({"betting tree": num_bytes}, available_bytes(), "solving", MEMORY_HINT)


def _verify_all(game: RangeGame, *, is_short: bool) -> None:
    """Say what the game takes, and refuse what does not fit."""
    size, learnt = game.tree.size, {"regrets and averages": solver_bytes(game, is_short=is_short)}
    needed = {"betting": betting_bytes(size), "boards": game.row_bytes, **learnt}
    available = available_bytes()
    print(f"decisions: {sum(size.num_nodes):,}, boards: {len(game.boards.boards):,}", file=sys.stderr)
    print(memory_text(needed, available), file=sys.stderr)
    verify_memory(learnt, available, "solving", MEMORY_HINT)


def _solve(solver: RangeCFR, arguments: argparse.Namespace, is_stopped: Callable[[], bool]) -> Progress:
    pot_chips = solver.game.tree.root.pot
    most = arguments.iterations or sys.maxsize
    with make_bars(in_files=False) as bars, phase("solving"):
        task = bars.add_task("solving", total=most if arguments.iterations else None, note="")
        for progress in solver.solve(
            target=arguments.target * pot_chips / 100, deadline_s=arguments.seconds, most=most, is_stopped=is_stopped
        ):
            percent = 100 * progress.exploitability / pot_chips
            note = f"{progress.num_iterations:,} iterations, {percent:.3g} % of the pot"
            bars.update(task, completed=progress.num_iterations, note=note)
            if not bars.disable:
                bar_moved()
    return progress


def _formatted(arguments: argparse.Namespace, solution: Solution) -> str:
    label = spot_label(arguments)
    kind = arguments.format or SUFFIXES.get(arguments.output.suffix if arguments.output else "", "text")
    if kind == "json":
        return solution_json(solution, label)
    if kind == "html":
        return solution_page(solution, label)
    return solution_text(solution, label, with_hands=arguments.hands, with_mbb=arguments.game is not None)


def _write(text: str, path: Path | None) -> None:
    if path is None:
        sys.stdout.write(text)
    else:
        path.write_text(text, encoding="utf-8")
        print(path)
