"""Side-by-side lines of a network and its search in a state, for ``acpcbot show``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from acpcbot.agents.hand_range import Range, actions_text, hand_range
from acpcbot.agents.tree_search.sog_strategy import SoGStrategy
from acpcbot.agents.tree_search.state_views import view_state
from acpcbot.arrays import Floats
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.strategies.public_strategy import ActionTable

NETWORK, SEARCH = "network", "search"


@dataclass(frozen=True, slots=True, eq=False)
class SeatView:
    """The hands of *seat* by class: *beliefs*, and *values* and *policies* by source.

    Sources are the network and the search; policies are those of the seat to move alone.
    """

    seat: int
    beliefs: Range
    values: dict[str, Range]
    policies: dict[str, Range]

    def lines(self, actions: Sequence[Action]) -> Iterator[str]:
        """Yield a caption and a line for each class."""
        parts = {name: self._texts(name, actions) for name in self.values}
        widths = {name: max(map(len, (name, *texts))) for name, texts in parts.items()}
        caption = "  ".join(f"{name:{width}}" for name, width in widths.items())
        yield f"seat {self.seat + 1}  belief  {caption}".rstrip()
        for number, (name, belief) in enumerate(self.beliefs.items()):
            cells = "  ".join(f"{texts[number]:{widths[own]}}" for own, texts in parts.items())
            yield f"{name:6}  {belief[0]:6.4f}  {cells}".rstrip()

    def document(self) -> dict[str, Any]:
        """Return what ``--json`` prints; values are null where the other seat never gets there."""
        document: dict[str, Any] = {
            "seat": self.seat + 1,
            "beliefs": {name: float(row[0]) for name, row in self.beliefs.items()},
        }
        for source, values in self.values.items():
            document[f"{source}_values_chips"] = {
                name: None if np.isnan(row[0]) else float(row[0]) for name, row in values.items()
            }
        for source, policies in self.policies.items():
            document[f"{source}_probabilities"] = {
                name: row.tolist() for name, row in policies.items()
            }
        return document

    def _texts(self, source: str, actions: Sequence[Action]) -> list[str]:
        """Return the value of each class by *source*, and its policy."""
        found = []
        for name, value in self.values[source].items():
            text = "never met" if np.isnan(value[0]) else f"{value[0]:+9.4f}"
            policy = self.policies.get(source)
            found.append(
                text if policy is None else f"{text}  {actions_text(policy[name], actions)}"
            )
        return found


def seat_views(
    strategy: SoGStrategy, betting: BettingState, board: Sequence[int]
) -> list[SeatView]:
    """Return the views of the seat to move after *betting*, then of the other one."""
    table, view = (
        strategy.table(betting, board),
        view_state(strategy, strategy.searched(betting, board)),
    )

    def by_class(values: Floats) -> Range:
        return hand_range(strategy.definition, ActionTable((), values), board)

    views = []
    for seat in (betting.actor, 1 - betting.actor):
        values, policies = {}, {}
        if view.network_values is not None:
            values[NETWORK] = by_class(view.network_values[seat][:, None])
        values[SEARCH] = by_class(view.search_values[seat][:, None])
        if seat == betting.actor:
            if view.network_policy is not None:
                policies[NETWORK] = by_class(view.network_policy)
            policies[SEARCH] = by_class(table.probabilities)
        views.append(SeatView(seat, by_class(view.beliefs[seat][:, None]), values, policies))
    return views
