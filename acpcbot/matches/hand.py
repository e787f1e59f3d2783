"""One hand as the dealer knows it: all cards, the betting so far, and what each seat may see.

Used by the dealer's table and by matches in process; the only place where full
knowledge is turned into views, records and values.
"""

from __future__ import annotations

from functools import cached_property

from acpcbot.matches.settings import MatchSettings
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.dealing import Deal
from acpcbot.poker.payoffs import payoffs
from acpcbot.protocol.grammar import format_board, format_hole_cards, visible_cards
from acpcbot.protocol.messages import MatchState
from acpcbot.protocol.records import format_state_record


class Hand:
    """A hand in play; *betting* moves on with each action."""

    def __init__(self, settings: MatchSettings, hand_id: int, deal: Deal, betting: BettingState) -> None:
        self.settings = settings
        self.hand_id = hand_id
        self.deal = deal
        self.betting = betting
        self.positions = [settings.position(seat, hand_id) for seat in range(settings.definition.num_players)]
        self.seats = [settings.seat(position, hand_id) for position in range(settings.definition.num_players)]
        self._prefixes = [f"MATCHSTATE:{position}:{hand_id}:" for position in range(len(self.positions))]
        self._show_hole_cards()
        self._show_board()

    @property
    def actor_seat(self) -> int:
        """The match seat of the player to act."""
        return self.seats[self.betting.actor]

    def apply(self, action: Action) -> None:
        """Let the actor take a legal *action*; raises IllegalAction."""
        before = self.betting
        self.betting = before.apply(action)
        if self.betting.is_showdown:
            self._show_hole_cards()
        if self.betting.street != before.street:
            self._show_board()

    def _show_hole_cards(self) -> None:
        positions = range(len(self.positions))
        self._hole_texts = [format_hole_cards(self.deal.hole_cards, self.betting, viewer) for viewer in positions]

    def _show_board(self) -> None:
        num_board_cards = self.settings.definition.num_board_cards
        self._board_text = format_board(self.deal.board, num_board_cards, self.betting.street)

    def text(self, position: int) -> str:
        """The state as it is sent to *position*, without its line end."""
        return f"{self._prefixes[position]}{self.betting.text}:{self._hole_texts[position]}{self._board_text}"

    def line(self, position: int) -> bytes:
        """The line that is sent to *position*."""
        return f"{self.text(position)}\r\n".encode()

    def view(self, position: int) -> MatchState:
        """What *position* knows: his own cards, and after a showdown everyone's who stayed."""
        visible = visible_cards(self.deal.hole_cards, self.betting, position)
        board = self.deal.board[: self.settings.definition.board_size(self.betting.street)]
        return MatchState(position, self.hand_id, self.betting, visible, board, self.text(position))

    @cached_property
    def values(self) -> tuple[float, ...]:
        """Chips won by each position; to be asked for when the hand is over."""
        assert self.betting.is_over
        return payoffs(self.betting, self.deal.hole_cards, self.deal.board)

    def record(self) -> str:
        """The finished hand's STATE line."""
        names = [self.settings.player_names[seat] for seat in self.seats]
        return format_state_record(self.hand_id, self.betting, self.deal, self.values, names)
