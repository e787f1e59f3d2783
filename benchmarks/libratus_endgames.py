"""The four endgames that Libratus solved: time to 0.1 % of the pot, and values.

Blinds 50 and 100, stacks of 20,000; two begin on the turn, two on the river. Bets of half the pot,
the pot and all-in, raises of the pot and all-in. After a minute an endgame is left as it is, and
the note says how far it came. The files are those of github.com/Sandholm-Lab/LibratusEndgames, in
../shared/data/libratus_endgames beside the checkout, or in the folder that LIBRATUS_ENDGAMES names.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from acpcbot.cards.combos import NUM_COMBOS, combo_index
from acpcbot.cards.deck import parse_cards
from acpcbot.poker.spots import holdem_spot
from acpcbot.subgames.game import make_range_game
from acpcbot.subgames.solver import RangeCFR, solver_bytes
from acpcbot.trees.bet_menu import parse_menu
from benchmarks.figure import Figure

ONLY_BY_NAME = True

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "data" / "libratus_endgames"
STACK_CHIPS, BIG_BLIND = 20_000, 100
BETS = "0.5,1,all-in;1,all-in"
TARGET_PERCENT, LONGEST_S = 0.1, 60.0
SUITS = "shdc"
"""The order of suits in the files, whose cards go from the deuce of spades up."""


@dataclass(frozen=True, slots=True)
class Endgame:
    """A file's content; ``ranges`` float64 [seat, combo], seat 1 acting first."""

    board: tuple[int, ...]
    pot_chips: int
    ranges: NDArray[np.float64]


def figures() -> Iterator[Figure]:
    folder = Path(os.environ.get("LIBRATUS_ENDGAMES", FOLDER))
    paths = sorted(folder.glob("subgame*.txt"))
    if not paths:
        yield Figure(name="endgames of Libratus", value=0, unit="files", note=f"none in {folder}")
    for path in paths:
        yield from solved(path.stem, read_endgame(path.read_text(encoding="utf-8")))


def read_endgame(text: str) -> Endgame:
    found = dict(line.lstrip("-").split(maxsplit=1) for line in text.splitlines() if line.strip())
    reaches = np.array(found["reach"].split(), np.float64).reshape(2, NUM_COMBOS)
    ranges = np.zeros_like(reaches)
    ranges[:, file_combos()] = reaches
    return Endgame(parse_cards(found["board"].strip()), int(found["pot"]), ranges)


def file_combos() -> list[int]:
    """Return the combos in the order of the files: 2s2h, 2s2d, 2s2c, 2s3s, ..."""
    deck = [
        card
        for rank in "23456789TJQKA"
        for card in parse_cards("".join([rank + suit for suit in SUITS]))
    ]
    return [combo_index(first, second) for first, second in combinations(deck, 2)]


def solved(name: str, endgame: Endgame) -> Iterator[Figure]:
    pot_chips, num_cards = endgame.pot_chips, len(endgame.board)
    root = holdem_spot(num_cards, pot_chips, STACK_CHIPS - pot_chips // 2, BIG_BLIND)
    game = make_range_game(root, endgame.board, parse_menu(BETS), endgame.ranges)
    RangeCFR(game, num_threads=2).step(1)  # Compiles.
    solver, start = RangeCFR(game, num_threads=2), time.perf_counter()
    *_, progress = solver.solve(
        target=TARGET_PERCENT * pot_chips / 100, deadline_s=LONGEST_S, most=100_000, every=50
    )
    took_s = time.perf_counter() - start
    street = "turn" if num_cards == 4 else "river"
    reached = (
        f"{progress.num_iterations} iterations to {100 * progress.exploitability / pot_chips:.2f} %"
    )
    note = f"{reached}, {solver_bytes(game) / 1e6:.0f} MB, load {os.getloadavg()[0]:.1f}"
    yield Figure(
        name=f"{name}, {street}, to {TARGET_PERCENT} % of the pot, two cores",
        value=took_s,
        unit="s",
        note=note,
        higher_is_better=False,
    )
    _, values = solver.block_values(0, 0)
    won = float(game.ranges[0] @ values[0, 0]) / game.num_pairs
    yield Figure(
        name=f"{name}, won by who acts first, pot {pot_chips}", value=round(won, 2), unit="chips"
    )
