"""``acpcbot explain LOG``: decisions beside a strategy, what they cost, results split into luck and
play.

In order: the options and the run; what is known of a hand, which ``ExplainedHand`` holds; the hand
as text; the hand as JSON. Without ``--hand`` the decisions of all hands are summed up
(``explained_costs.py``).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from rich.progress import Progress
from rich.text import Text

from acpcbot.abstraction.deal_sources import DealSources
from acpcbot.agents.public_strategies import find_strategy
from acpcbot.cards.deck import format_cards
from acpcbot.cli.decision_text import action_name, total_line, value_lines
from acpcbot.cli.explained_costs import explain_costs, find_judge, no_costs
from acpcbot.cli.game_arguments import add_game_arguments, read_with_game
from acpcbot.cli.output import print_lines
from acpcbot.cli.phases import phase
from acpcbot.cli.progress_bars import make_bars, new_bar, watched
from acpcbot.errors import UsageError
from acpcbot.evaluation.aivat.estimates import CanonicalHands
from acpcbot.evaluation.aivat.estimator import PlayedHand, ValueFunction
from acpcbot.evaluation.aivat.hand_review import (
    ACTION,
    DEAL,
    LAST_CARDS,
    Decision,
    LuckBreakdown,
    LuckTerm,
    luck_breakdown,
    review_hand,
)
from acpcbot.evaluation.aivat.value_functions import make_value_function
from acpcbot.evaluation.decisions.decision_costs import sum_costs
from acpcbot.evaluation.decisions.judged_hands import NUM_DEALS, JudgedAction
from acpcbot.evaluation.decisions.plain_decisions import plain_decision
from acpcbot.logs.match_log import HandRecord, read_match_log
from acpcbot.poker.definition import STREET_NAMES, UNLIMITED_STACK, GameDefinition
from acpcbot.poker.shipped import recognise
from acpcbot.reports.hands import find_logs
from acpcbot.reports.tables import chips_text, printable
from acpcbot.strategies.public_strategy import PublicStrategy

NO_ANSWER = "has no answer here: a fallback acted, or somebody else"
NEVER = "never: a fallback acted, or somebody else"
NO_RANGE = "no hand would have been played like this so far"
LAST_WORDS = "cards after the last decision"
# A correction of less than this is a rounding error: nothing happened that could have been
# otherwise.
LEAST_CHIPS = 5e-7


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the hand, the strategy that judges it, and the players taken to play that strategy."""
    parser.add_argument(
        "log", type=Path, metavar="LOG", help="a match log, or the folder of a match"
    )
    parser.add_argument(
        "--hand",
        type=int,
        metavar="K",
        help="the number that the dealer gave it; of several hands with "
        "one number, as in a duplicate match, all [what the decisions of all hands cost]",
    )
    parser.add_argument(
        "--strategy",
        required=True,
        metavar="S",
        help="a trained folder (?play=...), or call, fold, raise, random, tight",
    )
    parser.add_argument(
        "--player",
        action="append",
        metavar="NAME",
        help="who is taken to play it, and again for more: their "
        "decisions are judged, their results split [everybody]",
    )
    parser.add_argument(
        "--values",
        metavar="STRATEGY",
        help="a trained folder whose self-play tells what hands are "
        "worth; in hold'em also strength, a formula [S]",
    )
    parser.add_argument(
        "--deals",
        type=int,
        default=NUM_DEALS,
        metavar="N",
        help="deals from which the values of actions are estimated where they are not exact; "
        f"0 leaves the values out [{NUM_DEALS}]",
    )
    add_game_arguments(parser, "what the log says")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print")
    parser.add_argument("--json", action="store_true", help="the same as --format json")


def run(arguments: argparse.Namespace) -> int:
    """Find the hands, review each, print."""
    logs, played = find_logs([arguments.log])
    found, hands = read_with_game(
        arguments, logs, lambda named: _find(logs, named or played, arguments.hand)
    )
    if not found:
        number = "" if arguments.hand is None else f" {arguments.hand}"
        raise UsageError(f"no hand{number} in {arguments.log}", "hands are numbered as at STATE:")
    is_json = arguments.json or arguments.format == "json"
    if arguments.hand is None:
        return explain_costs(arguments, found, hands, is_json=is_json)
    with make_bars(in_files=False) as bars, phase(f"asking {arguments.strategy}"):
        judgement = _Judgement(arguments, found[0][1].game.definition, bars)
        explained = [judgement.explain(log, record, hands.hand(record)) for log, record in found]
    if is_json:
        sys.stdout.write(explained_json(explained))
    else:
        print_hands(explained)
    return 0


