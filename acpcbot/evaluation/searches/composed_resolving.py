"""Strategies composed of re-solving searches, state by state: Student of Games as one strategy.

A search is no policy: what it plays depends on the searches before it. The composed strategy is
that of players with one seed for each public state. From the start of the game on, the seat to move
searches at every public state in which it has a choice, conditioned on the last search of its own
chain on the way there, and every row of the state gets the policy that this search found. Its
exploitability is exact.

Source: Schmid et al. (2023), Student of Games, "Exploitability" (policies put together breadth
first, from seeds).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.games.best_response_result import BestResponse
from acpcbot.games.sequence_form import SequenceForm
from acpcbot.games.solvers.best_response import sequence_best_response
from acpcbot.rng import Stream
from acpcbot.tree_search.growing_cfr import GrowingCFR, SearchResult
from acpcbot.tree_search.public_tree import ROOT
from acpcbot.tree_search.resolving import closest_state, first_search, resolve


@dataclass(frozen=True, slots=True)
class ComposedSearch:
    """A composed *policy* [slot of the sequence form], and the work that it took."""

    policy: Floats
    num_searches: int
    num_updates: int
    num_queries: int

    def best_response(self, form: SequenceForm) -> BestResponse:
        """Return exact best responses to the policy in the game *form*."""
        return sequence_best_response(form, self.policy)


class ComposedResolving:
    """Composition of the searches of *searcher* in the game whose sequence form is *form*.

    Two variants show what the parts are for: without *is_safe* there is no gadget, and with
    *shares_chain* every search is conditioned on the last one of either seat.
    """

    def __init__(
        self,
        searcher: GrowingCFR,
        form: SequenceForm,
        *,
        is_safe: bool = True,
        shares_chain: bool = False,
    ) -> None:
        self.searcher, self.is_safe, self.shares_chain = searcher, is_safe, shares_chain
        self.form = form
        searcher.tree.grow_all()
        self._slots = form.slots_by_key()

    def compose(self, seed: int) -> ComposedSearch:
        """Return the strategy of the searches with *seed*."""
        tree = self.searcher.tree
        nodes, rows = tree.arrays.nodes, tree.arrays.rows
        policy = np.ones(self.form.num_slots)
        # The reach of each row by what its own seat plays, filled down the tree.
        played = np.ones(tree.num_rows)
        plays = np.ones(tree.num_slots)
        results: list[SearchResult] = []
        waiting: list[tuple[int, tuple[SearchResult | None, SearchResult | None]]] = [(ROOT, _NONE)]
        while waiting:
            node, chains = waiting.pop()
            record = nodes[node]
            if node != ROOT:
                own = rows[record["first_row"] : record["end_row"]]
                slots = own["parent_slot"]
                played[record["first_row"] : record["end_row"]] = played[
                    own["parent_row"]
                ] * np.where(slots >= 0, plays[slots], 1.0)
            # A forced action needs no search, and changes no reach.
            if tree.is_choice(node):
                seat = int(record["actor"])
                chains = self._searched(node, chains, played, seed, results)
                found = chains[seat]
                assert found is not None, "a seat that moves has searched"
                span = slice(int(record["first_slot"]), int(record["end_slot"]))
                plays[span] = found.policy[span]
                for row in rows[tree.rows_of(node, seat)]:
                    first = int(row["first_slot"])
                    policy[self._slots[int(row["key"])]] = plays[first : first + int(row["count"])]
            waiting.extend((child, chains) for child in reversed(tree.children(node)))
        return ComposedSearch(
            policy,
            len(results),
            sum(result.num_updates for result in results),
            sum(result.num_queries for result in results),
        )

    def _searched(
        self,
        node: int,
        chains: tuple[SearchResult | None, SearchResult | None],
        played: Floats,
        seed: int,
        results: list[SearchResult],
    ) -> tuple[SearchResult | None, SearchResult | None]:
        """Return *chains* with a search of the seat to move at *node*."""
        seat = int(self.searcher.tree.arrays.nodes["actor"][node])
        last = chains[seat]
        if last is None:
            # The first search is without conditions, so both chains begin with it.
            last = first_search(self.searcher, node, Stream(seed, node).bits())
            results.append(last)
            chains = last, last
            if last.target == node:
                return chains
        root = closest_state(self.searcher, last, node)
        own_range = played[self.searcher.tree.rows_of(root, seat)]
        if not own_range.any():
            # Never reached by its own policy: no play here is exploited, and the last search's
            # policy is as good as any.
            return chains
        found = resolve(
            self.searcher,
            last,
            node,
            own_range,
            Stream(seed, node, 1).bits(),
            is_safe=self.is_safe,
        )
        results.append(found)
        if self.shares_chain:
            return found, found
        return (found, chains[1]) if seat == 0 else (chains[0], found)


_NONE: tuple[SearchResult | None, SearchResult | None] = (None, None)
