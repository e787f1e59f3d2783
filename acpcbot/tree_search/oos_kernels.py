"""Kernels of online outcome sampling; ``oos.py`` says what they are for.

``sums`` [slot, 2] hold an action's cumulative regret and its weight in the average strategy.

Line numbers are those of algorithm 1 in Lisy, Lanctot & Bowling (2015), Online Monte Carlo
counterfactual regret minimization for search in imperfect information games.

The updating seat's opponent and chance are sampled as they play, but for what targeting leaves out.
So their probabilities are in every numerator and in every denominator of the algorithm, pi_-i(h)
over delta s_1 + (1 - delta) s_2, and are left out of both here: s_1 and s_2 are kept divided by
them. Only the updating seat's decisions are noted on the way down.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from acpcbot.arrays import Floats, Ints, Number
from acpcbot.games.game import CHANCE, OVER, Game, State, Target, chance_action, is_reached
from acpcbot.jit import kernel
from acpcbot.random_kernels import RandomState, unit
from acpcbot.tree_search.infoset_table import (
    TABLE_IS_FULL,
    TABLE_IS_LIMITED,
    InfosetTable,
    add,
    find,
    has_room,
    uncounted_table,
)
from acpcbot.uncounted_arrays import uncounted

REGRET, STRATEGY = 0, 1
STEP_SLOT, STEP_COUNT, STEP_ACTION, STEP_LENGTH = range(4)
SCENARIO_NUM_DRAWN, SCENARIO_IS_TARGETED, SCENARIO_LENGTH = range(3)
SAMPLED_TARGETED, SAMPLED_UNTARGETED, SAMPLED_OTHERS = range(3)

ALL_ACTIONS = -1
NOT_FORCED = -1


class OOSParameters(NamedTuple):
    """The paper's delta, epsilon and gamma, and the weighting factor w_T."""

    delta: float
    epsilon: float
    gamma: float
    weight: float


class SamplePath(NamedTuple):
    """Memory of a sample.

    ``steps``       int64 [step, STEP_SLOT .. STEP_ACTION], the decisions of the seat that updates
    ``played``      float64 [step], the probability of the action in the strategy
    ``strategy``    float64 [action], to work with
    ``words``       int64 [word], the state; ``first_words`` is that at the start of the game
    ``scenario``    int64 [2]: at SCENARIO_NUM_DRAWN the samples so far, at SCENARIO_IS_TARGETED
                    whether this pair is targeted
    ``sampled``     float64 [3]: at SAMPLED_TARGETED and SAMPLED_UNTARGETED s_1 and s_2 of the last
                    sample over the product of the probabilities with which chance and the
                    opponent acted; with forced actions that product at SAMPLED_OTHERS
    """

    steps: Ints
    played: Floats
    strategy: Floats
    words: State
    first_words: State
    scenario: Ints
    sampled: Floats


class Matched(NamedTuple):
    """Regret matching at an information set, times *total*: *least* + *slope* max(regret, 0)."""

    total: float
    least: float
    slope: float


class Choice(NamedTuple):
    """An action, and the probability by the sampling that one towards the target is taken."""

    action: int
    towards: float


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
    # Nothing is counted below: rules are called at every move and would count references each time.
    own_path, own_table, aim = (
        uncounted_path(path),
        uncounted_table(table),
        uncounted_target(target),
    )
    numbers, given = uncounted(random_state), uncounted(forced)
    state, scenario, sampled = own_path.words, own_path.scenario, own_path.sampled
    most_actions = len(own_path.strategy)
    done = 0
    # Room for an information set is looked for between samples, so that none is undone.
    while done < num_samples and (
        own_table.used[TABLE_IS_LIMITED] != 0
        or has_room(own_table.places, own_table.sums, own_table.used, most_actions)
    ):
        own = updater
        if len(given) == 0:
            own = scenario[SCENARIO_NUM_DRAWN] & 1
            if own == 0 and parameters.delta > 0:
                scenario[SCENARIO_IS_TARGETED] = 1 if unit(numbers) < parameters.delta else 0
            scenario[SCENARIO_NUM_DRAWN] += 1
        is_targeted = parameters.delta > 0 and scenario[SCENARIO_IS_TARGETED] == 1
        num_steps = descend(
            game, parameters, aim, own_table, own_path, given, own, is_targeted, numbers
        )
        if game.actor(state) != OVER:
            playouts.finish(game, state, numbers)
        # l of line 3: both ways of sampling in one. What a playout is sampled with cancels with
        # its own factor in x, and so does chance behind the tree.
        mixed = parameters.delta * sampled[SAMPLED_TARGETED]
        mixed += (1.0 - parameters.delta) * sampled[SAMPLED_UNTARGETED]
        learn(
            own_table.sums, own_path, num_steps, parameters.weight * game.payoff(state, own) / mixed
        )
        done += 1
    return done


