"""Settings for every test: no property test fails for being slow, because tests time nothing."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("acpcbot", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("acpcbot")
