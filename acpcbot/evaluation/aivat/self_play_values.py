"""Value function for hold'em from a stored strategy's play against itself.

The rest of a street is played out exactly: by the strategy's probabilities with each of the hero's
hands and with the hands that the other players hold. On the last street these are the exact values
of self-play. The value of later streets is a linear function of features at the street's end.

In a no-limit game the play-out happens in the strategy's tree, after the betting there that is most
like the real one, with values scaled to the real pot. Where that betting is over, or of another
street, all is checked down. So values are functions of the history, whatever is bet.

Weights are fitted by least squares to the chips won in many sampled hands of self-play, each number
to all hands that bear on it:

* before the cards, what each class of hole cards brings each seat, the hands added up;
* on a flop, what the rivals' E[HS2] and its square bring the hero, in units of ``room``;
* at the end of a street's betting, the weights of the features in ``strength_values.py``.

The hands are sampled for this alone, from a fixed seed. Weights are cached on disk, keyed by the
strategy, its play settings, and the text of the modules that make them.

Arrays are [board, hand], the boards being those of one ``DealContext``; [board, 1] where hands make
no difference.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, product

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.buckets import Lossless169
from acpcbot.abstraction.canonical_boards import BOARD_SIZES
from acpcbot.abstraction.deal_sources import DealSources
from acpcbot.abstraction.dealing import HoldemDeals
from acpcbot.abstraction.hand_strengths import HandStrengths
from acpcbot.abstraction.table_cache import cached_table, code_of
from acpcbot.abstraction.table_lookup import combos_of
from acpcbot.arrays import Floats, Ints
from acpcbot.cards.combos import combo_index
from acpcbot.cards.strength import Cards
from acpcbot.checked_files import checksum
from acpcbot.evaluation.aivat.deal_sums import possible_deals
from acpcbot.evaluation.aivat.estimator import View
from acpcbot.evaluation.aivat.self_play_hands import SelfPlayHands, fill_shares, self_play_hands
from acpcbot.evaluation.aivat.strength_values import (
    GROWTH,
    NUM_FEATURES,
    NUM_RAISE_CLASSES,
    end_value,
    features,
    hand_shares,
    mean_on_boards,
    pot_of,
    rivals_of,
    scale_to_pot,
    street_end,
)
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import hands_without
from acpcbot.random_kernels import seed_state
from acpcbot.strategies.manifest import MANIFEST_FILE
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.strategies.translation import nearest_view
from acpcbot.worker_threads import Progress

NUM_FITTED = 1 << 16
"""Deals used to fit the ends of streets: their pot shares cost more than playing them."""
NUM_DRAWN = 300
SHARES_SEED = 2
NUM_PRIOR = 4000
RIDGE = 1e-9
NUM_FLOP_TERMS = 2
# The modules whose code decides over the weights.
_SOURCES = (
    "acpcbot.evaluation.aivat.self_play_values",
    "acpcbot.evaluation.aivat.self_play_hands",
    "acpcbot.evaluation.aivat.strength_values",
)
NUM_DEALS = 1 << 20
SEED = 20_260
MAX_KEPT = 1 << 10
MAX_KEPT_CONTEXTS = 16


def self_play_values(
    strategy: SnapshotStrategy, deal_sources: DealSources, on_progress: Progress | None = None
) -> SelfPlayValues:
    """Return the value function of a hold'em *strategy*.

    *deal_sources* deals NUM_DEALS of its hands unless their weights are cached.
    """
    snapshot = strategy.snapshot
    recipe = f"{checksum(snapshot.path / MANIFEST_FILE)} {strategy.settings} {NUM_DEALS} {SEED}"
    weights = kept_weights(
        snapshot.definition,
        recipe.encode(),
        lambda: play_hands(strategy, deal_sources, NUM_DEALS),
        on_progress,
    )
    return SelfPlayValues(strategy, weights, on_progress)


class SelfPlayValues:
    """A ``ValueFunction`` of hold'em: *strategy* in all seats, *weights* fitted to its hands."""

    def __init__(
        self,
        strategy: SnapshotStrategy,
        weights: SelfPlayWeights,
        on_progress: Progress | None = None,
    ) -> None:
        self._strategy, self._weights = strategy, weights
        self._definition = strategy.snapshot.definition
        self._classes = Lossless169().board_buckets()
        self._strengths = HandStrengths(on_progress)
        rules = BettingRules(self._definition)
        self._context = lru_cache(maxsize=MAX_KEPT_CONTEXTS)(self._new_context)
        self._play = lru_cache(maxsize=MAX_KEPT)(
            lambda text: strategy.every_bucket(rules.parse(text))
        )
        self._end = lru_cache(maxsize=MAX_KEPT)(lambda text: street_end(rules.parse(text)))

    def start(self, view: View) -> tuple[float, Floats]:
        """Return the mean over all deals, and the value given the others' cards, [hand]."""
        starts, mean = self._weights.starts[view.hero], float(self._weights.seats[view.hero])
        held = [(seat, combo_index(*cards)) for seat, cards in enumerate(view.hole_cards) if cards]
        others = sum([float(starts[seat, self._classes[combo]]) for seat, combo in held])
        return mean, mean + others + starts[view.hero, self._classes]

    def after_actions(
        self, view: View, betting: BettingState, board: Sequence[int], actions: Sequence[Action]
    ) -> Floats:
        """Return the value after each of *actions* of the actor of *betting*, [hand, action]."""
        context = self._context(view, betting.street, (tuple(board),))
        return np.stack(
            [self._value_after(context, betting.apply(action))[0] for action in actions], axis=1
        )

    def after_deals(
        self, view: View, betting: BettingState, board: Sequence[int]
    ) -> tuple[NDArray[np.uint8], Floats]:
        """Return all deals of a new street, and the value after each, [deal, hand]."""
        dead = (*board, *chain.from_iterable(view.hole_cards))
        deals = possible_deals(
            self._definition, dead, self._definition.board_size(betting.street) - len(board)
        )
        if not board:
            return deals, self._on_flops(view, betting, deals)
        context = self._new_context(
            view, betting.street, tuple([(*board, *dealt) for dealt in deals.tolist()])
        )
        return deals, self._value_after(context, betting)

    def _new_context(
        self, view: View, street: int, boards: tuple[tuple[int, ...], ...]
    ) -> DealContext:
        # Hands that a board blocks have no meaningful bucket; 0 keeps indices in range.
        buckets = [
            np.where(
                hands_without(self._definition, board), self._strategy.buckets(street, board), 0
            ).astype(np.int64)
            for board in boards
        ]
        is_last = street == self._definition.num_streets - 1
        strengths = (
            None if is_last else np.stack([self._strengths.on_board(board) for board in boards])
        )
        return DealContext(self._definition, view, street, boards, np.stack(buckets), strengths)

    def _value_after(self, context: DealContext, betting: BettingState) -> Floats:
        """Return the value after real *betting*, chips [board, hand]."""
        if betting.is_over or betting.folded[context.view.hero]:
            return context.filled(context.checked_down(betting))
        seen = (
            betting
            if self._definition.is_limit
            else nearest_view(
                self._strategy.snapshot.place,
                betting,
                self._strategy.start,
                nearest=self._strategy.snapshot.nearest,
            )
        )
        if seen.is_over or seen.street != betting.street:
            return context.filled(context.checked_down(betting))
        return context.filled(
            scale_to_pot(self._tree_value(context, seen), seen, betting, context.view.hero)
        )

    def _tree_value(self, context: DealContext, betting: BettingState) -> Floats:
        """Return the value after *betting* of the strategy's tree, [board, hand].

        The betting is of the street of *context*, or at its end.
        """
        if betting.is_over or betting.folded[context.view.hero]:
            return context.checked_down(betting)
        if betting.street > context.street:
            return self._at_street_end(context, betting)
        if betting.text not in context.known:
            play, buckets = self._play(betting.text), context.buckets_of(betting.actor)
            actions = self._strategy.snapshot.place(betting).actions
            values = [self._tree_value(context, betting.apply(action)) for action in actions]
            context.known[betting.text] = sum(
                [column[buckets] * value for column, value in zip(play.T, values, strict=True)],
                np.zeros((1, 1)),
            )
        return context.known[betting.text]

    def _at_street_end(self, context: DealContext, betting: BettingState) -> Floats:
        end = self._end(betting.text)
        known = (context.shares(betting), *context.strengths_of(end.staying))
        values: Floats = end_value(end, context.view.hero, *known, self._weights.ends)
        return values

    def _on_flops(self, view: View, betting: BettingState, flops: NDArray[np.uint8]) -> Floats:
        """Return the value after each flop, up to a constant, [deal, 1].

        It depends on the strength of the rivals' hands alone.
        """
        end = self._end(betting.text)
        strength = mean_on_boards(self._strengths, rivals_of(view, betting), flops)
        linear, squared = self._weights.flops[end.raises]
        return np.asarray(end.room * (linear * strength + squared * strength**2))


