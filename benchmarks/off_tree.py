"""Loss of a searcher to a bet that its blueprint lacks, by the number of values of a state.

Flop hold'em with a short deck of five ranks, exactly: the opponent opens for 0.75 of the pot, the
blueprint knows 0.5 and 1. Values come from the blueprint's game, as means over both, or from the
blueprint translated. Beside it what the blueprint loses that takes the bet for one of its own, and
what it would lose had it known the bet. The figure of Brown, Sandholm & Amos (2018), drawn anew
to docs/figures.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from acpcbot.evaluation.exploitability.stitched_strategy import (
    OffTreeSearch,
    SearchSettings,
    SelfGenerated,
    translated_response,
)
from acpcbot.poker.actions import raising
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import parse_definition
from acpcbot.strategies.range_play import tabulate_solution
from acpcbot.subgames.best_response import (
    TabularStrategy,
    Walker,
    best_response_traversal,
    hand_values,
)
from acpcbot.subgames.game import RangeGame, make_range_game
from acpcbot.subgames.solver import RangeCFR
from acpcbot.trees.bet_menu import BetMenu
from benchmarks.figure import Figure

ONLY_BY_NAME = True
FOLDER = Path(__file__).resolve().parents[1] / "docs" / "figures"
NAME = "off_tree_short_flop_holdem"

SHORT_FLOP_HOLDEM = """GAMEDEF
nolimit
numPlayers = 2
numRounds = 2
stack = 20000 20000
blind = 100 50
firstPlayer = 2 1
numSuits = 4
numRanks = 5
numHoleCards = 2
numBoardCards = 0 3
END GAMEDEF
"""
KNOWN_BETS, BETS = (0.5, 1.0), (0.5, 0.75, 1.0)
RAISES, RERAISES = (0.5, 1.0), (1.0,)
BET = raising(250)
RESPONDER, OPENER = 0, 1
ITERATIONS = 1000
SEARCH = SearchSettings("maxmargin", first_iterations=1000, second_iterations=200)
NUMBERS = (1, 2, 4, 8, 16)


def figures() -> Iterator[Figure]:
    known, game = _game(KNOWN_BETS), _game(BETS)
    blueprint, with_bet = _solved(known), _solved(game)
    value = (
        _best_mbb(game, tabulate_solution(with_bet), OPENER)
        - _best_mbb(game, tabulate_solution(with_bet), RESPONDER)
    ) / 2
    translated = translated_response(game, known, tabulate_solution(blueprint))
    rows = [
        ("in the abstraction", _best_mbb(game, tabulate_solution(with_bet), OPENER) - value),
        (
            "blueprint, translated",
            _best_mbb(game, translated_response(game, known, tabulate_solution(blueprint)), OPENER)
            - value,
        ),
    ]
    yield from map(_figure, rows)
    for label, game_known, own in (
        ("means of its neighbours", known, tabulate_solution(blueprint)),
        ("translated", game, translated),
    ):
        search = OffTreeSearch(
            game, SelfGenerated(game_known, own, SEARCH.first_iterations), BET, SEARCH
        )
        for number in NUMBERS:
            rows.append(
                (f"{number} values, {label}", _best_mbb(game, search.play(number), OPENER) - value)
            )
            yield _figure(rows[-1])
    _save(rows)


def _game(first_bets: tuple[float, ...]) -> RangeGame:
    menu = BetMenu(((first_bets, RAISES, RERAISES, ()), (KNOWN_BETS, RERAISES, ())))
    return make_range_game(BettingRules(parse_definition(SHORT_FLOP_HOLDEM)).start, menu=menu)


def _solved(game: RangeGame) -> RangeCFR:
    solver = RangeCFR(game)
    solver.step(ITERATIONS)
    return solver


def _best_mbb(game: RangeGame, play: TabularStrategy, seat: int) -> float:
    """Return the winnings of a best response in *seat*."""
    values = hand_values(game, best_response_traversal(seat, play), Walker())
    return 1000 * float(game.ranges[seat] @ values) / game.num_pairs / game.definition.big_blind


def _figure(row: tuple[str, float]) -> Figure:
    return Figure(name=f"off the tree, {row[0]}", value=row[1], unit="mbb", higher_is_better=False)


def _save(rows: list[tuple[str, float]]) -> None:
    """The table, and the picture."""
    from matplotlib.figure import Figure as Picture

    with (FOLDER / f"{NAME}.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([("answer", "exploitability_mbb"), *rows])
    picture = Picture(figsize=(6, 4), layout="constrained")
    axes = picture.subplots()
    for (label, value), style in zip(rows[:2], (":", "--"), strict=True):
        axes.axhline(value, linestyle=style, color="grey", label=label)
    for label, first in (
        ("values of its neighbours", 2),
        ("values of the translated blueprint", 2 + len(NUMBERS)),
    ):
        axes.plot(
            NUMBERS,
            [value for _, value in rows[first : first + len(NUMBERS)]],
            marker="o",
            label=label,
        )
    axes.set(
        xscale="log", xlabel="values a state", ylabel="exploitability, mbb a hand", yscale="log"
    )
    axes.set_xticks(NUMBERS, [str(number) for number in NUMBERS])
    axes.legend()
    picture.savefig(FOLDER / f"{NAME}.png", dpi=120)
