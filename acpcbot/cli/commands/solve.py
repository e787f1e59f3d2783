"""``acpcbot solve``: an equilibrium of what is left of a game, with all hands of both players.

In order: the options and the run; the game, which is hold'em with a pot and stacks, or any game for
two from a state on; the solution as text, with values and the whole range of one decision's actor.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from math import inf
from pathlib import Path

import numpy as np
from rich.text import Text

from acpcbot.agents.hand_range import chart_lines
from acpcbot.arrays import Floats
from acpcbot.cards.deck import format_cards, parse_cards
from acpcbot.cards.range_notation import parse_range
from acpcbot.cli.game_arguments import GAME_HELP, stacked
from acpcbot.cli.output import print_lines
from acpcbot.cli.phases import bar_moved, phase
from acpcbot.cli.process import stopping
from acpcbot.cli.progress_bars import make_bars
from acpcbot.errors import UsageError
from acpcbot.memory import available_bytes, memory_text, verify_memory
from acpcbot.poker import rules
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.definition import STREET_NAMES, GameDefinition
from acpcbot.poker.hand_classes import has_chart
from acpcbot.poker.hands import all_hands
from acpcbot.poker.shipped import find_definition, parse_stacks
from acpcbot.poker.spots import holdem_spot, stacks_words
from acpcbot.reports.solution import solution_json, solution_page
from acpcbot.strategies.by_name import find_played
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.strategies.range_play import state_range
from acpcbot.subgames.game import RangeGame, make_range_game
from acpcbot.subgames.solution import Decision, Solution, class_rows, place_after, read_solution
from acpcbot.subgames.solver import Progress, RangeCFR, fast_settings, solver_bytes
from acpcbot.trees.bet_menu import LIMIT_MENU, BetMenu, parse_menu
from acpcbot.trees.betting_tree import betting_bytes, betting_size

DEFAULT_BETS = "0.75,all-in;all-in"
KINDS = {"fold": rules.FOLD, "check": rules.CALL, "call": rules.CALL}
INTERRUPTED = 130
SUFFIXES = {".json": "json", ".html": "html", ".htm": "html"}
FORMATS = ("text", "json", "html")
MEMORY_HINT = "fewer sizes in --bets, a later street or smaller stacks take less, and --int16 half"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the spot, ranges and bets, the stopping rules, and the form of the result."""
    _add_spot_arguments(parser)
    _add_range_arguments(parser)
    _add_solver_arguments(parser)
    _add_result_arguments(parser)


def _add_spot_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--board", default="", metavar="CARDS", help="the cards on the table, as in KsTd9h4s2c"
    )
    parser.add_argument(
        "--pot", type=int, metavar="CHIPS", help="hold'em: what lies in the middle, half from each"
    )
    parser.add_argument(
        "--stack",
        metavar="CHIPS",
        help="hold'em: what each player has left, or what each seat has, as in 400,250, of which "
        "the smaller counts; with --game: the stacks at the start, as in 10000,5000",
    )
    parser.add_argument(
        "--min-bet",
        type=int,
        default=1,
        metavar="CHIPS",
        help="hold'em: the least that may be bet",
    )
    parser.add_argument(
        "--game", metavar="GAME", help=f"any game for two instead of --pot and --stack: {GAME_HELP}"
    )
    parser.add_argument(
        "--betting",
        default="",
        metavar="TEXT",
        help="with --game: begin after this betting, as in cc/r20c [the start]",
    )


def _add_range_arguments(parser: argparse.ArgumentParser) -> None:
    for seat in (1, 2):
        parser.add_argument(
            f"--range{seat}",
            metavar="HANDS",
            help=f"what seat {seat} may hold, as in TT+,A5s-A2s,76s:0.5,AsKd [all]",
        )
    parser.add_argument(
        "--strategy",
        metavar="STRATEGY",
        help="with --game: the ranges with which this trained strategy gets there",
    )
    parser.add_argument(
        "--bets",
        metavar="SIZES",
        help="what may be bet, in shares of the pot: bets;raises [0.75,all-in;all-in]",
    )


