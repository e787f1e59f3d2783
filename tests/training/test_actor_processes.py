"""Actors in processes: the episodes of one actor, repeatable, and resumed as if never interrupted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from acpcbot.errors import UsageError
from acpcbot.games.generic_poker import LEDUC
from acpcbot.networks.fitting import FittingSettings
from acpcbot.training.actor_processes import shares
from acpcbot.training.actors import AnyEncoding
from acpcbot.training.self_play import SelfPlay, SelfPlaySettings
from acpcbot.training.self_play_measures import SearchMeasure
from acpcbot.training.self_play_run import SelfPlayRun
from acpcbot.tree_search.board_encodings import tic_tac_toe_encoding
from acpcbot.tree_search.growing_cfr import GrowingCFRSettings
from acpcbot.tree_search.public_encodings import GenericPokerEncoding
from acpcbot.worker_processes import WorkerProcess
from tests.support.resuming import resumed

POKER, BOARD = GenericPokerEncoding(LEDUC), tic_tac_toe_encoding()
SMALL = SelfPlaySettings(
    seed=5,
    hidden=(8,),
    search=GrowingCFRSettings(simulations=8),
    fitting=FittingSettings(batch_size=16),
    replay_buffer_size=60,
    waiting_queries=20,
    num_actors=2,
    episodes_a_round=2,
)


@pytest.fixture
def made() -> Iterator[list[SelfPlay]]:
    """Trainings whose processes end with the test."""
    trainings = list[SelfPlay]()
    yield trainings
    for training in trainings:
        training.close()


@pytest.mark.parametrize(("first", "count"), [(0, 8), (8, 7), (3, 1), (5, 0)])
@pytest.mark.parametrize("num_actors", [1, 2, 3])
def test_shares_are_all_episodes_in_order(first: int, count: int, num_actors: int) -> None:
    parts = shares(range(first, first + count), num_actors)
    assert [number for part in parts for number in part] == list(range(first, first + count))
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


@pytest.mark.parametrize("encoding", [POKER, BOARD], ids=["leduc", "tic_tac_toe"])
def test_actors_make_the_examples_of_one(encoding: AnyEncoding) -> None:
    """An episode depends on its number and the weights alone; here these do not change.

    Buffers that fill up would draw numbers to replace queries.
    """
    settings = replace(
        SMALL,
        solves_per_episode=0,
        max_updates_per_example=0.0,
        replay_buffer_size=500,
        waiting_queries=1000,
    )
    alone = SelfPlay(encoding, replace(settings, num_actors=1))
    for _ in range(7):
        alone.play_round()
    with closing(SelfPlay(encoding, settings)) as beside:
        for _ in range(2):
            beside.play_round(7)
        expected, found = alone.arrays(), beside.arrays()
        assert beside.progress.num_episodes == 7
        for name in expected:
            if name.startswith("replay."):
                assert found[name].tolist() == expected[name].tolist(), name


@pytest.mark.parametrize("encoding", [POKER, BOARD], ids=["leduc", "tic_tac_toe"])
def test_a_resumed_training_equals_one_without_interruption(
    encoding: AnyEncoding, made: list[SelfPlay]
) -> None:
    """Catches a lost round, its weights, or a query buffer."""

    def make() -> SelfPlay:
        made.append(SelfPlay(encoding, SMALL))
        return made[-1]

    whole = resumed(make, SelfPlay.play_round, before=3, after=2)
    assert whole.progress.num_episodes == 20
    assert whole.progress.num_waiting > 0
    assert whole.progress.num_steps > 0


def test_closing_between_rounds_changes_nothing() -> None:
    networks = []
    for closes in (False, True):
        with closing(SelfPlay(POKER, SMALL)) as training:
            training.play_round()
            if closes:
                training.close()
            training.play_round()
            networks.append(training.network.parameters.tolist())
    assert networks[0] == networks[1]


def test_weights_are_a_round_old() -> None:
    """The second round is played with the first weights, the third with those after one round."""
    waits = replace(SMALL, max_updates_per_example=1000.0)
    with closing(SelfPlay(POKER, waits)) as training:
        first = training.network.parameters.tolist()
        training.play_round()
        assert training.arrays()["actors.parameters"].tolist() == first
        after_one = training.network.parameters.tolist()
        assert after_one != first
        training.play_round()
        assert training.arrays()["actors.parameters"].tolist() == after_one


def test_a_run_ends_with_its_last_episode_and_ends_its_processes(tmp_path: Path) -> None:
    measure = SearchMeasure(simulations=(5,), num_seeds=1)

    def run() -> SelfPlayRun:
        return SelfPlayRun(POKER, SMALL, tmp_path / "run", 10, measure=measure, episodes_a_point=3)

    stopped = run()
    stopped.train(1)
    assert stopped.self_play.progress.num_episodes == 4
    stopped.self_play.close()
    resumed_run = run()
    resumed_run.train()
    assert resumed_run.self_play.progress.num_episodes == 10
    assert resumed_run.cpu_seconds > stopped.cpu_seconds > 0
    lines = (tmp_path / "run" / "curve.csv").read_text().splitlines()
    assert [line.split(",")[0] for line in lines] == ["count", "4", "8", "10"]


def test_an_actor_that_was_killed_is_reported_and_its_round_is_played_again() -> None:
    """Caught: a training that waits for a process that is no more."""
    with closing(SelfPlay(POKER, SMALL)) as training, closing(SelfPlay(POKER, SMALL)) as whole:
        for _ in range(2):
            whole.play_round()
        training.play_round()
        saved = training.arrays()
        process = _workers(training)[1].process
        process.kill()
        process.join()
        with pytest.raises(UsageError, match="ended with status -9"):
            training.play_round()
        training.restore(saved)
        training.play_round()
        assert training.network.parameters.tolist() == whole.network.parameters.tolist()


def _workers(training: SelfPlay) -> list[WorkerProcess]:
    assert training._processes is not None
    return training._processes._workers
