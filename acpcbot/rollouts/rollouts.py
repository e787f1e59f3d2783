"""What lies beyond a street in hold'em, by rolling the blueprint out: the leaf values of a
search at the table.

Beyond each action that ends the street the blueprint plays on for both seats, and the chooser
takes one of some continuations with each hand: the blueprint, or the blueprint with folds, calls
or raises made so many times as likely.

Of the boards that can follow, some are drawn: of the next card all in turn, of later ones any, none
twice until all have come. On each board one hand of each group of hands is drawn for either seat,
and what all pairs of these win is found exactly, over all betting: the chances of both to get to
each end of a hand are two matrices, whose product it is. Only the difference to what equity alone
would win is estimated so; equities themselves are exact (``abstraction/pair_equities.py``). With
all boards, and as many groups as hands, everything is exact.

Source: Brown, Sandholm & Amos (2018), Depth-limited solving for imperfect-information games,
sections 4 (bias approach) and 6 (roll-outs).
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.hand_groups import HandGroups, group_hands
from acpcbot.abstraction.pair_equities import pair_equities, run_out_ranks
from acpcbot.arrays import Floats32
from acpcbot.errors import UsageError
from acpcbot.poker.hands import hand_masks
from acpcbot.rng import Stream
from acpcbot.rollouts.control_variates import (
    RollOutSums,
    draw_boards,
    expected_controls,
    peaks_in_groups,
    peaks_of,
)
from acpcbot.rollouts.kernels import RollOuts
from acpcbot.rollouts.plans import find_leaves
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.subgames.game import RangeGame
from acpcbot.subgames.leaf_values import BucketedValues, ChosenContinuations, HandFeatures


class Bias(NamedTuple):
    """How many times as likely the kinds of actions are made, before all are divided by what
    they come to.
    """

    folds: float = 1.0
    calls: float = 1.0
    raises: float = 1.0


PLAIN = Bias()
BIASES = (PLAIN, Bias(folds=10), Bias(calls=10), Bias(raises=10))


@dataclass(frozen=True, slots=True)
class RollOutSettings:
    """The chooser's continuations, *biases*, and how much is drawn: boards, hands a board,
    views of the betting.

    With *levelled*, none of them wins more than the first against the other seat's range at the
    root: what beats a blueprint that is no equilibrium makes a searcher play too carefully.
    """

    biases: tuple[Bias, ...] = BIASES
    num_boards: int = 98
    num_groups: int = 64
    num_views: int = 4
    levelled: bool = False

    def __post_init__(self) -> None:
        if not self.biases or any(not factor > 0 for bias in self.biases for factor in bias):
            raise UsageError(f"biases {self.biases!r}", "at least one, of factors above zero")
        if min(self.num_boards, self.num_groups, self.num_views) < 1:
            raise UsageError("roll-outs without boards, groups or views", "at least one of each")


def roll_out_leaves(
    game: RangeGame,
    blueprint: SnapshotStrategy,
    chooser: int,
    settings: RollOutSettings,
    stream: Stream,
    num_threads: int = 1,
    deadline_s: float = float("inf"),
) -> ChosenContinuations:
    """Leaf values for *game*, which ends with its root's street, among continuations of the
    *chooser*.

    The same for the same *stream*, but for rounding with other numbers of threads, and for a deadline: after
    *deadline_s* seconds no further board is begun; the first one always is. Raises UsageError where the blueprint
    plays no tree of bets or only greedily, or where too many boards can follow.
    """
    return ChosenContinuations(
        roll_out_values(game, blueprint, chooser, settings, stream, num_threads, deadline_s),
        chooser,
    )


def roll_out_values(
    game: RangeGame,
    blueprint: SnapshotStrategy,
    chooser: int,
    settings: RollOutSettings,
    stream: Stream,
    num_threads: int = 1,
    deadline_s: float = float("inf"),
) -> BucketedValues:
    """The continuations of ``roll_out_leaves``."""
    deadline = time.monotonic() + deadline_s
    leaves = find_leaves(game, blueprint, chooser, settings.num_views, stream)
    board, hands = (
        game.boards.boards[0],
        game.boards.arrays.hands[game.boards.rows(0)].astype(np.int64),
    )
    equities = pair_equities(game.definition, board, num_threads)
    weights = (game.ranges / game.ranges.sum(axis=1, keepdims=True)).sum(axis=0)
    # Hands that are never held have a little weight too.
    groups = group_hands(equities, weights + 1 / len(hands), settings.num_groups)
    boards = draw_boards(game.definition, board, settings.num_boards, stream)
    knows_peaks = len(run_out_ranks(game.definition, board)) > 0
    factors = np.array(settings.biases, np.float32)
    roll_outs = RollOuts(blueprint, hands, groups, leaves, factors, knows_peaks=knows_peaks)
    sums = roll_outs.sums([(full, stream.bits()) for full in boards], num_threads, deadline)
    values = _estimated(game, equities, groups, np.array([leaf.chips for leaf in leaves]), sums)
    if not settings.levelled:
        return values
    return values.capped_at_blueprint(
        np.tile(game.ranges[1 - chooser].astype(np.float32), (len(leaves), 1))
    )


def _estimated(
    game: RangeGame,
    equities: Floats32,
    groups: HandGroups,
    chips: NDArray[np.float64],
    sums: RollOutSums,
) -> BucketedValues:
    """What the *sums* over boards tell of leaves with so many *chips* of either seat, [leaf]."""
    rows, board = game.boards.rows(0), game.boards.boards[0]
    masks, ranks = (
        hand_masks(game.definition)[game.boards.arrays.hands[rows]],
        run_out_ranks(game.definition, board),
    )
    peaks = peaks_of(ranks)
    expected = expected_controls(equities, masks[:, None] & masks == 0, ranks, peaks, groups)
    rest, slopes = sums.estimates(expected)
    # What equity is worth by regression is worth it hand by hand, and not by groups.
    rest -= slopes[:, :, 0, None, None] * expected[0]
    by_equity, by_peak = (
        (chips[:, None] + slopes[:, :, 0]).astype(np.float32),
        slopes[:, :, 1].astype(np.float32),
    )
    cards = game.boards.arrays.cards[rows].astype(np.int64)
    facts = HandFeatures(equities, peaks_in_groups(ranks, peaks, groups), groups.groups, cards)
    return BucketedValues(facts, by_equity, by_peak, rest.astype(np.float32))
