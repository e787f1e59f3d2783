"""Values of every hand of both ranges at a decision if two players play on by known strategies.

One runout, walked with vectors over hands (``runouts.py``), tells something of all hands and
actions at once. For a hand h and an action a let X be the counterfactual value on a runout and M
the reach of the opponent that h meets there; both are 0 where the runout blocks h. Then

    value = sum of X / sum of M + what h has put in so far

over all runouts is exact. Over drawn ones it is a ratio estimator: consistent, as each runout
stands for h as often as it occurs beside hands of the opponent's range. Its residual on a runout is
X - value M. The runouts are the same for all actions and hands, so that differences between actions
are known better than values.

* **Control variate.** What h would win if nobody bet any more is known exactly from the flop on
  (``subgames/equities.py``), before it from many boards. Let E be h's equity, and A the reach that
  h beats less that it loses to: A - (2 E - 1) M has mean 0, and what X has in common with it is
  taken out by regression over the runouts.
* **Runouts are drawn without replacement** where they can be listed; the spread of the mean shrinks
  with the share of them that is dealt.
* **Intervals** are those of ``matches/intervals.py`` with runouts as samples.

Where a runout has more than MAX_WHOLE decisions the opponent's actions are drawn, with runouts that
are drawn anew; X is then an unbiased estimate of what it was.

The number of runouts depends on the strategies and on the decision alone, not on the clock: the
same seed gives the same values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from acpcbot.arrays import Floats, Ints
from acpcbot.evaluation.decisions.ratio_estimates import Control, RatioEstimates, ratio_estimates
from acpcbot.evaluation.decisions.runouts import (
    Cards,
    Runout,
    Runouts,
    RunoutWalk,
    Tables,
    num_decisions,
)
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import hands_without
from acpcbot.subgames.equities import Equities, met_reach

MAX_EXACT = 3_000
"""Most decisions that are walked for exact values at once, runouts and seats told apart."""
MAX_WALKED = 25_000
"""Decisions that are walked for estimates, after which no further runout is begun.

With the shipped strategies of hold'em that takes one to two seconds.
"""
MAX_WHOLE = 700
"""Most decisions of a runout that are all walked."""
FEW_DECISIONS = 4
MIN_RUNOUTS = 20
"""Fewest runouts that are drawn: intervals of fewer are too narrow."""
MAX_LISTED = 50_000
"""Most runouts that are listed."""
MAX_PLIES = 64
"""Number of draws for each walk: one for each later decision, from the first again."""
NUM_GROUPS = 8
"""Groups of hands by equity: what hands win depends on the board as their equity does, by group."""
RUNOUT_COST = 30
"""Decisions that take as long as what a runout needs before the first one."""
DRAWN_COST = 2
"""Decisions that take as long as one at which actions are drawn."""
LEAST_SHARE = 1e-12
"""Of the opponent's reach: what is less is the rounding error of nothing."""


class TooManyDecisions(Exception):
    """More than MAX_EXACT decisions follow."""


@dataclass(frozen=True, slots=True, eq=False)
class RangeSpot:
    """A decision after *betting* on *board* with two players left, the actor and *opponent*.

    *reaches* are those of both, in this order, [2, hand], and *equities* the shares of the pot that
    they win.
    """

    betting: BettingState
    board: Cards
    opponent: int
    reaches: Floats
    equities: Equities

    @property
    def definition(self) -> GameDefinition:
        """Game of the decision."""
        return self.betting.game.definition

    @property
    def seats(self) -> tuple[int, int]:
        """The actor and the opponent."""
        return self.betting.actor, self.opponent


@dataclass(frozen=True, slots=True, eq=False)
class RangeValues:
    """Values at a decision in chips from there on, so that folding is 0.

    ``actions``, ``action_half_widths``  those of the actor's actions, [hand, action], and half of
                              their 95 % intervals
    ``lead_half_widths``      half of the interval of what the best action is worth more, [hand,
                              action]; 0 for the best one
    ``ranges``, ``range_half_widths``  the same of the play of the actor and of the opponent,
                              [2, hand]
    ``num_runouts``           runouts that were dealt
    ``is_exact``              true if these were all that can follow
    ``is_whole``              true if all betting was walked on each

    Values are NaN where no hand of the opponent fits; half widths are 0 if values are exact.
    """

    actions: Floats
    action_half_widths: Floats
    lead_half_widths: Floats
    ranges: Floats
    range_half_widths: Floats
    num_runouts: int
    is_exact: bool
    is_whole: bool


