"""All-in adjusted results: each hand that was all-in early counts its mean over all boards.

Before the flop a heads-up all-in has 1,712,304 boards, so this can take long. ``all_ins`` tells the
number of boards of each hand beforehand, so that the caller can decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import comb

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.cards.deck import parse_cards
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.deck_convention import DeckConvention
from acpcbot.reports.hands import HandTable

Advance = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class AllIn:
    """A hand that ended all-in on *street*, before the last one, with *num_boards* to come."""

    hand: int
    street: int
    num_boards: int


def all_ins(table: HandTable) -> list[AllIn]:
    """Return the hands that ended all-in before the last street."""
    return list(_early_ends(table))


def _early_ends(table: HandTable) -> Iterator[AllIn]:
    definition = table.definition
    last = definition.num_streets - 1
    deck_size = len(definition.deck) - definition.num_players * definition.num_hole_cards
    for hand in np.flatnonzero(table.is_showdown).tolist():
        street = table.betting[hand].rstrip("/").count("/")
        if street < last:
            known, whole = definition.board_size(street), definition.board_size(last)
            yield AllIn(hand, street, comb(deck_size - known, whole - known))


def without_all_in_luck(
    table: HandTable, found: list[AllIn], advance: Advance | None = None
) -> Floats:
    """Return the chips [hand, seat], those of the hands *found* as means over all boards.

    *advance* is called with the number of boards done and that of all boards.
    """
    # Imported here: compiled code, which most reports do without.
    from acpcbot.poker.all_in import all_in_payoffs

    chips, rules = table.chips.copy(), BettingRules(table.definition)
    total, done = sum(all_in.num_boards for all_in in found), 0
    decks = _decks(table)
    for all_in in found:
        hand = all_in.hand
        hole_cards = [tuple(cards) for cards in table.hole_cards[hand].tolist()]
        board = parse_cards(table.board_text(hand).replace("/", ""))[
            : table.definition.board_size(all_in.street)
        ]
        deck = decks[int(table.source[hand])]
        chips[hand] = all_in_payoffs(rules.parse(table.betting[hand]), hole_cards, board, deck=deck)
        done += all_in.num_boards
        if advance:
            advance(done, total)
    return chips


def _decks(table: HandTable) -> list[tuple[int, ...]]:
    """Return the deck that each log is dealt from; of a small one all cards of the log tell."""
    decks = []
    for source in range(len(table.sources)):
        convention = DeckConvention(table.definition.num_suits, table.definition.num_ranks)
        convention.see(np.unique(table.hole_cards[table.source == source]).tolist())
        decks.append(table.definition.lowest_deck if convention.lowest else table.definition.deck)
    return decks
