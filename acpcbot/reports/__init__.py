"""Reports on match logs: winnings with intervals, statistics of play, plots and pages.

``hands.py`` reads logs into columns, ``summary.py`` has all that a report says as values,
``tables.py`` prints it, ``page.py`` makes one HTML page of it. ``solution.py`` shows solved spots.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.reports.duplicates import deal_numbers as deal_numbers
    from acpcbot.reports.export import rows_csv as rows_csv
    from acpcbot.reports.export import summary_csv as summary_csv
    from acpcbot.reports.export import summary_json as summary_json
    from acpcbot.reports.hands import HandTable as HandTable
    from acpcbot.reports.hands import find_logs as find_logs
    from acpcbot.reports.hands import read_hands as read_hands
    from acpcbot.reports.page import report_page as report_page
    from acpcbot.reports.solution import solution_json as solution_json
    from acpcbot.reports.solution import solution_page as solution_page
    from acpcbot.reports.summary import PlayerSummary as PlayerSummary
    from acpcbot.reports.summary import Summary as Summary
    from acpcbot.reports.summary import summarise as summarise
    from acpcbot.reports.tables import report_text as report_text

export(
    __name__,
    {
        "HandTable": "hands",
        "PlayerSummary": "summary",
        "Summary": "summary",
        "deal_numbers": "duplicates",
        "find_logs": "hands",
        "read_hands": "hands",
        "report_page": "page",
        "report_text": "tables",
        "rows_csv": "export",
        "solution_json": "solution",
        "solution_page": "solution",
        "summarise": "summary",
        "summary_csv": "export",
        "summary_json": "export",
    },
)
