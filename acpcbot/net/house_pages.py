"""What a house of bots tells whoever watches it: metrics for Prometheus, and whether it lives and is ready."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from http import HTTPStatus
from importlib.util import find_spec

from acpcbot.net.serve import BotHouse
from acpcbot.net.status_server import Pages, Reply

METRICS_PATH, LIVE_PATH, READY_PATH = "/metrics", "/live", "/ready"
TEXT_FORMAT = "text/plain; version=0.0.4; charset=utf-8"
LIBRARY = "prometheus_client"


def pages_of(house: BotHouse) -> Pages:
    """The pages of *house*, by path; raises ModuleNotFoundError where the library of the metrics is missing."""
    if find_spec(LIBRARY) is None:
        raise ModuleNotFoundError(f"No module named {LIBRARY!r}", name=LIBRARY)

    @cache
    def metrics() -> Callable[[], bytes]:
        from acpcbot.net.house_metrics import metrics_of  # with the first question: a bot's start does not wait for it

        return metrics_of(house)

    return {
        METRICS_PATH: lambda: Reply(HTTPStatus.OK, metrics()().decode(), TEXT_FORMAT),
        LIVE_PATH: lambda: Reply(HTTPStatus.OK, "live\n"),
        READY_PATH: partial(_readiness, house),
    }


def _readiness(house: BotHouse) -> Reply:
    if house.is_draining:
        return Reply(HTTPStatus.SERVICE_UNAVAILABLE, "draining\n")
    if missing := [bot.name for bot in house.bots if not bot.is_ready]:
        return Reply(HTTPStatus.SERVICE_UNAVAILABLE, f"not ready: {', '.join(missing)}\n")
    return Reply(HTTPStatus.OK, "ready\n")
