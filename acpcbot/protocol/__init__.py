"""The ACPC protocol without sockets or clocks: bytes in, messages out.

``grammar.py`` reads and writes lines, ``lines.py`` cuts a stream into them, ``client_side.py``
is a client's end of a connection, ``records.py`` the lines of logs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.protocol.client_side import ClientConnection as ClientConnection
    from acpcbot.protocol.grammar import Grammar as Grammar
    from acpcbot.protocol.lines import LineBuffer as LineBuffer
    from acpcbot.protocol.messages import Comment as Comment
    from acpcbot.protocol.messages import MatchState as MatchState
    from acpcbot.protocol.messages import StreamEnded as StreamEnded
    from acpcbot.protocol.records import format_score_record as format_score_record
    from acpcbot.protocol.records import format_state_record as format_state_record

export(
    __name__,
    {
        "ClientConnection": "client_side",
        "Comment": "messages",
        "Grammar": "grammar",
        "LineBuffer": "lines",
        "MatchState": "messages",
        "StreamEnded": "messages",
        "format_score_record": "records",
        "format_state_record": "records",
    },
)
