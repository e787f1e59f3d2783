"""Action translation: betting of any sizes as a strategy sees it whose tree has few.

What players do is followed action by action in the tree. A raise to which the tree's own
would lead is that one. Any other becomes the next smaller or the next larger one, by the
randomised pseudo-harmonic mapping of their shares of the pot; below the smallest and above
the largest there is no choice. So pots may differ from those of the tree, and its sizes are
taken back as shares of the pot that there is: what is too small becomes the smallest legal
raise, what is too large or all-in in the tree becomes all-in.

Once the tree's hand is over though the real one is not, as when an all-in there stood for less,
or where it has no raise to take, its players check and call.

Source: Ganzfried & Sandholm (2013), Action translation in extensive-form games with large
action spaces: axioms, paradoxes, and the pseudo-harmonic mapping.

What a strategy with few bet sizes does after betting of any sizes, with all hands at once.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from acpcbot.errors import UsageError
from acpcbot.poker.actions import CALLING, Action, raising
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import all_hands, hands_without
from acpcbot.poker.rules import RAISE
from acpcbot.strategies.public_strategy import ActionTable
from acpcbot.trees.bet_menu import pot_share, wanted_raise

MAX_TRANSLATIONS = 64
MAX_KEPT = 1 << 14


class Decision(Protocol):
    """A decision of the tree."""

    @property
    def actions(self) -> tuple[Action, ...]:
        """What can be done there."""
        ...


FindPlace = Callable[[BettingState], Decision]
"""From betting of the tree to the decision after it."""
Seen = BettingState | None
"""The tree's betting; None where the tree has no decision."""


@dataclass(frozen=True, slots=True)
class Translation:
    """One way to see a hand, and its chance: ``seen`` before each of its actions, and last as
    it is now.
    """

    chance: float
    seen: tuple[Seen, ...]


def lower_chance(lower: float, upper: float, share: float) -> float:
    """How likely a raise of *share* of the pot becomes one of *lower* and not of *upper*,
    between which it lies.

    >>> round(7 * lower_chance(0.5, 1.0, 0.75), 9)
    3.0
    """
    return (upper - share) * (1 + lower) / ((upper - lower) * (1 + share))


def real_action(betting: BettingState, seen: BettingState, action: Action) -> Action:
    """What the tree's *action* after *seen* is after *betting*, which is seen so: always legal."""
    if action.kind != RAISE:
        return action if betting.can_act(action) else CALLING
    legal, largest = betting.raise_range, seen.raise_range
    assert largest is not None
    if legal is None:
        return CALLING
    if action.raise_to == largest[1]:
        return raising(legal[1])
    share = pot_share(seen.game.vector, seen.vector, action.raise_to)
    return raising(wanted_raise(betting.game.vector, betting.vector, share))


def translations(place: FindPlace, betting: BettingState) -> list[Translation]:
    """All ways to see *betting*; raises UsageError where they are too many."""
    ways = [Translation(1.0, (betting.game.start,))]
    for real, action in betting.decisions():
        ways = [
            Translation(way.chance * chance, (*way.seen, following))
            for way in ways
            for following, chance in _followed(place, real, way.seen[-1], action)
            if chance > 0
        ]
        if len(ways) > MAX_TRANSLATIONS:
            raise UsageError(
                f"after {betting.text!r} a strategy with few sizes has more than {MAX_TRANSLATIONS} views of the hand",
                "play it, or ask it about hands with fewer sizes that it does not know",
            )
    return ways


def nearest_view(place: FindPlace, betting: BettingState) -> BettingState:
    """The tree's betting that is most like *betting*: the likelier size each time, the larger
    of two alike.

    Unlike a player's view it is a function of the betting alone. It stays where it is once the
    tree's hand is over, or has no raise for one that is made.
    """
    seen = betting.game.start
    for real, action in betting.decisions():
        chances = [] if seen.is_over else _likely_actions(place, real, seen, action)
        if not chances:
            break
        seen = seen.apply(max(reversed(chances), key=itemgetter(1))[0])
    return seen


def drawn_translation(
    place: FindPlace, betting: BettingState, draw: Callable[[int], float]
) -> Seen:
    """One way to see *betting*: *draw* gives a number in [0, 1) for each of its actions, by its
    index.
    """
    seen: Seen = betting.game.start
    for index, (real, action) in enumerate(betting.decisions()):
        (lower, chance), *others = _followed(place, real, seen, action)
        seen = others[0][0] if others and draw(index) >= chance else lower
    return seen


class Translator:
    """Sees hand after hand as the tree of *place* has it: ``drawn_translation``, and
    ``real_action`` back.

    Of the hand that is going on only what is new is looked at, and what an action became in one
    hand is remembered for others.
    """

    def __init__(self, place: FindPlace) -> None:
        self._place = place
        self._game: BettingRules | None = None
        self._hand: object = None
        self._last: BettingState | None = None
        self._seen: Seen = None
        self._num_actions = 0
        self._forget()

    def _forget(self) -> None:
        self._known: dict[tuple[str, str], list[tuple[Seen, float]]] = {}
        self._real: dict[tuple[str, str, Action], Action] = {}

    def seen(self, hand: object, betting: BettingState, draw: Callable[[int], float]) -> Seen:
        """What *betting* of *hand* is seen as.

        *draw* has to say the same whenever it is asked about one hand.
        """
        if betting.game is not self._game:
            self._game, self._last = betting.game, None
            self._forget()
        if self._last is None or hand != self._hand or not betting.text.startswith(self._last.text):
            self._hand, self._last, self._num_actions = hand, betting.game.start, 0
            self._seen = betting.game.start
        for real, action in betting.decisions(self._last):
            (lower, chance), *others = self._followed(real, action)
            self._seen = others[0][0] if others and draw(self._num_actions) >= chance else lower
            self._num_actions += 1
        self._last = betting
        return self._seen

    def _followed(self, real: BettingState, action: Action) -> list[tuple[Seen, float]]:
        if self._seen is None:
            return [(None, 1.0)]
        step = (real.text + action.text, self._seen.text)
        known = self._known.get(step)
        if known is None:
            if len(self._known) >= MAX_KEPT:
                self._known.clear()
            known = self._known[step] = _followed(self._place, real, self._seen, action)
        return known

    def real_action(self, betting: BettingState, seen: BettingState, action: Action) -> Action:
        """What the tree's *action* after *seen* is after *betting*, which ``seen`` was asked
        about last.
        """
        step = (betting.text, seen.text, action)
        real = self._real.get(step)
        if real is None:
            if len(self._real) >= MAX_KEPT:
                self._real.clear()
            real = self._real[step] = real_action(betting, seen, action)
        return real


