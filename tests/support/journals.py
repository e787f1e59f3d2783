"""Journals in memory: one JSON object a line."""

from __future__ import annotations

import io
import json
from typing import Any


def journal_events(stream: io.StringIO) -> list[dict[str, Any]]:
    """Return the events that a journal has written to *stream*, in their order."""
    return [json.loads(line) for line in stream.getvalue().splitlines()]
