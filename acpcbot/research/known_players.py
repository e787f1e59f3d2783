"""The strategies of players of a match: as plans and files beside logs tell, or as they are named.

Behind ``recorded:`` stands a file in which an agent wrote down what it would have done with every
hand, one for each log.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from acpcbot.abstraction.deal_sources import DealSources
from acpcbot.agents.public_strategies import find_strategy, is_public
from acpcbot.errors import UsageError
from acpcbot.evaluation.aivat.estimates import RecordedPlayer
from acpcbot.matches.plan import load_plan
from acpcbot.poker.definition import GameDefinition
from acpcbot.reports.hands import HandTable
from acpcbot.strategies.public_strategy import PublicStrategy
from acpcbot.strategies.strategy_file import SUFFIX, read_strategies, strategy_path

Names = Mapping[str, Sequence[str]]
"""By player a strategy, or a recorded file for each log."""

RECORDED = "recorded:"


def planned_names(
    paths: Sequence[Path], players: Sequence[str], definition: GameDefinition
) -> dict[str, list[str]]:
    """Return what the folders of matches among *paths* tell of their *players*.

    That is recorded decisions, and else strategies that can be asked about every hand.
    """
    found: dict[str, list[str]] = {}
    for folder in filter(Path.is_dir, paths):
        for player, name, files in _entrants(folder):
            if files:
                found.setdefault(player, []).extend(files)
            elif player in players and is_public(name, definition):
                found[player] = [name]
    return found


def _entrants(folder: Path) -> Iterator[tuple[str, str, list[str]]]:
    """Each entrant of the match in *folder*, its strategy, and the files of its decisions."""
    plan = load_plan(folder)
    tables = [table for table in plan.tables() if (folder / f"{table.name}.log").exists()]
    for entrant, (player, name) in enumerate(zip(plan.names, plan.strategies, strict=True)):
        files = [
            strategy_path(str(folder / table.name), table.seating.index(entrant))
            for table in tables
        ]
        yield player, name, [f"{RECORDED}{file}" for file in files if file.exists()]


def find_known(
    names: Names, table: HandTable, sources: DealSources
) -> dict[str, PublicStrategy | RecordedPlayer]:
    """Return the strategies of the players in *names*, who played the hands of *table*.

    Raises UsageError, UnknownStrategy and BadSnapshot.
    """
    return {player: _found(player, what, table, sources) for player, what in names.items()}


def _found(
    player: str, names: Sequence[str], table: HandTable, sources: DealSources
) -> PublicStrategy | RecordedPlayer:
    if not names[-1].startswith(RECORDED):
        return find_strategy(names[-1], sources)
    files = [Path(name.removeprefix(RECORDED)) for name in names]
    if len(files) != len(table.sources):
        problem = f"{len(files)} files of {player}'s decisions for {len(table.sources)} logs"
        raise UsageError(problem, f"name one *{SUFFIX} for each log, in the order of the logs")
    recorded = [read_strategies(file, table.definition) for file in files]
    return RecordedPlayer(recorded, table.source.tolist(), table.hand_id.tolist())
