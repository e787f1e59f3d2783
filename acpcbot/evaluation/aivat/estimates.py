"""Win rates of a player over a match, by every variance-reduction estimator that applies.

``seated_hands`` picks the player's hands out of log records; ``chips_estimate``,
``all_in_estimate`` and ``variance_reduced_estimates`` turn them into a mean with an interval.

A hand that was played with the same cards in several seatings, as in a duplicate match, is one
sample with them, their mean. Results are in mbb, thousandths of a big blind a hand; intervals hold
95 %, as ``matches/intervals.py`` says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats
from acpcbot.errors import UsageError
from acpcbot.evaluation.aivat.estimator import PlayedHand, ValueFunction, View, estimate
from acpcbot.evaluation.aivat.estimator_kinds import ESTIMATORS, Estimator
from acpcbot.logs.match_log import HandRecord
from acpcbot.matches.intervals import MIN_EFFECTIVE_SAMPLES, interval, root_mean_square
from acpcbot.poker.actions import Action
from acpcbot.poker.all_in import all_in_payoffs, all_in_street
from acpcbot.poker.betting import BettingState
from acpcbot.poker.deck_convention import DeckConvention
from acpcbot.poker.definition import GameDefinition
from acpcbot.strategies.public_strategy import PublicStrategy
from acpcbot.strategies.strategy_file import RecordedHand, RecordedStrategies
from acpcbot.worker_threads import Progress

Deals = tuple[NDArray[np.uint8], Floats]
MBB = 1000.0


@dataclass(frozen=True, slots=True)
class Estimate:
    """Mean with interval by one estimator; *sd_mbb* is the standard deviation of a hand.

    *num_effective* is the effective number of samples of the interval (``matches/intervals.py``).
    """

    name: str
    mean_mbb: float
    half_width_mbb: float
    sd_mbb: float
    num_hands: int
    num_samples: int
    num_effective: float

    def hands_ratio(self, chips: Estimate) -> float | None:
        """Return the factor of hands that *chips* needs for an interval as narrow as this one.

        None if the effective number of samples of either is too small.
        """
        if min(self.num_effective, chips.num_effective) < MIN_EFFECTIVE_SAMPLES:
            return None
        return (chips.half_width_mbb / self.half_width_mbb) ** 2


def seated_hands(
    records: Sequence[HandRecord], samples: Sequence[int], player: str
) -> list[SeatedHand]:
    """Return the hands of *player* among *records*, each with the number of its sample.

    Raises UsageError if there are none, or if they are of different games; BadCards.
    """
    played = [place for place, record in enumerate(records) if player in record.names]
    if not played:
        raise UsageError(
            f"{player} played none of these hands", "names stand at the end of a log's lines"
        )
    hands = CanonicalHands()
    for place in played:
        hands.see(records[place])
    return [_seated(place, records[place], samples[place], player, hands) for place in played]


def chips_estimate(hands: Sequence[SeatedHand]) -> Estimate:
    """Return the result in chips as the log has it, without variance reduction."""
    return _summary("chips", hands, np.array([hand.chips for hand in hands]))


def all_in_estimate(hands: Sequence[SeatedHand]) -> Estimate:
    """Return the result with the boards after an all-in averaged out; no strategy is needed."""
    return _summary("all-in equity", hands, all_in_equities(hands))


def all_in_equities(hands: Sequence[SeatedHand]) -> Floats:
    """Return what each hand won with the boards after an all-in averaged out, chips [hand]."""
    return np.array([_all_in_chips(seated) for seated in hands])


def variance_reduced_estimates(
    names: Sequence[str],
    hands: Sequence[SeatedHand],
    known: Mapping[str, PublicStrategy | RecordedPlayer],
    values: ValueFunction | None,
    on_progress: Progress | None = None,
) -> list[Estimate]:
    """Return the results by the estimators called *names*, of ``ESTIMATORS``.

    *known* are strategies by player. Without *values* the only variance reduction is averaging over
    the hands that the player could have held.
    """
    if not names:
        return []
    chips = variance_reduced_chips(names, hands, known, values, on_progress)
    return [_summary(name, hands, column) for name, column in zip(names, chips.T, strict=True)]


def variance_reduced_chips(
    names: Sequence[str],
    hands: Sequence[SeatedHand],
    known: Mapping[str, PublicStrategy | RecordedPlayer],
    values: ValueFunction | None,
    on_progress: Progress | None = None,
) -> Floats:
    """Return the value of each hand by each of the estimators, chips [hand, name].

    The arguments are those of ``variance_reduced_estimates``.
    """
    estimators = [ESTIMATORS[name] for name in names]
    chips = np.empty((len(hands), len(names)))
    for number, seated in enumerate(hands):
        strategies = _strategies(seated, known)
        # All estimators of one hand need the same values; each is worked out once.
        cached = None if values is None else CachedValueFunction(values)
        chips[number] = [
            estimate(seated.hand, seated.hero, strategies, cached, own) for own in estimators
        ]
        if on_progress is not None:
            on_progress(number + 1, len(hands))
    return chips + np.stack(
        [_seat_terms(hands, values, estimator) for estimator in estimators], axis=1
    )


@dataclass(frozen=True, slots=True)
class SeatedHand:
    """One hand with canonical cards, seen by the player in the seat *hero*.

    *place* is its index among the records, *names* the players by seat, *chips* what the hero won,
    and *sample* the number of the sample to which it belongs.
    """

    place: int
    hand: PlayedHand
    names: tuple[str, ...]
    hero: int
    chips: float
    sample: int


class CanonicalHands:
    """Converter of log records to canonical cards; every record must be shown to it first."""

    def __init__(self) -> None:
        self._definition: GameDefinition | None = None

    def see(self, record: HandRecord) -> None:
        """Update the deck convention from *record*.

        Raises BadCards, and UsageError if it is of another game.
        """
        definition = record.game.definition
        if self._definition is None:
            self._definition = definition
            self._convention = DeckConvention(definition.num_suits, definition.num_ranks)
        elif self._definition != definition:
            raise UsageError(
                "these hands are of different games", "evaluate the logs of one game at a time"
            )
        if self._convention.lowest is None:
            self._convention.see((*chain.from_iterable(record.hole_cards), *record.board))

    def hand(self, record: HandRecord) -> PlayedHand:
        """Return the hand of *record*."""
        deal = record.deal
        return PlayedHand(
            record.betting, tuple(map(self._cards, deal.hole_cards)), self._cards(deal.board)
        )

    def _cards(self, cards: Sequence[int]) -> tuple[int, ...]:
        return tuple(map(self._convention.to_canonical, cards))


@dataclass(frozen=True, slots=True)
class RecordedPlayer:
    """A player whose strategy was recorded beside the logs, decision by decision.

    For the hand at each place: the number of its log in *of_logs*, and the dealer's number of it.
    """

    of_logs: Sequence[RecordedStrategies]
    logs: Sequence[int]
    hand_ids: Sequence[int]

    def hand_strategy(self, place: int) -> RecordedHand:
        """Return the strategy in the hand at *place*, defined at its decisions alone."""
        return self.of_logs[self.logs[place]].hand_strategy(self.hand_ids[place])


class CachedValueFunction:
    """A ``ValueFunction`` that asks *values* for each start and deal once.

    Several estimators of one hand need the same values. Make a new one for each hand and hero: keys
    are the betting and the length of the board alone.
    """

    def __init__(self, values: ValueFunction) -> None:
        self._values = values
        self._start: tuple[float, Floats] | None = None
        self._deals: dict[str, Deals] = {}

    def start(self, view: View) -> tuple[float, Floats]:
        """Return the values before the cards."""
        if self._start is None:
            self._start = self._values.start(view)
        return self._start

    def after_actions(
        self, view: View, betting: BettingState, board: Sequence[int], actions: Sequence[Action]
    ) -> Floats:
        """Return the values after *actions*, uncached: AIVAT alone asks for them."""
        return self._values.after_actions(view, betting, board, actions)

    def after_deals(self, view: View, betting: BettingState, board: Sequence[int]) -> Deals:
        """Return all deals of a new street, and the values after them.

        Streets after an all-in have the same betting and longer boards, so both are in the key.
        """
        key = f"{betting.text}:{len(board)}"
        if key not in self._deals:
            self._deals[key] = self._values.after_deals(view, betting, board)
        return self._deals[key]


def _strategies(
    seated: SeatedHand, known: Mapping[str, PublicStrategy | RecordedPlayer]
) -> dict[int, PublicStrategy]:
    """Return the *known* strategies of a hand, by seat."""
    found = {seat: known[player] for seat, player in enumerate(seated.names) if player in known}
    return {
        seat: strategy.hand_strategy(seated.place)
        if isinstance(strategy, RecordedPlayer)
        else strategy
        for seat, strategy in found.items()
    }


def _seat_terms(
    hands: Sequence[SeatedHand], values: ValueFunction | None, estimator: Estimator
) -> Floats:
    """Return corrections for the luck of being dealt a seat, chips [hand].

    They apply where the player has had all seats in turn; then the mean value of the seats is
    known. Otherwise they are 0: which seats it had is no luck.
    """
    num_seats = hands[0].hand.betting.game.definition.num_players
    counts = np.bincount([seated.hero for seated in hands], minlength=num_seats)
    if values is None or not estimator.corrects_deals or counts.max() - counts.min() > 1:
        return np.zeros(len(hands))
    means = np.array([values.start(hands[0].hand.view(seat))[0] for seat in range(num_seats)])
    terms: Floats = means.mean() - means[[seated.hero for seated in hands]]
    return terms


def _summary(name: str, hands: Sequence[SeatedHand], chips: Floats) -> Estimate:
    to_mbb = MBB / hands[0].hand.betting.game.definition.big_blind
    mbb, samples = chips * to_mbb, np.array([seated.sample for seated in hands])
    hand_rms = root_mean_square(np.array([seated.chips for seated in hands])) * to_mbb
    found = interval(mbb - mbb.mean(), samples, hand_rms)
    return Estimate(
        name,
        mean_mbb=float(mbb.mean()),
        half_width_mbb=found.half_width,
        sd_mbb=float(mbb.std()),
        num_hands=len(hands),
        num_samples=len(np.unique(samples)),
        num_effective=found.num_effective,
    )


def _all_in_chips(seated: SeatedHand) -> float:
    betting, hand = seated.hand.betting, seated.hand
    street = all_in_street(betting)
    if street is None:
        return seated.chips
    board = hand.board[: betting.game.definition.board_size(street)]
    deck = betting.game.definition.deck
    return all_in_payoffs(betting, hand.hole_cards, board, deck=deck)[seated.hero]


def _seated(
    place: int, record: HandRecord, sample: int, player: str, hands: CanonicalHands
) -> SeatedHand:
    hero = record.names.index(player)
    return SeatedHand(place, hands.hand(record), record.names, hero, record.values[hero], sample)
