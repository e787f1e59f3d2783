"""The far end of a connection."""

from __future__ import annotations

import asyncio


async def ended(reader: asyncio.StreamReader) -> bytes:
    """Return the bytes that were still sent before the connection ended, in whichever way."""
    data = b""
    try:
        while more := await reader.read(1 << 16):
            data += more
    except ConnectionError:
        pass
    return data
