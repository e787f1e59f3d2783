"""Wrap Markdown at 100 columns: ``python -m tooling.markdown FILE...``.

Paragraphs and list items that have a longer line are filled again; the rest stays as it is. Tables,
headings, quotations, HTML and blocks of code are never touched. Code in backticks and links stay on
one line.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

WIDTH = 100
LIST_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+")
# Lines that are no text to fill: tables, headings, quotations, HTML, code by indentation.
LITERAL = re.compile(r"\s*[|#>]|<[/a-z!]| {4,}(?![-*+] |\d+[.)] )")
# A word that must not be parted: code, a link, or what stands between spaces.
WORD = re.compile(r"(?:`+[^`]*`+|!?\[[^\]\[]*\]\([^)]*\)|\S)+")
# Words that would begin a list, a heading or a table if they began a line.
MARKUP = re.compile(r"[-+*#>|]+$|\d+[.)]$|[>|#]")


def wrapped(text: str, width: int = WIDTH) -> str:
    """Return *text* with its paragraphs and list items filled to *width* columns where longer."""
    return "".join(f"{line}\n" for line in _lines(text.splitlines(), width))


def long_lines(text: str, width: int = WIDTH) -> list[str]:
    """Return the lines of *text* beyond *width* columns outside tables and blocks of code."""
    return [
        line
        for line, is_code in _with_fences(text.splitlines())
        if _is_long(line, width) and not is_code
    ]


def _is_long(line: str, width: int) -> bool:
    return len(line) > width and not line.lstrip().startswith("|")


def _with_fences(lines: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Yield each line, and True where it belongs to a fenced block of code."""
    is_code = False
    for line in lines:
        is_fence = line.lstrip().startswith("```")
        yield line, is_code or is_fence
        is_code ^= is_fence


def _lines(lines: list[str], width: int) -> Iterator[str]:
    """Yield the lines of a document, one paragraph or list item after the other."""
    paragraph: list[str] = []
    for line, is_code in _with_fences(lines):
        ends = (
            is_code or not line.strip() or (LITERAL.match(line) and not _continues(paragraph, line))
        )
        if ends or LIST_ITEM.match(line):
            yield from _filled(paragraph, width)
            paragraph = []
        if ends:
            yield line
        else:
            paragraph.append(line)
    yield from _filled(paragraph, width)


def _continues(paragraph: list[str], line: str) -> bool:
    """Return True if *line*, which is indented, goes on with the list item of *paragraph*."""
    return bool(paragraph) and line.startswith("    ") and line.lstrip()[0] not in "|#>"


def _filled(paragraph: list[str], width: int) -> Iterator[str]:
    """Yield the lines of a *paragraph*, filled again if one of them is longer than *width*."""
    if all(len(line) <= width for line in paragraph):
        yield from paragraph
        return
    item = LIST_ITEM.match(paragraph[0])
    lead = item[0] if item else re.match(r"\s*", paragraph[0])[0]  # type: ignore[index]
    text = " ".join(line.strip() for line in paragraph)[len(lead.strip()) :]
    line, indent = lead, " " * len(lead)
    is_first = True
    for word in _words(text):
        if is_first:
            line, is_first = line + word, False
        elif len(line) + 1 + len(word) <= width:
            line = f"{line} {word}"
        else:
            yield line
            line = indent + word
    yield line


def _words(text: str) -> Iterator[str]:
    """Yield what may stand at the beginning of a line, with the markup that may not behind it."""
    held = ""
    for word in WORD.findall(text):
        if held and MARKUP.match(word):
            held = f"{held} {word}"
        else:
            if held:
                yield held
            held = word
    if held:
        yield held


def main(names: list[str]) -> int:
    """Wrap the files called *names*; name on stderr those with lines that cannot be wrapped."""
    found = 0
    for path in map(Path, names):
        text = path.read_text(encoding="utf-8")
        new = wrapped(text)
        if new != text:
            path.write_text(new, encoding="utf-8")
        for line in long_lines(new):
            sys.stderr.write(f"{path}: {len(line)} columns: {line}\n")
            found += 1
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
