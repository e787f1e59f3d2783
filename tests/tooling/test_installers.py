"""pip's settings as uv understands them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tooling.installers import parse_pip_settings, uv_settings

LISTING = """\
:env:.disable-pip-version-check='1'
:env:.find-links='/wheels'
global.extra-index-url='file:///a/simple https://user:p%40ss@b/simple'
global.find-links='/overridden'
global.cert='/ca.crt'
install.cert='/other.crt'
install.trusted-host='\\nhost-a\\nhost-b'
freeze.index-url='https://not.ours/'
"""


def test_pip_settings_are_read_with_their_order_of_precedence() -> None:
    assert parse_pip_settings(LISTING) == {
        "disable-pip-version-check": "1",
        "find-links": "/wheels",
        "extra-index-url": "file:///a/simple https://user:p%40ss@b/simple",
        "cert": "/other.crt",
        "trusted-host": "\nhost-a\nhost-b",
    }


def test_uv_looks_where_pip_looks() -> None:
    settings = uv_settings(
        parse_pip_settings(LISTING) | {"index-url": "https://mirror/simple", "timeout": "30"}, {}
    )
    assert settings == {
        "UV_DEFAULT_INDEX": "https://mirror/simple",
        "UV_INDEX": "file:///a/simple https://user:p%40ss@b/simple",
        "UV_INDEX_STRATEGY": "unsafe-best-match",
        "UV_FIND_LINKS": "/wheels",
        "UV_INSECURE_HOST": "host-a host-b",
        "UV_HTTP_TIMEOUT": "30",
        "SSL_CERT_FILE": "/other.crt",
    }


def test_a_folder_of_certificates_is_named_as_one(tmp_path: Path) -> None:
    assert uv_settings({"cert": str(tmp_path)}, {}) == {"SSL_CERT_DIR": str(tmp_path)}


def test_certificates_that_pip_takes_from_the_environment_are_taken_too() -> None:
    given = {"REQUESTS_CA_BUNDLE": "/bundle.crt"}
    assert uv_settings({}, given) == {"SSL_CERT_FILE": "/bundle.crt"}
    assert uv_settings({"cert": "/own.crt"}, given) == {"SSL_CERT_FILE": "/own.crt"}


@pytest.mark.parametrize(("text", "settings"), [("true", {"UV_NO_INDEX": "1"}), ("0", {})])
def test_an_index_that_is_not_wanted_is_not_asked(text: str, settings: dict[str, str]) -> None:
    assert uv_settings({"no-index": text}, {}) == settings


def test_variables_of_uvs_own_go_first() -> None:
    assert (
        uv_settings({"index-url": "https://mirror/simple"}, {"UV_DEFAULT_INDEX": "https://mine"})
        == {}
    )


def test_without_settings_nothing_is_told() -> None:
    assert uv_settings({}, {}) == {}
