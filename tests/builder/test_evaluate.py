"""The evaluation measures what it says: truth, queries, edits and stress on collections whose
figures are known.
"""

from __future__ import annotations

import json
import math
import random
import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from made_up import made_up
from pocketindex.builder.conventions import murmur
from pocketindex.builder.evaluate import collection as collections
from pocketindex.builder.evaluate.edits import LOSSES, edited, paragraphs, plagiarised
from pocketindex.builder.evaluate.evaluation import SCHEMES, evaluate, results, subject
from pocketindex.builder.evaluate.keywords import LEAST_FOCUSED, TERMS, focused, keyword_route
from pocketindex.builder.evaluate.lines import LINES, called
from pocketindex.builder.evaluate.measure import Subject, measure
from pocketindex.builder.evaluate.stress import _at
from pocketindex.builder.evaluate.truth import Truth, interval, words
from pocketindex.builder.settings import Settings
from pocketindex.cli import main


def long_texts(count: int) -> list[str]:
    """Texts of 60 words; every third one is the one before it with a few words changed."""
    chance = random.Random(4)
    vocabulary = [
        f"{a}{b}{c}"
        for a in "bdfgk"
        for b in ("an", "el", "ir", "os")
        for c in ("da", "me", "ti", "ro", "nu")
    ]
    out: list[str] = []
    for i in range(count):
        if i % 3 == 2:
            out.append(edited(out[-1], "replaced", 0.1, vocabulary, chance))
        else:
            out.append(
                " ".join(
                    chance.choices(
                        vocabulary, weights=[1 / (j + 5) for j in range(len(vocabulary))], k=60
                    )
                )
            )
    return out


@pytest.fixture(scope="module")
def small() -> collections.Collection:
    texts = long_texts(600)
    return collections.of_texts([f"d{i}" for i in range(len(texts))], texts, 60, 1)


def test_truth_is_the_tf_idf_cosine() -> None:
    truth = Truth(["one two two three", "two three four", "five six"])
    weight = {"one": math.log(3), "two": math.log(1.5), "three": math.log(1.5), "four": math.log(3)}
    a = {"one": weight["one"], "two": 2 * weight["two"], "three": weight["three"]}
    b = {"two": weight["two"], "three": weight["three"], "four": weight["four"]}
    expected = (
        sum(a.get(t, 0) * b.get(t, 0) for t in weight)
        / math.hypot(*a.values())
        / math.hypot(*b.values())
    )
    (near,) = truth.neighbours(truth.vectors(["two three four seven"]), 0.01)

    assert dict(zip(near.documents.tolist(), near.cosines.tolist(), strict=True)) == pytest.approx(
        {0: expected, 1: 1.0}, abs=1e-6
    )
    assert words("It's 2007: b2b, Straße") == ["it", "s", "b2b", "straße"]


def test_copies_are_left_out_and_counted(tmp_path: Path) -> None:
    texts = long_texts(300)
    texts = [*texts, *texts[:150]]
    copied = collections.of_texts([f"c{i}" for i in range(len(texts))], texts, 60, 1)

    assert copied.copies
    for q, copies in copied.copies.items():
        assert all(texts[i] == texts[q] and i != q for i in copies)
        assert not np.isin(copied.neighbours[q].documents, copies).any()
    asked = subject(copied, "rff", tmp_path)
    result = measure("rff", asked, copied)
    asked.close()
    assert result.copies["queries"] == len(copied.copies)
    assert result.copies["found"] == 1.0
    for at in result.at.values():
        assert at["pairs"] >= at["queries"]
        assert at["recall_pairs"] is None or 0 <= at["recall_pairs"] <= 1


def test_precision_of_similar_hits_is_that_of_what_is_shown(
    small: collections.Collection, tmp_path: Path
) -> None:
    asked = subject(small, "rff", tmp_path)
    at = measure("rff", asked, small, with_edits=False).at["0.7"]
    shares = []
    for q in small.similar:
        found = asked.ask(small.texts[q], None, q)
        sure = found.documents[found.similarities >= 0.7]
        if len(sure):
            shares.append(np.mean(small.truth.cosines(small.truth.rows[q], sure) >= 0.7))
    asked.close()
    assert at["precision_similar"] == pytest.approx(np.mean(shares))
    assert at["queries_with_similar"] == len(shares) > 0


