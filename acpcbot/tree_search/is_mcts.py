"""Information set Monte Carlo tree search (IS-MCTS).

A simulation starts in one of the states that the seat to move cannot tell apart, and goes down a
tree whose statistics are shared by information sets; one new information set is added, and the rest
is played out uniformly at random. From the start of a game simulations begin behind the opening
moves of chance, in states drawn by their probabilities, so that hands need not be dealt in each.

Play elsewhere never enters, so IS-MCTS does not converge to an equilibrium: see
``games.coordination``.

Sources: Cowling, Powley & Whitehouse (2012), Information set Monte Carlo tree search; Lisy, Lanctot
& Bowling (2015), Online Monte Carlo counterfactual regret minimization for search in imperfect
information games (states drawn uniformly, settings); Schmid et al. (2023), Student of Games (states
drawn by chance, the three final moves).
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from acpcbot.arrays import Floats, Ints
from acpcbot.errors import UsageError
from acpcbot.games.game import (
    CHANCE,
    OVER,
    Game,
    Target,
    chance_action,
    new_state,
    play_out,
    unobserved,
)
from acpcbot.jit import kernel
from acpcbot.random_kernels import RandomState, seed_state, unit
from acpcbot.tree_search.infoset_table import (
    TABLE_INFOSETS,
    TABLE_IS_FULL,
    TABLE_IS_LIMITED,
    InfosetTable,
    add,
    empty_table,
    find,
    grow,
    has_room,
    slots_of,
    uncounted_table,
)
from acpcbot.tree_search.selection.policy import FIRST, SECOND, InfosetPolicy
from acpcbot.tree_search.target_states import draw_weights, opening_states, root_states
from acpcbot.uncounted_arrays import uncounted

DEFAULT_MEMORY_BYTES = 1 << 30
FinalMove = Literal["visits", "most-visits", "best-value"]

STEP_SLOT, STEP_COUNT, STEP_ACTION, STEP_SEAT = range(4)


class InfosetSearch:
    """IS-MCTS of *game* with a selection *policy*, from the start or a target given to ``begin``.

    Equal seeds give equal searches. Raises UsageError for a game that is not for two.
    """

    def __init__(
        self,
        game: Game,
        policy: InfosetPolicy,
        seed: int,
        memory_bytes: int = DEFAULT_MEMORY_BYTES,
        *,
        by_chance: bool = False,
    ) -> None:
        if game.num_seats() != 2:
            raise UsageError(
                f"IS-MCTS is for 2 seats here, not {game.num_seats()}", "choose a game for two"
            )
        self.game, self.policy = game, policy
        self.memory_bytes, self.by_chance = memory_bytes, by_chance
        self.random_state = seed_state(seed)
        self.table = empty_table(game.max_actions(), memory_bytes)
        self._states, self._weights = opening_states(game)
        depth, width = game.max_moves() + 1, game.max_actions()
        self._path = InfosetPath(
            np.zeros((depth, 4), np.int64), np.zeros(depth), np.zeros(width), new_state(game)
        )

    @property
    def is_full(self) -> bool:
        """True when the tree has stopped growing because its memory is full."""
        return bool(self.table.used[TABLE_IS_FULL])

    @property
    def num_infosets(self) -> int:
        """The number of information sets in memory."""
        return int(self.table.used[TABLE_INFOSETS])

    def begin(self, target: Target | None = None) -> None:
        """Forget everything, and search from the states of *target*, or from the start."""
        if target is None:
            self._states, self._weights = opening_states(self.game)
        else:
            self._states, self._weights = root_states(
                self.game, target, self.random_state, by_chance=self.by_chance
            )
        self.table = empty_table(self.game.max_actions(), self.memory_bytes)

    def begin_at(self, states: Ints, chance_reaches: Floats) -> None:
        """Forget everything, and search from *states* [state, word].

        *chance_reaches* [state] are their probabilities by chance alone, up to a factor.
        """
        self._states = states
        self._weights = draw_weights(chance_reaches, by_chance=self.by_chance)
        self.table = empty_table(self.game.max_actions(), self.memory_bytes)

    def simulate(self, num_simulations: int) -> None:
        """Add so many simulations to those since the last ``begin``."""
        left = num_simulations
        while left > 0:
            left -= simulate(
                self.game,
                self.policy,
                self._states,
                self._weights,
                self.table,
                self._path,
                left,
                self.random_state,
            )
            if left > 0:
                self.table = grow(self.table, self.memory_bytes)

    def strategy(self, key: int, final: FinalMove = "visits") -> Floats | None:
        """Return the strategy [action] at the information set *key*, or None if never reached.

        By share of visits, which is the mean strategy of regret matching, or all on the action of
        most visits or of the highest mean payoff.
        """
        slots = slots_of(self.table, key)
        if slots is None:
            return None
        sums = self.table.sums[slots]
        weights = sums[:, SECOND].copy()
        if final != "visits":
            scores = weights.copy()
            if final == "best-value":
                tried = weights > 0
                scores = np.full(len(weights), -np.inf)
                scores[tried] = sums[tried, FIRST] / weights[tried]
            weights = np.zeros(len(weights))
            weights[int(np.argmax(scores))] = 1
        total = weights.sum()
        return weights / total if total > 0 else np.full(len(weights), 1 / len(weights))


class InfosetPath(NamedTuple):
    """Memory of a simulation.

    ``steps``          int64 [depth, STEP_SLOT .. STEP_SEAT]
    ``probabilities``  float64 [depth], of the action where it was selected
    ``strategy``       float64 [action], for the policy to work with
    ``words``          int64 [word], the state
    """

    steps: Ints
    probabilities: Floats
    strategy: Floats
    words: Ints


@kernel
def simulate(
    game: Game,
    policy: InfosetPolicy,
    states: Ints,
    weights: Floats,
    table: InfosetTable,
    path: InfosetPath,
    num_simulations: int,
    random_state: RandomState,
) -> int:
    """Run simulations until there are *num_simulations* or the table has to grow; return how many.

    Each starts at one of *states*, drawn by the cumulative probabilities *weights*.
    """
    # Nothing is counted below: rules are called at every move and would count references each time.
    own_table, own_path = uncounted_table(table), uncounted_path(path)
    roots, limits, numbers = uncounted(states), uncounted(weights), uncounted(random_state)
    state, most_actions = own_path.words, len(own_path.strategy)
    done = 0
    # Room for one more information set is looked for between simulations: no simulation is undone.
    while done < num_simulations and (
        own_table.used[TABLE_IS_LIMITED] != 0
        or has_room(own_table.places, own_table.sums, own_table.used, most_actions)
    ):
        root = drawn_root(limits, unit(numbers))
        for word in range(len(state)):
            state[word] = roots[root, word]
        depth = descend(game, policy, own_table, own_path, numbers)
        play_out(game, unobserved(state), numbers)
        payoff = game.payoff(state, 0)
        payoffs = payoff, -payoff
        # Payoffs are of the seat that moved; the lines of the sums are cached from the way down.
        for step in range(depth):
            policy.add_payoff(
                own_table.sums,
                own_path.steps[step, STEP_SLOT],
                own_path.steps[step, STEP_COUNT],
                own_path.steps[step, STEP_ACTION],
                own_path.probabilities[step],
                payoffs[own_path.steps[step, STEP_SEAT]],
            )
        done += 1
    return done


@kernel(inline=True)
def descend(
    game: Game,
    policy: InfosetPolicy,
    table: InfosetTable,
    path: InfosetPath,
    numbers: RandomState,
) -> int:
    """Go on to the first new information set or the end; return the steps noted in *path*."""
    state, steps, strategy = path.words, path.steps, path.strategy
    places, sums, used = table.places, table.sums, table.used
    depth, is_new = 0, False
    actor = game.actor(state)
    while actor != OVER and not is_new:
        count = game.num_actions(state)
        if actor == CHANCE:
            action = chance_action(game, state, unit(numbers))
        else:
            key = state[actor]
            place = find(places, key)
            is_new = places[place]["slot"] == 0
            if is_new and has_room(places, sums, used, count):
                add(places, used, place, key, count)
            slot = places[place]["slot"]
            if slot == 0:
                # Full: what is beyond the tree is played out, this action included.
                used[TABLE_IS_FULL] = 1
                break
            action = policy.select_action(sums, slot, count, strategy, numbers)
            path.probabilities[depth] = policy.probability(strategy, count, action)
            steps[depth, STEP_SLOT], steps[depth, STEP_COUNT] = slot, count
            steps[depth, STEP_ACTION], steps[depth, STEP_SEAT] = action, actor
            depth += 1
        # One call, so that the rules are merged into the loop once.
        game.apply(state, action)
        actor = game.actor(state)
    return depth


@kernel(inline=True)
def drawn_root(limits: Floats, draw: float) -> int:
    """Return the first root whose limit is above *draw*, the last one if rounding leaves none."""
    # Bisection: a target of Goofspiel with hidden bids has states by the thousand.
    low, high = 0, len(limits) - 1
    while low < high:
        middle = (low + high) // 2
        if draw < limits[middle]:
            high = middle
        else:
            low = middle + 1
    return low


@kernel(inline=True)
def uncounted_path(path: InfosetPath) -> InfosetPath:
    """Return *path* without a count of references."""
    return InfosetPath(
        uncounted(path.steps),
        uncounted(path.probabilities),
        uncounted(path.strategy),
        uncounted(path.words),
    )
