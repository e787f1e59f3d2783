"""A strategy that thinks at the table: continual re-solving of every decision on the streets
that it searches.

Its own range is what it has really played, that of the opponent what he would have played by the
last solution, or by the blueprint where there was none. A hand's first subgame takes his range as
known; later ones stand behind a gadget that promises him what he had in the solution before, at the
action that he took, or at the decision before it where that solution does not hold his bet. All of
this follows from the betting and the board: asked about any state, as in the middle of a hand, it
goes through the decisions before it first, and remembers the last ones.

Sources: Brown & Sandholm (2017), Safe and nested subgame solving for imperfect-information games;
Brown, Sandholm & Amos (2018), Depth-limited solving for imperfect-information games; Moravcik et
al. (2017), DeepStack.

How likely hands act as they did: what an action tells of them.

What the opponent is promised in a subgame: what he had in the solution before.
"""

from __future__ import annotations

import time
from bisect import bisect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.errors import UsageError
from acpcbot.poker.actions import CALLING, Action
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import hands_without
from acpcbot.poker.rules import RAISE
from acpcbot.search.blueprint import BlueprintPlay, Recent, blueprint_values
from acpcbot.search.deadline import IterationTimer, TooLate, make_budget, step_until
from acpcbot.search.leaves import LeafMaker, verify_values
from acpcbot.search.settings import (
    ALL,
    FOREVER,
    MAXMARGIN,
    REACH,
    UNSAFE,
    SearchSettings,
    StreetSettings,
)
from acpcbot.search.solution import NOWHERE, Solution, Step
from acpcbot.search.subgame import (
    Spot,
    board_at,
    entering,
    is_wanted,
    last_spot,
    num_cells,
    seat_menus,
    subgame_root,
)
from acpcbot.strategies.public_strategy import ActionTable
from acpcbot.strategies.translation import lower_probability
from acpcbot.subgames.gadgets import Gadget, make_gadget
from acpcbot.subgames.game import RangeGame, make_range_game, verify_root
from acpcbot.subgames.leaf_values import LeafValues
from acpcbot.subgames.solver import RangeCFR, fast_settings
from acpcbot.subgames.terminal_values import fold_values
from acpcbot.trees.bet_menu import SeatMenus, pot_share


def action_chances(betting: BettingState, table: ActionTable, action: Action) -> Floats | None:
    """How likely each hand takes *action* after *betting* by *table*, [hand].

    None where the table tells nothing of it.

    A raise of a size that is not in the table lies between its neighbours as in action
    translation: by the pseudo-harmonic mapping, and beyond the last ones it is like them.
    """
    if action in table.actions:
        return table.probabilities[:, table.actions.index(action)]
    raises = sorted(
        [own for own in table.actions if own.kind == RAISE], key=lambda own: own.raise_to
    )
    if action.kind != RAISE or not raises:
        return None
    shares = [
        pot_share(betting.game.vector, betting.vector, own.raise_to) for own in (*raises, action)
    ]
    upper = bisect(shares[:-1], shares[-1])
    columns = [table.probabilities[:, table.actions.index(own)] for own in raises]
    if upper in (0, len(raises)):
        return columns[min(upper, len(raises) - 1)]
    lower = lower_probability(shares[upper - 1], shares[upper], shares[-1])
    mixed: Floats = lower * columns[upper - 1] + (1 - lower) * columns[upper]
    return mixed


def updated(reach: Floats, chances: Floats | None) -> Floats:
    """*reach* [hand] after an action that each hand takes with these *chances*.

    As it was where they rule all out.
    """
    if chances is None:
        return reach
    after: Floats = reach * chances
    return after if after.any() else reach


def promised(
    solution: Solution, root: Spot, seat: int, own_range: Floats, *, with_gifts: bool
) -> Floats | None:
    """Counterfactual values of the opponent's hands at *root*, [hand], in chips, against the
    *own_range* of *seat*.

    Where his last bet is not in the *solution*, they are those of the decision before it.
    *with_gifts* he may win back what he gave away since. None where the solution does not get
    there, as where it ended with a street: what a hand was worth over all cards that could follow
    says little of one of them.
    """
    other, steps = 1 - seat, list(solution.steps(root.betting))
    node, betting = solution.node(root.betting), root.betting
    if (
        node < 0
        and steps
        and steps[-1].before.actor == other
        and steps[-1].before.street == root.betting.street
    ):
        node, betting = steps[-1].node, steps[-1].before
    if node < 0:
        return None
    board = board_at(betting, root.board)
    reach = solution.reach(node, board, seat).sum()
    if reach == 0:
        return None
    values = solution.values(node, board, other)
    if with_gifts:
        values = values + _gifts(solution, steps, root, other)
    found: Floats = values * (own_range.sum() / reach)
    return found


