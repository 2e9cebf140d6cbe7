"""The dictionary of a website, which the core cuts and writes."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

from compiled import core_file
from core_sources import SANITIZE, harness


def test_no_byte_beyond_words_and_pages(tmp_path: Path) -> None:
    """Pages that say something else the second time, under the sanitizers."""
    program = harness(
        tmp_path / "words",
        "site_words.c",
        *SANITIZE,
        libraries=(str(core_file("dictionary.c")),),
    )
    draw = random.Random(1)
    endings = ["", "s", "ing", "\0\u00e9", "\1a0b1c2"]
    words = dict.fromkeys(f"{draw.randrange(10**6)}{draw.choice(endings)}" for _ in range(5000))
    lines = "".join(f"{word}\n" for word in words)
    done = subprocess.run([program, "400"], input=lines.encode(), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    pieces, refused = map(int, done.stdout.split())

    assert pieces > 500
    assert 50 < refused < 300
