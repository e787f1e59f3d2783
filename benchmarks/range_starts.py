"""Work of the solver with ranges to 1, 0.5 and 0.1 % of the pot, by how it starts.

On three turns with a pot of 100: from nothing; with first iterations that visit a part of the
rivers; and from a strategy that knows less, as a blueprint does (``rough_starts.py``). The unit is
an iteration through all boards. Each figure is the median of spots that differ in the names of
their suits, and so in rounding alone. On rivers behind these turns: from nothing, and from what
the solution of the turn has learnt there, with both seats' ranges from that solution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice, permutations, product
from statistics import median

import numpy as np

from acpcbot.cards.deck import format_cards, parse_cards
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import parse_definition
from acpcbot.subgames.game import RangeGame, make_range_game
from acpcbot.subgames.solution import place_after
from acpcbot.subgames.solver import RangeCFR, fast_settings
from acpcbot.subgames.starts import ranges_at, start_from
from benchmarks.figure import Figure
from benchmarks.range_solver import GAME, MENU
from benchmarks.rough_starts import rough_strategy, seed_regrets
from benchmarks.sampled_boards import SampledBoards

ONLY_BY_NAME = True
PERCENTS, POT, BIG_BLIND = (1.0, 0.5, 0.1), 100, 50
TURNS = {"KsTd9h4s": 400, "8c7c2dQh": 150, "QsJs6s2d": 1000}
NUM_VARIANTS, NUM_RIVERS = 5, 5
MOST, EVERY = 500, 2
SAMPLED_PARTS, SAMPLED_WORK = (2, 4), 10
TURN_ITERATIONS = (60, 120)
LINES = (("check", "check"), ("bet 75", "call"))
NUM_GROUPS, ROUGH_ITERATIONS, SEED_COUNT = 50, 60, 10
SEED_WEIGHTS = (1, 3)

Found = dict[float, float]
"""Work by percentage of the pot."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A turn, its stacks, and the suit that each suit becomes."""

    board: str
    stack: int
    suits: tuple[int, ...]

    def game(self) -> RangeGame:
        """Return the game to solve."""
        chips = self.stack + BIG_BLIND
        rules = BettingRules(parse_definition(GAME.replace("450 450", f"{chips} {chips}")))
        cards = [card & ~3 | self.suits[card & 3] for card in parse_cards(self.board)]
        return make_range_game(rules.parse("cc/cc/"), cards, MENU)


def figures() -> Iterator[Figure]:
    for board, stack in TURNS.items():
        variants = list(islice(permutations(range(4)), 0, None, 24 // NUM_VARIANTS))
        spots = [Spot(board, stack, suits) for suits in variants[:NUM_VARIANTS]]
        for label, way in turn_ways():
            yield from medians(f"{board}, {label}", [way(spot.game()) for spot in spots])
        for num_iterations, line in product(TURN_ITERATIONS, LINES):
            turn = new_solver(spots[0].game())
            turn.step(num_iterations)
            label = f"{board}, {num_iterations} on it, {' '.join(line)}"
            starts = list(river_starts(turn, line))
            yield from medians(f"{label}, river from nothing", [cold for cold, _ in starts])
            yield from medians(f"{label}, river from the turn", [warm for _, warm in starts])


def medians(label: str, found: list[Found]) -> Iterator[Figure]:
    for percent in PERCENTS:
        work = [run[percent] for run in found]
        yield Figure(
            name=f"{label}, to {percent} %",
            value=median(work),
            unit="iterations",
            note=f"{min(work):.0f} to {max(work):.0f}, {len(work)} runs",
            higher_is_better=False,
        )


def turn_ways() -> Iterator[tuple[str, Callable[[RangeGame], Found]]]:
    yield "from nothing", from_nothing
    for parts in SAMPLED_PARTS:
        yield f"first 1/{parts} of the rivers", partial(from_sampled, num_parts=parts)
    for weight in SEED_WEIGHTS:
        yield f"from a rough strategy, weight {weight}", partial(from_rough, weight=weight)


def from_nothing(game: RangeGame) -> Found:
    solver = new_solver(game)
    return work_to_percents(solver, full_work(solver), POT)


def from_sampled(game: RangeGame, num_parts: int) -> Found:
    solver = new_solver(game)
    return work_to_percents(solver, sampled_work(solver, num_parts), POT)


def sampled_work(solver: RangeCFR, num_parts: int) -> Iterator[float]:
    """Yield the work of iterations with parts of the boards, then that of whole ones."""
    sampled, spent = SampledBoards(solver, num_parts), 0.0
    while spent < SAMPLED_WORK:
        work = sum(sampled.round() for _ in range(EVERY))
        spent += work
        yield work
    yield from full_work(solver)


def from_rough(game: RangeGame, weight: float) -> Found:
    """Return the work without that of the rough strategy."""
    teacher, solver = new_solver(game), new_solver(game)
    teacher.step(ROUGH_ITERATIONS)
    seed_regrets(solver, rough_strategy(teacher, NUM_GROUPS), weight)
    solver.num_iterations = SEED_COUNT
    return work_to_percents(solver, full_work(solver), POT)


def river_starts(turn: RangeCFR, line: tuple[str, ...]) -> Iterator[tuple[Found, Found]]:
    """Yield the work on some rivers after *line*, from nothing and from the turn's solution."""
    boards = turn.game.boards
    rng = np.random.default_rng(len(boards.boards))
    rivers = boards.street_boards(boards.street + 1)
    for river in rng.choice(rivers, NUM_RIVERS, replace=False).tolist():
        place = place_after(turn.game, (*line, format_cards(boards.boards[river][-1:])))
        game = make_range_game(place.betting, place.board, MENU, ranges_at(turn, place))
        cold, warm = new_solver(game), new_solver(game)
        start_from(warm, turn, place)
        pot = place.betting.pot
        yield (
            work_to_percents(cold, full_work(cold, 1), pot),
            work_to_percents(warm, full_work(warm, 1), pot),
        )


def new_solver(game: RangeGame) -> RangeCFR:
    return RangeCFR(game, fast_settings(game))


def full_work(solver: RangeCFR, every: int = EVERY) -> Iterator[float]:
    """Iterate and yield the work, *every* so many iterations."""
    while True:
        solver.step(every)
        yield every


def work_to_percents(solver: RangeCFR, steps: Iterator[float], pot: int) -> Found:
    """Return the work until the average strategy is below each percentage of *pot*."""
    found: Found = {}
    done = 0.0
    while done < MOST:
        percent = 100 * solver.exploitability() / pot
        found |= {each: done for each in PERCENTS if percent <= each and each not in found}
        if len(found) == len(PERCENTS):
            break
        done += next(steps)
    return dict.fromkeys(PERCENTS, float(MOST)) | found
