"""Judgement of one player's decisions in a finished hand by a strategy.

A decision is judged by what was known when it was made: the player's own hand, the board, and the
betting. The other players' ranges follow from the strategy and the betting: the weight of a hand is
the probability that the strategy takes their actions with it. Everybody then plays on by the
strategy. The *cost* of an action is the value of the strategy's own play at the decision, with its
probabilities, less the value of the action. It is negative where the action is worth more against
these ranges, as can be if the strategy is no equilibrium.

A raise of another player whose size the strategy lacks counts as a mixture of its neighbours. An
action that the strategy takes with no hand at all says nothing of the hand, and the decisions after
it are marked.

Random numbers depend on a seed and on what was known alone, so that a decision is judged alike
wherever it is judged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.errors import UsageError
from acpcbot.evaluation.aivat.estimator import PlayedHand
from acpcbot.evaluation.decisions.action_values import action_values, can_sum
from acpcbot.evaluation.decisions.deal_play import DealPlay, RolledOut
from acpcbot.evaluation.decisions.hidden_cards import SeenCards, hidden_cards
from acpcbot.matches.intervals import interval, root_mean_square
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import all_hands, hand_number, hands_without
from acpcbot.strategies.public_strategy import ActionTable
from acpcbot.strategies.range_update import action_likelihood, update_range

NUM_DEALS = 2000
NO_ANSWER = "the strategy has no answer here"
NO_CARDS = "no cards of the others fit the betting, by the strategy"
UNEXPECTED = "the strategy never plays like another player before: its hands count as before"


@dataclass(frozen=True, slots=True)
class JudgedAction:
    """One decision of the player in *seat*, judged; *place* numbers all decisions of the hand.

    Of the *actions* of the strategy with the hand held, *probabilities* are its own and *values_bb*
    what each brings, in big blinds over the whole hand. ``cost_bb`` is that of the action *taken*.
    *half_width_bb* is half of its 95 % interval; 0 where *is_exact*, else from *num_deals* deals.
    Without an answer *actions* is empty. *note* says what is missing or unusual.
    """

    place: int
    street: int
    seat: int
    pot_chips: int
    to_call_chips: int
    taken: Action
    actions: tuple[Action, ...] = ()
    probabilities: tuple[float, ...] = ()
    values_bb: tuple[float, ...] = ()
    taken_value_bb: float = 0.0
    standard_error_bb: float = 0.0
    half_width_bb: float = 0.0
    num_deals: int = 0
    is_exact: bool = False
    note: str = ""

    @property
    def is_judged(self) -> bool:
        """True if the strategy has an answer, so that there is a cost."""
        return bool(self.actions)

    @property
    def taken_probability(self) -> float:
        """Probability of the action taken; 0 if the strategy lacks it."""
        return dict(zip(self.actions, self.probabilities, strict=True)).get(self.taken, 0.0)

    @property
    def preferred(self) -> Action | None:
        """The action that the strategy takes most often; None without an answer."""
        if not self.actions:
            return None
        return self.actions[int(np.argmax(self.probabilities))]

    @property
    def strategy_value_bb(self) -> float:
        """Value of the strategy's own play at the decision."""
        return float(np.dot(self.probabilities, self.values_bb))

    @property
    def cost_bb(self) -> float:
        """Big blinds that the action taken cost against the strategy's own play."""
        # Probability 1: the same action, and no rounding error.
        return 0.0 if self._is_only_action else self.strategy_value_bb - self.taken_value_bb

    @property
    def _is_only_action(self) -> bool:
        return self.taken_probability == 1.0


