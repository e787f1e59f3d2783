"""Agent that searches: a ``SearchStrategy`` that is never late.

A decision without enough time, or at which search failed, is the blueprint's. Each is reported on
stderr as a line of JSON, and counted in ``num_fallbacks``.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass

from acpcbot.agents.table_agent import TableAgent
from acpcbot.cards.deck import format_cards
from acpcbot.poker.definition import GameDefinition
from acpcbot.protocol.messages import MatchState
from acpcbot.search.folder import FoundSearch, find_search, make_search
from acpcbot.search.strategy import Fallback, SearchStrategy
from acpcbot.strategies.by_name import verify_same_game
from acpcbot.strategies.public_strategy import ActionTable


class SearchAgent(TableAgent):
    """Agent that plays *search*, warmed up first so that its first decision is as fast as any."""

    def __init__(self, definition: GameDefinition, seed: int, search: SearchStrategy) -> None:
        super().__init__(definition, seed, search)
        self.search = search
        search.warm_up()
        search.on_fallback = _report_fallback

    @property
    def num_fallbacks(self) -> int:
        """Number of decisions that the blueprint made because search could not."""
        return self.search.counts.num_fallbacks

    def table(self, state: MatchState, deadline_s: float) -> ActionTable:
        """Return the probabilities with every hand, before *deadline_s*."""
        try:
            return self.search.table_by(state.betting, state.board, deadline_s)
        except Exception as error:
            return self.search.give_up(
                state.betting, state.board, f"{type(error).__name__}: {error}"
            )


@dataclass(frozen=True, slots=True)
class SearchMaker:
    """Maker of the agents of *found*."""

    found: FoundSearch

    def __call__(self, definition: GameDefinition, seed: int) -> SearchAgent:
        self.verify_game(definition)
        return SearchAgent(
            definition, seed, make_search(self.found, self.found.load(), (), definition)
        )

    def verify_game(self, definition: GameDefinition) -> None:
        """Raise UsageError unless the blueprint plays this game, with whatever stacks.

        Raises BadSnapshot if its manifest cannot be read.
        """
        own = self.found.definition
        verify_same_game(self.found.folder.path, own, definition, any_stacks=True)


def search_maker(name: str) -> SearchMaker:
    """Return the maker of the agents called *name*; raises UsageError."""
    return SearchMaker(find_search(name))


def _report_fallback(fallback: Fallback) -> None:
    spot = fallback.spot
    line = {
        "betting": spot.betting.text,
        "board": format_cards(spot.board),
        "reason": fallback.reason,
    }
    print(json.dumps({"event": "search fallback", **line}), file=sys.stderr)
