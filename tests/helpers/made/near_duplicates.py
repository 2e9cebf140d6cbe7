"""A small collection with known near-duplicates."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

from made_up import made_up


def without(text: str, *places: int) -> str:
    """text without the words at places."""
    return " ".join(word for i, word in enumerate(text.split()) if i not in places)


def collection() -> list[dict[str, Any]]:
    """60 documents; of 3 a copy in other white space, of 7 two near ones, of 11 a byte-identical
    copy, two short ones twice.
    """
    documents: list[dict[str, Any]] = [
        {**d, "date": f"2020-01-{1 + i % 28:02}"} for i, d in enumerate(made_up(60))
    ]
    texts = [d["text"] for d in documents]
    return [
        *documents,
        {"id": "3-spaced", "text": "  " + texts[3].replace(" ", "\n\t"), "date": "2026-05-01"},
        {"id": "7-a", "text": without(texts[7], 30), "date": "2019-05-01T12:00:00Z"},
        {"id": "7-b", "text": texts[7] + " lantern", "date": 1_800_000_000},
        {"id": "11-copy", "text": texts[11]},
        {"id": "short", "text": "basket candle"},
        {"id": "short-too", "text": "candle basket"},
        {"id": "short-copy", "text": "basket  candle"},
    ]


def report(random: Random, months: int) -> str:
    """The figures of a company that nobody founded, in the form that all such reports have."""

    def line(name: str, unit: str) -> str:
        now, then = (
            f"{random.randrange(1, 90)}.{random.randrange(100):02} {unit}" for _ in range(2)
        )
        return f"{name} {now} vs {then}"

    def period() -> list[str]:
        net = [
            f"{random.randrange(1, 9)},{random.randrange(1000):03},{random.randrange(1000):03}"
            for _ in range(2)
        ]
        return [
            line("Profit a share", "cts"),
            f"Net profit {net[0]} vs {net[1]}",
            line("Sales", "mln dlrs"),
            line("Average shares", "mln"),
        ]

    note = (
        "NOTE: the company restated the figures of the earlier period for a change in "
        "accounting for discontinued operations."
    )
    return "\n".join([*period(), f"{months} months", *period(), note])


def write(path: Path, documents: list[dict[str, Any]]) -> Path:
    path.write_text(
        "".join(json.dumps(d, ensure_ascii=False) + "\n" for d in documents), encoding="utf-8"
    )
    return path
