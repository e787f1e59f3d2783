"""Write docs/reference/api/ from the package's own text: ``python docs/make_api_reference.py``.

Signatures are copied from the source as they stand there, found by ``ast``: nothing is
imported, and every version of Python makes the same pages. tests/test_docs.py holds the
files to what ``reference`` returns.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

from tooling.markdown import wrapped

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "reference" / "api"
PAGES = tomllib.loads((ROOT / "docs" / "public_modules.toml").read_text(encoding="utf-8"))
MADE = "Made from the package's text by `docs/make_api_reference.py`; do not edit."
INTRODUCTION = f"""\
# The library

{MADE} What is not listed here may change without notice.
Everything is imported from its own module;
[the names of the package itself](bots.md#acpcbot) also from `acpcbot`, and those that a package
lists from that package.
"""
SHOWN_METHODS = ("__getitem__",)
SHOWN_DECORATORS = ("property", "cached_property", "classmethod", "staticmethod")
ENTRY = re.compile(r"(?:\* )?(``[^`]+``)  +(\S.*)")
Definition = ast.FunctionDef | ast.AsyncFunctionDef


def reference() -> dict[str, str]:
    """The text of every page by its file's name."""
    pages = {"README.md": _index()} | {page: _page(**content) for page, content in PAGES.items()}
    return {
        page: wrapped(re.sub(r"\n{3,}", "\n\n", "\n".join(parts))) for page, parts in pages.items()
    }


def _index() -> Iterator[str]:
    yield INTRODUCTION
    for page, content in PAGES.items():
        yield f"## [{content['title']}]({page})\n\n| module | what it is |\n|---|---|"
        for name in content["modules"]:
            yield f"| {_link(name, page)} | {_purpose(name)} |"
        yield ""


def _purpose(name: str) -> str:
    """Return the first paragraph of a module's docstring as the cell of a table."""
    paragraph = _prose(ast.parse(_source(name))).partition("\n\n")[0]
    return " ".join(paragraph.split()).replace("|", "\\|")


def _page(title: str, modules: list[str]) -> Iterator[str]:
    yield f"# {title}\n\n{MADE}\n"
    for name in modules:
        yield from _module(name)


def _link(title: str, page: str) -> str:
    return f"[`{title}`]({page}#{re.sub(r'[^a-z0-9_]', '', title.lower())})"


def _source(name: str) -> str:
    path = ROOT / name.replace(".", "/")
    return (path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text(
        encoding="utf-8"
    )


def _prose(node: ast.Module | ast.ClassDef | Definition) -> str:
    """Return a docstring as Markdown.

    Entries (a name, two spaces, its meaning, perhaps on several lines) become a list. Angle
    brackets outside of code are no HTML.
    """
    return "\n".join(_listed(ast.get_docstring(node) or ""))


def _listed(text: str) -> Iterator[str]:
    is_entry = False
    for line in text.splitlines():
        entry = ENTRY.match(line)
        is_entry = bool(entry) or (is_entry and line.startswith(" "))
        if entry:
            yield _escaped(f"* {entry[1]}: {entry[2]}")
        else:
            is_example = line.startswith("    ") and not is_entry
            yield line if is_example else _escaped(f"  {line.strip()}" if is_entry else line)


def _escaped(line: str) -> str:
    parts = re.split(r"(`+[^`]*`+)", line)
    return "".join(part if part.startswith("`") else part.replace("<", "&lt;") for part in parts)


def _module(name: str) -> Iterator[str]:
    """Purpose, constants, classes and functions, in the order of the source."""
    source, tree = _source(name), ast.parse(_source(name))
    yield f"## {name}\n\n{_prose(tree)}\n"
    exported = [
        f"* {f'`{word}`' if page is None else _link(word, page)}: {purpose}"
        for word, page, purpose in _exported_names(name, tree)
    ]
    if exported:
        yield from exported
        yield ""
    constants = [
        line
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for line in _assigned(node, source)
    ]
    if constants:
        yield _code(*constants)
    for node, overloads in _with_overloads(tree.body):
        if isinstance(node, ast.ClassDef) and _is_public(node.name):
            yield from _class(node, source)
        elif (
            isinstance(node, Definition)
            and _is_public(node.name)
            and "kernel" not in map(_name, node.decorator_list)
        ):
            yield f"### {node.name}\n"
            yield from _function(node, overloads, source)


def _exported_names(name: str, tree: ast.Module) -> Iterator[tuple[str, str | None, str]]:
    """Yield the names that a package exports, with the page of each, None where it has none, and
    the first line of its docstring.

    A package lets type checkers import what it exports (``acpcbot/exports.py``): the imports
    below ``if TYPE_CHECKING`` of its ``__init__`` are the list.
    """
    if not (ROOT / name.replace(".", "/")).is_dir():
        return
    homes = {
        alias.name: node.module
        for block in tree.body
        if isinstance(block, ast.If) and _name(block.test) == "TYPE_CHECKING"
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    pages = {module: page for page, content in PAGES.items() for module in content["modules"]}
    for word in sorted(homes):
        home = homes[word] or ""
        (found,) = [
            node
            for node in ast.parse(_source(home)).body
            if isinstance(node, ast.ClassDef | Definition) and node.name == word
        ]
        yield word, pages.get(home), _prose(found).partition("\n")[0]


def _assigned(node: ast.stmt, source: str) -> list[str]:
    """Return the lines that set public names, except the hints of errors."""
    target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
    names = target.elts if isinstance(target, ast.Tuple) else [target]
    is_shown = all(
        isinstance(name, ast.Name) and _is_public(name.id) and not name.id.endswith("HINT")
        for name in names
    )
    return source.splitlines()[node.lineno - 1 : node.end_lineno] if is_shown else []


def _class(node: ast.ClassDef, source: str) -> Iterator[str]:
    fields = [
        line
        for part in node.body
        if isinstance(part, ast.AnnAssign)
        for line in _assigned(part, source)
    ]
    shown = _code(_signature(node, source, node.decorator_list), *fields)
    yield f"### {node.name}\n\n{shown}\n{_prose(node)}\n"
    for part, overloads in _with_overloads(node.body):
        if isinstance(part, Definition) and (
            _is_public(part.name)
            or part.name in SHOWN_METHODS
            or (part.name == "__init__" and part.args.args[1:])
        ):
            yield from _function(part, overloads, source)


def _with_overloads(body: list[ast.stmt]) -> Iterator[tuple[ast.stmt, list[Definition]]]:
    """Yield the statements of *body* but for overloads, which come with what they stand for."""
    overloads: list[Definition] = []
    for node in body:
        if isinstance(node, Definition) and "overload" in map(_name, node.decorator_list):
            overloads.append(node)
        else:
            yield node, overloads
            overloads = []


def _function(node: Definition, overloads: list[Definition], source: str) -> Iterator[str]:
    """Yield the signature, or those of the *overloads* if there are any, and the docstring."""
    signatures = [
        _signature(
            one,
            source,
            [decorator for decorator in one.decorator_list if _name(decorator) in SHOWN_DECORATORS],
        )
        for one in overloads or [node]
    ]
    yield f"{_code(*signatures)}\n{_prose(node)}\n"


def _signature(node: ast.ClassDef | Definition, source: str, decorators: list[ast.expr]) -> str:
    """From the *decorators* to the colon, as in the source."""
    above = [f"@{ast.get_source_segment(source, decorator)}" for decorator in decorators]
    first = node.body[0]
    lines = source.splitlines()[node.lineno - 1 : first.lineno]
    # The body may begin on the signature's last line; columns of trees count bytes.
    lines[-1] = lines[-1].encode()[: first.col_offset].decode()
    text = dedent("\n".join(lines)).rstrip().removesuffix(":")
    return "\n".join([*above, text])


def _name(node: ast.expr) -> str:
    return ast.unparse(node.func if isinstance(node, ast.Call) else node)


def _is_public(name: str) -> bool:
    return not name.startswith("_")


def _code(*lines: str) -> str:
    return "\n".join(["```py", *lines, "```\n"])


def files() -> dict[Path, str]:
    """Return the text of every page by its path."""
    return {FOLDER / page: text for page, text in reference().items()}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")
