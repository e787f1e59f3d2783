"""OOS: against a plain twin, by enumeration of what it may sample, and in games that are known."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import NamedTuple

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
    is_reached,
    make_target,
    new_state,
)
from acpcbot.games.generic_poker import LEDUC
from acpcbot.games.goofspiel import Goofspiel
from acpcbot.games.kuhn import Kuhn
from acpcbot.games.liars_dice import LiarsDice
from acpcbot.jit import kernel
from acpcbot.random_kernels import RandomState
from acpcbot.tree_search.infoset_table import InfosetTable, slots_of
from acpcbot.tree_search.oos import OOSSearch, OOSSettings
from acpcbot.tree_search.oos_kernels import OOSParameters, SamplePath, descend
from acpcbot.tree_search.target_states import states_of
from tests.support.plain_oos import (
    PlainOOS,
    all_paths,
    counterfactual_regrets,
    state_after,
    target_paths,
)
from tests.support.research_games import form_of, respond

KUHN, LIARS, HIDDEN = (
    Kuhn(),
    LiarsDice(1, 3),
    Goofspiel(4, hides_bids=True, is_ascending=True, lowest_point=0),
)
GAMES: dict[str, Game] = {"Kuhn": KUHN, "LD(1,1)": LIARS, "II-GS(4)": HIDDEN, "Leduc": LEDUC}
# The second seat holds the first card left, and the first has passed.
KUHN_MATCH = (1, 0, 0)


@pytest.mark.parametrize("weighs", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("viewer", [None, 1, 2], ids=["untargeted", "IST", "PST"])
def test_the_sums_are_those_of_a_plain_twin(viewer: int | None, weighs: bool) -> None:
    """Caught: a sum, a draw or a probability that differs from algorithm 1 of the paper."""
    settings = OOSSettings(delta=0.7, epsilon=0.4, gamma=0.05, weighs_targets=weighs)
    search = OOSSearch(KUHN, settings, 5)
    aims = None
    if viewer is not None:
        search.aim(list(KUHN_MATCH), viewer)
        aims = target_paths(KUHN, KUHN_MATCH, viewer)
        assert (search.weight != 1) == weighs
    twin = PlainOOS(KUHN, 0.7, 0.4, 0.05, search.weight, aims)
    numbers = search.random_state.copy()
    for _ in range(3000):
        twin.sample(numbers)
    search.sample(1000)
    search.sample(2000)

    assert search.num_infosets == len(twin.regrets) == 12
    for key, regrets in twin.regrets.items():
        slots = slots_of(search.table, key)
        assert slots is not None
        theirs = np.array([regrets, twin.averages[key]]).T
        np.testing.assert_allclose(search.table.sums[slots], theirs, rtol=1e-12, atol=1e-9)


def test_a_sample_adds_at_most_one_information_set() -> None:
    search = OOSSearch(LEDUC, OOSSettings(), 2)
    for number in range(1, 200):
        search.sample(1)
        assert search.num_infosets <= number
    assert search.num_infosets > 100


@cache
def paths_of(name: str) -> list[tuple[int, ...]]:
    return all_paths(GAMES[name])


# Two arrays and no tuple with names: kernels are kept on disk for types of the package alone.
@cache
def ends_of(name: str) -> tuple[Ints, Ints]:
    """The actions of every end of a game, [end, move], and how many they are, [end]."""
    game, paths = GAMES[name], paths_of(name)
    prefixes = {path[:-1] for path in paths if path}
    ends = [path for path in paths if path not in prefixes]
    actions = np.zeros((len(ends), game.max_moves()), np.int64)
    for number, end in enumerate(ends):
        actions[number, : len(end)] = end
    return actions, np.array([len(end) for end in ends])


@kernel
def sums_of_probabilities(
    game: Game,
    parameters: OOSParameters,
    target: Target,
    table: InfosetTable,
    path: SamplePath,
    ends: Ints,
    lengths: Ints,
    own: int,
    random_state: RandomState,
    totals: Floats,
) -> None:
    """Write the sums over all ends of s_1, of s_2, of s_1 in the target, and of the mixture."""
    totals[:] = 0
    state = np.zeros_like(path.words)
    for end in range(len(lengths)):
        length = lengths[end]
        descend(
            game,
            parameters,
            target,
            table,
            path,
            ends[end, :length],
            own,
            True,
            random_state,
        )
        game.start(state)
        is_inside = is_reached(game, target, state)
        for move in range(length):
            game.apply(state, ends[end, move])
            is_inside = is_inside or is_reached(game, target, state)
        first, second = path.sampled[:2] * path.sampled[2]
        totals[0] += first
        totals[1] += second
        totals[2] += first if is_inside else 0.0
        totals[3] += parameters.delta * first + (1 - parameters.delta) * second


@cache
def infoset_histories(name: str) -> dict[int, tuple[int, ...]]:
    """A history of each information set."""
    game, found = GAMES[name], dict[int, tuple[int, ...]]()
    for path in paths_of(name):
        state = state_after(game, path)
        if game.actor(state) >= 0:
            found.setdefault(int(state[game.actor(state)]), path)
    return found


@pytest.mark.parametrize("name", ["LD(1,1)", "II-GS(4)", "Leduc"])
def test_probabilities_of_targeted_samples_sum_to_one(name: str) -> None:
    """At every information set, targeted itself and by its public state, for both updating seats:
    over all ends of the game, and of targeted samples over the ends of the target alone.
    """
    game = GAMES[name]
    totals = np.zeros(4)
    search = OOSSearch(game, OOSSettings(epsilon=0.5, gamma=0.5), 1)
    search.sample(300_000)
    histories = infoset_histories(name)
    assert search.num_infosets == len(histories)
    parameters = OOSParameters(0.6, 0.3, 0.01, 1.0)
    num_targets = 0
    for path in histories.values():
        seat = game.actor(state_after(game, path))
        for viewer in (seat, 2):
            target = make_target(game, path, viewer)
            for own in range(2):
                sums_of_probabilities(
                    game,
                    parameters,
                    target,
                    search.table,
                    search._path,
                    *ends_of(name),
                    own,
                    search.random_state,
                    totals,
                )
                assert np.allclose(totals, 1, rtol=0, atol=1e-12), (path, viewer, own, totals)
                num_targets += 1
    assert num_targets == 4 * len(histories)


@pytest.mark.parametrize("viewer", [0, 2], ids=["IST", "PST"])
@pytest.mark.parametrize(
    ("name", "match"),
    [("Kuhn", (2, 1, 0, 1)), ("LD(1,1)", (1, 2, 3, 0))],
    ids=["Kuhn", "LD(1,1)"],
)
def test_sampled_regrets_are_unbiased(name: str, match: tuple[int, ...], viewer: int) -> None:
    """The mean over all samples, each with its probability, of what it adds to regrets and average
    strategies is what their definitions give.
    """
    game = GAMES[name]
    search = OOSSearch(game, OOSSettings(delta=0.6, gamma=0.5), 3)
    search.sample(200_000)
    search.aim(list(match), viewer)
    assert search.weight > 1
    (ends, lengths), before = ends_of(name), search.table.sums.copy()
    keys = infoset_histories(name)
    policy = {key: matched(search, key, 0.5) for key in keys}
    regrets, averages = counterfactual_regrets(game, policy)
    for updater in range(2):
        mean = np.zeros_like(before)
        for actions, length in zip(ends.tolist(), lengths.tolist(), strict=True):
            first, second = search.follow(actions[:length], updater)
            mean += (0.6 * first + 0.4 * second) * (search.table.sums - before)
            search.table.sums[:] = before
        mean /= search.weight
        for key, path in keys.items():
            slots = slots_of(search.table, key)
            assert slots is not None
            is_own = game.actor(state_after(game, path)) == updater
            expected = np.zeros((slots.stop - slots.start, 2))
            average = np.array(averages[key])
            # Averages are of strategies without the uniform half.
            average = 2 * average - average.mean()
            expected[:, 0 if is_own else 1] = regrets[key] if is_own else average
            np.testing.assert_allclose(mean[slots], expected, rtol=0, atol=1e-12)


def matched(search: OOSSearch, key: int, gamma: float) -> list[float]:
    """The current strategy at *key*, by hand."""
    slots = slots_of(search.table, key)
    assert slots is not None
    positive = np.maximum(search.table.sums[slots, 0], 0)
    count = len(positive)
    strategy = positive / positive.sum() if positive.sum() > 0 else np.full(count, 1 / count)
    mixed: list[float] = (gamma / count + (1 - gamma) * strategy).tolist()
    return mixed


@pytest.mark.parametrize("is_aimed", [False, True], ids=["root", "targeted"])
@pytest.mark.parametrize(("leaf", "left"), [(1.0, 1 / 3), (2.0, 1 / 6)])
def test_play_depends_on_a_leaf_out_of_reach(leaf: float, left: float, is_aimed: bool) -> None:
    """The coordination game of the paper: 1/3 and 2/3, with a leaf of 2 instead 1/6 and 5/6."""
    game = Coordination(leaf)
    search = OOSSearch(game, OOSSettings(delta=0.9, epsilon=0.4), 1)
    if is_aimed:
        search.aim([1, 0], 1)
    search.sample(1_000_000)
    strategy = search.strategy(int(state_after(game, (1, 0))[1]))
    assert strategy is not None
    assert np.allclose(strategy, (left, 1 - left), atol=0.01)


def nash_conv(search: OOSSearch) -> float:
    form = form_of(search.game)
    weights = np.zeros(form.num_slots)
    for key, slots in form.slots_by_key().items():
        strategy = search.strategy(key)
        if strategy is not None:
            weights[slots] = strategy
    return respond(search.game, form.normalised(weights)).nash_conv


def test_nash_conv_of_kuhn_falls_with_samples() -> None:
    search = OOSSearch(KUHN, OOSSettings(epsilon=0.6), 1)
    search.sample(1000)
    first = nash_conv(search)
    search.sample(1_000_000)
    assert nash_conv(search) < min(0.03, first / 5)


def test_the_uniform_part_of_strategies_is_not_averaged() -> None:
    """Caught: averages with gamma in them, which would gain 0.1 in Kuhn with a gamma of 0.1."""
    search = OOSSearch(KUHN, OOSSettings(epsilon=0.6, gamma=0.1), 1)
    search.sample(1_000_000)
    found = search.strategy(int(state_after(KUHN, (0, 1, 1))[1]))
    assert found is not None
    assert found.min() < 0.01, "the queen or king that faces a bet with the nuts or nothing"


@pytest.mark.parametrize(("match", "viewer"), [((1, 2, 3, 0), 0), ((1, 2, 3), 1), ((1, 2, 3), 2)])
def test_the_weight_of_a_target_follows_from_its_probability(
    match: tuple[int, ...], viewer: int
) -> None:
    """The estimate against the exact probability: over all states of the target, by hand."""
    search = OOSSearch(LIARS, OOSSettings(delta=0.8), 1)
    search.sample(20_000)
    search.aim(list(match), viewer)
    exact = 0.0
    aims = target_paths(LIARS, match, viewer)
    for path in aims:
        if any(path[:cut] in aims for cut in range(len(path))):
            continue
        state, reach = new_state(LIARS), 1.0
        for action in path:
            actor = LIARS.actor(state)
            if actor == CHANCE:
                reach *= LIARS.chance(state, action)
            else:
                strategy = search.strategy(int(state[actor]))
                assert strategy is not None
                gamma = search.settings.gamma
                reach *= gamma / len(strategy) + (1 - gamma) * strategy[action]
            LIARS.apply(state, action)
        exact += reach
    assert search.target_probability(200_000) == pytest.approx(exact, rel=0.01)
    assert search.weight == pytest.approx(0.2 + 0.8 / exact, rel=0.2)


def test_states_of_a_target_are_those_of_its_histories() -> None:
    for match, viewer in (((1, 2, 3, 0), 0), ((1, 2, 3), 1), ((1, 2, 3), 2)):
        states, chances = states_of(LIARS, make_target(LIARS, match, viewer))
        aims = target_paths(LIARS, match, viewer)
        first = {p for p in aims if not any(p[:cut] in aims for cut in range(len(p)))}
        expected = sorted(state_after(LIARS, path).tolist() for path in first)
        assert sorted(states.tolist()) == expected
        assert np.allclose(chances, 1 / 9)


class Stubborn(NamedTuple):
    """A playout policy in which everybody takes the action *number*, or the last one."""

    number: int

    def finish(self, game: Game, state: State, random_state: RandomState) -> None:
        while game.actor(state) != OVER:
            game.apply(state, min(self.number, game.num_actions(state) - 1))


@pytest.mark.slow
def test_a_playout_policy_is_used_beyond_the_tree() -> None:
    """Caught: a policy that is asked for and not used. (Its type has kernels compiled anew.)"""
    search = OOSSearch(LEDUC, OOSSettings(), 1, playouts=Stubborn(0))
    other = OOSSearch(LEDUC, OOSSettings(), 1, playouts=Stubborn(9))
    for each in (search, other):
        each.sample(30_000)
    assert nash_conv(search) != nash_conv(other)
    search.sample(200_000)
    assert nash_conv(search) < 2


def test_a_full_memory_stops_growing_and_the_search_goes_on() -> None:
    game = Goofspiel(5, hides_bids=True)
    search = OOSSearch(game, OOSSettings(), 1, memory_bytes=100_000)
    search.sample(20_000)
    assert search.is_full
    num_infosets = search.num_infosets
    start = new_state(game)
    game.apply(start, 0)
    before = search.strategy(int(start[0]))
    search.sample(20_000)
    after = search.strategy(int(start[0]))
    assert search.num_infosets == num_infosets
    assert before is not None
    assert after is not None
    assert not np.allclose(before, after)


def test_memory_lasts_when_the_target_moves_on() -> None:
    search = OOSSearch(LEDUC, OOSSettings(), 1)
    search.sample(1000)
    known = search.num_infosets
    search.aim([0, 1, 0], 1)
    search.sample(100)
    assert search.num_infosets >= known
    search.aim_nowhere()
    assert (search.weight, search.is_targeted) == (1, False)


def test_equal_seeds_give_equal_answers_on_any_number_of_threads() -> None:
    def answer(seed: int) -> list[float]:
        search = OOSSearch(LEDUC, OOSSettings(), seed)
        search.aim([0, 1], 0)
        search.sample(3000)
        return search.table.sums[: search.table.used[1]].ravel().tolist()

    alone = [answer(seed) for seed in range(6)]
    for num_threads in (2, 4):
        with ThreadPoolExecutor(num_threads) as pool:
            assert list(pool.map(answer, range(6))) == alone
    assert alone[0] != alone[1]


def test_oos_refuses_games_memory_and_settings_that_do_not_fit() -> None:
    with pytest.raises(UsageError, match="for 2 seats, not 3"):
        OOSSearch(Kuhn(3), OOSSettings(), 1)
    with pytest.raises(UsageError, match="memory of 1000 bytes is too small"):
        OOSSearch(KUHN, OOSSettings(), 1, memory_bytes=1000)
    for name in ("delta", "epsilon", "gamma"):
        with pytest.raises(UsageError, match=f"{name} = 1.5 is out of range"):
            OOSSettings(**{name: 1.5})  # type: ignore[arg-type]
    search = OOSSearch(KUHN, OOSSettings(), 1)
    with pytest.raises(UsageError):
        search.aim([0, 0], 1)
    assert "does not converge" in OOSSettings(delta=1.0).warning
    assert OOSSettings().warning == ""
