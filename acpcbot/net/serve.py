"""Many bots at many dealers in one process, each on its own: a fault at one table stays there.

A bot waits for its dealer for as long as it takes, plays, and joins again when the
match ends.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Sequence

from acpcbot.matches.agent import Agent
from acpcbot.net.bot_config import BotConfig
from acpcbot.net.client import Client
from acpcbot.net.journal import Journal
from acpcbot.poker.definition import GameDefinition

FIRST_PAUSE_S = 0.1
LONGEST_PAUSE_S = 5.0

Seat = tuple[BotConfig, GameDefinition, Callable[[], Agent]]


async def serve(seats: Sequence[Seat], journal: Journal) -> None:
    """Keep every bot at its dealer until cancelled, or until all that do not rejoin have played."""
    async with asyncio.TaskGroup() as group:
        for seat in seats:
            group.create_task(_keep_playing(*seat, journal))


async def _keep_playing(
    bot: BotConfig, definition: GameDefinition, make: Callable[[], Agent], journal: Journal
) -> None:
    own_journal = journal.bind(bot=bot.name, host=bot.host, port=bot.port)
    pause_s = FIRST_PAUSE_S
    while True:
        if await _play_once(bot, definition, make, own_journal):
            pause_s = FIRST_PAUSE_S
        if not bot.rejoin:
            return
        await asyncio.sleep(pause_s)
        pause_s = min(2 * pause_s, LONGEST_PAUSE_S)


async def _play_once(bot: BotConfig, definition: GameDefinition, make: Callable[[], Agent], journal: Journal) -> bool:
    """One match; whatever goes wrong is logged here and goes no further."""
    try:
        agent = await asyncio.to_thread(make)  # a thread: what takes long to load must not hold up the other bots
        client = Client(agent, definition, journal=journal)
        report = await client.play(bot.host, bot.port, connect_timeout_s=math.inf)
    except Exception as error:
        journal.error("match failed", reason=str(error) or repr(error), kind=type(error).__name__)
        return False
    journal.info("match over", hands=report.num_hands, actions=report.num_actions, fallbacks=report.num_fallbacks)
    return True