def _followed(
    place: FindPlace, betting: BettingState, seen: Seen, action: Action
) -> list[tuple[Seen, float]]:
    """What the tree has after the real *action*, with the chances."""
    if seen is None:
        return [(None, 1.0)]
    states = [
        (seen.apply(own), chance) for own, chance in _likely_actions(place, betting, seen, action)
    ]
    return [(None if state.is_over else state, chance) for state, chance in states] or [(None, 1.0)]


def _likely_actions(
    place: FindPlace, betting: BettingState, seen: BettingState, action: Action
) -> list[tuple[Action, float]]:
    """What the real *action* becomes in the tree, with the chances.

    Nothing if the tree has no raise for it.
    """
    if action.kind != RAISE:
        return [(action, 1.0)]
    return _raise_chances(
        betting, seen, action, [own for own in place(seen).actions if own.kind == RAISE]
    )


def _raise_chances(
    betting: BettingState, seen: BettingState, action: Action, raises: list[Action]
) -> list[tuple[Action, float]]:
    """The tree's *raises*, smallest first, that the real raise *action* can become."""
    same = [own for own in raises if real_action(betting, seen, own) == action]
    if same or len(raises) < 2:
        return [(own, 1.0) for own in (same or raises)[-1:]]
    shares = [pot_share(seen.game.vector, seen.vector, own.raise_to) for own in raises]
    share = pot_share(betting.game.vector, betting.vector, action.raise_to)
    upper = bisect(shares, share)
    if upper in (0, len(raises)):
        return [(raises[min(upper, len(raises) - 1)], 1.0)]
    chance = lower_chance(shares[upper - 1], shares[upper], share)
    return [(raises[upper - 1], chance), (raises[upper], 1 - chance)]


Board = Sequence[int]
Chances = NDArray[np.float64]
"""Of each hand, [hand]."""
FindProbabilities = Callable[[BettingState, Board], NDArray[np.float64]]
"""From betting of the strategy's tree and a board to the probabilities of the actions there,
[hand, action].
"""


class TranslatedPlay:
    """A strategy of *definition*, whose tree is that of *place*, as a ``PublicStrategy`` for
    any betting.

    Where betting can be seen in several ways the table is their mixture, exactly: a way
    weighs as much as its player would have come there with the hand. Where there are too
    many ways, UsageError says so.
    """

    def __init__(
        self, definition: GameDefinition, place: FindPlace, probabilities: FindProbabilities
    ) -> None:
        self._definition, self._place, self._probabilities = definition, place, probabilities

    def table(self, betting: BettingState, board: Board) -> ActionTable:
        """What the actor after *betting* does with every hand."""
        ways = translations(self._place, betting)
        mixed: dict[Action, Chances] = {}
        for way, weights in zip(ways, self._weights(ways, betting, board), strict=True):
            for action, chances in self.in_view(betting, way.seen[-1], board).items():
                mixed[action] = mixed.get(action, 0.0) + weights * chances
        actions = sorted(mixed, key=lambda action: (action.kind, action.raise_to))
        return ActionTable(tuple(actions), np.stack([mixed[action] for action in actions], axis=1))

    def _weights(
        self, ways: Sequence[Translation], betting: BettingState, board: Board
    ) -> NDArray[np.float64]:
        """How likely the actor sees *betting* in each of these ways, given how it came there,
        [way, hand].
        """
        if len(ways) == 1:
            return np.ones((1, 1))
        chances = np.array([way.chance for way in ways])[:, None]
        weights = chances * np.array([self._reach(way, betting, board) for way in ways])
        total = weights.sum(axis=0)
        return np.where(total > 0, weights / np.where(total > 0, total, 1.0), chances)

    def _reach(self, way: Translation, betting: BettingState, board: Board) -> Chances:
        """How likely the actor did what it did, had it seen the hand in this way."""
        reach = np.ones(len(all_hands(self._definition)))
        for (before, action), seen in zip(betting.decisions(), way.seen, strict=False):
            if before.actor == betting.actor:
                played = self.in_view(
                    before, seen, board[: self._definition.board_size(before.street)]
                )
                reach *= played.get(action, 0.0)
        return reach

    def in_view(self, betting: BettingState, seen: Seen, board: Board) -> dict[Action, Chances]:
        """How likely each action is with every hand after *betting*, seen as *seen*."""
        if seen is None:
            return {CALLING: hands_without(self._definition, board).astype(np.float64)}
        played: dict[Action, Chances] = {}
        columns = self._probabilities(seen, board).T
        for own, column in zip(self._place(seen).actions, columns, strict=True):
            action = real_action(betting, seen, own)
            played[action] = played[action] + column if action in played else column
        return played
