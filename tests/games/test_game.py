"""The laws of every research game, and the play of kernels against that of Python."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest

from acpcbot.games.connect_four import ConnectFour
from acpcbot.games.coordination import Coordination
from acpcbot.games.game import (
    CHANCE,
    OVER,
    Game,
    State,
    chance_action,
    new_state,
    observe,
    play_out,
)
from acpcbot.games.generic_poker import GenericPoker
from acpcbot.games.goofspiel import Goofspiel
from acpcbot.games.keyless import unobserved
from acpcbot.games.liars_dice import LiarsDice
from acpcbot.games.rock_paper_scissors import RPS_PLUS
from acpcbot.games.tic_tac_toe import TicTacToe
from acpcbot.jit import kernel
from acpcbot.random_kernels import RandomState, seed_state
from tests.support.research_games import SMALL_GAMES, form_of, respond, uniform

GAMES = pytest.mark.parametrize("game", SMALL_GAMES.values(), ids=SMALL_GAMES)
LARGE_GAMES = {
    "GP(4,6,4,4)": GenericPoker(4, 6, 4, 4),
    "LD(2,2)": LiarsDice(2, 6),
    "Goofspiel(13)": Goofspiel(13),
    "tic-tac-toe": TicTacToe(),
    "Connect Four": ConnectFour(),
}


def course(game: Game, random: Random) -> list[tuple[State, int]]:
    """A random course of *game*: states, each with the action taken there; -1 at the end."""
    state, states = new_state(game), []
    while game.actor(state) != OVER:
        action = random.randrange(game.num_actions(state))
        states.append((state.copy(), action))
        game.apply(state, action)
    return [*states, (state, -1)]


@pytest.mark.parametrize(
    "game", [*SMALL_GAMES.values(), *LARGE_GAMES.values()], ids=[*SMALL_GAMES, *LARGE_GAMES]
)
def test_no_course_breaks_the_bounds_and_payoffs_add_up_to_nothing(game: Game) -> None:
    random = Random(1)
    for _ in range(200):
        states = course(game, random)
        assert len(states) - 1 <= game.max_moves()
        assert max(game.num_actions(state) for state, _ in states[:-1]) <= game.max_actions()
        assert sum(game.payoff(states[-1][0], seat) for seat in range(game.num_seats())) == 0


@GAMES
def test_the_longest_course_and_the_widest_state_are_not_overstated(game: Game) -> None:
    assert sizes_below(game, new_state(game)) == (game.max_moves(), game.max_actions())


def sizes_below(game: Game, state: State) -> tuple[int, int]:
    """The longest course from *state* on, and the most actions on the way, by recursion."""
    if game.actor(state) == OVER:
        return 0, 0
    longest, widest = 0, game.num_actions(state)
    for action in range(game.num_actions(state)):
        after = state.copy()
        game.apply(after, action)
        length, width = sizes_below(game, after)
        longest, widest = max(longest, 1 + length), max(widest, width)
    return longest, widest


@GAMES
def test_chance_is_a_distribution_wherever_it_moves(game: Game) -> None:
    random = Random(3)
    for _ in range(50):
        for state, _action in course(game, random):
            if game.actor(state) == CHANCE:
                chances = [game.chance(state, action) for action in range(game.num_actions(state))]
                assert min(chances) > 0
                assert sum(chances) == pytest.approx(1, abs=1e-12)


@GAMES
def test_an_actor_sees_its_move_and_a_hidden_move_leaves_no_trace(game: Game) -> None:
    random = Random(4)
    for _ in range(50):
        for state, _action in course(game, random)[:-1]:
            actor, afters = game.actor(state), []
            for action in range(game.num_actions(state)):
                afters.append(state.copy())
                game.apply(afters[-1], action)
            if actor >= 0:
                assert len({int(after[actor]) for after in afters}) == len(afters)


@pytest.mark.parametrize("game", [RPS_PLUS, Goofspiel(4), Goofspiel(4, hides_bids=True)], ids=str)
def test_the_second_of_two_who_move_at_once_does_not_see_the_first_move(game: Game) -> None:
    state = new_state(game)
    if game.actor(state) == CHANCE:
        game.apply(state, 2)
    seen = set()
    for action in range(game.num_actions(state)):
        after = state.copy()
        game.apply(after, action)
        assert game.actor(after) == 1
        seen.add(int(after[1]))
    assert len(seen) == 1


def test_hidden_bids_are_told_apart_by_who_won_alone() -> None:
    seen: dict[bool, set[int]] = {}
    for hides_bids in (False, True):
        game = Goofspiel(4, hides_bids=hides_bids, is_ascending=True)
        seen[hides_bids] = set()
        for bid in range(4):
            state = new_state(game)
            game.apply(state, 2)
            game.apply(state, bid)
            seen[hides_bids].add(int(state[0]))
    assert (len(seen[False]), len(seen[True])) == (4, 3)


def test_keys_depend_on_the_order_of_what_is_seen_and_on_who_sees_it() -> None:
    keys = set()
    for seat in range(2):
        for sights in ((), (0,), (1,), (0, 0), (0, 1), (1, 0), (1, 1), (2,), (-1,)):
            state = new_state(Coordination())
            for what in sights:
                observe(state, seat, what)
            keys.add(int(state[seat]))
    assert len(keys) == 2 * 9


@kernel
def playouts(game: Game, random_state: RandomState, states: State) -> None:
    for number in range(len(states)):
        game.start(states[number])
        play_out(game, states[number], random_state)


@GAMES
def test_kernels_play_by_the_same_rules(game: Game) -> None:
    states = np.zeros((20_000, game.state_length()), np.int64)
    playouts(game, seed_state(1), states)
    reached = Counter(tuple(state) for state in states.tolist())
    random, ends = Random(5), set()
    for _ in range(2000):
        ends.add(tuple(course(game, random)[-1][0].tolist()))
    # Most of what Python comes to often, kernels have to come to as well, key for key.
    assert len(ends & set(reached)) > 0.7 * len(ends)
    won = np.array(
        [[game.payoff(state, seat) for seat in range(game.num_seats())] for state in states]
    )
    expected = respond(game, uniform(form_of(game))).policy_values
    assert won.mean(axis=0) == pytest.approx(expected, abs=5 * won.std() / len(states) ** 0.5)


@kernel
def paired_playouts(game: Game, seeds: RandomState, states: State) -> None:
    # The same random numbers twice: with keys, and without.
    kept, keyless = seeds.copy(), seeds.copy()
    for number in range(0, len(states), 2):
        game.start(states[number])
        play_out(game, states[number], kept)
        blank = unobserved(states[number + 1])
        game.start(blank)
        play_out(game, blank, keyless)


@pytest.mark.parametrize(
    "game", [GenericPoker(3, 2, 1, 1), Goofspiel(4), LiarsDice(1, 3), TicTacToe()], ids=str
)
def test_games_without_keys_are_the_same_games(game: Game) -> None:
    """Caught: a rule that reads a key, and keys that are kept where nobody reads them."""
    states = np.zeros((2000, game.state_length()), np.int64)
    paired_playouts(game, seed_state(4), states)
    kept, keyless = states[::2], states[1::2]
    assert (kept[:, 3:] == keyless[:, 3:]).all()
    assert not keyless[:, :3].any()
    assert kept[:, :3].all()


def test_draws_of_uniform_chance_select_equal_shares() -> None:
    game = Goofspiel(5)
    state = new_state(game)
    draws = [0.0, 0.19, 0.21, 0.79, 0.81, 1 - 2**-53, 1.0]
    assert [chance_action(game, state, draw) for draw in draws] == [0, 0, 1, 3, 4, 4, 4]


@GAMES
def test_games_say_that_chance_is_uniform_where_it_is(game: Game) -> None:
    random = Random(6)
    for _ in range(50):
        for state, _action in course(game, random):
            if game.actor(state) == CHANCE and game.has_uniform_chance():
                count = game.num_actions(state)
                assert {game.chance(state, action) for action in range(count)} == {1 / count}


def test_every_chance_action_is_drawn_and_none_beyond() -> None:
    # Of six cards two have each rank; one of rank 1 is dealt.
    game = GenericPoker(3, 2, 1, 1)
    state = new_state(game)
    game.apply(state, 1)
    draws = [0.0, 0.39, 0.41, 0.59, 0.61, 1 - 2**-53, 1.0]
    assert [chance_action(game, state, draw) for draw in draws] == [0, 0, 1, 1, 2, 2, 2]
