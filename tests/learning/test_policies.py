"""From a learner's numbers to policies in bytes, held against plain Python."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from acpcbot.errors import UsageError
from acpcbot.learning.policies import (
    byte_probabilities,
    greedy_actions,
    greedy_probabilities,
    is_policy,
    pure_probabilities,
)
from acpcbot.poker import rules
from acpcbot.poker.definition import format_definition, parse_definition
from acpcbot.trees.infosets import SubtreeSizes
from acpcbot.trees.public_tree import AbstractGame, build_tree
from tests.support.games import LEDUC, definition_of

# One raise on the first street and none on the second: nodes with one, two and three actions.
FEW_RAISES = format_definition(definition_of(LEDUC)).replace("maxRaises = 2 2", "maxRaises = 1 0")
NUM_BUCKETS = {"leduc": (3, 9), "few raises": (2, 5), "three players": (4,)}


@cache
def game_of(name: str) -> AbstractGame:
    texts = {
        "leduc": format_definition(definition_of(LEDUC)),
        "few raises": FEW_RAISES,
        "three players": format_definition(definition_of("kuhn.limit.3p")),
    }
    return AbstractGame(build_tree(parse_definition(texts[name])), NUM_BUCKETS[name])


def infosets(game: AbstractGame) -> Iterator[tuple[list[int], tuple[int, ...]]]:
    """The slots and the legal actions of every information set, by street, bucket and node,
    without the tree.
    """
    sizes = SubtreeSizes(game.tree.definition)
    places = []
    lines: list[tuple[list[int], list[int]]] = [([], sizes.start())]
    while lines:
        line, state = lines.pop()
        if state[rules.ACTOR] != rules.OVER:
            places.append(sizes.place(line))
            lines += [([*line, kind], sizes.after(state, kind)) for kind in sizes.kinds(state)]
    for street, num_buckets in enumerate(game.num_buckets):
        for bucket in range(num_buckets):
            row = int(game.layout.row_starts[street] + bucket * game.layout.row_widths[street])
            for place in sorted(
                (place for place in places if place.street == street), key=lambda place: place.slot
            ):
                yield [row + place.slot + action for action in range(len(place.kinds))], place.kinds


def rounded(weights: list[float], whole: int = 255) -> list[int]:
    total = sum(weights)
    scaled = [whole * (weight / total if total else 1 / len(weights)) for weight in weights]
    steps = [int(share) for share in scaled]
    order = sorted(range(len(weights)), key=lambda action: (steps[action] - scaled[action], action))
    for action in order[: whole - sum(steps)]:
        steps[action] += 1
    return [step * (255 // whole) for step in steps]


def sparse_weights(game: AbstractGame, seed: int) -> NDArray[np.float64]:
    """Many zeros, many ties, and neighbours of other orders of magnitude."""
    random = np.random.default_rng(seed)
    weights = random.integers(0, 4, game.layout.num_slots).astype(np.float64)
    weights[random.random(len(weights)) < 0.5] *= 10.0 ** random.integers(-9, 9)
    return weights


@pytest.mark.parametrize("name", NUM_BUCKETS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.uint32])
@pytest.mark.parametrize("steps", [255, 51, 1])
def test_rounding_is_that_of_plain_python(name: str, dtype: type[Any], steps: int) -> None:
    """One slot too far, a remainder to the wrong action, or an unvisited information set that
    is not uniform.
    """
    game = game_of(name)
    for seed in range(3):
        weights = sparse_weights(game, seed).astype(dtype)
        probabilities = byte_probabilities(weights, game, steps)
        for slots, _ in infosets(game):
            assert probabilities[slots].tolist() == rounded(
                weights[slots].astype(np.float64).tolist(), steps
            )
        assert is_policy(probabilities, game)


@pytest.mark.parametrize("steps", [0, -1, 50, 256])
def test_steps_that_are_no_whole_bytes_are_refused(steps: int) -> None:
    game = game_of("leduc")
    with pytest.raises(UsageError, match=r"probabilities in -?\d+ steps"):
        byte_probabilities(sparse_weights(game, 1), game, steps)


@pytest.mark.parametrize("name", NUM_BUCKETS)
def test_no_probability_is_off_by_a_whole_step(name: str) -> None:
    game = game_of(name)
    weights = sparse_weights(game, 7)
    assert np.abs(byte_probabilities(weights, game) - 255 * game.normalised(weights)).max() < 1


@pytest.mark.parametrize("name", NUM_BUCKETS)
@pytest.mark.parametrize("storage", [np.float64, np.float32])
def test_the_greedy_action_is_the_best_of_those_visited(name: str, storage: type[Any]) -> None:
    """Statistics as UCT keeps them, a pair a slot: an unvisited mean of zero beats no negative
    one, and calls last.
    """
    game = game_of(name)
    random = np.random.default_rng(3)
    statistics = np.zeros(
        (game.layout.num_slots, 2), np.float64 if storage is np.float64 else np.uint32
    )
    means = statistics.view(storage)
    statistics[:, 0] = random.integers(0, 2, len(statistics))
    means[:, 1] = np.where(statistics[:, 0] > 0, random.integers(-5, 0, len(statistics)) / 4, 0)
    actions = greedy_actions(statistics[:, 0], means[:, 1], game)
    probabilities = greedy_probabilities(statistics[:, 0], means[:, 1], game)
    for number, (slots, kinds) in enumerate(infosets(game)):
        seen = [action for action in range(len(kinds)) if statistics[slots[action], 0]]
        call = kinds.index(rules.CALL)
        best = max(seen, key=lambda action: (means[slots[action], 1], -action), default=call)
        assert actions[number] == best
        assert probabilities[slots].tolist() == [
            255 * (action == best) for action in range(len(kinds))
        ]
    assert len(actions) == game.layout.num_infosets
    assert (pure_probabilities(actions, game) == probabilities).all()


def test_a_sum_that_is_not_whole_is_found_wherever_it_is() -> None:
    game = game_of("few raises")
    good = byte_probabilities(sparse_weights(game, 1), game)
    for slot in range(len(good)):
        bad = good.copy()
        bad[slot] ^= np.uint8(1)
        assert not is_policy(bad, game)
    assert not is_policy(good[:-1], game)
    assert not is_policy(good.astype(np.float64), game)
