"""The documentation against the program: what it shows is what happens.

In every document links lead somewhere, commands parse and Python compiles. Blocks
with a second word behind the language are tried, a document's in one folder and in order:

* ``python run``: the program prints what the ``output`` block behind it shows;
* ``python bot``: the program plays Leduc hold'em as ``PROGRAM HOST PORT``;
* ``console run``: each command, behind ``$``, prints what follows it on stdout.
"""

from __future__ import annotations

import os
import re
import runpy
import shlex
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

import acpcbot
from acpcbot.abstraction.holdem_abstraction import HoldemAbstraction
from acpcbot.cli import dispatch
from acpcbot.cli.dealer_command import parse_dealer_arguments
from acpcbot.net.serve import load_bots
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.shipped import shipped_definition
from acpcbot.training.chance_self_play import squared_error
from acpcbot.training.chance_self_play_run import load_chance_recipe
from acpcbot.training.recipe import parse_recipe
from acpcbot.training.self_play_recipe import load_self_play_recipe
from acpcbot.training.session import learner_settings
from acpcbot.trees.bet_menu import menu_from_settings
from acpcbot.trees.betting_tree import betting_size
from tests.support.fresh_programs import run_python
from tooling.markdown import long_lines, wrapped

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
CHANGELOG = ROOT / "CHANGELOG.md"
REFERENCE = DOCS / "reference" / "cli.md"
API = DOCS / "reference" / "api"
PAGES = sorted([*DOCS.rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"])
# Folders with Markdown of their own, beside the pages.
OTHERS = ("acpcbot", "dealer_tests", "docker", "examples", "strategies", "tests")
MARKDOWN = sorted(
    [
        *PAGES,
        CHANGELOG,
        *(page for name in OTHERS for page in (ROOT / name).rglob("*.md")),
    ]
)
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)")
# A command may go on behind a backslash.
CONTINUED = re.compile(r"\\\n\s*")
COMMAND = re.compile(r"^(?:\$ )?((?:acpcbot|\./dev) .*)$", re.MULTILINE)
IMPORT = re.compile(r"^from (acpcbot[\w.]*) import \(?(\w+)", re.MULTILINE)
INLINE_COMMAND = re.compile(r"`(acpcbot|\./dev) ([a-z][a-z-]*)[^`]*`")


@dataclass(frozen=True)
class Block:
    """One fenced block: *kind* is what stands behind the fence, *follower* the text of an
    output block behind it.
    """

    page: Path
    kind: str
    text: str
    follower: str | None


def blocks(page: Path) -> list[Block]:
    found = FENCE.findall(page.read_text(encoding="utf-8"))
    behind = [*found, ("", "")][1:]
    return [
        Block(page, kind, text, next_text if next_kind == "output" else None)
        for (kind, text), (next_kind, next_text) in zip(found, behind, strict=True)
    ]


def blocks_of_kind(kind: str) -> list[Block]:
    return [block for page in PAGES for block in blocks(page) if block.kind == kind]


def pages_with_trials() -> list[Path]:
    return [page for page in PAGES if any(block.kind.endswith(" run") for block in blocks(page))]


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


each_page = pytest.mark.parametrize("page", PAGES, ids=name_of)


# What the pages say


def test_the_command_line_reference_is_up_to_date() -> None:
    """Catches an option that was changed without `python docs/make_cli_reference.py`."""
    maker = runpy.run_path(str(DOCS / "make_cli_reference.py"))
    assert REFERENCE.read_text(encoding="utf-8") == maker["reference"]()


def test_the_library_reference_is_up_to_date() -> None:
    """Catches a signature or a docstring that was changed without `python
    docs/make_api_reference.py`.
    """
    pages = runpy.run_path(str(DOCS / "make_api_reference.py"))["reference"]()
    assert {page.name: page.read_text(encoding="utf-8") for page in API.glob("*.md")} == pages


def test_the_strategies_cards_are_up_to_date() -> None:
    """Catches a strategy whose figures were changed without `python
    docs/make_strategy_cards.py`, and one without a card.
    """
    found = runpy.run_path(str(DOCS / "make_strategy_cards.py"))["files"]()
    paths = (ROOT / "strategies").rglob("README.md")
    assert {path: path.read_text(encoding="utf-8") for path in paths} == found
    for path in found:
        for block in blocks(path):
            for command in COMMAND.findall(CONTINUED.sub("", block.text)):
                verify_command(command)
        for target, heading in links(path):
            assert target.exists(), target
            assert not heading or heading in headings(target), f"{target}#{heading}"


def test_imports_in_guides_are_in_the_library_reference() -> None:
    """Catches an example that leans on what may change without notice, or a module that nobody
    listed.
    """
    known = set(re.findall(r"^## (acpcbot[\w.]*)$", all_text(API), re.MULTILINE))
    texts = [
        block.text for page in PAGES for block in blocks(page) if block.kind.startswith("python")
    ]
    texts += [path.read_text(encoding="utf-8") for path in (ROOT / "examples").glob("*.py")]
    for module, name in [found for text in texts for found in IMPORT.findall(text)]:
        assert {module, f"{module}.{name}"} & known, f"{module}.{name}"


def test_the_library_reference_shows_every_public_name_with_what_it_is_for() -> None:
    """Catches a page without the names of the package, and a generator that loses docstrings."""
    text = all_text(API)
    for name in acpcbot.__all__:
        assert f"\n### {name}\n" in text, name
        first_line = str(getattr(acpcbot, name).__doc__).strip().partition("\n")[0]
        assert first_line.replace("<", "&lt;") in text, name


def all_text(folder: Path) -> str:
    return "".join(page.read_text(encoding="utf-8") for page in sorted(folder.glob("*.md")))


@pytest.mark.parametrize("verb", dispatch.VERBS)
def test_every_verb_is_documented_by_hand_and_in_the_reference(verb: str) -> None:
    """Catches a verb that nobody wrote about."""
    mention = re.compile(rf"acpcbot {verb}\b")
    assert f"\n## acpcbot {verb}\n" in REFERENCE.read_text(encoding="utf-8")
    assert any(
        mention.search(page.read_text(encoding="utf-8")) for page in PAGES if page != REFERENCE
    )


def test_the_index_leads_to_every_page() -> None:
    """Catches a page that nobody can find."""
    linked = {target.resolve() for target, _ in links(DOCS / "README.md")}
    assert sorted(set(DOCS.rglob("*.md")) - linked) == [DOCS / "README.md"]


@each_page
def test_every_link_leads_somewhere(page: Path) -> None:
    """Catches a file or a heading that was renamed."""
    for target, heading in links(page):
        assert target.exists(), target
        assert not heading or heading in headings(target), f"{target}#{heading}"


def links(page: Path) -> list[tuple[Path, str]]:
    """File and heading of every link inside the project."""
    prose = FENCE.sub("", page.read_text(encoding="utf-8"))
    return [
        (page.parent / path if path else page, heading) for path, heading in LINK.findall(prose)
    ]


def headings(page: Path) -> set[str]:
    """The names that links to headings use."""
    titles = re.findall(r"^#+ (.*)$", FENCE.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_the_pages_that_hints_name_exist() -> None:
    """Catches a hint of the program that sends its reader to a page that has moved."""
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "acpcbot").rglob("*.py"))
    for name in re.findall(r"docs/[\w/]+\.md", source):
        assert (ROOT / name).exists(), name


