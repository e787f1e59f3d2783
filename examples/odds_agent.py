from random import Random

from acpcbot import Action, GameDefinition, MatchState, strength
from acpcbot.poker import actions, rules


class OddsAgent:
    """Raise what mostly wins against random cards, and call at the right price."""

    is_instant = False  # it thinks for milliseconds, in a thread of its own

    def __init__(self, definition: GameDefinition, seed: int) -> None:
        self.definition, self.seed = definition, seed

    def act(self, state: MatchState, deadline_s: float) -> Action:
        betting, odds = state.betting, self.win_probability(state)
        if betting.raise_range and odds > 0.6:
            return Action(rules.RAISE, betting.raise_range[0])
        is_cheap = odds * (betting.pot + betting.to_call) >= betting.to_call
        return actions.CALLING if is_cheap else actions.FOLDING

    def win_probability(self, state: MatchState, num_samples: int = 100) -> float:
        seen = (*state.own_cards, *state.board)
        unseen, num_own = sorted({*self.definition.deck} - {*seen}), len(state.own_cards)
        num_drawn = num_own + sum(self.definition.num_board_cards) - len(state.board)
        random, wins = Random(f"{self.seed} {state.line}"), 0.0
        for _ in range(num_samples):  # the other's cards, then the rest of the board
            cards = random.sample(unseen, num_drawn)
            own, other = strength((*seen, *cards[num_own:])), strength((*cards, *state.board))
            wins += (own > other) + (own == other) / 2
        return float((wins / num_samples) ** (state.betting.folded.count(False) - 1))
