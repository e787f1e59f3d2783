"""``./dev audit``: what public databases know against the locked versions."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tooling.progress import refuse


def audit(root: str, venv: str, lock_file: str) -> int:
    """Ask in an environment of its own, so that the auditor's needs change nothing in ours."""
    folder = Path(venv, "audit")
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = str(folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
    fetch = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "pip-audit"]
    if subprocess.run(fetch, check=False).returncode:
        refuse("pip-audit could not be fetched: NOTHING WAS AUDITED", "try again with a network")
    command = [
        python,
        "-m",
        "pip_audit",
        "--requirement",
        str(Path(root, lock_file)),
        "--require-hashes",
    ]
    command += ["--disable-pip", "--format", "json", "--progress-spinner", "off"]
    answer = subprocess.run(command, check=False, capture_output=True, text=True)
    return report_audit(answer.stdout)


def report_audit(answer: str) -> int:
    """Tell what is known against which package.

    A package that nobody could be asked about is no success.
    """
    try:
        packages = json.loads(answer)["dependencies"]
    except (ValueError, KeyError):
        refuse(
            "no database of vulnerabilities answered: NOTHING WAS AUDITED",
            "try again with a network",
        )
    for package in packages:
        for fault in package.get("vulns", ()):
            fixes = ", ".join(fault["fix_versions"]) or "nowhere yet"
            print(f"{package['name']} {package['version']}: {fault['id']}, mended in {fixes}")
    unknown = [package["name"] for package in packages if "skip_reason" in package]
    num_bad = sum(bool(package.get("vulns")) for package in packages)
    print(f"{len(packages) - len(unknown)} packages audited, {num_bad} with known vulnerabilities")
    if unknown:
        names = ", ".join(unknown)
        refuse(
            f"{len(unknown)} packages were NOT AUDITED: {names}",
            "their index tells nothing of them",
        )
    return int(num_bad > 0)
