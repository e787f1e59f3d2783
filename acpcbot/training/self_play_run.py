"""Sound self-play in a folder: it trains, measures, checkpoints, and can be resumed.

    checkpoint-N/   all arrays after N episodes; see ``run.py``
    curve.csv       the measured figures by simulations, and losses; see ``curve.py``
    curve.png       the figures, where matplotlib is installed
    network/        the network at the end; see ``networks/stored.py``

``self_play_measures.py`` has the figures. At the end the same searches are measured without a
network: one that is worse than none is noticed.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from acpcbot.errors import UsageError
from acpcbot.networks.fitting import empty_examples
from acpcbot.networks.stored import StoredNetwork, save_network
from acpcbot.strategies.network_strategy import GAME
from acpcbot.training.actors import AnyEncoding
from acpcbot.training.curve import Curve
from acpcbot.training.run import read_arrays, read_record, save_checkpoint
from acpcbot.training.self_play import (
    STEPS_A_CALL,
    SelfPlay,
    SelfPlayProgress,
    SelfPlaySettings,
)
from acpcbot.training.self_play_measures import (
    EXPLOITABILITY,
    WRONG_MOVES,
    SearchMeasure,
    figure_name,
)
from acpcbot.tree_search.board_encodings import BoardEncoding
from acpcbot.tree_search.leaf_evaluators import LeafValues

SECONDS_BETWEEN_CHECKPOINTS = 60.0


@dataclass(frozen=True, slots=True)
class SelfPlayResult:
    """The *figure* of searches *with_network* and *without* it, by simulations; less is better."""

    with_network: dict[int, float]
    without: dict[int, float]
    figure: str = EXPLOITABILITY

    @property
    def is_better_than_none(self) -> bool:
        """True if the network lowers the figure at every number of simulations."""
        return all(self.with_network[count] < self.without[count] for count in self.without)


class SelfPlayRun:
    """The run of *settings* for *num_episodes* in *folder*, resumed from its newest checkpoint.

    *on_progress* is called after each episode. A point of the curve is measured every
    *episodes_a_point*, 0 being never, and *on_point* called with it: the figures by simulations.
    Raises UsageError if the folder holds a run of other settings or of another game.
    """

    def __init__(
        self,
        encoding: AnyEncoding,
        settings: SelfPlaySettings,
        folder: Path,
        num_episodes: int,
        *,
        measure: SearchMeasure | None = None,
        episodes_a_point: int = 1000,
        on_progress: Callable[[SelfPlayProgress], None] = lambda _: None,
        on_point: Callable[[SelfPlayProgress, dict[int, float]], None] = lambda _, __: None,
    ) -> None:
        self.self_play, self.folder = SelfPlay(encoding, settings), folder
        self.num_episodes, self._episodes_a_point = num_episodes, episodes_a_point
        self._measure = measure or SearchMeasure()
        self._on_progress, self._on_point = on_progress, on_point
        self._identity = json.loads(
            json.dumps({"interface": asdict(encoding.interface), "settings": asdict(settings)})
        )
        self._seconds, self._stops = 0.0, False
        self.cpu_seconds = 0.0
        """The seconds of CPU of the training so far, measuring not counted."""
        self._curve = Curve(folder / "curve.csv")
        self._resume()

    def stop(self) -> None:
        """Let the training end after the present episode."""
        self._stops = True

    @property
    def is_finished(self) -> bool:
        """True if all episodes are played."""
        return self.self_play.progress.num_episodes >= self.num_episodes

    def train(self, most_episodes: int | None = None) -> None:
        """Play until all episodes are played or ``stop`` was called, then checkpoint.

        With *most_episodes* return after so many more, or after the round with the last of them.
        """
        saved_at, done = time.monotonic(), self.self_play.progress.num_episodes
        end = self.num_episodes if most_episodes is None else done + most_episodes
        try:
            while not self.is_finished and not self._stops and done < end:
                start, cpu_start = time.monotonic(), self._cpu_clock()
                self.self_play.play_round(self.num_episodes)
                self._seconds += time.monotonic() - start
                self.cpu_seconds += self._cpu_clock() - cpu_start
                progress, before = self.self_play.progress, done
                done = progress.num_episodes
                self._on_progress(progress)
                step = self._episodes_a_point
                if step and done // step > before // step:
                    self._add_point(progress)
                if time.monotonic() - saved_at >= SECONDS_BETWEEN_CHECKPOINTS:
                    self._save()
                    saved_at = time.monotonic()
            self._save()
        finally:
            # Between two parts of a training its actors play on.
            if most_episodes is None or self.is_finished:
                self.self_play.close()

    def _cpu_clock(self) -> float:
        return time.process_time() + self.self_play.actor_cpu_seconds

    def finish(self, place: Path | None = None, game: str | None = None) -> SelfPlayResult:
        """Save the network, and compare searches with it with those that have none.

        Its folder is *place*, or ``network`` in the run's. *game* names the ACPC game that it can
        be played in.
        """
        play = self.self_play
        result = SelfPlayResult(self._figures(play.values), self._figures(None), self.figure)
        facts: dict[str, Any] = {
            **({} if game is None else {GAME: game}),
            "settings": self._identity["settings"],
            "num_episodes": play.progress.num_episodes,
            "num_steps": play.progress.num_steps,
            "seconds": round(self._seconds, 1),
            "cpu_seconds": round(self.cpu_seconds, 1),
            self._column: _by_name(result.with_network),
            f"{self._column}_without": _by_name(result.without),
            "measured": f"means of {self._measure.num_seeds} seeds of the searches,"
            f" c = {self._measured_per_update:g}",
        }
        interface = play.values.encoding.interface
        stored = StoredNetwork(interface, play.network, facts)
        save_network(place or self.folder / "network", stored)
        return result

    @property
    def figure(self) -> str:
        """The name of what is measured."""
        return figure_name(self.self_play.values.encoding)

    @property
    def _column(self) -> str:
        return self.figure.replace(" ", "_")

    @property
    def _measured_per_update(self) -> float:
        is_board = isinstance(self.self_play.values.encoding, BoardEncoding)
        return self.self_play.settings.search.simulations_per_update if is_board else 1

    def _figures(self, values: LeafValues | None) -> dict[int, float]:
        play = self.self_play
        search = play.settings.search
        if isinstance(play.values.encoding, BoardEncoding):
            return self._measure.position_figures(play.values.encoding, search, values)
        return self._measure.exploitabilities(play.tree, search, values)

    def _add_point(self, progress: SelfPlayProgress) -> None:
        found = self._figures(self.self_play.values)
        named = {f"{self._column}_s{count}": value for count, value in found.items()}
        losses = {"value_loss": progress.value_loss, "policy_loss": progress.policy_loss}
        self._curve.add(progress.num_episodes, self._seconds, {**named, **losses})
        self._on_point(progress, found)

    def _save(self) -> None:
        record = {
            "identity": self._identity,
            "seconds": self._seconds,
            "cpu_seconds": self.cpu_seconds,
        }
        count = self.self_play.progress.num_episodes
        save_checkpoint(self.folder, count, self.self_play.arrays(), record)
        game = self.self_play.values.encoding.interface.game
        unit = "of 1,000" if self.figure == WRONG_MOVES else "thousandths of its unit"
        self._curve.draw(
            f"self-play, {game}, {self.figure}, {unit}",
            [f"{self._column}_s{count}" for count in self._measure.simulations],
        )

    def _resume(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        record = read_record(self.folder)
        if record is not None:
            if record["identity"] != self._identity:
                raise UsageError(
                    f"{self.folder} holds a self-play of other settings or of another game",
                    "name another folder, or delete this one",
                )
            self.self_play.restore(read_arrays(self.folder))
            self._seconds, self.cpu_seconds = record["seconds"], record["cpu_seconds"]
        self._curve.forget_after(self.self_play.progress.num_episodes)


def _by_name(found: dict[int, float]) -> dict[str, float]:
    return {str(simulations): round(value, 2) for simulations, value in found.items()}


def needed_bytes(encoding: AnyEncoding, settings: SelfPlaySettings) -> dict[str, int]:
    """Return the memory that a self-play takes, by purpose; the public tree is not counted.

    JAX itself takes some 260 MB beside it, and each actor in a process of its own some 200 MB.
    """
    shape = encoding.interface.shape(settings.hidden)
    one = sum(array.nbytes for array in empty_examples(shape, 1))
    # Parameters and both moments of Adam, and the copies that searches and the fitter keep.
    return {
        "replay buffer": one * settings.replay_buffer_size,
        "network and optimizer": 5 * 4 * shape.num_parameters,
        "one call of the trainer": 2 * one * settings.fitting.batch_size * STEPS_A_CALL,
    }
