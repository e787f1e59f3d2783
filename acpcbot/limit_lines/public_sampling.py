"""Public chance sampling CFR: boards are drawn, and all hands and all betting lines learn at once.

An iteration is one whole board. Each seat in turn is the learner: the other's reaches are carried
forward street by street for all of its hands, values come back, and all of the learner's decisions
get their regrets, in every betting line; the other's average strategy collects its reaches on the
way. So a board teaches every pair of hands that it leaves, where external sampling teaches one deal
along one line of the others' actions: lines that are hardly ever played, to which a best response
leads, are learnt as well as common ones.

Iteration t weighs t^alpha in regrets and t^gamma in averages (1 and 1 are linear CFR).

Sources: Johanson, Bard, Lanctot, Gibson & Bowling (2012), Efficient Nash equilibrium approximation
through Monte Carlo counterfactual regret minimization (public chance sampling); Brown & Sandholm
(2019), https://arxiv.org/abs/1809.04040 (weights). Hands of one player are abstracted to buckets of
imperfect recall, as in Waugh et al. (2009); values are those of hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import Annotated, Any

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from acpcbot.aligned_arrays import aligned_zeros
from acpcbot.arrays import AnyArray, Ints
from acpcbot.errors import UsageError
from acpcbot.jit import kernel
from acpcbot.learning.sampling import Deals, RandomState
from acpcbot.limit_lines.learning_kernels import go_down, go_up, learn_last_street
from acpcbot.limit_lines.lines import NUM_SEATS, FindBuckets, LimitLines, StreetLines
from acpcbot.limit_lines.street_kernels import (
    LEARN,
    LineScratch,
    StreetArrays,
    enter_street,
    leave_street,
    line_scratch,
)
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import all_hands, hand_strengths, hands_without
from acpcbot.random_kernels import below
from acpcbot.trees.betting_tree import MenuGame
from acpcbot.trees.board_tree import hand_cards
from acpcbot.wide_lanes import WIDTH

MAX_EXPONENT = 10
ROUND_LENGTH = 256
WEIGHT_UNIT = 1000.0
"""Weights are (t / WEIGHT_UNIT)^exponent, so that float32 sums stay far from their limits."""


@dataclass(frozen=True, slots=True)
class PublicSamplingSettings:
    """Weights of iterations: iteration t weighs t^alpha in regrets, t^gamma in averages.

    Averages are collected in one iteration of *average_every*: they take a quarter of its time.
    """

    alpha: float = 1.0
    gamma: float = 1.0
    average_every: Annotated[int, Meta(ge=1)] = 4

    def __post_init__(self) -> None:
        if not all(0 <= exponent <= MAX_EXPONENT for exponent in (self.alpha, self.gamma)):
            raise UsageError(
                f"alpha, gamma = {self.alpha}, {self.gamma} are out of range",
                f"use numbers from 0 to {MAX_EXPONENT}; 1, 1 is linear CFR",
            )


class BoardDeals:
    """Random whole boards of a game, uint16 [deal, card], as a deal source."""

    def __init__(self, definition: GameDefinition, num_buckets: Sequence[int]) -> None:
        self.num_buckets = tuple(num_buckets)
        self._deck = np.array(definition.deck, np.uint16)
        self.width = sum(definition.num_board_cards)

    def fill(self, deals: Deals, random_state: RandomState) -> None:
        """Fill every row of *deals* with the cards of a board."""
        draw_boards(self._deck, random_state, deals)


@kernel
def draw_boards(deck: AnyArray, random_state: RandomState, deals: Deals) -> None:
    """Fill each row of *deals* with different cards of *deck*."""
    cards = deck.copy()
    for deal in range(len(deals)):
        for place in range(deals.shape[1]):
            other = place + np.int64(below(random_state, len(cards) - place))
            cards[place], cards[other] = cards[other], cards[place]
            deals[deal, place] = cards[place]


@dataclass(frozen=True, slots=True, eq=False)
class _BoardHands:
    """Hands on a board: their cards, places among the hands above, and buckets.

    ``local``    [hand]: the place of each one's bucket in ``buckets``, those that occur
    ``ranks``    [hand]: equal strengths have equal ranks, weakest first; empty before the last one
    ``weight``   of the values behind its cards: one over the chance that two hands leave them
    """

    hands: Ints
    parents: AnyArray
    cards: AnyArray
    local: Ints
    buckets: Ints
    ranks: AnyArray
    weight: float


class PublicSamplingLearner:
    """Public chance sampling on the *lines* of a limit game; *buckets* finds those of hands.

    ``regrets`` and ``averages`` are sums by street and seat, float32 [chunk, bucket * slot * lane].
    """

    def __init__(
        self,
        lines: LimitLines,
        num_buckets: Sequence[int],
        buckets: FindBuckets,
        settings: PublicSamplingSettings | None = None,
    ) -> None:
        self.lines, self.settings = lines, settings or PublicSamplingSettings()
        self.round_length = ROUND_LENGTH
        self._buckets, self._num_buckets = buckets, tuple(num_buckets)
        self._game = MenuGame(lines.tree, self._num_buckets)
        self.regrets = [self._sums(street) for street in range(self._num_streets)]
        self.averages = [self._sums(street) for street in range(self._num_streets)]
        self._count = np.zeros(1, np.int64)
        self._rooms: list[tuple[list[_Room], list[_Room]]] = []

    @property
    def _num_streets(self) -> int:
        return self.lines.definition.num_streets

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """Regrets and strategy sums by street and seat, and the number of iterations."""
        found: dict[str, NDArray[Any]] = {"count": self._count}
        for name, sums in (("regrets", self.regrets), ("averages", self.averages)):
            for street, seats in enumerate(sums):
                for seat, own in enumerate(seats):
                    found[f"{name}_{street}_{seat}"] = own
        return found

    def _sums(self, street: int) -> tuple[AnyArray, AnyArray]:
        own = self.lines.streets[street]
        first, second = (
            aligned_zeros(
                len(own.lanes) * self._num_buckets[street] * len(own.slots[seat]), np.float32
            ).reshape(own.num_chunks, -1)
            for seat in range(NUM_SEATS)
        )
        return first, second

    def walk(self, deals: Deals, random_state: RandomState) -> None:
        """Run an iteration for each board."""
        try:
            rooms = self._rooms.pop()
        except IndexError:  # threads take rooms that others left, or make their own
            rooms = self._make_rooms(0), self._make_rooms(1)
        for board in deals.tolist():
            self._count += 1
            weights, hands = self._weights(int(self._count[0])), self._hands(board)
            for learner in range(NUM_SEATS):
                self._learn(rooms[learner], hands, learner, weights)
        self._rooms.append(rooms)

    def settle(self, num_done: int) -> None:
        """Do nothing: iterations have their weights from the start."""

    def average_strategy(self) -> NDArray[np.float64]:
        """Return the average strategy [slot], uniform where nothing was added."""
        return self._game.normalised(self.slot_sums(self.averages))

    def slot_sums(self, sums: Sequence[tuple[AnyArray, AnyArray]]) -> NDArray[np.float32]:
        """Return *sums* by street and seat in the order of information sets, [slot]."""
        found = np.zeros(self._game.layout.num_slots, np.float32)
        for street in range(self._num_streets):
            rows = self._game.layout.street_rows(found, street)
            own = self.lines.streets[street]
            for seat in range(NUM_SEATS):
                slots = own.slots[seat]
                lanes = sums[street][seat].reshape(own.num_chunks, len(rows), len(slots), WIDTH)
                for lane in np.flatnonzero(own.lanes >= 0).tolist():
                    rows[:, slots[:, lane]] = lanes[lane // WIDTH, :, :, lane % WIDTH]
        return found

    def _make_rooms(self, learner: int) -> list[_Room]:
        definition = self.lines.definition
        return [
            _make_room(definition, own, street, learner, self._num_buckets[street])
            for street, own in enumerate(self.lines.streets)
        ]

    def _hands(self, board: Sequence[int]) -> list[_BoardHands]:
        definition = self.lines.definition
        found: list[_BoardHands] = []
        for street in range(self._num_streets):
            cards = tuple(board[: definition.board_size(street)])
            hands = np.flatnonzero(hands_without(definition, cards))
            ranks = np.empty(0, np.uint16)
            if street == self._num_streets - 1:
                strengths = hand_strengths(definition, cards)[hands]
                order = np.argsort(strengths, kind="stable")
                ranks = np.unique(strengths, return_inverse=True)[1][order].astype(np.uint16)
                hands = hands[order]
            buckets, local = np.unique(self._buckets(street, cards)[hands], return_inverse=True)
            parents, weight = hands, 1.0
            if street:
                above = found[-1].hands
                places = np.zeros(len(all_hands(definition)), np.int64)
                places[above] = np.arange(len(above))
                parents = places[hands]
                weight = _weight(definition, street)
            found.append(
                _BoardHands(
                    hands,
                    parents.astype(np.uint16),
                    hand_cards(definition, hands),
                    local.astype(np.int64),
                    buckets.astype(np.int64),
                    ranks,
                    weight,
                )
            )
        return found

    def _weights(self, count: int) -> tuple[float, float]:
        """Return what iteration *count* weighs: the root's reaches, and averages on top of that."""
        own, settings = count / WEIGHT_UNIT, self.settings
        is_averaged = count % settings.average_every == 0
        return own**settings.alpha, own ** (settings.gamma - settings.alpha) * is_averaged

    def _learn(
        self,
        rooms: list[_Room],
        hands: list[_BoardHands],
        learner: int,
        weights: tuple[float, float],
    ) -> None:
        other, last = 1 - learner, self._num_streets - 1
        weight, averaging = weights
        rooms[0].reaches[:, 0] = 0
        rooms[0].reaches[0, 0, ::WIDTH] = weight
        for street in range(last):
            room, own = rooms[street], hands[street]
            go_down(
                room.arrays,
                (own.local, own.buckets),
                (room.nodes[other], room.nodes[learner]),
                averaging,
                (self.regrets[street][other], self.regrets[street][learner]),
                self.averages[street][other],
                room.scratch,
            )
            room.sums[:] = 0
            if street + 1 < last:
                enter_street(
                    self.lines.streets[street + 1].source,
                    room.arrays.plan.ends,
                    hands[street + 1].parents,
                    room.reaches,
                    rooms[street + 1].reaches[:, 0],
                )
        room, own, above = rooms[last], hands[last], rooms[last - 1]
        learn_last_street(
            room.arrays.plan,
            room.arrays,
            (own.local, own.buckets),
            (room.nodes[other], room.nodes[learner]),
            (own.parents, own.cards, own.ranks),
            (above.reaches, above.arrays.plan.ends),
            (averaging, own.weight),
            (self.regrets[last][other], self.regrets[last][learner]),
            self.averages[last][other],
            room.one_scratch,
            above.sums,
        )
        for street in range(last - 1, -1, -1):
            room, own = rooms[street], hands[street]
            go_up(
                room.arrays,
                (own.local, own.buckets),
                room.nodes[learner],
                own.cards,
                self.regrets[street][learner],
                room.scratch,
            )
            if street:
                leave_street(
                    self.lines.streets[street].source,
                    own.parents,
                    own.weight,
                    room.scratch.root,
                    rooms[street - 1].sums,
                )


