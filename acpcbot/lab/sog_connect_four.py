"""``acpcbot lab sog-connect-four``: searches with a network in Connect Four, by simulations.

What Student of Games shows in chess and Go, in a game that is small enough to train in minutes and
to solve: a network is learnt from the rules alone, and searches with it get stronger with their
simulations, by Elo (figure 4) and by the share of moves that keep the value of positions which the
perfect solver has decided. Beside SoG(s, c) stands a search by PUCT and visits, as AlphaZero's, at
equal simulations and with the same network. OpenSpiel's MCTS, where it is installed, plays at equal
seconds of the processor a move.

Games begin with moves drawn at random, each opening twice with seats exchanged.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np

from acpcbot.evaluation.elo import Games, elo_ratings
from acpcbot.evaluation.searches.decided_positions import (
    DecidedPosition,
    draw_positions,
    is_right_move,
)
from acpcbot.evaluation.searches.players import MoveBudget
from acpcbot.evaluation.searches.position_players import PositionPlayer
from acpcbot.evaluation.searches.search_matches import (
    GameResult,
    KeptGames,
    Pairing,
    play_game,
    score_pairing,
)
from acpcbot.games.connect_four import ConnectFour
from acpcbot.games.drawn_openings import DrawnOpenings
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
    unit_seed,
)
from acpcbot.lab.published import read
from acpcbot.lab.results import numbers, where
from acpcbot.lab.spiel_players import SpielMCTSPlayer, is_installed
from acpcbot.lab.trainings import train_in_parts, training_in
from acpcbot.matches.intervals import NORMAL_95
from acpcbot.networks.fitting import FittingSettings
from acpcbot.training.self_play import SelfPlaySettings
from acpcbot.tree_search.board_encodings import connect_four_encoding
from acpcbot.tree_search.growing_cfr import GrowingCFRSettings
from acpcbot.tree_search.leaf_evaluators import LeafValues
from acpcbot.tree_search.position_search import PositionSearch
from acpcbot.tree_search.visit_search import VisitSearch, VisitSettings

TRAINED, NONE = "trained", "no network"
SOG, MCTS = "SoG", "MCTS"
SIMULATIONS = (100, 400, 1600, 6400)
PER_UPDATE = 10.0
"""The c of measured searches, as in the paper's chess."""
SEARCH = GrowingCFRSettings(simulations=100, adds_one_child=True, averaging_power=2)
"""Of trainings; those that are measured have another c and more simulations."""
EPISODES, FULL_EPISODES, EPISODES_A_NOTE = 2400, 12_000, 100
NUM_POSITIONS, NUM_DRAWN = 1000, 4
GAMES, FULL_GAMES = 10, 60
"""Of each pairing of the round robin."""
SPIEL_SIMULATIONS, SPIEL_GAMES_FACTOR = 1600, 4
"""SoG's simulations against OpenSpiel's MCTS, and how many times as many games are played."""
POSITIONS_SEED = 1

CPU_SECONDS_AN_EPISODE, CPU_SECONDS_A_GAME = 0.06, 0.6
CPU_SECONDS_OF_POSITIONS = 150.0


