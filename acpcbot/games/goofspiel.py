"""Goofspiel, the game of pure strategy, for two.

Each player holds the cards 1 .. num_cards; point cards of lowest_point, lowest_point + 1, ...
are turned up one by one. Both bid a card of theirs at the same time; the higher bid wins
the point card, equal ones discard it. Bids are then shown, or (with *hides_bids*) only who
won. The last trick plays itself. Points are turned up at random or (with *is_ascending*)
from the lowest. With *pays_points* seat 0 wins the difference in points, else 1 for more
points, and seat 1 loses as much.

Seat 1 moves after seat 0 here and sees nothing of the bid before it has made its own.
Actions are the cards in hand from the lowest.

state  [key by seat, ACTOR, NUM_LEFT: tricks to be played, HAND by seat and POINTS: sets of the
        cards left, UPCARD, BID: seat 0's card while seat 1 moves, LEAD: points of seat 0 less
        points of seat 1]

Sources: Ross (1971), Goofspiel, the game of pure strategy; Lanctot, Lisy & Winands (2013), Monte
Carlo tree search in simultaneous move games with applications to Goofspiel (WL, PD); Lisy, Lanctot
& Bowling (2015), Online Monte Carlo counterfactual regret minimization (II-GS, where lowest_point
is 0).
"""

from __future__ import annotations

from typing import NamedTuple

from acpcbot.games.game import CHANCE, OVER, State, clear, nth_member, observe, observe_all
from acpcbot.jit import shared

ACTOR, NUM_LEFT, HAND, POINTS, UPCARD, BID, LEAD = 2, 3, 4, 6, 7, 8, 9
STATE_LENGTH = 10

# More than there are cards, so that two of them make one number.
MANY_CARDS = 64


class Goofspiel(NamedTuple):
    """The game with *num_cards* for each player, from 1 to 60, in the variants above."""

    num_cards: int
    hides_bids: bool = False
    is_ascending: bool = False
    pays_points: bool = False
    lowest_point: int = 1

    def num_seats(self) -> int:
        return 2

    def state_length(self) -> int:
        return STATE_LENGTH

    def max_moves(self) -> int:
        return (2 if self.is_ascending else 3) * (self.num_cards - 1)

    def max_actions(self) -> int:
        return self.num_cards

    def start(self, state: State) -> None:
        clear(state, 2)
        for cards in (HAND, HAND + 1, POINTS):
            state[cards] = (1 << self.num_cards) - 1
        state[NUM_LEFT] = self.num_cards
        _next_trick(self, state)

    def actor(self, state: State) -> int:
        return int(state[ACTOR])

    def num_actions(self, state: State) -> int:
        return int(state[NUM_LEFT])

    def chance(self, state: State, action: int) -> float:
        return 1 / float(state[NUM_LEFT])

    def apply(self, state: State, action: int) -> None:
        seat = state[ACTOR]
        if seat == CHANCE:
            _turn_up(state, nth_member(state[POINTS], action))
            return
        card = nth_member(state[HAND + seat], action)
        state[HAND + seat] ^= 1 << card
        observe(state, seat, card)
        if seat == 0:
            state[BID] = card
            state[ACTOR] = 1
            return
        won = _settle(self, state, state[BID], card)
        observe_all(state, 2, 1 + won if self.hides_bids else state[BID] * MANY_CARDS + card)
        _next_trick(self, state)

    def payoff(self, state: State, seat: int) -> float:
        lead = state[LEAD] if self.pays_points else _sign(state[LEAD])
        return float(-lead if seat else lead)


@shared
def _next_trick(game: Goofspiel, state: State) -> None:
    """Go on to the next trick; one that leaves no choice plays itself."""
    if state[NUM_LEFT] > 1 and not game.is_ascending:
        state[ACTOR] = CHANCE
        return
    if state[NUM_LEFT] > 0:
        _turn_up(state, nth_member(state[POINTS], 0))
    if state[NUM_LEFT] == 1:
        _settle(game, state, nth_member(state[HAND], 0), nth_member(state[HAND + 1], 0))
    if state[NUM_LEFT] == 0:
        state[ACTOR] = OVER


@shared
def _turn_up(state: State, card: int) -> None:
    state[POINTS] ^= 1 << card
    state[UPCARD] = card
    state[ACTOR] = 0
    observe_all(state, 2, card)


@shared
def _settle(game: Goofspiel, state: State, first: int, second: int) -> int:
    """Give the upcard to the higher of the two bids.

    Return 1 if seat 0 won it, -1 if seat 1, 0 if nobody.
    """
    won = _sign(first - second)
    state[LEAD] += won * (game.lowest_point + state[UPCARD])
    state[NUM_LEFT] -= 1
    return won


@shared
def _sign(number: int) -> int:
    if number == 0:
        return 0
    return 1 if number > 0 else -1