@dataclass(frozen=True, slots=True, eq=False)
class DealContext:
    """All hands of the hero on *boards* of one street, against the hands of *view*.

    *buckets* and *strengths* (E[HS2], None on the last street) are those of all combos, [board,
    combo]. ``known`` caches values by betting.
    """

    definition: GameDefinition
    view: View
    street: int
    boards: tuple[tuple[int, ...], ...]
    buckets: Ints
    strengths: Floats | None
    known: dict[str, Floats] = field(default_factory=dict)
    _shares: dict[tuple[tuple[int, ...], ...], Floats] = field(default_factory=dict)

    def buckets_of(self, seat: int) -> Ints:
        """Return the buckets of the hero's hands, or of the one that another *seat* holds."""
        return self.buckets if seat == self.view.hero else self.buckets[:, self._held(seat)]

    def strengths_of(self, seats: Sequence[int]) -> tuple[Floats, Floats]:
        """Return E[HS2] of the hero's hands, and the mean of that of the other *seats*."""
        assert self.strengths is not None, self.street
        others = [self.strengths[:, self._held(seat)] for seat in seats if seat != self.view.hero]
        return self.strengths, np.mean(others, axis=0)

    def shares(self, betting: BettingState) -> Floats:
        """Return the pot share of each of the hero's hands if all check down after *betting*."""
        rivals = rivals_of(self.view, betting)
        if rivals not in self._shares:
            self._shares[rivals] = np.stack(
                [hand_shares(self.definition, self.view, rivals, board) for board in self.boards]
            )
        return self._shares[rivals]

    def checked_down(self, betting: BettingState) -> Floats:
        """Return the value of the hero's hands if there are no more bets after *betting*.

        It is exact where the hand is over.
        """
        if betting.folded[self.view.hero]:
            return np.full((1, 1), -float(betting.spent[self.view.hero]))
        pot = pot_of(betting, self.view.hero)
        return pot.chips * self.shares(betting) - pot.paid

    def filled(self, values: Floats) -> Floats:
        """Return *values* broadcast to all boards and hands."""
        return np.broadcast_to(values, self.buckets.shape)

    def _held(self, seat: int) -> slice:
        """Return the slice of all combos that is the hand of *seat*."""
        combo = combo_index(*self.view.hole_cards[seat])
        return slice(combo, combo + 1)


