"""Counts with their uncertainty."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from pocketindex.builder.evaluate.labels import wilson
from truth import bootstrap

FEW = 30  # below, a mean says little


def mean(values: Sequence[float]) -> str:
    """Mean with a 95 % interval over queries drawn anew; in brackets where there are few."""
    if not len(values):
        return "-"
    low, high = bootstrap(np.array(values, float))
    text = f"{np.mean(values):.3f} ({low:.2f}-{high:.2f})"
    return text if len(values) >= FEW else f"[{text}]"


def share(found: Sequence[bool]) -> str:
    """Share with its Wilson interval; in brackets where there are few."""
    if not len(found):
        return "-"
    low, high = wilson(sum(found), len(found))
    text = f"{sum(found) / len(found):.3f} ({low:.2f}-{high:.2f})"
    return text if len(found) >= FEW else f"[{text}]"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Markdown; the first column is text, the others are figures."""
    return [
        "| " + " | ".join(head) + " |",
        "|---|" + "--:|" * (len(head) - 1),
        *("| " + " | ".join(row) + " |" for row in rows),
    ]
