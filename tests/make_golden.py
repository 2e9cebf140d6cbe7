"""Make tests/golden/*.pocket, tests/vectors/answers.json, sources.json and search.json: files that every reader
must open for ever, and what it must answer.

    python tests/make_golden.py        after `pip install -e .`

The files come from the tests' own writer (those of other schemes than ff from the builder), the
answers from the plain reader, which shares no code with the C core or the builder.
"""

from __future__ import annotations

import json
import struct
import tempfile
from dataclasses import replace
from pathlib import Path
from unittest import mock

import everywhere  # noqa: F401
from core_search_of import plain_found
from made_up import made_up
from places import GOLDEN, ROOT, VECTORS
from plain_writer import FF, Settings, Text, assemble, sections
from pocketindex.builder.build import Settings as BuildSettings
from pocketindex.builder.build import build
from pocketindex.builder.schemes.minhash import MinHashSettings
from pocketindex.builder.schemes.plsh import PlshSettings
from pocketindex.builder.schemes.rff import RffSettings
from pocketindex.builder.schemes.simhash import SimHashSettings
from pocketindex.builder.write import cells
from pocketindex.errors import SECTIONS, TextTooShort
from pocketindex.plain import PlainIndex
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
    "shared": (
        [*TEXTS, *SCRIPTS],
        FF(),
        Settings(identity_bits=8, shared_bits=128, part_keys=20, per_block=10, content=600),
    ),
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
    # Runs that more than four documents have are left out.
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
    # Without checksums a key that is in no text has a postlist, too.
    "passages-words": (
        ESSAYS,
        WIDE,
        Settings(
            checksum_bits=0,
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
            words=WordSettings(most=5),
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
            words=WordSettings(heaviest=12, title_weight=0, most=6),
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
    "rff-no-tables": ("rff", replace(SMALL, tables=0, components=70)),
    "rff-cells": ("rff", replace(SMALL, tables=1, cells=12)),
    "rff-cells-alone": ("rff", replace(SMALL, tables=0, cells=9, components=45)),
    "plsh-concat": ("plsh", PlshSettings(tables=3, functions=6)),
    "plsh-sum": ("plsh", PlshSettings(tables=2, functions=9, form="sum", width=0.7, intervals=7)),
    "minhash": ("minhash", MinHashSettings(bands=5, rows=3, bits=3, shingle=2)),
    "wminhash": ("wminhash", MinHashSettings(bands=4, rows=2)),
    "simhash": ("simhash", SimHashSettings()),
}
QUERIES = [
    *(text.text for text in TEXTS[:6]),
    "gamma gamma gamma mu delta",
    *(text.text for text in SCRIPTS[:9]),
    SCRIPTS[10].text[:-25],
    "Ｆｕｌｌ ﬁx Straße Cafe\u0301 हिन्दी 東京都 각",
    "the of and",
    "",
]


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
            scheme=scheme, profile="learn", scheme_settings=choices, keys_per_part=9, probes=20
        )
        with mock.patch.multiple(cells, ASKED=4, COLD=2):
            build([str(source)], target, settings)


def essay(*parts: tuple[int, int, int]) -> str:
    """Of each text the words from a first one up to a last one."""
    words = [" ".join(ESSAYS[i].text.split()[first:last]) for i, first, last in parts]
    return " (…) ".join(words)


LOREM = " ".join(f"nothing{i} {i} of" for i in range(40))
ASKED = [
    "",
    "two words",
    "in the third",
    essay((3, 20, 60)),
    essay((3, 20, 60), (4, 30, 55)),
    f"{LOREM} {essay((30, 24, 50))} {LOREM} {essay((31, 30, 62))}, {essay((30, 50, 60))}",
    f"{essay((5, 20, 40))} {LOREM} {essay((5, 41, 60))}",
    essay((9, 25, 26), (9, 27, 28), (9, 29, 41)),
    "Ａnd " + essay((12, 22, 45)).upper().replace("A", "A\u00ad"),
    SCRIPTS[7].text,
    SCRIPTS[8].text,
    " ".join(SCRIPTS[i].text for i in (8, 17, 6, 2)),
    " ".join([SCRIPTS[20].text] * 3),
    " ".join(" ".join(SCRIPTS[i].text.split()[25:]) for i in range(14)),
    "㌖½ﷺ " + ESSAYS[9].text + " ½㌖",
]


