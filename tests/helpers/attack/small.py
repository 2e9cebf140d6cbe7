"""The small file that the harnesses attack: every section, several blocks, tables and parts."""

from __future__ import annotations

from pathlib import Path

from plain_layout import FF, Settings, assemble
from plain_writer import sections
from test_plain_damage import TEXTS
from word_blocks import WordSettings


def write_small(path: Path) -> Path:
    """30 documents, two tables of parts of 5 keys, long postlists, a url template,
    texts, some in pieces, passages, words; about 6 KB.
    """
    layout = Settings(
        part_keys=5,
        posting_bits=5,
        per_block=8,
        content=100,
        template="https://example.org/{id}",
        keep="text",
        room=32,
        passages=(1, 1, 30),
        words=WordSettings(most=10),
    )
    path.write_bytes(assemble(sections(TEXTS, FF(), layout)))
    return path
