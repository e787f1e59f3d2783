"""Random play: whole hands from a generator, and the same as hypothesis strategies.

The play is made to reach showdowns, folds and all-ins often: a raise is the
smallest, the largest or something between, small sizes as likely as large ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from hypothesis import strategies as st

from acpcbot.poker import rules
from acpcbot.poker.actions import Action, raising
from acpcbot.poker.betting import BettingRules, BettingState
from tests.support.games import ALL_GAMES, rules_of

CALL_WEIGHT, RAISE_WEIGHT = 7, 5


class Playout(NamedTuple):
    """One hand: *states* from the start to the finished one, and the *actions* between them."""

    states: list[BettingState]
    actions: list[Action]

    @property
    def game(self) -> BettingRules:
        return self.states[0].game

    @property
    def end(self) -> BettingState:
        return self.states[-1]


def random_action(random: Random, actions: Sequence[Action], num_players: int) -> Action:
    """One of the legal *actions*, or a raise between the smallest and the largest. The more
    players, the more fold.
    """
    weights = (num_players, CALL_WEIGHT, RAISE_WEIGHT)
    action = random.choices(actions, [weights[action.kind] for action in actions])[0]
    if action.raise_to == 0:
        return action
    return raising(random_size(random, *raise_ends(actions)))


def raise_ends(actions: Sequence[Action]) -> tuple[int, int]:
    """The smallest and the largest raise among legal *actions* that hold a raise."""
    sizes = [action.raise_to for action in actions if action.kind == rules.RAISE]
    return sizes[0], sizes[-1]


def random_size(random: Random, smallest: int, largest: int) -> int:
    """One of the two ends in one case of four, else a number between them, more often small
    than large.
    """
    if random.random() < 0.25:
        return random.choice((smallest, largest))
    return min(largest, int(smallest * (largest / smallest) ** (random.random() ** 2)))


def play(random: Random, game: BettingRules) -> Playout:
    """A random hand."""
    states: list[BettingState] = [game.start]
    actions: list[Action] = []
    while not states[-1].is_over:
        actions.append(
            random_action(random, states[-1].legal_actions(), game.definition.num_players)
        )
        states.append(states[-1].apply(actions[-1]))
    return Playout(states, actions)


game_names = st.sampled_from(ALL_GAMES)
generators = st.integers(0, 2**32 - 1).map(Random)


def playouts(names: st.SearchStrategy[str] = game_names) -> st.SearchStrategy[Playout]:
    """Random hands of the games *names*."""
    return st.builds(lambda name, random: play(random, rules_of(name)), names, generators)


def betting_states(names: st.SearchStrategy[str] = game_names) -> st.SearchStrategy[BettingState]:
    """States within and at the end of random hands."""
    return playouts(names).flatmap(lambda playout: st.sampled_from(playout.states))