@dataclass(frozen=True, slots=True, eq=False)
class SelfPlayWeights:
    """Weights of the value function, in chips where nothing else is said.

    seats   float64 [hero]: mean winnings of a seat
    starts  float64 [hero, seat, class]: effect of the hole cards of *seat* on the hero;
            the mean over all hands is 0
    flops   float64 [raise class, term]: effect of the rivals' mean strength on the flop and of
            its square, by the raises before the flop, in units of room
    ends    float64 [street, raise class, feature]: see ``strength_values.py``
    """

    seats: Floats
    starts: Floats
    flops: Floats
    ends: Floats


def kept_weights(
    definition: GameDefinition,
    recipe: bytes,
    play: Callable[[], SelfPlayHands],
    on_progress: Progress | None,
) -> SelfPlayWeights:
    """Return weights fitted to the hands of *play*, from the cache if it has them for *recipe*.

    The recipe identifies the strategy and its play settings.
    """
    shapes = _shapes(definition)
    name = f"self_play_{hashlib.sha256(recipe).hexdigest()[:16]}"
    flat = cached_table(
        name,
        code_of(*_SOURCES) + recipe,
        lambda: _flat(fit_weights(definition, play(), on_progress)),
    )
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes])
    parts = [
        part.reshape(shape)
        for part, shape in zip(np.split(np.asarray(flat), ends[:-1]), shapes, strict=True)
    ]
    return SelfPlayWeights(*parts)


