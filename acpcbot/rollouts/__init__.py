"""Rollouts: values of states beyond a depth limit, by playing a stored strategy on boards.

``plans.py`` lays out the betting below a state, ``kernels.py`` plays it on single boards,
``control_variates.py`` sums boards up; ``preflop_*.py`` make the table for the first street.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.rollouts.plans import RolloutPlan as RolloutPlan
    from acpcbot.rollouts.plans import leaf_states as leaf_states
    from acpcbot.rollouts.preflop_accumulation import PreflopRollouts as PreflopRollouts
    from acpcbot.rollouts.preflop_accumulation import PreflopSettings as PreflopSettings
    from acpcbot.rollouts.preflop_table import PreflopValues as PreflopValues
    from acpcbot.rollouts.preflop_table import load_preflop_values as load_preflop_values
    from acpcbot.rollouts.preflop_table import save_preflop_values as save_preflop_values
    from acpcbot.rollouts.rollouts import Bias as Bias
    from acpcbot.rollouts.rollouts import RolloutSettings as RolloutSettings
    from acpcbot.rollouts.rollouts import rollout_leaves as rollout_leaves
    from acpcbot.rollouts.rollouts import rollout_values as rollout_values

export(
    __name__,
    {
        "Bias": "rollouts",
        "PreflopRollouts": "preflop_accumulation",
        "PreflopSettings": "preflop_accumulation",
        "PreflopValues": "preflop_table",
        "RolloutPlan": "plans",
        "RolloutSettings": "rollouts",
        "leaf_states": "plans",
        "load_preflop_values": "preflop_table",
        "rollout_leaves": "rollouts",
        "rollout_values": "rollouts",
        "save_preflop_values": "preflop_table",
    },
)
