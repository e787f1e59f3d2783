"""Records decoded from tables of TOML and JSON by msgspec, with errors that name key and value.

A record is a frozen dataclass; its annotations say what each key holds, with bounds if they carry
``msgspec.Meta``. Unknown keys are refused. A whole number stands for a fraction; nothing else is
converted. msgspec is loaded with the first table: it takes some 15 ms and 2 MB, which commands that
read no table do not pay. It names the place of the first fault, and the annotations say what was
expected there.
"""

from __future__ import annotations

import json
import re
from dataclasses import MISSING, fields, is_dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from acpcbot.errors import UsageError
from acpcbot.spelling import nearest_hint

T = TypeVar("T")

MAX_SHOWN = 200
"""The most characters of a refused value in a message."""

# msgspec says, for example: Expected `int`, got `str` - at `$.curve.opponents[1]`
_MESSAGE = re.compile(r"(?P<reason>.*?)(?: - at `\$(?P<place>.*)`)?", re.DOTALL)
_STEP = re.compile(r"\.(?P<name>\w+)|\[(?P<number>\d+)\]|\[\.\.\.\]")
_BOUNDS = {
    "ge": "at least",
    "gt": "above",
    "le": "at most",
    "lt": "below",
    "min_length": "of length at least",
    "max_length": "of length at most",
}
_WORDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    dict: "a table",
}


class BadValue(ValueError):
    """A value that does not fit its record; *key* is its path, empty for the whole table."""

    def __init__(self, key: str, reason: str, hint: str = "") -> None:
        super().__init__(key, reason)
        self.key, self.reason, self.hint = key, reason, hint

    def __str__(self) -> str:
        return f"{self.key}: {self.reason}" if self.key else self.reason


def decode(kind: type[T], table: object, key: str = "") -> T:
    """Return *table*, which stands under *key*, as a record of *kind*; raises BadValue.

    A ValueError of a record's own ``__post_init__`` becomes the reason.
    """
    from msgspec import ValidationError, convert

    try:
        record = convert(table, kind)
    except ValidationError as error:
        raise _fault(kind, table, key, str(error)) from None
    _refuse_unknown(record, table, key)
    return record


def decode_settings(kind: type[T], table: object, source: str, hint: str, key: str = "") -> T:
    """Return *table*, which stands under *key* in *source*, as a record of *kind*.

    Raises UsageError that names the source, the key, what was expected and what was found.
    """
    try:
        return decode(kind, table, key)
    except BadValue as fault:
        where = f"{source}, {fault.key}" if fault.key else source
        raise UsageError(f"{where}: {fault.reason}", f"{fault.hint}{hint}") from None


def _refuse_unknown(record: object, table: Any, key: str) -> None:
    """Raise BadValue where *table*, or one in it, has keys that its dataclass does not have."""
    if not is_dataclass(record):
        return
    known = {item.name for item in fields(record)}
    if table.keys() - known:
        raise _wrong_keys(type(record), table, key)
    for name in known & table.keys():
        _refuse_unknown(getattr(record, name), table[name], _joined(key, name))


def _fault(kind: Any, table: object, key: str, message: str) -> BadValue:
    """Return the fault of *table* that *message* of msgspec tells."""
    found = _MESSAGE.fullmatch(message)
    assert found is not None
    for step in _STEP.finditer(found["place"] or ""):
        kind, table, key = _entered(kind, table, key, step)
    if found["reason"].startswith("Object missing"):
        return _wrong_keys(_inside(kind), table, key)
    if found["reason"].startswith(("Expected `", "Invalid ")):
        return BadValue(key, f"expected {_described(kind)}, found {_shown(table)}")
    return BadValue(key, found["reason"])


def _entered(kind: Any, table: Any, key: str, step: re.Match[str]) -> tuple[Any, Any, str]:
    """Return annotation, value and path one *step* further inside."""
    kind = _inside(kind)
    if step["name"]:
        hints = get_type_hints(kind, include_extras=True)
        return hints[step["name"]], table[step["name"]], _joined(key, step["name"])
    inner = get_args(kind)
    if step["number"]:
        return inner[0], table[int(step["number"])], f"{key}, entry {int(step['number']) + 1}"
    # msgspec does not say which of a table's free keys it is.
    name = next(name for name, value in table.items() if not _fits(inner[1], value))
    return inner[1], table[name], _joined(key, _quoted(name))


def _inside(kind: Any) -> Any:
    """Return the part of the annotation *kind* that holds others: a record, a list, a table."""
    if get_origin(kind) is Annotated:
        return _inside(get_args(kind)[0])
    parts = get_args(kind) if get_origin(kind) in (Union, UnionType) else ()
    return next((_inside(part) for part in parts if get_args(part) or is_dataclass(part)), kind)


def _fits(kind: Any, value: object) -> bool:
    from msgspec import ValidationError, convert

    try:
        convert(value, kind)
    except ValidationError:
        return False
    return True


def _wrong_keys(kind: Any, table: Any, key: str) -> BadValue:
    """Return the fault of all keys that *table* lacks, and of all that *kind* does not have."""
    hints = get_type_hints(kind, include_extras=True)
    required = [
        item.name
        for item in fields(kind)
        if item.default is MISSING and item.default_factory is MISSING
    ]
    unknown = [name for name in table if name not in hints]
    words = {name: _described(hints[name]).partition(" (")[0] for name in required}
    faults = [f"no {name} ({words[name]})" for name in required if name not in table]
    faults += [f"unknown key {_quoted(name)}" for name in unknown]
    hint = f"known keys: {', '.join(hints)}; " if unknown else ""
    spelling = nearest_hint(unknown[0], hints) if unknown else ""
    return BadValue(key, "; ".join(faults), f"{spelling}{hint}")


def _described(kind: Any) -> str:
    """Return what a value of the annotation *kind* is, in words.

    >>> _described(list[int]), _described(str | None), _described(Literal["a", "b"])
    ('a list of whole numbers', 'a text', '"a" or "b"')
    """
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        limits = [(words, getattr(inner[1], name)) for name, words in _BOUNDS.items()]
        said = ", ".join([f"{words} {limit}" for words, limit in limits if limit is not None])
        return f"{_described(inner[0])} ({said})"
    if origin is Literal:
        return " or ".join([_shown(value) for value in inner])
    if origin in (Union, UnionType):
        return " or ".join([_described(part) for part in inner if part is not NoneType])
    if origin in (list, tuple):
        noun, mark, bounds = _described(inner[0]).partition(" (")
        is_plain = get_origin(inner[0]) not in (Union, UnionType)
        return f"a list of {noun.removeprefix('a ')}s{mark}{bounds}" if is_plain else "a list"
    return _WORDS.get(origin or kind, "a table")


def _joined(key: str, name: str) -> str:
    return f"{key}.{name}" if key else name


def _quoted(name: str) -> str:
    return name if name.isidentifier() else json.dumps(name)


def _shown(value: object) -> str:
    return json.dumps(value, default=str)[:MAX_SHOWN]
