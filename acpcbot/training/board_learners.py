"""Learners that draw whole boards, made from a recipe's settings: their buckets, boards and memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.buckets import Buckets
from acpcbot.abstraction.canonical_boards import PERMUTATION_BITS, canonical_boards, place_of
from acpcbot.abstraction.card_abstraction import Abstraction
from acpcbot.abstraction.deal_sources import table_bytes
from acpcbot.abstraction.holdem_abstraction import FLOP_SIZE, STREETS, HoldemAbstraction
from acpcbot.abstraction.table_lookup import table_row
from acpcbot.betting_lines.cfr_br import CFRBRLearner, CFRBRSettings, cfr_br_deals
from acpcbot.betting_lines.lane_sums import LaneStrategy, lane_strategy, named_arrays
from acpcbot.betting_lines.lines import BettingLines, HandBuckets, betting_lines
from acpcbot.betting_lines.public_sampling import (
    BoardDeals,
    PublicSamplingLearner,
    PublicSamplingSettings,
)
from acpcbot.errors import UsageError
from acpcbot.poker.definition import GameDefinition
from acpcbot.strategies.by_name import find_played, find_stored
from acpcbot.strategies.whole_policy import played_policy
from acpcbot.trees.bet_menu import LIMIT_MENU, BetMenu
from acpcbot.trees.betting_tree import MenuGame


def board_learner(
    definition: GameDefinition,
    menu: BetMenu,
    buckets: HandBuckets,
    settings: PublicSamplingSettings,
    own: Abstraction | None = None,
) -> tuple[CFRBRLearner | PublicSamplingLearner, BoardDeals]:
    """Return the learner that *settings* belong to, with the bets of *menu*, and its boards.

    *own* is the abstraction of *buckets*, which opponents must have as well. Arrays take no memory
    before use. Raises UsageError for settings that do not fit.
    """
    abstraction = _trunk_abstraction(definition, settings)
    trunk = None
    if abstraction is not None:
        trunk = table_buckets(abstraction.num_buckets, abstraction.tables())
    lines = betting_lines(definition, menu)
    opponents = []
    if isinstance(settings, CFRBRSettings):
        opponents = [_load_opponent(name, lines, own) for name in settings.opponents]
    return _make_learner(lines, buckets, settings, trunk, opponents)


def verify_opponents(definition: GameDefinition, settings: Any) -> None:
    """Raise UsageError unless the opponents that *settings* name, if any, play this game."""
    if isinstance(settings, CFRBRSettings):
        for name in settings.opponents:
            find_stored(name).verify_game(definition)


def learner_bytes(
    definition: GameDefinition,
    menu: BetMenu,
    num_buckets: tuple[int, ...],
    settings: PublicSamplingSettings,
    num_threads: int,
) -> int:
    """Return the memory of a learner, its threads, and its tables beside those of *num_buckets*."""
    abstraction = _trunk_abstraction(definition, settings)
    trunk = HandBuckets(abstraction.num_buckets, _no_buckets) if abstraction else None
    lines, buckets = betting_lines(definition, menu), HandBuckets(num_buckets, _no_buckets)
    learner, _ = _make_learner(lines, buckets, settings, trunk)
    arrays = sum(array.nbytes for array in learner.arrays.values())
    tables = table_bytes(abstraction.num_buckets) if abstraction else 0
    opponents = 0
    if isinstance(settings, CFRBRSettings):
        sums = named_arrays("regrets", learner.sums.regrets).values()
        opponents = len(settings.opponents) * sum(array.nbytes for array in sums)
    return arrays + num_threads * learner.thread_bytes + tables + opponents


def table_buckets(num_buckets: tuple[int, ...], tables: Sequence[Buckets]) -> HandBuckets:
    """Return the buckets in *tables* by street, [canonical board, combo]."""

    def find(street: int, board: Sequence[int]) -> NDArray[Any]:
        return table_row(tables[street], board)

    return HandBuckets(num_buckets, find)


def _make_learner(
    lines: BettingLines,
    buckets: HandBuckets,
    settings: PublicSamplingSettings,
    trunk: HandBuckets | None,
    opponents: Sequence[LaneStrategy] = (),
) -> tuple[CFRBRLearner | PublicSamplingLearner, BoardDeals]:
    """Return a learner with the response's buckets *trunk* and *opponents*, and its boards."""
    definition = lines.definition
    if isinstance(settings, CFRBRSettings):
        if trunk is not None and settings.trunk_by_flop:
            trunk = flop_by_flop(trunk)
        learner = CFRBRLearner(lines, buckets, settings, trunk, opponents)
        return learner, cfr_br_deals(definition, buckets.num_buckets, settings)
    deals = BoardDeals(definition, buckets.num_buckets)
    return PublicSamplingLearner(lines, buckets, settings), deals


