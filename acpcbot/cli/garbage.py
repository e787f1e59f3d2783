"""Rare garbage collection for programs that play or deal."""

from __future__ import annotations

import gc

NEW_OBJECTS = 100_000
"""As many come into being before Python looks for rings of objects that nobody else refers to."""


def look_rarely() -> None:
    """Take what there is now for permanent, and look through new objects rarely.

    Nothing in a match refers to itself: what is looked through for such rings is not worth the
    time.
    """
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS)
