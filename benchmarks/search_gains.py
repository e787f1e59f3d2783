"""Gains of search at the table over its blueprint, with all hands at once.

The profiles that are measured play as their blueprint before the street that they search first, but
for answers to all-ins, so that gains need no matches (``acpcbot/evaluation/strategy_gains.py``). The
coarse strategy is that of ``search_match``, the undertrained one that of ``limit_rivals``, ``tight``
the built-in agent. GAIN_ONLY is a pattern: only cases whose name it matches are measured, and kept
beside the others. GAIN_DEALS is the number of deals in both seats [3000]; of the cases that search
turns there are a fifteenth, and where flops are searched a twentieth. GAIN_SEED draws others [1].
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass

from acpcbot.agents.public_strategies import TIGHT
from acpcbot.cli.progress_bars import make_bars, new_bar
from acpcbot.evaluation.strategy_gains import GainRun, gains, mean_gain
from acpcbot.poker.shipped import shipped_definition
from benchmarks.coarse_rivals import COARSE, LIMIT, UNDERTRAINED, coarse_rival, limit_rival
from benchmarks.figure import Figure
from benchmarks.kept import STRENGTH
from benchmarks.search_match import COARSE_BETS, COARSE_ITERATIONS, GAME, HOME

ONLY_BY_NAME, KEEPS_OTHERS, SECTION = True, True, STRENGTH

FLOP, TURN, RIVER = 1, 2, 3
TURNS = "search?profile=turn&preflop.decisions=off_tree"
"""All but flops, before the flop as in the default profile."""
FLOPS = "search?profile=match&preflop=off&turn=off&river=off&flop.seconds=inf&threads=1"
"""Flops alone, as ``match`` searches them without limits of time."""
WEAK = "search?profile=fast&river.weak_prior=0.1"
"""Rivers as the default searches them, which also answers new bets before the flop by search."""
NUM_DEALS, SEED = 3000, 1
SHARES = {FLOP: 20, TURN: 15, RIVER: 1}
"""By the first street that is searched: the number of deals for each one that is played."""


@dataclass(frozen=True, slots=True)
class Case:
    """A search of *game* and its opponent, by names of folders; it differs from *street* on."""

    game: str
    search: str
    opponent: str
    street: int

    @property
    def name(self) -> str:
        """The name of its figure."""
        return f"{self.game}, {self.search} against {self.opponent}, gain over its blueprint"


CASES = (
    Case(GAME, "search", "cfr_br", RIVER),
    Case(GAME, TURNS, "cfr_br", TURN),
    Case(GAME, FLOPS, "cfr_br", FLOP),
    Case(GAME, "search", COARSE, RIVER),
    Case(GAME, "search?profile=fast", "cfr_br", RIVER),
    Case(GAME, "search?profile=fast", COARSE, RIVER),
    Case(GAME, "search?profile=fast", TIGHT, RIVER),
    Case(GAME, WEAK, TIGHT, RIVER),
    Case(LIMIT, "search?profile=fast", "cfr_br", RIVER),
    Case(LIMIT, "search?profile=fast", "external_sampling", RIVER),
    Case(LIMIT, "search?profile=fast", "external_sampling?play=purified", RIVER),
    Case(LIMIT, "search?profile=fast", "smooth_uct", RIVER),
    Case(LIMIT, "search", "external_sampling?play=purified", TURN),
    Case(LIMIT, "search?profile=fast", UNDERTRAINED, RIVER),
)


def figures() -> Iterator[Figure]:
    """Yield the gain in each of the CASES."""
    wanted = re.compile(os.environ.get("GAIN_ONLY", ""))
    num_deals = int(os.environ.get("GAIN_DEALS", NUM_DEALS))
    for case in CASES:
        if wanted.search(case.name):
            deals = num_deals // SHARES[case.street]
            yield gain(case, deals, int(os.environ.get("GAIN_SEED", SEED)))


def gain(case: Case, num_deals: int, seed: int) -> Figure:
    """Return the gain in *num_deals* deals, each in both seats."""
    definition, home = shipped_definition(case.game), f"strategies/{case.game}"
    opponent = f"{home}/{case.opponent}"
    if case.opponent == TIGHT:
        opponent = TIGHT
    elif case.opponent == UNDERTRAINED:
        opponent = limit_rival(UNDERTRAINED)
    elif case.opponent == COARSE:
        opponent = str(coarse_rival(HOME, case.game, COARSE_ITERATIONS, COARSE_BETS))
    run = GainRun(
        definition, f"{home}/{case.search}", f"{home}/cfr_br", opponent, case.street, seed
    )
    run.verify()
    with make_bars() as bars:
        deals = gains(run, num_deals, os.cpu_count() or 1, new_bar(bars, "deals"))
    found = mean_gain(deals, definition)
    answers = f", {found.answers:.1f} by answers to all-ins" if found.shares[0] else ""
    return Figure(
        name=case.name,
        value=found.mbb,
        unit="mbb/hand",
        note=f"± {found.half_width:.1f}{answers}, {num_deals} deals in both seats",
    )
