"""Make tests/golden/*.pocket, tests/vectors/answers.json, sources.json and search.json: files that every reader
must open for ever, and what it must answer.

    python tests/make_golden.py        after `pip install -e .`

The files come from the tests' own writer (those of other schemes than ff from the builder), the
answers from the plain reader, which shares no code with the C core or the builder.
"""

from __future__ import annotations

import json
import struct
from dataclasses import astuple

import everywhere  # noqa: F401
from core_search_of import plain_found
from golden_files import BUILT, ESSAYS, FILES, ONE_WORD, SAID, SCRIPTS, SHORT, build_one
from places import GOLDEN, ROOT, VECTORS
from plain import PlainIndex
from plain_layout import FF, Settings, Text, assemble
from plain_writer import sections
from pocketindex.errors import SECTIONS, TextTooShort
from test_plain_damage import TEXTS

QUERIES = [
    *(text.text for text in TEXTS[:6]),
    "gamma gamma gamma mu delta",
    *(text.text for text in SCRIPTS[:9]),
    SCRIPTS[10].text[:-25],
    "Ｆｕｌｌ ﬁx Straße Cafe\u0301 हिन्दी 東京都 각",
    "the of and",
    "",
    # Short ones, which find their copies.
    "alpha beta",
    "ALPHA béta",
    " ?!\n",
    "小鳥",
    "1984",
]


def mixed(first: int, count: int, second: int, others: int, again: int, new: int) -> str:
    """The first words of two texts, one word of them so often again, and new ones."""
    words, more = SCRIPTS[first].text.split(), SCRIPTS[second].text.split()
    ends = [words[0]] * again + [f"x{i}" for i in range(new)]
    return " ".join(words[:count] + more[:others] + ends)


# Hits are in doubt, in each way in which that ends; more words are looked up, and up to nine texts.
DOUBTFUL = [
    mixed(36, 30, 24, 27, 0, 0),
    mixed(3, 21, 26, 9, 6, 20),
    mixed(39, 50, 16, 22, 0, 0),
    mixed(6, 18, 36, 0, 0, 0),
    mixed(35, 20, 42, 53, 6, 0),
    mixed(9, 19, 35, 7, 3, 0),
    mixed(18, 15, 20, 26, 0, 20),
    mixed(19, 21, 29, 4, 0, 3),
    mixed(26, 11, 22, 36, 0, 0),  # of common terms
    mixed(11, 21, 22, 4, 0, 0),  # too short for that
]
WITH_DOUBT = ("rff-wide", "rff-searched")


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
    *(text.text[60:110] for text in SCRIPTS[:45:11]),
    " ".join(text.text[:50] + ". " for text in SCRIPTS[:9]),
    " ".join("zebra" if i == 10 else word for i, word in enumerate(SCRIPTS[0].text.split()[3:27])),
    " ".join(word for i, word in enumerate(SCRIPTS[7].text.split()[3:27]) if i != 10),
    # One sentence, the words of which a document has in another order.
    *(
        " ".join(f"new{i}" if i % k == 0 else word for i, word in enumerate(sorted(words)))
        for words in [SCRIPTS[0].text.split()[20:50]]
        for k in (3, 9)
    ),
    SHORT[0].text,
    f"{LOREM} {SAID[0]} {LOREM} {SAID[1]}",
    f"{SAID[0]} {SAID[1]} {essay((3, 20, 60))}",
]


def sources() -> list[dict[str, object]]:
    """For each file with passages or words, text, most sources and way: all, terms, coverage,
    capped, and sources [document, coverage, added, evidence, passages [start, end, first, last,
    start and end in the document, edited, documents, verified]].
    """
    out: list[dict[str, object]] = []
    for name, (_, _, settings) in FILES.items():
        if not settings.passages and not settings.words:
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
                        "all": found.all,
                        "terms": found.terms,
                        "coverage": found.coverage,
                        "capped": int(found.capped),
                        "sources": [
                            [
                                s.document,
                                s.coverage,
                                s.added,
                                s.evidence,
                                [list(map(int, astuple(p))) for p in s.passages],
                            ]
                            for s in found.sources
                        ],
                    }
                )
    return out


