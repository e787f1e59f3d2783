"""A poker game as agents search it: the rules with a bet menu and a view of the cards.

Views are named by the option ``buckets``:

    exact            a bucket for every hand of a small game, up to the names of suits
    cards            the cards themselves, in any game
    grid:50          hold'em: hands before the flop, then so many buckets on each later street, by
                     the names of recipes (``abstraction/holdem_abstraction.py``). Streets are
                     named one by one in kmeans:100/ochs:50, where the last one repeats

Left out it is exact in small games, percentile:50 in hold'em, and cards elsewhere.

Seats know the bucket of the present street alone, as in a stored strategy. A hand's history as
actions of the game goes with cards for the seat whose cards are hidden: any that are left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from acpcbot.abstraction.buckets import Lossless169
from acpcbot.abstraction.card_abstraction import (
    EXACT,
    Abstraction,
    ExactAbstraction,
    make_abstraction,
)
from acpcbot.abstraction.holdem_abstraction import STREETS, HoldemAbstraction
from acpcbot.agents.tree_search.options import TableOptions
from acpcbot.errors import UsageError
from acpcbot.games.game import CHANCE, new_state, rank_of
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker_games import PokerGame, make_poker_game
from acpcbot.poker_games.poker_game import DECK, NUM_DEALT
from acpcbot.tree_search.infoset_table import empty_table
from acpcbot.trees.bet_menu import LIMIT_MENU, BetMenu, parse_menu
from acpcbot.trees.betting_tree import betting_size, fill_choices
from acpcbot.trees.infosets import TreeSize

CARDS = "cards"
HOLDEM_BUCKETS = "percentile:50"
NOLIMIT_BETS = "1,all-in"
BETS_HINT = "name sizes, as in bets=0.5,1,all-in;1,all-in"
BUCKETS_HINT = "buckets are exact, cards, or for hold'em KIND:COUNT as in percentile:50"
KINDS = ("grid", "percentile", "kmeans", "ochs")
MAX_COUNTED_STREETS = 2
"""Streets of a no-limit game whose betting is counted at once."""


@dataclass(frozen=True, slots=True)
class MenuDecision:
    """The actions of a decision with the bets of the menu, as in a betting tree."""

    actions: tuple[Action, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SearchedGame:
    """The *game* of *definition* with *menu* and the buckets of *abstraction*; see the module.

    *abstraction* is None where the cards themselves are seen.
    """

    definition: GameDefinition
    menu: BetMenu
    abstraction: Abstraction | None
    game: PokerGame
    _known: dict[str, MenuDecision] = field(default_factory=dict)

    def place(self, betting: BettingState) -> MenuDecision:
        """Return the decision after *betting*, whose bets are of the menu."""
        found = self._known.get(betting.text)
        if found is None:
            choices = np.zeros((2 + self.game.menu.shape[3], 2), np.int64)
            count = fill_choices(betting.game.vector, betting.vector, self.game.menu, choices)
            found = MenuDecision(tuple([Action(*row) for row in choices[:count].tolist()]))
            self._known[betting.text] = found
        return found

    def choices(self, betting: BettingState) -> list[int]:
        """Return the numbers of the actions of *betting*, whose bets are of the menu."""
        return [self.place(before).actions.index(action) for before, action in betting.decisions()]

    def history(
        self, betting: BettingState, hands: Sequence[Sequence[int]], board: Sequence[int]
    ) -> list[int]:
        """Return the actions of chance and of the seats up to *betting*, in order.

        *hands* are the seats' hole cards; a hand that is not known is empty.
        """
        game, state = self.game, new_state(self.game)
        size, cards = game.num_hole_cards, self.dealt_cards(hands, board)
        left, actions = self.choices(betting), []
        while True:
            if game.actor(state) == CHANCE:
                card = cards[int(state[NUM_DEALT])]
                actions.append(rank_of(int(state[DECK]), card))
            elif left:
                actions.append(left.pop(0))
            else:
                break
            game.apply(state, actions[-1])
        assert len(cards) >= 2 * size
        return actions

    def dealt_cards(self, hands: Sequence[Sequence[int]], board: Sequence[int]) -> list[int]:
        """Return the cards in the order in which they are dealt, with some for unknown hands."""
        known = {card for cards in (*hands, board) for card in cards}
        others = iter([card for card in sorted(self.definition.deck) if card not in known])
        dealt = [
            [*hand] if hand else [next(others) for _ in range(self.definition.num_hole_cards)]
            for hand in hands
        ]
        return [card for cards in (*dealt, board) for card in cards]

    def size(self, start: BettingState) -> TreeSize | None:
        """Return the size of the whole betting, or None where counting it may take long."""
        if not self.definition.is_limit and self.definition.num_streets > MAX_COUNTED_STREETS:
            return None
        return betting_size(start, self.menu)

    def room(self, start: BettingState, memory_bytes: int) -> tuple[int, int]:
        """Return the information sets and their actions to make room for in *memory_bytes*."""
        size = self.size(start)
        if size is None or self.abstraction is None:
            return memory_bytes, memory_bytes
        counts = self.abstraction.num_buckets
        return tuple(  # type: ignore[return-value]
            sum(number * count for number, count in zip(numbers, counts, strict=True))
            for numbers in (size.num_nodes, size.num_slots)
        )


def verify_searchable(definition: GameDefinition, options: TableOptions) -> None:
    """Raise UsageError unless the game with *options* can be searched; makes no tables."""
    menu = _menu(definition, options.bets)
    # Cards as they are: whatever else is wrong with the game is found without any abstraction.
    game = make_poker_game(definition, menu)
    empty_table(game.max_actions(), options.memory_bytes)
    buckets = _buckets(definition, options.buckets)
    if buckets == EXACT:
        ExactAbstraction(definition)
    elif buckets != CARDS:
        _holdem_settings(definition, buckets)
        _verify_holdem(definition)


def make_searched_game(definition: GameDefinition, options: TableOptions) -> SearchedGame:
    """Return the game as *options* ask for it; in hold'em the tables of buckets are made.

    Raises UsageError.
    """
    verify_searchable(definition, options)
    menu, buckets = _menu(definition, options.bets), _buckets(definition, options.buckets)
    abstraction: Abstraction | None = None
    if buckets != CARDS:
        settings = EXACT if buckets == EXACT else _holdem_settings(definition, buckets)
        abstraction = make_abstraction(definition, settings)
    game = make_poker_game(definition, menu, abstraction, forgets_buckets=abstraction is not None)
    return SearchedGame(definition, menu, abstraction, game)


def _menu(definition: GameDefinition, bets: str | None) -> BetMenu:
    if definition.is_limit:
        if bets is not None:
            raise UsageError(
                "bets are for no-limit games, and this is a limit game", "leave it out"
            )
        return LIMIT_MENU
    menu = parse_menu(NOLIMIT_BETS if bets is None else bets)
    if not any(sizes for rows in menu.streets for sizes in rows):
        raise UsageError("a bet menu without sizes", BETS_HINT)
    return menu


def _buckets(definition: GameDefinition, buckets: str | None) -> str:
    """Return the view of the cards that *buckets* names, or the usual one of the game."""
    if buckets is not None:
        return buckets
    try:
        ExactAbstraction(definition)
    except UsageError:
        try:
            _verify_holdem(definition)
        except UsageError:
            return CARDS
        return HOLDEM_BUCKETS
    return EXACT


def _verify_holdem(definition: GameDefinition) -> None:
    """Raise UsageError unless the game is hold'em, of some streets."""
    HoldemAbstraction((Lossless169(),) * definition.num_streets).verify_fits(definition)


def _holdem_settings(definition: GameDefinition, buckets: str) -> dict[str, object]:
    """Return settings of a hold'em abstraction; the last of *buckets* holds for later streets."""
    later = STREETS[1 : definition.num_streets]
    words = buckets.split("/")
    if len(words) > max(1, len(later)):
        raise UsageError(
            f"buckets={buckets} names {len(words)} streets, and {len(later)} come after the first",
            BUCKETS_HINT,
        )
    settings: dict[str, object] = {STREETS[0]: "lossless"}
    for number, street in enumerate(later):
        kind, _, count = words[min(number, len(words) - 1)].partition(":")
        if kind not in KINDS or not count.isdecimal() or int(count) < 1:
            raise UsageError(f"buckets={buckets}: {kind!r} is no view of the cards", BUCKETS_HINT)
        settings[street] = {kind: int(count)}
    return settings
