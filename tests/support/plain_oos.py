"""Online outcome sampling in plain Python: algorithm 1 of the paper as it is printed, by recursion.

It draws the same random numbers as the kernels, in the same order. The actions that lead to the
target are found among all histories of the game.
"""

from __future__ import annotations

from collections import defaultdict

from acpcbot.games.game import CHANCE, OVER, Game, State, chance_action, new_state
from acpcbot.random_kernels import RandomState, below, unit


def all_paths(game: Game) -> list[tuple[int, ...]]:
    """The actions of every history of *game*, the start and the ends included."""
    found: list[tuple[int, ...]] = []

    def walk(state: State, actions: tuple[int, ...]) -> None:
        found.append(actions)
        if game.actor(state) != OVER:
            for action in range(game.num_actions(state)):
                after = state.copy()
                game.apply(after, action)
                walk(after, (*actions, action))

    walk(new_state(game), ())
    return found


def state_after(game: Game, actions: tuple[int, ...]) -> State:
    state = new_state(game)
    for action in actions:
        game.apply(state, action)
    return state


def target_paths(game: Game, match: tuple[int, ...], viewer: int) -> set[tuple[int, ...]]:
    """Every history in the information set or public state that *viewer* is in after *match*."""
    key = state_after(game, match)[viewer]
    states = {path: state_after(game, path) for path in all_paths(game)}
    return {
        path
        for path, state in states.items()
        if state[viewer] == key and (viewer == game.num_seats() or game.actor(state) == viewer)
    }


class PlainOOS:
    """``regrets`` and ``averages`` by key; *aims* are the histories of the target, or None."""

    def __init__(
        self,
        game: Game,
        delta: float,
        epsilon: float,
        gamma: float,
        weight: float,
        aims: set[tuple[int, ...]] | None,
    ) -> None:
        self.game, self.epsilon, self.gamma = game, epsilon, gamma
        self.delta = delta if aims is not None else 0.0
        self.weight, self.aims = weight, aims or set()
        self.regrets: dict[int, list[float]] = {}
        self.averages: dict[int, list[float]] = {}
        self.num_samples = 0
        self.is_targeted = False
        # The prefixes of what leads to the target.
        self.towards = {path[:cut] for path in self.aims for cut in range(len(path) + 1)}

    def sample(self, numbers: RandomState) -> None:
        updater = self.num_samples % 2
        if updater == 0 and self.delta > 0:
            self.is_targeted = unit(numbers) < self.delta
        self.num_samples += 1
        start = 1 / self.weight
        self.oos(new_state(self.game), (), 1.0, 1.0, start, start, updater, numbers)

    def allowed(self, path: tuple[int, ...], count: int, s_1: float) -> list[int]:
        """The actions towards the target; all of them where the sample cannot miss it any more."""
        is_there = any(path[:cut] in self.aims for cut in range(len(path) + 1))
        if self.delta == 0 or is_there or s_1 == 0:
            return list(range(count))
        return [action for action in range(count) if (*path, action) in self.towards]

    def oos(
        self,
        state: State,
        path: tuple[int, ...],
        pi_i: float,
        pi_o: float,
        s_1: float,
        s_2: float,
        i: int,
        numbers: RandomState,
    ) -> tuple[float, float, float]:
        game, actor = self.game, self.game.actor(state)
        mixed = self.delta * s_1 + (1 - self.delta) * s_2
        if actor == OVER:
            return 1.0, mixed, game.payoff(state, i)
        count = game.num_actions(state)
        allowed = self.allowed(path, count, s_1)
        is_aimed = self.is_targeted and len(allowed) < count
        if actor == CHANCE:
            chances = [game.chance(state, action) for action in range(count)]
            total = sum(chances[a] for a in allowed)
            if self.is_targeted and s_1 > 0 and self.asks(path):
                action = draw(chances, allowed, total * unit(numbers))
            else:
                action = chance_action(game, state, unit(numbers))
            rho_2 = chances[action]
            rho_1 = rho_2 / total if action in allowed else 0.0
            game.apply(state, action)
            after = (*path, action)
            x, q, u = self.oos(
                state, after, pi_i, rho_2 * pi_o, rho_1 * s_1, rho_2 * s_2, i, numbers
            )
            return rho_2 * x, q, u
        key = int(state[actor])
        is_new = key not in self.regrets
        if is_new:
            self.regrets[key], self.averages[key] = [0.0] * count, [0.0] * count
        sigma = self.matched(self.regrets[key])
        epsilon = self.epsilon if actor == i and not is_new else 0.0
        phi = [epsilon / count + (1 - epsilon) * p for p in sigma]
        total = sum(phi[a] for a in allowed) if self.asks(path) and s_1 > 0 else 1.0
        if self.is_targeted and s_1 > 0 and self.asks(path):
            action = draw(phi, allowed, total * unit(numbers))
        else:
            action = draw(phi, list(range(count)), unit(numbers))
        assert not is_aimed or action in allowed
        after = (*path, action)
        next_1 = s_1 * phi[action] / total if action in allowed else 0.0
        next_2 = s_2 * phi[action]
        game.apply(state, action)
        if is_new:
            x, q, u = self.playout(
                state, self.delta * next_1 + (1 - self.delta) * next_2, i, numbers
            )
        else:
            reach = (pi_i * sigma[action], pi_o) if actor == i else (pi_i, pi_o * sigma[action])
            x, q, u = self.oos(state, after, *reach, next_1, next_2, i, numbers)
        c, x = x, x * sigma[action]
        if actor == i:
            w = u * pi_o / q
            for a in range(count):
                self.regrets[key][a] += (c - x) * w if a == action else -x * w
        else:
            for a in range(count):
                # What gamma has mixed into sigma is not averaged.
                matched = (sigma[a] - self.gamma / count) / (1 - self.gamma)
                self.averages[key][a] += pi_o * matched / mixed
        return x, q, u

    def asks(self, path: tuple[int, ...]) -> bool:
        """True while the target is yet to be reached."""
        return self.delta > 0 and not any(path[:cut] in self.aims for cut in range(len(path) + 1))

    def playout(
        self, state: State, q: float, i: int, numbers: RandomState
    ) -> tuple[float, float, float]:
        x = 1.0
        while self.game.actor(state) != OVER:
            count = self.game.num_actions(state)
            if self.game.actor(state) == CHANCE:
                action = chance_action(self.game, state, unit(numbers))
                chance = self.game.chance(state, action)
            else:
                action, chance = int(below(numbers, count)), 1 / count
            x, q = x * chance, q * chance
            self.game.apply(state, action)
        return x, q, self.game.payoff(state, i)

    def matched(self, regrets: list[float]) -> list[float]:
        positive, count = [max(regret, 0.0) for regret in regrets], len(regrets)
        total = sum(positive)
        sigma = [p / total if total > 0 else 1 / count for p in positive]
        return [self.gamma / count + (1 - self.gamma) * p for p in sigma]


