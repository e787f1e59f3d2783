"""IS-MCTS: against a plain twin, against OpenSpiel's bot, and where it fails as it should."""

from __future__ import annotations

from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from math import log, sqrt

import numpy as np
import pytest

from acpcbot.arrays import Floats, Ints
from acpcbot.errors import UsageError
from acpcbot.games.coordination import Coordination
from acpcbot.games.game import (
    CHANCE,
    OVER,
    Game,
    State,
    Target,
    chance_action,
    make_target,
    new_state,
)
from acpcbot.games.generic_poker import LEDUC
from acpcbot.games.goofspiel import Goofspiel
from acpcbot.games.kuhn import Kuhn
from acpcbot.games.liars_dice import LiarsDice
from acpcbot.random_kernels import RandomState, below, seed_state, unit
from acpcbot.tree_search.infoset_table import slots_of
from acpcbot.tree_search.is_mcts import FinalMove, InfosetSearch
from acpcbot.tree_search.selection.infoset_regrets import InfosetRegrets
from acpcbot.tree_search.selection.policy import InfosetPolicy
from acpcbot.tree_search.selection.uct import UCT
from acpcbot.tree_search.target_states import opening_states, states_of
from tests.support.plain_oos import state_after

KUHN = Kuhn()
POLICIES: dict[str, InfosetPolicy] = {"uct": UCT(2.0), "rm": InfosetRegrets(0.2)}


class PlainISMCTS:
    """The search by recursion; ``first`` and ``second`` by key are what a policy keeps."""

    def __init__(self, game: Game, policy: str, parameter: float) -> None:
        self.game, self.policy, self.parameter = game, policy, parameter
        self.first: dict[int, list[float]] = defaultdict(list)
        self.second: dict[int, list[float]] = defaultdict(list)

    def go(self, state: State, numbers: RandomState, *, is_beyond: bool = False) -> State:
        """The end that a simulation comes to from *state*."""
        actor = self.game.actor(state)
        if actor == OVER:
            return state
        count = self.game.num_actions(state)
        if actor == CHANCE:
            self.game.apply(state, chance_action(self.game, state, unit(numbers)))
            return self.go(state, numbers, is_beyond=is_beyond)
        if is_beyond:
            self.game.apply(state, int(below(numbers, count)))
            return self.go(state, numbers, is_beyond=True)
        key = int(state[actor])
        is_new = key not in self.first
        if is_new:
            self.first[key], self.second[key] = [0.0] * count, [0.0] * count
        first, second = self.first[key], self.second[key]
        probability = 1.0
        if self.policy == "uct":
            fresh = [action for action in range(count) if second[action] == 0]
            if fresh:
                action = fresh[int(below(numbers, len(fresh)))]
            else:
                bounds = [
                    x / n + self.parameter * sqrt(log(sum(second)) / n)
                    for x, n in zip(first, second, strict=True)
                ]
                action = bounds.index(max(bounds))
        else:
            positive = [max(regret, 0.0) for regret in first]
            total = sum(positive)
            sigma = [p / total if total > 0 else 1 / count for p in positive]
            for other in range(count):
                second[other] += sigma[other]
            mixed = [self.parameter / count + (1 - self.parameter) * p for p in sigma]
            draw, action = unit(numbers) - mixed[0], 0
            while draw >= 0 and action < count - 1:
                action += 1
                draw -= mixed[action]
            probability = mixed[action]
        self.game.apply(state, action)
        end = self.go(state, numbers, is_beyond=is_new)
        payoff = self.game.payoff(end, actor)
        if self.policy == "uct":
            first[action] += payoff
            second[action] += 1
        else:
            for other in range(count):
                first[other] -= payoff
            first[action] += payoff / probability
        return end


def opening_deals(game: Game) -> tuple[Ints, Floats]:
    """All states after the opening moves of chance, and their probabilities, by recursion."""
    found: dict[tuple[int, ...], float] = defaultdict(float)

    def deal(state: State, reach: float) -> None:
        if game.actor(state) != CHANCE:
            found[tuple(state.tolist())] += reach
            return
        for outcome in range(game.num_actions(state)):
            after = state.copy()
            game.apply(after, outcome)
            deal(after, reach * game.chance(state, outcome))

    deal(new_state(game), 1.0)
    return np.array(list(found)), np.array(list(found.values()))


