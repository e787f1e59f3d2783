"""The official dealer's side of a match, without sockets, files or a clock of its own.

A ``Table`` is fed what the seats send and writes to a ``TableOutput``: bytes for
the seats, lines for the log, the transaction log and the dealer's talk. It goes
through GREETING (one VERSION line from each seat, in seat order), PLAYING and
FINISHED; any error leads to ABORTED, where nothing more happens.

Before every action the state goes to every seat, the acting one first, then lines
are taken from the acting seat only; what others send waits until it is their turn.

Here *seat* is a program's fixed place in the match and *position* its place in
one hand (``MatchState.seat``).

Source: the ACPC server, release 1.0.42.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum, auto
from typing import Protocol

from acpcbot.errors import ProtocolError
from acpcbot.matches.hand import Hand
from acpcbot.matches.referee import Referee
from acpcbot.matches.settings import MatchSettings
from acpcbot.matches.time_limits import SeatClocks
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.dealing import Dealing
from acpcbot.protocol.grammar import Grammar, parse_version, scan_action
from acpcbot.protocol.lines import DEALER_LINE_LIMIT, LineBuffer
from acpcbot.protocol.messages import PROTOCOL_VERSION
from acpcbot.protocol.records import (
    MICROS,
    Transaction,
    format_score_record,
    format_time,
    format_transaction,
    parse_transaction,
)

HANDS_BETWEEN_TIME_REPORTS = 100
COMMENT_MARKS = (b"#", b";")


class TableOutput(Protocol):
    """Where a table writes. Records come without a line end."""

    def send(self, seat: int, data: bytes) -> None:
        """Bytes for *seat*."""

    def log(self, line: str) -> None:
        """A line for the match log, to be on disk when this returns."""

    def transact(self, line: str) -> None:
        """A line for the transaction log, to be on disk when this returns."""

    def talk(self, text: str) -> None:
        """Text for whoever watches the dealer, line ends included."""


class Phase(Enum):
    """Where a match stands."""

    GREETING = auto()
    PLAYING = auto()
    FINISHED = auto()
    ABORTED = auto()


class Table:
    """One match as the official dealer plays it.

    *clock* gives the time in microseconds. *transactions* are the lines of an
    earlier transaction log to replay before play goes on, *num_logged* how many
    finished hands the log holds already; what it lacks of the others is added.

    *is_live* says that the match has neither finished nor been aborted,
    *heard_seat* is the seat whose lines are taken now, *is_held* stops the taking
    while somebody does not read what he is sent.
    """

    def __init__(
        self,
        settings: MatchSettings,
        output: TableOutput,
        clock: Callable[[], int],
        transactions: Sequence[str] = (),
        num_logged: int = 0,
    ) -> None:
        self.settings = settings
        self.phase = Phase.GREETING
        self.is_live = True
        self.hand_id = 0
        self.heard_seat = 0
        self.wait_started_us = 0
        self.scores = [0.0] * settings.definition.num_players
        self.is_held = False
        self._output = output
        self._clock = clock
        self._transactions = transactions
        self._num_logged = num_logged
        self._game = BettingRules(settings.definition)
        self._referee = Referee(Grammar(self._game))
        self._dealing = Dealing(settings.definition, settings.seed)
        self._clocks = SeatClocks(settings.limits, settings.definition.num_players)
        self._inboxes = [LineBuffer(DEALER_LINE_LIMIT) for _ in settings.player_names]
        self._has_ended = [False] * settings.definition.num_players
        self._sent_us = 0

    def waiting(self, seat: int) -> int:
        """Bytes from *seat* that wait for their turn."""
        return len(self._inboxes[seat])

    def receive(self, seat: int, data: bytes) -> None:
        """Take *data* from *seat*."""
        self._inboxes[seat].feed(data)
        if seat == self.heard_seat:
            self.advance()

    def receive_eof(self, seat: int) -> None:
        """Take note that *seat* sends nothing more; it may still be listening."""
        self._has_ended[seat] = True
        if seat == self.heard_seat:
            self.advance()

    def advance(self) -> None:
        """Use up the lines that the heard seat has sent, as far as they go."""
        while self.is_live and not self.is_held:
            line = self._next_line()
            if line is None:
                return
            if self.phase is Phase.GREETING:
                self._greet(line)
            else:
                self._hear(line)

    def _next_line(self) -> bytes | None:
        inbox = self._inboxes[self.heard_seat]
        line = inbox.next_line()
        if line is None and self._has_ended[self.heard_seat]:
            line = inbox.rest()
            if not line:
                self._lose_heard_seat()
                return None
        return line

    def _lose_heard_seat(self) -> None:
        if self.phase is Phase.GREETING:
            self.abort(f"ERROR: could not read version string from seat {self.heard_seat + 1}\n")
        else:
            self.give_up_waiting()

    def give_up_waiting(self) -> None:
        """End the match because the heard seat sends no line."""
        if self.phase is Phase.GREETING:
            self.abort(f"ERROR: timed out waiting for the version string of seat {self.heard_seat + 1}\n")
            return
        spent = (self._clock() - self.wait_started_us) / MICROS
        limit = self.settings.limits.response_us / MICROS
        self.abort(
            f"ERROR: could not get action from seat {self.heard_seat + 1}\n",
            f"{spent:.1f} seconds spent waiting; timeout {limit:.1f}\n",
        )

    def abort(self, *texts: str) -> None:
        """End the match without a score, for the reason in *texts*."""
        if self.is_live:
            self.phase = Phase.ABORTED
            self.is_live = False
            for text in texts:
                self._output.talk(text)

    def _greet(self, line: bytes) -> None:
        text = line.decode("latin-1").partition("\0")[0]
        try:
            version = parse_version(text)
        except ProtocolError:
            self.abort(f"ERROR: invalid version string {text}")
            return
        if version[0] != PROTOCOL_VERSION[0] or version[1] > PROTOCOL_VERSION[1]:
            expected = ".".join(map(str, PROTOCOL_VERSION))
            self._output.talk(f"ERROR: this server is currently using version {expected}\n")
        if self.heard_seat + 1 < len(self._inboxes):
            self.heard_seat += 1
            self.wait_started_us = self._clock()
        else:
            self._start()

    def _start(self) -> None:
        self.phase = Phase.PLAYING
        if not self.settings.is_quiet:
            self._output.talk(f"STARTED at {format_time(self._clock())}\n")
        self._start_hand()
        if self._replay_transactions():
            self._go_on()

    def _start_hand(self) -> None:
        self._clocks.start_hand()
        if self.hand_id < self.settings.num_hands:
            self._hand = Hand(self.settings, self.hand_id, self._dealing.next_deal(), self._game.start)

    def _replay_transactions(self) -> bool:
        """Play the recorded actions again, with their times; False if they cannot have happened."""
        unlogged: list[str] = []
        for line in self._transactions:
            problem = self._replay(line, unlogged)
            if problem:
                self.abort(f"ERROR: {problem}\n")
                return False
        for record in unlogged:
            self._output.log(record)
        return True

    def _replay(self, line: str, unlogged: list[str]) -> str:
        transaction = parse_transaction(line, is_limit=self.settings.definition.is_limit)
        if transaction is None:
            return f"could not parse transaction {self._unreadable_part(line)} {line}"
        if transaction.hand_id != self.hand_id or self.hand_id >= self.settings.num_hands:
            return f"handId mismatch in transaction log: {line}"
        if not self._hand.betting.can_act(transaction.action):
            return f"invalid action in transaction log: {line}"
        seat = self._hand.actor_seat
        if not self._clocks.charge(seat, transaction.received_us - transaction.sent_us):
            return f"seat {seat + 1} ran out of time in transaction file"
        self._hand.apply(transaction.action)
        if self._hand.betting.is_over:
            if self.hand_id >= self._num_logged:
                unlogged.append(self._hand.record())
            self._score_hand()
        return ""

    def _unreadable_part(self, line: str) -> str:
        scanned = scan_action(line, 0, is_limit=self.settings.definition.is_limit)
        return "action" if scanned is None or scanned[0] is None else "stamp"

    def _go_on(self) -> None:
        """Tell every seat where the hand stands; the acting one is heard next."""
        if self.hand_id >= self.settings.num_hands:
            self._finish()
            return
        self._tell_all()
        self.heard_seat = self._hand.actor_seat
        self._sent_us = self.wait_started_us = self._clock()

    def _tell_all(self) -> None:
        """Send the state to every seat; the actor comes first and thinks while the others are told."""
        hand, send = self._hand, self._output.send
        actor = -1 if hand.betting.is_over else hand.actor_seat
        if actor >= 0:
            line = hand.line(hand.betting.actor)
            self._echo = line[:-2]
            send(actor, line)
        for seat, position in enumerate(hand.positions):
            if seat != actor:
                send(seat, hand.line(position))
        if not self.settings.is_quiet:
            self._report_sending()

    def _report_sending(self) -> None:
        for seat, position in enumerate(self._hand.positions):
            text = self._hand.line(position).decode()
            self._output.talk(f"TO {seat + 1} at {format_time(self._clock())} {text}")

    def _hear(self, line: bytes) -> None:
        received_us = self.wait_started_us = self._clock()
        if not self.settings.is_quiet:
            text = line.decode("latin-1")
            self._output.talk(f"FROM {self.heard_seat + 1} at {format_time(received_us)} {text}")
        if not self._is_in_time(line, received_us - self._sent_us):
            self.abort(f"ERROR: seat {self.heard_seat + 1} ran out of time\n")
        elif line[:1] not in COMMENT_MARKS:
            self._answer(line, received_us)

    def _is_in_time(self, line: bytes, used_us: int) -> bool:
        """Charge the heard seat for *line*.

        Comments are free and restart the wait, but where a reply would come too
        late they cannot hold the match any longer (the official dealer waits on).
        """
        if line[:1] in COMMENT_MARKS:
            return used_us <= self.settings.limits.response_us
        return self._clocks.charge(self.heard_seat, used_us)

    def _answer(self, line: bytes, received_us: int) -> None:
        action = self._referee.quick(line, self._echo, self._hand.betting) or self._judge(line)
        if action is not None:
            self._act(action, received_us)

    def _judge(self, line: bytes) -> Action | None:
        verdict = self._referee.judge(line, self._hand.view(self._hand.betting.actor))
        for warning in verdict.warnings:
            self._output.talk(f"{warning}\n")
        return verdict.action

    def _act(self, action: Action, received_us: int) -> None:
        if self.settings.keeps_transactions:
            transaction = Transaction(action, self.hand_id, self._sent_us, received_us)
            self._output.transact(format_transaction(transaction))
        self._hand.apply(action)
        if self._hand.betting.is_over:
            self._end_hand()
        if self.phase is Phase.PLAYING:
            self._go_on()

    def _end_hand(self) -> None:
        self._output.log(self._hand.record())
        self._tell_all()
        if not self.settings.is_quiet and self.hand_id % HANDS_BETWEEN_TIME_REPORTS == 0:
            for seat, used_us in enumerate(self._clocks.match_us):
                self._output.talk(f"Seconds cumulatively spent in match for seat {seat}: {used_us // MICROS}\n")
        self._score_hand()

    def _score_hand(self) -> None:
        values = self._hand.values
        for seat, position in enumerate(self._hand.positions):
            self.scores[seat] += values[position]
        self.hand_id += 1
        self._start_hand()

    def _finish(self) -> None:
        self.phase = Phase.FINISHED
        self.is_live = False
        score = format_score_record(self.scores, self.settings.player_names)
        if not self.settings.is_quiet:
            self._output.talk(f"FINISHED at {format_time(self._sent_us)}\n")
        self._output.talk(f"{score}\n")
        self._output.log(score)