def fit_weights(
    definition: GameDefinition, hands: SelfPlayHands, on_progress: Progress | None = None
) -> SelfPlayWeights:
    """Return the least-squares weights for *hands* of *definition*."""
    strengths = HandStrengths(on_progress)
    seats = hands.won.mean(axis=0)
    return SelfPlayWeights(
        seats,
        _fit_starts(definition, hands, seats),
        _fit_flops(definition, strengths, hands),
        _fit_ends(definition, strengths, hands, on_progress),
    )


def _fit_starts(definition: GameDefinition, hands: SelfPlayHands, seats: Floats) -> Floats:
    """Return the effects of hole cards, [hero, seat, class]."""
    num_seats, classes = len(seats), Lossless169().board_buckets()
    combos = combos_of(
        np.ascontiguousarray(hands.cards[:, : num_seats * definition.num_hole_cards])
    )
    starts = np.empty((num_seats, num_seats, Lossless169.num_buckets))
    for hero, seat in product(range(num_seats), repeat=2):
        dealt = classes[combos[:, seat]]
        sums = np.bincount(dealt, hands.won[:, hero] - seats[hero], Lossless169.num_buckets)
        starts[hero, seat] = sums / np.maximum(
            np.bincount(dealt, minlength=Lossless169.num_buckets), 1
        )
    # The mean over all hands is removed to the last digit: values may be rough, but a mean other
    # than 0 would bias the estimate.
    centred: Floats = starts - starts[:, :, classes].mean(axis=2, keepdims=True)
    return centred


def _fit_flops(
    definition: GameDefinition, strengths: HandStrengths, hands: SelfPlayHands
) -> Floats:
    """Return the effects of the rivals' hands on the flop, [raise class, term].

    Constants are removed state by state.
    """
    moments, counts = (
        np.zeros((NUM_RAISE_CLASSES, NUM_FLOP_TERMS, NUM_FLOP_TERMS + 1)),
        np.zeros(NUM_RAISE_CLASSES),
    )
    for betting, own in hands.reached:
        if betting.street != 1:
            continue
        end, found = street_end(betting), _strengths_of(definition, strengths, hands.cards[own], 1)
        for hero in end.staying:
            rivals = found[:, [seat for seat in end.staying if seat != hero]].mean(axis=1)
            columns = np.stack(
                [end.room * rivals, end.room * rivals**2, hands.won[own, hero]], axis=1
            )
            columns -= columns.mean(axis=0)
            moments[end.raises] += columns[:, :-1].T @ columns
            counts[end.raises] += len(own)
    expected = np.array([-GROWTH[definition.num_streets - 1], 0.0])
    return _solved(moments, counts, expected)


