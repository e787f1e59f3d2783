"""The average strategy of OOS as a public strategy: for every hand, at any moment of the search."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from acpcbot.agents.tree_search.hand_strategies import average_strategies
from acpcbot.agents.tree_search.searched_game import SearchedGame
from acpcbot.arrays import Floats
from acpcbot.errors import UsageError
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import all_hands, hands_without
from acpcbot.strategies.public_strategy import ActionTable
from acpcbot.strategies.translation import TranslatedPlay
from acpcbot.tree_search import OOSSearch


class OOSStrategy:
    """A ``PublicStrategy``: what *search* of the game *searched* would play now.

    Bets that its menu lacks are translated, as ``TranslatedPlay`` says; where they can be seen in
    too many ways, one of them is drawn by *seed*. Information sets that were never sampled are
    played uniformly. Nothing may sample while it is asked.
    """

    def __init__(self, searched: SearchedGame, search: OOSSearch, seed: int = 0) -> None:
        self.searched, self.search, self._seed = searched, search, seed
        self._translated = TranslatedPlay(searched.definition, searched.place, self.probabilities)

    @property
    def definition(self) -> GameDefinition:
        """The definition of the game."""
        return self.searched.definition

    def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        """Return the probabilities of the actor after *betting* with every hand."""
        if self.definition.is_limit:
            actions = self.searched.place(betting).actions
            return ActionTable(actions, self.probabilities(betting, board))
        try:
            return self._translated.table(betting, board)
        except UsageError:
            return self._translated.drawn_table(betting, board, self._seed)

    def probabilities(self, betting: BettingState, board: Sequence[int]) -> Floats:
        """Return the action probabilities after *betting* of the menu, [hand, action]."""
        free, hands = hands_without(self.definition, board), all_hands(self.definition)
        held, actions = hands[free].astype(np.int64), self.searched.place(betting).actions
        known = np.array(board[: self.definition.board_size(betting.street)], np.int64)
        found = np.zeros((len(hands), len(actions)))
        found[free] = average_strategies(
            self.searched.game,
            self.search.table,
            betting.actor,
            held,
            np.broadcast_to(known, (len(held), len(known))).copy(),
            self.searched.choices(betting),
            len(actions),
        )
        return found
