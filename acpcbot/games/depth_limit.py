"""Depth-limited games in sequence form, where one seat chooses a continuation at the limit.

At its first information sets behind the limit the opponent chooses one of some continuation
strategies for the rest of the game; the others play on by one strategy that is given. The choice is
the same in all states that the opponent cannot tell apart. With a single continuation the opponent
cannot adapt beyond the limit, so every state there has one value, which is not enough to solve a
game of imperfect information.

Exact if only the opponent moves between the limit and these information sets.

Source: Brown, Sandholm & Amos (2018), Depth-limited solving for imperfect-information games,
section 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats, Ints
from acpcbot.games.sequence_form import SequenceForm

NOWHERE = -1


class _Links(NamedTuple):
    """Links of every slot across the limit.

    ``before``   int64 [slot], the last slot before the limit on the path to it
    ``behind``   int64 [slot], the first information set behind the limit on that path, or NOWHERE
    """

    before: Ints
    behind: Ints


def depth_limited_form(
    form: SequenceForm,
    is_behind: NDArray[np.bool_],
    opponent: int,
    continuations: Sequence[Floats],
    own: Floats,
) -> SequenceForm:
    """Return *form* cut off before the information sets that are *behind* the limit, [infoset].

    *continuations* are strategies [slot] of the *opponent* behind it, and *own* [slot] is that of
    all other seats. Information sets keep their keys, those of choices too, and their order.
    """
    links = _find_links(form, is_behind)
    chooses = np.zeros(len(is_behind), bool)
    chooses[links.behind[_slots_of(form, opponent) & (links.behind != NOWHERE)]] = True
    stays = ~is_behind | chooses
    counts = np.where(chooses, len(continuations), np.diff(form.first_slots))[stays]
    first_slots = form.num_seats + np.append(0, np.cumsum(counts))
    begins = np.full(len(is_behind), NOWHERE)
    begins[stays] = first_slots[:-1]
    numbers = _numbers(form, begins)
    ends = [
        _ends(
            form,
            links,
            opponent,
            begins,
            numbers,
            choice,
            _reach_behind(form, is_behind, opponent, policy, own),
        )
        for choice, policy in enumerate(continuations)
    ]
    probabilities, payoffs, end_slots = (np.concatenate(parts) for parts in zip(*ends, strict=True))
    return SequenceForm(
        infoset_keys=form.infoset_keys[stays],
        infoset_seats=form.infoset_seats[stays],
        first_slots=first_slots,
        parent_slots=numbers[links.before[form.parent_slots[stays]]],
        end_chances=probabilities,
        end_payoffs=payoffs,
        end_slots=end_slots,
    )


def _find_links(form: SequenceForm, is_behind: NDArray[np.bool_]) -> _Links:
    before, behind = np.arange(form.num_slots), np.full(form.num_slots, NOWHERE)
    # What leads to an information set stands before it.
    for infoset in np.flatnonzero(is_behind).tolist():
        own, parent = slice(*form.first_slots[infoset : infoset + 2]), form.parent_slots[infoset]
        before[own] = before[parent]
        behind[own] = infoset if behind[parent] == NOWHERE else behind[parent]
    return _Links(before, behind)


def _slots_of(form: SequenceForm, seat: int) -> NDArray[np.bool_]:
    """Return the mask of the *seat*'s slots, [slot]."""
    owners = np.repeat(form.infoset_seats, np.diff(form.first_slots))
    own: NDArray[np.bool_] = np.concatenate([np.arange(form.num_seats), owners]) == seat
    return own


def _numbers(form: SequenceForm, begins: Ints) -> Ints:
    """Return the new number of every slot, [slot]; those of slots that are cut off mean nothing."""
    counts = np.diff(form.first_slots)
    offsets = np.arange(form.num_slots - form.num_seats) - np.repeat(
        form.first_slots[:-1] - form.num_seats, counts
    )
    return np.concatenate([np.arange(form.num_seats), np.repeat(begins, counts) + offsets])


def _reach_behind(
    form: SequenceForm, is_behind: NDArray[np.bool_], opponent: int, policy: Floats, own: Floats
) -> Floats:
    """Return the probability of each slot by its seat's own actions behind the limit, [slot]."""
    played = np.where(_slots_of(form, opponent), policy, own)
    reach = np.ones(form.num_slots)
    for infoset in np.flatnonzero(is_behind).tolist():
        slots = slice(*form.first_slots[infoset : infoset + 2])
        reach[slots] = played[slots] * reach[form.parent_slots[infoset]]
    return reach


def _ends(
    form: SequenceForm,
    links: _Links,
    opponent: int,
    begins: Ints,
    numbers: Ints,
    choice: int,
    reach: Floats,
) -> tuple[Floats, Floats, Ints]:
    """Return probabilities, payoffs and slots of the ends after a *choice* of the opponent.

    Ends without a choice come with the first.
    """
    slots = numbers[links.before[form.end_slots]]
    chosen = links.behind[form.end_slots[:, opponent]]
    has_choice = chosen != NOWHERE
    slots[has_choice, opponent] = begins[chosen[has_choice]] + choice
    probabilities = form.end_chances * reach[form.end_slots].prod(axis=1)
    kept = (has_choice | (choice == 0)) & (probabilities > 0)
    return probabilities[kept], form.end_payoffs[kept], slots[kept]
