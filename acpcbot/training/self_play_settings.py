"""Settings of self-play, by the names of the paper's table S2 as far as it has them.

Source: Schmid et al. (2023), Student of Games, algorithm 2 and table S2.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from msgspec import Meta

from acpcbot.networks.fitting import FittingSettings
from acpcbot.tree_search.growing_cfr import GrowingCFRSettings

NotNegative = Annotated[float, Meta(ge=0)]
Probability = Annotated[float, Meta(ge=0, le=1)]
Count = Annotated[int, Meta(ge=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfPlaySettings:
    """Settings of self-play. Defaults are for Leduc, for which the paper publishes none.

    *search* are those of SoG(s, c), *fitting* those of the optimiser. *replay_buffer_size* is the
    window, *max_updates_per_example* the optimiser's batches times their size over the examples
    added. *uniform_policy_mix* is the share of uniform play. *solves_per_episode* queries are
    solved after each episode, of at most *waiting_queries*.

    The last ones are for games that hide nothing. The outcome of an episode is the value target of
    a main-line state with probability *td1_target_probability*. After *greedy_play_after* moves the
    most probable action is played. A seat whose search finds a value below *resign_threshold*, in
    units of the greatest payoff, resigns, but in a share *min_ratio_without_resign* of episodes,
    which are played on to check that it would have lost.

    With one of *num_actors* the trainer's process plays, and the trainer takes its turn after each
    episode. More of them play in processes of their own, *episodes_a_round* each before they get
    new weights.
    """

    seed: int = 0
    hidden: tuple[Count, ...] = (64, 64)
    search: GrowingCFRSettings = field(default_factory=GrowingCFRSettings)
    fitting: FittingSettings = field(default_factory=lambda: FittingSettings(decay_steps=8_000))
    replay_buffer_size: Count = 200_000
    max_updates_per_example: NotNegative = 100.0
    queries_per_search: NotNegative = 2.0
    recursive_queries_per_search: NotNegative = 0.2
    uniform_policy_mix: Probability = 0.1
    prior_temperature: Annotated[float, Meta(gt=0)] = 1.0
    solves_per_episode: Annotated[int, Meta(ge=0)] = 6
    waiting_queries: Count = 5_000
    td1_target_probability: Probability = 0.0
    greedy_play_after: Annotated[int, Meta(ge=0)] | None = None
    resign_threshold: Annotated[float, Meta(ge=-1, le=0)] | None = None
    min_ratio_without_resign: Probability = 0.2
    num_actors: Count = 1
    episodes_a_round: Count = 4
