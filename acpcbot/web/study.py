"""Study of a finished hand: the bots' probabilities, and the person's luck and skill.

It is worked out in a thread of its own, one hand after another, so that the event loop never waits.
Values that take longer are estimated in another, when a decision is opened.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from acpcbot.abstraction.deal_sources import DealSources
from acpcbot.agents.hand_range import NAMES
from acpcbot.arrays import Floats
from acpcbot.cards.deck import format_cards
from acpcbot.errors import AcpcbotError, BadRequest
from acpcbot.evaluation.aivat.estimator import PlayedHand, ValueFunction
from acpcbot.evaluation.aivat.hand_review import (
    ACTION,
    DEAL,
    LAST_CARDS,
    LuckBreakdown,
    LuckTerm,
    StrategyQuery,
    luck_breakdown,
    strategy_queries,
)
from acpcbot.evaluation.aivat.strength_values import can_value
from acpcbot.evaluation.aivat.value_functions import STRENGTH, make_value_function
from acpcbot.poker import rules
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import STREET_NAMES, GameDefinition
from acpcbot.poker.hand_classes import class_name, class_numbers, num_classes
from acpcbot.poker.hands import all_hands, hand_number
from acpcbot.reports.hand_grid import ActionKind, action_fills, significant
from acpcbot.strategies.public_strategy import PublicStrategy
from acpcbot.web.range_study import RangeStudy
from acpcbot.web.table_view import action_words, frames, is_all_in, plain_words

Plain = dict[str, Any]
Result = TypeVar("Result")
LONGEST_WAIT_S = 600.0
KINDS: Mapping[int, ActionKind] = {
    rules.FOLD: "fold",
    rules.CALL: "call",
    rules.RAISE: "raise",
}


@dataclass(frozen=True, slots=True)
class FinishedHand:
    """A hand that is over.

    *names* are its players by position, *hero* is the person's seat, *strategies* those of the
    bots by seat.
    """

    hand_id: int
    hand: PlayedHand
    names: tuple[str, ...]
    hero: int
    strategies: Mapping[int, PublicStrategy]


class Study:
    """Answers questions about finished hands.

    *values* names whose self-play tells what hands are worth.
    """

    def __init__(self, values: str | None = None) -> None:
        self._values_name = values
        self._values: dict[GameDefinition, ValueFunction | None] = {}
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="study")
        self._estimating = ThreadPoolExecutor(1, thread_name_prefix="estimates")

    async def ask(self, question: Callable[[], Result]) -> Result:
        """Return the answer of *question*, from the thread."""
        return await _answer(self._thread, question)

    async def estimate(self, found: FinishedHand, place: int) -> Plain | None:
        """Return ``estimated_study``, from a thread of its own: hands that end do not wait."""
        return await _answer(self._estimating, lambda: estimated_study(found, place))

    def close(self) -> None:
        """Let the threads end after what they are doing."""
        for thread in (self._thread, self._estimating):
            thread.shutdown(wait=False, cancel_futures=True)

    def split(
        self, found: FinishedHand, trained: Sequence[str]
    ) -> tuple[LuckBreakdown | None, str]:
        """The person's account, or why there is none.

        Of the *trained* strategies one may tell what hands are worth.
        """
        if not found.strategies:
            return None, "no strategy is known, so luck and skill cannot be told apart"
        try:
            values = self.values(found.hand.betting.game.definition, trained)
            if values is None:
                return (
                    None,
                    "nobody tells what hands of this game are worth: a trained strategy would",
                )
            return luck_breakdown(found.hand, found.hero, found.strategies, values), ""
        except AcpcbotError as error:
            return None, f"luck and skill are not told apart: {error}"

    def values(self, definition: GameDefinition, trained: Sequence[str]) -> ValueFunction | None:
        """Return the value function: named, hold'em strength, or of a *trained* strategy."""
        if definition not in self._values:
            told = self._values_name or (STRENGTH if can_value(definition) else None)
            self._values[definition] = make_value_function(DealSources(definition), told, trained)
        return self._values[definition]


async def _answer(thread: ThreadPoolExecutor, question: Callable[[], Result]) -> Result:
    loop = asyncio.get_running_loop()
    return await asyncio.wait_for(loop.run_in_executor(thread, question), LONGEST_WAIT_S)


def plain_account(found: LuckBreakdown, names: Sequence[str]) -> Plain:
    """The account as the page shows it."""
    return {
        "chips": found.chips,
        "skill": found.value_chips,
        "luck": found.chips - found.value_chips,
        "lucks": [{"what": _luck_name(luck, names), "chips": luck.chips} for luck in found.terms],
    }