@dataclass(frozen=True, slots=True, eq=False)
class _Room:
    """Room of a thread for one street and learner.

    ``nodes``  by seat int64 [node, 2]: the first slot and the number of actions
    """

    arrays: StreetArrays
    nodes: tuple[Ints, Ints]
    scratch: LineScratch
    one_scratch: LineScratch
    reaches: AnyArray
    sums: AnyArray


def _weight(definition: GameDefinition, street: int) -> float:
    """Return one over the chance that the cards of *street* leave two hands that were left."""
    before, added = definition.board_size(street - 1), definition.num_board_cards[street]
    deck = len(definition.deck) - before
    return comb(deck, added) / comb(deck - 2 * definition.num_hole_cards, added)


def _make_room(
    definition: GameDefinition, own: StreetLines, street: int, seat: int, num_buckets: int
) -> _Room:
    dtype = np.float32
    is_last = street == definition.num_streets - 1
    hands = comb(len(definition.deck) - definition.board_size(street), definition.num_hole_cards)
    num_cards = max(definition.deck) + 1
    if definition.num_hole_cards == 1:
        num_cards = 52 + len(all_hands(definition))
    plan, chunks = own.plans[seat], own.num_chunks
    chips = own.chips[seat].reshape(-1, chunks, WIDTH).transpose(1, 0, 2)
    kept = 1 if is_last else chunks
    num_slots = [len(own.slots[0]), len(own.slots[1])]
    room = min(num_buckets, hands) * WIDTH
    policy = aligned_zeros(kept * room * num_slots[1 - seat], dtype).reshape(kept, -1)
    strategy = aligned_zeros(kept * room * num_slots[seat], dtype).reshape(kept, -1)
    gains = aligned_zeros(kept * room * max(num_slots), dtype).reshape(kept, -1)
    arrays = StreetArrays(
        plan,
        np.ascontiguousarray(chips.reshape(chunks, -1), dtype),
        policy,
        strategy,
        num_slots[1 - seat],
        num_slots[seat],
        LEARN,
        gains,
    )
    rooms = [line_scratch(plan, hands, num_cards, dtype) for _ in range(kept)]
    scratch = LineScratch(*[np.stack(parts) for parts in zip(*rooms, strict=True)])
    return _Room(
        arrays,
        (_nodes(own.plans[0]), _nodes(own.plans[1])),
        scratch,
        rooms[0],
        scratch.reaches.reshape(kept, plan.num_classes, hands * WIDTH),
        scratch.values.reshape(kept, len(plan.ends), hands * WIDTH),
    )


def _nodes(plan: Any) -> Ints:
    """Return the first slot and the number of actions of the responder's nodes, [node, 2]."""
    own = plan.nodes[plan.nodes[:, 2] == 1]
    return np.ascontiguousarray(own[:, [3, 1]])
