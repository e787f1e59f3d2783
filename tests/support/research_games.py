"""Research games beside their twins: in OpenSpiel, and for poker at our own betting engine.

Actions are numbered alike on all sides: the action number k is the k-th legal one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.games.best_response_result import BestResponse
from acpcbot.games.connect_four import ConnectFour
from acpcbot.games.coordination import Coordination
from acpcbot.games.game import CHANCE, OVER, Game, State, new_state
from acpcbot.games.generic_poker import LEDUC, GenericPoker
from acpcbot.games.goofspiel import Goofspiel
from acpcbot.games.kuhn import Kuhn
from acpcbot.games.liars_dice import LiarsDice
from acpcbot.games.rock_paper_scissors import RPS_PLUS
from acpcbot.games.scotland_yard import ScotlandYard
from acpcbot.games.sequence_form import SequenceForm, sequence_form
from acpcbot.games.solvers.best_response import sequence_best_response
from tests.support.openspiel_policies import SpielPolicy

# Five stations around and a road across, Mr. X on the roof, detectives at both ends of the floor. He
# is seen in the second of three rounds.
HOUSE = ScotlandYard((0b10010, 0b01101, 0b01010, 0b10110, 0b01001), (2, 0, 4), 3, 0b010)

SMALL_GAMES: dict[str, Game] = {
    "Kuhn": Kuhn(),
    "Kuhn for three": Kuhn(3),
    "Kuhn for four": Kuhn(4),
    "Leduc": LEDUC,
    "GP(2,3,2,2)": GenericPoker(2, 3, 2, 2),
    "LD(1,1) of 3 sides": LiarsDice(1, 3),
    "LD(2,2) of 2 sides": LiarsDice(2, 2),
    "II-GS(4)": Goofspiel(4, hides_bids=True, is_ascending=True, lowest_point=0),
    "hidden Goofspiel(3)": Goofspiel(3, hides_bids=True),
    "PD-Goof(3)": Goofspiel(3, pays_points=True),
    "RPS+": RPS_PLUS,
    "coordination": Coordination(),
    "Connect Three of 3 by 3": ConnectFour(3, 3, 3),
    "Scotland Yard on a house": HOUSE,
}


@dataclass(frozen=True, slots=True)
class Twin:
    """*game* as OpenSpiel's *spiel_name*, whose payoffs are ours times *scale*."""

    game: Game
    spiel_name: str
    scale: float = 1.0
    forgets: bool = False
    """Whether OpenSpiel's information states are coarser than ours."""

    def __str__(self) -> str:
        return self.spiel_name


GOOFSPIEL = "goofspiel(num_cards={},imp_info={},points_order={},returns_type={})"

TWINS = (
    Twin(Kuhn(2), "kuhn_poker"),
    Twin(Kuhn(3), "kuhn_poker(players=3)"),
    Twin(Kuhn(4), "kuhn_poker(players=4)"),
    Twin(LEDUC, "leduc_poker(suit_isomorphism=True)"),
    Twin(LiarsDice(1, 3), "liars_dice(dice_sides=3)"),
    Twin(LiarsDice(1, 4), "liars_dice(dice_sides=4)"),
    Twin(LiarsDice(2, 2), "liars_dice(numdice=2,dice_sides=2)"),
    Twin(
        Goofspiel(4, hides_bids=True, is_ascending=True),
        GOOFSPIEL.format(4, True, "ascending", "win_loss"),
    ),
    Twin(Goofspiel(3, hides_bids=True), GOOFSPIEL.format(3, True, "random", "win_loss")),
    Twin(Goofspiel(3), GOOFSPIEL.format(3, False, "random", "win_loss"), forgets=True),
    # OpenSpiel pays what a player has more than the mean of both.
    Twin(
        Goofspiel(3, pays_points=True),
        GOOFSPIEL.format(3, False, "random", "point_difference"),
        0.5,
        forgets=True,
    ),
    Twin(ConnectFour(3, 3, 3), "connect_four(columns=3,rows=3,x_in_row=3)"),
)


@dataclass(frozen=True, slots=True)
class Beside:
    """A walk through both games: OpenSpiel's game, our keys of its information states, the ends."""

    spiel_game: Any
    actions: dict[str, list[int]]
    """OpenSpiel's actions at an information state."""
    keys: dict[str, set[int]]
    num_ends: int

    def to_spiel(self, form: SequenceForm, policy: Floats) -> SpielPolicy:
        """Our *policy* [slot] for OpenSpiel."""
        slots = form.slots_by_key()
        return {
            name: list(zip(self.actions[name], policy[slots[min(keys)]].tolist(), strict=True))
            for name, keys in self.keys.items()
        }

    def shared(self, form: SequenceForm, policy: Floats) -> Floats:
        """*policy* [slot] with that of one of our information sets for all that are one to
        OpenSpiel.
        """
        slots, result = form.slots_by_key(), policy.copy()
        for keys in self.keys.values():
            for key in keys:
                result[slots[key]] = policy[slots[min(keys)]]
        return result


@cache
def beside_openspiel(twin: Twin) -> Beside:
    """Walk through *twin* and its twin; whatever the rules say has to be the same."""
    import pyspiel

    game = pyspiel.load_game_as_turn_based(twin.spiel_name)
    found = Beside(game, {}, {}, 0)
    num_ends = sum(1 for _ in _ends(twin, new_state(twin.game), game.new_initial_state(), found))
    return Beside(game, found.actions, found.keys, num_ends)


def _ends(twin: Twin, ours: State, theirs: Any, found: Beside) -> Iterator[None]:
    actor = twin.game.actor(ours)
    if theirs.is_terminal():
        assert actor == OVER, theirs
        payoffs = [
            twin.scale * twin.game.payoff(ours, seat) for seat in range(twin.game.num_seats())
        ]
        assert payoffs == theirs.returns(), theirs
        yield
        return
    actions = theirs.legal_actions()
    assert twin.game.num_actions(ours) == len(actions), theirs
    if theirs.is_chance_node():
        assert actor == CHANCE, theirs
        chances = [twin.game.chance(ours, action) for action in range(len(actions))]
        assert np.allclose(
            chances, [chance for _, chance in theirs.chance_outcomes()], atol=1e-15
        ), theirs
    else:
        assert actor == theirs.current_player(), theirs
        name = f"{theirs.information_state_string()}"
        assert found.actions.setdefault(name, actions) == actions
        found.keys.setdefault(name, set()).add(int(ours[actor]))
    for index, action in enumerate(actions):
        after = ours.copy()
        twin.game.apply(after, index)
        yield from _ends(twin, after, theirs.child(action), found)


def form_of(game: Game) -> SequenceForm:
    """The sequences of *game*; the same object each time."""
    # By name, because games of two types may be equal as tuples.
    name = repr(game)
    if name not in _FORMS:
        _FORMS[name] = sequence_form(game)
    return _FORMS[name]


_FORMS: dict[str, SequenceForm] = {}


def uniform(form: SequenceForm) -> Floats:
    """Every action alike."""
    return form.normalised(np.zeros(form.num_slots))


def random_policy(form: SequenceForm, seed: int) -> Floats:
    """Any probabilities, some of them zero."""
    weights = np.random.default_rng(seed).random(form.num_slots)
    return form.normalised(np.where(weights < 0.25, 0, weights))


def respond(game: Game, policy: Floats) -> BestResponse:
    """Return the values of *policy* [slot] of *game* and of best responses to it."""
    return sequence_best_response(form_of(game), policy)
