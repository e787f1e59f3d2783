"""Kernels of online outcome sampling; ``oos.py`` says what they are for.

``sums`` [slot, 2] hold an action's cumulative regret and its weight in the average strategy.

Line numbers are those of algorithm 1 in Lisy, Lanctot & Bowling (2015), Online Monte Carlo
counterfactual regret minimization for search in imperfect information games.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from acpcbot.arrays import AnyArray, Floats, Ints, Number
from acpcbot.borrowed_arrays import borrowed
from acpcbot.games.game import CHANCE, OVER, Game, State, Target, chance_action, is_reached
from acpcbot.jit import kernel
from acpcbot.random_kernels import RandomState, unit
from acpcbot.tree_search.infoset_table import (
    IS_FULL,
    LIMITED,
    InfosetTable,
    add,
    find,
    has_room,
)

REGRET, AVERAGE = 0, 1
SLOT, COUNT, ACTION, IS_OWN, NUM_STEPS = range(5)
OTHERS_REACH, PLAYED, NUM_FACTORS = range(3)
PLAYS, SAMPLES = 0, 1
NUM_DRAWN, DRAWN = 0, 1
TARGETED, UNTARGETED = 0, 1

ALL_ACTIONS = -1


class OOSParameters(NamedTuple):
    """The paper's delta, epsilon and gamma, and the weighting factor w_T."""

    delta: float
    epsilon: float
    gamma: float
    weight: float


class SamplePath(NamedTuple):
    """Memory of a sample.

    ``steps``       int64 [depth, SLOT .. IS_OWN]; SLOT is 0 at chance
    ``factors``     float64 [depth, OTHERS_REACH, PLAYED]
    ``strategies``  float64 [PLAYS or SAMPLES, action]
    ``words``       int64 [word], the state
    ``scenario``    int64 [NUM_DRAWN, DRAWN], the samples so far, and whether this pair is targeted
    ``sampled``     float64 [TARGETED, UNTARGETED], the probabilities of the last sample
    """

    steps: Ints
    factors: Floats
    strategies: Floats
    words: State
    scenario: Ints
    sampled: Floats


@kernel
def run_samples(
    game: Game,
    playouts: Any,
    parameters: OOSParameters,
    target: Target,
    table: InfosetTable,
    path: SamplePath,
    forced: Ints,
    updater: int,
    num_samples: int,
    random_state: RandomState,
) -> int:
    """Take samples until there are *num_samples* or the table has to grow; return how many.

    With *forced* actions [move] nothing is drawn, and *updater* is the seat that updates; else
    seats take turns.
    """
    # Borrowed: the rules are called at every move and would count references each time.
    state, numbers = borrowed(path.words), borrowed(random_state)
    steps, factors = borrowed(path.steps), borrowed(path.factors)
    strategies, scenario = borrowed(path.strategies), borrowed(path.scenario)
    places, sums, used = borrowed(table.places), borrowed(table.sums), borrowed(table.used)
    sampled = borrowed(path.sampled)
    aim = Target(target.viewer, target.key, borrowed(target.states), borrowed(target.actions))
    done = 0
    # Room for an information set is looked for between samples, so that none is undone.
    while done < num_samples and (
        used[LIMITED] != 0 or has_room(places, sums, used, strategies.shape[1])
    ):
        own = updater
        if len(forced) == 0:
            own = scenario[NUM_DRAWN] & 1
            if own == 0 and parameters.delta > 0:
                scenario[DRAWN] = 1 if unit(numbers) < parameters.delta else 0
            scenario[NUM_DRAWN] += 1
        depth = descend(
            game,
            parameters,
            aim,
            places,
            sums,
            used,
            steps,
            factors,
            strategies,
            sampled,
            state,
            forced,
            own,
            parameters.delta > 0 and scenario[DRAWN] == 1,
            numbers,
        )
        if game.actor(state) != OVER:
            playouts.finish(game, state, numbers)
        # l of line 3: both ways of sampling in one. What a playout is sampled with cancels with
        # its own factor in x, and so does chance behind the tree.
        mixed = parameters.delta * sampled[TARGETED]
        mixed += (1.0 - parameters.delta) * sampled[UNTARGETED]
        learn(sums, steps, factors, depth, parameters.weight * game.payoff(state, own) / mixed)
        done += 1
    return done


