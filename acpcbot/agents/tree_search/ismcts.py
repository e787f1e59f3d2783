"""Agent that searches by IS-MCTS: at each decision from the present alone, and forgets it after.

States of its information set differ in the opponent's cards, of which all are equally likely
whatever the opponent did. That is why it does not come to an equilibrium, however long it searches.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from acpcbot.agents.decision_stream import decision_stream, view_stream
from acpcbot.agents.tree_search.background import CHUNK_S, FIRST_CHUNK, MemoryNotice
from acpcbot.agents.tree_search.hand_strategies import states_with
from acpcbot.agents.tree_search.options import ISMCTS, ISMCTSOptions, read_options
from acpcbot.agents.tree_search.searched_game import (
    SearchedGame,
    make_searched_game,
    verify_searchable,
)
from acpcbot.arrays import Ints
from acpcbot.errors import UsageError
from acpcbot.poker.actions import CALLING, Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import all_hands, hands_without
from acpcbot.protocol.messages import MatchState
from acpcbot.search.deadline import make_budget
from acpcbot.strategies.policy import drawn_index
from acpcbot.strategies.translation import Seen, Translator
from acpcbot.tree_search import InfosetSearch
from acpcbot.tree_search.selection.infoset_regrets import InfosetRegrets
from acpcbot.tree_search.selection.uct import UCT

MAX_SHARE_OF_CLOCK = 0.5
MAX_STATES = 20_000
# Exploration of regret matching: the share of moves that are drawn uniformly.
RM_EXPLORATION = 0.1


class ISMCTSAgent:
    """Agent that plays what IS-MCTS finds in *searched* with *options*."""

    is_instant = False

    def __init__(
        self, definition: GameDefinition, seed: int, searched: SearchedGame, options: ISMCTSOptions
    ) -> None:
        self.definition, self.seed, self.searched = definition, seed, searched
        self.options = options
        exploration = options.C * max(definition.big_blind, 1)
        policy = UCT(exploration) if options.policy == "uct" else InfosetRegrets(RM_EXPLORATION)
        self.search = InfosetSearch(
            searched.game, policy, seed, options.memory_bytes, by_chance=True
        )
        self._translator = Translator(searched.place)
        self._simulation_s = 0.0
        self._notice = MemoryNotice(ISMCTS, options.memory)
        self.search.simulate(2)

    def act(self, state: MatchState, deadline_s: float) -> Action:
        """Return the action found before *deadline_s*."""
        seen = self._seen(state)
        if seen is None:
            return CALLING
        budget = make_budget(self.options.seconds, MAX_SHARE_OF_CLOCK, deadline_s)
        states = self.states(seen, state.own_cards, state.board)
        self.search.begin_at(states, np.ones(len(states)))
        if self.options.samples is None:
            self._simulate(sys.maxsize, budget.wanted_s)
        else:
            self._simulate(self.options.samples, budget.last_s)
        self._notice.tell(self.search)
        actions = self.searched.place(seen).actions
        found = self.search.strategy(int(states[0, seen.actor]), self.options.final)
        if found is None:
            found = np.full(len(actions), 1 / len(actions))
        index = drawn_index(found, decision_stream(self.seed, state).unit())
        return self._translator.real_action(state.betting, seen, actions[index])

    def states(self, betting: BettingState, own_cards: Sequence[int], board: Sequence[int]) -> Ints:
        """Return the states of the actor's information set after *betting*, [state, word].

        One for each hand that the other seat may hold; of very many a random part.
        """
        known = board[: self.definition.board_size(betting.street)]
        hands = all_hands(self.definition)
        others = hands[hands_without(self.definition, [*own_cards, *known])]
        if len(others) > MAX_STATES:
            others = np.random.default_rng(self.seed).choice(others, MAX_STATES, replace=False)
        return states_with(
            self.searched.game,
            betting.actor,
            np.array(own_cards, np.int64),
            others.astype(np.int64),
            np.array(known, np.int64),
            self.searched.choices(betting),
        )

    def _seen(self, state: MatchState) -> Seen:
        """Return the betting with bets of the menu, the same view in the whole hand."""
        if self.definition.is_limit:
            return state.betting

        def draw(num_actions: int) -> float:
            return view_stream(self.seed, state, num_actions).unit()

        return self._translator.seen((state.hand_id, state.seat), state.betting, draw)

    def _simulate(self, most_simulations: int, last_s: float) -> None:
        """Add so many simulations, and none that might end after *last_s*."""
        left = most_simulations
        while left > 0:
            chunk = min(left, self._chunk())
            started_s = time.monotonic()
            if started_s + 2 * chunk * self._simulation_s > last_s:
                break
            self.search.simulate(chunk)
            self._simulation_s = (time.monotonic() - started_s) / chunk
            left -= chunk

    def _chunk(self) -> int:
        return max(1, int(CHUNK_S / self._simulation_s)) if self._simulation_s else FIRST_CHUNK


@dataclass(frozen=True, slots=True)
class ISMCTSMaker:
    """Maker of the agents called *ismcts* with these *options*."""

    options: ISMCTSOptions

    def __call__(self, definition: GameDefinition, seed: int) -> ISMCTSAgent:
        searched = make_searched_game(definition, self.options)
        return ISMCTSAgent(definition, seed, searched, self.options)

    def verify_game(self, definition: GameDefinition) -> None:
        """Raise UsageError unless the game can be searched with these options."""
        verify_searchable(definition, self.options)


def ismcts_maker(name: str) -> ISMCTSMaker:
    """Return the maker of the agents called *name*; raises UsageError."""
    options = read_options(ISMCTSOptions, name)
    if options.policy == "rm" and options.final == "best-value":
        raise UsageError(
            "ismcts, final: regret matching keeps no mean values", "use final=visits or policy=uct"
        )
    return ISMCTSMaker(options)
