"""Match logs as columns: one row for each hand and seat.

``find_logs`` finds the logs, by their names or in the folders that ``acpcbot match`` writes;
``read_hands`` makes a ``HandTable`` of them. Logs go through the verified reader, so every hand is
replayed before it counts. Axes are [hand] or [hand, seat], hands in the order of the logs, seats in
the order of the hand's positions; players are numbered in the order in which they occur. Cards are
uint8 [hand, seat, card].

All logs must be of one game. Raises what the reader raises, and ``UsageError`` for logs of
different games, for logs without a hand, and for a name that holds a bar.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from acpcbot.arrays import Bytes, Flags, Floats, Ints
from acpcbot.cards.deck import SUITS
from acpcbot.errors import UsageError
from acpcbot.frames import to_dataframe
from acpcbot.logs.card_bytes import RANK_OF_BYTE, SUIT_OF_BYTE
from acpcbot.logs.match_log import HandRecord, HeaderRecord, read_match_log, split_names
from acpcbot.matches.plan import load_plan
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.shipped import recognise
from acpcbot.reports.betting_facts import ReplayedBetting, replay_betting
from acpcbot.reports.betting_replay import BettingFacts, Mark

Opener = Callable[[Path], AbstractContextManager[BinaryIO]]


@dataclass(frozen=True)
class HandTable:
    """The hands of some logs, as arrays over hands and seats."""

    definition: GameDefinition
    sources: tuple[str, ...]
    """The logs' names as they were given."""
    players: tuple[str, ...]
    source: Ints
    """[hand] The log, a place in *sources*."""
    seed: Ints
    """[hand] The seed of the last header before it, -1 where there was none."""
    line_number: Ints
    """[hand] The line in the log, from one."""
    hand_id: Ints
    """[hand] The dealer's number of the hand."""
    betting: tuple[str, ...]
    """[hand] The betting as on the wire."""
    cards: tuple[str, ...]
    """[hand] The cards as on the wire."""
    player: Ints
    """[hand, seat] The player, a place in *players*."""
    chips: Floats
    """[hand, seat] The chips won, negative if lost."""
    unix_time: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    """[hand] The time in Unix seconds, -1 where the log has none; empty without any times."""

    def __repr__(self) -> str:
        return (
            f"HandTable({self.game_name}: {self.num_hands:,} hands,"
            f" {len(self.players)} players, {len(self.sources)} logs)"
        )

    @property
    def num_hands(self) -> int:
        """The number of hands."""
        return len(self.hand_id)

    def chosen(self, hands: Flags) -> HandTable:
        """Return the table of the hands that *hands* [hand] has flags of, in their order.

        Logs and players keep their numbers.
        """
        places = np.flatnonzero(hands)
        return replace(
            self,
            source=self.source[places],
            seed=self.seed[places],
            line_number=self.line_number[places],
            hand_id=self.hand_id[places],
            betting=tuple([self.betting[place] for place in places.tolist()]),
            cards=tuple([self.cards[place] for place in places.tolist()]),
            player=self.player[places],
            chips=self.chips[places],
            unix_time=self.unix_time[places] if len(self.unix_time) else self.unix_time,
        )

    @cached_property
    def game_name(self) -> str:
        """The shipped name of the game, else its betting and its number of players."""
        kind = "limit" if self.definition.is_limit else "no-limit"
        return recognise(self.definition) or f"{kind} poker, {self.definition.num_players} players"

    @cached_property
    def source_names(self) -> tuple[str, ...]:
        """The logs' names without the folders that they share."""
        folders = [Path(source).parent for source in self.sources]
        shared = len(Path(os.path.commonpath(folders)).parts)
        return tuple([Path(*Path(source).parts[shared:]).as_posix() for source in self.sources])

    @cached_property
    def unit_chips(self) -> int:
        """The unit of winnings in chips: the big blind, one chip in games without blinds."""
        return self.definition.big_blind or 1

    @cached_property
    def replayed(self) -> ReplayedBetting:
        """The betting, replayed."""
        ends = np.cumsum([len(text) for text in self.betting], dtype=np.int64)
        return replay_betting("".join(self.betting).encode("latin-1"), ends, self.definition)

    @property
    def facts(self) -> BettingFacts:
        """The counts of all actions."""
        return self.replayed.facts

    @cached_property
    def pot_chips(self) -> Ints:
        """The chips in the pot [hand], without chips that no other seat called."""
        spent = np.sort(self.facts.spent, axis=1)
        pots: Ints = spent.sum(axis=1) - (spent[:, -1] - spent[:, -2])
        return pots

    @cached_property
    def is_showdown(self) -> Flags:
        """The flags of the hands with a showdown, [hand]."""
        return np.asarray(self.facts.marks[:, :, Mark.SHOWED_DOWN].any(axis=1), np.bool_)

    @cached_property
    def hole_cards(self) -> Bytes:
        """The hole cards, uint8 [hand, seat, card]."""
        num_players, size = self.definition.num_players, self.definition.num_hole_cards
        text = "".join([cards[: self._hole_text_size] + "|" for cards in self.cards]).encode()
        letters = np.frombuffer(text, np.uint8).reshape(self.num_hands, num_players, 2 * size + 1)
        cards = RANK_OF_BYTE[letters[:, :, 0:-1:2]] * len(SUITS) + SUIT_OF_BYTE[letters[:, :, 1::2]]
        return cards.astype(np.uint8)

    def records(self) -> Iterator[HandRecord]:
        """Yield the hands again as the logs' reader has them, in their order."""
        game = BettingRules(self.definition)
        numbers = zip(self.line_number.tolist(), self.hand_id.tolist(), strict=True)
        texts = zip(self.betting, self.cards, strict=True)
        seats = zip(self.chips.tolist(), self.player.tolist(), strict=True)
        for (line_number, hand_id), (betting, cards), (chips, players) in zip(
            numbers, texts, seats, strict=True
        ):
            names = "|".join([self.players[player] for player in players])
            yield HandRecord(line_number, hand_id, betting, cards, tuple(chips), names, game)

    def columns(self) -> dict[str, list[Any]]:
        """Return columns by name, with a row for each hand and each of its seats, from 1.

        Numbers of a whole hand stand in the rows of all its seats. ``pot_chips`` is the pot without
        chips that no other seat called, ``chips`` what the seat won; cards and betting are texts as
        on the wire.
        """
        seats, players = self.definition.num_players, self.player.ravel().tolist()
        hands = range(self.num_hands)
        return {
            "log": self._by_seat([self.source_names[source] for source in self.source.tolist()]),
            "line": self._by_seat(self.line_number.tolist()),
            "hand": self._by_seat(self.hand_id.tolist()),
            "seat": list(range(1, seats + 1)) * self.num_hands,
            "player": [self.players[player] for player in players],
            "hole_cards": [cards for hand in hands for cards in self.hole_text(hand).split("|")],
            "board": self._by_seat([self.board_text(hand) for hand in hands]),
            "betting": self._by_seat(self.betting),
            "pot_chips": self._by_seat(self.pot_chips.tolist()),
            "chips": self.chips.ravel().tolist(),
        }

    def to_dataframe(self) -> Any:
        """Return ``columns`` as a data frame of polars, else of pandas."""
        return to_dataframe(self.columns())

    def _by_seat(self, values: Sequence[Any]) -> list[Any]:
        """Return *values* [hand] for every seat of the hand."""
        return [value for value in values for _ in range(self.definition.num_players)]

    def hole_text(self, hand: int) -> str:
        """Return the hole cards of all seats in *hand*, as on the wire."""
        return self.cards[hand][: self._hole_text_size]

    def board_text(self, hand: int) -> str:
        """Return the board of *hand* as on the wire: a slash before the cards of each street.

        A first street without cards has no slash.
        """
        return self.cards[hand][self._hole_text_size :]

    @property
    def _hole_text_size(self) -> int:
        return self.definition.num_players * (2 * self.definition.num_hole_cards + 1) - 1