def _gifts(solution: Solution, steps: list[Step], root: Spot, other: int) -> Floats:
    """What each hand of *other* lost by what was done, beside going on as the solution does,
    [hand].
    """
    given = np.zeros(solution.ranges.shape[1])
    for step in steps:
        if step.before.actor == other and step.node >= 0:
            given += np.maximum(_lost(solution, step, root, other), 0.0)
    return given


def _lost(solution: Solution, step: Step, root: Spot, other: int) -> Floats:
    board, after = board_at(step.before, root.board), step.before.apply(step.action)
    node = solution.node(after)
    if node < 0 or after.street != step.before.street:
        return np.zeros(solution.ranges.shape[1])
    lost: Floats = solution.values(step.node, board, other) - solution.values(node, board, other)
    return lost


NUM_SEATS = 2
LEAF_SHARE = 0.4
"""Of the time for a decision, what roll-outs may take at most."""
MOST_SOLUTIONS, MOST_TABLES = 4, 512
MOST_OPENINGS = 256
"""Solutions of a single street before the first board card hold for all hands of a match, and
are small.
"""


@dataclass(frozen=True, slots=True)
class Fallback:
    """A decision that the blueprint made, and why."""

    spot: Spot
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class Decided:
    """What is done in a spot, and whether it was searched; else the blueprint said it."""

    table: ActionTable
    is_searched: bool


@dataclass(slots=True)
class SearchCounts:
    """What a strategy has done so far."""

    num_searched: int = 0
    num_iterations: int = 0
    num_fallbacks: int = 0


