"""What fuzzing starts from: small files of every scheme and section, others with one fault each,
and unusual streams of deflate.
"""

from __future__ import annotations

import json
import struct
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest import mock

import test_cells
import test_copies_damage
import test_inflate
import test_labels_damage
import test_plain_damage
import test_plain_verify
import test_words_damage
from golden_files import BUILT, MORE, NAMES, ROWS, SMALL
from places import TESTS
from plain_layout import BMZ, FF, Section, Settings, Text, assemble, content, murmur, pad
from plain_writer import record, sections
from pocketindex.builder.pipeline import Settings as BuildSettings
from pocketindex.builder.pipeline import build
from pocketindex.builder.write import cells
from word_blocks import WordSettings

CORPUS = TESTS / "fuzz_corpus"
# Less memory a query; limits that small files reach; questions whether to go on.
LITTLE = (
    "-DMAX_CANDIDATES=256",
    "-DSCAN_LEAST=8",
    "-DSTEPS_BETWEEN=8u",
    "-DFEW_DOCUMENTS=20u",
    "-DCOMMONER=4u",
)
MOST = 1 << 16  # bytes of a file
TEXTS = test_plain_damage.TEXTS
WORDS = "Émile 123 a_b c\u00adc ﬁx Straße हिन्दी 東京都 がギ 각"
TITLED = [replace(text, title=title) for text, title in zip(TEXTS, NAMES, strict=False)]
ODD = [
    Text(f"Az.~_-/ é{i}\0", f"{WORDS} {text.text}", f"{i} Zz.~_-/é", text.url if i % 2 else "")
    for i, text in enumerate(TEXTS)
]
WIDE: list[dict[str, Any]] = [
    {"tables": 0, "bits": None, "components": 128, "cells": 5},
    {"tables": 0, "bits": None, "components": 256, "cells": 5},
    {"tables": 1, "components": 32, "cells": 1},
]
ALIKE = [Text(f"id {i}", "alpha beta gamma", "s") for i in range(600)]
# Few of many documents have a word that is asked for.
RARE = [Text(f"{i}", f"x{i} y" if i else "gamma mu alpha beta") for i in range(300)]
LAYOUTS: dict[str, tuple[list[Text], Settings]] = {
    "plain": (TEXTS, Settings(part_keys=5, posting_bits=5, per_block=8, content=100)),
    "no checksums": (
        TEXTS,
        Settings(checksum_bits=0, identity_bits=0, posting_bits=5, part_keys=100),
    ),
    "cmph": (TEXTS, Settings(mph=BMZ, posting_bits=5, part_keys=9)),
    "texts": (
        TITLED,
        Settings(posting_bits=5, content=100, keep="text", room=32, titles=9),
    ),
    "snippets": (
        ODD,
        Settings(
            checksum_bits=32,
            template="x/{id}?{title}{i",
            keep="snippet",
            characters=12,
            room=50,
            titles=100,
        ),
    ),
    "passages": (
        ODD,
        Settings(posting_bits=5, checksum_bits=8, part_keys=20, content=100, passages=(2, 3, 30)),
    ),
    "labels": (test_labels_damage.TEXTS, Settings(posting_bits=5, content=100, labels=(2, 3))),
    "words": (TEXTS, Settings(posting_bits=5, content=100, passages=(1, 1, 30))),
    "filtered": (
        [
            replace(text, labels=(f"topic {i % 3}", *(("lang:en",) if i % 2 else ())))
            for i, text in enumerate(TEXTS)
        ],
        Settings(posting_bits=5, content=100, labels=(2, 3), words=WordSettings(most=7)),
    ),
    "searched": (
        TEXTS,
        Settings(posting_bits=5, content=100, keep="text", room=99, words=WordSettings(most=7)),
    ),
    "heaviest": (TEXTS, Settings(posting_bits=5, content=100, words=WordSettings(heaviest=2))),
    "counted": (
        TEXTS,
        Settings(posting_bits=5, words=WordSettings(heaviest=2, counted_of=(("mu al", "no"),) * 3)),
    ),
    "rare": (RARE, Settings(posting_bits=9, per_block=400, content=4000, words=WordSettings())),
    "many begin so": (
        [Text("id", " ".join(f"alp{i:03}" for i in range(300)) + " mu")],
        Settings(posting_bits=1, words=WordSettings()),
    ),
    "alike": (ALIKE, Settings(posting_bits=10, per_block=400, content=4000)),
    "alike, searched": (
        ALIKE,
        Settings(posting_bits=10, per_block=400, content=4000, words=WordSettings(most=100)),
    ),
    "empty": ([], Settings(titles=1, keep="text", words=WordSettings())),
    "long": (
        [Text("i" * 1024, "alpha beta", "t" * 8192, "u" * 8192), Text("i" * 1025, "beta", "", "u")],
        Settings(),
    ),
    "too long a title": ([Text("i", "alpha beta", "t" * 8193, "u")], Settings()),
    "too long a url": ([Text("i", "alpha beta", "t", "u" * 8193)], Settings()),
    "no id": ([Text("", "alpha beta", "t", "u")], Settings()),
}


