"""Checks that a game can be searched with a profile's settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.errors import UsageError
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import GameDefinition
from acpcbot.search.settings import SearchSettings
from acpcbot.subgames.block_rows import NUM_SEATS
from acpcbot.subgames.game import verify_root

if TYPE_CHECKING:
    from acpcbot.search.leaves import LeafMaker


def verify_game(
    definition: GameDefinition, settings: SearchSettings, leaves: LeafMaker | None
) -> None:
    """Raise UsageError unless the game *definition* can be searched by *settings* with *leaves*."""
    if definition.num_players != NUM_SEATS or definition.num_hole_cards > 2:
        raise UsageError(
            "search is for two players with hands of one or two cards", "name another game"
        )
    for street, found in settings.streets.items():
        if street >= definition.num_streets:
            raise UsageError(
                f"the game has no street number {street + 1} to search",
                "leave it out of search.toml",
            )
        if found.num_continuations:
            if leaves is None:
                raise UsageError(
                    f"num_continuations = {found.num_continuations}: there are no leaf values",
                    "set num_continuations to 0",
                )
            leaves.verify_num_continuations(street, found.num_continuations)
        if found.weak_prior and street < definition.num_streets - 1:
            raise UsageError(
                f"weak_prior on street number {street + 1}: board cards follow it",
                f"set it on the last street, number {definition.num_streets}",
            )
        if found.drawn_boards and (found.one_street or street > definition.num_streets - 3):
            raise UsageError(
                f"drawn_boards = {found.drawn_boards} on street number {street + 1}",
                "a subgame to the end of the hand, with another street before the last, has them",
            )
        if street == 0 and not found.one_street:
            verify_root(BettingRules(definition).start)
