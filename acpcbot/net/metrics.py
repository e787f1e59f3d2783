"""Metrics of a bot supervisor for Prometheus: the counts of its bots, and the process's usage.

This module needs prometheus-client, the extra ``metrics``. To import it takes longer than to start
a bot, so it is imported with the first request for metrics.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import accumulate

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from acpcbot.net.client_match import BOUNDS_S, ClientStats
from acpcbot.net.serve import BotSupervisor, SupervisedBot

LABEL = "bot"
BOUNDS_TEXT = [*map(str, BOUNDS_S), "+Inf"]

Counted = Mapping[str, tuple[str, Callable[[SupervisedBot], int]]]
COUNTERS: Counted = {
    "acpcbot_hands": ("Hands that were finished.", lambda bot: bot.stats.num_hands),
    "acpcbot_decisions": (
        "Decisions that were sent, fallbacks included.",
        lambda bot: bot.stats.num_decisions,
    ),
    "acpcbot_fallbacks": (
        "Decisions made by a fallback: the client's, or an easier way of the agent's own.",
        lambda bot: bot.stats.num_fallbacks,
    ),
    "acpcbot_reconnects": (
        "Connections to a dealer after the first.",
        lambda bot: max(0, bot.stats.num_connections - 1),
    ),
    "acpcbot_finished_matches": (
        "Matches that the dealer ended between two hands.",
        lambda bot: bot.num_finished,
    ),
    "acpcbot_failed_matches": (
        "Matches that failed, or could not begin.",
        lambda bot: bot.num_failed,
    ),
}
GAUGES: Counted = {
    "acpcbot_seated": ("Bots that are at a dealer.", lambda bot: int(bot.is_seated)),
    "acpcbot_ready": (
        "Bots that can play and whose last match did not fail.",
        lambda bot: int(bot.is_ready),
    ),
}


def metrics_of(supervisor: BotSupervisor) -> Callable[[], bytes]:
    """Return a function that gives the current metrics of *supervisor* in Prometheus format."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    registry.register(_BotCollector(supervisor))
    return partial(generate_latest, registry)


class _BotCollector(Collector):
    """Collector of all counts by bot; bots of one name are counted together."""

    def __init__(self, supervisor: BotSupervisor) -> None:
        self._supervisor = supervisor

    def collect(self) -> Iterator[Metric]:
        """Yield the current metrics."""
        bots: defaultdict[str, list[SupervisedBot]] = defaultdict(list)
        for bot in self._supervisor.bots:
            bots[bot.name].append(bot)
        yield from _counted(CounterMetricFamily, COUNTERS, bots)
        yield from _counted(GaugeMetricFamily, GAUGES, bots)
        yield _decision_times(bots)


def _counted(
    family: type[CounterMetricFamily] | type[GaugeMetricFamily],
    counted: Counted,
    bots: Mapping[str, list[SupervisedBot]],
) -> Iterator[Metric]:
    for metric, (meaning, count) in counted.items():
        made = family(metric, meaning, labels=[LABEL])
        for name, same in bots.items():
            made.add_metric([name], sum(map(count, same)))
        yield made


def _decision_times(bots: Mapping[str, list[SupervisedBot]]) -> Metric:
    made = HistogramMetricFamily(
        "acpcbot_decision_seconds", "From a state to its answer.", labels=[LABEL]
    )
    for name, same in bots.items():
        stats = sum([bot.stats for bot in same], ClientStats())
        up_to = accumulate(stats.num_decisions_by_time)
        made.add_metric(
            [name], list(zip(BOUNDS_TEXT, map(float, up_to), strict=True)), stats.deciding_s
        )
    return made
