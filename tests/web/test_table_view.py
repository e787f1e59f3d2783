"""Pictures of hands and choices at the table, against the rule book."""

from __future__ import annotations

from random import Random

import pytest

from acpcbot.cards.deck import format_cards, parse_cards
from acpcbot.errors import IllegalAction
from acpcbot.poker.actions import CALLING, FOLDING, raising
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.dealing import Dealing
from acpcbot.poker.definition import with_stacks
from acpcbot.poker.payoffs import payoffs
from acpcbot.web.choices import choices, parse_choice
from acpcbot.web.table_view import (
    Cards,
    TableSeats,
    finished_views,
    frames,
    plain_words,
    table_view,
)
from tests.protocol.log_making import played_out
from tests.support.games import ALL_GAMES, LEDUC, NOLIMIT_2P, NOLIMIT_6P, rules_of

HIDDEN = Cards([(), ()], parse_cards("9h9cAd4s3c"))
NAMES = ("Ann", "Bob", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ivy", "Jo")


@pytest.mark.parametrize("game", ALL_GAMES)
def test_the_views_of_a_hand_follow_the_rule_book(game: str) -> None:
    """Catches chips that come from nowhere, cards shown too early, and a board that jumps."""
    rules, random = rules_of(game), Random(game)
    definition, dealing = rules.definition, Dealing(rules.definition, 3)
    seats = range(definition.num_players)
    for _ in range(30):
        betting, deal = played_out(random, rules), dealing.next_deal()
        values = payoffs(betting, deal.hole_cards, deal.board)
        company = TableSeats(
            NAMES[: definition.num_players], tuple([(seat + 1) % len(seats) for seat in seats])
        )
        scenes = finished_views(betting, company, Cards(deal.hole_cards, deal.board), values)
        for scene in scenes:
            assert scene["pot"] == sum(seat["spent"] for seat in scene["seats"])
            assert all(0 <= seat["bet"] <= seat["spent"] for seat in scene["seats"])
            assert [seat["place"] for seat in scene["seats"]] == list(seats)
        boards = [len(scene["board"]) // 2 for scene in scenes]
        sizes = [definition.board_size(street) for street in range(betting.street + 1)]
        assert list(dict.fromkeys(boards)) == list(dict.fromkeys(sizes))
        assert boards == sorted(boards)
        last = scenes[-1]
        assert [last["seats"][company.places[seat]]["won"] for seat in seats] == list(values)
        num_actions = sum(1 for _ in betting.decisions())
        assert len(scenes) == 1 + num_actions + betting.street + 1


def test_captions_read_like_poker() -> None:
    """Catches amounts of the whole hand where those of the street are meant."""
    betting = rules_of(NOLIMIT_2P).parse("cr300c/cr600r1500c/cc/r2000f")
    assert [plain_words(step.caption) for step in frames(betting, ("Ann", "Bob"))] == [
        "The cards are dealt.",
        "Bob calls 50.",
        "Ann raises to 300.",
        "Bob calls 200.",
        "The flop is dealt.",
        "Ann checks.",
        "Bob bets 300.",
        "Ann raises to 1,200.",
        "Bob calls 900.",
        "The turn is dealt.",
        "Ann checks.",
        "Bob checks.",
        "The river is dealt.",
        "Ann bets 500.",
        "Bob folds.",
    ]


def test_a_showdown_names_hands_and_lifts_the_winning_one() -> None:
    """Known values: the winner's five cards, on the board and in the hand, and nobody else's."""
    betting = rules_of(NOLIMIT_2P).parse("r300c/cr600c/cc/cc")
    hole_cards = [parse_cards("KsKd"), parse_cards("Ah2c")]
    board = parse_cards("9h9cAd4s3c")
    values = payoffs(betting, hole_cards, board)
    last = finished_views(
        betting, TableSeats(("Ann", "Bob"), (0, 1)), Cards(hole_cards, board), values
    )[-1]
    assert [seat["made"] for seat in last["seats"]] == [
        "two pair, kings and nines",
        "two pair, aces and nines",
    ]
    assert set(parse_cards(last["lifted"])) == set(parse_cards("Ah9h9cAd4s"))
    assert plain_words(last["caption"]) == "Bob wins 600 (two pair, aces and nines)."


def test_nobody_shows_a_hand_without_a_showdown() -> None:
    """Catches a name of a hand where all others have folded, or of one that has folded."""
    rules = rules_of(NOLIMIT_6P)
    deal = Dealing(rules.definition, 5).next_deal()
    cards, seats = Cards(deal.hole_cards, deal.board), TableSeats(NAMES[:6], tuple(range(6)))
    for text, num_shown in (("ffffr300f", 0), ("ffffcc/r200c/cc/cc", 2)):
        betting = rules.parse(text)
        values = payoffs(betting, deal.hole_cards, deal.board)
        last = finished_views(betting, seats, cards, values)[-1]
        assert sum(bool(seat["made"]) for seat in last["seats"]) == num_shown
        assert bool(last["lifted"]) == bool(num_shown)


def test_bets_are_shares_of_the_pot_as_it_would_be_after_a_call() -> None:
    """Known values: 100 into 200, a raise to 400 over it, and a call, which is no bet."""
    betting = rules_of(NOLIMIT_2P).parse("cc/r200r500c/")
    shares = [
        [
            seat["share"]
            for seat in table_view(step, TableSeats(("A", "B"), (0, 1)), HIDDEN)["seats"]
        ]
        for step in frames(betting, ("A", "B"))
    ]
    # Raises are over the whole hand, in which each has put 100 in before the flop.
    assert shares[-4:] == [[0.5, None], [0.5, 0.75], [None, 0.75], [None, None]]


def test_the_button_is_the_small_blinds_with_two_players() -> None:
    """Catches a button at another seat than the one that acts last after the flop."""
    for game, button in ((NOLIMIT_2P, 1), (NOLIMIT_6P, 5), (LEDUC, 1)):
        rules = rules_of(game)
        count = rules.definition.num_players
        seating = TableSeats(NAMES[:count], tuple(range(count)))
        cards = Cards([()] * count, ())
        view = table_view(frames(rules.start, seating.names)[0], seating, cards)
        assert [seat["isButton"] for seat in view["seats"]] == [
            seat == button for seat in range(count)
        ]


def spent_before(betting: BettingState) -> int:
    return frames(betting, NAMES)[-1].before[betting.actor]


@pytest.mark.parametrize("game", ALL_GAMES)
def test_choices_are_what_the_rule_book_allows(game: str) -> None:
    """Catches a bound or a preset that would be refused, and one that is missing."""
    rules, random = rules_of(game), Random(game)
    for _ in range(40):
        for betting, _ in played_out(random, rules).decisions():
            found, legal = choices(betting, spent_before(betting)), betting.raise_range
            assert found["fold"] == betting.can_act(FOLDING)
            assert found["call"] == betting.to_call
            assert (found["raise"] is None) == (legal is None)
            if legal is None or rules.definition.is_limit:
                continue
            assert (found["raise"]["least"], found["raise"]["most"]) == legal
            sizes = [preset["to"] for preset in found["raise"]["presets"]]
            assert sizes == sorted(set(sizes))
            assert sizes[-1] == legal[1]
            assert all(betting.can_act(raising(size)) for size in sizes)


def test_bet_presets_are_shares_of_the_pot() -> None:
    """Known values: after a bet of 300 into 600 the pot after a call is 1,200."""
    found = choices(rules_of(NOLIMIT_2P).parse("r300c/r600"), 300)["raise"]
    sizes = {preset["name"]: preset["to"] for preset in found["presets"]}
    assert sizes == {"⅓ pot": 1000, "⅔ pot": 1400, "½ pot": 1200, "pot": 1800, "all-in": 20000}
    assert found["word"] == "raise"
    assert choices(rules_of(NOLIMIT_2P).parse("r300c/"), 300)["raise"]["word"] == "bet"


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("", {"2 bb": 200, "2.5 bb": 250, "3 bb": 300, "4 bb": 400, "all-in": 20000}),
        ("c", {"2 bb": 200, "2.5 bb": 250, "3 bb": 300, "4 bb": 400, "all-in": 20000}),
        ("r300", {"⅓ pot": 500, "½ pot": 600, "⅔ pot": 700, "pot": 900, "all-in": 20000}),
    ],
)
def test_the_first_raise_is_sized_in_big_blinds(text: str, sizes: dict[str, int]) -> None:
    """Known values: a raise over a raise is a share of the pot again, as are bets later on."""
    betting = rules_of(NOLIMIT_2P).parse(text)
    found = choices(betting, spent_before(betting))["raise"]
    assert {preset["name"]: preset["to"] for preset in found["presets"]} == sizes


