"""Hands added up while a log is read: to report who won what, and to judge a SCORE line.

A match is hands with numbers one apart, whatever comment lines stand between them: so a match
that was broken off and resumed is one match, and one that was appended to another is not. Its
players stay the same, and unless it lacks its first hands its SCORE line is the sum of them.

Chips are added up hand by hand, in exact values: that is how a dealer comes to its SCORE line,
whose sixth decimal depends on it. Names change places from hand to hand, in at most as many orders
as there are players.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from acpcbot.logs.entries import HandRecord, ScoreRecord, split_names
from acpcbot.protocol.records import format_value

ROUNDING = 1e-6


@dataclass(frozen=True, slots=True)
class Seating:
    """The names in one order, first in hand *first_hand_id*, and where each position's chips
    are added up.
    """

    first_hand_id: int
    accounts: tuple[int, ...]


class SeatingTotals:
    """Chips won in *num_hands* hands, by name and by seat.

    Accounts belong to names. With a bar within a name it is open where that ends: accounts then
    belong to seats, as they rotate from hand 0 on.
    """

    def __init__(self) -> None:
        self.num_hands = 0
        self._seatings: dict[str, Seating] = {}
        self._account_of: dict[str | int, int] = {}
        self._chips: list[float] = []

    def add(self, hand: HandRecord) -> None:
        """Count *hand*."""
        self.num_hands += 1
        names_text = hand.seating_text
        seating = self._seatings.get(names_text)
        if seating is None:
            seating = self._seatings[names_text] = self._new_seating(hand, names_text)
        chips = self._chips
        for account, value in zip(seating.accounts, hand.values, strict=True):
            chips[account] += value

    def _new_seating(self, hand: HandRecord, names_text: str) -> Seating:
        names, num_players = names_text.split("|"), len(hand.values)
        owners: Sequence[str | int] = names
        if len(names) != num_players:
            owners = [(position + hand.hand_id) % num_players for position in range(num_players)]
        accounts = [self._account_of.setdefault(owner, len(self._account_of)) for owner in owners]
        self._chips += [0.0] * (len(self._account_of) - len(self._chips))
        return Seating(hand.hand_id, tuple(accounts))

    def has_players(self, names_text: str) -> bool:
        """Whether those of *names_text*, in any order, may be the players.

        Nobody is known before the first hand.
        """
        known = next(iter(self._seatings), names_text)
        return names_text in self._seatings or sorted(known.split("|")) == sorted(
            names_text.split("|")
        )

    def by_name(self) -> dict[str, float]:
        """Chips won by each name; raises ``UsageError`` if a name holds a bar."""
        for names_text, seating in self._seatings.items():
            split_names(names_text, len(seating.accounts))
        return {str(name): self._chips[account] for name, account in self._account_of.items()}

    def by_seat(self, names_text: str) -> list[float] | None:
        """Chips won by each seat, where *names_text* is the order of the seats.

        None if seats cannot be told apart.
        """
        names = names_text.split("|")
        if len(set(names)) < len(names) or not self._seatings:
            return None
        num_players = max(len(seating.accounts) for seating in self._seatings.values())
        owners: Sequence[str | int] = names
        if len(names) != num_players:
            base = self._seatings[names_text].first_hand_id if names_text in self._seatings else 0
            owners = [(seat + base) % num_players for seat in range(num_players)]
        return [self._chips[self._account_of[owner]] for owner in owners]

    @property
    def first_names(self) -> str:
        """The names in the order of the first hand."""
        return next(iter(self._seatings), "")


class MatchTally:
    """The match being read; a new one begins by itself with a hand that does not follow."""

    def __init__(self) -> None:
        self._begin_match(0)

    def _begin_match(self, first_hand_id: int) -> None:
        self._totals = SeatingTotals()
        self._is_whole = first_hand_id == 0
        self._next_hand_id = first_hand_id
        self._players_may_change = True

    def begin_part(self) -> None:
        """Take note of a header: other players may follow."""
        self._players_may_change = True

    def add(self, hand: HandRecord) -> str:
        """Count *hand*; the result says why it cannot be the next one, if so."""
        if hand.hand_id != self._next_hand_id:
            self._begin_match(hand.hand_id)
        elif not self._totals.has_players(hand.seating_text):
            if not self._players_may_change:
                return "these are not the players of the hand before"
            self._begin_match(hand.hand_id)
        self._totals.add(hand)
        self._next_hand_id += 1
        self._players_may_change = False
        return ""

    def close(self, score: ScoreRecord) -> str:
        """End the match with *score*; the result says why that cannot be its score, if so."""
        problem = self._problem(score)
        self._begin_match(0)
        return problem

    @property
    def num_hands(self) -> int:
        """How many hands of the match were counted."""
        return self._totals.num_hands

    def totals(self, names_text: str) -> list[float] | None:
        """Chips won by each seat, where *names_text* is the order of the seats.

        None if first hands are missing or the names do not tell the seats apart.
        """
        return self._totals.by_seat(names_text) if self._is_whole and self.num_hands else None

    def _problem(self, score: ScoreRecord) -> str:
        if abs(sum(score.values)) > ROUNDING * len(score.values):
            return "the totals do not add up to zero"
        if self._is_whole and not self._totals.has_players(score.names_text):
            return "these are not the players of the hands"
        totals = self.totals(score.names_text)
        if totals is not None and not self._are_near(score.values, totals):
            return f"the hands add up to {'|'.join(map(format_value, totals))}"
        return ""

    def _are_near(self, values: Sequence[float], totals: Sequence[float]) -> bool:
        tolerance = ROUNDING * (1 + self.num_hands)
        return len(values) == len(totals) and all(
            map(lambda a, b: abs(a - b) <= tolerance, values, totals)
        )
