"""Learners over the public tree: UCT, Smooth UCT, MCCFR and CFR.

A learner is its settings, its arrays and its kernel. ``sampling.py`` runs the sampling ones
with pools of deals and threads; ``vector_cfr.py`` sweeps over all deals of a small game.
The game is a tree with numbers of buckets (``acpcbot.trees.BucketGame``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
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
        "ExternalSamplingLearner": "external_sampling",
        "ExternalSamplingSettings": "external_sampling",
        "Learner": "sampling",
        "OutcomeSamplingLearner": "outcome_sampling",
        "OutcomeSamplingSettings": "outcome_sampling",
        "SamplingSolver": "sampling",
        "UCTLearner": "uct",
        "UCTSettings": "uct",
        "VectorCFR": "vector_cfr",
        "byte_probabilities": "policies",
        "greedy_probabilities": "policies",
        "is_policy": "policies",
    },
)
