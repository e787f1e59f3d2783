"""``./dev audit``: what is told of an answer, and of none."""

from __future__ import annotations

import json

import pytest

from tooling.audit import report_audit


def status_of(answer: str) -> object:
    try:
        return report_audit(answer)
    except SystemExit as refusal:
        return refusal.code


FAULTY = {"name": "a", "version": "1", "vulns": [{"id": "CVE-1", "fix_versions": ["2"]}]}
SOUND = {"name": "b", "version": "1", "vulns": []}
UNKNOWN = {"name": "c", "skip_reason": "not found"}


@pytest.mark.parametrize(
    ("packages", "status", "words"),
    [
        ([SOUND], 0, "1 packages audited, 0 with known vulnerabilities"),
        (
            [SOUND, FAULTY],
            1,
            "a 1: CVE-1, mended in 2\n2 packages audited, 1 with known vulnerabilities",
        ),
        ([SOUND, UNKNOWN], 1, "1 packages audited, 0 with known vulnerabilities"),
    ],
)
def test_the_audit_tells_what_is_known(
    packages: list[object], status: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Catches a fault that passes, and a package that nobody could be asked about and that
    counts as sound.
    """
    assert status_of(json.dumps({"dependencies": packages})) == status
    captured = capsys.readouterr()
    assert captured.out.strip() == words
    assert ("1 packages were NOT AUDITED: c" in captured.err) == (UNKNOWN in packages)


@pytest.mark.parametrize("answer", ["", "no route to host", "{}"])
def test_an_audit_without_an_answer_fails_loudly(
    answer: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of(answer) == 1
    assert "NOTHING WAS AUDITED" in capsys.readouterr().err
