"""The dealer's table by laws: whatever the seats send and whenever, and wherever a match is cut."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpcbot.cards.deck import parse_cards
from acpcbot.matches.settings import TimeLimits
from acpcbot.matches.table import Phase
from acpcbot.poker.payoffs import payoffs
from acpcbot.protocol.client_side import ClientConnection
from acpcbot.protocol.messages import MatchState
from acpcbot.protocol.records import format_value
from tests.support.games import (
    KUHN,
    LEDUC,
    LIMIT_2P,
    LIMIT_3P,
    NOLIMIT_2P,
    NOLIMIT_3P,
    NOLIMIT_6P,
    rules_of,
)
from tests.support.tables import GREETING, NAMES, SECOND, Match, settings_of

PHASES = list(Phase)
LIMITS = TimeLimits.from_milliseconds(10_000, 20_000, 10_000, 3)

# What can happen to a table: each a function of the match and of the seat that it happens to.

Happening = Callable[[Match, int], object]


def greets(match: Match, seat: int) -> None:
    match.table.receive(seat, GREETING)


def replies(match: Match, seat: int) -> None:
    if match.phase is Phase.PLAYING:
        match.hear(match.reply())


def echoes(match: Match, seat: int) -> None:
    if match.recorder.sent[seat]:
        match.table.receive(seat, match.recorder.last_line(seat).encode() + b":")


def leaves(match: Match, seat: int) -> None:
    match.table.receive_eof(seat)


def is_waited_for_too_long(match: Match, seat: int) -> None:
    match.table.give_up_waiting()


def is_held(match: Match, seat: int) -> None:
    if match.table.is_held:
        match.table.release()
    else:
        match.table.hold()


def sends(data: bytes) -> Happening:
    return lambda match, seat: match.table.receive(seat, data)


def thinks(seconds: int) -> Happening:
    def pass_time(match: Match, seat: int) -> None:
        match.recorder.now_us += seconds * SECOND

    return pass_time


junk = st.one_of(
    st.binary(max_size=30),
    st.sampled_from(
        [
            b"\n",
            b"# hello\r\n",
            b"f\r\n",
            b"c\r\n",
            b"r300\r\n",
            b"\0",
            b"x" * 5000,
            b"MATCHSTATE:0:0::",
        ]
    ),
)
usual = st.sampled_from([greets, replies, replies, replies, replies])
happenings = st.one_of(
    usual,
    usual,
    st.sampled_from([echoes, leaves, is_held, is_waited_for_too_long]),
    st.builds(sends, junk),
    st.builds(thinks, st.integers(0, 3)),
)


class Watched:
    """A match to which things happen; what must always hold is checked after each."""

    def __init__(self, name: str, *, is_quiet: bool) -> None:
        self.match = Match(
            settings_of(name, limits=LIMITS, is_quiet=is_quiet, keeps_transactions=True)
        )
        self.phase = Phase.GREETING

    def let(self, happening: Happening, seat: int) -> None:
        was_live, before = self.match.table.is_live, self.written()
        happening(self.match, seat % len(self.match.recorder.sent))
        assert PHASES.index(self.match.phase) >= PHASES.index(self.phase)
        assert was_live or (self.match.phase, self.written()) == (self.phase, before)
        self.phase = self.match.phase
        self.check()

    def end(self) -> None:
        """Let everybody behave from now on, or be given up."""
        if self.phase is Phase.GREETING:
            self.let(is_waited_for_too_long, 0)
        self.match.table.release()
        self.match.play(200)
        assert self.match.phase in (Phase.FINISHED, Phase.ABORTED)
        self.check()

    def written(self) -> tuple[object, ...]:
        recorder = self.match.recorder
        return recorder.sent[:], recorder.logged[:], recorder.transactions[:], recorder.talk_text

    def check(self) -> None:
        table, logged = self.match.table, self.match.recorder.logged
        assert sum(table.scores) == pytest.approx(0)
        assert 0 <= table.hand_id <= table.settings.num_hands
        is_finished = table.phase is Phase.FINISHED
        assert [line.split(":")[0] for line in logged] == ["STATE"] * table.hand_id + [
            "SCORE"
        ] * is_finished
        assert is_finished == (table.hand_id == table.settings.num_hands)


@given(
    name=st.sampled_from([KUHN, LIMIT_2P, NOLIMIT_2P, NOLIMIT_3P]),
    is_quiet=st.booleans(),
    greeted=st.booleans(),
    course=st.lists(st.tuples(happenings, st.integers(0, 2)), max_size=40),
)
def test_any_input_lets_the_match_go_on_or_end_in_good_order(
    name: str, is_quiet: bool, greeted: bool, course: list[tuple[Happening, int]]
) -> None:
    watched = Watched(name, is_quiet=is_quiet)
    if greeted:
        watched.match.greet()
    for happening, seat in course:
        watched.let(happening, seat)
    watched.end()
    for sent in watched.match.recorder.sent:
        assert all(
            isinstance(event, MatchState)
            for event in ClientConnection(rules_of(name)).receive(sent)
        )


@given(st.lists(st.tuples(st.integers(0, 1), st.binary(max_size=200)), max_size=20))
def test_no_more_bytes_wait_than_were_sent(pieces: list[tuple[int, bytes]]) -> None:
    match, fed = Match(settings_of(KUHN, limits=LIMITS)).greet(), [0, 0]
    for seat, data in pieces:
        match.table.receive(seat, data)
        fed[seat] += len(data)
        assert all(match.table.waiting(seat) <= fed[seat] for seat in (0, 1))
        if match.table.is_live:
            assert match.table.waiting(match.table.heard_seat) < 4095


# A match's own log.


def played(name: str, num_hands: int) -> Match:
    return Match(settings_of(name, num_hands, keeps_transactions=True)).greet().play()


@pytest.mark.parametrize("name", [KUHN, LEDUC, LIMIT_3P, NOLIMIT_2P, NOLIMIT_6P])
def test_the_log_of_a_match_can_be_played_again_and_adds_up_to_its_score(name: str) -> None:
    match = played(name, 40)
    totals = dict.fromkeys(NAMES[: len(match.recorder.sent)], 0.0)
    *states, score = match.recorder.logged
    for hand_id, line in enumerate(states):
        tag, number, betting, cards, values, names = line.split(":")
        holes, *boards = cards.split("/")
        found = payoffs(
            rules_of(name).parse(betting),
            [parse_cards(held) for held in holes.split("|")],
            parse_cards("".join(boards)),
        )
        assert (tag, number, values) == ("STATE", str(hand_id), "|".join(map(format_value, found)))
        for player, value in zip(names.split("|"), found, strict=True):
            totals[player] += value
    assert score == f"SCORE:{'|'.join(map(format_value, totals.values()))}:{'|'.join(totals)}"


# Going on from a transaction log.


def resumed(whole: Match, num_transactions: int, num_logged: int) -> Match:
    """The match *whole* cut after so many transactions and logged hands, and played on to its
    end.
    """
    kept = whole.recorder.transactions[:num_transactions]
    cut_at_us = num_transactions * 1_000
    settings = whole.table.settings
    return (
        Match(settings, transactions=kept, num_logged=num_logged, now_us=cut_at_us).greet().play()
    )


def verify_same(whole: Match, again: Match, num_transactions: int, num_logged: int) -> None:
    assert again.phase is Phase.FINISHED
    assert whole.recorder.logged[:num_logged] + again.recorder.logged == whole.recorder.logged
    assert (
        whole.recorder.transactions[:num_transactions] + again.recorder.transactions
        == whole.recorder.transactions
    )
    assert again.table.scores == whole.table.scores


@pytest.mark.parametrize(
    ("name", "num_hands"),
    [(KUHN, 30), (LIMIT_2P, 12), (LIMIT_3P, 5), (NOLIMIT_2P, 12), (NOLIMIT_6P, 5)],
)
def test_a_match_that_is_cut_anywhere_ends_as_if_it_had_not_been(name: str, num_hands: int) -> None:
    whole = played(name, num_hands)
    logged_before = [*whole.recorder.logged_before_transaction, num_hands]
    for cut, num_logged in enumerate(logged_before):
        verify_same(whole, resumed(whole, cut, num_logged), cut, num_logged)


@pytest.mark.parametrize("name", [KUHN, LIMIT_2P, NOLIMIT_2P])
def test_hands_that_the_log_lost_are_added_before_play_goes_on(name: str) -> None:
    whole = played(name, 12)
    cut = len(whole.recorder.transactions) - 1
    for num_logged in range(whole.recorder.logged_before_transaction[cut] + 1):
        verify_same(whole, resumed(whole, cut, num_logged), cut, num_logged)


def test_everybody_is_told_first_where_the_cut_hand_stands() -> None:
    whole = played(LIMIT_2P, 3)
    again = Match(whole.table.settings, transactions=whole.recorder.transactions[:2]).greet()
    first = [sent.decode().splitlines() for sent in again.recorder.sent]
    assert [len(lines) for lines in first] == [1, 1]
    assert all(
        lines[0] in sent.decode().splitlines()
        for lines, sent in zip(first, whole.recorder.sent, strict=True)
    )


def test_a_match_whose_last_action_is_recorded_ends_at_once() -> None:
    whole = played(KUHN, 5)
    again = Match(
        whole.table.settings, transactions=whole.recorder.transactions, num_logged=5
    ).greet()
    assert (again.phase, again.recorder.logged) == (Phase.FINISHED, whole.recorder.logged[-1:])


def test_recorded_times_count_against_the_limits() -> None:
    limits = TimeLimits(5 * SECOND, 5 * SECOND, 5 * SECOND)
    settings = settings_of(KUHN, limits=limits, keeps_transactions=True)
    for extra, phase in ((0, Phase.PLAYING), (1, Phase.ABORTED)):
        again = Match(settings, transactions=[f"c 0 1.000000 6.00000{extra}"]).greet()
        assert again.phase is phase
    assert again.recorder.talk_text.startswith("ERROR: seat 1 ran out of time in transaction")


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        (["nonsense"], "could not parse transaction"),
        ([""], "could not parse transaction"),
        (["c 0 1.000000"], "could not parse transaction"),
        (["c 1 1.000000 1.000001"], "handId mismatch in transaction log"),
        (["c 0 1.0 1.1", "c 0 1.1 1.2", "c 0 1.2 1.3"], "handId mismatch in transaction log"),
        (["f 0 1.000000 1.000001"], "invalid action in transaction log"),
        (["r 0 1.0 1.1", "r 0 1.1 1.2"], "invalid action in transaction log"),
        (
            ["c 0 1.0 1.1", "c 0 1.1 1.2"] * 3 + ["c 3 1.0 1.1"],
            "handId mismatch in transaction log",
        ),
    ],
)
def test_a_transaction_log_that_cannot_have_happened_ends_the_match(
    lines: list[str], problem: str
) -> None:
    again = Match(settings_of(KUHN), transactions=lines).greet()
    assert again.phase is Phase.ABORTED
    assert again.recorder.talk_text.startswith(f"ERROR: {problem}")
    assert again.recorder.talk_text.endswith("\n")
    assert again.recorder.sent == [b"", b""]


def test_more_transactions_than_hands_are_refused() -> None:
    whole = played(KUHN, 3)
    again = Match(
        whole.table.settings, transactions=[*whole.recorder.transactions, "c 3 1.0 1.1"]
    ).greet()
    assert again.phase is Phase.ABORTED
    assert "handId mismatch" in again.recorder.talk_text


@given(
    st.integers(0, 40), st.integers(0, 20), st.text(st.sampled_from("cfr 0123456789.x"), max_size=4)
)
def test_a_damaged_transaction_log_is_refused_or_played_but_never_an_exception(
    line_number: int, column: int, noise: str
) -> None:
    lines = list(played(KUHN, 10).recorder.transactions)
    line = lines[line_number % len(lines)]
    lines[line_number % len(lines)] = line[:column] + noise + line[column + 1 :]
    again = Match(settings_of(KUHN, 10), transactions=lines).greet()
    assert again.phase in (Phase.PLAYING, Phase.FINISHED, Phase.ABORTED)
