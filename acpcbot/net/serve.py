"""Many independent bots at many dealers in one process, and ``bots.toml``, which lists them.

A bot waits for its dealer without a timeout, plays, and connects again when the match ends. A
failure of one bot does not affect the others. On a drain all bots leave after the current hand.

::

    [[bot]]
    name = "alice"                              # appears in the logs; defaults to the strategy
    strategy = "tight"
    game = "holdem.limit.2p.reverse_blinds"     # a shipped game or a file
    host = "127.0.0.1"
    port = 18791
    seed = 1                                    # default 0
    rejoin = true                               # default true: join again when a match ends

Paths are relative to the folder of the file. A table ``[strategies]`` may name the strategy of
each game (``agents/router.py``), for bots whose strategy is "router". Unknown keys are refused by
name.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from acpcbot.agents.names import ROUTER
from acpcbot.agents.router import name_from, parse_strategies, read_toml
from acpcbot.decoding import decode_settings
from acpcbot.errors import UsageError
from acpcbot.matches.agent import Agent, closing_agents
from acpcbot.net.client import Client
from acpcbot.net.client_match import ClientStats
from acpcbot.net.journal import Journal
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import GameDefinition

_HINT = "each [[bot]] has strategy, game, host and port; docs/guides/serve.md shows one"


@dataclass(frozen=True, slots=True)
class BotConfig:
    """The configuration of one bot at one dealer."""

    strategy: str
    game: str
    host: str
    port: int
    name: str = ""
    seed: int = 0
    rejoin: bool = True

    def __post_init__(self) -> None:
        if not 0 < self.port < 65_536:
            raise ValueError(
                f"port = {self.port}: expected 1 to 65535, the port that the dealer printed"
            )


@dataclass(frozen=True, slots=True)
class _BotsFile:
    """The entries of ``bots.toml``; see ``parse_strategies`` for the second."""

    bot: tuple[dict[str, Any], ...] = ()
    strategies: dict[str, Any] | None = None


def load_bots(path: Path) -> list[BotConfig]:
    """Return the bots that the file at *path* lists; raises UsageError, OSError."""
    found = decode_settings(_BotsFile, read_toml(path), str(path), _HINT)
    if found.strategies is not None:
        parse_strategies(path, found.strategies)
    if not found.bot:
        raise UsageError(f"{path}: expected one or more [[bot]] tables, found none", _HINT)
    return [_bot(path, number, entry) for number, entry in enumerate(found.bot, start=1)]


def _bot(path: Path, number: int, entry: dict[str, Any]) -> BotConfig:
    bot = decode_settings(BotConfig, entry, f"{path}, bot {number}", _HINT)
    game, is_router = path.parent / bot.game, bot.strategy == ROUTER
    return replace(
        bot,
        name=bot.name or bot.strategy,
        game=str(game) if game.is_file() else bot.game,
        strategy=str(path) if is_router else name_from(path.parent, bot.strategy),
    )


FIRST_PAUSE_S = 0.1
MAX_PAUSE_S = 5.0

Seat = tuple[BotConfig, GameDefinition, Callable[[], Agent]]


class BotSupervisor:
    """All bots of this process; *seats* holds their configurations, games and agent makers."""

    def __init__(self, seats: Sequence[Seat], journal: Journal) -> None:
        self.bots = [SupervisedBot(*seat, journal) for seat in seats]
        self.is_draining = False
        self._journal = journal

    async def serve(self) -> None:
        """Run all bots until cancelled or drained, or until all without *rejoin* have played."""
        async with asyncio.TaskGroup() as group:
            for bot in self.bots:
                bot.start(group)

    def drain(self) -> None:
        """Let every bot leave after its current hand, and at once if it plays none."""
        self.is_draining = True
        self._journal.info("draining", hands_to_finish=sum([bot.leave() for bot in self.bots]))


class SupervisedBot:
    """One bot that plays at its dealer again and again, and its counts.

    *is_ready* is True if its agent could be made and its last match did not fail.
    """

    def __init__(
        self,
        config: BotConfig,
        definition: GameDefinition,
        make: Callable[[], Agent],
        journal: Journal,
    ) -> None:
        self.name = config.name
        self.is_ready = False
        self.num_finished = 0
        self.num_failed = 0
        self._config, self._definition, self._make = config, definition, make
        # Shared by all matches: each would store its own betting states for long after its end.
        self._game = BettingRules(definition)
        self._journal = journal.bind(bot=config.name, host=config.host, port=config.port)
        self._past = ClientStats()
        self._client: Client | None = None
        self._is_leaving = False
        self._task: asyncio.Task[None] | None = None

    @property
    def stats(self) -> ClientStats:
        """The counts of all matches since the process began."""
        return self._past if self._client is None else self._past + self._client.stats

    @property
    def is_seated(self) -> bool:
        """True if it is connected to a dealer now."""
        return self._client is not None and self._client.stats.num_connections > 0

    def start(self, group: asyncio.TaskGroup) -> None:
        """Begin as a task of *group*, unless it was told to leave before."""
        if not self._is_leaving:
            self._task = group.create_task(self._keep_playing())

    def leave(self) -> bool:
        """Leave after the current hand; return False if there is none, and leave at once."""
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
            pause_s = min(2 * pause_s, MAX_PAUSE_S)

    async def _play_once(self) -> bool:
        """Play one match; return False after an error, which is logged and counted."""
        try:
            # In a thread, because loading a strategy would block the other bots.
            agent = await asyncio.to_thread(self._make)
            with closing_agents([agent]):
                await self._play(agent)
        except Exception as error:
            self.is_ready = False
            self.num_failed += 1
            self._journal.error(
                "match failed", reason=str(error) or repr(error), kind=type(error).__name__
            )
            return False
        return True

    async def _play(self, agent: Agent) -> None:
        self.is_ready = True
        self._client = Client(agent, self._definition, journal=self._journal, game=self._game)
        try:
            report = await self._client.play(
                self._config.host, self._config.port, connect_timeout_s=math.inf
            )
        finally:
            self._past, self._client = self._past + self._client.stats, None
        self.num_finished += 1
        end = "left" if self._is_leaving else "match over"
        self._journal.info(
            end, hands=report.num_hands, actions=report.num_actions, fallbacks=report.num_fallbacks
        )
