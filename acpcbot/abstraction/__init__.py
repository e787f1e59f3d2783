"""Card abstraction: hands that are not told apart share a bucket.

Buckets are percentiles of E[HS2], k-means clusters of strength histograms, or the 169
classes before the flop; small games are dealt exactly. ``card_abstraction.py`` makes one from
settings; ``deal_sources.py`` shows the same cards through several abstractions at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.abstraction.buckets import Bucketing as Bucketing
    from acpcbot.abstraction.buckets import EquityBuckets as EquityBuckets
    from acpcbot.abstraction.buckets import Lossless169 as Lossless169
    from acpcbot.abstraction.canonical_boards import CanonicalBoards as CanonicalBoards
    from acpcbot.abstraction.card_abstraction import Abstraction as Abstraction
    from acpcbot.abstraction.card_abstraction import DealSource as DealSource
    from acpcbot.abstraction.card_abstraction import ExactAbstraction as ExactAbstraction
    from acpcbot.abstraction.card_abstraction import all_deals as all_deals
    from acpcbot.abstraction.card_abstraction import make_abstraction as make_abstraction
    from acpcbot.abstraction.card_abstraction import make_deal_source as make_deal_source
    from acpcbot.abstraction.deal_sources import DealSources as DealSources
    from acpcbot.abstraction.holdem_abstraction import HoldemAbstraction as HoldemAbstraction
    from acpcbot.abstraction.kmeans import Clustering as Clustering
    from acpcbot.abstraction.kmeans import cluster as cluster
    from acpcbot.abstraction.kmeans_buckets import KMeansBuckets as KMeansBuckets

export(
    __name__,
    {
        "Abstraction": "card_abstraction",
        "Bucketing": "buckets",
        "CanonicalBoards": "canonical_boards",
        "Clustering": "kmeans",
        "DealSource": "card_abstraction",
        "DealSources": "deal_sources",
        "EquityBuckets": "buckets",
        "ExactAbstraction": "card_abstraction",
        "HoldemAbstraction": "holdem_abstraction",
        "KMeansBuckets": "kmeans_buckets",
        "Lossless169": "buckets",
        "all_deals": "card_abstraction",
        "cluster": "kmeans",
        "make_abstraction": "card_abstraction",
        "make_deal_source": "card_abstraction",
    },
)
