"""A client's search for a dealer that is not there yet."""

from __future__ import annotations

import asyncio
import io
from itertools import pairwise

import pytest

from acpcbot.agents.baseline import CallAgent
from acpcbot.errors import MatchAborted
from acpcbot.net import client, client_match
from acpcbot.net.journal import open_journal
from dealer_tests.adversity import HOST, free_ports
from tests.support.games import KUHN, definition_of
from tests.support.journals import journal_events

MOST_TRIES_IN_A_MINUTE = 150


def tries(until_s: float) -> list[float]:
    """Return the times of the tries, if every try fails at once."""
    times = [0.0]
    while times[-1] < until_s:
        times.append(times[-1] + client_match.retry_pause_s(times[-1]))
    return times


def test_a_dealer_is_found_soon_after_it_came_however_long_that_took() -> None:
    """Caught: pauses that double, by which a start took twice as long as its dealer."""
    times = tries(60.0)
    for before, after in pairwise(times):
        assert after - before <= max(0.02, 0.1 * before) + 1e-9
    assert len(times) < MOST_TRIES_IN_A_MINUTE
    assert times[-1] - times[-2] == client_match.MAX_RETRY_S == 1.0


def test_waiting_for_a_dealer_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_match, "REPORT_WAIT_AFTER_S", 0.05)
    stream = io.StringIO()
    definition = definition_of(KUHN)
    waiting = client.Client(
        CallAgent(definition, 1), definition, journal=open_journal(stream, as_json=True)
    )
    port = free_ports(1)[0]
    with pytest.raises(MatchAborted, match=f"no dealer at {HOST} port {port} within 0.4 s"):
        asyncio.run(waiting.play(HOST, port, connect_timeout_s=0.4))
    told = journal_events(stream)
    assert [(line["event"], line["port"]) for line in told] == [("waiting for the dealer", port)]
