"""One hand as the dealer knows it: all cards, the betting so far, and what each seat may see.

Used by the dealer's table and by matches in process; the only place where full
knowledge is turned into views, lines, records and values.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property

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

    *heads* is what a state's line begins with, for each position; its text follows,
    then what ``tails`` gives for the cards. *others* has the positions beside each one.
    """

    def __init__(self, settings: MatchSettings, hand_id: int, deal: Deal, betting: BettingState) -> None:
        self.settings = settings
        self.hand_id = hand_id
        self.deal = deal
        self.betting = betting
        num_players = settings.definition.num_players
        self.positions, self.seats = _rotation(num_players, 0 if settings.is_fixed else hand_id % num_players)
        self.others = _others(num_players)
        self.heads = [b"MATCHSTATE:%d:%d:" % (position, hand_id) for position in range(num_players)]
        self._names = [format_cards(cards) for cards in deal.hole_cards]
        self._tails: dict[int, list[bytes]] = {}
        self._boards: dict[int, str] = {}

    @property
    def actor_seat(self) -> int:
        """The match seat of the player to act."""
        return self.seats[self.betting.actor]

    def apply(self, action: Action) -> None:
        """Let the actor take a legal *action*; raises IllegalAction."""
        self.betting = self.betting.apply(action)

    def tails(self, street: int) -> list[bytes]:
        """The cards on *street* as each position sees them before a showdown, from the colon to the line end."""
        tails = self._tails.get(street)
        if tails is None:
            board, last = self._board(street), len(self._names) - 1
            tails = self._tails[street] = [
                f":{'|' * position}{name}{'|' * (last - position)}{board}\r\n".encode()
                for position, name in enumerate(self._names)
            ]
        return tails

    def final_tails(self) -> list[bytes]:
        """The cards as each position sees them when the hand is over."""
        if not self.betting.is_showdown:
            return self.tails(self.betting.street)
        folded, board = self.betting.folded, self._board(self.betting.street)
        shown = ["" if has_folded else name for has_folded, name in zip(folded, self._names, strict=True)]
        tails = []
        for position, name in enumerate(self._names):
            seen = [*shown[:position], name, *shown[position + 1 :]]
            tails.append(f":{'|'.join(seen)}{board}\r\n".encode())
        return tails

    def _board(self, street: int) -> str:
        """The board as far as *street*."""
        board = self._boards.get(street)
        if board is None:
            board = format_board(self.deal.board, self.settings.definition.num_board_cards, street)
            self._boards[street] = board
        return board

    def lines(self, text: bytes, tails: Sequence[bytes]) -> list[bytes]:
        """What is sent to each seat when the betting is *text* and its cards are shown by *tails*."""
        heads = self.heads
        return [heads[position] + text + tails[position] for position in self.positions]

    def line(self, position: int) -> bytes:
        """The line that is sent to *position*."""
        return self.heads[position] + self.betting.text.encode() + self.final_tails()[position]

    def text(self, position: int) -> str:
        """The state as it is sent to *position*, without its line end."""
        return self.line(position)[:-2].decode()

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
        cards = "|".join(self._names) + self._board(self.betting.street)
        return compose_state_record(self.hand_id, self.betting.text, cards, self.values, names)


@cache
def _rotation(num_players: int, shift: int) -> tuple[Sequence[int], Sequence[int]]:
    """The position of each seat, and the seat at each position, *shift* hands after the first."""
    places = range(num_players)
    return [(seat - shift) % num_players for seat in places], [(place + shift) % num_players for place in places]


@cache
def _others(num_players: int) -> Sequence[Sequence[int]]:
    """The positions beside each one."""
    places = range(num_players)
    return [tuple(place for place in places if place != own) for own in places]
