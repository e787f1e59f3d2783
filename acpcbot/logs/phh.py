"""Poker Hand History (PHH) files of hold'em matches, written from match logs and read into them.

A ``.phhs`` file holds many hands, a ``.phh`` file one. The optional package pokerkit is needed,
and imported when it is first used. Source of the format: https://phh.readthedocs.io

The module reads from the whole to the parts: files (``write_phh``, ``read_phh``), hands
(``hand_history``, ``hand_record``), games (``PhhTable``).

* PHH has hold'em of four streets only. It numbers the players from the first to act after the
  flop; the first to act before the flop follows from the blinds. In PHH an ante is paid by all
  players and is not a bet; in game definitions it is part of every blind.
* In both directions pokerkit plays the hand and must arrive at the payoffs of our rules, with
  pots split in fractions of chips. Hands that pokerkit would play differently (for example a
  raise behind a short all-in) are refused, and so are hands with unknown hole cards.

Games, hands and files that cannot be converted raise ``UsageError``.
"""

from __future__ import annotations

import re
import tomllib
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from acpcbot.cards.deck import format_cards
from acpcbot.errors import ProtocolError, UsageError
from acpcbot.logs.entries import PRINTED_TOLERANCE, HandRecord, ScoreRecord
from acpcbot.logs.holdem_table import HoldemTable, holdem_definition, obstacles
from acpcbot.logs.kit_states import betting_of_state, deal_of_state, split_evenly
from acpcbot.logs.line import parse_hand, verify_hand
from acpcbot.logs.source import NAMES_ENCODING, NAMES_ERRORS
from acpcbot.logs.tally import MatchTally
from acpcbot.poker.betting import BettingRules, BettingState, parse_action
from acpcbot.poker.dealing import Deal
from acpcbot.poker.definition import UNLIMITED_STACK, GameDefinition
from acpcbot.poker.payoffs import payoffs
from acpcbot.protocol.records import format_state_record

if TYPE_CHECKING:
    from pokerkit import HandHistory


LIMIT, NO_LIMIT = "FT", "NT"
INSTALL_HINT = "./dev extras in a clone; elsewhere: pip install 'pokerkit>=0.6'"
TOLERANCE = 1e-6
_ACTION = re.compile(r"[fcr][0-9]*")
_UNWRITABLE = re.compile(r"[\x00-\x1f\x7f]|''")


ONE_HAND, MANY_HANDS = ".phh", ".phhs"


def write_phh(hands: Iterable[HandRecord], target: Path) -> int:
    """Write *hands* to *target*, a ``.phhs`` file or else a folder for ``.phh`` files.

    Returns the number of hands.
    """
    if target.suffix == ONE_HAND:
        raise UsageError(
            f"{target.name!r} would hold one hand only", "give a .phhs file, or a folder"
        )
    if target.suffix == MANY_HANDS:
        with target.open("w", encoding="utf-8", newline="\n") as file:
            return sum(
                file.write(f"[{number}]\n{text}\n\n") > 0 for number, text in _numbered_texts(hands)
            )
    target.mkdir(parents=True, exist_ok=True)
    return sum(
        (target / f"{number}{ONE_HAND}").write_text(f"{text}\n", encoding="utf-8") > 0
        for number, text in _numbered_texts(hands)
    )


def _numbered_texts(hands: Iterable[HandRecord]) -> Iterator[tuple[int, str]]:
    for number, hand in enumerate(hands, 1):
        yield number, hand_history(hand).dumps()


def read_phh(source: Path, definition: GameDefinition | None = None) -> Iterator[HandRecord]:
    """Yield the hands in *source*, a ``.phhs`` or ``.phh`` file or a folder of ``.phh`` files.

    Without *definition* the game is that of the first hand.
    """
    game = None if definition is None else BettingRules(definition)
    for number, history in enumerate(_histories(source), 1):
        if game is None:
            game = BettingRules(history_definition(history))
        yield hand_record(history, number, game)


def _histories(source: Path) -> Iterator[HandHistory]:
    if not source.is_dir():
        yield from _file_histories(source)
        return
    for path in sorted(source.glob(f"*{ONE_HAND}"), key=_natural_order):
        yield from _file_histories(path)


def _natural_order(path: Path) -> list[tuple[int, str]]:
    """Return a sort key that orders names by the numbers in them: 2 before 10."""
    return [
        (int(part), "") if part.isdecimal() else (-1, part)
        for part in re.split(r"([0-9]+)", path.name)
    ]


