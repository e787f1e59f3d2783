"""From what a learner knows to a snapshot."""

from __future__ import annotations

import subprocess  # nosec B404 # for git, whose words are all our own
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from acpcbot.abstraction.card_abstraction import quick_at_the_table
from acpcbot.snapshots.manifest import Training
from acpcbot.snapshots.saving import SnapshotContent, save_snapshot
from acpcbot.solvers.policies import greedy_actions
from acpcbot.solvers.uct import UCTLearner
from acpcbot.training.learners import AVERAGE, GREEDY
from acpcbot.training.preparation import Workplace
from acpcbot.training.recipe import settings_table

PACKAGE = Path(__file__).resolve().parents[1]


def export_snapshot(
    place: Path, workplace: Workplace, count: int, seconds: float, strength: tuple[dict[str, Any], ...] = ()
) -> None:
    """Write what the recipe wants its snapshots to hold to the folder *place*, with the recipe beside it."""
    recipe, learner = workplace.recipe, workplace.solver.learner
    hold = recipe.snapshots.hold
    training = Training(
        learner=recipe.learner_name,
        settings=settings_table(learner.settings),
        seed=recipe.seed,
        num_threads=recipe.threads,
        num_episodes=count,
        hours=round(seconds / 3600, 4),
        commit=program_version(),
    )
    content = SnapshotContent(
        game=workplace.game,
        abstraction=quick_at_the_table(workplace.abstraction),
        training=training,
        policy=learner.average_strategy() if AVERAGE in hold else None,
        greedy=_greedy(workplace.game, learner) if GREEDY in hold else None,
        play=recipe.play,
        strength=strength,
        recipe=recipe.text,
    )
    place.parent.mkdir(parents=True, exist_ok=True)
    save_snapshot(place, content)


def program_version() -> str:
    """The commit of the source tree, or the installed version where there is none."""
    try:
        command = ["git", "-C", str(PACKAGE.parent), "describe", "--always", "--dirty", "--abbrev=12"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)  # nosec B603 # no shell, no word of others
        return done.stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        pass
    try:
        return version("acpcbot")
    except PackageNotFoundError:
        return "unknown"


def _greedy(game: Any, learner: Any) -> Any:
    assert isinstance(learner, UCTLearner), "verify_recipe let it through"
    return greedy_actions(learner.visits, learner.means, game)
