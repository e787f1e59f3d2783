"""The tables of totals: right rows in the right places, and what is known of them as a whole."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from acpcbot.abstraction import equity as equity_tables
from acpcbot.abstraction.buckets import Lossless169, count_river_strengths
from acpcbot.abstraction.canonical_boards import (
    PERMUTATION_BITS,
    CanonicalBoards,
    canonical_boards,
    place_of,
)
from acpcbot.abstraction.equity import (
    BLOCKED_TOTAL,
    MAX_STRENGTH,
    Totals,
    board_totals,
    equity_table,
    make_flop_table,
    make_turn_table,
)
from acpcbot.abstraction.hand_strengths import preflop_expected_squares
from acpcbot.cards.combos import combo_index
from acpcbot.cards.deck import parse_cards


@pytest.fixture
def few_boards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CanonicalBoards:
    """A world of forty turns, and an empty cache."""
    turns = canonical_boards(4)
    few = CanonicalBoards(turns.boards[::411], turns.weights[::411], turns.places)
    monkeypatch.setattr(equity_tables, "canonical_boards", lambda size: few)
    monkeypatch.setenv("ACPCBOT_CACHE", str(tmp_path))
    return few


def test_rows_are_the_totals_of_their_boards(few_boards: CanonicalBoards) -> None:
    """Catches chunks that are shifted against their rows."""
    totals = make_turn_table()
    assert len(totals) == len(few_boards) == 40
    for row, board in enumerate(few_boards.boards.tolist()):
        assert np.array_equal(totals[row], board_totals(board))


def test_flops_from_turns_are_flops_from_rivers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Catches turns in the wrong row, under the wrong change of suits, or counted once."""
    flops, turns = canonical_boards(3).boards[::250], canonical_boards(4)
    turn_totals = np.zeros((len(turns), 1326), np.uint32)
    for flop in flops.tolist():
        for card in set(range(52)) - set(flop):
            row = place_of(np.array([*flop, card], np.uint8)) >> PERMUTATION_BITS
            turn_totals[row] = board_totals(turns.boards[row].tolist())
    monkeypatch.setattr(equity_tables, "equity_table", lambda *_: turn_totals)
    totals = make_flop_table()
    for row, flop in zip(range(0, 1755, 250), flops.tolist(), strict=True):
        assert np.array_equal(totals[row], board_totals(flop))


def test_a_table_is_made_once_with_progress_to_its_end(few_boards: CanonicalBoards) -> None:
    """Catches a training that makes its tables anew at every start."""
    told: list[tuple[int, int]] = []
    first = equity_table(4, lambda done, total: told.append((done, total)))
    assert told[-1] == (40, 40)
    told.clear()
    assert np.array_equal(equity_table(4, lambda done, total: told.append((done, total))), first)
    assert told == []


@pytest.mark.slow
def test_the_mean_over_all_hands_is_the_same_on_every_street() -> None:
    """Catches wrong weights and wrong totals anywhere: E[HS2] is a mean over what comes, so its
    own mean stays.
    """
    rivers = int(np.arange(MAX_STRENGTH + 1) ** 2 @ count_river_strengths())
    # Every river has so many turns and flops within.
    assert whole_sum(equity_table(4), 4) == 5 * rivers
    assert whole_sum(equity_table(3), 3) == 10 * rivers


def whole_sum(totals: Totals, board_size: int) -> int:
    rows = np.where(totals == BLOCKED_TOTAL, 0, totals).sum(axis=1, dtype=np.uint64)
    return sum(
        int(row) * int(weight)
        for row, weight in zip(rows, canonical_boards(board_size).weights, strict=True)
    )


@pytest.mark.slow
def test_the_best_and_the_worst_hands_before_the_flop_are_worth_what_is_known() -> None:
    """Catches flops that are weighted wrongly, and classes that are mixed up."""
    squares = preflop_expected_squares()
    names = {"AhAs": 0.7372, "3d2c": 0.1995}
    values = [squares[Lossless169().bucket(parse_cards(text))] for text in names]
    assert values == pytest.approx(list(names.values()), abs=5e-5)
    assert values == [squares.max(), squares.min()]


@pytest.mark.slow
def test_before_the_flop_is_the_mean_over_all_flops() -> None:
    """Catches a class that takes its worth from flops that it blocks."""
    generator = np.random.default_rng(1)
    pair = parse_cards("JsTs")
    rest = [card for card in range(52) if card not in pair]
    flops = [generator.choice(rest, 3, replace=False).tolist() for _ in range(400)]
    sample = [board_totals(flop)[combo_index(*pair)] / (MAX_STRENGTH**2 * 1081) for flop in flops]
    error = 4 * np.std(sample) / np.sqrt(len(sample))
    assert preflop_expected_squares()[Lossless169().bucket(pair)] == pytest.approx(
        np.mean(sample), abs=error
    )