class SogConnectFourExperiment:
    """Right moves and Elo by simulations, of two searches with one network."""

    name = "sog-connect-four"
    title = "Connect Four: searches with a network"
    source = "Student of Games, figure 4 (other game)"
    options: Sequence[Option] = ("games",)

    def estimate(self, budget: Budget) -> Estimate:
        return Estimate(60.0 + sum(unit.weight for unit in self.units(budget)), 1_200_000_000)

    def units(self, budget: Budget) -> list[Unit]:
        """The training with all its games, and searches without a network."""
        num_pairings = len(list(combinations(agents(), 2)))
        weight = CPU_SECONDS_OF_POSITIONS + CPU_SECONDS_AN_EPISODE * num_episodes(budget)
        weight += CPU_SECONDS_A_GAME * num_games(budget) * num_pairings
        return [
            Unit(TRAINED, (("values", TRAINED),), weight),
            Unit(NONE, (("values", NONE),), CPU_SECONDS_OF_POSITIONS),
        ]

    def run(self, unit: Unit, budget: Budget, folder: Path) -> Iterator[Row | Note]:
        seed, values = unit_seed(budget, unit), None
        if unit.text("values") == TRAINED:
            training = training_in(
                folder / "training",
                connect_four_encoding(),
                training_settings(seed),
                num_episodes(budget),
            )
            yield from train_in_parts(training, EPISODES_A_NOTE)
            values = training.self_play.values
            yield {
                "kind": "training",
                "episodes": num_episodes(budget),
                "training_cpu_s": round(training.cpu_seconds, 1),
            }
        yield from right_moves(values)
        if values is not None:
            yield from round_robin_rows(values, num_games(budget), seed, folder / "games")
            if is_installed():
                count = SPIEL_GAMES_FACTOR * num_games(budget)
                yield from spiel_rows(values, count, seed, folder / "openspiel")

    def comparison(self, rows: list[Row], budget: Budget) -> Comparison:
        lines = []
        for values in (TRAINED, NONE):
            for search in (SOG, MCTS):
                for simulations in SIMULATIONS:
                    found = where(rows, values=values, kind="right", search=search, s=simulations)
                    right, half = (numbers(found, name) for name in ("right_percent", "half_width"))
                    lines.append(
                        Compared(
                            f"right moves, %: {label(search, simulations)}, {values}",
                            right[0] if right else None,
                            half[0] if half else None,
                            explanation=f"of {NUM_POSITIONS:,} decided positions",
                        )
                    )
        lines += self._elo_lines(rows)
        lines += self._spiel_lines(rows)
        notes = [
            "Elo: SoG(100,10) is 0; a drawn game is added to each pairing. The paper has no figures"
            " for Connect Four: its own are of chess and Go."
        ]
        seconds = numbers(where(rows, kind="training"), "training_cpu_s")
        if seconds:
            notes.append(
                f"{num_episodes(budget):,} episodes, in {seconds[0]:.0f} seconds of CPU of one core"
            )
        if not is_installed():
            notes.append("OpenSpiel is not installed: pip install open_spiel for its match")
        return Comparison("percent, and points of Elo", lines, notes)

    def _elo_lines(self, rows: list[Row]) -> list[Compared]:
        paper = read("student_of_games_2023")["boards"]
        ratings = rated(rows)
        lines = []
        for (search, simulations), (rating, half_width) in ratings.items():
            explanation = "0 by definition"
            if (search, simulations) != agents()[0]:
                explanation = f"chess {paper['chess'][search]}; Go {paper['go'][search]}"
            lines.append(
                Compared(
                    f"Elo: {label(search, simulations)}",
                    rating,
                    half_width or None,
                    "rises",
                    explanation,
                )
            )
        return lines

    def _spiel_lines(self, rows: list[Row]) -> list[Compared]:
        (found,) = where(rows, kind="openspiel") or [{}]
        if not found:
            return []
        ours, theirs = (1000 * float(found[f"{name}_s_a_move"]) for name in ("sog", "spiel"))
        return [
            Compared(
                f"% of points of {label(SOG, SPIEL_SIMULATIONS)} against OpenSpiel's MCTS",
                float(found["points_percent"]),
                float(found["half_width"]),
                None,
                f"{int(found['games'])} games; {ours:.1f} and {theirs:.1f} ms a move,"
                f" {float(found['spiel_simulations']):,.0f} simulations of it",
            )
        ]

    def chart(self, rows: list[Row], budget: Budget) -> Chart:
        right, rating = [], []
        ratings = rated(rows)
        for color, search in enumerate((SOG, MCTS)):
            for values in (TRAINED, NONE):
                found = where(rows, values=values, kind="right", search=search)
                right.append(
                    Line(
                        label=f"{search}, {values}",
                        xs=numbers(found, "s"),
                        ys=numbers(found, "right_percent"),
                        half_widths=numbers(found, "half_width"),
                        color=color + (2 if values == NONE else 0),
                    )
                )
            own = [(s, *found) for (name, s), found in ratings.items() if name == search]
            rating.append(
                Line(
                    label=search,
                    xs=[s for s, _, _ in own],
                    ys=[y for _, y, _ in own],
                    half_widths=[half for _, _, half in own],
                    color=color,
                )
            )
        panels = [
            Panel(title="right moves", x_label="simulations", y_label="%", lines=right),
            Panel(title="round robin", x_label="simulations", y_label="Elo", lines=rating),
        ]
        return Chart(self.title, panels)


