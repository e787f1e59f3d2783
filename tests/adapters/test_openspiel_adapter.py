"""OpenSpiel's own algorithms and bots on our strategies, and its policies and bots at our table."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import acpcbot
from acpcbot.cards.deck import format_cards, parse_cards
from acpcbot.errors import UsageError
from acpcbot.logs.entries import HandRecord
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.hands import hand_number, hands_without
from tests.support.games import (
    KUHN,
    LEDUC,
    LEDUC_NOLIMIT,
    LIMIT_2P,
    LIMIT_3P,
    NOLIMIT_6P,
    SHORT_LIMIT_3P,
    definition_of,
)
from tests.support.oracle import oracle_game

pytest.importorskip("pyspiel")

import pyspiel
from open_spiel.python import policy as spiel_policies
from open_spiel.python.algorithms import exploitability as spiel_exploitability

from acpcbot.adapters.openspiel import (
    as_openspiel_bot,
    bot_agent,
    policy_agent,
    policy_of,
    spiel_game,
    strategy_of,
)
from acpcbot.research.openspiel import SpielRules, spiel_definition

DCFR = "leduc.limit.2p/dcfr"
UNIVERSAL_LEDUC = "universal_poker of Leduc"
CFR_ITERATIONS = 30


def game_called(name: str) -> Any:
    """The game *name* of OpenSpiel, or Leduc poker as ``universal_poker``."""
    return oracle_game(LEDUC) if name == UNIVERSAL_LEDUC else pyspiel.load_game(name)


@pytest.mark.parametrize(
    ("name", "strategy"),
    [
        ("leduc_poker", DCFR),
        ("leduc_poker", f"{DCFR}?play=purified"),
        (UNIVERSAL_LEDUC, DCFR),
        ("kuhn_poker", "kuhn.limit.2p/dcfr"),
        ("kuhn_poker(players=3)", "kuhn.limit.3p/dcfr"),
    ],
)
def test_openspiels_nash_conv_of_a_strategy_is_our_own(name: str, strategy: str) -> None:
    """Catches cards, actions, seats or chips that stand for others: blinds are one chip here."""
    game = game_called(name)
    found = spiel_exploitability.nash_conv(game, policy_of(strategy, game))
    ours = acpcbot.exploitability(strategy)
    chips = ours.nash_conv_mbb / 1000 * definition_of(ours.game_name).big_blind
    assert found == pytest.approx(chips, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize(("strategy", "nash_conv"), [("random", 4.747222222), ("fold", 2.0)])
def test_baselines_of_leduc_poker_have_their_known_nash_conv(
    strategy: str, nash_conv: float
) -> None:
    """Catches units: independent implementations give these, in antes.

    A fold that costs nothing is a check, so that folding loses the ante and no more.
    """
    game = pyspiel.load_game("leduc_poker")
    found = spiel_exploitability.nash_conv(game, policy_of(strategy, game))
    assert found == pytest.approx(nash_conv, abs=1e-6)


def test_algorithms_in_cpp_take_a_policy_by_its_table() -> None:
    """Catches a policy that lacks information states or legal actions."""
    game = pyspiel.load_game("leduc_poker")
    policy = policy_of(DCFR, game)
    table = spiel_policies.python_policy_to_pyspiel_policy(policy.to_tabular())
    python = spiel_exploitability.nash_conv(game, policy)
    assert pyspiel.nash_conv(game, table) == pytest.approx(python, abs=1e-12)


def random_states(game: Any, random: Random, count: int) -> list[Any]:
    """Decisions of random hands."""
    states: list[Any] = []
    while len(states) < count:
        state = game.new_initial_state()
        while not state.is_terminal():
            if not state.is_chance_node():
                states.append(state.clone())
            state.apply_action(random.choice(state.legal_actions()))
    return states


@pytest.mark.parametrize("name", [LEDUC, LEDUC_NOLIMIT, LIMIT_2P, LIMIT_3P, NOLIMIT_6P])
def test_positions_are_those_that_openspiel_writes_down(name: str) -> None:
    """Catches cards or bets that are read as others: OpenSpiel's own text of a state tells them."""
    game, random = oracle_game(name), Random(5)
    spiel_rules = SpielRules(game)
    definition = spiel_rules.definition
    assert definition == definition_of(name)
    shift = min(definition.deck)  # OpenSpiel's deck has the lowest cards, ours the highest
    for state in random_states(game, random, 200):
        position = spiel_rules.position(state)
        text = state.information_state_string()
        found = dict(re.findall(r"\[(\w+):? ([^\]]*)\]", text))
        betting = "/".join(found["Sequences"].split("|"))
        assert position.betting.text.rstrip("/") == betting.rstrip("/")
        assert position.betting.actor == state.current_player()
        own = position.hole_cards[position.betting.actor]
        for key, cards in (("Private", own), ("Public", position.board)):
            shifted = format_cards([card - shift for card in cards])
            told = found[key]
            assert {shifted[i : i + 2] for i in range(0, len(shifted), 2)} == {
                told[i : i + 2] for i in range(0, len(told), 2)
            }
        again = spiel_rules.state(position)
        assert again.history() == state.history()


