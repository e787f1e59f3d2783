"""Judged decisions and their sums as JSON holds them, alike on the command line and at the table.

Actions are as in a log, streets by name, seats from 1; values and costs are in big blinds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from acpcbot.evaluation.decisions.decision_costs import CostGroup, CostSummary
from acpcbot.evaluation.decisions.judged_hands import JudgedAction
from acpcbot.poker import rules
from acpcbot.poker.definition import STREET_NAMES

Plain = dict[str, Any]
KIND_NAMES = {rules.FOLD: "fold", rules.CALL: "call", rules.RAISE: "raise"}

Key = TypeVar("Key")


def plain_decision(one: JudgedAction) -> Plain:
    """Return everything that is known of a judged decision; null where the strategy is silent."""
    known = one.is_judged
    return {
        "place": one.place,
        "street": STREET_NAMES[one.street],
        "seat": one.seat + 1,
        "pot_chips": one.pot_chips,
        "to_call_chips": one.to_call_chips,
        "taken": one.taken.text,
        "taken_probability": one.taken_probability if known else None,
        "preferred": one.preferred.text if one.preferred else None,
        "actions": [action.text for action in one.actions],
        "probabilities": list(one.probabilities),
        **plain_values(one),
    }


def plain_values(one: JudgedAction) -> Plain:
    """Return the values and the cost alone."""
    known = one.is_judged
    return {
        "values_bb": list(one.values_bb),
        "taken_value_bb": one.taken_value_bb if known else None,
        "strategy_value_bb": one.strategy_value_bb if known else None,
        "cost_bb": one.cost_bb if known else None,
        "standard_error_bb": one.standard_error_bb if known else None,
        "half_width_bb": one.half_width_bb if known else None,
        "is_exact": one.is_exact,
        "num_deals": one.num_deals,
        "note": one.note,
    }


def plain_summary(summary: CostSummary, positions: Sequence[str]) -> Plain:
    """Return the sums, without the spots; *positions* are the names of the seats."""
    return {
        "total": _plain_group(summary.total),
        "by_street": _plain_groups("street", summary.by_street, STREET_NAMES.__getitem__),
        "by_position": _plain_groups("position", summary.by_seat, positions.__getitem__),
        "by_kind": _plain_groups("kind", summary.by_kind, KIND_NAMES.__getitem__),
        "num_unjudged": summary.num_unjudged,
    }


def _plain_groups(
    name: str, groups: Sequence[CostGroup[int]], label: Callable[[int], str]
) -> list[Plain]:
    return [{name: label(group.key), **_plain_group(group)} for group in groups]


def _plain_group(group: CostGroup[Key]) -> Plain:
    return {
        "decisions": group.num_decisions,
        "cost_bb": group.cost_bb,
        "half_width_bb": group.half_width_bb,
    }
