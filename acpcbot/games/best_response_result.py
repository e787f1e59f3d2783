"""The outcome of best responses to a policy: values, gains, NashConv, exploitability.

In big blinds a hand.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BestResponse:
    """By seat: *values* of a best response to the others' policy, *policy_values* of the policy
    itself.
    """

    values: tuple[float, ...]
    policy_values: tuple[float, ...]

    @property
    def gains(self) -> tuple[float, ...]:
        """What each seat would gain by leaving the policy alone."""
        return tuple(
            best - kept for best, kept in zip(self.values, self.policy_values, strict=True)
        )

    @property
    def nash_conv(self) -> float:
        """The sum of the gains: zero in an equilibrium only."""
        return sum(self.gains)

    @property
    def exploitability(self) -> float:
        """The mean of the gains."""
        return self.nash_conv / len(self.values)
