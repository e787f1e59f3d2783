"""Stored strategies: folders with a manifest and arrays, and their play.

``finding.py`` finds a folder by name, ``files.py`` loads and saves it, ``snapshot.py`` is the
loaded strategy, ``translation.py`` maps bets of other sizes to those it has, ``public_play.py``
gives its probabilities with all hands at once, ``range_play.py`` as a table over a whole game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.strategies.by_name import find_played as find_played
    from acpcbot.strategies.by_name import find_stored as find_stored
    from acpcbot.strategies.entrants import find_entrant as find_entrant
    from acpcbot.strategies.files import SnapshotContent as SnapshotContent
    from acpcbot.strategies.files import load_snapshot as load_snapshot
    from acpcbot.strategies.files import save_snapshot as save_snapshot
    from acpcbot.strategies.finding import find_folder as find_folder
    from acpcbot.strategies.finding import find_recipe as find_recipe
    from acpcbot.strategies.finding import snapshots_below as snapshots_below
    from acpcbot.strategies.manifest import Manifest as Manifest
    from acpcbot.strategies.manifest import read_manifest as read_manifest
    from acpcbot.strategies.policy import PlaySettings as PlaySettings
    from acpcbot.strategies.policy import parse_play_settings as parse_play_settings
    from acpcbot.strategies.public_play import SnapshotStrategy as SnapshotStrategy
    from acpcbot.strategies.public_strategy import ActionTable as ActionTable
    from acpcbot.strategies.public_strategy import PublicStrategy as PublicStrategy
    from acpcbot.strategies.range_play import PlayStrategy as PlayStrategy
    from acpcbot.strategies.range_play import tabulate_strategy as tabulate_strategy
    from acpcbot.strategies.snapshot import Snapshot as Snapshot
    from acpcbot.strategies.strategy_file import RecordedStrategies as RecordedStrategies
    from acpcbot.strategies.strategy_file import StrategyRecorder as StrategyRecorder
    from acpcbot.strategies.translation import Translation as Translation
    from acpcbot.strategies.translation import Translator as Translator
    from acpcbot.strategies.whole_policy import TablePolicy as TablePolicy
    from acpcbot.strategies.whole_policy import played_policy as played_policy

export(
    __name__,
    {
        "ActionTable": "public_strategy",
        "Manifest": "manifest",
        "PlaySettings": "policy",
        "PlayStrategy": "range_play",
        "PublicStrategy": "public_strategy",
        "RecordedStrategies": "strategy_file",
        "Snapshot": "snapshot",
        "SnapshotContent": "files",
        "SnapshotStrategy": "public_play",
        "StrategyRecorder": "strategy_file",
        "TablePolicy": "whole_policy",
        "Translation": "translation",
        "Translator": "translation",
        "find_entrant": "entrants",
        "find_folder": "finding",
        "find_played": "by_name",
        "find_recipe": "finding",
        "find_stored": "by_name",
        "load_snapshot": "files",
        "parse_play_settings": "policy",
        "played_policy": "whole_policy",
        "read_manifest": "manifest",
        "save_snapshot": "files",
        "snapshots_below": "finding",
        "tabulate_strategy": "range_play",
    },
)
