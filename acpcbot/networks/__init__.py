"""Counterfactual value-and-policy networks: evaluation, fitting, storage.

``mlp.py`` evaluates networks with numpy, in batches; ``small.py`` evaluates small ones within
kernels; ``fitting.py`` fits them with JAX (the extra ``networks``), which nothing else needs;
``stored.py`` saves and loads them. Nothing here knows the rules of a game: what rows, features and
actions are is a ``NetworkInterface``, which a stored network carries and a search compares.

Source: Schmid et al. (2023), Student of Games: a unified learning algorithm for both perfect and
imperfect information games.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.networks.fitting import Examples as Examples
    from acpcbot.networks.fitting import Fitter as Fitter
    from acpcbot.networks.fitting import FittingSettings as FittingSettings
    from acpcbot.networks.mlp import Network as Network
    from acpcbot.networks.mlp import initial_network as initial_network
    from acpcbot.networks.shape import NetworkInterface as NetworkInterface
    from acpcbot.networks.shape import NetworkShape as NetworkShape
    from acpcbot.networks.small import SmallNetwork as SmallNetwork
    from acpcbot.networks.stored import load_network as load_network
    from acpcbot.networks.stored import save_network as save_network

export(
    __name__,
    {
        "Examples": "fitting",
        "Fitter": "fitting",
        "FittingSettings": "fitting",
        "Network": "mlp",
        "NetworkInterface": "shape",
        "NetworkShape": "shape",
        "SmallNetwork": "small",
        "initial_network": "mlp",
        "load_network": "stored",
        "save_network": "stored",
    },
)
