"""Kuhn poker for two or more.

Each player antes a chip and is dealt one of num_players + 1 cards. In turn, each passes or bets a
chip; once there is a bet, each other player has one turn to fold (action 0) or to call (action 1).
The highest card of those who have bet or called, or of all if there was no bet, wins the pot.
Payoffs are in chips.

state  [key by seat, DEALT, TURNS, BETTOR, DECK, card by seat, stake by seat], where TURNS
       counts all turns to act so far, BETTOR is the turn of the bet, from one, or 0, and
       DECK is the set of the cards left

Sources: Kuhn (1950), A simplified two-person poker; for more players: Abou Risk & Szafron (2010),
Using counterfactual regret minimization to create competitive multiplayer poker agents.
"""

from __future__ import annotations

from typing import NamedTuple

from acpcbot.games.game import CHANCE, OVER, State, clear, nth_member, observe, observe_all
from acpcbot.jit import shared

DEALT, TURNS, BETTOR, DECK, CARDS = 0, 1, 2, 3, 4


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
