"""Continual re-solving: a strategy that solves a subgame at every decision it searches.

``SearchStrategy`` first; below it the alternative values of the gadget (``alternative_values``).

The searcher's own range is what it has really played. The opponent's range is its range under the
previous solution, or under the blueprint if there was none. A hand's first subgame takes the
opponent's range as known, or stands behind ``root_gadget``, with alternative values of a best
response to the blueprint; later ones stand behind a gadget, whose alternative values are those of
the solution before. Either are those at the action that the opponent took, or at the decision
before it where the blueprint or that solution does not hold its bet. All of this follows from the betting
and the board: asked about any state, as in the middle of a hand, the strategy goes through the
decisions before it first, and caches the last ones.

Sources: Brown & Sandholm (2017), Safe and nested subgame solving for imperfect-information games;
Brown, Sandholm & Amos (2018), Depth-limited solving for imperfect-information games; Moravcik et
al. (2017), DeepStack.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.poker.actions import CALLING, FOLDING, raising
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import hands_without
from acpcbot.search.all_in_answers import all_in_of, calling_hands, is_last_answer
from acpcbot.search.blueprint import Blueprint, DistinctLruCache, LruCache, blueprint_values
from acpcbot.search.deadline import IterationTimer, TooLate, make_budget, step_until
from acpcbot.search.leaves import LeafMaker
from acpcbot.search.settings import (
    ALL,
    FOREVER,
    MAXMARGIN,
    REACH,
    UNSAFE,
    Menus,
    SearchSettings,
    StreetSettings,
    verify_game,
)
from acpcbot.search.solution import Solution, Step
from acpcbot.search.subgame import (
    Spot,
    board_at,
    entering_ranges,
    is_off_tree,
    is_searched,
    last_spot,
    num_cells,
    seat_menus,
    subgame_root,
)
from acpcbot.search.weak_opponents import weak_model
from acpcbot.strategies.public_strategy import ActionTable
from acpcbot.strategies.range_update import action_likelihood, update_range
from acpcbot.subgames.gadgets import Gadget, make_gadget
from acpcbot.subgames.game import RangeGame, make_range_game
from acpcbot.subgames.leaf_values import LeafValues
from acpcbot.subgames.solver import RangeCFR, fast_settings
from acpcbot.subgames.terminal_values import fold_values
from acpcbot.trees.bet_menu import SeatMenus

NUM_SEATS = 2
ALL_IN_SECONDS = 1.0
"""The least time for an answer to an all-in, which takes a third of that on a core of its own."""
LEAF_SHARE = 0.4
"""The largest share of a decision's time for rollouts."""
MAX_SOLUTIONS, MAX_TABLES = 4, 512
MAX_PREFLOP_SOLUTIONS = 256
"""Solutions of a single street before the first board card hold for all hands of a match, and
are small.
"""


@dataclass(frozen=True, slots=True)
class Fallback:
    """A decision that the blueprint made, and the reason."""

    spot: Spot
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class Decided:
    """The action table of a spot, and whether search or the blueprint gave it."""

    table: ActionTable
    is_search_result: bool


@dataclass(slots=True)
class SearchCounts:
    """Counts of searches, iterations and fallbacks so far."""

    num_searched: int = 0
    num_iterations: int = 0
    num_fallbacks: int = 0


