"""The nearest known name to a misspelt one, for hints of errors."""

from __future__ import annotations

from collections.abc import Iterable

LIKENESS = 0.6
"""The least ``difflib`` ratio that counts as a misspelling."""
MAX_NAMES = 3


def nearest_names(word: str, names: Iterable[str]) -> list[str]:
    """Return the few *names* that *word* may stand for: those it is part of, or the most alike.

    >>> nearest_names("tigth", ["call", "tight"]), nearest_names("kuhn", ["kuhn.2p", "kuhn.3p"])
    (['tight'], ['kuhn.2p', 'kuhn.3p'])
    """
    from difflib import get_close_matches  # only errors need it

    lower = {name.lower(): name for name in names}
    wanted = word.lower()
    found = [name for name in lower if wanted and wanted in name][:MAX_NAMES]
    if not found:
        found = get_close_matches(wanted, lower, n=1, cutoff=LIKENESS)
    return [lower[name] for name in found]


def nearest_hint(word: str, names: Iterable[str]) -> str:
    """Return the beginning of a hint that asks for the nearest of *names*; empty if none is near.

    >>> nearest_hint("arenna", ["arena", "match"])
    'did you mean arena? '
    """
    found = nearest_names(word, names)
    return f"did you mean {' or '.join(found)}? " if found else ""
