"""Players that search: equilibria that they find, what they must not see, their budgets."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import numpy as np
import pytest

from acpcbot.errors import UsageError
from acpcbot.evaluation.searches import players
from acpcbot.evaluation.searches.players import (
    ISMCTSPlayer,
    MoveBudget,
    OOSPlayer,
    PolicyPlayer,
    RandomPlayer,
    SearchPlayer,
    SimultaneousPlayer,
    draw,
)
from acpcbot.games.coordination import Coordination
from acpcbot.games.game import CHANCE, OVER, Game, State, new_state
from acpcbot.games.generic_poker import LEDUC
from acpcbot.games.goofspiel import Goofspiel
from acpcbot.games.kuhn import Kuhn
from acpcbot.games.liars_dice import LiarsDice
from acpcbot.games.rock_paper_scissors import RPS_PLUS
from acpcbot.games.sequence_form import sequence_form
from acpcbot.tree_search.is_mcts import FinalMove
from acpcbot.tree_search.oos import OOSSettings
from acpcbot.tree_search.selection.duct import DecoupledUCT
from acpcbot.tree_search.selection.infoset_regrets import InfosetRegrets
from acpcbot.tree_search.selection.matched_regrets import RegretMatching
from acpcbot.tree_search.selection.uct import UCT

KUHN = Kuhn()
HIDDEN = Goofspiel(4, hides_bids=True, is_ascending=True, lowest_point=0)
OPEN = Goofspiel(3, pays_points=True)
FEW = MoveBudget(simulations=300)

BY_INFOSET: dict[str, Callable[[Game], SearchPlayer]] = {
    "random": RandomPlayer,
    "OOS by information set": lambda game: OOSPlayer(game, OOSSettings()),
    "OOS by public state": lambda game: OOSPlayer(game, OOSSettings(), "public"),
    "UCT": lambda game: ISMCTSPlayer(game, UCT(2.0)),
    "regret matching": lambda game: ISMCTSPlayer(game, InfosetRegrets(0.2), by_chance=True),
}


def histories_by_infoset(game: Game) -> dict[tuple[int, int], list[list[int]]]:
    """The first and the last history of every information set, by seat and key."""
    found: dict[tuple[int, int], list[list[int]]] = {}

    def walk(state: State, actions: list[int]) -> None:
        actor = game.actor(state)
        if actor == OVER:
            return
        if actor != CHANCE:
            own = found.setdefault((actor, int(state[actor])), [])
            own[1:] = [actions]
        for action in range(game.num_actions(state)):
            if actor == CHANCE and game.chance(state, action) == 0:
                continue
            after = state.copy()
            game.apply(after, action)
            walk(after, [*actions, action])

    walk(new_state(game), [])
    return found


@pytest.mark.parametrize("kind", BY_INFOSET)
@pytest.mark.parametrize("game", [KUHN, LiarsDice(1, 3), HIDDEN], ids=["Kuhn", "LD", "II-GS"])
def test_players_see_their_information_set_alone(game: Game, kind: str) -> None:
    """Catches a search that begins at the true state: strategies would differ within one set."""
    player = BY_INFOSET[kind](game)
    num_told_apart = 0
    for (seat, _), histories in list(histories_by_infoset(game).items())[::3]:
        strategies = []
        for actions in histories:
            player.begin(seat, 7)
            strategies.append(player.strategy(actions, MoveBudget(simulations=60)))
        assert len({len(strategy) for strategy in strategies}) == 1
        assert (strategies[0] == strategies[-1]).all()
        num_told_apart += len(histories) == 2
    assert num_told_apart >= 3


@pytest.mark.parametrize("policy", [RegretMatching(0.1), DecoupledUCT(2.0, mixes=True)], ids=str)
def test_moves_of_the_same_time_are_not_seen(policy: RegretMatching | DecoupledUCT) -> None:
    """Catches seat 1 searching behind seat 0's bid."""
    player = SimultaneousPlayer(OPEN, policy)
    strategies = []
    for bid in range(3):
        player.begin(1, 3)
        strategies.append(player.strategy([1, bid], FEW).tolist())
    assert strategies[0] == strategies[1] == strategies[2]
    player.begin(0, 3)
    assert player.strategy([1], FEW).shape == (3,)
    assert player.strategy([1, 2, 0, 1], FEW).shape == (2,)


