"""The documentation as a site: whole, strict, searchable, and without a request to other hosts."""

from __future__ import annotations

import json
import re
import shutil
import threading
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.support.chromium import BrowserPage, needs_chromium
from tooling import site
from tooling.site_hooks import navigation, repository, with_plain_fences, without_outer_links

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
GLOSSARY = DOCS / "concepts" / "glossary.md"
# Attributes by which a browser loads something as soon as it sees the element.
LOADING = {"src", "srcset", "data", "poster", "background"}
# Addresses in the theme's scripts that are used where a page names a repository: none does.
FOR_REPOSITORIES = ("https://api.github.com/", "https://${e}/api/v4/projects/")
REMOTE = re.compile(r"^\s*(?:https?:)?//", re.IGNORECASE)
CSS_ADDRESS = re.compile(r"(?:url\(|@import)\s*[\"']?([^\"')\s;]+)", re.IGNORECASE)
SCRIPT_ADDRESS = re.compile(r"[\"'`]((?:https?:|wss?:)//[^\"'`\s]*|//[\w-]+\.\w[^\"'`\s]*)")
NAMESPACE = "http://www.w3.org/"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the site of this clone's documentation."""
    skip_without_the_extra()
    return site.build_site(tmp_path_factory.mktemp("site")).parent


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Return a project of two pages with the settings and the hooks of this one."""
    skip_without_the_extra()
    root = tmp_path / "project"
    (root / "docs" / "guides").mkdir(parents=True)
    (root / "tooling").mkdir()
    for name in ("mkdocs.yml", "tooling/site_hooks.py"):
        shutil.copy(ROOT / name, root / name)
    (root / "pyproject.toml").write_text("[project]\nname = 'small'\n")
    (root / "docs" / "README.md").write_text("# Small\n\n## Guides\n\n* [One](guides/one.md)\n")
    write_guide(root, "See [the licence](../../LICENSE).")
    return root


def skip_without_the_extra() -> None:
    for name in ("mkdocs", "material"):
        pytest.importorskip(name, reason="the extra docs is not installed")


def write_guide(root: Path, text: str) -> None:
    (root / "docs" / "guides" / "one.md").write_text(f"# One\n\n{text}\n")


class Loads(HTMLParser):
    """The addresses that a browser loads with a page, and the links of its navigation."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.navigation: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.addresses += [value for name, value in found.items() if name in LOADING]
        self.addresses += CSS_ADDRESS.findall(found.get("style", ""))
        if tag in ("link", "base", "use", "image"):
            self.addresses.append(found.get("href", ""))
        if tag == "a" and "md-nav__link" in found.get("class", "").split():
            self.navigation.append(found.get("href", ""))


def page_of(source: Path) -> str:
    """The page's path in the site, for the Markdown file *source*."""
    path = source.relative_to(DOCS).as_posix()
    return re.sub(r"README\.html$", "index.html", re.sub(r"\.md$", ".html", path))


# The whole site


def test_the_site_has_every_page_and_no_source(built: Path) -> None:
    pages = {page_of(source) for source in DOCS.rglob("*.md")}
    assert len(pages) > 50
    written = {path.relative_to(built).as_posix() for path in built.rglob("*.html")}
    assert written == pages | {"404.html"}
    assert not [path for path in built.rglob("*") if path.suffix in (".md", ".py", ".toml")]


def test_the_navigation_is_in_the_order_of_the_index(built: Path) -> None:
    """Catches a page that can be found by the search alone."""
    links = re.findall(r"\]\((?!\.\.)([\w/]+\.md)\)", (DOCS / "README.md").read_text("utf-8"))
    # The first sentence links to the installation, which is listed below it as well.
    expected = [page_of(DOCS / link) for link in dict.fromkeys(links)]
    shown = Loads((built / "index.html").read_text("utf-8")).navigation
    pages = [link for link in dict.fromkeys(shown) if link.endswith(".html")]
    assert [page for page in pages if page != "index.html"] == expected


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("concepts/determinism.html", "Mersenne Twister"),
        ("concepts/glossary.html", "re-solving gadget"),
        ("guides/deploy.html", "systemd"),
        ("methods/learning.html", "external sampling"),
        ("reference/cli.html", "acpcbot exploitability"),
    ],
)
def test_the_search_knows_the_words_of_a_page(built: Path, page: str, words: str) -> None:
    index = json.loads((built / site.SEARCH_INDEX).read_text("utf-8"))
    texts = [
        f"{entry['title']} {entry['text']}"
        for entry in index["docs"]
        if entry["location"].partition("#")[0] == page
    ]
    text = re.sub(r"<[^>]+>|\s+", " ", " ".join(texts))
    assert words.lower() in re.sub(r" +", " ", text).lower()


