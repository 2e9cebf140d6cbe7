"""Are the attacks good enough? Bugs planted one at a time in a copy of the reader: each must be
caught.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
import test_documents
import test_passages_damage
import test_texts_damage
import test_words_damage
from compiled import CORE, HARNESSES, core_file
from core_sources import SANITIZE, reading_half, run, tool
from plain_layout import assemble
from scanned import LEAST, Scanned, answers_in, write_scanned
from search_bugs import SEARCH_BUGS
from searched import write_searched
from small import write_small
from test_plain_damage import GOOD, OPEN
from test_plain_verify import VERIFY
from vectors import expected, questions

# file, what stands there, what is put in its place
BUGS = {
    "CRC of a block not checked": (
        "container.c",
        "if (expected != found) return fail(error, POCKET_DAMAGED_CHECKSUM, s->kind, i,",
        "if (0) return fail(error, POCKET_DAMAGED_CHECKSUM, s->kind, i,",
    ),
    "CRC of a head not checked": (
        "open.c",
        "return found == s->seal ? POCKET_OK",
        "return found == found ? POCKET_OK",
    ),
    "ends of blocks may fall": (
        "open.c",
        "if (end <= before) return",
        "if (end == before) return",
    ),
    "length of a section not checked": (
        "open.c",
        "if (s->length > x->length - s->offset) return",
        "if (0) return",
    ),
    "head longer than its section": (
        "open.c",
        "if (s->head > s->length) return allowing(",
        "if (0) return allowing(",
    ),
    "stride not checked": ("heads.c", "if (x->stride != stride) return", "if (0) return"),
    "window of shingles not checked": (
        "passages.c",
        "if (x->shingle_window < 1 || x->shingle_window > MOST_WINDOW)",
        "if (x->shingle_window < 1)",
    ),
    "postlist of a shingle may be longer": (
        "passages.c",
        "if (documents > most)",
        "if (0)",
    ),
    "what a text repeats is evidence": (
        "shingle_matches.c",
        "if (own->place < free || own->again) continue;",
        "if (own->place < free) continue;",
    ),
    "of equal shingles the later one is kept": (
        "winnowing.c",
        "% MOST_WINDOW] > *hash) w->count--;",
        "% MOST_WINDOW] >= *hash) w->count--;",
    ),
    "a copy is a first hit": (
        "summary.c",
        "if (!copy && first) {",
        "if (first) {",
    ),
    "what is behind a first hit needs as much": (
        "summary.c",
        "least -= least / 8;",
        "",
    ),
    "chance has a Gaussian's tails": (
        "score.c",
        "100000000 + 113 * gaussian * gaussian / 355",
        "100000000",
    ),
    "a passage ends where a word differs": (
        "reach.c",
        "if (!same || cell <= best) continue;",
        "continue;",
    ),
    "words that differ cost nothing beyond an alignment": (
        "reach.c",
        "(same ? POINT + 1 : -POINT)",
        "(same ? POINT + 1 : 0)",
    ),
    "a passage in pieces does not count": (
        "judge.c",
        "a->run >= LEAST_RUN || a->value >= LEAST_VALUE",
        "a->run >= LEAST_RUN",
    ),
    "the evidence of the last neighbourhood": (
        "choose_sources.c",
        "if (c->passages[k].evidence > most) most",
        "most",
    ),
    "what a source adds is not looked at again": (
        "cover.c",
        "if (now == before && now >= least) {",
        "if (now >= least) {",
    ),
    "ties to the higher number": (
        "rank.c",
        "uint64_t rank = (uint64_t)(10000 - similarity) << 32 | document;",
        "uint64_t rank = (uint64_t)(10000 - similarity) << 32 | (document ^ 0xFFFFu);",
    ),
    "first key of a postlist not compared": (
        "candidates.c",
        "stored == q->keys[m->rank] ? add_postlist(q, table, m, sketches[i]) : POCKET_OK",
        "add_postlist(q, table, m, sketches[i])",
    ),
    "document found twice": ("rank.c", "if (i > 0 && c[i - 1] >> 32 == c[i] >> 32) continue;", ""),
    "identity not compared": (
        "rank.c",
        "identity == (q->identity & ((1ull << x->identity_bits) - 1));",
        "identity <= UINT32_MAX;",
    ),
    "identity beyond its sketch": (
        "container.c",
        "sketch.rest[sketch_bytes(p) - coarse_bytes(p) + i]",
        "sketch.rest[sketch_bytes(p) - coarse_bytes(p) + i + 1]",
    ),
    "the rest of another document's sketch": (
        "container.c",
        "(uint64_t)count * coarse + (uint64_t)place * (index->stride - coarse);",
        "(uint64_t)count * coarse;",
    ),
    "a sketch ranked by its coarse code": (
        "score.c",
        "agreeing_shares(r->shares + 256 * coarse, stored.rest, sketch_bytes(p) - coarse);",
        "0;",
    ),
    "components of a table beyond all": (
        "profile.c",
        " || row->count > p->component_count - row->first)",
        ")",
    ),
    "class of a bin": ("ff.c", "if (b.classes[i] >= b.count)", "if (0)"),
    "source": ("ff.c", "if (component_source(p, j) >= b.count)", "if (0)"),
    "length of the hash": (
        "pilot.c",
        "if (length - PILOT_HEAD != buckets + 2 * (size_t)spare) return 0;",
        "",
    ),
    "zeros before a quotient": ("quotient.c", "for (skip--; skip", "for (; skip"),
    "rests that are not compared": (
        "quotient.c",
        "if (quotient_rest(q, rank) == rest) *slot",
        "*slot",
    ),
    "sample beyond the part": (
        "part.c",
        "if (end > p->count || from >= end) return 0;",
        "if (end > p->count) return 0;",
    ),
    "keys of the last part": (
        "look_up.c",
        "1 : UINT64_MAX) - low;",
        "1 : UINT64_MAX - 1) - low - 1;",
    ),
    "probes out of order": ("probe.c", "masks[e] < bit", "masks[e] <= bit"),
    "margin of the other side": (
        "hashed.c",
        ": down < up ? down : up;",
        ": down < up ? up : down;",
    ),
    "classes of the word before": (
        "hashed.c",
        "    return (term_classes){a & b,",
        "    if (word == 2) return classes_of(whole, 1);\n    return (term_classes){a & b,",
    ),
    "neither class is the second": ("hashed.c", "a & b, ~(a | b)", "a & b, ~(a & b)"),
    "record beyond its block": ("documents.c", "if (from == end) return RECORD_WRONG;", ""),
    "literal beyond its block": (
        "documents.c",
        "code == SYMBOL_LITERAL && from < end && ",
        "code == SYMBOL_LITERAL && ",
    ),
    "id beyond its record": (
        "documents.c",
        "while (id < to && *id != FIELD_END) id++;",
        "while (*id != FIELD_END) id++;",
    ),
    "last bytes of a sketch not counted": (
        "hamming.c",
        "if (bytes % 8) sum += ",
        "if (bytes % 8) (void)",
    ),
    "the fourth of four": (
        "hamming.c",
        "d = distance(own, p + 48,",
        "d = distance(own, p + 32,",
    ),
    "the last of all": (
        "hamming.c",
        "for (uint32_t i = 0; i < s.count; i++, s.packed",
        "for (uint32_t i = 0; i + 1 < s.count; i++, s.packed",
    ),
    "a stride too few": (
        "hamming.c",
        "s.count -= 4, s.packed += 64",
        "s.count -= 4, s.packed += 48",
    ),
    "ties beyond the depth": (
        "scan.c",
        "at_limit = (d == limit) & (left > 0);",
        "at_limit = d == limit;",
    ),
    "a wide sketch that looks no deeper": ("scan.c", "depth *= codes ? codes : 1;", ""),
    "a scan's limit that is too low": ("scan.c", "s->limit = limit;", "s->limit = limit / 2;"),
    "a stretch that begins within a block": ("scan.c", "block + before * s->bytes", "block"),
    "number of a block's first": ("scan.c", "s->bytes, p->document + i,", "s->bytes, i,"),
    "cells nearer than the step that is sorted": (
        "cells.c",
        "same += scores[numbers[i]] <= highest;",
        "same++;",
    ),
    "cells beyond the pruning threshold": (
        "cells.c",
        "if (farthest < worst) worst = farthest;",
        "",
    ),
    "pruning threshold of twice as much": (
        "cells.c",
        "(int32_t)(pruning * square_root(squares) / 2)",
        "(int32_t)(pruning * square_root(squares))",
    ),
    "a shingle repeats one of far away": (
        "shingle_matches.c",
        "i > first && place - before <= NEIGHBOURHOOD",
        "i > first",
    ),
    "room of a text's pieces": (
        "texts.c",
        "(uint64_t)s->pieces * s->index->text_room, error",
        "s->index->text_room, error",
    ),
    "a piece cut short": (
        "texts.c",
        "if (i < last && length != room) status",
        "if (0) status",
    ),
    "pieces out of order": (
        "texts.c",
        "if (piece > 1 && first != next_piece) return",
        "if (piece > 1 && i == 0) return",
    ),
    "identity of a text not compared": (
        "texts.c",
        "return status || a.identity == identity ? ",
        "return status || 1 ? ",
    ),
    "inflate: length beyond the room": ("inflate.c", "if (s.out == s.stop) return BROKEN;", ""),
    **SEARCH_BUGS,
}


@dataclass(frozen=True)
class Attacks:
    """objects: the sound reader, compiled once a file, and the two harnesses; scanned: for what
    only a scan of many documents shows; searched: for what only a search in many does, with its
    answers.
    """

    objects: dict[str, Path]
    small: Path
    cases: Path
    bad: list[Path]
    scanned: Scanned
    searched: tuple[Path, str]


# What a scan is compiled with, too: it looks closely at few documents, and counts without the
# widest instructions.
SHALLOW = {"scan.c": LEAST, "hamming.c": "-DCOUNTING_MOST=COUNTING_WORDS"}
FLAGS = ["-std=c11", "-g", "-O1", *SANITIZE, "-DMAX_CANDIDATES=4096", f"-I{CORE}"]


@pytest.fixture(scope="module")
def attacks(tmp_path_factory: pytest.TempPathFactory) -> Attacks:
    folder = tmp_path_factory.mktemp("attacks")
    cases = folder / "cases"
    cases.write_text(questions())
    bad = []
    changed = [change(list(GOOD)) for _, change, _ in [*OPEN, *VERIFY]]
    changed += [
        [*test_texts_damage.GOOD[:5], case[0]]
        for case in (test_texts_damage.OPEN | test_texts_damage.VERIFY).values()
    ]
    changed += [
        [*own.GOOD[:5], change()]
        for own in (test_passages_damage, test_words_damage)
        for change, _ in (own.OPEN | own.VERIFY).values()
    ]
    changed += [test_documents.ending(last) for last in test_documents.LAST.values()]
    for number, sections in enumerate(changed):
        bad.append(folder / f"{number}.pocket")
        bad[-1].write_bytes(assemble(sections))
    sources = [*reading_half(mapping=False), HARNESSES / "attack.c", HARNESSES / "answers.c"]
    objects = {source.name: compiled(source, folder / f"{source.stem}.o") for source in sources}
    scanned = write_scanned(tmp_path_factory.mktemp("scanned"))
    searched = write_searched(tmp_path_factory.mktemp("searched"))
    return Attacks(objects, write_small(folder / "small.pocket"), cases, bad, scanned, searched)


def compiled(source: Path, out: Path, *flags: str) -> Path:
    subprocess.run(
        [tool("gcc"), *FLAGS, *flags, "-w", "-c", str(source), "-o", str(out)], check=True
    )
    return out


def linked(harness: str, attacks: Attacks, changed: dict[str, Path], out: Path) -> Path:
    parts = {**attacks.objects, **changed}
    others = {"attack.c", "answers.c"} - {harness}
    subprocess.run(
        [
            tool("gcc"),
            *SANITIZE,
            "-o",
            str(out),
            *(str(p) for name, p in parts.items() if name not in others),
        ],
        check=True,
    )
    return out


def answered_wrong(attacks: Attacks, source: Path | None, out: Path) -> str:
    """Name the wrong answers when source stands in for the file of its name; or nothing."""
    changed = {} if source is None else {source.name: compiled(source, out / "changed.o")}
    sources = {name: core_file(name) for name in SHALLOW} | (
        {} if source is None else {source.name: source}
    )
    shallow = {
        name: compiled(
            own, out / f"shallow-{name}.o", *([SHALLOW[name]] if name in SHALLOW else [])
        )
        for name, own in sources.items()
    }
    answers = linked("answers.c", attacks, changed, out / "answers")
    replayed = run(answers, attacks.cases)
    if replayed.returncode or replayed.stdout != expected():
        return "vectors"
    searched = run(answers, attacks.searched[0])
    if searched.returncode or searched.stdout != attacks.searched[1]:
        return "searches"
    scanned = run(linked("answers.c", attacks, shallow, out / "scanning"), attacks.scanned.cases)
    if scanned.returncode or answers_in(scanned.stdout) != attacks.scanned.answers:
        return "scans"
    return ""


def caught(attacks: Attacks, source: Path, out: Path) -> str:
    """Name the attack that a reader with a changed file fails; "" when it survives them all."""
    if by := answered_wrong(attacks, source, out):
        return by
    changed = {source.name: out / "changed.o"}
    attack = linked("attack.c", attacks, changed, out / "attack")
    if subprocess.run([attack, "refuses", *attacks.bad], capture_output=True).returncode:
        return "bad files"
    for mode in (["flips"], ["fields", "9"], ["pairs", "10000", "1"]):
        if subprocess.run(
            [attack, mode[0], attacks.small, *mode[1:]], capture_output=True, timeout=600
        ).returncode:
            return mode[0]
    return ""


def planted(bug: str) -> tuple[str, int]:
    """A file's text with a bug in it, and how many places there are for it. Lines may be broken
    anywhere.
    """
    name, right, wrong = BUGS[bug]
    pattern = r"\s+".join(map(re.escape, right.split()))
    return re.subn(pattern, lambda _: wrong, core_file(name).read_text(encoding="utf-8"))


def test_every_bug_has_one_place() -> None:
    """Quick, so that a change of the reader does not leave a bug behind that can no longer be
    planted.
    """
    found = {bug: planted(bug)[1] for bug in BUGS}
    assert found == dict.fromkeys(BUGS, 1)


@pytest.mark.slow
def test_the_sound_reader_survives_the_quick_attacks(attacks: Attacks, tmp_path: Path) -> None:
    assert answered_wrong(attacks, None, tmp_path) == ""
    attack = linked("attack.c", attacks, {}, tmp_path / "attack")
    assert subprocess.run([attack, "refuses", *attacks.bad]).returncode == 0
    assert subprocess.run([attack, "flips", attacks.small]).returncode == 0


@pytest.mark.nightly
@pytest.mark.parametrize("bug", BUGS)
def test_it_is_caught(bug: str, attacks: Attacks, tmp_path: Path) -> None:
    source = tmp_path / BUGS[bug][0]
    source.write_text(planted(bug)[0], encoding="utf-8")
    by = caught(attacks, source, tmp_path)
    print(f"{bug}: {by or 'NOT CAUGHT'}")

    assert by
