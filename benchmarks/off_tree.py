"""Loss of the searching agent to a bet that its blueprint lacks, by its number of continuations.

Flop hold'em with a short deck of five ranks, exactly: the opponent opens for 0.75 of the pot, the
blueprint knows 0.5 and 1. It is the agent that plays: every decision behind the bet is searched on
its own. The values of its leaves are those of the translated blueprint after the bet, or means of
those after the known bets. Beside it what the blueprint loses, translated, and what it would lose
had it known the bet. The figure of Brown, Sandholm & Amos (2018), drawn anew to docs/figures.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import replace
from math import inf
from pathlib import Path

from acpcbot.evaluation.exploitability.self_generated import generated_table
from acpcbot.poker.actions import raising
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.definition import parse_definition
from acpcbot.search.blueprint import SolvedBlueprint
from acpcbot.search.leaves import StoredLeaves
from acpcbot.search.settings import OFF_TREE, Menus, SearchSettings, StreetSettings
from acpcbot.search.strategy import SearchStrategy
from acpcbot.strategies.range_play import tabulate_solution, tabulate_strategy
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
FIRST_ITERATIONS, SECOND_ITERATIONS = 1000, 200
NUMBERS = (1, 2, 4, 8)
LABELS = ("searches, values after the bet", "searches, values after the known bets")


def figures() -> Iterator[Figure]:
    known, game = _game(KNOWN_BETS), _game(BETS)
    blueprint, with_bet = tabulate_solution(_solved(known)), tabulate_solution(_solved(game))
    value = (_best_mbb(game, with_bet, OPENER) - _best_mbb(game, with_bet, RESPONDER)) / 2
    solved = SolvedBlueprint(known, blueprint)
    translated = tabulate_strategy(game, solved)
    rows = [
        ("in the abstraction", _best_mbb(game, with_bet, OPENER) - value),
        ("blueprint, translated", _best_mbb(game, translated, OPENER) - value),
    ]
    yield from map(_figure, rows)
    whole = StreetSettings((Menus(solved.menu, solved.menu),), iterations=FIRST_ITERATIONS)
    first = replace(
        whole, decisions=OFF_TREE, max_cells=inf, root_gadget="maxmargin", gadget="maxmargin"
    )
    for label, own, play in (("", game, translated), (" of the known bets", known, blueprint)):
        table = generated_table(own, play, NUMBERS[-1], whole)
        leaves = StoredLeaves(SolvedBlueprint(own, play), table)
        for number in NUMBERS:
            streets = {
                0: replace(first, num_continuations=number),
                1: replace(first, iterations=SECOND_ITERATIONS),
            }
            agent = SearchStrategy(solved, SearchSettings(streets), leaves=leaves)
            answer = tabulate_strategy(game, agent, _is_answer, translated)
            rows.append((f"{number} continuations{label}", _best_mbb(game, answer, OPENER) - value))
            yield _figure(rows[-1])
    _save(rows)


def _is_answer(betting: BettingState) -> bool:
    """Return whether the responder decides behind the bet."""
    return betting.actor == RESPONDER and betting.text.startswith(BET.text)


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
    for label, own in zip(
        LABELS, (rows[2 : 2 + len(NUMBERS)], rows[2 + len(NUMBERS) :]), strict=True
    ):
        axes.plot(NUMBERS, [value for _, value in own], marker="o", label=label)
    axes.set(
        xscale="log", xlabel="continuations", ylabel="exploitability, mbb a hand", yscale="log"
    )
    axes.minorticks_off()
    axes.set_xticks(NUMBERS, [str(number) for number in NUMBERS])
    axes.legend()
    picture.savefig(FOLDER / f"{NAME}.png", dpi=120)
