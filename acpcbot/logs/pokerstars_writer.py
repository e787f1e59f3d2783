"""Hands of hold'em as text in the format of PokerStars, play money, written from match logs.

    PokerStars Hand #7: Hold'em No Limit (50/100) - 2026/01/31 20:00:00 UTC
    Table 'acpcbot' 2-max (Play Money) Seat #2 is the button
    Seat 1: Alice (20000 in chips)
    Seat 2: Bob (20000 in chips)
    Bob: posts small blind 50
    Alice: posts big blind 100
    *** HOLE CARDS ***
    Dealt to Alice [Qc Kc]
    Dealt to Bob [4d 2h]
    Bob: raises 200 to 300
    Alice: folds
    Uncalled bet (200) returned to Bob
    Bob collected 200 from pot
    Bob: doesn't show hand
    *** SUMMARY ***
    Total pot 200 | Rake 0
    Seat 1: Alice (big blind) folded before Flop
    Seat 2: Bob (button) (small blind) collected (200)

Three things differ from a file of PokerStars. Everybody's hole cards are dealt in the open, for a
match log has them all. Pots that do not divide are shared in fractions of chips, with up to six
decimals, as our games pay them. Hands are numbered as in the log; one without a time has that of
1970.

A player keeps its seat, and the button moves, as long as the same names go round. Limit games
without stacks show one that no hand can use up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from acpcbot.cards.any_strength import strength
from acpcbot.cards.deck import format_card
from acpcbot.errors import UsageError
from acpcbot.logs.entries import DECIMALS, HandRecord
from acpcbot.logs.holdem_table import HoldemTable, most_limit_chips, obstacles
from acpcbot.poker import rules
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import UNLIMITED_STACK, GameDefinition

TABLE_NAME = "acpcbot"
TABLE_SIZES = (2, 6, 9, 10)
BIG_BETS_SHOWN = 100
FOLDED_ON = ("before Flop", "on the Flop", "on the Turn", "on the River")
CLASS_SHIFT = 26
CLASSES = (
    "high card",
    "a pair",
    "two pair",
    "three of a kind",
    "a straight",
    "a flush",
    "a full house",
    "four of a kind",
    "a straight flush",
)


def write_pokerstars(hands: Iterable[HandRecord], target: Path) -> int:
    """Write *hands* to the file *target*; return their number.

    Raises ``UsageError`` for games and names that the format cannot express.
    """
    count, seats = 0, _Seats()
    with target.open("w", encoding="utf-8", newline="\n") as file:
        for hand in hands:
            file.write(f"{pokerstars_text(hand, seats.of(hand.names))}\n\n\n")
            count += 1
    return count


def pokerstars_text(hand: HandRecord, seats: Sequence[int] = ()) -> str:
    """Return the text of *hand*, with the players in *seats* by position, numbered from 1.

    Without *seats* the positions are the seats.
    """
    table = pokerstars_table(hand.game.definition)
    writer = _Writer(hand, table, tuple(seats) or tuple(range(1, len(hand.names) + 1)))
    return "\n".join(writer.lines())


def pokerstars_table(definition: GameDefinition) -> HoldemTable:
    """Return the game *definition* as a table of PokerStars; raises ``UsageError``."""
    table = HoldemTable(definition, definition.first_seats[-1])
    if reason := next(obstacles(definition), None) or _obstacle(table):
        raise UsageError(
            f"PokerStars has no form for this game: {reason}", "convert hold'em with four streets"
        )
    return table


def _obstacle(table: HoldemTable) -> str:
    """The reason why *table* has no form, or nothing."""
    blinds = table.blinds
    small, big = _blind_players(len(blinds))
    if any(blind for player, blind in enumerate(blinds) if player not in (small, big)):
        return "there are more than two blinds"
    if blinds[small] > blinds[big] or (blinds[big] == 0 and not table.ante):
        return "the small blind is larger than the big one"
    if not table.definition.is_limit and UNLIMITED_STACK in table.definition.stacks:
        return "a no-limit game without stacks"
    return ""


def _blind_players(num_players: int) -> tuple[int, int]:
    """The players with the small and the big blind; heads-up the button has the small one."""
    return (1, 0) if num_players == 2 else (0, 1)


def shown_stack(definition: GameDefinition, position: int) -> int:
    """Return the stack that the text shows: the real one, or more than can be used."""
    stack = definition.stacks[position]
    if stack < UNLIMITED_STACK:
        return stack
    return max(most_limit_chips(definition), BIG_BETS_SHOWN * definition.raise_sizes[-1])


class _Seats:
    """The seats of players over a file: the first hand's, as long as the same names go round."""

    def __init__(self) -> None:
        self._names: tuple[str, ...] = ()

    def of(self, names: tuple[str, ...]) -> tuple[int, ...]:
        """The seats of *names*, by position."""
        count = len(names)
        for shift in range(len(self._names)):
            if self._names[shift:] + self._names[:shift] == names:
                return tuple([(place + shift) % count + 1 for place in range(count)])
        self._names = names
        return tuple(range(1, count + 1))


