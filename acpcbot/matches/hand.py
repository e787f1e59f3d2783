"""One hand as the dealer knows it: all cards, the betting so far, and the view of each seat.

Used by the dealer's table and by matches in process; the only place where the full deal is
turned into views, lines, records and values.
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
    """A hand in play; *betting* changes with each action.

    *views* holds a tuple (seat, head of its lines, own cards) for each position. Before a
    showdown a line is head + betting text + own cards + ``boards[street]``, where *boards*
    include the line end. The list of views is repeated once, so that any slice of
    num_players entries holds all players in the order of the table.
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
        """The seat in the match of the player to act."""
        return self.seats[self.betting.actor]

    def apply(self, action: Action) -> None:
        """Apply the legal *action* of the actor; raises IllegalAction."""
        self.betting = self.betting.apply(action)

    def _shown_cards(self) -> Sequence[bytes]:
        """Return the hole cards as each position sees them now."""
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
        """Return the line that is sent to each seat now."""
        views, text, cards = self.views, self.betting.text.encode(), self._shown_cards()
        board = self.boards[self.betting.street]
        return [views[position][1] + text + cards[position] + board for position in self.positions]

    def line(self, position: int) -> bytes:
        """Return the line that is sent to *position* now."""
        return self.lines()[self.seats[position]]

    def text(self, position: int) -> str:
        """Return the state as it is sent to *position*, without its line end."""
        return self.line(position)[:-2].decode()

    def view(self, position: int) -> MatchState:
        """Return the view of *position*: its own cards, at a showdown those of all who stayed."""
        visible = visible_cards(self.deal.hole_cards, self.betting, position)
        board = self.deal.board[: self.settings.definition.board_size(self.betting.street)]
        return MatchState(position, self.hand_id, self.betting, visible, board, self.text(position))

    @property
    def values(self) -> tuple[float, ...]:
        """Chips won by each position; defined when the hand is over."""
        if self._values is None:
            assert self.betting.is_over
            self._values = payoffs(self.betting, self.deal.hole_cards, self.deal.board)
        return self._values

    def record(self) -> str:
        """Return the finished hand's STATE line."""
        names = [self.settings.player_names[seat] for seat in self.seats]
        board = self._board[: len(self.boards[self.betting.street]) - 2]
        return compose_state_record(
            self.hand_id, self.betting.text, "|".join(self._names) + board, self.values, names
        )


@cache
def _rotation(num_players: int, shift: int) -> tuple[Sequence[int], Sequence[int]]:
    """Return each seat's position and each position's seat, *shift* hands after the first."""
    places = range(num_players)
    return [(seat - shift) % num_players for seat in places], [
        (place + shift) % num_players for place in places
    ]


@cache
def _marks(num_players: int) -> Sequence[tuple[bytes, bytes]]:
    """Return for each position the tag of its lines and the pattern of its own cards.

    In the pattern a question mark stands for the cards.
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
    """Return the length of the board's text on each street: two letters a card, slashes."""
    return [2 * count + street for street, count in enumerate(accumulate(num_board_cards))]
