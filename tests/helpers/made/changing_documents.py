"""Documents with versions, and builds of all kinds, for files that change."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from pathlib import Path

from pocketindex.builder import Settings
from pocketindex.builder.inputs.fields import Fields
from pocketindex.builder.schemes.rff import RffSettings

Document = dict[str, object]
TOPICS = [[f"w{kind}x{i}" for i in range(60)] for kind in range(8)]
LABEL = Fields(label="topics")
WAYS = {
    "plain": Settings(),
    "cells": Settings(scheme_settings=RffSettings(cells=8)),
    "labels, titles and snippets": Settings(
        fields=LABEL, titles=True, keep="snippet", snippet=40, url_template="https://x/{id}"
    ),
    "words": Settings(index=("documents", "words"), title_weight=2),
    "words and their forms": Settings(
        index=("documents", "words"), title_weight=2, stem="en", lemmas=True
    ),
    "words and cells": Settings(
        index=("documents", "words"), scheme_settings=RffSettings(cells=8), identity_bits=16
    ),
    "passages": Settings(
        index=("documents", "passages"), run_terms=2, run_window=3, run_documents=1
    ),
    "passages and cells": Settings(
        index=("documents", "passages"), scheme_settings=RffSettings(cells=8), run_terms=1
    ),
    "heaviest words": Settings(index=("documents", "words:4"), title_weight=2),
    "heaviest words and cells": Settings(
        index=("documents", "words:3"), scheme_settings=RffSettings(cells=8), title_weight=0
    ),
    "all of it": Settings(
        index=("documents", "passages", "words:5"),
        keep="text",
        titles=True,
        fields=LABEL,
        identity_bits=16,
        run_documents=3,
        keys_per_part=2_000,
    ),
    "ff": Settings(scheme="ff", profile="en"),
    "minhash": Settings(scheme="minhash", checksum_bits=32),
}


def document(number: int, version: int = 0) -> Document:
    chance = random.Random(f"{number} {version}")
    words = chance.choices(TOPICS[number % 8], k=chance.randrange(8, 60))
    words += chance.choices(["quake", "quakes", "mouse", "mice", "house"], k=chance.randrange(3))
    if number % 7 == 0:
        words = words[:2]  # too short
    made: Document = {"id": f"d{number}", "title": f"Number {number} é", "text": " ".join(words)}
    if number % 3 == 0:
        made["url"] = f"https://elsewhere/{number}"
    if number % 5:
        made["topics"] = [f"t{number % 4}", "all"][: number % 3]
    return made


def written(documents: Iterable[Document], path: Path) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in documents))
    return path
