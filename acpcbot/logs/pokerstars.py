"""Files of hands in the format of PokerStars, read into match logs.

``pokerstars_writer.py`` writes them and shows one. The module reads from the whole to the parts:
files (``read_pokerstars``), the lines of a hand (``TextHand``), hands (``hand_record``), games.

A match log has whole chips, everybody's hole cards and the same blinds, stacks and bets throughout.
So hands are refused where a hole card is not told, where a cent, a rake or a dead blind is paid, or
where stacks are those of another game. Every amount in the text is compared with our rules: a bet,
a call, and what is collected, where PokerStars gives odd chips to one player and our games share
them.

Refusals are ``UsageError`` and name the hand. Talk, and players who come and go, are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from acpcbot.cards.deck import parse_cards
from acpcbot.errors import BadCards, BadDefinition, IllegalAction, ProtocolError, UsageError
from acpcbot.logs.entries import PRINTED_TOLERANCE, HandRecord
from acpcbot.logs.holdem_table import HoldemTable, holdem_definition, most_limit_chips
from acpcbot.logs.line import parse_hand, verify_hand
from acpcbot.logs.pokerstars_writer import pokerstars_table, pokerstars_text, write_pokerstars
from acpcbot.poker.actions import CALLING, FOLDING, LIMIT_RAISING, Action, raising
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.dealing import Deal
from acpcbot.poker.definition import UNLIMITED_STACK, GameDefinition
from acpcbot.poker.payoffs import payoffs
from acpcbot.protocol.records import format_state_record

__all__ = [
    "TextHand",
    "hand_record",
    "pokerstars_text",
    "read_pokerstars",
    "text_definition",
    "write_pokerstars",
]

MAX_HAND_ID = 2**32
_HEAD = re.compile(
    r"PokerStars (?:Zoom )?(?:Hand|Game) #(?P<number>\d+):.*?"
    r"(?P<game>(?:6\+ )?\S+ (?:No Limit|Pot Limit|Limit)).*?\((?P<small>[^/]+)/(?P<big>[^ )]+)"
)
_BUTTON = re.compile(r"Table .*Seat #(?P<seat>\d+) is the button")
_SEAT = re.compile(r"Seat (?P<seat>\d+): (?P<name>.+) \((?P<stack>\S+) in chips\)(?P<rest>.*)")
_STREET = re.compile(r"\*\*\* (?:FLOP|TURN|RIVER) \*\*\* (?:\[[^]]*\] )?\[(?P<cards>[^]]*)\]")
_DEALT = re.compile(r"Dealt to (?P<name>.+) \[(?P<cards>[^]]*)\]")
_SUMMARY_CARDS = re.compile(r"Seat (?P<seat>\d+): .* (?:showed|mucked) \[(?P<cards>[^]]*)\](?: |$)")
_SHOWS = re.compile(r"shows \[(?P<cards>[^]]*)\]")
_POST = re.compile(r"posts (?P<what>the ante|small blind|big blind|.*?) (?P<chips>\S+)$")
_PLAY = re.compile(
    r"(?P<verb>folds|checks|calls|bets|raises)(?: (?P<chips>\S+))?(?: to (?P<to>\S+))?"
)
_UNCALLED = re.compile(r"Uncalled bet \((?P<chips>[^)]+)\) returned to (?P<name>.+)")
_COLLECTED = re.compile(r"(?P<name>.+) collected (?P<chips>\S+) from .*pot")
_ALL_IN = " and is all-in"
_HARMLESS = ("doesn't show hand", "mucks hand", "is sitting out", "has timed out", "sits out")
_SUMMARY = "*** SUMMARY ***"


@dataclass(slots=True)
class TextHand:
    """A hand as its text tells it; players are numbered from the first behind the button.

    ``plays`` are a player, a verb and two amounts, in order: those of ``calls 50``, ``bets 50`` and
    ``raises 50 to 150``, -1 where there is none.
    """

    number: int
    game: str
    bets: tuple[str, str]
    names: list[str] = field(default_factory=list)
    stacks: list[int] = field(default_factory=list)
    antes: dict[int, int] = field(default_factory=dict)
    blinds: dict[int, int] = field(default_factory=dict)
    plays: list[tuple[int, str, int, int]] = field(default_factory=list)
    hole_cards: dict[int, str] = field(default_factory=dict)
    board: str = ""
    returned: dict[int, float] = field(default_factory=dict)
    collected: list[tuple[int, float]] = field(default_factory=list)

    def refusal(self, reason: str, hint: str = "") -> UsageError:
        """Return the error that this hand cannot be converted."""
        return UsageError(f"hand #{self.number} cannot be converted: {reason}", hint)


def read_pokerstars(source: Path, definition: GameDefinition | None = None) -> Iterator[HandRecord]:
    """Yield the hands in the file *source*.

    Without *definition* the game is that of the first hand.
    """
    game = None if definition is None else BettingRules(definition)
    try:
        text = source.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{source} is no text in UTF-8", "save it with this encoding") from None
    for place, lines in enumerate(_hands_of(text)):
        hand = _parsed(lines)
        if game is None:
            game = BettingRules(text_definition(hand))
        yield hand_record(hand, place, game)
    if game is None:
        raise UsageError(f"{source} holds no hand of PokerStars", "a hand begins with PokerStars")


def _hands_of(text: str) -> Iterator[list[str]]:
    """Yield the lines of each hand."""
    lines: list[str] = []
    for line in text.splitlines():
        if line.startswith("PokerStars ") and _HEAD.match(line):
            if lines:
                yield lines
            lines = [line]
        elif lines and line.strip():
            lines.append(line.rstrip())
    if lines:
        yield lines


def _parsed(lines: Sequence[str]) -> TextHand:
    head = _HEAD.match(lines[0])
    assert head is not None
    hand = TextHand(int(head["number"]), head["game"], (head["small"], head["big"]))
    return _Reader(hand).read(lines[1:])


class _Reader:
    """A reader of the lines of one hand, which fills *hand*."""

    def __init__(self, hand: TextHand) -> None:
        self.hand = hand
        self._seats: dict[int, int] = {}
        self._players: dict[str, int] = {}

    def read(self, lines: Sequence[str]) -> TextHand:
        end = lines.index(_SUMMARY) if _SUMMARY in lines else len(lines)
        body = self._seated(lines[:end])
        for line in body:
            self._line(line)
        for line in lines[end:]:
            if (found := _SUMMARY_CARDS.match(line)) and int(found["seat"]) in self._seats:
                self._hold(self._seats[int(found["seat"])], found["cards"])
        return self.hand

    def _seated(self, lines: Sequence[str]) -> Sequence[str]:
        """Number the players, and return the lines behind them."""
        button, seats, count = 0, [], 0
        for count, line in enumerate(lines):  # noqa: B007 (used behind the loop)
            if found := _BUTTON.match(line):
                button = int(found["seat"])
            elif found := _SEAT.match(line):
                if "out of hand" not in found["rest"] and "sitting out" not in found["rest"]:
                    seats.append((int(found["seat"]), found["name"], found["stack"]))
            else:
                break
        if not button or len(seats) < 2:
            raise self.hand.refusal("it lacks the button, or players with stacks")
        first = next((place for place, seat in enumerate(seats) if seat[0] > button), 0)
        for player, (seat, name, stack) in enumerate(seats[first:] + seats[:first]):
            self._seats[seat] = self._players[name] = player
            self.hand.names.append(name)
            self.hand.stacks.append(self._chips(stack))
        return lines[count:]

    def _line(self, line: str) -> None:
        if found := _STREET.match(line):
            self.hand.board += found["cards"].replace(" ", "")
        elif found := _DEALT.match(line):
            self._hold(self._player(found["name"]), found["cards"])
        elif found := _UNCALLED.match(line):
            self.hand.returned[self._player(found["name"])] = self._chips(found["chips"])
        elif (found := _COLLECTED.match(line)) and found["name"] in self._players:
            chips = self._fraction(found["chips"])
            self.hand.collected.append((self._player(found["name"]), chips))
        elif (speaker := self._speaker(line)) is not None:
            self._act(speaker, line[len(self.hand.names[speaker]) + 2 :])

    def _speaker(self, line: str) -> int | None:
        """Return the player whose name and a colon begin *line*: the longest such name."""
        names = [name for name in self._players if line.startswith(f"{name}: ")]
        return self._players[max(names, key=len)] if names else None

    def _act(self, player: int, text: str) -> None:
        text = text.removesuffix(_ALL_IN)
        if found := _POST.match(text):
            self._post(player, found["what"], self._chips(found["chips"]))
        elif found := _SHOWS.match(text):
            self._hold(player, found["cards"])
        elif found := _PLAY.fullmatch(text):
            amounts = [-1 if part is None else self._chips(part) for part in found.group(2, 3)]
            self.hand.plays.append((player, found["verb"], amounts[0], amounts[1]))
        elif not text.startswith(_HARMLESS):
            raise self.hand.refusal(f"{text!r} of {self.hand.names[player]} is no known action")

    def _post(self, player: int, what: str, chips: int) -> None:
        posts = self.hand.antes if what == "the ante" else self.hand.blinds
        if what not in ("the ante", "small blind", "big blind") or player in posts:
            raise self.hand.refusal(
                f"{self.hand.names[player]} posts {what} {chips}",
                "expected an ante of all players, a small and a big blind",
            )
        posts[player] = chips

    def _hold(self, player: int, cards: str) -> None:
        told = cards.replace(" ", "")
        if self.hand.hole_cards.setdefault(player, told) != told:
            raise self.hand.refusal(f"{self.hand.names[player]} holds two different hands")

    def _player(self, name: str) -> int:
        if name not in self._players:
            raise self.hand.refusal(f"{name!r} has no seat")
        return self._players[name]

    def _chips(self, text: str) -> int:
        if not text.isdecimal():
            raise self.hand.refusal(
                f"{text} is no number of whole chips", "expected a game for play money"
            )
        return int(text)

    def _fraction(self, text: str) -> float:
        try:
            return float(text)
        except ValueError:
            return self._chips(text)


def hand_record(hand: TextHand, place: int, game: BettingRules) -> HandRecord:
    """Return the record of *hand*, at *place* (from 0) of its file, as a hand of *game*."""
    table = pokerstars_table(game.definition)
    _verify_game(hand, table)
    betting = _betting(hand, table, game)
    deal = _deal(hand, table, betting)
    values = payoffs(betting, deal.hole_cards, deal.board)
    _verify_values(hand, table, betting, values)
    hand_id = hand.number if hand.number < MAX_HAND_ID else place
    names = table.by_position(hand.names)
    if any("|" in name for name in names):
        raise hand.refusal("a name holds a bar, which separates names in a match log")
    line = format_state_record(hand_id, betting, deal, values, names)
    try:
        _, exact = verify_hand(line, game, 0, PRINTED_TOLERANCE)
    except ProtocolError as error:
        raise hand.refusal(f"in the match log, {error}") from None
    return parse_hand(line, place + 1, game, exact)


def text_definition(hand: TextHand) -> GameDefinition:
    """Return the game of *hand*, positions in the order of its players, usual raise limits."""
    if hand.game not in ("Hold'em Limit", "Hold'em No Limit"):
        raise hand.refusal(f"{hand.game} is another game", "convert limit and no-limit hold'em")
    bets = _bets(hand) if hand.game == "Hold'em Limit" else ()
    ante = max(hand.antes.values(), default=0)
    blinds = [ante + hand.blinds.get(player, 0) for player in range(len(hand.names))]
    try:
        definition = holdem_definition(hand.stacks, blinds, bets)
        if bets and min(hand.stacks) >= most_limit_chips(definition):
            definition = holdem_definition([UNLIMITED_STACK] * len(blinds), blinds, bets)
    except BadDefinition as error:
        raise hand.refusal(f"its game cannot be played: {error}") from None
    return definition


def _bets(hand: TextHand) -> tuple[int, int]:
    if not all(bet.isdecimal() for bet in hand.bets):
        raise hand.refusal(f"bets of {hand.bets[0]} and {hand.bets[1]} are no whole chips")
    return int(hand.bets[0]), int(hand.bets[1])


def _verify_game(hand: TextHand, table: HoldemTable) -> None:
    """Raise ``UsageError`` unless *hand* is one of the game of *table*."""
    definition = table.definition
    wanted = "Hold'em Limit" if definition.is_limit else "Hold'em No Limit"
    problems = {
        "the game": hand.game != wanted,
        "the number of players": len(hand.names) != definition.num_players,
    }
    if not any(problems.values()):
        players = range(definition.num_players)
        stacks = zip(hand.stacks, table.by_player(definition.stacks), strict=True)
        unused = most_limit_chips(definition) if definition.is_limit else 0
        problems = {
            "the blinds": [hand.blinds.get(player, 0) for player in players] != table.blinds,
            "the antes": any(hand.antes.get(player, 0) != table.ante for player in players),
            "the stacks": any(
                shown != stack and not (stack == UNLIMITED_STACK and shown >= unused)
                for shown, stack in stacks
            ),
            "the bets": definition.is_limit and _bets(hand) != definition.raise_sizes[::2],
        }
    for what, is_other in problems.items():
        if is_other:
            raise hand.refusal(
                f"{what}: not those of the game", "all hands of a match log are of one game"
            )


def _betting(hand: TextHand, table: HoldemTable, game: BettingRules) -> BettingState:
    """Return the betting of *hand*, replayed by our rules, every amount compared."""
    betting, base = game.start, table.ante
    for player, verb, chips, to in hand.plays:
        position = table.position(player)
        if betting.is_over or position != betting.actor:
            raise hand.refusal(f"{hand.names[player]} {verb} out of turn after {betting.text!r}")
        action = _action(verb, chips if to < 0 else to, base, is_limit=game.definition.is_limit)
        try:
            after = betting.apply(action)
        except IllegalAction as error:
            raise hand.refusal(str(error)) from None
        paid, raised_to = after.spent[position] - betting.spent[position], after.max_spent - base
        expected = {
            "folds": (-1, -1),
            "checks": (-1, -1),
            "calls": (paid, -1),
            "bets": (raised_to, -1),
            "raises": (after.max_spent - betting.max_spent, raised_to),
        }[verb]
        if (chips, to) != expected or (verb == "checks" and paid) or (verb == "calls" and not paid):
            raise hand.refusal(
                f"{hand.names[player]} {verb} other chips than the rules say"
                f" after {betting.text!r}: {chips if to < 0 else to}"
            )
        if (verb == "bets") != (betting.max_spent == base) and verb in ("bets", "raises"):
            raise hand.refusal(f"{hand.names[player]} {verb} after {betting.text!r}")
        base = after.max_spent if after.street > betting.street else base
        betting = after
    if not betting.is_over:
        raise hand.refusal("the betting is not over")
    return betting


def _action(verb: str, chips: int, base: int, *, is_limit: bool) -> Action:
    if verb == "folds":
        return FOLDING
    if verb in ("checks", "calls"):
        return CALLING
    return LIMIT_RAISING if is_limit else raising(chips + base)


def _deal(hand: TextHand, table: HoldemTable, betting: BettingState) -> Deal:
    players = range(table.definition.num_players)
    try:
        held = [parse_cards(hand.hole_cards.get(player, "")) for player in players]
        board = parse_cards(hand.board)
    except BadCards as error:
        raise hand.refusal(str(error)) from None
    if any(len(cards) != table.definition.num_hole_cards for cards in held):
        raise hand.refusal("a match log has everybody's hole cards, and here some are unknown")
    if len(board) != table.definition.board_size(betting.street):
        raise hand.refusal(f"a board of {len(board)} cards after {betting.text!r}")
    return Deal(tuple(table.by_position(held)), board)


def _verify_values(
    hand: TextHand, table: HoldemTable, betting: BettingState, values: Sequence[float]
) -> None:
    """Compare what players collect with *values*, by position; odd chips may go to one of them."""
    won = [
        hand.returned.get(player, 0.0) - spent
        for player, spent in enumerate(table.by_player(betting.spent))
    ]
    for player, chips in hand.collected:
        won[player] += chips
    expected = table.by_player(values)
    # A pot that is split leaves less than a chip to everybody, and each is collected by somebody.
    pots = len(hand.collected)
    is_near = all(abs(mine - wanted) < pots for mine, wanted in zip(won, expected, strict=True))
    if not is_near or abs(sum(won)) >= PRINTED_TOLERANCE * 2 * max(1, pots):
        raise hand.refusal(f"the players win {won}, by our rules {expected}")
