"""The styles and scripts that pages of reports embed, and that the table in the browser serves.

Light to import, so that the table's page is there at once.
"""

from __future__ import annotations

import base64
import hashlib
import re
from importlib import resources

GRID_STYLES = ("fills.css", "hand_grid.css")
IMPORT = re.compile(r"^import [^;]*;\n", re.MULTILINE)


def page_file(name: str) -> str:
    """Return the text of a file of the folder ``page``."""
    return resources.files("acpcbot.reports").joinpath("page", name).read_text(encoding="utf-8")


def page_style(*names: str) -> str:
    """Return the style sheets *names* of the folder ``page``, and those of the grid of hands."""
    return "".join([page_file(name) for name in (*names, *GRID_STYLES)])


def page_script(*names: str) -> str:
    """Return the scripts *names* of the folder ``page`` behind that of the grid, as one module.

    The module is within a page, so it imports nothing; all parts share its names.
    """
    return IMPORT.sub("", "".join([page_file(name) for name in ("hand_grid.js", *names)]))


def source_hash(text: str) -> str:
    """Return the hash by which a page's policy allows a style or a script."""
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
