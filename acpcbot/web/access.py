"""Access to the server: the right host, the page's own origin, and a token where one is needed.

A page on another site can make a browser send requests here, and a name of another site can be made
to lead here (DNS rebinding). So the Host header must name this server, sockets are opened for this
server's own pages alone, which alone may send requests with a body too, and with a token every
request must carry it: once in the address, from then on in a cookie that scripts cannot read and
other sites cannot use. Whatever is refused is logged.

Tell guests apart: by a cookie that the page sets and we signed, and by the address where there is
none.

A guest is a browser; its windows share the cookie. What is limited for each guest is limited for
those who throw the cookie away by their address.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from acpcbot.net.journal import Journal

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
TOKEN_FIELD = "token"  # nosec B105 # the name of a field, not what stands in it
TOKEN_BYTES = 24
NOTHING_ELSE = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
BAD_TOKEN, WRONG_HOST, WRONG_ORIGIN = (
    "the token is missing or wrong",
    "this is not its host",
    "this is not its page",
)


def new_token() -> str:
    """A token that nobody can guess."""
    return secrets.token_urlsafe(TOKEN_BYTES)


@dataclass(frozen=True, slots=True)
class RequestGuard:
    """Checks of every request to *host* and *port*.

    No *token* is needed where it is None.
    """

    host: str
    port: int
    token: str | None
    journal: Journal

    @property
    def cookie(self) -> str:
        """The name of the cookie: cookies do not tell ports apart."""
        return f"acpcbot-table-{self.port}"

    def refusal(self, request: web.Request) -> str:
        """Return the reason why *request* is refused; empty if it is not."""
        if not self.is_own_host(request.headers.get("Host", "")):
            return WRONG_HOST
        is_socket = request.headers.get("Upgrade", "").lower() == "websocket"
        does_something = is_socket or request.method not in ("GET", "HEAD")
        if does_something and request.headers.get("Origin") != f"http://{request.headers['Host']}":
            return WRONG_ORIGIN
        return (
            ""
            if self.is_known(request.cookies.get(self.cookie, "")) or self.has_token(request)
            else BAD_TOKEN
        )

    def has_token(self, request: web.Request) -> bool:
        """Return True if the address of the page itself carries the token."""
        return (
            self.token is not None
            and request.path == "/"
            and self.is_known(request.query.get(TOKEN_FIELD, ""))
        )

    def is_known(self, told: str) -> bool:
        """Return True if *told* is the token, compared in constant time."""
        return self.token is None or hmac.compare_digest(
            told.encode("utf-8", "replace"), self.token.encode()
        )

    def is_own_host(self, header: str) -> bool:
        """Return True if *header* names this server.

        An address cannot be rebound, so any is accepted where the server listens for others.
        """
        name, _, port = header.rpartition(":")
        if port != str(self.port):
            return False
        if name.lower() in (
            LOOPBACK_NAMES if self.token is None else (*LOOPBACK_NAMES, self.host.lower())
        ):
            return True
        return self.token is not None and _is_address(name.strip("[]"))


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def gatekeeper(gate: RequestGuard) -> Middleware:
    """The middleware that lets in what *gate* does."""

    @web.middleware
    async def keep(request: web.Request, handler: Handler) -> web.StreamResponse:
        reason = gate.refusal(request)
        if reason:
            gate.journal.warning(
                "refused", reason=reason, peer=request.remote, path=request.path[:200]
            )
            return web.Response(status=403, text=f"{reason}\n")
        return _remembered(gate) if gate.has_token(request) else await handler(request)

    return keep


def _remembered(gate: RequestGuard) -> web.Response:
    """The page without the token in its address, and the cookie."""
    response = web.Response(status=303, headers={"Location": "/"})
    response.set_cookie(gate.cookie, gate.token or "", httponly=True, samesite="Strict", path="/")
    return response


def strict_headers(
    gate: RequestGuard,
) -> Callable[[web.Request, web.StreamResponse], Awaitable[None]]:
    """Return the middleware that adds strict headers to every answer, refusals included."""

    async def add(request: web.Request, response: web.StreamResponse) -> None:
        host = request.headers.get("Host", "")
        connect = f"'self' ws://{host}" if gate.is_own_host(host) else "'none'"
        policy = (
            "default-src 'none'; script-src 'self'; style-src 'self'; "
            f"img-src 'self' data:; connect-src {connect}"
        )
        response.headers.update({**HEADERS, "Content-Security-Policy": f"{policy}; {NOTHING_ELSE}"})

    return add


NAME_BYTES = 12


class GuestIds:
    """The guests of the server at *port*; cookies do not tell ports apart, so their name does."""

    def __init__(self, port: int) -> None:
        self.cookie = f"acpcbot-guest-{port}"
        self._secret = secrets.token_bytes(32)

    def of(self, request: web.Request) -> str:
        """Return the guest who asks."""
        told = request.cookies.get(self.cookie, "")
        return told if self._is_ours(told) else f"address {request.remote}"

    def introduce(self, request: web.Request, response: web.Response) -> None:
        """Give a browser that has none a cookie of its own."""
        if not self._is_ours(request.cookies.get(self.cookie, "")):
            name = secrets.token_hex(NAME_BYTES)
            response.set_cookie(
                self.cookie,
                f"{name}.{self._signature(name)}",
                httponly=True,
                samesite="Strict",
                path="/",
            )

    def _is_ours(self, told: str) -> bool:
        name, _, signature = told.partition(".")
        return hmac.compare_digest(
            signature.encode("utf-8", "replace"), self._signature(name).encode()
        )

    def _signature(self, name: str) -> str:
        return hmac.digest(self._secret, name.encode("utf-8", "replace"), "sha256").hex()
