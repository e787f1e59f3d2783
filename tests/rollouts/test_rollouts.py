"""Roll-outs: against plain Python where all can be gone through, and by laws where it cannot."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from acpcbot.abstraction.card_abstraction import ExactAbstraction
from acpcbot.abstraction.pair_equities import pair_equities
from acpcbot.cards.deck import parse_cards
from acpcbot.errors import UsageError
from acpcbot.poker import rules
from acpcbot.poker.betting import BettingState
from acpcbot.poker.hands import all_hands
from acpcbot.rng import Stream
from acpcbot.rollouts import rollouts as roll_outs
from acpcbot.rollouts.control_variates import draw_boards
from acpcbot.rollouts.plans import leaf_states
from acpcbot.rollouts.rollouts import BIASES, PLAIN, Bias, RolloutSettings, rollout_leaves
from acpcbot.rollouts.rollouts import rollout_values as roll_out
from acpcbot.strategies.files import SnapshotContent, load_snapshot, save_snapshot
from acpcbot.strategies.policy import PlaySettings
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.strategies.snapshot import Snapshot
from acpcbot.subgames.game import RangeGame, make_range_game
from acpcbot.subgames.leaf_values import PairValues
from acpcbot.subgames.solver import RangeCFR
from acpcbot.trees.bet_menu import ALL_IN, parse_menu, same_menu
from acpcbot.trees.betting_tree import (
    ACTION_KIND,
    NODE_FIRST_ACTION,
    NODE_NUM_ACTIONS,
    NODE_SLOT,
    NODE_STREET,
    MenuGame,
)
from acpcbot.trees.public_tree import make_game
from tests.rollouts.plain_rollouts import plain_mean
from tests.strategies.menu_snapshots import saved_menu_snapshot
from tests.strategies.random_snapshots import TRAINING, saved
from tests.support.games import LEDUC, LEDUC_NOLIMIT, NOLIMIT_2P, rules_of
from tests.support.range_games import even_game

ALL = RolloutSettings(num_boards=1_000_000, num_hand_buckets=1_000_000)
SMALL = even_game("0 1 1", 12, 2, suits=2, ranks=4)
FLOP = tuple(parse_cards("KsTd9h"))
FLOP_MENU = parse_menu("1;;/0.5,1;/0.5;/0.5;")


@cache
def small_game() -> MenuGame:
    found = make_game(SMALL, same_menu([0.5], [ALL_IN]), ExactAbstraction(SMALL).num_buckets)
    assert isinstance(found, MenuGame)
    return found


def small_snapshot(folder: Path, seed: int = 1) -> Snapshot:
    """A random strategy for hold'em of eight cards, two of them on the board."""
    game = small_game()
    policy = game.normalised(np.random.default_rng(seed).random(game.layout.num_slots) ** 2)
    save_snapshot(folder, SnapshotContent(game, ExactAbstraction(SMALL), TRAINING, policy=policy))
    return load_snapshot(folder)


def always(folder: Path, *kinds: int) -> Snapshot:
    """A strategy for the same game that takes the first of *kinds* that there is."""
    game = small_game()
    weights = np.zeros(game.layout.num_slots)
    for record in game.tree.nodes.tolist():
        first, count = record[NODE_FIRST_ACTION], record[NODE_NUM_ACTIONS]
        own = game.tree.actions[first : first + count, ACTION_KIND].tolist()
        rows = game.layout.street_rows(weights, record[NODE_STREET])
        rows[:, record[NODE_SLOT] + own.index(next(kind for kind in kinds if kind in own))] = 1
    save_snapshot(folder, SnapshotContent(game, ExactAbstraction(SMALL), TRAINING, policy=weights))
    return load_snapshot(folder)


def first_street(snapshot: Snapshot) -> RangeGame:
    start = (
        rules_of(LEDUC_NOLIMIT).start if snapshot.definition != SMALL else small_game().tree.root
    )
    return make_range_game(start, menu=snapshot.menu, suits_alike=False, one_street=True)  # type: ignore[arg-type]


