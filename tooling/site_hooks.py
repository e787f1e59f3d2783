"""Hooks of mkdocs: the navigation, and Markdown as GitHub reads it made fit for Python-Markdown.

mkdocs.yml names this file. It imports nothing of the project, since mkdocs loads it by its path.
"""

from __future__ import annotations

import posixpath
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page

INDEX = "README.md"
HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
# Code comes first: what looks like a link within it is none.
CODE = r"(?P<code>^ *```.*?^ *```$|`+[^`\n]+`+)"
LINK = re.compile(
    CODE + r"|(?P<mark>!?)\[(?P<text>[^\]\[]*)\]\((?P<target>[^()\s]+)\)", re.MULTILINE | re.DOTALL
)
FENCED = re.compile(
    r"^(?P<indent> *)```(?P<language>[\w+-]*)[^\n`]*\n(?P<text>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)
TABLE_ROW = re.compile(r"^\|.*$", re.MULTILINE)
INLINE_CODE = re.compile(r"`[^`\n]+`")
SCHEME = re.compile(r"[a-z][a-z+.-]*:", re.IGNORECASE)
# Python-Markdown takes a block for a list item's only behind so many blanks.
LIST_INDENT = 4
# From here the theme's script would fetch what it needs for diagrams, which no page has, and for
# browsers of before 2020.
CDN, NOT_SHIPPED = "https://unpkg.com/", "not-shipped/"
# Labels of a project's URLs that stand for its repository, in lower case and without punctuation.
REPOSITORY_LABELS = ("repository", "source", "sourcecode", "github")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Take the navigation from the index of the documentation."""
    config.nav = navigation((Path(config.docs_dir) / INDEX).read_text(encoding="utf-8"))
    return config


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, **_rest: object) -> str:
    """Return the Markdown of *page* as Python-Markdown and a site without the sources need it."""
    root = Path(config.config_file_path or "mkdocs.yml").parent
    folder = Path(config.docs_dir).relative_to(root).as_posix()
    address = repository((root / "pyproject.toml").read_text(encoding="utf-8"))
    return with_plain_fences(
        with_plain_bars(without_outer_links(markdown, f"{folder}/{page.file.src_uri}", address))
    )


def on_post_build(config: MkDocsConfig) -> None:
    """Leave no address in the theme's scripts that a browser might load."""
    for script in Path(config.site_dir, "assets", "javascripts").rglob("*.js"):
        text = script.read_text(encoding="utf-8")
        script.write_text(text.replace(CDN, NOT_SHIPPED), encoding="utf-8")


def navigation(index: str) -> list[Any]:
    """Return mkdocs' navigation: the index, then its sections with the pages they link to.

    >>> navigation("# Docs\\n## Guides\\n* [B](b.md), [A](a.md#x), [B](b.md)\\n## Rest\\n[Up](../c.md)\\n")
    ['README.md', {'Guides': ['b.md', 'a.md']}]
    """
    _, *parts = HEADING.split(index)
    sections: list[Any] = [INDEX]
    for title, text in zip(parts[::2], parts[1::2], strict=True):
        targets = [link["target"] or "" for link in LINK.finditer(text)]
        pages = [target.partition("#")[0] for target in targets]
        inner = [page for page in pages if page.endswith(".md") and not page.startswith("../")]
        if inner:
            sections.append({title: list(dict.fromkeys(inner))})
    return sections


def repository(pyproject: str) -> str:
    """Return the address of the repository that the text of a pyproject.toml names, or "".

    >>> repository('[project.urls]\\nSource-Code = "https://example.org/a/"')
    'https://example.org/a'
    """
    urls: Mapping[str, str] = tomllib.loads(pyproject).get("project", {}).get("urls", {})
    found = {re.sub(r"[^a-z]", "", label.lower()): address for label, address in urls.items()}
    addresses = [found[label] for label in REPOSITORY_LABELS if label in found]
    return addresses[0].rstrip("/") if addresses else ""


def without_outer_links(text: str, source: str, address: str) -> str:
    """Lead the links out of the documentation to the repository at *address*.

    Without an address they become their text, with the file's path as code. *source* is the page's
    path in the repository; its first folder is the documentation's.

    >>> without_outer_links("[Licence](../LICENSE), [b](b.md)", "docs/a.md", "")
    'Licence (`LICENSE`), [b](b.md)'
    >>> without_outer_links("[Licence](../LICENSE)", "docs/a.md", "https://example.org/x")
    '[Licence](https://example.org/x/blob/HEAD/LICENSE)'
    """
    docs = source.partition("/")[0]

    def changed(link: re.Match[str]) -> str:
        target = link["target"]
        if link["code"] or SCHEME.match(target) or target.startswith(("#", "/")):
            return link[0]
        path, _, heading = target.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        if path.startswith((f"{docs}/", "../")):
            return link[0]
        if address:
            behind = f"#{heading}" if heading else ""
            return f"{link['mark']}[{link['text']}]({address}/blob/HEAD/{path}{behind})"
        return f"`{path}`" if link["text"].strip("`") == path else f"{link['text']} (`{path}`)"

    return LINK.sub(changed, text)


def with_plain_fences(text: str) -> str:
    """Return *text* with blocks of code that have at most a language behind the fence.

    Those within list items are indented by what Python-Markdown asks for.

    >>> print(with_plain_fences("1. Type\\n\\n   ```console run\\n   $ ls\\n   ```"))
    1. Type
    <BLANKLINE>
        ```console
        $ ls
        ```
    """

    def changed(block: re.Match[str]) -> str:
        more = " " * (LIST_INDENT - len(block["indent"])) if block["indent"] else ""
        lines = [f"{block['indent']}```{block['language']}", *block["text"].splitlines()]
        lines.append(f"{block['indent']}```")
        return "\n".join(f"{more}{line}" if line else line for line in lines)

    return FENCED.sub(changed, text)


def with_plain_bars(text: str) -> str:
    r"""Return *text* with plain bars in the code of table rows, where GitHub wants a backslash.

    >>> with_plain_bars(r"| cards | `As\|Kd` |")
    '| cards | `As|Kd` |'
    """
    return TABLE_ROW.sub(
        lambda row: INLINE_CODE.sub(lambda code: code[0].replace(r"\|", "|"), row[0]), text
    )
