"""Checks of any page: tags that close, and addresses that a browser would fetch; open reports."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

from tests.support.chromium import BrowserPage

ADDRESS = re.compile(r"""(?:src|href|url|@import)\s*[=(]\s*["']?([^"'>\s)]*)""")


class Tags(HTMLParser):
    """Every tag that is open at the end, or was closed without being open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in ("meta", "link", "input", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(tag)


def open_report(browser: BrowserPage, path: Path, fragment: str = "") -> None:
    """Open the report at *path*, and wait until its script has drawn it: columns take a moment."""
    browser.open_address("about:blank")
    browser.open(path, fragment)
    browser.wait_for("!document.querySelector('#hands').hidden")
