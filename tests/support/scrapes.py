"""A page of metrics as a scraper reads it, through Prometheus's own parser."""

from __future__ import annotations

from prometheus_client.parser import text_string_to_metric_families


def samples_of(text: str) -> dict[tuple[str, str, str], float]:
    """Every sample by its name, its bot and the bound of its class; each may stand there once."""
    samples = [
        sample for family in text_string_to_metric_families(text) for sample in family.samples
    ]
    keys = [
        (sample.name, sample.labels.get("bot", ""), sample.labels.get("le", ""))
        for sample in samples
    ]
    of_bots = [key for key in keys if key[1]]
    assert len(set(of_bots)) == len(of_bots)
    return {key: sample.value for key, sample in zip(keys, samples, strict=True)}
