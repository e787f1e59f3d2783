"""The enumeration of games: every history once, with its probability and its sequences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pytest

from acpcbot.errors import UsageError
from acpcbot.games.coordination import Coordination
from acpcbot.games.game import CHANCE, OVER, Game, State, Target, clear, new_state, observe
from acpcbot.games.goofspiel import Goofspiel
from acpcbot.games.sequence_form import BEGINNING, all_histories, sequence_form
from tests.support.research_games import SMALL_GAMES, form_of, random_policy

GAMES = pytest.mark.parametrize("game", SMALL_GAMES.values(), ids=SMALL_GAMES)

Sequence = tuple[tuple[int, int], ...]
End = tuple[float, tuple[float, ...], tuple[Sequence, ...]]
"""Chance's probability, payoffs, and by seat its information sets with what it did there."""


def plain_ends(
    game: Game, state: State, chance: float, sequences: tuple[Sequence, ...]
) -> Iterator[End]:
    """All ends below *state*, by recursion."""
    actor = game.actor(state)
    if actor == OVER:
        yield chance, tuple(game.payoff(state, seat) for seat in range(game.num_seats())), sequences
        return
    for action in range(game.num_actions(state)):
        after, followed = state.copy(), list(sequences)
        game.apply(after, action)
        if actor != CHANCE:
            followed[actor] = (*sequences[actor], (int(state[actor]), action))
        share = game.chance(state, action) if actor == CHANCE else 1
        yield from plain_ends(game, after, chance * share, tuple(followed))


@GAMES
def test_no_history_is_lost_doubled_or_put_under_another_sequence(game: Game) -> None:
    form = form_of(game)
    infosets = np.repeat(np.arange(len(form.infoset_keys)), np.diff(form.first_slots))

    def sequence(slot: int) -> Sequence:
        if slot < form.num_seats:
            return ()
        infoset = infosets[slot - form.num_seats]
        step = (int(form.infoset_keys[infoset]), slot - int(form.first_slots[infoset]))
        return (*sequence(int(form.parent_slots[infoset])), step)

    ends = list(plain_ends(game, new_state(game), 1.0, ((),) * game.num_seats()))
    assert form.end_chances.tolist() == pytest.approx([chance for chance, _, _ in ends], abs=1e-15)
    assert form.end_payoffs.tolist() == [list(payoffs) for _, payoffs, _ in ends]
    assert [tuple(map(sequence, slots)) for slots in form.end_slots.tolist()] == [
        played for _, _, played in ends
    ]


@GAMES
def test_information_sets_stand_after_those_that_lead_to_them(game: Game) -> None:
    form = form_of(game)
    assert (form.parent_slots < form.first_slots[:-1]).all()
    own = form.parent_slots < form.num_seats
    assert (form.parent_slots[own] == form.infoset_seats[own]).all()


@GAMES
def test_reach_probabilities_of_the_ends_sum_to_one(game: Game) -> None:
    form, policy = form_of(game), random_policy(form_of(game), 1)
    reaches = policy.copy()
    for infoset, parent in enumerate(form.parent_slots):
        reaches[form.first_slots[infoset] : form.first_slots[infoset + 1]] *= reaches[parent]
    total = (form.end_chances * reaches[form.end_slots].prod(axis=1)).sum()
    assert total == pytest.approx(1, abs=1e-12)


def test_a_policy_from_weights_has_their_proportions_or_none() -> None:
    form = form_of(Coordination())
    weights = np.array([9.0, 9.0, 1.0, 3.0, 0.0, 0.0])
    assert form.normalised(weights).tolist() == [1, 1, 0.25, 0.75, 0.5, 0.5]


def test_a_subgame_is_the_game_without_its_beginning() -> None:
    game = Goofspiel(3, pays_points=True)
    state = new_state(game)
    for action in (2, 2, 1):
        game.apply(state, action)
    rest = sequence_form(game, state)
    assert len(rest.end_chances) == 2 * 2 * 2
    assert rest.end_chances.tolist() == [0.5] * 8
    # Three points are won; of the other two tricks nobody wins both from this position.
    assert set(rest.end_payoffs[:, 0].tolist()) <= {
        float(3 + first + second) for first in (-1, 0, 1) for second in (-2, 0, 2)
    }


def test_a_game_too_large_to_be_enumerated_is_refused_instead_of_tried() -> None:
    assert len(sequence_form(Goofspiel(3), max_ends=216).end_chances) == 216
    with pytest.raises(UsageError, match="more than 215 endings"):
        sequence_form(Goofspiel(3), max_ends=215)
    with pytest.raises(UsageError, match=r"Goofspiel.*more than 1,000 endings"):
        sequence_form(Goofspiel(13), max_ends=1000)


class Forgetful(NamedTuple):
    """Two moves of one seat, the second in ignorance of the first: no perfect recall."""

    reward: int = 1

    def num_seats(self) -> int:
        return 1

    def state_length(self) -> int:
        return 4

    def max_moves(self) -> int:
        return 2

    def max_actions(self) -> int:
        return 2

    def start(self, state: State) -> None:
        clear(state, 1)

    def actor(self, state: State) -> int:
        return 0 if state[2] < 2 else OVER

    def num_actions(self, state: State) -> int:
        return 2

    def chance(self, state: State, action: int) -> float:
        return 0.0

    def has_uniform_chance(self) -> bool:
        return True

    def apply(self, state: State, action: int) -> None:
        state[2] += 1
        state[3] += action
        observe(state, 0, 0)

    def payoff(self, state: State, seat: int) -> float:
        return float(self.reward if state[3] == 1 else 0)

    def actions_towards(self, state: State, num_moves: int, target: Target) -> int:
        return 0b11


def test_a_game_without_perfect_recall_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Catches two moves of a seat that are one although what led there differs: the policy
    would be of neither.
    """
    found = all_histories(Goofspiel(3), new_state(Goofspiel(3)), 1000)
    keys = found.move_keys.copy()
    second = np.flatnonzero((found.move_seats == 0) & (found.move_steps != BEGINNING))
    keys[second[-1]] = keys[second[0]]
    monkeypatch.setattr(
        "acpcbot.games.sequence_form.all_histories", lambda *_: found._replace(move_keys=keys)
    )
    with pytest.raises(AssertionError, match="no perfect recall"):
        sequence_form(Goofspiel(3))


@pytest.mark.slow
def test_a_game_whose_seats_forget_is_not_taken_for_one_of_perfect_recall() -> None:
    """The same by a game of its own, whose rules are compiled anew each time."""
    with pytest.raises(AssertionError, match="no perfect recall"):
        sequence_form(Forgetful())
