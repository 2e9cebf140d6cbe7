"""The shared vectors as plain lines, for readers without JSON: what to ask, what must come out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from places import GOLDEN, VECTORS
from plain import PlainIndex
from pocketindex.cbits import lib

LABELLED = ("label", "labels")
STREAMS = {"terms": 1, "marked": 5, "tokens": 2, "words": 4}  # of the vectors of texts


def load(name: str) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = json.loads((VECTORS / f"{name}.json").read_text(encoding="ascii"))
    return cases


def answers() -> list[dict[str, Any]]:
    """The answers that tests/c/answers.c can give: it asks for copies of a text only if the text
    has no sketch.
    """
    cases = load("answers")
    return [case for case in cases if case["file"] != "rff-few" or "copies" not in case]


def asked(case: dict[str, Any]) -> int:
    """The probes of a case as the core takes them: the file's own way is said, because that of a
    file in pieces is another.
    """
    return {"scan": int(lib.POCKET_EXHAUSTIVE), "cold": int(lib.POCKET_COLD)}.get(
        case["way"], int(case["probes"])
    )


def questions(golden: Path = GOLDEN, inside: bool = True) -> str:
    """tests/c/answers.c reads these lines; inside: what no public function tells, too."""
    out = [f"t {stream} {case['text']}" for name, stream in STREAMS.items() for case in load(name)]
    out += [f"q {golden / case['file']}.pocket {asked(case)} {case['text']}" for case in answers()]
    out += [
        f"s {golden / case['file']}.pocket {case['top']} {case['cold']} {case['text']}"
        for case in load("sources")
    ]
    out += [
        f"o {case['least']} {case['top']} {spans_of(case)}".rstrip() for case in load("ordering")
    ]
    out += [
        f"w {golden / case['file']}.pocket {case['top']} {case['prefix']} "
        f"{case['cold'] + 2 * case['titles'] + 4 * case['replace']} "
        f"{case['text']}"
        for case in load("search")
    ]
    out += [
        f"l {golden / name}.pocket {document}"
        for name in LABELLED
        for document in range(PlainIndex.open(str(GOLDEN / f"{name}.pocket")).count)
    ]
    if inside:
        out += [
            f"r {case['run_terms']} {case['window']} {case['text']}" for case in load("passages")
        ]
    return "\n".join(out) + "\n"


def expected(inside: bool = True) -> str:
    """And prints these."""
    out = ["".join(f" {term}" for term in case["terms"]) for name in STREAMS for case in load(name)]
    for case in answers():
        if case.get("too_short"):
            out.append(" short")
            continue
        if "copies" in case:
            rows = [f" {document},{similarity}" for document, similarity in case["copies"]]
            out.append("".join([f" copies {case['of']}", *rows]))
            continue
        hits = [",".join(map(str, hit)) for hit in case["hits"]]
        fields = [
            case["digits"],
            *case["weights"],
            *case["keys"],
            *case["counters"],
            case["shown"],
            *hits,
        ]
        out.append("".join(f" {field}" for field in fields))
    out += map(sources_line, load("sources"))
    out += map(order_line, load("ordering"))
    out += map(search_line, load("search"))
    for name in LABELLED:
        index = PlainIndex.open(str(GOLDEN / f"{name}.pocket"))
        out += [labels_line(index, document) for document in range(index.count)]
    out += map(shingles_line, load("passages") if inside else [])
    return "\n".join(out) + "\n"


def spans_of(case: dict[str, Any]) -> str:
    """Spans as 0-10,20-30 with a semicolon behind each source."""
    own = (",".join(f"{first}-{last}" for first, last in spans) for spans in case["sources"])
    return "".join(f"{spans};" for spans in own)


def sources_line(case: dict[str, Any]) -> str:
    fields = [case["all"], case["terms"], case["coverage"], case["capped"]]
    fields += [
        ",".join(map(str, [*own, *(number for passage in passages for number in passage)]))
        for *own, passages in case["sources"]
    ]
    return "".join(f" {field}" for field in fields)


def order_line(case: dict[str, Any]) -> str:
    rows = zip(case["order"], case["added"], strict=True)
    return "".join(f" {number},{added}" for number, added in rows)


def search_line(case: dict[str, Any]) -> str:
    names = ("all", "any", "capped", "unchecked", "ignored", "pieces")
    fields = [int(case[name]) for name in names]
    rows = [*case["words"], *case["hits"], *case["replacements"]]
    own = [",".join(map(str, row)) for row in rows]
    filters = [",".join(map(str, row)) for row in case["filters"]]
    own += [str(case["allowed"]), str(case["unlabelled"]), *filters]
    return "".join(f" {field}" for field in [*fields, *own, f"={case['instead']}"])


def labels_line(index: PlainIndex, document: int) -> str:
    return "".join(f" {label.encode().hex()}" for label in index.labels(document) or ())


def shingles_line(case: dict[str, Any]) -> str:
    places = [f"{start}-{end}" for start, end in case["places"]]
    return "".join(f" {field}" for field in [*places, *case["runs"], *case["kept"]])
