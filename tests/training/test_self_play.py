"""Sound self-play: repeatable, resumed as if never interrupted, and better than no training."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from acpcbot.errors import UsageError
from acpcbot.evaluation.searches.composed_resolving import ComposedResolving
from acpcbot.games.generic_poker import LEDUC
from acpcbot.games.sequence_form import sequence_form
from acpcbot.networks.fitting import FittingSettings
from acpcbot.networks.stored import load_network
from acpcbot.training.self_play import SelfPlay, SelfPlaySettings
from acpcbot.training.self_play_measures import SearchMeasure
from acpcbot.training.self_play_run import SelfPlayRun, needed_bytes
from acpcbot.tree_search.growing_cfr import GrowingCFR, GrowingCFRSettings
from acpcbot.tree_search.network_values import NetworkValues
from acpcbot.tree_search.public_encodings import GenericPokerEncoding
from acpcbot.tree_search.public_tree import PublicTree
from tests.support.resuming import resumed

ENCODING = GenericPokerEncoding(LEDUC)
SMALL = SelfPlaySettings(
    seed=5,
    hidden=(8,),
    search=GrowingCFRSettings(simulations=8),
    fitting=FittingSettings(batch_size=16),
    replay_buffer_size=60,
    waiting_queries=20,
)


def played(num_episodes: int, settings: SelfPlaySettings = SMALL) -> SelfPlay:
    result = SelfPlay(ENCODING, settings)
    for _ in range(num_episodes):
        result.play_round()
    return result


def test_a_resumed_training_equals_one_without_interruption() -> None:
    """Catches anything that is not saved: the window, its place, queries, the optimiser."""
    whole = resumed(lambda: SelfPlay(ENCODING, SMALL), SelfPlay.play_round, before=7, after=5)
    assert whole.progress.num_examples > 60


def test_seeds_repeat_and_differ() -> None:
    first, second, other = played(4), played(4), played(4, replace(SMALL, seed=6))
    assert first.network.parameters.tolist() == second.network.parameters.tolist()
    assert first.network.parameters.tolist() != other.network.parameters.tolist()


def test_steps_and_queries_are_as_the_settings_ask() -> None:
    """A query of each search waits; only the last states of a game have no leaves to ask about."""
    settings = replace(
        SMALL,
        queries_per_search=1.0,
        recursive_queries_per_search=0.0,
        solves_per_episode=0,
        waiting_queries=1000,
        max_updates_per_example=16.0,
    )
    progress = played(20, settings).progress
    # An example and a query for each decision, and as many steps as examples, by 32.
    assert 0.9 * progress.num_examples < progress.num_waiting <= progress.num_examples
    assert progress.num_steps == progress.num_examples // 32 * 32
    assert 40 <= progress.num_examples <= 20 * 8
    solving = replace(settings, solves_per_episode=1, queries_per_search=0.0)
    assert played(5, solving).progress.num_waiting == 0


def test_self_play_lowers_exploitability() -> None:
    """A hundred episodes, two seconds of a core, halve that of an untrained network at least."""
    measure = SearchMeasure(simulations=(100,), num_seeds=2)
    tree = PublicTree(LEDUC)
    before = NetworkValues(SelfPlay(ENCODING).network, ENCODING)
    trained = played(100, SelfPlaySettings(seed=1))
    search = trained.settings.search
    untrained = measure.exploitabilities(tree, search, before)[100]
    assert measure.exploitabilities(tree, search, trained.values)[100] < 0.5 * untrained
    assert np.isfinite(trained.progress.value_loss)


def test_a_run_is_stopped_and_resumed_in_its_folder(tmp_path: Path) -> None:
    measure = SearchMeasure(simulations=(5,), num_seeds=1)
    run = SelfPlayRun(
        ENCODING,
        SMALL,
        tmp_path / "run",
        6,
        measure=measure,
        episodes_a_point=2,
        on_progress=lambda _: run.stop(),
    )
    run.train()
    assert run.self_play.progress.num_episodes == 1
    again = SelfPlayRun(ENCODING, SMALL, tmp_path / "run", 6, measure=measure, episodes_a_point=2)
    assert again.self_play.progress == run.self_play.progress
    again.train()
    assert again.is_finished
    result = again.finish()
    assert result.is_better_than_none == (result.with_network[5] < result.without[5])
    stored = load_network(tmp_path / "run" / "network", ENCODING.interface)
    assert stored.network.parameters.tolist() == played(6).network.parameters.tolist()
    assert stored.training["num_episodes"] == 6
    lines = (tmp_path / "run" / "curve.csv").read_text().splitlines()
    assert [line.split(",")[0] for line in lines] == ["count", "2", "4", "6"]
    with pytest.raises(UsageError, match="other settings or of another game"):
        SelfPlayRun(ENCODING, replace(SMALL, seed=9), tmp_path / "run", 6)


def test_memory_is_told_before() -> None:
    small, large = needed_bytes(ENCODING, SMALL), needed_bytes(ENCODING, SelfPlaySettings())
    assert small.keys() == large.keys()
    assert large["replay buffer"] > 1000 * small["replay buffer"]


def test_a_measure_searches_as_the_recipe_does() -> None:
    """Caught: a recipe with averages of t^3 was measured with linear ones."""
    measure = SearchMeasure(simulations=(60,), num_seeds=1)
    tree = PublicTree(LEDUC)
    linear, cubed = (GrowingCFRSettings(averaging_power=power) for power in (1, 3))
    found = measure.exploitabilities(tree, cubed, None)
    searcher = GrowingCFR(tree, replace(cubed, simulations=60), None)
    composed = ComposedResolving(searcher, sequence_form(LEDUC)).compose(0)
    expected = 1000 * composed.best_response(sequence_form(LEDUC)).exploitability
    assert found == {60: pytest.approx(expected)}
    assert measure.exploitabilities(tree, linear, None) != found