def find_logs(
    paths: Sequence[Path], definition: GameDefinition | None = None
) -> tuple[list[Path], GameDefinition | None]:
    """Return the logs at *paths* and their game; paths may be folders of ``acpcbot match``.

    The game is *definition*, else that of the first match's folder, else None. Raises
    ``UsageError`` for a folder that holds no match or none of its logs.
    """
    logs: list[Path] = []
    for path in paths:
        if path.is_dir():
            found, game = _logs_of_match(path)
            logs += found
            definition = definition or game
        else:
            logs.append(path)
    return logs, definition


def _logs_of_match(folder: Path) -> tuple[list[Path], GameDefinition]:
    plan = load_plan(folder)
    logs = [folder / f"{table.name}.log" for table in plan.tables()]
    found = [log for log in logs if log.exists()]
    if not found:
        raise UsageError(
            f"{folder} holds no logs", f"play the match first: acpcbot match --resume {folder}"
        )
    return found, plan.definition


def _open(path: Path) -> BinaryIO:
    return path.open("rb")


def read_hands(
    paths: Sequence[Path], definition: GameDefinition | None = None, open_log: Opener = _open
) -> HandTable:
    """Return the hands of the logs at *paths*, all of one game, opened by *open_log*."""
    columns = _Columns()
    for number, path in enumerate(paths):
        columns.begin_log()
        with open_log(path) as file:
            for entry in read_match_log(file, definition):
                if isinstance(entry, HandRecord):
                    columns.add(number, entry)
                elif isinstance(entry, HeaderRecord):
                    columns.seed_now = entry.seed
    return columns.table(tuple(map(str, paths)))


