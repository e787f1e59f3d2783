"""Whose strategies are known when a match is evaluated: by plans of matches, files beside logs and ``--known``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from acpcbot.errors import UsageError
from acpcbot.evaluation.arena_deals import ArenaDealer
from acpcbot.evaluation.known_strategies import can_tell, find_strategy
from acpcbot.evaluation.recorded_player import RecordedPlayer
from acpcbot.matches.plan import load_plan
from acpcbot.matches.public_strategy import PublicStrategy
from acpcbot.reports.hands import HandTable
from acpcbot.snapshots.strategy_file import SUFFIX, read_strategies, strategy_path

Names = Mapping[str, Sequence[str]]
RECORDED = "recorded:"


def known_names(paths: Sequence[Path], words: Sequence[str], table: HandTable) -> Names:
    """What each player who is known plays, once or for each log; *words* are those of ``--known``, and say it best."""
    told: dict[str, list[str]] = {}
    for word in words:
        player, equals, name = word.partition("=")
        if not equals or player not in table.players:
            raise UsageError(f"--known {word}: no NAME=STRATEGY of a player", f"players are {', '.join(table.players)}")
        told.setdefault(player, []).append(name)
    return {**_planned(paths, table), **told}


def _planned(paths: Sequence[Path], table: HandTable) -> dict[str, list[str]]:
    """What match folders tell: recorded decisions, and else strategies that can be asked about every hand."""
    found: dict[str, list[str]] = {}
    for folder in filter(Path.is_dir, paths):
        for player, name, files in _entrants(folder):
            if files:
                found.setdefault(player, []).extend(files)
            elif player in table.players and can_tell(name, table.definition):
                found[player] = [name]
    return found


def _entrants(folder: Path) -> Iterator[tuple[str, str, list[str]]]:
    """Who played in the match in *folder*, what, and where his decisions are recorded."""
    plan = load_plan(folder)
    tables = [table for table in plan.tables() if (folder / f"{table.name}.log").exists()]
    for entrant, (player, name) in enumerate(zip(plan.names, plan.strategies, strict=True)):
        files = [strategy_path(str(folder / table.name), table.seating.index(entrant)) for table in tables]
        yield player, name, [f"{RECORDED}{file}" for file in files if file.exists()]


def find_known(names: Names, table: HandTable, dealer: ArenaDealer) -> dict[str, PublicStrategy | RecordedPlayer]:
    """The strategies of the players in *names*."""
    return {player: _found(player, what, table, dealer) for player, what in names.items()}


def _found(player: str, names: Sequence[str], table: HandTable, dealer: ArenaDealer) -> PublicStrategy | RecordedPlayer:
    if not names[-1].startswith(RECORDED):
        return find_strategy(names[-1], dealer)
    files = [Path(name.removeprefix(RECORDED)) for name in names]
    if len(files) != len(table.sources):
        problem = f"{len(files)} files of {player}'s decisions for {len(table.sources)} logs"
        raise UsageError(problem, f"name one *{SUFFIX} for each log, in the order of the logs")
    recorded = [read_strategies(file, table.definition) for file in files]
    return RecordedPlayer(recorded, table.source.tolist(), table.hand_id.tolist())
