"""What hands turn out to be worth in a hold'em strategy's play against itself, fitted to many such hands.

Fitted by least squares of the chips won, each number to all hands that tell of it:

* before the cards, what each class of hole cards brings whom, the hands added up;
* when a flop comes, what the others' E[HS2] and its square there bring the hero, in ``room``;
* when a street's betting ends, the weights of ``street_ends.py``.

The hands are drawn for this alone, by the seed. The numbers are kept on disk, by the
strategy, how it is played, and this program's text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np

from acpcbot.abstraction.buckets import Lossless169
from acpcbot.abstraction.canonical_boards import BOARD_SIZES
from acpcbot.abstraction.row_chunks import Progress
from acpcbot.abstraction.table_cache import cached_table
from acpcbot.abstraction.table_lookup import combos_of
from acpcbot.arrays import Floats
from acpcbot.cards.strength import Cards
from acpcbot.evaluation import self_play_hands as hands_module
from acpcbot.evaluation import street_ends as ends_module
from acpcbot.evaluation.hand_strengths import HandStrengths
from acpcbot.evaluation.self_play_hands import SelfPlayHands, fill_shares
from acpcbot.evaluation.street_ends import NUM_FEATURES, NUM_RAISE_CLASSES, end_value, features, street_end
from acpcbot.evaluation.strength_values import GROWTH
from acpcbot.poker.definition import GameDefinition
from acpcbot.random_kernels import seed_state

NUM_WEIGHED = 1 << 16
"""Of so many deals the shares at the ends of streets are worked out, which takes longer than to play them."""
NUM_DRAWN = 300
SHARES_SEED = 2
NUM_PRIOR = 4000
RIDGE = 1e-9
NUM_FLOP_TERMS = 2

_SOURCES = (__file__, hands_module.__file__, ends_module.__file__)


@dataclass(frozen=True, slots=True, eq=False)
class SelfPlayWeights:
    """Chips where nothing else is said.

    ``seats``  float64 [hero]: what a seat wins a hand
    ``starts`` float64 [hero, seat, class]: what the hole cards of *seat* bring the hero; their mean over all hands is 0
    ``flops``  float64 [raise class, term]: by the raises before the flop, what the others' mean strength there and
               its square bring, in room
    ``ends``   float64 [street, raise class, feature]: see ``street_ends.py``
    """

    seats: Floats
    starts: Floats
    flops: Floats
    ends: Floats


def kept_weights(
    definition: GameDefinition, recipe: bytes, play: Callable[[], SelfPlayHands], on_progress: Progress | None
) -> SelfPlayWeights:
    """The weights that fit the hands of *play*, from the cache if it has those for *recipe*: who plays how."""
    text = b"".join([Path(source).read_bytes() for source in _SOURCES])
    shapes = _shapes(definition)
    name = f"self_play_{hashlib.sha256(recipe).hexdigest()[:16]}"
    flat = cached_table(name, text + recipe, lambda: _flat(fit_weights(definition, play(), on_progress)))
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes])
    parts = [part.reshape(shape) for part, shape in zip(np.split(np.asarray(flat), ends[:-1]), shapes, strict=True)]
    return SelfPlayWeights(*parts)


def _shapes(definition: GameDefinition) -> list[tuple[int, ...]]:
    seats = definition.num_players
    return [
        (seats,),
        (seats, seats, Lossless169.num_buckets),
        (NUM_RAISE_CLASSES, NUM_FLOP_TERMS),
        (definition.num_streets - 1, NUM_RAISE_CLASSES, NUM_FEATURES),
    ]


def _flat(weights: SelfPlayWeights) -> Floats:
    return np.concatenate([part.ravel() for part in (weights.seats, weights.starts, weights.flops, weights.ends)])


def fit_weights(
    definition: GameDefinition, hands: SelfPlayHands, on_progress: Progress | None = None
) -> SelfPlayWeights:
    """The weights that fit *hands* of *definition* best."""
    strengths = HandStrengths(on_progress)
    seats = hands.won.mean(axis=0)
    return SelfPlayWeights(
        seats,
        _fit_starts(definition, hands, seats),
        _fit_flops(definition, strengths, hands),
        _fit_ends(definition, strengths, hands, on_progress),
    )


def _strengths_of(definition: GameDefinition, strengths: HandStrengths, cards: Cards, street: int) -> Floats:
    """E[HS2] of everybody's hands, dealt in *cards* [deal, card], on *street*, [deal, seat]."""
    num_hole_cards = definition.num_players * definition.num_hole_cards
    boards = cards[:, num_hole_cards : num_hole_cards + BOARD_SIZES[street]]
    return strengths.of_hands(cards[:, :num_hole_cards], boards)