@dataclass(frozen=True, slots=True)
class ExplainedHand:
    """The hand *record* of the log *source*, judged by *strategy*.

    *judged* are the same decisions as *decisions*, with the values of actions; empty if these are
    not known. *notes* say what could not be told.
    """

    source: str
    record: HandRecord
    strategy: str
    decisions: Sequence[Decision]
    judged: Sequence[JudgedAction]
    accounts: Sequence[LuckBreakdown]
    notes: Sequence[str]

    @property
    def names(self) -> tuple[str, ...]:
        """The players by seat, without what a terminal would obey."""
        return tuple(map(printable, self.record.names))

    def dealt(self, street: int) -> tuple[int, ...]:
        """The board cards that came on *street*, as the log has them."""
        size = self.record.game.definition.board_size
        return self.record.board[size(street - 1) if street else 0 : size(street)]


def _find(
    logs: list[Path], definition: GameDefinition | None, hand_id: int | None
) -> tuple[list[tuple[Path, HandRecord]], CanonicalHands]:
    """Return the hands with the number *hand_id*, or all, and the canonical form of all hands.

    The latter has seen every hand of the logs.
    """
    found, hands = [], CanonicalHands()
    for log in logs:
        with phase("reading the logs"), watched(log) as file:
            for entry in read_match_log(file, definition):
                if isinstance(entry, HandRecord):
                    hands.see(entry)
                    if hand_id is None or entry.hand_id == hand_id:
                        found.append((log, entry))
    return found, hands


class _Judgement:
    """The strategy that is asked, who is taken to play it, and what hands are worth."""

    def __init__(
        self, arguments: argparse.Namespace, definition: GameDefinition, bars: Progress
    ) -> None:
        self._name, self._players = arguments.strategy, arguments.player
        dealer = DealSources(definition, new_bar(bars, "card tables"))
        self._strategy = find_strategy(self._name, dealer)
        self._judge = find_judge(self._strategy, arguments.deals)
        self._lacks_costs = arguments.deals > 0 and self._judge is None
        self._values, self._missing = _values(arguments, dealer, bars)

    def explain(self, log: Path, record: HandRecord, hand: PlayedHand) -> ExplainedHand:
        """Return the explanation of *record*, which is *hand* in canonical cards."""
        for name in self._players or ():
            if name not in record.names:
                raise UsageError(
                    f"{name} did not play hand {record.hand_id}",
                    f"there are {', '.join(record.names)}",
                )
        seats = [
            seat
            for seat, name in enumerate(record.names)
            if name in (self._players or record.names)
        ]
        strategies = dict.fromkeys(seats, self._strategy)
        accounts, notes = self._accounts(hand, strategies)
        if self._lacks_costs:
            notes = [no_costs(self._name), *notes]
        decisions = review_hand(hand, strategies)
        return ExplainedHand(
            str(log), record, self._name, decisions, self._judged(hand, seats), accounts, notes
        )

    def _judged(self, hand: PlayedHand, seats: Sequence[int]) -> list[JudgedAction]:
        """Return the judged decisions of *seats* in the order of the hand."""
        if self._judge is None:
            return []
        found = [one for seat in seats for one in self._judge.judge_hand(hand, seat)]
        return sorted(found, key=lambda one: one.place)

    def _accounts(
        self, hand: PlayedHand, strategies: dict[int, PublicStrategy]
    ) -> tuple[list[LuckBreakdown], list[str]]:
        """A luck breakdown for each seat that is known, and why there is none."""
        if self._values is None:
            return [], [f"luck and play are not told apart: {self._missing}"]
        try:
            return [luck_breakdown(hand, seat, strategies, self._values) for seat in strategies], []
        except UsageError as error:
            return [], [f"luck and play are not told apart: {error}"]