def _file_histories(path: Path) -> Iterator[HandHistory]:
    histories = history_class()
    try:
        text = path.read_text(encoding="utf-8")
        if "variant" in tomllib.loads(text):
            yield histories.loads(text)
        else:
            yield from histories.loads_all(text)
    except (ValueError, TypeError, KeyError) as error:
        raise UsageError(f"{path} is no PHH file: {error}") from None


def with_score(hands: Iterable[HandRecord]) -> Iterator[HandRecord | ScoreRecord]:
    """Yield *hands*, then the SCORE line if they are the hands of one match from the first on."""
    tally, seat_names, num_hands = MatchTally(), "", 0
    for hand in hands:
        num_hands += 1
        seat_names = seat_names or hand.names_text
        problem = tally.add(hand)
        if problem:
            raise UsageError(
                f"hand {hand.hand_id}: {problem}", "a match log has the same players throughout"
            )
        yield hand
    if tally.num_hands == num_hands and (totals := tally.totals(seat_names)) is not None:
        yield ScoreRecord(num_hands + 1, tuple(totals), seat_names)


def history_class() -> type[HandHistory]:
    """Return pokerkit's class of hand histories; raises ``UsageError`` if pokerkit is missing."""
    try:
        from pokerkit import HandHistory
    except ImportError:
        raise UsageError("PHH files need the package pokerkit", INSTALL_HINT) from None
    return HandHistory


def hand_history(hand: HandRecord) -> HandHistory:
    """Return the PHH form of *hand*."""
    definition = hand.game.definition
    table = table_of(definition)
    stacks: list[Any] = [
        stack + value for stack, value in zip(definition.stacks, hand.values, strict=True)
    ]
    history = history_class()(
        **table.fields,
        actions=list(_phh_actions(hand, table)),
        hand=hand.hand_id,
        players=[_unicode_name(name) for name in table.by_player(hand.names)],
        finishing_stacks=[
            int(stack) if stack.is_integer() else stack for stack in table.by_player(stacks)
        ],
    )
    _verify_payoffs(history, _played(history), table.by_player(hand.values))
    return history


def _phh_actions(hand: HandRecord, table: PhhTable) -> Iterator[str]:
    """Yield PHH's actions of *hand*; bet sizes count within the street, without the ante."""
    deal, betting, base = hand.deal, hand.game.start, table.ante
    for player, cards in enumerate(table.by_player(deal.hole_cards), 1):
        yield f"d dh p{player} {format_cards(cards)}"
    for action in map(parse_action, _ACTION.findall(hand.betting_text)):
        following = betting.apply(action)
        spelling = ("f", "cc", f"cbr {following.max_spent - base}")[action.kind]
        yield f"p{table.player(betting.actor) + 1} {spelling}"
        if following.is_showdown:
            yield from _shown_cards(following, deal, table)
        if following.street > betting.street:
            yield from _boards(betting, following, deal)
            base = following.max_spent
        betting = following


def _shown_cards(betting: BettingState, deal: Deal, table: PhhTable) -> Iterator[str]:
    for player, cards in enumerate(table.by_player(deal.hole_cards)):
        if not betting.folded[table.position(player)]:
            yield f"p{player + 1} sm {format_cards(cards)}"


def _boards(before: BettingState, after: BettingState, deal: Deal) -> Iterator[str]:
    size = before.game.definition.board_size
    for street in range(before.street, after.street):
        yield f"d db {format_cards(deal.board[size(street) : size(street + 1)])}"


def hand_record(history: HandHistory, number: int, game: BettingRules) -> HandRecord:
    """Return the record of *history*, hand *number* (from 1) of its file, as a hand of *game*."""
    table = table_of(game.definition)
    if not is_of_game(history, table):
        raise _refusal(history, "the blinds, the stacks or the bets are those of another game")
    state = _played(history)
    try:
        betting, deal = betting_of_state(state, table, game), deal_of_state(state, table)
    except UsageError as error:
        raise _refusal(history, str(error)) from None
    if not betting.is_over:
        raise _refusal(history, "the betting is not over")
    values = payoffs(betting, deal.hole_cards, deal.board)
    _verify_payoffs(history, state, table.by_player(values))
    hand_id = history.hand if isinstance(history.hand, int) else number - 1
    names = history.players or [f"p{player + 1}" for player in range(game.definition.num_players)]
    names_text = "|".join(map(_log_name, table.by_position(names)))
    line = format_state_record(hand_id, betting, deal, values, [names_text])
    try:
        _, exact = verify_hand(line, game, 0, PRINTED_TOLERANCE)
    except ProtocolError as error:
        raise _refusal(history, f"in the match log, {error}") from None
    return parse_hand(line, number, game, exact)


