"""Guesses for hold'em from a stored strategy's play against itself.

The rest of a street is played out exactly, by what the strategy does there with the hero's
every hand and with the hands that the others hold. So on the last street they are the
exact values of its self-play. What later streets bring is read from the street's end, by
weights that fit many hands of the strategy against itself (``self_play_fit.py``).

In a no-limit game that goes on in the strategy's tree, after the betting there that is most
like the real one, and the pot is shared alike. Where that betting has come to an end or is
of another street, all is checked down. So guesses are functions of the history, whatever is
bet.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.buckets import Lossless169
from acpcbot.abstraction.dealing import HoldemDeals
from acpcbot.abstraction.row_chunks import Progress
from acpcbot.arrays import Floats
from acpcbot.cards.combos import combo_index
from acpcbot.evaluation.aivat import View
from acpcbot.evaluation.arena_deals import ArenaDealer
from acpcbot.evaluation.deal_sums import deal_ways
from acpcbot.evaluation.hand_strengths import HandStrengths
from acpcbot.evaluation.self_play_fit import SelfPlayWeights, kept_weights
from acpcbot.evaluation.self_play_hands import SelfPlayHands, self_play_hands
from acpcbot.evaluation.shared_pots import shared_alike
from acpcbot.evaluation.sights import Sight
from acpcbot.evaluation.street_ends import end_value, street_end
from acpcbot.evaluation.strength_values import mean_on_boards, rivals_of
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.hands import hands_without
from acpcbot.snapshots.loading import checksum
from acpcbot.snapshots.manifest import MANIFEST_FILE
from acpcbot.snapshots.public_play import SnapshotStrategy
from acpcbot.snapshots.translation import nearest_view

NUM_DEALS = 1 << 20
SEED = 20_260
NUM_KEPT = 1 << 10
NUM_KEPT_SIGHTS = 16


class SelfPlayValues:
    """A ``ValueFunction``: *strategy* in all seats, *weights* fitted to its hands; a hold'em game."""

    def __init__(
        self, strategy: SnapshotStrategy, weights: SelfPlayWeights, on_progress: Progress | None = None
    ) -> None:
        self._strategy, self._weights = strategy, weights
        self._definition = strategy.snapshot.definition
        self._classes = Lossless169().board_buckets()
        self._strengths = HandStrengths(on_progress)
        rules = BettingRules(self._definition)
        self._sight = lru_cache(maxsize=NUM_KEPT_SIGHTS)(self._new_sight)
        self._play = lru_cache(maxsize=NUM_KEPT)(lambda text: strategy.every_bucket(rules.parse(text)))
        self._end = lru_cache(maxsize=NUM_KEPT)(lambda text: street_end(rules.parse(text)))

    def start(self, view: View) -> tuple[float, Floats]:
        """Before the cards: the mean over all deals, and the value with those dealt to the others, [hand]."""
        starts, mean = self._weights.starts[view.hero], float(self._weights.seats[view.hero])
        held = [(seat, combo_index(*cards)) for seat, cards in enumerate(view.hole_cards) if cards]
        others = sum([float(starts[seat, self._classes[combo]]) for seat, combo in held])
        return mean, mean + others + starts[view.hero, self._classes]

    def after_actions(
        self, view: View, betting: BettingState, board: Sequence[int], actions: Sequence[Action]
    ) -> Floats:
        """After each of *actions* of the actor of *betting*, [hand, action]."""
        sight = self._sight(view, betting.street, (tuple(board),))
        return np.stack([self._worth(sight, betting.apply(action))[0] for action in actions], axis=1)

    def after_deals(self, view: View, betting: BettingState, board: Sequence[int]) -> tuple[NDArray[np.uint8], Floats]:
        """All ways to deal the cards of a new street, [way, card], and the value after each, [way, hand]."""
        dead = (*board, *chain.from_iterable(view.hole_cards))
        ways = deal_ways(self._definition, dead, self._definition.board_size(betting.street) - len(board))
        if not board:
            return ways, self._on_flops(view, betting, ways)
        sight = self._new_sight(view, betting.street, tuple([(*board, *way) for way in ways.tolist()]))
        return ways, self._worth(sight, betting)

    def _new_sight(self, view: View, street: int, boards: tuple[tuple[int, ...], ...]) -> Sight:
        # Of hands that a board blocks the buckets mean nothing, and may be none.
        buckets = [
            np.where(hands_without(self._definition, board), self._strategy.buckets(street, board), 0).astype(np.int64)
            for board in boards
        ]
        is_last = street == self._definition.num_streets - 1
        strengths = None if is_last else np.stack([self._strengths.on_board(board) for board in boards])
        return Sight(self._definition, view, street, boards, np.stack(buckets), strengths)

    def _worth(self, sight: Sight, betting: BettingState) -> Floats:
        """What the hand is worth after *betting*, chips [way, hand]."""
        if betting.is_over or betting.folded[sight.view.hero]:
            return sight.filled(sight.checked_down(betting))
        seen = betting if self._definition.is_limit else nearest_view(self._strategy.snapshot.place, betting)
        if seen.is_over or seen.street != betting.street:
            return sight.filled(sight.checked_down(betting))
        return sight.filled(shared_alike(self._played_out(sight, seen), seen, betting, sight.view.hero))

    def _played_out(self, sight: Sight, betting: BettingState) -> Floats:
        """The same after *betting* of the strategy's tree, of the street of *sight* or at its end."""
        if betting.is_over or betting.folded[sight.view.hero]:
            return sight.checked_down(betting)
        if betting.street > sight.street:
            return self._at_street_end(sight, betting)
        if betting.text not in sight.known:
            play, buckets = self._play(betting.text), sight.buckets_of(betting.actor)
            actions = self._strategy.snapshot.place(betting).actions
            values = [self._played_out(sight, betting.apply(action)) for action in actions]
            sight.known[betting.text] = sum(
                [chances[buckets] * value for chances, value in zip(play.T, values, strict=True)], np.zeros((1, 1))
            )
        return sight.known[betting.text]

    def _at_street_end(self, sight: Sight, betting: BettingState) -> Floats:
        end = self._end(betting.text)
        known = (sight.shares(betting), *sight.strengths_of(end.staying))
        values: Floats = end_value(end, sight.view.hero, *known, self._weights.ends)
        return values

    def _on_flops(self, view: View, betting: BettingState, flops: NDArray[np.uint8]) -> Floats:
        """The value after each flop but for a constant, by the strength of the others' hands, [way, 1]."""
        end = self._end(betting.text)
        strength = mean_on_boards(self._strengths, rivals_of(view, betting), flops)
        linear, squared = self._weights.flops[end.raises]
        return np.asarray(end.room * (linear * strength + squared * strength**2))


def self_play_values(
    strategy: SnapshotStrategy, dealer: ArenaDealer, on_progress: Progress | None = None
) -> SelfPlayValues:
    """The values of a hold'em *strategy*; *dealer* deals NUM_DEALS of its hands unless their weights are kept."""
    snapshot = strategy.snapshot
    recipe = f"{checksum(snapshot.path / MANIFEST_FILE)} {strategy.settings} {NUM_DEALS} {SEED}"
    weights = kept_weights(
        snapshot.definition, recipe.encode(), lambda: play_hands(strategy, dealer, NUM_DEALS), on_progress
    )
    return SelfPlayValues(strategy, weights, on_progress)


def play_hands(strategy: SnapshotStrategy, dealer: ArenaDealer, num_deals: int) -> SelfPlayHands:
    """So many hands of *strategy* in all seats."""
    snapshot = strategy.snapshot
    source = dealer.source(snapshot.abstraction)
    assert isinstance(source, HoldemDeals), snapshot.abstraction

    def following(betting: BettingState) -> list[BettingState]:
        return [betting.apply(action) for action in snapshot.place(betting).actions]

    rules = BettingRules(snapshot.definition)
    return self_play_hands(rules, strategy.every_bucket, following, source, num_deals, SEED)
