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
from typing import Annotated, Any

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from acpcbot.arrays import AnyArray
from acpcbot.betting_lines.lane_sums import LaneStrategy, LaneSums, of_seat
from acpcbot.betting_lines.learning_kernels import learn_last_street
from acpcbot.betting_lines.lines import NUM_SEATS, BettingLines, HandBuckets, num_hands
from acpcbot.betting_lines.street_arrays import LEARN
from acpcbot.betting_lines.street_rooms import (
    BoardHands,
    GroupRoom,
    board_hands,
    make_rooms,
    room_bytes,
)
from acpcbot.betting_lines.street_walks import (
    carry_down,
    carry_up,
    match_opponents,
    match_responders,
)
from acpcbot.errors import UsageError
from acpcbot.jit import kernel
from acpcbot.learning.sampling import Deals, RandomState
from acpcbot.poker.definition import GameDefinition
from acpcbot.random_kernels import below

Rooms = list[list[GroupRoom]]
"""By street and group."""

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

    def weights(self, count: int) -> tuple[float, float]:
        """Return what iteration *count* weighs: the root's reaches, and averages on top of that."""
        own, is_averaged = count / WEIGHT_UNIT, count % self.average_every == 0
        return own**self.alpha, own ** (self.gamma - self.alpha) * is_averaged


class BoardDeals:
    """Random boards of a game, uint16 [deal, card], as a deal source.

    They are whole ones, or have *num_cards*.
    """

    def __init__(
        self, definition: GameDefinition, num_buckets: Sequence[int], num_cards: int | None = None
    ) -> None:
        self.num_buckets = tuple(num_buckets)
        self._deck = np.array(definition.deck, np.uint16)
        self.width = sum(definition.num_board_cards) if num_cards is None else num_cards

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


class PublicSamplingLearner:
    """Public chance sampling on the *lines* of a game, by *buckets* of hands.

    It adds to *sums*, which are new ones by default.
    """

    def __init__(
        self,
        lines: BettingLines,
        buckets: HandBuckets,
        settings: PublicSamplingSettings | None = None,
        sums: LaneSums | None = None,
    ) -> None:
        self.lines, self.settings = lines, settings or PublicSamplingSettings()
        self.round_length = ROUND_LENGTH
        self.sums = sums or LaneSums(lines, buckets.num_buckets)
        self._buckets = buckets
        self._rooms: list[tuple[Rooms, Rooms]] = []

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """Regrets and strategy sums, and the number of iterations."""
        return self.sums.arrays

    @property
    def thread_bytes(self) -> int:
        """Memory that each thread takes beside the arrays."""
        return sum(room_bytes(self._make_rooms(learner)) for learner in range(NUM_SEATS))

    def walk(self, deals: Deals, random_state: RandomState) -> None:
        """Run an iteration for each board."""
        for board in deals.tolist():
            self.sums.count += 1
            self.learn(board, self.settings.weights(int(self.sums.count[0])))

    def learn(
        self,
        board: Sequence[int],
        weights: tuple[float, float],
        opponent: LaneStrategy | None = None,
    ) -> None:
        """Let both seats learn on a *board*, against each other or against an *opponent*.

        *weights* are those of reaches, and of averages on top of that; against an opponent none are
        collected.
        """
        try:
            rooms = self._rooms.pop()
        except IndexError:  # threads take rooms that others left, or make their own
            rooms = self._make_rooms(0), self._make_rooms(1)
        hands = board_hands(self.lines.definition, self._buckets.find, board)
        for learner in range(NUM_SEATS):
            self._learn(rooms[learner], hands, learner, weights, opponent)
        self._rooms.append(rooms)

    def settle(self, num_done: int) -> None:
        """Do nothing: iterations have their weights from the start."""

    def average_strategy(self) -> NDArray[np.float64]:
        """Return the average strategy [slot], uniform where nothing was added."""
        return self.sums.average_strategy()

    def _make_rooms(self, learner: int) -> Rooms:
        rooms, definition = [], self.lines.definition
        for street in range(definition.num_streets):
            places = min(self._buckets.num_buckets[street], num_hands(definition, street))
            rooms.append(make_rooms(self.lines, street, learner, LEARN, (places, places)))
        return rooms

    def _learn(
        self,
        rooms: Rooms,
        hands: list[BoardHands],
        learner: int,
        weights: tuple[float, float],
        opponent: LaneStrategy | None,
    ) -> None:
        other, last, lines = 1 - learner, len(hands) - 1, self.lines
        regrets, averages = self.sums.regrets, self.sums.averages
        their = regrets if opponent is None else opponent
        if opponent is not None:
            weights = weights[0], 0.0
        above, places = hands[:last], [own.local for own in hands[:last]]
        match_opponents(rooms, above, other, their)
        match_responders(rooms, above, learner, regrets)
        carry_down(lines, rooms, above, places, weights, of_seat(averages, other))
        own = hands[last]
        for group, room in enumerate(rooms[last]):
            sums, average = regrets[last][group][learner], averages[last][group]
            for way in lines.streets[last][group].ways:
                before = rooms[last - 1][way.group]
                learn_last_street(
                    room.arrays,
                    (own.local, own.buckets),
                    (room.nodes[other], room.nodes[learner]),
                    (own.parents, own.cards, own.ranks),
                    way.rows,
                    (before.reaches, before.arrays.plan.ends),
                    (weights[1], own.weight),
                    (their[last][group][other], sums),
                    average[other],
                    room.first,
                    before.sums,
                )
        carry_up(lines, rooms, above, learner, regrets)
