"""Calls of all-in raises before the flop in no-limit hold'em, 200 big blinds deep.

Of what calls, the share outside the hands that are worth a call of 200 blinds, weighted by the range
that the caller has there: TT and higher pairs, AJs and higher, AKo. A strategy that calls with any
hand would have 96 %. A figure of 0 may be that of one that always folds, so the share of its hands
that call stands beside it, and which classes call outside.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import numpy as np

from acpcbot.abstraction.deal_sources import DealSources
from acpcbot.agents.public_strategies import find_strategy
from acpcbot.arrays import Flags
from acpcbot.cards.range_notation import parse_range
from acpcbot.poker.actions import CALLING
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.hand_classes import class_name, class_numbers
from acpcbot.poker.hands import all_hands
from acpcbot.poker.shipped import find_definition
from acpcbot.strategies.public_strategy import PublicStrategy
from acpcbot.strategies.range_play import state_range
from benchmarks.figure import Figure
from benchmarks.kept import STRENGTH

ONLY_BY_NAME, SECTION = True, STRENGTH
NAME = "holdem.nolimit.2p.reverse_blinds"
STRATEGIES = {
    "blueprint": f"strategies/{NAME}/cfr_br",
    "search, all_in_scale 0": f"strategies/{NAME}/search?profile=turn&preflop.all_in_scale=0",
    "the default": f"strategies/{NAME}/search",
}
"""The second one solves all decisions before the flop, and answers all-ins by that alone."""
WORTH = "TT+,AJs+,AKo"
LINES = ("", "c", "cr200", "cr300", "cr500", "r200", "r300", "r500", "r300r900", "r500r1500")


def figures() -> Iterator[Figure]:
    """Yield the share of calls outside for each strategy and betting line."""
    wanted = os.environ.get("SHOVES_OF", "")
    rules = BettingRules(find_definition(NAME)[1])
    outside = np.asarray(parse_range(WORTH)) == 0
    for name, words in STRATEGIES.items():
        if wanted in name:
            strategy = find_strategy(words, DealSources(rules.definition))
            for line in LINES:
                share, calling, classes = calls_outside(strategy, rules, f"{line}r20000", outside)
                yield Figure(
                    name=f"{name}, calls of all-in after {line or 'nothing'} outside {WORTH}",
                    value=100 * share,
                    unit="%",
                    note=f"{100 * calling:.1f} % of the caller's range call{classes}",
                    higher_is_better=False,
                )


def calls_outside(
    strategy: PublicStrategy, rules: BettingRules, line: str, outside: Flags
) -> tuple[float, float, str]:
    """Return which share of the calls after *line* are with hands *outside*, and how many call.

    The text names the classes outside with more than a hundredth of the calls.
    """
    betting = rules.parse(line)
    reach = state_range(strategy, betting, (), betting.actor)
    table = strategy.table(betting, ())
    calls = reach * table.probabilities[:, table.actions.index(CALLING)]
    numbers, total = class_numbers(all_hands(rules.definition)), max(calls.sum(), 1e-12)
    by_class = np.bincount(numbers[outside], calls[outside]) / total
    named = [class_name(int(number), 2) for number in np.argsort(-by_class)]
    most = named[: int((by_class > 0.01).sum())]
    return (
        float(calls[outside].sum() / total),
        float(calls.sum() / reach.sum()),
        f", with {', '.join(most[:6])}{' and others' if len(most) > 6 else ''}" if most else "",
    )