@dataclass(frozen=True, slots=True)
class Pot:
    """Chips for which the same players, by position, are still in."""

    chips: int
    players: tuple[int, ...]


def uncalled_chips(betting: BettingState) -> tuple[int, int]:
    """Return the position with the most chips in, and how many of them nobody has matched."""
    spent = betting.spent
    most = max(range(len(spent)), key=spent.__getitem__)
    return most, spent[most] - max(chips for seat, chips in enumerate(spent) if seat != most)


def pots_of(betting: BettingState) -> list[Pot]:
    """Return the main pot and the side pots of a finished hand, without what came back."""
    most, uncalled = uncalled_chips(betting)
    spent = list(betting.spent)
    spent[most] -= uncalled
    found: list[Pot] = []
    floor = 0
    for level in sorted(set(spent) - {0}):
        chips = sum(min(paid, level) - min(paid, floor) for paid in spent)
        players = tuple(
            [
                seat
                for seat, has_folded in enumerate(betting.folded)
                if not has_folded and spent[seat] >= level
            ]
        )
        if found and players == found[-1].players:
            found[-1] = Pot(found[-1].chips + chips, found[-1].players)
        else:
            found.append(Pot(chips, players))
        floor = level
    return found


def chips_text(chips: float) -> str:
    """Return *chips* with up to six decimals, and none where they are whole.

    >>> chips_text(150.5), chips_text(100 / 3), chips_text(20.0)
    ('150.5', '33.333333', '20')
    """
    return f"{chips:.{DECIMALS}f}".rstrip("0").rstrip(".")


def _cards_text(cards: Sequence[int]) -> str:
    return f"[{' '.join(map(format_card, cards))}]"


