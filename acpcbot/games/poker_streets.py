"""Generic poker as public states: a betting tree for each street, and the weights of all deals.

A hand is a rank, so each public state has as many hands a seat as there are ranks. What follows the
first street depends on the betting before through the chips put in alone: all its lines share one
tree of the second street. Trees and weights come from playing the rules of games/generic_poker.py.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np

from acpcbot.arrays import Floats, Ints
from acpcbot.games.game import CHANCE, OVER, State, new_state
from acpcbot.games.generic_poker import ACTOR, FOLDED, LEFT, SPENT, GenericPoker

DECISION, FOLD_END, STREET_END = 0, 1, 2
NUM_SEATS = 2
ANTE_CHIPS = 1
# Actions: the lowest rank of which there are cards, and to check.
FIRST_LEFT = 0
CHECK = 0


class StreetTree(NamedTuple):
    """The betting of one street; a node stands before its children, and children lie together.

    ``kinds``           int64 [node], DECISION, FOLD_END, or STREET_END where the betting closes
    ``actors``          int64 [node], the seat that decides, or that folded
    ``numbers``         int64 [node], its number among the nodes of its kind
    ``first_children``  int64 [node]; children are first_children[node] .. + num_children[node] - 1,
                        in the order of the actions
    ``num_children``    int64 [node]
    ``calls``           int64 [node], the action that checks or calls
    ``stakes``          float64 [node], where it ends: the chips that the loser put in on this
                        street, the ante counted with the first
    """

    kinds: Ints
    actors: Ints
    numbers: Ints
    first_children: Ints
    num_children: Ints
    calls: Ints
    stakes: Floats

    @property
    def num_decisions(self) -> int:
        """The number of decision nodes."""
        return int((self.kinds == DECISION).sum())

    @property
    def num_lines(self) -> int:
        """The number of ways in which the betting can end without a fold."""
        return int((self.kinds == STREET_END).sum())


class PokerStreets(NamedTuple):
    """Both streets, and the weights of the deals.

    ``deal_probabilities``    float64 [board, own rank, other's rank], the probability of the deal
    ``showdowns``  the same, times 1 where the own rank wins, -1 where it loses, 0 in a tie
    ``starts``     int64 [line of the first street, board], the first public decision beyond;
                   those of the first street come before all, and on each street they are in the
                   order of the nodes
    """

    first: StreetTree
    second: StreetTree
    deal_probabilities: Floats
    showdowns: Floats
    starts: Ints

    @property
    def num_public_decisions(self) -> int:
        """The number of public states in which a seat decides."""
        return self.first.num_decisions + self.starts.size * self.second.num_decisions


def poker_streets(game: GenericPoker) -> PokerStreets:
    """Return the streets of *game*."""
    first = new_state(game)
    for _ in range(NUM_SEATS):
        game.apply(first, FIRST_LEFT)
    second = _checked_through(game, first)
    game.apply(second, FIRST_LEFT)
    trees = _street(game, first, 0), _street(game, second, ANTE_CHIPS)
    shape = trees[0].num_lines, game.num_ranks
    starts = trees[0].num_decisions + trees[1].num_decisions * np.arange(np.prod(shape)).reshape(
        shape
    )
    return PokerStreets(*trees, *_weights(game), starts)


def _street(game: GenericPoker, root: State, chips_before: int) -> StreetTree:
    """Return the betting from *root* to the end of its street.

    Each seat has put in *chips_before* earlier.
    """
    states, kinds, first_children = [root], [DECISION], []
    for node, state in enumerate(states):
        first_children.append(len(states))
        for action in range(game.num_actions(state) if kinds[node] == DECISION else 0):
            states.append(_after(game, state, action))
            kinds.append(_kind(states[-1]))
    seats = [
        max(0, int(state[FOLDED]) - 1 if state[FOLDED] else int(state[ACTOR])) for state in states
    ]
    kind, first = np.array(kinds), np.array(first_children)
    return StreetTree(
        kinds=kind,
        actors=np.array(seats),
        numbers=_numbers(kind),
        first_children=first,
        num_children=np.diff(np.append(first, len(states))),
        calls=np.array([int(state[SPENT] != state[SPENT + 1]) for state in states]),
        stakes=np.array(
            [
                float(state[SPENT + seat] - chips_before)
                for state, seat in zip(states, seats, strict=True)
            ]
        ),
    )


def _kind(state: State) -> int:
    """Return the kind of *state* in the betting of its street."""
    return FOLD_END if state[FOLDED] else STREET_END if state[ACTOR] in (CHANCE, OVER) else DECISION


def _numbers(kinds: Ints) -> Ints:
    """Return the number of each node among those of its kind."""
    result = np.empty_like(kinds)
    for kind in (DECISION, FOLD_END, STREET_END):
        result[kinds == kind] = np.arange((kinds == kind).sum())
    return result


def _weights(game: GenericPoker) -> tuple[Floats, Floats]:
    """Return ``deal_probabilities`` and ``showdowns``, from hands that are checked through."""
    deal_probabilities, showdowns = np.zeros((2, *(game.num_ranks,) * 3))
    for own, other, board in product(range(game.num_ranks), repeat=3):
        state, first = _dealt(game, new_state(game), own)
        state, second = _dealt(game, state, other)
        state, third = _dealt(game, _checked_through(game, state), board)
        deal_probabilities[board, own, other] = first * second * third
        showdowns[board, own, other] = deal_probabilities[board, own, other] * game.payoff(
            _checked_through(game, state), 0
        )
    return deal_probabilities, showdowns


def _dealt(game: GenericPoker, state: State, rank: int) -> tuple[State, float]:
    """Return *state* after a card of *rank* was dealt, and the probability of that card.

    If none is left, another card and 0.
    """
    left = state[LEFT : LEFT + game.num_ranks]
    if not left[rank]:
        return _after(game, state, FIRST_LEFT), 0.0
    action = int((left[:rank] > 0).sum())
    return _after(game, state, action), game.chance(state, action)


def _checked_through(game: GenericPoker, state: State) -> State:
    """Return *state* after both seats have checked."""
    return _after(game, _after(game, state, CHECK), CHECK)


def _after(game: GenericPoker, state: State, action: int) -> State:
    after = state.copy()
    game.apply(after, action)
    return after
