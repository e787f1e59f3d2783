"""Iterations of the solver with ranges by its discounts, on ten spots of three streets.

They are counted to an exploitability of 0.1 % of the pot, which is measured after every fifth
iteration. With some discounts that depends on rounding, by half and more. So each spot is solved
with its suits renamed in five ways, the same game whose hands and boards lie in another order, and
its figure is the median of the five counts. The discounts in use are counted with sums in 16 bits,
too.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from dataclasses import dataclass

from acpcbot.cards.deck import parse_cards
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import parse_definition
from acpcbot.regret_matching import DiscountSettings
from acpcbot.subgames.game import RangeGame, make_range_game
from acpcbot.subgames.solver import RangeCFR
from acpcbot.trees.bet_menu import ALL_IN, BetMenu, same_menu
from benchmarks.figure import Figure
from benchmarks.range_solver import GAME, MENU, RIVER_MENU

Exponents = tuple[float, float, float]
"""Alpha, beta and gamma."""

DISCOUNTS: tuple[Exponents, ...] = (
    (1.5, 0, 2),
    (1.5, 0, 3),
    (1.5, 0, 4),
    (1.5, 0, 5),
    (1.3, 0, 4),
    (1.3, 0, 5),
    (1.2, 0, 5),
    (2, 0, 4),
    (1.5, 0.5, 4),
)
BASE: Exponents = (1.5, 0, 4)
"""What the others are compared with."""
Setting = tuple[Exponents, bool]
"""Discounts, and whether sums are in 16 bits."""
SETTINGS: tuple[Setting, ...] = (*((discounts, False) for discounts in DISCOUNTS), (BASE, True))
RENAMED_SUITS = ("cdhs", "dhsc", "hscd", "scdh", "shdc")
PERCENT, MOST, EVERY, POT = 0.1, 600, 5, 100
NUM_THREADS = 2
SHOVE_MENU = same_menu([ALL_IN], [ALL_IN])


@dataclass(frozen=True, slots=True)
class Spot:
    """A *board* behind a pot of 100, *stack* chips behind it, and the bets of *menu*."""

    board: str
    stack: int
    menu: BetMenu

    @property
    def street(self) -> str:
        """Return the name of its street."""
        return {6: "flop", 8: "turn", 10: "river"}[len(self.board)]

    def game(self, suits: str) -> RangeGame:
        """Return the game to solve, with *suits* in place of clubs, diamonds, hearts, spades."""
        text = GAME.replace("450 450", f"{50 + self.stack} {50 + self.stack}")
        root = BettingRules(parse_definition(text)).parse(
            {"flop": "cc/", "turn": "cc/cc/", "river": "cc/cc/cc/"}[self.street]
        )
        board = self.board.translate(str.maketrans("cdhs", suits))
        return make_range_game(root, parse_cards(board), self.menu)


SPOTS = (
    Spot("KsTd9h4s2c", 400, RIVER_MENU),
    Spot("KsTd9h4s2c", 100, RIVER_MENU),
    Spot("8h7h6d2hAc", 400, RIVER_MENU),
    Spot("QsQd5h5c3s", 900, RIVER_MENU),
    Spot("AsJs7s4d2s", 200, RIVER_MENU),
    Spot("KsTd9h4s", 400, MENU),
    Spot("KsTd9h4s", 100, MENU),
    Spot("8h7h6d2h", 200, MENU),
    Spot("QsQd5h3c", 400, MENU),
    Spot("AsKs7s", 100, SHOVE_MENU),
)


def figures() -> Iterator[Figure]:
    ratios: dict[tuple[bool, Setting], list[float]] = {}
    for spot in SPOTS:
        games = [spot.game(suits) for suits in RENAMED_SUITS]
        medians: dict[Setting, float] = {}
        for setting in SETTINGS:
            counts = sorted(iterations(game, *setting) for game in games)
            medians[setting] = statistics.median(counts)
            yield figure(
                f"{spot.board}, stacks {spot.stack}, {text_of(*setting)}",
                medians[setting],
                "iterations",
                f"from {counts[0]} to {counts[-1]}",
            )
        for setting, median in medians.items():
            ratio = median / medians[BASE, False]
            ratios.setdefault((spot.street == "river", setting), []).append(ratio)
    for (is_river, setting), found in ratios.items():
        where = "rivers" if is_river else "turns and flop"
        yield figure(
            f"{where}, {text_of(*setting)}",
            statistics.geometric_mean(found),
            f"of {text_of(*SETTINGS[DISCOUNTS.index(BASE)])}",
            f"{len(found)} spots, from {min(found):.2f} to {max(found):.2f}",
        )


def iterations(game: RangeGame, discounts: Exponents, is_int16: bool) -> int:  # noqa: FBT001
    """Return the iterations to the target, MOST if they do not reach it."""
    settings = DiscountSettings(*discounts)
    solver = RangeCFR(game, settings, num_threads=NUM_THREADS, is_int16=is_int16)
    *_, last = solver.solve(target=PERCENT / 100 * POT, most=MOST, every=EVERY)
    return last.num_iterations


def text_of(discounts: Exponents, is_int16: bool) -> str:  # noqa: FBT001
    """Return alpha, beta and gamma as text."""
    bits = " in 16 bits" if is_int16 else ""
    return "/".join(f"{exponent:g}" for exponent in discounts) + bits


def figure(name: str, value: float, unit: str, note: str) -> Figure:
    return Figure(name=name, value=value, unit=unit, note=note, higher_is_better=False)
