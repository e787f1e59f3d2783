"""The outcome of best responses to a policy: values, gains, NashConv, exploitability.

In big blinds a hand.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BestResponse:
    """Values by seat: *values* of best responses to a policy, *policy_values* of the policy."""

    values: tuple[float, ...]
    policy_values: tuple[float, ...]

    @property
    def gains(self) -> tuple[float, ...]:
        """The gain of each seat by deviating to a best response."""
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
