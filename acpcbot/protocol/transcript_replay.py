"""The states that a dealer sends, played again: each must follow from the one before it.

A dealer sends every state to each seat in turn, with the cards that this seat may see. So the betting
goes on by one action at a time, a hand begins when the one before it is over, cards stay what they
were, and at a showdown everything is known that decides the hand's values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from acpcbot.errors import BadCards, ProtocolError
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.deck_convention import DeckConvention
from acpcbot.poker.payoffs import payoffs
from acpcbot.protocol.grammar import Grammar, scan_action
from acpcbot.protocol.log_tally import ROUNDING
from acpcbot.protocol.messages import MatchState


class TranscriptReplay:
    """A match as far as a transcript has told it; it may begin in the middle.

    Columns in errors count from the beginning of the message.
    """

    def __init__(self, game: BettingRules) -> None:
        self.num_players = game.definition.num_players
        self._game = game
        self._grammar = Grammar(game)
        self._convention = DeckConvention(game.definition.num_suits, game.definition.num_ranks)
        self._rotations = {True, False}
        self._state: MatchState | None = None
        self._next_seat = 0
        self._is_whole = False
        self._num_hands = 0
        self._totals = [0.0] * self.num_players
        self._begin_hand()

    def _begin_hand(self) -> None:
        self._hole_cards: list[tuple[int, ...]] = [()] * self.num_players
        self._board: tuple[int, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether a hand has begun that is not over, or not told to every seat."""
        return self._state is not None and not (self._state.betting.is_over and self._next_seat == 0)

    def take(self, seat: int, line: str) -> MatchState:
        """The state in *line*, sent to *seat*; raises ``ProtocolError`` if it does not follow."""
        state = self._grammar.read(line)
        if seat != self._next_seat:
            raise ProtocolError(line, 0, f"a state for seat {self._next_seat + 1}")
        self._verify_position(state, seat)
        self._verify_betting(state)
        self._verify_cards(state)
        self._state = state
        self._next_seat = (seat + 1) % self.num_players
        if state.betting.is_over and self._next_seat == 0:
            self._add_values(state)
        return self._translated(state)

    def is_possible_score(self, values: Sequence[float]) -> bool:
        """Whether *values* by seat are the match's totals, as far as the transcript tells."""
        if self._state is None or not self._is_whole:
            return True
        tolerance = ROUNDING * (1 + self._num_hands)
        return not self.is_open and all(
            abs(value - total) <= tolerance for value, total in zip(values, self._totals, strict=True)
        )

    def _verify_position(self, state: MatchState, seat: int) -> None:
        """Seats rotate from hand to hand, or keep their positions all the match."""
        possible = {
            rotates for rotates in self._rotations if self._position(state, seat, rotates=rotates) == state.seat
        }
        if not possible:
            raise ProtocolError(state.line, _column(state, 1), f"seat {seat + 1}'s position in this hand")
        self._rotations = possible

    def _position(self, state: MatchState, seat: int, *, rotates: bool) -> int:
        return (seat - state.hand_id) % self.num_players if rotates else seat

    def _verify_betting(self, state: MatchState) -> None:
        before = self._state
        if before is None:
            self._is_whole = state.hand_id == 0 and state.betting is self._game.start
        elif self._next_seat > 0:
            self._expect(state, before.hand_id, before.betting.text, f"{before.betting.text!r} as before")
        elif before.betting.is_over:
            self._expect(state, before.hand_id + 1, "", "no betting")
            self._begin_hand()
        else:
            following = self._following(before.betting, state.betting.text)
            self._expect(state, before.hand_id, following, f"{before.betting.text!r} with one action more")

    def _expect(self, state: MatchState, hand_id: int, betting: str | None, described: str) -> None:
        if state.hand_id != hand_id:
            raise ProtocolError(state.line, _column(state, 2), f"hand {hand_id}")
        if state.betting.text != betting:
            raise ProtocolError(state.line, _column(state, 3), described)

    def _following(self, betting: BettingState, text: str) -> str | None:
        """The betting after the action that *text* has behind *betting*, if it has one."""
        scanned = scan_action(text, len(betting.text), is_limit=self._game.definition.is_limit)
        if not text.startswith(betting.text) or scanned is None or scanned[0] is None:
            return None
        return betting.apply(scanned[0]).text

    def _verify_cards(self, state: MatchState) -> None:
        column = _column(state, 4)
        for position, cards in enumerate(state.hole_cards):
            is_visible = position == state.seat or state.betting.shows(position)
            known = self._hole_cards[position]
            if not cards and is_visible:
                raise ProtocolError(state.line, column, f"the cards of position {position}")
            if cards and not is_visible:
                raise ProtocolError(state.line, column, f"the cards of position {position} to be hidden")
            if cards and known not in ((), cards):
                raise ProtocolError(state.line, column, f"the same cards of position {position} as before")
            self._hole_cards[position] = cards or known
        if state.board[: len(self._board)] != self._board:
            raise ProtocolError(state.line, column, "the same board as before")
        self._board = state.board
        self._verify_deck(state, column)

    def _verify_deck(self, state: MatchState, column: int) -> None:
        dealt = [card for cards in self._hole_cards for card in cards] + list(self._board)
        if len(set(dealt)) < len(dealt):
            raise ProtocolError(state.line, column, "cards that are not dealt already")
        try:
            self._convention.see(dealt)
        except BadCards as error:
            raise ProtocolError(state.line, column, f"cards of one deck of this game ({error})") from None

    def _add_values(self, state: MatchState) -> None:
        values = payoffs(state.betting, self._hole_cards, state.board)
        rotates = True in self._rotations
        for seat in range(self.num_players):
            self._totals[seat] += values[self._position(state, seat, rotates=rotates)]
        self._num_hands += 1

    def _translated(self, state: MatchState) -> MatchState:
        """*state* with cards of the definition's own deck."""
        if not self._convention.lowest:
            return state
        translate = self._convention.to_canonical
        hole_cards = tuple([tuple(map(translate, cards)) for cards in state.hole_cards])
        return replace(state, hole_cards=hole_cards, board=tuple(map(translate, state.board)))


def _column(state: MatchState, index: int) -> int:
    """Where field *index* of the message begins."""
    return sum(len(field) + 1 for field in state.line.split(":")[:index])
