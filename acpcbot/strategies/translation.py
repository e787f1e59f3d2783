"""Action translation: mapping betting of any sizes into a tree with few sizes.

Actions are followed one by one in the tree. A raise that the tree's own size would make becomes
that one. Any other becomes the next smaller or the next larger size, by the randomised
pseudo-harmonic mapping of their shares of the pot. The size below the smallest is none: the raise
becomes a check or a call. Above the largest there is no choice. So the real pot may differ from the
tree's, and sizes are mapped back as shares of the real pot: too small becomes the smallest legal
raise; too large, or all-in in the tree, becomes all-in.

A raise that became a check or a call may have ended the street in the tree. Then the tree is
*ahead*, and the strategy calls; the two meet again behind the call. Whoever raises instead raises
after the tree's smallest size. With more than two players a raise below the smallest size becomes
that one, for who folds to it cannot be left out of a tree in which nobody raised.

Where the tree's hand is over though the real one is not, as when an all-in there stands for less,
or where the tree has no raise to take, the strategy checks and calls. Trees for more than two
players, and trees whose menu ends raises or leaves out calls, get out of step much more often. There
the hand goes on from the decision of the tree that is most like the real one, if it has any for the
same seat and street (``trees/nearest_decision.py``).

The tree may be that of a game with other stacks. Bets are then shares of the pot and nothing else:
an all-in of a short stack is a bet like any other, of no more than its opponent can call, and the
tree's all-in is a bet of so many pots, or all-in where the stack is shorter.

``Translator`` follows one hand after another with random draws, as a player does;
``TranslatedPlay`` mixes all translations exactly, for every hand; ``nearest_view`` picks the most
probable one.

Source: Ganzfried & Sandholm (2013), Action translation in extensive-form games with large action
spaces: axioms, paradoxes, and the pseudo-harmonic mapping.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from typing import Protocol
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Flags
from acpcbot.errors import UsageError
from acpcbot.poker.actions import CALLING, Action, raising
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import hands_without
from acpcbot.poker.rules import RAISE
from acpcbot.rng import Stream
from acpcbot.strategies.public_strategy import ActionTable
from acpcbot.trees.bet_menu import pot_share, wanted_raise
from acpcbot.trees.infosets import FindNearest

MAX_TRANSLATIONS = 64
MAX_STATES = 512
MAX_KEPT = 1 << 14


class Decision(Protocol):
    """A decision of the tree."""

    @property
    def actions(self) -> tuple[Action, ...]:
        """Legal actions."""
        ...


FindPlace = Callable[[BettingState], Decision]
"""From betting of the tree to the decision after it."""
Seen = BettingState | None
"""The tree's betting; None where the tree has no decision."""


@dataclass(frozen=True, slots=True)
class Translation:
    """One translation of a hand and its probability.

    ``seen`` has the tree's betting before each action, and at last that of the current state; None
    where the tree has no decision there.
    """

    probability: float
    seen: tuple[Seen, ...]


def lower_probability(lower: float, upper: float, share: float) -> float:
    """Return the probability that a raise of *share* of the pot becomes the *lower* size.

    Otherwise it becomes the *upper* one; the share lies between them. This is the pseudo-harmonic
    mapping of the paper.

    >>> round(7 * lower_probability(0.5, 1.0, 0.75), 9)
    3.0
    """
    return (upper - share) * (1 + lower) / ((upper - lower) * (1 + share))


def check_probability(smallest: float, share: float) -> float:
    """Return the probability that a raise of *share* of the pot becomes a check or a call.

    Otherwise it becomes the *smallest* size, which is larger.

    >>> round(check_probability(0.5, 0.05), 9)
    0.857142857
    """
    return lower_probability(0.0, smallest, share)


