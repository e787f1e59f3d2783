"""Bad input to every verb: one line and a hint on stderr, nothing on stdout, a status that says
so, no traceback.
"""

from __future__ import annotations

import json
import shlex
import socket
from pathlib import Path

import pytest

from acpcbot.cli.dispatch import VERBS, main
from acpcbot.cli.examples import EXAMPLES
from acpcbot.poker.definition import format_definition
from acpcbot.poker.shipped import SHIPPED_NAMES, find_definition, shipped_definition
from tests.cli.running import REFUSAL, acpcbot

GAME = "kuhn.limit.2p"
PLAN = {
    "format": 1,
    "strategies": ["call", "call"],
    "game_name": GAME,
    "game_text": "GAMEDEF\nlimit\n",
    "num_hands": 5,
    "seed": 0,
}
FILES = {
    "bad.game": "GAMEDEF\nlimit\nnumRounds = 77\nEND GAMEDEF\n",
    "empty.game": "",
    "bad.log": f"# name/game/hands/seed m {GAME}.game 3 1\nSTATE:0:cc:Ks|Ks:1|-1:A|B\n",
    "good.log": f"# name/game/hands/seed m {GAME}.game 1 1\nSTATE:0:cc:Ks|Qs:1|-1:A|B\n",
    "headless.log": "STATE:0:cc:Ks|Qs:2|-2:A|B\n",
    "empty.log": "",
    "binary.log": "\0\1\2\n" * 100,
    "bad.toml": "[[bot]]\nstrategy = 'call'\n",
    "lost.toml": f"[[bot]]\nstrategy = 'nosuch'\ngame = '{GAME}'\nhost = 'h'\nport = 1\n",
    "broken.py": "import nothing_of_this_name\n",
    "crashing.py": "class Bot:\n    is_instant = True\n    def __init__(self, game, seed): raise ValueError('mine')\n"
    "    def act(self, state, deadline_s): pass\n",
    "telling.py": "from acpcbot.agents.table_agent import TableAgent\nclass Bot(TableAgent):\n"
    "    def __init__(self, game, seed): super().__init__(game, seed, None)\n",
    "old/match.json": '{"format": 0}',
    "old/tournament.json": '{"format": 0}',
    "damaged/match.json": json.dumps(PLAN),
    "unplayed/match.json": json.dumps(
        PLAN | {"game_text": format_definition(shipped_definition(GAME))}
    ),
}