def _add_solver_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--target",
        type=float,
        default=0.5,
        metavar="PERCENT",
        help="stop when exploitable for no more of the pot than this",
    )
    parser.add_argument("--iterations", type=int, metavar="N", help="stop after so many [no limit]")
    parser.add_argument(
        "--seconds", type=float, default=inf, metavar="S", help="stop after so many [no limit]"
    )
    parser.add_argument(
        "--threads", type=int, default=os.cpu_count() or 1, help="[as many as there are cores]"
    )
    parser.add_argument(
        "--int16",
        action="store_true",
        help="keep what is learnt in 16 bits, in half of the memory [32]",
    )


def _add_result_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--line",
        default="",
        metavar="WORDS",
        help="show what is done after this, as in 'check, bet 75, call, 2c'",
    )
    parser.add_argument(
        "--hands", action="store_true", help="text: every hand and its value in place of the chart"
    )
    parser.add_argument(
        "--format", choices=FORMATS, help="how to write the result [by the name of FILE, else text]"
    )
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="the file to write instead of stdout"
    )


def run(arguments: argparse.Namespace) -> int:
    """Solve until the target, the time or somebody says enough, and write what was found."""
    _verify(arguments)
    with phase("building the game"):
        game = make_game(arguments, _verify_tree)
    place = place_after(game, [word.strip() for word in arguments.line.split(",") if word.strip()])
    _verify_all(game, is_int16=arguments.int16)
    with phase("preparing the solver"):
        solver = RangeCFR(
            game, fast_settings(game), num_threads=arguments.threads, is_int16=arguments.int16
        )
    with stopping() as is_stopped:
        progress = _solve(solver, arguments, is_stopped)
    with phase("reading the solution"):
        found = _formatted(arguments, read_solution(solver, progress, place))
    _write(found, arguments.output)
    return INTERRUPTED if is_stopped() else 0


def _verify(arguments: argparse.Namespace) -> None:
    if arguments.threads < 1:
        raise UsageError(f"--threads {arguments.threads}", "one or more")
    if not (arguments.target >= 0 and arguments.seconds > 0):
        raise UsageError(
            f"--target {arguments.target:g} and --seconds {arguments.seconds:g}",
            "a target of 0 or more, and some time",
        )
    if arguments.iterations is not None and arguments.iterations < 1:
        raise UsageError(f"--iterations {arguments.iterations}", "one or more")
    if arguments.output is not None and not arguments.output.parent.is_dir():
        raise UsageError(
            f"no folder {arguments.output.parent} to write {arguments.output.name} in",
            "make it first",
        )


def _verify_tree(num_bytes: int) -> None:
    verify_memory({"betting tree": num_bytes}, available_bytes(), "solving", MEMORY_HINT)


def _verify_all(game: RangeGame, *, is_int16: bool) -> None:
    """Say what the game takes, and refuse what does not fit."""
    size, learnt = game.tree.size, {"regrets and averages": solver_bytes(game, is_int16=is_int16)}
    needed = {"betting": betting_bytes(size), "boards": game.row_bytes, **learnt}
    available = available_bytes()
    print(
        f"decisions: {sum(size.num_nodes):,}, boards: {len(game.boards.boards):,}", file=sys.stderr
    )
    print(memory_text(needed, available), file=sys.stderr)
    verify_memory(learnt, available, "solving", MEMORY_HINT)


def _solve(
    solver: RangeCFR, arguments: argparse.Namespace, is_stopped: Callable[[], bool]
) -> Progress:
    pot_chips = solver.game.tree.root.pot
    most = arguments.iterations or sys.maxsize
    with make_bars(in_files=False) as bars, phase("solving"):
        task = bars.add_task("solving", total=most if arguments.iterations else None, note="")
        for progress in solver.solve(
            target=arguments.target * pot_chips / 100,
            deadline_s=arguments.seconds,
            most=most,
            is_stopped=is_stopped,
        ):
            percent = 100 * progress.exploitability / pot_chips
            note = f"{progress.num_iterations:,} iterations, {percent:.3g} % of the pot"
            bars.update(task, completed=progress.num_iterations, note=note)
            if not bars.disable:
                bar_moved()
    return progress


