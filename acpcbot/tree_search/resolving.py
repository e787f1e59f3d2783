"""Sound re-solving with growing-tree CFR: one chain of searches for each seat.

A seat that is to move searches anew, and conditions the search on its own last one. The new root is
the state closest to the present one that the last search had in its tree. From there the branch to
the present state is solved again and only the present state grows. The seat's own range is that of
the policies that it has played. The opponent's is its choice: with each of its information sets at
the root it enters, or takes the value that the last search gave it there (the gadget). Its range is
then a half of that choice and a half of its range in the last search (alpha = 0.5).

Each seat keeps a chain of its own. The values that bind a search are those against this seat's own
policies; a search by the other seat replaces these policies by what the gadget made of them, and
with one chain for both the exploitability does not fall (docs/methods/tree_search.md).

The first search of a chain begins at the start of the game, or at the first state on the way in
which a seat is to move, without a gadget: both seats' first searches are alike.

Source: Schmid et al. (2023), Student of Games, section "Modified Continual Re-solving"; Burch,
Johanson & Bowling (2014), Solving imperfect information games using decomposition (the gadget).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.errors import UsageError
from acpcbot.rng import Stream
from acpcbot.tree_search.growing_cfr import Gadget, GrowingCFR, SearchResult
from acpcbot.tree_search.public_tree import ROOT


def first_search(searcher: GrowingCFR, node: int, seed: int) -> SearchResult:
    """Return the search that a chain begins with, on the way to *node*."""
    tree = searcher.tree
    target = next(state for state in tree.path_to(node) if tree.arrays.nodes["actor"][state] >= 0)
    return searcher.search(ROOT, target, np.ones(_num_rows(searcher, ROOT)), seed)


def closest_state(searcher: GrowingCFR, last: SearchResult, node: int) -> int:
    """Return the last state on the way to *node* that the search *last* had in its tree."""
    known = [state for state in searcher.tree.path_to(node) if last.knows(state)]
    if not known:
        raise UsageError(
            f"public state {node} does not lie behind the last search", "begin a new chain"
        )
    return known[-1]


def resolve(
    searcher: GrowingCFR,
    last: SearchResult,
    node: int,
    own_range: Floats,
    seed: int,
    *,
    is_safe: bool = True,
) -> SearchResult:
    """Return the search of the seat to move at *node*, conditioned on the search *last*.

    *own_range* [row of the seat at ``closest_state``] is its reach by what it has played. With
    *is_safe* False there is no gadget: the opponent has the range of the last search.
    """
    tree = searcher.tree
    root = closest_state(searcher, last, node)
    seat = int(tree.arrays.nodes["actor"][node])
    record = tree.arrays.nodes[root]
    rows = slice(int(record["first_row"]), int(record["end_row"]))
    ranges = last.reach[rows].copy()
    own = tree.rows_of(root, seat)
    ranges[own.start - rows.start : own.stop - rows.start] = own_range
    gadget = Gadget(1 - seat, last.values[rows].copy()) if is_safe else None
    return searcher.search(root, node, ranges, seed, gadget)


@dataclass(frozen=True, slots=True)
class SeatChain:
    """The searches of one *seat* through a match, of which the last one is kept.

    A chain does not change: ``after`` returns it with one more search. ``policy`` is what the seat
    plays at its last decision *decision*, ``own_reach`` [own row there] its reach before.
    """

    searcher: GrowingCFR
    seat: int
    seed: int
    num_searches: int = 0
    last: SearchResult | None = None
    decision: int = ROOT
    own_reach: Floats | None = None

    def after(self, node: int) -> SeatChain:
        """Return the chain with a search at *node*, where its seat is to move.

        Raises UsageError where the seat's own policies never lead to *node*.
        """
        tree = self.searcher.tree
        if int(tree.arrays.nodes["actor"][node]) != self.seat:
            raise UsageError(
                f"seat {self.seat} is not to move in public state {node}",
                "search at the seat's own decisions",
            )
        last, chain = self.last, self
        if last is None:
            last = first_search(self.searcher, node, self._seed_of(0))
            chain = replace(self, last=last, num_searches=1)
        if chain.own_reach is not None or last.target != node:
            own_range = chain._reach_at(closest_state(self.searcher, last, node))
            last = resolve(self.searcher, last, node, own_range, self._seed_of(chain.num_searches))
        own_reach = chain._reach_at(node)
        return replace(
            chain,
            last=last,
            num_searches=chain.num_searches + 1,
            decision=node,
            own_reach=own_reach,
        )

    def can_resolve(self, node: int) -> bool:
        """Return whether the seat's own policies lead to where a search at *node* would begin."""
        if self.last is None or self.own_reach is None:
            return True
        return bool(self._reach_at(closest_state(self.searcher, self.last, node)).any())

    def policy(self) -> Floats:
        """Return the policy at the last decision, [own row there, action]; 0 for actions missing."""
        return self.policy_at(self.decision)

    def policy_at(self, node: int) -> Floats:
        """Return the last search's policy at *node*, [own row there, action]; 0 for actions missing.

        Uniform where the search has none.
        """
        if self.last is None or self.own_reach is None:
            raise UsageError("the chain has no search yet", "call after with the first decision")
        rows = self.searcher.tree.rows_of(node, self.seat)
        records = self.searcher.tree.arrays.rows[rows]
        result = np.zeros((len(records), int(records["count"].max())))
        for row, record in enumerate(records):
            first, count = int(record["first_slot"]), int(record["count"])
            # Later searches may have enlarged the tree.
            is_known = first + count <= len(self.last.policy)
            result[row, :count] = self.last.policy[first : first + count] if is_known else 1 / count
        return result

    def _seed_of(self, number: int) -> int:
        return Stream(self.seed, self.seat, number).bits()

    def _reach_at(self, node: int) -> Floats:
        """Return the seat's reach of its rows at *node*, which lies behind its last decision."""
        tree = self.searcher.tree
        path = tree.path_to(node)
        reach = self.own_reach
        if reach is None:
            reach = np.ones(len(tree.arrays.rows[tree.rows_of(ROOT, self.seat)]))
        for parent, child in zip(
            path[path.index(self.decision) :], path[path.index(self.decision) + 1 :], strict=False
        ):
            rows = tree.arrays.rows[tree.rows_of(child, self.seat)]
            reach = reach[rows["parent_row"] - tree.rows_of(parent, self.seat).start]
            if self.last is not None and self.own_reach is not None and parent == self.decision:
                reach = reach * self.last.policy[rows["parent_slot"]]
        return reach


def _num_rows(searcher: GrowingCFR, node: int) -> int:
    record = searcher.tree.arrays.nodes[node]
    return int(record["end_row"] - record["first_row"])