@pytest.mark.parametrize("page", MARKDOWN, ids=name_of)
def test_prose_is_wrapped_at_100_columns(page: Path) -> None:
    """Catches a line that was written without an end: `python -m tooling.markdown FILE`."""
    assert long_lines(page.read_text(encoding="utf-8")) == []


def test_wrapping_keeps_code_links_tables_and_lists_whole() -> None:
    """Catches a wrapper that breaks a command, parts a link from its text or makes a list."""
    word, code = "word " * 17, "`acpcbot match A B --duplicate`"
    link = "[a title of some words](guides/matches.md)"
    text = f"# Title\n\n* {word}{code} {word}{link} - {word}\n  1. {word}\n\n```\n{word * 2}\n```\n"
    table = f"| a | b |\n|---|---|\n| {word * 2}| 1 |\n"
    new = wrapped(text + table)
    assert long_lines(text) == [text.splitlines()[2]]
    assert long_lines(new) == []
    assert new.split() == (text + table).split()
    assert wrapped(new) == new
    lines = new.splitlines()
    assert any(code in line for line in lines)
    assert any(link in line for line in lines)
    assert not any(line.lstrip().startswith("- ") for line in lines)
    assert f"\n```\n{word * 2}\n```\n" in new
    assert new.endswith(table)


@each_page
def test_no_page_shows_where_it_was_written(page: Path) -> None:
    """Catches output that was copied with the paths of the machine it came from."""
    assert str(ROOT) not in page.read_text(encoding="utf-8")


# What the pages tell the reader to type