def test_oos_plays_kuhn_as_equilibria_do() -> None:
    """Seat 1 calls with the queen in a third, bets the jack in a third, and calls with the king."""
    player = OOSPlayer(KUHN, OOSSettings(delta=0.5))
    budget = MoveBudget(simulations=400_000)
    jack, queen, king = 0, 1, 2
    # Seat 0 holds the first card. Chance's actions name deals; look up those with seat 1's card.
    wanted = {(queen, "bet"): 1 / 3, (jack, "pass"): 1 / 3, (king, "bet"): 1.0}
    for (card, move), share in wanted.items():
        actions = actions_with_card(card, 0 if move == "pass" else 1)
        player.begin(1, 11)
        strategy = player.strategy(actions, budget)
        assert strategy[1] == pytest.approx(share, abs=0.03), (card, move)


def actions_with_card(card: int, move: int) -> list[int]:
    """A history of Kuhn in which seat 1 holds *card* and seat 0 has made the *move*."""
    state, actions = new_state(KUHN), list[int]()
    while KUHN.actor(state) == CHANCE:
        seat = len(actions)
        count = KUHN.num_actions(state)
        # The first card is one that seat 1 does not need; cards that are left count from below.
        other = 2 if card != 2 else 0
        action = other if seat == 0 else card - (1 if count == 2 and card > other else 0)
        actions.append(action)
        KUHN.apply(state, action)
    return [*actions, move]


def test_the_equilibrium_of_rock_paper_scissors_with_a_winner_is_found() -> None:
    """The published equilibrium of RPS+ is (.4, .4, .2)."""
    player = SimultaneousPlayer(RPS_PLUS, RegretMatching(0.1))
    for seat, actions in ((0, []), (1, [0])):
        player.begin(seat, 5)
        strategy = player.strategy(actions, MoveBudget(simulations=300_000))
        assert sorted(strategy) == pytest.approx([0.2, 0.4, 0.4], abs=0.03)


def test_oos_moves_when_a_leaf_elsewhere_changes_and_is_mcts_does_not() -> None:
    """The coordination game: seat 1 goes left in a third, or in a sixth with a leaf of 2."""
    by_search: dict[str, list[float]] = {"OOS": [], "IS-MCTS": []}
    for leaf in (1.0, 2.0):
        game = Coordination(leaf)
        for player in (OOSPlayer(game, OOSSettings()), ISMCTSPlayer(game, UCT(2.0))):
            player.begin(1, 1)
            strategy = player.strategy([1, 0], MoveBudget(simulations=200_000))
            by_search[player.name].append(float(strategy[0]))
    assert by_search["OOS"] == pytest.approx([1 / 3, 1 / 6], abs=0.02)
    assert by_search["IS-MCTS"][0] == by_search["IS-MCTS"][1]


