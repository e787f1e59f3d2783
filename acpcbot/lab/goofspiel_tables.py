"""``acpcbot lab goofspiel-tables``: a round robin of selection policies in Goofspiel(13).

Every algorithm of the paper meets a random player and the others. Table 1 has two halves: WL-Goof
by games won, PD-Goof by points. The paper gave each player a second a move: here each has the
simulations that the paper's program made in it, or with ``--simulations`` all have the same number.
C of DUCT follows that number (``constant_at``).

The default plays the cells in which the paper's difference is large enough to show in a hundred
games or so, each with as many games as it needs: four times as many for a difference half as large.

Source: Lanctot, Lisy & Winands (2013), Monte Carlo tree search in simultaneous move games with
applications to Goofspiel, section 4.2 and table 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from pathlib import Path

import numpy as np

from acpcbot.evaluation.searches.players import (
    MoveBudget,
    RandomPlayer,
    SearchPlayer,
    SimultaneousPlayer,
)
from acpcbot.evaluation.searches.search_matches import Pairing, play_games
from acpcbot.lab.experiment import (
    Budget,
    Chart,
    Compared,
    Comparison,
    Estimate,
    Line,
    Note,
    Option,
    Panel,
    Row,
    Unit,
)
from acpcbot.lab.goofspiel import (
    ALGORITHMS,
    PAPER,
    REWARDS,
    VARIANTS,
    constant_at,
    game_name,
    game_of,
    policy_of,
    simulations_a_second,
    tree_bytes,
)
from acpcbot.lab.published import read
from acpcbot.lab.results import mean_and_half_width, where

NUM_CARDS = 13
FULL_GAMES = 1000
RANDOM = "RND"
OPPONENTS = (RANDOM, *ALGORITHMS[:-1])
# A unit takes about a minute of a core.
SIMULATIONS_A_UNIT = 60_000_000
DECISIONS = 2 * (NUM_CARDS - 1)

# The default's games: so many that the paper's difference is this many standard errors, at which
# four of five runs resolve it. A game's score has this standard deviation, as measured.
ERRORS_RESOLVED = 2.8
SPREADS = {"WL": 49.0, "PD": 17.0}
FEWEST_GAMES, MOST_GAMES = 40, 120

# Simulations a second, the mean over the moves of a game: later ones are shorter.
SPEEDS = {
    "DUCT(max)": 1_300_000,
    "DUCT(mix)": 1_300_000,
    "Exp3": 800_000,
    "OOS": 1_300_000,
    "OOS+": 400_000,
    "RM": 900_000,
}


class GoofspielTables:
    """Share of games won in WL-Goof(13), points a game in PD-Goof(13), for each two algorithms."""

    name = "goofspiel-tables"
    title = "Goofspiel(13): SM-MCTS policies, round robin"
    source = "SM-MCTS 2013, table 1"
    options: Sequence[Option] = ("games", "simulations")

    def estimate(self, budget: Budget) -> Estimate:
        seconds = sum(unit.weight for unit in self.units(budget))
        trees = 2 * tree_bytes(
            NUM_CARDS, max(_num_simulations(budget, name) for name in ALGORITHMS)
        )
        return Estimate(10.0 + seconds, 250_000_000 + trees)

    def units(self, budget: Budget) -> list[Unit]:
        most = max(_num_simulations(budget, name) for name in ALGORITHMS)
        # An even number of games: two with seats exchanged see the same upcards.
        chunk = max(2, SIMULATIONS_A_UNIT // (DECISIONS * most) // 2 * 2)
        games = {cell: num_games(budget, *cell) for cell in _cells()}
        return [
            Unit(
                f"{_pairing_name(variant, one, two)}, from game {first}",
                (("game", variant), ("one", one), ("two", two), ("first", first), ("end", end)),
                weight=(end - first) * _game_seconds(one, two, budget),
            )
            for first in range(0, max(games.values()), chunk)
            for (variant, one, two), count in games.items()
            for end in (min(first + chunk, count),)
            if end > first
        ]

    def run(self, unit: Unit, budget: Budget, folder: Path) -> Iterator[Row | Note]:
        variant, one, two = unit.text("game"), unit.text("one"), unit.text("two")
        simulations = [_num_simulations(budget, name) for name in (one, two)]
        pairing = Pairing(
            _pairing_name(variant, one, two),
            game_of(variant, NUM_CARDS),
            (_player(one, variant, simulations[0]), _player(two, variant, simulations[1])),
            MoveBudget(simulations=simulations[0]),
            second_budget=MoveBudget(simulations=simulations[1]),
        )
        numbers = range(unit.whole("first"), unit.whole("end"))
        total = 0.0
        for count, result in enumerate(play_games(pairing, numbers, budget.seed), start=1):
            score = result.payoff if variant == "PD" else 50 + 50 * result.payoff
            total += score
            yield {"number": result.number, "score": score}
            yield Note(
                f"{count} games, {total / count:.1f}{' points' if variant == 'PD' else ' %'}"
            )

    def comparison(self, rows: list[Row], budget: Budget) -> Comparison:
        lines: list[Compared] = []
        verdicts: dict[str, list[str]] = {}
        left_out: list[str] = []
        for variant in VARIANTS:
            for one, two in pairs():
                if num_games(budget, variant, one, two) == 0:
                    left_out.append(f"{variant} {one} - {two}")
                    continue
                mean, half_width = score_of(rows, variant, one, two)
                paper = paper_score(variant, one, two)
                verdict = ""
                if mean is not None:
                    verdict = judge(variant, mean, half_width or np.inf, paper)
                    verdicts.setdefault(verdict, []).append(f"{variant} {one} - {two}")
                what = f"{variant}-Goof: {one} - {two}"
                lines.append(Compared(what, mean, half_width, paper, verdict))
        simulations = sorted({_num_simulations(budget, name) for name in ALGORITHMS})
        games = sorted({num_games(budget, *cell) for cell in _cells()} - {0})
        notes = [
            f"games a cell: {_span(games)}; simulations a move: {_span(simulations)}, the paper 1"
            " second (86,000 to 187,000)"
        ]
        if left_out:
            notes.append(
                f"left out, too small a difference in the paper for {MOST_GAMES} games; --games"
                f" or --full plays them: {', '.join(left_out)}"
            )
        for verdict, names in sorted(verdicts.items()):
            few = f": {', '.join(names)}" if len(names) <= MOST_NAMED else ""
            notes.append(f"{verdict}: {len(names)} of {len(lines)}{few}")
        return Comparison("% won (WL-Goof), points a game (PD-Goof)", lines, notes)

    def chart(self, rows: list[Row], budget: Budget) -> Chart:
        panels = []
        for variant, label in zip(VARIANTS, ("% won", "points a game"), strict=True):
            cells = [cell for cell in pairs() if num_games(budget, variant, *cell)]
            scores = [score_of(rows, variant, one, two) for one, two in cells]
            known = [
                (place, mean, half or 0.0)
                for place, (mean, half) in enumerate(scores, start=1)
                if mean is not None
            ]
            ours = Line(
                label="ours",
                xs=[mean for _, mean, _ in known],
                ys=[place for place, _, _ in known],
                half_widths=[half for _, _, half in known],
            )
            paper = Line(
                label="paper",
                xs=[paper_score(variant, one, two) for one, two in cells],
                ys=list(range(1, len(scores) + 1)),
                is_paper=True,
            )
            panels.append(
                Panel(
                    title=game_name(variant, NUM_CARDS),
                    x_label=label,
                    y_label="",
                    lines=[ours, paper],
                    is_log_x=False,
                    names=[f"{one} - {two}" for one, two in cells],
                )
            )
        return Chart(self.title, panels)


EXPERIMENT = GoofspielTables()

MOST_NAMED = 8
EVEN = {"WL": 50.0, "PD": 0.0}


def pairs() -> list[tuple[str, str]]:
    """Return the cells of the paper's tables: each algorithm and those to the left of it."""
    return [
        (one, two) for place, one in enumerate(ALGORITHMS, start=1) for two in OPPONENTS[:place]
    ]