class SearchStrategy:
    """A ``PublicStrategy`` of a two-player game by continual re-solving.

    With *settings* that limit iterations and no time, the same state always has the same table.
    *leaves* makes the values beyond subgames that end with their street; ``on_fallback`` is called
    for decisions without time to search. *definition* is the game that is played, if its stacks are
    not those of the blueprint. Raises UsageError for games that it cannot play.
    """

    def __init__(
        self,
        blueprint: Blueprint,
        settings: SearchSettings,
        *,
        leaves: LeafMaker | None = None,
        definition: GameDefinition | None = None,
    ) -> None:
        self._definition = definition or blueprint.definition
        verify_game(self._definition, settings, leaves)
        self.blueprint, self.settings = blueprint, settings
        self.counts = SearchCounts()
        self.on_fallback: Callable[[Fallback], None] = lambda _fallback: None
        self._leaves = leaves
        self._decided = LruCache[Decided](MAX_TABLES)
        self._solved = DistinctLruCache[Solution](MAX_SOLUTIONS)
        self._shared = LruCache[Solution](MAX_SOLUTIONS)
        self._preflop_solutions = LruCache[Solution](MAX_PREFLOP_SOLUTIONS)
        self._timers: Mapping[int, IterationTimer] = {
            street: IterationTimer() for street in settings.streets
        }

    @property
    def definition(self) -> GameDefinition:
        """The definition of the game that is played."""
        return self._definition

    def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        """Return the actor's action probabilities for every hand, without a deadline."""
        return self.table_by(betting, board, FOREVER)

    def table_by(
        self, betting: BettingState, board: Sequence[int], deadline_s: float
    ) -> ActionTable:
        """Return the same before *deadline_s* on the monotonic clock, else the blueprint's."""
        return self._decide(Spot(betting, tuple(board)), deadline_s).table

    def give_up(self, betting: BettingState, board: Sequence[int], reason: str) -> ActionTable:
        """Decide by the blueprint from now on after *betting*, and report it as a fallback."""
        spot = Spot(betting, tuple(board))
        self._decided.put(spot.key, self._fallback(spot, reason))
        return self._decided[spot.key].table

    def warm_up(self) -> None:
        """Decide twice on each street: to compile, and to measure the speed of this machine."""
        streets = {
            street: replace(own, iterations=2, min_iterations=1, decisions=ALL)
            for street, own in self.settings.streets.items()
        }
        timeless = {street: replace(own, seconds=FOREVER) for street, own in streets.items()}
        for chosen, timer in (
            (timeless, {street: IterationTimer() for street in streets}),
            (streets, self._timers),
        ):
            rehearsal = SearchStrategy(
                self.blueprint,
                replace(self.settings, streets=chosen),
                leaves=self._leaves,
                definition=self._definition,
            )
            rehearsal._timers = timer
            rehearsal._call_down()

    def ranges(self, spot: Spot, seat: int, deadline_s: float = FOREVER) -> Floats:
        """Return both seats' reach at *spot* as *seat* sees it, up to a factor, [seat, hand]."""
        last = last_spot(spot, seat)
        if last is None:
            return self._updated_ranges(np.ones((NUM_SEATS, self._num_hands)), spot, None)
        decided, solution = self._decide(last, deadline_s), self._solution(last, deadline_s)
        before = self.ranges(last, seat, deadline_s) if solution is None else solution.ranges
        return self._updated_ranges(before, spot, _LastDecision(last, decided.table, solution))

    @property
    def _num_hands(self) -> int:
        return len(hands_without(self.definition, ()))

    def _updated_ranges(self, ranges: Floats, spot: Spot, last: _LastDecision | None) -> Floats:
        """Return *ranges* [seat, hand] after the actions since *last*, or of the whole hand."""
        found = ranges.copy()
        for before, action in spot.betting.decisions():
            if last is None or len(before.text) >= len(last.start.text):
                table = self._table_at(Spot(before, board_at(before, spot.board)), last)
                found[before.actor] = update_range(
                    found[before.actor], action_likelihood(before, table, action)
                )
        return found

    def _table_at(self, spot: Spot, last: _LastDecision | None) -> ActionTable:
        """Return the action table of *spot*.

        It is the one that was played, the last solution's, or the blueprint's.
        """
        if last is not None and spot.key == last.spot.key:
            return last.table
        solution = None if last is None else last.solution
        if solution is None or not solution.holds(spot.betting):
            return self.blueprint.table(spot.betting, spot.board)
        return solution.table_after(spot.betting, spot.board)

    def _call_down(self) -> None:
        """Decide all spots of a hand in which all is called, by the blueprint too, and an all-in."""
        betting, deck = BettingRules(self.definition).start, self.definition.deck
        while not betting.is_over:
            board = deck[: self.definition.board_size(betting.street)]
            self.blueprint.table(betting, board)
            self.table(betting, board)
            betting = betting.apply(CALLING)
        start = BettingRules(self.definition).start
        if start.raise_range is not None and not self.definition.is_limit:
            facing = start.apply(raising(start.raise_range[1]))
            if is_last_answer(facing):
                self.table(facing, ())

    def _decide(self, spot: Spot, deadline_s: float) -> Decided:
        return self._decided.get_or_make(spot.key, lambda: self._new_decision(spot, deadline_s))

    def _new_decision(self, spot: Spot, deadline_s: float) -> Decided:
        street = self.settings.streets.get(spot.betting.street)
        try:
            if street is not None and street.all_in_scale and is_last_answer(spot.betting):
                answer = self._all_in_answer(spot, street, deadline_s)
                if answer is not None:
                    return Decided(answer, is_search_result=False)
            if street is None or not is_searched(spot.betting, street, self.blueprint.place):
                table = self.blueprint.table(spot.betting, spot.board)
                return Decided(table, is_search_result=False)
            solution = self._solved_spot(spot, deadline_s)
        except TooLate as error:
            return self._fallback(spot, str(error))
        return Decided(solution.table_after(spot.betting, spot.board), is_search_result=True)

    def _all_in_answer(
        self, spot: Spot, street: StreetSettings, deadline_s: float
    ) -> ActionTable | None:
        """Return the answer to an all-in; None where the opponent's alternatives are not known.

        Raises TooLate.
        """
        left_s = deadline_s - time.monotonic()
        if left_s < ALL_IN_SECONDS:
            raise TooLate(f"{max(left_s, 0.0):.3f} s are too few to answer an all-in")
        before = Spot(list(spot.betting.decisions())[-1][0], spot.board)
        ranges = entering_ranges(
            self.definition, self.ranges(before, spot.seat, deadline_s), spot.board
        )
        own, other = ranges[spot.seat], ranges[1 - spot.seat]
        last = last_spot(spot, spot.seat)
        solution = self._solution(last, deadline_s) if last else None
        alternatives = None
        if solution is not None:
            alternatives = alternative_values(solution, before, spot.seat, own, with_gifts=False)
        if alternatives is None:
            alternatives = self._blueprint_values(spot, before, ranges, street)
        if alternatives is None:
            return None
        all_in = all_in_of(spot.betting, street.all_in_scale * self.definition.big_blind)
        calls = calling_hands(self.definition, all_in, own, other, alternatives)
        return ActionTable((FOLDING, CALLING), np.stack([1 - calls, calls], axis=1))

    def _fallback(self, spot: Spot, reason: str) -> Decided:
        self.counts.num_fallbacks += 1
        self.on_fallback(Fallback(spot, reason))
        return Decided(self.blueprint.table(spot.betting, spot.board), is_search_result=False)

    def solution(self, spot: Spot) -> Solution | None:
        """Return the solution that decides *spot*, without a deadline; None where none does."""
        return self._solution(spot, FOREVER)

    def _solution(self, spot: Spot, deadline_s: float) -> Solution | None:
        """Return the solution that decided *spot*, solved again if evicted; None without one."""
        if not self._decide(spot, deadline_s).is_search_result:
            return None
        return self._solved_spot(spot, deadline_s)

    def _solved_spot(self, spot: Spot, deadline_s: float) -> Solution:
        """Return the solution of *spot*, cached or solved now; raises TooLate."""
        cache = self._cache(spot)
        return cache.get_or_make(
            spot.key, lambda: self._followed(spot, deadline_s) or self._solve(spot, deadline_s)
        )

    def _cache(self, spot: Spot) -> LruCache[Solution]:
        """Return the cache for solutions of the street of *spot*."""
        is_small = not spot.board and self.settings.streets[spot.betting.street].num_continuations
        return self._preflop_solutions if is_small else self._solved

    def _solve(self, spot: Spot, deadline_s: float) -> Solution:
        """Return the solution of the subgame of *spot*, cached or solved now; raises TooLate."""
        street = self.settings.streets[spot.betting.street]
        root, cache = Spot(self._root(spot), spot.board), self._cache(spot)
        # Bets of the opponent that are translated all have the same subgame.
        is_shared = root.betting is not spot.betting and street.max_pot_ratio > 1
        if is_shared:
            for menus in street.menus:
                key = root.key, spot.seat, self._menu(spot, root, menus)
                if key in self._shared:
                    self._shared.move_to_end(key)
                    return self._shared[key]
        solution = self._new_solution(spot, root, street, deadline_s)
        if cache is self._preflop_solutions:
            solution = solution.by_classes()
        if is_shared:
            self._shared.put((root.key, spot.seat, solution.game.tree.menu), solution)
        return solution

    def _new_solution(
        self, spot: Spot, root: Spot, street: StreetSettings, deadline_s: float
    ) -> Solution:
        """Return the solution of the subgame of *spot* from *root* on; raises TooLate."""
        ranges = entering_ranges(
            self.definition, self.ranges(root, spot.seat, deadline_s), spot.board
        )
        budget, timer = (
            make_budget(street.seconds, self.settings.max_share_of_clock, deadline_s),
            self._timers[spot.betting.street],
        )
        menu, size = self._affordable_menu(spot, root, street, budget.allowed_s)
        game = make_range_game(
            root.betting,
            spot.board,
            menu,
            ranges,
            one_street=street.one_street,
            drawn=street.drawn(self.settings.seed),
        )
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
            is_int16=street.int16,
            trembles=street.trembles,
            model=weak_model(self.blueprint, root, game, 1 - spot.seat, street.weak_prior),
        )
        timer.record_build(time.monotonic() - budget.started_s)
        step_until(solver, street.min_iterations, street.iterations, budget, timer, size)
        if solver.num_iterations < street.min_iterations:
            raise TooLate(
                f"{solver.num_iterations} iterations in {time.monotonic() - budget.started_s:.3f} s"
            )
        self.counts.num_searched += 1
        self.counts.num_iterations += solver.num_iterations
        # The next street begins anew where rivers are drawn: they are not those that will come.
        return Solution(
            game,
            solver,
            spot.board,
            ranges,
            is_one_street=street.one_street or street.drawn_boards > 0,
            searcher=spot.seat,
            max_pot_ratio=street.max_pot_ratio,
        )

    def _followed(self, spot: Spot, deadline_s: float) -> Solution | None:
        """Return the solution of the seat's last decision, if *spot* on its street follows it."""
        last = last_spot(spot, spot.seat)
        if (
            last is None
            or last.betting.street != spot.betting.street
            or not self.settings.streets[spot.betting.street].follow_solution
        ):
            return None
        solution = self._solution(last, deadline_s)
        return solution if solution is not None and solution.holds(spot.betting) else None

    def _root(self, spot: Spot) -> BettingState:
        """Return the state with which the subgame of *spot* begins."""
        street = self.settings.streets[spot.betting.street]
        if street.root_gadget == UNSAFE:
            return subgame_root(spot)
        # What the gadget guarantees covers the actions before the blueprint's tree was left.
        place = self.blueprint.place
        return subgame_root(spot, lambda betting: is_searched(betting, street, place))

    def _beyond(self, game: RangeGame, chooser: int, left_s: float = FOREVER) -> LeafValues | None:
        """Return leaf values beyond *game* with continuations of the *chooser*.

        None if it goes to the end of the hand.
        """
        street = self.settings.streets[game.tree.root.street]
        return (
            self._leaves(game, chooser, street, left_s)
            if self._leaves and street.num_continuations
            else None
        )

    def _menu(self, spot: Spot, root: Spot, menus: Menus) -> SeatMenus:
        """Return the bets of both seats in the subgame of *spot* that begins at *root*."""
        street = self.settings.streets[spot.betting.street]
        return seat_menus(
            spot,
            root.betting,
            menus,
            one_street=street.one_street,
            max_pot_ratio=street.max_pot_ratio,
        )

    def _affordable_menu(
        self, spot: Spot, root: Spot, street: StreetSettings, allowed_s: float
    ) -> tuple[SeatMenus, int]:
        """Return the richest menu whose tree can be solved in time, and its number of cells.

        The tree must be small enough, too. Raises TooLate.
        """
        timer = self._timers[spot.betting.street]
        for menus in street.menus:
            menu = self._menu(spot, root, menus)
            size = num_cells(
                root.betting,
                root.board,
                menu,
                one_street=street.one_street,
                drawn_boards=street.drawn_boards,
            )
            is_last = menus is street.menus[-1]
            wanted = 0 if is_last else street.wanted_iterations
            if (is_last or size <= street.max_cells) and timer.predicted_s(
                size, max(wanted, street.min_iterations)
            ) <= allowed_s:
                return menu, size
        timer.decay()
        raise TooLate(
            f"{max(allowed_s, 0.0):.3f} s are too few for {street.min_iterations} iterations"
        )

    def _gadget(self, spot: Spot, root: Spot, game: RangeGame, ranges: Floats) -> dict[int, Gadget]:
        """Return the gadget through which the opponent enters *game*, by seat.

        It is empty where there are no alternative values: the opponent's range is taken as known.
        """
        other = 1 - spot.seat
        name, values = self._alternative_values(spot, root, ranges)
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

    def _alternative_values(
        self, spot: Spot, root: Spot, ranges: Floats
    ) -> tuple[str, Floats | None]:
        """Return the gadget's name, and the alternative values at *root*, [hand], or None.

        They come from the last solution if that gets there, else from the blueprint.
        """
        street, last = self.settings.streets[root.betting.street], last_spot(spot, spot.seat)
        solution = self._solution(last, FOREVER) if last else None
        if solution is not None:
            own, with_gifts = ranges[spot.seat], street.gadget == REACH
            found = (
                None
                if street.gadget == UNSAFE
                else alternative_values(solution, root, spot.seat, own, with_gifts=with_gifts)
            )
            if found is not None or street.gadget == UNSAFE:
                return street.gadget, found
        if street.root_gadget == UNSAFE:
            return UNSAFE, None
        values = self._blueprint_values(spot, root, ranges, street)
        return street.root_gadget, values

    def _blueprint_values(
        self, spot: Spot, root: Spot, ranges: Floats, street: StreetSettings
    ) -> Floats | None:
        """Return the opponent's best-response values against the blueprint at *root*, [hand].

        Behind a bet that the blueprint's tree lacks, those of the decision before the bet, at which
        the opponent could have chosen another. Before the flop they are by leaf values where the
        game to the end of the hand is too large.
        """
        other = 1 - spot.seat
        if is_off_tree(root.betting, self.blueprint.place):
            last, _ = list(root.betting.decisions())[-1]
            if last.actor == other and last.street == root.betting.street:
                root = Spot(last, board_at(last, root.board))
        asked = (self.blueprint, root, ranges, other, street.max_cells)
        values = blueprint_values(*asked)
        if values is None and street.num_continuations and not root.board:
            return blueprint_values(*asked, lambda game: self._beyond(game, other))
        return values