def exact_range_values(spot: RangeSpot, actions: Sequence[Action], tables: Tables) -> RangeValues:
    """Return the values of both ranges at *spot*, and of the *actions* that the actor may take.

    Raises TooManyDecisions, and UsageError where *tables* does.
    """
    runouts = Runouts(spot.definition, spot.board)
    if not _can_deal_all(spot, runouts, tables, MAX_EXACT):
        raise TooManyDecisions
    return _exact(_Walks(spot, actions, tables), runouts)


def estimated_range_values(
    spot: RangeSpot, actions: Sequence[Action], tables: Tables, generator: np.random.Generator
) -> RangeValues:
    """Return the same: exact if that takes MAX_WALKED decisions at most, else from drawn runouts.

    Raises UsageError where *tables* does.
    """
    runouts = Runouts(spot.definition, spot.board)
    walks = _Walks(spot, actions, tables)
    if _can_deal_all(spot, runouts, tables, MAX_WALKED):
        return _exact(walks, runouts)
    is_whole = _num_decisions(spot, runouts, tables, MAX_WHOLE) < MAX_WHOLE
    samples = _drawn_samples(walks, runouts, generator, is_whole=is_whole)
    return _estimated(walks, samples, runouts, is_whole=is_whole)


def _can_deal_all(spot: RangeSpot, runouts: Runouts, tables: Tables, most: int) -> bool:
    """Return True if all betting on all runouts has at most *most* decisions."""
    each = most // (2 * runouts.number)
    # Some are counted in any case, so that a strategy that knows nothing of them is found out.
    return _num_decisions(spot, runouts, tables, max(each + 1, FEW_DECISIONS)) <= each


def _num_decisions(spot: RangeSpot, runouts: Runouts, tables: Tables, most: int) -> int:
    first = Runout(spot.definition, next(runouts.every()))
    return num_decisions(spot.betting, tables, first, most)


@dataclass(frozen=True, slots=True, eq=False)
class _Sample:
    """Sums on one runout by the two seats; hands that it blocks are 0.

    ``values``  counterfactual values: of the actor [hand, action], and of the opponent [hand, 1]
    ``met``     reach of the other seat that a hand meets, [2, hand]
    ``ahead``   reach that it beats less that it loses to, [2, hand]
    """

    values: tuple[Floats, Floats]
    met: Floats
    ahead: Floats


class _Walks:
    """The values on one runout after another, for both seats of *spot*."""

    def __init__(self, spot: RangeSpot, actions: Sequence[Action], tables: Tables) -> None:
        self.spot = spot
        self._following = [spot.betting.apply(action) for action in actions]
        self.play = tables(spot.betting, spot.board).probabilities
        actor, opponent = spot.seats
        self._walks = (RunoutWalk(actor, opponent, tables), RunoutWalk(opponent, actor, tables))

    @property
    def num_decisions(self) -> int:
        """The number of decisions that were walked."""
        return self._walks[0].num_decisions + self._walks[1].num_decisions

    def sample(self, board: Cards, draws: Floats | None = None) -> _Sample:
        """Return the values on the whole *board*; *draws* [2, ply] draw single actions."""
        spot, runout = self.spot, Runout(self.spot.definition, board)
        actor, opponent = spot.reaches * runout.free
        first, second = (None, None) if draws is None else draws
        walk = self._walks[0]
        of_actions = np.stack(
            [walk.value(after, opponent, runout, first) for after in self._following], axis=1
        )
        response = self._walks[1].value(spot.betting, actor, runout, second)[:, None]
        others = (opponent, actor)
        met = [runout.showdown(reach, 1, 1) for reach in others]
        ahead = [runout.showdown(reach, 1, -1) for reach in others]
        free = runout.free[:, None]
        values = (of_actions * free, response * free)
        return _Sample(values, np.stack(met), np.stack(ahead))


