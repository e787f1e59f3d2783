"""Totals of hands while a log is read, for reports and for the check of SCORE lines.

A match is a run of consecutive hand numbers, whatever comments stand between the hands. So an
interrupted and resumed match is one match, and a match appended to another is a new one. Its
players stay the same, and unless its first hands are missing its SCORE line is their sum.

Chips are added up hand by hand, in exact values, as in the dealer: the sixth decimal of the SCORE
line depends on it. Names rotate from hand to hand, in at most as many orders as there are players.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from acpcbot.logs.entries import HandRecord, ScoreRecord, split_names
from acpcbot.protocol.records import format_value

ROUNDING = 1e-6


class MatchTally:
    """Totals of the match being read; a hand out of sequence begins a new match."""

    def __init__(self) -> None:
        self._begin_match(0)

    def _begin_match(self, first_hand_id: int) -> None:
        self._totals = SeatingTotals()
        self._is_whole = first_hand_id == 0
        self._next_hand_id = first_hand_id
        self._players_may_change = True

    def begin_part(self) -> None:
        """Begin a part of the log behind a header: other players may follow."""
        self._players_may_change = True

    def add(self, hand: HandRecord) -> str:
        """Add *hand*; return the reason why it cannot be the next one, or ''."""
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
        """End the match with *score*; return the reason why it cannot be its score, or ''."""
        problem = self._problem(score)
        self._begin_match(0)
        return problem

    @property
    def num_hands(self) -> int:
        """The number of hands added of this match."""
        return self._totals.num_hands

    def totals(self, names_text: str) -> list[float] | None:
        """Return the chips won by each seat, where *names_text* is the order of the seats.

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


class SeatingTotals:
    """Chips won in *num_hands* hands, by name and by seat.

    Accounts belong to names. If a name holds a bar, names are ambiguous: accounts then belong to
    seats, which rotate from hand 0 on.
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
        """Return whether *names_text* lists the players, in any order.

        Before the first hand any players are accepted.
        """
        known = next(iter(self._seatings), names_text)
        return names_text in self._seatings or sorted(known.split("|")) == sorted(
            names_text.split("|")
        )

    def by_name(self) -> dict[str, float]:
        """Return the chips won by each name; raises ``UsageError`` if a name holds a bar."""
        for names_text, seating in self._seatings.items():
            split_names(names_text, len(seating.accounts))
        return {str(name): self._chips[account] for name, account in self._account_of.items()}

    def by_seat(self, names_text: str) -> list[float] | None:
        """Return the chips won by each seat, where *names_text* is the order of the seats.

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


@dataclass(frozen=True, slots=True)
class Seating:
    """One order of the names, first met in hand *first_hand_id*, and each position's account."""

    first_hand_id: int
    accounts: tuple[int, ...]
