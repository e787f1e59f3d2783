"""A client's end of a connection, without a socket: feed it bytes, get events.

::

    connection = ClientConnection(game)
    send(connection.greeting)
    for event in connection.receive(data):
        if isinstance(event, MatchState) and event.is_my_turn:
            send(connection.reply(event, action))

A line that no dealer of this game can send raises ProtocolError, then and at every later call:
after a damaged line the position in the stream is unknown.
"""

from __future__ import annotations

from dataclasses import replace

from acpcbot.errors import BadCards, LineTooLong, ProtocolError
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.deck_convention import DeckConvention
from acpcbot.poker.rules import ACTOR, OVER
from acpcbot.protocol.grammar import Grammar, format_reply, format_version
from acpcbot.protocol.lines import CLIENT_LINE_LIMIT, LineBuffer
from acpcbot.protocol.messages import PROTOCOL_VERSION, Comment, MatchState, StreamEnded

Event = MatchState | Comment | StreamEnded


class ClientConnection:
    """Parser of a dealer's bytes into events, and writer of replies."""

    greeting = (format_version(PROTOCOL_VERSION) + "\n").encode()

    def __init__(self, game: BettingRules) -> None:
        self.game = game
        self._grammar = Grammar(game)
        self._lines = LineBuffer(CLIENT_LINE_LIMIT)
        self._convention = DeckConvention(game.definition.num_suits, game.definition.num_ranks)
        self.hand_is_open = False
        self._last_checked: MatchState | None = None
        self._is_translated = False
        self._refusal: ProtocolError | None = None

    def receive(self, data: bytes) -> list[Event]:
        """Return the events that *data* completes, in order."""
        if self._lines.is_line(data):
            return [self._event(data)]
        self._lines.feed(data)
        events: list[Event] = []
        while (line := self._lines.next_line()) is not None:
            events.append(self._event(line))
        return events

    def receive_eof(self) -> list[Event]:
        """Return the events at the end of the stream.

        These are a last line without a line end, if there is one, and the end itself.
        """
        rest = self._lines.rest()
        events: list[Event] = [self._event(rest + b"\n")] if rest else []
        return [*events, StreamEnded(hand_was_over=not self.hand_is_open)]

    def reply(self, state: MatchState, action: Action) -> bytes:
        """Return the bytes that answer *state* with *action*; raises IllegalAction."""
        state.betting.verify_action(action)
        return format_reply(state, action)

    def _event(self, raw: bytes) -> Event:
        """Return the event of one line, or raise the error of the first refused line again."""
        if self._refusal is not None:
            raise self._refusal
        try:
            line = raw.decode("latin-1")
            if not line.endswith("\n"):
                raise LineTooLong(line[:80], 80, f"a line end within {CLIENT_LINE_LIMIT} bytes")
            line = line.rstrip("\r\n")
            state = self._grammar.quick(line)
            if state is None:
                if line.startswith(("#", ";")):
                    return Comment(line)
                state = self._grammar.read(line)
            last = self._last_checked
            # The grammar returns the same objects for the same text, so cards that are identical
            # objects were verified with the line before.
            if (
                last is None
                or state.hole_cards is not last.hole_cards
                or state.board is not last.board
                or state.seat != last.seat
            ):
                self._check_cards(state)
                self._last_checked = state
        except ProtocolError as error:
            self._refusal = error
            raise
        self.hand_is_open = state.betting.vector[ACTOR] != OVER
        return self._in_our_deck(state) if self._is_translated else state

    def _in_our_deck(self, state: MatchState) -> MatchState:
        """Return *state* with cards of the definition's own deck."""
        translate = self._convention.to_canonical
        hole_cards = tuple([tuple(map(translate, held)) for held in state.hole_cards])
        return replace(state, hole_cards=hole_cards, board=tuple(map(translate, state.board)))

    def _check_cards(self, state: MatchState) -> None:
        """Raise ProtocolError unless the cards are different cards of one deck of the game."""
        cards = [card for held in state.hole_cards for card in held] + list(state.board)
        column = state.line.rindex(":") + 1
        if not state.own_cards:
            raise ProtocolError(state.line, column, "the receiver's own hole cards")
        if len(set(cards)) < len(cards):
            raise ProtocolError(state.line, column, "different cards")
        try:
            self._convention.see(cards)
        except BadCards as error:
            raise ProtocolError(state.line, column, f"cards of this game ({error})") from None
        self._is_translated = bool(self._convention.lowest)
