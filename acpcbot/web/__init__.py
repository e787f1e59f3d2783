"""The table in the browser: people play strategies, watch matches and review hands.

``startup.py`` opens it, ``server.py`` serves it, ``session.py`` is a person's match,
``lobby.py`` what can be played, ``study.py`` what is told of a finished hand, ``judging.py`` what
the person's decisions cost, ``drills.py`` deals spots again, and ``solver`` is the solver's page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.web.session import Session as Session
    from acpcbot.web.startup import open_table as open_table
    from acpcbot.web.table_settings import TableOptions as TableOptions
    from acpcbot.web.table_settings import TableSettings as TableSettings

export(
    __name__,
    {
        "Session": "session",
        "TableOptions": "table_settings",
        "TableSettings": "table_settings",
        "open_table": "startup",
    },
)
