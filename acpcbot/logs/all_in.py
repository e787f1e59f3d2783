"""STATE lines of match logs with all-in expectations instead of the values of the dealt board.

The values of a hand that ended all-in before the last street become the mean over the boards that
could still come, with six decimals; other lines are unchanged. A small deck may be that of the
highest or of the lowest cards: hands that fit both wait until a later hand of their log decides.

Source: the output of the ACPC server's tool ``all_in_expectation``, release 1.0.42. With fewer than
52 cards that tool mistakes cards for others; here these hands are averaged too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, groupby
from operator import attrgetter

from acpcbot.logs.entries import HandRecord, LogEntry
from acpcbot.logs.line import HAND_TAG
from acpcbot.poker.all_in import all_in_payoffs, all_in_street
from acpcbot.poker.deck_convention import DeckConvention
from acpcbot.poker.definition import GameDefinition
from acpcbot.protocol.records import format_value


def all_in_lines(entries: Iterable[LogEntry]) -> Iterator[str]:
    """Yield the STATE line of every hand in *entries*, with all-in values averaged over boards."""
    hands = (entry for entry in entries if isinstance(entry, HandRecord))
    for game, hands_of_game in groupby(hands, key=attrgetter("game")):
        for hand, deck in _with_decks(hands_of_game, game.definition):
            yield _line(hand, deck)


def _with_decks(
    hands: Iterable[HandRecord], definition: GameDefinition
) -> Iterator[tuple[HandRecord, tuple[int, ...]]]:
    """Yield each of *hands* with the deck from which it is dealt."""
    convention = DeckConvention(definition.num_suits, definition.num_ranks)
    waiting: list[HandRecord] = []
    for hand in hands:
        waiting.append(hand)
        if convention.lowest is None:
            convention.see((*chain.from_iterable(hand.hole_cards), *hand.board))
        if convention.lowest is not None:
            deck = definition.lowest_deck if convention.lowest else definition.deck
            yield from ((known, deck) for known in waiting)
            waiting.clear()
    yield from ((hand, definition.deck) for hand in waiting)


def _line(hand: HandRecord, deck: tuple[int, ...]) -> str:
    street = all_in_street(hand.betting)
    if street is None:
        values = "|".join(map(format_value, hand.values))
    else:
        board = hand.board[: hand.game.definition.board_size(street)]
        means = all_in_payoffs(hand.betting, hand.hole_cards, board, deck=deck)
        values = "|".join([f"{mean:.6f}" for mean in means])
    return (
        f"{HAND_TAG}{hand.hand_id}:{hand.betting_text}:{hand.cards_text}:{values}:{hand.names_text}"
    )
