"""Guesses from self-play of a stored strategy of two-player limit hold'em, by the opponent's bucket.

A strategy plays many hands against itself; what the hero won on average after an action, or
from a node on, with the opponent's cards in one bucket, is the guess there, whatever the
hero holds. Where few hands went, it leans to the mean over all buckets.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.canonical_boards import BOARD_SIZES
from acpcbot.abstraction.dealing import HoldemDeals
from acpcbot.abstraction.holdem_abstraction import HoldemAbstraction
from acpcbot.abstraction.table_lookup import combos_of, look_up, table_row
from acpcbot.cards.combos import combo_index
from acpcbot.errors import UsageError
from acpcbot.evaluation.aivat import View
from acpcbot.evaluation.deal_sums import deal_ways
from acpcbot.evaluation.self_play_kernels import add_hands
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.random_kernels import seed_state
from acpcbot.snapshots.policy import PlaySettings
from acpcbot.snapshots.snapshot import Snapshot
from acpcbot.snapshots.whole_policy import played_policy
from acpcbot.solvers.abstract_game import AbstractGame
from acpcbot.trees.public_tree import build_tree
from acpcbot.trees.subtree_sizes import NodePlace

Floats = NDArray[np.float64]
Progress = Callable[[int, int], None]

NUM_HANDS = 20_000_000
POOL = 1 << 16
LEANING = 20.0
"""A guess is as far from that of all buckets together as its hands outweigh so many."""


class SelfPlayValues:
    """A ``ValueFunction`` from hands of *snapshot*, played by *settings*, against itself.

    *deals* are those of its abstraction. Takes 16 bytes for every slot of the strategy. Raises
    UsageError for games that are not limit hold'em for two.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        deals: HoldemDeals,
        settings: PlaySettings | None = None,
        *,
        num_hands: int = NUM_HANDS,
        seed: int = 0,
        on_progress: Progress | None = None,
    ) -> None:
        if not isinstance(snapshot.abstraction, HoldemAbstraction) or snapshot.definition.num_players != 2:
            raise UsageError("values by self-play are for limit hold'em of two players")
        self._snapshot = snapshot
        self._game = AbstractGame(build_tree(snapshot.definition), snapshot.abstraction.num_buckets)
        self._deals = deals
        self._sums = np.zeros((2, self._game.layout.num_slots), np.float32)
        self._counts = np.zeros_like(self._sums, np.uint32)
        self._play(played_policy(snapshot, self._game, settings, np.uint8), num_hands, seed, on_progress)
        self._root = snapshot.place(BettingRules(snapshot.definition).start)
        self._after_node, self._at_node = cache(self._fill_after), cache(self._fill_at)

    def start(self, view: View) -> tuple[float, Floats]:
        """Before the cards: the mean over all deals, and the value with those dealt to the other seat, [1]."""
        values = self._at_node(1 - view.hero, self._root)[:, 0]
        return float(values[self._deals.tables[0]].mean()), values[[self._bucket(view, 0, ())]]

    def after_actions(
        self, view: View, betting: BettingState, board: Sequence[int], actions: Sequence[Action]
    ) -> Floats:
        """After each of *actions* of the actor of *betting*, [1, action]."""
        place = self._snapshot.place(betting)
        columns = [place.kinds.index(action.kind) for action in actions]
        return self._after_node(1 - view.hero, place)[[self._bucket(view, place.street, board)]][:, columns]

    def after_deals(self, view: View, betting: BettingState, board: Sequence[int]) -> tuple[NDArray[np.uint8], Floats]:
        """All ways to deal the cards of a new street, [way, card], and the value after each, [way, 1]."""
        place, cards = self._snapshot.place(betting), view.hole_cards[1 - view.hero]
        ways = deal_ways(self._snapshot.definition, (*board, *cards), BOARD_SIZES[place.street] - len(board))
        boards = np.concatenate([np.tile(np.array(board, np.uint8), (len(ways), 1)), ways], axis=1)
        combos = combos_of(np.tile(np.array(cards, np.uint8), (len(ways), 1)))
        buckets = np.empty(combos.shape, np.uint16)
        look_up(combos, boards, self._deals.tables[place.street], buckets)
        return ways, self._at_node(1 - view.hero, place)[buckets[:, 0]]

    def _bucket(self, view: View, street: int, board: Sequence[int]) -> int:
        first, second = view.hole_cards[1 - view.hero]
        return int(table_row(self._deals.tables[street], board)[combo_index(first, second)])

    def _play(self, policy: NDArray[np.uint8], num_hands: int, seed: int, on_progress: Progress | None) -> None:
        layout, tree, random_state = self._game.layout, self._game.tree, seed_state(seed, 0)
        deals = np.empty((POOL, self._deals.width), np.uint16)
        for done in range(0, num_hands, POOL):
            pool = deals[: num_hands - done]
            self._deals.fill(pool, random_state)
            rows = layout.row_starts, layout.row_widths
            add_hands(tree.nodes, *rows, tree.payoffs, policy, pool, self._sums, self._counts, random_state)
            if on_progress is not None:
                on_progress(done + len(pool), num_hands)

    def _fill_after(self, seat: int, place: NodePlace) -> Floats:
        """What the other seat wins after each action, by the bucket of *seat*, in chips [bucket, action]."""
        sums, counts = self._columns(seat, place)
        return self._leaning(sums, counts)

    def _fill_at(self, seat: int, place: NodePlace) -> Floats:
        """What the other seat wins from *place* on, by the bucket of *seat*, in chips [bucket, 1]."""
        sums, counts = self._columns(seat, place)
        return self._leaning(sums.sum(axis=1, keepdims=True), counts.sum(axis=1, keepdims=True))

    def _columns(self, seat: int, place: NodePlace) -> tuple[Floats, Floats]:
        end = place.slot + len(place.kinds)
        flats = self._sums[seat], self._counts[seat]
        sums, counts = (self._game.layout.street_rows(flat, place.street)[:, place.slot : end] for flat in flats)
        return sums.astype(np.float64), counts.astype(np.float64)

    def _leaning(self, sums: Floats, counts: Floats) -> Floats:
        means = sums.sum(axis=0) / np.maximum(counts.sum(axis=0), 1)
        values: Floats = (sums + LEANING * means) / (counts + LEANING) * self._snapshot.definition.big_blind
        return values
