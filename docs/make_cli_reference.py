"""Write docs/reference/cli.md from the program itself: ``python docs/make_cli_reference.py``.

It writes the table behind ``acpcbot completion`` as well.

The tables are made of argparse's actions rather than of its help text, whose layout
changes between versions of Python. The dealer, which reads its own command line, shows
its own text. tests/test_docs.py holds the file to what ``reference`` returns.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from acpcbot.cli.commands.completion import TABLE
from acpcbot.cli.dealer_command import FLAGS, LONG_OPTIONS, OWN_USAGE, USAGE
from acpcbot.cli.dispatch import VERBS, default_text, module_name
from acpcbot.cli.examples import EXAMPLES
from acpcbot.cli.game_arguments import GAME_HELP
from acpcbot.poker.shipped import SHIPPED_NAMES
from tooling.markdown import WIDTH, wrapped

TARGET = Path(__file__).parent / "reference" / "cli.md"
GAME_LINK = "a game definition file or a [shipped game](game_definitions.md)"
INTRODUCTION = """\
# The command line

Made from the program by `docs/make_cli_reference.py`; do not edit. Every command answers to
`--help`, and `acpcbot --version` prints the version. Defaults stand in square brackets.

Results go to stdout and everything else to stderr. The exit status is 0 where the work was done,
1 where it was refused or failed, with one line that says why and a hint, and 130 after Ctrl-C.
"""


def reference() -> str:
    """The whole page."""
    sections = [
        _dealer() if verb == "deal" else "\n".join(_lines(_parser(verb), level=2)) for verb in VERBS
    ]
    return wrapped("\n".join([INTRODUCTION, *sections]))


def _dealer() -> str:
    text = (USAGE + OWN_USAGE).replace("usage: dealer ", "usage: acpcbot deal ")
    examples = _examples("acpcbot deal")
    return f"## acpcbot deal\n\n{_sentence(VERBS['deal'])}\n\n```\n{text}```\n\n{examples}"


def _parser(verb: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"acpcbot {verb}", description=_sentence(VERBS[verb]), add_help=False
    )
    import_module(module_name(verb)).add_arguments(parser)
    return parser


def _sentence(purpose: str) -> str:
    return f"{purpose[0].upper()}{purpose[1:]}."


def _lines(parser: argparse.ArgumentParser, *, level: int) -> Iterator[str]:
    """A parser's section: heading, purpose, and its usage or the sections of its own verbs."""
    yield f"{'#' * level} {parser.prog}\n\n{parser.description}\n"
    verbs = {
        verb: purpose for action in parser._actions for verb, purpose in _verbs(action).items()
    }
    if not verbs:
        yield from _usage(parser)
        yield _examples(parser.prog)
    for verb, purpose in verbs.items():
        verb.description = _sentence(purpose)
        yield from _lines(verb, level=level + 1)


def _verbs(action: argparse.Action) -> dict[argparse.ArgumentParser, str]:
    """The parsers below *action*, each with its purpose."""
    if not isinstance(action, argparse._SubParsersAction):
        return {}
    return {action.choices[choice.dest]: choice.help or "" for choice in action._choices_actions}


def _usage(parser: argparse.ArgumentParser) -> Iterator[str]:
    """A line to type and a table with a row for each argument."""
    arguments = [action for action in parser._actions if action.dest != "help"]
    words = [_spelling(action) for action in arguments if not action.option_strings]
    words += [
        f"{action.option_strings[0]} {_value(action)}" for action in arguments if _is_needed(action)
    ]
    words += ["[OPTIONS]"] if any(map(_is_option, arguments)) else []
    line = " ".join([parser.prog, *words])
    for action in arguments:
        if len(line) > WIDTH and action.choices:
            # Many choices stand in the table alone.
            line = line.replace(_value(action), action.dest.upper())
    yield f"```\n{line}\n```\n"
    if arguments:
        yield "| argument | meaning |\n|---|---|"
        yield from (f"| `{_spelling(action)}` | {_meaning(action)} |" for action in arguments)
        yield ""


