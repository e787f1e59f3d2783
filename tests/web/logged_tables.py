"""Figures that a page has to show of a hand, from the line of its log, without the rule book.

Betting is replayed by plain arithmetic on the game definition's numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from math import floor

from acpcbot.logs.match_log import HandRecord
from acpcbot.poker.definition import UNLIMITED_STACK, GameDefinition

TOKEN = re.compile(r"f|c|r\d*")


@dataclass(frozen=True)
class LoggedDecision:
    """Chips before an action of the seat *actor*, counted by position, and the action."""

    actor: int
    street: int
    spent: tuple[int, ...]
    before: tuple[int, ...]
    shares: tuple[float | None, ...]
    folded: tuple[bool, ...]
    action: str
    raise_to: int
    """The size of the raise over the whole hand; 0 for another action."""
    call: int
    winnable: int

    @property
    def pot(self) -> int:
        return sum(self.spent)


def logged_decisions(hand: HandRecord) -> Iterator[LoggedDecision]:
    """Replay the betting of a hand."""
    game = hand.game.definition
    count, stacks = game.num_players, game.stacks
    spent, folded = list(game.blinds), [False] * count
    for street, text in enumerate(hand.betting.text.split("/")):
        before = [0] * count if street == 0 else list(spent)
        shares: list[float | None] = [None] * count
        seat = game.first_seats[street]
        for token in TOKEN.findall(text):
            while folded[seat] or spent[seat] >= stacks[seat]:
                seat = (seat + 1) % count
            most = max(spent)
            call = min(most, stacks[seat]) - spent[seat]
            raise_to = raised_to(game, street, token, most)
            after = spent[seat] + call
            yield LoggedDecision(
                seat,
                street,
                tuple(spent),
                tuple(before),
                tuple(shares),
                tuple(folded),
                token,
                raise_to,
                call,
                sum(min(chips, after) for chips in spent),
            )
            shares[seat] = (raise_to - most) / (sum(spent) + call) if raise_to else None
            folded[seat] = token == "f"
            spent[seat] = raise_to or (spent[seat] if token == "f" else after)
            seat = (seat + 1) % count


def raised_to(game: GameDefinition, street: int, token: str, most: int) -> int:
    if not token.startswith("r"):
        return 0
    return most + game.raise_sizes[street] if game.is_limit else int(token[1:])


# The page's ways of writing


def plain(amount: float) -> str:
    return f"{amount:,.2f}".rstrip("0").rstrip(".")


def in_unit(chips: float, unit: int) -> str:
    """Return chips as the page writes them; *unit* is the big blind, or 0 for chips."""
    return f"{plain(chips / unit)} bb" if unit else plain(chips)


def signed_in_unit(chips: float, unit: int) -> str:
    sign = "+" if chips > 0 else "−" if chips < 0 else "±"
    return f"{sign}{in_unit(abs(chips), unit)}"


def percent(share: float) -> str:
    return f"{floor(100 * share + 0.5)} %"


def tenths(ratio: float) -> str:
    return plain(float(Decimal(repr(ratio)).quantize(Decimal("0.1"), ROUND_HALF_UP)))


def odds_text(call: int, winnable: int) -> str:
    return f"{tenths(winnable / call)} to 1, needs {percent(call / (winnable + call))}"


def left_text(game: GameDefinition, seat: int, spent: int, unit: int) -> str:
    stack = game.stacks[seat]
    if stack == UNLIMITED_STACK:
        return f"{in_unit(spent, unit)} in"
    return f"{in_unit(stack - spent, unit)} left"
