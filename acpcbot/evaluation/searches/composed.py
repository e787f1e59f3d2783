"""Strategies composed of separate searches, one at each information set of an enumerated game.

Each search has a seed of its own and starts anew, as if a match had come to its information set and
nothing had been searched before. So the composed strategy is what a player without memory would
play, everywhere at once, and its exploitability is exact.

``composed_policy`` asks any player. ``ComposedISMCTS`` does IS-MCTS at all information sets in one
kernel and reads all final moves from one search, for grids of parameters: beside simulations, what
a search takes is clearing its table.

Source: Schmid et al. (2023), Student of Games, Table S5.
"""

from __future__ import annotations

import numpy as np

from acpcbot.arrays import AnyArray, Floats, Ints, Uints64
from acpcbot.evaluation.searches.players import MoveBudget, SearchPlayer
from acpcbot.evaluation.searches.whole_strategy import FINAL_MOVES, chosen_action, form_places
from acpcbot.games.game import CHANCE, OVER, Game, State, make_target, new_state
from acpcbot.games.sequence_form import SequenceForm
from acpcbot.jit import kernel
from acpcbot.random_kernels import seed_states
from acpcbot.rng import Stream
from acpcbot.tree_search.infoset_table import (
    PLACE,
    TABLE_IS_LIMITED,
    TABLE_SLOTS,
    InfosetTable,
    find,
)
from acpcbot.tree_search.is_mcts import FinalMove, InfosetPath, simulate
from acpcbot.tree_search.selection.policy import SECOND, InfosetPolicy
from acpcbot.tree_search.target_states import draw_weights, states_of

NOT_FOUND = -1


def composed_policy(
    game: Game, form: SequenceForm, player: SearchPlayer, budget: MoveBudget, seed: int
) -> Floats:
    """Return the policy [slot] of *player* where it searches at each information set anew."""
    policy = np.ones(form.num_slots)
    seats = form.infoset_seats.tolist()
    for infoset, actions in enumerate(infoset_histories(game, form)):
        player.begin(seats[infoset], Stream(seed, infoset).bits())
        policy[form.first_slots[infoset] : form.first_slots[infoset + 1]] = player.strategy(
            actions, budget
        )
    return policy


def infoset_histories(game: Game, form: SequenceForm, root: State | None = None) -> list[list[int]]:
    """Return the actions from *root*, the start, to a history of each information set of *form*."""
    num_infosets, depth = len(form.infoset_keys), game.max_moves() + 1
    found = np.zeros((num_infosets, depth), np.int64)
    lengths = np.full(num_infosets, NOT_FOUND)
    states = np.zeros((depth + 1, game.state_length()), np.int64)
    states[0] = new_state(game) if root is None else root
    infosets = np.zeros(form.num_slots, np.int64)
    infosets[form.first_slots[:-1]] = np.arange(num_infosets)
    write_histories(
        game, states, np.zeros(depth + 1, np.int64), form_places(form), infosets, found, lengths
    )
    return [
        actions[:length] for actions, length in zip(found.tolist(), lengths.tolist(), strict=True)
    ]


@kernel
def write_histories(
    game: Game,
    states: Ints,
    untried: Ints,
    places: AnyArray,
    infosets: Ints,
    found: Ints,
    lengths: Ints,
) -> None:
    """Write the first history of each information set that a walk from states[0] meets.

    *untried* [depth] holds the next action, *infosets* [slot] the number of an information set.
    """
    # Depth first; untried[d] - 1 is the action that leads from depth d on, so that the stack itself
    # is the history.
    depth, untried[0] = 0, 0
    while depth >= 0:
        state = states[depth]
        actor = game.actor(state)
        if actor == OVER or untried[depth] == game.num_actions(state):
            depth -= 1
            continue
        if actor != CHANCE and untried[depth] == 0:
            infoset = infosets[places[find(places, state[actor])]["slot"]]
            if lengths[infoset] == NOT_FOUND:
                lengths[infoset] = depth
                for move in range(depth):
                    found[infoset, move] = untried[move] - 1
        action = untried[depth]
        untried[depth] += 1
        if actor != CHANCE or game.chance(state, action) > 0:
            depth += 1
            states[depth], untried[depth] = state, 0
            game.apply(states[depth], action)


