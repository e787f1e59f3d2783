"""Access to the server: over real sockets, as browsers and as programs that pretend to be one."""

from __future__ import annotations

from pathlib import Path

import pytest
from aiohttp import WSServerHandshakeError

from tests.web.served import Served, run, served

TOKEN = "a-token-that-nobody-guesses"


async def status(place: Served, path: str = "/", **headers: str) -> int:
    async with place.browser.get(
        f"{place.address}{path}", headers=headers, allow_redirects=False
    ) as answer:
        return answer.status


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:{port}", "127.0.0.1", "localhost:1", "192.0.2.1:{port}", ""],
)
def test_a_name_that_was_led_here_is_refused(tmp_path: Path, host: str) -> None:
    """Catches DNS rebinding: another site's name with this machine's address."""

    async def visit() -> None:
        async with served(tmp_path) as place:
            assert await status(place, Host=host.format(port=place.port)) == 403
            assert await status(place, Host=f"localhost:{place.port}") == 200
            assert place.refusals() == ["this is not its host"]

    run(visit())


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "https://127.0.0.1:{port}", "http://localhost:{port}", ""],
)
def test_another_sites_page_gets_no_socket(tmp_path: Path, origin: str) -> None:
    """Catches a page elsewhere that plays in the person's name."""

    async def visit() -> None:
        async with served(tmp_path) as place:
            with pytest.raises(WSServerHandshakeError, match="403"):
                async with place.socket(Origin=origin.format(port=place.port)):
                    pass
            assert place.refusals() == ["this is not its page"]

    run(visit())


def test_without_the_token_nothing_is_told(tmp_path: Path) -> None:
    """Catches a way around the token: files, the socket, a token of another length, a cookie
    that was made up.
    """

    async def visit() -> None:
        async with served(tmp_path, token=TOKEN) as place:
            paths = [
                "/",
                "/static/main.js",
                "/socket",
                "/?token=",
                f"/?token={TOKEN}x",
                f"/static/main.js?token={TOKEN}",
                "/?token=é",
            ]
            assert [await status(place, path) for path in paths] == [403] * len(paths)
            assert await status(place, Cookie=f"acpcbot-table-{place.port}=wrong") == 403
            assert set(place.refusals()) == {"the token is missing or wrong"}

    run(visit())


def test_the_token_in_the_address_becomes_a_cookie(tmp_path: Path) -> None:
    """Catches a token that stays in the address, and a cookie that scripts or other sites can
    use.
    """

    async def visit() -> None:
        async with served(tmp_path, token=TOKEN) as place:
            url = f"{place.address}/?token={TOKEN}"
            async with place.browser.get(url, allow_redirects=False) as answer:
                cookie = answer.headers["Set-Cookie"]
                assert (answer.status, answer.headers["Location"]) == (303, "/")
                assert "HttpOnly" in cookie
                assert "SameSite=Strict" in cookie
            headers = {"Cookie": f"acpcbot-table-{place.port}={TOKEN}"}
            assert await status(place, **headers) == 200
            async with place.socket(**headers) as socket:
                assert (await socket.hear("lobby"))["games"][0]["name"] == "kuhn.limit.2p"

    run(visit())


def test_the_pages_policy_lets_nothing_else_in(tmp_path: Path) -> None:
    """Catches a policy that allows scripts in the page or others' frames, and answers without
    one.
    """

    async def visit() -> None:
        async with served(tmp_path) as place:
            for path in ("/", "/static/main.js", "/static/table.css", "/nothing"):
                async with place.browser.get(f"{place.address}{path}") as answer:
                    policy = answer.headers["Content-Security-Policy"]
                    assert "default-src 'none'; script-src 'self'; style-src 'self'" in policy
                    assert "frame-ancestors 'none'" in policy
                    assert "unsafe" not in policy
                    assert answer.headers["X-Content-Type-Options"] == "nosniff"

    run(visit())


@pytest.mark.parametrize(
    "path",
    [
        "/static/../server.py",
        "/static/..%2fserver.py",
        "/static/%2e%2e/gate.py",
        "/static/",
        "/static//etc/passwd",
        "/etc/passwd",
    ],
)
def test_no_path_leads_to_a_file(tmp_path: Path, path: str) -> None:
    """Catches a file that is served by what a browser says."""

    async def visit() -> None:
        async with served(tmp_path) as place:
            assert await status(place, path) == 404

    run(visit())
