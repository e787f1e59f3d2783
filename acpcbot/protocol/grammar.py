"""The grammar of MATCHSTATE and VERSION lines: reading and writing, one line at a time.

Writing produces the official dealer's bytes. Reading accepts what the official reader
accepts, because peers rely on it: either case in cards, ``k`` and ``b`` for check and bet,
missing separators, numbers with blanks and signs, sizes that wrap. ``Grammar.quick`` reads
the spelling of dealers in a fraction of the time of ``Grammar.scan``, which reads the rest.

Text is latin-1, so that every byte is a character; it ends at a zero byte.

Source: the reader of the ACPC server, release 1.0.42, character for character.
"""

from __future__ import annotations

from collections.abc import Sequence

from acpcbot.c_numbers import MAX_DIGITS, scan_number, to_int32, to_unsigned
from acpcbot.cards.deck import RANKS, SUITS, format_cards, parse_cards
from acpcbot.errors import BadCards, IllegalAction, ProtocolError
from acpcbot.poker import rules
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.protocol.messages import MatchState

STATE_TAG = "MATCHSTATE:"
_NUM_COLONS = 4
VERSION_TAG = "VERSION:"
KIND_OF_LETTER = {
    letter: kind for kind, letters in enumerate(("fF", "cCkK", "rRbB")) for letter in letters
}


def scan_action(text: str, column: int, *, is_limit: bool) -> tuple[Action | None, int] | None:
    """Return the action at *column* and the column behind it.

    None where a no-limit raise has no readable size; an Action of None where
    the letter is unknown.
    """
    letter = text[column : column + 1]
    kind = KIND_OF_LETTER.get(letter)
    if kind is None:
        return None, column + len(letter)
    if kind != rules.RAISE or is_limit:
        return Action(kind), column + 1
    size = scan_number(text, column + 1)
    return None if size is None else (Action(kind, to_int32(size[0])), size[1])


def parse_version(line: str) -> tuple[int, int, int]:
    """Return the three numbers of a VERSION *line*.

    Text behind them is ignored. Raises ProtocolError.
    """
    if not line.startswith(VERSION_TAG):
        raise ProtocolError(line, 0, "VERSION:2.0.0")
    major, column = _scan_version_part(line, len(VERSION_TAG))
    minor, column = _scan_version_part(line, _behind(line, column, "."))
    revision, _ = _scan_version_part(line, _behind(line, column, "."))
    return major, minor, revision


def _scan_version_part(line: str, column: int) -> tuple[int, int]:
    number = scan_number(line, column)
    if number is None:
        raise ProtocolError(line, column, "a number")
    return to_unsigned(number[0], 32), number[1]


def _behind(line: str, column: int, mark: str) -> int:
    if not line.startswith(mark, column):
        raise ProtocolError(line, column, repr(mark))
    return column + len(mark)


def format_version(version: Sequence[int]) -> str:
    """Return the VERSION line, without its line end."""
    return VERSION_TAG + ".".join(map(str, version))


def format_board(board: Sequence[int], num_board_cards: Sequence[int], street: int) -> str:
    """Return the board up to *street*, the cards of each later street behind a slash."""
    names, parts, start = format_cards(board), [], 0
    for count in num_board_cards[: street + 1]:
        end = start + 2 * count
        parts.append(names[start:end])
        start = end
    return "/".join(parts)


def format_hole_cards(
    hole_cards: Sequence[Sequence[int]], betting: BettingState, viewer: int
) -> str:
    """Return the hole cards as *viewer* may see them, hidden ones left out."""
    visible = visible_cards(hole_cards, betting, viewer)
    return "|".join([format_cards(cards) for cards in visible])


def visible_cards(
    hole_cards: Sequence[Sequence[int]], betting: BettingState, viewer: int
) -> tuple[tuple[int, ...], ...]:
    """Return the hole cards by seat, empty where *viewer* may not see them.

    A viewer sees its own cards, and at a showdown those of all players who have not folded.
    """
    return tuple(
        [
            tuple(cards) if seat == viewer or betting.shows(seat) else ()
            for seat, cards in enumerate(hole_cards)
        ]
    )


def format_reply(state: MatchState, action: Action) -> bytes:
    """Return the reply to *state*: its text, the action, a line end."""
    return f"{state.line}:{action.text}\r\n".encode("latin-1")