def real_action(betting: BettingState, seen: BettingState, action: Action) -> Action:
    """Return the legal action after *betting* for the tree's *action* after *seen*."""
    if action.kind != RAISE:
        return action if betting.can_act(action) else CALLING
    legal, largest = betting.raise_range, seen.raise_range
    assert largest is not None
    if legal is None:
        return CALLING
    if action.raise_to == largest[1] and has_same_stacks(betting, seen):
        return raising(legal[1])
    share = pot_share(seen.game.vector, seen.vector, action.raise_to)
    return raising(wanted_raise(betting.game.vector, betting.vector, share))


def has_same_stacks(betting: BettingState, seen: BettingState) -> bool:
    """Return whether the games of both have the same stacks."""
    return (
        betting.game is seen.game or betting.game.definition.stacks == seen.game.definition.stacks
    )


def _called_share(betting: BettingState, raise_to: int) -> float:
    """Return the share of the pot of a raise, or of what of it the largest other stack can call."""
    stacks = betting.game.definition.stacks
    most = max(stack for seat, stack in enumerate(stacks) if seat != betting.actor)
    return pot_share(betting.game.vector, betting.vector, min(raise_to, most))


def translations(
    place: FindPlace,
    betting: BettingState,
    start: BettingState | None = None,
    *,
    nearest: FindNearest | None = None,
) -> list[Translation]:
    """Return all translations of *betting*; raises UsageError where they are too many.

    *start* is that of the tree's game, if this has other stacks.
    """
    followed: list[tuple[float, tuple[Seen, ...]]] = [(1.0, (start or betting.game.start,))]
    for real, action in betting.decisions():
        followed = [
            (before * probability, (*seen, following))
            for before, seen in followed
            for following, probability in _followed(place, real, seen[-1], action, nearest)
            if probability > 0
        ]
        if len(followed) > MAX_TRANSLATIONS:
            raise UsageError(
                f"after {betting.text!r} there are more than {MAX_TRANSLATIONS} translations"
                " of the hand",
                "ask the strategy about hands with fewer bet sizes that it lacks",
            )
    real_states = [*(real for real, _ in betting.decisions()), betting]
    return [
        Translation(
            probability,
            tuple([decided(*both) for both in zip(real_states, seen, strict=True)]),
        )
        for probability, seen in followed
    ]


def merged_translations(
    place: FindPlace,
    betting: BettingState,
    start: BettingState | None = None,
    *,
    nearest: FindNearest | None = None,
) -> tuple[list[list[Seen]], list[NDArray[np.float64]]]:
    """Return the tree's states before each action of *betting* and after all, and the ways between.

    States are those that a translation can be in, each once however many lead there; a way is the
    probability from a state to one of the next, [state, next state]. Where a hand has very many
    translations this is what is left to work with. Raises UsageError where states are too many.
    """
    states: list[list[Seen]] = [[start or betting.game.start]]
    shares: list[NDArray[np.float64]] = []
    for real, action in betting.decisions():
        number: dict[str | None, int] = {}
        following: list[Seen] = []
        ways: list[tuple[int, int, float]] = []
        for before, seen in enumerate(states[-1]):
            for state, probability in _followed(place, real, seen, action, nearest):
                if probability > 0:
                    text = None if state is None else state.text
                    if text not in number:
                        number[text] = len(following)
                        following.append(state)
                    ways.append((before, number[text], probability))
        if len(following) > MAX_STATES:
            raise UsageError(
                f"{betting.text!r} can be seen as more than {MAX_STATES} states of the tree",
                "ask the strategy about hands with fewer bet sizes that it lacks",
            )
        matrix = np.zeros((len(states[-1]), len(following)))
        for before, after, probability in ways:
            matrix[before, after] += probability
        states.append(following)
        shares.append(matrix)
    return states, shares


def decided(betting: BettingState, seen: Seen) -> Seen:
    """Return *seen* if the tree has a decision there for that after *betting*, else None."""
    return None if seen is None or seen.is_over or seen.street != betting.street else seen


