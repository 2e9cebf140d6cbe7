"""The report's plots, as SVG. Needs matplotlib."""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from matplotlib.figure import Figure

COLOURS = ("#1b5e9b", "#c2571a", "#3c8d40", "#8c4fa0", "#a33b4b", "#6f6f6f", "#1a9a96", "#b8932a")


def figure(title: str, x: str, y: str) -> tuple[Figure, Any]:
    drawn = Figure(figsize=(6.4, 3.9))
    axes = drawn.subplots()
    axes.set(title=title, xlabel=x, ylabel=y)
    axes.set_prop_cycle(color=COLOURS)
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    return drawn, axes


def svg(drawn: Figure) -> str:
    """The figure as an element to put into a page."""
    out = io.StringIO()
    drawn.tight_layout()
    drawn.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    return text[text.index("<svg") :]


def by_threshold(results: Iterable[dict[str, Any]], what: str, title: str) -> str:
    """Recall or precision at thresholds (WitP Fig. 1, DIR Fig. 7 and 8, SIGIR Fig. 5)."""
    drawn, axes = figure(title, "similarity threshold (tf-idf cosine)", what)
    for result in results:
        points = [(float(t), at[what], at.get("low"), at.get("high")) for t, at in result["at"].items() if at[what] is not None]
        if not points:
            continue
        t, value, low, high = zip(*points, strict=True)
        (line,) = axes.plot(t, value, marker="o", markersize=3, label=result["scheme"])
        if what == "recall":
            axes.fill_between(t, low, high, color=line.get_color(), alpha=0.12, linewidth=0)
    axes.set_ylim(-0.02, 1.02)
    axes.legend(fontsize=8)
    return svg(drawn)


def run_time(rows: list[dict[str, Any]]) -> str:
    """Run time against sample size (DIR Fig. 7 and 8, right)."""
    drawn, axes = figure("Run time of a query", "documents", "microseconds")
    lines: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
    for row in rows:
        lines[row["scheme"]].append((row["documents"], row["microseconds"]))
    for name, points in lines.items():
        axes.plot(*zip(*points, strict=True), marker="o", markersize=3, label=name)
    axes.set_yscale("log")
    axes.legend(fontsize=8)
    return svg(drawn)


def distributions(parts: dict[str, dict[str, Any]]) -> str:
    """Similarity distribution of collections, high ones skewed by construction among them (SIGIR Fig. 4)."""
    drawn, axes = figure("Pairs by similarity", "tf-idf cosine", "pairs a query")
    for name, part in parts.items():
        middles = [(a + b) / 2 for a, b in zip(part["edges"], part["edges"][1:], strict=False)]
        axes.plot(middles, [max(n / max(part["queries"], 1), 1e-4) for n in part["pairs"]], marker="o", markersize=3, label=name)
    axes.set_yscale("log")
    axes.legend(fontsize=8)
    return svg(drawn)


def stress(part: dict[str, Any], what: str, title: str) -> str:
    """Stress against the threshold (SIGIR Fig. 3)."""
    drawn, axes = figure(title, "threshold", what.replace("_", " "))
    for name, at in part["embeddings"].items():
        points = [(float(t), row[what]) for t, row in at.items() if row[what] is not None]
        if points:
            axes.plot(*zip(*points, strict=True), marker="o", markersize=3, label=name)
    if what.endswith("stress"):
        axes.set_yscale("log")
    axes.legend(fontsize=8)
    return svg(drawn)


def edits(results: list[dict[str, Any]], kind: str) -> str:
    """Share of edited documents that find their original."""
    drawn, axes = figure(f"Original found after words were {kind}", "share of words", "found")
    for result in results:
        points = [(float(name.split()[1]), value) for name, value in result["edits"].items() if name.startswith(f"{kind} ")]
        if points:
            axes.plot(*zip(*points, strict=True), marker="o", markersize=3, label=result["scheme"])
    axes.set_ylim(-0.02, 1.02)
    axes.legend(fontsize=8)
    return svg(drawn)


def frontier(rows: list[dict[str, Any]], threshold: str) -> str:
    """Recall against time; the number of probes beside each point."""
    drawn, axes = figure(f"Recall at {threshold} by time and probes", "microseconds a query", "recall")
    lines: defaultdict[str, list[tuple[float, float, str]]] = defaultdict(list)
    for row in rows:
        if row["at"][threshold]["recall"] is not None:
            lines[f"{row['scheme']}, {row['look_up_bytes']:.0f} bytes"].append(
                (row["microseconds"], row["at"][threshold]["recall"], row["probes"])
            )
    for name, points in lines.items():
        axes.plot([p[0] for p in points], [p[1] for p in points], marker="o", markersize=3, label=name)
        for x, y, probes in points:
            axes.annotate(probes, (x, y), fontsize=6, xytext=(2, 3), textcoords="offset points")
    axes.set_xscale("log")
    axes.legend(fontsize=8)
    return svg(drawn)
