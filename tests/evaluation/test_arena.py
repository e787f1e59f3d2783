"""Hands between stored policies: means that can be reckoned exactly, and what must hold of any
match.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from math import comb, sqrt
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest

from acpcbot.abstraction.canonical_boards import BOARD_SIZES, canonical_boards
from acpcbot.abstraction.card_abstraction import Abstraction, ExactAbstraction, make_deal_source
from acpcbot.abstraction.deal_sources import NUM_CANONICAL_BOARDS, DealSources
from acpcbot.agents.registry import make_agent
from acpcbot.errors import UsageError
from acpcbot.evaluation.arena import BLOCK, ArenaResult, ArenaScore, arena_bytes, drawn_action, play
from acpcbot.learning.policies import byte_probabilities, greedy_probabilities
from acpcbot.logs.match_log import HandRecord, read_match_log
from acpcbot.matches.in_process import play_in_process
from acpcbot.matches.match_files import MatchFiles
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.rules import CALL, FOLD, RAISE
from acpcbot.random_kernels import seed_state
from acpcbot.strategies.entrants import baseline_policy
from acpcbot.strategies.whole_policy import TablePolicy
from acpcbot.trees.public_tree import (
    LIMIT_INFO,
    LIMIT_SLOT,
    AbstractGame,
    PublicTree,
    build_tree,
    info_kinds,
    info_street,
)
from tests.evaluation.plain_match import PlainMatch, small_deals
from tests.evaluation.toy_abstractions import flop_holdem, toy_abstraction
from tests.support.games import KUHN, LEDUC, LIMIT_2P, definition_of
from tests.support.tables import settings_of

KUHN_3P = "kuhn.limit.3p"
NUM_DEALS = 150_000
NUM_ERRORS = 5

Maker: TypeAlias = Callable[[PublicTree], TablePolicy]


@cache
def tree_of(definition: GameDefinition) -> PublicTree:
    return build_tree(definition)


@cache
def small_tree(name: str) -> PublicTree:
    return build_tree(definition_of(name))


@cache
def exact(name: str) -> ExactAbstraction:
    return ExactAbstraction(definition_of(name))


def random_policy(tree: PublicTree, abstraction: Abstraction, seed: int) -> TablePolicy:
    """A policy of its own for each *seed*; most of its probabilities are far from uniform."""
    game = AbstractGame(tree, abstraction.num_buckets)
    weights = np.random.default_rng(seed).random(game.layout.num_slots) ** 6
    return TablePolicy(
        f"random {seed}", game.num_buckets, byte_probabilities(weights, game), abstraction
    )


def pure_policy(tree: PublicTree, abstraction: Abstraction, seed: int) -> TablePolicy:
    """One that leaves nothing to chance."""
    game = AbstractGame(tree, abstraction.num_buckets)
    means = np.random.default_rng(seed).random(game.layout.num_slots)
    shares = greedy_probabilities(np.ones(len(means)), means, game)
    return TablePolicy(f"pure {seed}", game.num_buckets, shares, abstraction)


def result_of(score: ArenaScore, policy: TablePolicy) -> ArenaResult:
    return next(result for result in score.results if result.name == policy.name)


def seated(name: str, letters: str) -> list[TablePolicy]:
    """Random policies of a small game, equal letters for one and the same, and u for the one
    without cards.
    """
    tree = small_tree(name)
    policies = {
        letter: random_policy(tree, exact(name), ord(letter)) for letter in sorted(set(letters))
    }
    policies["u"] = baseline_policy("random", tree)
    return [policies[letter] for letter in letters]


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        (KUHN, "AB"),
        (LEDUC, "BC"),
        (LEDUC, "AE"),
        (LEDUC, "Fu"),
        (KUHN_3P, "ABC"),
        (KUHN_3P, "BAA"),
        (KUHN_3P, "uuB"),
    ],
)
def test_means_are_those_of_all_hands_reckoned_in_plain_python(name: str, letters: str) -> None:
    """Probabilities of a wrong bucket or node, a wrong child, a seat mixed up, or an error that
    is no such thing.
    """
    entrants = seated(name, letters)
    expected = PlainMatch(definition_of(name)).means_mbb(entrants, small_deals(definition_of(name)))
    score = play(small_tree(name), entrants, NUM_DEALS, seed=1)
    assert [result.name for result in score.results] == list(
        dict.fromkeys(entrant.name for entrant in entrants)
    )
    for result, mean_mbb in zip(score.results, expected, strict=True):
        assert abs(result.mean_mbb - mean_mbb) < NUM_ERRORS * result.standard_error_mbb
    # Not to be met by a policy that plays like another one.
    assert max(map(abs, expected)) > 4 * NUM_ERRORS * max(
        result.standard_error_mbb for result in score.results
    )
    assert score.num_deals == NUM_DEALS
    assert score.num_hands == NUM_DEALS * {"ABC": 6, "BAA": 3, "uuB": 3}.get(letters, 2)


@pytest.mark.parametrize(
    "shares",
    [
        (1, 0, 254),
        (0, 1, 254),
        (254, 1, 0),
        (85, 85, 85),
        (254, 1),
        (127, 128),
        (255, 0),
        (0, 255),
        (255,),
    ],
)
def test_actions_are_drawn_as_often_as_their_shares_say(shares: tuple[int, ...]) -> None:
    """Shares off by one step, or actions of the information set behind this one, which has all
    on the first.
    """
    num_draws = 255 * 100
    policy, state = np.array([255, *shares, 255, 0], np.uint8), seed_state(3)
    before = state.copy()
    counts = np.bincount(
        [int(drawn_action(policy, np.uint64(1), state)) for _ in range(num_draws)], minlength=3
    )
    for count, share in zip(counts.tolist(), (*shares, 0, 0), strict=False):
        assert abs(count - 100 * share) <= NUM_ERRORS * sqrt(100 * share * (255 - share) / 255)
    assert (state == before).all() == (255 in shares)


@pytest.mark.parametrize(("name", "letters"), [(LEDUC, "AB"), (KUHN_3P, "ABC"), (KUHN_3P, "BAA")])
def test_arena_winnings_add_up_to_nothing(name: str, letters: str) -> None:
    entrants = seated(name, letters)
    score = play(small_tree(name), entrants, 10_000, seed=1)
    assert sum(result_of(score, entrant).mean_mbb for entrant in entrants) == pytest.approx(
        0, abs=1e-8
    )


def test_the_order_in_which_entrants_are_named_does_not_matter() -> None:
    """Catches a digit that depends on the order of entrants, where only cards are drawn."""
    tree = small_tree(LEDUC)
    one, other = (pure_policy(tree, exact(LEDUC), seed) for seed in (1, 2))
    forward, backward = (
        play(tree, [one, other], 5_000, seed=3),
        play(tree, [other, one], 5_000, seed=3),
    )
    assert forward.results == backward.results[::-1]
    assert forward.results[0].mean_mbb == -forward.results[1].mean_mbb != 0


def test_equals_who_draw_their_actions_break_even_within_the_error() -> None:
    """Draws that both seats shared, or that favoured the one who draws first, would show."""
    one = random_policy(small_tree(LEDUC), exact(LEDUC), 5)
    result = play(small_tree(LEDUC), [one, replace(one, name="twin")], NUM_DEALS, seed=2).results[0]
    assert 0 < abs(result.mean_mbb) < NUM_ERRORS * result.standard_error_mbb


@pytest.mark.parametrize("name", [KUHN, LEDUC])
def test_equals_who_draw_nothing_break_even_in_every_deal(name: str) -> None:
    one = pure_policy(small_tree(name), exact(name), 5)
    score = play(small_tree(name), [one, replace(one, name="twin")], 1_000, seed=2)
    assert [(result.mean_mbb, result.standard_error_mbb) for result in score.results] == [
        (0, 0),
        (0, 0),
    ]


@pytest.mark.parametrize("letters", ["AA", "AAA"])
def test_one_policy_in_all_seats_wins_nothing(letters: str) -> None:
    name = KUHN if len(letters) == 2 else KUHN_3P
    score = play(small_tree(name), seated(name, letters), 1_000, seed=2)
    assert [result.mean_mbb for result in score.results] == pytest.approx([0], abs=1e-9)
    assert score.num_hands == 1_000


def test_the_number_of_threads_changes_nothing_and_the_seed_does() -> None:
    entrants = seated(LEDUC, "AB")
    scores = [
        play(small_tree(LEDUC), entrants, 2 * BLOCK + 77, seed=4, num_threads=threads)
        for threads in (1, 2, 5)
    ]
    assert scores[0] == scores[1] == scores[2]
    assert play(small_tree(LEDUC), entrants, 2 * BLOCK + 77, seed=5) != scores[0]


def test_no_block_of_deals_repeats_another() -> None:
    """Streams that were the same for every block would leave the result of one where it is,
    however many follow.
    """
    entrants = seated(LEDUC, "AB")
    one, two = (
        play(small_tree(LEDUC), entrants, blocks * BLOCK, seed=4).results[0] for blocks in (1, 2)
    )
    assert one.mean_mbb != two.mean_mbb


def test_progress_is_told_in_order_up_to_the_end() -> None:
    told: list[tuple[int, int]] = []
    num_deals = 2 * BLOCK + 77
    play(
        small_tree(KUHN),
        seated(KUHN, "AB"),
        num_deals,
        seed=1,
        on_progress=lambda *done: told.append(done),
    )
    assert told == [(BLOCK, num_deals), (2 * BLOCK, num_deals), (num_deals, num_deals)]


@pytest.mark.parametrize("num_players", [2, 3])
def test_every_entrant_sees_the_same_cards_through_its_own_abstraction(num_players: int) -> None:
    """The very cards that the dealer dealt, played again in plain Python: equal but for
    rounding.
    """
    definition = flop_holdem(num_players)
    tree, dealer = tree_of(definition), DealSources(definition)
    abstractions = [
        toy_abstraction(look) for look in ("paired", "high board", "paired")[:num_players]
    ]
    entrants = [
        pure_policy(tree, abstraction, seed) for seed, abstraction in enumerate(abstractions)
    ]
    num_deals = 64
    cards = np.empty((num_deals, definition.cards_per_hand), np.uint8)
    source = dealer.source(abstractions[0])
    source.draw_cards(cards, seed_state(9, 0))  # type: ignore[union-attr]
    holes = 2 * num_players
    deals = [
        ([row[seat : seat + 2] for seat in range(0, holes, 2)], row[holes:])
        for row in cards.tolist()
    ]
    expected = PlainMatch(definition).means_mbb(entrants, deals)
    score = play(tree, entrants, num_deals, seed=9, deal_sources=dealer)
    assert [result.mean_mbb for result in score.results] == pytest.approx(expected, abs=1e-6)
    assert len(set(expected)) == num_players


def folding_to_low_boards(tree: PublicTree) -> TablePolicy:
    """Calls, but folds to a bet on a flop without a king or an ace."""
    abstraction = toy_abstraction("high board")
    layout = AbstractGame(tree, abstraction.num_buckets).layout
    preflop, flop = np.split(baseline_policy("call", tree).probabilities, [layout.row_widths[0]])
    afraid = np.split(baseline_policy("fold", tree).probabilities, [layout.row_widths[0]])[1]
    shares = np.concatenate([np.tile(preflop, abstraction.num_buckets[0]), afraid, flop])
    return TablePolicy("fearful", abstraction.num_buckets, shares, abstraction)


def test_deals_that_share_a_board_are_one_sample() -> None:
    """The board alone decides: two big blinds lost on low ones, and nothing in sum on others.

    Errors from single deals would be four times too small.
    """
    definition = flop_holdem()
    tree = tree_of(definition)
    score = play(
        tree, [folding_to_low_boards(tree), baseline_policy("raise", tree)], 32_000 - 15, seed=6
    )
    assert (score.num_deals, score.num_hands) == (32_000, 64_000)
    low = comb(44, 3) / comb(52, 3)
    result, error_mbb = score.results[0], 2_000 * sqrt(low * (1 - low) / 2_000)
    assert result.standard_error_mbb == pytest.approx(error_mbb, rel=0.05)
    assert abs(result.mean_mbb + 2_000 * low) < NUM_ERRORS * error_mbb


def played_by_agents(names: Sequence[str], num_hands: int, folder: Path) -> tuple[float, float]:
    """The first agent's mean in mbb and its error, over hands that were each dealt once."""
    settings = replace(settings_of(LIMIT_2P, num_hands), name=str(folder / "m"))
    definition = settings.definition
    files = MatchFiles(settings.name, keeps_log=True, keeps_transactions=False, appends=False)
    play_in_process(settings, [make_agent(name, definition, 1) for name in names], files)
    files.close()
    hands = [
        entry
        for entry in read_match_log(f"{settings.name}.log", definition)
        if isinstance(entry, HandRecord)
    ]
    first = settings.player_names[0]
    won = (
        np.array([hand.values[hand.names.index(first)] for hand in hands])
        * 1000
        / definition.big_blind
    )
    return float(won.mean()), float(won.std(ddof=1) / sqrt(num_hands))


