"""What a depth-limited searcher answers to a bet that its blueprint does not have, in a whole game of two streets.

The opponent opens with the bet. The searcher solves the first street behind it anew, to the
end of the street, with values for some continuations of the opponent beyond. They come from
a game that is known: from the blueprint's, which lacks the bet, as the means of those of the
same actions after its bets below and above, as in the paper; or from one that has the bet,
where the blueprint is played translated. The bets that stand for the bet there are its
*twins*. On the second street it solves to the end of the game. Either time a gadget promises
the opponent what he has elsewhere: before the bet his best response to what is known, and on
the second street the mean of his best responses in the twins.

``translated_response`` is what the blueprint does if it takes the bet for one of its own.

Source: Brown, Sandholm & Amos (2018), Depth-limited solving for imperfect-information games,
section 6.1, which leaves open by which gadget its subgames are solved.
"""

from __future__ import annotations

from bisect import bisect

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.errors import UsageError
from acpcbot.evaluation.composed import copy_play, put_solution, state_node, street_reaches
from acpcbot.evaluation.composed_search import LEAST_REACH, SearchSettings, behind_gadget
from acpcbot.evaluation.continuations import SelfGenerated
from acpcbot.evaluation.known_mind import Play
from acpcbot.evaluation.range_plays import PlayStrategy, solved_play, told_play
from acpcbot.evaluation.range_response import Walker, hand_values, responding
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.snapshots.translated_play import TranslatedPlay
from acpcbot.solvers.leaf_values import ChosenContinuations, PairValues
from acpcbot.solvers.range_cfr import RangeCFR
from acpcbot.solvers.range_game import RangeGame, make_range_game
from acpcbot.trees.betting_record import BLOCK_END

Path = tuple[int, ...]
"""Actions by their places among those of their nodes."""


class OffTreeSearch:
    """The answer to *bet*, with which *game* begins, of a searcher whose blueprint lacks it.

    *known* has the blueprint and its continuations. Its game has to be *game*, or *game* without
    the bet, and with the same actions after the bets next to it. Raises UsageError.
    """

    def __init__(self, game: RangeGame, known: SelfGenerated, bet: Action, settings: SearchSettings) -> None:
        self.game, self.known, self.settings = game, known, settings
        self._strategy = PlayStrategy(known.game, known.blueprint)
        self._root = game.tree.root.apply(bet)
        self._twins = _twins(game, known.game, bet)
        self._whole = told_play(game, self._strategy, self._strategy.has)
        self._plays: dict[tuple[str, int], Play] = {}

    @property
    def seat(self) -> int:
        """The searcher's."""
        return self._root.actor

    def play(self, num_values: int) -> Play:
        """All that the searcher does if the opponent chooses among so many continuations."""
        composed = copy_play(self._whole)
        solver = self._solve_first(num_values)
        put_solution(self.game, composed, solver, [self.seat])
        own = solved_play(solver)
        reaches = np.maximum(street_reaches(solver.game, (own, own)), LEAST_REACH)
        for part, path in enumerate(_part_paths(solver.game), 1):
            if solver.game.betting.parts[part] >= 0:
                self._solve_second(composed, path, reaches[part - 1])
        return composed

    def _solve_first(self, num_values: int) -> RangeCFR:
        other = 1 - self.seat
        street = make_range_game(self._root, menu=self.game.tree.menu, suits_alike=False, one_street=True)
        values = self.known.values(other, num_values)
        numbers = {path: number for number, path in enumerate(_part_paths(self.known.game))}
        own = [[values[numbers[twin, *path]] for twin in self._twins] for path in _part_paths(street)]
        promised = hand_values(self.known.game, responding(other, self.known.blueprint), Walker())
        leaves = ChosenContinuations(PairValues(np.mean(own, axis=1)), other)
        solver = behind_gadget(self.settings.gadget, street, self.seat, promised, leaves)
        solver.step(self.settings.first_iterations)
        return solver

    def _solve_second(self, composed: Play, path: Path, ranges: Floats) -> None:
        """Put the solutions on all boards, where *path* leads after the bet, into *composed*."""
        betting = _state_at(self.game, self._root, path)
        twins = [_state_at(self.known.game, self.known.game.tree.root, (twin, *path)) for twin in self._twins]
        for board in self.game.boards.street_boards(1):
            promised = np.mean([self._promised(twin, board, ranges) for twin in twins], axis=0)
            part = self._part(self.game, betting, board, ranges)
            solver = behind_gadget(self.settings.gadget, part, self.seat, promised)
            solver.step(self.settings.second_iterations)
            put_solution(self.game, composed, solver, [self.seat])

    def _promised(self, twin: BettingState, board: int, ranges: Floats) -> Floats:
        """What the opponent's best response to the blueprint wins after *twin*."""
        part = self._part(self.known.game, twin, board, ranges)
        if (twin.text, board) not in self._plays:
            self._plays[twin.text, board] = told_play(part, self._strategy)
        return hand_values(part, responding(1 - self.seat, self._plays[twin.text, board]), Walker())

    def _part(self, game: RangeGame, betting: BettingState, board: int, ranges: Floats) -> RangeGame:
        return make_range_game(betting, game.boards.boards[board], game.tree.menu, ranges, suits_alike=False)


def translated_response(game: RangeGame, known: RangeGame, blueprint: Play) -> Play:
    """The *blueprint* of the *known* game in *game*, which has further bets: it takes them for its own."""
    strategy = PlayStrategy(known, blueprint)
    return told_play(
        game,
        TranslatedPlay(game.definition, strategy.place, lambda *where: strategy.table(*where).probabilities),
    )


def _twins(game: RangeGame, known: RangeGame, bet: Action) -> tuple[int, ...]:
    """The places, among the first actions of *known*, of *bet* or else of the bets below and above it."""
    own = list(known.tree.children(0))
    if bet not in game.tree.children(0):
        raise UsageError(f"{bet} is no first action", "name another bet")
    if bet in own:
        return (own.index(bet),)
    upper = bisect(own, (bet.kind, bet.raise_to), key=lambda action: (action.kind, action.raise_to))
    if upper == len(own) or own[upper - 1].kind != bet.kind:
        raise UsageError(f"the blueprint has no bets next to {bet}", "name a bet between two that it has")
    return upper - 1, upper


def _part_paths(game: RangeGame) -> list[Path]:
    """The ways through the root's street to what follows it, in the order of its parts."""
    paths: dict[int, Path] = {0: ()}
    for node in range(int(game.tree.nodes[0, BLOCK_END])):
        for choice, child in enumerate(game.tree.children(node).values()):
            paths[child] = (*paths[node], choice)
    betting = game.betting
    origins = betting.origins[betting.first_parts[0] : betting.first_parts[1]].tolist()
    return [(*paths[node], choice) for node, choice in origins]


def _state_at(game: RangeGame, betting: BettingState, path: Path) -> BettingState:
    """The state to which *path* leads from *betting*."""
    for place in path:
        betting = betting.apply(list(game.tree.children(state_node(game, betting)))[place])
    return betting
