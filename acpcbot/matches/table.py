"""The official dealer's side of a match, without sockets, files or a clock of its own.

A ``Table`` receives the seats' bytes and writes to a ``TableOutput``: bytes for the seats,
lines for the log and the transaction log, messages for the operator. Its phases are GREETING
(one VERSION line from each seat, in seat order), PLAYING and FINISHED; any error leads to
ABORTED, which is final.

Before every action the state is sent to every seat, the acting one first. Then lines are read
from the acting seat only; those of other seats wait until it is their turn. When a hand is
over, its end and the start of the next one are sent together.

Here *seat* is a program's fixed place in the match and *position* its place in one hand
(``MatchState.seat``).

Source: the ACPC server, release 1.0.42.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum, auto
from typing import Protocol

from acpcbot.errors import ProtocolError
from acpcbot.matches.hand import Hand
from acpcbot.matches.referee import Referee, TableState, TableStates
from acpcbot.matches.settings import MatchSettings, SeatClocks
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.dealing import Dealing
from acpcbot.protocol.grammar import Grammar, parse_version, scan_action
from acpcbot.protocol.lines import DEALER_LINE_LIMIT, LineBuffer, text_of
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
    """The outputs of a table. Log and transaction lines come without a line end."""

    def send(self, seat: int, data: bytes) -> None:
        """Send *data*, one or more whole lines, to *seat*."""

    def log(self, line: str) -> None:
        """Write a line of the match log; it is on disk when this returns."""

    def transact(self, line: str) -> None:
        """Write a line of the transaction log; it is on disk when this returns."""

    def talk(self, text: str) -> None:
        """Print *text*, line ends included, for the operator of the dealer."""


class Phase(Enum):
    """The phase of a match."""

    GREETING = auto()
    PLAYING = auto()
    FINISHED = auto()
    ABORTED = auto()


class Table:
    """One match as the official dealer plays it.

    *clock* gives the time in microseconds. *transactions* are the lines of an earlier
    transaction log, which are replayed before play continues. *num_logged* is the number of
    finished hands that the log already holds; replayed hands that it lacks are added.

    *is_live* is True until the match is finished or aborted. *heard_seat* is the seat whose
    lines are read now. *takes_lines_at_once* is True while hands are played, no received line
    waits in an inbox, and no seat has a backlog of unsent data.
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
        self.takes_lines_at_once = False
        self._output = output
        self._send = output.send
        self._clock = clock
        self._transactions = transactions
        self._num_logged = num_logged
        self._game = BettingRules(settings.definition)
        self._referee = Referee(Grammar(self._game))
        self._states = TableStates(self._game, judges_all=not self._referee.echo_is_plain)
        self._state = self._states.start
        self._dealing = Dealing(settings.definition, settings.seed)
        self._clocks = SeatClocks(settings.limits, settings.definition.num_players)
        self._inboxes = [LineBuffer(DEALER_LINE_LIMIT) for _ in settings.player_names]
        self._has_ended = [False] * settings.definition.num_players
        self._num_players = settings.definition.num_players
        self._unsent: Sequence[bytes] = ()
        self._echo = b""
        self._is_talkative = not settings.is_quiet
        self._keeps_transactions = settings.keeps_transactions
        self._sent_us = 0

    def waiting(self, seat: int) -> int:
        """Return the number of bytes from *seat* that wait for their turn."""
        return len(self._inboxes[seat])

    def receive(self, seat: int, data: bytes) -> None:
        """Take *data* from *seat*, and use the lines that are due."""
        if (
            self.takes_lines_at_once
            and seat == self.heard_seat
            and data.find(b"\n") + 1 == len(data) <= DEALER_LINE_LIMIT
        ):
            self._hear(data)  # the usual case: one whole line, which needs no inbox
        else:
            self._inboxes[seat].feed(data)
            self.takes_lines_at_once = False
            if seat == self.heard_seat:
                self.advance()

    def hold(self) -> None:
        """Take no lines until ``release``, because a seat does not read the data sent to it."""
        self.is_held = True
        self.takes_lines_at_once = False

    def release(self) -> None:
        """Continue after a hold; the time of the slow reader is not charged to the heard seat."""
        self.is_held = False
        self._sent_us = self.wait_started_us = self._clock()
        self.advance()

    def receive_eof(self, seat: int) -> None:
        """Mark the stream of *seat* as ended; the seat may still read."""
        self._has_ended[seat] = True
        self.takes_lines_at_once = False
        if seat == self.heard_seat:
            self.advance()

    def advance(self) -> None:
        """Process the lines that the heard seat has sent, and those that are due after them."""
        while self.is_live and not self.is_held:
            line = self._next_line()
            if line is None:
                self._take_lines_at_once()
                return
            if self.phase is Phase.GREETING:
                self._greet(line)
            else:
                self._hear(line)

    def _take_lines_at_once(self) -> None:
        """Let lines bypass the inboxes if all of these are empty and no stream has ended."""
        self.takes_lines_at_once = (
            self.phase is Phase.PLAYING
            and not any(map(len, self._inboxes))
            and not any(self._has_ended)
        )

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
        """End the match because the heard seat sent no line in time."""
        if self.phase is Phase.GREETING:
            self.abort(
                f"ERROR: timed out waiting for the version string of seat {self.heard_seat + 1}\n"
            )
            return
        spent = (self._clock() - self.wait_started_us) / MICROS
        limit = self.settings.limits.response_us / MICROS
        self.abort(
            f"ERROR: could not get action from seat {self.heard_seat + 1}\n",
            f"{spent:.1f} seconds spent waiting; timeout {limit:.1f}\n",
        )

    def abort(self, *texts: str) -> None:
        """End the match without a score, and print *texts*, its reason."""
        if self.is_live:
            self._end(Phase.ABORTED)
            for text in texts:
                self._output.talk(text)

    def _end(self, phase: Phase) -> None:
        self.phase = phase
        self.is_live = self.takes_lines_at_once = False

    def _greet(self, line: bytes) -> None:
        line = line.partition(b"\0")[0]
        try:
            version = parse_version(line.decode("latin-1"))
        except ProtocolError:
            self.abort(f"ERROR: invalid version string {text_of(line)}")
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
        if self._is_talkative:
            self._output.talk(f"STARTED at {format_time(self._clock())}\n")
        self._start_hand()
        if self._replay_transactions():
            self._go_on()

    def _start_hand(self) -> None:
        self._clocks.start_hand()
        if self.hand_id < self.settings.num_hands:
            self._state = self._states.start_hand()
            self._hand = Hand(
                self.settings, self.hand_id, self._dealing.next_deal(), self._game.start
            )

    def _replay_transactions(self) -> bool:
        """Replay the recorded actions and their times; return False if they are impossible."""
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
        following = self._states.after(self._state, transaction.action)
        if following is None:
            return f"invalid action in transaction log: {line}"
        seat = self._hand.seats[self._state.actor]
        if not self._clocks.charge(seat, transaction.received_us - transaction.sent_us):
            return f"seat {seat + 1} ran out of time in transaction file"
        self._state = following
        if following.is_over:
            self._hand.betting = self._states.betting(following)
            if self.hand_id >= self._num_logged:
                unlogged.append(self._hand.record())
            self._score_hand()
        return ""

    def _unreadable_part(self, line: str) -> str:
        scanned = scan_action(line, 0, is_limit=self.settings.definition.is_limit)
        return "action" if scanned is None or scanned[0] is None else "stamp"

    def _go_on(self) -> None:
        """Continue with the current hand, or end the match."""
        if self.hand_id < self.settings.num_hands:
            self._ask()
        else:
            self._finish()

    def _ask(self) -> None:
        """Send the state to every seat, the acting one first, which is read next."""
        hand, state = self._hand, self._state
        send = self._send_behind_end if self._unsent else self._send
        text, board, actor = state.text, hand.boards[state.street], state.actor
        self.heard_seat, head, cards = hand.views[actor]
        line = head + text + cards + board
        self._echo = line[:-2]
        send(self.heard_seat, line)
        for seat, head, cards in hand.views[actor + 1 : actor + self._num_players]:
            send(seat, head + text + cards + board)
        self._unsent = ()
        if self._is_talkative:
            self._report_sending()
        self._sent_us = self.wait_started_us = self._clock()

    def _send_behind_end(self, seat: int, line: bytes) -> None:
        """Send *line* behind the end of the last hand."""
        self._send(seat, self._unsent[seat] + line)

    def _report_sending(self) -> None:
        self._hand.betting = self._states.betting(self._state)
        for seat, line in enumerate(self._hand.lines()):
            self._output.talk(f"TO {seat + 1} at {format_time(self._clock())} {line.decode()}")

    def _hear(self, line: bytes) -> None:
        received_us = self.wait_started_us = self._clock()
        if self._is_talkative:
            self._output.talk(
                f"FROM {self.heard_seat + 1} at {format_time(received_us)} {text_of(line)}"
            )
        used_us, echo, following = received_us - self._sent_us, self._echo, None
        if line.startswith(echo):
            state, tail = self._state, line[len(echo) :]
            following = state.replies.get(tail) or self._states.learn(state, tail)
        if following is None:
            following = self._judge(line) if self._is_in_time(line, used_us) else None
            if following is None:
                return
        elif not self._clocks.charge(self.heard_seat, used_us):
            self._abort_for_time()
            return
        if self._keeps_transactions:
            transaction = Transaction(following.action, self.hand_id, self._sent_us, received_us)
            self._output.transact(format_transaction(transaction))
        self._state = following
        if following.is_over:
            self._end_hand()
            self._go_on()
        else:
            self._ask()

    def _is_in_time(self, line: bytes, used_us: int) -> bool:
        """Charge the heard seat for *line*; end the match and return False if a limit is exceeded.

        Comments are free and restart the wait, but not beyond the time limit of a reply (the
        official dealer waits without end).
        """
        if line[:1] in COMMENT_MARKS:
            is_in_time = used_us <= self.settings.limits.response_us
        else:
            is_in_time = self._clocks.charge(self.heard_seat, used_us)
        if not is_in_time:
            self._abort_for_time()
        return is_in_time

    def _abort_for_time(self) -> None:
        self.abort(f"ERROR: seat {self.heard_seat + 1} ran out of time\n")

    def _judge(self, line: bytes) -> TableState | None:
        """Return the state after *line* by the official order of checks, None if it is ignored."""
        if line[:1] in COMMENT_MARKS:
            return None
        self._hand.betting = self._states.betting(self._state)
        verdict = self._referee.judge(line, self._hand.view(self._state.actor))
        for warning in verdict.warnings:
            self._output.talk(f"{warning}\n")
        return None if verdict.action is None else self._states.after(self._state, verdict.action)

    def _end_hand(self) -> None:
        self._hand.betting = self._states.betting(self._state)
        self._output.log(self._hand.record())
        self._unsent = self._hand.lines()  # sent together with the next hand's first state
        if self._is_talkative:
            self._report_sending()
        if self._is_talkative and self.hand_id % HANDS_BETWEEN_TIME_REPORTS == 0:
            for seat, used_us in enumerate(self._clocks.match_us):
                self._output.talk(
                    f"Seconds cumulatively spent in match for seat {seat}: {used_us // MICROS}\n"
                )
        self._score_hand()

    def _score_hand(self) -> None:
        values = self._hand.values
        for seat, position in enumerate(self._hand.positions):
            self.scores[seat] += values[position]
        self.hand_id += 1
        self._start_hand()

    def _finish(self) -> None:
        for seat, line in enumerate(self._unsent):
            self._send(seat, line)
        self._end(Phase.FINISHED)
        score = format_score_record(self.scores, self.settings.player_names)
        if self._is_talkative:
            self._output.talk(f"FINISHED at {format_time(self._sent_us)}\n")
        self._output.talk(f"{score}\n")
        self._output.log(score)
