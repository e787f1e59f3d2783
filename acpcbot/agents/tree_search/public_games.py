"""ACPC games as growing-tree CFR searches them: actions, rows of hands, histories.

A ``PublicGame`` joins the definition of an ACPC game with a research game and its encoding for a
network. ``find_public_game`` makes that of a definition; so far for generic poker, such as Leduc.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from acpcbot.arrays import Ints
from acpcbot.cards.deck import NUM_RANKS, NUM_SUITS
from acpcbot.errors import UsageError
from acpcbot.games.generic_poker import SMALLEST_BET_CHIPS, GenericPoker
from acpcbot.poker.actions import CALLING, FOLDING, LIMIT_RAISING, Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import all_hands
from acpcbot.poker.shipped import recognise
from acpcbot.tree_search.public_encodings import GenericPokerEncoding, PublicEncoding

NUM_SEATS, NUM_STREETS = 2, 2


class PublicGame(Protocol):
    """An ACPC game as a research game with an encoding of its public states."""

    @property
    def definition(self) -> GameDefinition:
        """The ACPC game."""
        ...

    @property
    def encoding(self) -> PublicEncoding:
        """The research game, and what a network sees of it."""
        ...

    @property
    def unit_chips(self) -> int:
        """The chips of the table in one of the research game."""
        ...

    def actions(self, betting: BettingState) -> tuple[Action, ...]:
        """Return the actions after *betting* in the order of the research game."""
        ...

    def history(self, betting: BettingState, board: Sequence[int]) -> list[int]:
        """Return the actions of a history after *betting*: chance's too, with some hole cards."""
        ...

    def places(self) -> Ints:
        """Return the place of the row of each hand, as the encoding counts them, [hand]."""
        ...


class GenericPokerGame:
    """The ACPC game *definition* as generic poker, in which suits mean nothing.

    Raises UsageError unless it has the shape of Leduc: two seats that ante as much, a hole card
    each, a board card, two bets a street of two and four antes, any number of ranks, suits and
    raises.
    """

    def __init__(self, definition: GameDefinition) -> None:
        _verify_shape(definition)
        self.definition, self.unit_chips = definition, definition.big_blind
        self._lowest_rank = NUM_RANKS - definition.num_ranks
        self._game = GenericPoker(
            num_ranks=definition.num_ranks,
            num_copies=definition.num_suits,
            max_raises=definition.max_raises[0] - 1,
        )
        self.encoding = GenericPokerEncoding(self._game)

    def actions(self, betting: BettingState) -> tuple[Action, ...]:
        """Return fold where there is something to call, call, and raise where that is legal."""
        known = [FOLDING] if betting.to_call else []
        known.append(CALLING)
        return (*known, LIMIT_RAISING) if betting.can_act(LIMIT_RAISING) else tuple(known)

    def history(self, betting: BettingState, board: Sequence[int]) -> list[int]:
        """Return the actions of a history after *betting*, with the lowest hole cards left."""
        ranks = [self._rank(card) for card in board[: self.definition.board_size(betting.street)]]
        copies = [self.definition.num_suits] * self.definition.num_ranks
        for rank in ranks:
            copies[rank] -= 1
        left = [rank for rank, count in enumerate(copies) for _ in range(count)]
        dealt = [*left[:NUM_SEATS], *ranks]
        copies = [self.definition.num_suits] * self.definition.num_ranks
        deals = []
        for rank in dealt:
            deals.append(sum(count > 0 for count in copies[:rank]))
            copies[rank] -= 1
        actions, street = deals[:NUM_SEATS], 0
        for before, action in betting.decisions():
            if before.street > street:
                street = before.street
                actions += deals[NUM_SEATS:]
            actions.append(self.actions(before).index(action))
        return actions if betting.street == street else actions + deals[NUM_SEATS:]

    def places(self) -> Ints:
        """Return the rank of each hand, [hand]."""
        return np.array([self._rank(int(card)) for card in all_hands(self.definition)[:, 0]])

    def _rank(self, card: int) -> int:
        return card // NUM_SUITS - self._lowest_rank


def find_public_game(definition: GameDefinition) -> PublicGame:
    """Return *definition* as a game for growing-tree CFR; raises UsageError for other games."""
    return GenericPokerGame(definition)


def _verify_shape(definition: GameDefinition) -> None:
    """Raise UsageError unless *definition* is generic poker with one size of bets."""
    name = recognise(definition) or f"the game with fingerprint {definition.fingerprint}"
    if definition.num_players != NUM_SEATS:
        raise UsageError(
            f"{name} is a game for {definition.num_players} players", "searches need a game for two"
        )
    ante = definition.blinds[0]
    smallest = SMALLEST_BET_CHIPS * ante
    is_generic = (
        definition.is_limit
        and not definition.has_stacks
        and definition.num_streets == NUM_STREETS
        and definition.blinds == (ante, ante)
        and ante > 0
        and definition.raise_sizes == (smallest, 2 * smallest)
        and definition.first_seats == (0, 0)
        and definition.max_raises[0] == definition.max_raises[1]
        and definition.num_hole_cards == 1
        and definition.num_board_cards == (0, 1)
    )
    if not is_generic:
        raise UsageError(
            f"{name} is no game with a hole card each, a board card and antes",
            "growing-tree CFR at the table plays leduc.limit.2p and games of its kind",
        )
