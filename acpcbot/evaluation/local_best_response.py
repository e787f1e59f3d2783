"""Local best response: what a simple player wins who knows the strategy that he plays against.

He knows its probabilities with every hand, and so with which hands it would have played as
it did. At his turn he assumes that after his action all is checked and called down, and
takes the action that is worth most then:

    U(fold) = 0                U(call) = w pot - (1 - w) asked
    U(bet)  = f pot + (1 - f) (w' (pot + bet) - (1 - w') (asked + bet))

*asked* is what he has to call, *bet* what he adds to that, w how often his hand wins against
the range, f how often the strategy folds to the bet, and w' how often he wins against the
hands that do not fold. What he wins on average is a lower bound of what a best response
wins. He is greedy, so it may be less than nothing.

Hold'em for two. Source: Lisy & Bowling (2017), Equilibrium approximation quality of current
no-limit poker bots.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.errors import UsageError
from acpcbot.evaluation.aivat import PlayedHand
from acpcbot.evaluation.checkdown import Equities, hand_equities
from acpcbot.evaluation.lbr_menus import ALL_IN, MENUS
from acpcbot.matches.public_strategy import PublicStrategy
from acpcbot.poker.actions import CALLING, FOLDING, LIMIT_RAISING, Action, raising
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.dealing import Deal
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import hand_number, hands_without
from acpcbot.rng import Stream


class LocalBestResponse:
    """The player, against *target*; raises UsageError for menus and games that he does not know."""

    def __init__(self, definition: GameDefinition, target: PublicStrategy, menu: str) -> None:
        _verify(definition, menu)
        self.definition, self.target, self.menu = definition, target, MENUS[menu]
        self.start = BettingRules(definition).start

    def play(self, deal: Deal, seat: int, stream: Stream) -> PlayedHand:
        """The hand that comes of *deal*, he in *seat*; what the strategy does is drawn from *stream*."""
        hand = _Hand(self, deal, seat, stream, hands_without(self.definition, deal.hole_cards[seat]).astype(np.float64))
        betting = self.start
        while not betting.is_over:
            betting = betting.apply(hand.act(betting))
        return PlayedHand(betting, deal.hole_cards, deal.board[: self.definition.board_size(betting.street)])

    def passive_answer(
        self, betting: BettingState, board: tuple[int, ...], hole_cards: tuple[int, ...], reach: Floats
    ) -> Action:
        """A call or a fold, whichever is worth more with *hole_cards* against the range *reach* [hand]."""
        if self.menu[betting.street] is None or not betting.can_act(FOLDING):
            return CALLING
        share = _share(reach, hand_equities(hole_cards, board))
        return FOLDING if _call_worth(betting, share) < 0 else CALLING


@dataclass(slots=True)
class _Hand:
    """A hand as it goes on; *reach* [hand] is how likely the strategy played so far as it did with each of its own."""

    player: LocalBestResponse
    deal: Deal
    seat: int
    stream: Stream
    reach: Floats

    def act(self, betting: BettingState) -> Action:
        """The next action, of either player."""
        board = self.deal.board[: self.player.definition.board_size(betting.street)]
        self.reach = self.reach * hands_without(self.player.definition, board)
        return self._best(betting, board) if betting.actor == self.seat else self._drawn(betting, board)

    def _drawn(self, betting: BettingState, board: tuple[int, ...]) -> Action:
        table = self.player.target.table(betting, board)
        held = hand_number(self.player.definition, self.deal.hole_cards[1 - self.seat])
        ends = np.cumsum(table.probabilities[held])
        chosen = min(int(np.searchsorted(ends, self.stream.unit() * ends[-1], "right")), len(ends) - 1)
        self.reach = self.reach * table.probabilities[:, chosen]
        return table.actions[chosen]

    def _best(self, betting: BettingState, board: tuple[int, ...]) -> Action:
        """The action that is worth most if it is the last one; a fold only where the others lose."""
        menu = self.player.menu[betting.street]
        if menu is None:
            return CALLING
        equities = hand_equities(self.deal.hole_cards[self.seat], board)
        best, worth = CALLING, _call_worth(betting, _share(self.reach, equities))
        for bet in _bets(betting, menu):
            value = self._bet_worth(betting, board, bet, equities)
            if value > worth:
                best, worth = bet, value
        return FOLDING if worth < 0 and betting.can_act(FOLDING) else best

    def _bet_worth(self, betting: BettingState, board: tuple[int, ...], bet: Action, equities: Equities) -> float:
        after, pot = betting.apply(bet), betting.pot
        table = self.player.target.table(after, board)
        folds = table.probabilities[:, table.actions.index(FOLDING)] if FOLDING in table.actions else 0.0
        staying = self.reach * (1 - folds)
        folding = 1 - staying.sum() / self.reach.sum()
        share, paid = _share(staying, equities), after.spent[self.seat] - betting.spent[self.seat]
        return float(folding * pot + (1 - folding) * (share * (pot + paid - betting.to_call) - (1 - share) * paid))


def _call_worth(betting: BettingState, share: float) -> float:
    """What a call is worth, in chips, to one who then wins that *share* of the pot."""
    return share * betting.pot - (1 - share) * betting.to_call


def _share(reach: Floats, equities: Equities) -> float:
    """How often the hand of *equities* wins against the range; against none, always."""
    total = reach.sum()
    return float((reach * equities).sum() / total) if total > 0 else 1.0


def _bets(betting: BettingState, menu: tuple[float, ...]) -> Iterator[Action]:
    """The different bets of *menu*; what is too small or too large becomes the smallest or the largest."""
    legal = betting.raise_range
    if legal is None or not menu:
        return
    if betting.game.definition.is_limit:
        yield LIMIT_RAISING
        return
    smallest, largest = legal
    pot = betting.pot + betting.to_call
    wanted = [largest if share == ALL_IN else betting.max_spent + round(share * pot) for share in menu]
    yield from map(raising, sorted({max(smallest, min(largest, raise_to)) for raise_to in wanted}))


def _verify(definition: GameDefinition, menu: str) -> None:
    if menu not in MENUS:
        raise UsageError(f"local best response has no menu {menu!r}", f"there are {', '.join(MENUS)}")
    shape = (definition.num_players, definition.num_hole_cards, len(definition.deck), definition.num_board_cards)
    if shape != (2, 2, 52, (0, 3, 1, 1)):
        raise UsageError("local best response is for two-player hold'em", "name another game or strategy")
