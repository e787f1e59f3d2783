"""Progress of a run of sweeps: counters that its threads share, and the wait for one of them.

Each counter has a cache line of its own.
"""

from __future__ import annotations

import numpy as np

from acpcbot.arrays import Ints
from acpcbot.jit import kernel
from acpcbot.subgames.atomic import load, pause, yield_time_slice

TAKEN, DONE, OPENED, STOPPED, FINISHED, USES = 0, 8, 16, 24, 32, 40
"""From USES on: how many chunks have been finished in each slot."""
MAX_PAUSES = 2000
"""Some tens of microseconds."""


def new_progress(num_slots: int = 1) -> Ints:
    """Return the progress of a run that has not begun, of chunks in *num_slots*."""
    return np.zeros(USES + num_slots, np.int64)


@kernel
def wait_for(progress: Ints, place: int, count: int) -> None:
    """Wait until the counter in *place* has reached *count*, or the run is stopped."""
    # A sweep lasts milliseconds, and threads come to its end within some microseconds: waking one
    # that sleeps would take longer. But where there are more threads than cores, the one that is
    # waited for may need this core.
    num_pauses = 0
    while load(progress, place) < count and not load(progress, STOPPED):
        if num_pauses < MAX_PAUSES:
            num_pauses += 1
            pause()
        else:
            yield_time_slice()