@pytest.mark.parametrize(
    ("name", "strategy", "count"),
    [
        (LEDUC_NOLIMIT, "leduc.nolimit.2p/external_sampling", 200),
        pytest.param(
            LIMIT_2P,
            "holdem.limit.2p.reverse_blinds/external_sampling",
            100,
            marks=pytest.mark.slow,
        ),
    ],
)
def test_probabilities_are_those_of_the_strategy(name: str, strategy: str, count: int) -> None:
    """Catches rows of another hand, and raises of other sizes."""
    loaded = acpcbot.load_strategy(strategy)
    game = oracle_game(name)
    policy = policy_of(loaded, game)
    for state in random_states(game, Random(3), count):
        found = policy.action_probabilities(state)
        assert sum(found.values()) == pytest.approx(1)
        assert set(found) <= set(state.legal_actions())
        position = policy.rules.position(state)
        table = loaded.table(position.betting, position.board)
        own = position.hole_cards[state.current_player()]
        row = table.probabilities[hand_number(loaded.definition, own)]
        played = {
            "fold" if action.text == "f" else "call" if action.text == "c" else action.raise_to: p
            for action, p in zip(table.actions, row.tolist(), strict=True)
        }
        for number, probability in found.items():
            kind = ("fold", "call")[number] if number < 2 else number
            expected = played.get(kind, played.get(0, 0.0) if number == 2 else 0.0)
            assert probability == pytest.approx(expected, abs=1e-6)


def test_a_bot_draws_from_its_policy_and_repeats_itself() -> None:
    """Catches a bot that plays its likeliest action, or forgets its seed."""
    game = pyspiel.load_game("leduc_poker")
    state = game.new_initial_state()
    state.apply_action(2)
    state.apply_action(0)
    bot = as_openspiel_bot(DCFR, game, 0, seed=7)
    expected = dict(bot.get_policy(state))
    drawn = [bot.step(state) for _ in range(2000)]
    for action, probability in expected.items():
        deviation = (probability * (1 - probability) / len(drawn)) ** 0.5
        assert drawn.count(action) / len(drawn) == pytest.approx(
            probability, abs=4 * deviation + 1e-9
        )
    again = as_openspiel_bot(DCFR, game, 0, seed=7)
    assert [again.step(state) for _ in range(100)] == drawn[:100]
    assert len(set(drawn)) == 2


def test_openspiel_plays_whole_games_with_our_bots() -> None:
    """Catches methods that OpenSpiel calls and a bot lacks."""
    game = pyspiel.load_game("leduc_poker")
    bots = [as_openspiel_bot(DCFR, game, seat, seed=seat) for seat in range(2)]
    totals = np.zeros(2)
    for seed in range(300):
        totals += pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
    assert totals.sum() == 0
    assert totals[0] != 0
    assert all(bot.provides_policy() for bot in bots)


def test_a_policy_of_openspiel_comes_back_as_the_strategy_that_it_was() -> None:
    """Catches hands in another order on the way back, and cards of the wrong board."""
    strategy = acpcbot.load_strategy(DCFR)
    game = spiel_game(strategy.definition)
    back = strategy_of(policy_of(strategy, game), game)
    for betting, board in (("", ""), ("rc/", "Qs"), ("crrc/cr", "Kh"), ("cr", "")):
        state = BettingRules(strategy.definition).parse(betting)
        cards = parse_cards(board)
        ours, theirs = strategy.table(state, cards), back.table(state, cards)
        free = hands_without(strategy.definition, cards)
        assert ours.actions == theirs.actions
        assert theirs.probabilities[free] == pytest.approx(ours.probabilities[free], abs=1e-6)
        assert not theirs.probabilities[~free].any()


