"""The subgame of a decision: its root, its bets, and the ranges that enter it.

At the first decision on a street a subgame begins with that street, so that what the opponent
did there before is explained; at later ones it begins with the decision itself. Where a bet that
the blueprint lacks is the reason to search, and a gadget binds the first subgame, it begins behind
that bet. Bets that the opponent has made are in the tree as they are, to the chip, unless they are
so near to two of its sizes that they are translated.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb, inf

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
from acpcbot.trees.bet_menu import BetMenu, Menu, SeatMenus, pot_share, wanted_raise
from acpcbot.trees.betting_tree import betting_size
from acpcbot.trees.board_tree import hands_on

MIN_REACH = 1e-6
"""The least reach of a hand, as a share of the largest: hands that are never played this way still
get a strategy.
"""


@dataclass(frozen=True, slots=True)
class Spot:
    """A decision: the *betting* before it and the *board*."""

    betting: BettingState
    board: tuple[int, ...]

    @property
    def seat(self) -> int:
        """The seat that acts."""
        return self.betting.actor

    @property
    def key(self) -> tuple[str, tuple[int, ...]]:
        """The betting and the board as a key."""
        return self.betting.text, self.board


def last_spot(spot: Spot, seat: int) -> Spot | None:
    """Return the last decision of *seat* before *spot*, if there is one."""
    own = [before for before, _ in spot.betting.decisions() if before.actor == seat]
    return Spot(own[-1], board_at(own[-1], spot.board)) if own else None


def board_at(betting: BettingState, board: Sequence[int]) -> tuple[int, ...]:
    """Return the part of *board* that lies on the street of *betting*."""
    return tuple(board[: betting.game.definition.board_size(betting.street)])


def subgame_root(
    spot: Spot, begins: Callable[[BettingState], bool] = lambda _betting: True
) -> BettingState:
    """Return the state with which the subgame of *spot* begins.

    It is the street's first state for which *begins* holds, or the spot itself if its seat has
    acted on the street.
    """
    path = [before for before, _ in spot.betting.decisions()] + [spot.betting]
    street = [before for before in path if before.street == spot.betting.street]
    has_acted = any(before.actor == spot.seat for before in street[:-1])
    return spot.betting if has_acted else next(filter(begins, street), spot.betting)


def is_searched(betting: BettingState, street: StreetSettings, place: FindPlace) -> bool:
    """Return whether the decision after *betting* is one that *street* searches.

    *place* is that of the blueprint's tree.
    """
    return street.decisions != OFF_TREE or is_off_tree(betting, place)


def is_off_tree(betting: BettingState, place: FindPlace) -> bool:
    """Return whether *betting* has a bet that the tree of *place* does not have."""
    try:
        place(betting)
    except UsageError:
        return True
    return False


def seat_menus(
    spot: Spot, root: BettingState, menus: Menus, *, one_street: bool, max_pot_ratio: float = 1.0
) -> SeatMenus:
    """Return the bets of both seats, with those that the opponent has made since *root*.

    With *one_street* there are no later ones. A bet between two sizes of the menu is left out where
    their ``pot_ratio`` is at most *max_pot_ratio*.
    """
    own, other = (
        without_later(menu, root.street) if one_street else menu
        for menu in (menus.own, menus.other)
    )
    for before, action in spot.betting.decisions():
        if len(before.text) >= len(root.text) and action.kind == RAISE:
            game, state = before.game.vector, before.vector
            share, num_raises = pot_share(game, state, action.raise_to), state[rules.NUM_RAISES]
            raises = {
                wanted_raise(game, state, size) for size in other.sizes(before.street, num_raises)
            }
            sizes = sorted(pot_share(game, state, raise_to) for raise_to in raises)
            if share not in sizes and pot_ratio(sizes, share) > max_pot_ratio:
                other = other.with_size(before.street, num_raises, share)
    return SeatMenus((own, other) if spot.seat == 0 else (other, own))


def pot_ratio(sizes: Sequence[float], share: float) -> float:
    """Return by what factor the pots differ after the two *sizes* between which *share* lies.

    All are shares of the pot, *sizes* in ascending order. A bet below the smallest or above the
    largest lies between none, and the factor is infinite: seen as a check in part, bets of a tenth
    of the pot cost 3 % of it on rivers, where bets between 0.25 and 0.5 cost 0.02 %.

    >>> pot_ratio([0.5, 1.0], 0.75), pot_ratio([0.5, 1.0], 0.1), pot_ratio([0.5, 1.0], 1.5)
    (1.3333333333333333, inf, inf)
    """
    upper = bisect(sizes, share)
    return inf if upper in (0, len(sizes)) else (1 + sizes[upper]) / (1 + sizes[upper - 1])


def without_later(menu: BetMenu, street: int) -> BetMenu:
    """Return *menu* with no bets after *street*."""
    return BetMenu((*menu.for_streets(street + 1).streets, ((),)))


def num_cells(
    root: BettingState,
    board: Sequence[int],
    menu: Menu,
    *,
    one_street: bool,
    drawn_boards: int = 0,
) -> int:
    """Return the subgame's size, in slots times hands times boards, without merging alike suits.

    With *drawn_boards* there are so many of the last street for each board of the one before.
    """
    definition, widths = root.game.definition, betting_size(root, menu).num_slots
    left, count = len(definition.deck) - len(board), 1
    slots = widths[root.street]
    for street in range(root.street + 1, root.street + 1 if one_street else definition.num_streets):
        added = definition.num_board_cards[street]
        ways = comb(left, added)
        if drawn_boards and street == definition.num_streets - 1:
            ways = min(ways, drawn_boards)
        count, left = count * ways, left - added
        slots += count * widths[street]
    return slots * len(hands_on(definition, board))


def entering_ranges(definition: GameDefinition, ranges: Floats, board: Sequence[int]) -> Floats:
    """Return *ranges* [seat, hand] as they enter a subgame: at most 1, and a little of every hand.

    Hands that share a card with *board* are left out.
    """
    free = hands_without(definition, board)
    possible = ranges * free
    most = possible.max(axis=1, keepdims=True)
    shares = np.divide(possible, most, out=np.ones_like(possible), where=most > 0)
    entering: Floats = np.maximum(shares, MIN_REACH) * free
    return entering