COMMANDS = [
    ("nosuch", "nosuch"),
    ("--nosuch", ""),
    ("games nosuch.game", "nosuch"),
    ("games bad.game", "invalid number of rounds: 77"),
    ("games empty.game", ""),
    ("games .", ""),
    ("play call 127.0.0.1", "port"),
    (f"play nosuch 127.0.0.1 1 --game {GAME}", "nosuch"),
    (f"play call 127.0.0.1 x --game {GAME}", "x"),
    ("play call 127.0.0.1 1 --game nosuch", "nosuch"),
    ("play call 127.0.0.1 1", "--game"),
    (f"play call 127.0.0.1 1 --game {GAME} --connect-timeout 0.1", "no dealer at 127.0.0.1 port 1"),
    (
        f"play call no.such.host.invalid 1 --game {GAME} --connect-timeout 0.1",
        "no dealer at no.such.host.invalid",
    ),
    (f"play broken.py:Bot 127.0.0.1 1 --game {GAME}", "nothing_of_this_name"),
    (f"play crashing.py:Bot 127.0.0.1 1 --game {GAME}", "ValueError: mine"),
    (f"play call 127.0.0.1 1 --game {GAME} --record x", "cannot tell"),
    (
        f"play telling.py:Bot 127.0.0.1 1 --game {GAME} --record nosuch/x",
        "could not open strategy file nosuch/x",
    ),
    (f"play missing.py:Bot 127.0.0.1 1 --game {GAME}", "missing.py"),
    ("match", "no strategies"),
    (f"match call --game {GAME}", "1 entrants for 2 seats"),
    ("match call", "none by call"),
    ("match call call", "none by call\n"),
    ("match call call call nosuch", "nosuch"),
    (f"match call call call --game {GAME}", "3 entrants for 2 seats"),
    ("match call nosuch", "nosuch"),
    ("match call call --game nosuch", "nosuch"),
    ("match call call --game bad.game", "invalid number of rounds: 77"),
    ("match call call --hands 0", "--hands"),
    ("match call call --seeds 0", "--seeds"),
    ("match call call --seed -1", "--seed"),
    ("match call call --seed 4294967296", "--seed"),
    ("match call call --hands many", "many"),
    (f"match call human --game {GAME}", "human needs a terminal"),
    ("match call call -o old", "holds a match already"),
    (f"match call call --game {GAME} -o bad.log", "bad.log"),
    ("match --resume nowhere", "nowhere holds no match"),
    ("match --resume .", "holds no match"),
    ("match --resume old", "old holds no match"),
    ("match --resume damaged", ""),
    (f"match call remote:a --game {GAME} --in-process", "remote:a cannot play in process"),
    (
        f"match call call --game {GAME} --in-process --t_hand 5 --t_response 9",
        "--in-process holds nobody to a time",
    ),
    (f"match call call --game {GAME} --t_hand 9999999999999", "--t_hand 9999999999999"),
    ("match call call --t_hand 5s", "5s"),
    (
        f"match call remote:a --game {GAME} --start-timeout 5 --start_timeout 5000",
        "not allowed with",
    ),
    (
        f"match call remote:a --game {GAME} --start_timeout 9999999999999",
        "--start_timeout 9999999999999",
    ),
    ("match --resume unplayed --t_response 10000", "keeps its time limits: --t_response"),
    ("match call remote:a --port a", "'a' is not NAME=PORT"),
    ("match call remote:a --port a=x", "'a=x' is not NAME=PORT"),
    ("match call remote:a --port a=0", "0 is no port"),
    (f"match call remote:a --game {GAME} --port a=1 --port a=2", "two ports for a"),
    (
        f"match call remote:a --game {GAME} --port call=1",
        "a port for call, which is not a remote entrant",
    ),
    (f"match remote:a remote:b --game {GAME} --port a=1 --port b=1", "two entrants at one port"),
    (f"match call remote:a --game {GAME} --start-timeout -1", "--start-timeout"),
    (f"match call remote:a --game {GAME} --start-timeout nan", "--start-timeout"),
    ("tournament", "VERB"),
    ("tournament run", "no strategies"),
    (f"tournament run call --game {GAME}", "1 entrants for 2 seats"),
    ("tournament run call call call", "none by call\n"),
    ("tournament run call call --game kuhn.limit.3p", "2 entrants for 3 seats"),
    ("tournament run call call nosuch", "nosuch"),
    (f"tournament run call call human --game {GAME}", "human needs a terminal"),
    (
        f"tournament run call call remote:a --game {GAME} --in-process",
        "remote:a cannot play in process",
    ),
    ("tournament run call call --hands 0", "--hands"),
    (f"tournament run call call call --game {GAME} --seed 4294967295", "32-bit"),
    ("tournament run call call --resamples 0", "--resamples"),
    ("tournament run call call -o old", "old holds a tournament already"),
    ("tournament run --resume nowhere", "nowhere holds no tournament"),
    ("tournament run --resume damaged", "damaged holds no tournament"),
    ("tournament show", "FOLDER"),
    ("tournament show nowhere", "nowhere holds no tournament"),
    ("tournament show old", "old holds no tournament"),
    ("tournament show nowhere --format nosuch", "nosuch"),
    ("serve nosuch.toml", "nosuch.toml"),
    ("serve bad.toml", "no game (a text); no host (a text); no port (a whole number)"),
    ("serve lost.toml", "nosuch"),
    ("serve .", ""),
    ("startme nosuch --game kuhn.limit.2p", "nosuch"),
    ("startme call --game nosuch", "nosuch"),
    (f"startme call --game {GAME} -o nowhere/startme.sh", "nowhere"),
    ("log", "VERB"),
    ("log check", "FILE"),
    ("log check nosuch.log", "nosuch.log"),
    ("log check bad.log", "bad.log, line 2"),
    ("log check binary.log", "binary.log, line 1"),
    ("log check .", ""),
    ("log to-phh nosuch.log out", "nosuch.log"),
    ("log from-phh nosuch.phh -o out.log", "nosuch.phh"),
    ("explain", "LOG"),
    ("explain good.log --strategy call --deals 0", "--deals 0 without --hand"),
    ("explain good.log --strategy call --deals 1", "1 deals"),
    ("explain good.log --strategy call --player Cara", "Cara played none of these hands"),
    ("explain good.log --hand 0", "--strategy"),
    ("explain good.log --hand x --strategy call", "'x'"),
    ("explain good.log --hand 1 --strategy call", "no hand 1 in good.log"),
    ("explain good.log --hand 0 --strategy nosuch", "nosuch"),
    ("explain good.log --hand 0 --strategy call --player Cara", "Cara did not play hand 0"),
    ("explain good.log --hand 0 --strategy call --values nosuch", "nosuch"),
    ("explain good.log --hand 0 --strategy call --format pdf", "pdf"),
    ("explain nosuch.log --hand 0 --strategy call", "nosuch.log"),
    ("explain headless.log --hand 0 --strategy call", "headless.log names no shipped game"),
    ("explain unplayed --hand 0 --strategy call", "unplayed holds no logs"),
    ("solve", "no game"),
    ("solve --board KsTd9h4s2c", "no --pot and no --stack"),
    ("solve --board KsTd9h4s2c --pot 100", "no --stack"),
    (
        "solve --board KsTd9h4s2c --pot 100 --stack 400 --betting cc/",
        "--betting or --strategy without a game",
    ),
    ("solve --board Ks --pot 100 --stack 400", "a board of 1 cards"),
    ("solve --board KsKs9h4s2c --pot 100 --stack 400", "a card occurs twice"),
    ("solve --board KsTd9h4s2c --pot 101 --stack 400", "half from each"),
    ("solve --board KsTd9h4s2c --pot 100 --stack 0", "expected stacks, got '0'"),
    ("solve --board KsTd9h4s2c --pot 100 --stack 400,250,100", "3 stacks behind a pot"),
    ("solve --board KsTd9h4s2c --pot 100 --stack 400 --min-bet 30", "no bets of at least 30"),
    ("solve --board KsTd9h4s2c --pot 100 --stack 400 --bets 0.5,big", "big"),
    ("solve --board KsTd9h4s2c --pot 100 --stack 400 --range1 AA,XX", "at column 3"),
    ("solve --board KsTd9h4s2c --pot 100 --stack 400 --range1 Ks2h", "no pair of hands"),
    (
        "solve --board KsTd9h4s2c --pot 100 --stack 400 --line raise",
        "expected one of: check, bet 75, all-in",
    ),
    ("solve --board KsTd9h4s2c --pot 100 --stack 400 --target -1", "--target -1"),
    ("solve --board KsTd9h4s2c --pot 100 --stack 400 --seconds 0", "--seconds 0"),
    ("solve --board KsTd9h4s2c --pot 100 --stack 400 --seconds nan", "--seconds nan"),
    ("solve --board KsTd9h4s2c --pot 100 --stack 400 --iterations 0", "--iterations 0"),
    ("solve --board KsTd9h4s2c --pot 100 --stack 400 --threads 0", "--threads 0"),
    ("solve --board KsTd9h4s2c --pot 100 --stack 400 --format pdf", "pdf"),
    ("solve --board KsTd9h4s2c --pot 100 --stack 400 -o nowhere/found.json", "nowhere"),
    (
        "solve --board KsTd9h4s2c --pot 100 --stack 400 --strategy call",
        "--betting or --strategy without a game",
    ),
    (f"solve --game {GAME} --pot 100", "--pot"),
    (f"solve --game {GAME} --bets 1", "a limit game with --bets"),
    (f"solve --game {GAME} --range1 AA", "without hold'em's hands"),
    (f"solve --game {GAME} --board 2c", "is not of this game"),
    (f"solve --game {GAME} --board As", "a board of 1 cards"),
    (f"solve --game {GAME} --betting cc", "the hand is over"),
    (f"solve --game {GAME} --strategy nosuch", "nosuch"),
    ("solve --game kuhn.limit.3p", "for two players"),
    ("solve --game holdem.nolimit.2p.reverse_blinds", "boards are too many"),
    ("solve --game nosuch", "nosuch"),
    ("report", "LOG"),
    ("report nosuch.log", "nosuch.log"),
    ("report bad.log", "bad.log, line 2"),
    ("report headless.log", "headless.log names no shipped game"),
    ("report empty.log", "no hands in empty.log"),
    ("report good.log --player Cara", "no player 'Cara'"),
    ("report good.log --format pdf", "pdf"),
    ("report good.log --page-hands -1", "--page-hands"),
    ("report good.log --known A", "--known A"),
    ("report good.log --known Cara=call", "--known Cara=call"),
    ("report good.log --known A=nosuch", "nosuch"),
    ("report good.log --known A=call", "too little is known for AIVAT"),
    ("report good.log --values nosuch", "nosuch"),
    ("report good.log --estimator luck", "luck"),
    ("report good.log --estimator MIVAT", "too little is known for MIVAT"),
    ("report good.log -o nowhere/page.html", "nowhere"),
    ("report .", "holds no match"),
    ("report unplayed", "unplayed holds no logs"),
    ("deal m nosuch.game 10 1 A B", "ERROR: could not open game definition nosuch.game"),
    ("deal m kuhn.limit.2p none 1 A B", "ERROR: invalid number of hands none"),
    ("deal nowhere/m kuhn.limit.2p 1 1 A B", "ERROR: could not open log file nowhere/m.log"),
    (
        "deal m kuhn.limit.2p 1 1 A B --host no.such.host.invalid",
        "ERROR: could not create listen socket for player 1",
    ),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with damaged files of every kind."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("command", "fault"), COMMANDS, ids=[command for command, _ in COMMANDS])
def test_bad_input_is_one_line_and_a_hint(
    command: str, fault: str, capfd: pytest.CaptureFixture[str]
) -> None:
    status = main(shlex.split(command))
    captured = capfd.readouterr()
    assert (status, captured.out) == (1, "")
    assert REFUSAL.fullmatch(captured.err)
    assert fault in captured.err


@pytest.mark.usefixtures("folder")
def test_the_official_parsers_words_on_a_bad_game_come_first(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert main(shlex.split("deal m bad.game 10 1 A B")) == 1
    words = "invalid number of rounds: 77\nERROR: could not read game bad.game\n"
    captured = capfd.readouterr()
    assert captured.err.startswith(words)
    assert captured.out == ""


def test_a_busy_port_is_refused(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        port = holder.getsockname()[1]
        assert main(shlex.split(f"deal m {GAME} 10 1 A B -p {port}")) == 1
    captured = capfd.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("ERROR: could not create listen socket for player 1\n")
    assert str(port) in captured.err


def test_a_refused_match_leaves_no_folder(folder: Path) -> None:
    """A folder with a plan in it would be taken for a match that can be gone on with."""
    assert main(["match", "call", "nosuch", "-o", "new"]) == 1
    assert not (folder / "new").exists()


def test_a_refusal_is_the_same_from_a_process(folder: Path) -> None:
    done = acpcbot(folder, "match", "call", "nosuch")
    assert (done.returncode, done.stdout) == (1, "")
    assert REFUSAL.fullmatch(done.stderr)


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_tells_what_it_takes(verb: str, capfd: pytest.CaptureFixture[str]) -> None:
    try:
        status: object = main([verb, "--help"])
    except SystemExit as leaving:
        status = leaving.code
    captured = capfd.readouterr()
    assert status == 0
    assert captured.out.startswith("usage: ")
    assert captured.err == ""


def test_help_lists_every_verb_with_its_purpose(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        main(["--help"])
    assert leaving.value.code == 0
    words = " ".join(capfd.readouterr().out.split())
    assert all(f"{verb} {purpose}" in words for verb, purpose in VERBS.items())


def test_no_words_at_all_ask_for_the_overview(capfd: pytest.CaptureFixture[str]) -> None:
    """Once an error with the name of a missing argument."""
    with pytest.raises(SystemExit):
        main(["--help"])
    overview = capfd.readouterr().out
    assert main([]) == 0
    assert capfd.readouterr() == (overview, "")
    assert all(example.command in overview for example in EXAMPLES["acpcbot"])


def test_the_option_version_prints_the_version(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        main(["--version"])
    assert leaving.value.code == 0
    assert capfd.readouterr().out.startswith("acpcbot ")


def test_games_are_listed_one_a_line(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    assert [line.split()[0] for line in capfd.readouterr().out.splitlines()] == list(SHIPPED_NAMES)


def test_a_game_of_one_street_has_no_streets(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    endings = {
        line.split()[0]: line.rpartition(", ")[2] for line in capfd.readouterr().out.splitlines()
    }
    assert (endings["kuhn.limit.2p"], endings["leduc.limit.2p"]) == ("1 street", "2 streets")


@pytest.mark.parametrize("game", SHIPPED_NAMES)
def test_a_game_that_is_shown_can_be_read_again(
    game: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["games", game]) == 0
    path = tmp_path / "copy.game"
    path.write_text(capfd.readouterr().out)
    assert find_definition(str(path))[1] == find_definition(game)[1]
