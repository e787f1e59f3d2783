"""An agent that plays from a table of what it does with every hand, and can have that written down.

An agent that searches makes such a table at each decision. It hands it over here, and
whoever runs a match keeps the tables beside the log, so that luck can be taken out of the result.
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
    """Plays *strategy*; *recorder* is set by who keeps the tables."""

    is_instant = False

    def __init__(self, definition: GameDefinition, seed: int, strategy: PublicStrategy) -> None:
        self.definition, self.seed, self.strategy = definition, seed, strategy
        self.recorder: StrategyRecorder | None = None

    def act(self, state: MatchState, deadline_s: float) -> Action:
        """An action by the probabilities of the hand that it has, as they are written where
        they are.
        """
        table = self.table(state, deadline_s)
        if self.recorder is not None:
            table = self.recorder.record(state, table)
        own = table.probabilities[hand_number(self.definition, state.own_cards)]
        return table.actions[drawn_index(own, decision_stream(self.seed, state).unit())]

    def table(self, state: MatchState, deadline_s: float) -> ActionTable:
        """What is done with every hand, before *deadline_s*."""
        return self.strategy.table(state.betting, state.board)


@contextmanager
def recording(agent: TableAgent, path: Path) -> Iterator[None]:
    """Let what *agent* does with every hand be written to *path*.

    Raises UsageError if that cannot be.
    """
    with closing(StrategyRecorder(path, agent.definition)) as agent.recorder:
        yield
