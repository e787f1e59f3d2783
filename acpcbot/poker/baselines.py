"""The baselines that other players must beat: four choices that ignore the cards.

Agents play them (``agents/baseline.py``), evaluation asks them about every hand
(``agents/public_strategies.py``), and the arena has them as tables (``strategies/entrants.py``).
"""

from __future__ import annotations

from collections.abc import Container

from acpcbot.poker.actions import CALLING, FOLDING, Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.rules import CALL, FOLD, RAISE

KINDS = (FOLD, CALL, RAISE)
PREFERENCES: dict[str, tuple[int, ...]] = {
    "call": (CALL,),
    "fold": (FOLD, CALL),
    "raise": (RAISE, CALL),
    "random": (),
}
"""Kinds of action by name: the first legal one is taken, and of none each legal one equally."""
BASELINES: tuple[str, ...] = tuple(PREFERENCES)


def chosen_kinds(name: str, legal: Container[int]) -> tuple[int, ...]:
    """Return the kinds of action, of those that are *legal*, that a baseline takes equally often.

    >>> chosen_kinds("raise", (FOLD, CALL)), chosen_kinds("random", (CALL, RAISE))
    ((1,), (1, 2))
    """
    for kind in PREFERENCES[name]:
        if kind in legal:
            return (kind,)
    return tuple([kind for kind in KINDS if kind in legal])


def chosen_actions(name: str, betting: BettingState) -> tuple[Action, ...]:
    """Return the actions that a baseline takes equally often; raises are the smallest ones."""
    for kind in PREFERENCES[name]:
        action = smallest_action(kind, betting)
        if action is not None:
            return (action,)
    actions = [smallest_action(kind, betting) for kind in KINDS]
    return tuple([action for action in actions if action is not None])


def smallest_action(kind: int, betting: BettingState) -> Action | None:
    """Return the actor's smallest legal action of this *kind*, None if there is none."""
    if kind == CALL:
        return CALLING
    if kind == FOLD:
        return FOLDING if betting.can_act(FOLDING) else None
    legal = betting.raise_range
    return None if legal is None else Action(RAISE, legal[0])