def _load_opponent(name: str, lines: BettingLines, own: Abstraction | None) -> LaneStrategy:
    """Return the stored strategy called *name*; raises UsageError if it has other buckets or bets."""
    definition = lines.definition
    snapshot, settings = find_played(name, definition)
    if own is None or not _is_same(snapshot.abstraction, own):
        raise UsageError(
            f"{name} has other buckets", "opponents have the [abstraction] of the recipe"
        )
    if (snapshot.menu or LIMIT_MENU) != lines.tree.menu:
        raise UsageError(f"{name} has other bets", "opponents have the [bets] of the recipe")
    game = MenuGame(lines.tree, snapshot.abstraction.num_buckets)
    policy = played_policy(snapshot, game, settings, np.float32)
    streets = range(definition.num_streets)
    return lane_strategy(lines, [game.layout.street_rows(policy, street) for street in streets])


def _is_same(one: Abstraction, other: Abstraction) -> bool:
    """Return whether the buckets of *one*, a stored one, are those of *other*."""
    arrays, others = one.arrays(), other.arrays()  # what is stored may have a table beside
    return (
        one.num_buckets == other.num_buckets
        and one.spec() == other.spec()
        and others.keys() <= arrays.keys()
        and all(np.array_equal(arrays[key], array) for key, array in others.items())
    )


def _trunk_abstraction(
    definition: GameDefinition, settings: PublicSamplingSettings
) -> HoldemAbstraction | None:
    """Return the response's abstraction in the trunk; None where it has none of its own.

    Raises UsageError where it is not one of the trunk's streets.
    """
    if not isinstance(settings, CFRBRSettings):
        return None
    streets = STREETS[: definition.num_streets - settings.response_streets]
    if not settings.trunk:
        if settings.trunk_by_flop:
            raise UsageError(
                "learner.trunk_by_flop = true, and there is no [learner.trunk]",
                "give the response buckets of its own",
            )
        return None
    if tuple(settings.trunk) != streets:
        raise UsageError(
            f"[learner.trunk]: {', '.join(settings.trunk)}",
            f"the streets before those of best responses are {', '.join(streets)}",
        )
    return HoldemAbstraction.from_settings(settings.trunk)


def flop_by_flop(buckets: HandBuckets) -> HandBuckets:
    """Return *buckets* of which each flop has its own; flops alike but for suits share them."""
    preflop, *later = buckets.num_buckets

    def find(street: int, board: Sequence[int]) -> NDArray[Any]:
        found = buckets.find(street, board)
        if street == 0:
            return found
        flop = place_of(np.array(board[:FLOP_SIZE], np.uint8)) >> PERMUTATION_BITS
        return found.astype(np.int64) + flop * buckets.num_buckets[street]

    num_flops = len(canonical_boards(FLOP_SIZE))
    return HandBuckets((preflop, *[num_flops * count for count in later]), find)


def _no_buckets(*_: Any) -> NDArray[Any]:
    raise AssertionError("a learner that is only measured looks at no board")
