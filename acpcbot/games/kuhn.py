"""Kuhn poker for two or more.

Each player antes a chip and is dealt one of num_players + 1 cards. In turn, each passes or bets a
chip; once there is a bet, each other player has one turn to fold (action 0) or to call (action 1).
The highest card of those who have bet or called, or of all if there was no bet, wins the pot.
Payoffs are in chips.

state  [key by viewer, DEALT, TURNS, BETTOR, DECK, card by seat, stake by seat], where TURNS
       counts all turns to act so far, BETTOR is the turn of the bet, from one, or 0, and
       DECK is the set of the cards left

Sources: Kuhn (1950), A simplified two-person poker; for more players: Abou Risk & Szafron (2010),
Using counterfactual regret minimization to create competitive multiplayer poker agents.
"""

from __future__ import annotations

from typing import NamedTuple

from acpcbot.games.game import (
    CHANCE,
    OVER,
    State,
    Target,
    all_actions,
    clear,
    nth_member,
    num_members,
    observe,
    observe_all,
    rank_of,
)
from acpcbot.jit import shared

# Counted from num_players on, where the public key stands.
DEALT, TURNS, BETTOR, DECK, CARDS = 1, 2, 3, 4, 5


class Kuhn(NamedTuple):
    """The game for *num_players*, from 2 to 60."""

    num_players: int = 2

    def num_seats(self) -> int:
        return self.num_players

    def state_length(self) -> int:
        return 3 * self.num_players + CARDS

    def max_moves(self) -> int:
        return 3 * self.num_players - 1

    def max_actions(self) -> int:
        return self.num_players + 1

    def start(self, state: State) -> None:
        clear(state, self.num_players)
        state[self.num_players + DECK] = (1 << (self.num_players + 1)) - 1

    def actor(self, state: State) -> int:
        own = self.num_players
        if state[own + DEALT] < self.num_players:
            return CHANCE
        last = state[own + BETTOR] - 1 if state[own + BETTOR] else 0
        if state[own + TURNS] == last + self.num_players:
            return OVER
        return int(state[own + TURNS] % self.num_players)

    def num_actions(self, state: State) -> int:
        dealt = state[self.num_players + DEALT]
        return int(self.num_players + 1 - dealt) if dealt < self.num_players else 2

    def chance(self, state: State, action: int) -> float:
        return 1 / float(self.num_players + 1 - state[self.num_players + DEALT])

    def has_uniform_chance(self) -> bool:
        return True

    def apply(self, state: State, action: int) -> None:
        own = self.num_players
        if state[own + DEALT] < self.num_players:
            _deal(self, state, nth_member(state[own + DECK], action))
            return
        seat = state[own + TURNS] % self.num_players
        state[own + TURNS] += 1
        state[own + CARDS + self.num_players + seat] += action
        if action and not state[own + BETTOR]:
            state[own + BETTOR] = state[own + TURNS]
        observe_all(state, self.num_players, action)

    def payoff(self, state: State, seat: int) -> float:
        cards = self.num_players + CARDS
        stakes = cards + self.num_players
        to_show = 2 if state[self.num_players + BETTOR] else 1
        pot, winner, best = 0, 0, -1
        for other in range(self.num_players):
            pot += state[stakes + other]
            if state[stakes + other] == to_show and state[cards + other] > best:
                winner, best = other, state[cards + other]
        return float((pot if winner == seat else 0) - state[stakes + seat])

    def actions_towards(self, state: State, num_moves: int, target: Target) -> int:
        own = self.num_players
        if state[own + DEALT] < self.num_players:
            return _cards_towards(self, state, target)
        # All betting is public.
        return 1 << int(target.actions[num_moves])


@shared
def _deal(game: Kuhn, state: State, card: int) -> None:
    """Deal *card* to the next seat, which antes."""
    own = game.num_players
    seat = state[own + DEALT]
    state[own + DECK] ^= 1 << card
    state[own + DEALT] += 1
    state[own + CARDS + seat] = card
    state[own + CARDS + game.num_players + seat] = 1
    observe(state, seat, card)


@shared
def _cards_towards(game: Kuhn, state: State, target: Target) -> int:
    """Return the cards, as actions, that may be dealt on the way to *target*."""
    own = game.num_players
    deck, seat = state[own + DECK], state[own + DEALT]
    count = num_members(deck)
    if target.viewer == game.num_players or target.viewer < seat:
        return all_actions(count)
    # The viewer gets the card that it holds at the target, and nobody before it does.
    held = target.states[len(target.states) - 1, own + CARDS + target.viewer]
    action = 1 << rank_of(deck, held)
    return action if target.viewer == seat else all_actions(count) ^ action
