"""Hands played in RLCard's own environments, as JSON: what every player was given and did.

``python -m tests.support.rlcard_recording`` plays them anew and writes the file that tests read;
it needs RLCard (``pip install rlcard``), which the test tools leave out: it has no wheel.
"""

from __future__ import annotations

import json
from enum import Enum
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

FILE = Path(__file__).parents[1] / "adapters" / "data" / "rlcard_hands.json"
GAMES = (("leduc-holdem", 2), ("limit-holdem", 2), ("no-limit-holdem", 2), ("no-limit-holdem", 3))
NUM_HANDS = 8


def plain(value: Any) -> Any:
    """*value* as JSON has it: members of enums by name, numbers of numpy as numbers."""
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, dict):
        return {str(key): plain(found) for key, found in value.items()}
    if isinstance(value, list | tuple):
        return [plain(found) for found in value]
    return value.item() if isinstance(value, np.generic) else value


def plain_state(state: dict[str, Any]) -> dict[str, Any]:
    """A state as JSON has it, the vector as its places that are not 0."""
    vector = state["obs"]
    assert vector.dtype == np.float64
    places = np.flatnonzero(vector).tolist()
    found = plain(state | {"obs": [len(vector), [[place, vector[place]] for place in places]]})
    return dict(found)


def play_hand(name: str, num_players: int, seed: int) -> dict[str, Any]:
    """A hand of random play in an environment of its own."""
    import rlcard

    env, random = rlcard.make(name, {"seed": seed, "game_num_players": num_players}), Random(seed)
    env.reset()
    steps = []
    while not env.is_over():
        # Not what reset() returns: there raise_nums of limit hold'em are those of a hand before.
        state = env.get_state(player := env.get_player_id())
        legal = state["raw_legal_actions"]
        # Folds where checking is free are left out: by our rules they are none.
        chips, own = state["raw_obs"]["all_chips"], state["raw_obs"]["my_chips"]
        likely = {"fold": own < max(chips), "FOLD": own < max(chips), "ALL_IN": 1}
        action = random.choices(legal, [likely.get(plain(raw), 4) for raw in legal])[0]
        steps.append({"player": player, "state": plain_state(state), "action": plain(action)})
        env.step(action, raw_action=True)
    cards = env.get_perfect_information()
    board = cards["public_card"] or []
    return {
        "env": name,
        "num_players": num_players,
        "hands": [hand if isinstance(hand, list) else [hand] for hand in cards["hand_cards"]],
        "board": board if isinstance(board, list) else [board],
        "steps": steps,
        "payoffs": plain(list(env.get_payoffs())),
    }


def record(num_hands: int, first_seed: int) -> list[dict[str, Any]]:
    """Hands of all games, the next ones of a longer list for another *first_seed*."""
    return [
        play_hand(name, num_players, first_seed + number)
        for name, num_players in GAMES
        for number in range(num_hands)
    ]


if __name__ == "__main__":
    lines = [json.dumps(hand, separators=(",", ":")) for hand in record(NUM_HANDS, 1)]
    FILE.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