def test_no_page_loads_anything_from_another_host(built: Path) -> None:
    found = {
        (path.name, address)
        for path in built.rglob("*.html")
        for address in Loads(path.read_text("utf-8")).addresses
        if REMOTE.match(address)
    }
    assert found == set()


def test_no_style_and_no_script_loads_anything_from_another_host(built: Path) -> None:
    """Catches a theme that fetches fonts, or a script that it needs for diagrams."""
    sheets = [path.read_text("utf-8") for path in (*built.rglob("*.css"), *built.rglob("*.html"))]
    assert not [
        address for text in sheets for address in CSS_ADDRESS.findall(text) if REMOTE.match(address)
    ]
    scripts = list(built.rglob("*.js"))
    addresses = [
        address for path in scripts for address in SCRIPT_ADDRESS.findall(path.read_text("utf-8"))
    ]
    assert len(scripts) > 1
    assert not [text for text in addresses if not text.startswith((*FOR_REPOSITORIES, NAMESPACE))]
    assert 'data-md-component="source"' not in "".join(sheets)


def test_blocks_and_tables_are_read_as_on_a_code_host(built: Path) -> None:
    """Catches a fence that stays in the text, and a backslash before a bar."""
    pages = {path: path.read_text("utf-8") for path in built.rglob("*.html")}
    assert not [path for path, text in pages.items() if "```" in text]
    assert "<code>AsKs|/Qh7d2c</code>" in pages[built / "concepts/protocol.html"]
    # Steps of one list, with blocks between them.
    cluster = pages[built / "guides/cluster.html"]
    (steps,) = re.findall(r"<ol>.*?</ol>", cluster, re.DOTALL)
    assert steps.count("<li>") == 5
    assert steps.count("<pre>") == 2


@needs_chromium
def test_the_site_searches_in_a_browser_and_asks_its_own_host_alone(
    built: Path, browser: BrowserPage
) -> None:
    with served(built) as address:
        browser.open_address(f"{address}/concepts/search.html")
        browser.evaluate("document.querySelector('#__search').click()")
        browser.evaluate(
            "{ const field = document.querySelector('.md-search__input'); field.focus();"
            " field.value = 'blueprint'; field.dispatchEvent(new Event('keyup')); }"
        )
        browser.wait_for("document.querySelectorAll('.md-search-result__item').length > 1")
        assert browser.complaints() == []
        requests = browser.requests()
    assert requests
    assert not [url for url in requests if not url.startswith((address, "data:", "blob:"))]


class QuietHandler(SimpleHTTPRequestHandler):
    """Files without a log."""

    def log_message(self, format: str, *args: object) -> None:
        pass


class served:
    """A server of one folder on loopback, with its address."""

    def __init__(self, folder: Path) -> None:
        handler = partial(QuietHandler, directory=str(folder))
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))

    def __enter__(self) -> str:
        self._thread.start()
        return f"http://127.0.0.1:{self._server.server_port}"

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


# Links


def test_a_link_out_of_the_documentation_becomes_the_path_or_leads_to_the_repository(
    small: Path, tmp_path: Path
) -> None:
    """Catches an earlier site that is not built anew, too."""
    folder = tmp_path / "out"
    assert site.build_site(folder, small) == folder / "index.html"
    page = folder / "guides" / "one.html"
    assert "See the licence (<code>LICENSE</code>)." in page.read_text("utf-8")
    (folder / "old.html").write_text("old")
    with (small / "pyproject.toml").open("a") as file:
        file.write("[project.urls]\nRepository = 'https://example.org/small'\n")
    site.build_site(folder, small)
    link = '<a href="https://example.org/small/blob/HEAD/LICENSE">the licence</a>'
    assert link in page.read_text("utf-8")
    assert not (folder / "old.html").exists()


