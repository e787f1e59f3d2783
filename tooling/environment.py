"""Make ``.venv``: an environment with what a lock pins, and with this folder on its path.

Nothing of the project is copied or built. A path file leads to the clone, and a few lines of
metadata tell the environment the project's name, version, needs and command, so that
``importlib.metadata``, ``pip list`` and ``acpcbot`` know it.

An environment whose making was interrupted has the file ``unfinished`` and is made anew.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import time
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tooling.installers import fetch_uv, install_by_pip, install_by_uv
from tooling.progress import Activity, Failed, refuse, run, say

UNFINISHED = "unfinished"
MADE = "made"
INSTALLER_LOCK = "requirements-installer.lock"
# What is imported once at the end: a library that does not load is noticed here, in the open.
LIBRARIES = "msgspec, numba, numpy, rich.progress, structlog"
SHEBANG_LIMIT = 120


def set_up(root: Path, python: Path, lock: Path, stamps: Mapping[Path, bytes], made: bytes) -> None:
    """Bring the environment of *python* to *lock*, and write its *stamps* when all is done.

    *made* says which environments can be used again: those that were made with the same words.
    """
    venv = python.parent.parent
    began = time.monotonic()
    try:
        with only_one(root):
            if all(stamp.exists() and stamp.read_bytes() == text for stamp, text in stamps.items()):
                return  # the process that was waited for has done it
            say(f"setting up {venv.name} from {lock.name}, once")
            _drop_stamps(venv)
            if not _is_usable(venv, python, made):
                _make(venv, made)
            (venv / UNFINISHED).touch()
            _install(root, python, lock)
            write_project(root, venv)
            run(
                "loading the libraries for the first time",
                [str(python), "-c", f"import {LIBRARIES}"],
            )
            for stamp, text in stamps.items():
                stamp.write_bytes(text)
            (venv / UNFINISHED).unlink()
    except Failed as failure:
        say(failure.talk.strip())
        refuse(
            "the environment could not be set up",
            "what failed is told above; the same command tries again",
        )
    say(f"set up in {time.monotonic() - began:.1f} s")


@contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Wait until nobody else sets up in *folder*.

    Windows has no such locks, there this waits for nothing.
    """
    if sys.platform == "win32":
        yield
        return
    held = os.open(folder, os.O_RDONLY)
    try:
        if not _take(held):
            activity = Activity("waiting for another set-up of the same folder")
            while not _take(held):
                time.sleep(activity.pause_s)
                activity.turn()
            activity.end(is_done=True)
        yield
    finally:
        os.close(held)


def _take(held: int) -> bool:
    """Take the lock of an open folder, if nobody has it."""
    import fcntl

    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _drop_stamps(venv: Path) -> None:
    for stamp in venv.glob("*.stamp"):
        stamp.unlink()


def _is_usable(venv: Path, python: Path, made: bytes) -> bool:
    """Return whether the environment is complete, was made from the same words, and can run."""
    note = venv / MADE
    if (venv / UNFINISHED).exists() or not note.exists() or note.read_bytes() != made:
        return False
    try:
        return (
            subprocess.run([str(python), "-c", ""], check=False, capture_output=True).returncode
            == 0
        )
    except OSError:
        return False


def _make(venv: Path, made: bytes) -> None:
    try:
        run(
            "making the environment",
            [sys.executable, "-m", "venv", "--without-pip", "--clear", str(venv)],
        )
    except Failed as failure:
        missing = "No module named" in failure.talk
        hint = (
            "on Debian and Ubuntu: apt-get install python3-venv"
            if missing
            else failure.talk.strip()
        )
        refuse("could not make a virtual environment", hint)
    (venv / UNFINISHED).touch()
    (venv / MADE).write_bytes(made)


