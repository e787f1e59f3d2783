"""Generic poker GP(T, C, R, B), of which Leduc hold'em is the smallest of interest.

Two players ante a chip and are dealt a card each from T ranks of C copies; they bet, a public card
is dealt, they bet again. On each street there are one bet and at most R raises, of B sizes: 2, 4,
... 2 B chips on the first street and twice as much on the second. Seat 0 opens both. A pair with
the public card wins, else the higher rank; equal ranks tie. Payoffs are in chips.

Actions are fold (where there is something to call), check or call, and the sizes from the smallest.
Suits mean nothing, so chance deals ranks.

state  [key by viewer, ACTOR, STREET, NUM_ACTIONS and NUM_BETS of this street, FOLDED (seat + 1,
        or 0), NUM_DEALT, CARD: rank of each seat and of the board, SPENT by seat,
        LEFT: copies by rank]

Sources: Lisy, Lanctot & Bowling (2015), Online Monte Carlo counterfactual regret minimization for
search in imperfect information games; Southey et al. (2005), Bayes' bluff (Leduc). The paper's own
program settles what its text leaves open: R raises come on top of the bet.
"""

from __future__ import annotations

from typing import NamedTuple

from acpcbot.games.game import CHANCE, OVER, State, Target, clear, observe, observe_all
from acpcbot.jit import shared

ACTOR, STREET, NUM_ACTIONS, NUM_BETS, FOLDED, NUM_DEALT = 3, 4, 5, 6, 7, 8
CARD = 9
BOARD = CARD + 2
SPENT = 12
LEFT = 14

SMALLEST_BET_CHIPS = 2
# What a pair is worth in ranks: more than there are.
PAIR = 1 << 32


class GenericPoker(NamedTuple):
    """The game with these numbers of ranks, copies (three cards at least), raises and bet sizes."""

    num_ranks: int = 3
    num_copies: int = 2
    max_raises: int = 1
    num_sizes: int = 1

    def num_seats(self) -> int:
        return 2

    def state_length(self) -> int:
        return LEFT + self.num_ranks

    def max_moves(self) -> int:
        return 3 + 2 * (3 + self.max_raises)

    def max_actions(self) -> int:
        return max(self.num_ranks, 2 + self.num_sizes)

    def start(self, state: State) -> None:
        clear(state, 2)
        state[ACTOR] = CHANCE
        for seat in range(2):
            state[SPENT + seat] = 1
        for rank in range(self.num_ranks):
            state[LEFT + rank] = self.num_copies

    def actor(self, state: State) -> int:
        return int(state[ACTOR])

    def num_actions(self, state: State) -> int:
        if state[ACTOR] == CHANCE:
            count = 0
            for rank in range(self.num_ranks):
                count += state[LEFT + rank] > 0
            return count
        can_fold = state[SPENT] != state[SPENT + 1]
        return int(1 + can_fold + (self.num_sizes if state[NUM_BETS] <= self.max_raises else 0))

    def chance(self, state: State, action: int) -> float:
        rank = _nth_rank(state, action)
        return float(state[LEFT + rank] / (self.num_ranks * self.num_copies - state[NUM_DEALT]))

    def has_uniform_chance(self) -> bool:
        return False

    def apply(self, state: State, action: int) -> None:
        if state[ACTOR] == CHANCE:
            _deal(state, _nth_rank(state, action))
            return
        observe_all(state, 2, action)
        seat = state[ACTOR]
        to_call = state[SPENT + 1 - seat] - state[SPENT + seat]
        size = action - (1 if to_call else 0)
        if size < 0:
            state[FOLDED] = seat + 1
            state[ACTOR] = OVER
        else:
            _put_in(state, seat, to_call, size)

    def payoff(self, state: State, seat: int) -> float:
        if state[FOLDED]:
            return float(
                -state[SPENT + seat] if state[FOLDED] == seat + 1 else state[SPENT + 1 - seat]
            )
        own, others = _strength(state, seat), _strength(state, 1 - seat)
        if own == others:
            return 0.0
        return float(state[SPENT + seat] if own > others else -state[SPENT + seat])

    def actions_towards(self, state: State, num_moves: int, target: Target) -> int:
        if state[ACTOR] == CHANCE:
            return _cards_towards(self, state, target)
        # All betting is public.
        return 1 << int(target.actions[num_moves])


LEDUC = GenericPoker(num_ranks=3, num_copies=2, max_raises=1, num_sizes=1)


@shared
def _nth_rank(state: State, index: int) -> int:
    """Return the rank number *index* among those of which copies are left."""
    left, rank = index, 0
    while left > 0 or state[LEFT + rank] == 0:
        left -= state[LEFT + rank] > 0
        rank += 1
    return rank


@shared
def _deal(state: State, rank: int) -> None:
    """Deal the next card: to seat 0, to seat 1, or to the board, where betting goes on."""
    dealt = state[NUM_DEALT]
    state[LEFT + rank] -= 1
    state[CARD + dealt] = rank
    state[NUM_DEALT] += 1
    if dealt < 2:
        observe(state, dealt, rank)
    else:
        observe_all(state, 2, rank)
        state[STREET] = 1
    if dealt > 0:
        state[ACTOR] = 0
        state[NUM_ACTIONS] = state[NUM_BETS] = 0


@shared
def _cards_towards(game: GenericPoker, state: State, target: Target) -> int:
    """Return the ranks, as actions, that may be dealt on the way to *target*."""
    goal = target.states[len(target.states) - 1]
    dealt, rank_action, actions = state[NUM_DEALT], 1, 0
    # The board, and the viewer's own card, are as at the target; another's card must leave these.
    is_seen = dealt == 2 or dealt == target.viewer
    for rank in range(game.num_ranks):
        if state[LEFT + rank] == 0:
            continue
        if is_seen:
            is_possible = goal[CARD + dealt] == rank
        else:
            needed = int(goal[NUM_DEALT] == 3 and goal[BOARD] == rank)
            needed += dealt == 0 and target.viewer == 1 and goal[CARD + 1] == rank
            is_possible = state[LEFT + rank] > needed
        actions += rank_action if is_possible else 0
        rank_action <<= 1
    return actions


@shared
def _put_in(state: State, seat: int, to_call: int, size: int) -> None:
    """Let *seat* check or call, and bet or raise by *size* steps where that is not 0."""
    state[SPENT + seat] += to_call + SMALLEST_BET_CHIPS * size * (1 + state[STREET])
    state[NUM_ACTIONS] += 1
    state[NUM_BETS] += size > 0
    if size > 0 or state[NUM_ACTIONS] == 1:
        state[ACTOR] = 1 - seat
    else:
        state[ACTOR] = OVER if state[STREET] else CHANCE


@shared
def _strength(state: State, seat: int) -> int:
    rank = state[CARD + seat]
    return int(rank + PAIR if rank == state[BOARD] else rank)