def draw(weights: list[float], allowed: list[int], left: float) -> int:
    """The allowed action that *left* selects."""
    for action in allowed[:-1]:
        left -= weights[action]
        if left < 0:
            return action
    return allowed[-1]


def counterfactual_regrets(
    game: Game, policy: dict[int, list[float]]
) -> tuple[dict[int, list[float]], dict[int, list[float]]]:
    """The regrets of each action, and reach of its own seat and chance times its probability:
    by the definitions, over all ends.
    """
    regrets: dict[int, list[float]] = defaultdict(list)
    averages: dict[int, list[float]] = defaultdict(list)

    def walk(state: State, reach: tuple[float, float, float]) -> tuple[float, float]:
        """The payoffs to expect; *reach* is of both seats and of chance."""
        actor = game.actor(state)
        if actor == OVER:
            return game.payoff(state, 0), game.payoff(state, 1)
        count = game.num_actions(state)
        probabilities = (
            [game.chance(state, action) for action in range(count)]
            if actor == CHANCE
            else policy[int(state[actor])]
        )
        values = []
        for action, probability in enumerate(probabilities):
            after, reaches = state.copy(), list(reach)
            reaches[actor] *= probability
            game.apply(after, action)
            values.append(walk(after, (reaches[0], reaches[1], reaches[2])))
        pairs = list(zip(probabilities, values, strict=True))
        expected = sum(p * v[0] for p, v in pairs), sum(p * v[1] for p, v in pairs)
        if actor != CHANCE:
            key = int(state[actor])
            regrets.setdefault(key, [0.0] * count)
            averages.setdefault(key, [0.0] * count)
            others = reach[1 - actor] * reach[2]
            for action, value in enumerate(values):
                regrets[key][action] += others * (value[actor] - expected[actor])
                averages[key][action] += reach[actor] * reach[2] * probabilities[action]
        return expected

    walk(new_state(game), (1.0, 1.0, 1.0))
    return regrets, averages
