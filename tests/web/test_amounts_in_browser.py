"""Whole matches played by mouse, by touch and by the keyboard alone: every number that the table
showed, in chips and in big blinds, is compared with the log afterwards.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pokerkit import Card, StandardHighHand

from acpcbot.cards.deck import format_cards
from acpcbot.logs.match_log import HandRecord
from acpcbot.poker.definition import GameDefinition
from tests.support.chromium import BrowserPage, needs_chromium
from tests.support.games import LIMIT_2P, NOLIMIT_2P, NOLIMIT_6P
from tests.support.page_input import FRAMES, Finger, Keyboard, Mouse, PageInput
from tests.web.logged_tables import (
    LoggedDecision,
    in_unit,
    left_text,
    logged_decisions,
    odds_text,
    percent,
    plain,
    signed_in_unit,
    tenths,
)
from tests.web.test_table_in_browser import (
    IN_LOBBY,
    IS_OVER,
    IS_SEATED,
    LIVE_BUTTONS,
    MAY_ACT,
    logged,
    table,
)

pytestmark = needs_chromium

NUM_HANDS = 10
POSITIONS = {2: ("BB", "SB"), 6: ("SB", "BB", "UTG", "HJ", "CO", "BTN")}
GAMES = {
    LIMIT_2P: ("random",),
    NOLIMIT_2P: ("random",),
    NOLIMIT_6P: ("call", "tight", "random", "call", "random"),
}
SHOWN_NAMES = {
    "Ann": "Ann",
    "call": "Caller",
    "call.2": "Caller 2",
    "random": "Random",
    "random.2": "Random 2",
    "tight": "Tight",
}
WAYS: dict[str, PageInput] = {"mouse": Mouse(), "touch": Finger(), "keyboard": Keyboard()}
# Everything that the table shows, by the names of its parts.
READ = """(() => {
    const text = (node, selector) => node.querySelector(selector)?.textContent ?? "";
    const seats = [...document.querySelectorAll("#seats > li")].map((place) => ({
        name: text(place, ".name"),
        position: text(place, ".position"),
        isButton: place.querySelector(".dealer") !== null,
        left: text(place, ".left"),
        bet: text(place, ".bet"),
        share: text(place, ".share"),
        result: text(place, ".result"),
        did: text(place, ".did"),
    }));
    const shown = (id) => !document.querySelector(id).hidden;
    return {
        pot: text(document, "#pot"),
        seats,
        said: text(document, "#said"),
        call: text(document, "#call .word"),
        odds: text(document, "#call .detail"),
        raise: shown("#raise") ? text(document, "#raise .word") : "",
        share: shown("#raise") ? text(document, "#raise .detail") : "",
        presets: shown("#sizes") ? document.querySelector("#presets").children.length : 0,
        amount: Number(document.querySelector("#amount").value),
    };
})()"""
IN_BOTH_UNITS = f"""(() => {{
    const read = () => {READ};
    const found = [];
    for (const isChecked of [false, true]) {{
        const box = document.querySelector("#big-blinds");
        if (box.checked !== isChecked) box.click();
        found.push(read());
    }}
    return found;
}})()"""
ROWS = """[...document.querySelector('#history').tBodies[0].rows]
    .map((row) => row.cells[3].innerText)"""
WIDE = {"width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": False}
PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
Shown = dict[str, Any]


def sit_down(page: BrowserPage, address: str, way: PageInput) -> None:
    is_touch = isinstance(way, Finger)
    page.call("Emulation.setDeviceMetricsOverride", **(PHONE if is_touch else WIDE))
    page.call("Emulation.setTouchEmulationEnabled", enabled=is_touch)
    page.open_address(address)
    page.wait_for(IN_LOBBY)
    page.evaluate("document.querySelector('#name').value = 'Ann'")
    page.evaluate(
        "document.querySelectorAll('select.bot').forEach((seat, place) => { seat.value = place })"
    )
    way.press(page, "#sit-down", "")
    page.wait_for(IS_SEATED)
    page.evaluate("document.querySelector('#fast').checked = true")


def play_hand(page: BrowserPage, way: PageInput, random: Random) -> list[list[Shown]]:
    """Play to the end of the hand; what was shown at each decision, and at the end."""
    found: list[list[Shown]] = []
    while True:
        page.wait_for(f"({MAY_ACT}) || ({IS_OVER})")
        buttons = page.evaluate(LIVE_BUTTONS)
        if "deal" in buttons:
            return [*found, page.evaluate(IN_BOTH_UNITS)]
        choose_size(page, way, random)
        found.append(page.evaluate(IN_BOTH_UNITS))
        # A phone shows a page that is too wide at a smaller scale.
        assert page.evaluate("window.innerWidth") in (WIDE["width"], PHONE["width"])
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        chosen = random.choice(
            [name for name in buttons if name != "fold" or random.random() < 0.2] or ["call"]
        )
        before = page.evaluate("document.querySelector('#story').children.length")
        way.press(page, f"#{chosen}", {"fold": "f", "call": "c", "raise": "r"}[chosen])
        page.wait_for(
            f"({IS_OVER}) || ({MAY_ACT}) && "
            f"document.querySelector('#story').children.length > {before}"
        )


def choose_size(page: BrowserPage, way: PageInput, random: Random) -> None:
    """Choose a size by a button or by the slider, small ones more often."""
    count = page.evaluate(READ)["presets"]
    if count and random.random() < 0.5:
        place = random.randrange(min(count, 3))
        preset = f"#presets > :nth-child({place + 1})"
        way.press(page, preset, str(place + 1))
        page.wait_for(f"document.querySelector('{preset}').ariaPressed === 'true'")
    elif count:
        way.slide(page, "#size", random.random() / 2)
        page.evaluate(FRAMES)


# What had to be shown


def expected_seats(
    hand: HandRecord, decision: LoggedDecision, unit: int, first: int
) -> list[Shown]:
    """Return the seats clockwise from the position *first*."""
    game, count = hand.game.definition, len(hand.names)
    return [
        {
            "name": SHOWN_NAMES[hand.names[seat]],
            "position": POSITIONS[count][seat],
            "isButton": seat == count - 1,
            "left": left_text(game, seat, decision.spent[seat], unit),
            "bet": bet_text(decision.spent[seat] - decision.before[seat], unit),
            "share": share_text(decision.shares[seat]),
            "result": "",
        }
        for seat in [(first + step) % count for step in range(count)]
    ]


def bet_text(chips: int, unit: int) -> str:
    return in_unit(chips, unit) if chips else ""


def share_text(share: float | None) -> str:
    if share is None:
        return ""
    return f"{percent(share)} pot" if share < 10 else f"{tenths(share)} × pot"


def check_decision(hand: HandRecord, decision: LoggedDecision, shown: Shown, unit: int) -> None:
    seats = [
        {name: value for name, value in seat.items() if name != "did"} for seat in shown["seats"]
    ]
    assert seats == expected_seats(hand, decision, unit, decision.actor)
    assert shown["pot"] == f"Pot {in_unit(decision.pot, unit)}"
    call = decision.call
    assert shown["call"] == (f"Call {in_unit(call, unit)}" if call else "Check")
    assert shown["odds"] == (odds_text(call, decision.winnable) if call else "")
    if not decision.raise_to:
        return
    before = decision.before[decision.actor]
    words = {f"Bet {in_unit(decision.raise_to - before, unit)}"}
    words.add(f"Raise to {in_unit(decision.raise_to - before, unit)}")
    assert shown["raise"] in words
    share = (decision.raise_to - max(decision.spent)) / (decision.pot + call)
    assert shown["share"] == share_text(share)
    if not hand.game.definition.is_limit:
        assert shown["amount"] == pytest.approx((decision.raise_to - before) / (unit or 1))


def check_end(hand: HandRecord, shown: Shown, unit: int) -> None:
    """Compare results and stacks with the log, and names of hands with another evaluator."""
    count, first = len(hand.names), hand.names.index("Ann")
    assert shown["pot"] == f"Pot {in_unit(sum(hand.betting.spent), unit)}"
    for step, seat in enumerate(shown["seats"]):
        position = (first + step) % count
        value = hand.values[position]
        assert seat["name"] == SHOWN_NAMES[hand.names[position]]
        assert seat["result"] == signed_in_unit(value, unit)
        spent = hand.betting.spent[position]
        assert seat["left"] == left_text(hand.game.definition, position, spent, unit)
        if hand.betting.shows(position):
            made = label_elsewhere(hand, position)
            assert seat["did"].replace("royal flush", "straight flush").startswith(made)
        if value > 0:
            assert f"{seat['name']} wins {in_unit(value, unit)}" in shown["said"]


def label_elsewhere(hand: HandRecord, position: int) -> str:
    """Return the class of a hand as another evaluator names it, in the words of the page."""
    cards = format_cards((*hand.hole_cards[position], *hand.board))
    found = StandardHighHand.from_game(tuple(Card.parse(cards)), ())
    label = found.entry.label.value.lower()
    high = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "ten", "9": "nine"}
    if label == "high card":
        ranks = "23456789TJQKA"
        best = max(cards[::2], key=ranks.index)
        return f"{high[best]} high" if best in high else ""
    return {"one pair": "pair of"}.get(label, label)


def slow_unless(is_quick: bool) -> tuple[pytest.MarkDecorator, ...]:
    return () if is_quick else (pytest.mark.slow,)


QUICK = {(LIMIT_2P, "mouse"), (NOLIMIT_2P, "keyboard"), (NOLIMIT_6P, "touch")}


@pytest.mark.parametrize(
    ("game", "way"),
    [
        pytest.param(game, way, marks=slow_unless((game, way) in QUICK))
        for game in GAMES
        for way in WAYS
    ],
)
def test_every_number_of_the_table_is_the_logs(
    browser: BrowserPage, tmp_path: Path, game: str, way: str
) -> None:
    """Catches a wrong amount in either unit, a share or odds of the wrong pot, a button at the
    wrong seat, a size that is not the one that was shown, a control that a finger or the keyboard
    cannot reach.
    """
    random, used = Random(f"{game} {way}"), WAYS[way]
    with table(browser, tmp_path, *GAMES[game], "--game", game) as address:
        sit_down(browser, address, used)
        played = []
        for hand in range(NUM_HANDS):
            played.append(play_hand(browser, used, random))
            browser.wait_for(f"{ROWS}.length === {hand + 1}")
            if hand + 1 < NUM_HANDS:
                used.press(browser, "#deal", " ")
                browser.wait_for(f"!({IS_OVER}) || {ROWS}.length > {hand + 1}")
        rows = rows_in_both_units(browser)
        assert browser.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        used.press(browser, "#leave", "")
        browser.wait_for(IN_LOBBY)
        assert browser.complaints() == []
    hands = logged(tmp_path)
    assert len(hands) == NUM_HANDS
    check_rows(rows, hands, hands[0].game.definition)
    for hand_record, shown in zip(hands, played, strict=True):
        own = hand_record.names.index("Ann")
        decisions = [one for one in logged_decisions(hand_record) if one.actor == own]
        assert len(decisions) == len(shown) - 1
        big_blind = hand_record.game.definition.big_blind
        for place, unit in enumerate((0, big_blind)):
            for decision, views in zip(decisions, shown[:-1], strict=True):
                check_decision(hand_record, decision, views[place], unit)
            check_end(hand_record, shown[-1][place], unit)


def rows_in_both_units(page: BrowserPage) -> list[list[str]]:
    """Return the results in the list of hands, in chips and in big blinds, the first hand first."""
    found = []
    for is_checked in (False, True):
        page.evaluate(
            f"(document.querySelector('#big-blinds').checked !== {json.dumps(is_checked)})"
            " && document.querySelector('#big-blinds').click()"
        )
        found.append(page.evaluate(ROWS)[::-1])
    return found


def check_rows(rows: list[list[str]], hands: list[HandRecord], game: GameDefinition) -> None:
    for unit, shown in zip((1, game.big_blind), rows, strict=True):
        values = [hand.values[hand.names.index("Ann")] / unit for hand in hands]
        signs = ["+" if value > 0 else "−" if value < 0 else "±" for value in values]
        assert shown == [
            f"{sign}{plain(abs(value))}" for sign, value in zip(signs, values, strict=True)
        ]
