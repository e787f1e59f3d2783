"""Training: from a recipe to a stored strategy, with a learning curve and checkpoints.

``recipe.py`` reads the recipe, ``session.py`` builds the game and the learner, ``run.py`` trains it
and can be stopped at any time and resumed, ``curve.py`` measures it on the way.
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
    from acpcbot.training.session import TrainingSession as TrainingSession
    from acpcbot.training.session import build_session as build_session

export(
    __name__,
    {
        "Budget": "recipe",
        "Curve": "curve",
        "Position": "run",
        "Recipe": "recipe",
        "TrainingRun": "run",
        "TrainingSession": "session",
        "load_recipe": "recipe",
        "parse_recipe": "recipe",
        "build_session": "session",
    },
)