def make_game(arguments: argparse.Namespace, verify_tree: Callable[[int], None]) -> RangeGame:
    """The game.

    *verify_tree* hears how many bytes its betting takes before they are taken. Raises UsageError.
    """
    board = parse_cards(arguments.board)
    root = _root(arguments, len(board))
    definition = root.game.definition
    if not set(board) <= set(definition.deck):
        raise UsageError(
            f"the board {format_cards(board)} is not of this game",
            "acpcbot games NAME shows its deck",
        )
    menu = _menu(arguments.bets, definition)
    verify_tree(betting_bytes(betting_size(root, menu)))
    return make_range_game(root, board, menu, _ranges(arguments, root, board))


def spot_label(arguments: argparse.Namespace) -> str:
    """Return the start of the game in words."""
    if arguments.game is None:
        stacks = stacks_words(parse_stacks(arguments.stack))
        start = f"hold'em, board {arguments.board}, pot {arguments.pot}, stacks {stacks}"
    else:
        words = [_game_text(arguments), arguments.betting, arguments.board]
        start = ", ".join([word for word in words if word])
    return f"{start}, bets {arguments.bets}" if arguments.bets else start


def _game_text(arguments: argparse.Namespace) -> str:
    return (
        f"{arguments.game} with stacks of {arguments.stack}"
        if arguments.stack
        else str(arguments.game)
    )


def _root(arguments: argparse.Namespace, num_board_cards: int) -> BettingState:
    if arguments.game is None:
        _verify_spot(arguments)
        stacks = parse_stacks(arguments.stack)
        return holdem_spot(num_board_cards, arguments.pot, stacks, arguments.min_bet)
    if arguments.pot is not None:
        raise UsageError(
            "a --game with --pot", "its betting says what is in the pot: --betting TEXT"
        )
    return BettingRules(stacked(arguments, find_definition(arguments.game))[1]).parse(
        arguments.betting
    )


def _verify_spot(arguments: argparse.Namespace) -> None:
    """Say what is missing where no game is named."""
    given = {"--board": arguments.board, "--pot": arguments.pot, "--stack": arguments.stack}
    missing = [name for name, value in given.items() if value in (None, "")]
    if len(missing) == len(given):
        raise UsageError(
            "no game", "name a --board with --pot and --stack, or a --game, which takes --betting"
        )
    if missing:
        raise UsageError(
            f"no {' and no '.join(missing)}", "a spot of hold'em takes --board, --pot and --stack"
        )
    if arguments.betting or arguments.strategy:
        raise UsageError("--betting or --strategy without a game", "name it too: --game GAME")


def _menu(text: str | None, definition: GameDefinition) -> BetMenu:
    if not definition.is_limit:
        return parse_menu(text or DEFAULT_BETS)
    if text:
        raise UsageError("a limit game with --bets", "it has sizes of its own: leave them out")
    return LIMIT_MENU


def _ranges(
    arguments: argparse.Namespace, root: BettingState, board: tuple[int, ...]
) -> Floats | None:
    """The weights of all hands, [seat, hand], None where all are alike."""
    texts = arguments.range1, arguments.range2
    if arguments.strategy is not None:
        if any(texts):
            raise UsageError(
                "--strategy with --range1 or --range2", "ranges come from one or the other"
            )
        strategy = SnapshotStrategy(*find_played(arguments.strategy, root.game.definition))
        return np.stack([state_range(strategy, root, board, seat) for seat in range(2)])
    if not any(texts):
        return None
    if not has_chart(root.game.definition) or len(root.game.definition.deck) != 52:
        raise UsageError(
            "ranges in a game without hold'em's hands", "leave out --range1 and --range2"
        )
    return np.stack([parse_range(text or "all") for text in texts])


def _formatted(arguments: argparse.Namespace, solution: Solution) -> str | list[Text | str]:
    """Return the result in the form that is asked for; lines where it is text."""
    label = spot_label(arguments)
    kind = arguments.format or SUFFIXES.get(
        arguments.output.suffix if arguments.output else "", "text"
    )
    if kind == "json":
        return solution_json(solution, label)
    if kind == "html":
        return solution_page(solution, label)
    return solution_lines(
        solution, label, with_hands=arguments.hands, with_mbb=arguments.game is not None
    )


