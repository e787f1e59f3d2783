"""Ranges of hold'em hands as players write them: ``TT+,A5s-A2s,AKo,76s:0.5,AsKd``.

Between commas stand hands, each with its weight from 0 to 1 behind a colon, 1 if it is left out:

    AsKd          one combo
    TT  AKs  AKo  AK    a pair, suited, offsuit, both
    TT+           this pair and all higher ones
    A5s+          the same high card, the other one up to just below it: A5s to AKs
    A5s-A2s       from one to the other: the high card stays, or
    99-66  T9s-65s      both ranks go down by as much
    all           every hand

Of a combo that is named twice the later weight counts; hands that are not named have the
weight 0. Weights are float64 [combo], numbered as in ``cards/combos.py``. Raises ``BadRange``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.cards.combos import NUM_COMBOS, all_combos, format_combo, parse_combo
from acpcbot.cards.deck import NUM_RANKS, RANKS
from acpcbot.errors import BadCards, BadRange

Weights = Floats
Ranks = tuple[int, int]

EVERYTHING = "all"
COMBO = re.compile(r"([2-9TJQKA][cdhs]){2}", re.IGNORECASE)
CLASS = r"([2-9TJQKA])([2-9TJQKA])([so]?)"
CLASSES = re.compile(rf"{CLASS}(?:(\+)|-{CLASS})?", re.IGNORECASE)


def parse_range(text: str) -> Weights:
    """Return the weights that *text* spells.

    >>> float(parse_range("AA, AKs:0.5").sum())
    8.0
    """
    weights = np.zeros(NUM_COMBOS)
    column = 0
    for item in text.split(","):
        start = column + len(item) - len(item.lstrip())
        hands, _, weight = item.strip().partition(":")
        try:
            weights[_combos(hands.strip())] = _weight(weight) if ":" in item else 1.0
        except BadCards as error:
            raise BadRange(text, start, error.reason) from None
        column += len(item) + 1
    return weights


def format_range(weights: Weights) -> str:
    """Return text that ``parse_range`` turns into *weights* again.

    It names classes whose combos have one weight, and the combos of other classes.

    >>> format_range(parse_range("KK+, AsKd:0.25"))
    'AA,AsKd:0.25,KK'
    """
    if (weights == 1.0).all():
        return EVERYTHING
    items = [item for pair in _classes_down() for item in _class_items(weights, *pair)]
    return ",".join(items) or f"{EVERYTHING}:0"


def _class_items(weights: Weights, ranks: Ranks, kind: str) -> Iterator[str]:
    combos = _class_combos(ranks, kind)
    own = weights[combos].tolist()
    if len(set(own)) > 1:
        yield from (
            f"{format_combo(combo)}{_suffix(one)}"
            for combo, one in zip(combos, own, strict=True)
            if one
        )
    elif own[0]:
        yield f"{RANKS[ranks[0]]}{RANKS[ranks[1]]}{kind}{_suffix(own[0])}"


def _suffix(weight: float) -> str:
    return "" if weight == 1.0 else f":{weight!r}"


def _classes_down() -> Iterator[tuple[Ranks, str]]:
    """Yield all classes, high cards first."""
    for high in reversed(range(NUM_RANKS)):
        yield (high, high), ""
        for low in reversed(range(high)):
            yield (high, low), "s"
            yield (high, low), "o"


def _weight(text: str) -> float:
    try:
        weight = float(text)
    except ValueError:
        weight = -1.0
    if not 0.0 <= weight <= 1.0:
        raise BadCards(text, f"expected a weight from 0 to 1, got {text.strip()!r}")
    return weight


def _combos(text: str) -> list[int]:
    """Return the combos of one item without its weight."""
    if text.lower() == EVERYTHING:
        return list(range(NUM_COMBOS))
    if COMBO.fullmatch(text):
        return [parse_combo(text)]
    match = CLASSES.fullmatch(text)
    if match is None:
        raise BadCards(text, "expected hands like TT+, A5s-A2s, AK or AsKd")
    ranks, kind = _ranks(match[1], match[2]), match[3].lower()
    if match[4]:
        return _all_of(_upward(ranks), kind)
    if match[5] is None:
        return _all_of([ranks], kind)
    if match[7].lower() != kind:
        raise BadCards(text, "both ends must be suited, or both offsuit")
    return _all_of(_between(text, ranks, _ranks(match[5], match[6])), kind)


def _ranks(first: str, second: str) -> Ranks:
    """Return two ranks, the higher first."""
    low, high = sorted((RANKS.index(first.upper()), RANKS.index(second.upper())))
    return high, low


def _upward(ranks: Ranks) -> list[Ranks]:
    high, low = ranks
    if high == low:
        return [(rank, rank) for rank in range(high, NUM_RANKS)]
    return [(high, rank) for rank in range(low, high)]


def _between(text: str, one: Ranks, other: Ranks) -> list[Ranks]:
    """Return the ranks from *one* to *other*, which share the high card or the gap."""
    (first_high, first_low), (last_high, last_low) = sorted((one, other))
    if (first_high == first_low) == (last_high == last_low):
        if first_high == last_high:
            return [(first_high, low) for low in range(first_low, last_low + 1)]
        if first_high - first_low == last_high - last_low:
            return [
                (first_high + step, first_low + step) for step in range(last_high - first_high + 1)
            ]
    raise BadCards(
        text, "the ends share neither the high card nor the distance between their cards"
    )


def _all_of(pairs: list[Ranks], kind: str) -> list[int]:
    return [combo for ranks in pairs for combo in _class_combos(ranks, kind)]


def _class_combos(ranks: Ranks, kind: str) -> list[int]:
    """Return the combos of two ranks: of one suit, of two, or of either."""
    if kind and ranks[0] == ranks[1]:
        raise BadCards(RANKS[ranks[0]] * 2 + kind, "a pair is neither suited nor offsuit")
    cards = all_combos()
    are_there = (cards[:, 0] >> 2 == ranks[0]) & (cards[:, 1] >> 2 == ranks[1])
    are_suited = (cards[:, 0] & 3) == (cards[:, 1] & 3)
    wanted = are_there & (are_suited if kind == "s" else ~are_suited if kind == "o" else are_there)
    return [int(combo) for combo in np.flatnonzero(wanted)]
