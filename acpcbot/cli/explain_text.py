"""An explained hand as a person reads it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.text import Text

from acpcbot.agents.range_text import NAMES
from acpcbot.cards.deck import format_cards
from acpcbot.cli.explained_hand import ExplainedHand
from acpcbot.evaluation.judged_hand import Decision
from acpcbot.evaluation.luck_account import ACTION, DEAL, LAST_CARDS, Account, Luck
from acpcbot.poker.actions import Action
from acpcbot.poker.definition import STREET_NAMES, UNLIMITED_STACK
from acpcbot.poker.shipped import recognise
from acpcbot.reports.tables import chips_text

NO_ANSWER = "has no answer here: a fallback acted, or somebody else"
NEVER = "never: a fallback acted, or somebody else"
NO_RANGE = "no hand would have been played like this so far"
LAST_WORDS = "cards after the last decision"
# A correction of less than this is a rounding error: nothing happened that could have been otherwise.
LEAST_CHIPS = 5e-7


def print_hands(hands: Sequence[ExplainedHand]) -> None:
    """Everything about *hands*, with a line between them."""
    # Nothing but our own styles: names may hold anything.
    console = Console(markup=False, emoji=False, highlight=False, soft_wrap=True)
    for number, hand in enumerate(hands):
        if number:
            console.print()
        for line in _lines(hand):
            console.print(line)


def _lines(hand: ExplainedHand) -> Iterator[Text | str]:
    record = hand.record
    game = recognise(record.game.definition) or "a game of its own"
    yield f"{game}, hand {record.hand_id} ({hand.source}:{record.line_number}), judged by {hand.strategy}"
    yield from _table_lines(hand)
    yield from _street_lines(hand)
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
    record, judged = hand.record, iter(hand.decisions)
    seats = {decision.seat for decision in hand.decisions}
    street = -1
    for betting, action in record.betting.decisions():
        yield from _street_headings(hand, street, betting.street)
        street = betting.street
        if betting.actor in seats:
            yield from _decision_lines(hand, next(judged))
        else:
            yield f"  {hand.names[betting.actor]}, pot {betting.pot}, {betting.to_call} to call: {_name(action)}"
    yield from _street_headings(hand, street, record.betting.street)


def _street_headings(hand: ExplainedHand, before: int, last: int) -> Iterator[Text]:
    """Those of the streets behind *before* up to *last*."""
    for street in range(before + 1, last + 1):
        yield _street_heading(hand, street)


def _street_heading(hand: ExplainedHand, street: int) -> Text:
    return Text(f"{STREET_NAMES[street]} {format_cards(hand.dealt(street))}".rstrip(), style="bold")


def _decision_lines(hand: ExplainedHand, decision: Decision) -> Iterator[Text | str]:
    asked = f"pot {decision.pot_chips}, {decision.to_call_chips} to call"
    what = f"  {hand.names[decision.seat]}, {asked}: {_name(decision.taken)}"
    if not decision.actions:
        yield f"{what}; {hand.strategy} {NO_ANSWER}"
        return
    yield f"{what}, {decision.taken_probability:.4f}" if decision.taken_probability else f"{what}, {NEVER}"
    cards = format_cards(hand.record.hole_cards[decision.seat])
    where = f"  bucket {decision.row.bucket} of node {decision.row.node}" if decision.row else ""
    yield Text.assemble(f"    {cards:7}", _chances_text(decision, decision.probabilities), where)
    if decision.range_left:
        left = f"  of {100 * decision.range_left:.1f} % of all hands"
        yield Text.assemble("    range  ", _chances_text(decision, decision.range_shares), left)
    else:
        yield f"    range  {NO_RANGE}"


def _chances_text(decision: Decision, chances: Sequence[float]) -> Text:
    """Each action and a number; the one that was taken stands out."""
    words = [
        Text(f"{_name(action)} {chance:.4f}", style="bold" if action == decision.taken else "")
        for action, chance in zip(decision.actions, chances, strict=True)
    ]
    return Text("  ").join(words)


def _name(action: Action) -> str:
    return f"{NAMES[action.kind]} to {action.raise_to}" if action.raise_to else NAMES[action.kind]


def _account_lines(hand: ExplainedHand, found: Account) -> Iterator[Text | str]:
    name, luck = hand.names[found.hero], sum(luck.chips for luck in found.lucks)
    yield f"{name}: {chips_text(found.chips)} chips = {found.value_chips:+.4f} by AIVAT, {luck:+.4f} by luck"
    lines = [(_luck_name(hand, found, luck), luck.chips) for luck in found.lucks]
    width = max(len(line) for line, _ in lines)
    for line, chips in lines:
        yield Text.assemble(f"  {line:{width}}  ", *_gain(hand, found.hero, chips))


def _gain(hand: ExplainedHand, hero: int, chips: float) -> Iterator[tuple[str, str]]:
    """How much it was, and for whom, with styles."""
    if abs(chips) < LEAST_CHIPS:
        yield f"{'0':>10}", ""
        return
    others = [name for seat, name in enumerate(hand.names) if seat != hero]
    loser = others[0] if len(others) == 1 else "the others"
    yield f"{chips:+10.4f}", "green" if chips > 0 else "red"
    yield f"  for {hand.names[hero] if chips > 0 else loser}", ""


def _luck_name(hand: ExplainedHand, found: Account, luck: Luck) -> str:
    if luck.event == ACTION and luck.actor is not None and luck.action is not None:
        return f"{STREET_NAMES[luck.street]}: {hand.names[luck.actor]}'s {_name(luck.action)}"
    if luck.event == DEAL:
        return str(_street_heading(hand, luck.street)) if luck.street else "the others' hole cards"
    return LAST_WORDS if luck.event == LAST_CARDS else f"{hand.names[found.hero]}'s hand, of all played so"
