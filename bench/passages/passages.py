r"""Where does this text come from: pasted paragraphs and essays of two passages, beside SQLite FTS5,
tantivy, the script of 13-grams and the query of a whole document.

    python bench/passages/passages.py wiki_simple.jsonl --none reuters.jsonl newsgroups20.jsonl \
        --cache DIR -o bench/results/passages.md          (needs tantivy; 15 minutes)

A paragraph is 80 words in a row of a document of 200 words or more; an essay is two of them and 40
words of a third document. Words are replaced by words of the collection's first 800 documents, each
with the same chance. A source counts as found when the document, or one with the same text, is
named. Texts of no source are the first 1,000 of 50 words or more of each other collection.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sqlite3
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

import pocketindex
from intervals import wilson
from pocketindex.builder import Settings, build

WORDS = 80
OWN = 40
EDITS = (0.0, 0.1, 0.2, 0.3)
SLOW = 20  # questions that FTS5 is asked, which takes a second each
TERM = re.compile(r"[^\W_]+")
Ask = Callable[[str], list[str]]


def read(path: str) -> dict[str, str]:
    """The documents of a collection by id; of those with one text the first."""
    seen, out = set[str](), dict[str, str]()
    with open(path, encoding="utf-8") as file:
        for line in file:
            document = json.loads(line)
            if document["text"] not in seen:
                seen.add(document["text"])
                out[document["id"]] = document["text"]
    return out


class Questions:
    """Paragraphs and essays with their sources, by the share of words that are replaced."""

    def __init__(self, documents: dict[str, str], count: int) -> None:
        chance = random.Random(20261122)
        words = {key: text.split() for key, text in documents.items()}
        vocabulary = [word for key in list(words)[:800] for word in words[key]]
        long = [key for key, own in words.items() if len(own) >= 200]
        self.paragraphs = dict[float, list[tuple[str, list[str]]]]()
        self.essays = dict[float, list[tuple[str, list[str]]]]()

        def piece(key: str, edit: float) -> str:
            start = chance.randrange(len(words[key]) - WORDS)
            return " ".join(
                chance.choice(vocabulary) if chance.random() < edit else word
                for word in words[key][start : start + WORDS]
            )

        for edit in EDITS:
            self.paragraphs[edit] = [
                (piece(key, edit), [key]) for key in chance.choices(long, k=count)
            ]
            self.essays[edit] = []
            for _ in range(count // 2):
                one, other, third = chance.sample(long, 3)
                parts = [piece(one, edit), piece(other, edit), " ".join(words[third][:OWN])]
                self.essays[edit].append((" ".join(parts), [one, other]))


def pocket(path: Path) -> tuple[Ask, Ask, pocketindex.Index]:
    index = pocketindex.open(path)

    def whole(text: str) -> list[str]:
        try:
            return [hit.id for hit in index.query(text, top=10, min_similarity=0)]
        except pocketindex.TextTooShort:
            return []

    return lambda text: [one.id for one in index.sources(text, 10)], whole, index


def fts5(documents: dict[str, str], path: Path) -> Ask:
    """All distinct terms of the text, joined by OR, by bm25."""
    path.unlink(missing_ok=True)
    db = sqlite3.connect(path)
    db.execute("create virtual table d using fts5(id unindexed, text, content='', columnsize=1)")
    numbers = list(documents)
    db.executemany(
        "insert into d(rowid, id, text) values (?, ?, ?)",
        ((i, key, documents[key]) for i, key in enumerate(numbers)),
    )
    db.execute("insert into d(d) values ('optimize')")
    db.commit()

    def ask(text: str) -> list[str]:
        terms = dict.fromkeys(TERM.findall(text.lower()))
        query = " OR ".join(f'"{term}"' for term in terms)
        rows = db.execute("select rowid from d where d match ? order by bm25(d) limit 10", (query,))
        return [numbers[number] for (number,) in rows]

    return ask


def tantivy(documents: dict[str, str], path: Path) -> Ask:
    """The 25 rarest terms of the text."""
    import tantivy as library

    schema = library.SchemaBuilder()
    schema.add_text_field("id", stored=True, tokenizer_name="raw")
    schema.add_text_field("text", tokenizer_name="default")
    path.mkdir(parents=True, exist_ok=True)
    index = library.Index(schema.build(), path=str(path))
    writer = index.writer(200_000_000)
    frequency = Counter[str]()
    for key, text in documents.items():
        writer.add_document(library.Document(id=key, text=text))
        frequency.update(set(TERM.findall(text.lower())))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def ask(text: str) -> list[str]:
        terms = sorted(
            (term for term in set(TERM.findall(text.lower())) if frequency[term]),
            key=frequency.__getitem__,
        )[:25]
        if not terms:
            return []
        query = index.parse_query(" ".join(terms), ["text"])
        found = searcher.search(query, 10).hits
        return [searcher.doc(address)["id"][0] for _, address in found]

    return ask


def grams(documents: dict[str, str], texts: Sequence[str]) -> Ask:
    """Documents that have a shingle of 13 of the text's words, the one with most of them first: looked
    for in one pass, as the script does that decontaminates test sets.
    """
    wanted = dict[str, Counter[str]]()
    owners = defaultdict[int, set[str]](set)
    for text in texts:
        words = TERM.findall(text.lower())
        wanted[text] = Counter()
        for i in range(len(words) - 12):
            owners[hash(tuple(words[i : i + 13]))].add(text)
    for key, text in documents.items():
        words = TERM.findall(text.lower())
        for i in range(len(words) - 12):
            for question in owners.get(hash(tuple(words[i : i + 13])), ()):
                wanted[question][key] += 1
    return lambda text: [key for key, _ in wanted[text].most_common(10)]


def shares(ask: Ask, questions: list[tuple[str, list[str]]]) -> tuple[tuple[int, int, int], float]:
    """Sources named first, among ten, and all; and the median time in microseconds."""
    first = ten = every = 0
    took = []
    for text, sources in questions:
        start = time.perf_counter()
        found = ask(text)
        took.append(time.perf_counter() - start)
        first += bool(found) and found[0] in sources
        ten += sum(source in found for source in sources)
        every += len(sources)
    return (first, ten, every), 1e6 * statistics.median(took)


def shown(hits: int, of: int) -> str:
    low, high = wilson(hits, of)
    return f"{hits / of:.3f} ({low:.3f}-{high:.3f})"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("collection")
    parser.add_argument("--none", nargs="*", default=[])
    parser.add_argument("--cache", required=True, type=Path)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("-o", "--output", required=True, type=Path)
    arguments = parser.parse_args()
    arguments.cache.mkdir(parents=True, exist_ok=True)
    documents = read(arguments.collection)
    source, file = arguments.cache / "passages.jsonl", arguments.cache / "passages.pocket"
    source.write_text(
        "".join(json.dumps({"id": key, "text": text}) + "\n" for key, text in documents.items())
    )
    start = time.perf_counter()
    build([source], file, Settings(index=("documents", "passages"), threads=1))
    took = time.perf_counter() - start
    words = sum(len(text.split()) for text in documents.values())
    questions = Questions(documents, arguments.count)
    sources, whole, index = pocket(file)
    asks = {
        "`sources`": sources,
        "`query`, the whole document": whole,
        "SQLite FTS5, all terms": fts5(documents, arguments.cache / "fts.db"),
        "tantivy, 25 rarest terms": tantivy(documents, arguments.cache / "tantivy"),
    }
    by_gram = grams(
        documents,
        [
            text
            for kind in (questions.paragraphs, questions.essays)
            for some in kind.values()
            for text, _ in some
        ],
    )
    info = index.info()
    size = info.sections["passages"]
    lines = [
        "# Where does this text come from",
        "",
        f"`python bench/passages/passages.py {Path(arguments.collection).name} --none "
        f"{' '.join(Path(path).name for path in arguments.none)}`, {time.strftime('%Y-%m-%d')}.",
        f"{len(index):,} documents, {words / len(index):.0f} words each. The section of passages "
        f"has {size:,} bytes: {size / len(index):.1f} a document, {size / words:.3f} a word. The "
        f"build took {took:.0f} seconds in one thread. {info.runs_left_out:,} shingles are left out.",
        "",
        "## Paragraphs of 80 words",
        f"{arguments.count} of each kind, with Wilson's intervals of 95 %; of SQLite's the first {SLOW}.",
        "",
        "| | replaced | first | among ten | median time, us |",
        "|---|--:|--:|--:|--:|",
    ]
    for edit in EDITS:
        for name, ask in {**asks, "shingles of 13 words, one pass": by_gram}.items():
            some = questions.paragraphs[edit][: SLOW if "FTS5" in name else None]
            (first, ten, every), micro = shares(ask, some)
            spent = "-" if ask is by_gram else f"{micro:,.0f}"
            row = f"{edit:.0%} | {shown(first, every)} | {shown(ten, every)} | {spent}"
            lines.append(f"| {name} | {row} |")
            print(lines[-1], flush=True)
    lines += [
        "",
        "## Essays: two passages of 80 words, 40 words of a third document",
        f"{arguments.count // 2} of each kind; the share of the sources among ten.",
        "",
        "| | replaced | among ten | median time, us |",
        "|---|--:|--:|--:|",
    ]
    for edit in EDITS:
        for name, ask in {**asks, "shingles of 13 words, one pass": by_gram}.items():
            some = questions.essays[edit][: SLOW if "FTS5" in name else None]
            (_, ten, every), micro = shares(ask, some)
            spent = "-" if ask is by_gram else f"{micro:,.0f}"
            lines.append(f"| {name} | {edit:.0%} | {shown(ten, every)} | {spent} |")
            print(lines[-1], flush=True)
    lines += ["", "## Texts of no source in the collection", "", "| | texts | coverage above .1 |"]
    lines.append("|---|--:|--:|")
    for path in arguments.none:
        found = [
            index.sources(text).coverage for text in read(path).values() if len(text.split()) >= 50
        ][:1000]
        lines.append(
            f"| {Path(path).name} | {len(found)} | "
            f"{shown(sum(one > 0.1 for one in found), len(found))} |"
        )
        print(lines[-1], flush=True)
    long = " ".join(" ".join(list(documents.values())[500:900]).split()[:1000])
    best = min(_seconds(lambda: index.sources(long)) for _ in range(200))
    lines += ["", f"A text of 1,000 words: {1e6 * best:,.0f} us from Python, ids and all."]
    arguments.output.write_text("\n".join(lines) + "\n")


def _seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