def _fit_ends(
    definition: GameDefinition,
    strengths: HandStrengths,
    hands: SelfPlayHands,
    on_progress: Progress | None,
) -> Floats:
    """Return the weights at the ends of streets, [street, raise class, feature]."""
    num_streets = definition.num_streets
    moments = np.zeros((num_streets - 1, NUM_RAISE_CLASSES, NUM_FEATURES, NUM_FEATURES + 1))
    counts, free = np.zeros(moments.shape[:2]), np.zeros_like(moments[..., 0])
    for number, (betting, reached) in enumerate(hands.reached):
        end, own = street_end(betting), reached[reached < NUM_FITTED]
        cards = hands.cards[own]
        shares = _shares(definition, cards, end.staying, end.street)
        found = _strengths_of(definition, strengths, cards, end.street)
        for place, hero in enumerate(end.staying):
            rivals = found[:, [seat for seat in end.staying if seat != hero]].mean(axis=1)
            known = (shares[:, place], found[:, hero], rivals)
            further = hands.won[own, hero] - end_value(end, hero, *known, free)
            columns = end.room * np.stack(features(end, hero, *known), axis=1)
            moments[end.street, end.raises] += columns.T @ np.column_stack([columns, further])
            counts[end.street, end.raises] += len(own)
        if on_progress is not None:
            on_progress(number + 1, len(hands.reached))
    # The prior: the pot grows as in the formula of ``strength_values.py``.
    expected = np.zeros((num_streets - 1, NUM_FEATURES))
    expected[:, 0] = [GROWTH[num_streets - 1 - street] - 1 for street in range(num_streets - 1)]
    return np.stack([_solved(*street) for street in zip(moments, counts, expected, strict=True)])


def _solved(moments: Floats, counts: Floats, expected: Floats) -> Floats:
    """Return ridge-regularised weights [class, term] from normal equations.

    *moments* are [class, term, term and right side] over *counts* [class] hands. All classes
    together are shrunk towards *expected* [term] with the weight of NUM_PRIOR hands, and then each
    class towards all together, as rare betting carries little information.
    """
    total = moments.sum(axis=0)
    prior = np.diag(np.diag(total[:, :-1])) * (NUM_PRIOR / max(counts.sum(), 1.0))
    prior += RIDGE * max(np.trace(prior), 1.0) * np.eye(len(prior))
    pooled = np.linalg.solve(total[:, :-1] + prior, total[:, -1] + prior @ expected)
    return np.stack(
        [np.linalg.solve(own[:, :-1] + prior, own[:, -1] + prior @ pooled) for own in moments]
    )


def _shares(
    definition: GameDefinition, cards: Cards, staying: tuple[int, ...], street: int
) -> Floats:
    """Return the pot share of each of those *staying* if all check down, [deal, place]."""
    shares = np.empty((len(cards), len(staying)))
    num_hole_cards = definition.num_players * definition.num_hole_cards
    state = seed_state(SHARES_SEED, street)
    fill_shares(
        cards, np.array(staying), BOARD_SIZES[street], num_hole_cards, NUM_DRAWN, state, shares
    )
    return shares


def _strengths_of(
    definition: GameDefinition, strengths: HandStrengths, cards: Cards, street: int
) -> Floats:
    """Return E[HS2] of all hands dealt in *cards* [deal, card] on *street*, [deal, seat]."""
    num_hole_cards = definition.num_players * definition.num_hole_cards
    boards = cards[:, num_hole_cards : num_hole_cards + BOARD_SIZES[street]]
    return strengths.of_hands(cards[:, :num_hole_cards], boards)


def _shapes(definition: GameDefinition) -> list[tuple[int, ...]]:
    seats = definition.num_players
    return [
        (seats,),
        (seats, seats, Lossless169.num_buckets),
        (NUM_RAISE_CLASSES, NUM_FLOP_TERMS),
        (definition.num_streets - 1, NUM_RAISE_CLASSES, NUM_FEATURES),
    ]


def _flat(weights: SelfPlayWeights) -> Floats:
    return np.concatenate(
        [part.ravel() for part in (weights.seats, weights.starts, weights.flops, weights.ends)]
    )


def play_hands(
    strategy: SnapshotStrategy, deal_sources: DealSources, num_deals: int
) -> SelfPlayHands:
    """Return *num_deals* hands of *strategy* in all seats."""
    snapshot = strategy.snapshot
    source = deal_sources.source(snapshot.abstraction)
    assert isinstance(source, HoldemDeals), snapshot.abstraction

    def successors(betting: BettingState) -> list[BettingState]:
        return [betting.apply(action) for action in snapshot.place(betting).actions]

    rules = BettingRules(snapshot.definition)
    return self_play_hands(rules, strategy.every_bucket, successors, source, num_deals, SEED)
