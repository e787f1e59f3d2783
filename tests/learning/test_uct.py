"""UCT and Smooth UCT: the kernel against a plain twin, its laws, and where it converges."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from math import frexp, inf, log, sqrt
from typing import Any

import numpy as np
import pytest

from acpcbot.abstraction.card_abstraction import (
    ExactAbstraction,
    SmallGameDeals,
    all_deals,
    merge_deals,
)
from acpcbot.cards.orderings import orderings
from acpcbot.errors import UsageError
from acpcbot.evaluation.exploitability.small_games import nash_conv
from acpcbot.learning.policies import greedy_actions
from acpcbot.learning.sampling import SamplingSolver
from acpcbot.learning.uct import (
    LARGE_TREE,
    LN_2,
    LOG_TABLE,
    Storage,
    UCTLearner,
    UCTSettings,
    natural_log,
)
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.shipped import shipped_definition
from acpcbot.random_kernels import seed_state
from acpcbot.trees.infosets import SubtreeSizes
from acpcbot.trees.public_tree import AbstractGame, build_tree
from tests.support.plain_random import PlainRandom

SMOOTH = {
    "kuhn.limit.2p": UCTSettings(exploration=1.75, d=0.001),
    "kuhn.limit.3p": UCTSettings(exploration=1.75, d=0.001),
    "leduc.limit.2p": UCTSettings(exploration=18, d=0.002),
}


def small_game(name: str) -> tuple[AbstractGame, SmallGameDeals]:
    definition = shipped_definition(name)
    abstraction = ExactAbstraction(definition)
    return AbstractGame(build_tree(definition), abstraction.num_buckets), SmallGameDeals(
        definition, abstraction
    )


def pool(name: str, count: int) -> np.ndarray:
    _, source = small_game(name)
    deals = np.zeros((count, source.width), np.uint16)
    source.fill(deals, seed_state(5))
    return deals


def table_log(number: int) -> float:
    """The kernel's logarithm: close decisions hang on its last digits."""
    mantissa, exponent = frexp(number)
    return (exponent - 1) * LN_2 + float(LOG_TABLE[int((2 * mantissa - 1) * len(LOG_TABLE))])


class PlainUCT:
    """Algorithms 1 and 2 over betting states and dictionaries."""

    def __init__(self, name: str, settings: UCTSettings, *seeds: int) -> None:
        self.definition = shipped_definition(name)
        self.settings, self.random = settings, PlainRandom(*seeds)
        self.visits: dict[tuple[str, int], list[int]] = defaultdict(lambda: [0, 0, 0])
        self.means: dict[tuple[str, int], list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])

    def episode(self, deal: list[int]) -> None:
        state = BettingRules(self.definition).start
        path, outside, street_start = [], set(), state
        while not state.is_over:
            actions = sorted(state.legal_actions(), key=lambda action: action.kind)
            seat, bits = state.actor, self.random.bits()
            key = (state.text, deal[state.street * self.definition.num_players + seat])
            if seat in outside:
                choice = (bits & 0xFFFFFFFF) * len(actions) >> 32
            else:
                counts = self.visits[key][: len(actions)]
                if sum(counts) == 0:
                    outside.add(seat)
                    choice = (bits & 0xFFFFFFFF) * len(actions) >> 32
                else:
                    choice = self.select(bits, counts, self.means[key], self.constant(street_start))
                path.append((key, choice, seat))
            following = state.apply(actions[choice])
            street_start = following if following.street != state.street else street_start
            state = following
        self.update(path, self.returns(state, deal[-1]))

    def constant(self, street_start: BettingState) -> float:
        settings = self.settings
        if settings.potential_share is None:
            return settings.exploration
        definition, street = self.definition, street_start.street
        raises = zip(definition.max_raises[street:], definition.raise_sizes[street:], strict=True)
        top = street_start.max_spent + sum(count * size for count, size in raises)
        live = [seat for seat in range(definition.num_players) if not street_start.folded[seat]]
        potential = sum(top - street_start.spent[seat] for seat in live)
        return min(settings.exploration, street_start.pot + settings.potential_share * potential)

    def select(self, bits: int, counts: list[int], means: list[float], constant: float) -> int:
        total, draw = sum(counts), (bits >> 32) / 2**32
        settings = self.settings
        if draw < max(settings.gamma, settings.eta / (1 + settings.d * sqrt(total))):
            untried = [action for action, count in enumerate(counts) if count == 0]
            if untried:
                return untried[(bits & 0xFFFFFFFF) * len(untried) >> 32]
            spread = constant * constant * table_log(total)
            bounds = [means[a] + sqrt(spread / count) for a, count in enumerate(counts)]
            return bounds.index(max(bounds))
        left = (bits & 0xFFFFFFFF) / 2**32 * total
        for action, count in enumerate(counts):
            left -= count
            if left < 0:
                return action
        return len(counts) - 1

    def update(self, path: list[tuple[tuple[str, int], int, int]], returns: list[float]) -> None:
        for key, choice, seat in path:
            self.visits[key][choice] += 1
            self.means[key][choice] += (returns[seat] - self.means[key][choice]) / self.visits[key][
                choice
            ]

    def returns(self, state: BettingState, ordering: int) -> list[float]:
        beaten = orderings(self.definition.num_players)[ordering].tolist()
        live = [seat for seat in range(self.definition.num_players) if not state.folded[seat]]
        best = [seat for seat in live if beaten[seat] == max(beaten[other] for other in live)]
        share = state.pot / len(best)
        return [share * (seat in best) - chips for seat, chips in enumerate(state.spent)]