@kernel(inline=True)
def descend(
    game: Game,
    parameters: OOSParameters,
    target: Target,
    table: InfosetTable,
    path: SamplePath,
    forced: Ints,
    own: int,
    is_targeted: Number,
    numbers: RandomState,
) -> int:
    """Sample from the start to the first new information set or the end.

    Return the number of own steps. On the way the average strategies of the seat that does not
    update grow; *path* gets the probabilities of the sample.
    """
    state, delta, gamma = path.words, parameters.delta, parameters.gamma
    restart(path)
    depth, num_steps, first, second, others = 0, 0, 1.0, 1.0, 1.0
    # s_1 is known while the sample has not left the way to the target, and 0 afterwards. At the
    # target the way ends, and both probabilities grow alike.
    is_inside = delta > 0
    is_there = is_inside and is_reached(game, target, state)
    is_known, is_forced = True, len(forced) > 0
    actor = game.actor(state)
    while actor != OVER and is_known:
        count, mask, given = game.num_actions(state), ALL_ACTIONS, NOT_FORCED
        if is_inside and not is_there:
            mask = game.actions_towards(state, depth, target)
        if is_forced:
            given = forced[depth]
        if actor == CHANCE:
            choice = choose_by_chance(game, state, count, mask, given, is_targeted, numbers)
            if is_forced:
                others *= game.chance(state, choice.action)
        else:
            slot, is_known = slot_of(table, state[actor], count)
            if slot == 0:
                # Full: this action is the playout's as well.
                break
            explored = parameters.epsilon if actor == own and is_known else 0.0
            matched = match(table.sums, slot, count, gamma)
            choice = choose_by_regrets(
                table.sums, slot, count, matched, explored, mask, given, is_targeted, numbers
            )
            played = probability_of(table.sums, slot, matched, choice.action)
            if actor == own:
                note_step(path, num_steps, slot, count, choice.action, played)
                num_steps += 1
                sampled = explored / count + (1.0 - explored) * played
                first, second = first * sampled, second * sampled
            else:
                share = parameters.weight / (delta * first + (1.0 - delta) * second)
                add_to_average(table.sums, slot, count, matched, share / matched.total)
                if is_forced:
                    others *= played
        # Line 10: s_1 by the actions towards the target alone, s_2 by all.
        if is_inside and (mask >> choice.action) & 1:
            first /= choice.towards
        elif is_inside:
            first, is_inside = 0.0, False
        game.apply(state, choice.action)
        depth += 1
        if is_inside and not is_there:
            is_there = is_reached(game, target, state)
        actor = game.actor(state)
    path.sampled[SAMPLED_TARGETED], path.sampled[SAMPLED_UNTARGETED] = first, second
    path.sampled[SAMPLED_OTHERS] = others
    return num_steps


@kernel(inline=True)
def restart(path: SamplePath) -> None:
    """Write the start of the game into the state of *path*."""
    # A copy: rules would mix the keys of the start anew, 15 multiplications one after the other.
    for word in range(len(path.words)):
        path.words[word] = path.first_words[word]


@kernel(inline=True)
def probability_of(sums: Floats, slot: int, matched: Matched, action: int) -> float:
    """Return the probability of *action* in the strategy at an information set."""
    weight = matched.least
    weight += matched.slope * max(sums[slot + action, REGRET], 0.0)
    probability: float = weight / matched.total
    return probability