def sources() -> list[dict[str, object]]:
    """For each file with passages, text, most sources and way: terms, coverage, and sources
    [document, coverage, added, runs, passages [start, end, first, last]].
    """
    out: list[dict[str, object]] = []
    for name, (_, _, settings) in FILES.items():
        if not settings.passages:
            continue
        index = PlainIndex.open(str(GOLDEN / f"{name}.pocket"))
        for text in ASKED:
            for top, cold in ((3, False), (10, True)):
                found = index.sources(text, top, cold)
                assert found
                out.append(
                    {
                        "file": name,
                        "text": text.encode().hex(),
                        "top": top,
                        "cold": int(cold),
                        "terms": found.terms,
                        "coverage": found.coverage,
                        "sources": [
                            [
                                s.document,
                                s.coverage,
                                s.added,
                                s.runs,
                                [[p.start, p.end, p.first, p.last] for p in s.passages],
                            ]
                            for s in found.sources
                        ],
                    }
                )
    return out


MANY = " ".join(f"w{i}" for i in range(70))
SEARCHED = [
    "",
    "the",
    "THE lighthouse, keeper!",
    "gamma beta",
    "alpha -beta",
    "lighthouse nowhere",
    '"lighthouse keeper"',
    '"keeper lighthouse"',
    '"the lighthouse keeper" -"without answering"',
    '-"lighthouse keeper" the',
    '"light bulb" light',
    '"light',
    'bread "barley',
    '"the" -"the"',
    "“barley bread” „the dough“ honey",
    "the -of",
    "-the of",
    "- the --of a-b -",
    "-barley-bread lighthouse",
    '-river"old weir"',
    "ba to",
    "light 東",
    "東",
    "東京",
    "灯 台守 x",
    "-東 の",
    "हिन्दी",
    "هذا الكتاب",
    "Ночью МЕТЕЛЬ -почтальон",
    "Straße café ﬁx",
    "Angstrom zola",
    f"{MANY} the",
    f'the {MANY} "barley bread" -of',
    " ".join(f'"the w{i}"' for i in range(70)),
    '"' + "the of " * 140 + '" gamma',
    " ".join("abcdefghijklmnopqrstuvwxyz"),
    "the of and in a der die",
]


def searches() -> list[dict[str, object]]:
    """For each file with words, text, most hits and way: words [start, end, documents, flags], hits
    [document, words, score], how many documents have all words and any of them, and what was not
    done.
    """
    out: list[dict[str, object]] = []
    for name, (_, _, settings) in FILES.items():
        if not settings.words:
            continue
        index = PlainIndex.open(str(GOLDEN / f"{name}.pocket"))
        for text in SEARCHED:
            for top, prefix, cold in ((5, False, False), (100, True, False), (3, True, True)):
                found = plain_found(index.search(text, top, prefix, cold))
                case = {"file": name, "text": text.encode().hex(), "top": top}
                out.append({**case, "prefix": int(prefix), "cold": int(cold), **found._asdict()})
    return out


