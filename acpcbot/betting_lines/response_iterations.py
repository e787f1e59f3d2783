"""Iterations of CFR-BR: with responses that are best ones on the last street, or on the last two.

Both let one seat learn on a board, from what cards are drawn to the regrets. The response learns on
the streets before, the *trunk*, by regret matching, with buckets of its own or the learner's.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np

from acpcbot.aligned_arrays import aligned_zeros
from acpcbot.arrays import AnyArray, Ints
from acpcbot.betting_lines.lane_sums import LaneSums, SeatSums, group_sums, named_arrays, of_seat
from acpcbot.betting_lines.learning_kernels import match_chunks
from acpcbot.betting_lines.lines import HandBuckets, num_hands
from acpcbot.betting_lines.response_kernels import (
    choose_street,
    learn_full_boards,
    meet_last_street,
)
from acpcbot.betting_lines.street_arrays import CHOOSE, LEARN, RESPOND
from acpcbot.betting_lines.street_kernels import add_full_boards
from acpcbot.betting_lines.street_rooms import (
    BoardHands,
    GroupRoom,
    board_hands,
    chance_weight,
    make_rooms,
    room_bytes,
)
from acpcbot.betting_lines.street_walks import (
    carry_down,
    carry_up,
    hand_places,
    leave,
    match_opponents,
    match_responders,
)
from acpcbot.trees.board_tree import BoardTree, build_board_tree, no_changes
from acpcbot.wide_lanes import WIDTH


@dataclass(frozen=True, slots=True, eq=False)
class ResponseRooms:
    """Room of a thread for one learner; the rooms of a group of lines share the strategies.

    ``responses``  by street and group: the response is the responder, the learner its opponent
    ``learners``   the same the other way round
    """

    responses: list[list[GroupRoom]]
    learners: list[list[GroupRoom]]

    @property
    def num_bytes(self) -> int:
        """Memory that the rooms take."""
        return room_bytes([*self.responses, *self.learners])


class ResponseIterations(ABC):
    """The way in which a learner meets responses.

    *sums* are the learner's, *buckets* those of its hands. The response tells hands apart by *trunk*
    on the streets of the trunk, or by *buckets* if it is None. No action of the learner has less
    than *tremble*.

    ``regrets``  those of the response in the trunk: what seat 0 learns there is for learner 1
    ``has_met``  by street [bucket]: true where the response has regrets
    """

    num_streets: int
    """The streets on which responses are best ones."""

    def __init__(
        self, sums: LaneSums, buckets: HandBuckets, tremble: float, trunk: HandBuckets | None
    ) -> None:
        self.sums, self.lines, self.tremble = sums, sums.lines, tremble
        self.buckets, self.trunk = buckets, trunk or buckets
        self.definition = sums.lines.definition
        self.last = self.definition.num_streets - 1
        self.num_trunk_streets = self.definition.num_streets - self.num_streets
        counts = self.trunk.num_buckets[: self.num_trunk_streets]
        self.regrets: list[list[SeatSums]] = [
            group_sums(self.lines, street, count) for street, count in enumerate(counts)
        ]
        self.has_met = [np.zeros(count, np.bool_) for count in counts]

    @property
    def arrays(self) -> dict[str, AnyArray]:
        """The response's regrets, and where it has any, by name."""
        met = {f"has_met_{street}": own for street, own in enumerate(self.has_met)}
        return {**named_arrays("response_regrets", self.regrets), **met}

    @abstractmethod
    def make_rooms(self, learner: int) -> ResponseRooms:
        """Return room for iterations of a *learner*."""

    @abstractmethod
    def deal(self, cards: Sequence[int]) -> Any:
        """Return what an iteration shows of drawn *cards*."""

    @abstractmethod
    def learn(self, rooms: Any, dealt: Any, learner: int, weights: tuple[float, float]) -> None:
        """Let a *learner* learn; *weights* are those of reaches, and of averages on top of that."""

    def trunk_hands(self, hands: Sequence[BoardHands], board: Sequence[int]) -> list[BoardHands]:
        """Return the *hands* of the trunk as the response tells them apart.

        Where it meets a bucket for the first time, the regrets of the same seat as a learner are its
        first ones: those of one of the hands, in the proportion of the numbers of buckets.
        """
        found = []
        for street, own in enumerate(hands[: self.num_trunk_streets]):
            rows = self.trunk.find(street, board[: self.definition.board_size(street)])
            buckets, first, local = np.unique(
                rows[own.hands], return_index=True, return_inverse=True
            )
            their = replace(own, buckets=buckets.astype(np.int64), local=local.astype(np.int64))
            new = ~self.has_met[street][their.buckets]
            if new.any():
                like = own.buckets[own.local[first[new]]]
                self._begin(street, their.buckets[new], like)
            found.append(their)
        return found

    def _begin(self, street: int, buckets: Ints, like: Ints) -> None:
        """Give *buckets* of the response regrets of the learner's buckets *like*."""
        counts = self.buckets.num_buckets[street], self.trunk.num_buckets[street]
        share = np.float32(counts[0] / counts[1])
        sums = zip(self.sums.regrets[street], self.regrets[street], strict=True)
        for own, theirs in chain.from_iterable(zip(*seats, strict=True) for seats in sums):
            if own.size:
                source = own.reshape(len(own), counts[0], -1)
                theirs.reshape(len(theirs), counts[1], -1)[:, buckets] = share * source[:, like]
        self.has_met[street][buckets] = True

    def _shared_rooms(self, learner: int, streets: range) -> ResponseRooms:
        """Return rooms of *streets*, in which responses have strategies by hand after the trunk."""
        responses, learners = [], []
        for street in streets:
            hands = num_hands(self.definition, street)
            places, theirs, mode = min(self.buckets.num_buckets[street], hands), hands, CHOOSE
            if street < self.num_trunk_streets:
                theirs, mode = min(self.trunk.num_buckets[street], hands), LEARN
            own = make_rooms(self.lines, street, 1 - learner, mode, (places, theirs))
            found = make_rooms(self.lines, street, learner, LEARN, (theirs, places))
            responses.append(own)
            learners.append([_sharing(*pair) for pair in zip(found, own, strict=True)])
        return ResponseRooms(responses, learners)


