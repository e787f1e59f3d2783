"""SM-MCTS in plain Python: algorithm 1 of the paper as it is printed, by recursion over histories.

It draws the same random numbers as the kernels, in the same order.
"""

from __future__ import annotations

from collections import defaultdict
from math import exp, log, sqrt
from typing import Any

from acpcbot.games.game import CHANCE, OVER, Game, State, chance_action
from acpcbot.random_kernels import RandomState, below, unit

History = tuple[Any, ...]


class PlainSearch:
    """``total`` and ``visits`` by history, and ``first`` and ``second`` by history and seat:
    what a policy keeps of each action.
    """

    def __init__(self, game: Game, policy: str, parameter: float, rewards: tuple[float, float]):
        self.game, self.policy, self.parameter, self.rewards = game, policy, parameter, rewards
        self.total: dict[History, float] = defaultdict(float)
        self.visits: dict[History, int] = defaultdict(int)
        self.first: dict[tuple[History, int], list[float]] = {}
        self.second: dict[tuple[History, int], list[float]] = {}
        self.num_simulations = 0

    def simulate(self, root: State, random_state: RandomState) -> None:
        self.explorer, self.tail = self.num_simulations % 2, 1.0
        self.num_simulations += 1
        self.go((), root.copy(), 1.0, random_state)

    def go(self, node: History, state: State, reach: float, numbers: RandomState) -> float:
        actor = self.game.actor(state)
        if actor == OVER:
            return self.reward(state)
        if actor == CHANCE:
            outcome = chance_action(self.game, state, unit(numbers))
            self.game.apply(state, outcome)
            reward = self.go((*node, outcome), state, reach, numbers)
            self.count((*node, outcome), reward)
            self.visits[node, "n"] += 1
            return reward
        counts = self.add(node, state)
        strategies = [self.strategy(node, seat) for seat in range(2)]
        joint = [(row, column) for row in range(counts[0]) for column in range(counts[1])]
        if self.policy != "oos" and any(self.visits[*node, cell] == 0 for cell in joint):
            place = int(below(numbers, len(joint)))
            while self.visits[*node, joint[place]] > 0:
                place = (place + 1) % len(joint)
            actions = joint[place]
        else:
            row = self.select(node, 0, strategies[0], numbers)
            actions = row, self.select(node, 1, strategies[1], numbers)
        for action in actions:
            self.game.apply(state, action)
        child = (*node, actions)
        played = strategies[self.explorer][actions[self.explorer]]
        share = self.parameter / counts[self.explorer]
        sampled = share + (1 - self.parameter) * played if self.policy[:3] == "oos" else 1.0
        if self.visits[child] == 0:
            self.visits[child, "n"] += 1
            reward = self.play_out(state, numbers)
        else:
            reward = self.go(child, state, reach * sampled, numbers)
        self.update(node, actions, strategies, reward, reach, played, sampled)
        self.tail *= played / sampled
        self.count(child, reward)
        self.visits[node, "n"] += 1
        return reward

    def reward(self, state: State) -> float:
        return self.rewards[0] + self.rewards[1] * self.game.payoff(state, 0)

    def play_out(self, state: State, numbers: RandomState) -> float:
        while self.game.actor(state) != OVER:
            if self.game.actor(state) == CHANCE:
                self.game.apply(state, chance_action(self.game, state, unit(numbers)))
            else:
                self.game.apply(state, int(below(numbers, self.game.num_actions(state))))
        return self.reward(state)

    def count(self, child: History, reward: float) -> None:
        self.total[child] += reward
        self.visits[child] += 1

    def add(self, node: History, state: State) -> list[int]:
        after = state.copy()
        self.game.apply(after, 0)
        counts = [self.game.num_actions(state), self.game.num_actions(after)]
        for seat in range(2):
            self.first.setdefault((node, seat), [0.0] * counts[seat])
            self.second.setdefault((node, seat), [0.0] * counts[seat])
        return counts

    def strategy(self, node: History, seat: int) -> list[float]:
        first, gamma = self.first[node, seat], self.parameter
        if self.policy == "exp3":
            weights = [exp(gamma / len(first) * (sum_ - max(first))) for sum_ in first]
            return [(1 - gamma) * w / sum(weights) + gamma / len(first) for w in weights]
        positive = [max(regret, 0.0) for regret in first]
        total = sum(positive)
        return [p / total if total > 0 else 1 / len(first) for p in positive]

    def select(self, node: History, seat: int, strategy: list[float], numbers: RandomState) -> int:
        first, second = self.first[node, seat], self.second[node, seat]
        if self.policy == "duct":
            spread = log(self.visits[node, "n"])
            bounds = [
                x / n + self.parameter * sqrt(spread / n)
                for x, n in zip(first, second, strict=True)
            ]
            return bounds.index(max(bounds))
        explores = self.policy == "rm" or (self.policy != "exp3" and seat == self.explorer)
        gamma = self.parameter if explores else 0.0
        draw, action = unit(numbers) - gamma / len(first) - (1 - gamma) * strategy[0], 0
        while draw >= 0 and action < len(first) - 1:
            action += 1
            draw -= gamma / len(first) + (1 - gamma) * strategy[action]
        return action

    def update(
        self,
        node: History,
        actions: tuple[int, ...],
        strategies: list[list[float]],
        reward: float,
        reach: float,
        played: float,
        sampled: float,
    ) -> None:
        def mean(seat: int, action: int, other: int) -> float | None:
            cell = (*node, (action, other) if seat == 0 else (other, action))
            if (action, other) == (actions[seat], actions[1 - seat]):
                return mine[seat]
            if not self.visits[cell]:
                return None
            value = self.total[cell] / self.visits[cell]
            return value if seat == 0 else 2 * self.rewards[0] - value

        mine = reward, 2 * self.rewards[0] - reward
        for seat in range(2):
            first, second, own = self.first[node, seat], self.second[node, seat], strategies[seat]
            took, other = actions[seat], actions[1 - seat]
            if self.policy in ("duct", "exp3"):
                first[took] += mine[seat] / (own[took] if self.policy == "exp3" else 1)
                second[took] += 1
            elif self.policy == "rm":
                for action in range(len(own)):
                    value = mean(seat, action, other)
                    first[action] += 0 if value is None else value - mine[seat]
                    second[action] += own[action]
            elif seat != self.explorer:
                for action in range(len(own)):
                    second[action] += own[action] / reach
            elif self.policy == "oos":
                value = mine[seat] * self.tail / sampled
                for action in range(len(own)):
                    regret = (value if action == took else 0.0) - played * value
                    first[action] += regret / reach
            else:
                values = []
                for action in range(len(own)):
                    means = [mean(seat, action, b) for b in range(len(strategies[1 - seat]))]
                    known = [self.rewards[0] if m is None else m for m in means]
                    values.append(
                        sum(p * m for p, m in zip(strategies[1 - seat], known, strict=True))
                    )
                expected = sum(p * v for p, v in zip(own, values, strict=True))
                for action, value in enumerate(values):
                    first[action] += (value - expected) / reach