def _values(
    arguments: argparse.Namespace, dealer: DealSources, bars: Progress
) -> tuple[ValueFunction | None, str]:
    """Return the value function, or None and the reason why there is none.

    Raises for a strategy that was named for this and cannot tell.
    """
    try:
        bar = new_bar(bars, "values of hands")
        values = make_value_function(dealer, arguments.values, [arguments.strategy], bar)
    except UsageError as error:
        if arguments.values:
            raise
        return None, str(error)
    return (
        values,
        f"{arguments.strategy} knows no values of hands; --values names a trained strategy",
    )


def print_hands(hands: Sequence[ExplainedHand]) -> None:
    """Print everything about *hands*, with an empty line between them."""
    for number, hand in enumerate(hands):
        print_lines([""] if number else [])
        print_lines(_lines(hand))


def _lines(hand: ExplainedHand) -> Iterator[Text | str]:
    record = hand.record
    game = recognise(record.game.definition) or "a game of its own"
    yield (
        f"{game}, hand {record.hand_id} "
        f"({hand.source}:{record.line_number}), judged by "
        f"{hand.strategy}"
    )
    yield from _table_lines(hand)
    yield from _street_lines(hand)
    yield from _cost_lines(hand)
    for found in hand.accounts:
        yield ""
        yield from _account_lines(hand, found)
    yield from ["", *hand.notes] if hand.notes else []


def _table_lines(hand: ExplainedHand) -> Iterator[str]:
    width, stacks = max(map(len, hand.names)), hand.record.game.definition.stacks
    for seat, (name, cards) in enumerate(zip(hand.names, hand.record.hole_cards, strict=True)):
        stack = "" if stacks[seat] == UNLIMITED_STACK else f"  stack {stacks[seat]}"
        won = chips_text(hand.record.values[seat])
        yield f"  seat {seat + 1}  {name:{width}}  {format_cards(cards)}{stack}  {won} chips"


def _street_lines(hand: ExplainedHand) -> Iterator[Text | str]:
    """Street by street the cards, and what everybody did."""
    record, decisions, judged = hand.record, iter(hand.decisions), iter(hand.judged)
    seats = {decision.seat for decision in hand.decisions}
    street = -1
    for betting, action in record.betting.decisions():
        yield from _street_headings(hand, street, betting.street)
        street = betting.street
        if betting.actor in seats:
            yield from _decision_lines(hand, next(decisions), next(judged, None))
        else:
            yield (
                f"  {hand.names[betting.actor]}, pot {betting.pot}, "
                f"{betting.to_call} to call: {action_name(action)}"
            )
    yield from _street_headings(hand, street, record.betting.street)


def _street_headings(hand: ExplainedHand, before: int, last: int) -> Iterator[Text]:
    """Those of the streets behind *before* up to *last*."""
    for street in range(before + 1, last + 1):
        yield _street_heading(hand, street)


def _street_heading(hand: ExplainedHand, street: int) -> Text:
    return Text(f"{STREET_NAMES[street]} {format_cards(hand.dealt(street))}".rstrip(), style="bold")


def _cost_lines(hand: ExplainedHand) -> Iterator[str]:
    """The sum of the costs of each player."""
    if not hand.judged:
        return
    yield ""
    for seat in sorted({one.seat for one in hand.judged}):
        own = [one for one in hand.judged if one.seat == seat]
        yield total_line(hand.names[seat], sum_costs([own]))


def _decision_lines(
    hand: ExplainedHand, decision: Decision, judged: JudgedAction | None
) -> Iterator[Text | str]:
    asked = f"pot {decision.pot_chips}, {decision.to_call_chips} to call"
    what = f"  {hand.names[decision.seat]}, {asked}: {action_name(decision.taken)}"
    if not decision.actions:
        yield f"{what}; {hand.strategy} {NO_ANSWER}"
        return
    yield (
        f"{what}, {decision.taken_probability:.4f}"
        if decision.taken_probability
        else f"{what}, {NEVER}"
    )
    cards = format_cards(hand.record.hole_cards[decision.seat])
    where = f"  bucket {decision.row.bucket} of node {decision.row.node}" if decision.row else ""
    yield Text.assemble(
        f"    {cards:7}", _probabilities_text(decision, decision.probabilities), where
    )
    if decision.range_left:
        left = f"  of {100 * decision.range_left:.1f} % of all hands"
        yield Text.assemble(
            "    range  ", _probabilities_text(decision, decision.range_shares), left
        )
    else:
        yield f"    range  {NO_RANGE}"
    if judged is not None:
        yield from value_lines(judged)


