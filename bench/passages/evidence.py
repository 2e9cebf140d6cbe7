r"""What `sources` and `check` say of texts whose origin is known: shares that are found, and controls
that are named.

    python bench/passages/evidence.py FOLDER... [--only "sources, texts" ...] [--source] \
        [--tantivy] [--named FILE.jsonl] [--files NAME] [-o RESULTS.md]

A FOLDER is what items.py makes: build.jsonl (the documents) and items.jsonl (an item a line: id,
kind, n words, text, truth: the documents that have it). The pocket files are built where they are
absent: t.pocket keeps the texts, n.pocket does not.

An item is found when one of the documents that are named has it. A control has no document, so
each that is named is listed in --named with what it shares with the document (see in_order and
in_passage). Those that really share words are counted apart. Items that are not found are listed
there, too.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path += [str(Path(__file__).parents[1] / name) for name in ("measuring", "words")]

import pocketindex
import running
from intervals import share, table
from items import SENTENCE, WORD, Item, Texts, plain, write

CONTROLS = "control", "shared", "foreign", "none", "no passage", "own", "held out"
# Words of sentences, a column each: what is found with texts and without, and controls.
BANDS = {
    True: ((5, 8), (9, 11), (12, 14), (15, 20), (21, 40)),
    False: ((5, 8), (9, 11), (12, 14), (15, 17), (18, 20), (21, 25), (26, 40)),
}
CONTROL_BANDS = ((3, 8), (5, 11), (12, 14), (15, 20), (21, 40))
ALL = ((0, 10**9),)
PIECE, PHRASE = 40, 9  # words
VERDICTS = "copy", "near", "passage", "phrase", "not found"
Band = tuple[int, int]
Judge = Callable[[Item, Sequence[str]], bool]


@dataclass
class Told:
    """What one way says of an item: the ids that it names, best first, and its verdict."""

    names: list[str]
    verdict: str = ""


@dataclass
class Way:
    """Answers of one way by the item's number, and the processor time of one."""

    name: str
    told: dict[int, Told] = field(default_factory=dict)
    milliseconds: float = 0.0


def built(folder: Path, files: str, source: Path) -> dict[str, Path]:
    """The pocket files of a folder, with texts (t) and without (n), built where they are absent."""
    out = {}
    for name, keep in (("t", ["--keep", "text"]), ("n", [])):
        out[name] = folder / files / f"{name}.pocket"
        if not out[name].exists():
            out[name].parent.mkdir(exist_ok=True)
            command = [sys.executable, "-m", "pocketindex", "build", source, "-o", out[name], *keep]
            command += ["--index", "documents,passages,words", "--progress", "none"]
            subprocess.run(command, check=True, capture_output=True)
    return out


def by_sources(index: pocketindex.Index, items: Sequence[Item], way: Way) -> Way:
    """Where no passage has nine words or more, the verdict is that of check: a phrase."""
    said = dict[str, Told]()
    start = time.process_time()
    for text in dict.fromkeys(item["text"] for item in items):
        sources = index.sources(text)
        spans = [text[slice(*span)] for one in sources for span in one.passages]
        long = any(len(WORD.findall(span)) >= PHRASE for span in spans)
        said[text] = Told([one.id for one in sources], "passage" if long else "phrase")
    way.milliseconds = 1e3 * (time.process_time() - start) / len(said)
    way.told = {number: said[item["text"]] for number, item in enumerate(items)}
    return way


def by_check(path: Path, items: Sequence[Item], way: Way, **given: Any) -> Way:
    texts = list(dict.fromkeys(item["text"] for item in items))
    rows = [{"id": str(number), "text": text} for number, text in enumerate(texts)]
    start, said = time.process_time(), dict[str, Told]()
    for one in pocketindex.check(path, rows, progress=False, **given):
        named = [] if one.verdict == "not found" else [own.id for own in one.evidence]
        said[texts[int(one.id)]] = Told(named, one.verdict)
    way.milliseconds = 1e3 * (time.process_time() - start) / len(said)
    way.told = {number: said[item["text"]] for number, item in enumerate(items)}
    return way