@dataclass(frozen=True, slots=True, eq=False)
class _LastDecision:
    """The last decision of a seat, its action table, and the solution it came from, if any."""

    spot: Spot
    table: ActionTable
    solution: Solution | None

    @property
    def start(self) -> BettingState:
        """The first state whose actions the ranges do not contain yet."""
        return self.spot.betting if self.solution is None else self.solution.root


def alternative_values(
    solution: Solution, root: Spot, seat: int, own_range: Floats, *, with_gifts: bool
) -> Floats | None:
    """Return counterfactual values of the opponent's hands at *root*, [hand], in chips.

    They are against the *own_range* of *seat*. Where the opponent's last bet is not in the
    *solution*, they are those of the decision before it; *with_gifts* it may win back what it gave
    away since. None where the solution does not reach *root*, as where it ended with a street: the
    mean value of a hand over all cards that could follow says little of one of them.
    """
    other, steps = 1 - seat, list(solution.steps(root.betting))
    gifts = _gifts(solution, steps, root, other) if with_gifts else 0.0
    values = _values_at(solution, root, seat, own_range, gifts)
    if values is not None or not steps:
        return values
    before = steps[-1].before
    if before.actor != other or before.street != root.betting.street:
        return None
    return _values_at(solution, Spot(before, root.board), seat, own_range, gifts)


