"""Looking for garbage rarely: what there is at the start is left alone, and memory does not
grow without end.
"""

from __future__ import annotations

import subprocess
import sys

MAKE_RINGS = """
import gc
from acpcbot.cli.process import NEW_OBJECTS, look_rarely

class Ring:
    alive = 0
    def __init__(self):
        self.itself = self
        Ring.alive += 1
    def __del__(self):
        Ring.alive -= 1

look_rarely()
frozen, most = gc.get_freeze_count(), 0
for _ in range(5 * NEW_OBJECTS):
    Ring()
    most = max(most, Ring.alive)
print(frozen > 1000, most <= NEW_OBJECTS + 1)
"""


def test_rings_of_objects_go_all_the_same() -> None:
    """Catches a bot whose memory grows from hand to hand, since an agent of somebody's makes
    rings of objects.
    """
    ran = subprocess.run(
        [sys.executable, "-c", MAKE_RINGS], check=True, capture_output=True, text=True
    )
    assert ran.stdout.split() == ["True", "True"]
