"""RLCard's states, agents and environments: against hands that RLCard itself has played."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import acpcbot
from acpcbot.adapters.rlcard import (
    RlcardForm,
    StrategyAgent,
    as_rlcard_agent,
    rlcard_agent,
    rlcard_definition,
    rlcard_env,
    rlcard_state,
)
from acpcbot.adapters.rlcard_states import no_limit_actions
from acpcbot.errors import UsageError
from acpcbot.logs.entries import HandRecord
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.hands import hand_number
from acpcbot.poker.payoffs import payoffs
from acpcbot.protocol.messages import MatchState
from tests.support.games import (
    KUHN,
    LEDUC,
    LEDUC_NOLIMIT,
    LIMIT_2P,
    LIMIT_3P,
    NOLIMIT_2P,
    NOLIMIT_3P,
    NOLIMIT_6P,
    definition_of,
)
from tests.support.rlcard_recording import FILE, plain, plain_state, record

DCFR = "leduc.limit.2p/dcfr"
FORMS = (LEDUC, LIMIT_2P, LIMIT_3P, NOLIMIT_2P, NOLIMIT_3P, NOLIMIT_6P)
RECORDED: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
HAS_RLCARD = getattr(find_spec("rlcard"), "origin", None) is not None
needs_its_agents = pytest.mark.skipif(
    not HAS_RLCARD or find_spec("pip") is None or sys.version_info >= (3, 12),
    reason="RLCard's agents need RLCard, pip and Python 3.11",  # they run pip when imported
)
needs_rlcard = pytest.mark.skipif(
    not HAS_RLCARD, reason="RLCard is not installed: pip install rlcard"
)


# States, hand by hand


def recorded_game(hand: dict[str, Any]) -> tuple[RlcardForm, list[int]]:
    """The game of a recorded hand by our rules, and its players by position, small blind first.

    The first to act of each street is the one of this hand: in RLCard's limit games it changes.
    """
    first, steps = hand["steps"][0], hand["steps"]
    num_players = hand["num_players"]
    chips = first["state"]["raw_obs"]["all_chips"]
    players = [(chips.index(1) + seat) % num_players for seat in range(num_players)]
    definition = rlcard_definition(hand["env"], num_players=num_players)
    boards = [definition.board_size(street) for street in range(definition.num_streets)]
    firsts = list(definition.first_seats)
    for step in reversed(steps):
        raw = step["state"]["raw_obs"]
        dealt = raw.get("public_cards", [raw.get("public_card")] if raw.get("public_card") else [])
        firsts[boards.index(len(dealt))] = players.index(step["player"])
    if num_players > 2:  # there the first may have folded; the order is the usual one
        firsts[1:] = definition.first_seats[1:]
    return RlcardForm(replace(definition, first_seats=tuple(firsts))), players


def without_small_raises(form: RlcardForm, betting: Any, theirs: dict[str, Any]) -> dict[str, Any]:
    """RLCard's state without raises that are smaller than our rules allow."""
    smallest = (betting.raise_range or (10**9, 0))[0]
    spent, pot = betting.spent[betting.actor], betting.pot
    totals = {"RAISE_HALF_POT": spent + pot // 2, "RAISE_POT": spent + pot, "ALL_IN": 10**6}
    raws = theirs["raw_legal_actions"]
    kept = [raw for raw in raws if totals.get(raw, 10**9) >= smallest]
    numbers = {str(form.raw_actions.index(raw)) for raw in form.raw_actions if plain(raw) in kept}
    return theirs | {
        "raw_legal_actions": kept,
        "raw_obs": theirs["raw_obs"] | {"legal_actions": kept},
        "legal_actions": {key: None for key in theirs["legal_actions"] if key in numbers},
    }


def verify_recorded(hand: dict[str, Any]) -> tuple[int, bool]:
    """Compare the states of *hand*: how many there were, and whether our rules know its end."""
    form, players = recorded_game(hand)
    betting = BettingRules(form.definition).start
    held = [form.parse_cards(hand["hands"][player]) for player in players]
    board = form.parse_cards(hand["board"])
    for number, step in enumerate(hand["steps"]):
        if betting.spent[players.index(step["player"])] == form.definition.stacks[0]:
            assert step["action"] == "CHECK_CALL"  # RLCard asks players who are all-in, too
            continue
        assert players[betting.actor] == step["player"]
        dealt = board[: form.definition.board_size(betting.street)]
        seat = betting.actor
        found = plain_state(form.state(betting, seat, held[seat], dealt, players=players))
        theirs = without_small_raises(form, betting, step["state"])
        if hand["env"] == "limit-holdem":
            assert found["raw_obs"].pop("current_player") == step["player"]
        assert found == theirs
        if step["action"] not in theirs["raw_legal_actions"]:
            return number + 1, False
        action = form.action(betting, step["action"])
        assert form.action(betting, form.raw_action(betting, action)) == action
        betting = betting.apply(action)
    assert betting.is_over
    won = payoffs(betting, held, board)
    unit = 2 if form.definition.is_limit else 1
    paid = [won[players.index(player)] / unit for player in range(len(players))]
    assert paid == pytest.approx(hand["payoffs"], abs=1)
    if len(players) == 2:
        assert paid == pytest.approx(hand["payoffs"])
    return len(hand["steps"]), True


@pytest.mark.parametrize("name", ["leduc-holdem", "limit-holdem", "no-limit-holdem"])
def test_states_are_those_that_rlcard_gave(name: str) -> None:
    """Catches places of a vector, chips, cards, words and orders other than RLCard's own."""
    played = [hand for hand in RECORDED if hand["env"] == name]
    results = [verify_recorded(hand) for hand in played]
    assert sum(steps for steps, _ in results) > 4 * len(played)
    assert sum(is_whole for _, is_whole in results) > len(played) / 2


@needs_rlcard
@pytest.mark.parametrize("first_seed", [1000, 2000])
def test_states_are_those_that_rlcard_gives_now(first_seed: int) -> None:
    """Catches a version of RLCard that differs from the recorded one; and rarer states."""
    results = [verify_recorded(hand) for hand in record(60, first_seed)]
    assert sum(is_whole for _, is_whole in results) > len(results) / 2


def match_state(name: str, betting: str, seat: int, own: str, board: str) -> MatchState:
    rules = BettingRules(definition_of(name))
    cards = acpcbot.cards.deck.parse_cards
    held: list[tuple[int, ...]] = [()] * rules.definition.num_players
    held[seat] = cards(own)
    return MatchState(seat, 0, rules.parse(betting), tuple(held), cards(board), "")


def test_chips_of_our_games_are_rlcards() -> None:
    """Catches networks that are fed a hundred times the chips that they have learnt from."""
    state = rlcard_state(match_state(NOLIMIT_2P, "r300c/", 0, "AsKd", "2c7hTd"))
    assert state["obs"][52:].tolist() == [6, 6]
    assert state["raw_obs"]["stakes"] == [394, 394]
    assert np.flatnonzero(state["obs"][:52]).tolist() == [0, 19, 35, 38, 40]
    half, pot = (no_limit_actions()[name] for name in ("RAISE_HALF_POT", "RAISE_POT"))
    form = RlcardForm(definition_of(NOLIMIT_2P))
    betting = form_betting = BettingRules(form.definition).parse("r300c/")
    assert [form.action(form_betting, raw).text for raw in (half, pot)] == ["r600", "r900"]
    odd = rlcard_state(match_state(NOLIMIT_2P, "r301", 0, "AsKd", ""))
    assert odd["raw_obs"]["all_chips"] == [2, 6.02]
    limit = rlcard_state(match_state(LIMIT_2P, "rc/r", 1, "AsKd", "2c7hTd"))
    assert limit["raw_obs"]["all_chips"] == [6, 4]
    assert limit["raw_obs"]["raise_nums"] == [1, 1, 0, 0]
    leduc = rlcard_state(match_state(LEDUC, "rc/", 0, "Ks", "Ah"))
    assert (leduc["raw_obs"]["hand"], leduc["raw_obs"]["public_card"]) == ("SQ", "HK")
    assert np.flatnonzero(leduc["obs"]).tolist() == [1, 5, 6 + 3, 21 + 3]
    assert betting.actor == 0


def test_bets_of_other_sizes_are_recorded_as_the_nearest() -> None:
    state = rlcard_state(match_state(NOLIMIT_2P, "r310c/r700r2600r20000", 1, "AsKd", "2c7hTd"))
    names = [(player, plain(raw)) for player, raw in state["action_record"]]
    assert names == [
        (1, "RAISE_POT"),
        (0, "CHECK_CALL"),
        (0, "RAISE_HALF_POT"),
        (1, "RAISE_POT"),
        (0, "ALL_IN"),
    ]


@pytest.mark.parametrize(
    ("name", "changes", "words"),
    [
        (KUHN, {}, "no counterpart in RLCard"),
        (LEDUC_NOLIMIT, {}, "no counterpart in RLCard"),
        ("flop_holdem.limit.2p", {}, "no counterpart in RLCard"),
        (LEDUC, {"max_raises": (3, 3)}, "up to 19 chips of RLCard"),
        (LEDUC, {"raise_sizes": (3, 6)}, "chips of RLCard"),
        (LIMIT_2P, {"max_raises": (3, 5, 4, 4)}, "up to 5 raises"),
    ],
)
def test_games_without_a_form_are_refused(name: str, changes: dict[str, Any], words: str) -> None:
    """Catches a place behind the end of a vector, or one that means something else."""
    with pytest.raises(UsageError, match=words):
        RlcardForm(replace(definition_of(name), **changes))


# Agents of RLCard at our table


class Caller:
    """An agent as RLCard's users write them, with numbers."""

    use_raw = False

    def step(self, state: dict[str, Any]) -> int:
        return 0 if 0 in state["legal_actions"] else 3

    def eval_step(self, state: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        return self.step(state), {}


class RawRaiser:
    """One with raw actions."""

    use_raw = True

    def step(self, state: dict[str, Any]) -> Any:
        legal = state["raw_legal_actions"]
        return "raise" if "raise" in legal else "call" if "call" in legal else "check"

    def eval_step(self, state: dict[str, Any]) -> tuple[Any, list[Any]]:
        return self.step(state), []


class AllIn(Caller):
    """One of no-limit hold'em."""

    def step(self, state: dict[str, Any]) -> int:
        return 4 if 4 in state["legal_actions"] else 1


class Folder(RawRaiser):
    """One that folds wherever RLCard lists it: everywhere."""

    def step(self, state: dict[str, Any]) -> Any:
        legal = state["raw_legal_actions"]
        return next(raw for raw in legal if plain(raw) in ("fold", "FOLD"))


def betting_of(players: list[Any], game: str, folder: Path, **settings: Any) -> list[str]:
    result = acpcbot.play_match(players, game=game, hands=40, folder=folder, **settings)
    assert result.num_fallbacks == 0, result.first_fallback
    return [
        hand.betting_text
        for log in result.logs
        for hand in acpcbot.read_match_log(log)
        if isinstance(hand, HandRecord)
    ]


@pytest.mark.parametrize("game", [LEDUC, LIMIT_2P, LIMIT_3P])
@pytest.mark.parametrize(("agent", "ours"), [(Caller(), "call"), (RawRaiser(), "raise")])
def test_agents_of_rlcard_play_in_our_matches(
    agent: Any, ours: str, game: str, tmp_path: Path
) -> None:
    """Catches numbers and words that stand for other actions: our own baselines do the same."""
    others = ["random"] * (definition_of(game).num_players - 1)
    found = betting_of([rlcard_agent(agent), *others], game, tmp_path / "theirs")
    assert found == betting_of([ours, *others], game, tmp_path / "ours")


@pytest.mark.parametrize("game", [NOLIMIT_2P, NOLIMIT_6P])
def test_agents_of_rlcard_go_all_in(game: str, tmp_path: Path) -> None:
    others = ["call"] * (definition_of(game).num_players - 1)
    for betting in betting_of([rlcard_agent(AllIn()), *others], game, tmp_path / "match"):
        assert betting.count("r20000") == 1


@pytest.mark.parametrize("game", FORMS)
def test_a_fold_where_checking_is_free_is_a_check(game: str, tmp_path: Path) -> None:
    """Catches fallbacks for what is legal in RLCard."""
    others = ["call"] * (definition_of(game).num_players - 1)
    found = betting_of([rlcard_agent(Folder()), *others], game, tmp_path / "theirs")
    assert found == betting_of(["fold", *others], game, tmp_path / "ours")


def test_an_agent_that_answers_nonsense_is_replaced_by_the_fallback(tmp_path: Path) -> None:
    """Catches an illegal action that is taken for a legal one."""

    class Nonsense(Caller):
        def step(self, state: dict[str, Any]) -> int:
            return 17

    class Insistent(RawRaiser):
        def step(self, state: dict[str, Any]) -> Any:
            return "raise"

    for agent, words in ((Nonsense(), "action 17"), (Insistent(), "'raise' is not legal")):
        result = acpcbot.play_match(
            [rlcard_agent(agent), "raise"], game=LEDUC, hands=5, folder=tmp_path / words[:6]
        )
        assert result.num_fallbacks > 0
        assert words in result.first_fallback


# Environments by our rules


class RandomPlayer(Caller):
    """One that notes what it is given."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.states: list[dict[str, Any]] = []

    def step(self, state: dict[str, Any]) -> int:
        self.states.append(state)
        return int(self.random.choice(list(state["legal_actions"])))


@pytest.mark.parametrize("game", FORMS)
def test_environments_deal_play_and_pay_as_our_dealer(game: str) -> None:
    """Catches payoffs of other players, seats that do not go round, and paths out of step."""
    definition = definition_of(game)
    env = rlcard_env(game, seed=5)
    dealing = acpcbot.Dealing(definition, 5)
    num = definition.num_players
    assert (env.num_players, env.state_shape[0]) == (num, [env.form.vector_length])
    env.set_agents([RandomPlayer(seed) for seed in range(num)])
    actions = 0
    for hand in range(40):
        paths, paid = env.run(is_training=bool(hand % 2))
        deal = dealing.next_deal()
        assert env.deal == deal
        won = payoffs(env.betting, deal.hole_cards, deal.board)
        unit = definition.raise_sizes[0] if definition.is_limit else definition.big_blind / 2
        for player in range(num):
            seat = (player - hand) % num
            assert paid[player] * unit == pytest.approx(won[seat])
            cards = [env.form.card(card) for card in deal.hole_cards[seat]]
            for state in paths[player][::2]:
                own = state["raw_obs"]["hand"]
                assert (own if isinstance(own, list) else [own]) == cards
                assert state["obs"].shape == (env.form.vector_length,)
            assert len(paths[player]) % 2 == 1
        assert paid.sum() == pytest.approx(0)
        actions += sum(len(path) // 2 for path in paths)
    assert env.timestep == actions


def test_steps_can_be_taken_back() -> None:
    """Catches a betting that goes back without its record: RLCard's CFR walks trees so."""
    env = rlcard_env(LEDUC, seed=1)
    first, player = env.reset()
    assert env.step_back() is False
    env.step(1)
    env.step("call", raw_action=True)
    assert env.betting.text == "rc/"
    env.step_back()
    state, back = env.step_back()  # type: ignore[misc]
    assert (plain_state(state), back) == (plain_state(first), player)
    with pytest.raises(UsageError, match="action 9"):
        env.step(9)
    with pytest.raises(UsageError, match="'call' is not legal"):
        env.step("call", raw_action=True)
    with pytest.raises(UsageError, match="1 agents"):
        env.set_agents([Caller()])
    with pytest.raises(UsageError, match="no hand is dealt"):
        rlcard_env(LEDUC).get_state(0)


# Strategies as agents of RLCard


def decisions_of(game: str, agent: StrategyAgent, count: int) -> Iterator[tuple[Any, Any]]:
    """States of *agent*'s decisions against a random player, and the environment in them."""
    env, random = rlcard_env(game, seed=8), Random(8)
    for _ in range(count):
        state, player = env.reset()
        while not env.is_over():
            if player == 0:
                yield state, env
            number = random.choice(list(state["legal_actions"]))
            state, player = env.step(agent.step(state) if player == 0 else number)


@pytest.mark.parametrize(
    ("game", "strategy"),
    [
        (LEDUC, DCFR),
        (NOLIMIT_2P, "holdem.nolimit.2p.reverse_blinds/cfr_br"),
        (NOLIMIT_3P, "raise"),
        (NOLIMIT_6P, "call"),
        (LIMIT_3P, "random"),
    ],
)
def test_a_strategy_plays_its_own_probabilities(game: str, strategy: str) -> None:
    """Catches hands, bettings and seats that are read wrongly out of a state."""
    loaded = acpcbot.load_strategy(strategy, game=game)
    agent = as_rlcard_agent(loaded, seed=3)
    num_found = 0
    for state, env in decisions_of(game, agent, 25):
        betting, definition = env.betting, env.form.definition
        assert agent.betting(state).text == betting.text
        deal = env.deal
        table = loaded.table(betting, deal.board[: definition.board_size(betting.street)])
        row = table.probabilities[hand_number(definition, deal.hole_cards[betting.actor])]
        found = agent.probabilities(state)
        assert sum(found.values()) == pytest.approx(1)
        assert list(found) == state["raw_legal_actions"]
        calls = sum(p for a, p in zip(table.actions, row, strict=True) if a.text == "c")
        folds = sum(p for a, p in zip(table.actions, row, strict=True) if a.text == "f")
        names = {plain(raw).upper(): chance for raw, chance in found.items()}
        assert names["FOLD"] == pytest.approx(folds)
        if len(names) > 2:  # without a raise to make, a strategy's raise is a call
            called = sum(names.get(word, 0.0) for word in ("CALL", "CHECK", "CHECK_CALL"))
            assert called == pytest.approx(calls)
        num_found += 1
    assert num_found > 20
    assert agent.num_unfollowed == 0, agent.first_unfollowed


def test_a_strategy_draws_by_its_probabilities_and_repeats_itself() -> None:
    """Catches an agent that plays its likeliest action, or forgets its seed."""
    state, _ = next(decisions_of(LEDUC, as_rlcard_agent(DCFR), 5))
    agent, again = as_rlcard_agent(DCFR, seed=2), as_rlcard_agent(DCFR, seed=2)
    drawn = [agent.eval_step(state) for _ in range(1000)]
    assert [again.step(state) for _ in range(100)] == [number for number, _ in drawn[:100]]
    for number, raw in zip(state["legal_actions"], state["raw_legal_actions"], strict=True):
        chance = drawn[0][1]["probs"][raw]
        share = sum(found == number for found, _ in drawn) / len(drawn)
        assert share == pytest.approx(chance, abs=4 * (chance * (1 - chance) / 1000) ** 0.5 + 1e-9)


def test_a_strategy_beats_a_random_player_in_an_environment() -> None:
    env = rlcard_env(LEDUC, seed=6)
    env.set_agents([as_rlcard_agent(DCFR, seed=1), RandomPlayer(2)])
    won = sum(env.run()[1][0] for _ in range(1500))
    assert won > 100  # some 250 in blinds of two antes, with a standard deviation of some 65


def leduc_state(record: list[tuple[int, str]], player: int, board: str | None) -> dict[str, Any]:
    return {
        "raw_obs": {"hand": "SK", "public_card": board, "current_player": player},
        "raw_legal_actions": ["raise", "fold", "check"],
        "action_record": record,
    }


@pytest.mark.parametrize(
    ("record", "player", "betting"),
    [
        # Player 1 opens; here it is position 0, and first on both streets.
        ([(1, "check"), (0, "check")], 1, "cc/"),
        ([(1, "raise"), (0, "call")], 1, "rc/"),
        # Behind three actions player 0 begins the second street there, and position 0 here.
        ([(1, "check"), (0, "raise"), (1, "call")], 0, "crc/c"),
        ([(1, "check"), (0, "raise"), (1, "call"), (0, "raise")], 1, "crc/cr"),
        ([(1, "check"), (0, "raise"), (1, "call"), (0, "check")], 1, "crc/"),
        ([(1, "check"), (0, "raise"), (1, "call"), (0, "check"), (1, "raise")], 0, "crc/r"),
    ],
)
def test_streets_that_the_other_player_begins_are_followed(
    record: list[tuple[int, str]], player: int, betting: str
) -> None:
    """Catches bets of the wrong player: in RLCard whoever is next begins a street."""
    agent = as_rlcard_agent(DCFR)
    board = "HK" if "/" in betting else None
    state = leduc_state(record, player, board)
    assert agent.betting(state).text == betting
    assert sum(agent.probabilities(state).values()) == pytest.approx(1)
    assert agent.num_unfollowed == 0


def test_hands_that_cannot_be_followed_are_called_and_counted() -> None:
    """Catches an error in the middle of a training, and decisions that nobody counts."""
    agent = as_rlcard_agent(DCFR)
    many = leduc_state([(1, "raise"), (0, "raise"), (1, "raise")], 0, None)
    assert agent.probabilities(many) == {"raise": 0.0, "fold": 0.0, "check": 1.0}
    assert agent.eval_step(many)[0] == 3
    assert agent.num_unfollowed == 2
    assert agent.first_unfollowed == "RAISE is not legal after 'rr'"
    agent = as_rlcard_agent(DCFR)
    agent.probabilities(leduc_state([(1, "check")], 0, "HK"))
    assert agent.first_unfollowed == "1 board cards after 'c': expected 0"
    agent.probabilities(leduc_state([(1, "check")], 0, "DK"))
    assert agent.num_unfollowed == 2


def test_strategies_of_another_game_are_refused() -> None:
    with pytest.raises(UsageError, match="plays another game"):
        as_rlcard_agent(DCFR, LIMIT_2P)
    with pytest.raises(UsageError, match="no counterpart in RLCard"):
        as_rlcard_agent("kuhn.limit.2p/dcfr")
    with pytest.raises(UsageError, match="game 'uno' of RLCard"):
        rlcard_definition("uno")
    with pytest.raises(UsageError, match="limit-holdem for 3 players"):
        rlcard_definition("limit-holdem", num_players=3)


# With the library itself


@needs_rlcard
@pytest.mark.parametrize(
    ("name", "num_players", "strategy", "game", "num_hands"),
    [
        ("leduc-holdem", 2, DCFR, None, 300),
        ("limit-holdem", 2, "holdem.limit.2p.reverse_blinds/smooth_uct", None, 100),
        ("no-limit-holdem", 2, "holdem.nolimit.2p.reverse_blinds/cfr_br", None, 30),
        ("limit-holdem", 2, "random", rlcard_definition("limit-holdem"), 100),
        ("no-limit-holdem", 3, "raise", rlcard_definition("no-limit-holdem", num_players=3), 100),
    ],
)
def test_strategies_play_in_rlcards_own_environments(
    name: str, num_players: int, strategy: str, game: Any, num_hands: int
) -> None:
    """Catches states of RLCard itself that cannot be read, and answers that it does not take."""
    import rlcard

    env = rlcard.make(name, {"seed": 4, "game_num_players": num_players})
    ours = as_rlcard_agent(strategy, game)
    decisions = 0
    answer = ours.eval_step

    def counted(state: dict[str, Any]) -> Any:
        nonlocal decisions
        decisions += 1
        return answer(state)

    ours.eval_step = counted  # type: ignore[method-assign]
    others = [RandomPlayer(player) for player in range(1, num_players)]
    env.set_agents([ours, *others])
    total = sum(env.run()[1][0] for _ in range(num_hands))
    assert decisions >= num_hands / 2
    assert ours.num_unfollowed < 0.1 * decisions, ours.first_unfollowed
    if strategy == DCFR:
        assert total > 20  # some 100


@needs_its_agents
def test_rlcards_own_agents_play_at_our_table(tmp_path: Path) -> None:
    """Catches states that its agents do not understand."""
    from rlcard import models
    from rlcard.agents import RandomAgent

    for game, agent in (
        (LEDUC, models.load("leduc-holdem-rule-v2").agents[0]),
        (LIMIT_2P, models.load("limit-holdem-rule-v1").agents[0]),
        (NOLIMIT_6P, RandomAgent(5)),
    ):
        others = ["call"] * (definition_of(game).num_players - 1)
        betting = betting_of([rlcard_agent(agent), *others], game, tmp_path / game)
        assert len(betting) == 40
        env = rlcard_env(game, seed=1)
        env.set_agents([agent] * env.num_players)
        for _ in range(20):
            env.run()


@needs_its_agents
def test_rlcards_tools_take_our_environments() -> None:
    """Catches a method or a shape that its trainers ask for."""
    from rlcard.agents import RandomAgent
    from rlcard.utils import reorganize, tournament

    env = rlcard_env(LEDUC, seed=2)
    env.set_agents([as_rlcard_agent(DCFR), RandomAgent(env.num_actions)])
    first, second = tournament(env, 500)
    assert first == pytest.approx(-second)
    assert first > 0.1
    paths, paid = env.run(is_training=True)
    steps = reorganize(paths, paid)
    rewards = [sum(step[2] for step in steps[player]) for player in range(2) if steps[player]]
    assert rewards == [paid[player] for player in range(2) if steps[player]]