def flop_game(
    ranges: NDArray[np.float64] | None = None, board: tuple[int, ...] = FLOP
) -> RangeGame:
    root = rules_of(NOLIMIT_2P).parse("r300c/")
    return make_range_game(root, board, FLOP_MENU, ranges, one_street=True)


def plain_pair(
    snapshot: Snapshot,
    real: BettingState,
    pair: tuple[int, int],
    chooser: int,
    bias: Bias,
    board: tuple[int, ...] = (),
) -> float:
    """By plain Python, for the hands of the other and of the chooser."""
    first, second = (tuple(all_hands(snapshot.definition)[hand].tolist()) for hand in pair)
    hands = (first, second) if chooser == 1 else (second, first)
    return plain_mean(snapshot, real, hands, board, chooser, bias)


@pytest.mark.parametrize("chooser", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_with_all_boards_and_hands_every_pair_is_worth_what_plain_python_says(
    tmp_path: Path, chooser: int
) -> None:
    """In no-limit Leduc: catches a wrong seat, sign, bias, bucket, board, part or number of
    chips.
    """
    snapshot = saved_menu_snapshot(tmp_path / "x", LEDUC_NOLIMIT)
    game = first_street(snapshot)
    biases = (*BIASES, Bias(0.5, 2, 7))
    found = roll_out(
        game, SnapshotStrategy(snapshot), chooser, RolloutSettings(biases, 1000, 1000), Stream(1)
    )
    values = found.pair_values()
    for part, (stake, real) in enumerate(leaf_states(game)):
        for number, (other, own) in enumerate(
            zip(*np.nonzero(~np.eye(6, dtype=bool)), strict=True)
        ):
            # Each way of a part is tried with a third of the pairs, and the next way with the next
            # third.
            for way, bias in list(enumerate(biases))[(number + part) % 3 :: 3]:
                if real is None:
                    expected = stake * found.hands.equities[other, own]
                else:
                    expected = plain_pair(snapshot, real, (other, own), chooser, bias)
                assert values[part, way, other, own] == pytest.approx(
                    expected, rel=1e-6, abs=1e-6 * stake
                )
    assert not values[:, :, range(6), range(6)].any()


def test_two_streets_of_two_hole_cards_are_rolled_out_too(tmp_path: Path) -> None:
    snapshot = small_snapshot(tmp_path / "x")
    game, draw = first_street(snapshot), np.random.default_rng(3)
    values = roll_out(game, SnapshotStrategy(snapshot), 0, ALL, Stream(1)).pair_values()
    beside = pair_beside(game)
    states = [
        (part, state) for part, (_, state) in enumerate(leaf_states(game)) if state is not None
    ]
    assert len(states) > 1
    for part, real in states:
        for _ in range(12):
            other, own = draw.choice(np.argwhere(beside)).tolist()
            way = int(draw.integers(len(BIASES)))
            expected = plain_pair(snapshot, real, (other, own), 0, BIASES[way])
            assert values[part, way, other, own] == pytest.approx(expected, rel=1e-6, abs=1e-6)


def pair_beside(game: RangeGame) -> NDArray[np.bool_]:
    """Return the pairs of hands of the root that share no card."""
    cards = game.boards.arrays.cards[game.boards.rows(0)]
    found: NDArray[np.bool_] = ~(cards[:, None, :, None] == cards[None, :, None, :]).any(
        axis=(2, 3)
    )
    return found


@pytest.mark.slow
def test_fewer_boards_and_hands_are_right_on_the_average(tmp_path: Path) -> None:
    """Catches hands or boards that are drawn too often, and weights that are wrong."""
    snapshot = small_snapshot(tmp_path / "x")
    game, strategy = first_street(snapshot), SnapshotStrategy(snapshot)
    exact = roll_out(game, strategy, 1, ALL, Stream(1)).pair_values()[:, [0, 2]]
    settings = RolloutSettings((PLAIN, Bias(calls=10)), num_boards=40, num_hand_buckets=6)
    drawn = [roll_out(game, strategy, 1, settings, Stream(1, seed)) for seed in range(100)]
    found = np.array([own.pair_values() for own in drawn], np.float64)
    beside, groups = pair_beside(game), drawn[0].hands.buckets
    assert 3 <= len(set(groups.tolist())) <= 6
    means = np.array([group_means(own, groups, beside) for own in found])
    error = means.std(axis=0) / np.sqrt(len(drawn))
    expected = group_means(exact, groups, beside)
    assert (error > 0).any()
    # A quotient of sums, corrected by regression, is off by a little: here, in a deck of eight
    # cards, by some 2 %.
    stakes = np.array([chips for chips, _ in leaf_states(game)])[:, None, None]
    assert (np.abs(means.mean(axis=0) - expected) < 5 * error + 0.05 * stakes).all()
    assert np.abs(means.mean(axis=0) - expected).mean() < 0.02 * stakes.mean()


def group_means(
    values: NDArray[np.floating], groups: NDArray[np.int64], beside: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """The means of *values* [part, continuation, hand, hand] over pairs of groups, [part,
    continuation, pair].
    """
    pairs = (groups[:, None] * (groups.max() + 1) + groups)[beside]
    found = sorted(set(pairs.tolist()))
    return np.stack(
        [values[:, :, beside][:, :, pairs == pair].mean(axis=2) for pair in found], axis=2
    )


def test_equity_corrects_sampled_run_outs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As before the flop of hold'em. Catches a correction by means that nobody knows."""
    snapshot = small_snapshot(tmp_path / "x")
    game, strategy = first_street(snapshot), SnapshotStrategy(snapshot)
    expected = roll_out(game, strategy, 1, ALL, Stream(1)).pair_values()
    few = RolloutSettings(num_boards=1000, num_hand_buckets=6)
    monkeypatch.setattr(
        roll_outs, "run_out_ranks", lambda *_: np.empty((0, game.ranges.shape[1]), np.int16)
    )
    found = roll_out(game, strategy, 1, ALL, Stream(1))
    assert found.pair_values() == pytest.approx(expected, abs=1e-4)
    assert not found.by_nut_strength.any()
    assert not roll_out(game, strategy, 1, few, Stream(1)).by_nut_strength.any()


def test_rollout_values_of_a_calling_player_are_its_equity(tmp_path: Path) -> None:
    snapshot = always(tmp_path / "x", rules.CALL)
    game = first_street(snapshot)
    found = roll_out(
        game,
        SnapshotStrategy(snapshot),
        1,
        RolloutSettings(num_boards=3, num_hand_buckets=4),
        Stream(1),
    )
    assert not found.residual.any()
    assert found.hands.equities == pytest.approx(pair_equities(SMALL, ()))


def test_a_translated_pot_is_paid_in_real_chips(tmp_path: Path) -> None:
    """The tree bets half the pot, 4 in all, where 5 were bet.

    Then both go all-in, for all chips that there are.
    """
    snapshot = always(tmp_path / "x", rules.RAISE, rules.CALL)
    real = small_game().tree.root.game.parse("r5c/")
    root = real.game.parse("r5")
    game = make_range_game(root, menu=same_menu([], []), suits_alike=False, one_street=True)
    assert [state for _, state in leaf_states(game)] == [real]
    found = roll_out(game, SnapshotStrategy(snapshot), 1, ALL, Stream(1)).pair_values()[0]
    assert found == pytest.approx(
        np.broadcast_to(12 * pair_equities(SMALL, ()), found.shape), abs=1e-5
    )


def test_one_continuation_is_the_first_of_four_and_streams_decide(tmp_path: Path) -> None:
    strategy, game = SnapshotStrategy(saved_menu_snapshot(tmp_path / "x", NOLIMIT_2P)), flop_game()
    few = RolloutSettings(num_boards=3, num_hand_buckets=12)
    four = roll_out(game, strategy, 0, few, Stream(1))
    one = roll_out(game, strategy, 0, RolloutSettings((PLAIN,), 3, 12), Stream(1))
    assert one.shape[1] == 1
    assert one.residual[:, 0] == pytest.approx(four.residual[:, 0], rel=1e-5, abs=1e-3)
    assert np.array_equal(roll_out(game, strategy, 0, few, Stream(1)).residual, four.residual)
    assert roll_out(game, strategy, 0, few, Stream(1), 2).residual == pytest.approx(
        four.residual, rel=1e-5, abs=1e-3
    )
    assert not np.array_equal(roll_out(game, strategy, 0, few, Stream(2)).residual, four.residual)


def test_a_deadline_leaves_boards_out_but_not_the_first(tmp_path: Path) -> None:
    strategy, game = SnapshotStrategy(saved_menu_snapshot(tmp_path / "x", NOLIMIT_2P)), flop_game()
    late = roll_out(
        game,
        strategy,
        0,
        RolloutSettings(num_boards=5, num_hand_buckets=8),
        Stream(1),
        deadline_s=0.0,
    )
    one = roll_out(game, strategy, 0, RolloutSettings(num_boards=5, num_hand_buckets=8), Stream(1))
    assert late.residual.any()
    assert not np.array_equal(late.residual, one.residual)


@pytest.mark.slow
def test_both_seats_values_come_from_the_same_pairs(tmp_path: Path) -> None:
    """Catches cards that are not taken out, and sums that do not add up to zero."""
    strategy, game = SnapshotStrategy(saved_menu_snapshot(tmp_path / "x", NOLIMIT_2P)), flop_game()
    found = roll_out(
        game, strategy, 1, RolloutSettings(num_boards=4, num_hand_buckets=12), Stream(1)
    )
    draw = np.random.default_rng(1)
    reaches, reach = (
        draw.random(found.shape).astype(np.float32),
        draw.random(found.shape).astype(np.float32)[:, 0],
    )
    plain = PairValues(found.pair_values())
    ours, theirs = found.won_by_other(reaches), found.won_by_chooser(reach)
    assert ours == pytest.approx(plain.won_by_other(reaches), abs=1e-4 * float(np.abs(ours).max()))
    assert theirs == pytest.approx(
        plain.won_by_chooser(reach), abs=1e-4 * float(np.abs(theirs).max())
    )
    total = float((ours * reach).sum() + (theirs * reaches).sum())
    assert abs(total) < 1e-4 * float(np.abs(ours * reach).sum())


def test_a_levelled_continuation_wins_no_more_than_the_first(tmp_path: Path) -> None:
    strategy, game = SnapshotStrategy(saved_menu_snapshot(tmp_path / "x", NOLIMIT_2P)), flop_game()
    found = roll_out(
        game, strategy, 1, RolloutSettings(num_boards=3, num_hand_buckets=12), Stream(1)
    )
    level = roll_out(
        game,
        strategy,
        1,
        RolloutSettings(num_boards=3, num_hand_buckets=12, cap_at_blueprint=True),
        Stream(1),
    )
    reach = np.ones((found.shape[0], found.shape[2]), np.float32)
    groups = found.hands.buckets
    before, after = (
        np.array(
            [
                own.won_by_chooser(reach)[:, :, groups == group].sum(axis=2)
                for group in range(groups.max() + 1)
            ]
        )
        for own in (found, level)
    )
    slack = 1e-4 * float(np.abs(before).max())
    assert (before[:, :, 1:] > before[:, :, :1] + slack).any()
    assert (after[:, :, 1:] <= after[:, :, :1] + slack).all()
    assert after == pytest.approx(np.minimum(before, before[:, :, :1]), abs=slack)


def test_hands_that_suits_exchange_are_worth_the_same(tmp_path: Path) -> None:
    strategy = SnapshotStrategy(saved_menu_snapshot(tmp_path / "x", NOLIMIT_2P))
    game = flop_game(board=tuple(parse_cards("Kd8d3d")))
    found = roll_out(
        game, strategy, 1, RolloutSettings(num_boards=4, num_hand_buckets=16), Stream(1)
    )
    values = found.won_by_chooser(np.ones(found.shape, np.float32)[:, 0])
    cards = game.boards.arrays.cards[game.boards.rows(0)].tolist()
    place = {frozenset(pair): number for number, pair in enumerate(cards)}
    change = {0: 2, 1: 1, 2: 3, 3: 0}
    images = [
        place[frozenset(4 * (card // 4) + change[card % 4] for card in pair)] for pair in cards
    ]
    assert not np.array_equal(images, np.arange(len(images)))
    assert values[:, :, images] == pytest.approx(values, abs=1e-4 * float(np.abs(values).max()))


@pytest.mark.slow
def test_a_flop_is_solved_with_rollout_leaves(tmp_path: Path) -> None:
    """Against one continuation a solution can be exploited by four, and less so if it was made
    for four.
    """
    strategy, game = SnapshotStrategy(saved_menu_snapshot(tmp_path / "x", NOLIMIT_2P)), flop_game()
    settings = RolloutSettings(num_boards=6, num_hand_buckets=16)
    solver = RangeCFR(game, leaves=rollout_leaves(game, strategy, 1, settings, Stream(1)))
    solver.step(10)
    before = solver.exploitability()
    solver.step(60)
    assert 0 <= solver.exploitability() < 0.5 * before


def test_boards_fall_in_turns_and_none_twice() -> None:
    definition = rules_of(NOLIMIT_2P).definition
    boards = draw_boards(definition, FLOP, 150, Stream(1))
    assert len(set(boards)) == len(boards) == 150
    assert all(len(set(board)) == 5 and board[:3] == FLOP for board in boards)
    turns = np.bincount([board[3] for board in boards], minlength=52)
    assert sorted(set(turns.tolist())) == [0, 3, 4]
    assert len(draw_boards(definition, FLOP, 10_000, Stream(1))) == 49 * 48
    before = draw_boards(definition, (), 200, Stream(1))
    assert all(len(set(board)) == 5 for board in before)


@pytest.mark.parametrize(
    "settings",
    [
        {"biases": ()},
        {"biases": (Bias(folds=0),)},
        {"num_boards": 0},
        {"num_hand_buckets": 0},
        {"translation_samples": 0},
    ],
)
def test_rollouts_refuse_settings_that_make_no_sense(settings: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        RolloutSettings(**settings)  # type: ignore[arg-type]


def test_the_strategy_of_another_game_is_refused(tmp_path: Path) -> None:
    snapshot = saved_menu_snapshot(tmp_path / "x", LEDUC_NOLIMIT)
    with pytest.raises(UsageError, match="plays another game"):
        roll_out(flop_game(), SnapshotStrategy(snapshot), 0, ALL, Stream(1))


def test_thresholds_are_played_in_roll_outs_too(tmp_path: Path) -> None:
    """A purified strategy is worth what the snapshot of its likeliest actions is."""
    snapshot = saved_menu_snapshot(tmp_path / "x", LEDUC_NOLIMIT)
    game, settings = first_street(snapshot), PlaySettings("threshold", 0.3)
    values = roll_out(game, SnapshotStrategy(snapshot, settings), 1, ALL, Stream(1)).pair_values()
    part, real = next(
        (part, state) for part, (_, state) in enumerate(leaf_states(game)) if state is not None
    )
    played = replace(snapshot, manifest=replace(snapshot.manifest, play=str(settings)))
    assert values[part, 0, 0, 3] == pytest.approx(
        plain_pair(played, real, (0, 3), 1, PLAIN), rel=1e-6
    )
    assert values[part, 0, 0, 3] != pytest.approx(
        plain_pair(snapshot, real, (0, 3), 1, PLAIN), rel=1e-3
    )


def test_a_state_without_rollouts_is_refused(tmp_path: Path) -> None:
    limit, greedy = saved(tmp_path / "x", LEDUC), PlaySettings("greedy")
    start = rules_of(LEDUC).start
    game = make_range_game(start, suits_alike=False, one_street=True)
    for settings in (None, greedy):
        with pytest.raises(UsageError, match="cannot be rolled out"):
            roll_out(game, SnapshotStrategy(limit, settings), 0, ALL, Stream(1))
