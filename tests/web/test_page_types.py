"""The types that scripts of the pages are checked against say what server and page really hold."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from inspect import signature
from pathlib import Path

import pytest

from acpcbot.web.requests import KINDS
from acpcbot.web.server import static_files
from acpcbot.web.solver.jobs import Job, size_plain, spot_plain
from acpcbot.web.solver.orders import Size
from acpcbot.web.solver.painted_ranges import range_classes
from acpcbot.web.solver.spot import SolverSpot

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "acpcbot" / "web" / "static"
REPORT = ROOT / "acpcbot" / "reports" / "page"
ELEMENTS = {
    "button": "Button",
    "div": "Div",
    "dl": "DList",
    "form": "Form",
    "input": "Input",
    "ol": "OList",
    "p": "Paragraph",
    "progress": "Progress",
    "script": "Script",
    "select": "Select",
    "span": "Span",
    "table": "Table",
    "ul": "UList",
}
"""What stands in the type of an element, by its tag; sections and the like are plain elements."""


class Ids(HTMLParser):
    """The types of the elements of a page by their ids."""

    def __init__(self) -> None:
        super().__init__()
        self.types: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        name = dict(attrs).get("id")
        if name is not None:
            self.types[name] = f"HTML{ELEMENTS.get(tag, '')}Element"


def declared_parts(types: str) -> dict[str, str]:
    body = types.partition("export interface Parts {")[2].partition("\n}")[0]
    return dict(re.findall(r'^  "?([\w-]+)"?: (\w+);', body, re.MULTILINE))


@pytest.mark.parametrize(
    ("folder", "page", "types"),
    [
        (STATIC, "index.html", "types.d.ts"),
        (STATIC, "solver.html", "solver_types.d.ts"),
        (REPORT, "page.html", "types.d.ts"),
    ],
    ids=["table", "solver", "report"],
)
def test_scripts_name_elements_that_their_page_has(folder: Path, page: str, types: str) -> None:
    """Catches an element that was renamed or became another tag in the page alone."""
    ids = Ids()
    ids.feed((folder / page).read_text(encoding="utf-8"))
    parts = declared_parts((folder / types).read_text(encoding="utf-8"))
    assert parts
    assert parts == {name: ids.types.get(name) for name in parts}


@pytest.mark.parametrize("page", ["index.html", "solver.html"])
def test_every_page_has_the_common_head_once(page: str) -> None:
    """Catches a page without its styles, and a head that is served as a file of its own."""
    files, common = static_files(), (STATIC / "common_head.html").read_text(encoding="utf-8")
    head = files[page].decode().partition("</head>")[0]
    assert head.count(common) == 1
    assert "common_head" not in head
    assert "common_head.html" not in files
    names = re.findall(r'(?:href|src)="/static/([^"]+)"', head)
    assert len(names) == len(set(names))
    assert set(names) <= set(files)


def test_requests_of_the_page_have_the_fields_that_the_server_takes() -> None:
    types = (STATIC / "types.d.ts").read_text(encoding="utf-8")
    body = types.partition("export type Request =")[2].partition(";\n\n")[0]
    found = re.findall(r'type: "(\w+)"([^}]*)}', body)
    declared = {kind: re.findall(r"(\w+):", rest) for kind, rest in found}
    assert declared == {name: list(signature(kind).parameters) for name, kind in KINDS.items()}


def test_records_of_the_solver_have_the_fields_that_its_page_knows() -> None:
    """Catches a field that is renamed on one side."""
    types = (STATIC / "solver_types.d.ts").read_text(encoding="utf-8")

    def declared(name: str) -> list[str]:
        body = types.partition(f"export interface {name} {{")[2].partition("\n}")[0]
        return re.findall(r"^  (\w+)\??:", body, re.MULTILINE)

    spot = SolverSpot("KsTd9h4s2c", 100, 400, 400, "all", "all", "all-in")
    assert declared("Spot") == list(spot_plain(spot))
    assert declared("SpotSize") == list(size_plain(Size(1, 1, 1, None, 1.0)))
    assert declared("Job") == list(Job(1, "", spot).plain("", frozenset()))
    assert declared("RangeClasses") == list(range_classes("all"))


def test_every_message_of_the_server_is_declared() -> None:
    """Catches a message that the page does not know, and one that nobody sends."""
    sources = (path.read_text(encoding="utf-8") for path in STATIC.parent.glob("*.py"))
    sent = set(re.findall(r'"type": "(\w+)"', "\n".join(sources))) - set(KINDS) | {"replay"}
    types = (STATIC / "types.d.ts").read_text(encoding="utf-8")
    assert set(re.findall(r'^  type: "(\w+)"', types, re.MULTILINE)) == sent
