"""Many bots at many dealers in one process, each on its own: a fault at one table stays there.

A bot waits for its dealer for as long as it takes, plays, and joins again when the
match ends. When all are to leave, a hand that is being played is played to its end.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Sequence

from acpcbot.matches.agent import Agent
from acpcbot.net.bot_config import BotConfig
from acpcbot.net.client import Client
from acpcbot.net.journal import Journal
from acpcbot.net.tally import Tally
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import GameDefinition

FIRST_PAUSE_S = 0.1
LONGEST_PAUSE_S = 5.0

Seat = tuple[BotConfig, GameDefinition, Callable[[], Agent]]


class BotHouse:
    """All bots of this process; *seats* says who they are and how their agents are made."""

    def __init__(self, seats: Sequence[Seat], journal: Journal) -> None:
        self.bots = [KeptBot(*seat, journal) for seat in seats]
        self.is_draining = False
        self._journal = journal

    async def serve(self) -> None:
        """Keep every bot at its dealer until cancelled or drained, or until all that do not rejoin have played."""
        async with asyncio.TaskGroup() as group:
            for bot in self.bots:
                bot.start(group)

    def drain(self) -> None:
        """Let every bot finish its hand and leave; those that wait or are between two hands leave at once."""
        self.is_draining = True
        self._journal.info("draining", hands_to_finish=sum([bot.leave() for bot in self.bots]))


class KeptBot:
    """One bot that is kept at its dealer, and what became of it so far.

    *is_ready* says that its agent could be made and its last match did not fail.
    """

    def __init__(
        self, config: BotConfig, definition: GameDefinition, make: Callable[[], Agent], journal: Journal
    ) -> None:
        self.name = config.name
        self.is_ready = False
        self.num_finished = 0
        self.num_failed = 0
        self._config, self._definition, self._make = config, definition, make
        self._game = BettingRules(definition)  # one for all matches: each would keep its own for long after its end
        self._journal = journal.bind(bot=config.name, host=config.host, port=config.port)
        self._past = Tally()
        self._client: Client | None = None
        self._is_leaving = False
        self._task: asyncio.Task[None] | None = None

    @property
    def tally(self) -> Tally:
        """What it did at its dealers since the process began."""
        return self._past if self._client is None else self._past + self._client.tally

    @property
    def is_seated(self) -> bool:
        """Whether it is at a dealer now."""
        return self._client is not None and self._client.tally.num_connections > 0

    def start(self, group: asyncio.TaskGroup) -> None:
        """Begin, as a task of *group*; one that was told to leave before never does."""
        if not self._is_leaving:
            self._task = group.create_task(self._keep_playing())

    def leave(self) -> bool:
        """Leave with the end of the hand that is being played; False where there is none, and it leaves at once."""
        self._is_leaving = True
        if self._client is not None and self._client.leave_after_hand():
            return True
        if self._task is not None:
            self._task.cancel()
        return False

    async def _keep_playing(self) -> None:
        pause_s = FIRST_PAUSE_S
        while True:
            if await self._play_once():
                pause_s = FIRST_PAUSE_S
            if self._is_leaving or not self._config.rejoin:
                return
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    async def _play_once(self) -> bool:
        """One match; whatever goes wrong is logged here and goes no further."""
        try:
            agent = await asyncio.to_thread(self._make)  # a thread: loading must not hold up the other bots
            await self._play(agent)
        except Exception as error:
            self.is_ready = False
            self.num_failed += 1
            self._journal.error("match failed", reason=str(error) or repr(error), kind=type(error).__name__)
            return False
        return True

    async def _play(self, agent: Agent) -> None:
        self.is_ready = True
        self._client = Client(agent, self._definition, journal=self._journal, game=self._game)
        try:
            report = await self._client.play(self._config.host, self._config.port, connect_timeout_s=math.inf)
        finally:
            self._past, self._client = self._past + self._client.tally, None
        self.num_finished += 1
        end = "left" if self._is_leaving else "match over"
        self._journal.info(end, hands=report.num_hands, actions=report.num_actions, fallbacks=report.num_fallbacks)