@kernel
def descend(
    game: Game,
    parameters: OOSParameters,
    target: Target,
    places: AnyArray,
    sums: Floats,
    used: Ints,
    steps: Ints,
    factors: Floats,
    strategies: Floats,
    sampled: Floats,
    state: State,
    forced: Ints,
    own: int,
    is_targeted: Number,
    numbers: RandomState,
) -> int:
    """Sample from the start to the first new information set or the end; return the steps.

    On the way the average strategies of the seat that does not update grow; *sampled* gets the
    probabilities of the sample.
    """
    game.start(state)
    delta, weight = parameters.delta, parameters.weight
    depth, others_reach, first, second = 0, 1.0, 1.0, 1.0
    # s_1 is known while the sample has not left the way to the target, and 0 afterwards. At the
    # target the way ends, and both probabilities grow alike.
    is_inside = delta > 0
    is_there = is_inside and is_reached(game, target, state)
    is_known = True
    actor = game.actor(state)
    while actor != OVER and is_known:
        count = game.num_actions(state)
        mask = ALL_ACTIONS
        if is_inside and not is_there:
            mask = game.actions_towards(state, depth, target)
        slot, is_own = 0, 0
        if actor == CHANCE:
            # Chance is uniform or nearly so, and asked for all outcomes only on the way to a
            # target.
            action, total = 0, 1.0
            if mask != ALL_ACTIONS:
                for outcome in range(count):
                    strategies[SAMPLES, outcome] = game.chance(state, outcome)
                total = masked_sum(strategies, count, mask)
            if len(forced) > 0:
                action = forced[depth]
            elif mask != ALL_ACTIONS and is_targeted:
                action = draw_masked(strategies, count, mask, total * unit(numbers))
            else:
                action = chance_action(game, state, unit(numbers))
            played = game.chance(state, action)
            chosen = played
        else:
            place = find(places, state[actor])
            slot = places[place]["slot"]
            if slot == 0:
                is_known = False
                if has_room(places, sums, used, count):
                    add(places, used, place, state[actor], count)
                    slot = places[place]["slot"]
                else:
                    used[IS_FULL] = 1
            is_own = 1 if actor == own else 0
            if slot == 0:
                # Full: this action is the playout's as well.
                break
            explored = parameters.epsilon if is_own and is_known else 0.0
            match(sums, slot, count, parameters.gamma, explored, strategies)
            total = 1.0
            if mask != ALL_ACTIONS:
                total = masked_sum(strategies, count, mask)
            if len(forced) > 0:
                action = forced[depth]
            elif mask != ALL_ACTIONS and is_targeted:
                action = draw_masked(strategies, count, mask, total * unit(numbers))
            else:
                action = draw_masked(strategies, count, ALL_ACTIONS, unit(numbers))
            if not is_own:
                # Line 29: the average strategy of the seat that does not update.
                mixed = delta * first + (1.0 - delta) * second
                share = weight * others_reach / mixed
                for other in range(count):
                    sums[slot + other, AVERAGE] += share * strategies[PLAYS, other]
            played, chosen = strategies[PLAYS, action], strategies[SAMPLES, action]
        steps[depth, SLOT], steps[depth, COUNT] = slot, count
        steps[depth, ACTION], steps[depth, IS_OWN] = action, is_own
        factors[depth, OTHERS_REACH], factors[depth, PLAYED] = others_reach, played
        # Line 10: s_1 by the actions towards the target alone, s_2 by all.
        second *= chosen
        if is_inside:
            if (mask >> action) & 1:
                first *= chosen / total
            else:
                first, is_inside = 0.0, False
        if not is_own:
            others_reach *= played
        game.apply(state, action)
        depth += 1
        if is_inside and not is_there:
            is_there = is_reached(game, target, state)
        actor = game.actor(state)
    sampled[TARGETED], sampled[UNTARGETED] = first, second
    return depth


