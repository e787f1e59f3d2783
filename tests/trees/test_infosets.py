"""The layout of information sets: every slot once."""

from __future__ import annotations

import numpy as np

from acpcbot.poker.shipped import shipped_definition
from acpcbot.trees.infosets import SubtreeSizes, infoset_layout

LEDUC = SubtreeSizes(shipped_definition("leduc.limit.2p")).whole()


def test_the_rows_of_all_streets_cover_every_slot_once() -> None:
    layout = infoset_layout(LEDUC, (3, 9))
    flat = np.zeros(layout.num_slots, np.int64)
    for street in range(2):
        layout.street_rows(flat, street)[:] += 1
    assert np.all(flat == 1)
    assert layout.num_slots == 3 * LEDUC.num_slots[0] + 9 * LEDUC.num_slots[1]


def test_limit_holdem_with_the_papers_grid_has_a_million_and_a_half_infosets() -> None:
    size = SubtreeSizes(shipped_definition("holdem.limit.2p.reverse_blinds")).whole()
    layout = infoset_layout(size, (169, 1000, 500, 200))
    assert (layout.num_slots, layout.num_infosets) == (3_952_949, 1_520_352)


def test_a_row_begins_where_start_and_width_say() -> None:
    layout = infoset_layout(LEDUC, (3, 9))
    flat = np.arange(layout.num_slots)
    assert layout.street_rows(flat, 1)[4, 2] == layout.row_starts[1] + 4 * layout.row_widths[1] + 2