def in_order(text: str, document: str) -> tuple[float, str]:
    """Share of a text's words that a document has in the same order in one place of half as many
    words more, and that place; of a long text that of its best sentence or piece.
    """
    sentences = [one for one in SENTENCE.findall(text) if len(WORD.findall(one)) >= 9]
    words, other = WORD.findall(text.lower()), WORD.findall(document.lower())
    if len(sentences) > 1 or len(words) > 2 * PIECE:
        places = range(0, max(1, len(words) - PIECE // 2), PIECE // 2)
        pieces = [" ".join(words[at : at + PIECE]) for at in places]
        pieces += [one for one in sentences if len(WORD.findall(one)) <= PIECE]
        return max(in_order(piece, document) for piece in pieces)
    wanted, width = Counter(words), len(words) + max(2, len(words) // 2)
    have, same, most, at = Counter[str](), 0, -1, 0
    for end, word in enumerate(other):  # the place with most of the words
        have[word] += 1
        same += have[word] <= wanted[word]
        if end >= width:
            lost = other[end - width]
            same -= have[lost] <= wanted[lost]
            have[lost] -= 1
        if same > most:
            most, at = same, end
    place = other[max(0, at - width + 1) : at + width // 2]
    row = [0] * (len(place) + 1)  # the longest common subsequence
    for word in words:
        before = row[:]
        for i, theirs in enumerate(place):
            row[i + 1] = before[i] + 1 if theirs == word else max(before[i + 1], row[i])
    return row[-1] / max(len(words), 1), " ".join(place)


def in_passage(text: str, document: str) -> int:
    """By how much the words that stand in one passage of both outnumber those that only one has
    there: the score of the best local alignment.
    """
    words, other = WORD.findall(text.lower()), WORD.findall(document.lower())
    row, best = [0] * (len(other) + 1), 0
    for word in words:
        before = 0
        for i, theirs in enumerate(other, 1):
            same = before + (1 if theirs == word else -1)
            before, row[i] = row[i], max(0, same, row[i] - 1, row[i - 1] - 1)
        best = max(best, *row)
    return best


def by_tantivy(texts: Texts, items: Sequence[Item], way: Way, cache: Path) -> Way:
    """Ten documents by the 25 rarest words of a text."""
    from word_peers import tantivy

    frequency = Counter(word for text in texts.values() for word in set(plain(text).split()))
    ask, _ = tantivy([{"id": key, "text": text} for key, text in texts.items()], cache)
    start = time.process_time()
    for number, item in enumerate(items):
        words = set(plain(item["text"]).replace("_", " ").split())
        known = [word for word in words if frequency[word]]
        rare = sorted(known, key=frequency.__getitem__)[:25]
        way.told[number] = Told(ask(" ".join(f'"{word}"' for word in rare)))
    way.milliseconds = 1e3 * (time.process_time() - start) / len(items)
    return way


def named_controls(
    way: Way, items: Sequence[Item], texts: Texts, kind: str
) -> list[dict[str, Any]]:
    """Items of a kind that a way names documents for, those first whose words these have least."""
    out = []
    for number, told in way.told.items():
        item = items[number]
        if item["kind"] != kind or not told.names:
            continue
        (same, place), key = max(
            (in_order(item["text"], texts[key]), key) for key in told.names[:5]
        )
        half, same = item["number"] % 2, round(same, 3)
        where = {"in order": same, "document": key, "place": place}
        where["shares"] = same >= 0.667 or in_passage(item["text"], texts[key]) >= PHRASE
        out.append(item | where | {"way": way.name, "verdict": told.verdict, "half": half})
    return sorted(out, key=lambda one: float(one["in order"]))


def found(item: Item, names: Sequence[str]) -> bool:
    """Whether all that an item was taken from are named, or documents that have the same."""
    return all(set(names) & set(keys) for keys in item.get("sources", [item["truth"]]))


JUDGES: dict[str, Judge] = {
    "": found,
    ", first": lambda item, names: bool(names) and names[0] in item["truth"],
    ", another, too": lambda item, names: not set(names) <= set(item["truth"]),
}


def found_table(ways: Sequence[Way], items: Sequence[Item]) -> list[str]:
    """A row a kind and way and a column a length; of items that are no sentences a column a kind,
    and the verdicts.
    """
    kinds = sorted(item["kind"] for item in items if item["kind"] not in CONTROLS)
    count = Counter(sorted(kinds, key=lambda kind: kind != "verbatim"))

    def told(way: Way, kind: str, band: Band = ALL[0]) -> list[tuple[Item, Told]]:
        some = ((items[number], told) for number, told in way.told.items())
        return [one for one in some if one[0]["kind"] == kind and band[0] <= one[0]["n"] <= band[1]]

    def hits(way: Way, kind: str, band: Band = ALL[0], judge: Judge = found) -> str:
        return share([judge(item, told.names) for item, told in told(way, kind, band)])

    if "band" not in items[0]:
        head = ["found", *(f"{kind} ({of:,})" for kind, of in count.items())]
        rows = [
            [way.name + what, *(hits(way, kind, judge=judge) for kind in count)]
            for way in ways
            for what, judge in JUDGES.items()
        ]
        said = []
        for kind in dict.fromkeys(item["kind"] for item in items):
            for way in (way for way in ways if "check" in way.name):
                verdicts = [one.verdict for _, one in told(way, kind)]
                shares = [verdicts.count(verdict) / len(verdicts) for verdict in VERDICTS]
                said.append([f"{kind}: {way.name}", *(f"{one:.3f}" for one in shares)])
        lines = ["", *table(["verdicts", *VERDICTS], said)] if said else []
        return ["", *table(head, rows), *lines]
    lines = list[str]()
    for texts, bands in BANDS.items():
        rows = [
            [f"{kind}: {way.name}", *(hits(way, kind, band) for band in bands)]
            for kind in count
            for way in ways
            if texts == ("texts" in way.name or "--source" in way.name)
        ]
        lines += ["", *table(["found", *map(shown, bands)], rows)] if rows else []
    return lines


def control_table(
    ways: Sequence[Way], items: Sequence[Item], texts: Texts, out: list[dict[str, Any]]
) -> list[str]:
    """Controls that are named, by length; in out each of them."""
    rows, bands = list[list[str]](), CONTROL_BANDS if "band" in items[0] else ALL
    for kind in CONTROLS:
        of = [item["n"] for item in items if item["kind"] == kind]
        for way in ways if of else ():
            if way.name == "tantivy":  # names ten of whatever there is
                continue
            named = named_controls(way, items, texts, kind)
            rows.append([f"{kind}: {way.name}"])
            for low, high in bands:
                inside = [one for one in named if low <= one["n"] <= high]
                rows[-1].append(named_cell(inside, sum(low <= n <= high for n in of)))
            out += named
    return ["", *table(["named", *map(shown, bands)], rows)] if rows else []


def named_cell(named: Sequence[dict[str, Any]], of: int) -> str:
    """Share of controls that are named; how many, in each half of them; how many of these do not
    share words with the document; and how many are phrases, which accuse nobody.
    """
    if not of:
        return "-"
    accused = [one for one in named if one["verdict"] != "phrase"]
    halves = [sum(one["half"] == half for one in accused) for half in (0, 1)]
    false = sum(not one["shares"] for one in accused)
    text = f"{len(accused) / of:.4f}: {halves[0]}+{halves[1]} of {of:,}"
    text += f" ({false}, {false / of:.4f})" if accused else ""
    return text + (f", {len(named) - len(accused)} phrase" if len(named) > len(accused) else "")


def shown(band: Band) -> str:
    return "all" if band == ALL[0] else f"{band[0]}-{band[1]}"


def main() -> None:
    parser = running.parser(__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--only", nargs="*", help="of the ways that are printed")
    parser.add_argument("--source", action="store_true", help="check with --source, too")
    parser.add_argument("--tantivy", action="store_true", help="the 25 rarest words, too")
    parser.add_argument("--named", type=Path, help="controls that are named, items that are missed")
    parser.add_argument("--files", default=".", help="folder in FOLDER for the pocket files")
    arguments = parser.parse_args()
    out, page = list[dict[str, Any]](), list[str]()
    for folder in arguments.folders:
        page += section(folder, arguments, out)
    running.report(page, arguments.output)
    if arguments.named:
        write(arguments.named, out)


def section(folder: Path, arguments: argparse.Namespace, out: list[dict[str, Any]]) -> list[str]:
    source = folder / "build.jsonl"
    asked = (folder / "items.jsonl").open(encoding="utf-8")
    items = [{**json.loads(line), "number": number} for number, line in enumerate(asked)]
    files = built(folder, arguments.files, source)
    texts = {row["id"]: row["text"] for row in map(json.loads, source.open(encoding="utf-8"))}
    asks: dict[str, Callable[[Way], Way]] = {
        "sources, texts": lambda way: by_sources(pocketindex.open(files["t"]), items, way),
        "check, texts": lambda way: by_check(files["t"], items, way),
        "sources": lambda way: by_sources(pocketindex.open(files["n"]), items, way),
        "check": lambda way: by_check(files["n"], items, way),
    }
    if arguments.tantivy:
        asks["tantivy"] = lambda way: by_tantivy(texts, items, way, folder)
    if arguments.source:
        asks["check --source"] = lambda way: by_check(files["n"], items, way, source=str(source))
    ways = [
        ask(Way(name)) for name, ask in asks.items() if not arguments.only or name in arguments.only
    ]
    own = [
        {"missed by": way.name, **items[number], "named": told.names}
        for way in ways
        for number, told in way.told.items()
        if items[number]["kind"] not in CONTROLS and not found(items[number], told.names)
    ]
    lines = [
        "",
        f"## {folder.parent.name}/{folder.name}: {len(texts):,} documents, {len(items):,} items",
        *found_table(ways, items),
        *control_table(ways, items, texts, own),
        "",
        "processor milliseconds an item: "
        + ", ".join(f"{way.name} {way.milliseconds:.2f}" for way in ways),
    ]
    out += [{"folder": str(folder), **one} for one in own]
    return lines


if __name__ == "__main__":
    main()
