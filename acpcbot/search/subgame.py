"""The subgame of a decision: where it begins, which bets it holds, and who comes into it with what.

At the first decision on a street a subgame begins with that street, so that what the opponent
did there before is explained; at later ones it begins with the decision itself. Bets that the
opponent has made are in the tree as they are, to the chip.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.errors import UsageError
from acpcbot.poker import rules
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import hands_without
from acpcbot.poker.rules import RAISE
from acpcbot.search.settings import OFF_TREE, Menus, StreetSettings
from acpcbot.strategies.translation import FindPlace
from acpcbot.trees.bet_menu import BetMenu, Menu, SeatMenus, pot_share
from acpcbot.trees.betting_tree import betting_size
from acpcbot.trees.board_tree import hands_on

LEAST_REACH = 1e-6
"""A hand that is never played so may be held all the same, and is asked about: it counts so
much of the likeliest.
"""


@dataclass(frozen=True, slots=True)
class Spot:
    """A decision: the *betting* before it and the *board*."""

    betting: BettingState
    board: tuple[int, ...]

    @property
    def seat(self) -> int:
        """Who acts."""
        return self.betting.actor

    @property
    def key(self) -> tuple[str, tuple[int, ...]]:
        """What tells it from others."""
        return self.betting.text, self.board


def last_spot(spot: Spot, seat: int) -> Spot | None:
    """The last decision of *seat* before *spot*, if there is one."""
    own = [before for before, _ in spot.betting.decisions() if before.actor == seat]
    return Spot(own[-1], board_at(own[-1], spot.board)) if own else None


def board_at(betting: BettingState, board: Sequence[int]) -> tuple[int, ...]:
    """What of *board* lies on the street of *betting*."""
    return tuple(board[: betting.game.definition.board_size(betting.street)])


def subgame_root(spot: Spot) -> BettingState:
    """The state with which the subgame of *spot* begins."""
    path = [before for before, _ in spot.betting.decisions()] + [spot.betting]
    street = [before for before in path if before.street == spot.betting.street]
    has_acted = any(before.actor == spot.seat for before in street[:-1])
    return spot.betting if has_acted else street[0]


def is_wanted(betting: BettingState, street: StreetSettings, place: FindPlace) -> bool:
    """Whether the decision after *betting* is one of those to be searched.

    *place* is that of the blueprint's tree.
    """
    if street.decisions != OFF_TREE:
        return True
    try:
        place(betting)
    except UsageError:
        return True
    return False


def seat_menus(spot: Spot, root: BettingState, menus: Menus, *, one_street: bool) -> SeatMenus:
    """The bets of both seats, with those that the opponent has made since *root*.

    Of *one_street* no later ones.
    """
    own, other = (
        without_later(menu, root.street) if one_street else menu
        for menu in (menus.own, menus.other)
    )
    for before, action in spot.betting.decisions():
        if len(before.text) >= len(root.text) and action.kind == RAISE:
            share = pot_share(before.game.vector, before.vector, action.raise_to)
            other = other.with_size(before.street, before.vector[rules.NUM_RAISES], share)
    return SeatMenus((own, other) if spot.seat == 0 else (other, own))


def without_later(menu: BetMenu, street: int) -> BetMenu:
    """*menu* with no bets after *street*."""
    return BetMenu((*menu.for_streets(street + 1).streets, ((),)))


def num_cells(root: BettingState, board: Sequence[int], menu: Menu, *, one_street: bool) -> int:
    """How large the subgame is, in slots times hands times boards, all suits told apart."""
    definition, widths = root.game.definition, betting_size(root, menu).num_slots
    left, count = len(definition.deck) - len(board), 1
    slots = widths[root.street]
    for street in range(root.street + 1, root.street + 1 if one_street else definition.num_streets):
        added = definition.num_board_cards[street]
        count, left = count * comb(left, added), left - added
        slots += count * widths[street]
    return slots * len(hands_on(definition, board))


def entering(definition: GameDefinition, ranges: Floats, board: Sequence[int]) -> Floats:
    """*ranges* [seat, hand] as they come into a subgame: at most 1, and a little of every hand
    that *board* leaves.
    """
    free = hands_without(definition, board)
    held = ranges * free
    most = held.max(axis=1, keepdims=True)
    shares = np.divide(held, most, out=np.ones_like(held), where=most > 0)
    found: Floats = np.maximum(shares, LEAST_REACH) * free
    return found