class ComposedISMCTS:
    """IS-MCTS at every information set of *game*, whose sequence form is *form*.

    Searches begin in the states of their information set, drawn by the probabilities of chance or
    uniformly. The states of all information sets are kept, [state, word].
    """

    def __init__(self, game: Game, form: SequenceForm, *, by_chance: bool = True) -> None:
        self.game, self.form = game, form
        states, weights = [], []
        for seat, actions in zip(
            form.infoset_seats.tolist(), infoset_histories(game, form), strict=True
        ):
            own, chance_reaches = states_of(game, make_target(game, actions, seat))
            states.append(own)
            weights.append(draw_weights(chance_reaches, by_chance=by_chance))
        self._states, self._weights = np.concatenate(states), np.concatenate(weights)
        self._firsts = np.append(0, np.cumsum([len(own) for own in weights]))
        depth, width = game.max_moves() + 1, game.max_actions()
        self._path = InfosetPath(
            np.zeros((depth, 4), np.int64), np.zeros(depth), np.zeros(width), new_state(game)
        )

    def policies(
        self, policy: InfosetPolicy, num_simulations: int, seed: int
    ) -> dict[FinalMove, Floats]:
        """Return the policy [slot] by each final move of searches of *num_simulations*."""
        form, num_infosets = self.form, len(self.form.infoset_keys)
        # A simulation adds one information set at most, and never fills the table.
        most = min(num_infosets, num_simulations) + 1
        table = InfosetTable(
            np.zeros(1 << (2 * most).bit_length(), PLACE),
            np.zeros((2 + most * self.game.max_actions(), 2)),
            np.zeros(4, np.int64),
        )
        found = np.ones((len(FINAL_MOVES), form.num_slots))
        compose(
            self.game,
            policy,
            self._states,
            self._weights,
            self._firsts,
            form.infoset_keys,
            form.first_slots,
            table,
            self._path,
            num_simulations,
            seed_states([(seed, infoset) for infoset in range(num_infosets)]),
            found,
        )
        return {final: found[number] for final, number in FINAL_MOVES.items()}


@kernel
def compose(
    game: Game,
    policy: InfosetPolicy,
    states: Ints,
    weights: Floats,
    firsts: Ints,
    keys: Ints,
    first_slots: Ints,
    table: InfosetTable,
    path: InfosetPath,
    num_simulations: int,
    random_states: Uints64,
    found: Floats,
) -> None:
    """Search at each information set, and write strategies by all final moves, [final, slot].

    *states* and *weights* of an information set are those from firsts[infoset] on; the other
    arguments are those of a search.
    """
    # One table for all searches, as large as the largest takes and cleared in between: with ten
    # simulations a search, arrays of its own would cost more than the search.
    for infoset in range(len(keys)):
        clear_table(table)
        first, end = firsts[infoset], firsts[infoset + 1]
        simulate(
            game,
            policy,
            states[first:end],
            weights[first:end],
            table,
            path,
            num_simulations,
            random_states[infoset],
        )
        slot = table.places[find(table.places, keys[infoset])]["slot"]
        begin = first_slots[infoset]
        count = first_slots[infoset + 1] - begin
        total = 0.0
        for action in range(count):
            total += table.sums[slot + action, SECOND]
        for final in range(len(found)):
            chosen = chosen_action(table.sums, slot, count, final)
            for action in range(count):
                found[final, begin + action] = 1.0 if action == chosen else 0.0
                if final == 0:
                    found[final, begin + action] = table.sums[slot + action, SECOND] / total


@kernel
def clear_table(table: InfosetTable) -> None:
    """Empty *table*, which does not grow any more."""
    # Sums are cleared as far as they were in use; slot 0 marks an empty place.
    for place in range(len(table.places)):
        table.places[place]["slot"] = 0
    for slot in range(table.used[TABLE_SLOTS]):
        table.sums[slot, 0] = table.sums[slot, 1] = 0.0
    table.used[:] = 0
    table.used[TABLE_SLOTS], table.used[TABLE_IS_LIMITED] = 1, 1