def paper_score(variant: str, one: str, two: str) -> float:
    """Return the paper's figure of a cell."""
    return float(read(PAPER)["table_1"][variant]["rows"][one][OPPONENTS.index(two)])


def paper_width(variant: str) -> float:
    """Return half the width of the paper's intervals."""
    return float(read(PAPER)["table_1"][variant]["width"])


def num_games(budget: Budget, variant: str, one: str, two: str) -> int:
    """Return the games of a cell; 0 for one that the default budget leaves out."""
    if budget.is_full or budget.games:
        return budget.num_games(FULL_GAMES, FULL_GAMES)
    difference = abs(paper_score(variant, one, two) - EVEN[variant])
    if difference <= paper_width(variant):
        return 0
    pairs_of_games = ceil((ERRORS_RESOLVED * SPREADS[variant] / difference) ** 2 / 2)
    needed = max(FEWEST_GAMES, 2 * pairs_of_games)
    return needed if needed <= MOST_GAMES else 0


def score_of(
    rows: list[Row], variant: str, one: str, two: str
) -> tuple[float | None, float | None]:
    """Return the mean score of a cell, and half the width of its interval."""
    # Two games with seats exchanged have the same upcards: together they are one sample.
    found = where(rows, game=variant, one=one, two=two)
    by_pair: dict[int, list[float]] = {}
    for row in found:
        by_pair.setdefault(int(row["number"]) // 2, []).append(float(row["score"]))
    return mean_and_half_width([float(np.mean(scores)) for scores in by_pair.values()])


def judge(variant: str, mean: float, half_width: float, paper: float) -> str:
    """Return whether our figure has the paper's sign, in a few words."""
    ours, theirs = mean - EVEN[variant], paper - EVEN[variant]
    if abs(theirs) <= paper_width(variant):
        return "not significant in the paper"
    if abs(ours) <= half_width:
        return "sign not resolved here"
    return "the paper's sign" if ours * theirs > 0 else "the other sign"


def _pairing_name(variant: str, one: str, two: str) -> str:
    return f"{game_name(variant, NUM_CARDS)}, {one} - {two}"


def _player(name: str, variant: str, simulations: int) -> SearchPlayer:
    game = game_of(variant, NUM_CARDS)
    if name == RANDOM:
        return RandomPlayer(game, name)
    memory_bytes = tree_bytes(NUM_CARDS, simulations)
    policy = policy_of(name, variant, constant_at(name, variant, simulations))
    return SimultaneousPlayer(game, policy, REWARDS[variant], memory_bytes, name)


def _game_seconds(one: str, two: str, budget: Budget) -> float:
    return sum(
        DECISIONS / 2 * _num_simulations(budget, name) / SPEEDS[name]
        for name in (one, two)
        if name != RANDOM
    )


def _num_simulations(budget: Budget, name: str) -> int:
    """Return the simulations a move of an algorithm, by default those of the paper's second."""
    if name == RANDOM:
        return 1
    return budget.num_simulations(*[simulations_a_second(name)] * 2)


def _cells() -> list[tuple[str, str, str]]:
    return [(variant, one, two) for variant in VARIANTS for one, two in pairs()]


def _span(numbers: Sequence[int]) -> str:
    """Return the lowest and the highest of *numbers* in words."""
    return " to ".join(f"{number:,}" for number in dict.fromkeys((numbers[0], numbers[-1])))
