"""``acpcbot lab oos-targets``: the price of targets that move from decision to decision.

At a table OOS aims at one decision after the other and keeps its memory, hand after hand. Here it
plays hands of Leduc against random play in that way, with the same number of samples at each of its
decisions, and the exploitability of its whole strategy is measured while the match goes on. The
settings of the agent ``oos`` at the table are chosen by this.

A weight w_T is that of all samples of a target, also of those that miss it. It is one over the
probability of the target, or nearly so. So a single decision that was hardly ever to be expected
can outweigh, everywhere else in the game, all decisions before it. The column ``effective`` has the
number of decisions of equal weight that would give as precise a mean: the square of the sum of
weights over the sum of their squares.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from acpcbot.evaluation.searches.whole_strategy import WholeStrategy
from acpcbot.games.game import CHANCE, OVER, chance_action, new_state
from acpcbot.games.generic_poker import LEDUC
from acpcbot.games.sequence_form import sequence_form
from acpcbot.lab.experiment import (
    Budget,
    Chart,
    Compared,
    Comparison,
    Estimate,
    Note,
    Option,
    Panel,
    Row,
    Unit,
    unit_seed,
)
from acpcbot.lab.results import mean_and_half_width, mean_line, numbers, where
from acpcbot.rng import Stream
from acpcbot.tree_search.oos import OOSSearch, OOSSettings

PUBLIC = LEDUC.num_seats()
VARIANTS: dict[str, OOSSettings] = {
    "no target": OOSSettings(delta=0.0),
    "delta 0.5": OOSSettings(delta=0.5, weighs_targets=False),
    "delta 0.5 and w_T": OOSSettings(delta=0.5),
    "delta 0.9": OOSSettings(delta=0.9, weighs_targets=False),
    "delta 0.9 and w_T, the paper's": OOSSettings(delta=0.9),
    "epsilon 0.6, gamma 0.001, no target": OOSSettings(delta=0.0, epsilon=0.6, gamma=0.001),
    "epsilon 0.6, gamma 0.001, delta 0.5, the agent's": OOSSettings(
        delta=0.5, epsilon=0.6, gamma=0.001, weighs_targets=False
    ),
}
RUNS = 3
HANDS, FULL_HANDS = 400, 4_000
SIMULATIONS = 10_000
POINTS = 4
MBB = 1000
# Measured on one busy core.
DECISIONS_A_HAND = 1.7
SAMPLES_A_SECOND = 1_500_000
BEGIN_SECONDS = 1.0


class OOSTargetsExperiment:
    """Exploitability over hands, for settings of targets."""

    name = "oos-targets"
    title = "targets that move with a match"
    source = "settings of the agent oos"
    options: Sequence[Option] = ("games", "simulations")

    def estimate(self, budget: Budget) -> Estimate:
        samples = num_hands(budget) * DECISIONS_A_HAND * num_samples(budget)
        seconds = len(self.units(budget)) * (BEGIN_SECONDS + samples / SAMPLES_A_SECOND)
        return Estimate(seconds, 300_000_000)

    def units(self, budget: Budget) -> list[Unit]:
        return [
            Unit(f"{variant}, run {run}", (("variant", variant), ("run", run)))
            for run in range(1, RUNS + 1)
            for variant in VARIANTS
        ]

    def run(self, unit: Unit, budget: Budget, folder: Path) -> Iterator[Row | Note]:
        settings = VARIANTS[unit.text("variant")]
        # All variants of a run see the same deals and the same random play.
        seed = unit_seed(budget, Unit("match", ()), unit.whole("run"))
        match = _Match(settings, seed, num_samples(budget))
        whole = WholeStrategy(LEDUC, sequence_form(LEDUC))
        marks = hand_marks(budget)
        for hand in range(marks[-1]):
            match.play_hand(hand)
            if hand + 1 in marks:
                weights = np.array(match.weights)
                yield {
                    "hands": hand + 1,
                    "decisions": len(weights),
                    "largest_weight": round(float(weights.max()), 1),
                    "effective": round(float(weights.sum() ** 2 / (weights**2).sum()), 1),
                    "mbb": round(MBB * whole.nash_conv(match.search) / LEDUC.num_seats(), 3),
                }
            elif hand % 20 == 0:
                yield Note(f"{hand} of {marks[-1]} hands")

    def comparison(self, rows: list[Row], budget: Budget) -> Comparison:
        last, lines = hand_marks(budget)[-1], []
        for variant in VARIANTS:
            found = where(rows, variant=variant, hands=last)
            mean, half_width = mean_and_half_width(numbers(found, "mbb"))
            words = ""
            if found:
                effective = np.mean(numbers(found, "effective"))
                words = f"{effective:,.0f} of {np.mean(numbers(found, 'decisions')):,.0f} decisions"
            lines.append(Compared(variant, mean, half_width, None, words))
        return Comparison(
            "exploitability, mbb/hand",
            lines,
            [
                f"{last:,} hands, {num_samples(budget):,} samples a decision, {RUNS} runs",
                "the last column: so many decisions of equal weight would give as precise a mean",
            ],
        )

    def chart(self, rows: list[Row], budget: Budget) -> Chart:
        lines = [
            mean_line(where(rows, variant=variant), "mbb", "hands", variant, color)
            for color, variant in enumerate(VARIANTS)
        ]
        panel = Panel(
            title="Leduc, against random play",
            x_label="hands",
            y_label="exploitability, mbb/hand",
            lines=lines,
            is_log_y=True,
        )
        return Chart(self.title, [panel])


EXPERIMENT = OOSTargetsExperiment()


class _Match:
    """OOS against random play, at one seat and the other in turn."""

    def __init__(self, settings: OOSSettings, seed: int, samples: int) -> None:
        self.search = OOSSearch(LEDUC, settings, seed)
        self.weights: list[float] = []
        """w_T at each decision."""
        self._samples, self._seed = samples, seed

    def play_hand(self, number: int) -> None:
        """Play a hand, and search at each decision of the seat that searches."""
        # Deals and the opponent draw from a stream of the hand, so that they are the same whatever
        # is played.
        seat, stream = number % LEDUC.num_seats(), Stream(self._seed, number)
        state, actions = new_state(LEDUC), list[int]()
        while (actor := LEDUC.actor(state)) != OVER:
            draw = stream.unit()
            if actor == CHANCE:
                action = int(chance_action(LEDUC, state, draw))
            elif actor == seat:
                action = self._decide(actions, int(state[actor]), LEDUC.num_actions(state), draw)
            else:
                action = int(draw * LEDUC.num_actions(state))
            actions.append(action)
            LEDUC.apply(state, action)

    def _decide(self, actions: list[int], key: int, num_actions: int, draw: float) -> int:
        if self.search.settings.delta > 0:
            self.search.aim(actions, PUBLIC)
        self.search.sample(self._samples)
        self.weights.append(self.search.weight)
        strategy = self.search.strategy(key)
        if strategy is None:  # no sample came here
            strategy = np.full(num_actions, 1 / num_actions)
        return min(int(np.searchsorted(np.cumsum(strategy), draw, "right")), num_actions - 1)


def num_hands(budget: Budget) -> int:
    """Return the hands of a match."""
    return budget.num_games(HANDS, FULL_HANDS)


def num_samples(budget: Budget) -> int:
    """Return the samples at a decision."""
    return budget.num_simulations(SIMULATIONS, SIMULATIONS)


def hand_marks(budget: Budget) -> list[int]:
    """Return the numbers of hands after which strategies are measured."""
    hands = num_hands(budget)
    return sorted({max(1, hands * part // POINTS) for part in range(1, POINTS + 1)})
