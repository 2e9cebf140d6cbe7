"""Small sites, made of words of their own."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path

WORDS = [a + b + c for a in ("ka", "mo", "ri", "tu") for b in "lmnprst" for c in ("a", "ei", "on")]


def page(body: str, head: str = "", lang: str = "en", title: str = "") -> str:
    return (
        f"<!doctype html><html lang='{lang}'><head><title>{title}</title>{head}</head>"
        f"<body>{body}</body></html>"
    )


def write(folder: Path, pages: Mapping[str, str]) -> Path:
    for path, content in pages.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content, encoding="utf-8")
    return folder


def made(count: int, seed: int = 0) -> dict[str, str]:
    """Pages of sentences that a seed has drawn."""
    draw = random.Random(seed)
    return {f"{n % 7}/p{n}.html": drawn(n, draw) for n in range(count)}


def drawn(number: int, draw: random.Random) -> str:
    texts = [" ".join(draw.choices(WORDS, k=12)) for _ in range(6)]
    parts = "".join(f"<h2 id=s{i}>Part {i}</h2><p>{text}." for i, text in enumerate(texts))
    return page(f"<h1>Page {number}</h1>{parts}")
