"""Values of matches in plain Python: rules, payoffs, and places in storage without the tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.payoffs import payoffs
from acpcbot.strategies.whole_policy import TablePolicy
from acpcbot.trees.infosets import NodePlace, SubtreeSizes, infoset_layout

Deal: TypeAlias = tuple[Sequence[Sequence[int]], Sequence[int]]
"""The hole cards of all seats, and the board."""


def small_deals(definition: GameDefinition) -> list[Deal]:
    """Every deal of a game with one hole card and at most one board card."""
    num_seats = definition.num_players
    rows = permutations(definition.deck, definition.cards_per_hand)
    return [([[card] for card in row[:num_seats]], row[num_seats:]) for row in rows]


class PlainMatch:
    """Matches of one game by the expectation of every hand."""

    def __init__(self, definition: GameDefinition) -> None:
        self.definition = definition
        self._rules = BettingRules(definition)
        self._sizes = SubtreeSizes(definition)
        self._place = cache(self._find_place)

    def means_mbb(self, entrants: Sequence[TablePolicy], deals: Sequence[Deal]) -> list[float]:
        """Of each different entrant, over all *deals* and all ways to seat the entrants."""
        different = list(dict.fromkeys(entrants))
        won: list[list[float]] = [[] for _ in different]
        for seating in set(permutations(map(different.index, entrants))):
            for hands, board in deals:
                values = self.values([different[entrant] for entrant in seating], hands, board)
                for entrant, value in zip(seating, values.tolist(), strict=True):
                    won[entrant].append(value)
        return [1000 * float(np.mean(values)) / self.definition.big_blind for values in won]

    def values(
        self,
        seats: Sequence[TablePolicy],
        hands: Sequence[Sequence[int]],
        board: Sequence[int],
        text: str = "",
    ) -> NDArray[np.float64]:
        """The expected chips of every seat, [seat], from the betting *text* on."""
        betting = self._rules.parse(text)
        if betting.is_over:
            return np.array(payoffs(betting, hands, board))
        total = np.zeros(len(seats))
        actions = betting.legal_actions()
        for action, share in zip(actions, self._shares(seats, betting, hands, board), strict=True):
            if share:
                total += share * self.values(seats, hands, board, betting.apply(action).text)
        return total

    def _shares(
        self,
        seats: Sequence[TablePolicy],
        betting: BettingState,
        hands: Sequence[Sequence[int]],
        board: Sequence[int],
    ) -> Iterator[float]:
        policy, place = seats[betting.actor], self._place(betting.text)
        layout = infoset_layout(self._sizes.whole(), policy.num_buckets)
        abstraction = policy.abstraction
        bucket = abstraction.bucket(place.street, hands[betting.actor], board) if abstraction else 0
        first = (
            int(layout.row_starts[place.street] + bucket * layout.row_widths[place.street])
            + place.slot
        )
        return (int(policy.probabilities[first + index]) / 255 for index in range(len(place.kinds)))

    def _find_place(self, text: str) -> NodePlace:
        return self._sizes.place(["fcr".index(kind) for kind in text if kind != "/"])