@pytest.mark.parametrize("game", [KUHN, LEDUC, LiarsDice(2, 3), Goofspiel(3)], ids=str)
def test_openings_are_all_deals_with_their_probabilities(game: Game) -> None:
    """Caught: an outcome left out or twice, a probability asked for after the move."""
    states, cumulative = opening_states(game)
    expected, chances = opening_deals(game)
    probability: dict[tuple[int, ...], float] = defaultdict(float)
    for state, chance in zip(states.tolist(), np.diff(cumulative, prepend=0), strict=True):
        probability[tuple(state)] += chance
    assert len(probability) == len(expected)
    for state, chance in zip(expected.tolist(), chances, strict=True):
        assert probability[tuple(state)] == pytest.approx(chance, abs=1e-12)


def test_too_many_openings_are_left_to_chance() -> None:
    game = LiarsDice(5, 6)
    states, cumulative = opening_states(game)
    assert states.tolist() == [new_state(game).tolist()]
    assert cumulative.tolist() == [1.0]


@pytest.mark.parametrize("by_chance", [False, True])
@pytest.mark.parametrize("match", [None, (1, 0, 0)], ids=["start", "target"])
@pytest.mark.parametrize("name", POLICIES)
def test_the_sums_are_those_of_a_plain_twin(
    name: str, match: tuple[int, ...] | None, by_chance: bool
) -> None:
    search = InfosetSearch(KUHN, POLICIES[name], 4, by_chance=by_chance)
    if match is not None:
        target = make_target(KUHN, match, 1)
        search.begin(target)
        states, weights = states_of(KUHN, target)
        assert len(states) == 2
    else:
        # In the order in which the search draws them.
        states = opening_states(KUHN)[0]
        weights = np.ones(len(states))
    twin, numbers = PlainISMCTS(KUHN, name, 2.0 if name == "uct" else 0.2), seed_state(4)
    for _ in range(3000):
        draw, root = unit(numbers) * weights.sum(), 0
        while root < len(states) - 1 and draw >= weights[: root + 1].sum():
            root += 1
        twin.go(states[root].copy(), numbers)
    search.simulate(1000)
    search.simulate(2000)

    assert search.num_infosets == len(twin.first)
    for key, first in twin.first.items():
        slots = slots_of(search.table, key)
        assert slots is not None
        theirs = np.array([first, twin.second[key]]).T
        np.testing.assert_allclose(search.table.sums[slots], theirs, rtol=1e-12, atol=1e-10)


@pytest.mark.parametrize("name", POLICIES)
def test_play_does_not_depend_on_a_leaf_out_of_reach(name: str) -> None:
    """Not sound, and known not to be: the same even mix for a leaf of 1, where a third is right,
    and of 2, where a sixth is.
    """
    answers: list[list[float]] = []
    for leaf in (1.0, 2.0):
        game = Coordination(leaf)
        search = InfosetSearch(game, POLICIES[name], 1)
        search.begin(make_target(game, [1, 0], 1))
        search.simulate(300_000)
        strategy = search.strategy(int(state_after(game, (1, 0))[1]))
        assert strategy is not None
        answers.append(strategy.tolist())
    assert answers[0] == answers[1]
    assert np.allclose(answers[0], 0.5, atol=0.1)


def test_states_are_drawn_by_chance_or_alike() -> None:
    """Leduc by ranks: with one of a pair in hand, the other one of it is half as likely."""
    target = make_target(LEDUC, [0, 1], 0)
    by_chance = InfosetSearch(LEDUC, UCT(13), 1, by_chance=True)
    alike = InfosetSearch(LEDUC, UCT(13), 1)
    for search in (by_chance, alike):
        search.begin(target)
    assert np.allclose(np.diff(by_chance._weights, prepend=0), (0.2, 0.4, 0.4))
    assert np.allclose(np.diff(alike._weights, prepend=0), 1 / 3)


@pytest.mark.parametrize(
    ("final", "expected"),
    [("visits", (0.2, 0.7, 0.1)), ("most-visits", (0, 1, 0)), ("best-value", (0, 0, 1))],
)
def test_final_strategies_follow_visits_or_mean_values(
    final: FinalMove, expected: tuple[float, ...]
) -> None:
    search = InfosetSearch(LEDUC, UCT(13), 1)
    search.begin(target_of_three_actions())
    search.simulate(100)
    key = target_of_three_actions().key
    slots = slots_of(search.table, key)
    assert slots is not None
    search.table.sums[slots] = [[-2.0, 2.0], [7.0, 7.0], [1.5, 1.0]]
    strategy = search.strategy(key, final)
    assert strategy is not None
    assert np.allclose(strategy, expected)
    assert search.strategy(12345) is None