def test_links_that_lead_nowhere_and_pages_that_the_index_leaves_out_are_refused(
    small: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    targets = ["two.md", "../README.md#nowhere", "#not-here", "/one.md", "../../../above.md"]
    write_guide(small, " ".join(f"[Two]({target})" for target in targets))
    (small / "docs" / "guides" / "forgotten.md").write_text("# Forgotten\n")
    with pytest.raises(SystemExit):
        site.build_site(tmp_path / "out", small)
    error = capfd.readouterr().err
    assert "error: the site could not be built" in error
    assert [name for name in (*targets, "guides/forgotten.md") if name not in error] == []


@pytest.mark.parametrize(
    "text",
    [
        "[a](b.md)",
        "[a](../methods/c.md#d)",
        "[a](#d)",
        "[a](https://example.org/../x)",
        "![a](../figures/a.png)",
        "`[a](../../b)`",
        "```\n[a](../../b)\n```",
    ],
)
def test_links_within_the_documentation_and_code_stay(text: str) -> None:
    for address in ("", "https://example.org"):
        assert without_outer_links(text, "docs/guides/one.md", address) == text


def test_links_out_of_the_documentation_keep_their_heading_and_are_not_doubled() -> None:
    text = "[`examples/a.py`](../../examples/a.py) and [how\nto](../../A.md#b-c)"
    assert without_outer_links(text, "docs/guides/one.md", "") == (
        "`examples/a.py` and how\nto (`A.md`)"
    )
    assert without_outer_links(text, "docs/guides/one.md", "https://x.org") == (
        "[`examples/a.py`](https://x.org/blob/HEAD/examples/a.py)"
        " and [how\nto](https://x.org/blob/HEAD/A.md#b-c)"
    )


def test_a_project_without_a_repository_has_no_address() -> None:
    assert repository("[project]\nname = 'a'") == ""
    assert repository("[project.urls]\nHomepage = 'https://example.org'") == ""


def test_fences_keep_their_language_alone() -> None:
    text = "```toml network recipe\n\na = 1\n```\n\n```\nplain text\n```\n\n```py\n```\n"
    assert with_plain_fences(text) == text.replace(" network recipe", "")


def test_the_navigation_leaves_out_sections_without_pages() -> None:
    assert navigation("# A\n[B](b.md)\n## C\n[D](../d.md)\n## E\n[F](f.md)\n") == [
        "README.md",
        {"E": ["f.md"]},
    ]


# What is refused


def test_a_folder_of_other_files_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Catches a slip of the keyboard that would empty a folder."""
    skip_without_the_extra()
    kept = tmp_path / "kept.txt"
    kept.write_text("kept")
    for folder in (tmp_path, kept):
        with pytest.raises(SystemExit):
            site.main([str(folder)])
        assert f"error: {folder} holds something other than a site" in capsys.readouterr().err
    assert kept.read_text() == "kept"


def test_a_missing_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(site, "find_spec", lambda name: None)
    with pytest.raises(SystemExit):
        site.build_site(tmp_path / "out")
    assert "hint: it is in the extra docs" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["a", "b"], ["--help-me"]])
def test_words_beyond_a_folder_are_refused(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        site.main(words)
    assert "expected at most one folder" in capsys.readouterr().err


# The glossary


def entries() -> Iterator[tuple[str, list[str]]]:
    """Each term with the lines of its entry."""
    for item in re.split(r"^(?=\* )", GLOSSARY.read_text("utf-8"), flags=re.MULTILINE)[1:]:
        term = re.match(r"\* \*\*(.+?)\*\*: ", item)
        assert term, item
        yield term[1], item.partition("\n\n")[0].strip().splitlines()


def test_the_glossary_has_each_term_once_in_at_most_two_lines() -> None:
    terms = [term for term, _ in entries()]
    assert len(terms) >= 35
    assert len({term.lower() for term in terms}) == len(terms)
    assert [term for term, lines in entries() if len(lines) > 2] == []
