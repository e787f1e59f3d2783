"""A model of opponents who play unlike the blueprint, and how likely one is by what it has done.

An equilibrium of a river is good against an opponent that bets its best hands and bluffs in the
right numbers. Weak players bet hands of all kinds, and bet where a good player would nearly always
check. So before a hand the opponent is a weak player with a *prior* probability. A weak player takes
each action that the blueprint has at a decision equally often, whatever its hand. Bayes' rule then
gives the probability that this opponent is one, by its actions of this hand alone: small where it
plays as the blueprint would, large behind actions that the blueprint hardly ever takes. In the
subgame the opponent plays as the model with this probability (``subgames/opponent_model.py``). The
model is the blueprint, but regardless of the hand in part.

Source: Johanson & Bowling (2009), Data biased robust counter strategies, for trust in a model by
what has been seen. Departure: what has been seen is this hand, not others before it, so that the
same state always has the same strategy.
"""

from __future__ import annotations

import numpy as np

from acpcbot.arrays import Floats32
from acpcbot.poker.actions import CALLING, Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.hands import all_hands, hands_without
from acpcbot.search.blueprint import Blueprint, game_decisions
from acpcbot.search.solution import TreeDecision
from acpcbot.search.subgame import Spot, board_at
from acpcbot.strategies.range_update import action_likelihood
from acpcbot.strategies.translation import likely_actions
from acpcbot.subgames.game import RangeGame
from acpcbot.subgames.opponent_model import OpponentModel

MAX_SHARE = 0.5
"""The largest share of the model. With more a good player's rare action would cost too much."""
REGARDLESS = 0.5
"""How often the model acts regardless of its hand."""


def weak_model(
    blueprint: Blueprint, root: Spot, game: RangeGame, seat: int, prior: float
) -> OpponentModel | None:
    """Return the model of *seat* in the *game* from *root* on, which must have one board.

    None with a *prior* of 0.
    """
    if not prior:
        return None
    shares = np.zeros(2, np.float32)
    shares[seat] = weak_share(blueprint, root, seat, prior)
    return OpponentModel(shares, weak_play(blueprint, root, game, seat))


def weak_share(blueprint: Blueprint, root: Spot, seat: int, prior: float) -> float:
    """Return the probability that *seat* is a weak player by its actions before *root*.

    It is the *prior* where it has had no decision, and MAX_SHARE at most. Actions that the
    blueprint's tree has nothing like say nothing.
    """
    definition = root.betting.game.definition
    likelihoods, weak = np.ones(len(all_hands(definition))), prior
    for before, action in root.betting.decisions():
        if before.actor == seat:
            table = blueprint.table(before, board_at(before, root.board))
            likelihood = action_likelihood(before, table, action)
            if likelihood is not None:
                likelihoods *= likelihood
                weak /= len(table.actions)
    good = (1 - prior) * float(likelihoods[hands_without(definition, root.board)].mean())
    return min(weak / (weak + good), MAX_SHARE)


def weak_play(blueprint: Blueprint, root: Spot, game: RangeGame, seat: int) -> Floats32:
    """Return the play of the model in *game*, [slot, hand of the board], where *seat* acts."""
    hands = game.boards.arrays.hands[game.boards.rows(0)]
    play = np.zeros((int(game.tree.row_widths[root.betting.street]), len(hands)), np.float32)
    for slot, actions, betting in game_decisions(game):
        if betting.actor == seat:
            own = play[slot : slot + len(actions)]
            table = blueprint.table(betting, root.board)
            for action, column in zip(table.actions, table.probabilities.T, strict=True):
                for seen, probability in _seen_as(betting, action, actions):
                    own[actions.index(seen)] += probability * column[hands]
            totals = own.sum(axis=0)
            own[:] = np.where(totals > 0, own / np.where(totals > 0, totals, 1), 1 / len(actions))
            mean = own @ game.ranges[seat] / game.ranges[seat].sum()
            own += REGARDLESS * (mean[:, None] - own)
    return play


def _seen_as(
    betting: BettingState, action: Action, actions: list[Action]
) -> list[tuple[Action, float]]:
    """Return which of the game's *actions* the blueprint's *action* is, with probabilities."""
    decision = TreeDecision(tuple(actions))
    return likely_actions(lambda _: decision, betting, betting, action) or [(CALLING, 1.0)]