def _luck_name(luck: LuckTerm, names: Sequence[str]) -> str:
    if luck.event == ACTION and luck.actor is not None and luck.action is not None:
        return (
            f"{STREET_NAMES[luck.street]}: what {names[luck.actor]} drew "
            f"({NAMES[luck.action.kind]})"
        )
    if luck.event == DEAL:
        return f"the {STREET_NAMES[luck.street]} cards" if luck.street else "the others' hole cards"
    return "cards after the last decision" if luck.event == LAST_CARDS else "your own cards"


def thoughts(found: FinishedHand) -> list[Plain]:
    """Return each decision of the known bots, with the probabilities of each class of hands."""
    study = RangeStudy(found.hand, found.names, dict(found.strategies))
    return [
        _thought(found, asked, study) for asked in strategy_queries(found.hand, found.strategies)
    ]


def estimated_study(found: FinishedHand, place: int) -> Plain | None:
    """Return the study of the decision numbered *place* of ``thoughts``, with estimated values.

    None where there is none. Raises BadRequest if there is no such decision.
    """
    queries = list(strategy_queries(found.hand, found.strategies))
    if place >= len(queries):
        raise BadRequest(f"decision {place}", f"the bots had {len(queries)} in this hand")
    asked = queries[place]
    if asked.answer is None:
        return None
    study = RangeStudy(found.hand, found.names, dict(found.strategies))
    return study.decision(asked, asked.answer, estimates=True)


def hand_line(found: FinishedHand) -> list[str]:
    """Return what happened in a hand, step by step of its replay, from the deal on."""
    return [plain_words(step.caption) for step in frames(found.hand.betting, found.names)]


def _thought(found: FinishedHand, asked: StrategyQuery, study: RangeStudy) -> Plain:
    betting, definition = asked.betting, asked.betting.game.definition
    steps = frames(betting, found.names)
    held, before = found.hand.hole_cards[betting.actor], steps[-1].before[betting.actor]
    plain: Plain = {
        "name": found.names[betting.actor],
        "street": STREET_NAMES[betting.street],
        "step": len(steps) - 1,
        "board": format_cards(asked.board),
        "cards": format_cards(held),
        "pot": betting.pot,
        "toCall": betting.to_call,
        "lastAction": action_words(betting, asked.taken, before),
        "actions": [],
    }
    if asked.answer is None:
        return plain
    actions, probabilities = asked.answer.actions, asked.answer.probabilities
    return plain | {
        "actions": [
            {"text": action_words(betting, action, before), "fill": fill}
            for action, fill in zip(actions, action_fill_names(betting, actions), strict=True)
        ],
        "taken": _index(actions, asked.taken),
        "probabilities": significant(probabilities[hand_number(definition, held)]),
        "frequencies": significant(_frequencies(asked.reach, probabilities)),
        "own": class_name(int(class_numbers(np.array([held]))[0]), definition.num_hole_cards),
        "classes": _classes(definition, asked.reach, probabilities),
        "study": study.decision(asked, asked.answer, estimates=False),
    }


def action_fill_names(betting: BettingState, actions: Sequence[Action]) -> list[str]:
    """Return the name of the colour of each of *actions*."""
    return action_fills(
        ["all-in" if is_all_in(betting, action) else KINDS[action.kind] for action in actions]
    )


def _index(actions: Sequence[Action], taken: Action) -> int:
    return actions.index(taken) if taken in actions else -1


def _frequencies(reach: Floats, probabilities: Floats) -> Floats:
    """Return the probability of each action over the range, [action].

    Where nothing is in the range, over all hands that can be held.
    """
    can_hold = probabilities.sum(axis=1) > 0
    weights = reach * can_hold if (reach * can_hold).any() else can_hold
    total: Floats = weights @ probabilities / max(float(weights.sum()), np.finfo(float).tiny)
    return total


def _classes(
    definition: GameDefinition, reach: Floats, probabilities: Floats
) -> dict[str, list[float]]:
    """Return by class of hands its share of the range, and its action probabilities.

    Where nothing of a class is in the range, the mean of its hands that can be held stands.
    """
    size = definition.num_hole_cards
    numbers, count = class_numbers(all_hands(definition)), num_classes(size)
    can_hold = probabilities.sum(axis=1) > 0
    held = np.bincount(numbers, can_hold, count)
    left = np.bincount(numbers, reach * can_hold, count)
    weights = np.where(left[numbers] > 0, reach * can_hold, can_hold)
    total = np.bincount(numbers, weights, count)
    sums = np.stack(
        [np.bincount(numbers, weights * column, count) for column in probabilities.T], axis=1
    )
    return {
        class_name(number, size): [
            *significant([left[number] / held[number]]),
            *significant(sums[number] / total[number]),
        ]
        for number in np.flatnonzero(held).tolist()
    }
