"""Spots of no-limit hold'em, solved: a board, a pot and stacks in, an equilibrium out.

    spot = acpcbot.solve(board="KsTd9h4s2c", pot=100, stack=400)
    spot["AsKd"]                                   # the first decision with one combo
    spot.after("check", "bet 75")["AsKd"]          # a later one
    spot.values_chips, spot.exploitability_percent

Seat 0 acts first on every street. Amounts are chips, probabilities lie between 0 and 1.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.cards.deck import format_cards, parse_cards
from acpcbot.cards.range_notation import parse_range
from acpcbot.errors import UsageError
from acpcbot.memory import available_bytes, verify_memory
from acpcbot.poker.betting import BettingState
from acpcbot.poker.spots import effective_stack, holdem_spot
from acpcbot.reports.notebook import decision_markup, notebook_markup, result_markup
from acpcbot.research.decisions import HandStrategy, RangeDecision
from acpcbot.subgames.game import RangeGame, make_range_game
from acpcbot.subgames.solution import Solution, place_after, read_solution, root_place
from acpcbot.subgames.solver import Progress, RangeCFR, fast_settings
from acpcbot.trees.bet_menu import parse_menu
from acpcbot.trees.betting_tree import betting_bytes, betting_size
from acpcbot.trees.board_tree import build_board_tree, kept_changes, suit_changes
from acpcbot.trees.infosets import TreeSize

DEFAULT_BETS = "0.75,all-in;all-in"
MEMORY_HINT = (
    "pass fewer sizes in bets=, begin on a later street, or pass smaller stacks;"
    " int16=True takes half of the memory"
)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class SolvedSpot:
    """A solved spot: its values, how far it is from an equilibrium, and every decision.

    ``board``              the board at the root, as in ``KsTd9h4s2c``
    ``pot_chips``          chips in the pot at the root, half from each player
    ``stack_chips``        chips that each player can bet from the root on
    ``num_iterations``     iterations of the solver (discounted CFR)
    ``seconds``            time that they took
    ``exploitability_chips``  what a best response wins on average of both seats, in chips a hand
    ``values_chips``       what each seat wins on average, [seat]; they add up to 0, because each
                           player's half of the pot counts as paid

    ``spot["AsKd"]`` is the first decision with one combo, and ``spot.after(...)`` any later one.
    """

    board: str
    pot_chips: int
    stack_chips: int
    num_iterations: int
    seconds: float
    exploitability_chips: float
    values_chips: tuple[float, float]
    _solver: RangeCFR
    _solution: Solution

    @property
    def exploitability_percent(self) -> float:
        """Exploitability in per cent of the pot."""
        return self._solution.exploitability_percent

    @property
    def first(self) -> RangeDecision:
        """The first decision, that of seat 0 at the root."""
        return RangeDecision(self._solution.decisions[0])

    def __getitem__(self, hand: str) -> HandStrategy:
        """Return what the first player does with *hand*, a combo (``AsKd``) or a class (``AKo``).

        Raises UsageError for a hand that cannot be held on this board.
        """
        return self.first[hand]

    def after(self, *words: str) -> RangeDecision:
        """Return the decision after *words*: actions as they are named, and board cards between
        streets, as in ``spot.after("check", "bet 75", "call", "2c")``.

        Raises UsageError where one of them does not fit, with those that do.
        """
        solution = read_solution(
            self._solver, self._solution.progress, place_after(self._solver.game, words)
        )
        return RangeDecision(solution.decisions[0])

    def to_dataframe(self) -> Any:
        """Return the first decision as a data frame, a row for each hand.

        See ``RangeDecision.to_dataframe``.
        """
        return self.first.to_dataframe()

    def __repr__(self) -> str:
        found = f"exploitable for {self.exploitability_percent:.2g} % of the pot"
        where = f"{self.board}, pot {self.pot_chips}, stacks {self.stack_chips}"
        return f"<SolvedSpot {where}: {found} after {self.num_iterations} iterations>"

    def _repr_html_(self) -> str:
        facts = {
            f"seat {seat} wins": f"{chips:+,.2f} chips"
            for seat, chips in enumerate(self.values_chips)
        }
        found = (
            f"{self.exploitability_percent:.2g} % of the pot, {self.num_iterations:,} iterations"
        )
        title = f"{self.board}, pot {self.pot_chips:,}, stacks {self.stack_chips:,}"
        return notebook_markup(
            result_markup(title, {**facts, "exploitability": found}),
            decision_markup(self._solution.decisions[0]),
        )


def solve(
    board: str,
    pot: int,
    stack: int | Sequence[int],
    *,
    ranges: Sequence[str] = ("all", "all"),
    bets: str = DEFAULT_BETS,
    min_bet: int = 1,
    target_percent: float = 0.5,
    iterations: int | None = None,
    seconds: float = inf,
    threads: int | None = None,
    int16: bool = False,
    on_progress: Callable[[Progress], None] | None = None,
) -> SolvedSpot:
    """Solve no-limit hold'em for two players from a flop, a turn or a river on.

    ``board``           three, four or five cards, as in ``KsTd9h4s2c``
    ``pot``             chips in the pot, an even number, half from each player
    ``stack``           chips that each player has left, or those of seat 0 and of seat 1, of which
                        the smaller ones can be bet
    ``ranges``          the hands of seat 0, who acts first, and of seat 1, as in
                        ``("TT+,A5s-A2s,76s:0.5", "all")``
    ``bets``            sizes in shares of the pot after the call, ``min`` and ``all-in``: those
                        of bets, then behind semicolons of raises; streets between slashes
    ``min_bet``         the smallest legal bet, chips
    ``target_percent``  stop at this exploitability, per cent of the pot
    ``iterations``      stop after so many, if not None
    ``seconds``         stop after so long
    ``threads``         threads of the solver, None for one a core
    ``int16``           keep regrets and averages in 16 bits, in half of the memory
    ``on_progress``     called now and then with the iterations, the seconds and the
                        exploitability in chips

    A river takes a second or less, a turn some seconds, a flop minutes and gigabytes with more
    than a few bet sizes. What would not fit into memory is refused before it is built, with the
    size in the error. Raises UsageError, BadCards and BadRange.
    """
    cards = parse_cards(board)
    _verify_ranges(ranges)
    _verify_effort(target_percent, iterations, seconds, threads)
    stack = effective_stack(stack if isinstance(stack, Sequence) else (stack,))
    game = _make_game(cards, pot, stack, ranges, bets, min_bet, int16=int16)
    solver = RangeCFR(
        game,
        fast_settings(game),
        num_threads=threads or os.cpu_count() or 1,
        is_int16=int16,
    )
    for progress in solver.solve(
        target=target_percent * pot / 100,
        deadline_s=seconds,
        most=iterations or sys.maxsize,
    ):
        if on_progress is not None:
            on_progress(progress)
    return _solved_spot(cards, pot, stack, solver, progress)


def _verify_ranges(ranges: Sequence[str]) -> None:
    if len(ranges) != 2 or isinstance(ranges, str):
        raise UsageError(
            f"ranges={ranges!r}: expected two ranges, of seat 0 and of seat 1",
            'as in ("TT+", "all")',
        )


def _verify_effort(
    target_percent: float, iterations: int | None, seconds: float, threads: int | None
) -> None:
    if not target_percent >= 0 or not seconds > 0 or (iterations is not None and iterations < 1):
        raise UsageError(
            f"target_percent={target_percent}, seconds={seconds}, iterations={iterations}:"
            " expected a target of 0 or more, some time, and one iteration or more",
            "omit them to use the defaults",
        )
    if threads is not None and threads < 1:
        raise UsageError(f"threads={threads}: expected one or more", "omit it for one a core")


def _make_game(
    board: tuple[int, ...],
    pot: int,
    stack: int,
    ranges: Sequence[str],
    bets: str,
    min_bet: int,
    *,
    int16: bool,
) -> RangeGame:
    """The game from the spot on; what it and its solver take is counted before it is built."""
    root, menu = holdem_spot(len(board), pot, stack, min_bet), parse_menu(bets)
    weights: Floats | None = None
    if any(text != "all" for text in ranges):
        weights = np.stack([parse_range(text) for text in ranges])
    size = betting_size(root, menu)
    needed = {
        "betting tree": betting_bytes(size),
        "regrets and averages": _learnt_bytes(root, board, size, weights, int16=int16),
    }
    verify_memory(needed, available_bytes(), "solving", MEMORY_HINT)
    return make_range_game(root, board, menu, weights)


def _solved_spot(
    board: tuple[int, ...], pot: int, stack: int, solver: RangeCFR, progress: Progress
) -> SolvedSpot:
    solution = read_solution(solver, progress, root_place(solver.game))
    first, second = solution.values_chips
    return SolvedSpot(
        board=format_cards(board),
        pot_chips=pot,
        stack_chips=stack,
        num_iterations=progress.num_iterations,
        seconds=progress.seconds,
        exploitability_chips=progress.exploitability,
        values_chips=(first, second),
        _solver=solver,
        _solution=solution,
    )


def _learnt_bytes(
    root: BettingState,
    board: tuple[int, ...],
    size: TreeSize,
    weights: Floats | None,
    *,
    int16: bool,
) -> int:
    """The memory of two numbers for every slot of the betting and every hand on every board."""
    definition = root.game.definition
    changes = kept_changes(definition, suit_changes(definition), weights)
    boards = build_board_tree(definition, root.street, board, changes, None)
    num_cells = 0
    for street in range(root.street, definition.num_streets):
        own = boards.street_boards(street)
        num_rows = boards.rows(own[-1]).stop - boards.rows(own[0]).start
        num_cells += size.num_slots[street] * num_rows
    return 2 * num_cells * (2 if int16 else 4)
