"""Perfect play of Connect Four against plain search by the rules, and laws of values."""

from __future__ import annotations

from random import Random

import pytest

from acpcbot.errors import UsageError
from acpcbot.games.connect_four import MARKS, OPEN, ConnectFour
from acpcbot.games.game import OVER, State, new_state
from acpcbot.games.solvers.connect_four_solver import ConnectFourSolver

USUAL = ConnectFour()


def plain_value(game: ConnectFour, state: State, known: dict[tuple[int, int], int]) -> int:
    """The value for the seat to move, by all moves of the rules."""
    seat = int(game.actor(state))
    place = int(state[MARKS + seat]), int(state[MARKS + 1 - seat])
    if place not in known:
        values = []
        for action in range(game.num_actions(state)):
            after = state.copy()
            game.apply(after, action)
            is_over = game.actor(after) == OVER
            value = game.payoff(after, seat) if is_over else -plain_value(game, after, known)
            values.append(int(value))
        known[place] = max(values)
    return known[place]


def drawn(game: ConnectFour, num_marks: int, random: Random) -> State:
    """A random position with so many marks in which the game goes on."""
    while True:
        state = new_state(game)
        while game.actor(state) != OVER:
            if (state[MARKS] | state[MARKS + 1]).item().bit_count() == num_marks:
                return state
            game.apply(state, random.randrange(game.num_actions(state)))


@pytest.mark.parametrize(
    ("game", "num_marks"),
    [
        (ConnectFour(3, 3, 3), 0),
        (ConnectFour(4, 3, 3), 0),
        (ConnectFour(4, 4, 4), 5),
        (ConnectFour(3, 5, 3), 2),
        (ConnectFour(5, 4, 4), 10),
        (USUAL, 31),
    ],
    ids=str,
)
def test_values_are_those_of_plain_search(game: ConnectFour, num_marks: int) -> None:
    """At positions of *num_marks* and, one by one, of more.

    Catches rows in any direction, threats that need not be met, cells that are given up although
    the other cannot come there, a full board, and bounds of the table that are taken for values.
    """
    random, solver, known = (
        Random(num_marks),
        ConnectFourSolver(game, 12),
        dict[tuple[int, int], int](),
    )
    seen = set()
    for _ in range(20):
        state = drawn(game, num_marks, random)
        while game.actor(state) != OVER:
            value = plain_value(game, state, known)
            assert solver.value(state) == value
            values = solver.action_values(state)
            assert len(values) == game.num_actions(state)
            assert max(values) == value
            seen.add(value)
            game.apply(state, random.randrange(game.num_actions(state)))
    assert len(seen) > 1


def test_every_action_has_the_value_of_what_follows() -> None:
    random, solver = Random(3), ConnectFourSolver()
    for _ in range(10):
        state = drawn(USUAL, 22, random)
        for action, value in enumerate(solver.action_values(state)):
            after = state.copy()
            USUAL.apply(after, action)
            if USUAL.actor(after) == OVER:
                assert value == USUAL.payoff(after, int(USUAL.actor(state)))
            else:
                assert value == -solver.value(after)


def mirrored(state: State) -> State:
    """The position seen from behind the board."""
    height, result = USUAL.num_rows + 1, state.copy()
    for word in (MARKS, MARKS + 1):
        columns = [int(state[word]) >> height * column & (1 << height) - 1 for column in range(7)]
        result[word] = sum(column << height * place for place, column in enumerate(columns[::-1]))
    result[OPEN] = sum(1 << 6 - column for column in range(7) if state[OPEN] >> column & 1)
    return result


def test_positions_of_half_a_board_are_the_same_from_behind_and_with_any_table() -> None:
    """Catches keys that two positions share: a table of two places is always overwritten."""
    random, large, small = Random(5), ConnectFourSolver(), ConnectFourSolver(table_bits=1)
    values = []
    for _ in range(40):
        state = drawn(USUAL, 20, random)
        values.append(large.value(state))
        assert large.value(mirrored(state)) == values[-1]
        assert small.value(state) == values[-1]
    assert set(values) == {-1, 0, 1}
    assert large.num_positions < small.num_positions


def test_the_whole_game_on_small_boards() -> None:
    """A draw on four by four, five by four and five by five; on six by four the second seat wins.

    Found by this solver, whose values at later positions plain search confirms: catches a change.
    """
    found = {
        (columns, rows): ConnectFourSolver(game).value(new_state(game))
        for columns, rows in ((4, 4), (5, 4), (5, 5), (6, 4))
        for game in [ConnectFour(columns, rows)]
    }
    assert found == {(4, 4): 0, (5, 4): 0, (5, 5): 0, (6, 4): -1}


def test_positions_at_the_end_and_small_tables_are_refused() -> None:
    game = ConnectFour(3, 3, 2)
    state = new_state(game)
    for action in (0, 1, 0):
        game.apply(state, action)
    assert game.actor(state) == OVER
    for ask in (ConnectFourSolver(game).value, ConnectFourSolver(game).action_values):
        with pytest.raises(UsageError, match="the game is over"):
            ask(state)
    with pytest.raises(UsageError, match="table_bits = 0"):
        ConnectFourSolver(game, 0)
