"""What a house of bots tells whoever watches it: metrics for Prometheus, and whether it lives and is ready.

The metrics need prometheus-client, the extra ``metrics``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from http import HTTPStatus
from itertools import accumulate

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from acpcbot.net.serve import BotHouse, KeptBot
from acpcbot.net.status_server import Pages, Reply
from acpcbot.net.tally import BOUNDS_S, Tally

METRICS_PATH, LIVE_PATH, READY_PATH = "/metrics", "/live", "/ready"
TEXT_FORMAT = "text/plain; version=0.0.4; charset=utf-8"
LABEL = "bot"
BOUNDS_TEXT = [*map(str, BOUNDS_S), "+Inf"]

Counted = Mapping[str, tuple[str, Callable[[KeptBot], int]]]
COUNTERS: Counted = {
    "acpcbot_hands": ("Hands that were finished.", lambda bot: bot.tally.num_hands),
    "acpcbot_decisions": ("Decisions that were sent, fallbacks included.", lambda bot: bot.tally.num_decisions),
    "acpcbot_fallbacks": (
        "Decisions made by a fallback: the client's, or an easier way of the agent's own.",
        lambda bot: bot.tally.num_fallbacks,
    ),
    "acpcbot_reconnects": (
        "Connections to a dealer after the first.",
        lambda bot: max(0, bot.tally.num_connections - 1),
    ),
    "acpcbot_finished_matches": ("Matches that the dealer ended between two hands.", lambda bot: bot.num_finished),
    "acpcbot_failed_matches": ("Matches that failed, or could not begin.", lambda bot: bot.num_failed),
}
GAUGES: Counted = {
    "acpcbot_seated": ("Bots that are at a dealer.", lambda bot: int(bot.is_seated)),
    "acpcbot_ready": ("Bots that can play and whose last match did not fail.", lambda bot: int(bot.is_ready)),
}


def pages_of(house: BotHouse) -> Pages:
    """The pages of *house*, by path."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    registry.register(_HouseCollector(house))
    return {
        METRICS_PATH: partial(_metrics, registry),
        LIVE_PATH: lambda: Reply(HTTPStatus.OK, "live\n"),
        READY_PATH: partial(_readiness, house),
    }


def _metrics(registry: CollectorRegistry) -> Reply:
    return Reply(HTTPStatus.OK, generate_latest(registry).decode(), TEXT_FORMAT)


def _readiness(house: BotHouse) -> Reply:
    if house.is_draining:
        return Reply(HTTPStatus.SERVICE_UNAVAILABLE, "draining\n")
    if missing := [bot.name for bot in house.bots if not bot.is_ready]:
        return Reply(HTTPStatus.SERVICE_UNAVAILABLE, f"not ready: {', '.join(missing)}\n")
    return Reply(HTTPStatus.OK, "ready\n")


class _HouseCollector(Collector):
    """Everything that is counted, by bot; those of one name are counted together."""

    def __init__(self, house: BotHouse) -> None:
        self._house = house

    def collect(self) -> Iterator[Metric]:
        """The metrics as of now."""
        bots: defaultdict[str, list[KeptBot]] = defaultdict(list)
        for bot in self._house.bots:
            bots[bot.name].append(bot)
        yield from _counted(CounterMetricFamily, COUNTERS, bots)
        yield from _counted(GaugeMetricFamily, GAUGES, bots)
        yield _decision_times(bots)


def _counted(
    family: type[CounterMetricFamily] | type[GaugeMetricFamily], counted: Counted, bots: Mapping[str, list[KeptBot]]
) -> Iterator[Metric]:
    for metric, (meaning, count) in counted.items():
        made = family(metric, meaning, labels=[LABEL])
        for name, same in bots.items():
            made.add_metric([name], sum(map(count, same)))
        yield made


def _decision_times(bots: Mapping[str, list[KeptBot]]) -> Metric:
    made = HistogramMetricFamily("acpcbot_decision_seconds", "From a state to its answer.", labels=[LABEL])
    for name, same in bots.items():
        tally = sum([bot.tally for bot in same], Tally())
        up_to = accumulate(tally.num_decisions_by_time)
        made.add_metric([name], list(zip(BOUNDS_TEXT, map(float, up_to), strict=True)), tally.deciding_s)
    return made