def _examples(command: str) -> str:
    """Lines to type, each below what it does."""
    lines = [f"# {example.effect}\n{example.command}\n" for example in EXAMPLES[command]]
    return f"Examples:\n\n```sh\n{''.join(lines)}```\n"


def _is_needed(action: argparse.Action) -> bool:
    return bool(action.option_strings) and action.required


def _is_option(action: argparse.Action) -> bool:
    return bool(action.option_strings) and not action.required


def _spelling(action: argparse.Action) -> str:
    """An argument as it is typed: ``[STRATEGY ...]``, ``-o, --output LOG``."""
    value = _value(action)
    if not action.option_strings:
        return {"*": f"[{value} ...]", "+": f"{value} ...", "?": f"[{value}]"}.get(
            str(action.nargs), value
        )
    return f"{', '.join(action.option_strings)} {value}".rstrip()


def _value(action: argparse.Action) -> str:
    if action.choices:
        return f"{{{','.join(map(str, action.choices))}}}"
    return "" if action.nargs == 0 else str(action.metavar or action.dest.upper())


def _help(action: argparse.Action) -> str:
    """The help with its default, as a terminal shows it; the games are proposed one by one."""
    text = (action.help or "") + default_text(action)
    return text.replace(GAME_HELP, "a game definition file or a shipped game").replace("%%", "%")


def _meaning(action: argparse.Action) -> str:
    text = (
        ((action.help or "") + default_text(action))
        .replace("|", "\\|")
        .replace("<", "&lt;")
        .replace("%%", "%")
    )
    return text.replace(GAME_HELP, GAME_LINK)


def completion_table() -> str:
    """Return the text of ``acpcbot/cli/commands/completion.json``: a line for each command."""
    rows: list[str] = []
    for verb, purpose in VERBS.items():
        if verb == "deal":
            rows.append(json.dumps([verb, purpose, list(SHIPPED_NAMES), _dealer_options()]))
        else:
            rows += [json.dumps(row) for row in _completions(_parser(verb), verb, purpose)]
    return "[\n" + ",\n".join(rows) + "\n]\n"


def _completions(
    parser: argparse.ArgumentParser, words: str, purpose: str
) -> Iterator[tuple[object, ...]]:
    """Yield words, purpose, values and options of a command, or of each verb below it."""
    verbs = {
        verb: purpose for action in parser._actions for verb, purpose in _verbs(action).items()
    }
    for verb, verb_purpose in verbs.items():
        yield from _completions(verb, f"{words} {verb.prog.rpartition(' ')[2]}", verb_purpose)
    if verbs:
        return
    actions = [action for action in parser._actions if action.dest != "help"]
    free = [action for action in actions if not action.option_strings]
    values = [value for action in free for value in _values(action)]
    options = [
        (action.option_strings, action.nargs != 0, _values(action), _help(action))
        for action in actions
        if action.option_strings
    ]
    yield words, purpose, values, options


def _values(action: argparse.Action) -> list[str]:
    """The words that may follow; a shell cannot propose one that holds a space."""
    if action.dest == "game":
        return list(SHIPPED_NAMES)
    values = list(map(str, action.choices or ()))
    return [] if any(" " in value for value in values) else values


def _dealer_options() -> list[tuple[object, ...]]:
    """The dealer's own options; those of one letter that take no value are flags."""
    flags: list[tuple[object, ...]] = [
        ([f"-{letter}" if len(letter) == 1 else f"--{letter}"], False, [], "") for letter in FLAGS
    ]
    taking: list[tuple[object, ...]] = [
        ([f"--{name}"], True, [], "") for name in LONG_OPTIONS if name not in FLAGS
    ]
    return [*flags, (["-p"], True, [], ""), *taking]


def files() -> dict[Path, str]:
    """Return the page and the table of completions by their paths."""
    return {TABLE: completion_table(), TARGET: reference()}


if __name__ == "__main__":
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")