def answers() -> list[dict[str, object]]:
    """For each file, query and number of probes: digits, keys, counters and hits [document,
    similarity, tables]; shared_estimate of each hit where the file has shared bits.
    """
    out: list[dict[str, object]] = []
    for name in (*FILES, *BUILT):
        index = PlainIndex.open(str(GOLDEN / f"{name}.pocket"))
        for text in QUERIES:
            ways = [(0, "scan" if index.scans else "tables")]
            if index.profile.tables or index.cells:
                ways += [
                    (1, "tables"),
                    (30, "tables"),
                    *([(0, "cold")] if name.startswith("rff") else []),
                ]
            for probes, way in ways:
                case: dict[str, object] = {
                    "file": name,
                    "text": text.encode().hex(),
                    "probes": probes,
                    "way": way,
                }
                try:
                    hits = index.query(text, top=5, probes=probes, first=way == "cold")
                except TextTooShort:
                    out.append({**case, "too_short": True})
                    continue
                digits, weights, keys = index.sketch(text)
                counters = [
                    index.report.terms,
                    index.report.probes,
                    index.report.parts,
                    index.report.candidates,
                ]
                case |= {
                    "digits": bytes(digits).hex(),
                    "weights": weights,
                    "keys": [f"{key:016x}" for key in keys],
                    "counters": counters,
                }
                found: dict[str, object] = {
                    "hits": [[hit.document, hit.similarity, hit.tables] for hit in hits]
                }
                if index.sketches.shared_bits:
                    found["shared_estimate"] = [hit.shared_estimate for hit in hits]
                out.append(case | found)
    return out


EXAMPLE = FF(
    name="x",
    stops=("the",),
    stop_slots=2,
    expectation=(2**31, 2**31),
    bins=tuple(i % 2 for i in range(256)),
    components=((0, (0,)), (1, (-10_000, 10_000))),
    tables=((0, 2),),
)
PAGE = ROOT / "docs" / "format.md"
HEADING = "## 11. Worked example\n"


def example() -> bytes:
    """The file of docs/format.md, section 11."""
    texts = [Text("a", "alpha beta", "A"), Text("b", "beta gamma beta", "B", "u")]
    return assemble(
        sections(
            texts,
            EXAMPLE,
            Settings(posting_bits=1, checksum_bits=16, identity_bits=8, symbols=(b"\xfe",)),
        )
    )


def dump(data: bytes) -> str:
    """Sixteen bytes a line, each region of the file with its name."""
    names = SECTIONS
    regions = [(0, 32, "header (1.1)")]
    for at in range(32, 32 + 40 * int.from_bytes(data[12:16], "little"), 40):
        kind, _, offset, length, parameters, blocks = struct.unpack_from("<IIQQII", data, at)
        regions.append((at, at + 40, f"section table (1.2): {names[kind]}"))
        head = offset + parameters + 20 * blocks
        regions += [
            (offset, offset + parameters, f"{names[kind]}: parameters"),
            (offset + parameters, head, f"{names[kind]}: directory (1.3)"),
        ]
        regions.append((head, offset + length, f"{names[kind]}: block 0"))
    out = []
    for start, end, name in sorted(r for r in regions if r[0] < r[1]):
        out.append(f"; {name}")
        out += [
            f"{at:08x}  {data[at : min(at + 16, end)].hex(' ')}" for at in range(start, end, 16)
        ]
    return "\n".join(out)


def section_10() -> str:
    return f"""{HEADING}
Two documents, `a` "alpha beta" (title A) and `b` "beta gamma beta" (title B, url u); one table of two components over two classes,
two and three intervals; checksums of 16 bits, identity of 8. Lines that start with `;` name what follows; bytes between regions are
zero. tests/test_golden.py reads this dump and asks it.

```
{dump(example())}
```
"""


def lines(cases: list[dict[str, object]]) -> str:
    return "[\n" + ",\n".join(map(json.dumps, cases)) + "\n]\n"


def main() -> None:
    for name, (texts, profile, settings) in FILES.items():
        (GOLDEN / f"{name}.pocket").write_bytes(assemble(sections(texts, profile, settings)))
    for name in BUILT:
        build_one(name, GOLDEN / f"{name}.pocket")
    PAGE.write_text(
        PAGE.read_text(encoding="utf-8").split(HEADING)[0] + section_10(), encoding="utf-8"
    )
    (VECTORS / "answers.json").write_text(lines(answers()), encoding="ascii")
    (VECTORS / "sources.json").write_text(lines(sources()), encoding="ascii")
    (VECTORS / "search.json").write_text(lines(searches()), encoding="ascii")


if __name__ == "__main__":
    main()
