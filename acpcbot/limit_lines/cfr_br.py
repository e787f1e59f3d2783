"""CFR-BR: an abstract strategy learns against best responses that see all cards.

Learners that meet opponents of the same buckets come to an equilibrium of the abstract game, which
real opponents, who tell hands apart, can exploit more than other strategies of the same size.
CFR-BR lets each seat's strategy learn against a best response in the real game, and so comes to the
least exploitable strategy that its buckets allow.

An iteration draws the board up to the street before the last; the last street has all of its cards.
Each seat in turn is the learner:

1. Its reaches go down, through every last card. A best response of the other seat comes back from
   there to the drawn board: by hands, and knowing only what a player knows.
2. On the streets before (the *trunk*) the response is a learner itself, by regret matching with
   the values of that best response.
3. The response's reaches go down, on the last street for some drawn cards only, where it is found
   again; the learner's values come back, and it gets its regrets.

The learner may warm up by public chance sampling, where each seat meets the other: its strategies
are far better than uniform ones after a small part of the time. In the trunk learning then goes on
from there, for both: an iteration shows a single board before the last two streets, so that the
trunk needs many of them. On the last two streets sums are scaled as if they came from fewer
iterations, so that those against best responses soon outweigh them: of T iterations regrets grow as
T^(alpha + 1/2), averages as T^(gamma + 1).

Departures: the response's trunk tells hands apart by the learner's buckets, where the paper's tells
all apart; so many regrets would hardly be visited. The response is one to a strategy in which each
action has a probability of at least ``tremble``: otherwise it would be arbitrary where the learner
never goes.

Source: Johanson, Bard, Burch & Bowling (2012), Finding optimal abstract strategies in extensive-form
games. Weights of iterations are those of ``public_sampling.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from acpcbot.aligned_arrays import aligned_zeros
from acpcbot.arrays import AnyArray, Ints
from acpcbot.errors import UsageError
from acpcbot.learning.sampling import Deals, RandomState
from acpcbot.limit_lines.lane_sums import LaneSums, SeatSums, named_arrays, seat_sums
from acpcbot.limit_lines.learning_kernels import go_down, go_up, match_chunks
from acpcbot.limit_lines.lines import NUM_SEATS, FindBuckets, LimitLines, num_hands
from acpcbot.limit_lines.public_sampling import (
    BoardDeals,
    PublicSamplingLearner,
    PublicSamplingSettings,
)
from acpcbot.limit_lines.response_kernels import choose_street, learn_full_boards
from acpcbot.limit_lines.street_kernels import (
    CHOOSE,
    LEARN,
    RESPOND,
    add_full_boards,
    enter_street,
    leave_street,
)
from acpcbot.limit_lines.street_rooms import (
    BoardHands,
    StreetRoom,
    board_hands,
    chance_weight,
    make_room,
)
from acpcbot.poker.definition import GameDefinition
from acpcbot.trees.board_tree import BoardTree, build_board_tree, no_changes
from acpcbot.wide_lanes import WIDTH

ROUND_LENGTH = 4


@dataclass(frozen=True, slots=True)
class CFRBRSettings(PublicSamplingSettings):
    """Weights of iterations, and the cards of the last street on which the learner learns.

    All last cards count in the best response; *last_cards* of them, drawn, teach the learner. The
    first *warm_up* iterations are boards of public chance sampling, which on the last two streets
    then count as *warm_up_counts* iterations.
    """

    last_cards: Annotated[int, Meta(ge=1)] = 24
    tremble: Annotated[float, Meta(ge=0, le=0.01)] = 1e-4
    warm_up: Annotated[int, Meta(ge=0)] = 0
    warm_up_counts: Annotated[int, Meta(ge=1)] = 5000


def cfr_br_deals(
    definition: GameDefinition, num_buckets: Sequence[int], settings: CFRBRSettings
) -> BoardDeals:
    """Return the deal source of the learner: a board before the last street, and last cards."""
    before = definition.board_size(definition.num_streets - 2)
    left = len(definition.deck) - before
    return BoardDeals(definition, num_buckets, before + min(settings.last_cards, left))


class CFRBRLearner:
    """CFR-BR on the *lines* of a limit game; *buckets* finds those of hands.

    Raises UsageError where the last street has more than one card.
    """

    def __init__(
        self,
        lines: LimitLines,
        num_buckets: Sequence[int],
        buckets: FindBuckets,
        settings: CFRBRSettings | None = None,
    ) -> None:
        definition = lines.definition
        if definition.num_board_cards[-1] != 1:
            raise UsageError(
                f"the last street has {definition.num_board_cards[-1]} cards",
                "cfr_br is for games in which it has one",
            )
        self.lines, self.settings = lines, settings or CFRBRSettings()
        self.round_length = ROUND_LENGTH
        self.sums = LaneSums(lines, num_buckets)
        # Of a learner's opponent: what seat 0 learns as the response is for learner 1.
        self.response_regrets: list[SeatSums] = [
            seat_sums(lines, street, num_buckets[street])
            for street in range(definition.num_streets - 2)
        ]
        self._buckets, self._num_buckets = buckets, tuple(num_buckets)
        self._rooms: list[tuple[_Rooms, _Rooms]] = []
        self._warm_up = PublicSamplingLearner(lines, num_buckets, buckets, self.settings, self.sums)
        self._is_warm = np.full(1, self.settings.warm_up == 0)

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """Regrets and strategy sums by street and seat, and the number of iterations."""
        found = self.sums.arrays | named_arrays("response_regrets", self.response_regrets)
        return {**found, "is_warm": self._is_warm}

    def walk(self, deals: Deals, random_state: RandomState) -> None:
        """Run an iteration for each board."""
        if not self._is_warm[0]:
            self._warm_up.walk(deals[:, : sum(self.lines.definition.num_board_cards)], random_state)
            return
        try:
            rooms = self._rooms.pop()
        except IndexError:  # threads take rooms that others left, or make their own
            rooms = self._make_rooms(0), self._make_rooms(1)
        for cards in deals.tolist():
            self.sums.count += 1
            weights = self.settings.weights(int(self.sums.count[0]))
            dealt = self._dealt(cards)
            for learner in range(NUM_SEATS):
                self._learn(rooms[learner], dealt, learner, weights)
        self._rooms.append(rooms)

    def settle(self, num_done: int) -> None:
        """End the warm-up after its last iteration, at the end of a round."""
        settings, trunk = self.settings, len(self.response_regrets)
        if self._is_warm[0] or num_done < settings.warm_up:
            return
        # Iterations now weigh less than those of the warm-up, and so do the sums that go on.
        share = settings.warm_up_counts / settings.warm_up
        for street, (regrets, averages) in enumerate(
            zip(self.sums.regrets, self.sums.averages, strict=True)
        ):
            is_trunk = street < trunk
            for seat in range(NUM_SEATS):
                regrets[seat][:] *= np.float32(share ** (settings.alpha + 0.5 * (not is_trunk)))
                averages[seat][:] *= np.float32(share ** (settings.gamma + (not is_trunk)))
                if is_trunk:
                    self.response_regrets[street][seat][:] = regrets[seat]
        self._is_warm[0], self.sums.count[0] = True, settings.warm_up_counts

    def average_strategy(self) -> NDArray[np.float64]:
        """Return the average strategy [slot], uniform where nothing was added."""
        return self.sums.average_strategy()

    def _make_rooms(self, learner: int) -> _Rooms:
        definition, other = self.lines.definition, 1 - learner
        last = definition.num_streets - 1
        responses, learners = [], []
        for street, own in enumerate(self.lines.streets[:last]):
            hands = num_hands(definition, street)
            places = min(self._num_buckets[street], hands)
            theirs, mode = (hands, CHOOSE) if street == last - 1 else (places, LEARN)
            response = make_room(definition, own, street, other, mode, (places, theirs))
            room = make_room(definition, own, street, learner, LEARN, (theirs, places))
            arrays = room.arrays._replace(policy=response.arrays.own, own=response.arrays.policy)
            responses.append(response)
            learners.append(replace(room, arrays=arrays))
        own, hands = self.lines.streets[last], num_hands(definition, last)
        response = make_room(definition, own, last, other, RESPOND, (0, hands))
        room = make_room(definition, own, last, learner, LEARN, (0, self._num_buckets[last]))
        length = self._num_buckets[last] * len(own.slots[learner]) * WIDTH
        strategy = aligned_zeros(own.num_chunks * length, np.float32).reshape(own.num_chunks, -1)
        nothing = np.zeros((own.num_chunks, 0), np.float32)
        arrays = response.arrays._replace(policy=strategy, own=nothing, gains=nothing)
        choices = response.arrays.own
        responses.append(replace(response, arrays=arrays))
        learners.append(replace(room, arrays=room.arrays._replace(own=strategy)))
        reached = aligned_zeros(length, np.float32)
        return _Rooms(responses, learners, choices, reached)

    def _dealt(self, cards: Sequence[int]) -> _Dealt:
        definition = self.lines.definition
        street = definition.num_streets - 2
        size = definition.board_size(street)
        board = tuple(cards[:size])
        tree = build_board_tree(definition, street, board, no_changes())
        numbers = {shown[-1]: number for number, shown in enumerate(tree.boards) if number}
        buckets = np.empty(len(tree.arrays.hands), np.int64)
        for number in tree.street_boards(street + 1):
            rows = tree.rows(number)
            found = self._buckets(street + 1, tree.boards[number])
            buckets[rows] = found[tree.arrays.hands[rows]]
        return _Dealt(
            board_hands(definition, self._buckets, board),
            tree,
            buckets[tree.rows(1).start :],
            np.array([numbers[card] for card in cards[size:]], np.int64),
        )

    def _learn(
        self, rooms: _Rooms, dealt: _Dealt, learner: int, weights: tuple[float, float]
    ) -> None:
        """Run the half of an iteration in which *learner* learns."""
        hands, last = dealt.hands, len(dealt.hands)
        own = self.sums.regrets
        response = rooms.responses[last].arrays
        every, nodes = np.arange(self._num_buckets[last]), rooms.responses[last].nodes[learner]
        tremble = self.settings.tremble
        match_chunks(own[last][learner], every, nodes, response.num_slots, response.policy, tremble)
        for street in range(last):
            room, buckets = rooms.responses[street], hands[street].buckets
            slots, policy = room.arrays.num_slots, room.arrays.policy
            match_chunks(own[street][learner], buckets, room.nodes[learner], slots, policy, tremble)
        self._match_responses(rooms, dealt, 1 - learner)
        self._respond(rooms, dealt, learner, weights)
        self._match_responses(rooms, dealt, 1 - learner)
        self._meet(rooms, dealt, learner, weights)

    def _match_responses(self, rooms: _Rooms, dealt: _Dealt, seat: int) -> None:
        """Make the response's strategies in the trunk from its regrets."""
        for street, regrets in enumerate(self.response_regrets):
            room = rooms.responses[street]
            buckets, arrays = dealt.hands[street].buckets, room.arrays
            match_chunks(regrets[seat], buckets, room.nodes[seat], arrays.num_own, arrays.own)

    def _respond(
        self, rooms: _Rooms, dealt: _Dealt, learner: int, weights: tuple[float, float]
    ) -> None:
        """Find the best response on the last two streets, and let the response learn before."""
        hands, last, responses = dealt.hands, len(dealt.hands), rooms.responses
        self._descend(responses, [own.local for own in hands], dealt, learner, weights)
        above, arrays = responses[last - 1], dealt.boards.arrays
        add_full_boards(
            responses[last].arrays,
            arrays,
            dealt.buckets,
            (1, len(arrays.weights)),
            (above.reaches, above.arrays.plan.ends),
            above.sums,
            responses[last].first,
        )
        places = np.arange(len(hands[-1].hands))
        choose_street(above.arrays, places, hands[-1].cards, above.scratch)
        self._leave(responses, hands, last - 1)
        for street in range(last - 2, -1, -1):
            room, own = responses[street], hands[street]
            go_up(
                room.arrays,
                (own.local, own.buckets),
                room.nodes[1 - learner],
                own.cards,
                self.response_regrets[street][1 - learner],
                room.scratch,
            )
            self._leave(responses, hands, street)

    def _meet(
        self, rooms: _Rooms, dealt: _Dealt, learner: int, weights: tuple[float, float]
    ) -> None:
        """Let the learner learn from its values against the response."""
        definition, hands, last = self.lines.definition, dealt.hands, len(dealt.hands)
        responses, learners = rooms.responses, rooms.learners
        places = [own.local for own in hands[:-1]] + [np.arange(len(hands[-1].hands))]
        self._descend(learners, places, dealt, learner, (weights[0], 0.0))
        mine, theirs = responses[last - 1], learners[last - 1]
        learn_full_boards(
            responses[last].arrays,
            learners[last].arrays,
            rooms.choices,
            rooms.reached,
            dealt.boards.arrays,
            dealt.buckets,
            dealt.drawn,
            (mine.reaches, mine.arrays.plan.ends, theirs.reaches, theirs.arrays.plan.ends),
            learners[last].nodes[learner],
            (weights[1], chance_weight(definition, last) / len(dealt.drawn)),
            self.sums.regrets[last][learner],
            self.sums.averages[last][learner],
            (responses[last].first, learners[last].first),
            theirs.sums,
        )
        for street in range(last - 1, -1, -1):
            room, own = learners[street], hands[street]
            go_up(
                room.arrays,
                (own.local, own.buckets),
                room.nodes[learner],
                own.cards,
                self.sums.regrets[street][learner],
                room.scratch,
            )
            self._leave(learners, hands, street)

    def _descend(
        self,
        rooms: list[StreetRoom],
        places: list[Ints],
        dealt: _Dealt,
        learner: int,
        weights: tuple[float, float],
    ) -> None:
        """Carry the opponent's reaches down to the drawn board, by the *places* of its hands.

        The learner's averages get them by the second of the *weights*.
        """
        hands, averages = dealt.hands, self.sums.averages
        rooms[0].reaches[:, 0] = 0
        rooms[0].reaches[0, 0, ::WIDTH] = weights[0]
        for street, own in enumerate(hands):
            room = rooms[street]
            chosen = places[street], own.buckets
            go_down(room.arrays, chosen, weights[1], averages[street][learner], room.scratch)
            room.sums[:] = 0
            if street + 1 < len(hands):
                enter_street(
                    self.lines.streets[street + 1].source,
                    room.arrays.plan.ends,
                    hands[street + 1].parents,
                    room.reaches,
                    rooms[street + 1].reaches[:, 0],
                )

    def _leave(self, rooms: list[StreetRoom], hands: list[BoardHands], street: int) -> None:
        """Carry the values of a street's roots to the ends of the street before, if there is one."""
        if street:
            own, source = hands[street], self.lines.streets[street].source
            roots, above = rooms[street].scratch.root, rooms[street - 1].sums
            leave_street(source, own.parents, own.weight, roots, above)


@dataclass(frozen=True, slots=True, eq=False)
class _Rooms:
    """Room of a thread for one learner.

    The rooms of a street share the strategies. ``choices`` are the best responses of a chunk on a
    full board, ``reached`` the learner's reaches there by buckets.
    """

    responses: list[StreetRoom]
    learners: list[StreetRoom]
    choices: AnyArray
    reached: AnyArray


@dataclass(frozen=True, slots=True, eq=False)
class _Dealt:
    """What an iteration draws.

    ``hands``    by street up to the drawn board
    ``boards``   the drawn board, and those that follow it
    ``buckets``  of the hands of all boards that follow, as their rows are ordered
    ``drawn``    the boards on which the learner learns
    """

    hands: list[BoardHands]
    boards: BoardTree
    buckets: Ints
    drawn: Ints
