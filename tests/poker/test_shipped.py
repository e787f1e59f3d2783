"""The shipped game definitions, found by name or path, with the published rules."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from acpcbot.errors import BadDefinition, UsageError
from acpcbot.poker import shipped
from acpcbot.poker.definition import (
    UNLIMITED_STACK,
    GameDefinition,
    format_definition,
    load_definition,
)
from acpcbot.poker.shipped import (
    SHIPPED_NAMES,
    find_definition,
    recognise,
    shipped_definition,
    shipped_path,
)

GOLD_GAMES = Path(__file__).parents[3] / "shared" / "gold" / "games"


def holdem(
    blinds: tuple[int, ...], opener: int, *, stack: int = UNLIMITED_STACK, is_limit: bool
) -> GameDefinition:
    return GameDefinition(
        is_limit=is_limit,
        num_players=len(blinds),
        num_streets=4,
        stacks=(stack,) * len(blinds),
        blinds=blinds,
        raise_sizes=(10, 10, 20, 20) if is_limit else (),
        first_seats=(opener, 0, 0, 0),
        max_raises=(3, 4, 4, 4) if is_limit else (255, 255, 255, 255),
        num_suits=4,
        num_ranks=13,
        num_hole_cards=2,
        num_board_cards=(0, 3, 1, 1),
    )


def kuhn(num_players: int) -> GameDefinition:
    return GameDefinition(
        is_limit=True,
        num_players=num_players,
        num_streets=1,
        stacks=(UNLIMITED_STACK,) * num_players,
        blinds=(1,) * num_players,
        raise_sizes=(1,),
        first_seats=(0,),
        max_raises=(1,),
        num_suits=1,
        num_ranks=num_players + 1,
        num_hole_cards=1,
        num_board_cards=(0,),
    )


LEDUC = GameDefinition(
    is_limit=True,
    num_players=2,
    num_streets=2,
    stacks=(UNLIMITED_STACK, UNLIMITED_STACK),
    blinds=(1, 1),
    raise_sizes=(2, 4),
    first_seats=(0, 0),
    max_raises=(2, 2),
    num_suits=2,
    num_ranks=3,
    num_hole_cards=1,
    num_board_cards=(0, 1),
)


def flop(game: GameDefinition) -> GameDefinition:
    """The game without its turn and river."""
    sizes = game.raise_sizes[:2]
    streets = replace(game, num_streets=2, num_board_cards=(0, 3), raise_sizes=sizes)
    return replace(streets, first_seats=game.first_seats[:2], max_raises=game.max_raises[:2])


PUBLISHED = {
    "flop_holdem.limit.2p": flop(holdem((10, 5), 1, is_limit=True)),
    "flop_holdem.nolimit.2p": flop(holdem((100, 50), 1, stack=20000, is_limit=False)),
    "holdem.limit.2p.reverse_blinds": holdem((10, 5), 1, is_limit=True),
    "holdem.limit.3p": holdem((5, 10, 0), 2, is_limit=True),
    "holdem.nolimit.2p.reverse_blinds": holdem((100, 50), 1, stack=20000, is_limit=False),
    "holdem.nolimit.3p": holdem((50, 100, 0), 2, stack=20000, is_limit=False),
    "holdem.nolimit.6p": holdem((50, 100, 0, 0, 0, 0), 2, stack=20000, is_limit=False),
    "kuhn.limit.2p": kuhn(2),
    "kuhn.limit.3p": kuhn(3),
    "leduc.limit.2p": LEDUC,
    "leduc.nolimit.2p": replace(
        LEDUC,
        is_limit=False,
        stacks=(1200, 1200),
        blinds=(100, 100),
        raise_sizes=(),
        max_raises=(255, 255),
    ),
}


@pytest.mark.parametrize("name", SHIPPED_NAMES)
def test_each_shipped_game_has_the_published_rules(name: str) -> None:
    assert shipped_definition(name) == PUBLISHED[name]


def test_the_shipped_names_are_exactly_the_shipped_files() -> None:
    files = shipped_path(SHIPPED_NAMES[0]).parent.iterdir()
    assert sorted(SHIPPED_NAMES) == sorted(path.name.removesuffix(".game") for path in files)


@pytest.mark.parametrize("name", SHIPPED_NAMES)
def test_each_shipped_file_opens_with_a_comment_and_then_the_keys_in_normal_order(
    name: str,
) -> None:
    comment, *lines = shipped_path(name).read_text().splitlines(keepends=True)
    keys = [line.split()[0] for line in lines]
    normal_keys = [
        line.split()[0] for line in format_definition(shipped_definition(name)).splitlines()
    ]
    assert comment.startswith("# ")
    assert [key for key in keys if key in normal_keys] == normal_keys


@pytest.mark.parametrize("name", SHIPPED_NAMES)
def test_a_game_is_recognised_by_its_rules_and_not_by_its_name(name: str) -> None:
    assert recognise(PUBLISHED[name]) == name


def test_a_game_with_one_rule_changed_is_not_recognised() -> None:
    assert recognise(replace(LEDUC, max_raises=(2, 3))) is None


@pytest.mark.parametrize("spelling", ["leduc.limit.2p", "leduc.limit.2p.game"])
def test_a_shipped_name_is_found_with_and_without_its_suffix(spelling: str) -> None:
    assert find_definition(spelling) == ("leduc.limit.2p", LEDUC)


def test_a_file_at_the_path_goes_before_a_shipped_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "leduc.limit.2p").write_text(format_definition(kuhn(3)))
    monkeypatch.chdir(tmp_path)
    assert find_definition("leduc.limit.2p") == ("leduc.limit.2p", kuhn(3))


def test_the_name_of_a_file_is_that_without_folders_and_suffix(tmp_path: Path) -> None:
    path = tmp_path / "mine.game"
    path.write_text(format_definition(LEDUC))
    assert find_definition(str(path)) == ("mine", LEDUC)


@pytest.mark.parametrize(
    "missing", ["hold'em", "", "no/such.game", "a\0b", "x" * 5000, "leduc.limit.2p.game.game"]
)
def test_an_unknown_game_is_refused_with_a_hint_that_lists_the_shipped_ones(missing: str) -> None:
    with pytest.raises(UsageError) as caught:
        find_definition(missing)
    assert all(name in caught.value.hint for name in SHIPPED_NAMES)


def test_a_folder_is_no_definition_and_hides_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "leduc.limit.2p").mkdir()
    monkeypatch.chdir(tmp_path)
    assert find_definition("leduc.limit.2p") == ("leduc.limit.2p", LEDUC)
    with pytest.raises(UsageError):
        find_definition(str(tmp_path))


def test_a_file_that_cannot_be_read_is_a_usage_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: str) -> GameDefinition:
        raise PermissionError(13, "Permission denied", path)

    path = tmp_path / "mine.game"
    path.touch()
    monkeypatch.setattr(shipped, "load_definition", refuse)
    with pytest.raises(UsageError, match="Permission denied"):
        find_definition(str(path))


def test_a_bad_file_is_refused_with_the_parser_s_reason(tmp_path: Path) -> None:
    path = tmp_path / "mine.game"
    path.write_text("numRounds = 5\n")
    with pytest.raises(BadDefinition, match="invalid number of rounds: 5"):
        find_definition(str(path))


def test_bytes_that_are_no_utf_8_do_not_stop_the_reading(tmp_path: Path) -> None:
    path = tmp_path / "mine.game"
    path.write_bytes(b"# \xff\xfe\r\n" + format_definition(LEDUC).replace("\n", "\r\n").encode())
    assert load_definition(path) == LEDUC


def test_the_reference_lists_every_shipped_game() -> None:
    reference = Path(__file__).parents[2] / "docs" / "reference" / "game_definitions.md"
    assert all(f"`{name}`" in reference.read_text() for name in SHIPPED_NAMES)


def test_recorded_official_files_are_recognised() -> None:
    if not GOLD_GAMES.exists():
        pytest.skip(f"no recordings of the official dealer at {GOLD_GAMES}")
    recorded = {
        path.name.removesuffix(".game"): recognise(load_definition(path))
        for path in GOLD_GAMES.glob("*.game")
    }
    assert recorded["test.kuhn.limit.2p"] == "kuhn.limit.2p"
    same_names = {name for name, recognised in recorded.items() if name == recognised}
    ours_alone = {"kuhn.limit.2p", "flop_holdem.limit.2p", "flop_holdem.nolimit.2p"}
    assert same_names == set(SHIPPED_NAMES) - ours_alone
