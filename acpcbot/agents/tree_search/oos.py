"""Agent that searches by online outcome sampling, from the rules of the game alone.

It keeps its memory through a match. At a decision it aims at the present of the match and samples
until its time is up; between its decisions and between hands a thread samples on, between hands the
whole game. It plays its average strategy, which is known for every hand and can be saved.

A fixed number of samples a decision, instead of a time, makes matches repeatable: nothing is
sampled between decisions then.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass

from acpcbot.agents.table_agent import TableAgent
from acpcbot.agents.tree_search.background import BackgroundSearch, MemoryNotice, SearchClock
from acpcbot.agents.tree_search.oos_strategy import OOSStrategy
from acpcbot.agents.tree_search.options import OOS, OOSOptions, read_options
from acpcbot.agents.tree_search.saving import Saver, SearchRecord
from acpcbot.agents.tree_search.searched_game import (
    SearchedGame,
    make_searched_game,
    verify_searchable,
)
from acpcbot.poker.actions import CALLING
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import GameDefinition
from acpcbot.protocol.messages import MatchState
from acpcbot.search.deadline import make_budget
from acpcbot.strategies.public_strategy import ActionTable
from acpcbot.strategies.translation import nearest_view
from acpcbot.tree_search import OOSSearch, OOSSettings
from acpcbot.tree_search.infoset_table import InfosetTable

INFOSET, NONE = "infoset", "none"
PUBLIC = 2
"""The viewer that stands for the public state."""
MAX_SHARE_OF_CLOCK = 0.5
"""The largest share of the time to the deadline that a decision takes: others may follow."""
ANSWER_SHARE = 1.5
"""Time kept back to make the answer, in times of the longest answer so far."""


class OOSAgent(TableAgent):
    """Agent that plays what OOS finds in *searched* with *options*."""

    def __init__(
        self, definition: GameDefinition, seed: int, searched: SearchedGame, options: OOSOptions
    ) -> None:
        settings = OOSSettings(
            delta=options.delta,
            epsilon=options.epsilon,
            gamma=options.gamma,
            weighs_targets=options.weigh_targets == "yes",
        )
        search = OOSSearch(searched.game, settings, seed, options.memory_bytes)
        search.reserve(*searched.room(BettingRules(definition).start, options.memory_bytes))
        strategy = OOSStrategy(searched, search, seed)
        super().__init__(definition, seed, strategy)
        self.searched, self.options, self.search = searched, options, search
        self.num_hands = 0
        self._began_s = time.monotonic()
        self._answer_s = 0.0
        self._notice = MemoryNotice(OOS, options.memory)
        self._saver = Saver(searched, options) if options.save is not None else None
        if settings.warning:
            print(f"oos: {settings.warning}", file=sys.stderr)
        _warm_up(definition, searched, settings)
        self.background = BackgroundSearch(search, is_idle=options.samples is not None)

    @property
    def clock(self) -> SearchClock:
        """The speed of the search, and its samples so far."""
        return self.background.clock

    def table(self, state: MatchState, deadline_s: float) -> ActionTable:
        """Return the probabilities with every hand, before *deadline_s*, after more samples."""
        budget = make_budget(self.options.seconds, MAX_SHARE_OF_CLOCK, deadline_s)
        with self.background.paused():
            self.background.begin_decision()
            self._aim(state)
            reserved_s = ANSWER_SHARE * self._answer_s
            if self.options.samples is None:
                self._sample(sys.maxsize, min(budget.wanted_s, budget.last_s - reserved_s))
            else:
                self._sample(self.options.samples, budget.last_s - reserved_s)
            asked_s = time.monotonic()
            found = self.strategy.table(state.betting, state.board)
            self._answer_s = max(self._answer_s, time.monotonic() - asked_s)
            self._notice.tell(self.search)
        return found

    def observe(self, state: MatchState) -> None:
        """Count the hand, sample the whole game until the next one, and save when it is due."""
        self.num_hands += 1
        if self.options.samples is None:
            self.background.aim_nowhere()
        if self._saver is not None and self._saver.is_due(self.num_hands):
            self._saver.save(self._record(), self._content())

    def close(self) -> None:
        """End the search at the end of the match, and save what it would play."""
        self.background.close()
        if self._saver is not None and self.num_hands:
            self._saver.save(self._record(), self._content())
            self._saver.close()

    def _content(self) -> InfosetTable:
        """Return a copy of the memory, in which nothing is sampled any more."""
        with self.background.paused():
            places, sums, used = self.search.table
            return InfosetTable(places.copy(), sums.copy(), used.copy())

    def _record(self) -> SearchRecord:
        hours = (time.monotonic() - self._began_s) / 3600
        return SearchRecord(self.seed, self.clock.num_samples, self.num_hands, round(hours, 4))

    def _aim(self, state: MatchState) -> None:
        """Aim at the decision *state*; at the most probable view of bets that the menu lacks."""
        betting, seat = state.betting, state.seat
        if self.options.target == NONE:
            return
        if not self.definition.is_limit:
            betting = nearest_view(self.searched.place, betting)
        if betting.is_over or betting.actor != seat or betting.street != state.betting.street:
            self.search.aim_nowhere()
            return
        hands = [state.own_cards if seat == position else () for position in range(2)]
        board = state.board[: self.definition.board_size(betting.street)]
        viewer = seat if self.options.target == INFOSET else PUBLIC
        self.search.aim(self.searched.history(betting, hands, board), viewer)

    def _sample(self, most_samples: int, last_s: float) -> None:
        """Add so many samples, and none that might end after *last_s*."""
        clock, left = self.clock, most_samples
        while left > 0:
            chunk = min(left, clock.chunk())
            if time.monotonic() + 2 * chunk * clock.sample_s > last_s:
                break
            clock.sample(self.search, chunk)
            left -= chunk


@dataclass(frozen=True, slots=True)
class OOSMaker:
    """Maker of the agents called *oos* with these *options*."""

    options: OOSOptions

    def __call__(self, definition: GameDefinition, seed: int) -> OOSAgent:
        self.verify_game(definition)
        searched = make_searched_game(definition, self.options)
        return OOSAgent(definition, seed, searched, self.options)

    def verify_game(self, definition: GameDefinition) -> None:
        """Raise UsageError unless the game can be searched with these options."""
        verify_searchable(definition, self.options)


def oos_maker(name: str) -> OOSMaker:
    """Return the maker of the agents called *name*; raises UsageError."""
    return OOSMaker(read_options(OOSOptions, name))


def _warm_up(definition: GameDefinition, searched: SearchedGame, settings: OOSSettings) -> None:
    """Decide once on each street of a hand that is called down, in a search of its own."""
    search = OOSSearch(searched.game, settings, 0)
    strategy = OOSStrategy(searched, search)
    betting, size = BettingRules(definition).start, definition.num_hole_cards
    while not betting.is_over:
        hand, left = definition.deck[:size], definition.deck[size:]
        board = left[: definition.board_size(betting.street)]
        hands = [hand if seat == betting.actor else () for seat in range(2)]
        search.aim(searched.history(betting, hands, board), PUBLIC)
        search.sample(2)
        strategy.table(betting, board)
        betting = betting.apply(CALLING)
