"""What a scraper reads of a page of metrics, through Prometheus's own parser."""

from __future__ import annotations

from prometheus_client.parser import text_string_to_metric_families


def samples_of(text: str) -> dict[tuple[str, str, str], float]:
    """Every sample by its name, its bot and the bound of its class; each may stand there once."""
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    found = {(sample.name, sample.labels.get("bot", ""), sample.labels.get("le", "")): sample.value for sample in samples}
    labelled = [sample for sample in samples if sample.name.startswith("acpcbot_")]
    assert len({key for key in found if key[0].startswith("acpcbot_")}) == len(labelled)
    return found