class _Writer:
    """The lines of one hand."""

    def __init__(self, hand: HandRecord, table: HoldemTable, seats: tuple[int, ...]) -> None:
        self.hand, self.table, self.seats = hand, table, seats
        self.definition = table.definition
        self.names = [_verified_name(name) for name in hand.names]
        if len(set(self.names)) < len(self.names):
            raise UsageError(
                f"hand {hand.hand_id}: two players are called alike in {hand.names_text!r}",
                "the format tells players by their names",
            )
        self.betting, self.deal = hand.betting, hand.deal
        self.button = table.position(self.definition.num_players - 1)
        self.by_seat = sorted(range(len(seats)), key=seats.__getitem__)
        self.blind_positions = tuple(map(table.position, _blind_players(len(seats))))
        self.folded_on: dict[int, int] = {}

    def lines(self) -> Iterator[str]:
        yield from self._head()
        yield from self._posts()
        yield "*** HOLE CARDS ***"
        for position in self.by_seat:
            held = _cards_text(self.deal.hole_cards[position])
            yield f"Dealt to {self.names[position]} {held}"
        yield from self._play()
        won = dict.fromkeys(range(len(self.names)), 0.0)
        yield from self._end(won)
        yield from self._summary(won)

    def _head(self) -> Iterator[str]:
        kind = "Limit" if self.definition.is_limit else "No Limit"
        bets = self.definition.raise_sizes[::2] or [
            self.table.blinds[player] for player in _blind_players(len(self.names))
        ]
        played = datetime.fromtimestamp(self.hand.unix_time or 0, UTC)
        yield (
            f"PokerStars Hand #{self.hand.hand_id}: Hold'em {kind} ({bets[0]}/{bets[1]})"
            f" - {played:%Y/%m/%d %H:%M:%S} UTC"
        )
        size = next(size for size in TABLE_SIZES if size >= len(self.names))
        button = self.seats[self.button]
        yield f"Table '{TABLE_NAME}' {size}-max (Play Money) Seat #{button} is the button"
        for position in self.by_seat:
            stack = shown_stack(self.definition, position)
            yield f"Seat {self.seats[position]}: {self.names[position]} ({stack} in chips)"

    def _posts(self) -> Iterator[str]:
        if self.table.ante:
            for position in self.by_seat:
                yield f"{self.names[position]}: posts the ante {self.table.ante}"
        for position, word in zip(self.blind_positions, ("small", "big"), strict=True):
            blind = self.definition.blinds[position] - self.table.ante
            if blind:
                yield f"{self.names[position]}: posts {word} blind {blind}"

    def _play(self) -> Iterator[str]:
        """Every action, and the cards of each street."""
        base = self.table.ante
        for before, action in self.betting.decisions():
            after = before.apply(action)
            yield self._action(before, after, action, base)
            if action.kind == rules.FOLD:
                self.folded_on[before.actor] = before.street
            for street in range(before.street + 1, after.street + 1):
                yield self._street(street)
                base = after.max_spent

    def _action(self, before: BettingState, after: BettingState, action: Action, base: int) -> str:
        actor = before.actor
        name, added = self.names[actor], after.spent[actor] - before.spent[actor]
        if action.kind == rules.FOLD:
            return f"{name}: folds"
        if action.kind == rules.CALL:
            text = f"calls {added}" if added else "checks"
        elif before.max_spent == base:
            text = f"bets {after.max_spent - base}"
        else:
            text = f"raises {after.max_spent - before.max_spent} to {after.max_spent - base}"
        is_all_in = added and after.spent[actor] == self.definition.stacks[actor]
        return f"{name}: {text}{' and is all-in' if is_all_in else ''}"

    def _street(self, street: int) -> str:
        size = self.definition.board_size
        before, added = self.deal.board[: size(street - 1)], self.deal.board[size(street - 1) :]
        cards = _cards_text(added[: size(street) - size(street - 1)])
        title = ("FLOP", "TURN", "RIVER")[street - 1]
        return f"*** {title} *** {f'{_cards_text(before)} ' if before else ''}{cards}"

    def _end(self, won: dict[int, float]) -> Iterator[str]:
        """Chips that come back, cards that are shown, and pots; *won* is filled by position."""
        most, uncalled = uncalled_chips(self.betting)
        if uncalled:
            yield f"Uncalled bet ({uncalled}) returned to {self.names[most]}"
        if self.betting.is_showdown:
            yield "*** SHOW DOWN ***"
            for position in self.table.by_player(range(len(self.names))):
                if self.betting.shows(position):
                    cards = self.deal.hole_cards[position]
                    name = CLASSES[self._strength(position) >> CLASS_SHIFT]
                    yield f"{self.names[position]}: shows {_cards_text(cards)} ({name})"
        pots = pots_of(self.betting)
        for number, pot in reversed(list(enumerate(pots))):
            title = "pot" if len(pots) == 1 else "main pot"
            if number:
                title = "side pot" if len(pots) == 2 else f"side pot-{number}"
            winners = self._winners(pot)
            for position in winners:
                share = pot.chips / len(winners)
                won[position] += share
                yield f"{self.names[position]} collected {chips_text(share)} from {title}"
        if not self.betting.is_showdown:
            yield f"{self.names[pots[0].players[0]]}: doesn't show hand"

    def _strength(self, position: int) -> int:
        return strength((*self.deal.hole_cards[position], *self.deal.board))

    def _winners(self, pot: Pot) -> list[int]:
        if not self.betting.is_showdown:
            return list(pot.players)
        best = max(map(self._strength, pot.players))
        return [position for position in pot.players if self._strength(position) == best]

    def _summary(self, won: dict[int, float]) -> Iterator[str]:
        yield "*** SUMMARY ***"
        pots = [pot.chips for pot in pots_of(self.betting)]
        parts = ""
        if len(pots) > 1:
            sides = ("Side pot",) if len(pots) == 2 else [f"Side pot-{n}" for n in range(1, 11)]
            parts = f" Main pot {pots[0]}." + "".join(
                [f" {side} {chips}." for side, chips in zip(sides, pots[1:], strict=False)]
            )
        yield f"Total pot {sum(pots)}{parts} | Rake 0"
        if self.deal.board:
            yield f"Board {_cards_text(self.deal.board)}"
        for position in self.by_seat:
            marks = " (button)" if position == self.button else ""
            for place, word in zip(self.blind_positions, ("small", "big"), strict=True):
                if position == place and self.definition.blinds[place] > self.table.ante:
                    marks += f" ({word} blind)"
            end = self._end_of(position, won[position])
            yield f"Seat {self.seats[position]}: {self.names[position]}{marks} {end}"

    def _end_of(self, position: int, won: float) -> str:
        if position in self.folded_on:
            return f"folded {FOLDED_ON[self.folded_on[position]]}"
        if not self.betting.is_showdown:
            return f"collected ({chips_text(won)})"
        cards = _cards_text(self.deal.hole_cards[position])
        name = CLASSES[self._strength(position) >> CLASS_SHIFT]
        if won:
            return f"showed {cards} and won ({chips_text(won)}) with {name}"
        return f"showed {cards} and lost with {name}"


def _verified_name(name: str) -> str:
    """Return *name*, checked for use in the text; raises ``UsageError``."""
    is_plain = name == name.strip() and name.isprintable() and name
    if not is_plain or any(0xDC80 <= ord(letter) <= 0xDCFF for letter in name):
        raise UsageError(
            f"the name {name!r} cannot be written in PokerStars' format",
            "expected printable letters, with none of them blank at an end",
        )
    return name
