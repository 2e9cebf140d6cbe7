"""Make tests/golden/*.pocket and tests/vectors/answers.json: files that every reader must open for ever, and what it must answer.

    python tests/make_golden.py        after `pip install -e .`

The files come from the tests' own writer, the answers from the plain reader: neither shares code with the C core or the builder.
"""

from __future__ import annotations

import json
from pathlib import Path

from made_up import made_up
from plain_writer import FF, Settings, Text, assemble, sections
from pocketindex.errors import TextTooShort
from pocketindex.plain import PlainIndex
from test_plain_damage import TEXTS

HERE = Path(__file__).parent
SCRIPTS = [Text(d["id"], d["text"], d["title"], f"https://example.org/{i}" if i % 3 else "") for i, d in enumerate(made_up(45))]
# 45 components of three intervals: 3^45 is beyond 64 bits, so this table's keys are hashed.
WIDE = FF(
    name="wide",
    least_terms=3,
    prefix=2,
    expectation=tuple([2**32 // 15] * 15),
    bins=tuple(i * 11 % 15 for i in range(512)),
    components=tuple((i % 15, (-40_000 + 900 * i, 10_000 + 900 * i)) for i in range(45)) + tuple((i, (0,)) for i in range(15)),
    tables=((0, 45), (45, 15)),
    calibration=(0, 0, 5_000, 9_999),
)

FILES = {
    "radix": (TEXTS, FF(), Settings(part_keys=5, posting_bits=5, per_block=8, content=100, template="https://example.org/{id}?{title}")),
    "hashed": (SCRIPTS, WIDE, Settings(part_keys=7, posting_bits=6, identity_bits=16, per_block=10, content=700)),
    "checksum-0": (TEXTS, FF(), Settings(checksum_bits=0, identity_bits=0, part_keys=100, posting_bits=9)),
    "checksum-32": (TEXTS, FF(), Settings(checksum_bits=32, identity_bits=8, part_keys=3, posting_bits=32)),
    "empty": ([], FF(), Settings()),
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


def answers() -> list[dict[str, object]]:
    """For each file, query and number of probes: digits, keys, counters and hits [document, similarity, tables]."""
    out: list[dict[str, object]] = []
    for name in FILES:
        index = PlainIndex.open(str(HERE / "golden" / f"{name}.pocket"))
        for text in QUERIES:
            for probes in (1, 30):
                case: dict[str, object] = {"file": name, "text": text.encode().hex(), "probes": probes}
                try:
                    hits = index.query(text, top=5, probes=probes)
                except TextTooShort:
                    out.append({**case, "too_short": True})
                    continue
                digits, weights, keys = index.sketch(text)
                counters = [index.report.terms, index.report.probes, index.report.parts, index.report.candidates]
                case |= {"digits": bytes(digits).hex(), "weights": weights, "keys": [f"{key:016x}" for key in keys], "counters": counters}
                out.append({**case, "hits": [[hit.document, hit.similarity, hit.tables] for hit in hits]})
    return out


def lines(cases: list[dict[str, object]]) -> str:
    return "[\n" + ",\n".join(map(json.dumps, cases)) + "\n]\n"


def main() -> None:
    for name, (texts, profile, settings) in FILES.items():
        (HERE / "golden" / f"{name}.pocket").write_bytes(assemble(sections(texts, profile, settings)))
    (HERE / "vectors" / "answers.json").write_text(lines(answers()), encoding="ascii")


if __name__ == "__main__":
    main()
