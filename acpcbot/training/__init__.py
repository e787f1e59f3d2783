"""Training: from a recipe to a stored strategy, with a learning curve and checkpoints.

``recipe.py`` reads the recipe, ``session.py`` builds the game and the learner, ``run.py`` trains it
and can be stopped at any time and resumed, ``curve.py`` measures it on the way.

``self_play.py`` trains networks for growing-tree CFR by sound self-play, with the queries of
``query_reservoir.py`` and the examples of ``replay_buffer.py``; ``public_actor.py`` plays games
that hide something, ``position_actor.py`` others. ``self_play_run.py`` keeps such a training in a
folder, and ``self_play_measures.py`` measures it. ``chance_self_play.py`` trains networks at the
chance states of hold'em by boards that ``board_labels.py`` solves; ``chance_self_play_run.py`` keeps
that in a folder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.training.curve import Curve as Curve
    from acpcbot.training.recipe import Budget as Budget
    from acpcbot.training.recipe import Recipe as Recipe
    from acpcbot.training.recipe import load_recipe as load_recipe
    from acpcbot.training.recipe import parse_recipe as parse_recipe
    from acpcbot.training.run import Position as Position
    from acpcbot.training.run import TrainingRun as TrainingRun
    from acpcbot.training.self_play import SelfPlay as SelfPlay
    from acpcbot.training.self_play import SelfPlaySettings as SelfPlaySettings
    from acpcbot.training.self_play_run import SelfPlayRun as SelfPlayRun
    from acpcbot.training.session import TrainingSession as TrainingSession
    from acpcbot.training.session import build_session as build_session

export(
    __name__,
    {
        "Budget": "recipe",
        "Curve": "curve",
        "Position": "run",
        "Recipe": "recipe",
        "SelfPlay": "self_play",
        "SelfPlayRun": "self_play_run",
        "SelfPlaySettings": "self_play",
        "TrainingRun": "run",
        "TrainingSession": "session",
        "load_recipe": "recipe",
        "parse_recipe": "recipe",
        "build_session": "session",
    },
)