def _values_at(
    solution: Solution, spot: Spot, seat: int, own_range: Floats, gifts: Floats | float
) -> Floats | None:
    """Return the values at *spot* in the *solution*, with *gifts*; None where it has none.

    Where bets were translated they are the mean over all views of *spot*, in shares of the pot.
    """
    board, total, weight = board_at(spot.betting, spot.board), np.zeros(len(own_range)), 0.0
    for probability, seen in solution.views(spot.betting):
        node = solution.node(seen)
        reach = solution.reach(node, board, seat).sum()
        if reach > 0:
            share = probability * own_range.sum() / reach * spot.betting.pot / seen.pot
            total += share * (solution.values(node, board, 1 - seat) + gifts)
            weight += probability
    return total / weight if weight else None


def _gifts(solution: Solution, steps: list[Step], root: Spot, other: int) -> Floats:
    """Return what each hand of *other* lost by its actions, against the solution's, [hand]."""
    gifts = np.zeros(solution.ranges.shape[1])
    for step in steps:
        if step.before.actor == other and step.node >= 0:
            gifts += np.maximum(_loss(solution, step, root, other), 0.0)
    return gifts


def _loss(solution: Solution, step: Step, root: Spot, other: int) -> Floats:
    """Return what the action of *step* cost each hand of *other*, [hand].

    It is negative where the hand gained.
    """
    board, after = board_at(step.before, root.board), step.before.apply(step.action)
    node = solution.node(after)
    if node < 0 or after.street != step.before.street:
        return np.zeros(solution.ranges.shape[1])
    loss: Floats = solution.values(step.node, board, other) - solution.values(node, board, other)
    return loss
