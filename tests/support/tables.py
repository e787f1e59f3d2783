"""Matches at a table without sockets: a recorder for what it writes, a clock that tests set,
and players.

The players' actions depend on the state and a seed only, so a match that is
played again, or goes on after a cut, takes the same course.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from acpcbot.matches.settings import MatchSettings, TimeLimits
from acpcbot.matches.table import Phase, Table
from acpcbot.poker.actions import Action
from acpcbot.protocol.grammar import Grammar, format_reply
from acpcbot.protocol.messages import MatchState
from tests.support.games import definition_of, rules_of
from tests.support.playouts import random_action

GREETING = b"VERSION:2.0.0\n"
SECOND = 1_000_000
THINKING_US = 1_000
NAMES = ("Ann", "Bob", "Cyd", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon")

Policy = Callable[[MatchState], Action]


@dataclass
class Recorder:
    """Everything that a table wrote; *now_us* is the table's clock."""

    sent: list[bytes]
    logged: list[str] = field(default_factory=list)
    transactions: list[str] = field(default_factory=list)
    logged_before_transaction: list[int] = field(default_factory=list)
    talk_text: str = ""
    now_us: int = 0
    sendings: list[tuple[int, int]] = field(default_factory=list)
    """For each sending its seat, and how many lines it had."""

    def send(self, seat: int, data: bytes) -> None:
        self.sendings.append((seat, data.count(b"\n")))
        self.sent[seat] += data

    def log(self, line: str) -> None:
        self.logged.append(line)

    def transact(self, line: str) -> None:
        self.logged_before_transaction.append(len(self.logged))
        self.transactions.append(line)

    def talk(self, text: str) -> None:
        self.talk_text += text

    def clock(self) -> int:
        return self.now_us

    def last_line(self, seat: int) -> str:
        """The last state that *seat* was sent."""
        return self.sent[seat].decode().splitlines()[-1]


def settings_of(name: str, num_hands: int = 3, **changes: object) -> MatchSettings:
    """A match of the game *name* with the usual time limits."""
    definition = definition_of(name)
    settings = MatchSettings(
        name="match",
        game_name=f"{name}.game",
        definition=definition,
        num_hands=num_hands,
        seed=5,
        player_names=NAMES[: definition.num_players],
        limits=TimeLimits.from_milliseconds(600_000, 600_000, 7_000, num_hands),
    )
    return replace(settings, **changes)  # type: ignore[arg-type]


class Match:
    """A table, its recorder, and players who may be asked for their replies."""

    def __init__(
        self,
        settings: MatchSettings,
        *,
        transactions: Sequence[str] = (),
        num_logged: int = 0,
        now_us: int = 0,
        policy: Policy | None = None,
    ) -> None:
        self.recorder = Recorder([b"" for _ in settings.player_names], now_us=now_us)
        self.table = Table(settings, self.recorder, self.recorder.clock, transactions, num_logged)
        self.policy = policy or seeded_policy
        self._grammar = Grammar(rules_of(settings.game_name))

    @property
    def phase(self) -> Phase:
        return self.table.phase

    def greet(self) -> Match:
        """Let every seat send its VERSION line."""
        for seat in range(len(self.recorder.sent)):
            self.table.receive(seat, GREETING)
        return self

    def state(self, seat: int) -> MatchState:
        """The last state that *seat* was sent."""
        return self._grammar.read(self.recorder.last_line(seat))

    def reply(self) -> bytes:
        """Return the answer of the player whose turn it is."""
        state = self.state(self.table.heard_seat)
        return format_reply(state, self.policy(state))

    def hear(self, data: bytes, *, after_us: int = 0) -> None:
        """Let the heard seat send *data* after some time."""
        self.recorder.now_us += after_us
        self.table.receive(self.table.heard_seat, data)

    def play(self, num_actions: int = 1_000_000) -> Match:
        """Let the players act, to the end of the match or so many times."""
        for _ in range(num_actions):
            if self.phase is not Phase.PLAYING:
                break
            self.hear(self.reply(), after_us=THINKING_US)
        return self


def seeded_policy(state: MatchState) -> Action:
    """An action that depends on nothing but the state."""
    random = Random(f"{state.seat} {state.hand_id} {state.betting.text}")
    return random_action(random, state.betting.legal_actions(), state.definition.num_players)
