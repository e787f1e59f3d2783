"""Values of betting that a strategy's tree does not have, from those of the betting that it sees instead."""

from __future__ import annotations

from typing import Any

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.poker.betting import BettingState


def shared_alike(values: Floats, seen: BettingState, betting: BettingState, seats: Any = slice(None)) -> Floats:
    """*values* after *seen* as those after *betting*, in which whoever gets so much of the pot gets as much of it.

    Chips won; the last axis of *values* is that of the *seats*, or they are one seat's.
    """
    if seen.text == betting.text:
        return values
    growth = betting.pot / seen.pot if seen.pot else 1.0
    shared: Floats = growth * (values + np.array(seen.spent)[seats]) - np.array(betting.spent)[seats]
    return shared
