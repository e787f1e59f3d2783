"""A strategy's probabilities by class of hands, and how a terminal shows them.

``hand_range`` averages an ``ActionTable`` over the classes of ``poker/hand_classes.py``; each of a
class's hands that the board leaves counts as one. ``chart_lines`` shows hold'em as the chart of 13
by 13, ``list_lines`` one line for each class. Lines are rich texts; colours only repeat the
numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from rich.text import Text

from acpcbot.cards.deck import NUM_RANKS, RANKS
from acpcbot.poker import rules
from acpcbot.poker.actions import Action
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hand_classes import PAIR_SIZE, chart_cell, class_name, class_numbers
from acpcbot.poker.hands import all_hands, hands_without
from acpcbot.strategies.policy import Probabilities
from acpcbot.strategies.public_strategy import ActionTable

Range = dict[str, Probabilities]
"""By class: mean probabilities over the class's hands, float64 [action]."""
NAMES = {rules.FOLD: "fold", rules.CALL: "call", rules.RAISE: "raise"}
STYLES = {rules.FOLD: "white on blue", rules.CALL: "black on green", rules.RAISE: "white on red"}
CELL_WIDTH = 6
NO_HAND = "-"


def hand_range(definition: GameDefinition, table: ActionTable, board: Sequence[int]) -> Range:
    """Return the probabilities by class of the hands that *board* leaves, high cards first."""
    free = np.flatnonzero(hands_without(definition, board))[::-1]
    by_class: dict[str, list[Probabilities]] = {}
    for number, row in zip(
        class_numbers(all_hands(definition)[free]).tolist(), table.probabilities[free], strict=True
    ):
        by_class.setdefault(class_name(number, definition.num_hole_cards), []).append(row)
    return {name: np.mean(rows, axis=0) for name, rows in by_class.items()}


def actions_text(probabilities: Probabilities, actions: Sequence[Action]) -> str:
    """Return each of the *actions*, raises with their sizes, and its probability as text."""
    words = [
        NAMES[action.kind] + (f" {action.raise_to}" if action.raise_to else "")
        for action in actions
    ]
    return "  ".join(
        [
            f"{word} {probability:.4f}"
            for word, probability in zip(words, probabilities, strict=True)
        ]
    )


def list_lines(found: Range, actions: Sequence[Action]) -> Iterator[Text]:
    """Yield one line for each class."""
    for name, probabilities in found.items():
        yield Text(f"{name}  {actions_text(probabilities, actions)}")


def chart_lines(
    found: Range, actions: Sequence[Action], names: Mapping[int, str] = NAMES
) -> Iterator[Text]:
    """Yield a caption and the chart: suited hands above the diagonal, pairs on it.

    A cell has room for one kind of action or two, in per cent, raises of all sizes together; the
    last kind is the rest to 100. *names* are the words for kinds in the caption.
    """
    shown = sorted({action.kind for action in actions}, reverse=True)
    rest = shown.pop() if len(shown) > 1 else None
    words = "/".join([names[kind] for kind in shown])
    yield Text(f"{words} in per cent" + ("" if rest is None else f", else {names[rest]}"))
    yield Text("  " + "".join([f"{rank:{CELL_WIDTH}}" for rank in RANKS[::-1]]).rstrip())
    for row in reversed(range(NUM_RANKS)):
        classes = [
            class_name(chart_cell(row=row, column=column), PAIR_SIZE)
            for column in reversed(range(NUM_RANKS))
        ]
        cells = [_cell(found.get(name), actions, shown) for name in classes]
        line = Text(f"{RANKS[row]} ").append_text(Text("").join(cells))
        line.rstrip()
        yield line


def _cell(
    probabilities: Probabilities | None, actions: Sequence[Action], shown: Sequence[int]
) -> Text:
    if probabilities is None:
        return Text(f"{NO_HAND:{CELL_WIDTH}}")
    by_kind = dict.fromkeys([action.kind for action in actions], 0.0)
    for action, probability in zip(actions, probabilities.tolist(), strict=True):
        by_kind[action.kind] += probability
    text = "/".join([f"{100 * by_kind[kind]:.0f}" for kind in shown])
    return Text.assemble(
        (text, STYLES[max(by_kind, key=by_kind.__getitem__)]), " " * (CELL_WIDTH - len(text))
    )
