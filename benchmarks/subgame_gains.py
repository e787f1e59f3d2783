"""Exact gain of one re-solved subgame over the blueprint: all hands at once, no dealing.

The blueprint plays itself to the beginning of a street, and both come into the subgame with the
ranges that this leaves. One seat then plays the solution, the other the blueprint, in the
blueprint's own tree; the gain is over the blueprint in that seat, in chips, of which a big blind is
100. Rivers are solved to the end; turns to the end of the street with values beyond, where both go
on by the blueprint. GAIN_SPOTS is the number of spots [8].
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import mean

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.matches.intervals import interval
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.hands import all_hands, hand_number
from acpcbot.search.blueprint import BlueprintPlay
from acpcbot.search.leaves import RolloutLeaves
from acpcbot.search.settings import StreetSettings
from acpcbot.search.subgame import board_at, entering_ranges
from acpcbot.strategies.files import load_snapshot
from acpcbot.subgames.accumulators import FloatCells
from acpcbot.subgames.best_response import Walker, cells_traversal, hand_values
from acpcbot.subgames.game import RangeGame, make_range_game
from acpcbot.subgames.solver import RangeCFR
from acpcbot.trees.bet_menu import BetMenu
from acpcbot.trees.betting_tree import NODE_BLOCK_END, NODE_NUM_ACTIONS, NODE_SEAT, NODE_SLOT
from benchmarks.figure import Figure

ONLY_BY_NAME = True

FOLDER = Path("strategies/holdem.nolimit.2p.reverse_blinds/cfr_br")
NUM_SPOTS = 8
TURN, RIVER = 2, 3
Entry = tuple[BettingState, tuple[int, ...], Floats]
RIVER_ITERATIONS = (50, 100, 400)
# Values, iterations, boards, groups.
TURNS = ((1, 100, 48, 64), (4, 40, 16, 32), (4, 100, 16, 32), (4, 100, 48, 64), (4, 400, 48, 64))


def figures() -> Iterator[Figure]:
    blueprint, num_spots = (
        BlueprintPlay(load_snapshot(FOLDER)),
        int(os.environ.get("GAIN_SPOTS", NUM_SPOTS)),
    )
    random = Random(1)
    rivers = [entry(blueprint, random, RIVER) for _ in range(num_spots)]
    for iterations in RIVER_ITERATIONS:
        yield figure(
            f"rivers, {iterations} iterations",
            [river_gain(blueprint, spot, iterations) for spot in rivers],
        )
    turns = [entry(blueprint, random, TURN) for _ in range(num_spots)]
    for values, iterations, boards, groups in TURNS:
        street = StreetSettings(
            (),
            iterations=iterations,
            num_continuations=values,
            rollout_boards=boards,
            rollout_hand_buckets=groups,
            translation_samples=1,
        )
        name = f"turns, {values} values, {iterations} iterations, {boards} boards, {groups} groups"
        yield figure(name, [turn_gain(blueprint, spot, street) for spot in turns])


def figure(name: str, gains: list[float]) -> Figure:
    residuals = np.array(gains) - mean(gains)
    half = interval(residuals, np.arange(len(gains)), hand_rms=0.0).half_width
    return Figure(
        name=name, value=mean(gains), unit="chips a seat", note=f"± {half:.1f}, {len(gains)} spots"
    )


def entry(blueprint: BlueprintPlay, random: Random, street: int) -> Entry:
    """Return the betting, board and ranges [seat, hand] of a self-play hand on *street*."""
    definition, hands = blueprint.definition, all_hands(blueprint.definition)
    while True:
        cards = random.sample(range(len(definition.deck)), 9)
        own = [hand_number(definition, cards[:2]), hand_number(definition, cards[2:4])]
        betting, ranges = BettingRules(definition).start, np.ones((2, len(hands)))
        while not betting.is_over and betting.street < street:
            table, seat = blueprint.table(betting, board_at(betting, cards[4:])), betting.actor
            chances = table.probabilities[own[seat]]
            column = random.choices(range(len(chances)), chances)[0]
            ranges[seat] *= table.probabilities[:, column]
            betting = betting.apply(table.actions[column])
        if not betting.is_over:
            return betting, board_at(betting, cards[4:]), ranges


def river_gain(blueprint: BlueprintPlay, spot: Entry, iterations: int) -> float:
    """Return the mean gain of both seats by a solution to the end."""
    game = whole_game(blueprint, spot)
    own, solver = blueprint.cells(game), RangeCFR(game)
    solver.step(iterations)
    return mean(
        [
            won(game, put_in(blueprint, solver, game, seat), seat) - won(game, own, seat)
            for seat in range(2)
        ]
    )


def turn_gain(blueprint: BlueprintPlay, spot: Entry, street: StreetSettings) -> float:
    """Return the mean gain of both seats, each solved against the other's continuations."""
    betting, board, ranges = spot
    game = whole_game(blueprint, spot)
    own, gains = blueprint.cells(game), []
    held = entering_ranges(game.definition, ranges, board)
    for seat in range(2):
        one = make_range_game(
            betting, board, this_street(blueprint, betting), held, one_street=True
        )
        leaves = RolloutLeaves(blueprint, 1, 1)(one, 1 - seat, street, float("inf"))
        solver = RangeCFR(one, leaves=leaves)
        solver.step(street.iterations)
        gains.append(won(game, put_in(blueprint, solver, game, seat), seat) - won(game, own, seat))
    return mean(gains)


def whole_game(blueprint: BlueprintPlay, spot: Entry) -> RangeGame:
    """Return the blueprint's own tree from *spot* on."""
    betting, board, ranges = spot
    menu = blueprint.snapshot.menu
    assert menu is not None
    return make_range_game(
        betting, board, menu, entering_ranges(blueprint.definition, ranges, board)
    )


def this_street(blueprint: BlueprintPlay, betting: BettingState) -> BetMenu:
    """Return the blueprint's bets on the street of *betting* alone."""
    menu = blueprint.snapshot.menu
    assert menu is not None
    return BetMenu((*menu.for_streets(betting.street + 1).streets, ((),)))


def put_in(blueprint: BlueprintPlay, solver: RangeCFR, game: RangeGame, seat: int) -> FloatCells:
    """Return the blueprint's strategies in *game*, for *seat* on the first street *solver*'s."""
    mixed, found, nodes = blueprint.cells(game), solver.average_strategy(0), game.tree.nodes
    start = int(mixed.starts[0])
    cells = mixed.sums[start : start + found.size].reshape(found.shape)
    for node in range(nodes[0, NODE_BLOCK_END]):
        if nodes[node, NODE_SEAT] == seat:
            slots = slice(
                int(nodes[node, NODE_SLOT]),
                int(nodes[node, NODE_SLOT] + nodes[node, NODE_NUM_ACTIONS]),
            )
            cells[slots] = found[slots]
    return mixed


def won(game: RangeGame, cells: FloatCells, seat: int) -> float:
    """Return the mean winnings of *seat*, in chips, if both play the strategy of *cells*."""
    values = hand_values(game, cells_traversal(seat, cells, responds=False), Walker())
    return float(game.ranges[seat] @ values) / game.num_pairs
