"""Values of the states that end the first street: against plain Python, by laws, in parts, and
on disk.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from acpcbot.abstraction.hand_groups import HandGroups
from acpcbot.abstraction.pair_equities import pair_equities, run_out_ranks
from acpcbot.errors import BadSnapshot, UsageError
from acpcbot.poker import rules
from acpcbot.poker.hand_classes import class_name, class_numbers, game_classes, num_class_pairs
from acpcbot.poker.hands import all_hands, hand_masks
from acpcbot.rollouts import preflop_accumulation as preflop_sums
from acpcbot.rollouts.control_variates import expected_controls, nut_strengths_of
from acpcbot.rollouts.preflop_accumulation import (
    PreflopRollouts,
    PreflopSettings,
    nut_strength_differences,
)
from acpcbot.rollouts.preflop_table import (
    LARGEST,
    RECORD_FILE,
    SCALES_FILE,
    SUMS_FILE,
    VALUES_FILE,
    PreflopValues,
    finished_table,
    load_preflop_values,
    restore_sums,
    save_preflop_values,
    save_sums,
)
from acpcbot.strategies.policy import PlaySettings
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.strategies.snapshot import Snapshot
from tests.rollouts.test_rollouts import SMALL, always, plain_pair, small_snapshot
from tests.strategies.menu_snapshots import saved_menu_snapshot
from tests.strategies.random_snapshots import saved
from tests.support.games import LEDUC, LEDUC_NOLIMIT, NOLIMIT_2P, definition_of

ALL_BOARDS = PreflopSettings(num_boards=10_000)


def rolled_out(snapshot: Snapshot, settings: PreflopSettings = ALL_BOARDS) -> PreflopRollouts:
    found = PreflopRollouts(SnapshotStrategy(snapshot), settings)
    while found.num_done < found.num_boards:
        found.step()
    return found


def table_of(snapshot: Snapshot, settings: PreflopSettings = ALL_BOARDS) -> PreflopValues:
    return finished_table(rolled_out(snapshot, settings))


def plain_class_value(
    snapshot: Snapshot,
    roll_outs: PreflopRollouts,
    state: int,
    chooser: int,
    way: int,
    classes: tuple[int, int],
) -> float:
    """The mean over all pairs of hands of both classes, [class of the other, class of the
    chooser], in chips.
    """
    definition = snapshot.definition
    own, masks = game_classes(definition), hand_masks(definition)
    pairs = [
        (int(other), int(mine))
        for other in np.flatnonzero(own == classes[0])
        for mine in np.flatnonzero(own == classes[1])
        if masks[other] & masks[mine] == 0
    ]
    bias = roll_outs.settings.biases[way]
    found = [plain_pair(snapshot, roll_outs.states[state], pair, chooser, bias) for pair in pairs]
    return sum(found) / len(found)


@pytest.mark.parametrize("chooser", [0, 1])
def test_with_all_boards_every_pair_of_classes_is_worth_what_plain_python_says(
    tmp_path: Path, chooser: int
) -> None:
    """In no-limit Leduc: catches a wrong seat, sign, way, state, class or unit."""
    snapshot = saved_menu_snapshot(tmp_path / "x", LEDUC_NOLIMIT)
    roll_outs = rolled_out(snapshot)
    table = finished_table(roll_outs)
    assert len(roll_outs.states) > 3
    for number, state in enumerate(roll_outs.states):
        assert table.record.states[number] == state.text
        found = table.of_other(number, chooser) * state.pot
        for way in range(4):
            for pair in [(0, 0), (0, 1), (1, 0), (2, 1), (0, 2), (2, 2)][way % 2 :: 2]:
                expected = plain_class_value(snapshot, roll_outs, number, chooser, way, pair)
                assert found[(way, *pair)] == pytest.approx(
                    expected, rel=1e-4, abs=1e-4 * state.pot
                )


def test_pairs_of_two_cards_are_means_over_hands_that_share_none(tmp_path: Path) -> None:
    """In hold'em of eight cards, suited and not: catches hands that block each other, and
    classes mixed up.
    """
    snapshot = small_snapshot(tmp_path / "x")
    roll_outs = rolled_out(snapshot)
    table = finished_table(roll_outs)
    draw = np.random.default_rng(2)
    counts = num_class_pairs(SMALL)
    for _ in range(10):
        state, chooser, way = (int(draw.integers(most)) for most in (len(roll_outs.states), 2, 4))
        pair = tuple(draw.integers(len(counts), size=2).tolist())
        if counts[pair] == 0:
            assert table.of_other(state, chooser)[(way, *pair)] == 0
            continue
        expected = plain_class_value(snapshot, roll_outs, state, chooser, way, pair)
        found = float(table.of_other(state, chooser)[(way, *pair)]) * roll_outs.states[state].pot
        assert found == pytest.approx(expected, rel=1e-4, abs=1e-4)


def test_one_hand_for_each_class_is_right_on_the_average(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in hold'em. The mean over seeds is off by no more than chance."""
    snapshot = small_snapshot(tmp_path / "x")
    exact = table_of(snapshot).won
    monkeypatch.setattr(preflop_sums, "MAX_SINGLE_HANDS", 1)
    tables = np.array([table_of(snapshot, PreflopSettings(28, seed)).won for seed in range(12)])
    met = num_class_pairs(SMALL) > 0
    scatter = tables.std(axis=0)[:, :, met]
    off = (tables.mean(axis=0) - exact)[:, :, met]
    assert np.sqrt(np.mean(off**2)) < 2 * np.sqrt(np.mean(scatter**2) / len(tables))
    assert np.sqrt(np.mean(scatter**2)) > 0.01


