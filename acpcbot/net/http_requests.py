"""The head of an HTTP/1.x request, as far as scrapes and health checks need one (RFC 9112).

Everything else is refused by the status that says why: these pages take no body, no
other method, and nothing that two readers could understand differently.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from http import HTTPStatus

END_OF_HEAD = b"\r\n\r\n"
LONGEST_HEAD = 8192
_REQUEST_LINE = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+) (/[!-~]*) HTTP/(\d)\.(\d)")
_FIELD = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t -~\x80-\xff]*)")


@dataclass(frozen=True, slots=True)
class Request:
    """A request for *path*, of which HEAD wants everything but the body."""

    path: str
    wants_body: bool


def parse_request(head: bytes) -> Request | HTTPStatus:
    """The request whose *head* this is, its empty line included, or the status that refuses it."""
    first, *lines = head.removesuffix(END_OF_HEAD).decode("latin-1").split("\r\n")
    found = _REQUEST_LINE.fullmatch(first)
    fields = [_FIELD.fullmatch(line) for line in lines]
    if found is None or None in fields:
        return HTTPStatus.BAD_REQUEST
    method, target, major, minor = found.groups()
    if major != "1":
        return HTTPStatus.HTTP_VERSION_NOT_SUPPORTED
    names = [field[1].lower() for field in fields if field is not None]
    if names.count("host") > 1 or (minor != "0" and "host" not in names):
        return HTTPStatus.BAD_REQUEST
    if "transfer-encoding" in names or any(_announces_body(field) for field in fields if field is not None):
        return HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    if method not in ("GET", "HEAD"):
        return HTTPStatus.METHOD_NOT_ALLOWED
    return Request(target.partition("?")[0], method == "GET")


def _announces_body(field: re.Match[str]) -> bool:
    return field[1].lower() == "content-length" and field[2].strip() != "0"
