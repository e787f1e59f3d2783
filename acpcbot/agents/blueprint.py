"""A player that follows a finished strategy: a folder that training left behind.

It is named by the folder, with how to play it after a question mark where that is not the
strategy's own way:

    strategies/leduc.limit.2p/dcfr
    strategies/leduc.limit.2p/dcfr?play=purified
    strategies/leduc.limit.2p/dcfr?play=threshold:0.15

Bets of sizes that a no-limit strategy does not know are translated (``strategies/translation.py``).
A name that leads to no folder raises UnknownStrategy, a damaged folder BadSnapshot, and
settings or games that do not suit it UsageError.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from acpcbot.agents.decision_stream import decision_stream, view_stream
from acpcbot.agents.names import unknown_strategy
from acpcbot.errors import UsageError
from acpcbot.poker.actions import CALLING, Action
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.shipped import recognise
from acpcbot.protocol.messages import MatchState
from acpcbot.strategies.files import load_snapshot
from acpcbot.strategies.finding import find_folder, missing_text
from acpcbot.strategies.manifest import read_definition, read_manifest
from acpcbot.strategies.policy import PlaySettings, parse_name, verify_settings
from acpcbot.strategies.snapshot import Snapshot
from acpcbot.strategies.translation import Seen, Translator
from acpcbot.trees.infosets import Place


class BlueprintAgent:
    """Plays *snapshot* as *settings* say.

    Raises UsageError if it does not suit the game or the settings.
    """

    is_instant = True

    def __init__(
        self,
        definition: GameDefinition,
        seed: int,
        snapshot: Snapshot,
        settings: PlaySettings | None = None,
    ) -> None:
        verify_same_game(snapshot.path, snapshot.definition, definition)
        self.definition = definition
        self.seed = seed
        self.snapshot = snapshot
        self.settings = settings or snapshot.own_settings
        verify_settings(snapshot.path, snapshot.manifest, self.settings)
        self._hand: tuple[int, tuple[int, ...], tuple[int, ...]] | None = None
        self._bucket = 0
        self._translator = Translator(snapshot.place)
        self._warm_up()

    def _warm_up(self) -> None:
        """Let whatever must be compiled be compiled now and not in the middle of a hand."""
        deck, size = self.definition.deck, self.definition.num_hole_cards
        for street in range(self.definition.num_streets):
            board = deck[size : size + self.definition.board_size(street)]
            self.snapshot.abstraction.bucket(street, deck[:size], board)

    def act(self, state: MatchState, deadline_s: float) -> Action:
        """An action by the strategy's probabilities, the same one whenever the same decision
        comes up again.
        """
        seen = self._seen(state)
        if seen is None:
            return CALLING

        def draw() -> float:
            return decision_stream(self.seed, state).unit()

        place = self.snapshot.place(seen)
        index = self.snapshot.drawn_action(
            place, self._bucket_of(place, state), self.settings, draw
        )
        action = place.actions[index]
        return (
            action
            if self.definition.is_limit
            else self._translator.real_action(state.betting, seen, action)
        )

    def _bucket_of(self, place: Place, state: MatchState) -> int:
        """The bucket of the hand, which is worked out once a street."""
        hand = (place.street, state.own_cards, state.board)
        if hand != self._hand:
            self._bucket, self._hand = (
                self.snapshot.bucket(place, state.own_cards, state.board),
                hand,
            )
        return self._bucket

    def _seen(self, state: MatchState) -> Seen:
        """The betting as the strategy's tree has it, the same view in the whole hand."""
        if self.definition.is_limit:
            return state.betting

        def draw(num_actions: int) -> float:
            return view_stream(self.seed, state, num_actions).unit()

        return self._translator.seen((state.hand_id, state.seat), state.betting, draw)


@dataclass(frozen=True, slots=True)
class BlueprintMaker:
    """Makes blueprint agents of the snapshot in *folder*."""

    folder: Path
    settings: PlaySettings | None

    def __call__(self, definition: GameDefinition, seed: int) -> BlueprintAgent:
        return BlueprintAgent(definition, seed, load_snapshot(self.folder), self.settings)

    def verify_game(self, definition: GameDefinition) -> None:
        """Raise UsageError unless the snapshot plays this game, BadSnapshot if there is no
        telling; loads no array.
        """
        verify_same_game(self.folder, read_definition(self.folder)[1], definition)


def find_blueprint(name: str) -> BlueprintMaker:
    """What makes the agents called *name*; raises UnknownStrategy, BadSnapshot or UsageError."""
    place, settings = parse_name(name)
    folder = find_folder(place)
    if folder is None:
        raise unknown_strategy(name, f"no folder {place}: {missing_text(place)}")
    verify_settings(folder, read_manifest(folder), settings)
    return BlueprintMaker(folder, settings)


def verify_same_game(path: Path, own: GameDefinition, wanted: GameDefinition) -> None:
    """Raise UsageError, with both games' names, unless the strategy at *path* plays the
    *wanted* game.
    """
    if own != wanted:
        names = [
            recognise(definition) or f"a game with fingerprint {definition.fingerprint}"
            for definition in (own, wanted)
        ]
        raise UsageError(
            f"{path} plays {names[0]}, not {names[1]}",
            "acpcbot strategies lists each strategy's game",
        )
