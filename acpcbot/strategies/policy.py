"""What is played of a stored strategy: its average as it is, or something sharper.

Probabilities are float64 [..., action], over the legal actions in the order fold, call,
raise; they sum to 1 along the last axis. One information set and whole arrays of them go
through the same functions.

Source of purification and thresholds: Ganzfried, Sandholm & Waugh (2012), Strategy
purification and thresholding.

Probabilities in whole steps, and choices of one action in two bits each.
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


@dataclass(frozen=True, slots=True)
class PlaySettings:
    """How a strategy is played; belongs to the player and not to what is stored.

    *mode* is ``average`` (the average strategy), ``greedy`` (the action of highest estimated
    value), ``purified`` (the likeliest action) or ``threshold`` (actions less likely than
    *threshold* are dropped).
    """

    mode: str = "average"
    threshold: float = 0.0

    def __str__(self) -> str:
        return f"threshold:{self.threshold:g}" if self.mode == "threshold" else self.mode


def parse_play_settings(text: str) -> PlaySettings:
    """The settings that *text* spells, raises UsageError.

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
        raise UsageError(f"a threshold cannot be {number}", "it lies between 0 and 1")
    return settings


def parse_name(name: str) -> tuple[str, PlaySettings | None]:
    """The folder that *name* names, and how to play it if it says so; raises UsageError.

    >>> parse_name("strategies/leduc.limit.2p/dcfr?play=purified")[1]
    PlaySettings(mode='purified', threshold=0.0)
    """
    place, mark, options = name.partition("?")
    key, _, value = options.partition("=")
    if mark and key != "play":
        raise UsageError(
            f"a strategy has no setting {key!r}", "how to play it is told as in ?play=purified"
        )
    return place, parse_play_settings(value) if mark else None


def verify_settings(folder: Path, manifest: Manifest, settings: PlaySettings | None) -> None:
    """Raise UsageError if *settings* ask for what the snapshot in *folder* does not hold."""
    if settings is None or manifest.holds("greedy" if settings.mode == "greedy" else "policy"):
        return
    other = "play=average" if settings.mode == "greedy" else "play=greedy"
    raise UsageError(
        f"{folder} cannot be played as {settings}", f"what it holds is played with {other}"
    )


def played_probabilities(average: Probabilities, settings: PlaySettings) -> Probabilities:
    """What *settings* other than greedy make of *average*.

    Equally likely best actions stay equally likely under ``purified``; a threshold that no
    action reaches leaves the likeliest ones.

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
    """All on one action each: the indices *actions* [...] as probabilities [..., action]."""
    chosen: Probabilities = (actions[..., None] == np.arange(num_actions)).astype(np.float64)
    return chosen


def drawn_action(
    average: Sequence[float], settings: PlaySettings, draw: Callable[[], float]
) -> int:
    """The index of an action by ``played_probabilities``, where *draw* gives a number in [0, 1)
    if it has to.

    The same as ``drawn_index`` of these, number by number, without arrays: one decision takes a
    microsecond or two.

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
            played = [float(chance == most) for chance in average]
        else:
            played = [
                chance if chance >= settings.threshold or chance == most else 0.0
                for chance in average
            ]
        # numpy's own sum, which adds eight numbers and more in another order than from left to
        # right.
        total = float(np.sum(played))
        played = [chance / total for chance in played]
    ends = list(accumulate(played))
    return bisect_right(ends, draw() * ends[-1])


def drawn_index(probabilities: Probabilities, unit: float) -> int:
    """The index that *unit*, a number in [0, 1), draws; never one of probability 0.

    >>> drawn_index(np.array([0.0, 0.25, 0.75]), 0.2), drawn_index(np.array([0.0, 0.25, 0.75]), 0.25)
    (1, 2)
    """
    ends = np.cumsum(probabilities)
    return int(np.searchsorted(ends, unit * ends[-1], side="right"))


WHOLE = 255
ACTIONS_PER_BYTE = 4


def to_bytes(probabilities: NDArray[np.floating[Any]]) -> NDArray[np.uint8]:
    """Probabilities [..., action] in steps of 1/255; see ``to_steps``.

    >>> to_bytes(np.array([[1 / 3, 1 / 3, 1 / 3], [0.001, 0.0, 0.999]])).tolist()
    [[85, 85, 85], [0, 0, 255]]
    """
    return to_steps(probabilities, WHOLE).astype(np.uint8)


def to_steps(probabilities: NDArray[np.floating[Any]], whole: int) -> NDArray[np.int64]:
    """Probabilities [..., action] in steps of 1/*whole*, so rounded that each information set
    sums to *whole*.

    The steps that rounding down leaves over go to the largest remainders, the first among
    equals. No probability is off by a whole step.
    """
    scaled = whole * np.asarray(probabilities, np.float64)
    steps = np.floor(scaled)
    num_left = whole - steps.sum(axis=-1, keepdims=True)
    order = np.argsort(steps - scaled, axis=-1, kind="stable")
    turns = np.argsort(order, axis=-1, kind="stable")
    rounded: NDArray[np.int64] = (steps + (turns < num_left)).astype(np.int64)
    return rounded


def packed_actions(actions: NDArray[np.integer[Any]]) -> NDArray[np.uint8]:
    """Action indices below four, of any shape, packed in row order: the first in the lowest
    bits of a byte.
    """
    padded = np.zeros(-(-actions.size // ACTIONS_PER_BYTE) * ACTIONS_PER_BYTE, np.uint8)
    padded[: actions.size] = actions.reshape(-1)
    first, second, third, fourth = padded.reshape(-1, ACTIONS_PER_BYTE).T
    return (first | second << 2 | third << 4 | fourth << 6).astype(np.uint8, copy=False)


def unpacked_actions(
    packed: NDArray[np.uint8], places: NDArray[np.integer[Any]]
) -> NDArray[np.uint8]:
    """The action indices at *places* in row order.

    >>> unpacked_actions(packed_actions(np.array([2, 0, 1, 2, 1])), np.arange(5)).tolist()
    [2, 0, 1, 2, 1]
    """
    shifts = (2 * (places % ACTIONS_PER_BYTE)).astype(np.uint8)
    actions: NDArray[np.uint8] = packed[places // ACTIONS_PER_BYTE] >> shifts & np.uint8(3)
    return actions