def built() -> Iterator[bytes]:
    """Of every scheme, by the builder."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "documents.jsonl", Path(folder) / "x.pocket"
        source.write_text(
            "".join(
                json.dumps({"id": t.id, "title": t.title, "text": t.text + " delta" * 4}) + "\n"
                for t in TEXTS
            )
        )
        for scheme, choices, more in [
            *((*own, MORE.get(name, {})) for name, own in BUILT.items()),
            *(("rff", replace(SMALL, **wide), {}) for wide in WIDE),
        ]:
            settings = BuildSettings(
                scheme=scheme,
                profile="learn",
                scheme_settings=choices,
                keys_per_part=9,
                probes=20,
                **more,
            )
            with mock.patch.multiple(cells, ASKED=4, COLD=3, MANY=0):
                build([str(source)], target, settings)
            yield target.read_bytes()


def stops_of(word: bytes) -> tuple[int, int]:
    """Two slots of stop words, with one word."""
    return (0, murmur(word)) if murmur(word) % 2 else (murmur(word), 0)


def other_profiles(data: bytes) -> Iterator[bytes]:
    """The same file with a stop word, with a profile that ends within its body, with odd fields of
    the body.
    """
    known = test_cells.sections_of(data)
    own = known[0].parameters
    components, borders, stops = struct.unpack_from("<III", own, 8)
    name, rows = struct.unpack_from("<HH", own, 24)
    stop = 32 + len(pad(bytes(name)))
    body = (
        stop + 8 * stops + sum(len(pad(bytes(4 * count))) for count in (rows, components, borders))
    )
    profiles = [
        own[: body + 8],
        own[:16]
        + struct.pack("<I", 2)
        + own[20:stop]
        + struct.pack("<QQ", *stops_of(b"alpha"))
        + own[stop:],
        own[:body],
    ]
    profiles += [
        own[:at] + struct.pack("<I", value) + own[at + 4 :]
        for at in range(body, body + 16, 4)
        for value in (0, 3, 255, 1 << 20)
    ]
    for profile in profiles:
        yield assemble([Section(1, profile), *known[1:]])


def faulty() -> Iterator[bytes]:
    """One fault each, under checksums that agree with it."""
    good = test_plain_damage.GOOD
    records = b"".join(map(record, TEXTS))
    for bad in (b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xff"):
        yield assemble(
            test_plain_damage.records(
                records.replace(b"\xfet\xfei", b"".join(bytes([254, byte]) for byte in bad))
            )(list(good))
        )
    yield from (
        assemble(change(list(good)))
        for _, change, _ in [*test_plain_damage.OPEN, *test_plain_verify.VERIFY]
    )
    yield assemble([*good, Section(77, b"12345678", ((1, b"xyz"),), flags=0)])
    nine = test_cells.sections_of(test_cells.GOLDEN.read_bytes())
    for change, _, _ in [*test_cells.OPEN.values(), *test_cells.VERIFY.values()]:
        yield assemble([change(own) if own.kind == 8 else own for own in nine])


def damaged() -> Iterator[bytes]:
    """Of each optional section, what its tests of damage begin with, and what they ask for."""
    for path in sorted((TESTS / "reader" / "damage").glob("test_*_damage.py")):
        tests: Any = import_module(path.stem)
        if tests is test_plain_damage:
            continue
        yield assemble(tests.GOOD)
        for name in ("OPEN", "VERIFY", "OTHERWISE", "HASH"):
            for case in getattr(tests, name, {}).values():
                bad = case[0] if isinstance(case, tuple) else case
                bad = bad() if callable(bad) else bad
                yield assemble([bad if own.kind == bad.kind else own for own in tests.GOOD])


def short() -> Iterator[bytes]:
    """Documents without a sketch, alone, and beside others in a file that does not know them."""
    good = test_copies_damage.GOOD
    documents, profile = test_copies_damage.TEXTS[1:], FF(least_terms=3)
    for copies in 1, 100:
        layout = Settings(copies=copies, titles=2, words=WordSettings())
        yield assemble(sections(documents, profile, layout))
    yield assemble([own for own in good if own.kind != 12])


def cut_and_changed() -> Iterator[bytes]:
    """Blocks of words and of labels that end anywhere, or have another byte anywhere."""
    for good in (test_words_damage.GOOD, test_labels_damage.GOOD):
        own = good[5]
        for number, (first, data) in enumerate(own.blocks):
            cut = [data[:end] for end in range(len(data))]
            changed = [
                data[:at] + bytes([data[at] ^ bits]) + data[at + 1 :]
                for at in range(len(data))
                for bits in (0x01, 0x80, 0xFF)
            ]
            for other in [*cut, *changed]:
                blocks = [*own.blocks]
                blocks[number] = (first, other)
                yield assemble([*good[:5], replace(own, blocks=tuple(blocks))])


def streams() -> Iterator[bytes]:
    """A stream in the place of a text: what inflates to something, and what does not."""
    kept = sections(TEXTS, FF(), LAYOUTS["texts"][1])
    unusual = [(stream.bytes(), len(data)) for stream, data in test_inflate.GOOD.values()] + [
        (data, 1) for data in test_inflate.BAD.values()
    ]
    unusual += [(test_inflate.code_lengths(*case[:3]), 1) for case in test_inflate.CODE_LENGTHS]
    for stream, length in unusual:
        block = max(length, 1).to_bytes(4, "little") + stream
        texts = Section(6, kept[5].parameters, ((0, block), *kept[5].blocks[1:]), flags=0)
        yield assemble([*kept[:5], texts])
    long = content(b"".join(b"%d %s" % (i * 7919 % 3000, WORDS.encode()) for i in range(600)))
    yield assemble(
        [
            *kept[:5],
            Section(
                6, kept[5].parameters[:12] + (1 << 20).to_bytes(4, "little"), ((0, long),), flags=0
            ),
        ]
    )


def seeds() -> Iterator[bytes]:
    """All of them that are small enough."""
    yield from (data for data in _all() if len(data) <= MOST)


def _all() -> Iterator[bytes]:
    for texts, layout in LAYOUTS.values():
        yield assemble(sections(texts, FF(), layout))
    yield assemble(sections(TEXTS, ROWS, LAYOUTS["plain"][1]))
    for data in [*built(), assemble(test_plain_damage.GOOD)]:
        yield data
        yield from other_profiles(data)
    yield from faulty()
    yield from damaged()
    yield from short()
    yield from cut_and_changed()
    yield from streams()
