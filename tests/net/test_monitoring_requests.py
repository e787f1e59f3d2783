"""Heads of requests: what is understood, and which status refuses the rest."""

from __future__ import annotations

from http import HTTPStatus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpcbot.net.monitoring import Request, parse_request


def head(first: bytes, *lines: bytes) -> bytes:
    return b"\r\n".join([first, *lines, b"", b""])


@pytest.mark.parametrize(
    ("text", "request_"),
    [
        (head(b"GET /metrics HTTP/1.1", b"Host: here"), Request("/metrics", wants_body=True)),
        (
            head(b"GET /metrics?name=a HTTP/1.1", b"host:here:9464"),
            Request("/metrics", wants_body=True),
        ),
        (
            head(b"HEAD /live HTTP/1.1", b"HOST: \t here \t", b"Accept: */*"),
            Request("/live", wants_body=False),
        ),
        (head(b"GET / HTTP/1.0"), Request("/", wants_body=True)),
        (head(b"GET / HTTP/1.1", b"Host:", b"Content-Length: 0"), Request("/", wants_body=True)),
        (
            head(b"GET / HTTP/1.1", b"Host: a", b"User-Agent: caf\xe9"),
            Request("/", wants_body=True),
        ),
    ],
)
def test_requests_of_scrapers_and_health_checks_are_understood(
    text: bytes, request_: Request
) -> None:
    assert parse_request(text) == request_


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (head(b""), 400),
        (head(b"GET /"), 400),
        (head(b"GET / HTTP/1.1"), 400),  # no Host
        (head(b"GET / HTTP/1.1", b"Host: a", b"Host: b"), 400),
        (head(b"GET  / HTTP/1.1", b"Host: a"), 400),
        (head(b"GET / HTTP/1.1 ", b"Host: a"), 400),
        (head(b"GET live HTTP/1.1", b"Host: a"), 400),
        (head(b"GET http://a/live HTTP/1.1", b"Host: a"), 400),
        (head(b"GET /\x00 HTTP/1.1", b"Host: a"), 400),
        (head(b"GET / HTTP/1.1", b"Host: a", b" folded"), 400),
        (head(b"GET / HTTP/1.1", b"Host : a"), 400),
        (head(b"GET / HTTP/1.1", b"Host: a\nX: b"), 400),  # a bare line feed hides a field
        (head(b"GET / HTTP/1.1", b"Host: a\rX: b"), 400),
        (head(b"GET / HTTP/1.1", b"Host: a", b"X"), 400),
        (head(b"GET / HTTP/2.0", b"Host: a"), 505),
        (head(b"POST / HTTP/1.1", b"Host: a"), 405),
        (head(b"get / HTTP/1.1", b"Host: a"), 405),
        (head(b"POST / HTTP/1.1", b"Host: a", b"Content-Length: 5"), 413),
        (head(b"GET / HTTP/1.1", b"Host: a", b"content-length: 0, 5"), 413),
        (head(b"GET / HTTP/1.1", b"Host: a", b"Transfer-Encoding: chunked"), 413),
    ],
)
def test_everything_else_is_refused_by_the_status_that_says_why(text: bytes, status: int) -> None:
    assert parse_request(text) == HTTPStatus(status)


@given(st.binary(max_size=80) | st.builds(head, st.binary(max_size=40), st.binary(max_size=40)))
def test_no_bytes_at_all_raise(text: bytes) -> None:
    """Catches a client that ends the task of its connection by the bytes that it sends."""
    found = parse_request(text)
    assert isinstance(found, Request) or found >= 400