def test_errors_tell_how_far_values_are_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot = small_snapshot(tmp_path / "x")
    exact = table_of(snapshot).won
    monkeypatch.setattr(preflop_sums, "MAX_SINGLE_HANDS", 1)
    tables = [table_of(snapshot, PreflopSettings(28, seed)) for seed in range(12)]
    weights = num_class_pairs(SMALL) / (num_class_pairs(SMALL).sum() * exact.shape[1])
    off = np.mean(
        [np.sum((table.won - exact) ** 2 * weights, axis=(1, 2, 3)) for table in tables], axis=0
    )
    told = np.mean([np.square(table.record.errors) for table in tables], axis=0)
    # Boards that are drawn without putting back are a little better than they say.
    assert np.sqrt(off / told) == pytest.approx(np.ones(len(off)), abs=0.5)


def test_preflop_values_of_a_calling_player_are_its_equity_on_any_boards(tmp_path: Path) -> None:
    snapshot = always(tmp_path / "x", rules.CALL)
    found = table_of(snapshot, PreflopSettings(4)).won
    classes, beside = game_classes(SMALL), num_class_pairs(SMALL)
    equities = pair_equities(SMALL, ())
    for pair in map(tuple, np.argwhere(beside)[::7].tolist()):
        own = equities[np.ix_(classes == pair[0], classes == pair[1])].sum() / beside[pair]
        assert found[:, :, pair[0], pair[1]] == pytest.approx(
            np.full(found.shape[:2], own / 2), abs=1e-6
        )


def test_of_the_blueprint_alone_one_seat_wins_what_the_other_loses(tmp_path: Path) -> None:
    table = table_of(saved_menu_snapshot(tmp_path / "x", LEDUC_NOLIMIT))
    for state in range(len(table.record.states)):
        first, second = (table.of_other(state, chooser) for chooser in (1, 0))
        assert first[0] == pytest.approx(-second[0].T)
        assert not np.allclose(first[1:], -second[1:].transpose(0, 2, 1))


def test_peaks_of_groups_are_those_of_all_boards_gone_through() -> None:
    """The way of hold'em beside that of small games."""
    groups, ranks = HandGroups.of(game_classes(SMALL)), run_out_ranks(SMALL, ())
    masks = hand_masks(SMALL)
    expected = expected_controls(
        pair_equities(SMALL, ()),
        masks[:, None] & masks == 0,
        ranks,
        nut_strengths_of(ranks),
        groups,
    )
    boards = np.array(
        [(first, second) for first in SMALL.deck for second in SMALL.deck if first < second],
        np.uint8,
    )
    found = nut_strength_differences(SMALL, boards, np.full(len(boards), 3.0), groups)
    assert found == pytest.approx(expected[1], abs=1e-6)


def test_classes_are_those_that_suits_make_alike() -> None:
    definition = definition_of(NOLIMIT_2P)
    classes, counts = game_classes(definition), num_class_pairs(definition)
    assert (
        np.bincount(classes).tolist() == np.bincount(class_numbers(all_hands(definition))).tolist()
    )
    names = [class_name(number, 2) for number in range(169)]
    aces, kings, suited = (names.index(name) for name in ("AA", "KK", "AKs"))
    assert (
        counts[aces, aces],
        counts[aces, kings],
        counts[aces, suited],
        counts[suited, suited],
    ) == (6, 36, 12, 12)
    assert counts.sum() == 1326 * 1225


@cache
def few() -> PreflopSettings:
    return PreflopSettings(num_boards=24, seed=5)


def test_in_parts_and_with_more_threads_it_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot = small_snapshot(tmp_path / "x")
    monkeypatch.setattr(preflop_sums, "MAX_BATCH_BOARDS", 5)
    whole = rolled_out(snapshot, few())
    done = 0
    while done < whole.num_boards:
        part = PreflopRollouts(SnapshotStrategy(snapshot), few())
        restore_sums(tmp_path, part)
        assert part.num_done == done
        part.step(num_threads=2)
        save_sums(tmp_path, part)
        done = part.num_done
    restored = PreflopRollouts(SnapshotStrategy(snapshot), few())
    restore_sums(tmp_path, restored)
    assert np.array_equal(finished_table(restored).won, finished_table(whole).won)
    other = rolled_out(snapshot, PreflopSettings(24, 6))
    assert not np.array_equal(finished_table(other).won, finished_table(whole).won)


