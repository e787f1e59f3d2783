"""Parser of single match log lines in plain Python, with the column of an error.

``verify_hand`` accepts the same lines as the compiled reader (``replay.py``), and says why it
refuses one. It reads small logs alone, so that these need no compiled code. Every function
raises ``ProtocolError`` with the column.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import accumulate

from acpcbot.cards.deck import RANKS, SUITS, cards_of, deck_cards, format_card, mask_of, parse_cards
from acpcbot.errors import BadCards, ProtocolError
from acpcbot.logs.entries import HEADER_TAG, HandRecord, HeaderRecord, ScoreRecord, is_near
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.dealing import Deal
from acpcbot.poker.deck_convention import DeckConvention
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.payoffs import payoffs
from acpcbot.protocol.grammar import scan_cards
from acpcbot.protocol.records import format_value

HAND_TAG, SCORE_TAG = "STATE:", "SCORE:"
_HAND_ID = re.compile(r"0|[1-9][0-9]{0,9}")
_VALUE = re.compile(r"-?(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,6})?")
_HEADER = re.compile(HEADER_TAG + r"(.*) (\S+) ([0-9]{1,10}) ([0-9]{1,10})")


def verify_hand(
    line: str, game: BettingRules, seen: int, tolerance: float
) -> tuple[int, tuple[float, ...]]:
    """Return the mask of the cards in the STATE *line* and its exact values.

    The hand must be possible by the rules. *seen* is the mask of the cards in earlier lines of
    the log, *tolerance* the largest accepted difference of printed and exact values.
    """
    fields = line.split(":", 5)
    if len(fields) < 6 or not line.startswith(HAND_TAG):
        raise ProtocolError(line, 0, "STATE:hand:betting:cards:values:names")
    columns = [0, *accumulate([len(field) + 1 for field in fields])]
    if not _HAND_ID.fullmatch(fields[1]) or int(fields[1]) >= 2**32:
        raise ProtocolError(line, columns[1], "a hand number")
    betting = _finished_betting(line, columns[2], fields[2], game)
    deal, mask = _deal(line, columns[3], fields[3], betting)
    _verify_deck(line, columns[3], game.definition, seen | mask)
    values = _values(line, columns[4], fields[4], game.definition.num_players)
    expected = payoffs(betting, deal.hole_cards, deal.board)
    if not all(
        is_near(value, wanted, tolerance) for value, wanted in zip(values, expected, strict=True)
    ):
        raise ProtocolError(line, columns[4], f"the values {'|'.join(map(format_value, expected))}")
    _verify_names(line, columns[5], game.definition.num_players)
    return mask, expected


def _finished_betting(line: str, column: int, text: str, game: BettingRules) -> BettingState:
    try:
        betting = game.parse(text)
    except ProtocolError as error:
        raise ProtocolError(line, column + error.column, error.expected) from None
    if not betting.is_over:
        raise ProtocolError(
            line, column + len(text), f"an action of position {betting.actor}: the hand goes on"
        )
    return betting


def _deal(line: str, column: int, text: str, betting: BettingState) -> tuple[Deal, int]:
    """Return all cards in *text*, which stands at *column*, and their mask."""
    definition = betting.game.definition
    if not _layout(definition, betting.street).fullmatch(text):
        raise _misplaced_card(line, column, betting)
    cards = _different_cards(text.replace("|", "").replace("/", ""))
    if cards is None:
        raise _misplaced_card(line, column, betting)
    size = definition.num_hole_cards
    held = definition.num_players * size
    hole_cards = tuple([cards[first : first + size] for first in range(0, held, size)])
    return Deal(hole_cards, cards[held:]), mask_of(cards)


def _different_cards(text: str) -> tuple[int, ...] | None:
    """Return the cards of *text*, None if one occurs twice."""
    try:
        return parse_cards(text)
    except BadCards:
        return None


@lru_cache(maxsize=64)
def _layout(definition: GameDefinition, street: int) -> re.Pattern[str]:
    """Return the pattern of all hole cards and the board up to *street*."""
    card = f"[{RANKS}][{SUITS}]"
    hole = f"(?:{card}){{{definition.num_hole_cards}}}"
    boards = [f"(?:{card}){{{size}}}" for size in definition.num_board_cards[: street + 1]]
    return re.compile(r"\|".join([hole] * definition.num_players) + "/".join(boards))


def _misplaced_card(line: str, column: int, betting: BettingState) -> ProtocolError:
    """Return the error of the first wrong character in the cards at *column*."""
    definition, num_players = betting.game.definition, betting.game.definition.num_players
    marks = ["", *["|"] * (num_players - 1), "", *["/"] * betting.street]
    sizes = [
        *[definition.num_hole_cards] * num_players,
        *definition.num_board_cards[: betting.street + 1],
    ]
    mask = 0
    for mark, size in zip(marks, sizes, strict=True):
        if not line.startswith(mark, column):
            return ProtocolError(line, column, repr(mark))
        start = column + len(mark)
        column = start + 2 * size
        for place in range(start, column, 2):
            cards = scan_cards(line, place, 1)
            if not cards or format_card(cards[0]) != line[place : place + 2]:
                return ProtocolError(line, place, "a card")
            if mask >> cards[0] & 1:
                return ProtocolError(line, place, "a card that is not dealt already")
            mask |= 1 << cards[0]
    return ProtocolError(line, column, "':' behind the cards of the last street")


def _verify_deck(line: str, column: int, definition: GameDefinition, seen: int) -> None:
    if any(seen & ~deck == 0 for deck in _decks(definition)):
        return
    try:
        DeckConvention(definition.num_suits, definition.num_ranks).see(cards_of(seen))
    except BadCards as error:
        raise ProtocolError(line, column, f"cards of one deck of this game ({error})") from None


@lru_cache(maxsize=64)
def _decks(definition: GameDefinition) -> tuple[int, ...]:
    """Return the masks of the decks that the game may be dealt from."""
    sizes = definition.num_suits, definition.num_ranks
    return tuple([mask_of(deck_cards(*sizes, lowest=lowest)) for lowest in (False, True)])


def _values(line: str, column: int, text: str, num_players: int | None) -> tuple[float, ...]:
    """Return the numbers in *text*, which bars separate."""
    words = text.split("|")
    for word in words:
        if not _VALUE.fullmatch(word):
            raise ProtocolError(line, column, "a number with at most six decimals")
        column += len(word) + 1
    if num_players is not None and len(words) != num_players:
        raise ProtocolError(line, column - 1, f"{num_players} values")
    return tuple(map(float, words))


def _verify_names(line: str, column: int, num_players: int) -> None:
    if line.count("|", column) + 1 < num_players:
        raise ProtocolError(line, column, f"{num_players} names")


def parse_hand(
    line: str, line_number: int, game: BettingRules, values: tuple[float, ...] | None = None
) -> HandRecord:
    """Return the record of a verified STATE *line*.

    *values* are its exact values; None takes the printed ones.
    """
    _, hand_id, betting, cards, printed, names = line.split(":", 5)
    values = values or tuple(map(float, printed.split("|")))
    return HandRecord(line_number, int(hand_id), betting, cards, values, names, game)


def parse_score(line: str, line_number: int, num_players: int | None = None) -> ScoreRecord:
    """Return the record of the SCORE *line* of a game for *num_players*, if that is known."""
    fields = line.split(":", 2)
    if len(fields) < 3:
        raise ProtocolError(line, 0, "SCORE:values:names")
    values = _values(line, len(SCORE_TAG), fields[1], num_players)
    column = len(SCORE_TAG) + len(fields[1]) + 1
    _verify_names(line, column, len(values))
    return ScoreRecord(line_number, values, fields[2])


def parse_header(line: str, line_number: int) -> HeaderRecord:
    """Return the record of the header *line*: a match name and three words behind it."""
    match = _HEADER.fullmatch(line)
    if match is None:
        raise ProtocolError(
            line, len(HEADER_TAG), "the names of match and game, the number of hands and the seed"
        )
    return HeaderRecord(line_number, match[1], match[2], int(match[3]), int(match[4]))
