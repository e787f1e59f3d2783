"""A search written down as a stored strategy: its average strategy at every information set.

``Saver`` writes it during a match and at its end; ``StrategyTable`` makes the policy. Every
decision of the betting tree is asked for a hand of each bucket. So files hold what would be played
then, and every command that takes a stored strategy takes them.
"""

from __future__ import annotations

import json
import sys
import threading
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path

import numpy as np

from acpcbot.abstraction.canonical_boards import BOARD_SIZES, canonical_boards
from acpcbot.abstraction.card_abstraction import ExactAbstraction, quick_at_the_table
from acpcbot.agents.tree_search.hand_strategies import average_strategies
from acpcbot.agents.tree_search.options import OOSOptions
from acpcbot.agents.tree_search.searched_game import SearchedGame
from acpcbot.arrays import Floats, Ints
from acpcbot.cards.combos import all_combos, combo_masks
from acpcbot.cards.deck import mask_of
from acpcbot.errors import AcpcbotError, UsageError
from acpcbot.memory import available_bytes, verify_memory
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.hands import all_hands
from acpcbot.poker_games.card_views import HoldemBuckets
from acpcbot.strategies.files import SnapshotContent, save_snapshot, verify_place
from acpcbot.strategies.manifest import Training, program_version
from acpcbot.tree_search.infoset_table import InfosetTable
from acpcbot.trees.betting_tree import (
    BettingPlaces,
    MenuGame,
    betting_bytes,
    betting_size,
    build_betting_tree,
)
from acpcbot.trees.infosets import BucketGame, Places, SubtreeSizes, TreeSize
from acpcbot.trees.public_tree import build_tree

HANDS_MARK = "{hands}"
NAME = "oos saving"
BYTES_PER_SLOT = 24
"""A probability of eight bytes, its copy for the file and what reads it back."""


@dataclass(frozen=True, slots=True)
class SearchRecord:
    """Progress of a search: its *seed*, its samples and hands, and the *hours* since it began."""

    seed: int
    num_samples: int
    num_hands: int
    hours: float


@dataclass(frozen=True, slots=True)
class BucketHands:
    """A hand of each bucket of a street: *buckets* [row], *hands* and *boards* [row, card]."""

    buckets: Ints
    hands: Ints
    boards: Ints


class Saver:
    """Writer of what a search of *searched* would play, to the folder that *options* name.

    In the folder's name ``{hands}`` stands for the number of hands that are over. Files are written
    in a thread, from a copy of the search's memory, so that play goes on. Raises UsageError where a
    stored strategy cannot hold it, or the folder is taken.
    """

    def __init__(self, searched: SearchedGame, options: OOSOptions) -> None:
        self._table, self._options = StrategyTable(searched), options
        self._writing: threading.Thread | None = None
        verify_place(self._folder(0))

    def is_due(self, num_hands: int) -> bool:
        """Return whether it is to be written after so many hands; never while it is written."""
        every = self._options.save_every
        is_free = self._writing is None or not self._writing.is_alive()
        return is_free and every > 0 and num_hands % every == 0

    def save(self, record: SearchRecord, table: InfosetTable) -> None:
        """Write the average strategies of *table*, after what is being written."""
        self.close()
        self._writing = threading.Thread(target=self._write, args=(record, table), name=NAME)
        self._writing.start()

    def close(self) -> None:
        """Wait until everything is written."""
        if self._writing is not None:
            self._writing.join()

    def _folder(self, num_hands: int) -> Path:
        return Path(str(self._options.save).replace(HANDS_MARK, str(num_hands)))

    def _write(self, record: SearchRecord, table: InfosetTable) -> None:
        """Write to the folder; an error is told, since a match goes on without it."""
        folder = self._folder(record.num_hands)
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            save_snapshot(folder, self._table.content(table, self._options, record))
        except (AcpcbotError, OSError) as error:
            line = {"event": "oos not saved", "folder": str(folder), "reason": str(error)}
            print(json.dumps(line), file=sys.stderr)


