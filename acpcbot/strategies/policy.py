"""Play settings of a stored strategy, and probabilities in few bytes.

A stored average strategy is played as it is, or sharper: purified, or without actions below a
threshold; greedy play takes the action of highest estimated value. Probabilities are float64 [...,
action], over the legal actions in the order fold, call, raise; they sum to 1 along the last axis.
Single information sets and whole arrays of them go through the same functions.

On disk probabilities are whole steps of 1/255, and greedy actions two bits each.

Source of purification and thresholds: Ganzfried, Sandholm & Waugh (2012), Strategy purification and
thresholding.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from acpcbot.errors import UsageError
from acpcbot.strategies.manifest import Manifest

Probabilities: TypeAlias = NDArray[np.float64]
MODES = ("average", "greedy", "purified", "threshold")
HINT = "play is one of average, greedy, purified, or a threshold as in threshold:0.1"
WHOLE = 255
ACTIONS_PER_BYTE = 4


@dataclass(frozen=True, slots=True)
class PlaySettings:
    """Play settings of a strategy; they belong to the player and not to the stored strategy.

    *mode* is ``average`` (the average strategy), ``greedy`` (the action of highest estimated
    value), ``purified`` (the most probable action) or ``threshold`` (actions below *threshold* are
    dropped).
    """

    mode: str = "average"
    threshold: float = 0.0

    def __str__(self) -> str:
        return f"threshold:{self.threshold:g}" if self.mode == "threshold" else self.mode


def parse_play_settings(text: str) -> PlaySettings:
    """Return the settings that *text* spells; raises UsageError.

    >>> parse_play_settings("threshold:0.15")
    PlaySettings(mode='threshold', threshold=0.15)
    """
    mode, colon, number = text.partition(":")
    if mode not in MODES or bool(colon) != (mode == "threshold"):
        raise UsageError(f"play cannot be {text!r}", HINT)
    try:
        settings = PlaySettings(mode, float(number) if colon else 0.0)
    except ValueError:
        raise UsageError(f"play cannot be {text!r}: {number!r} is no number", HINT) from None
    if not 0 <= settings.threshold <= 1:
        raise UsageError(f"a threshold cannot be {number}", "expected a number from 0 to 1")
    return settings


def parse_name(name: str) -> tuple[str, PlaySettings | None]:
    """Return the folder in *name*, and its play settings if it has some; raises UsageError.

    >>> parse_name("strategies/leduc.limit.2p/dcfr?play=purified")[1]
    PlaySettings(mode='purified', threshold=0.0)
    """
    place, mark, options = name.partition("?")
    key, _, value = options.partition("=")
    if mark and key != "play":
        raise UsageError(
            f"a strategy has no setting {key!r}", "name play settings as in ?play=purified"
        )
    return place, parse_play_settings(value) if mark else None


def verify_settings(folder: Path, manifest: Manifest, settings: PlaySettings | None) -> None:
    """Raise UsageError if the snapshot in *folder* lacks the arrays that *settings* play."""
    if settings is None or manifest.holds("greedy" if settings.mode == "greedy" else "policy"):
        return
    other = "play=average" if settings.mode == "greedy" else "play=greedy"
    raise UsageError(f"{folder} cannot be played as {settings}", f"it can be played with {other}")


def played_probabilities(average: Probabilities, settings: PlaySettings) -> Probabilities:
    """Return *average* as *settings* other than greedy play it.

    Equally probable best actions stay so under ``purified``; a threshold that no action reaches
    leaves the most probable ones.

    >>> played_probabilities(np.array([0.05, 0.19, 0.76]), PlaySettings("threshold", 0.1)).tolist()
    [0.0, 0.2, 0.8]
    """
    assert settings.mode != "greedy"
    if settings.mode == "average":
        return average
    likeliest = average == average.max(axis=-1, keepdims=True)
    if settings.mode == "purified":
        kept = likeliest.astype(np.float64)
    else:
        kept = np.where((average >= settings.threshold) | likeliest, average, 0.0)
    played: Probabilities = kept / kept.sum(axis=-1, keepdims=True)
    return played


def greedy_probabilities(actions: NDArray[np.integer[Any]], num_actions: int) -> Probabilities:
    """Return probabilities [..., action] that are 1 at the indices *actions* [...]."""
    chosen: Probabilities = (actions[..., None] == np.arange(num_actions)).astype(np.float64)
    return chosen


def drawn_action(
    average: Sequence[float], settings: PlaySettings, draw: Callable[[], float]
) -> int:
    """Return the index of an action drawn by ``played_probabilities``.

    *draw* gives a number in [0, 1), if one is needed. The result is that of ``drawn_index`` on
    these probabilities, number by number but without arrays: one decision takes a microsecond or
    two.

    >>> drawn_action([0.2, 0.0, 0.8], PlaySettings(), lambda: 0.2)
    2
    """
    assert settings.mode != "greedy"
    played = list(average)
    if settings.mode != "average":
        most = max(average)
        if settings.mode == "purified":
            if average.count(most) == 1:
                return average.index(most)
            played = [float(own == most) for own in average]
        else:
            played = [own if own >= settings.threshold or own == most else 0.0 for own in average]
        # numpy's sum, as in ``played_probabilities``: it adds eight numbers and more in another
        # order than from left to right.
        total = float(np.sum(played))
        played = [own / total for own in played]
    ends = list(accumulate(played))
    return bisect_right(ends, draw() * ends[-1])


def drawn_index(probabilities: Probabilities, unit: float) -> int:
    """Return the index that *unit*, a number in [0, 1), draws; never one of probability 0.

    >>> drawn_index(np.array([0.0, 0.25, 0.75]), 0.2)
    1
    >>> drawn_index(np.array([0.0, 0.25, 0.75]), 0.25)
    2
    """
    ends = np.cumsum(probabilities)
    return int(np.searchsorted(ends, unit * ends[-1], side="right"))


def to_bytes(probabilities: NDArray[np.floating[Any]]) -> NDArray[np.uint8]:
    """Return probabilities [..., action] in steps of 1/255; see ``to_steps``.

    >>> to_bytes(np.array([[1 / 3, 1 / 3, 1 / 3], [0.001, 0.0, 0.999]])).tolist()
    [[85, 85, 85], [0, 0, 255]]
    """
    return to_steps(probabilities, WHOLE).astype(np.uint8)


def to_steps(probabilities: NDArray[np.floating[Any]], whole: int) -> NDArray[np.int64]:
    """Return probabilities [..., action] in steps of 1/*whole*.

    Rounding keeps the sum of each information set at *whole*: the steps that rounding down leaves
    over go to the largest remainders, the first among equals. No probability is off by a whole
    step.
    """
    scaled = whole * np.asarray(probabilities, np.float64)
    steps = np.floor(scaled)
    num_left = whole - steps.sum(axis=-1, keepdims=True)
    order = np.argsort(steps - scaled, axis=-1, kind="stable")
    turns = np.argsort(order, axis=-1, kind="stable")
    rounded: NDArray[np.int64] = (steps + (turns < num_left)).astype(np.int64)
    return rounded


def packed_actions(actions: NDArray[np.integer[Any]]) -> NDArray[np.uint8]:
    """Return action indices below four packed four to a byte, in row order.

    The first is in the lowest bits.
    """
    padded = np.zeros(-(-actions.size // ACTIONS_PER_BYTE) * ACTIONS_PER_BYTE, np.uint8)
    padded[: actions.size] = actions.reshape(-1)
    first, second, third, fourth = padded.reshape(-1, ACTIONS_PER_BYTE).T
    return (first | second << 2 | third << 4 | fourth << 6).astype(np.uint8, copy=False)


def unpacked_actions(
    packed: NDArray[np.uint8], places: NDArray[np.integer[Any]]
) -> NDArray[np.uint8]:
    """Return the action indices at *places* in row order.

    >>> unpacked_actions(packed_actions(np.array([2, 0, 1, 2, 1])), np.arange(5)).tolist()
    [2, 0, 1, 2, 1]
    """
    shifts = (2 * (places % ACTIONS_PER_BYTE)).astype(np.uint8)
    actions: NDArray[np.uint8] = packed[places // ACTIONS_PER_BYTE] >> shifts & np.uint8(3)
    return actions
