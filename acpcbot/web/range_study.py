"""Ranges, equities and values at a bot's decision, as the study of a finished hand shows them.

The range of a player whose strategy is known follows from it. The person's strategy is not known:
its hands are weighted as if it played as the bot that decides does, which is what judging decisions
assumes, too. An action that a strategy never takes, or has no answer for, leaves a range as it was,
and a note says so.

Equities are told where two players are left. So are values of actions: exact ones at once where few
decisions follow, as on last streets and in small games, and others when they are asked for, which
takes a second or two. Those are exact on turns, and estimates from drawn boards before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np

from acpcbot.arrays import Floats, Ints
from acpcbot.cards.deck import format_cards
from acpcbot.errors import UsageError
from acpcbot.evaluation.aivat.estimator import PlayedHand
from acpcbot.evaluation.aivat.hand_review import StrategyQuery
from acpcbot.evaluation.decisions.range_values import (
    RangeSpot,
    RangeValues,
    TooManyDecisions,
    estimated_range_values,
    exact_range_values,
)
from acpcbot.evaluation.decisions.repeated_tables import RepeatedTables, with_kept_tables
from acpcbot.evaluation.decisions.runouts import Cards
from acpcbot.poker.betting import BettingState
from acpcbot.poker.hand_classes import has_chart
from acpcbot.poker.hands import all_hands, hands_without
from acpcbot.reports.study_data import (
    REACH_IN_RANGE,
    ActionValues,
    RangeView,
    equity_note,
    study_data,
)
from acpcbot.strategies.public_strategy import ActionTable, PublicStrategy
from acpcbot.strategies.range_update import action_likelihood, update_range
from acpcbot.subgames.equities import range_equities

Plain = dict[str, Any]
MAX_HOLE_CARDS = 2
EQUITY_SEED = 0
"""Seed of the boards that are drawn for equities before the flop."""
TWO_PLAYERS = "Equities and values are told where two players are left in the hand."
ESTIMATING = "Values of actions are worked out …"
ESTIMATED = (
    "Values are estimates from {:,} drawn deals of the cards to come{}. ± is half of the 95 % "
    "interval of a hand's value, {} chips for a typical hand and action; below, by how much an "
    "action is worth less than the best one. That of a cell is at most so wide."
)
DRAWN_BETTING = ", with one drawn line of the opponent's betting each"
SIMILAR_BETS = "In what follows, bets that the strategy lacks count as the most similar it has."
VALUE_SEED = 1
UNEXPECTED = "{} took an action that the strategy never takes: its hands count as before it."
UNKNOWN_PLAY = "Values are not told: the strategy is known at its own decisions alone."


class RangeStudy:
    """The study of a hand whose players are *names*, and *strategies* those known, by seat."""

    def __init__(
        self, hand: PlayedHand, names: Sequence[str], strategies: dict[int, PublicStrategy]
    ) -> None:
        self._hand, self._names, self._strategies = hand, names, strategies
        self._definition = hand.betting.game.definition

    def decision(
        self, query: StrategyQuery, answer: ActionTable, *, estimates: bool
    ) -> Plain | None:
        """Return the page's ``StudyData`` of a bot's decision, but for the strategy.

        Values that are not exact are told with *estimates*; without, the study says that they can
        be asked for. None in games with more than two hole cards.
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
        equities = dict.fromkeys(reaches, nothing)
        told = _Told()
        if len(others) == 1:
            both = np.stack([reaches[seat], reaches[others[0]]])
            found = range_equities(
                self._definition, board, both, np.random.default_rng(EQUITY_SEED)
            )
            equities = {seat: found.shares[0], others[0]: found.shares[1]}
            notes += equity_note(found)
            spot = RangeSpot(betting, board, others[0], both, found)
            told = self._told_values(spot, answer, estimates=estimates)
            notes += told.notes
        else:
            notes.append(TWO_PLAYERS)
        views = [
            RangeView(
                self._names[one],
                reaches[one][free],
                equities[one][free],
                told.value(place, nothing)[free],
                told.half_width(place, free),
            )
            for place, one in enumerate((seat, *others))
        ]
        data = study_data(
            self._definition,
            free,
            views,
            answer.probabilities[free],
            told.action_values(free),
            pot_chips=betting.pot,
            reach_words=REACH_IN_RANGE,
            is_chart=has_chart(self._definition),
            notes=notes,
        )
        held = format_cards(sorted(self._hand.hole_cards[seat], reverse=True))
        return data | {"held": held, "canEstimate": told.can_estimate}

    def _told_values(self, spot: RangeSpot, answer: ActionTable, *, estimates: bool) -> _Told:
        """Return the values at *spot*, or why they are not told."""
        play = _Play(self, spot.betting, answer, mixes=not estimates)
        try:
            if not estimates:
                return _Told(exact_range_values(spot, answer.actions, play.table))
            found = estimated_range_values(
                spot, answer.actions, play.table, np.random.default_rng(_seed(spot))
            )
        except TooManyDecisions:
            return _Told(notes=(ESTIMATING,), can_estimate=True)
        except UsageError:
            return _Told(notes=(UNKNOWN_PLAY,))
        notes = () if found.is_exact else (_estimate_note(found, spot),)
        return _Told(found, (*notes, SIMILAR_BETS) if play.is_approximate else notes)

    def strategy(self, seat: int, actor: int) -> PublicStrategy:
        """Return the strategy of *seat*: that of the bot in the seat *actor* if it is not known."""
        return self._strategies.get(seat, self._strategies[actor])

    def _reach(self, query: StrategyQuery, seat: int) -> tuple[Floats, bool]:
        """Return the reach of *seat* at the decision of *query*, [hand].

        With it, False if it took an action that its strategy does not explain.
        """
        definition, strategy = self._definition, self.strategy(seat, query.betting.actor)
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