def test_no_query_is_in_the_sample(small: collections.Collection) -> None:
    sampled = set(sorted(range(600), key=lambda i: murmur(small.ids[i].encode()))[: small.sample])

    assert small.sample == 300
    assert not sampled & {*small.random, *small.similar}
    assert all(
        (small.neighbours[q].cosines >= 0.5).any() and q not in small.neighbours[q].documents
        for q in small.similar
    )


def test_an_exhaustive_query_recalls_everything(
    small: collections.Collection, tmp_path: Path
) -> None:
    asked = subject(small, "rff", tmp_path)
    everything = measure("rff", asked, small, 0)
    one = measure("rff", asked, small, 1, with_edits=False)

    assert everything.at["0.5"]["recall"] == 1.0
    assert everything.at["0.5"]["queries"] == len(small.similar)
    assert everything.candidates == 600
    assert everything.edits["mixed 0.1"] == everything.edits["first half only"] == 1.0
    assert one.at["0.5"]["recall"] < 1.0
    assert one.candidates < 600
    by_hand = []
    for q in small.similar:
        near = small.neighbours[q]
        wanted = set(near.documents[near.cosines >= 0.7].tolist())
        if wanted:
            by_hand.append(
                len(wanted & set(asked.ask(small.texts[q], 1, q).documents.tolist())) / len(wanted)
            )
    assert one.at["0.7"]["recall"] == pytest.approx(np.mean(by_hand))
    asked.close()


def test_documents_that_a_scheme_leaves_out_are_told_apart(tmp_path: Path) -> None:
    """Numbers in the file are not those of the collection then."""
    from pocketindex.builder.pipeline import Settings
    from pocketindex.builder.schemes.ff import FfSettings

    texts = long_texts(200)
    texts[3] = " ".join(["the"] * 60)
    some = collections.of_texts([f"d{i}" for i in range(200)], texts, 20, 1)
    asked = Subject(
        some,
        tmp_path,
        Settings(scheme="ff", profile="learn", scheme_settings=FfSettings(least_terms=40)),
    )

    for q in (0, 2, 10, 150):
        assert q in asked.ask(texts[q], 1).documents
    asked.close()


def test_edits() -> None:
    chance, text = random.Random(1), " ".join(f"w{i}" for i in range(1000))
    counts = {
        kind: edited(text, kind, 0.2, ["x"], chance).split()
        for kind in ("deleted", "replaced", "inserted", "mixed")
    }

    assert 750 < len(counts["deleted"]) < 850
    assert len(counts["replaced"]) == 1000
    assert 150 < counts["replaced"].count("x") < 250
    assert 1150 < len(counts["inserted"]) < 1250
    assert edited(text, "mixed", 0.0, ["x"], chance) == text
    assert [len(lose(text).split()) for lose in LOSSES.values()] == [750, 500, 500]
    assert paragraphs(text)[0].split()[:2] == ["w0", "w1"]
    made = plagiarised([text] * 12, 30, 1)
    assert (len(made), made) == (30, plagiarised([text] * 12, 30, 1))
    assert set(" ".join(made).split()) <= set(text.split())


def test_stress_by_hand() -> None:
    original, embedded = np.array([0.9, 0.2, 0.6]), np.array([0.8, 0.7, 0.4])
    at = _at(original, embedded, 0.5)

    assert at["recall_stress"] == pytest.approx((0.1**2 + 0.2**2) / (0.9**2 + 0.6**2))
    assert at["precision_stress"] == pytest.approx((0.1**2 + 0.5**2) / (0.9**2 + 0.2**2))
    assert (at["precision"], at["recall"], at["pairs"]) == (0.5, 0.5, 2)
    assert _at(original, embedded, 0.95)["recall_stress"] is None


def test_intervals_hold_the_mean() -> None:
    low, high = interval(np.array([0.0, 1.0] * 50))
    assert 0.35 < low < 0.5 < high < 0.65
    assert math.isnan(interval(np.array([]))[0])


