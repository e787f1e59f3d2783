"""One decision with every hand of the player to act, of a solved spot or of a stored strategy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.cards.deck import format_cards, parse_cards
from acpcbot.errors import UsageError
from acpcbot.frames import to_dataframe
from acpcbot.poker.definition import STREET_NAMES
from acpcbot.poker.hand_classes import class_name, class_numbers
from acpcbot.poker.hands import all_hands
from acpcbot.reports.notebook import decision_markup, notebook_markup
from acpcbot.subgames.solution import Decision, class_rows


@dataclass(frozen=True, slots=True, repr=False)
class HandStrategy:
    """The strategy of the player to act with one hand, or with a class of hands on average.

    ``hand``           a combo as in ``AsKd``, or a class as in ``AKs``, ``TT`` or ``K``
    ``actions``        the actions in words, as in ``check`` and ``bet 75``
    ``probabilities``  of each action; they sum to 1
    ``weight``         probability that the player holds the hand here, 0 to 1
    ``ev_chips``       chips that the hand wins from here on, where folding wins 0; NaN where
                       nothing was solved
    """

    hand: str
    actions: tuple[str, ...]
    probabilities: tuple[float, ...]
    weight: float
    ev_chips: float

    def __getitem__(self, action: str) -> float:
        """Return the probability of *action*; raises UsageError where there is none such."""
        if action not in self.actions:
            raise UsageError(
                f"no action {action!r} with {self.hand}", f"there are: {', '.join(self.actions)}"
            )
        return self.probabilities[self.actions.index(action)]

    def __repr__(self) -> str:
        ev = "" if np.isnan(self.ev_chips) else f", EV {self.ev_chips:+.2f} chips"
        return f"<{self.hand}: {_shares_text(self.actions, self.probabilities)}{ev}>"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class RangeDecision:
    """One decision with every hand of the player to act.

    ``decision["AsKd"]`` is what is done with one combo, ``decision["AKs"]`` with a class on
    average. In a notebook the decision shows itself as a chart of 13 x 13 classes, in games
    without one as a table.
    """

    _decision: Decision

    @property
    def path(self) -> tuple[str, ...]:
        """The actions and cards, in words, that lead here from the root."""
        return self._decision.place.words

    @property
    def betting(self) -> str:
        """The betting up to here as dealers write it, as in ``cr300c/``."""
        return self._decision.place.betting.text

    @property
    def street(self) -> str:
        """The street: ``preflop``, ``flop``, ``turn`` or ``river``."""
        return STREET_NAMES[self._decision.place.betting.street]

    @property
    def board(self) -> str:
        """The board cards, as in ``KsTd9h``."""
        return format_cards(self._decision.place.board)

    @property
    def seat(self) -> int:
        """The player to act, counted from 0; 0 is the first to act of a solved spot."""
        return self._decision.seat

    @property
    def pot_chips(self) -> int:
        """Chips in the pot, with all bets."""
        return self._decision.place.betting.pot

    @property
    def to_call_chips(self) -> int:
        """Chips that a call costs."""
        return self._decision.place.betting.to_call

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions in words, the axis ``action``."""
        return self._decision.choices

    @property
    def frequencies(self) -> Floats:
        """Return the probability of each action over the whole range, float64 [action]."""
        return self._decision.frequencies

    @property
    def hands(self) -> tuple[str, ...]:
        """The combos that the board leaves, the axis ``hand``, high cards first."""
        cards = all_hands(self._decision.place.betting.game.definition)[self._decision.hands]
        return tuple([format_cards(hand) for hand in cards.tolist()])

    @property
    def weights(self) -> Floats:
        """The probability that a seat holds each hand here, float64 [seat, hand]; rows sum to 1."""
        return self._decision.weights

    @property
    def probabilities(self) -> Floats:
        """The probability of each action with each hand, float64 [hand, action]."""
        return self._decision.probabilities

    @property
    def ev_chips(self) -> Floats:
        """Chips that each hand wins from here on, float64 [seat, hand]; folding wins 0.

        NaN where nothing was solved, and where no hand of the opponent is left beside it.
        """
        return self._decision.ev_chips

    def __getitem__(self, hand: str) -> HandStrategy:
        """Return what is done with *hand*, a combo in any order or a class.

        Raises UsageError for a hand that cannot be held here.
        """
        decision = self._decision
        rows = self._rows(hand)
        weights = decision.weights[decision.seat, rows]
        shares = weights / weights.sum() if weights.sum() else np.full(len(rows), 1 / len(rows))
        return HandStrategy(
            hand,
            self.actions,
            tuple((shares @ decision.probabilities[rows]).tolist()),
            float(weights.sum()),
            float(shares @ decision.ev_chips[decision.seat, rows]),
        )

    def to_dataframe(self) -> Any:
        """Return a data frame with a row for each hand.

        Its columns are hand, class, weight and ev_chips of the player to act, and the
        probability of each action under the action's words. Needs polars or pandas.
        """
        decision, definition = self._decision, self._decision.place.betting.game.definition
        cards = all_hands(definition)[decision.hands]
        classes = [
            class_name(number, definition.num_hole_cards)
            for number in class_numbers(cards).tolist()
        ]
        return to_dataframe(
            {
                "hand": self.hands,
                "class": classes,
                "weight": decision.weights[decision.seat],
                "ev_chips": decision.ev_chips[decision.seat],
                **dict(zip(self.actions, decision.probabilities.T, strict=True)),
            }
        )

    def __repr__(self) -> str:
        where = " ".join(filter(None, [self.street, self.board]))
        shares = _shares_text(self.actions, self.frequencies.tolist())
        return f"<{where}, seat {self.seat} to act: {shares}>"

    def _repr_html_(self) -> str:
        return notebook_markup(decision_markup(self._decision))

    def _rows(self, hand: str) -> list[int]:
        """The rows of *hand*; raises UsageError."""
        definition = self._decision.place.betting.game.definition
        cards = all_hands(definition)[self._decision.hands]
        if len(hand) == 2 * definition.num_hole_cards and hand[1:2] in tuple("cdhs"):
            wanted = sorted(parse_cards(hand), reverse=True)
            found = np.flatnonzero((cards == wanted).all(axis=1))
        else:
            numbers = class_numbers(cards).tolist()
            names = [class_name(number, definition.num_hole_cards) for number in numbers]
            found = np.flatnonzero([name == hand for name in names])
        if not len(found):
            example = f"{self.hands[0]}, or a class as in {next(iter(class_rows(self._decision)))}"
            board = f" on the board {self.board}" if self.board else ""
            raise UsageError(
                f"no hand {hand!r} can be held{board}", f"expected a combo as in {example}"
            )
        rows: list[int] = found.tolist()
        return rows


def _shares_text(actions: tuple[str, ...], shares: tuple[float, ...] | list[float]) -> str:
    return ", ".join(
        [f"{action} {100 * share:.1f} %" for action, share in zip(actions, shares, strict=True)]
    )