def nearest_view(
    place: FindPlace,
    betting: BettingState,
    start: BettingState | None = None,
    *,
    nearest: FindNearest | None = None,
) -> BettingState:
    """Return the tree's betting most like *betting*: each time the more probable size.

    A raise stays one. Of two equally probable sizes the larger is taken. Unlike a player's translation it is a
    function of the betting alone. It stops once the tree's hand is over, or has no raise for one
    that is made, unless *nearest* finds where it goes on. *start* is that of the tree's game, if
    this has other stacks.
    """
    seen = start or betting.game.start
    for real, action in betting.decisions():
        probabilities = (
            []
            if seen.is_over
            else likely_actions(
                place, real, seen, action, is_checked=False, asks_tree=nearest is not None
            )
        )
        following = (
            seen.apply(max(reversed(probabilities), key=itemgetter(1))[0])
            if probabilities
            else None
        )
        if nearest is not None and not _is_in_step(real.apply(action), following):
            following = nearest(real.apply(action))
        if following is None:
            break
        seen = following
    return seen


def drawn_translation(
    place: FindPlace,
    betting: BettingState,
    draw: Callable[[int], float],
    start: BettingState | None = None,
    *,
    nearest: FindNearest | None = None,
) -> Seen:
    """Return a random translation of *betting*, None where the tree has no decision.

    *draw* gives a number in [0, 1) for each of its actions, by its index. *start* is that of the
    tree's game, if this has other stacks.
    """
    seen: Seen = start or betting.game.start
    for index, (real, action) in enumerate(betting.decisions()):
        (lower, probability), *others = _followed(place, real, seen, action, nearest)
        seen = others[0][0] if others and draw(index) >= probability else lower
    return decided(betting, seen)


class Translator:
    """Follower of one hand after another: ``drawn_translation``, and ``real_action`` back.

    Of the current hand only new actions are looked at, and translated steps are cached for other
    hands. *start* is that of the tree's game, if this has other stacks.
    """

    def __init__(
        self,
        place: FindPlace,
        start: BettingState | None = None,
        *,
        nearest: FindNearest | None = None,
    ) -> None:
        self._place, self._start, self._nearest = place, start, nearest
        self._game: BettingRules | None = None
        self._hand: object = None
        self._last: BettingState | None = None
        self._seen: Seen = None
        self._num_actions = 0
        self._forget()

    def _forget(self) -> None:
        self._known: dict[tuple[str, str | None], list[tuple[Seen, float]]] = {}
        self._real: dict[tuple[str, str, Action], Action] = {}

    def seen(self, hand: object, betting: BettingState, draw: Callable[[int], float]) -> Seen:
        """Return the tree's betting for *betting* of *hand*.

        *draw* must give the same numbers in all calls for one hand.
        """
        if betting.game is not self._game:
            self._game, self._last = betting.game, None
            self._forget()
        if self._last is None or hand != self._hand or not betting.text.startswith(self._last.text):
            self._hand, self._last, self._num_actions = hand, betting.game.start, 0
            self._seen = self._start or betting.game.start
        for real, action in betting.decisions(self._last):
            (lower, probability), *others = self._followed(real, action)
            self._seen = (
                others[0][0] if others and draw(self._num_actions) >= probability else lower
            )
            self._num_actions += 1
        self._last = betting
        return decided(betting, self._seen)

    def _followed(self, real: BettingState, action: Action) -> list[tuple[Seen, float]]:
        if self._seen is None and self._nearest is None:
            return [(None, 1.0)]
        step = (real.text + action.text, None if self._seen is None else self._seen.text)
        known = self._known.get(step)
        if known is None:
            if len(self._known) >= MAX_KEPT:
                self._known.clear()
            known = self._known[step] = _followed(
                self._place, real, self._seen, action, self._nearest
            )
        return known

    def real_action(self, betting: BettingState, seen: BettingState, action: Action) -> Action:
        """Return the real action for the tree's *action* after *seen*.

        *betting* is the one for which ``seen`` was called last.
        """
        step = (betting.text, seen.text, action)
        real = self._real.get(step)
        if real is None:
            if len(self._real) >= MAX_KEPT:
                self._real.clear()
            real = self._real[step] = real_action(betting, seen, action)
        return real