MANY = " ".join(f"w{i}" for i in range(70))
# top, prefix, cold, titles, replace
SEARCH_WAYS = ((5, 0, 0, 0, 1), (100, 1, 0, 0, 0), (3, 1, 1, 0, 1), (4, 1, 0, 1, 0))
SEARCHED = [
    "",
    "the",
    "THE lighthouse, keeper!",
    "gamma beta",
    "alpha -beta",
    "railway avalanche 3 bato -quake",
    "lighthouse nowhere",
    "breads lighthousing inned in the breadded",
    "lighthuose keper railway",
    "lightbulb light house",
    "avalache Lighthous",
    "light hous kee per",
    "railwaykeeper gamma-bta avalanch* bta",
    '"lighthouse keeper"',
    '"keeper lighthouse"',
    '"the lighthouse keeper" -"without answering"',
    '-"lighthouse keeper" the',
    'the -"lighthouse keeper"',
    '"light bulb" light',
    '"light',
    'bread "barley',
    '"the" -"the"',
    'of -"the"',
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
    "灯台守",
    "灯台守の light",
    'の灯台守 "light bulb"',
    "灯 台守 x",
    "-東 の",
    "の -東",
    "हिन्दी",
    "هذا الكتاب",
    "Ночью МЕТЕЛЬ -почтальон",
    "Straße café ﬁx",
    "Angstrom zola",
    f"{MANY} the",
    f'the {MANY} "barley bread" -of',
    "the -without -answering",
    " ".join(f'"the w{i}"' for i in range(70)),
    '"' + "the of " * 140 + '" gamma',
    " ".join("abcdefghijklmnopqrstuvwxyz"),
    "the of and in a der die",
    "the -barley-bread lighthouse",
    'river -river"old weir"',
    "keeper -the lighthouse -bread -quake",
    "the -l --bread -2bread -of2 a-barley - keeper",
    "the -lights --x honey-bread -东",
    "lighth* keeper",
    "the* *light* barl*y light**",
    "東* light",
    'the lighthouse keeper -without "the dough" honey',
    "one two three four five six barley* -the",
    "a sentence of eight words, one “in quotes”",
    'LABEL:"Topic 1" -the the lang:de "label:x lamp"',
    '-label:"topic 2" label:topc',
    "seven words of one line and label:topic1",
    "eight words of a sentence stand here, with lang:de",
]
# Asked of the file with marks alone, which has none of the words above.
SPELLINGS = [
    "the",
    "việt",
    "viet",
    "viet nam",
    "Việt nam",
    "năm viết -việt",
    '"viet nam" ba',
    "bà ba",
    "hòa",
    "vie* bạ*",
    "đuong",
    "Müller",
    "Muller eleve",
    "Résumé élève -müller",
    "müller* fёdoр Фёдор",
    '"Müller and" "résumé"',
    "viêt mỏt",
    '"đuong pho"',
]


# Asked of the file with languages alone: filters, and words that are not typed as they are written.
FILTERS = [
    *("gamma lang:en", "gamma lang:en-US", "lang:e beta", "lang:de-at beta", "-lang:EN_gb alpha"),
    *('label:"topic 1" lang:de beta', 'label:"topic 1" lang:en beta', 'label:"topik 1" beta'),
    *("label:topic beta", 'label:"topic 1 and" beta', 'label:"?!" beta', "label:x beta"),
    *('label:"TOPIC one" label:t alpha', "-label:topics alpha", 'label:"  " beta', "lang:en-GB of"),
    *("thegamma", ONE_WORD, "strungist", "strungest", "stoen", "styel", "strabandz", "gama東京"),
    *(f"{'a' * 70} {'b' * 70}", "muele haeuser shaepherd", "gama betta alpa strungest styel hausr"),
    *("strabandss strebands", "alphabeta gammaalpha", "xalpha betax", "lang:fr gama"),
]
OWN_SEARCHED = {"marked": SPELLINGS, "filtered": FILTERS}


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
        for text in OWN_SEARCHED.get(name, SEARCHED):
            for top, prefix, cold, titles, replace in SEARCH_WAYS:
                how = {"prefix": prefix, "cold": cold, "titles": titles, "replace": replace}
                found = plain_found(index.search(text, top, *map(bool, how.values())))
                case = {"file": name, "text": text.encode().hex(), "top": top}
                out.append({**case, **how, **found._asdict()})
    return out


def answers() -> list[dict[str, object]]:
    """For each file, query and number of probes: digits, keys, counters, hits [document,
    similarity, tables], and how many of these are more than chance. Of a short text copies
    [document, similarity], of how many, or too_short.
    """
    out: list[dict[str, object]] = []
    for name in (*FILES, *BUILT):
        index = PlainIndex.open(str(GOLDEN / f"{name}.pocket"))
        for text in QUERIES + DOUBTFUL * (name in WITH_DOUBT):
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
                few = index.report.terms < index.profile.least_terms
                if few and (
                    index.report.terms < index.least_terms
                    or any(hit.document >= index.sketched for hit in hits)
                ):
                    copies = [[hit.document, hit.similarity] for hit in hits]
                    out.append({**case, "copies": copies, "of": index.report.candidates})
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
                    "hits": [[hit.document, hit.similarity, hit.tables] for hit in hits],
                    "shown": len(index.shown(hits)),
                }
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


def section_11() -> str:
    return f"""{HEADING}
Two documents, `a` "alpha beta" (title A) and `b` "beta gamma beta" (title B, url u); one table of two components over two classes,
two and three intervals; checksums of 16 bits, identity of 8. Lines that start with `;` name what follows; bytes between regions are
zero. tests/reader/test_golden.py reads this dump and asks it.

```
{dump(example())}
```
"""


def with_example(page: str) -> str:
    """The page with section 11 made again; what follows it stays."""
    before, _, after = page.partition(HEADING)
    _, *rest = after.partition("\n## ")
    return before + section_11() + "".join(rest)


def lines(cases: list[dict[str, object]]) -> str:
    return "[\n" + ",\n".join(map(json.dumps, cases)) + "\n]\n"


def main() -> None:
    for name, (texts, profile, settings) in FILES.items():
        (GOLDEN / f"{name}.pocket").write_bytes(assemble(sections(texts, profile, settings)))
    for name in BUILT:
        build_one(name, GOLDEN / f"{name}.pocket")
    PAGE.write_text(with_example(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    (VECTORS / "answers.json").write_text(lines(answers()), encoding="ascii")
    (VECTORS / "sources.json").write_text(lines(sources()), encoding="ascii")
    (VECTORS / "search.json").write_text(lines(searches()), encoding="ascii")


if __name__ == "__main__":
    main()
