"""The picture of a learning curve, where matplotlib is installed (the extra ``plots``)."""

from __future__ import annotations

from pathlib import Path

INTERVAL = "_ci"


def draw_curve(rows: list[dict[str, str]], path: Path, title: str) -> bool:
    """Draw every measured value over the count, with its interval where there is one; False without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return False
    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.add_subplot()
    names = [name for name in rows[-1] if name not in ("count", "seconds") and not name.endswith(INTERVAL)]
    for name in names:
        points = [(int(row["count"]), float(row[name])) for row in rows if row.get(name)]
        spreads = [float(row.get(name + INTERVAL) or 0) for row in rows if row.get(name)]
        counts, values = zip(*points, strict=True)
        axes.errorbar(counts, values, yerr=spreads if any(spreads) else None, label=name, marker=".", capsize=2)
    axes.set_xscale("log")
    if all(float(row[name]) > 0 for row in rows for name in names if row.get(name)):
        axes.set_yscale("log")
    axes.set(xlabel="episodes or iterations", title=title)
    axes.grid(visible=True, alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=120)
    return True