EXPERIMENT = SogConnectFourExperiment()


def num_episodes(budget: Budget) -> int:
    """Return the episodes of the training."""
    return FULL_EPISODES if budget.is_full else EPISODES


def num_games(budget: Budget) -> int:
    """Return the games of a pairing, an even number."""
    count = budget.num_games(GAMES, FULL_GAMES)
    return count + count % 2


def agents() -> list[tuple[str, int]]:
    """Return the players of the round robin: search and simulations. The first one's Elo is 0."""
    return [(search, simulations) for search in (SOG, MCTS) for simulations in SIMULATIONS]


def label(search: str, simulations: int) -> str:
    """Return the name of a search, such as SoG(100,10)."""
    return (
        f"{search}({simulations},{PER_UPDATE:g})" if search == SOG else f"{search}({simulations})"
    )


def settings_of(search: str, simulations: int) -> GrowingCFRSettings | VisitSettings:
    """Return the settings of a search that is measured."""
    if search == MCTS:
        return VisitSettings(simulations=simulations)
    return replace(SEARCH, simulations=simulations, simulations_per_update=PER_UPDATE)


def training_settings(seed: int) -> SelfPlaySettings:
    """Return the settings of a training with *seed*."""
    return SelfPlaySettings(
        seed=seed,
        hidden=(128, 128),
        search=SEARCH,
        fitting=FittingSettings(decay_steps=10_000, policy_weight=1.0),
        replay_buffer_size=60_000,
        max_updates_per_example=30,
        queries_per_search=1.0,
        recursive_queries_per_search=0.1,
        solves_per_episode=24,
        td1_target_probability=0.3,
        greedy_play_after=12,
        resign_threshold=-0.9,
    )


def right_moves(values: LeafValues | None) -> Iterator[Row | Note]:
    """Yield the share of right moves by search and simulations."""
    yield Note(f"solving {NUM_POSITIONS:,} positions")
    positions = draw_positions(NUM_POSITIONS, POSITIONS_SEED)
    for search, simulations in agents():
        right = right_share(positions, settings_of(search, simulations), values)
        half_width = NORMAL_95 * (right * (1 - right) / len(positions)) ** 0.5
        yield {
            "kind": "right",
            "search": search,
            "s": simulations,
            "half_width": round(100 * half_width, 2),
            "right_percent": round(100 * right, 2),
        }


def right_share(
    positions: Sequence[DecidedPosition],
    settings: GrowingCFRSettings | VisitSettings,
    values: LeafValues | None,
) -> float:
    """Return the share of *positions* in which a search prefers a right move."""
    game = ConnectFour()
    searcher: PositionSearch | VisitSearch
    if isinstance(settings, VisitSettings):
        searcher = VisitSearch(game, settings, values)
    else:
        searcher = PositionSearch(game, settings, values)
    found = [
        is_right_move(position, searcher.search(position.state, number).policy)
        for number, position in enumerate(positions)
    ]
    return float(np.mean(found))


