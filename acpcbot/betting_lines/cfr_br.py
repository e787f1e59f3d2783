"""CFR-BR: an abstract strategy learns against best responses that see all cards.

Learners that meet opponents of the same buckets come to an equilibrium of the abstract game, which
real opponents, who tell hands apart, can exploit more than other strategies of the same size.
CFR-BR lets each seat's strategy learn against a best response in the real game, and so comes to the
least exploitable strategy that its buckets allow.

The response is a best one on the last streets alone, ``response_streets``; before them, in the
*trunk*, it learns by regret matching. Each seat in turn is the learner. With two such streets:

1. An iteration draws the board up to the street before the last. The learner's reaches go down,
   through every last card. A best response of the other seat comes back from there to the drawn
   board: by hands, and knowing only what a player knows.
2. In the trunk the response gets its regrets by the values of that best response.
3. The response's reaches go down, on the last street for some drawn cards only, where it is found
   again; the learner's values come back, and it gets its regrets.

With one, a whole board is drawn. Best responses on its last street need no other board, and both
seats learn from it: an iteration takes a twentieth of the time.

The learner may warm up by public chance sampling, where each seat meets the other: its strategies
are far better than uniform ones after a small part of the time. In the trunk learning then goes on
from there, for both, as iterations show few boards there: the response's first regrets are those
that its seat has as a learner. On the streets of responses sums are scaled as if they came from
fewer iterations, so that those against best responses soon outweigh them: of T iterations regrets
grow as T^(alpha + 1/2), averages as T^(gamma + 1).

The learner can also meet given strategies on some boards, its *opponents*, one after another. It
then comes to a restricted Nash response: no strategy of these buckets that is as little exploitable
wins more from them. There the opponent plays the given strategy with a probability of p, and a
response otherwise; here it does so on one board of 1/p, which is the same in expectation.

Departures: in the trunk the response has buckets of its own, or those of the learner, where the
paper's tells all hands apart; so many regrets would hardly be visited. The response is one to a
strategy in which each action has a probability of at least ``tremble``: otherwise it would be
arbitrary where the learner never goes.

Sources: Johanson, Bard, Burch & Bowling (2012), Finding optimal abstract strategies in extensive-form
games; Johanson, Zinkevich & Bowling (2007), Computing robust counter-strategies. Weights of
iterations are those of ``public_sampling.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Annotated, Any

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from acpcbot.betting_lines.lane_sums import LaneStrategy, LaneSums
from acpcbot.betting_lines.lines import NUM_SEATS, BettingLines, HandBuckets
from acpcbot.betting_lines.public_sampling import (
    BoardDeals,
    PublicSamplingLearner,
    PublicSamplingSettings,
)
from acpcbot.betting_lines.response_iterations import (
    LastStreetResponses,
    LastTwoStreetsResponses,
    ResponseIterations,
)
from acpcbot.errors import UsageError
from acpcbot.learning.sampling import Deals, RandomState
from acpcbot.poker.definition import GameDefinition

ROUND_LENGTHS = {1: 32, 2: 4}
"""Deals that a thread walks between two calls of ``settle``, some seconds, by response streets."""


@dataclass(frozen=True, slots=True)
class CFRBRSettings(PublicSamplingSettings):
    """Weights of iterations, and what responses and the learner see.

    Responses are best ones on the last *response_streets*. Where these are two, all last cards count
    in a response; *last_cards* of them, drawn, teach the learner. The first *warm_up* iterations are
    boards of public chance sampling, which on those streets then count as *warm_up_counts*
    iterations. *trunk* is the abstraction of the response in the trunk, empty for the learner's;
    with *trunk_by_flop* its buckets are of each flop apart, flops alike but for suits taken as one.

    *opponents* are stored strategies of the same buckets and bets, as in
    ``strategies/GAME/NAME?play=purified``. After the warm-up the learner meets one of them, in turn,
    instead of a response on one board of *opponents_every*.
    """

    response_streets: Annotated[int, Meta(ge=1, le=2)] = 1
    last_cards: Annotated[int, Meta(ge=1)] = 12
    tremble: Annotated[float, Meta(ge=0, le=0.01)] = 1e-4
    trunk: dict[str, Any] = field(default_factory=dict)
    trunk_by_flop: bool = False
    warm_up: Annotated[int, Meta(ge=0)] = 0
    warm_up_counts: Annotated[int, Meta(ge=1)] = 20_000
    opponents: tuple[str, ...] = ()
    opponents_every: Annotated[int, Meta(ge=2)] = 16

    def opponent(self, count: int) -> int | None:
        """Return the number of the opponent that is met in iteration *count*; None is a response."""
        turn, rest = divmod(count, self.opponents_every)
        return turn % len(self.opponents) if self.opponents and rest == 1 else None


def cfr_br_deals(
    definition: GameDefinition, num_buckets: Sequence[int], settings: CFRBRSettings
) -> BoardDeals:
    """Return the deal source of the learner: whole boards, and more last cards where it has them."""
    last = definition.num_streets - 1
    if settings.response_streets == 1:
        return BoardDeals(definition, num_buckets)
    before = definition.board_size(last - 1)
    left = len(definition.deck) - before
    return BoardDeals(definition, num_buckets, before + min(settings.last_cards, left))


class CFRBRLearner:
    """CFR-BR on the *lines* of a game, by *buckets* of hands.

    In the trunk the response tells hands apart by *trunk*, or by the learner's buckets if it is
    None. *opponents* are the strategies that the settings name. Raises UsageError where best
    responses on two streets meet a last street of several cards.
    """

    def __init__(
        self,
        lines: BettingLines,
        buckets: HandBuckets,
        settings: CFRBRSettings | None = None,
        trunk: HandBuckets | None = None,
        opponents: Sequence[LaneStrategy] = (),
    ) -> None:
        self.lines, self.settings = lines, settings or CFRBRSettings()
        self.opponents = opponents
        num_cards, streets = lines.definition.num_board_cards[-1], self.settings.response_streets
        if streets == 2 and num_cards != 1:
            raise UsageError(
                f"the last street has {num_cards} cards",
                "best responses on two streets need one; response_streets = 1 takes any number",
            )
        self.round_length = ROUND_LENGTHS[streets]
        self.sums = LaneSums(lines, buckets.num_buckets)
        kind = LastStreetResponses if streets == 1 else LastTwoStreetsResponses
        self.iterations: ResponseIterations = kind(self.sums, buckets, self.settings.tremble, trunk)
        self._rooms: list[tuple[Any, Any]] = []
        self._boards = PublicSamplingLearner(lines, buckets, self.settings, self.sums)
        self._is_warm = np.full(1, self.settings.warm_up == 0)

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """Regrets and strategy sums, and the number of iterations."""
        return {**self.sums.arrays, **self.iterations.arrays, "is_warm": self._is_warm}

    @property
    def thread_bytes(self) -> int:
        """Memory that each thread takes beside the arrays; that of the warm-up is kept, for opponents."""
        rooms = [self.iterations.make_rooms(learner) for learner in range(NUM_SEATS)]
        own = sum(both.num_bytes for both in rooms)
        has_boards = self.settings.warm_up or self.settings.opponents
        return own + (self._boards.thread_bytes if has_boards else 0)

    def walk(self, deals: Deals, random_state: RandomState) -> None:
        """Run an iteration for each board."""
        num_cards = sum(self.lines.definition.num_board_cards)
        if not self._is_warm[0]:
            self._boards.walk(deals[:, :num_cards], random_state)
            return
        iterations = self.iterations
        try:
            rooms = self._rooms.pop()
        except IndexError:  # threads take rooms that others left, or make their own
            rooms = iterations.make_rooms(0), iterations.make_rooms(1)
        for cards in deals.tolist():
            self.sums.count += 1
            count = int(self.sums.count[0])
            weights, opponent = self.settings.weights(count), self.settings.opponent(count)
            if opponent is not None:
                self._boards.learn(cards[:num_cards], weights, self.opponents[opponent])
                continue
            dealt = iterations.deal(cards)
            for learner in range(NUM_SEATS):
                iterations.learn(rooms[learner], dealt, learner, weights)
        self._rooms.append(rooms)

    def settle(self, num_done: int) -> None:
        """End the warm-up after its last iteration, at the end of a round."""
        settings, num_trunk_streets = self.settings, self.iterations.num_trunk_streets
        if self._is_warm[0] or num_done < settings.warm_up:
            return
        # Iterations now weigh less than those of the warm-up, and so do the sums that go on.
        share = settings.warm_up_counts / settings.warm_up
        for street, (regrets, averages) in enumerate(
            zip(self.sums.regrets, self.sums.averages, strict=True)
        ):
            is_trunk = street < num_trunk_streets
            for own in chain.from_iterable(regrets):
                own[:] *= np.float32(share ** (settings.alpha + 0.5 * (not is_trunk)))
            for own in chain.from_iterable(averages):
                own[:] *= np.float32(share ** (settings.gamma + (not is_trunk)))
        self._is_warm[0], self.sums.count[0] = True, settings.warm_up_counts

    def average_strategy(self) -> NDArray[np.float64]:
        """Return the average strategy [slot], uniform where nothing was added."""
        return self.sums.average_strategy()
