"""External-sampling Monte Carlo CFR, for any number of seats.

An iteration is one deal. Each seat in turn traverses the tree: it tries all actions at its own
nodes, while the others' actions are sampled from their strategies, and adds the sampled
counterfactual regrets. Strategies follow from regrets by regret matching (``regret_matching.py``),
so the second traversal of a deal meets what the first one learnt.

The average strategy is collected at the others' nodes: whenever one is visited, its strategy is
added to its sums. With two seats a visit is as likely as the owner's reach makes it, which is the
weight that theory asks for (stochastically weighted averaging). With more seats the reach of the
remaining ones is in the weight as well; theory, which guarantees nothing for more than two players,
has no such factor.

Discounting is by periods of ``discount_interval`` iterations: after period t positive regrets are
multiplied by t^alpha / (t^alpha + 1), negative ones by t^beta / (t^beta + 1), and strategy sums by
(t / (t + 1))^gamma. Exponents of 1 are linear CFR: period t has weight t.

Sources: Lanctot, Waugh, Zinkevich & Bowling (2009), Monte Carlo sampling for regret minimization in
extensive games; Brown & Sandholm (2019), https://arxiv.org/abs/1809.04040 (discounts); the same
(2019), Superhuman AI for multiplayer poker, supplement (pruning).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.errors import UsageError
from acpcbot.learning.abstract_game import AbstractGame, MenuGame
from acpcbot.learning.bet_menu_kernels import NUM_SEATS, most_menu_visits, run_menu_iterations
from acpcbot.learning.external_sampling_kernels import discount, most_visits, run_iterations
from acpcbot.learning.sampling import Deals, RandomState
from acpcbot.regret_matching import STRATEGY, Storage, empty_sums

MAX_EXPONENT = 10


@dataclass(frozen=True, slots=True)
class ExternalSamplingSettings:
    """Discounts, pruning and storage of external sampling; regrets are in big blinds.

    Periods that end after *discount_until* iterations are not discounted: with 0 all iterations
    weigh the same. No regret falls below *regret_floor*, if there is one (0 is the floor of CFR+).
    In *prune_share* of the iterations a traverser skips its actions with regrets below
    *prune_below*, if given, but never on the last street, nor those that end the hand, nor those to
    which its strategy gives a positive probability.

    float32 storage takes half the memory, but a sum of 2**24 = 16.8 million visits grows no more.
    """

    alpha: float = 1.0
    beta: float = 1.0
    gamma: float = 1.0
    discount_interval: int = 1 << 17
    discount_until: int = 10_000_000
    regret_floor: float | None = None
    prune_below: float | None = None
    prune_share: float = 0.95
    storage: Storage = "float64"

    def __post_init__(self) -> None:
        exponents = (self.alpha, self.beta, self.gamma)
        if not all(abs(exponent) <= MAX_EXPONENT for exponent in exponents):
            raise UsageError(
                f"alpha, beta, gamma = {exponents} are out of range",
                f"use numbers from -{MAX_EXPONENT} to {MAX_EXPONENT}; 1, 1, 1 is linear CFR",
            )
        if self.discount_interval < 1 or self.discount_until < 0:
            raise UsageError(
                f"discount_interval = {self.discount_interval}, "
                f"discount_until = {self.discount_until} are out of range",
                "discount_interval is at least 1, discount_until at least 0 (no discounts)",
            )
        if self.regret_floor is not None and not self.regret_floor <= 0:
            raise UsageError(
                f"regret_floor = {self.regret_floor} is out of range", "use a number up to 0"
            )
        if not (0 <= self.prune_share <= 1 and (self.prune_below is None or self.prune_below < 0)):
            raise UsageError(
                f"prune_below = {self.prune_below}, prune_share = {self.prune_share} "
                "are out of range",
                "prune_below is negative, prune_share from 0 to 1",
            )
        if self.storage not in ("float64", "float32"):
            raise UsageError(f"storage = {self.storage!r} is unknown", "use float64 or float32")


class ExternalSamplingLearner:
    """External sampling on *game*, limit or with a menu.

    ``sums`` [slot, 2] are regrets and strategy sums.
    """

    def __init__(
        self, game: AbstractGame | MenuGame, settings: ExternalSamplingSettings | None = None
    ) -> None:
        self.game, self.settings = game, settings or ExternalSamplingSettings()
        self.round_length = self.settings.discount_interval
        self.sums = empty_sums(game.layout.num_slots, self.settings.storage)
        self._num_settled = np.zeros(1, np.int64)
        self._most_visits = _most_visits(game)

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """``sums`` [slot, 2], and ``num_settled`` [1]: the iterations whose discounts are done."""
        return {"sums": self.sums, "num_settled": self._num_settled}

    def walk(self, deals: Deals, random_state: RandomState) -> None:
        """Run an iteration for each deal."""
        game, layout = self.game, self.game.layout
        cards: Any = layout.row_starts, layout.row_widths, deals
        learning: Any = self.sums, _limits(self.settings), self._most_visits, random_state
        if isinstance(game, AbstractGame):
            run_iterations(game.tree.nodes, game.tree.payoffs, *cards, *learning)
        else:
            chip = 1 / (game.definition.big_blind or 1)
            run_menu_iterations(
                game.tree.nodes, game.tree.actions, game.tree.ends, chip, *cards, *learning
            )

    def settle(self, num_done: int) -> None:
        """Discount for the periods that ended since the last call."""
        settings, interval = self.settings, self.settings.discount_interval
        first, last = (
            self._num_settled[0] // interval + 1,
            min(num_done, settings.discount_until) // interval,
        )
        periods = np.arange(first, last + 1, dtype=np.float64)
        if len(periods):
            positive = float(np.prod(1 / (1 + periods**-settings.alpha)))
            negative = float(np.prod(1 / (1 + periods**-settings.beta)))
            discount(
                self.sums,
                positive,
                negative,
                float(np.prod(periods / (periods + 1))) ** settings.gamma,
            )
        self._num_settled[0] = num_done

    def average_strategy(self) -> NDArray[np.float64]:
        """Return the average strategy [slot], which converges.

        Uniform where an information set was never visited.
        """
        return self.game.normalised(self.sums[:, STRATEGY])


def _most_visits(game: AbstractGame | MenuGame) -> int:
    """Return the largest number of visits that a traversal of any seat can have."""
    if isinstance(game, AbstractGame):
        return max(most_visits(game.tree.nodes, seat) for seat in range(game.tree.num_seats))
    return max(
        most_menu_visits(game.tree.nodes, game.tree.actions, seat) for seat in range(NUM_SEATS)
    )


def _limits(settings: ExternalSamplingSettings) -> tuple[float, float, float]:
    """Return the kernel's floor of regrets, pruning threshold and share of pruned iterations."""
    floor = -inf if settings.regret_floor is None else float(settings.regret_floor)
    if settings.prune_below is None:
        return floor, -inf, 0.0
    return floor, float(settings.prune_below), float(settings.prune_share)
