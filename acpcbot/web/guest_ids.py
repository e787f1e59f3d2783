"""Tell guests apart: by a cookie that the page sets and we signed, and by the address where there is none.

A guest is a browser; its windows share the cookie. What is limited for each guest is limited for those who throw
the cookie away by their address.
"""

from __future__ import annotations

import hmac
import secrets

from aiohttp import web

NAME_BYTES = 12


class GuestIds:
    """The guests of the server at *port*; cookies do not tell ports apart, so their name does."""

    def __init__(self, port: int) -> None:
        self.cookie = f"acpcbot-guest-{port}"
        self._secret = secrets.token_bytes(32)

    def of(self, request: web.Request) -> str:
        """Who asks."""
        told = request.cookies.get(self.cookie, "")
        return told if self._is_ours(told) else f"address {request.remote}"

    def introduce(self, request: web.Request, response: web.Response) -> None:
        """Give a browser that has none a cookie of its own."""
        if not self._is_ours(request.cookies.get(self.cookie, "")):
            name = secrets.token_hex(NAME_BYTES)
            response.set_cookie(
                self.cookie, f"{name}.{self._signature(name)}", httponly=True, samesite="Strict", path="/"
            )

    def _is_ours(self, told: str) -> bool:
        name, _, signature = told.partition(".")
        return hmac.compare_digest(signature.encode("utf-8", "replace"), self._signature(name).encode())

    def _signature(self, name: str) -> str:
        return hmac.digest(self._secret, name.encode("utf-8", "replace"), "sha256").hex()