def test_an_edited_text_finds_what_is_shown_and_not_every_candidate(tmp_path: Path) -> None:
    """Of forty texts that differ in one word ten are shown."""
    texts = long_texts(160)
    alike = [f"{texts[0]} end{i}" for i in range(40)]
    some = collections.of_texts([f"d{i}" for i in range(200)], [*alike, *texts], 20, 1)
    asked = subject(some, "rff", tmp_path)

    assert all(q in asked.ask(texts[0], None).documents for q in range(40))
    assert asked.shows([texts[0]] * 41, [*range(40), 40], None) == pytest.approx(
        10 / 41, abs=1 / 41 + 1e-9
    )
    asked.close()


def test_fuzzy_fingerprinting_is_measured_as_published_and_by_default(
    small: collections.Collection,
) -> None:
    rows, _ = results(small, ["ff"], lambda phase: None, None, with_edits=False)

    assert [(row["scheme"], row["asked"]) for row in rows] == [
        ("ff", "256 probes (default)"),
        ("ff, published", "1 probe"),
    ]
    assert [called(row) for row in rows] == [
        "fuzzy-fingerprinting: 256 probes (default)",
        "fuzzy-fingerprinting as published: 1 probe",
    ]


@pytest.mark.parametrize(
    "together",
    [
        [*SCHEMES, "rff, open", "rff, exhaustive", "ff, published"],
        [*SCHEMES, "scan of sketches", "linear scan, tf-idf"],
        ["Y_SVD", "Y_FF", "Y_LSH", "Y_rff", "Y_xi"],
        ["this collection", "synthesised plagiarism"],
    ],
)
def test_no_two_lines_of_a_plot_look_the_same(together: list[str]) -> None:
    assert (
        len({LINES[name].colour for name in together})
        == len({LINES[name].marker for name in together})
        == len(together)
    )


@pytest.mark.parametrize("values", [(100, 130), (110, 900), (30, 5_000), (1e-4, 20), (0.002, 90)])
def test_no_number_of_a_logarithmic_axis_lies_on_another(values: tuple[float, float]) -> None:
    from pocketindex.builder.evaluate import plots  # which takes a second

    drawn, axes = plots.figure("title", "x", "y")
    axes.plot(values, values)
    for axis in (axes.xaxis, axes.yaxis):
        plots.logarithmic(axis, values)
    drawn.canvas.draw()
    for axis, low, high in ((axes.xaxis, "x0", "x1"), (axes.yaxis, "y0", "y1")):
        labels = [
            label
            for label in axis.get_ticklabels(which="both")
            if label.get_text() and label.get_visible()
        ]
        boxes = sorted(
            (getattr(box, low), getattr(box, high))
            for box in (label.get_window_extent() for label in labels)
        )
        assert len(boxes) >= 2
        assert all(before[1] < after[0] for before, after in pairwise(boxes))


