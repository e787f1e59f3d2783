"""Targets: public states, and the actions that can still lead to where a match has come."""

from __future__ import annotations

from random import Random

import pytest

from acpcbot.errors import UsageError
from acpcbot.games.connect_four import ConnectFour
from acpcbot.games.coordination import Coordination
from acpcbot.games.game import (
    Game,
    is_reached,
    make_target,
    new_state,
    no_target,
)
from acpcbot.games.generic_poker import LEDUC, GenericPoker
from acpcbot.games.goofspiel import Goofspiel
from acpcbot.games.kuhn import Kuhn
from acpcbot.games.liars_dice import LiarsDice
from acpcbot.games.reachable import enumerated_actions
from acpcbot.games.rock_paper_scissors import RPS_PLUS
from tests.support.research_games import HOUSE
from tests.support.targets import (
    actions_by_enumeration,
    check_every_target,
    histories_of,
    targets_of,
)

TARGETED_GAMES: dict[str, Game] = {
    "Kuhn": Kuhn(),
    "Kuhn for three": Kuhn(3),
    "Leduc": LEDUC,
    "GP(2,3,1,2)": GenericPoker(2, 3, 1, 2),
    "GP(3,1,0,1)": GenericPoker(3, 1, 0, 1),
    "LD(1,1) of 3 sides": LiarsDice(1, 3),
    "LD(2,2) of 2 sides": LiarsDice(2, 2),
    "II-GS(4)": Goofspiel(4, hides_bids=True, is_ascending=True, lowest_point=0),
    "hidden Goofspiel(3)": Goofspiel(3, hides_bids=True),
    "ascending Goofspiel(4)": Goofspiel(4, is_ascending=True),
    "PD-Goof(3)": Goofspiel(3, pays_points=True),
    "RPS+": RPS_PLUS,
    "coordination": Coordination(),
    "Connect Two of 3 by 2": ConnectFour(3, 2, 2),
    "Scotland Yard on a house": HOUSE,
}
LARGER_GAMES: dict[str, Game] = {
    "GP(3,3,2,2)": GenericPoker(3, 3, 2, 2),
    "LD(1,1)": LiarsDice(1, 6),
    "LD(2,2) of 3 sides": LiarsDice(2, 3),
    "hidden Goofspiel(4)": Goofspiel(4, hides_bids=True),
    "Kuhn for four": Kuhn(4),
    "Scotland Yard on a house, unseen": HOUSE._replace(starts=(2, 0), seen=0, num_rounds=5),
}
SMALL = pytest.mark.parametrize("game", TARGETED_GAMES.values(), ids=TARGETED_GAMES)


@SMALL
def test_answers_are_those_of_enumeration_at_every_target(game: Game) -> None:
    """Caught: an action that leads nowhere, one that is left out, an answer that tells the target's
    history from its others.
    """
    assert check_every_target(game) > 0


@pytest.mark.slow
@pytest.mark.parametrize("game", LARGER_GAMES.values(), ids=LARGER_GAMES)
def test_answers_are_those_of_enumeration_in_larger_games(game: Game) -> None:
    assert check_every_target(game) > 200


def test_enumeration_in_kernels_finds_the_same_sets() -> None:
    """Caught: the helper for new games that stops early or goes past a target."""
    for game in (Kuhn(), Coordination(), Goofspiel(3, hides_bids=True)):
        histories = histories_of(game)
        for (viewer, _), members in targets_of(game, histories).items():
            target = make_target(game, histories.path(members[-1]), viewer)
            for node, expected in actions_by_enumeration(histories, members).items():
                assert enumerated_actions(game, histories.states[node], target) == expected


@SMALL
def test_python_answers_as_kernels_do(game: Game) -> None:
    histories = histories_of(game)
    targets = targets_of(game, histories)
    for viewer, key in Random(2).sample(sorted(targets), min(30, len(targets))):
        members = targets[viewer, key]
        target = make_target(game, histories.path(members[0]), viewer)
        for node, expected in list(actions_by_enumeration(histories, members).items())[:20]:
            answer = game.actions_towards(
                histories.states[node], int(histories.depths[node]), target
            )
            assert answer == expected


def test_hidden_bids_leave_cards_for_all_later_results() -> None:
    """Caught: a bid of the opponent after which a later result has become impossible."""
    game = Goofspiel(6, hides_bids=True, is_ascending=True)
    # Seat 0 wins with its 3, then with its 2 (cards count from 1): seat 1 bids its 2, then its 1.
    target = make_target(game, [2, 1, 1, 0], 0)
    state = new_state(game)
    game.apply(state, 2)
    assert game.actions_towards(state, 1, target) == 0b10
    for action, expected in ((1, 0b10), (1, 0b1)):
        game.apply(state, action)
        num_moves = 2 if expected == 0b10 else 3
        assert game.actions_towards(state, num_moves, target) == expected


def test_a_public_key_is_what_everyone_has_observed() -> None:
    """Caught: a private card in the public key, or a public action that is not."""
    game, keys = LEDUC, set()
    for own in range(3):
        for other in range(2):
            state = new_state(game)
            game.apply(state, own)
            game.apply(state, other)
            keys.add(int(state[2]))
    assert keys == {int(new_state(game)[2])}
    game.apply(state, 0)
    assert int(state[2]) not in keys


def test_public_states_have_the_published_numbers() -> None:
    """Betting sequences of Kuhn with the beginning: nine; see the tree in Kuhn (1950)."""
    histories = histories_of(Kuhn())
    assert len(set(histories.states[:, 2].tolist())) == 9


def test_the_whole_game_is_the_rest_of_no_target() -> None:
    for game in TARGETED_GAMES.values():
        assert is_reached(game, no_target(game), new_state(game))


def test_targets_that_do_not_exist_are_refused() -> None:
    game = Kuhn()
    with pytest.raises(UsageError, match="no action 3 at move 0"):
        make_target(game, [3], 2)
    with pytest.raises(UsageError, match="the actor there is 0"):
        make_target(game, [0, 0], 1)
    with pytest.raises(UsageError, match="viewer 3"):
        make_target(game, [0, 0], 3)
    with pytest.raises(UsageError, match="72 actions"):
        make_target(LiarsDice(6, 6), [], 2)