@kernel
def learn(sums: Floats, steps: Ints, factors: Floats, depth: int, payoff: float) -> None:
    """Add the sampled regrets of a path of *depth* steps; *payoff* is w_T u / l."""
    # Lines 16 to 24, last step first: x is the probability of the path behind a step by both
    # strategies and chance. One line of sums is read and written for a step of the updating seat.
    tail = 1.0
    for step in range(depth - 1, -1, -1):
        behind = tail
        tail *= factors[step, PLAYED]
        if steps[step, IS_OWN] != 0:
            slot, weight = steps[step, SLOT], payoff * factors[step, OTHERS_REACH]
            for action in range(steps[step, COUNT]):
                sums[slot + action, REGRET] -= tail * weight
            sums[slot + steps[step, ACTION], REGRET] += behind * weight


@kernel
def match(
    sums: Floats, slot: int, count: int, gamma: float, epsilon: float, strategies: Floats
) -> None:
    """Write the strategy that is played and the one that samples, [PLAYS or SAMPLES, action]."""
    # sigma_gamma = gamma / n + (1 - gamma) sigma, then Phi = epsilon / n + (1 - epsilon)
    # sigma_gamma, in one pass after the sum.
    total = 0.0
    for action in range(count):
        total += max(sums[slot + action, REGRET], 0.0)
    for action in range(count):
        played = 1.0 / count
        if total > 0:
            played = max(sums[slot + action, REGRET], 0.0) / total
        played = gamma / count + (1.0 - gamma) * played
        strategies[PLAYS, action] = played
        strategies[SAMPLES, action] = epsilon / count + (1.0 - epsilon) * played


@kernel
def masked_sum(strategies: Floats, count: int, mask: int) -> float:
    """Return the probability of the actions in *mask* by the sampling strategy."""
    # Bit k of the mask is action k.
    total = 0.0
    for action in range(count):
        if (mask >> action) & 1:
            total += strategies[SAMPLES, action]
    return total


@kernel
def draw_masked(strategies: Floats, count: int, mask: int, draw: float) -> int:
    """Return the action in *mask* that *draw* selects, from 0 to the probability of them all."""
    # The last action of the mask takes what rounding leaves.
    chosen, left = -1, draw
    for action in range(count):
        if (mask >> action) & 1 and (chosen < 0 or left >= 0):
            chosen = action
            left -= strategies[SAMPLES, action]
    return chosen


@kernel
def target_probability(
    game: Game,
    target: Target,
    table: InfosetTable,
    path: SamplePath,
    num_walks: int,
    random_state: RandomState,
) -> float:
    """Return an estimate of the probability of *target* by average strategies and chance.

    The mean, over walks that take actions towards the target alone, of the product of the
    probabilities of all such actions at each step: unbiased.
    """
    state, strategies = path.words, path.strategies
    places, sums = table.places, table.sums
    total = 0.0
    for _ in range(num_walks):
        game.start(state)
        weight, depth = 1.0, 0
        while not is_reached(game, target, state):
            count = game.num_actions(state)
            mask = game.actions_towards(state, depth, target)
            actor = game.actor(state)
            if actor == CHANCE:
                for action in range(count):
                    strategies[SAMPLES, action] = game.chance(state, action)
            else:
                # The average strategy, uniform where nothing is known.
                place = find(places, state[actor])
                slot, weights = places[place]["slot"], 0.0
                if slot > 0:
                    for action in range(count):
                        weights += sums[slot + action, AVERAGE]
                for action in range(count):
                    strategies[SAMPLES, action] = 1.0 / count
                    if weights > 0:
                        strategies[SAMPLES, action] = sums[slot + action, AVERAGE] / weights
            share = masked_sum(strategies, count, mask)
            weight *= share
            if share == 0.0:
                break
            game.apply(state, draw_masked(strategies, count, mask, share * unit(random_state)))
            depth += 1
        total += weight
    return total / num_walks
