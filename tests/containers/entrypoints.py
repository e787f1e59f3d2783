"""The script behind the containers, as a module and as a command."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "docker" / "entrypoint.py"


def load_entrypoint() -> Any:
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("entrypoint_script", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def start_entrypoint(
    folder: Path, word: str, *before: str, **variables: object
) -> subprocess.Popen[str]:
    """Start the script with *word* in *folder*, behind the command *before*, if any."""
    return subprocess.Popen(
        [*before, sys.executable, str(SCRIPT), word],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            **{name: str(value) for name, value in variables.items()},
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
