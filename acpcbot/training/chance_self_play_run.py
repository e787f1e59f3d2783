"""Self-play for a network at chance states in a folder: it trains, checkpoints, and can be resumed.

    checkpoint-N/   all arrays after N episodes; see ``run.py``
    curve.csv       losses of new labels, before and after they are fitted; see ``curve.py``

The recipe is a TOML file::

    game = "flop_holdem.limit.2p"
    network = "networks/flop_holdem"    # the folder of the result
    num_episodes = 200
    polishing_steps = 2000              # of the optimiser at falling rates, at the end
    [chance_self_play]                  # see ChanceSelfPlaySettings; its fitting
"""

from __future__ import annotations

import json
import time
import tomllib
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from acpcbot.decoding import decode_settings
from acpcbot.errors import UsageError
from acpcbot.networks.stored import StoredNetwork, save_network
from acpcbot.poker.shipped import find_definition
from acpcbot.subgames.chance_encoding import ChanceEncoding, chance_encoding
from acpcbot.training.chance_self_play import (
    ChanceSelfPlay,
    ChanceSelfPlayProgress,
    ChanceSelfPlaySettings,
)
from acpcbot.training.curve import Curve
from acpcbot.training.run import read_arrays, read_record, save_checkpoint

SECONDS_BETWEEN_CHECKPOINTS = 120.0
EPISODES_A_POINT = 10
HINT = "docs/methods/flop_network.md shows a recipe"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChanceRecipe:
    """A whole recipe of a network at chance states."""

    game: str
    network: str
    num_episodes: Annotated[int, Meta(ge=1)]
    polishing_steps: Annotated[int, Meta(ge=0)] = 2_000
    chance_self_play: ChanceSelfPlaySettings

    def encoding(self) -> ChanceEncoding:
        """Return the encoding of the game; raises UsageError for a game that has none."""
        return chance_encoding(*find_definition(self.game))


def load_chance_recipe(path: Path) -> ChanceRecipe:
    """Return the recipe at *path*; raises UsageError for one with mistakes."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    return decode_settings(ChanceRecipe, table, str(path), HINT)


class ChanceSelfPlayRun:
    """The run of *recipe* in *folder*, resumed from its newest checkpoint.

    *on_progress* is called after each episode. Raises UsageError if the folder holds a run of other
    settings or of another game.
    """

    def __init__(
        self,
        recipe: ChanceRecipe,
        folder: Path,
        on_progress: Callable[[ChanceSelfPlayProgress], None] = lambda _: None,
    ) -> None:
        self.recipe, self.folder, self._on_progress = recipe, folder, on_progress
        encoding, settings = recipe.encoding(), recipe.chance_self_play
        self.self_play = ChanceSelfPlay(encoding, settings)
        self._identity = json.loads(
            json.dumps({"interface": asdict(encoding.interface), "settings": asdict(settings)})
        )
        self._seconds, self._stops = 0.0, False
        self._curve = Curve(folder / "curve.csv")
        self._resume()

    def stop(self) -> None:
        """Let the training end after the present episode."""
        self._stops = True

    @property
    def is_finished(self) -> bool:
        """True if all episodes are played."""
        return self.self_play.progress.num_episodes >= self.recipe.num_episodes

    def train(self) -> None:
        """Play until all episodes are played or ``stop`` was called, then checkpoint."""
        saved_at = time.monotonic()
        while not self.is_finished and not self._stops:
            start = time.process_time()
            self.self_play.play_episode()
            self._seconds += time.process_time() - start
            progress = self.self_play.progress
            self._on_progress(progress)
            if progress.num_episodes % EPISODES_A_POINT == 0:
                losses = {"loss_before": progress.loss_before, "loss_after": progress.loss_after}
                self._curve.add(progress.num_episodes, self._seconds, losses)
            if time.monotonic() - saved_at >= SECONDS_BETWEEN_CHECKPOINTS:
                self._save()
                saved_at = time.monotonic()
        self._save()

    def finish(self, place: Path) -> None:
        """Polish the network, and save it as the folder *place*."""
        start = time.process_time()
        self.self_play.polish(self.recipe.polishing_steps)
        progress = self.self_play.progress
        facts: dict[str, Any] = {
            "settings": self._identity["settings"],
            "num_episodes": progress.num_episodes,
            "num_examples": progress.num_examples,
            "num_steps": progress.num_steps,
            "polishing_steps": self.recipe.polishing_steps,
            "cpu_seconds": round(self._seconds + time.process_time() - start, 1),
        }
        interface = self.self_play.encoding.interface
        save_network(place, StoredNetwork(interface, self.self_play.network, facts))

    def _save(self) -> None:
        record = {"identity": self._identity, "seconds": self._seconds}
        count = self.self_play.progress.num_episodes
        save_checkpoint(self.folder, count, self.self_play.arrays(), record)

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
            self._seconds = record["seconds"]
        self._curve.forget_after(self.self_play.progress.num_episodes)
