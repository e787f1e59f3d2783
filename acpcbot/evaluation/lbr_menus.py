"""What local best response may bet, by the name of the menu: the published ones of no-limit games, and our own.

Each has an entry a street: shares of the pot after the call; with nothing it folds or calls, with None it calls.
The last one bets before the flop. In a limit game any share is the one bet.

Source: Lisy & Bowling (2017), Equilibrium approximation quality of current no-limit poker bots.
"""

from __future__ import annotations

Menu = tuple[float, ...] | None

ALL_IN = float("inf")
FRACTIONS = (*[0.05 * 1.15**step for step in range(55)], ALL_IN)
MENUS: dict[str, tuple[Menu, Menu, Menu, Menu]] = {
    "limit": ((1.0,), (1.0,), (1.0,), (1.0,)),
    "fc": ((), (), (), ()),
    "fcpa": (None, None, (1.0, ALL_IN), (1.0, ALL_IN)),
    "56bets": (None, None, FRACTIONS, FRACTIONS),
    "2r56bets": (None, FRACTIONS, (), ()),
    "1r56bets": (FRACTIONS, (), (), ()),
}
