"""Names of made hands, against an independent evaluator and known hands."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from pokerkit import Card, Hand, StandardHighHand

from acpcbot.cards import any_strength
from acpcbot.cards.deck import format_cards, parse_cards
from acpcbot.cards.hand_names import made_hand

NAMES = dict(
    zip(
        "23456789TJQKA",
        [
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "jack",
            "queen",
            "king",
            "ace",
        ],
        strict=True,
    )
)


def plural(rank: str) -> str:
    return "sixes" if rank == "6" else f"{NAMES[rank]}s"


def expected_name(label: str, text: str) -> str:
    """Return the name of the five cards of *text*, which another evaluator labels so."""
    order = "23456789TJQKA"
    counts = Counter(text[::2])
    ranks = sorted(counts, key=lambda rank: (counts[rank], order.index(rank)), reverse=True)
    is_wheel = set(ranks) == set("A2345")
    top = NAMES["5" if is_wheel else ranks[0]]
    return {
        "High card": f"{top} high",
        "One pair": f"pair of {plural(ranks[0])}",
        "Two pair": f"two pair, {plural(ranks[0])} and {plural(ranks[1])}"
        if len(ranks) > 1
        else "",
        "Three of a kind": f"three of a kind, {plural(ranks[0])}",
        "Straight": f"straight, {top} high",
        "Flush": f"flush, {NAMES[ranks[0]]} high",
        "Full house": f"full house, {plural(ranks[0])} full of {plural(ranks[1])}",
        "Four of a kind": f"four of a kind, {plural(ranks[0])}",
        "Straight flush": "royal flush" if top == "ace" else f"straight flush, {top} high",
    }[label]


def judged_elsewhere(text: str) -> Hand:
    return StandardHighHand.from_game(tuple(Card.parse(text)), ())


def random_cards(random: Random, number: int) -> list[int]:
    """Return cards of which every second hand lies in few ranks or one suit: rare classes."""
    deck = list(range(52))
    kind = random.randrange(4)
    if kind == 1:
        ranks = random.sample(range(13), 4)
        deck = [card for card in deck if card // 4 in ranks]
    elif kind == 2:
        suit, low = random.randrange(4), random.randrange(6)
        deck = [card for card in deck if card % 4 == suit and card // 4 >= low]
    return random.sample(deck, min(number, len(deck)))


@pytest.mark.parametrize("number", [5, 6, 7])
def test_names_and_cards_are_those_of_another_evaluator(number: int) -> None:
    """Catches a wrong class, a wrong rank, kickers that do not play, a royal flush that is none."""
    random, classes = Random(number), Counter[str]()
    for _ in range(4000):
        cards = random_cards(random, number)
        theirs, own = judged_elsewhere(format_cards(cards)), made_hand(cards)
        label = theirs.entry.label.value
        classes[label] += 1
        best = "".join(map(repr, theirs.cards))
        assert own.name == expected_name(label, best)
        assert set(own.cards) <= set(cards)
        assert len(set(own.cards)) == 5
        chosen = judged_elsewhere(format_cards(own.cards))
        assert chosen.entry.index == theirs.entry.index
    assert len(classes) == 9


@pytest.mark.parametrize(
    ("cards", "name", "best"),
    [
        ("KsKd9h9c4s3d2c", "two pair, kings and nines", "KsKd9h9c4s"),
        ("As2d3h4c5sKdKc", "straight, five high", "As2d3h4c5s"),
        ("AsKsQsJsTs9s8s", "royal flush", "AsKsQsJsTs"),
        ("6s6d6h2c2s2dKc", "full house, sixes full of twos", "6s6d6h2c2s"),
        ("KsKh", "pair of kings", "KsKh"),
        ("QsKh", "king high", "QsKh"),
        ("Ks", "king high", "Ks"),
    ],
)
def test_known_hands_have_their_names(cards: str, name: str, best: str) -> None:
    """Known values, small games among them."""
    found = made_hand(parse_cards(cards))
    assert (found.name, format_cards(found.cards)) == (name, best)


def test_the_strongest_of_two_hands_is_the_rule_books() -> None:
    """Catches strengths that do not compare: of all pairs of cards of Leduc hold'em."""
    deck = parse_cards("QhKhAhQsKsAs")
    for first, second, board in combinations(deck, 3):
        ours = [made_hand((hole, board)).strength for hole in (first, second)]
        theirs = [any_strength.strength((hole, board)) for hole in (first, second)]
        assert ours == theirs
