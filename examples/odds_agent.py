from random import Random

from acpcbot import Action, GameDefinition, MatchState, strength
from acpcbot.poker import actions, rules


class OddsAgent:
    """Deals at random whatever it cannot see.

    Raises what mostly wins, and calls at the right price.
    """

    is_instant = False  # it thinks for milliseconds, in a thread of its own

    def __init__(self, definition: GameDefinition, seed: int) -> None:
        self.deck, self.num_board, self.seed = (
            definition.deck,
            sum(definition.num_board_cards),
            seed,
        )

    def act(self, state: MatchState, deadline_s: float) -> Action:
        betting, chance = state.betting, self.win_chance(state)
        if betting.raise_range and chance > 0.6:
            return Action(rules.RAISE, betting.raise_range[0])
        return (
            actions.FOLDING
            if chance * (betting.pot + betting.to_call) < betting.to_call
            else actions.CALLING
        )

    def win_chance(self, state: MatchState, num_samples: int = 100) -> float:
        unseen = sorted(set(self.deck) - {*state.own_cards, *state.board})
        num_own, wins, random = len(state.own_cards), 0.0, Random(f"{self.seed} {state.line}")
        for _ in range(num_samples):
            cards = random.sample(
                unseen, num_own + self.num_board - len(state.board)
            )  # his hand, then the board
            own, other = (
                strength((*state.own_cards, *state.board, *cards[num_own:])),
                strength((*cards, *state.board)),
            )
            wins += (own > other) + (own == other) / 2
        return float((wins / num_samples) ** (state.betting.folded.count(False) - 1))
