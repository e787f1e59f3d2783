"""Match logs, transaction logs, transcripts and hand histories: reading, verifying, writing.

``match_log.py`` reads logs as a stream of verified records; ``replay.py`` is its compiled
reader; ``line.py`` reads a single line without the compiler.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.logs.entries import CommentRecord as CommentRecord
    from acpcbot.logs.entries import HandRecord as HandRecord
    from acpcbot.logs.entries import HeaderRecord as HeaderRecord
    from acpcbot.logs.entries import LogEntry as LogEntry
    from acpcbot.logs.entries import ScoreRecord as ScoreRecord
    from acpcbot.logs.line import parse_hand as parse_hand
    from acpcbot.logs.line import verify_hand as verify_hand
    from acpcbot.logs.match_log import read_match_log as read_match_log
    from acpcbot.logs.match_log import write_match_log as write_match_log
    from acpcbot.logs.phh import read_phh as read_phh
    from acpcbot.logs.phh import write_phh as write_phh
    from acpcbot.logs.pokerstars import read_pokerstars as read_pokerstars
    from acpcbot.logs.pokerstars_writer import write_pokerstars as write_pokerstars
    from acpcbot.logs.tally import MatchTally as MatchTally
    from acpcbot.logs.tally import SeatingTotals as SeatingTotals
    from acpcbot.logs.transactions import read_transactions as read_transactions
    from acpcbot.logs.transactions import write_transactions as write_transactions
    from acpcbot.logs.transcript import read_transcript as read_transcript
    from acpcbot.logs.transcript import write_transcript as write_transcript

export(
    __name__,
    {
        "CommentRecord": "entries",
        "HandRecord": "entries",
        "HeaderRecord": "entries",
        "LogEntry": "entries",
        "MatchTally": "tally",
        "ScoreRecord": "entries",
        "SeatingTotals": "tally",
        "parse_hand": "line",
        "read_match_log": "match_log",
        "read_phh": "phh",
        "read_pokerstars": "pokerstars",
        "read_transactions": "transactions",
        "read_transcript": "transcript",
        "verify_hand": "line",
        "write_match_log": "match_log",
        "write_phh": "phh",
        "write_pokerstars": "pokerstars_writer",
        "write_transactions": "transactions",
        "write_transcript": "transcript",
    },
)
