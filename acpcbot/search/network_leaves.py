"""Leaf values by a counterfactual value network at the end of the first street.

The network is a folder (``networks/stored.py``) that a search folder names with ``values``. It was
trained for the game by ``training/chance_self_play.py``, and one of another game is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from acpcbot.errors import UsageError
from acpcbot.networks.mlp import Network
from acpcbot.networks.stored import load_network
from acpcbot.poker.definition import GameDefinition
from acpcbot.rollouts.plans import leaf_states
from acpcbot.search.leaves import LeafMaker
from acpcbot.search.settings import StreetSettings
from acpcbot.subgames.chance_encoding import ChanceEncoding, chance_encoding
from acpcbot.subgames.game import RangeGame
from acpcbot.subgames.leaf_values import LeafValues
from acpcbot.subgames.network_values import NetworkValues


@dataclass(frozen=True, slots=True, eq=False)
class NetworkLeaves:
    """A ``LeafMaker`` by *network* on the first street. On others it uses *later_streets*.

    The values are those of an equilibrium beyond the street, in which neither seat has anything
    left to choose: there is a single continuation.
    """

    encoding: ChanceEncoding
    network: Network
    later_streets: LeafMaker | None = None

    def __call__(
        self, game: RangeGame, chooser: int, street: StreetSettings, left_s: float
    ) -> LeafValues:
        """Return leaf values beyond *game*, the same for any *chooser*."""
        if game.tree.root.street > 0:
            assert self.later_streets is not None, "verify_num_continuations refuses that"
            return self.later_streets(game, chooser, street, left_s)
        return network_values(game, self.encoding, self.network)

    def verify_num_continuations(self, street: int, num_continuations: int) -> None:
        """Raise UsageError unless it is one on the first street, or later streets have as many."""
        if street > 0 and self.later_streets is not None:
            self.later_streets.verify_num_continuations(street, num_continuations)
        elif street > 0 or num_continuations > 1:
            raise UsageError(
                f"num_continuations = {num_continuations}: expected 1, for a network has one value"
                " of a state",
                "set it to 1",
            )


def network_values(game: RangeGame, encoding: ChanceEncoding, network: Network) -> NetworkValues:
    """Return the leaf values of *network* behind *game*, which is the first street."""
    return NetworkValues(encoding, network, [int(chips) for chips, _ in leaf_states(game)])


def load_network_leaves(
    folder: Path, definition: GameDefinition, later_streets: LeafMaker | None = None
) -> NetworkLeaves:
    """Return leaf values by the network in *folder*.

    Raises UsageError for a damaged network, one of another game, or a game without such networks.
    """
    stored = load_network(folder)
    encoding = chance_encoding(stored.interface.game, definition)
    load_network(folder, encoding.interface)
    return NetworkLeaves(encoding, stored.network, later_streets)
