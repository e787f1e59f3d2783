"""A decision that a file of ``acpcbot solve --format json`` holds, as the page sends it.

Arrays are loaded when its study is made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, TypeAlias

from msgspec import Meta

from acpcbot.cards.deck import parse_cards
from acpcbot.errors import UsageError
from acpcbot.web.solver.spot import MOST_CHIPS, Plain

if TYPE_CHECKING:
    from acpcbot.arrays import Floats

NUM_HANDS = 1326
NUM_HOLE_CARDS, NUM_SEATS = 2, 2
MOST_ACTIONS = 32
LONGEST_FILE_BODY = 2_000_000
"""Every hand with its numbers and so many actions takes some 600,000 bytes."""
NO_ACTION_VALUES = "A file does not hold the values of single actions."

Word: TypeAlias = Annotated[str, Meta(max_length=40)]
Row: TypeAlias = Annotated[tuple[float | None, ...], Meta(max_length=NUM_HANDS)]
ActionRow: TypeAlias = Annotated[tuple[float, ...], Meta(max_length=MOST_ACTIONS)]
Chips: TypeAlias = Annotated[int, Meta(ge=0, le=4 * MOST_CHIPS)]


@dataclass(frozen=True, slots=True)
class FileDecision:
    """Numbers of a decision of hold'em from a file; ``reports/solution.py`` tells what they are.

    The betting is not among it: the page knows where the decision stands.
    """

    board: Annotated[str, Meta(max_length=20)]
    seat: Annotated[int, Meta(ge=1, le=NUM_SEATS)]
    pot_chips: Chips
    actions: Annotated[tuple[Word, ...], Meta(min_length=1, max_length=MOST_ACTIONS)]
    hands: Annotated[tuple[Annotated[str, Meta(max_length=4)], ...], Meta(max_length=NUM_HANDS)]
    weights: tuple[Row, Row]
    probabilities: Annotated[tuple[ActionRow, ...], Meta(max_length=NUM_HANDS)]
    ev_chips: tuple[Row, Row]
    equities: tuple[Row, Row] | None = None

    def verify(self) -> None:
        """Raise UsageError where the lists do not fit together, or BadCards for other cards."""
        board = parse_cards(self.board)
        known = set()
        for text in self.hands:
            cards = parse_cards(text)
            if len(cards) != NUM_HOLE_CARDS or set(cards) & set(board):
                raise UsageError(
                    f"the hand {text!r} on the board {self.board!r}",
                    "expected two cards that are not on the board",
                )
            known.add(frozenset(cards))
        _verify_length("different hands", len(known), len(self.hands))
        _verify_length("probabilities", len(self.probabilities), len(self.hands))
        for shares in self.probabilities:
            _verify_length("probabilities of a hand", len(shares), len(self.actions))
        for name, rows in self._rows().items():
            for row in rows:
                _verify_length(f"{name} of a seat", len(row), len(self.hands))
        if any(one is None or one < 0 for row in self.weights for one in row):
            raise UsageError("a weight that is none", "expected numbers of 0 and more")

    def _rows(self) -> dict[str, tuple[Row, Row]]:
        found = {"weights": self.weights, "ev_chips": self.ev_chips}
        return found if self.equities is None else {**found, "equities": self.equities}

    def study(self) -> Plain:
        """Return the decision as the page's ``StudyData``; loads the solver."""
        import numpy as np

        from acpcbot.poker.hands import all_hands, hand_numbers, hands_without
        from acpcbot.poker.shipped import shipped_definition
        from acpcbot.reports.solved_study import StudiedDecision, solved_study

        definition = shipped_definition("holdem.nolimit.2p.reverse_blinds")
        # As in a solved game: all hands that the board leaves, since a class is a mean over them.
        hands = np.flatnonzero(hands_without(definition, parse_cards(self.board)))[::-1]
        cards = np.array([parse_cards(text) for text in self.hands]).reshape(-1, NUM_HOLE_CARDS)
        places = np.full(len(all_hands(definition)), -1)
        places[hands] = np.arange(len(hands))
        own = places[hand_numbers(definition, cards)]

        def spread(rows: Sequence[Sequence[float | None]], missing: float) -> Floats:
            """Return *rows* [row, hand of the file] as [row, hand]."""
            found = np.full((len(rows), len(hands)), missing)
            found[:, own] = np.array(rows, dtype=np.float64)
            return found

        nothing = np.full((NUM_SEATS, len(hands)), np.nan)
        by_action = list(zip(*self.probabilities, strict=True)) or [()] * len(self.actions)
        return solved_study(
            StudiedDecision(
                definition,
                self.seat - 1,
                self.actions,
                self.pot_chips,
                hands,
                spread(self.weights, 0.0),
                spread(by_action, 0.0).T,
                spread(self.ev_chips, np.nan),
                nothing if self.equities is None else spread(self.equities, np.nan),
                None,
                (NO_ACTION_VALUES,),
            )
        )


def _verify_length(what: str, found: int, expected: int) -> None:
    if found != expected:
        raise UsageError(f"{found} {what}", f"expected {expected}: the lists have to fit together")
