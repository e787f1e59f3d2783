"""Made pages that are out of date are named with the command that writes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tooling import checks, references
from tooling.references import main, outdated

MAKER = "docs/make_pages.py"
MAKES_ONE = f"""
from pathlib import Path

def files():
    folder = Path(__file__).parent / "reference"
    return {{folder / "one.md": "Made by `{MAKER}`.", folder / "two.md": "Made by `{MAKER}`."}}
"""


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone whose one maker makes two pages, which are up to date."""
    (tmp_path / "docs" / "reference").mkdir(parents=True)
    (tmp_path / MAKER).write_text(MAKES_ONE, encoding="utf-8")
    for name in ("one.md", "two.md"):
        (tmp_path / "docs" / "reference" / name).write_text(f"Made by `{MAKER}`.", encoding="utf-8")
    monkeypatch.setattr(references, "MAKERS", (MAKER,))
    return tmp_path


def test_pages_that_are_up_to_date_are_not_named(
    clone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (clone / "docs" / "reference" / "by_hand.md").write_text("By hand.", encoding="utf-8")
    assert main(clone) == 0
    assert capsys.readouterr() == ("", "")


def test_changed_missing_and_left_over_pages_are_named_with_the_command(
    clone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = clone / "docs" / "reference"
    (folder / "one.md").write_text("changed", encoding="utf-8")
    (folder / "two.md").unlink()
    (folder / "old.md").write_text(f"Made by `{MAKER}`.", encoding="utf-8")
    assert main(clone) == 1
    assert capsys.readouterr().err == (
        "error: out of date: docs/reference/old.md, docs/reference/one.md, docs/reference/two.md\n"
        f"\nhint: python {MAKER}\n"
    )


def test_every_maker_tells_its_files() -> None:
    """Catches a maker whose ``files`` are not those that it writes."""
    for maker in references.MAKERS:
        text = (references.ROOT / maker).read_text(encoding="utf-8")
        assert "files().items():" in text.partition('if __name__ == "__main__":')[2]


def test_check_compares_pages_before_all_other_tools(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Catches a page out of date that is told of after minutes, or does not fail the check."""
    ran: list[list[str]] = []

    class Done:
        def __init__(self, returncode: int) -> None:
            self.returncode = returncode

    def run(words: list[object], **_settings: object) -> Done:
        ran.append([str(word) for word in words])
        return Done(int("tooling.references" in ran[-1]))

    monkeypatch.setattr("tooling.checks.subprocess.run", run)
    monkeypatch.setattr(checks, "check_page_scripts", lambda _root, *, is_required: 0)
    monkeypatch.setattr(checks, "fitting_words", lambda _python: ["pip", "check"])
    assert checks.check(str(tmp_path), "python", []) == 1
    assert ran[0] == ["python", "-m", "tooling.references"]
    assert len(ran) > 5


def test_pages_are_compared_byte_for_byte(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("text\n", encoding="utf-8")
    assert outdated(tmp_path, MAKER, {page: "text\n"}) == []
    assert outdated(tmp_path, MAKER, {page: "text"}) == ["page.md"]