@each_page
def test_every_command_parses(page: Path) -> None:
    """Catches an option or a verb that is no longer there."""
    if page != REFERENCE:
        for block in blocks(page):
            for command in COMMAND.findall(CONTINUED.sub("", block.text)):
                verify_command(command)


@each_page
def test_every_command_in_a_sentence_has_a_verb_of_the_program(page: Path) -> None:
    """Catches a verb that was renamed."""
    for program, verb in INLINE_COMMAND.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
        assert verb in verbs_of(program), f"{program} {verb}"


def verify_command(command: str) -> None:
    """Raise UsageError or ShowUsage unless *command* can be taken."""
    program, verb, *words = shlex.split(command, comments=True)
    assert verb in verbs_of(program), command
    if verb == "deal":
        parse_dealer_arguments(words)
    elif verb in dispatch.VERBS:
        dispatch._parser(verb).parse_args([verb, *words])


def verbs_of(program: str) -> set[str]:
    own = set(runpy.run_path(str(ROOT / "dev"))["COMMANDS"]) if program == "./dev" else set()
    return own | set(dispatch.VERBS)


def test_the_example_of_bots_toml_is_read_without_complaint(tmp_path: Path) -> None:
    """Catches a key that was renamed."""
    (example,) = blocks_of_kind("toml")
    (tmp_path / "bots.toml").write_text(example.text, encoding="utf-8")
    assert [(bot.name, bot.port, bot.rejoin) for bot in load_bots(tmp_path / "bots.toml")] == [
        ("alice", 18811, True),
        ("bob", 18812, False),
    ]


@pytest.mark.parametrize(
    "block", blocks_of_kind("toml recipe"), ids=lambda block: name_of(block.page)
)
def test_the_examples_of_recipes_can_be_trained(block: Block) -> None:
    """Catches a key or a setting that was renamed."""
    learner_settings(parse_recipe(block.text))


def test_the_examples_of_recipes_of_self_play_can_be_read(tmp_path: Path) -> None:
    """Catches a key or a setting that was renamed."""
    for block in blocks_of_kind("toml network recipe"):
        (tmp_path / "recipe.toml").write_text(block.text, encoding="utf-8")
        assert load_self_play_recipe(tmp_path / "recipe.toml").num_episodes >= 2400


def test_the_example_of_a_recipe_of_a_network_at_chance_states_can_be_read(tmp_path: Path) -> None:
    """Catches a key or a setting that was renamed, and a loss that drawn boards would bias."""
    (block,) = blocks_of_kind("toml chance network recipe")
    (tmp_path / "recipe.toml").write_text(block.text, encoding="utf-8")
    recipe = load_chance_recipe(tmp_path / "recipe.toml")
    assert recipe.num_episodes == 500
    assert recipe.chance_self_play.fitting == replace(squared_error(), decay_steps=3600)


def test_the_example_of_an_abstraction_can_be_had() -> None:
    """Catches a kind of bucket that was renamed."""
    (block,) = blocks_of_kind("toml abstraction")
    settings = tomllib.loads(block.text)["abstraction"]
    assert HoldemAbstraction.from_settings(settings).num_buckets == (169, 1000, 500, 200)


def test_the_example_of_bets_for_six_has_as_many_decisions_as_the_page_says() -> None:
    (block,) = blocks_of_kind("toml bets")
    settings, definition = (
        tomllib.loads(block.text)["bets"],
        shipped_definition("holdem.nolimit.6p"),
    )
    for players, count in ((2, 38_000), (3, 700_000)):
        menu = menu_from_settings({**settings, "max_players": players}, definition)
        size = betting_size(BettingRules(definition).start, menu)
        assert sum(size.num_nodes) == pytest.approx(count, rel=0.01)


# What the pages say that happens


@each_page
def test_every_python_block_compiles(page: Path) -> None:
    """Catches a slip in an example that is not tried."""
    for block in blocks(page):
        if block.kind.startswith("python"):
            compile(block.text, name_of(page), "exec")


# Pages that train, solve, evaluate or play many hands. Their commands are parsed all the same,
# their Python compiled.
LONG = ("evaluate", "games", "matches", "report", "solve", "strategies", "tournaments")
LONG_PAGES = {f"docs/guides/{name}.md" for name in LONG}


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(
            page, marks=pytest.mark.slow if name_of(page) in LONG_PAGES else (), id=name_of(page)
        )
        for page in pages_with_trials()
    ],
)
def test_outputs_in_guides_are_those_of_the_commands(page: Path, tmp_path: Path) -> None:
    """Catches an example that fails, and output that has changed."""
    for block in blocks(page):
        if block.kind == "python run":
            assert run(["-c", block.text], tmp_path) == (block.follower or "")
        elif block.kind == "console run":
            for command, output in commands_and_outputs(block.text):
                assert run(["-m", *shlex.split(command)], tmp_path) == output