@kernel(inline=True)
def note_step(
    path: SamplePath, step: int, slot: int, count: int, action: int, played: float
) -> None:
    """Note a decision of the seat that updates."""
    path.steps[step, STEP_SLOT], path.steps[step, STEP_COUNT] = slot, count
    path.steps[step, STEP_ACTION], path.played[step] = action, played


@kernel(inline=True)
def slot_of(table: InfosetTable, key: int, count: int) -> tuple[int, bool]:
    """Return the first slot of the information set *key*, and whether it was known before.

    One that was not is added; slot 0 if there is no room.
    """
    place = find(table.places, key)
    slot = table.places[place]["slot"]
    is_known = slot != 0
    if not is_known:
        if has_room(table.places, table.sums, table.used, count):
            add(table.places, table.used, place, key, count)
            slot = table.places[place]["slot"]
        else:
            table.used[TABLE_IS_FULL] = 1
    return slot, is_known


@kernel(inline=True)
def match(sums: Floats, slot: int, count: int, gamma: float) -> Matched:
    """Return the strategy at an information set, by its regrets."""
    # sigma_gamma = gamma / n + (1 - gamma) sigma, times the sum of positive regrets: the draw that
    # selects an action is multiplied by that sum, so that it need not wait for a division.
    total = 0.0
    for action in range(count):
        total += max(sums[slot + action, REGRET], 0.0)
    if total > 0:
        return Matched(total, gamma / count * total, 1.0 - gamma)
    return Matched(1.0, 1.0 / count, 0.0)


@kernel(inline=True)
def choose_by_regrets(
    sums: Floats,
    slot: int,
    count: int,
    matched: Matched,
    explored: float,
    mask: int,
    given: int,
    is_targeted: Number,
    numbers: RandomState,
) -> Choice:
    """Return the action of a seat that mixes so much of the uniform strategy into its own."""
    # Phi = epsilon / n + (1 - epsilon) sigma_gamma, of which nothing is kept: an action's weight
    # costs less than a store and a load.
    least = explored / count * matched.total + (1.0 - explored) * matched.least
    slope = (1.0 - explored) * matched.slope
    if mask != ALL_ACTIONS:
        within = 0.0
        for action in range(count):
            if (mask >> action) & 1:
                within += least + slope * max(sums[slot + action, REGRET], 0.0)
        towards = within / matched.total
        if given != NOT_FORCED:
            return Choice(given, towards)
        if is_targeted:
            # The last action of the mask takes what rounding leaves.
            chosen, left = NOT_FORCED, within * unit(numbers)
            for action in range(count):
                if (mask >> action) & 1 and (chosen < 0 or left >= 0):
                    chosen = action
                    left -= least + slope * max(sums[slot + action, REGRET], 0.0)
            return Choice(chosen, towards)
    else:
        towards = 1.0
    if given != NOT_FORCED:
        return Choice(given, towards)
    # The number of actions before which the draw is not used up.
    chosen, left = 0, matched.total * unit(numbers)
    for action in range(count - 1):
        left -= least + slope * max(sums[slot + action, REGRET], 0.0)
        chosen += 1 if left >= 0 else 0
    return Choice(chosen, towards)


@kernel(inline=True)
def choose_by_chance(
    game: Game,
    state: State,
    count: int,
    mask: int,
    given: int,
    is_targeted: Number,
    numbers: RandomState,
) -> Choice:
    """Return the outcome of chance, drawn from those towards the target in a targeted sample."""
    # Chance is uniform or nearly so, and asked for all outcomes only on the way to a target.
    towards = 1.0
    if mask != ALL_ACTIONS:
        towards = 0.0
        for outcome in range(count):
            if (mask >> outcome) & 1:
                towards += game.chance(state, outcome)
    if given != NOT_FORCED:
        return Choice(given, towards)
    if mask != ALL_ACTIONS and is_targeted:
        chosen, left = NOT_FORCED, towards * unit(numbers)
        for outcome in range(count):
            if (mask >> outcome) & 1 and (chosen < 0 or left >= 0):
                chosen = outcome
                left -= game.chance(state, outcome)
        return Choice(chosen, towards)
    return Choice(chance_action(game, state, unit(numbers)), towards)