def _probabilities_text(decision: Decision, probabilities: Sequence[float]) -> Text:
    """Each action and a number; the one that was taken stands out."""
    words = [
        Text(
            f"{action_name(action)} {probability:.4f}",
            style="bold" if action == decision.taken else "",
        )
        for action, probability in zip(decision.actions, probabilities, strict=True)
    ]
    return Text("  ").join(words)


def _account_lines(hand: ExplainedHand, found: LuckBreakdown) -> Iterator[Text | str]:
    name, luck = hand.names[found.hero], sum(luck.chips for luck in found.terms)
    yield (
        f"{name}: {chips_text(found.chips)} chips = "
        f"{found.value_chips:+.4f} by AIVAT, {luck:+.4f} by luck"
    )
    lines = [(_luck_name(hand, found, luck), luck.chips) for luck in found.terms]
    width = max(len(line) for line, _ in lines)
    for line, chips in lines:
        yield Text.assemble(f"  {line:{width}}  ", *_gain(hand, found.hero, chips))


def _gain(hand: ExplainedHand, hero: int, chips: float) -> Iterator[tuple[str, str]]:
    """Yield the amount and the player who gained it, with styles."""
    if abs(chips) < LEAST_CHIPS:
        yield f"{'0':>10}", ""
        return
    others = [name for seat, name in enumerate(hand.names) if seat != hero]
    loser = others[0] if len(others) == 1 else "the others"
    yield f"{chips:+10.4f}", "green" if chips > 0 else "red"
    yield f"  for {hand.names[hero] if chips > 0 else loser}", ""


def _luck_name(hand: ExplainedHand, found: LuckBreakdown, luck: LuckTerm) -> str:
    if luck.event == ACTION and luck.actor is not None and luck.action is not None:
        return f"{STREET_NAMES[luck.street]}: {hand.names[luck.actor]}'s {action_name(luck.action)}"
    if luck.event == DEAL:
        return str(_street_heading(hand, luck.street)) if luck.street else "the others' hole cards"
    return (
        LAST_WORDS
        if luck.event == LAST_CARDS
        else f"{hand.names[found.hero]}'s hand, of all played so"
    )


def explained_json(hands: Sequence[ExplainedHand]) -> str:
    """All *hands* as one list; actions and cards as in a log, seats from 1."""
    return json.dumps([_plain(hand) for hand in hands], indent=1, ensure_ascii=False) + "\n"


def _plain(hand: ExplainedHand) -> dict[str, Any]:
    record = hand.record
    return {
        "log": hand.source,
        "line": record.line_number,
        "hand": record.hand_id,
        "game": recognise(record.game.definition),
        "strategy": hand.strategy,
        "players": [
            {"seat": seat + 1, "name": name, "hole_cards": format_cards(cards), "chips": chips}
            for seat, (name, cards, chips) in enumerate(
                zip(record.names, record.hole_cards, record.values, strict=True)
            )
        ],
        "board": [format_cards(hand.dealt(street)) for street in range(record.betting.street + 1)],
        "betting": record.betting_text,
        "decisions": [
            _plain_decision(decision, judged)
            for decision, judged in zip_longest(hand.decisions, hand.judged)
        ],
        "accounts": list(map(_plain_account, hand.accounts)),
        "notes": list(hand.notes),
    }


def _plain_decision(decision: Decision, judged: JudgedAction | None) -> dict[str, Any]:
    row = decision.row
    return asdict(decision) | {
        "street": STREET_NAMES[decision.street],
        "seat": decision.seat + 1,
        "taken": decision.taken.text,
        "taken_probability": decision.taken_probability,
        "actions": [action.text for action in decision.actions],
        "row": asdict(row) if row else None,
        "judged": None if judged is None else plain_decision(judged),
    }


def _plain_account(found: LuckBreakdown) -> dict[str, Any]:
    return {
        "seat": found.hero + 1,
        "chips": found.chips,
        "value_chips": found.value_chips,
        "lucks": list(map(_plain_luck, found.terms)),
    }


def _plain_luck(luck: LuckTerm) -> dict[str, Any]:
    return {
        "event": luck.event,
        "street": STREET_NAMES[luck.street],
        "seat": None if luck.actor is None else luck.actor + 1,
        "action": luck.action.text if luck.action else None,
        "chips": luck.chips,
    }