def _followed(
    place: FindPlace,
    betting: BettingState,
    seen: Seen,
    action: Action,
    nearest: FindNearest | None = None,
) -> list[tuple[Seen, float]]:
    """Return the tree's states after the real *action*, with their probabilities.

    Where the tree gets out of step, it goes on from the *nearest* decision. None stands for a hand
    that is over in the tree, or goes on nowhere.
    """
    found = _followed_in_tree(place, betting, seen, action, asks_tree=nearest is not None)
    if nearest is None:
        return found
    following = betting.apply(action)
    return [
        (state if _is_in_step(following, state) else nearest(following), probability)
        for state, probability in found
    ]


def _is_in_step(betting: BettingState, seen: Seen) -> bool:
    """Return whether the tree's *seen* has a decision for that after *betting*.

    Of two players the tree can be a street ahead, where it took a raise for a call.
    """
    if betting.is_over:
        return True
    if seen is None or seen.is_over:
        return False
    is_ahead = betting.game.definition.num_players == 2 and seen.street > betting.street
    return is_ahead or (seen.street, seen.actor) == (betting.street, betting.actor)


def _followed_in_tree(
    place: FindPlace, betting: BettingState, seen: Seen, action: Action, *, asks_tree: bool
) -> list[tuple[Seen, float]]:
    """Do the same without a search for another decision."""
    if seen is None:
        return [(None, 1.0)]
    if seen.street != betting.street:
        # The tree is ahead, for it took a raise for a call.
        if action.kind != RAISE:
            return [(seen, 1.0)]
        *_, (before, _) = seen.decisions()
        smallest = min(_raises(place, before), key=lambda own: own.raise_to)
        seen = before.apply(smallest)
    states = [
        (seen.apply(own), probability)
        for own, probability in likely_actions(place, betting, seen, action, asks_tree=asks_tree)
    ]
    return [(None if state.is_over else state, probability) for state, probability in states] or [
        (None, 1.0)
    ]


def _raises(place: FindPlace, seen: BettingState) -> list[Action]:
    """Return the raises of the tree after *seen*."""
    return [own for own in place(seen).actions if own.kind == RAISE]


def likely_actions(
    place: FindPlace,
    betting: BettingState,
    seen: BettingState,
    action: Action,
    *,
    is_checked: bool = True,
    asks_tree: bool = False,
) -> list[tuple[Action, float]]:
    """Return the tree's actions that the real *action* can become, with probabilities.

    Empty if the tree has none for it. With *is_checked* a raise can become a check or a call. With
    *asks_tree* the tree may lack a call that is legal.
    """
    if action.kind != RAISE:
        can_act = action in place(seen).actions if asks_tree else seen.can_act(action)
        return [(action, 1.0)] if can_act else []
    raises = _raises(place, seen)
    # In another depth of stacks an all-in is what many sizes become, and stands for its share.
    legal = betting.raise_range
    is_cut = (
        legal is not None and action.raise_to == legal[1] and not has_same_stacks(betting, seen)
    )
    same = [] if is_cut else [own for own in raises if real_action(betting, seen, own) == action]
    if same or not raises:
        return [(own, 1.0) for own in same[-1:]]
    shares = [pot_share(seen.game.vector, seen.vector, own.raise_to) for own in raises]
    share = _called_share(betting, action.raise_to)
    upper = bisect(shares, share)
    if upper == len(raises):
        return [(raises[-1], 1.0)]
    if upper == 0:
        can_check = is_checked and betting.game.definition.num_players == 2
        checked = check_probability(shares[0], share) if can_check else 0.0
        return [(CALLING, checked), (raises[0], 1 - checked)]
    probability = lower_probability(shares[upper - 1], shares[upper], share)
    return [(raises[upper - 1], probability), (raises[upper], 1 - probability)]


Board = Sequence[int]
HandProbabilities = NDArray[np.float64]
"""One probability a hand, [hand]."""
FindProbabilities = Callable[[BettingState, Board], NDArray[np.float64]]
"""From betting of the strategy's tree and a board to the probabilities of the actions there,
[hand, action].
"""