def _sharing(room: GroupRoom, response: GroupRoom) -> GroupRoom:
    """Return the learner's *room* with the strategies of that of the *response*."""
    theirs = response.arrays
    return replace(room, arrays=room.arrays._replace(policy=theirs.own, own=theirs.policy))


class LastStreetResponses(ResponseIterations):
    """Best responses on the last street of one drawn board: quick, and all boards are new ones."""

    num_streets = 1

    def make_rooms(self, learner: int) -> ResponseRooms:
        """Return room for iterations of a *learner*."""
        return self._shared_rooms(learner, range(self.last + 1))

    def deal(self, cards: Sequence[int]) -> tuple[list[BoardHands], list[BoardHands]]:
        """Return the hands on each street of a board, as the learner and the response see them."""
        whole = cards[: self.definition.board_size(self.last)]
        hands = board_hands(self.definition, self.buckets.find, whole)
        return hands, self.trunk_hands(hands, whole)

    def learn(
        self,
        rooms: ResponseRooms,
        dealt: tuple[list[BoardHands], list[BoardHands]],
        learner: int,
        weights: tuple[float, float],
    ) -> None:
        """Let a *learner* learn."""
        # What the response does before the last street follows from its regrets, so both seats'
        # reaches can go down before anything is valued.
        last, own, lines = self.last, self.sums.regrets, self.lines
        (*hands, board), their_hands = dealt
        places = [found.local for found in hands]
        their_places = [found.local for found in their_hands]
        match_opponents(rooms.responses, hands, learner, own, self.tremble)
        match_responders(rooms.responses, their_hands, 1 - learner, self.regrets)
        averages = of_seat(self.sums.averages, learner)
        carry_down(lines, rooms.responses, hands, places, weights, averages)
        carry_down(lines, rooms.learners, their_hands, their_places, (weights[0], 0.0), averages)
        for group, (response, room) in enumerate(
            zip(rooms.responses[last], rooms.learners[last], strict=True)
        ):
            for way in lines.streets[last][group].ways:
                mine = rooms.responses[last - 1][way.group]
                theirs = rooms.learners[last - 1][way.group]
                meet_last_street(
                    response.arrays,
                    room.arrays,
                    (board.local, board.buckets),
                    (board.parents, board.cards, board.ranks),
                    way.rows,
                    (mine.reaches, mine.arrays.plan.ends, theirs.reaches, theirs.arrays.plan.ends),
                    room.nodes[learner],
                    (weights[1], board.weight, self.tremble),
                    own[last][group][learner],
                    averages[last][group],
                    (response.first, room.first),
                    (mine.sums, theirs.sums),
                )
        carry_up(lines, rooms.responses, their_hands, 1 - learner, self.regrets)
        carry_up(lines, rooms.learners, hands, learner, own)


