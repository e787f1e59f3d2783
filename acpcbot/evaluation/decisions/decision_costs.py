"""Costs of many judged decisions: by street, by position, by kind of action, and the dearest.

A group's cost is the sum of the costs of its decisions. The errors of different decisions are
independent, so the standard error of a sum is the root of the sum of squares, and half of its
interval is combined alike from those of the decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Generic, TypeVar

from acpcbot.evaluation.decisions.judged_hands import JudgedAction

MOST_EXPENSIVE = 5
"""Number of spots that a summary names."""

LEAST_COST_BB = 0.0005
"""Least cost of a spot that is named: less is rounding of the strategy's probabilities."""

Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class CostGroup(Generic[Key]):
    """The decisions that share *key*: their number and what they cost together."""

    key: Key
    num_decisions: int
    cost_bb: float
    half_width_bb: float


@dataclass(frozen=True, slots=True)
class JudgedSpot:
    """A decision and its hand, by *hand_place*, the number of the hand among those judged."""

    hand_place: int
    action: JudgedAction


@dataclass(frozen=True, slots=True)
class CostSummary:
    """Costs of all judged decisions of one player.

    *by_street* and *by_seat* have numbers from 0 as keys, *by_kind* those of ``poker/rules.py``:
    fold, call (or check), raise (or bet). *most_expensive* has the dearest first.
    """

    total: CostGroup[None]
    by_street: tuple[CostGroup[int], ...]
    by_seat: tuple[CostGroup[int], ...]
    by_kind: tuple[CostGroup[int], ...]
    most_expensive: tuple[JudgedSpot, ...]
    num_unjudged: int


def sum_costs(hands: Sequence[Sequence[JudgedAction]]) -> CostSummary:
    """Return the costs of the decisions of one player in *hands*."""
    spots = [JudgedSpot(place, one) for place, hand in enumerate(hands) for one in hand]
    judged = [spot for spot in spots if spot.action.is_judged]
    found = [spot.action for spot in judged]
    dearest = sorted(judged, key=lambda spot: -spot.action.cost_bb)
    return CostSummary(
        _group(None, found),
        _groups(found, lambda one: one.street),
        _groups(found, lambda one: one.seat),
        _groups(found, lambda one: one.taken.kind),
        tuple([spot for spot in dearest[:MOST_EXPENSIVE] if spot.action.cost_bb >= LEAST_COST_BB]),
        len(spots) - len(judged),
    )


def _groups(
    judged: Iterable[JudgedAction], key: Callable[[JudgedAction], int]
) -> tuple[CostGroup[int], ...]:
    members: dict[int, list[JudgedAction]] = {}
    for one in judged:
        members.setdefault(key(one), []).append(one)
    return tuple([_group(number, members[number]) for number in sorted(members)])


def _group(key: Key, judged: Sequence[JudgedAction]) -> CostGroup[Key]:
    return CostGroup(
        key,
        len(judged),
        sum(one.cost_bb for one in judged),
        sqrt(sum(one.half_width_bb**2 for one in judged)),
    )