def _write(found: str | list[Text | str], path: Path | None) -> None:
    if path is None and not isinstance(found, str):
        print_lines(found)
        return
    text = found if isinstance(found, str) else "".join([f"{line}\n" for line in found])
    if path is None:
        sys.stdout.write(text)
    else:
        path.write_text(text, encoding="utf-8")
        print(path)


def solution_lines(
    solution: Solution, label: str, *, with_hands: bool = False, with_mbb: bool = False
) -> list[Text | str]:
    """Return the values and the first decision: a chart in hold'em, else a line for each hand.

    *with_hands* lists the hands in hold'em too.
    """
    decision = solution.decisions[0]
    is_listed = with_hands or not has_chart(solution.game.definition)
    found = _hand_lines(decision) if is_listed else _chart(decision)
    return [label, *_value_lines(solution, with_mbb=with_mbb), "", *_heading(decision), "", *found]


def _value_lines(solution: Solution, *, with_mbb: bool) -> Iterator[str]:
    progress, big_blind = solution.progress, solution.game.definition.big_blind
    found = (
        f"{solution.exploitability_percent:.2g} % of the pot, {progress.exploitability:.2g} chips"
    )
    yield f"{progress.num_iterations} iterations: exploitable for {found}"
    for seat, won in enumerate(solution.values_chips, 1):
        mbb = f", {_signed(1000 * won / big_blind)} mbb" if with_mbb else ""
        yield (
            f"  seat {seat}  wins {_signed(won)} chips, "
            f"{_signed(100 * won / solution.pot_chips)} % of the pot{mbb}"
        )


def _heading(decision: Decision) -> Iterator[str]:
    place = decision.place
    board = f", board {format_cards(place.board)}" if place.board else ""
    if place.words:
        yield f"after {', '.join(place.words)}"
    to_call = f", {place.betting.to_call} to call" if place.betting.to_call else ""
    street, pot = STREET_NAMES[place.betting.street], f", pot {place.betting.pot}"
    yield f"{street}, seat {decision.seat + 1} to act{board}{pot}{to_call}"
    yield "  ".join(
        [
            f"{word} {100 * share:.1f} %"
            for word, share in zip(decision.choices, decision.frequencies, strict=True)
        ]
    )


def _chart(decision: Decision) -> Iterator[Text]:
    """Yield the chart of hold'em, all bets and raises as one."""
    kinds = [KINDS.get(word, rules.RAISE) for word in decision.choices]
    first = decision.choices[kinds.index(rules.CALL)]
    names = {
        rules.FOLD: "fold",
        rules.CALL: first,
        rules.RAISE: "bet" if first == "check" else "raise",
    }
    found = {name: row.probabilities for name, row in class_rows(decision).items()}
    yield from chart_lines(found, list(map(Action, kinds)), names)


def _hand_lines(decision: Decision) -> Iterator[str]:
    """Each hand that may be held: how likely it is, what is done with it, what it brings in."""
    cards = all_hands(decision.place.betting.game.definition)[decision.hands].tolist()
    width = 2 * len(cards[0])
    yield "  ".join(
        [
            f"{'hand':{max(4, width)}}",
            "    held",
            *[f"{word:>8}" for word in decision.choices],
            "      EV",
        ]
    )
    weights, ev_chips = decision.weights[decision.seat], decision.ev_chips[decision.seat]
    for hand, weight, row, ev in zip(cards, weights, decision.probabilities, ev_chips, strict=True):
        if weight:
            shares = [
                f"{share:{max(8, len(word))}.4f}"
                for word, share in zip(decision.choices, row, strict=True)
            ]
            yield "  ".join(
                [f"{format_cards(hand):{max(4, width)}}", f"{weight:8.6f}", *shares, f"{ev:+8.2f}"]
            )
    yield "EV: the chips that a hand brings in from here on; folding brings 0"


def _signed(number: float) -> str:
    """Two decimals with a sign; nothing has a plus, whichever side of it rounding fell on."""
    return f"{round(number, 2) + 0.0:+.2f}"