def test_sums_of_something_else_or_damaged_are_refused(tmp_path: Path) -> None:
    strategy = SnapshotStrategy(small_snapshot(tmp_path / "x"))
    roll_outs = PreflopRollouts(strategy, few())
    roll_outs.step()
    save_sums(tmp_path, roll_outs)
    for settings in (PreflopSettings(25, 5), PreflopSettings(24, 6)):
        with pytest.raises(UsageError, match="another"):
            restore_sums(tmp_path, PreflopRollouts(strategy, settings))
    with pytest.raises(UsageError, match="another"):
        restore_sums(
            tmp_path,
            PreflopRollouts(SnapshotStrategy(small_snapshot(tmp_path / "y", seed=2)), few()),
        )
    path = tmp_path / SUMS_FILE
    data = path.read_bytes()
    for damaged in (
        data[: len(data) // 2],
        b"",
        data[:5000] + bytes([data[5000] ^ 1]) + data[5001:],
    ):
        path.write_bytes(damaged)
        again = PreflopRollouts(strategy, few())
        with pytest.raises(UsageError, match="damaged"):
            restore_sums(tmp_path, again)
        assert again.num_done == 0


def test_a_table_comes_back_from_disk_to_half_a_step(tmp_path: Path) -> None:
    snapshot = saved_menu_snapshot(tmp_path / "x", LEDUC_NOLIMIT)
    table = table_of(snapshot)
    save_preflop_values(tmp_path / "table", table)
    save_preflop_values(tmp_path / "table", table)
    found = load_preflop_values(tmp_path / "table", snapshot)
    assert found.record == table.record
    steps = np.abs(table.won).max(axis=3, keepdims=True) / LARGEST
    assert (np.abs(found.won - table.won) <= 0.5001 * steps).all()
    assert sorted(path.name for path in (tmp_path / "table").iterdir()) == [
        RECORD_FILE,
        SCALES_FILE,
        VALUES_FILE,
    ]


def test_the_table_of_another_strategy_is_refused(tmp_path: Path) -> None:
    first, second = (
        saved_menu_snapshot(tmp_path / str(seed), LEDUC_NOLIMIT, seed) for seed in (1, 2)
    )
    save_preflop_values(tmp_path / "table", table_of(first))
    load_preflop_values(tmp_path / "table", first)
    with pytest.raises(BadSnapshot, match="another strategy"):
        load_preflop_values(tmp_path / "table", second)
    with pytest.raises(BadSnapshot, match="cannot be read"):
        load_preflop_values(tmp_path / "nowhere", first)


@pytest.mark.parametrize("name", [RECORD_FILE, VALUES_FILE, SCALES_FILE])
def test_damaged_preflop_tables_are_refused(tmp_path: Path, name: str) -> None:
    snapshot = saved_menu_snapshot(tmp_path / "x", LEDUC_NOLIMIT)
    save_preflop_values(tmp_path / "table", table_of(snapshot))
    path = tmp_path / "table" / name
    data = path.read_bytes()
    place = len(data) - 40
    for damaged in (data[:place], b"", data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]):
        path.write_bytes(damaged)
        with pytest.raises(BadSnapshot):
            load_preflop_values(tmp_path / "table", snapshot)
    path.unlink()
    with pytest.raises(BadSnapshot):
        load_preflop_values(tmp_path / "table", snapshot)


@pytest.mark.parametrize(
    "text", ["[]", "{}", '{"format": 1}', "[" * 100_000, '{"format": 1, "checksum": 3}']
)
def test_records_that_are_none_are_refused(tmp_path: Path, text: str) -> None:
    snapshot = saved_menu_snapshot(tmp_path / "x", LEDUC_NOLIMIT)
    save_preflop_values(tmp_path / "table", table_of(snapshot))
    (tmp_path / "table" / RECORD_FILE).write_text(text)
    with pytest.raises(BadSnapshot):
        load_preflop_values(tmp_path / "table", snapshot)


def test_arrays_of_another_shape_are_refused_though_their_checksums_fit(tmp_path: Path) -> None:
    snapshot = saved_menu_snapshot(tmp_path / "x", LEDUC_NOLIMIT)
    table = table_of(snapshot)
    save_preflop_values(tmp_path / "table", PreflopValues(table.record, table.won[1:]))
    with pytest.raises(BadSnapshot, match="expected"):
        load_preflop_values(tmp_path / "table", snapshot)


def test_a_file_that_is_no_table_is_not_overwritten(tmp_path: Path) -> None:
    table = table_of(saved_menu_snapshot(tmp_path / "x", LEDUC_NOLIMIT))
    with pytest.raises(UsageError, match="is not a table"):
        save_preflop_values(tmp_path / "x", table)
    assert json.loads((tmp_path / "x" / "manifest.json").read_text())


def test_a_preflop_state_without_rollouts_is_refused(tmp_path: Path) -> None:
    limit, greedy = saved(tmp_path / "x", LEDUC), PlaySettings("greedy")
    for strategy in (
        SnapshotStrategy(limit),
        SnapshotStrategy(saved_menu_snapshot(tmp_path / "y", LEDUC_NOLIMIT), greedy),
    ):
        with pytest.raises(UsageError, match="cannot be rolled out"):
            PreflopRollouts(strategy, few())
    with pytest.raises(UsageError, match="1 boards"):
        PreflopSettings(num_boards=1)