def _fit_starts(definition: GameDefinition, hands: SelfPlayHands, seats: Floats) -> Floats:
    """What hole cards bring, [hero, seat, class]."""
    num_seats, classes = len(seats), Lossless169().board_buckets()
    combos = combos_of(np.ascontiguousarray(hands.cards[:, : num_seats * definition.num_hole_cards]))
    starts = np.empty((num_seats, num_seats, Lossless169.num_buckets))
    for hero, seat in product(range(num_seats), repeat=2):
        dealt = classes[combos[:, seat]]
        sums = np.bincount(dealt, hands.won[:, hero] - seats[hero], Lossless169.num_buckets)
        starts[hero, seat] = sums / np.maximum(np.bincount(dealt, minlength=Lossless169.num_buckets), 1)
    # The mean over all hands is taken out to the last digit: guesses may be rough, their means may not.
    centred: Floats = starts - starts[:, :, classes].mean(axis=2, keepdims=True)
    return centred


def _fit_flops(definition: GameDefinition, strengths: HandStrengths, hands: SelfPlayHands) -> Floats:
    """What the others' hands bring on the flop, [raise class, term]; constants fall out, state by state."""
    moments, counts = np.zeros((NUM_RAISE_CLASSES, NUM_FLOP_TERMS, NUM_FLOP_TERMS + 1)), np.zeros(NUM_RAISE_CLASSES)
    for betting, own in hands.reached:
        if betting.street != 1:
            continue
        end, found = street_end(betting), _strengths_of(definition, strengths, hands.cards[own], 1)
        for hero in end.staying:
            rivals = found[:, [seat for seat in end.staying if seat != hero]].mean(axis=1)
            columns = np.stack([end.room * rivals, end.room * rivals**2, hands.won[own, hero]], axis=1)
            columns -= columns.mean(axis=0)
            moments[end.raises] += columns[:, :-1].T @ columns
            counts[end.raises] += len(own)
    expected = np.array([-GROWTH[definition.num_streets - 1], 0.0])
    return _solved(moments, counts, expected)


def _fit_ends(
    definition: GameDefinition, strengths: HandStrengths, hands: SelfPlayHands, on_progress: Progress | None
) -> Floats:
    """The weights at the ends of streets, [street, raise class, feature]."""
    num_streets = definition.num_streets
    moments = np.zeros((num_streets - 1, NUM_RAISE_CLASSES, NUM_FEATURES, NUM_FEATURES + 1))
    counts, free = np.zeros(moments.shape[:2]), np.zeros_like(moments[..., 0])
    for number, (betting, reached) in enumerate(hands.reached):
        end, own = street_end(betting), reached[reached < NUM_WEIGHED]
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
    # Without anything learnt the pot is taken to grow as in the formula of ``strength_values.py``.
    expected = np.zeros((num_streets - 1, NUM_FEATURES))
    expected[:, 0] = [GROWTH[num_streets - 1 - street] - 1 for street in range(num_streets - 1)]
    return np.stack([_solved(*street) for street in zip(moments, counts, expected, strict=True)])


def _shares(definition: GameDefinition, cards: Cards, staying: tuple[int, ...], street: int) -> Floats:
    """What share of the pot each of those *staying* wins if all check down, [deal, place]."""
    shares = np.empty((len(cards), len(staying)))
    num_hole_cards = definition.num_players * definition.num_hole_cards
    state = seed_state(SHARES_SEED, street)
    fill_shares(cards, np.array(staying), BOARD_SIZES[street], num_hole_cards, NUM_DRAWN, state, shares)
    return shares


def _solved(moments: Floats, counts: Floats, expected: Floats) -> Floats:
    """Weights [class, term] from normal equations [class, term, term and right side] of so many hands [class].

    All classes together are drawn to what is *expected* [term], as if NUM_PRIOR hands had told
    of it, and then each class to all together: rare betting tells little.
    """
    total = moments.sum(axis=0)
    prior = np.diag(np.diag(total[:, :-1])) * (NUM_PRIOR / max(counts.sum(), 1.0))
    prior += RIDGE * max(np.trace(prior), 1.0) * np.eye(len(prior))
    pooled = np.linalg.solve(total[:, :-1] + prior, total[:, -1] + prior @ expected)
    return np.stack([np.linalg.solve(own[:, :-1] + prior, own[:, -1] + prior @ pooled) for own in moments])