@pytest.mark.parametrize("name", SMOOTH)
@pytest.mark.parametrize("changes", [{}, {"gamma": 1.0, "eta": 1.0}, {"gamma": 0.0, "d": 5.0}])
def test_the_kernel_plays_the_episodes_that_the_papers_algorithms_spell_out(
    name: str, changes: dict[str, Any]
) -> None:
    settings = replace(SMOOTH[name], **changes)
    game, _ = small_game(name)
    learner, plain = UCTLearner(game, settings), PlainUCT(name, settings, 9)
    deals, state = pool(name, 3000), seed_state(9)
    learner.walk(deals, state)
    for deal in deals.tolist():
        plain.episode(deal)
    sizes = SubtreeSizes(game.tree.definition)
    differing = 0
    for (text, bucket), counts in plain.visits.items():
        place = sizes.place(["fcr".index(letter) for letter in text if letter != "/"])
        slot = (
            int(
                game.layout.row_starts[place.street] + bucket * game.layout.row_widths[place.street]
            )
            + place.slot
        )
        for action in range(len(place.kinds)):
            if learner.visits[slot + action] != counts[action]:
                differing += 1
            elif counts[action]:
                assert learner.means[slot + action] == pytest.approx(
                    plain.means[text, bucket][action], abs=1e-9
                )
    assert differing == 0
    assert learner.visits.sum() == sum(map(sum, plain.visits.values()))