class SearchStrategy:
    """A ``PublicStrategy`` of a game for two.

    With *settings* that limit iterations and no time, the same state always has the same table.
    *leaves* makes what lies beyond subgames that end with their street; ``on_fallback`` hears of
    decisions for which there was no time. Raises UsageError for games that it cannot play.
    """

    def __init__(
        self,
        blueprint: BlueprintPlay,
        settings: SearchSettings,
        *,
        leaves: LeafMaker | None = None,
    ) -> None:
        _verify_game(blueprint.snapshot.definition, settings, leaves)
        self.blueprint, self.settings = blueprint, settings
        self.counts = SearchCounts()
        self.on_fallback: Callable[[Fallback], None] = lambda _fallback: None
        self._leaves = leaves
        self._decided = Recent[Decided](MOST_TABLES)
        self._solved = Recent[Solution](MOST_SOLUTIONS)
        self._openings = Recent[Solution](MOST_OPENINGS)
        self._pace: Mapping[int, IterationTimer] = {
            street: IterationTimer() for street in settings.streets
        }

    @property
    def definition(self) -> GameDefinition:
        """The game."""
        return self.blueprint.snapshot.definition

    def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        """What the actor after *betting* does with every hand, however long it takes."""
        return self.table_by(betting, board, FOREVER)

    def table_by(
        self, betting: BettingState, board: Sequence[int], deadline_s: float
    ) -> ActionTable:
        """The same, and before the moment *deadline_s* on the monotonic clock, by the blueprint
        if need be.
        """
        return self._decide(Spot(betting, tuple(board)), deadline_s).table

    def give_up(self, betting: BettingState, board: Sequence[int], reason: str) -> ActionTable:
        """What the blueprint does there: from now on that is this strategy's answer, and told
        as a fallback.
        """
        spot = Spot(betting, tuple(board))
        self._decided.keep(spot.key, self._fallback(spot, reason))
        return self._decided[spot.key].table

    def warm_up(self) -> None:
        """Decide twice on each street: the first time compiles, the second, in time, tells the
        pace of this machine.
        """
        streets = {
            street: replace(own, iterations=2, least_iterations=1, decisions=ALL)
            for street, own in self.settings.streets.items()
        }
        timeless = {street: replace(own, seconds=FOREVER) for street, own in streets.items()}
        for chosen, pace in (
            (timeless, {street: IterationTimer() for street in streets}),
            (streets, self._pace),
        ):
            trial = SearchStrategy(
                self.blueprint, replace(self.settings, streets=chosen), leaves=self._leaves
            )
            trial._pace = pace
            trial._call_down()

    def ranges(self, spot: Spot, seat: int, deadline_s: float = FOREVER) -> Floats:
        """How likely both came to *spot* with each hand, as *seat* sees it, up to a factor,
        [seat, hand].
        """
        last = last_spot(spot, seat)
        if last is None:
            return self._updated(np.ones((NUM_SEATS, self._num_hands)), spot, None)
        decided, solution = self._decide(last, deadline_s), self._solution(last, deadline_s)
        before = self.ranges(last, seat, deadline_s) if solution is None else solution.ranges
        return self._updated(before, spot, _Past(last, decided.table, solution))

    @property
    def _num_hands(self) -> int:
        return len(hands_without(self.definition, ()))

    def _updated(self, ranges: Floats, spot: Spot, past: _Past | None) -> Floats:
        """*ranges* [seat, hand] after what was done since the start of *past*, or of the hand,
        where they held.
        """
        found = ranges.copy()
        for before, action in spot.betting.decisions():
            if past is None or len(before.text) >= len(past.start.text):
                table = self._played(Spot(before, board_at(before, spot.board)), past)
                found[before.actor] = updated(
                    found[before.actor], action_chances(before, table, action)
                )
        return found

    def _played(self, spot: Spot, past: _Past | None) -> ActionTable:
        """What is done in *spot*: really, by the last solution, or by the blueprint where that
        does not say.
        """
        if past is not None and spot.key == past.spot.key:
            return past.table
        node = (
            past.solution.node(spot.betting)
            if past is not None and past.solution is not None
            else NOWHERE
        )
        if node == NOWHERE:
            return self.blueprint.table(spot.betting, spot.board)
        assert past is not None
        assert past.solution is not None
        return past.solution.table(node, spot.board)

    def _call_down(self) -> None:
        """Decide wherever a hand comes in which all is called, by the blueprint too."""
        betting, deck = BettingRules(self.definition).start, self.definition.deck
        while not betting.is_over:
            board = deck[: self.definition.board_size(betting.street)]
            self.blueprint.table(betting, board)
            self.table(betting, board)
            betting = betting.apply(CALLING)

    def _decide(self, spot: Spot, deadline_s: float) -> Decided:
        return self._decided.find(spot.key, lambda: self._new_decision(spot, deadline_s))

    def _new_decision(self, spot: Spot, deadline_s: float) -> Decided:
        street = self.settings.streets.get(spot.betting.street)
        if street is None or not is_wanted(spot.betting, street, self.blueprint.snapshot.place):
            return Decided(self.blueprint.table(spot.betting, spot.board), is_searched=False)
        try:
            solution = self._found(spot, deadline_s)
        except TooLate as error:
            return self._fallback(spot, str(error))
        return Decided(solution.table(solution.node(spot.betting), spot.board), is_searched=True)

    def _fallback(self, spot: Spot, reason: str) -> Decided:
        self.counts.num_fallbacks += 1
        self.on_fallback(Fallback(spot, reason))
        return Decided(self.blueprint.table(spot.betting, spot.board), is_searched=False)

    def _solution(self, spot: Spot, deadline_s: float) -> Solution | None:
        """The solution from which *spot* was decided, found again if it was forgotten.

        None if there is none.
        """
        if not self._decide(spot, deadline_s).is_searched:
            return None
        return self._found(spot, deadline_s)

    def _found(self, spot: Spot, deadline_s: float) -> Solution:
        """The solution of *spot*, kept or found now; raises TooLate."""
        if spot.board or not self.settings.streets[spot.betting.street].values:
            return self._solved.find(spot.key, lambda: self._solve(spot, deadline_s))
        return self._openings.find(spot.key, lambda: self._solve(spot, deadline_s).by_classes())

    def _solve(self, spot: Spot, deadline_s: float) -> Solution:
        """The subgame of *spot*, solved; raises TooLate."""
        street, root = (
            self.settings.streets[spot.betting.street],
            Spot(subgame_root(spot), spot.board),
        )
        ranges = entering(self.definition, self.ranges(root, spot.seat, deadline_s), spot.board)
        budget, pace = (
            make_budget(street.seconds, self.settings.share, deadline_s),
            self._pace[spot.betting.street],
        )
        menu, size = self._menu(spot, root, street, budget.allowed_s)
        game = make_range_game(root.betting, spot.board, menu, ranges, one_street=street.values > 0)
        gadget = self._gadget(spot, root, game, ranges)
        leaves = self._beyond(
            game, 1 - spot.seat, LEAF_SHARE * (budget.wanted_s - time.monotonic())
        )
        solver = RangeCFR(
            game,
            fast_settings(game),
            num_threads=self.settings.threads,
            gadgets=gadget,
            leaves=leaves,
        )
        pace.saw_build(time.monotonic() - budget.started_s)
        step_until(solver, street.least_iterations, street.iterations, budget, pace, size)
        if solver.num_iterations < street.least_iterations:
            raise TooLate(
                f"{solver.num_iterations} iterations in {time.monotonic() - budget.started_s:.3f} s"
            )
        self.counts.num_searched += 1
        self.counts.num_iterations += solver.num_iterations
        return Solution(game, solver, spot.board, ranges, is_one_street=street.values > 0)

    def _beyond(self, game: RangeGame, chooser: int, left_s: float = FOREVER) -> LeafValues | None:
        """What lies beyond *game*, where the *chooser* takes continuations.

        None if it goes to the end of the hand.
        """
        street = self.settings.streets[game.tree.root.street]
        return (
            self._leaves(game, chooser, street, left_s) if self._leaves and street.values else None
        )

    def _menu(
        self, spot: Spot, root: Spot, street: StreetSettings, allowed_s: float
    ) -> tuple[SeatMenus, int]:
        """The richest menu whose tree is small enough and can be solved in time, and its cells;
        raises TooLate.
        """
        pace = self._pace[spot.betting.street]
        for menus in street.menus:
            menu = seat_menus(spot, root.betting, menus, one_street=street.values > 0)
            size = num_cells(root.betting, root.board, menu, one_street=street.values > 0)
            is_last = menus is street.menus[-1]
            if (is_last or size <= street.most_cells) and pace.predicted_s(
                size, street.least_iterations
            ) <= allowed_s:
                return menu, size
        pace.relax()
        raise TooLate(
            f"{max(allowed_s, 0.0):.3f} s are too few for {street.least_iterations} iterations"
        )

    def _gadget(self, spot: Spot, root: Spot, game: RangeGame, ranges: Floats) -> dict[int, Gadget]:
        """How the opponent comes into *game*.

        Where he is promised nothing, as he is believed to come.
        """
        other = 1 - spot.seat
        name, values = self._promise(spot, root, ranges)
        if values is None:
            return {}
        own = game.boards.rows(0)
        weights = np.empty(len(game.ranges[0]))
        scratch = np.empty(52 + len(weights))
        fold_values(game.ranges[spot.seat], game.boards.arrays.cards[own], 1.0, scratch, weights)
        kind = MAXMARGIN if name == REACH else name
        return {
            other: make_gadget(
                kind, game.ranges[other], weights, values[game.boards.arrays.hands[own]]
            )
        }

    def _promise(self, spot: Spot, root: Spot, ranges: Floats) -> tuple[str, Floats | None]:
        """By which gadget, and what the opponent's hands are promised at *root*, [hand], or None.

        It comes from the last solution if that gets there, else from the blueprint.
        """
        street, last = self.settings.streets[root.betting.street], last_spot(spot, spot.seat)
        solution = self._solution(last, FOREVER) if last else None
        if solution is not None:
            own, with_gifts = ranges[spot.seat], street.gadget == REACH
            found = (
                None
                if street.gadget == UNSAFE
                else promised(solution, root, spot.seat, own, with_gifts=with_gifts)
            )
            if found is not None or street.gadget == UNSAFE:
                return street.gadget, found
        if street.first_gadget == UNSAFE:
            return UNSAFE, None
        # Before the flop there is no going to the end of the hand.
        beyond = (
            (lambda game: self._beyond(game, 1 - spot.seat))
            if street.values and not root.board
            else None
        )
        values = blueprint_values(
            self.blueprint, root, ranges, 1 - spot.seat, street.most_cells, beyond
        )
        return street.first_gadget, values


@dataclass(frozen=True, slots=True, eq=False)
class _Past:
    """The last decision of a seat, what was done there, and the solution from which it came, if
    any.
    """

    spot: Spot
    table: ActionTable
    solution: Solution | None

    @property
    def start(self) -> BettingState:
        """Since when there is something to be told of both."""
        return self.spot.betting if self.solution is None else self.solution.root


def _verify_game(
    definition: GameDefinition, settings: SearchSettings, leaves: LeafMaker | None
) -> None:
    if definition.num_players != NUM_SEATS or definition.num_hole_cards > 2:
        raise UsageError(
            "search is for two players with hands of one or two cards", "name another game"
        )
    for street, found in settings.streets.items():
        if street >= definition.num_streets:
            raise UsageError(
                f"the game has no street number {street + 1} to search",
                "leave it out of search.toml",
            )
        if found.values and leaves is None:
            raise UsageError("nothing tells what lies beyond a street", "let values be 0")
        verify_values(found)
        if street == 0 and not found.values:
            verify_root(BettingRules(definition).start)