@pytest.mark.parametrize("rival", ["raise", "call", "fold"])
def test_baselines_fare_as_the_agents_of_the_same_names(rival: str, tmp_path: Path) -> None:
    tree = small_tree(LIMIT_2P)
    result = play(
        tree, [baseline_policy("random", tree), baseline_policy(rival, tree)], 100_000, seed=1
    ).results[0]
    mean_mbb, error_mbb = played_by_agents(["random", rival], 1_000, tmp_path)
    assert abs(result.mean_mbb - mean_mbb) < NUM_ERRORS * sqrt(
        error_mbb**2 + result.standard_error_mbb**2
    )


def test_a_caller_and_a_raiser_put_in_the_same_and_break_even_in_every_deal() -> None:
    tree = small_tree(LIMIT_2P)
    score = play(
        tree, [baseline_policy("call", tree), baseline_policy("raise", tree)], 1_000, seed=1
    )
    assert [(result.mean_mbb, result.standard_error_mbb) for result in score.results] == [
        (0, 0),
        (0, 0),
    ]


@pytest.mark.parametrize("game", [KUHN, LEDUC, KUHN_3P])
@pytest.mark.parametrize(
    ("name", "preferred"), [("call", CALL), ("raise", RAISE), ("fold", FOLD), ("random", None)]
)
def test_baselines_take_the_actions_that_they_are_named_for(
    game: str, name: str, preferred: int | None
) -> None:
    tree = small_tree(game)
    policy = baseline_policy(name, tree)
    row_starts = [0, *np.cumsum(tree.size.num_slots).tolist()]
    for record in tree.nodes.tolist():
        kinds = [kind for kind in range(3) if info_kinds(record[LIMIT_INFO]) >> kind & 1]
        chosen = preferred if preferred in kinds else CALL
        expected = [255 * (kind == chosen) for kind in kinds]
        if preferred is None:
            expected = {2: [127, 128], 3: [85, 85, 85]}[len(kinds)]
        first = row_starts[info_street(record[LIMIT_INFO])] + record[LIMIT_SLOT]
        assert policy.probabilities[first : first + len(kinds)].tolist() == expected
    assert policy.num_buckets == (1,) * tree.definition.num_streets