def test_our_exploitability_of_openspiels_cfr_is_its_own() -> None:
    """Catches a way back that differs from the way there."""
    game = pyspiel.load_game("leduc_poker")
    solver = pyspiel.CFRSolver(game)
    for _ in range(CFR_ITERATIONS):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    found = acpcbot.exploitability(strategy_of(policy, game, "CFR"))
    assert found.strategy == "CFR"
    expected = pyspiel.nash_conv(game, policy)
    assert expected > 0.1
    assert found.nash_conv_mbb == pytest.approx(1000 * expected, rel=1e-6)


class ListeningBot(pyspiel.Bot):  # type: ignore[misc]
    """A bot that calls, and notes what it is told."""

    def __init__(self, player: int) -> None:
        super().__init__()
        self.player = player
        self.hands: list[list[tuple[int, int]]] = []
        self.seen: list[tuple[int, ...]] = []

    def restart(self) -> None:
        self.hands.append([])

    def inform_action(self, state: Any, player: int, action: int) -> None:
        assert state.current_player() == player != self.player
        assert action in state.legal_actions()
        self.hands[-1].append((player, action))

    def step(self, state: Any) -> int:
        assert state.current_player() == self.player
        self.hands[-1].append((self.player, 1))
        position = SpielRules(state.get_game()).position(state)
        self.seen.append((*position.hole_cards[self.player], *position.board))
        return 1


def hands_of(result: Any) -> list[HandRecord]:
    return [
        hand
        for log in result.logs
        for hand in acpcbot.read_match_log(log)
        if isinstance(hand, HandRecord)
    ]


@pytest.mark.parametrize("game", [KUHN, LEDUC, LEDUC_NOLIMIT, LIMIT_3P])
def test_a_bot_is_told_of_every_action_and_sees_its_own_cards(game: str, tmp_path: Path) -> None:
    """Catches actions that are told twice, not at all, or of another hand; and cards that leak."""
    bots: list[ListeningBot] = []

    def listening(spiel: Any, player: int, seed: int) -> ListeningBot:
        bots.append(ListeningBot(player))
        return bots[-1]

    definition = definition_of(game)
    others = ["random"] * (definition.num_players - 1)
    result = acpcbot.play_match(
        [bot_agent(listening), *others], game=game, hands=60, folder=tmp_path / "match"
    )
    assert result.num_fallbacks == 0, result.first_fallback
    assert sorted(bot.player for bot in bots) == list(range(definition.num_players))
    spiel_rules = SpielRules(spiel_game(definition))
    told = {bot.player: iter(bot.hands) for bot in bots}
    seen = {bot.player: iter(bot.seen) for bot in bots}
    for hand in hands_of(result):
        position = (0 - hand.hand_id) % definition.num_players
        steps = list(hand.betting.decisions())
        own = [place for place, (before, _) in enumerate(steps) if before.actor == position]
        if not own:
            continue  # never asked, so never told
        expected = [
            (before.actor, spiel_rules.number(before, action))
            for before, action in steps[: own[-1] + 1]
        ]
        assert next(told[position]) == expected
        for place in own:
            board = hand.deal.board[: definition.board_size(steps[place][0].street)]
            assert next(seen[position]) == (*hand.deal.hole_cards[position], *board)
    assert not any(list(rest) for rest in (*told.values(), *seen.values()))


def test_a_guess_of_hidden_cards_never_holds_what_is_seen(tmp_path: Path) -> None:
    """Catches hidden cards that are drawn from all cards, the true ones, or the same each time."""
    guesses: set[str] = set()

    class Guessing(ListeningBot):
        def step(self, state: Any) -> int:
            guesses.add(str(state.history()[:2]))
            return super().step(state)

    result = acpcbot.play_match(
        [bot_agent(lambda game, player, seed: Guessing(player)), "call"],
        game=LEDUC,
        hands=200,
        folder=tmp_path / "match",
    )
    assert result.num_fallbacks == 0, result.first_fallback
    assert len(guesses) == 30  # all ordered pairs of six cards


def test_openspiels_search_beats_a_random_player_at_our_table(tmp_path: Path) -> None:
    """Catches states that mislead a bot: cards or seats of the other player."""

    def ismcts(game: Any, player: int, seed: int) -> Any:
        return pyspiel.ISMCTSBot(seed, pyspiel.RandomRolloutEvaluator(1, seed), 5.0, 200)

    result = acpcbot.play_match(
        [bot_agent(ismcts), "random"], game=LEDUC, hands=300, duplicate=True, folder=tmp_path / "m"
    )
    assert result.num_fallbacks == 0
    assert result["ismcts"].mean_mbb > result["ismcts"].half_width_mbb


