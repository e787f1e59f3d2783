"""Self-play where nothing is hidden: resumed as if never interrupted, and better than no training."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from acpcbot.errors import UsageError
from acpcbot.games.connect_four import ConnectFour
from acpcbot.games.game import states_after
from acpcbot.games.generic_poker import LEDUC
from acpcbot.games.tic_tac_toe import TicTacToe
from acpcbot.networks.fitting import FittingSettings
from acpcbot.networks.stored import load_network
from acpcbot.training.position_actor import PositionWindow
from acpcbot.training.self_play import SelfPlay, SelfPlaySettings
from acpcbot.training.self_play_measures import SearchMeasure
from acpcbot.training.self_play_run import SelfPlayRun
from acpcbot.tree_search.board_encodings import (
    BoardEncoding,
    connect_four_encoding,
    tic_tac_toe_encoding,
)
from acpcbot.tree_search.growing_cfr import GrowingCFRSettings
from acpcbot.tree_search.public_encodings import GenericPokerEncoding
from tests.support.resuming import resumed

THREE = connect_four_encoding(ConnectFour(3, 3, 3))
SMALL = SelfPlaySettings(
    seed=5,
    hidden=(8,),
    search=GrowingCFRSettings(simulations=8, adds_one_child=True),
    fitting=FittingSettings(batch_size=16),
    replay_buffer_size=60,
    waiting_queries=20,
    td1_target_probability=0.5,
    greedy_play_after=4,
    resign_threshold=-0.5,
    min_ratio_without_resign=0.5,
)


def played(
    num_episodes: int, settings: SelfPlaySettings = SMALL, encoding: BoardEncoding = THREE
) -> SelfPlay:
    result = SelfPlay(encoding, settings)
    for _ in range(num_episodes):
        result.play_round()
    return result


def test_a_resumed_training_equals_one_without_interruption() -> None:
    """Catches anything that is not saved: the window, queries, the optimiser, resignations."""
    whole = resumed(lambda: SelfPlay(THREE, SMALL), SelfPlay.play_round, before=17, after=13)
    assert whole.progress.num_examples > 60
    assert whole.progress.num_resigned > 0
    assert whole.progress.num_checked > 0


def test_outcomes_are_targets_with_their_probability() -> None:
    """Of every state on the main line, of none, or of a part, and none comes of queries."""
    settings = replace(SMALL, queries_per_search=0.0, resign_threshold=None, replay_buffer_size=900)
    shares = []
    for probability in (0.0, 0.3, 1.0):
        arrays = played(40, replace(settings, td1_target_probability=probability)).arrays()
        weights, values = arrays["replay.value_weights"], arrays["replay.values"]
        assert set(values[weights[:, 0] > 0, 0].tolist()) <= {-1.0, 0.0, 1.0}
        assert (values[:, 0] == -values[:, 1]).all()
        assert (arrays["replay.policy_weights"] == 1).all()
        shares.append(float(weights[:, 0].mean()))
    assert shares[0] == 0
    assert shares[1] == pytest.approx(0.3, abs=0.12)
    assert shares[2] == 1


def test_the_seat_that_resigns_has_lost() -> None:
    """Every search is below a threshold of 0 for one seat or the other; none is played on."""
    settings = replace(
        SMALL, resign_threshold=0.0, min_ratio_without_resign=0.0, td1_target_probability=1.0
    )
    training = played(20, replace(settings, queries_per_search=0.0, replay_buffer_size=900))
    progress = training.progress
    assert progress.num_resigned > 5
    assert progress.num_checked == progress.num_wrong == 0
    checking = played(20, replace(settings, min_ratio_without_resign=1.0)).progress
    assert checking.num_resigned == 0
    assert checking.num_checked > 5
    assert 0 < checking.num_wrong <= checking.num_checked
    assert f"{checking.num_wrong} were not lost" in str(checking)


@pytest.mark.parametrize("num_drawn", [0, 2])
def test_play_is_greedy_after_some_moves(num_drawn: int) -> None:
    """Mixed with nothing but uniform play, the greedy move is the first of all."""
    settings = replace(
        SMALL,
        greedy_play_after=num_drawn,
        uniform_policy_mix=1.0,
        queries_per_search=0.0,
        resign_threshold=None,
        replay_buffer_size=400,
    )
    inputs = played(30, settings).arrays()["replay.inputs"].tolist()
    states = states_after(THREE.game, [0, 0, 0, 0, 0])
    line = [THREE.inputs(state).tolist() for state in states]
    # Behind the drawn moves one continues the other; of 30 episodes some draw the first columns.
    assert inputs.count(line[0]) == 30
    for state, after in pairwise(line[num_drawn:]):
        assert inputs.count(state) == inputs.count(after) > 0
    assert (inputs.count(line[1]) == 30) == (num_drawn == 0)


def test_examples_are_drawn_from_all_sides() -> None:
    """One position of tic-tac-toe has eight looks; its policy turns with its marks."""
    encoding = tic_tac_toe_encoding()
    shape = encoding.interface.shape((4,))
    window = PositionWindow(shape, 3, encoding)
    state = states_after(TicTacToe(), [0, 0])[-1]
    policy = np.array([0.5, 0.5, 0, 0, 0, 0, 0])
    window.add(state, 0.25, policy)
    batches = window.batches(2, 100, (1,))
    assert batches.inputs.shape == (2, 100, shape.num_inputs)
    assert len(np.unique(batches.inputs.reshape(200, -1), axis=0)) == 8
    # Own mark on a corner, the other's beside it; the policy has the third square of that edge and
    # the first of the next row, so it is never on a square that is taken.
    taken = (batches.inputs[..., 2:11] + batches.inputs[..., 11:20]) > 0
    assert (batches.policies[..., 0, :][taken] == 0).all()
    assert (batches.legal[..., 0, :] == ~taken).all()
    assert batches.policies.sum(axis=(2, 3)).tolist() == np.ones((2, 100)).tolist()
    assert (batches.values == np.array([0.25, -0.25], np.float32)).all()
    assert len(np.unique(window.batches(1, 1, (2,)).inputs)) <= 2


def test_settings_for_open_games_are_refused_where_something_is_hidden() -> None:
    encoding = GenericPokerEncoding(LEDUC)
    for change in ({"td1_target_probability": 0.5}, {"greedy_play_after": 3}):
        with pytest.raises(UsageError, match="this game hides something") as caught:
            SelfPlay(encoding, SelfPlaySettings(**change))
        assert "tic_tac_toe" in caught.value.hint


def test_training_lowers_exploitability_of_a_small_game() -> None:
    """Connect Three, twenty simulations a move: some seconds of training against none."""
    encoding = THREE
    settings = SelfPlaySettings(
        seed=1,
        hidden=(32, 32),
        search=GrowingCFRSettings(simulations=30, adds_one_child=True, averaging_power=3),
        replay_buffer_size=10_000,
        td1_target_probability=0.2,
        uniform_policy_mix=0.25,
        max_updates_per_example=30,
    )
    training = played(150, settings, encoding)
    measure = SearchMeasure(simulations=(20,), num_seeds=1)
    with_network, without = (
        measure.position_figures(encoding, settings.search, values)[20]
        for values in (training.values, None)
    )
    assert with_network < 0.7 * without


@pytest.mark.slow
def test_training_lowers_nash_conv_of_tic_tac_toe() -> None:
    """Half a minute; a mean of NashConv over all 255,168 courses."""
    encoding = tic_tac_toe_encoding()
    settings = SelfPlaySettings(
        seed=1,
        search=GrowingCFRSettings(simulations=50, adds_one_child=True, averaging_power=3),
        replay_buffer_size=20_000,
        queries_per_search=1.0,
        td1_target_probability=0.2,
        uniform_policy_mix=0.25,
    )
    training = played(800, settings, encoding)
    measure = SearchMeasure(simulations=(100,), num_seeds=1)
    trained = measure.position_figures(encoding, settings.search, training.values)[100]
    assert trained < 0.5 * measure.position_figures(encoding, settings.search, None)[100]


def test_a_run_is_measured_by_its_game_s_figure(tmp_path: Path) -> None:
    """Connect Four by wrong moves, whose columns are named so."""
    measure = SearchMeasure(simulations=(5,), num_seeds=1, num_positions=10)
    encoding = connect_four_encoding()
    run = SelfPlayRun(encoding, SMALL, tmp_path / "run", 2, measure=measure, episodes_a_point=1)
    run.train()
    result = run.finish()
    assert result.figure == "wrong moves"
    assert result.with_network[5] % 100 == pytest.approx(0)
    header = (tmp_path / "run" / "curve.csv").read_text().splitlines()[0]
    assert header == "count,seconds,wrong_moves_s5,value_loss,policy_loss"
    stored = load_network(tmp_path / "run" / "network", encoding.interface)
    assert stored.training["wrong_moves"].keys() == {"5"}
