"""The two programs that install packages: uv, which pip brings as a wheel, and pip itself.

pip is the base Python's own, or else the one that ``ensurepip`` puts into the environment. uv
reads nothing of pip's configuration, so the settings that say where packages come from are
translated into its variables; a variable of uv's own that is set already is left alone.
"""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from tooling.progress import Failed, environment_with, run

UV_FOLDER = "installer"
# What a user may have set for packages of their own, and what would be wrong for ours.
PIP_NEUTRAL = {"PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
SETTING = re.compile(r"^(?P<section>:env:|[\w-]+)\.(?P<name>[\w-]+)=(?P<value>.*)$")
SECTIONS = ("global", "install", ":env:")  # a later one overrides an earlier one


def pip_command(python: Path) -> list[str]:
    """Return the words that run a pip: the base Python's, or one made in *python*'s environment."""
    if importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip"]
    if not list(python.parent.parent.glob("[Ll]ib/**/site-packages/pip")):
        run("making a pip", [str(python), "-m", "ensurepip", "--default-pip"])
    return [str(python), "-m", "pip"]


def fetch_uv(python: Path, lock: Path) -> Path:
    """Bring uv, of the version and hash in *lock*, by pip into a folder of the environment.

    Return the program.
    """
    folder = python.parent.parent / UV_FOLDER
    words = [
        *pip_command(python),
        "install",
        "--no-deps",
        "--no-compile",
        "--only-binary=:all:",
        "--require-hashes",
    ]
    words += ["--upgrade", "--target", str(folder), "--requirement", str(lock)]
    run("fetching the installer uv", words, environment=environment_with(PIP_NEUTRAL))
    return find_uv(python)


def find_uv(python: Path) -> Path:
    """Return the program that ``fetch_uv`` brought for *python*; raises Failed without one."""
    folder = python.parent.parent / UV_FOLDER
    for program in (
        folder / "bin" / "uv",
        folder / "Scripts" / "uv.exe",
        folder / "bin" / "uv.exe",
    ):
        if program.exists():
            return program
    raise Failed(1, f"no program uv in {folder}")


def install_by_uv(uv: Path, python: Path, lock: Path) -> None:
    """Install the packages of *lock*: hashes checked, no source builds, no bytecode ahead."""
    settings = uv_settings(read_pip_settings(python), os.environ)
    words = [
        str(uv),
        "pip",
        "install",
        "--python",
        str(python),
        "--require-hashes",
        "--only-binary=:all:",
    ]
    words += ["--no-progress", "--requirement", str(lock)]
    run(f"installing {lock.name}", words, environment=environment_with(settings))


def install_by_pip(python: Path, lock: Path) -> None:
    """The same by pip."""
    words = [
        *pip_command(python),
        "--python",
        str(python),
        "install",
        "--no-compile",
        "--only-binary=:all:",
    ]
    words += ["--require-hashes", "--requirement", str(lock)]
    run(f"installing {lock.name} by pip", words, environment=environment_with(PIP_NEUTRAL))


def read_pip_settings(python: Path) -> dict[str, str]:
    """pip's settings for installing, from its files and its variables, by name."""
    return parse_pip_settings(
        run("reading pip's settings", [*pip_command(python), "config", "list"])
    )


def parse_pip_settings(listing: str) -> dict[str, str]:
    """Return the settings that ``pip config list`` printed.

    Variables go before [install], that before [global].

    >>> parse_pip_settings("global.index-url='https://a'\\n:env:.index-url='https://b'")
    {'index-url': 'https://b'}
    """
    found = [match.groupdict() for match in map(SETTING.match, listing.splitlines()) if match]
    settings: dict[str, str] = {}
    for section in SECTIONS:
        settings |= {
            setting["name"]: str(ast.literal_eval(setting["value"]))
            for setting in found
            if setting["section"] == section
        }
    return settings


def uv_settings(pip: Mapping[str, str], given: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that make uv look where *pip* looks; those in *given* stay as they are.

    Of several indexes pip takes the best version of all; the hashes make sure that it is the right
    one.
    """
    cert = pip.get("cert", given.get("REQUESTS_CA_BUNDLE", given.get("CURL_CA_BUNDLE", "")))
    wanted = {
        "UV_DEFAULT_INDEX": pip.get("index-url", ""),
        "UV_INDEX": _words(pip, "extra-index-url", " "),
        "UV_FIND_LINKS": _words(pip, "find-links", ","),
        "UV_INSECURE_HOST": _words(pip, "trusted-host", " "),
        "UV_NO_INDEX": "1" if pip.get("no-index", "").lower() in ("1", "true", "yes", "on") else "",
        "UV_HTTP_TIMEOUT": pip.get("timeout", pip.get("default-timeout", "")),
        "SSL_CERT_DIR" if os.path.isdir(cert) else "SSL_CERT_FILE": cert,
        "SSL_CLIENT_CERT": pip.get("client-cert", ""),
        "ALL_PROXY": pip.get("proxy", ""),
        "UV_INDEX_STRATEGY": "unsafe-best-match" if "extra-index-url" in pip else "",
    }
    return {name: value for name, value in wanted.items() if value and name not in given}


def _words(pip: Mapping[str, str], name: str, separator: str) -> str:
    return separator.join(pip.get(name, "").split())