class _Play:
    """The play of all players from the decision after *root* on, which has this *answer*.

    *mixes* is that of ``RepeatedTables``.
    """

    def __init__(
        self, study: RangeStudy, root: BettingState, answer: ActionTable, *, mixes: bool
    ) -> None:
        self._study, self._root, self._answer, self._mixes = study, root, answer, mixes
        self._kept: dict[int, PublicStrategy] = {}

    def table(self, betting: BettingState, board: Cards) -> ActionTable:
        """Return the actor's probabilities after *betting*; raises UsageError if not known."""
        if betting.text == self._root.text:
            return self._answer
        seat = betting.actor
        if seat not in self._kept:
            strategy = self._study.strategy(seat, self._root.actor)
            self._kept[seat] = with_kept_tables(strategy, mixes=self._mixes)
        return self._kept[seat].table(betting, board)

    @property
    def is_approximate(self) -> bool:
        """True if a strategy has taken bets that it lacks for the most similar ones."""
        return any(
            isinstance(one, RepeatedTables) and one.is_approximate for one in self._kept.values()
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Told:
    """The values *found* at a decision, if any, and *notes* on them.

    *can_estimate* is true where estimates can be asked for.
    """

    found: RangeValues | None = None
    notes: tuple[str, ...] = ()
    can_estimate: bool = False

    def value(self, place: int, nothing: Floats) -> Floats:
        """Return the values of one of both players, [hand]; *nothing* where they are not known."""
        return nothing if self.found is None else self.found.ranges[place]

    def half_width(self, place: int, free: Ints) -> Floats | None:
        """Return those of estimates for the hands *free*."""
        if self.found is None or self.found.is_exact:
            return None
        widths: Floats = self.found.range_half_widths[place][free]
        return widths

    def action_values(self, free: Ints) -> ActionValues | None:
        """Return the values of actions with the hands *free*."""
        found = self.found
        if found is None:
            return None
        if found.is_exact:
            return ActionValues(found.actions[free])
        return ActionValues(
            found.actions[free], found.action_half_widths[free], found.lead_half_widths[free]
        )


def _estimate_note(found: RangeValues, spot: RangeSpot) -> str:
    """Return the note on estimates: their number of deals, and their median half width."""
    in_range = (spot.reaches[0] > 0) & np.isfinite(found.actions).all(axis=1)
    widths = found.action_half_widths[in_range]
    # Folding is worth 0 and nothing else.
    widths = widths[np.isfinite(widths) & (widths > 0)]
    typical = f"{np.median(widths):,.2f}" if widths.size else "0"
    drawn = "" if found.is_whole else DRAWN_BETTING
    return ESTIMATED.format(found.num_runouts, drawn, typical)


def _seed(spot: RangeSpot) -> tuple[int, ...]:
    """Return whole numbers that stand for the decision."""
    return (VALUE_SEED, crc32(spot.betting.text.encode()), *spot.board)


def _answer(
    strategy: PublicStrategy, betting: BettingState, board: Sequence[int]
) -> ActionTable | None:
    try:
        return strategy.table(betting, board)
    except UsageError:
        return None
