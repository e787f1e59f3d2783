"""Big tables for tests in no time: most rows are empty, and those that a test looks at are true."""

from __future__ import annotations

from functools import cache
from types import ModuleType

import numpy as np
import pytest

from acpcbot.abstraction import buckets, hand_strengths
from acpcbot.abstraction.canonical_boards import CanonicalBoards, canonical_boards
from acpcbot.abstraction.equity import Totals, board_totals
from acpcbot.cards.combos import NUM_COMBOS

NUM_TRUE_ROWS = 12


def true_rows(board_size: int) -> list[int]:
    """The canonical boards whose rows are true."""
    last = len(canonical_boards(board_size)) - 1
    return [int(row) for row in np.linspace(0, last, NUM_TRUE_ROWS)]


@cache
def mostly_empty_table(board_size: int, on_progress: object = None) -> Totals:
    """Stands in for ``equity_table``."""
    boards = canonical_boards(board_size).boards
    totals = np.zeros((len(boards), NUM_COMBOS), np.uint32)
    for row in true_rows(board_size):
        totals[row] = board_totals(boards[row].tolist())
    return totals


def use_cheap_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let everything that asks for the totals of a street have a cheap table."""
    for module in (buckets, hand_strengths):
        monkeypatch.setattr(module, "equity_table", mostly_empty_table)


def use_few_rivers(monkeypatch: pytest.MonkeyPatch, module: ModuleType) -> CanonicalBoards:
    """Let *module* see some hundred rivers alone, with their true weights; return them."""
    rivers = canonical_boards(5)
    few = CanonicalBoards(rivers.boards[::999], rivers.weights[::999], rivers.places)
    monkeypatch.setattr(module, "canonical_boards", lambda size: few)
    return few
