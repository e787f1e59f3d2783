"""Growing-tree CFR in plain Python, over histories and dictionaries, with the same random numbers.

With *adds_one* it is the search of games that hide nothing, which here asks for the values of every
leaf in every update.

Written from the paper: no arrays, no numbered rows, no merged histories. Values and reaches are
dictionaries by a seat's key. Private chance must lie at the beginning, as in Kuhn and Leduc.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil, sqrt

from acpcbot.games.game import CHANCE, OVER, Game, State, new_state
from acpcbot.random_kernels import RandomState, seed_state, unit

ByKey = dict[int, float]
Pair = tuple[ByKey, ByKey]


@dataclass
class PlainState:
    """A public state: its histories, and what a search keeps of it."""

    game: Game
    histories: list[tuple[State, float]]
    children: dict[int, PlainState] = field(default_factory=dict)
    is_inside: bool = False
    reach: Pair = field(default_factory=lambda: ({}, {}))
    values: Pair = field(default_factory=lambda: ({}, {}))
    sums: Pair = field(default_factory=lambda: ({}, {}))
    weight: float = 0.0
    regrets: dict[int, list[float]] = field(default_factory=dict)
    averages: dict[int, list[float]] = field(default_factory=dict)
    strategy: dict[int, list[float]] = field(default_factory=dict)
    action_values: dict[int, list[float]] = field(default_factory=dict)
    priors: dict[int, list[float]] = field(default_factory=dict)
    visits: dict[int, list[float]] = field(default_factory=dict)
    virtual: dict[int, list[float]] = field(default_factory=dict)
    added: dict[int, list[float]] = field(default_factory=dict)

    @property
    def actor(self) -> int:
        return self.game.actor(self.histories[0][0])

    def expand(self, *, adds_one: bool = False) -> None:
        """Make the children, all of them, or none yet."""
        self.is_inside = True
        for state, chance in self.histories:
            for action in range(0 if adds_one else self.game.num_actions(state)):
                after = state.copy()
                self.game.apply(after, action)
                share = self.game.chance(state, action) if self.actor == CHANCE else 1.0
                child = self.children.setdefault(int(after[2]), PlainState(self.game, []))
                child.histories.append((after, chance * share))
            if self.actor >= 0:
                key, count = int(state[self.actor]), self.game.num_actions(state)
                for table in (self.regrets, self.averages, self.action_values):
                    table[key] = [0.0] * count
                self.visits[key], self.virtual[key] = [0.0] * count, [0.0] * count
                self.strategy[key] = [1 / count] * count
                self.priors[key] = [1 / count] * count
                self.added[key] = [0.0 if adds_one else 1.0] * count

    def add_child(self, action: int) -> None:
        """Add the child of the only history by *action*."""
        ((state, chance),) = self.histories
        after = state.copy()
        self.game.apply(after, action)
        played = self.strategy[int(state[self.actor])][action]
        self.added[int(state[self.actor])][action] = 1.0
        child = self.children[int(after[2])] = PlainState(self.game, [(after, chance)])
        for seat in range(2):
            share = played if seat == self.actor else 1.0
            child.reach[seat][int(after[seat])] = self.reach[seat][int(state[seat])] * share


def first_public_state(game: Game) -> PlainState:
    """The state after the cards are dealt."""
    histories = [(new_state(game), 1.0)]
    while game.actor(histories[0][0]) == CHANCE:
        dealt = []
        for state, chance in histories:
            for action in range(game.num_actions(state)):
                after = state.copy()
                game.apply(after, action)
                dealt.append((after, chance * game.chance(state, action)))
        histories = dealt
    return PlainState(game, histories)


Answer = tuple[Pair, dict[int, list[float]]]
"""Values of both seats by key, and the prior of the seat to move by key."""


class PlainGrowingCFR:
    """SoG(s, c) from the first public state, with leaves worth 0 unless *ask* answers."""

    def __init__(
        self,
        game: Game,
        greatest: float,
        exploration: float,
        seed: int,
        ask: Callable[[PlainState], Answer] | None = None,
        *,
        adds_one: bool = False,
        power: float = 1.0,
    ) -> None:
        self.game, self.greatest, self.exploration = game, greatest, exploration
        self.power = power
        self.ask, self.adds_one = ask, adds_one
        self.numbers: RandomState = seed_state(seed)
        self.root = first_public_state(game)
        self.num_updates = 0

    def search(self, simulations: int, per_update: float) -> None:
        keys = [{int(state[seat]) for state, _ in self.root.histories} for seat in range(2)]
        ones: Pair = (dict.fromkeys(keys[0], 1.0), dict.fromkeys(keys[1], 1.0))
        self.root.reach = ones
        if not self.adds_one:
            self.expand(self.root)
        each = ceil(per_update)
        for _ in range(max(1, round(simulations / each))):
            for _ in range(max(1, ceil(1 / per_update))):
                self.num_updates += 1
                self.update(self.root, ones)
            visited: list[tuple[PlainState, int, int]] = []
            for _ in range(each):
                self.simulate(visited, is_virtual=each > 1)
            for node, key, action in visited:
                node.virtual[key][action] = 0.0

    def expand(self, node: PlainState) -> None:
        node.expand(adds_one=self.adds_one)
        if self.ask and node.actor >= 0:
            node.priors = self.ask(node)[1]

    def update(self, node: PlainState, reach: Pair) -> Pair:
        """One simultaneous update below *node*; its values."""
        node.reach, t = reach, float(self.num_updates) ** self.power
        values: Pair = (dict.fromkeys(reach[0], 0.0), dict.fromkeys(reach[1], 0.0))
        actor = node.actor
        if actor == OVER:
            for state, chance in node.histories:
                for seat in range(2):
                    own, other = int(state[seat]), int(state[1 - seat])
                    paid = chance * self.game.payoff(state, seat)
                    values[seat][own] += paid * reach[1 - seat][other]
        elif node.is_inside:
            if actor != CHANCE:
                self.match(node, actor, t)
            for public, child in list(node.children.items()):
                self.pass_through(node, actor, public, child, values)
            if actor != CHANCE:
                for key, regrets in node.regrets.items():
                    for action, value in enumerate(node.action_values[key]):
                        if node.added[key][action]:
                            regret = regrets[action] + value - values[actor][key]
                            regrets[action] = max(0.0, regret)
        elif self.ask:
            values = self.ask(node)[0]
        node.values = values
        node.weight += t
        for seat in range(2):
            for key, value in values[seat].items():
                node.sums[seat][key] = node.sums[seat].get(key, 0.0) + t * value
        return values

    def match(self, node: PlainState, actor: int, t: float) -> None:
        for key, regrets in node.regrets.items():
            total, added = sum(regrets), node.added[key]
            even = [one / sum(added) for one in added]
            node.strategy[key] = [r / total for r in regrets] if total > 0 else even
            node.action_values[key] = [0.0] * len(regrets)
            for action, played in enumerate(node.strategy[key]):
                node.averages[key][action] += t * node.reach[actor][key] * played

    def pass_through(
        self, node: PlainState, actor: int, public: int, child: PlainState, values: Pair
    ) -> None:
        """Update *child* of *node* and add what it is worth to *values*."""
        before = self.before(node, public)
        reach: Pair = ({}, {})
        for seat in range(2):
            for key, (parent, action) in before[seat].items():
                played = node.strategy[parent][action] if seat == actor else 1.0
                reach[seat][key] = node.reach[seat][parent] * played
        below = self.update(child, reach)
        for seat in range(2):
            for key, (parent, action) in before[seat].items():
                played = 1.0
                if seat == actor:
                    node.action_values[parent][action] += below[seat][key]
                    played = node.strategy[parent][action]
                values[seat][parent] += played * below[seat][key]

    def before(
        self, node: PlainState, public: int
    ) -> tuple[dict[int, tuple[int, int]], dict[int, tuple[int, int]]]:
        """By seat: each key of the child *public*, to the key and action that lead to it."""
        result: tuple[dict[int, tuple[int, int]], dict[int, tuple[int, int]]] = ({}, {})
        for state, _ in node.histories:
            for action in range(self.game.num_actions(state)):
                after = state.copy()
                self.game.apply(after, action)
                if int(after[2]) == public:
                    for seat in range(2):
                        result[seat][int(after[seat])] = int(state[seat]), action
        return result

    def simulate(self, visited: list[tuple[PlainState, int, int]], *, is_virtual: bool) -> None:
        node, state = self.root, self.draw_history(self.root)
        while node.is_inside:
            if node.actor == CHANCE:
                count = self.game.num_actions(state)
                action, left = 0, unit(self.numbers) if count > 1 else 0.0
                shares = [self.game.chance(state, other) for other in range(count)]
                for share in shares[:-1]:
                    left -= share
                    action += left >= 0
            else:
                key = int(state[node.actor])
                action = self.select(node, key)
                node.visits[key][action] += 1
                if is_virtual:
                    node.virtual[key][action] += 1
                    visited.append((node, key, action))
                if not node.added[key][action]:
                    node.add_child(action)
                    return
            state = state.copy()
            self.game.apply(state, action)
            node = node.children[int(state[2])]
        if node.actor == OVER:
            return
        self.expand(node)
        if self.adds_one:
            priors = node.priors[int(state[node.actor])]
            first = max(range(len(priors)), key=lambda action: priors[action])
            node.visits[int(state[node.actor])][first] += 1
            node.add_child(first)
        else:
            for public, child in node.children.items():
                before = self.before(node, public)
                for seat in range(2):
                    for key, (parent, action) in before[seat].items():
                        played = node.strategy[parent][action] if seat == node.actor else 1.0
                        child.reach[seat][key] = node.reach[seat][parent] * played

    def draw_history(self, node: PlainState) -> State:
        weights = [
            chance * node.reach[0][int(state[0])] * node.reach[1][int(state[1])]
            for state, chance in node.histories
        ]
        left, chosen = sum(weights) * unit(self.numbers), None
        for (state, _), weight in zip(node.histories, weights, strict=True):
            if weight > 0 and (chosen is None or left >= 0):
                chosen = state
            left -= weight
        assert chosen is not None
        return chosen

    def select(self, node: PlainState, key: int) -> int:
        averages, count = node.averages[key], len(node.averages[key])
        if unit(self.numbers) < 0.5 and all(node.added[key]):
            total, action, left = sum(averages), 0, unit(self.numbers)
            for weight in averages[:-1]:
                left -= weight / total if total > 0 else 1 / count
                action += left >= 0
            return action
        seat = node.actor
        mass = self.greatest * sum(
            chance * node.reach[1 - seat][int(state[1 - seat])]
            for state, chance in node.histories
            if int(state[seat]) == key
        )
        visits, virtual = node.visits[key], node.virtual[key]
        scores = []
        for action, value in enumerate(node.action_values[key]):
            quality = value / mass if mass > 0 else 0.0
            if virtual[action] > 0:
                own = visits[action]
                quality = (quality * (own - virtual[action]) - virtual[action]) / own
            prior = node.priors[key][action]
            bonus = self.exploration * sqrt(sum(visits) + 1) * prior / (1 + visits[action])
            scores.append(quality + bonus)
        return max(range(count), key=lambda action: scores[action])
