"""From what was asked for to a server that answers at once and loads its strategies meanwhile."""

from __future__ import annotations

import os
import socket
import sys
from functools import partial

from acpcbot.jit import CompileEvent, on_compile
from acpcbot.net.event_loop import run as run_loop
from acpcbot.net.journal import Journal
from acpcbot.net.listening import LOOPBACK, listen
from acpcbot.web.access import TOKEN_FIELD, RequestGuard, new_token
from acpcbot.web.loading import Loading, Service
from acpcbot.web.server import TableServer, serve
from acpcbot.web.table_settings import TableOptions

EVERY_IPV4 = "0.0.0.0"  # nosec B104 # recognised, not listened at
EVERYWHERE = (EVERY_IPV4, "::", "")


def open_table(options: TableOptions, host: str | None, port: int, journal: Journal) -> None:
    """Serve until told to stop; raises UsageError, UnknownStrategy, BadSnapshot, OSError.

    With a *host* browsers need a token, which stands in the address.
    """
    listener = listen(LOOPBACK if host is None else host, port)
    try:
        gate = RequestGuard(
            _shown_host(host),
            listener.getsockname()[1],
            None if host is None else new_token(),
            journal,
        )
        server = TableServer(partial(_load, options, journal), gate, journal)
        run_loop(serve(server, listener, _address(gate)))
    finally:
        listener.close()
    if server.is_loading:
        # A compiler cannot be stopped, and the end of the interpreter would pull its libraries from
        # under it.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


def _load(options: TableOptions, journal: Journal, loading: Loading) -> Service:
    """Make what answers browsers; in the loading thread, as importing it alone takes seconds."""

    def tell(event: CompileEvent) -> None:
        loading.compiled(event.kernel, is_over=event.is_over)

    on_compile(tell)
    loading.step("starting the poker engine")
    from acpcbot.web.table_host import make_host

    return make_host(options, journal, loading)


def _shown_host(host: str | None) -> str:
    """The host as an address names it: where all are listened to, this machine's name."""
    if host is None:
        return LOOPBACK
    if host in EVERYWHERE:
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host


def _address(gate: RequestGuard) -> str:
    token = "" if gate.token is None else f"?{TOKEN_FIELD}={gate.token}"
    return f"http://{gate.host}:{gate.port}/{token}"
