r"""Essays with copied passages whose ends are known: which words `sources` and the page colour.

    python bench/passages/essays.py COLLECTION.jsonl OTHER.jsonl --work DIR [--essays 300] [-o RESULTS.md]

An essay has paragraphs of sentences of its own, and in some of them a passage of a document of
COLLECTION. A third of the essays has whole sentences, a third whole sentences with a tenth or a
fifth of the words replaced, and a third passages that begin and end anywhere in a sentence: 12 to 60
words put between two halves of a sentence of the essay, or 30 to 80 words with a tenth or a fifth
replaced between two sentences. Half of the essays has sentences of documents of COLLECTION that were
held out as its own, the others sentences of OTHER; none shares a run of min(8, n - 1) words with a
document. The word of an essay before a passage, and the one after it, differ from those of the
document, so the ends are certain.

Asked are the command (`sources --json`), `serve`, the core, and the modules of the page in Node
(page_essays.mjs): its first answer from a file that was picked, and its whole answer. A word is
coloured if a passage of a source has all of it. Words that replace others count neither as copied
nor as own.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import urllib.request
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from itertools import groupby
from pathlib import Path
from typing import Any

sys.path += [str(Path(__file__).parents[1] / "measuring")]

import pocketindex
from intervals import table
from items import SENTENCE, WORD, Maker, Texts, held_out, plain, read, unshared, write
from pocketindex.cbits import ffi, lib
from running import called, parser, report

DOCUMENTS = 30_000
PARAGRAPHS = 5, 9
SENTENCES = 4, 9  # of a paragraph
OWN, COPIED, REPLACED = 0, 1, 2
KINDS = {
    "whole sentences": ("sentences",),
    "whole sentences, edited": ("sentences, 10 %", "sentences, 20 %"),
    "cut anywhere": ("run", "run, 10 %", "run, 20 %"),
}
WAYS = "command", "serve", "core", "page, first answer", "page"


@dataclass
class Essay:
    """text, and for each of its words whether it is own, copied or replaced, and the kind of its
    passage.
    """

    id: str
    group: str  # whose sentences are its own
    kind: str
    text: str = ""
    words: list[tuple[int, int, int, str]] = field(default_factory=list)

    @property
    def truth(self) -> float:
        """The share of the words that lie in copied passages."""
        return sum(one[2] != OWN for one in self.words) / len(self.words)


class Writer:
    """Writes essays of sentences and passages, by a seed."""

    def __init__(self, maker: Maker, documents: Texts) -> None:
        self.maker, self.chance, self.documents = maker, maker.chance, documents
        self.long = [key for key, text in documents.items() if len(text.split()) >= 120]

    def passage(self, kind: str) -> tuple[str, str, str, set[int]]:
        """A passage, the words around it in its document, and the numbers of those replaced."""
        while True:
            text = self.documents[self.chance.choice(self.long)]
            if kind.startswith("sentences"):
                found = list(SENTENCE.finditer(text))
                count = self.chance.randint(1, 4)
                if len(found) < count:
                    continue
                at = self.chance.randrange(len(found) - count + 1)
                start, end = found[at].start(), found[at + count - 1].end()
            else:
                words = list(WORD.finditer(text))
                size = self.chance.randint(*((12, 60) if kind == "run" else (30, 80)))
                if len(words) < size:
                    continue
                at = self.chance.randrange(len(words) - size + 1)
                start, end = words[at].start(), words[at + size - 1].end()
            own = text[start:end]
            if "\n\n" in own or not 9 <= len(WORD.findall(own)) <= 100:
                continue
            before, after = WORD.findall(text[:start]), WORD.findall(text[end:])
            replaced = set[int]()
            if kind.endswith("%"):
                own, replaced = self.edited(own, int(kind.split()[-2]) / 100)
            return own, before[-1] if before else "", after[0] if after else "", replaced

    def edited(self, text: str, share: float) -> tuple[str, set[int]]:
        """text with words replaced by others of the collection, but for the two at either end."""
        words = list(WORD.finditer(text))
        chosen = self.chance.sample(range(2, len(words) - 2), round(share * len(words)))
        for i in sorted(chosen, reverse=True):
            other = self.chance.choice(self.maker.pool)
            if other.lower() != words[i].group().lower():
                text = text[: words[i].start()] + other + text[words[i].end() :]
            else:
                chosen.remove(i)
        return text, set(chosen)

    def essay(self, id: str, group: str, kind: str, own: Sequence[str]) -> Essay:
        essay = Essay(id, group, kind)
        sentences = iter(self.chance.sample(own, min(len(own), 120)))
        for _ in range(self.chance.randint(*PARAGRAPHS)):
            count = self.chance.randint(*SENTENCES)
            place = self.chance.randrange(1, count) if self.chance.random() < 0.6 else -1
            for i in range(count):
                sentence = next(sentences)
                if i == place:
                    self.add_copied(essay, sentence)
                else:
                    self.add(essay, sentence)
            essay.text += "\n\n"
        return essay

    def add(
        self, essay: Essay, text: str, kind: str = "", replaced: set[int] = frozenset()
    ) -> None:  # type: ignore[assignment]
        if essay.text and not essay.text.endswith("\n\n"):
            essay.text += " "
        start = len(essay.text)
        for i, word in enumerate(WORD.finditer(text)):
            what = OWN if not kind else REPLACED if i in replaced else COPIED
            essay.words.append((start + word.start(), start + word.end(), what, kind))
        essay.text += text

    def add_copied(self, essay: Essay, sentence: str) -> None:
        """Add a passage between two sentences, or a run within one."""
        kind = self.chance.choice(KINDS[essay.kind])
        words = list(WORD.finditer(sentence))
        cut = words[len(words) // 2].start() if kind == "run" else 0
        first, second = sentence[:cut].rstrip(), sentence[cut:]
        last = essay.text[essay.words[-1][0] : essay.words[-1][1]] if essay.words else ""
        last = WORD.findall(first)[-1] if first else last
        while True:
            own, before, after, replaced = self.passage(kind)
            following = WORD.findall(second)[0]
            if last.lower() != before.lower() and following.lower() != after.lower():
                break
        if first:
            self.add(essay, first)
        self.add(essay, own, kind, replaced)
        self.add(essay, second)


def written(paths: Sequence[Path], count: int, seed: int) -> tuple[Texts, list[Essay]]:
    """Return the documents of the collection, and essays with passages of them."""
    some = read(paths[0], 40)
    keys = random.Random(seed).sample(list(some), min(DOCUMENTS, len(some)))
    held, documents = held_out({key: some[key] for key in keys}, seed)
    maker, plains = Maker(documents, seed), {key: plain(text) for key, text in documents.items()}
    writer = Writer(maker, documents)
    essays = list[Essay]()
    for group, texts in (("held out", held), ("other", read(paths[1], 40))):
        own = [text for band, text in unshared(maker, texts, plains, 600) if band[0] >= 9]
        print(f"{group}: {len(own)} sentences", file=sys.stderr)
        for i in range(count // 2):
            kind = list(KINDS)[i % len(KINDS)]
            essays.append(writer.essay(f"{group} {i}", group, kind, own))
    return documents, essays


@dataclass
class Told:
    """spans in characters of the text; share: from 0 to 1."""

    spans: list[tuple[int, int]]
    share: float


def by_command(path: Path, essay: Essay, place: Path) -> Told:
    place.write_text(essay.text, encoding="utf-8")
    command = [sys.executable, "-m", "pocketindex", "sources", path, place, "--json"]
    done = subprocess.run([*command, "--top", "1000"], capture_output=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    spans = [tuple(span) for row in rows if row["rank"] for span in row["passages"]]
    return Told(spans, rows[0]["text_coverage"] if rows else 0.0)


@contextmanager
def served(path: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "pocketindex", "serve", path, "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        assert process.stdout
        line = process.stdout.readline().decode()
        try:
            yield next(word for word in line.split() if word.startswith("http"))
        finally:
            process.terminate()


def by_serve(url: str, essay: Essay) -> Told:
    question = json.dumps({"text": essay.text, "top": 1000}).encode()
    request = urllib.request.Request(f"{url}api/sources", question)  # noqa: S310
    with urllib.request.urlopen(request) as answer:  # noqa: S310, of this computer
        found = json.load(answer)
    spans = [tuple(span) for one in found["sources"] for span in one["passages"]]
    return Told(spans, found["coverage"])


def by_core(index: pocketindex.Index, essay: Essay) -> Told:
    data = essay.text.encode()
    out, error = ffi.new("pocket_sources_found **"), ffi.new("pocket_error *")
    options = ffi.new(
        "pocket_sources_options *", [ffi.sizeof("pocket_sources_options"), 1000, False]
    )
    assert not lib.pocket_sources(index._core, data, len(data), options, out, error)
    places = [(p.start, p.end) for p in out[0].passages[0 : out[0].passage_count]]
    spans = [(len(data[:a].decode()), len(data[:b].decode())) for a, b in places]
    share = out[0].coverage / 10_000
    lib.pocket_sources_free(out[0])
    return Told(spans, share)


def by_page(path: Path, essays: Path) -> Iterator[dict[str, Told]]:
    script = Path(__file__).with_name("page_essays.mjs")
    done = subprocess.run(["node", script, path, essays], capture_output=True, check=True)
    for line in done.stdout.splitlines():
        row = json.loads(line)
        yield {
            name: Told([tuple(span) for span in row[key]["spans"]], row[key]["share"] / 10_000)
            for name, key in (("page, first answer", "first"), ("page", "all"))
        }


def judged(essay: Essay, told: Told) -> Counter[tuple[str, str]]:
    """How many words there are, and how many are wrong, by what they are."""
    colour = bytearray(len(essay.text))
    for start, end in told.spans:
        colour[start:end] = b"\1" * (end - start)
    out = Counter[tuple[str, str]]()
    for start, end, what, kind in essay.words:
        name = "own" if what == OWN else "copied"
        if what == REPLACED:
            continue
        is_coloured = all(colour[start:end])
        for each in (name, kind or essay.group):
            out[each, "words"] += 1
            out[each, "wrong"] += is_coloured == (what == OWN)
    return out


def lost(essay: Essay, told: Told) -> Counter[tuple[str, str]]:
    """The copied words that are not coloured, by the kind of their passage: those of passages of
    which no word is, those beyond the first and the last word that is, and those between.
    """
    out = Counter[tuple[str, str]]()
    for kind, words in groupby(essay.words, key=lambda word: word[3]):
        copied = [word[:2] for word in words if word[2] == COPIED]
        if not kind:
            continue
        seen = [any(a <= start and end <= b for a, b in told.spans) for start, end in copied]
        out[kind, "passages"] += 1
        if not any(seen):
            out[kind, "whole"] += 1
            out[kind, "words of these"] += len(seen)
            continue
        first, last = seen.index(True), len(seen) - seen[::-1].index(True)
        out[kind, "at the ends"] += first + len(seen) - last
        out[kind, "between"] += seen[first:last].count(False)
    return out


def main() -> None:
    options = parser(__doc__)
    options.add_argument("collections", nargs=2, type=Path)
    options.add_argument("--work", type=Path, required=True)
    options.add_argument("--essays", type=int, default=300)
    options.add_argument("--seed", type=int, default=55)
    arguments = options.parse_args()
    work = arguments.work
    documents, essays = written(arguments.collections, arguments.essays, arguments.seed)
    rows = [{"id": key, "text": text} for key, text in documents.items()]
    write(work / "build.jsonl", rows)
    write(work / "essays.jsonl", [{"id": one.id, "text": one.text} for one in essays])
    path = work / "essays.pocket"
    command = [sys.executable, "-m", "pocketindex", "build", work / "build.jsonl", "-o", path]
    command += ["--index", "documents,passages,words", "--keep", "text", "--force"]
    subprocess.run([*command, "--progress", "none"], check=True, capture_output=True)
    told: dict[str, list[Told]] = {way: [] for way in WAYS}
    for both in by_page(path, work / "essays.jsonl"):
        for way, one in both.items():
            told[way].append(one)
    with served(path) as url, pocketindex.open(path) as index:
        for essay in essays:
            told["command"].append(by_command(path, essay, work / "essay.txt"))
            told["serve"].append(by_serve(url, essay))
            told["core"].append(by_core(index, essay))
    with (work / "told.jsonl").open("w", encoding="utf-8") as file:
        for i, essay in enumerate(essays):
            row: dict[str, Any] = {way: told[way][i].__dict__ for way in WAYS}
            file.write(json.dumps({"id": essay.id, "words": essay.words} | row) + "\n")
    report(page(essays, told, len(documents)), arguments.output)


def page(essays: Sequence[Essay], told: dict[str, list[Told]], documents: int) -> list[str]:
    size = sum(len(essay.words) for essay in essays)
    counted = [judged(essay, one) for essay, one in zip(essays, told["command"], strict=True)]

    def part(counts: Sequence[Counter[tuple[str, str]]], name: str) -> str:
        all_of = sum(counts, Counter[tuple[str, str]]())
        count, wrong = all_of[name, "words"], all_of[name, "wrong"]
        return f"{wrong / count:.4f} ({wrong:,} of {count:,})" if count else "-"

    def points(chosen: Sequence[int]) -> list[str]:
        off = [100 * (told["command"][i].share - essays[i].truth) for i in chosen]
        return [
            f"{sum(off) / len(off):+.2f}",
            f"{max(off, key=abs):+.2f}",
            f"{sum(abs(one) > 2 for one in off)} of {len(off)}",
        ]

    lines = [
        "# Essays with copied passages",
        "",
        f"`{called()}`, {date.today()}",
        "",
        f"{len(essays)} essays of {size:,} words, {documents:,} documents, with passages, words and "
        "texts.",
        "",
        "## By essay",
        "",
        "Share: that of the command less the true one, in percentage points.",
        "",
    ]
    rows = []
    for kind in [*KINDS, "all"]:
        some = [i for i, essay in enumerate(essays) if kind in (essay.kind, "all")]
        own = [counted[i] for i in some]
        rows.append([kind, part(own, "own"), part(own, "copied"), *points(some)])
    head = ["", "own words, coloured", "copied words, not coloured"]
    lines += table([*head, "share, mean", "share, most", "share off by more than 2"], rows)
    lines += ["", "## By passage, and by the source of the own words", ""]
    kinds = [(each, "copied, not coloured") for own in KINDS.values() for each in own]
    kinds += [(group, "own, coloured") for group in ("held out", "other")]
    lines += table(["", "", "words"], [[name, what, part(counted, name)] for name, what in kinds])
    lines += ["", "## What is not coloured", ""]
    missed = sum(map(lost, essays, told["command"]), Counter[tuple[str, str]]())
    names = ["passages", "whole", "words of these", "at the ends", "between"]
    rows = [
        [kind, *(f"{missed[kind, name]:,}" for name in names)]
        for own in KINDS.values()
        for kind in own
    ]
    lines += table(["", "passages", "lost whole", "their words", "words at ends", "between"], rows)
    lines += ["", "## Beside the command", ""]
    rows = []
    for way in WAYS[1:]:
        pairs = list(zip(told[way], told["command"], strict=True))
        theirs = [judged(essay, one) for essay, one in zip(essays, told[way], strict=True)]
        rows.append(
            [
                way,
                f"{sum(a != b for a, b in zip(theirs, counted, strict=True))}",
                f"{max(100 * abs(a.share - b.share) for a, b in pairs):.2f}",
            ]
        )
    lines += table(["", "essays with other colours", "share, largest difference"], rows)
    return lines


if __name__ == "__main__":
    main()