@pytest.mark.parametrize("page", sorted((DOCS / "guides").glob("*.md")), ids=name_of)
def test_every_guide_shows_a_picture_or_an_output(page: Path) -> None:
    """Catches a guide of commands without anything that they print or draw."""
    has_output = any(
        block.kind == "output" or (block.kind.startswith("console") and printed(block.text))
        for block in blocks(page)
    )
    assert has_output or "../figures/" in page.read_text(encoding="utf-8")


def printed(text: str) -> list[str]:
    """Return the lines of a console block that are no commands."""
    lines = CONTINUED.sub(" ", text).splitlines()
    return [line for line in lines if line and not line.startswith(("$ ", "> ", "#"))]


def commands_and_outputs(text: str) -> Iterator[tuple[str, str]]:
    for part in re.split(r"^\$ ", CONTINUED.sub("", text), flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def run(command: list[str], folder: Path) -> str:
    """Return the stdout of ``python COMMAND``, which must succeed."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    result = run_python(*command, folder=folder, environment=environment)
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="starts the bot by a shell script")
@pytest.mark.parametrize("number", range(len(blocks_of_kind("python bot"))))
def test_the_bots_play_whole_matches(number: int, tmp_path: Path) -> None:
    """Catches an example that fails at a dealer, or leaves too early."""
    (tmp_path / "my_bot.py").write_text(blocks_of_kind("python bot")[number].text, encoding="utf-8")
    script = tmp_path / "my_bot.sh"
    script.write_text(
        f'#!/bin/sh\nexec {shlex.quote(sys.executable)} my_bot.py "$1" "$2"\n', encoding="utf-8"
    )
    script.chmod(0o755)
    words = [str(script), "random", "--game", "leduc.limit.2p", "--hands", "50", "-o", "match"]
    assert "50 hands" in run(["-m", "acpcbot", "match", *words], tmp_path)
    assert (tmp_path / "match" / "table000.player0.err").read_text(encoding="utf-8") == ""


# What has changed


def test_the_changelog_says_where_modules_are_now() -> None:
    """Catches a module of the table of moved ones that was moved again, or never moved."""
    text = CHANGELOG.read_text(encoding="utf-8").partition("### Moved modules\n")[2]
    rows = re.findall(r"^\| (`acpcbot.*`) \| `(acpcbot[\w.]*)` \|$", text, re.MULTILINE)
    assert len(rows) > 30
    for before, now in rows:
        assert module_file(now).exists(), now
        assert all(not is_module(name.strip("`")) for name in before.split(", ")), before


def module_file(name: str) -> Path:
    """Return the file of the module called *name*, if there is one."""
    path = ROOT / name.replace(".", "/")
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def is_module(name: str) -> bool:
    """Return True for a module that is no package: a package may take a module's old name."""
    return (ROOT / name.replace(".", "/")).with_suffix(".py").exists()


def test_the_newest_version_of_the_changelog_is_that_of_both_distributions() -> None:
    """Catches a release that was cut in one place only."""
    newest = re.search(
        r"^## (\d+\.\d+\.\d+) \(", CHANGELOG.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert newest
    for folder in (ROOT, ROOT / "strategies"):
        project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        assert project["version"] == newest[1], folder
    assert project["dependencies"] == [f"acpcbot=={newest[1]}"]


def test_the_pictures_of_readme_are_small_and_made_by_a_command() -> None:
    """Catches a picture that makes a clone heavy, or that no command can make again."""
    shown = re.findall(r"\]\((docs/figures/\w+\.png)\)", (ROOT / "README.md").read_text("utf-8"))
    maker = (DOCS / "make_pictures.py").read_text(encoding="utf-8")
    assert len(shown) == 4
    assert sum((ROOT / path).stat().st_size for path in shown) < 400_000
    for path in shown:
        assert f"def {Path(path).stem}(" in maker, path


def test_the_changelog_says_each_thing_once() -> None:
    """Catches items that a merge has doubled."""
    text = CHANGELOG.read_text(encoding="utf-8")
    items = re.findall(r"^- .*(?:\n  .*)*", text, re.MULTILINE)
    beginnings = [" ".join(item.split())[:60] for item in items]
    assert len(items) > 100
    assert [item for item in beginnings if beginnings.count(item) > 1] == []
