"""Learners over the public tree: UCT, Smooth UCT, MCCFR and CFR.

A learner is its settings, its arrays and its kernel. ``sampling.py`` runs the sampling ones
with pools of deals and threads; ``vector_cfr.py`` sweeps over all deals of a small game.
``abstract_game.py`` is the game as learners see it: a betting tree and numbers of buckets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.learning.abstract_game import AbstractGame as AbstractGame
    from acpcbot.learning.abstract_game import BucketGame as BucketGame
    from acpcbot.learning.abstract_game import MenuGame as MenuGame
    from acpcbot.learning.abstract_game import make_game as make_game
    from acpcbot.learning.external_sampling import (
        ExternalSamplingLearner as ExternalSamplingLearner,
    )
    from acpcbot.learning.external_sampling import (
        ExternalSamplingSettings as ExternalSamplingSettings,
    )
    from acpcbot.learning.outcome_sampling import OutcomeSamplingLearner as OutcomeSamplingLearner
    from acpcbot.learning.outcome_sampling import OutcomeSamplingSettings as OutcomeSamplingSettings
    from acpcbot.learning.policies import byte_probabilities as byte_probabilities
    from acpcbot.learning.policies import greedy_probabilities as greedy_probabilities
    from acpcbot.learning.policies import is_policy as is_policy
    from acpcbot.learning.sampling import Learner as Learner
    from acpcbot.learning.sampling import SamplingSolver as SamplingSolver
    from acpcbot.learning.uct import UCTLearner as UCTLearner
    from acpcbot.learning.uct import UCTSettings as UCTSettings
    from acpcbot.learning.vector_cfr import VectorCFR as VectorCFR

export(
    __name__,
    {
        "AbstractGame": "abstract_game",
        "BucketGame": "abstract_game",
        "ExternalSamplingLearner": "external_sampling",
        "ExternalSamplingSettings": "external_sampling",
        "Learner": "sampling",
        "MenuGame": "abstract_game",
        "OutcomeSamplingLearner": "outcome_sampling",
        "OutcomeSamplingSettings": "outcome_sampling",
        "SamplingSolver": "sampling",
        "UCTLearner": "uct",
        "UCTSettings": "uct",
        "VectorCFR": "vector_cfr",
        "byte_probabilities": "policies",
        "greedy_probabilities": "policies",
        "is_policy": "policies",
        "make_game": "abstract_game",
    },
)