def test_the_report_stands_alone(
    small: collections.Collection, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "docs.jsonl"
    source.write_text(
        "".join(
            json.dumps({"id": i, "text": t}) + "\n"
            for i, t in zip(small.ids[:300], small.texts[:300], strict=True)
        )
    )
    with source.open("a") as out:
        for id, text in (("short", "Keel"), ("short too", "Mast"), (small.ids[7], small.texts[8])):
            out.write(json.dumps({"id": id, "text": text}) + "\n")
        out.write("no record\n")
    words = ["evaluate", str(source), "-o", str(tmp_path / "report")]
    assert main([*words, "--schemes", "rff", "--queries", "40"]) == 0
    said = capsys.readouterr().err
    assert "300 documents, 1 scheme; 4 of 304 records were left out" in said
    assert "2 too few words" in said
    assert "short: 1 word, expected at least 50" in said
    assert "1 duplicate id" in said
    assert "1 bad line" in said
    page = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    data = json.loads((tmp_path / "report" / "results.json").read_text(encoding="utf-8"))

    assert not re.search(r"""(src|href)=["'](?!#)""", page.replace('xlink:href="#', 'href="#'))
    assert "<script" not in page
    assert page.count("<svg") >= 12
    assert str(tmp_path) not in page
    assert [r["scheme"] for r in data["results"]] == ["rff", "rff, exhaustive"]
    assert data["results"][1]["at"]["0.5"]["recall"] == 1.0
    assert set(data["stress"]["embeddings"]) == {"Y_SVD", "Y_FF", "Y_LSH", "Y_rff", "Y_xi"}
    # Names are in words, and a log has a line for what goes on.
    assert not re.search(r"`|Y_|<td>rff|exhaustive<", page)
    assert (
        "<td>random fuzzy-fingerprinting<small>every sketch compared (default)</small></td>" in page
    )
    assert all(
        f"<div class=wide tabindex=0 role=region aria-label='{name}" in page
        for name in ("Recall of", "Share of pairs", "Precision:")
    )
    lines = said.splitlines()
    assert "pocketindex: random fuzzy-fingerprinting" in lines
    assert "pocketindex: synthesised plagiarism, random fuzzy-fingerprinting" in lines
    assert "\r" not in "".join(lines)


def test_too_few_documents(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "docs.jsonl"
    source.write_text("".join(json.dumps(d) + "\n" for d in made_up(20)))

    assert main(["evaluate", str(source), "-o", str(tmp_path / "report")]) == 2
    assert "at least 100 are needed" in capsys.readouterr().err
    assert main(["evaluate", str(source), "-o", str(tmp_path / "report"), "--queries", "1"]) == 2


def test_what_cannot_end_well_does_not_begin(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "docs.jsonl"
    source.write_text("".join(json.dumps(d) + "\n" for d in made_up(200)))

    assert main(["evaluate", str(source), "-o", str(source)]) == 2
    report = ["-o", str(tmp_path / "report")]
    assert main(["evaluate", str(source), *report, "--open", "nope"]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first == f"pocketindex: {source}: the report is a folder, and this is a file"
    assert second.startswith("pocketindex: nope: no such profile of scheme rff")


@pytest.mark.slow
def test_the_same_seed_gives_the_same_figures(small: collections.Collection) -> None:
    def figures() -> list[object]:
        data = evaluate(small, ["ff"], 3, "en")
        return [
            [r["at"], r["calibration"], r["edits"], r["candidates"]]
            for r in (*data["results"], *data["plagiarism"]["results"])
        ]

    assert figures() == figures()


def test_the_heaviest_words_of_a_document() -> None:
    truth = Truth(["one two two three", "two three four", "five six"])

    assert [word for word, _ in truth.heaviest(0, 2)] == ["one", "two"]
    assert [word for word, _ in truth.heaviest(1, 9)] == ["four", "two", "three"]
    assert truth.heaviest(2, 1)[0][1] == pytest.approx(math.sqrt(0.5))


def test_keywords_beside_fingerprints(small: collections.Collection) -> None:
    said = list[str]()

    parts = keyword_route(small, 1, said.append)

    assert [part["name"] for part in parts] == ["this collection", "a focused collection"]
    assert said[0] == "keywords"
    for part in parts:
        assert part["documents"] >= LEAST_FOCUSED
        assert [row["way"] for row in part["rows"]] == [
            "fingerprints",
            *(f"{count} keywords" for count in TERMS),
        ]
        by_fingerprints, *by_words = part["rows"]
        # Every third text is another one with a tenth of its words changed.
        assert by_fingerprints["recall"]["0.7"] > 0.9
        assert by_fingerprints["bytes"] > 0
        assert by_words[0]["bytes"] > 0
        assert by_words[2]["recall"]["0.7"] > 0.8


def test_a_focused_collection_is_about_one_topic(tmp_path: Path) -> None:
    texts = [
        " ".join(random.Random(i).choices([f"{'ab'[i % 2]}word{k}" for k in range(90)], k=60))
        for i in range(400)
    ]
    made = collections.of_texts([str(i) for i in range(400)], texts, 60, 1)
    asked = Subject(made, tmp_path, Settings(index=("documents", "words"), title_weight=0))

    ids = focused(made, asked, 1)

    assert len(ids) > 100
    assert len({int(id) % 2 for id in ids}) == 1


def test_run_times_have_a_line_for_each_scheme() -> None:
    from pocketindex.builder.evaluate import plots
    from pocketindex.builder.evaluate.lines import LINES

    rows = [
        {"scheme": scheme, "documents": documents, "microseconds": 10.0 * documents}
        for scheme in ("rff", "plsh")
        for documents in (100, 200)
    ]
    drawn = plots.run_time(rows)

    named = {line.words for line in LINES.values() if f"<!-- {line.words} -->" in drawn}
    assert named == {"random fuzzy-fingerprinting", "p-stable hashing, digits joined"}
