"""Self-play as a part of an experiment's unit: begun or resumed in its folder, with notes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from acpcbot.lab.experiment import Note
from acpcbot.training.actors import AnyEncoding
from acpcbot.training.self_play_measures import SearchMeasure
from acpcbot.training.self_play_run import SelfPlayRun
from acpcbot.training.self_play_settings import SelfPlaySettings


def training_in(
    folder: Path, encoding: AnyEncoding, settings: SelfPlaySettings, num_episodes: int
) -> SelfPlayRun:
    """Return the training in *folder*, which measures nothing itself."""
    measure = SearchMeasure(simulations=())
    return SelfPlayRun(
        encoding, settings, folder, num_episodes, measure=measure, episodes_a_point=0
    )


def train_in_parts(training: SelfPlayRun, episodes_a_note: int) -> Iterator[Note]:
    """Train to the end, and yield how far it is now and then."""
    while not training.is_finished:
        training.train(episodes_a_note)
        yield Note(str(training.self_play.progress))
