"""Strategies that tell what they do: the same as the agents of their names do."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from acpcbot.abstraction.deal_sources import DealSources
from acpcbot.agents.public_strategies import blueprint_name, find_strategy
from acpcbot.agents.registry import find_maker
from acpcbot.errors import AcpcbotError
from acpcbot.poker.betting import BettingState
from acpcbot.poker.hands import all_hands, hand_number
from acpcbot.protocol.messages import MatchState
from acpcbot.strategies.policy import parse_play_settings
from tests.strategies.random_snapshots import saved
from tests.support.games import KUHN, LEDUC, LIMIT_2P, NOLIMIT_2P, definition_of, rules_of
from tests.support.playouts import betting_states

STATES: dict[str, list[tuple[str, tuple[int, ...]]]] = {
    LEDUC: [("cc/r", (46,))],
    LIMIT_2P: [("", ()), ("cc/cc/r", (3, 17, 40, 51))],
}


def state_of(betting: BettingState) -> MatchState:
    """Return the view of the actor of *betting*; these agents look at nothing else."""
    nothing: tuple[int, ...] = ()
    return MatchState(
        betting.actor, 0, betting, (nothing,) * betting.game.definition.num_players, (), ""
    )


@pytest.mark.parametrize("name", ["call", "fold", "raise"])
@given(betting=betting_states())
def test_a_strategy_does_what_the_agent_of_its_name_does(name: str, betting: BettingState) -> None:
    if betting.is_over:
        return
    definition = betting.game.definition
    table = find_strategy(name, DealSources(definition)).table(betting, ())
    action = find_maker(name)(definition, 1).act(state_of(betting), 0.0)
    assert table.actions == (action,)
    assert (table.probabilities == 1).all()


def test_random_takes_every_legal_limit_action_alike() -> None:
    definition = definition_of(LEDUC)
    betting = rules_of(LEDUC).parse("r")
    table = find_strategy("random", DealSources(definition)).table(betting, ())
    assert [action.text for action in table.actions] == ["f", "c", "r"]
    assert table.probabilities == pytest.approx(np.full((6, 3), 1 / 3))


@pytest.mark.parametrize("game", STATES)
def test_a_stored_strategy_tells_for_every_hand_what_it_tells_for_one(
    game: str, tmp_path: Path
) -> None:
    snapshot = saved(tmp_path / "x", game)
    dealer = DealSources(snapshot.definition)
    for play in ("average", "purified", "greedy"):
        strategy = find_strategy(f"{tmp_path / 'x'}?play={play}", dealer)
        for text, board in STATES[game]:
            betting = rules_of(game).parse(text)
            table, place = strategy.table(betting, board), snapshot.place(betting)
            for cards in all_hands(snapshot.definition).tolist()[:: 1 if game == LEDUC else 41]:
                row = table.probabilities[hand_number(snapshot.definition, cards)]
                if set(cards) & set(board):
                    assert not row.any()
                else:
                    bucket = snapshot.bucket(place, cards, board)
                    assert (
                        row.tolist()
                        == snapshot.probabilities(place, bucket, parse_play_settings(play)).tolist()
                    )


@pytest.mark.parametrize(
    ("name", "game"), [("nowhere", KUHN), ("random", NOLIMIT_2P), ("{}", KUHN)]
)
def test_a_name_without_a_strategy_for_the_game_is_refused(
    name: str, game: str, tmp_path: Path
) -> None:
    saved(tmp_path / "x", LEDUC)
    with pytest.raises(AcpcbotError):
        find_strategy(name.format(tmp_path / "x"), DealSources(definition_of(game)))


def test_a_strategy_that_searches_lends_the_values_of_its_blueprint(tmp_path: Path) -> None:
    """Catches a search that is evaluated by the formula though there is a stored strategy's
    self-play.
    """
    search = tmp_path / "search"
    search.mkdir()
    (search / "search.toml").write_text(
        'blueprint = "../blueprint"\n[profiles.p.river]\nmenus = ["1"]\n'
    )
    saved(tmp_path / "blueprint", KUHN)
    names = [tmp_path / "blueprint", search, "call"]
    assert list(map(blueprint_name, map(str, names))) == [
        str(tmp_path / "blueprint"),
        f"{search}/../blueprint",
        None,
    ]
