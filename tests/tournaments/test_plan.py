"""The parts of a tournament: pairings, cards and names."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, replace
from itertools import combinations
from pathlib import Path

import pytest

from acpcbot.errors import UsageError
from acpcbot.matches.plan import MatchPlan
from acpcbot.poker.definition import format_definition
from acpcbot.tournaments.plan import TournamentPlan
from tests.support.games import KUHN, LIMIT_3P, definition_of


def plan_of(*strategies: str, game: str = KUHN, **changes: object) -> TournamentPlan:
    plan = TournamentPlan(
        strategies, game, format_definition(definition_of(game)), num_hands=10, seed=7
    )
    return replace(plan, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(("game", "num_seats"), [(KUHN, 2), (LIMIT_3P, 3)])
def test_every_table_full_of_entrants_meets_once(game: str, num_seats: int) -> None:
    """Caught: a pair that is left out or meets twice, a player that meets itself."""
    found = [match.entrants for match in plan_of("a", "b", "c", "d", "e", game=game).matches()]
    assert Counter(found) == Counter(combinations(range(5), num_seats))


def test_a_match_has_the_strategies_and_the_names_of_its_entrants() -> None:
    """Caught: names that are made anew in each match, so that call.2 is called call where call
    does not play.
    """
    plan = plan_of("call", "tight", "call")
    match = next(match for match in plan.matches() if match.entrants == (1, 2))
    assert match.plan.strategies == ("tight", "call")
    assert match.plan.names == ("tight", "call.2")
    assert match.plan.settings(match.plan.tables()[0], Path("m")).player_names == (
        "tight",
        "call.2",
    )


def test_all_terms_reach_every_match() -> None:
    plan = plan_of("a", "b", "c", num_seeds=3, is_duplicate=True, is_in_process=True)
    own = {"strategies": plan.strategies, "given_names": (), "seed": plan.seed}
    for match in plan.matches():
        assert TournamentPlan(**{**asdict(match.plan), **own}) == plan


def test_no_two_tables_of_different_matches_share_their_cards() -> None:
    """Intervals and resampling take matches as independent."""
    plan = plan_of("a", "b", "c", "d", num_seeds=3, is_duplicate=True)
    seeds = [{table.seed for table in match.plan.tables()} for match in plan.matches()]
    assert set().union(*seeds) == set(range(7, 7 + 6 * 3))
    assert sum(map(len, seeds)) == 6 * 3


@pytest.mark.parametrize(
    "strategies", [("Bot", "bots/bot", "x"), ("a", "a-b", "b-c", "c"), ("n" * 300, "m" * 300, "k")]
)
def test_folders_differ_and_can_be_made_on_any_file_system(
    strategies: tuple[str, ...], tmp_path: Path
) -> None:
    """Caught: names that differ in case only, names whose hyphens make two pairs look alike,
    names too long.
    """
    folders = [match.folder for match in plan_of(*strategies).matches()]
    assert len({folder.lower() for folder in folders}) == len(folders)
    for folder in folders:
        (tmp_path / folder).mkdir()


def test_a_plan_and_its_matches_come_back_from_their_files(tmp_path: Path) -> None:
    plan = plan_of("call", "call", "remote:alice", num_seeds=2, is_duplicate=True)
    plan.save(tmp_path)
    assert TournamentPlan.load(tmp_path) == plan
    for match in plan.matches():
        match.plan.save(tmp_path / match.folder)
        assert MatchPlan.load(tmp_path / match.folder) == match.plan


def test_a_match_is_not_taken_for_a_tournament_nor_the_other_way_round(tmp_path: Path) -> None:
    plan_of("a", "b", "c").save(tmp_path / "tournament")
    plan_of("a", "b", "c").matches()[0].plan.save(tmp_path / "match")
    with pytest.raises(UsageError, match="holds no match"):
        MatchPlan.load(tmp_path / "tournament")
    with pytest.raises(UsageError, match="holds no tournament"):
        TournamentPlan.load(tmp_path / "match")


def test_too_few_entrants_are_refused() -> None:
    with pytest.raises(UsageError, match="2 entrants for 3 seats"):
        plan_of("a", "b", game=LIMIT_3P).verify()
    plan_of("a", "b", "c", game=LIMIT_3P).verify()


def test_seeds_beyond_32_bits_are_refused() -> None:
    """Dealers take a seed modulo 2**32: two matches would share their cards."""
    last = 2**32 - 3 * 2
    plan_of("a", "b", "c", num_seeds=2, seed=last).verify()
    with pytest.raises(UsageError, match="32-bit"):
        plan_of("a", "b", "c", num_seeds=2, seed=last + 1).verify()
