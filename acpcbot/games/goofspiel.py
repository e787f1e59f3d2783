"""Goofspiel, the game of pure strategy, for two.

Each player holds the cards 1 .. num_cards; point cards of lowest_point, lowest_point + 1, ...
are turned up one by one. Both bid a card of theirs at the same time; the higher bid wins
the point card, equal ones discard it. Bids are then shown, or (with *hides_bids*) only who
won. The last trick plays itself. Points are turned up at random or (with *is_ascending*)
from the lowest. With *pays_points* seat 0 wins the difference in points, else 1 for more
points, and seat 1 loses as much.

Seat 1 moves after seat 0 here and sees nothing of the bid before it has made its own.
Actions are the cards in hand from the lowest.

state  [key by viewer, ACTOR, NUM_LEFT: tricks to be played, HAND by seat and POINTS: sets of the
        cards left, UPCARD, BID: seat 0's card while seat 1 moves, LEAD: points of seat 0 less
        points of seat 1]

Sources: Ross (1971), Goofspiel, the game of pure strategy; Lanctot, Lisy & Winands (2013), Monte
Carlo tree search in simultaneous move games with applications to Goofspiel (WL, PD); Lisy, Lanctot
& Bowling (2015), Online Monte Carlo counterfactual regret minimization (II-GS, where lowest_point
is 0).
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
    observe,
    observe_all,
)
from acpcbot.jit import shared

ACTOR, NUM_LEFT, HAND, POINTS, UPCARD, BID, LEAD = 3, 4, 5, 7, 8, 9, 10
STATE_LENGTH = 11

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

    def has_uniform_chance(self) -> bool:
        return True

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

    def actions_towards(self, state: State, num_moves: int, target: Target) -> int:
        tricks, trick = _tricks_of(self, len(target.actions)), _tricks_of(self, num_moves)
        seat = state[ACTOR]
        if trick == tricks and seat == 0:
            # The target is seat 1's move of this trick, and it does not see seat 0's before.
            return all_actions(int(state[NUM_LEFT]))
        if seat == CHANCE or not self.hides_bids or seat == target.viewer:
            return 1 << int(target.actions[num_moves])
        if target.viewer == 2:
            cards = _cards_with_results(self, state, target, trick)
        else:
            cards = _cards_beside(self, state, target, trick)
        return _as_actions(cards, state[HAND + seat])


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


# Hidden bids: what may lie under the table.
#
# Bids that were hidden are known by their results alone. Bids from now to the target are as many
# constraints, and a bid is possible if the cards that it leaves can meet all of the later ones.


@shared
def _tricks_of(game: Goofspiel, num_moves: int) -> int:
    """Return the number of whole tricks in so many moves."""
    return num_moves // (2 if game.is_ascending else 3)


@shared
def _bid_of(game: Goofspiel, target: Target, trick: int, seat: int) -> int:
    """Return the *seat*'s bid of a *trick* on the way to *target*, as a set of one card."""
    first = trick * (2 if game.is_ascending else 3)
    last = first + (2 if game.is_ascending else 3)
    return int(target.states[first, HAND + seat] ^ target.states[last, HAND + seat])


@shared
def _as_actions(cards: int, hand: int) -> int:
    """Return the actions that bid one of *cards*, a subset of the *hand*."""
    actions, action, left = 0, 1, hand
    while left:
        if cards & left & -left:
            actions |= action
        action <<= 1
        left &= left - 1
    return actions


