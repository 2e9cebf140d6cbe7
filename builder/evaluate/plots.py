"""The report's plots, as SVG. Needs matplotlib."""

from __future__ import annotations

import contextlib
import io
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import matplotlib
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator
from pocketindex.builder.evaluate.lines import LINES, called

INK = "#010203"  # stands for the colour of the page's text, which is light on a dark page


@contextlib.contextmanager
def fonts_are_read() -> Iterator[None]:
    """Raise the OSError of a font that cannot be read: matplotlib prints it as ignored, and raises
    an error of its own, if any.
    """
    ignored, before = list[BaseException | None](), sys.unraisablehook
    sys.unraisablehook = lambda found: ignored.append(found.exc_value)
    try:
        yield
    except RuntimeError:
        if not ignored:
            raise
    finally:
        sys.unraisablehook = before
    for error in ignored:
        if isinstance(error, OSError):
            raise error


def figure(title: str, x: str, y: str) -> tuple[Figure, Any]:
    drawn = Figure(figsize=(6.4, 4.6))
    axes = drawn.subplots()
    axes.set(title=title, xlabel=x, ylabel=y)
    for text in (axes.title, axes.xaxis.label, axes.yaxis.label):
        text.set_color(INK)
    axes.tick_params(which="both", color=INK, labelcolor=INK)
    axes.grid(alpha=0.2, color=INK)
    axes.spines[:].set_color(INK)
    axes.spines[["top", "right"]].set_visible(False)
    return drawn, axes


def svg(drawn: Figure, axes: Any) -> str:
    """Return the figure as an element of a page, with its legend below."""
    handles, labels = axes.get_legend_handles_labels()
    if handles:
        axes.legend(
            handles,
            labels,
            fontsize=8,
            labelcolor=INK,
            frameon=False,
            loc="upper left",
            bbox_to_anchor=(-0.02, -0.15),
            borderaxespad=0.0,
        )
    out = io.StringIO()
    # Without a salt the identifiers in a drawing are random.
    with matplotlib.rc_context({"svg.hashsalt": "pocketindex"}):
        drawn.savefig(
            out,
            format="svg",
            transparent=True,
            bbox_inches="tight",
            metadata={"Date": None, "Creator": None},
        )
    text = out.getvalue()
    return text[text.index("<svg") :].replace(INK, "currentColor")


def line(axes: Any, name: str, points: Iterable[Sequence[Any]], label: str = "") -> Any:
    """Draw (x, y, …) points as what they are of, which has one colour in all plots."""
    own = LINES[name]
    x, y, *_ = zip(*points, strict=True)
    return axes.plot(
        x,
        y,
        color=own.colour,
        marker=own.marker,
        markersize=4,
        linewidth=1.4,
        label=label or own.words,
    )[0]


def logarithmic(axis: Any, values: Sequence[float]) -> None:
    """Make an axis logarithmic, with plain numbers that do not overlap."""
    axis._set_axes_scale("log")
    decades = max(values) / min(values) if values else 1
    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if decades < 200 else (1.0,)))
    axis.set_major_formatter(
        FuncFormatter(lambda value, _: f"{value:,.0f}" if value >= 1 else f"{value:g}")
    )
    axis.set_minor_locator(NullLocator())
    axis.set_minor_formatter(NullFormatter())


def by_threshold(results: Iterable[dict[str, Any]], what: str, title: str) -> str:
    """Draw recall or precision at thresholds (WitP Fig. 1, DIR Fig. 7 and 8, SIGIR Fig. 5)."""
    drawn, axes = figure(title, "similarity threshold (tf-idf cosine)", what.split("_")[0])
    for result in results:
        points = [
            (float(t), at[what], at.get("low"), at.get("high"))
            for t, at in result["at"].items()
            if at[what] is not None
        ]
        if not points:
            continue
        t, _, low, high = zip(*points, strict=True)
        own = line(axes, result["scheme"], points, called(result))
        if what == "recall":
            axes.fill_between(t, low, high, color=own.get_color(), alpha=0.12, linewidth=0)
    axes.set_ylim(-0.02, 1.02)
    return svg(drawn, axes)


def run_time(rows: list[dict[str, Any]]) -> str:
    """Run time against sample size (DIR Fig. 7 and 8, right)."""
    drawn, axes = figure("Run time of a query", "documents", "microseconds")
    lines: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
    for row in rows:
        lines[row["scheme"]].append((row["documents"], row["microseconds"]))
    for name, points in lines.items():
        line(axes, name, points)
    logarithmic(axes.yaxis, [row["microseconds"] for row in rows])
    return svg(drawn, axes)


def distributions(parts: dict[str, dict[str, Any]]) -> str:
    """Draw the similarity distribution of collections, high ones skewed by construction among them
    (SIGIR Fig. 4).
    """
    drawn, axes = figure("Pairs by similarity", "tf-idf cosine", "pairs a query")
    every = []
    for name, part in parts.items():
        middles = [(a + b) / 2 for a, b in zip(part["edges"], part["edges"][1:], strict=False)]
        pairs = [max(n / max(part["queries"], 1), 1e-4) for n in part["pairs"]]
        every += pairs
        line(axes, name, zip(middles, pairs, strict=True))
    logarithmic(axes.yaxis, every)
    return svg(drawn, axes)


def stress(part: dict[str, Any], what: str, title: str) -> str:
    """Draw stress against the threshold (SIGIR Fig. 3)."""
    drawn, axes = figure(title, "threshold", what.replace("_", " "))
    every = []
    for name, at in part["embeddings"].items():
        points = [(float(t), row[what]) for t, row in at.items() if row[what] is not None]
        if points:
            every += [value for _, value in points if value > 0]
            line(axes, name, points)
    if what.endswith("stress"):
        logarithmic(axes.yaxis, every)
    return svg(drawn, axes)


def edits(results: list[dict[str, Any]], kind: str) -> str:
    """Share of edited documents that find their original."""
    title = "deleted, replaced or inserted" if kind == "mixed" else kind
    drawn, axes = figure(
        f"Original shown after words were {title}", "share of words", "share of documents"
    )
    for result in results:
        points = [
            (float(name.split()[1]), value)
            for name, value in result["edits"].items()
            if name.startswith(f"{kind} ")
        ]
        if points:
            line(axes, result["scheme"], points, called(result))
    axes.set_ylim(-0.02, 1.02)
    return svg(drawn, axes)


def frontier(rows: list[dict[str, Any]], threshold: str) -> str:
    """Draw recall against time, and write the number of probes beside each point."""
    drawn, axes = figure(
        f"Recall at {threshold} by time; probes beside the points", "microseconds a query", "recall"
    )
    lines: defaultdict[str, list[tuple[float, float, str, float]]] = defaultdict(list)
    for row in rows:
        if row["at"][threshold]["recall"] is not None:
            lines[row["scheme"]].append(
                (
                    row["microseconds"],
                    row["at"][threshold]["recall"],
                    row["probes"],
                    row["look_up_bytes"],
                )
            )
    for name, points in lines.items():
        line(axes, name, points, f"{LINES[name].words}: {points[0][3]:.0f} bytes a document")
        for x, y, probes, _ in points:
            axes.annotate(
                probes, (x, y), fontsize=7, color=INK, xytext=(2, 4), textcoords="offset points"
            )
    logarithmic(axes.xaxis, [point[0] for points in lines.values() for point in points])
    return svg(drawn, axes)
