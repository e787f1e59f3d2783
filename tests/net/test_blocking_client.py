"""The client that sleeps in its reads: whom it refuses, and that it imports no event loop."""

from __future__ import annotations

import subprocess
import sys

import pytest

from acpcbot.agents.human import HumanAgent
from acpcbot.net.blocking_client import play_blocking
from tests.support.games import KUHN, definition_of


def test_an_agent_that_takes_time_is_refused() -> None:
    """Caught: a match without deadlines, because nothing would answer for a late agent."""
    definition = definition_of(KUHN)
    with pytest.raises(ValueError, match="expected an agent with is_instant set"):
        play_blocking(HumanAgent(definition, 0), definition, "127.0.0.1", 9)


def test_it_imports_no_event_loop() -> None:
    code = "import sys, acpcbot.net.blocking_client; print('asyncio' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout == "False\n"
