"""``acpcbot lab goofspiel-tables``: a round robin of selection policies in Goofspiel(13).

Every algorithm of the paper meets a random player and the others, at equal simulations a move,
where the paper gave each of them a second. Table 1 has two halves: WL-Goof by games won, PD-Goof by
points.

Source: Lanctot, Lisy & Winands (2013), Monte Carlo tree search in simultaneous move games with
applications to Goofspiel, section 4.2 and table 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    game_name,
    game_of,
    policy_of,
    tree_bytes,
)
from acpcbot.lab.published import read
from acpcbot.lab.results import mean_and_half_width, where

NUM_CARDS = 13
RANDOM = "RND"
OPPONENTS = (RANDOM, *ALGORITHMS[:-1])
# A unit takes about a minute of a core.
SIMULATIONS_A_UNIT = 60_000_000
DECISIONS = 2 * (NUM_CARDS - 1)

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
        trees = 2 * tree_bytes(NUM_CARDS, _num_simulations(budget))
        return Estimate(10.0 + seconds, 250_000_000 + trees)

    def units(self, budget: Budget) -> list[Unit]:
        num_games, simulations = _num_games(budget), _num_simulations(budget)
        # An even number of games: two with seats exchanged see the same upcards.
        chunk = max(2, SIMULATIONS_A_UNIT // (DECISIONS * simulations) // 2 * 2)
        return [
            Unit(
                f"{_pairing_name(variant, one, two)}, from game {first}",
                (("game", variant), ("one", one), ("two", two), ("first", first), ("end", end)),
                weight=(end - first) * _game_seconds(one, two, simulations),
            )
            for first in range(0, num_games, chunk)
            for end in (min(first + chunk, num_games),)
            for variant in VARIANTS
            for one, two in pairs()
        ]

    def run(self, unit: Unit, budget: Budget, folder: Path) -> Iterator[Row | Note]:
        variant, one, two = unit.text("game"), unit.text("one"), unit.text("two")
        simulations = _num_simulations(budget)
        pairing = Pairing(
            _pairing_name(variant, one, two),
            game_of(variant, NUM_CARDS),
            (_player(one, variant, simulations), _player(two, variant, simulations)),
            MoveBudget(simulations=simulations),
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
        for variant in VARIANTS:
            for one, two in pairs():
                mean, half_width = score_of(rows, variant, one, two)
                paper = paper_score(variant, one, two)
                verdict = ""
                if mean is not None:
                    verdict = judge(variant, mean, half_width or np.inf, paper)
                    verdicts.setdefault(verdict, []).append(f"{variant} {one} - {two}")
                what = f"{variant}-Goof: {one} - {two}"
                lines.append(Compared(what, mean, half_width, paper, verdict))
        notes = [
            f"games a cell: {_num_games(budget):,}; simulations a move:"
            f" {_num_simulations(budget):,}, the paper 1 second (86,000 to 187,000)"
        ]
        for verdict, names in sorted(verdicts.items()):
            few = f": {', '.join(names)}" if len(names) <= MOST_NAMED else ""
            notes.append(f"{verdict}: {len(names)} of {len(lines)}{few}")
        return Comparison("% won (WL-Goof), points a game (PD-Goof)", lines, notes)

    def chart(self, rows: list[Row], budget: Budget) -> Chart:
        panels = []
        for variant, label in zip(VARIANTS, ("% won", "points a game"), strict=True):
            scores = [score_of(rows, variant, one, two) for one, two in pairs()]
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
                xs=[paper_score(variant, one, two) for one, two in pairs()],
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
                    names=[f"{one} - {two}" for one, two in pairs()],
                )
            )
        return Chart(self.title, panels)


EXPERIMENT = GoofspielTables()

MOST_NAMED = 8


def pairs() -> list[tuple[str, str]]:
    """Return the cells of the paper's tables: each algorithm and those to the left of it."""
    return [
        (one, two) for place, one in enumerate(ALGORITHMS, start=1) for two in OPPONENTS[:place]
    ]


def paper_score(variant: str, one: str, two: str) -> float:
    """Return the paper's figure of a cell."""
    return float(read(PAPER)["table_1"][variant]["rows"][one][OPPONENTS.index(two)])


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
    even = 50.0 if variant == "WL" else 0.0
    ours, theirs = mean - even, paper - even
    if abs(theirs) <= float(read(PAPER)["table_1"][variant]["width"]):
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
    return SimultaneousPlayer(game, policy_of(name, variant), REWARDS, memory_bytes, name)


def _game_seconds(one: str, two: str, simulations: int) -> float:
    moves = DECISIONS / 2 * simulations
    return sum(moves / SPEEDS[name] for name in (one, two) if name != RANDOM)


def _num_games(budget: Budget) -> int:
    return budget.num_games(50, 1000)


def _num_simulations(budget: Budget) -> int:
    return budget.num_simulations(10_000, 10_000)
