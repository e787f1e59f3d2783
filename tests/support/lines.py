"""State lines as a dealer sends them, and as strategies: of random hands, and damaged."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from hypothesis import strategies as st

from acpcbot.cards.deck import format_cards
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.dealing import Deal, Dealing
from acpcbot.protocol.grammar import format_board, format_hole_cards
from tests.support.games import rules_of
from tests.support.playouts import game_names, play


def visible_text(deal: Deal, betting: BettingState, viewer: int) -> str:
    """The cards field of a state as *viewer* is sent it."""
    board = format_board(deal.board, betting.game.definition.num_board_cards, betting.street)
    return format_hole_cards(deal.hole_cards, betting, viewer) + board


class SentState(NamedTuple):
    """A state as it is sent to *viewer* in hand *hand_id*, and what the dealer knows of it."""

    viewer: int
    hand_id: int
    betting: BettingState
    deal: Deal

    @property
    def game(self) -> BettingRules:
        return self.betting.game

    @property
    def line(self) -> str:
        hole = "|".join(map(format_cards, self.hole_cards))
        board = format_board(
            self.deal.board, self.game.definition.num_board_cards, self.betting.street
        )
        return f"MATCHSTATE:{self.viewer}:{self.hand_id}:{self.betting.text}:{hole}{board}"

    @property
    def board(self) -> tuple[int, ...]:
        """The board cards that lie on the table."""
        return self.deal.board[: self.game.definition.board_size(self.betting.street)]

    def sees(self, seat: int) -> bool:
        """Return True if the viewer may know the cards of *seat*."""
        return seat == self.viewer or (self.betting.is_showdown and not self.betting.folded[seat])

    @property
    def hole_cards(self) -> tuple[tuple[int, ...], ...]:
        """The hole cards that the viewer may know, one entry a seat."""
        return tuple(
            [held if self.sees(seat) else () for seat, held in enumerate(self.deal.hole_cards)]
        )


def sent_state(name: str, seed: int) -> SentState:
    """A state from a random hand of the game *name*."""
    random, game = Random(seed), rules_of(name)
    betting = random.choice(play(random, game).states)
    deal = Dealing(game.definition, random.getrandbits(32)).next_deal()
    hand_id = random.choice((0, 7, random.getrandbits(32)))
    return SentState(random.randrange(game.definition.num_players), hand_id, betting, deal)


def sent_states(names: st.SearchStrategy[str] = game_names) -> st.SearchStrategy[SentState]:
    """States from random hands of the games *names*."""
    return st.builds(sent_state, names, st.integers(0, 2**32 - 1))


noise = st.text(st.sampled_from("MATCHSE:0123456789fcrRKb/|AsKd2h +-\0\n#x"), max_size=6)


@st.composite
def damaged_lines(draw: st.DrawFn) -> tuple[BettingRules, str]:
    """A state line with a few places overwritten, cut out or filled up, and the rules of its
    game.
    """
    sent = draw(sent_states())
    line = sent.line
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(line)))
        line = line[:start] + draw(noise) + line[start + draw(st.integers(0, 3)) :]
    return sent.game, line