class Judge:
    """Judges decisions by *strategy*; values come from *num_deals* deals where not all are listed."""

    def __init__(self, strategy: RolledOut, num_deals: int = NUM_DEALS, seed: int = 0) -> None:
        if num_deals < 2:
            raise UsageError(f"{num_deals} deals", "expected at least 2, for an interval")
        self._strategy, self._num_deals, self._seed = strategy, num_deals, seed

    def judge_hand(self, hand: PlayedHand, seat: int) -> list[JudgedAction]:
        """Return the decisions of *seat* in *hand*, judged."""
        return [self._judged(spot, spot.taken) for spot in self._spots(hand, seat)]

    def judge_action(self, hand: PlayedHand, place: int, action: Action) -> JudgedAction:
        """Return *action* judged as if it had been taken at the decision numbered *place*."""
        for found, (betting, _) in enumerate(hand.betting.decisions()):
            if found == place:
                betting.verify_action(action)
                spots = self._spots(hand, betting.actor)
                return self._judged(next(spot for spot in spots if spot.place == place), action)
        raise UsageError(f"decision {place} of a hand", f"it has {found + 1}, counted from 0")

    def _spots(self, hand: PlayedHand, seat: int) -> Iterator[_Spot]:
        """Yield the decisions of *seat*, with the ranges of the other seats before each."""
        definition = hand.betting.game.definition
        count, own = len(all_hands(definition)), hand.hole_cards[seat]
        ranges, is_expected = [np.ones(count) for _ in hand.hole_cards], True
        for place, (betting, taken) in enumerate(hand.betting.decisions()):
            board = hand.board[: definition.board_size(betting.street)]
            if betting.actor == seat:
                seen = SeenCards(definition, seat, hand_number(definition, own), board)
                yield _Spot(place, betting, taken, seen, tuple(ranges), is_expected)
                continue
            table = self._table(betting, board)
            likelihood = None if table is None else action_likelihood(betting, table, taken)
            left = update_range(ranges[betting.actor], likelihood)
            possible = left * hands_without(definition, (*own, *board))
            if likelihood is not None and (possible * likelihood).any():
                ranges[betting.actor] = left
            else:
                is_expected = False

    def _table(self, betting: BettingState, board: Sequence[int]) -> ActionTable | None:
        try:
            return self._strategy.table(betting, board)
        except UsageError:
            return None

    def _judged(self, spot: _Spot, taken: Action) -> JudgedAction:
        betting = spot.betting
        shown = (
            spot.place,
            betting.street,
            betting.actor,
            betting.pot,
            betting.to_call,
            taken,
        )
        table = self._table(betting, spot.seen.board)
        if table is None:
            return JudgedAction(*shown, note=NO_ANSWER)
        generator = np.random.default_rng([self._seed, *spot.fingerprint])
        try:
            cards = hidden_cards(spot.seen, spot.ranges, self._num_deals, generator)
            play = DealPlay(self._strategy, cards)
            actions = tuple(dict.fromkeys((*table.actions, taken)))
            is_summed = can_sum(betting, actions, play)
            is_exact = cards.is_whole and is_summed
            if cards.is_whole and not is_summed:
                # One drawn line of play in each listed deal would not be a sample of deals.
                cards = cards.drawn(self._num_deals, generator)
                play = DealPlay(self._strategy, cards)
            draws = None if is_summed else generator
            values = action_values(betting, actions, cards, play, draws)
        except UsageError:
            return JudgedAction(*shown, note=NO_CARDS)
        values = values / spot.definition.big_blind
        means = cards.weights @ values
        own, count = table.probabilities[spot.seen.hand], len(table.actions)
        at = actions.index(taken)
        costs = values[:, :count] @ own - values[:, at]
        is_certain = is_exact or bool(at < count and own[at] == 1.0)
        error, half_width = (0.0, 0.0) if is_certain else _errors(costs, values[:, at])
        return JudgedAction(
            *shown,
            actions=table.actions,
            probabilities=tuple(own.tolist()),
            values_bb=tuple(means[:count].tolist()),
            taken_value_bb=float(means[at]),
            standard_error_bb=error,
            half_width_bb=half_width,
            num_deals=len(values),
            is_exact=is_exact,
            note="" if spot.is_expected else UNEXPECTED,
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Spot:
    """A decision, the cards *seen* there, and the *ranges* of all seats, [hand]."""

    place: int
    betting: BettingState
    taken: Action
    seen: SeenCards
    ranges: tuple[Floats, ...]
    is_expected: bool

    @property
    def definition(self) -> GameDefinition:
        return self.seen.definition

    @property
    def fingerprint(self) -> tuple[int, ...]:
        """Whole numbers that stand for what was known, and not for what came later."""
        return (crc32(self.betting.text.encode()), self.seen.hand, *self.seen.board)


def _errors(costs: Floats, values: Floats) -> tuple[float, float]:
    """Return the standard error of the mean of *costs* [deal], and half of its 95 % interval.

    *values* [deal] are what the hand brings, by which the interval allows for unseen events. Deals
    are taken for independent ones. As points of a Latin hypercube they have a more exact mean, so
    that the interval is too wide rather than too narrow (``latin_hypercube.py``).
    """
    count = len(costs)
    error = float(costs.std(ddof=1) / np.sqrt(count))
    found = interval(costs - costs.mean(), np.arange(count), root_mean_square(values))
    return error, found.half_width