class _Columns:
    """Columns that grow hand by hand."""

    def __init__(self) -> None:
        self.definition: GameDefinition | None = None
        self.seed_now = -1
        self.betting: list[str] = []
        self.cards: list[str] = []
        self._numbers = array("q")
        self._player = array("q")
        self._chips = array("d")
        self._times = array("q")
        self._players: dict[str, int] = {}
        self._seatings: dict[str, list[int]] = {}

    def begin_log(self) -> None:
        self.seed_now = -1

    def add(self, source: int, hand: HandRecord) -> None:
        self._verify_game(hand.game.definition)
        self._numbers.extend((source, self.seed_now, hand.line_number, hand.hand_id))
        self.betting.append(hand.betting_text)
        self.cards.append(hand.cards_text)
        self._player.extend(self._seating(hand.seating_text, len(hand.values)))
        self._chips.extend(hand.values)
        time = hand.unix_time
        self._times.append(-1 if time is None else time)

    def _verify_game(self, definition: GameDefinition) -> None:
        if self.definition is None:
            self.definition = definition
        elif self.definition is not definition and self.definition != definition:
            raise UsageError(
                "the logs are of different games", "report on the logs of one game at a time"
            )

    def _seating(self, names_text: str, num_players: int) -> list[int]:
        known = self._seatings.get(names_text)
        if known is None:
            names = split_names(names_text, num_players)
            known = [self._players.setdefault(name, len(self._players)) for name in names]
            self._seatings[names_text] = known
        return known

    def table(self, sources: tuple[str, ...]) -> HandTable:
        if self.definition is None:
            raise UsageError(
                f"no hands in {', '.join(sources)}", "a match log has a STATE line for every hand"
            )
        source, seed, line_number, hand_id = _rows(np.array(self._numbers, np.int64), 4).T
        return HandTable(
            definition=self.definition,
            sources=sources,
            players=tuple(self._players),
            source=source,
            seed=seed,
            line_number=line_number,
            hand_id=hand_id,
            betting=tuple(self.betting),
            cards=tuple(self.cards),
            player=_rows(np.array(self._player, np.int64), self.definition.num_players),
            chips=np.array(self._chips, np.float64).reshape(-1, self.definition.num_players),
            unix_time=np.array(self._times, np.int64),
        )


def _rows(numbers: Ints, width: int) -> Ints:
    return numbers.reshape(-1, width)
