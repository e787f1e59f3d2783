"""``python -m acpcbot`` and the ``acpcbot`` command."""

from __future__ import annotations

import sys

from acpcbot.cli.dispatch import main

__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
