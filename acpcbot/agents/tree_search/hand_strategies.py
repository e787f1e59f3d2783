"""Many hands after the same betting: their states, and what a search would do with each.

Hands are taken through the rules one by one, so keys of information sets are made in one place
alone, the game's.
"""

from __future__ import annotations

import numpy as np

from acpcbot.arrays import Floats, Ints
from acpcbot.games.game import CHANCE, Game, State, new_state, nth_member, rank_of
from acpcbot.jit import kernel
from acpcbot.poker_games.poker_game import DECK, NUM_DEALT, PokerGame
from acpcbot.tree_search.infoset_table import InfosetTable, find
from acpcbot.tree_search.oos_kernels import STRATEGY
from acpcbot.uncounted_arrays import uncounted


def average_strategies(
    game: PokerGame,
    table: InfosetTable,
    seat: int,
    hands: Ints,
    boards: Ints,
    choices: list[int],
    num_actions: int,
) -> Floats:
    """Return the average strategy of *seat* with each hand after *choices*, [hand, action].

    *hands* [hand, card] are hole cards, *boards* [hand, card] the board beside each. Uniform where
    an information set was never sampled.
    """
    found = np.full((len(hands), num_actions), 1 / num_actions)
    fill_strategies(
        game, table, new_state(game), seat, hands, boards, np.array(choices, np.int64), found
    )
    return found


def states_with(
    game: PokerGame, seat: int, own: Ints, others: Ints, board: Ints, choices: list[int]
) -> Ints:
    """Return the states after *choices* in which the other seat has *others*, [hand, word].

    *seat* has the cards *own*, and *others* are [hand, card].
    """
    states = np.zeros((len(others), game.state_length()), np.int64)
    fill_states(game, states, seat, own, others, board, np.array(choices, np.int64))
    return states


@kernel
def fill_states(
    game: Game, states: Ints, seat: int, own: Ints, others: Ints, board: Ints, choices: Ints
) -> None:
    """Write the state with each hand of *others* into *states* [hand, word]."""
    for row in range(len(others)):
        play_to(game, states[row], seat, own, others[row], board, choices)


@kernel
def fill_strategies(
    game: Game,
    table: InfosetTable,
    words: State,
    seat: int,
    hands: Ints,
    boards: Ints,
    choices: Ints,
    found: Floats,
) -> None:
    """Write the average strategy with each hand into *found* [hand, action], where there is one."""
    state, places, sums = uncounted(words), uncounted(table.places), uncounted(table.sums)
    other = np.zeros(hands.shape[1], np.int64)
    for row in range(len(hands)):
        # The other seat gets the lowest cards that are left: no key of *seat* depends on them.
        game.start(state)
        left = state[DECK]
        for card in hands[row]:
            left &= ~(1 << card)
        for card in boards[row]:
            left &= ~(1 << card)
        for slot in range(len(other)):
            other[slot] = nth_member(left, slot)
        play_to(game, state, seat, hands[row], other, boards[row], choices)
        # One line of the table for the place and as a rule one for the sums, as in a sample.
        first = places[find(places, state[seat])]["slot"]
        if first > 0:
            total = 0.0
            for action in range(found.shape[1]):
                total += sums[first + action, STRATEGY]
            if total > 0:
                for action in range(found.shape[1]):
                    found[row, action] = sums[first + action, STRATEGY] / total


@kernel
def play_to(
    game: Game, state: State, seat: int, own: Ints, other: Ints, board: Ints, choices: Ints
) -> None:
    """Take *state* from the start through *choices* of the seats, with these cards."""
    # Cards come in the game's order: seat 0's, seat 1's, the board. A choice is taken wherever
    # chance has nothing to deal.
    size = len(own)
    game.start(state)
    step, is_there = 0, False
    while not is_there:
        if game.actor(state) == CHANCE:
            dealt = state[NUM_DEALT]
            if dealt >= 2 * size:
                card = board[dealt - 2 * size]
            elif (dealt >= size) == (seat == 1):
                card = own[dealt % size]
            else:
                card = other[dealt % size]
            game.apply(state, rank_of(state[DECK], card))
        elif step < len(choices):
            game.apply(state, choices[step])
            step += 1
        else:
            is_there = True
