"""Leaf values of a network at the chance states that end the first street."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from acpcbot.arrays import Floats32
from acpcbot.networks.mlp import Network
from acpcbot.subgames.chance_encoding import NUM_SEATS, ChanceEncoding

AVERAGE_POWER = 4.0
"""Weight of later reaches, as gamma of the solver's average strategy."""


class NetworkValues:
    """``LeafValues`` by *network*: all states that end the street are one batch of queries.

    *chips* [part] is what either seat has put in at each of them. Neither seat chooses anything
    beyond the street: values are those of the equilibrium of the rest, as far as the network knows.

    While a solver learns, the network is asked about the average of the reaches so far, with later
    ones weighing more, as in the solver's average strategy. What that says of betting is taken of
    the present reaches, and the showdown is theirs too. Reaches of single iterations are far from
    anything that is ever played; averages move slowly, and a network has to know little besides
    them.
    """

    offsets: Floats32 | None = None
    """Added to the network's outputs, [part, seat, class]."""

    def __init__(self, encoding: ChanceEncoding, network: Network, chips: Sequence[int]) -> None:
        self.encoding, self.network = encoding, network
        self.pots = np.array([encoding.pot_number(own) for own in chips], np.int64)
        shape = len(self.pots), NUM_SEATS, encoding.num_classes
        self.averages = np.zeros(shape, np.float32)
        """Weighted sums of the reaches so far, [part, seat, class]."""
        self._num_seen = 0

    def values(self, seat: int, above: Floats32, *, learns: bool) -> Floats32:
        """Return the counterfactual values [part, hand] of *seat*; reaches are [part, seat, hand].

        Without *learns* the network is asked about these very reaches.
        """
        sums = self.encoding.by_class(above)
        asked = self._averaged(sums) if learns else sums
        outputs = self.encoding.outputs(self.network, self.pots, asked)
        if self.offsets is not None:
            outputs = outputs + self.offsets
        found: Floats32 = self.encoding.values(self.pots, sums, outputs)[:, seat]
        return found[:, self.encoding.classes]

    def _averaged(self, sums: Floats32) -> Floats32:
        self.averages *= np.float32((self._num_seen / (self._num_seen + 1)) ** AVERAGE_POWER)
        self.averages += sums
        self._num_seen += 1
        return self.averages