def test_a_dealer_makes_the_tables_of_equal_abstractions_once() -> None:
    dealer = DealSources(flop_holdem())
    source = dealer.source(toy_abstraction("paired"))
    assert dealer.source(toy_abstraction("paired")) is source
    assert dealer.source(toy_abstraction("high board")) is not source
    assert dealer.source(None) is not source
    assert dealer.source(None) is dealer.source(None)


def test_a_dealer_uses_the_tables_that_it_is_given() -> None:
    definition, abstraction = flop_holdem(), toy_abstraction("paired")
    dealer, source = DealSources(definition), make_deal_source(definition, abstraction)
    dealer.adopt(abstraction, source)
    assert dealer.source(toy_abstraction("paired")) is source
    tree = tree_of(definition)
    entrants = [random_policy(tree, abstraction, 1), baseline_policy("raise", tree)]
    assert play(tree, entrants, 640, seed=1, deal_sources=dealer) == play(
        tree, entrants, 640, seed=1
    )


def test_entrants_of_another_game_are_refused() -> None:
    tree = small_tree(LEDUC)
    one, other = seated(LEDUC, "AB")
    odd = one.probabilities.copy()
    odd[7] ^= np.uint8(1)
    kuhn = baseline_policy("call", small_tree(KUHN))
    for entrants in (
        [one],
        [one, other, one],
        [one, kuhn],
        [one, replace(other, probabilities=odd)],
        [one, replace(other, probabilities=odd[:-1])],
        [one, replace(other, abstraction=None)],
        [one, replace(other, num_buckets=(3, 8))],
    ):
        with pytest.raises(UsageError):
            play(tree, entrants, 10, seed=1)
    with pytest.raises(UsageError, match="another game"):
        play(tree, [one, other], 10, seed=1, deal_sources=DealSources(definition_of(KUHN)))


def test_memory_is_predicted_to_the_byte() -> None:
    definition = flop_holdem()
    tree, seen = tree_of(definition), toy_abstraction("paired")
    policies = [
        pure_policy(tree, seen, 1),
        pure_policy(tree, toy_abstraction("paired"), 2),
        baseline_policy("random", tree),
    ]
    arrays = [tree.nodes, *seen.tables(), *[policy.probabilities for policy in policies]]
    predicted = arena_bytes(definition, [policy.abstraction for policy in policies])
    assert predicted == sum(array.nbytes for array in arrays)
    assert [len(canonical_boards(size)) for size in BOARD_SIZES] == list(NUM_CANONICAL_BOARDS)