def _played(history: HandHistory) -> Any:
    """Return pokerkit's state at the end of *history*, with pots split in fractions."""
    from pokerkit import Automation

    tells_showdown = any(" sm" in action for action in history.actions)
    automations = () if tells_showdown else (Automation.HOLE_CARDS_SHOWING_OR_MUCKING,)
    try:
        with warnings.catch_warnings(action="ignore"):
            *_, state = replace(
                history, divmod=split_evenly, automations=(*history.automations, *automations)
            )
    except ValueError as error:
        raise _refusal(history, f"its betting breaks the rules of pokerkit ({error})") from None
    return state


def _verify_payoffs(history: HandHistory, state: Any, values: Sequence[float]) -> None:
    if any(
        abs(payoff - value) > TOLERANCE for payoff, value in zip(state.payoffs, values, strict=True)
    ):
        raise _refusal(
            history,
            f"by pokerkit's rules the players win {list(state.payoffs)}, not {list(values)}",
        )


def _refusal(history: HandHistory, reason: str) -> UsageError:
    return UsageError(f"hand {history.hand} cannot be converted: {reason}")


def _unicode_name(name: str) -> str:
    """Return a log's name as Unicode: bytes that are not UTF-8 are read as latin-1."""
    raw = name.encode(NAMES_ENCODING, NAMES_ERRORS)
    try:
        name = raw.decode("utf-8")
    except UnicodeDecodeError:
        name = raw.decode("latin-1")
    if _UNWRITABLE.search(name):
        raise UsageError(f"the name {name!r} cannot be written in PHH")
    return name


def _log_name(name: str) -> str:
    """Return a name of a PHH file, checked for use in a log; raises ``UsageError``."""
    if _UNWRITABLE.search(name) or "|" in name:
        raise UsageError(f"the name {name!r} cannot be written in a match log")
    return name


@dataclass(frozen=True, slots=True)
class PhhTable(HoldemTable):
    """A game in PHH's terms; *first* is the position of PHH's player 0."""

    @property
    def fields(self) -> dict[str, Any]:
        """The entries of a hand history that say which game it is."""
        definition = self.definition
        fields = {
            "variant": LIMIT if definition.is_limit else NO_LIMIT,
            "antes": [self.ante] * definition.num_players,
            "blinds_or_straddles": _as_listed(self.blinds),
            "starting_stacks": self.by_player(definition.stacks),
        }
        if definition.is_limit:
            return fields | {
                "small_bet": definition.raise_sizes[0],
                "big_bet": definition.raise_sizes[-1],
            }
        return fields | {"min_bet": max(self.blinds) or definition.big_blind}


def table_of(definition: GameDefinition) -> PhhTable:
    """Return the game *definition* in PHH's terms; raises ``UsageError``."""
    for reason in obstacles(definition):
        raise UsageError(
            f"PHH has no form for this game: {reason}", "convert hold'em with four streets"
        )
    return PhhTable(definition, definition.first_seats[1])


def is_of_game(history: HandHistory, table: PhhTable) -> bool:
    """Return whether *history* is a hand of the game of *table*."""
    return table_of(history_definition(history)).fields == table.fields


def history_definition(history: HandHistory) -> GameDefinition:
    """Return the game of *history*, positions in the order of its players, usual raise limits."""
    if history.variant not in (LIMIT, NO_LIMIT):
        raise UsageError(
            f"PHH variant {history.variant!r} is no hold'em game", f"convert {LIMIT} and {NO_LIMIT}"
        )
    stacks = [UNLIMITED_STACK if stack == inf else stack for stack in history.starting_stacks]
    antes = history.antes
    blinds = [*(history.blinds_or_straddles or ()), *[0] * len(stacks)][: len(stacks)]
    bets = (history.small_bet, history.big_bet) if history.variant == LIMIT else ()
    if not all(isinstance(chips, int) for chips in (*stacks, *antes, *blinds, *bets)):
        raise UsageError(
            "chips are not whole numbers", "match logs count whole chips: scale the amounts"
        )
    if len(set(antes)) > 1:
        raise UsageError(
            "antes of different sizes", "in match logs an ante is a blind for everybody"
        )
    return holdem_definition(
        stacks, [blind + antes[0] for blind in _as_listed(blinds)], [bet for bet in bets if bet]
    )


def _as_listed(blinds: Sequence[int]) -> list[int]:
    """Convert blinds by player to PHH's order or back: heads-up the button's blind is first."""
    return list(blinds[::-1] if len(blinds) == 2 else blinds)