def round_robin_rows(
    values: LeafValues, count: int, seed: int, folder: Path
) -> Iterator[Row | Note]:
    """Play *count* games of every two agents; yield a row for each two of one opening."""
    game = DrawnOpenings(ConnectFour(), NUM_DRAWN)
    pairings = [
        Pairing(
            f"{label(*one)} - {label(*two)}",
            game,
            (player_of(one, values), player_of(two, values)),
            MoveBudget(simulations=one[1]),
            second_budget=MoveBudget(simulations=two[1]),
        )
        for one, two in combinations(agents(), 2)
    ]
    results = yield from played(pairings, count, seed, folder)
    for (one, two), pairing in zip(combinations(agents(), 2), pairings, strict=True):
        for opening in range(count // 2):
            own = results[pairing.name][2 * opening : 2 * opening + 2]
            yield {
                "kind": "games",
                "search": one[0],
                "s": one[1],
                "other_search": two[0],
                "other_s": two[1],
                "opening": opening,
                "score": sum(0.5 + 0.5 * float(np.sign(result.payoff)) for result in own),
            }


def spiel_rows(values: LeafValues, count: int, seed: int, folder: Path) -> Iterator[Row | Note]:
    """Play *count* games against OpenSpiel's MCTS at equal seconds a move; yield one row.

    A game against the search by visits tells how long a move of ours takes.
    """
    game, agent = DrawnOpenings(ConnectFour(), NUM_DRAWN), (SOG, SPIEL_SIMULATIONS)
    own = player_of(agent, values)
    budget = MoveBudget(simulations=SPIEL_SIMULATIONS)
    for number in range(2):
        timed = Pairing("timing", game, (own, player_of((MCTS, 100), values)), budget)
        play_game(timed, number, seed)
    seconds = own.seconds / own.num_moves
    spiel = SpielMCTSPlayer(ConnectFour())
    pairing = Pairing(
        f"{label(*agent)} - OpenSpiel MCTS",
        game,
        (own, spiel),
        budget,
        second_budget=MoveBudget(seconds=round(seconds, 3)),
    )
    own.num_moves, own.seconds = 0, 0.0
    results = yield from played([pairing], count, seed, folder)
    score = score_pairing(pairing, results[pairing.name])
    yield {
        "kind": "openspiel",
        "games": score.num_games,
        "sog_s_a_move": own.seconds / max(1, own.num_moves),
        "spiel_s_a_move": spiel.seconds / max(1, spiel.num_moves),
        "spiel_simulations": round(score.opponent_simulations),
        "half_width": 100 * score.win_half_width,
        "points_percent": 100 * score.win_share,
    }


def player_of(agent: tuple[str, int], values: LeafValues) -> PositionPlayer:
    """Return a player of the round robin."""
    return PositionPlayer(ConnectFour(), settings_of(*agent), values, label(*agent))


def played(
    pairings: Sequence[Pairing], count: int, seed: int, folder: Path
) -> Generator[Note, None, dict[str, list[GameResult]]]:
    """Play the games that *folder* lacks, with a note now and then; return all by pairing."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = KeptGames(folder, pairings, seed)
    try:
        for number, pairing in enumerate(pairings):
            yield Note(f"games of pairing {number + 1} of {len(pairings)}: {pairing.name}")
            for game in range(count):
                if game not in kept.games[pairing.name]:
                    kept.keep(pairing.name, play_game(pairing, game, seed))
    finally:
        kept.close()
    return {
        pairing.name: [kept.games[pairing.name][game] for game in range(count)]
        for pairing in pairings
    }


def rated(rows: list[Row]) -> dict[tuple[str, int], tuple[float, float]]:
    """Return Elo and its half width by agent; empty without games."""
    found, order = where(rows, kind="games"), agents()
    if not found:
        return {}
    samples = [
        Games(
            order.index((str(row["search"]), int(row["s"]))),
            order.index((str(row["other_search"]), int(row["other_s"]))),
            float(row["score"]),
            2,
        )
        for row in found
    ]
    ratings = elo_ratings(len(order), samples)
    pairs = zip(ratings.ratings.tolist(), ratings.half_widths.tolist(), strict=True)
    return dict(zip(order, pairs, strict=True))