def _install(root: Path, python: Path, lock: Path) -> None:
    """Install by uv, or by pip where that cannot be had or fails."""
    try:
        install_by_uv(fetch_uv(python, root / INSTALLER_LOCK), python, lock)
    except Failed as failure:
        say(f"uv did not work ({failure.reason()}): pip installs instead, which takes longer")
        install_by_pip(python, lock)


def write_project(root: Path, venv: Path) -> None:
    """Put the project in *root* on the environment's path, with its metadata and its command."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    places = {"base": str(venv), "platbase": str(venv)}
    packages = Path(sysconfig.get_path("purelib", "venv", places))
    scripts = Path(sysconfig.get_path("scripts", "venv", places))
    for old in packages.glob(f"{project['name']}-*.dist-info"):
        shutil.rmtree(old)
    folder = packages / f"{project['name']}-{project['version']}.dist-info"
    written = {
        packages / f"{project['name']}.pth": f"{root}\n",
        folder / "METADATA": metadata_of(project),
        folder
        / "WHEEL": "Wheel-Version: 1.0\nGenerator: dev\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        folder / "INSTALLER": "dev\n",
        folder / "direct_url.json": json.dumps(
            {"url": root.as_uri(), "dir_info": {"editable": True}}
        ),
        folder / "entry_points.txt": "[console_scripts]\n"
        + "".join(f"{name} = {place}\n" for name, place in project["scripts"].items()),
        **{scripts / name: text for name, text in _scripts_of(project, scripts)},
    }
    folder.mkdir(parents=True)
    for path, text in written.items():
        path.write_bytes(os.fsencode(text))
        if path.parent == scripts:
            path.chmod(0o755)
    record = [*written, folder / "RECORD"]
    (folder / "RECORD").write_bytes(
        os.fsencode("".join(f"{os.path.relpath(path, packages)},,\n" for path in record))
    )


def metadata_of(project: Mapping[str, Any]) -> str:
    """Return the core metadata of *project*, the table of pyproject.toml."""
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {project['version']}"]
    lines += [
        f"Summary: {project['description']}",
        f"Requires-Python: {project['requires-python']}",
    ]
    lines += [f"Requires-Dist: {need}" for need in project["dependencies"]]
    for extra, needs in project["optional-dependencies"].items():
        lines += [
            f"Provides-Extra: {extra}",
            *[f"Requires-Dist: {_with_extra(need, extra)}" for need in needs],
        ]
    return "\n".join([*lines, ""])


def _with_extra(need: str, extra: str) -> str:
    """Return the requirement *need* with the marker of *extra* beside one of its own.

    >>> print(_with_extra("a>=1", "x"))
    a>=1; extra == "x"
    >>> print(_with_extra("b; os_name != 'nt'", "x"))
    b; (os_name != 'nt') and extra == "x"
    """
    name, _, marker = need.partition(";")
    own = f"({marker.strip()}) and " if marker else ""
    return f'{name.strip()}; {own}extra == "{extra}"'


def _scripts_of(project: Mapping[str, Any], scripts: Path) -> Iterator[tuple[str, str]]:
    for name, place in project["scripts"].items():
        module, _, function = place.partition(":")
        if os.name == "nt":
            yield f"{name}.cmd", f'@"%~dp0python.exe" -m {project["name"]} %*\r\n'
        else:
            start = shebang(f"{scripts}/python")
            # Worker processes import the script that their parent runs.
            body = f"from {module} import {function}\n\n"
            body += f"if __name__ == '__main__':\n    raise SystemExit({function}())\n"
            yield name, start + body


def shebang(python: str) -> str:
    """Return the first lines of a script for *python*.

    The kernel takes neither blanks nor long paths, a shell does.

    >>> shebang("/venv/bin/python")
    '#!/venv/bin/python\\n'
    """
    if " " not in python and len(python) < SHEBANG_LIMIT:
        return f"#!{python}\n"
    return f"#!/bin/sh\n'''exec' \"{python}\" \"$0\" \"$@\"\n' '''\n"
