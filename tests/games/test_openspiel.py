"""The rules of research games beside OpenSpiel's, history by history."""

from __future__ import annotations

import pytest

from tests.support.research_games import TWINS, Twin, beside_openspiel, form_of

pytest.importorskip("pyspiel")


@pytest.mark.parametrize("twin", TWINS, ids=str)
def test_no_move_chance_or_payoff_differs_anywhere(twin: Twin) -> None:
    assert len(form_of(twin.game).end_chances) == beside_openspiel(twin).num_ends


@pytest.mark.parametrize("twin", TWINS, ids=str)
def test_a_seat_knows_neither_more_nor_less(twin: Twin) -> None:
    keys = beside_openspiel(twin).keys
    assert sum(map(len, keys.values())) == len(form_of(twin.game).infoset_keys)
    assert len(set().union(*keys.values())) == len(form_of(twin.game).infoset_keys)
    if not twin.forgets:
        assert {len(same) for same in keys.values()} == {1}
