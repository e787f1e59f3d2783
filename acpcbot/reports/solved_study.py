"""Study of a decision of a solved game: the ``StudyData`` of ``page/study_view.js``.

It is drawn on the page of a solved game and on that of the solver. The decision is one of a game in
memory, or one that is known by its numbers alone, as from a file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hand_classes import class_name, class_numbers, has_chart
from acpcbot.poker.hands import all_hands
from acpcbot.reports.hand_grid import significant, word_fills
from acpcbot.reports.study_data import REACH_HELD, ActionValues, RangeView, equity_note, study_data
from acpcbot.subgames.block_rows import NUM_SEATS
from acpcbot.subgames.equities import range_equities
from acpcbot.subgames.solution import ClassRow, Decision, hand_class_rows

EQUITY_SEED = 0
"""Seed of the boards that are drawn for equities before the flop."""


@dataclass(frozen=True, slots=True, eq=False)
class StudiedDecision:
    """The numbers of a decision, as ``Decision`` has them; *equities* are [seat, hand].

    What is not known is NaN. *action_ev_chips* is None where no value of an action is known.
    """

    definition: GameDefinition
    seat: int
    choices: tuple[str, ...]
    pot_chips: int
    hands: NDArray[np.int64]
    weights: Floats
    probabilities: Floats
    ev_chips: Floats
    equities: Floats
    action_ev_chips: Floats | None
    notes: tuple[str, ...]

    @property
    def class_rows(self) -> dict[str, ClassRow]:
        """The classes that the actor may hold."""
        return hand_class_rows(
            self.definition,
            self.hands,
            self.weights[self.seat],
            self.probabilities,
            self.ev_chips[self.seat],
        )

    @property
    def class_reaches(self) -> dict[str, float]:
        """For each class the mean weight of the actor's hands that the board allows."""
        numbers = class_numbers(all_hands(self.definition)[self.hands])
        weights = self.weights[self.seat]
        return {
            class_name(number, self.definition.num_hole_cards): float(
                weights[numbers == number].mean()
            )
            for number in np.unique(numbers).tolist()
        }


def decision_study(decision: Decision) -> dict[str, Any]:
    """Return a decision of a solved game as the page's ``StudyData``."""
    betting = decision.place.betting
    definition = betting.game.definition
    reaches = np.zeros((NUM_SEATS, len(all_hands(definition))))
    reaches[:, decision.hands] = decision.reaches
    found = range_equities(
        definition, decision.place.board, reaches, np.random.default_rng(EQUITY_SEED)
    )
    is_known = bool(np.isfinite(decision.action_ev_chips).any())
    return solved_study(
        StudiedDecision(
            definition,
            decision.seat,
            decision.choices,
            betting.pot,
            decision.hands,
            decision.weights,
            decision.probabilities,
            decision.ev_chips,
            found.shares[:, decision.hands],
            decision.action_ev_chips if is_known else None,
            tuple(equity_note(found)),
        )
    )


def solved_study(studied: StudiedDecision) -> dict[str, Any]:
    """Return the page's ``StudyData`` of a decision that is known by its numbers."""
    ranges = [
        RangeView(
            seat_name(seat), studied.weights[seat], studied.equities[seat], studied.ev_chips[seat]
        )
        for seat in (studied.seat, 1 - studied.seat)
    ]
    return study_data(
        studied.definition,
        studied.hands,
        ranges,
        studied.probabilities,
        None if studied.action_ev_chips is None else ActionValues(studied.action_ev_chips),
        pot_chips=studied.pot_chips,
        reach_words=REACH_HELD,
        is_chart=has_chart(studied.definition),
        notes=studied.notes,
    ) | {"strategy": _strategy_data(studied, studied.class_rows)}


def _strategy_data(studied: StudiedDecision, rows: Mapping[str, ClassRow]) -> dict[str, Any]:
    """Return the page's ``StrategyData``.

    The actions beside the grid are its legend. The reach of a class is the mean probability that
    the actor holds one of its hands.
    """
    choices, reaches = studied.choices, studied.class_reaches
    return {
        "label": actor_words(studied.seat),
        "actions": [
            {"text": word, "fill": fill}
            for word, fill in zip(choices, word_fills(choices), strict=True)
        ],
        "rows": {
            name: [*significant([reaches[name]]), *significant(row.probabilities)]
            for name, row in rows.items()
        },
        "facts": {name: _facts(row) for name, row in rows.items()},
        "small": {name: short_chips(row.ev_chips) for name, row in rows.items()},
    }


def seat_name(seat: int) -> str:
    """Return the name of *seat*, counted from 1.

    >>> seat_name(0)
    'Seat 1'
    """
    return f"Seat {seat + 1}"


def actor_words(seat: int) -> str:
    """Return the words that say that *seat* acts."""
    return f"{seat_name(seat)} to act"


def _facts(row: ClassRow) -> str:
    held = f"held {100 * row.weight:.2f} %"
    return held if isnan(row.ev_chips) else f"{held}, EV {row.ev_chips:+,.2f}"


def short_chips(chips: float) -> str:
    """Return a number short enough for a cell; zero has no sign."""
    if isnan(chips):
        return ""
    return f"{round(chips, 1) + 0.0:.1f}" if abs(chips) < 100 else f"{chips:.0f}"