def _exact(walks: _Walks, runouts: Runouts) -> RangeValues:
    """Return the values over all *runouts*."""
    samples = map(walks.sample, runouts.every())
    total = next(samples)
    sums, met = list(total.values), total.met
    for sample in samples:
        sums = [old + new for old, new in zip(sums, sample.values, strict=True)]
        met = met + sample.met
    with np.errstate(divide="ignore", invalid="ignore"):
        means = [_chips(walks.spot, seat, sums[seat] / met[seat][:, None]) for seat in range(2)]
    ranges = np.stack([(walks.play * means[0]).sum(axis=1), means[1][:, 0]])
    nothing = np.zeros_like(means[0])
    return RangeValues(
        means[0],
        nothing,
        nothing,
        ranges,
        np.zeros_like(ranges),
        runouts.number,
        is_exact=True,
        is_whole=True,
    )


def _drawn_samples(
    walks: _Walks, runouts: Runouts, generator: np.random.Generator, *, is_whole: bool
) -> list[_Sample]:
    """Return the values on drawn runouts until MAX_WALKED decisions are walked."""
    listed: list[Cards] = []
    if is_whole and runouts.number <= MAX_LISTED:
        every = list(runouts.every())
        listed = [every[place] for place in generator.permutation(len(every)).tolist()]
    samples: list[_Sample] = []
    cost = 1 if is_whole else DRAWN_COST
    while (
        len(samples) < MIN_RUNOUTS
        or cost * walks.num_decisions + RUNOUT_COST * len(samples) < MAX_WALKED
    ):
        if listed and len(samples) == len(listed):
            break
        board = listed[len(samples)] if listed else runouts.drawn(generator)
        draws = None if is_whole else generator.random((2, MAX_PLIES))
        samples.append(walks.sample(board, draws))
    return samples


def _estimated(
    walks: _Walks, samples: Sequence[_Sample], runouts: Runouts, *, is_whole: bool
) -> RangeValues:
    """Return the values by *samples* of *runouts*."""
    # The same one may be drawn twice where they are not listed, or if its betting is drawn.
    is_listed = is_whole and runouts.number <= MAX_LISTED
    spot, share = walks.spot, len(samples) / runouts.number if is_listed else 0.0
    actions, response = (_seat_estimates(spot, seat, samples, share) for seat in range(2))
    ranges = (actions.weighted(walks.play), response)
    return RangeValues(
        _chips(spot, 0, actions.means),
        actions.half_widths(),
        actions.leads().half_widths(),
        np.stack([_chips(spot, seat, one.means)[:, 0] for seat, one in enumerate(ranges)]),
        np.stack([one.half_widths()[:, 0] for one in ranges]),
        len(samples),
        is_exact=False,
        is_whole=is_whole,
    )


def _seat_estimates(
    spot: RangeSpot, seat: int, samples: Sequence[_Sample], share: float
) -> RatioEstimates:
    values = np.stack([sample.values[seat] for sample in samples])
    met, ahead = (
        np.stack([getattr(sample, name)[seat] for sample in samples]) for name in ("met", "ahead")
    )
    equities = spot.equities
    unbet = ahead - (2 * equities.shares[seat] - 1) * met
    num_boards = equities.num_boards if equities.standard_error else None
    control = Control(unbet, _equity_groups(equities.shares[seat]), num_boards)
    return ratio_estimates(values, met, control, share)


def _equity_groups(shares: Floats) -> Ints:
    """Return a group for each hand: hands of similar equity have one."""
    places = np.nan_to_num(shares) * NUM_GROUPS
    return np.clip(places.astype(np.int64), 0, NUM_GROUPS - 1)


def _chips(spot: RangeSpot, seat: int, means: Floats) -> Floats:
    """Return *means* [hand, column] of a whole hand as chips from the decision on.

    NaN where no hand of the other seat fits.
    """
    reach = spot.reaches[1 - seat] * hands_without(spot.definition, spot.board)
    is_met = met_reach(spot.definition, reach) > LEAST_SHARE * reach.sum()
    chips = means + spot.betting.spent[spot.seats[seat]]
    found: Floats = np.where(is_met[:, None], chips, np.nan)
    return found