@dataclass(frozen=True, slots=True, eq=False)
class LastTwoRooms(ResponseRooms):
    """The rooms of the last street have the learner's strategies for all buckets.

    ``choices`` are the best responses of a chunk on a full board by group, ``reached`` the learner's
    reaches there by buckets.
    """

    choices: list[AnyArray]
    reached: list[AnyArray]

    @property
    def num_bytes(self) -> int:
        """Memory that the rooms take."""
        own = room_bytes([*self.responses, *self.learners])
        return own + sum(array.nbytes for array in (*self.choices, *self.reached))


@dataclass(frozen=True, slots=True, eq=False)
class LastTwoBoards:
    """A board before the last street, and those that follow it.

    ``hands``    by street up to the drawn board
    ``trunk``    by street before it, as the response tells them apart
    ``buckets``  of the hands of all boards that follow, as their rows are ordered
    ``drawn``    the boards on which the learner learns
    """

    hands: list[BoardHands]
    trunk: list[BoardHands]
    boards: BoardTree
    buckets: Ints
    drawn: Ints


class LastTwoStreetsResponses(ResponseIterations):
    """Best responses on the last two streets, by all cards that can follow a drawn board.

    The learner learns on some of them.
    """

    num_streets = 2

    def make_rooms(self, learner: int) -> LastTwoRooms:
        """Return room for iterations of a *learner*."""
        rooms, last, groups = self._shared_rooms(learner, range(self.last)), self.last, []
        hands, num_buckets = num_hands(self.definition, last), self.buckets.num_buckets[last]
        responses = make_rooms(self.lines, last, 1 - learner, RESPOND, (0, hands))
        learners = make_rooms(self.lines, last, learner, LEARN, (0, num_buckets))
        for own, response, room in zip(self.lines.streets[last], responses, learners, strict=True):
            length = num_buckets * len(own.slots[learner]) * WIDTH
            strategy = aligned_zeros(own.num_chunks * length, np.float32)
            strategy = strategy.reshape(own.num_chunks, length)
            nothing = np.zeros((own.num_chunks, 0), np.float32)
            arrays = response.arrays._replace(policy=strategy, own=nothing, gains=nothing)
            groups.append(
                (
                    replace(response, arrays=arrays),
                    replace(room, arrays=room.arrays._replace(own=strategy)),
                    response.arrays.own,
                    aligned_zeros(length, np.float32),
                )
            )
        best, met, choices, reached = (list(part) for part in zip(*groups, strict=True))
        return LastTwoRooms([*rooms.responses, best], [*rooms.learners, met], choices, reached)

    def deal(self, cards: Sequence[int]) -> LastTwoBoards:
        """Return the drawn board and all that follow it; the last of the *cards* are drawn ones."""
        street = self.last - 1
        size = self.definition.board_size(street)
        board = tuple(cards[:size])
        tree = build_board_tree(self.definition, street, board, no_changes())
        numbers = {shown[-1]: number for number, shown in enumerate(tree.boards) if number}
        buckets = np.empty(len(tree.arrays.hands), np.int64)
        for number in tree.street_boards(street + 1):
            rows = tree.rows(number)
            found = self.buckets.find(street + 1, tree.boards[number])
            buckets[rows] = found[tree.arrays.hands[rows]]
        hands = board_hands(self.definition, self.buckets.find, board)
        return LastTwoBoards(
            hands,
            self.trunk_hands(hands, board),
            tree,
            buckets[tree.rows(1).start :],
            np.array([numbers[card] for card in cards[size:]], np.int64),
        )

    def learn(
        self, rooms: LastTwoRooms, dealt: LastTwoBoards, learner: int, weights: tuple[float, float]
    ) -> None:
        """Let a *learner* learn."""
        hands, last, own = dealt.hands, self.last, self.sums.regrets
        every = np.arange(self.buckets.num_buckets[last])
        for response, sums in zip(rooms.responses[last], own[last], strict=True):
            nodes, arrays = response.nodes[learner], response.arrays
            match_chunks(sums[learner], every, nodes, arrays.num_slots, arrays.policy, self.tremble)
        match_opponents(rooms.responses, hands, learner, own, self.tremble)
        match_responders(rooms.responses, dealt.trunk, 1 - learner, self.regrets)
        self._respond(rooms, dealt, learner, weights)
        match_responders(rooms.responses, dealt.trunk, 1 - learner, self.regrets)
        self._meet(rooms, dealt, learner, weights)

    def _respond(
        self, rooms: LastTwoRooms, dealt: LastTwoBoards, learner: int, weights: tuple[float, float]
    ) -> None:
        """Find the best response on the last two streets, and let it learn in the trunk."""
        hands, responses, trunk = dealt.hands, rooms.responses, self.num_trunk_streets
        places = [found.local for found in hands]
        averages, boards = of_seat(self.sums.averages, learner), dealt.boards.arrays
        carry_down(self.lines, responses, hands, places, weights, averages)
        for group, response in enumerate(responses[self.last]):
            for way in self.lines.streets[self.last][group].ways:
                above = responses[trunk][way.group]
                add_full_boards(
                    response.arrays,
                    boards,
                    dealt.buckets,
                    (1, len(boards.weights)),
                    way.rows,
                    (above.reaches, above.arrays.plan.ends),
                    above.sums,
                    response.first,
                )
        for above in responses[trunk]:
            choose_street(above.arrays, hand_places(hands[-1]), hands[-1].cards, above.scratch)
        leave(self.lines, responses, hands, trunk)
        carry_up(self.lines, responses, dealt.trunk, 1 - learner, self.regrets)

    def _meet(
        self, rooms: LastTwoRooms, dealt: LastTwoBoards, learner: int, weights: tuple[float, float]
    ) -> None:
        """Let the learner learn from its values against the response."""
        hands, last, learners = dealt.hands, self.last, rooms.learners
        their_hands = [*dealt.trunk, hands[-1]]
        places = [*[found.local for found in dealt.trunk], hand_places(hands[-1])]
        averages = of_seat(self.sums.averages, learner)
        carry_down(self.lines, learners, their_hands, places, (weights[0], 0.0), averages)
        for group, (response, room) in enumerate(
            zip(rooms.responses[last], learners[last], strict=True)
        ):
            for way in self.lines.streets[last][group].ways:
                mine, theirs = rooms.responses[last - 1][way.group], learners[last - 1][way.group]
                learn_full_boards(
                    response.arrays,
                    room.arrays,
                    rooms.choices[group],
                    rooms.reached[group],
                    dealt.boards.arrays,
                    dealt.buckets,
                    dealt.drawn,
                    way.rows,
                    (mine.reaches, mine.arrays.plan.ends, theirs.reaches, theirs.arrays.plan.ends),
                    room.nodes[learner],
                    (weights[1], chance_weight(self.definition, last) / len(dealt.drawn)),
                    self.sums.regrets[last][group][learner],
                    averages[last][group],
                    (response.first, room.first),
                    theirs.sums,
                )
        carry_up(self.lines, learners, hands, learner, self.sums.regrets)