@pytest.mark.parametrize("storage", ["float64", "float32"])
def test_a_tree_that_is_fetched_ahead_learns_the_same(storage: Storage) -> None:
    """Hints that read past the tree, or a choice that hangs on them."""
    name = "leduc.limit.2p"
    game, _ = small_game(name)
    # Buckets that no deal has make the tree large; those that deals have come first.
    padded = AbstractGame(game.tree, (game.num_buckets[0], LARGE_TREE // 50))
    settings = replace(SMOOTH[name], storage=storage)
    small, large = UCTLearner(game, settings), UCTLearner(padded, settings)
    assert len(small.visits) < LARGE_TREE < len(large.visits)
    for learner in (small, large):
        learner.walk(pool(name, 20_000), seed_state(9))
    num_slots = len(small.visits)
    assert large.visits[:num_slots].tolist() == small.visits.tolist()
    assert large.means[:num_slots].tolist() == small.means.tolist()
    assert not large.visits[num_slots:].any()


def test_the_first_visit_to_an_information_set_leaves_the_tree() -> None:
    game, _ = small_game("leduc.limit.2p")
    learner = UCTLearner(game, SMOOTH["leduc.limit.2p"])
    learner.walk(pool("leduc.limit.2p", 1), seed_state(1))
    assert learner.visits.sum() <= 2


@pytest.mark.parametrize("name", SMOOTH)
def test_a_root_is_visited_once_an_episode(name: str) -> None:
    game, source = small_game(name)
    learner = UCTLearner(game, SMOOTH[name])
    SamplingSolver(learner, source, seed=3).step(10_000)
    first = game.layout.street_rows(learner.visits, 0)[:, :2]
    assert first.sum() == 10_000


def test_half_the_storage_learns_as_well() -> None:
    game, source = small_game("kuhn.limit.2p")
    lanes = merge_deals(all_deals(game.tree.definition, ExactAbstraction(game.tree.definition)))
    learner = UCTLearner(game, replace(SMOOTH["kuhn.limit.2p"], storage="float32"))
    SamplingSolver(learner, source, seed=3).step(1_000_000)
    assert nash_conv(game, *lanes, learner.average_strategy()) < 0.015
    assert learner.visits.sum() > 2_000_000


@pytest.mark.parametrize("number", [1, 2, 3, 7, 1000, 123_456_789, 2**40 + 1])
def test_the_quick_logarithm_is_close(number: int) -> None:
    assert natural_log(float(number)) == pytest.approx(log(number), abs=0.0005)


def test_counts_pass_where_single_precision_would_stand_still() -> None:
    for kind in ("float64", "float32"):
        game, source = small_game("kuhn.limit.2p")
        learner = UCTLearner(game, replace(SMOOTH["kuhn.limit.2p"], storage=kind))
        SamplingSolver(learner, source, seed=3).step(1000)
        learner.visits[:] += 1 << 25
        before = int(learner.visits.astype(np.int64).sum())
        SamplingSolver(learner, source, seed=4).step(1000)
        assert int(learner.visits.astype(np.int64).sum()) - before >= 2000


def test_smooth_uct_approaches_equilibrium_and_uct_does_not() -> None:
    game, source = small_game("kuhn.limit.2p")
    lanes = merge_deals(all_deals(game.tree.definition, ExactAbstraction(game.tree.definition)))
    results = {}
    for name, settings in (
        ("smooth", SMOOTH["kuhn.limit.2p"]),
        ("uct", UCTSettings(2.0, gamma=1, eta=1)),
    ):
        learner = UCTLearner(game, settings)
        SamplingSolver(learner, source, seed=3).step(4_000_000)
        results[name] = nash_conv(game, *lanes, learner.average_strategy())
    assert results["smooth"] < 0.006 < 0.02 < results["uct"]


def test_greedy_takes_the_best_visited_action_and_calls_where_it_never_was() -> None:
    game, _ = small_game("leduc.limit.2p")
    learner = UCTLearner(game, SMOOTH["leduc.limit.2p"])
    learner.walk(pool("leduc.limit.2p", 400), seed_state(1))
    greedy, number = greedy_actions(learner.visits, learner.means, game), 0
    for street in range(2):
        visits, means = (
            game.layout.street_rows(part, street) for part in (learner.visits, learner.means)
        )
        records = game.tree.nodes[game.tree.streets == street]
        for bucket in range(len(visits)):
            for record in records:
                kinds = int(record[4]) >> 16
                slots = range(int(record[3]), int(record[3]) + kinds.bit_count())
                values = [means[bucket, slot] if visits[bucket, slot] else -inf for slot in slots]
                expected = values.index(max(values)) if max(values) > -inf else kinds & 1
                assert greedy[number] == expected
                number += 1


@pytest.mark.parametrize(
    "changes", [{"gamma": 0.95}, {"eta": 1.5}, {"d": -1.0}, {"exploration": 0.0}, {"storage": "x"}]
)
def test_schedules_that_are_none_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        replace(SMOOTH["leduc.limit.2p"], **changes)
