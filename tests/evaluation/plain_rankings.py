"""The competition's rankings once more, in plain slow Python: dictionaries of matches and sets
of players.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Results = Mapping[tuple[int, ...], Sequence[float]]
"""What the players of each match won in it."""


def plain_bankroll(player: int, left: set[int], results: Results) -> float:
    won = [
        values[players.index(player)]
        for players, values in results.items()
        if player in players and set(players) <= left
    ]
    return round(sum(won) / len(won), 6) if won else 0.0


def shared_ranks(amounts: Mapping[int, float]) -> dict[int, int]:
    return {
        player: 1 + sum(other > own for other in amounts.values())
        for player, own in amounts.items()
    }


def plain_total_ranks(num_players: int, results: Results) -> dict[int, int]:
    everybody = set(range(num_players))
    return shared_ranks(
        {player: plain_bankroll(player, everybody, results) for player in everybody}
    )


def plain_run_off_ranks(num_players: int, num_seats: int, results: Results) -> dict[int, int]:
    left, ranks = set(range(num_players)), dict[int, int]()
    while left:
        amounts = {player: plain_bankroll(player, left, results) for player in left}
        losers = {player for player in left if amounts[player] == min(amounts.values())}
        if len(left - losers) < num_seats:
            return ranks | shared_ranks(amounts)
        ranks |= dict.fromkeys(losers, len(left) - len(losers) + 1)
        left -= losers
    return ranks
