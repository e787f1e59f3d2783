"""Strategies at a table: made once, and asked in a thread of their own.

A bot whose strategy is public can be asked later what it would have done with every hand. One that
makes its strategy while it plays, as by search, is held to what it played: its tables are kept for
the last ``KEPT_HANDS`` hands, and written beside the log.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from acpcbot.abstraction.deal_sources import DealSources
from acpcbot.agents.blueprint import BlueprintAgent, BlueprintMaker
from acpcbot.agents.public_strategies import ANY_GAME, find_strategy, is_public
from acpcbot.agents.registry import find_maker, make_agent
from acpcbot.agents.table_agent import TableAgent
from acpcbot.errors import UsageError
from acpcbot.matches.agent import Agent, fallback_action
from acpcbot.net.agent_thread import AgentThread
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.protocol.messages import MatchState
from acpcbot.strategies.by_name import find_stored
from acpcbot.strategies.files import load_snapshot
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.strategies.public_strategy import ActionTable, PublicStrategy
from acpcbot.strategies.snapshot import Snapshot
from acpcbot.strategies.strategy_file import StrategyRecorder

KEPT_HANDS = 200
LATE = "no answer in time"

Tables = dict[str, ActionTable]


class KeptTables(StrategyRecorder):
    """A recorder that also keeps the tables of the last hands, by hand and betting."""

    def __init__(self, path: Path, definition: GameDefinition) -> None:
        super().__init__(path, definition)
        self._hands: dict[int, Tables] = {}

    def record(self, state: MatchState, table: ActionTable) -> ActionTable:
        """Write what the actor of *state* does with every hand, and keep it as it was written."""
        played = super().record(state, table)
        self._hands.setdefault(state.hand_id, {})[state.betting.text] = played
        if len(self._hands) > KEPT_HANDS:
            del self._hands[min(self._hands)]
        return played

    def in_hand(self, hand_id: int) -> PlayedTables | None:
        """Return what was played in that hand; None if it is forgotten, or nothing was decided."""
        tables = self._hands.get(hand_id)
        return None if tables is None else PlayedTables(tables)


class PlayedTables:
    """A ``PublicStrategy`` that knows the decisions of one hand alone."""

    def __init__(self, tables: Tables) -> None:
        self._tables = dict(tables)

    def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        """Return what was done after *betting*; raises UsageError if nothing was decided there."""
        if betting.text not in self._tables:
            raise UsageError(
                f"nothing was decided after {betting.text!r}", "ask about a decision of this hand"
            )
        return self._tables[betting.text]


class Bot:
    """One strategy in one seat, called *name*: *agent* plays, *strategy* or *kept* tell how.

    To be used in the event loop that calls ``start``.
    """

    def __init__(
        self,
        name: str,
        agent: Agent,
        strategy: PublicStrategy | None = None,
        kept: KeptTables | None = None,
    ) -> None:
        self.name, self.agent = name, agent
        self._strategy, self._kept = strategy, kept
        self._thread: AgentThread | None = None

    def start(self) -> None:
        """Give an agent that thinks its thread."""
        if not self.agent.is_instant:
            self._thread = AgentThread(self.agent, self.name)

    async def act(self, view: MatchState, longest_s: float) -> tuple[Action, str]:
        """A legal action, and what went wrong if the fallback had to answer."""
        try:
            action = await self._answer(view, longest_s)
            view.betting.verify_action(action)
        except TimeoutError:
            return fallback_action(view), LATE
        except Exception as error:
            return fallback_action(view), f"{type(error).__name__}: {error}"
        return action, ""

    async def _answer(self, view: MatchState, longest_s: float) -> Action:
        deadline_s = time.monotonic() + longest_s
        if self._thread is None:
            return self.agent.act(view, deadline_s)
        return await asyncio.wait_for(self._thread.ask(view, deadline_s), longest_s)

    def observe(self, view: MatchState) -> None:
        """Let an agent that wants to see how the hand ended see it."""
        observe = getattr(self.agent, "observe", None)
        if observe is not None:
            observe(view)

    @property
    def is_known(self) -> bool:
        """True if the strategy can be asked about every hand."""
        return self._strategy is not None or self._kept is not None

    def in_hand(self, hand_id: int) -> PublicStrategy | None:
        """The strategy that was played in that hand, if it is known and nothing went wrong."""
        return self._strategy if self._kept is None else self._kept.in_hand(hand_id)

    def close(self) -> None:
        """Let the threads of the bot and of its agent end, and close the file."""
        if self._thread is not None:
            self._thread.stop()
        close = getattr(self.agent, "close", None)
        if close is not None:
            close()
        if self._kept is not None:
            self._kept.close()


@cache
def _snapshot(folder: Path) -> Snapshot:
    """A snapshot that all tables share: its arrays are only read."""
    return load_snapshot(folder)


def stored_strategy(name: str) -> SnapshotStrategy:
    """Return the stored strategy called *name*, its arrays shared with all tables.

    Raises UnknownStrategy, BadSnapshot or UsageError.
    """
    stored = find_stored(name)
    return SnapshotStrategy(_snapshot(stored.folder), stored.settings)


def make_bot(
    strategy: str, name: str, definition: GameDefinition, seed: int, record: Path | None = None
) -> Bot:
    """The bot that plays *strategy*; what is known only as it plays is written to *record*.

    It may take seconds. Raises UnknownStrategy, BadSnapshot or UsageError.
    """
    maker = find_maker(strategy)
    if isinstance(maker, BlueprintMaker):
        snapshot = _snapshot(maker.folder)
        agent = BlueprintAgent(definition, seed, snapshot, maker.settings)
        return Bot(name, agent, SnapshotStrategy(snapshot, maker.settings))
    other = make_agent(strategy, definition, seed)
    if isinstance(other, TableAgent) and record is not None:
        other.recorder = kept = KeptTables(record, definition)
        return Bot(name, other, kept=kept)
    return Bot(name, other, _simple_strategy(strategy, definition))


def _simple_strategy(strategy: str, definition: GameDefinition) -> PublicStrategy | None:
    """The strategy of one that plays any game by simple rules."""
    if strategy not in ANY_GAME or not is_public(strategy, definition):
        return None
    return find_strategy(strategy, DealSources(definition))
