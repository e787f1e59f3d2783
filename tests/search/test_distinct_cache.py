"""The cache of solutions, of which many states may share one."""

from __future__ import annotations

from acpcbot.search.blueprint import DistinctLruCache


def test_values_count_once_and_go_with_all_of_their_keys() -> None:
    """Catches a value that is evicted because it has many keys, and one that is kept by an old key."""
    cache: DistinctLruCache[list[int]] = DistinctLruCache(2)
    one, two, three = [1], [2], [3]
    for number in range(5):
        cache.put(number, one)
    cache.put("two", two)
    assert len(cache) == 6
    assert cache.get_or_make(0, list) is one
    cache.put("three", three)
    assert list(cache.values()) == [one] * 5 + [three]
    cache.put("two", two)
    assert dict(cache) == {"three": three, "two": two}
    assert cache.get_or_make("three", list) is three
    assert cache.get_or_make(0, lambda: one) is one
    assert list(cache) == ["three", 0]
