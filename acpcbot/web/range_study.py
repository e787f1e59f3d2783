"""Ranges, equities and values at a bot's decision, as the study of a finished hand shows them.

The range of a player whose strategy is known follows from it. The person's strategy is not known:
its hands are weighted as if it played as the bot that decides does, which is what judging decisions
assumes, too. An action that a strategy never takes, or has no answer for, leaves a range as it was,
and a note says so.

Equities are told where two players are left. Values of actions are exact where few decisions
follow: on last streets and in small games.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.cards.deck import format_cards
from acpcbot.errors import UsageError
from acpcbot.evaluation.aivat.estimator import PlayedHand
from acpcbot.evaluation.aivat.hand_review import StrategyQuery
from acpcbot.evaluation.decisions.range_values import (
    Cards,
    TooManyDecisions,
    action_range_values,
    range_values,
)
from acpcbot.poker.betting import BettingState
from acpcbot.poker.hand_classes import has_chart
from acpcbot.poker.hands import all_hands, hands_without
from acpcbot.reports.study_data import REACH_IN_RANGE, RangeView, equity_note, study_data
from acpcbot.strategies.public_strategy import ActionTable, PublicStrategy
from acpcbot.strategies.range_update import action_likelihood, update_range
from acpcbot.subgames.equities import range_equities

Plain = dict[str, Any]
MAX_HOLE_CARDS = 2
EQUITY_SEED = 0
"""Seed of the boards that are drawn for equities before the flop."""
TWO_PLAYERS = "Equities and values are told where two players are left in the hand."
NO_VALUES = (
    "Values of actions are told where all that follows can be counted: "
    "on the last street and in small games."
)
UNEXPECTED = "{} took an action that the strategy never takes: its hands count as before it."
UNKNOWN_PLAY = "Values are not told: the strategy is known at its own decisions alone."


class RangeStudy:
    """The study of a hand whose players are *names*, and *strategies* those known, by seat."""

    def __init__(
        self, hand: PlayedHand, names: Sequence[str], strategies: dict[int, PublicStrategy]
    ) -> None:
        self._hand, self._names, self._strategies = hand, names, strategies
        self._definition = hand.betting.game.definition

    def decision(self, query: StrategyQuery, answer: ActionTable) -> Plain | None:
        """Return the page's ``StudyData`` of a bot's decision, but for the strategy.

        None in games with more than two hole cards.
        """
        if self._definition.num_hole_cards > MAX_HOLE_CARDS:
            return None
        betting, seat, board = query.betting, query.betting.actor, query.board
        others = [
            other for other, folded in enumerate(betting.folded) if other != seat and not folded
        ]
        free = np.flatnonzero(hands_without(self._definition, board))[::-1]
        reaches, notes = {seat: query.reach}, self._assumptions(query, others)
        for other in others:
            reaches[other], is_expected = self._reach(query, other)
            notes += [] if is_expected else [UNEXPECTED.format(self._names[other])]
        nothing = np.full(len(query.reach), np.nan)
        equities, values = dict.fromkeys(reaches, nothing), dict.fromkeys(reaches, nothing)
        action_values = None
        if len(others) == 1:
            found = range_equities(
                self._definition,
                board,
                np.stack([reaches[seat], reaches[others[0]]]),
                np.random.default_rng(EQUITY_SEED),
            )
            equities = {seat: found.shares[0], others[0]: found.shares[1]}
            notes += equity_note(found)
            try:
                action_values = action_range_values(
                    betting, board, answer.actions, reaches[others[0]], self._tables(seat)
                )
                values = {
                    seat: (answer.probabilities * action_values).sum(axis=1),
                    others[0]: range_values(
                        betting, board, others[0], reaches[seat], self._tables(seat)
                    ),
                }
            except TooManyDecisions:
                notes.append(NO_VALUES)
            except UsageError:
                notes.append(UNKNOWN_PLAY)
        else:
            notes.append(TWO_PLAYERS)
        return study_data(
            self._definition,
            free,
            [
                RangeView(
                    self._names[one], reaches[one][free], equities[one][free], values[one][free]
                )
                for one in (seat, *others)
            ],
            answer.probabilities[free],
            None if action_values is None else action_values[free],
            pot_chips=betting.pot,
            reach_words=REACH_IN_RANGE,
            is_chart=has_chart(self._definition),
            notes=notes,
        ) | {"held": format_cards(sorted(self._hand.hole_cards[seat], reverse=True))}

    def _tables(self, actor: int) -> Any:
        """Return the play of all: that of the bot in the seat *actor* where no other is known."""

        def table(betting: BettingState, board: Cards) -> ActionTable:
            return self._strategy(betting.actor, actor).table(betting, board)

        return table

    def _strategy(self, seat: int, actor: int) -> PublicStrategy:
        return self._strategies.get(seat, self._strategies[actor])

    def _reach(self, query: StrategyQuery, seat: int) -> tuple[Floats, bool]:
        """Return the reach of *seat* at the decision of *query*, [hand].

        With it, False if it took an action that its strategy does not explain.
        """
        definition, strategy = self._definition, self._strategy(seat, query.betting.actor)
        reach, is_expected = np.ones(len(all_hands(definition))), True
        for betting, taken in query.betting.decisions():
            if betting.actor == seat:
                board = self._hand.board[: definition.board_size(betting.street)]
                table = _answer(strategy, betting, board)
                likelihood = None if table is None else action_likelihood(betting, table, taken)
                is_expected &= likelihood is not None and bool((reach * likelihood).any())
                reach = update_range(reach, likelihood)
        return reach * hands_without(definition, query.board), is_expected

    def _assumptions(self, query: StrategyQuery, others: Sequence[int]) -> list[str]:
        """Return the notes on players whose strategies are not known."""
        bot = self._names[query.betting.actor]
        return [
            f"The strategy of {self._names[seat]} is not known: its hands are weighted as if it "
            f"played like {bot}."
            for seat in others
            if seat not in self._strategies
        ]


def _answer(
    strategy: PublicStrategy, betting: BettingState, board: Sequence[int]
) -> ActionTable | None:
    try:
        return strategy.table(betting, board)
    except UsageError:
        return None