class StrategyTable:
    """The average strategies of a search of *searched*, as a stored strategy holds them.

    Trees and hands of buckets are worked out once. Raises UsageError where a stored strategy cannot
    hold it.
    """

    def __init__(self, searched: SearchedGame) -> None:
        if searched.abstraction is None:
            raise UsageError(
                "a search that sees the cards themselves cannot be saved",
                "name buckets, as in buckets=percentile:50 in hold'em; or leave save out",
            )
        self.searched, self._abstraction = searched, searched.abstraction
        self._start = BettingRules(searched.definition).start
        self.bucket_game: BucketGame
        self._places: Places
        counts = self._abstraction.num_buckets
        if searched.definition.is_limit:
            self._places = SubtreeSizes(searched.definition)
            self._verify_memory(self._places.whole())
            self.bucket_game = BucketGame(build_tree(searched.definition), counts)
        else:
            self._verify_memory(betting_size(self._start, searched.menu))
            tree = build_betting_tree(self._start, searched.menu)
            self._places, self.bucket_game = BettingPlaces(tree), MenuGame(tree, counts)

    def _verify_memory(self, size: TreeSize) -> None:
        """Raise UsageError where a strategy of the whole tree does not fit into memory."""
        slots = zip(size.num_slots, self._abstraction.num_buckets, strict=True)
        needed = {
            "betting tree": betting_bytes(size),
            "strategy": BYTES_PER_SLOT * sum(width * count for width, count in slots),
        }
        hint = "leave save out, or take fewer buckets or bets"
        verify_memory(needed, available_bytes(), "saving", hint)

    @cached_property
    def _hands(self) -> tuple[BucketHands, ...]:
        """A hand of each bucket, street by street."""
        streets = range(self.searched.definition.num_streets)
        return tuple([self._street_hands(street) for street in streets])

    def policy(self, table: InfosetTable) -> Floats:
        """Return the average strategies of *table*, [slot] in the layout of the bucket game."""
        layout = self.bucket_game.layout
        policy = np.zeros(layout.num_slots)
        waiting = [self._start]
        while waiting:
            betting = waiting.pop()
            place = self._places.place_after(betting)
            rows = layout.street_rows(policy, place.street)
            own = slice(place.slot, place.slot + len(place.actions))
            rows[:, own] = 1 / len(place.actions)
            rows[self._hands[place.street].buckets, own] = self._strategies(table, betting)
            following = [betting.apply(action) for action in place.actions]
            waiting += [state for state in following if not state.is_over]
        return policy

    def content(
        self, table: InfosetTable, options: OOSOptions, record: SearchRecord
    ) -> SnapshotContent:
        """Return the average strategies of *table* with all that a stored strategy holds."""
        given = {name: value for name, value in asdict(options).items() if value is not None}
        training = Training(
            learner="oos",
            settings={**given, "hands": record.num_hands},
            seed=record.seed,
            num_threads=1,
            num_episodes=record.num_samples,
            hours=record.hours,
            commit=program_version(),
        )
        return SnapshotContent(
            game=self.bucket_game,
            abstraction=quick_at_the_table(self._abstraction),
            training=training,
            policy=self.policy(table),
        )

    def _strategies(self, table: InfosetTable, betting: BettingState) -> Floats:
        known = self._hands[betting.street]
        return average_strategies(
            self.searched.game,
            table,
            betting.actor,
            known.hands,
            known.boards,
            self.searched.choices(betting),
            len(self.searched.place(betting).actions),
        )

    def _street_hands(self, street: int) -> BucketHands:
        if isinstance(self._abstraction, ExactAbstraction):
            return self._small_game_hands(self._abstraction, street)
        return self._holdem_hands(street)

    def _small_game_hands(self, abstraction: ExactAbstraction, street: int) -> BucketHands:
        definition = self.searched.definition
        size, deck = definition.board_size(street), [*definition.deck]
        found: dict[int, tuple[list[int], list[int]]] = {}
        for hand in all_hands(definition).tolist():
            left = [card for card in deck if card not in hand]
            for board in _boards(left, self._group_sizes(street)):
                found.setdefault(abstraction.bucket(street, hand, board), (hand, board))
        buckets = sorted(found)
        boards = np.array([found[bucket][1] for bucket in buckets], np.int64)
        return BucketHands(
            np.array(buckets, np.int64),
            np.array([found[bucket][0] for bucket in buckets], np.int64),
            boards.reshape(len(buckets), size),
        )

    def _group_sizes(self, street: int) -> list[int]:
        return [*self.searched.definition.num_board_cards[: street + 1]]

    def _holdem_hands(self, street: int) -> BucketHands:
        """Return a hand of each bucket that has one, from the tables of all hands."""
        view = self.searched.game.card_view
        assert isinstance(view, HoldemBuckets)
        table = (view.preflop, view.flop, view.turn, view.river)[street]
        boards, masks = canonical_boards(BOARD_SIZES[street]).boards, combo_masks()
        count = self._abstraction.num_buckets[street]
        rows, combos = np.full(count, -1), np.zeros(count, np.int64)
        # Boards in random order: nearly all buckets are on the first few of them.
        for row in np.random.default_rng(0).permutation(len(boards)).tolist():
            free = np.flatnonzero(masks & np.uint64(mask_of(boards[row].tolist())) == 0)
            buckets, firsts = np.unique(table[row, free], return_index=True)
            is_new = rows[buckets] < 0
            rows[buckets[is_new]], combos[buckets[is_new]] = row, free[firsts[is_new]]
            if (rows >= 0).all():
                break
        known = np.flatnonzero(rows >= 0)
        hands = np.array(all_combos(), np.int64)[combos[known]]
        return BucketHands(known, hands, boards[rows[known]].astype(np.int64))


def _boards(left: list[int], sizes: list[int]) -> list[list[int]]:
    """Return the boards from the cards *left*, in groups of *sizes*; order in a group is free."""
    if not sizes:
        return [[]]
    return [
        [*group, *rest]
        for group in combinations(left, sizes[0])
        for rest in _boards([card for card in left if card not in group], sizes[1:])
    ]
