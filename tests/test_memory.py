"""Memory: what is missing is said before anything is taken."""

from __future__ import annotations

import pytest

from acpcbot.errors import UsageError
from acpcbot.memory import available_bytes, size_text, verify_memory
from acpcbot.training.session import build_session, needed_bytes
from tests.training.recipes import LEDUC, leduc_recipe

THREE_PLAYERS = """
game = "holdem.limit.3p"
snapshot = "strategies/test"
[abstraction]
preflop = "lossless"
flop = { grid = 1000 }
turn = { grid = 100 }
river = { grid = 20 }
[learner]
name = "smooth_uct"
exploration = 36
potential_share = 0.5
d = 5e-5
storage = "float32"
[budget]
count = 1
"""


def test_a_refusal_says_how_much_is_missing() -> None:
    with pytest.raises(UsageError, match=r"3\.0 GB .*1\.2 GB are free: 1\.8 GB are missing"):
        verify_memory(
            {"tree": 1_000_000_000, "statistics": 2_000_000_000}, 1_200_000_000, "training", ""
        )


def test_work_that_fits_into_memory_is_not_refused() -> None:
    verify_memory({"tree": 1000}, 1000, "training", "")
    verify_memory({"tree": 1000}, None, "training", "")


def test_the_prediction_is_what_the_arrays_take() -> None:
    recipe = leduc_recipe()
    session = build_session(recipe, lambda needed: None, lambda name, done, total: None)
    needed = needed_bytes(recipe, session.game.num_buckets)
    assert needed["tree"] == session.game.tree.nodes.nbytes
    assert needed["statistics"] == session.solver.learner.arrays["statistics"].nbytes


def test_three_player_limit_holdem_fits_five_gigabytes() -> None:
    from acpcbot.training.recipe import parse_recipe

    needed = needed_bytes(parse_recipe(THREE_PLAYERS), (169, 1000, 100, 20))
    assert needed["statistics"] == 530_031_091 * 8
    assert sum(needed.values()) - needed["results"] < 5_000_000_000
    assert needed["results"] == 530_031_091 * 10
    greedy = needed_bytes(
        parse_recipe(f'{THREE_PLAYERS}\n[snapshots]\nhold = ["greedy"]'), (169, 1000, 100, 20)
    )
    assert greedy["results"] == 530_031_091 * 2


def test_available_memory_of_this_machine_is_positive() -> None:
    available = available_bytes()
    assert available is None or available > 100_000_000


def test_bytes_are_shown_in_readable_units() -> None:
    assert [size_text(size) for size in (1500, 2_500_000, 63_000_000, 4_240_000_000)] == [
        "0.0 MB",
        "2.5 MB",
        "63 MB",
        "4.2 GB",
    ]
    assert LEDUC
