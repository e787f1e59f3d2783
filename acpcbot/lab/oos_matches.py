"""``acpcbot lab oos-matches``: OOS, IS-MCTS and random play head to head.

Figure 4 of the OOS paper: six tables, one a game, in which each player meets each other at both
seats. OOS has delta 0.9 and epsilon 0.4 (0.8 in LD(2,2)); it targets information sets in Goofspiel
and public states elsewhere.

In Goofspiel and liar's dice the figure is the percentage of games that the row, at seat 0, wins,
ties as halves; in poker it is the row's chips a game above the value of the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from acpcbot.evaluation.searches.players import MoveBudget, SearchPlayer, Targeting
from acpcbot.evaluation.searches.search_matches import Pairing, play_games
from acpcbot.lab.experiment import (
    Budget,
    Chart,
    Compared,
    Comparison,
    Estimate,
    Note,
    Option,
    Row,
    Unit,
)
from acpcbot.lab.oos_players import (
    GAMES,
    LARGE_GAMES,
    MOVES,
    RANDOM,
    RATES,
    SEARCHES,
    SIMULATIONS_A_SECOND,
    make_player,
    settings,
)
from acpcbot.lab.published import read
from acpcbot.lab.results import mean_and_half_width, numbers, where

PLAYERS = (*SEARCHES, RANDOM)
DELTA, EPSILON, EPSILON_OF_MANY_ACTIONS = 0.9, 0.4, 0.8
SECONDS = {
    "II-GS(6)": 0.1,
    "LD(1,1)": 0.1,
    "GP(3,3,2,2)": 0.1,
    "II-GS(13)": 1.0,
    "LD(2,2)": 5.0,
    "GP(4,6,4,4)": 1.0,
}
VALUES = {"GP(3,3,2,2)": -0.11135308803867544, "GP(4,6,4,4)": -0.11123854182232012}
"""The value of poker games for seat 0, in chips."""

GAMES_A_CELL, LARGE_GAMES_A_CELL, FULL_GAMES = 60, 10, 500
DEFAULT_SIMULATIONS = 10_000
UNIT_SECONDS = 60.0
# Reading kernels.
BEGIN_SECONDS = 3.0


class OOSMatchesExperiment:
    """A cell for each game and pair of players."""

    name = "oos-matches"
    title = "OOS and IS-MCTS head to head"
    source = "OOS 2015, figure 4"
    options: Sequence[Option] = ("games", "simulations")

    def estimate(self, budget: Budget) -> Estimate:
        return Estimate(sum(unit.weight for unit in self.units(budget)), 1_500_000_000)

    def units(self, budget: Budget) -> list[Unit]:
        # Cells are cut into blocks of games of a minute or so.
        units = []
        for game in GAMES:
            for row in PLAYERS:
                for column in PLAYERS:
                    seconds = game_seconds(game, row, column, simulations(game, budget))
                    count = num_games(game, budget)
                    block = min(count, max(1, round(UNIT_SECONDS / seconds)))
                    for first in range(0, count, block):
                        played = min(block, count - first)
                        units.append(
                            Unit(
                                f"{game}, {row} - {column}, games from {first + 1}",
                                (
                                    ("game", game),
                                    ("row", row),
                                    ("column", column),
                                    ("first", first),
                                    ("count", played),
                                ),
                                BEGIN_SECONDS + played * seconds,
                            )
                        )
        return units

    def run(self, unit: Unit, budget: Budget, folder: Path) -> Iterator[Row | Note]:
        game = unit.text("game")
        players = [_player(game, unit.text(side)) for side in ("row", "column")]
        pairing = Pairing(
            f"{game}, {players[0].name} - {players[1].name}",
            GAMES[game],
            (players[0], players[1]),
            MoveBudget(simulations=simulations(game, budget)),
            swaps_seats=False,
        )
        first, count = unit.whole("first"), unit.whole("count")
        # A game depends on the seed, the pairing's name and its number, not on the block it is in.
        for result in play_games(pairing, range(first, first + count), budget.seed):
            yield {"number": result.number + 1, "score": score(game, result.payoff)}

    def comparison(self, rows: list[Row], budget: Budget) -> Comparison:
        lines, notes = list[Compared](), list[str]()
        for game in GAMES:
            for row in PLAYERS:
                for column in PLAYERS:
                    values = numbers(where(rows, game=game, row=row, column=column), "score")
                    lines.append(_compared(game, row, column, values, num_games(game, budget)))
            notes.append(
                f"{game}: {simulations(game, budget):,} simulations a move,"
                f" {num_games(game, budget)} games a cell; the paper: {SECONDS[game]:g} s, at least"
                " 500"
            )
        notes.append(f"a second of the paper stands for {SIMULATIONS_A_SECOND:,} simulations")
        return Comparison("% won by the row, or chips above value", lines, notes)

    def chart(self, rows: list[Row], budget: Budget) -> Chart | None:
        return None


EXPERIMENT = OOSMatchesExperiment()


def num_games(game: str, budget: Budget) -> int:
    """Return the games a cell."""
    default = LARGE_GAMES_A_CELL if game in LARGE_GAMES else GAMES_A_CELL
    return budget.num_games(default, FULL_GAMES)


def simulations(game: str, budget: Budget) -> int:
    """Return the simulations a move."""
    full = round(SECONDS[game] * SIMULATIONS_A_SECOND)
    return budget.num_simulations(DEFAULT_SIMULATIONS, full)


def game_seconds(game: str, row: str, column: str, num_simulations: int) -> float:
    """Return about how long a game takes on one core."""
    searching = [player != RANDOM for player in (row, column)]
    moves = MOVES[game] * sum(searching) / 2
    return 0.001 + moves * (num_simulations / RATES[game] + 0.001)


def score(game: str, payoff: float) -> float:
    """Return the figure of a game for the row: percent won, or chips above the game's value."""
    if game in VALUES:
        return payoff - VALUES[game]
    return 50.0 * (1 + (payoff > 0) - (payoff < 0))


def balance(game: str) -> float:
    """Return the figure of two players of equal strength."""
    return 0.0 if game in VALUES else 50.0


def _player(game: str, name: str) -> SearchPlayer:
    epsilon = EPSILON_OF_MANY_ACTIONS if game == "LD(2,2)" else EPSILON
    targeting: Targeting = "infoset" if game.startswith("II-GS") else "public"
    return make_player(game, name, settings(DELTA, epsilon), targeting, is_match=True)


def _compared(game: str, row: str, column: str, values: Sequence[float], expected: int) -> Compared:
    """Return the line of a cell, with its sign beside the paper's."""
    what = f"{game}, {row} - {column}"
    paper, paper_half = read("oos_2015_matches")["cells"][game][row][column]
    if len(values) < expected:
        return Compared(what, None, None, paper)
    mean, half = mean_and_half_width(values)
    assert mean is not None
    ours = _sign(mean - balance(game), half)
    theirs = _sign(paper - balance(game), paper_half)
    if theirs == 0:
        word = "the paper's sign is not significant"
    elif ours == theirs:
        word = "the paper's sign"
    elif ours == 0:
        word = "sign not decided by these games"
    else:
        word = "the other sign"
    return Compared(what, mean, half, paper, word)


def _sign(difference: float, half_width: float | None) -> int:
    """Return the sign of a difference from balance, 0 where its interval holds balance."""
    if half_width is None or abs(difference) <= half_width:
        return 0
    return 1 if difference > 0 else -1
