"""Leaf values of a flop by rollouts: seconds by settings, and error against many boards.

Errors are against rollouts on many boards with all hands: root mean squares over both seats' hands,
by their ranges, and over the leaves that go on, in shares of each leaf's pot.

Ks Td 9h with 200 big blinds, after a raise and a call, with the ranges of the blueprint, which is
the shipped one of no-limit hold'em, or the folder that ACPC_BLUEPRINT names. The flop's tree has a
bet, a raise and all-in. The boards' own equities, which are kept, are found before the clock
starts; they have a figure of their own.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from acpcbot.abstraction.pair_equities import pair_equities, run_out_ranks
from acpcbot.arrays import AnyFloats
from acpcbot.cards.deck import parse_cards
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.hands import hands_without
from acpcbot.rng import Stream
from acpcbot.rollouts.plans import leaf_states
from acpcbot.rollouts.rollouts import PLAIN, RolloutSettings, rollout_values
from acpcbot.strategies.files import load_snapshot
from acpcbot.strategies.finding import find_folder
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.strategies.range_play import state_range
from acpcbot.subgames.game import RangeGame, make_range_game
from acpcbot.subgames.leaf_values import BucketedValues
from acpcbot.trees.bet_menu import BetMenu, parse_menu
from benchmarks.figure import Figure

ONLY_BY_NAME = True

BLUEPRINT = "strategies/holdem.nolimit.2p.reverse_blinds/cfr_br"
BETTING, BOARD = "r300c/", tuple(parse_cards("KsTd9h"))
# Later streets have no bets in the searcher's tree, as it ends with the flop.
MENU, FEW_LEAVES = parse_menu("1;;/0.67,all-in;1,all-in/;/;"), parse_menu("1;;/1;/;/;")
SIZES = ((24, 32), (49, 32), (49, 64), (98, 64), (196, 64), (98, 128))
REFERENCE = RolloutSettings((PLAIN,), num_boards=294, num_hand_buckets=5000)
CHOOSER = 1
ITERATIONS = 20


def figures() -> Iterator[Figure]:
    folder = find_folder(os.environ.get("ACPC_BLUEPRINT", BLUEPRINT))
    if folder is None:
        yield Figure(
            name="leaf values by roll-outs", value=0, unit="blueprints", note=f"none at {BLUEPRINT}"
        )
        return
    blueprint = SnapshotStrategy(load_snapshot(Path(folder)))
    yield equities_figure(blueprint)
    small, whole = flop(blueprint, FEW_LEAVES), flop(blueprint, MENU)
    reference = hand_values(small, rollout_values(small, blueprint, CHOOSER, REFERENCE, Stream(1)))
    for num_boards, num_hand_buckets in SIZES:
        settings = RolloutSettings(num_boards=num_boards, num_hand_buckets=num_hand_buckets)
        yield time_figure(whole, blueprint, settings)
        yield error_figure(small, blueprint, settings, reference)


def flop(blueprint: SnapshotStrategy, menu: BetMenu) -> RangeGame:
    root = BettingRules(blueprint.snapshot.definition).parse(BETTING)
    ranges = np.array([state_range(blueprint, root, (), seat) for seat in range(2)])
    return make_range_game(
        root, BOARD, menu, ranges * hands_without(root.game.definition, BOARD), one_street=True
    )


def equities_figure(blueprint: SnapshotStrategy) -> Figure:
    def work() -> None:
        pair_equities.cache_clear()
        run_out_ranks.cache_clear()
        pair_equities(blueprint.snapshot.definition, BOARD)

    work()
    took_s = core_seconds(work)
    return Figure(
        name="equities of all pairs on a flop",
        value=took_s,
        unit="s of a core",
        higher_is_better=False,
    )


def core_seconds(work: Callable[[], object]) -> float:
    """Return the processor's time that *work* takes, as others may have the cores too."""
    start = time.process_time()
    work()
    return time.process_time() - start


def time_figure(game: RangeGame, blueprint: SnapshotStrategy, settings: RolloutSettings) -> Figure:
    values = rollout_values(game, blueprint, CHOOSER, settings, Stream(1))
    took_s = core_seconds(lambda: rollout_values(game, blueprint, CHOOSER, settings, Stream(1)))
    num_leaves = sum(state is not None for _, state in leaf_states(game))
    time_ms = iteration_ms(values)
    note = f"{num_leaves} leaves that go on; an iteration of both seats takes {time_ms:.1f} ms"
    return Figure(
        name=f"{name(settings)}, time",
        value=took_s,
        unit="s of a core",
        note=note,
        higher_is_better=False,
    )


def iteration_ms(values: BucketedValues) -> float:
    reaches = np.random.default_rng(1).random(values.shape).astype(np.float32)

    def iterate() -> None:
        for _ in range(ITERATIONS):
            values.won_by_other(reaches)
            values.won_by_chooser(reaches[:, 0])

    return core_seconds(iterate) / ITERATIONS * 1000


def error_figure(
    game: RangeGame,
    blueprint: SnapshotStrategy,
    settings: RolloutSettings,
    reference: tuple[AnyFloats, AnyFloats],
) -> Figure:
    found = hand_values(game, rollout_values(game, blueprint, CHOOSER, settings, Stream(2)))
    errors = [
        weights @ (own - known).T ** 2 / weights.sum()
        for own, known, weights in zip(
            found, reference, (game.ranges[1 - CHOOSER], game.ranges[CHOOSER]), strict=True
        )
    ]
    goes_on = np.array([state is not None for _, state in leaf_states(game)])
    value = 100 * float(np.sqrt(np.mean([error[goes_on].mean() for error in errors])))
    return Figure(
        name=f"{name(settings)}, error", value=value, unit="% of pot", higher_is_better=False
    )


def hand_values(game: RangeGame, values: BucketedValues) -> tuple[AnyFloats, AnyFloats]:
    """Return the winnings of each hand of either seat if the blueprint plays on, [part, hand].

    They are in pots, of the other seat first, then of the chooser.
    """
    chips = np.array([chips for chips, _ in leaf_states(game)])[:, None]
    ranges = game.ranges.astype(np.float32)
    reaches = np.zeros(values.shape, np.float32)
    reaches[:, 0] = ranges[CHOOSER]
    reach = np.broadcast_to(ranges[1 - CHOOSER], (len(chips), ranges.shape[1])).copy()
    met = values.hands.equities.astype(bool).astype(np.float32)
    other = values.won_by_other(reaches) / (2 * chips * (met @ ranges[CHOOSER]))
    return other, values.won_by_chooser(reach)[:, 0] / (2 * chips * (met @ ranges[1 - CHOOSER]))


def name(settings: RolloutSettings) -> str:
    return f"flop, {settings.num_boards} boards, {settings.num_hand_buckets} groups"
