"""A tight player for every game: it weighs the chance that its hand is best against the price.

The chance is the hand's percentile among an opponent's possible hands, once for each
opponent who is still in; cards to come and the seat at the table are not thought of.

* It folds what is not better than the pot odds by a margin, and checks where that is free.
* It raises where the chance is much more than a fair share of the pot, and calls with the rest.
* It bluffs with a few hands of any kind where nobody has raised yet.

Each raise on the street makes both demands stricter: somebody claims a hand.
"""

from __future__ import annotations

from dataclasses import dataclass

from acpcbot.agents.decision_stream import decision_stream
from acpcbot.agents.hand_percentile import hand_percentile
from acpcbot.matches.agent import fallback_action
from acpcbot.poker import rules
from acpcbot.poker.actions import CALLING, Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.protocol.messages import MatchState


@dataclass(frozen=True, slots=True)
class TightSettings:
    """How tight, and how bold."""

    raise_share: float = 1.4
    """Raises with this many times a fair share of the pot."""
    call_margin: float = 0.05
    """How much better than the pot odds the chance must be for a call."""
    respect: float = 0.04
    """What each raise on this street adds to both."""
    bluff_share: float = 0.05
    """How many hands are raised whatever they are, where nobody has raised yet."""
    pot_share: float = 0.75
    """The size of a no-limit raise over the call, in pots."""


class TightAgent:
    """The tight player for one game."""

    is_instant = True

    def __init__(self, definition: GameDefinition, seed: int, settings: TightSettings | None = None) -> None:
        self.definition = definition
        self.seed = seed
        self.settings = settings or TightSettings()
        self._warm_up()

    def _warm_up(self) -> None:
        """Let tables be read now and not in the middle of a hand."""
        deck, size = self.definition.deck, self.definition.num_hole_cards
        for street in range(self.definition.num_streets):
            hand_percentile(self.definition, deck[:size], deck[size : size + self.definition.board_size(street)])

    def act(self, state: MatchState, deadline_s: float) -> Action:
        """Raise, call, check or fold."""
        betting = state.betting
        if self._bluffs(state):
            return self._raise(betting)
        chance = win_chance(state) - self.settings.respect * num_raises(betting)
        if chance < pot_odds(betting) + self.settings.call_margin:
            return fallback_action(state)
        return self._raise(betting) if chance >= self.settings.raise_share / num_left(betting) else CALLING

    def _bluffs(self, state: MatchState) -> bool:
        if num_raises(state.betting):
            return False
        return decision_stream(self.seed, state).unit() < self.settings.bluff_share

    def _raise(self, betting: BettingState) -> Action:
        legal = betting.raise_range
        if legal is None:
            return CALLING
        smallest, largest = legal
        wanted = betting.max_spent + round(self.settings.pot_share * (betting.pot + betting.to_call))
        return Action(rules.RAISE, max(smallest, min(wanted, largest)))


def win_chance(state: MatchState) -> float:
    """How likely it is that no opponent holds a better hand now, were their cards random."""
    percentile = hand_percentile(state.definition, state.own_cards, state.board)
    return percentile ** (num_left(state.betting) - 1)


def pot_odds(betting: BettingState) -> float:
    """The price of a call: its share of the pot that the actor can win with it."""
    in_all = betting.vector[rules.SPENT + betting.actor] + betting.to_call
    return betting.to_call / sum([min(chips, in_all) for chips in betting.spent] + [betting.to_call])


def num_left(betting: BettingState) -> int:
    """How many players have not folded."""
    return betting.folded.count(False)


def num_raises(betting: BettingState) -> int:
    """How many raises there were on this street."""
    return betting.vector[rules.NUM_RAISES]