class Grammar:
    """Reader of the MATCHSTATE lines of one game."""

    def __init__(self, game: BettingRules) -> None:
        self.game = game
        # Fields of the last line: the next one mostly differs in its betting alone.
        self._last_seat: str | None = None
        self._last_hand: str | None = None
        self._last_cards = ""
        self._last_holes: str | None = None
        self._last_street = -1
        self._seat = self._hand_id = 0
        self._hole_cards: tuple[tuple[int, ...], ...] = ()
        self._board: tuple[int, ...] = ()

    def read(self, line: str) -> MatchState:
        """Return the state that the whole of *line* spells (no line end).

        Raises ProtocolError with the column.
        """
        state = self.quick(line)
        if state is None:
            state, end = self.scan(line)
            if end != len(line):
                raise ProtocolError(line, end, "the end of the line")
            if line.count(":") < _NUM_COLONS:
                raise ProtocolError(line, end, "':'")
        return state

    def quick(self, line: str) -> MatchState | None:
        """Return the state in *line* if it is spelled as a dealer spells it, else None."""
        fields = line.split(":")
        if len(fields) != 5:
            return None
        tag, seat, hand_id, text, cards = fields
        if tag != "MATCHSTATE":
            return None
        # The hand first: of the two it is the one that changes.
        if (hand_id != self._last_hand or seat != self._last_seat) and not self._parse_head(
            seat, hand_id
        ):
            return None
        try:
            betting = self.game.parse(text)
            street = betting.vector[rules.STREET]
            if cards != self._last_cards or street != self._last_street:
                self._parse_cards(cards, street)
        except (ProtocolError, BadCards):
            return None
        return MatchState(self._seat, self._hand_id, betting, self._hole_cards, self._board, line)

    def _parse_head(self, seat: str, hand_id: str) -> bool:
        """Remember the seat and the hand of these texts; False if they are not plainly spelled."""
        if not all(
            text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS
            for text in (seat, hand_id)
        ):
            return False
        numbers = int(seat), int(hand_id)
        if numbers[0] >= self.game.definition.num_players or numbers[1] >= 2**32:
            return False
        self._last_seat, self._last_hand = seat, hand_id
        self._seat, self._hand_id = numbers
        return True

    def _parse_cards(self, text: str, street: int) -> None:
        """Remember the cards of *text*; raises BadCards if they are not the cards of *street*."""
        definition = self.game.definition
        holes, *boards = text.split("/")
        # On the next street the same hands have more cards on the board.
        hole_cards = (
            self._hole_cards if holes == self._last_holes else self._parse_hole_cards(holes)
        )
        board = tuple([card for part in boards for card in parse_cards(part)])
        sizes = [len(part) // 2 for part in boards]
        if definition.num_board_cards[0] or sizes != list(
            definition.num_board_cards[1 : street + 1]
        ):
            raise BadCards(text, "not the board of this street")
        self._last_cards, self._last_street, self._last_holes = text, street, holes
        self._hole_cards, self._board = hole_cards, board

    def _parse_hole_cards(self, text: str) -> tuple[tuple[int, ...], ...]:
        hole_cards = tuple(map(parse_cards, text.split("|")))
        definition = self.game.definition
        if len(hole_cards) != definition.num_players or not {
            len(cards) for cards in hole_cards
        } <= {
            0,
            definition.num_hole_cards,
        }:
            raise BadCards(text, "not the hole cards of this game")
        return hole_cards

    def scan(self, line: str) -> tuple[MatchState, int]:
        """Return the state at the start of *line* and the column behind it; raises ProtocolError.

        As in the official reader, the end of the text may replace the colon behind the betting,
        which gives a state without any cards.
        """
        line = line.partition("\0")[0]
        if not line.startswith(STATE_TAG):
            raise ProtocolError(line, 0, STATE_TAG)
        seat, column = self._scan_header(line, len(STATE_TAG), 8)
        if seat >= self.game.definition.num_players:
            raise ProtocolError(
                line, len(STATE_TAG), f"a position below {self.game.definition.num_players}"
            )
        hand_id, column = self._scan_header(line, column, 32)
        betting, column = self._scan_betting(line, column)
        hole_cards, column = self._scan_hole_cards(line, column)
        board, column = self._scan_board(line, column, betting.street)
        return MatchState(seat, hand_id, betting, hole_cards, board, line[:column]), column

    def _scan_header(self, line: str, column: int, bits: int) -> tuple[int, int]:
        number = scan_number(line, column)
        if number is None:
            raise ProtocolError(line, column, "a number")
        return to_unsigned(number[0], bits), _behind(line, number[1], ":")

    def _scan_betting(self, line: str, column: int) -> tuple[BettingState, int]:
        """Return the betting at *column* and the column behind its colon, or of the text's end."""
        betting = self.game.start
        while column < len(line):
            if line[column] == ":":
                return betting, column + 1
            if line[column] == "/":
                column = len(line) - len(line[column:].lstrip("/"))
                continue
            scanned = scan_action(line, column, is_limit=self.game.definition.is_limit)
            if scanned is None or scanned[0] is None:
                raise ProtocolError(line, column, "an action, '/' or ':'")
            try:
                betting = betting.apply(scanned[0])
            except IllegalAction as error:
                raise ProtocolError(line, column, f"a legal action ({error.reason})") from None
            column = scanned[1]
        return betting, column

    def _scan_hole_cards(self, line: str, column: int) -> tuple[tuple[tuple[int, ...], ...], int]:
        size = self.game.definition.num_hole_cards
        hole_cards = []
        for seat in range(self.game.definition.num_players):
            if seat and line[column : column + 1] == "|":
                column += 1
            cards = scan_cards(line, column, size)
            if cards and len(cards) != size:
                raise ProtocolError(line, column + 2 * len(cards), f"{size} hole cards or none")
            hole_cards.append(cards)
            column += 2 * len(cards)
        return tuple(hole_cards), column

    def _scan_board(self, line: str, column: int, street: int) -> tuple[tuple[int, ...], int]:
        board: tuple[int, ...] = ()
        for index, count in enumerate(self.game.definition.num_board_cards[: street + 1]):
            if index and line[column : column + 1] == "/":
                column += 1
            cards = scan_cards(line, column, count)
            if len(cards) != count:
                raise ProtocolError(line, column + 2 * len(cards), f"{count} board cards")
            board += cards
            column += 2 * count
        return board, column


def scan_cards(line: str, column: int, limit: int) -> tuple[int, ...]:
    """Return the cards that stand at *column*, at most *limit* of them."""
    cards: list[int] = []
    while len(cards) < limit:
        rank = RANKS.find(line[column : column + 1].upper() or "?")
        suit = SUITS.find(line[column + 1 : column + 2].lower() or "?")
        if rank < 0 or suit < 0:
            break
        cards.append(4 * rank + suit)
        column += 2
    return tuple(cards)
