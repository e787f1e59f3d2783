"""The tools that check the scripts of the pages: pinned, installed once, never skipped silently."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tooling import page_scripts
from tooling.page_scripts import check_page_scripts, install
from tooling.progress import Failed

ROOT = Path(__file__).parents[2]
LICENCES = {"Apache-2.0", "MIT", "MIT OR Apache-2.0", "MPL-2.0"}
NPM = """\
#!/bin/sh
echo "$@" >> calls
[ -e fault ] && { echo "no network"; exit 1; }
mkdir -p node_modules
"""


@pytest.fixture
def npm(tmp_path: Path) -> str:
    """A clone in *tmp_path*, with an npm that only keeps account."""
    for name in ("package.json", "package-lock.json"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    program = tmp_path / "npm"
    program.write_text(NPM, encoding="utf-8")
    program.chmod(0o755)
    return str(program)


def num_calls(folder: Path) -> int:
    calls = folder / "calls"
    return len(calls.read_text(encoding="utf-8").splitlines()) if calls.exists() else 0


def test_tools_are_installed_once_and_again_when_a_pin_changes(tmp_path: Path, npm: str) -> None:
    install(tmp_path, npm)
    install(tmp_path, npm)
    assert num_calls(tmp_path) == 1
    (tmp_path / "package-lock.json").write_text("{}", encoding="utf-8")
    install(tmp_path, npm)
    assert num_calls(tmp_path) == 2


def test_a_failed_installation_is_tried_again(tmp_path: Path, npm: str) -> None:
    """Catches a stamp that is written, or kept, although npm failed."""
    install(tmp_path, npm)
    (tmp_path / "package-lock.json").write_text("{}", encoding="utf-8")
    (tmp_path / "fault").touch()
    with pytest.raises(Failed, match="no network"):
        install(tmp_path, npm)
    (tmp_path / "fault").unlink()
    install(tmp_path, npm)
    assert num_calls(tmp_path) == 3


@pytest.mark.parametrize(
    ("is_required", "status", "word"), [(False, 0, "skipped"), (True, 1, "error")]
)
def test_a_machine_without_node_is_told_what_to_install(
    is_required: bool,
    status: int,
    word: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(page_scripts, "find_programs", lambda: None)
    assert check_page_scripts(ROOT, is_required=is_required) == status
    told = capsys.readouterr().err
    assert told.startswith(f"{word}: ")
    assert "apt-get install nodejs npm" in told
    assert len(told.splitlines()) == 1


def test_pins_hold_versions_and_hashes_and_no_address() -> None:
    """Catches a lock that only one registry can serve, and a tool whose version floats."""
    wanted = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    text = (ROOT / "package-lock.json").read_text(encoding="utf-8")
    entries = {name: entry for name, entry in json.loads(text)["packages"].items() if name}
    assert "://" not in text
    assert all(entry["integrity"].startswith("sha512-") for entry in entries.values())
    assert {entry["license"] for entry in entries.values()} <= LICENCES
    assert {name: entries[f"node_modules/{name}"]["version"] for name in wanted} == wanted
    assert all(re.fullmatch(r"[\d.]+", version) for version in wanted.values())


def test_every_common_platform_has_its_linter() -> None:
    """Catches a lock without the binaries of another system, where npm would install none."""
    text = (ROOT / "package-lock.json").read_text(encoding="utf-8")
    for platform in ("darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64", "win32-x64"):
        assert f"@biomejs/cli-{platform}" in text
        assert f"@typescript/typescript-{platform}" in text
