"""Agent that plays from a table of probabilities for every hand, which can be recorded.

A searching agent makes such a table at each decision. Recorded beside the match log, the tables let
AIVAT remove luck from the result.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from acpcbot.agents.decision_stream import decision_stream
from acpcbot.matches.agent import RecordableAgent
from acpcbot.poker.actions import Action
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import hand_number
from acpcbot.protocol.messages import MatchState
from acpcbot.strategies.policy import drawn_index
from acpcbot.strategies.public_strategy import ActionTable, PublicStrategy
from acpcbot.strategies.strategy_file import StrategyRecorder


class TableAgent(RecordableAgent):
    """Agent that plays *strategy*; set *recorder* to keep its tables."""

    is_instant = False

    def __init__(self, definition: GameDefinition, seed: int, strategy: PublicStrategy) -> None:
        self.definition, self.seed, self.strategy = definition, seed, strategy
        self.recorder: StrategyRecorder | None = None

    def act(self, state: MatchState, deadline_s: float) -> Action:
        """Return an action drawn by the probabilities of the hand held.

        Where they are recorded, the recorded (rounded) probabilities are played.
        """
        table = self.table(state, deadline_s)
        if self.recorder is not None:
            table = self.recorder.record(state, table)
        own = table.probabilities[hand_number(self.definition, state.own_cards)]
        return table.actions[drawn_index(own, decision_stream(self.seed, state).unit())]

    def table(self, state: MatchState, deadline_s: float) -> ActionTable:
        """Return the probabilities with every hand, before *deadline_s*."""
        return self.strategy.table(state.betting, state.board)


@contextmanager
def recording(agent: TableAgent, path: Path) -> Iterator[None]:
    """Record the tables of *agent* to *path* while the context lasts.

    Raises UsageError if the file cannot be opened.
    """
    with closing(StrategyRecorder(path, agent.definition)) as agent.recorder:
        yield
