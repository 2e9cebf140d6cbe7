"""pocketindex check: items of a test set in a collection."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up import made_up
from near_duplicates import without, write
from pocketindex.builder import Settings, build
from pocketindex.builder.collections.parts import SHORT, parts, word_spans
from run_command import run

OTHERS = [d["text"] for d in made_up(400)[300:]]


@pytest.fixture(scope="module")
def train(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("train"), "none")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("kept"), "text")


def built(folder: Path, keep: Literal["none", "text"]) -> Path:
    """Documents of two of the made-up ones each, 120 words or so, and a short one."""
    texts = [d["text"] for d in made_up(300)]
    documents = [
        {"id": f"d{i}", "title": f"Two {i}", "text": f"{texts[2 * i]}\n\n{texts[2 * i + 1]}"}
        for i in range(150)
    ]
    documents.append({"id": "short", "title": "Short", "text": texts[0][:80]})
    target = folder / "train.pocket"
    build([str(write(folder / "d.jsonl", documents))], target, Settings(profile="learn", keep=keep))
    return target


def items() -> list[dict[str, str]]:
    texts = [d["text"] for d in made_up(300)]
    return [
        {"id": "whole", "text": f"{texts[10]}\n\n{texts[11]}"},
        {"id": "edited", "text": without(f"{texts[20]} {texts[21]}", 3, 50, 80)},
        {
            "id": "hidden",
            "text": "\n".join([*OTHERS[:3], f"{texts[30]} {texts[31]}", OTHERS[3], *OTHERS[10:12]]),
        },
        {"id": "foreign", "text": "\n".join(OTHERS[4:7])},
        {"id": "tiny", "text": "basket candle"},
        {"id": "short-exact", "text": texts[0][:80]},
        {"text": OTHERS[9][:90]},
    ]


def found_by(*arguments: str | Path) -> dict[str, dict[str, Any]]:
    done = run("check", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return {found["id"]: found for found in map(json.loads, done.stdout.splitlines())}


def test_verdicts(train: Path, tmp_path: Path) -> None:
    testset = write(tmp_path / "test.jsonl", list(items()))
    done = run("check", train, testset, "--json")
    found = {(f["id"], f["line"]): f for f in map(json.loads, done.stdout.splitlines())}

    assert [(id, line, f["verdict"]) for (id, line), f in found.items()] == [
        ("whole", 1, "copy"),
        ("edited", 2, "near"),
        ("hidden", 3, "passage"),
        ("foreign", 4, "not found"),
        ("tiny", 5, "not found"),
        ("short-exact", 6, "copy"),
        ("7", 7, "not found"),
    ]
    hidden = found["hidden", 3]
    (best,) = hidden["evidence"]
    part = f"{made_up(31)[30]['text']} {made_up(32)[31]['text']}"
    share = len(part.split()) / len(items()[2]["text"].split())
    assert (best["kind"], best["id"], best["title"], best["file"]) == (
        "passage",
        "d15",
        "Two 15",
        str(train),
    )
    assert (best["passage"], best["coverage"], hidden["coverage"]) == (
        part,
        round(share, 4),
        round(share, 4),
    )
    assert "cosine" not in best
    assert found["whole", 1]["evidence"][0]["similarity"] == 1.0
    assert found["whole", 1]["coverage"] == 1.0
    assert 0.7 <= found["edited", 2]["evidence"][0]["similarity"] < 1
    assert (found["tiny", 5]["looked"], found["foreign", 4]["looked"]) == (
        [],
        ["sketches", "sketches of parts"],
    )
    assert done.returncode == 0
    assert done.stderr.splitlines() == [
        "7 items",
        "  copy              2    28.6 %",
        "  near              1    14.3 %",
        "  passage           1    14.3 %",
        "  phrase            0     0.0 %",
        "  not found         3    42.9 %",
        '"not found" means that none of these methods found anything:',
        "  sketches, 6 items: compares the item with whole documents; misses an item that is a "
        "small part of a document, or less than 0.7 similar to it",
        "  sketches of parts, 3 items: compares paragraphs of the item with whole documents; "
        "misses what is less than a paragraph, or a small part of a document",
        "  not looked for: 1 item of too few terms",
        "  to find sentences of five words or more, build the file with "
        "--index documents,passages,words --keep text",
        f"{testset}: records without an id get the number of their line as their id",
    ]


def test_texts_decide_where_the_file_keeps_them(kept: Path, train: Path, tmp_path: Path) -> None:
    """Cosines stand beside the estimates, and shingles say how much of an item there is, in
    all documents together.
    """
    texts = [d["text"] for d in made_up(300)]
    quarters = {"id": "quarters", "text": "\n\n".join(texts[i] for i in (60, 80, 101, 30))}
    found = found_by(kept, write(tmp_path / "test.jsonl", [*items()[:2], quarters]))

    assert [f["verdict"] for f in found.values()] == ["copy", "near", "passage"]
    assert 0.7 <= found["edited"]["evidence"][0]["cosine"] < 1
    assert found["quarters"]["looked"] == ["sketches", "sketches of parts", "kept texts"]
    assert {one["id"] for one in found["quarters"]["evidence"]} < {"d30", "d40", "d50", "d15"}
    assert all(
        one.keys() - {"passages"}
        == {"kind", "id", "title", "url", "file", "verified", "coverage", "passage"}
        for one in found["quarters"]["evidence"]
    )
    assert (
        found["quarters"]["coverage"]
        > sum(one["coverage"] for one in found["quarters"]["evidence"]) - 0.01
    )
    assert found["quarters"]["coverage"] > 0.7
    # The same words are a copy, however they are set; in another order they are none.
    spaced = write(
        tmp_path / "spaced.jsonl",
        [{"id": "spaced", "text": items()[0]["text"].replace("\n\n", "\n")}],
    )
    assert found_by(kept, spaced)["spaced"]["verdict"] == "copy"
    moved = {"id": "moved", "text": "\n".join(reversed(items()[0]["text"].split("\n\n")))}
    near = found_by(kept, write(tmp_path / "moved.jsonl", [moved]))["moved"]
    assert (near["verdict"], near["evidence"][0]["cosine"]) == ("near", 1.0)
    assert 0.7 < near["evidence"][0]["jaccard"] < 1


def test_the_measure_decides_what_is_near(kept: Path, tmp_path: Path) -> None:
    """Paragraphs in another order: the words are the same, and not all runs of five."""
    moved = {"id": "moved", "text": "\n".join(reversed(items()[0]["text"].split("\n\n")))}
    source = write(tmp_path / "test.jsonl", [moved])
    kinds = {
        measure: found_by(kept, source, "--min-similarity", ".99", "--measure", measure)["moved"][
            "verdict"
        ]
        for measure in ("cosine", "jaccard", "containment")
    }
    assert kinds == {"cosine": "near", "jaccard": "passage", "containment": "passage"}


def test_for_people_and_compressed(train: Path, tmp_path: Path) -> None:
    testset = tmp_path / "test.jsonl.gz"
    testset.write_bytes(gzip.compress(write(tmp_path / "t.jsonl", items()[:3]).read_bytes()))
    done = run("check", train, testset, "--top", "1")

    lines = done.stdout.splitlines()
    assert lines[:2] == ["copy     whole", f"  copy  Two 5  <d5>  [{train}]"]
    assert lines[2:4] == [
        "near     edited",
        f"  near  {lines[3].split('  ')[2]}  Two 10  <d10>  [{train}]",
    ]
    assert lines[4].startswith("passage  hidden  ")
    assert lines[4].endswith(" of it in 1 document")
    assert lines[5].startswith("  passage  ")
    assert ", by sketches, similarity " in lines[5]
    assert "3 items" in lines
    assert done.stderr == ""


def test_exit_codes(train: Path, tmp_path: Path) -> None:
    clean = write(tmp_path / "clean.jsonl", [{"text": text} for text in OTHERS[:5]])
    done = run("check", train, train, clean)
    assert (done.returncode, "not found         5   100.0 %" in done.stdout) == (0, True)

    every = write(tmp_path / "every.jsonl", items())
    for testset, on, code in (
        (clean, "passage", 0),
        (write(tmp_path / "passage.jsonl", items()[2:4]), "passage", 1),
        (tmp_path / "passage.jsonl", "near", 0),
        (write(tmp_path / "near.jsonl", items()[1:2]), "near", 1),
        (tmp_path / "near.jsonl", "passage", 1),
        (tmp_path / "near.jsonl", "copy", 0),
        (every, "copy", 1),
    ):
        assert run("check", train, testset, "--fail-on", on).returncode == code, (testset, on)
    assert run("check", train, every).returncode == 0

    clean.write_text(clean.read_text() + "no json\n")
    done = run("check", train, clean, "--run", "9")
    assert (done.returncode, "--run was removed" in done.stderr) == (2, True)

    done = run("check", train, clean, "--fail-on", "copy")
    assert done.returncode == 2
    assert (
        done.stderr.splitlines()[-1]
        == f"pocketindex: {clean}: 1 line was skipped, because no item could be read there"
    )
    assert f"{clean}:6: not JSON" in done.stderr

    for arguments, code, message in (
        (
            (train, tmp_path / "none.jsonl"),
            2,
            f"{tmp_path / 'none.jsonl'}: there is no such file or folder; check the path",
        ),
        (
            (tmp_path / "none.pocket", clean),
            2,
            f"{tmp_path / 'none.pocket'}: No such file or directory",
        ),
        ((clean, clean), 3, f"{clean}: not a pocket file"),
        ((clean, train), 2, f"{train} is an index and comes first: "),
        (
            (train, clean, "--min-similarity", "0"),
            2,
            "--min-similarity is 0; it must be above 0, at most 1",
        ),
        ((train, clean, "--window", "10"), 2, "--window is 10; it must be at least 50"),
        ((train, clean, "--top", "0"), 2, "--top is 0; it must be at least 1"),
    ):
        done = run("check", *arguments)
        assert (done.returncode, done.stderr.startswith(f"pocketindex: {message}")) == (
            code,
            True,
        ), done.stderr


@given(
    st.lists(st.tuples(st.integers(1, 260), st.sampled_from(["\n", "\n\n", " \n \n"])), max_size=8),
    st.integers(SHORT, 120),
    st.booleans(),
)
def test_parts_cover_the_text(paragraphs: list[tuple[int, str]], window: int, dense: bool) -> None:
    text = "".join(("字" * n if dense else "word " * n) + end for n, end in paragraphs)
    spans = word_spans(text)
    found = list(parts(text, spans, window))

    assert len(spans) == sum(n for n, _ in paragraphs)
    assert len(found) != 1
    if found:
        assert {word for first, end in found for word in range(first, end)} == set(
            range(len(spans))
        )
        assert all(0 <= first < end <= len(spans) for first, end in found)
        assert all(end - first < max(2 * window, 300) + SHORT for first, end in found)
    else:
        assert len(spans) < 2 * max(window, SHORT)


def test_parts_are_paragraphs_where_they_are_long_enough() -> None:
    text = "\n\n".join(
        [
            " ".join(["a"] * 60),
            " ".join(["b"] * 20),
            " ".join(["c"] * 40),
            " ".join(["d"] * 250),
            "e",
        ]
    )
    spans = word_spans(text)

    assert list(parts(text, spans, 100)) == [
        (0, 60),
        (60, 120),
        (120, 220),
        (170, 270),
        (220, 320),
        (270, 370),
        (320, 371),
    ]