@shared
def _cards_beside(game: Goofspiel, state: State, target: Target, trick: int) -> int:
    """Return the cards that the opponent of the target's viewer may bid in *trick*.

    The viewer's bids are known, so each later trick asks for a card above, below or equal to one
    that is known: equal cards are set aside. The k lowest cards that remain are the best for the k
    tricks that ask for a lower one, in ascending order, and likewise from above (Hall's condition).
    The j-th of these tricks, which asks for less than a card x, is *tight* if no more than j cards
    below x remain: none of them can be spared.
    """
    # One pass upwards and one downwards over the cards, a few operations each: this is asked at
    # every hidden bid of a targeted sample.
    other = 1 - target.viewer
    below, above, equal = 0, 0, 0
    for later in range(trick + 1, _tricks_of(game, len(target.actions))):
        own, others = (
            _bid_of(game, target, later, target.viewer),
            _bid_of(game, target, later, other),
        )
        below |= own if others < own else 0
        above |= own if others > own else 0
        equal |= own if others == own else 0
    own, others = _bid_of(game, target, trick, target.viewer), _bid_of(game, target, trick, other)
    spare = state[HAND + other] & ~equal
    # Cards up to the highest tight one, or from the lowest one on, are kept for later tricks.
    left = asked = 0
    kept = 0
    for index in range(game.num_cards):
        card = 1 << index
        asked += below & card != 0
        kept = card - 1 if below & card and asked == left else kept
        left += spare & card != 0
    left = asked = 0
    for index in range(game.num_cards - 1, -1, -1):
        card = 1 << index
        asked += above & card != 0
        kept |= -2 * card if above & card and asked == left else 0
        left += spare & card != 0
    if others == own:
        return own
    return int(spare & ~kept & (own - 1 if others < own else -2 * own))


@shared
def _cards_with_results(game: Goofspiel, state: State, target: Target, trick: int) -> int:
    """Return the cards that the actor may bid in *trick* where results alone are known."""
    first, second = state[HAND], state[HAND + 1]
    wins = losses = ties = 0
    for later in range(trick + 1, _tricks_of(game, len(target.actions))):
        won = _sign(_bid_of(game, target, later, 0) - _bid_of(game, target, later, 1))
        wins += won > 0
        losses += won < 0
        ties += won == 0
    won = _sign(_bid_of(game, target, trick, 0) - _bid_of(game, target, trick, 1))
    cards = 0
    # Seat 0 bids with any answer in view; seat 1 answers the bid that was made.
    bids = first if state[ACTOR] == 0 else 1 << state[BID]
    for index in range(game.num_cards):
        for answer in range(game.num_cards):
            bid, reply = 1 << index, 1 << answer
            if bids & bid == 0 or second & reply == 0 or _sign(index - answer) != won:
                continue
            if _can_end(game, first & ~bid, second & ~reply, (wins, losses, ties)):
                cards |= bid if state[ACTOR] == 0 else reply
    return cards


@shared
def _can_end(game: Goofspiel, first: int, second: int, results: tuple[int, int, int]) -> bool:
    """Return whether two hands can have these numbers of wins, losses and ties of the first.

    Without ties, seat 0's highest cards win against seat 1's lowest, and its lowest ones lose
    against seat 1's highest: exchanging cards shows that nothing else does better. So a pass over
    the cards in ascending order opens wins by cards of seat 1 and closes them by cards of seat 0,
    losses the other way round, and fails where more are closed than were opened below. Which common
    cards tie is not known beforehand: the pass keeps the set of all numbers of ties so far, as
    bits, that have not failed.
    """
    wins, losses, ties = results
    num_first = num_second = 0
    for index in range(game.num_cards):
        num_first += first >> index & 1
        num_second += second >> index & 1
    size = num_first - ties
    if wins + losses > size:
        return False
    reachable, num_first, num_second = 1, 0, 0
    for index in range(game.num_cards):
        has_first, has_second = first >> index & 1, second >> index & 1
        following = 0
        for tied in range(ties + 1):
            if not reachable >> tied & 1:
                continue
            if has_first and has_second:
                following |= 1 << tied + 1
            before_first, before_second = num_first - tied, num_second - tied
            closed_wins = before_first + has_first - (size - wins)
            closed_losses = before_second + has_second - (size - losses)
            if has_first and closed_wins > min(wins, before_second):
                continue
            if has_second and closed_losses > min(losses, before_first):
                continue
            following |= 1 << tied
        reachable = following & (1 << ties + 1) - 1
        num_first += has_first
        num_second += has_second
    return bool(reachable >> ties & 1)