def test_a_maker_in_a_file_is_an_agent_by_name(tmp_path: Path) -> None:
    """Catches a maker that the command line does not take: it is named as a class is."""
    program = tmp_path / "my_bots.py"
    program.write_text(
        "import pyspiel\n"
        "from acpcbot.adapters.openspiel import bot_agent\n"
        "def uniform(game, player, seed):\n"
        "    return pyspiel.make_uniform_random_bot(player, seed)\n"
        "uniform_bot = bot_agent(uniform)\n",
        encoding="utf-8",
    )
    result = acpcbot.play_match(
        [f"{program}:uniform_bot", "call"], game=LEDUC, hands=20, folder=tmp_path / "match"
    )
    assert result.num_fallbacks == 0


def test_a_policy_agent_plays_a_policy_and_is_recorded(tmp_path: Path) -> None:
    """Catches an agent that cannot be recorded: averages over its hands need its odds with all."""
    policy = pyspiel.TabularPolicy(acpcbot.load_strategy(DCFR).openspiel_policy())
    result = acpcbot.play_match(
        [policy_agent(policy), "random"], game=LEDUC, hands=200, folder=tmp_path / "match"
    )
    assert result.num_fallbacks == 0
    scores = acpcbot.aivat(result.folder)
    assert scores["TabularPolicy"]["imaginary observations"].num_hands == 200


def test_a_bot_that_answers_nonsense_is_replaced_by_the_fallback(tmp_path: Path) -> None:
    """Catches an illegal number that is taken for a legal action."""

    class Nonsense(ListeningBot):
        def step(self, state: Any) -> int:
            return 17

    result = acpcbot.play_match(
        [bot_agent(lambda game, player, seed: Nonsense(player)), "call"],
        game=LEDUC,
        hands=5,
        folder=tmp_path / "match",
    )
    assert result.num_fallbacks > 0
    assert "OpenSpiel's action 17 is not legal" in result.first_fallback


def with_settings(name: str, **changes: Any) -> Any:
    game = oracle_game(name)
    return pyspiel.load_game("universal_poker", {**game.get_parameters(), **changes})


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: pyspiel.load_game("tic_tac_toe"), "tic_tac_toe of OpenSpiel has no counterpart"),
        (lambda: pyspiel.load_game("leduc_poker(players=3)"), "leduc_poker for 3 players"),
        (lambda: pyspiel.load_game("kuhn_poker(players=5)"), "kuhn_poker for 5 players"),
        (lambda: pyspiel.load_game("leduc_poker(suit_isomorphism=True)"), "suit_isomorphism"),
        (lambda: with_settings(LEDUC_NOLIMIT, bettingAbstraction="fcpa"), "has other bets"),
        (lambda: with_settings(LIMIT_2P, bettingAbstraction="fchpa"), "has other bets"),
        (lambda: with_settings(LEDUC_NOLIMIT, potSize=500), "potSize"),
    ],
)
def test_games_that_differ_are_refused(make: Any, words: str) -> None:
    """Catches a policy of another game, which would be wrong in silence."""
    with pytest.raises(UsageError, match=words):
        policy_of("call", make())


def test_strategies_and_players_of_another_game_are_refused() -> None:
    with pytest.raises(UsageError, match="plays another game"):
        policy_of(DCFR, "kuhn_poker")
    with pytest.raises(UsageError, match="player 2 of a game for 2"):
        as_openspiel_bot(DCFR, "leduc_poker", 2)
    game = pyspiel.load_game("leduc_poker")
    state = game.new_initial_state()
    state.apply_action(2)
    state.apply_action(0)
    with pytest.raises(UsageError, match="player 1 is asked to act"):
        policy_of(DCFR, game).action_probabilities(state, 1)
    with pytest.raises(UsageError, match="a limit game with stacks"):
        spiel_game(definition_of(SHORT_LIMIT_3P))


@pytest.mark.parametrize(
    "name", [KUHN, "kuhn.limit.3p", LEDUC, LEDUC_NOLIMIT, LIMIT_2P, LIMIT_3P, NOLIMIT_6P]
)
def test_a_definition_comes_back_from_openspiel(name: str) -> None:
    """Catches settings that are lost on the way: blinds, stacks, first players, raises."""
    definition = definition_of(name)
    assert spiel_definition(spiel_game(definition)) == definition
    assert spiel_definition(oracle_game(name)) == definition


def test_without_openspiel_the_import_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Catches a traceback where a sentence would do."""
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "acpcbot.adapters.openspiel")
    with pytest.raises(UsageError, match="needs OpenSpiel") as caught:
        importlib.import_module("acpcbot.adapters.openspiel")
    assert "acpcbot[openspiel]" in caught.value.hint