class TranslatedPlay:
    """A strategy of *definition* with the tree of *place* as a ``PublicStrategy`` for any betting.

    Where betting has several translations the table is their exact mixture: a translation weighs as
    much as the actor would have reached it with the hand. Where they lead to too many states,
    UsageError is raised. *start* is that of the tree's game, if this has other stacks. With *can_hold*, flags by
    board, [hand] is whatever axis it and *probabilities* have.
    """

    def __init__(
        self,
        definition: GameDefinition,
        place: FindPlace,
        probabilities: FindProbabilities,
        start: BettingState | None = None,
        can_hold: Callable[[Board], Flags] | None = None,
        *,
        nearest: FindNearest | None = None,
    ) -> None:
        self._definition, self._place, self._probabilities = definition, place, probabilities
        self._start, self._nearest = start, nearest
        self._can_hold = can_hold or partial(hands_without, definition)

    def table(self, betting: BettingState, board: Board) -> ActionTable:
        """Return the probabilities of the actor after *betting* with every hand."""
        mixed: dict[Action, HandProbabilities] = {}
        for seen, weights in self._views(betting, board):
            for action, probabilities in self.in_view(betting, seen, board).items():
                mixed[action] = mixed.get(action, 0.0) + weights * probabilities
        actions = sorted(mixed, key=lambda action: (action.kind, action.raise_to))
        return ActionTable(tuple(actions), np.stack([mixed[action] for action in actions], axis=1))

    def drawn_table(self, betting: BettingState, board: Board, seed: int) -> ActionTable:
        """Return the action table of one view of the hand, drawn by *seed*.

        It is the same view from the hand's first action to its last.
        """
        before = [state.text for state, _ in betting.decisions()]
        following = [*before[1:], betting.text]

        def draw(index: int) -> float:
            return Stream(seed, crc32(following[index].encode()), index).unit()

        seen = drawn_translation(self._place, betting, draw, self._start, nearest=self._nearest)
        probabilities = self.in_view(betting, seen, board)
        return ActionTable(tuple(probabilities), np.stack(list(probabilities.values()), axis=1))

    def _views(self, betting: BettingState, board: Board) -> list[tuple[Seen, HandProbabilities]]:
        """Return what *betting* can be seen as, with weights given the actor's own actions, [hand].

        A hand with which the actor would never have come here gets the chances of the translations.
        """
        states, shares = merged_translations(
            self._place, betting, self._start, nearest=self._nearest
        )
        if all(len(each) == 1 for each in states):
            return [(decided(betting, states[-1][0]), np.ones(1))]
        chances, reaches = np.ones(1), np.ones((1, len(self._can_hold(()))))
        for (before, action), seen, ways in zip(betting.decisions(), states, shares, strict=False):
            if before.actor == betting.actor:
                shown = board[: self._definition.board_size(before.street)]
                for reach, own in zip(reaches, seen, strict=True):
                    played = self.in_view(before, decided(before, own), shown)
                    reach *= played.get(action, 0.0)
            chances, reaches = chances @ ways, ways.T @ reaches
        total = reaches.sum(axis=0)
        weights = np.where(total > 0, reaches / np.where(total > 0, total, 1.0), chances[:, None])
        return [
            (decided(betting, own), weight) for own, weight in zip(states[-1], weights, strict=True)
        ]

    def in_view(
        self, betting: BettingState, seen: Seen, board: Board
    ) -> dict[Action, HandProbabilities]:
        """Return each action's probability with every hand after *betting*, seen as *seen*."""
        if seen is None:
            return {CALLING: self._can_hold(board).astype(np.float64)}
        played: dict[Action, HandProbabilities] = {}
        columns = self._probabilities(seen, board).T
        for own, column in zip(self._place(seen).actions, columns, strict=True):
            action = real_action(betting, seen, own)
            played[action] = played[action] + column if action in played else column
        return played