@kernel(inline=True)
def add_to_average(sums: Floats, slot: int, count: int, matched: Matched, share: float) -> None:
    """Add the strategy to the average strategy of the seat that does not update, line 29.

    It is added without its uniform part: with that, the average strategy of II-GS(6) gained no more
    after 30 million samples, with gains of 0.0147 (docs/methods/tree_search.md).
    """
    # The line of the sums was read just now. Without positive regrets the slope is 0, and the
    # strategy is uniform.
    least = matched.least if matched.slope == 0 else 0.0
    slope = 0.0 if matched.slope == 0 else 1.0
    for action in range(count):
        weight = least + slope * max(sums[slot + action, REGRET], 0.0)
        sums[slot + action, STRATEGY] += share * weight


@kernel(inline=True)
def learn(sums: Floats, path: SamplePath, num_steps: int, payoff: float) -> None:
    """Add the sampled regrets of an own path of *num_steps*; *payoff* is w_T u / l."""
    # Lines 16 to 24, last step first: x is the probability of the path behind a step by the
    # strategy. One line of sums is read and written for a step.
    tail = 1.0
    for step in range(num_steps - 1, -1, -1):
        slot, behind = path.steps[step, STEP_SLOT], tail
        tail *= path.played[step]
        for action in range(path.steps[step, STEP_COUNT]):
            sums[slot + action, REGRET] -= tail * payoff
        sums[slot + path.steps[step, STEP_ACTION], REGRET] += behind * payoff


@kernel(inline=True)
def uncounted_path(path: SamplePath) -> SamplePath:
    """Return *path* without a count of references."""
    return SamplePath(
        uncounted(path.steps),
        uncounted(path.played),
        uncounted(path.strategy),
        uncounted(path.words),
        uncounted(path.first_words),
        uncounted(path.scenario),
        uncounted(path.sampled),
    )


@kernel(inline=True)
def uncounted_target(target: Target) -> Target:
    """Return *target* without a count of references."""
    return Target(target.viewer, target.key, uncounted(target.states), uncounted(target.actions))


@kernel
def target_probability(
    game: Game,
    target: Target,
    table: InfosetTable,
    path: SamplePath,
    gamma: float,
    num_walks: int,
    random_state: RandomState,
) -> float:
    """Return an estimate of the probability of *target* by average strategies and chance.

    Average strategies are mixed with *gamma* of the uniform one, so that no probability is 0.

    The mean, over walks that take actions towards the target alone, of the product of the
    probabilities of all such actions at each step: unbiased.
    """
    state, strategy = path.words, path.strategy
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
                    strategy[action] = game.chance(state, action)
            else:
                # The average strategy, uniform where nothing is known.
                place = find(places, state[actor])
                slot, weights = places[place]["slot"], 0.0
                if slot > 0:
                    for action in range(count):
                        weights += sums[slot + action, STRATEGY]
                for action in range(count):
                    strategy[action] = 1.0 / count
                    if weights > 0:
                        strategy[action] = gamma / count + (1.0 - gamma) * (
                            sums[slot + action, STRATEGY] / weights
                        )
            share = masked_sum(strategy, count, mask)
            weight *= share
            if share == 0.0:
                break
            game.apply(state, draw_masked(strategy, count, mask, share * unit(random_state)))
            depth += 1
        total += weight
    return total / num_walks


@kernel
def masked_sum(strategy: Floats, count: int, mask: int) -> float:
    """Return the probability of the actions in *mask*."""
    # Bit k of the mask is action k.
    total = 0.0
    for action in range(count):
        if (mask >> action) & 1:
            total += strategy[action]
    return total


@kernel
def draw_masked(strategy: Floats, count: int, mask: int, draw: float) -> int:
    """Return the action in *mask* that *draw* selects, from 0 to the probability of them all."""
    # The last action of the mask takes what rounding leaves.
    chosen, left = -1, draw
    for action in range(count):
        if (mask >> action) & 1 and (chosen < 0 or left >= 0):
            chosen = action
            left -= strategy[action]
    return chosen
