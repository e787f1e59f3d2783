"""One hand as the dealer knows it: all cards, the betting so far, and what each seat may see.

Used by the dealer's table and by matches in process; the only place where full
knowledge is turned into views, lines, records and values.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import accumulate, compress

from acpcbot.cards.deck import format_cards
from acpcbot.matches.settings import MatchSettings
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.dealing import Deal
from acpcbot.poker.payoffs import payoffs
from acpcbot.protocol.grammar import format_board, visible_cards
from acpcbot.protocol.messages import MatchState
from acpcbot.protocol.records import compose_state_record


class Hand:
    """A hand in play; *betting* moves on with each action.

    *views* has for each position its seat, what a line to it begins with, and its own cards. Before a
    showdown a line is put together from these, the betting's text between them, and one of *boards*, by
    street, with the line end. The views stand there twice over: as many as there are players, beginning
    with any of them, are everybody's in the order of the table.
    """

    def __init__(
        self, settings: MatchSettings, hand_id: int, deal: Deal, betting: BettingState
    ) -> None:
        self.settings = settings
        self.hand_id = hand_id
        self.deal = deal
        self.betting = betting
        self._values: tuple[float, ...] | None = None
        definition = settings.definition
        num_players, num_board_cards = definition.num_players, definition.num_board_cards
        self.positions, self.seats = _rotation(
            num_players, 0 if settings.is_fixed else hand_id % num_players
        )
        number = b"%d:" % hand_id
        self._names = names = [format_cards(cards) for cards in deal.hole_cards]
        self.views = 2 * [
            (seat, tag + number, mark.replace(b"?", name.encode()))
            for seat, (tag, mark), name in zip(self.seats, _marks(num_players), names, strict=True)
        ]
        self._board = format_board(deal.board, num_board_cards, definition.num_streets - 1)
        board = self._board.encode()
        self.boards = [board[:length] + b"\r\n" for length in _board_lengths(num_board_cards)]

    @property
    def actor_seat(self) -> int:
        """The match seat of the player to act."""
        return self.seats[self.betting.actor]

    def apply(self, action: Action) -> None:
        """Let the actor take a legal *action*; raises IllegalAction."""
        self.betting = self.betting.apply(action)

    def _shown_cards(self) -> Sequence[bytes]:
        """The hole cards as each position sees them now."""
        names = self._names
        if not self.betting.is_showdown:
            return [cards for _, _, cards in self.views[: len(names)]]
        folded = self.betting.folded
        shown = ["" if has_folded else name for has_folded, name in zip(folded, names, strict=True)]
        seen = [f":{'|'.join(shown)}".encode()] * len(names)
        for position in compress(range(len(names)), folded):
            own = [*shown[:position], names[position], *shown[position + 1 :]]
            seen[position] = f":{'|'.join(own)}".encode()
        return seen

    def lines(self) -> list[bytes]:
        """What is sent to each seat now."""
        views, text, cards = self.views, self.betting.text.encode(), self._shown_cards()
        board = self.boards[self.betting.street]
        return [views[position][1] + text + cards[position] + board for position in self.positions]

    def line(self, position: int) -> bytes:
        """The line that is sent to *position* now."""
        return self.lines()[self.seats[position]]

    def text(self, position: int) -> str:
        """The state as it is sent to *position*, without its line end."""
        return self.line(position)[:-2].decode()

    def view(self, position: int) -> MatchState:
        """What *position* knows: his own cards, and after a showdown everyone's who stayed."""
        visible = visible_cards(self.deal.hole_cards, self.betting, position)
        board = self.deal.board[: self.settings.definition.board_size(self.betting.street)]
        return MatchState(position, self.hand_id, self.betting, visible, board, self.text(position))

    @property
    def values(self) -> tuple[float, ...]:
        """Chips won by each position; to be asked for when the hand is over."""
        if self._values is None:
            assert self.betting.is_over
            self._values = payoffs(self.betting, self.deal.hole_cards, self.deal.board)
        return self._values

    def record(self) -> str:
        """The finished hand's STATE line."""
        names = [self.settings.player_names[seat] for seat in self.seats]
        board = self._board[: len(self.boards[self.betting.street]) - 2]
        return compose_state_record(
            self.hand_id, self.betting.text, "|".join(self._names) + board, self.values, names
        )


@cache
def _rotation(num_players: int, shift: int) -> tuple[Sequence[int], Sequence[int]]:
    """The position of each seat, and the seat at each position, *shift* hands after the first."""
    places = range(num_players)
    return [(seat - shift) % num_players for seat in places], [
        (place + shift) % num_players for place in places
    ]


@cache
def _marks(num_players: int) -> Sequence[tuple[bytes, bytes]]:
    """What lines to each position begin with, and how his cards alone are shown, these as a
    question mark.
    """
    return [
        (
            b"MATCHSTATE:%d:" % position,
            b":" + b"|" * position + b"?" + b"|" * (num_players - 1 - position),
        )
        for position in range(num_players)
    ]


@cache
def _board_lengths(num_board_cards: Sequence[int]) -> Sequence[int]:
    """How much of the whole board's text stands on each street: its cards, and a slash between
    streets.
    """
    return [2 * count + street for street, count in enumerate(accumulate(num_board_cards))]
