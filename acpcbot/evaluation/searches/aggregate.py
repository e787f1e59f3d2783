"""The aggregate method: exploitability of what a search would play, from matches.

A search at every information set takes as many searches as there are information sets. Instead the
player plays matches against random play, and what its searches have computed is added up in one
strategy of the whole game: at the information set where it is to move, and at all that can follow
there. What is added are the sums of the search itself: visits in IS-MCTS with UCT, the average
strategy's sums in IS-MCTS with regret matching and in OOS. They grow with the samples that reached
an information set, so a search that begins at an information set outweighs those that went through
it. (With OOS they do by w_T, which weighs targeted samples in proportion to how seldom the target
is reached; without it, sums of a target and of an information set on the way are alike.)

Where no search was, one random action is taken, the same for all players that are compared.

Source: Lisy, Lanctot & Bowling (2015), Online Monte Carlo counterfactual regret minimization for
search in imperfect information games, section "Exploitability in imperfect information games".
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats, Ints
from acpcbot.errors import UsageError
from acpcbot.evaluation.searches.players import (
    ISMCTSPlayer,
    MoveBudget,
    OOSPlayer,
    PolicyPlayer,
    state_after,
)
from acpcbot.evaluation.searches.whole_strategy import Completion, completing_policy
from acpcbot.games.best_response_result import BestResponse
from acpcbot.games.game import CHANCE, OVER, Game, chance_action, new_state
from acpcbot.games.sequence_form import SequenceForm
from acpcbot.games.solvers.best_response import sequence_best_response
from acpcbot.jit import kernel
from acpcbot.rng import Stream
from acpcbot.tree_search.infoset_table import InfosetTable, find
from acpcbot.tree_search.selection.policy import SECOND

MATCH_STREAM, PLAYER_STREAM = 0, 1

SummingPlayer = OOSPlayer | ISMCTSPlayer | PolicyPlayer
"""Players whose sums can be added; a policy counts as a search with one visit at the move."""


class Aggregate:
    """The strategy that adds up from matches of *player* against random play in *game*.

    *form* is the sequence form of the game. Equal seeds and budgets of simulations give equal sums.
    """

    def __init__(
        self,
        game: Game,
        form: SequenceForm,
        player: SummingPlayer,
        budget: MoveBudget,
        seed: int,
        completion: Completion = "one-action",
        completion_seed: int = 0,
    ) -> None:
        self.game, self.form, self.player, self.budget = game, form, player, budget
        self.seed, self.num_matches = seed, 0
        self.sums = np.zeros(form.num_slots)
        self._completion = completing_policy(form, completion, completion_seed)
        self._infosets = {key: number for number, key in enumerate(form.infoset_keys.tolist())}
        # The information set that each slot belongs to; the empty sequences belong to none.
        sizes = np.diff(form.first_slots)
        self._infoset_of = np.append(
            np.full(form.num_seats, -1), np.repeat(np.arange(len(sizes)), sizes)
        )

    def play(self, num_matches: int) -> None:
        """Play *num_matches* more at each seat."""
        for _ in range(num_matches):
            for seat in range(self.form.num_seats):
                self._play_match(seat)
            self.num_matches += 1

    def _play_match(self, seat: int) -> None:
        stream = Stream(self.seed, MATCH_STREAM, self.num_matches, seat)
        self.player.begin(seat, Stream(self.seed, PLAYER_STREAM, self.num_matches, seat).bits())
        state, actions = new_state(self.game), list[int]()
        while (actor := self.game.actor(state)) != OVER:
            if actor == CHANCE:
                action = int(chance_action(self.game, state, stream.unit()))
            elif actor == seat:
                action = self.player.choose(actions, self.budget)
                self._add(seat, actions)
            else:
                action = stream.below(self.game.num_actions(state))
            actions.append(action)
            self.game.apply(state, action)

    def _add(self, seat: int, actions: list[int]) -> None:
        """Add what the player has computed at its move after *actions*, and behind it."""
        infoset = self._infosets[int(state_after(self.game, actions)[seat])]
        if isinstance(self.player, PolicyPlayer):
            first, end = self.form.first_slots[infoset : infoset + 2]
            self.sums[first:end] += self.player.policy[first:end]
            return
        if self.player.search is None:
            raise UsageError("the player has no match to play in", "call begin first")
        add_sums(self.form, self._infoset_of, infoset, self.player.search.table, self.sums)

    def policy(self) -> Floats:
        """Return the policy [slot] so far."""
        normalised, known = self.form.normalised(self.sums), self.is_known()
        return np.where(known, normalised, self._completion)

    def is_known(self) -> NDArray[np.bool_]:
        """Return by slot whether anything was added at its information set."""
        first_slots = self.form.first_slots
        totals = np.add.reduceat(self.sums, first_slots[:-1])
        is_known = np.zeros(self.form.num_slots, np.bool_)
        is_known[self.form.num_seats :] = np.repeat(totals > 0, np.diff(first_slots))
        return is_known

    def greedy_policy(self) -> Floats:
        """Return the policy [slot] that takes the action with the greatest sum."""
        policy, first_slots = self.policy(), self.form.first_slots
        for first, end in pairwise(first_slots):
            best = first + int(policy[first:end].argmax())
            policy[first:end] = 0
            policy[best] = 1
        return policy

    def best_response(self, *, is_greedy: bool = False) -> BestResponse:
        """Return best responses to the policy so far, or to its greedy one, with its NashConv."""
        policy = self.greedy_policy() if is_greedy else self.policy()
        return sequence_best_response(self.form, policy)


@kernel
def add_sums(
    form: SequenceForm, infoset_of: Ints, infoset: int, table: InfosetTable, sums: Floats
) -> None:
    """Add the sums of *table* to *sums* [slot] at *infoset*, and at all of its seat behind it."""
    # Information sets are numbered so that each stands after those that lead to it: one pass marks
    # what can follow, and looks up only that. In between stand those of the other seat, and those
    # that the move has ruled out.
    follows = np.zeros(len(form.infoset_keys), np.bool_)
    follows[infoset] = True
    for number in range(infoset, len(form.infoset_keys)):
        before = infoset_of[form.parent_slots[number]]
        if before >= 0 and follows[before]:
            follows[number] = True
        if not follows[number]:
            continue
        slot = table.places[find(table.places, form.infoset_keys[number])]["slot"]
        if slot > 0:
            begin = form.first_slots[number]
            for action in range(form.first_slots[number + 1] - begin):
                sums[begin + action] += table.sums[slot + action, SECOND]
