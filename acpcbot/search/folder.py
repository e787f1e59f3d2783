"""Search strategies by name: from a folder with a ``search.toml`` to the strategy it describes.

A profile and changed settings follow a question mark::

    strategies/leduc.nolimit.2p/search?profile=fast&gadget=unsafe

A setting of one street has its name before it: ``?preflop.decisions=all&river.iterations=300``.
With ``?flop=off`` the blueprint plays that street.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from acpcbot.abstraction.buckets import Buckets
from acpcbot.errors import UsageError
from acpcbot.poker.definition import STREET_NAMES, GameDefinition
from acpcbot.rollouts.preflop_table import load_preflop_values
from acpcbot.search.blueprint import BlueprintPlay
from acpcbot.search.leaves import RolloutLeaves, StoredLeaves
from acpcbot.search.network_leaves import load_network_leaves
from acpcbot.search.settings import (
    SearchFolder,
    SearchSettings,
    read_search_folder,
    renamed_keys,
    with_options,
)
from acpcbot.search.strategy import SearchStrategy
from acpcbot.strategies.files import load_snapshot
from acpcbot.strategies.finding import find_folder
from acpcbot.strategies.manifest import read_definition
from acpcbot.strategies.snapshot import Snapshot

OPTIONS = ("profile", "root_gadget", "gadget", "num_continuations", "threads")


@dataclass(frozen=True, slots=True)
class FoundSearch:
    """A search folder, and the settings chosen from it."""

    folder: SearchFolder
    settings: SearchSettings

    @property
    def definition(self) -> GameDefinition:
        """The blueprint's game; raises BadSnapshot."""
        return read_definition(self.folder.blueprint)[1]

    def load(self) -> Snapshot:
        """Return the blueprint; raises BadSnapshot."""
        return load_snapshot(self.folder.blueprint)


def find_search(name: str) -> FoundSearch:
    """Return the folder and settings that *name* asks for; raises UsageError.

    ``is_search`` must hold of *name*.
    """
    place, _, words = name.partition("?")
    folder = find_folder(place)
    assert folder is not None
    found, options = read_search_folder(folder), _options(words)
    of_streets = {name: text for name, text in options.items() if name not in OPTIONS}
    settings = found.profile(options.get("profile"), of_streets)
    return FoundSearch(found, with_options(settings, options))


def make_search(
    found: FoundSearch,
    snapshot: Snapshot,
    tables: Sequence[Buckets] = (),
    definition: GameDefinition | None = None,
) -> SearchStrategy:
    """Return the strategy; with the *tables* of the blueprint's abstraction hands are looked up.

    *definition* is the game that is played, if its stacks are not those of the blueprint.
    Raises BadSnapshot where its table of preflop values is damaged or another blueprint's, and
    UsageError where its network is.
    """
    settings, blueprint = (
        found.settings,
        BlueprintPlay(snapshot, tables=tables, seed=found.settings.seed),
    )
    rolled_out = RolloutLeaves(blueprint, settings.seed, settings.threads)
    folder, first = found.folder.preflop_values, settings.streets.get(0)
    if found.folder.values is not None and first is not None and first.num_continuations:
        leaves = load_network_leaves(found.folder.values, blueprint.definition, rolled_out)
        return SearchStrategy(blueprint, settings, leaves=leaves, definition=definition)
    if folder is None or first is None or not first.num_continuations:
        return SearchStrategy(blueprint, settings, leaves=rolled_out, definition=definition)
    stored = StoredLeaves(blueprint, load_preflop_values(folder, snapshot), rolled_out)
    return SearchStrategy(blueprint, settings, leaves=stored, definition=definition)


def _options(words: str) -> dict[str, str]:
    given = dict(word.partition("=")[::2] for word in words.split("&") if word)
    options = renamed_keys(f"?{words}", given)
    for name in options:
        if name not in (*OPTIONS, *STREET_NAMES) and "." not in name:
            raise UsageError(
                f"unknown search setting {name!r}",
                f"expected one of {', '.join(OPTIONS)}, or a setting of a street, as in"
                " river.iterations=300 or river=off",
            )
    return options