def test_a_short_stack_can_win_what_it_matches() -> None:
    """Known values: a call of 400 all-in against a bet of 1,000 wins 100 of before and 400."""
    definition = with_stacks(rules_of(NOLIMIT_2P).definition, (20000, 500))
    betting = BettingRules(definition).parse("cc/r1100")
    found = choices(betting, 100)
    assert (found["call"], found["pot"], found["winnable"]) == (400, 1200, 600)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "r",
        "f",
        "c1",
        "r99",
        "r20001",
        "r-300",
        "r٣٠٠",
        "r0300",
        "r300 ",
        "cc",
        "r9999999999",
    ],
)
def test_an_illegal_action_is_refused(text: str) -> None:
    """Catches text that becomes an action although it is none.

    Where nothing is to call nobody folds.
    """
    with pytest.raises(IllegalAction):
        parse_choice(text, rules_of(NOLIMIT_2P).parse("cc/"))


def test_legal_actions_are_taken_as_they_are_spelt() -> None:
    """Catches sizes that change on the way."""
    betting = rules_of(NOLIMIT_6P).start
    assert [parse_choice(text, betting) for text in ("f", "c", "r250")] == [
        FOLDING,
        CALLING,
        raising(250),
    ]
    assert parse_choice("r", rules_of(LEDUC).start).text == "r"


def test_cards_are_as_on_the_wire() -> None:
    """Catches another spelling of cards than the page reads."""
    rules = rules_of(NOLIMIT_2P)
    deal = Dealing(rules.definition, 1).next_deal()
    scenes = finished_views(
        rules.parse("cc/cc/cc/cc"),
        TableSeats(("A", "B"), (0, 1)),
        Cards(deal.hole_cards, deal.board),
        (0, 0),
    )
    assert scenes[-1]["board"] == format_cards(deal.board)
    assert scenes[0]["seats"][1]["cards"] == format_cards(deal.hole_cards[1])
