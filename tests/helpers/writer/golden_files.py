"""The files of tests/golden/: the documents, profile and layout of each that the tests' own writer
makes, and the settings of those that the builder makes.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

from made_up import made_up
from plain_layout import FF, Settings, Text
from pocketindex.builder.pipeline import Settings as BuildSettings
from pocketindex.builder.pipeline import build
from pocketindex.builder.schemes.minhash import MinHashSettings
from pocketindex.builder.schemes.plsh import PlshSettings
from pocketindex.builder.schemes.rff import RffSettings
from pocketindex.builder.schemes.simhash import SimHashSettings
from pocketindex.builder.write import cells
from test_plain_damage import TEXTS
from word_blocks import WordSettings

SCRIPTS = [
    Text(d["id"], d["text"], d["title"], f"https://example.org/{i}" if i % 3 else "")
    for i, d in enumerate(made_up(45))
]
# Titles that begin alike, that fold to the same key or to none, longer ones than count.
NAMES = [
    *(
        "Émile Zola",
        "EMILE, ZOLA!",
        "emile",
        "Light",
        "light bulb",
        "Light-dependent reaction",
        "List of lights (A)",
        "List of lights (B)",
    ),
    *(
        "list of lights: C",
        "",
        "…",
        "東京都",
        "東京",
        "ﬁx",
        "Fixed",
        "각",
        "Ångström",
        "हिन्दी",
        "ß" * 200,
        "x" * 300,
        "x" * 300,
        "🙂" * 80 + "a",
    ),
    *(f"Same beginning, number {i % 7} of {i}" for i in range(23)),
]
TITLED = [replace(text, title=name) for text, name in zip(SCRIPTS, NAMES, strict=True)]
# Passages of others in some of them.
ESSAYS = [
    replace(text, text=f"{text.text[:90]} {SCRIPTS[(i + 7) % 45].text[130:300]} {text.text[90:]}")
    if i % 4 == 1
    else text
    for i, text in enumerate(SCRIPTS)
]
TOPICS = ("corn", "wheat", "Grain", "grain", "Émile", "", "東京", "x" * 1024, "l" * 200)
LABELLED = [
    replace(text, labels=tuple(TOPICS[i * k % 9] or "-" for k in range(i % 4)))
    for i, text in enumerate(SCRIPTS)
]
SHORT = [
    Text(f"short-{i}", text, title, labels=(f"topic {i % 3}",))
    for i, (text, title) in enumerate(
        [
            ("alpha beta", "Twice"),
            ("Alpha, Béta!", "Other writing"),
            ("beta alpha", "Other order"),
            ("", "Title alone"),
            ("alpha beta", "Again"),
            ("?!", "!"),
            (" alpha  beta\n", "White space"),
            ("1984", "A number"),
            ("the of and the", "Stop words"),
            ("小鳥", "麻雀"),
            ("", "Another title alone"),
            ("alpha beta", ""),
        ]
    )
]
# Marks that tell words apart, their plain spellings, two spellings of one word; other languages.
VIETNAMESE = [
    Text(f"vi-{i}", text, title)
    for i, (text, title) in enumerate(
        [
            ("nước Việt Nam có nhiều sông và núi", "Việt Nam"),
            ("người viết sách, viết về một năm đã qua", "Người viết"),
            ("viet nam typed without marks, in the year", "Viet Nam"),
            ("hoà bình và hòa bình là một", "Hoà bình"),
            ("thủy thủ đi về phía nam, năm người", "Thuỷ thủ"),
            ("là où, não, más, für: words of other languages", "Là"),
            ("VIỆT NAM: ĐƯỜNG PHỐ, con đường", "Đường"),
            ("đương nhiên là được; duong pho khong dau", "Đương nhiên"),
            ("nghiêng, nguyễn, khuỷu, giường, quyết", "Khuỷu"),
            ("ba má, bà, bá, bả, bạ và bã", "Bà"),
            ("Muller and Mu\u0308ller, whose résumé is an élève's", "Muller"),
            ("Müller, Müller\u0301 and Mu\u0304ller: Süßwasserfisch, Fёдoр, Фёдор", "Résumé"),
            ("Müller and Hagenstraße; resume, eleve", "Eleve"),
        ]
    )
]
# Of each plain spelling the words of the file: letters, then marks.
SPELLED = (
    ("viet", "viet\u0301\u0302", "viet\u0302\u0323"),
    ("nam", "nam\u0306"),
    ("ba", "ba\u0300", "ba\u0301", "ba\u0303", "ba\u0309", "ba\u0323"),
    ("duong", "đuong\u0300\u031b\u031b", "đuong\u031b\u031b"),
)
# Labels of languages and topics; words that are typed as one, that are like many others, and that
# follow these in order; passages that most documents have.
ONE_WORD = "abcdefghijkl"
PARTED = " ".join(
    f"{ONE_WORD[:k]} {'between ' * (k == 4)}{ONE_WORD[k:]}" for k in (4, 3, 5, 6, 7, 8)
)
ALIKE = " ".join(f"str{a}{b}ands" for a in "abcd" for b in "aeiou")
SAID = (
    "this paragraph stands in many documents of one form and says nothing that the others do not "
    "say as well, because all of them were written by the same hand on the same rainy afternoon",
    "another paragraph follows it here and there, with ships and railways and bread in it, so that "
    "two passages which many documents have stand side by side in some texts and apart in others",
)
KINDS = (
    *(("lang:en",), ("lang:en-GB", "topic 1"), ("lang:de_AT", "Topic-1"), ("lang:english",)),
    *(("topic one",), ("topics", "t"), ("topic 1 and 2",), ("?!", "lang:"), ("topic 12", "top")),
    *(("topic 11", "lang:en"), (), ("tropic 1", "lang:de")),
)
FILTERED = [
    Text(
        f"f-{i}",
        f"alpha beta gamma {i} strongest style su mule hauser {SAID[0] if i % 4 else ''} of "
        f"{PARTED if i % 5 == 0 else f'{ONE_WORD[:4]} alone {ONE_WORD[4:]}'} "
        f"{SAID[1] if i % 3 else ''} {ALIKE if i == 7 else ''} {SCRIPTS[i].text[:120]}",
        f"Filtered {i}",
        labels=KINDS[i % 12],
    )
    for i in range(24)
]
# 45 components of three intervals: 3^45 is beyond 64 bits, so this table's keys are hashed.
WIDE = FF(
    name="wide",
    least_terms=3,
    prefix=2,
    expectation=tuple([2**32 // 15] * 15),
    bins=tuple(i * 11 % 15 for i in range(512)),
    components=tuple((i % 15, (-40_000 + 900 * i, 10_000 + 900 * i)) for i in range(45))
    + tuple((i, (0,)) for i in range(15)),
    tables=((0, 45), (45, 15)),
)

# Sub-keys of several rows: hashed, packed bits that are not neighbours, and radix numbers.
ROWS = replace(
    WIDE, name="rows", tables=((0, 20, 21, 4, 40, 20), (45, 3, 50, 2, 59, 1), (3, 2, 44, 4))
)

FILES = {
    "radix": (
        TEXTS,
        FF(),
        Settings(
            part_keys=5,
            posting_bits=5,
            per_block=8,
            content=100,
            template="https://example.org/{id}?{title}",
        ),
    ),
    "hashed": (
        SCRIPTS,
        WIDE,
        Settings(part_keys=7, posting_bits=6, identity_bits=16, per_block=10, content=700),
    ),
    "checksum-0": (
        TEXTS,
        FF(),
        Settings(checksum_bits=0, identity_bits=0, part_keys=100, posting_bits=9),
    ),
    "checksum-32": (
        TEXTS,
        FF(),
        Settings(checksum_bits=32, identity_bits=8, part_keys=3, posting_bits=32),
    ),
    "rows": (SCRIPTS, ROWS, Settings(part_keys=9, posting_bits=6, per_block=7, content=500)),
    "empty": ([], FF(), Settings()),
    # Whole texts, the longer ones in pieces that end within characters; snippets.
    "text": (
        SCRIPTS,
        WIDE,
        Settings(
            part_keys=20,
            posting_bits=6,
            identity_bits=16,
            per_block=10,
            content=700,
            keep="text",
            room=401,
        ),
    ),
    "titles": (
        TITLED,
        WIDE,
        Settings(part_keys=20, posting_bits=6, per_block=10, content=700, titles=6),
    ),
    # Shingles that more than four documents have are frequent.
    "passages": (
        ESSAYS,
        WIDE,
        Settings(
            checksum_bits=8,
            part_keys=150,
            posting_bits=6,
            per_block=10,
            content=700,
            passages=(3, 5, 4),
        ),
    ),
    # Of so few bits that two words have the same key, and that a quotient has many keys.
    "passages-words": (
        ESSAYS,
        WIDE,
        Settings(
            checksum_bits=0,
            key_range=900,
            rest_bits=16,
            part_keys=99,
            posting_bits=6,
            per_block=10,
            content=700,
            passages=(1, 1, 1000),
        ),
    ),
    # Words that more than five documents have go on in other blocks, up to five of them.
    "words": (
        TITLED,
        WIDE,
        Settings(
            part_keys=20,
            posting_bits=6,
            per_block=10,
            content=700,
            keep="text",
            room=401,
            words=WordSettings(
                most=5,
                forms=(
                    ("lighthouse", "keeper", "ships"),
                    ("bread", "barley", "dough"),
                    ("a", "and"),
                ),
                endings=((4, "arley"), (0, "s")),
                rules=(("e", "ing"), ("", "s"), ("", ""), ("", "ed")),
            ),
        ),
    ),
    "words-heaviest": (
        [*SCRIPTS, *TEXTS],
        WIDE,
        Settings(
            part_keys=20,
            posting_bits=7,
            per_block=10,
            content=700,
            words=WordSettings(
                heaviest=12,
                title_weight=0,
                most=6,
                forms=(("alpha", "beta", "gamma"), ("mu", "die")),
            ),
        ),
    ),
    # Words that were counted of other documents: some have no posting here, some came later.
    "words-counted": (
        [*SCRIPTS[:30], *TEXTS[:10]],
        WIDE,
        Settings(
            part_keys=20,
            posting_bits=6,
            per_block=10,
            content=700,
            words=WordSettings(
                heaviest=6,
                title_weight=2,
                most=6,
                counted_of=tuple((text.text, text.title) for text in [*SCRIPTS[20:], *TEXTS[5:]]),
            ),
        ),
    ),
    "marked": (
        VIETNAMESE,
        FF(marks=True),
        Settings(
            part_keys=5,
            posting_bits=5,
            per_block=4,
            content=300,
            keep="text",
            titles=4,
            passages=(2, 2, 1000),
            words=WordSettings(forms=SPELLED, endings=((0, "\u0306"), (2, "\u0301")), marks=True),
        ),
    ),
    "labels": (
        LABELLED,
        WIDE,
        Settings(part_keys=20, posting_bits=6, per_block=10, content=700, labels=(3, 7)),
    ),
    # One each.
    "label": (
        [replace(text, labels=(f"topic {i % 11}",)) for i, text in enumerate(SCRIPTS)],
        WIDE,
        Settings(part_keys=20, posting_bits=6, per_block=10, content=700, labels=(100, 1000)),
    ),
    # Without a sketch: copies, the same words written otherwise, no word, stop words, no text.
    "short": (
        [*SHORT, *SCRIPTS[:12]],
        WIDE,
        Settings(
            part_keys=20,
            posting_bits=5,
            per_block=5,
            content=300,
            keep="text",
            titles=5,
            labels=(3, 4),
            passages=(1, 2, 1000),
            words=WordSettings(most=6),
            copies=3,
        ),
    ),
    "filtered": (
        FILTERED,
        WIDE,
        Settings(
            part_keys=99,
            posting_bits=5,
            per_block=5,
            content=700,
            keep="text",
            labels=(3, 4),
            passages=(3, 5, 4),
            words=WordSettings(),
        ),
    ),
    "short-alone": (SHORT, WIDE, Settings(identity_bits=8, copies=100)),
    "snippet": (
        SCRIPTS,
        WIDE,
        Settings(
            part_keys=20,
            posting_bits=6,
            per_block=10,
            content=700,
            keep="snippet",
            characters=40,
            room=300,
        ),
    ),
}
# Made by the builder: these schemes are too large to write twice. The answers are the plain
# reader's all the same.
SMALL = RffSettings(tables=2, bits=9, components=44, least_terms=3)
BUILT = {
    "rff": ("rff", SMALL),
    "rff-wide": ("rff", replace(SMALL, tables=3, components=200)),
    "rff-no-tables": ("rff", replace(SMALL, tables=0, bits=None, components=70)),
    "rff-cells": ("rff", replace(SMALL, tables=1, cells=12)),
    "rff-cells-alone": ("rff", replace(SMALL, tables=0, bits=None, cells=9, components=45)),
    "rff-searched": ("rff", replace(SMALL, components=200)),
    # Texts of fewer terms are compared with its sketches, documents are not.
    "rff-few": ("rff", replace(SMALL, components=70, least_terms=58)),
    "plsh-concat": ("plsh", PlshSettings(tables=3, functions=6)),
    "plsh-sum": ("plsh", PlshSettings(tables=2, functions=9, form="sum", width=0.7, intervals=7)),
    "minhash": ("minhash", MinHashSettings(bands=5, rows=3, bits=3, shingle=2)),
    "wminhash": ("wminhash", MinHashSettings(bands=4, rows=2)),
    "simhash": ("simhash", SimHashSettings()),
}
# What is built with more than documents.
MORE: dict[str, dict[str, Any]] = {
    "rff-searched": {
        "index": ("documents", "passages", "words"),
        "keep": "text",
        "stem": "none",
    }
}


def build_one(name: str, target: Path) -> None:
    """A file of BUILT, in small parts and blocks."""
    scheme, choices = BUILT[name]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "documents.jsonl"
        source.write_text(
            "".join(
                json.dumps({"id": t.id, "title": t.title, "text": t.text, "url": t.url}) + "\n"
                for t in SCRIPTS
            )
        )
        settings = BuildSettings(
            scheme=scheme,
            profile="learn",
            scheme_settings=choices,
            keys_per_part=9,
            probes=20,
            **MORE.get(name, {}),
        )
        with mock.patch.multiple(cells, ASKED=4, COLD=3, MANY=0):
            build([str(source)], target, settings)