def target_of_three_actions() -> Target:
    """Leduc where seat 1 faces a bet: fold, call, raise."""
    return make_target(LEDUC, [0, 1, 1], 1)


OPENSPIEL: dict[str, tuple[Game, tuple[int, ...], str, tuple[int, ...], float]] = {
    # Games, the actions from the start, OpenSpiel's name and its actions.
    "Kuhn, jack after a pass": (KUHN, (1, 0, 0), "kuhn_poker", (1, 0, 0), 2.0),
    "Kuhn, queen to call": (KUHN, (0, 0, 1), "kuhn_poker", (0, 1, 1), 2.0),
    # With suits that are alike OpenSpiel never draws the other card of a pair.
    "Leduc, king": (LEDUC, (2, 0), "leduc_poker", (4, 0), 13.0),
    "Leduc, queen to call": (LEDUC, (0, 1, 1), "leduc_poker", (0, 2, 2), 13.0),
}


@pytest.mark.parametrize("name", OPENSPIEL)
def test_visit_shares_are_those_of_openspiel(name: str) -> None:
    """The mean over seeds: the same C, 2,000 simulations, states by chance. OpenSpiel tells suits
    apart, so in Leduc it spreads its visits over more information sets.
    """
    pyspiel = pytest.importorskip("pyspiel")
    game, match, spiel_name, actions, exploration = OPENSPIEL[name]
    num_seeds, num_simulations = 24, 2000
    theirs: list[list[float]] = []
    for seed in range(num_seeds):
        state = pyspiel.load_game(spiel_name).new_initial_state()
        for action in actions:
            state.apply_action(action)
        bot = pyspiel.ISMCTSBot(
            seed,
            pyspiel.RandomRolloutEvaluator(1, seed),
            exploration,
            num_simulations,
            -1,
            pyspiel.ISMCTSFinalPolicyType.NORMALIZED_VISIT_COUNT,
            False,
            False,
        )
        # OpenSpiel lists actions in the order in which they were expanded.
        theirs.append([probability for _, probability in sorted(bot.get_policy(state))])
    ours: list[Floats] = []
    seat = game.actor(state_after(game, match))
    for seed in range(num_seeds):
        search = InfosetSearch(game, UCT(exploration), seed, by_chance=True)
        search.begin(make_target(game, match, seat))
        search.simulate(num_simulations)
        strategy = search.strategy(int(state_after(game, match)[seat]))
        assert strategy is not None
        ours.append(strategy)
    spread = np.hypot(np.std(ours, axis=0), np.std(theirs, axis=0)) / sqrt(num_seeds)
    difference = np.abs(np.mean(ours, axis=0) - np.mean(theirs, axis=0))
    assert (difference < 4 * spread + 0.05).all(), (np.mean(ours, axis=0), np.mean(theirs, axis=0))


@pytest.mark.parametrize("name", POLICIES)
def test_a_full_memory_stops_growing_and_the_search_goes_on(name: str) -> None:
    game = Goofspiel(5, hides_bids=True)
    search = InfosetSearch(game, POLICIES[name], 1, memory_bytes=100_000)
    search.simulate(20_000)
    assert search.is_full
    num_infosets = search.num_infosets
    search.simulate(20_000)
    assert search.num_infosets == num_infosets


def test_equal_seeds_give_equal_answers_on_any_number_of_threads() -> None:
    def answer(seed: int) -> list[float]:
        search = InfosetSearch(LEDUC, UCT(13), seed)
        search.begin(target_of_three_actions())
        search.simulate(3000)
        return search.table.sums[: search.table.used[1]].ravel().tolist()

    alone = [answer(seed) for seed in range(6)]
    for num_threads in (2, 4):
        with ThreadPoolExecutor(num_threads) as pool:
            assert list(pool.map(answer, range(6))) == alone
    assert alone[0] != alone[1]


def test_more_than_two_seats_are_refused() -> None:
    with pytest.raises(UsageError, match="for 2 seats here, not 3"):
        InfosetSearch(Kuhn(3), UCT(2), 1)