def histories_of_seat(game: Game, seat: int) -> list[list[int]]:
    """The histories at which *seat* moves in a game where all take their middle action."""
    state, actions, found = new_state(game), list[int](), []
    while game.actor(state) != OVER:
        if game.actor(state) == seat:
            found.append(list(actions))
        actions.append(game.num_actions(state) // 2)
        game.apply(state, actions[-1])
    return found


def test_oos_keeps_its_memory_through_a_match_and_the_others_begin_anew() -> None:
    """Catches a tree that is lost between moves, and one that stays where it should not."""
    first, second = histories_of_seat(LEDUC, 0)[:2]
    oos, uct = OOSPlayer(LEDUC, OOSSettings()), ISMCTSPlayer(LEDUC, UCT(5.0))
    for player in (oos, uct):
        player.begin(0, 1)
        player.strategy(first, MoveBudget(simulations=2000))
    assert oos.search is not None
    assert uct.search is not None
    known = oos.search.num_infosets, uct.search.num_infosets
    for player in (oos, uct):
        player.strategy(second, MoveBudget(simulations=1))
    assert oos.search.num_infosets >= known[0] > 100
    assert uct.search.num_infosets == 1 < known[1]
    oos.begin(0, 1)
    assert oos.search.num_infosets == 0


def test_a_match_of_simultaneous_moves_does_not_depend_on_those_before() -> None:
    """Catches sums of an earlier match in a tree whose arrays stay."""
    player = SimultaneousPlayer(OPEN, RegretMatching(0.1))
    player.begin(0, 4)
    fresh = player.strategy([2], FEW)
    player.strategy([0, 1, 1, 0], FEW)
    player.begin(0, 4)
    assert (player.strategy([2], FEW) == fresh).all()


@pytest.mark.parametrize("final", ["most-visits", "best-value"])
def test_pure_final_moves_are_pure(final: FinalMove) -> None:
    player = ISMCTSPlayer(LEDUC, UCT(5.0), final)
    player.begin(0, 1)
    strategy = player.strategy(histories_of_seat(LEDUC, 0)[0], FEW).tolist()
    assert sorted(set(strategy)) == [0.0, 1.0]
    assert sum(strategy) == 1


def test_moves_are_drawn_from_the_strategy() -> None:
    """Catches a player that plays its most probable action, and one that ignores its seed."""
    form = sequence_form(KUHN)
    weights = np.tile([1.0, 3.0], form.num_slots // 2)
    player = PolicyPlayer(KUHN, form, form.normalised(weights))
    moves = []
    for seed in range(2000):
        player.begin(0, seed)
        moves.append(player.choose([0, 0], FEW))
    assert np.mean(moves) == pytest.approx(0.75, abs=0.03)
    player.begin(0, 5)
    first = [player.choose([0, 0], FEW) for _ in range(50)]
    player.begin(0, 5)
    assert [player.choose([0, 0], FEW) for _ in range(50)] == first
    assert len(set(first)) == 2


def test_draws_at_the_borders_of_probabilities() -> None:
    strategy = np.array([0.0, 0.25, 0.0, 0.75, 0.0])
    assert [draw(strategy, number) for number in (0.0, 0.249, 0.25, 0.999999)] == [1, 1, 3, 3]
    assert draw(np.array([0.3, 0.3, 0.3, 0.0]), 0.95) == 2


def test_seconds_are_spent_in_growing_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Catches a budget that is overdrawn, and one that is spent a simulation at a time."""
    clock, batches = [10.0], list[int]()
    monkeypatch.setattr(players, "thread_time", lambda: clock[0])

    def simulate(number: int) -> None:
        batches.append(number)
        clock[0] += number * 2e-6

    done = MoveBudget(seconds=0.1).spend(simulate, 9.95)
    assert done == sum(batches)
    assert 0.049 < clock[0] - 10.0 <= 0.05
    assert len(batches) < 25
    # Whatever came before may have taken all of the time: one batch is searched even then.
    batches.clear()
    assert MoveBudget(seconds=0.1).spend(simulate, 5.0) == players.FIRST_BATCH == sum(batches)


def test_players_count_the_simulations_of_their_moves() -> None:
    for player in (OOSPlayer(KUHN, OOSSettings()), ISMCTSPlayer(KUHN, UCT(2.0))):
        player.begin(0, 1)
        player.choose([0, 0], FEW)
        assert player.num_simulations == 300


@pytest.mark.parametrize(
    "budget", [{}, {"simulations": 1, "seconds": 1.0}, {"simulations": 0}, {"seconds": -1.0}]
)
def test_budgets_that_say_nothing_are_refused(budget: dict[str, float]) -> None:
    with pytest.raises(UsageError, match="budget of a move"):
        MoveBudget(**budget)  # type: ignore[arg-type]


def test_players_travel_to_other_processes_before_their_match() -> None:
    for kind in BY_INFOSET.values():
        player = pickle.loads(pickle.dumps(kind(KUHN)))
        player.begin(0, 1)
        own = kind(KUHN)
        own.begin(0, 1)
        assert (player.strategy([0, 0], FEW) == own.strategy([0, 0], FEW)).all()


def test_a_player_without_a_match_says_so() -> None:
    with pytest.raises(UsageError, match="no match"):
        OOSPlayer(KUHN, OOSSettings()).choose([0, 0], FEW)
    with pytest.raises(UsageError, match="seat 2"):
        RandomPlayer(KUHN).begin(2, 1)
