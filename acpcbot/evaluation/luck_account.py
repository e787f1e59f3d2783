"""A hand's result to one player taken apart: chips = AIVAT value + luck, event by event.

Luck is what an event brought beyond its expectation: a deal, or an action drawn by a strategy
that is known. Last come the cards after the last decision, and the player's own hand against
all others that he would have played alike. Chips; luck is good for the player where positive.
Each line is only as good as the guesses behind it; their sum is exact whatever is guessed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from acpcbot.evaluation.aivat import AIVAT, PlayedHand, Term, ValueFunction, Walk
from acpcbot.evaluation.showdowns import end_values
from acpcbot.matches.public_strategy import PublicStrategy
from acpcbot.poker.actions import Action
from acpcbot.poker.hands import hand_number

DEAL, ACTION, LAST_CARDS, OWN_HAND = "deal", "action", "last cards", "own hand"


@dataclass(frozen=True, slots=True)
class Luck:
    """What one *event* brought the player: a deal on *street*, on the first that of the others' hole cards;
    the *action* of the seat *actor*; the cards after the last decision; his own hand.
    """

    event: str
    street: int
    chips: float
    actor: int | None = None
    action: Action | None = None


@dataclass(frozen=True, slots=True)
class Account:
    """What the seat *hero* won, and what of it was not luck; *chips* is *value_chips* and all *lucks* together."""

    hero: int
    chips: float
    value_chips: float
    lucks: tuple[Luck, ...]


def account(hand: PlayedHand, hero: int, strategies: Mapping[int, PublicStrategy], values: ValueFunction) -> Account:
    """The account of *hand* to the seat *hero*; *strategies* are the known ones, by seat.

    Raises UsageError if a known strategy would never have done what it did.
    """
    walk = Walk(hand, hero, strategies, values, AIVAT)
    terms = list(walk.terms())
    reach, ends = walk.end()
    held = hand_number(walk.definition, hand.hole_cards[hero])
    chips = float(end_values(hand.betting, walk.view.hole_cards, hero, hand.board)[held])
    own, mean = float(ends[held]), float(reach @ ends / reach.sum())
    lucks = [_luck(term) for term in terms if term.actor is None or term.actor in strategies]
    if chips != own:
        lucks.append(Luck(LAST_CARDS, walk.street, chips - own))
    lucks.append(Luck(OWN_HAND, walk.street, own - mean))
    return Account(hero, chips, mean + sum(float(term.chips[0]) for term in terms), tuple(lucks))


def _luck(term: Term) -> Luck:
    event = DEAL if term.action is None else ACTION
    return Luck(event, term.street, -float(term.chips[0]), term.actor, term.action)
