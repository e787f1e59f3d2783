"""Judged decisions as lines of text: values of actions, costs, and sums over many hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from acpcbot.agents.hand_range import NAMES
from acpcbot.evaluation.decisions.decision_costs import CostGroup, CostSummary
from acpcbot.evaluation.decisions.judged_hands import JudgedAction
from acpcbot.evaluation.decisions.plain_decisions import KIND_NAMES
from acpcbot.poker.actions import Action
from acpcbot.poker.definition import STREET_NAMES


def action_name(action: Action) -> str:
    """Return the action in a word, a raise of a size with it."""
    return f"{NAMES[action.kind]} to {action.raise_to}" if action.raise_to else NAMES[action.kind]


def value_lines(one: JudgedAction) -> Iterator[Text | str]:
    """Yield what each action is worth, and what the one taken cost."""
    if not one.is_judged:
        yield f"    cost   unknown: {one.note}"
        return
    values = dict(zip(one.actions, one.values_bb, strict=True)) | {one.taken: one.taken_value_bb}
    words = [
        Text(f"{action_name(action)} {value:+.4f}", style="bold" if action == one.taken else "")
        for action, value in values.items()
    ]
    yield Text.assemble("    worth  ", Text("  ").join(words), "  big blinds")
    preferred = action_name(one.preferred) if one.preferred else ""
    deals = "exact" if one.is_exact else f"from {one.num_deals:,} deals"
    yield f"    cost   {cost_text(one.cost_bb, one.half_width_bb)}, {deals}; preferred: {preferred}"
    if one.note:
        yield f"    note   {one.note}"


def cost_text(cost_bb: float, half_width_bb: float) -> str:
    """Return a cost with its interval, where it has one."""
    # Adding 0 makes -0.0, which rounding brings, 0.0.
    cost = f"{round(cost_bb, 4) + 0.0:.4f}"
    return f"{cost} ± {half_width_bb:.4f} bb" if half_width_bb else f"{cost} bb"


def total_line(name: str, summary: CostSummary) -> str:
    """Return what all decisions of the player called *name* cost."""
    total = summary.total
    count = f"{total.num_decisions:,} decision{'s' if total.num_decisions != 1 else ''}"
    unjudged = f"; {summary.num_unjudged:,} not judged" if summary.num_unjudged else ""
    return f"{name}: {count} cost {cost_text(total.cost_bb, total.half_width_bb)}{unjudged}"


def summary_lines(
    name: str, summary: CostSummary, positions: Sequence[str], spots: Sequence[str]
) -> Iterator[Text | str]:
    """Yield the sums by street, position and kind of action, and the most expensive *spots*."""
    yield Text(total_line(name, summary), style="bold")
    tables = (
        ("street", [STREET_NAMES[group.key] for group in summary.by_street], summary.by_street),
        ("position", [positions[group.key] for group in summary.by_seat], summary.by_seat),
        ("action", [KIND_NAMES[group.key] for group in summary.by_kind], summary.by_kind),
    )
    for title, labels, groups in tables:
        yield from _group_lines(title, labels, groups)
    if spots:
        yield "  most expensive"
        yield from [f"    {spot}" for spot in spots]


def _group_lines(
    title: str, labels: Sequence[str], groups: Sequence[CostGroup[int]]
) -> Iterator[str]:
    yield f"  by {title}"
    for label, group in zip(labels, groups, strict=True):
        cost = cost_text(group.cost_bb, group.half_width_bb)
        yield f"    {label:10}  {group.num_decisions:>7,} decisions  {cost}"
