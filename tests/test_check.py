"""pocketindex check: items of a test set in a collection."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pocketindex
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up import made_up
from near_duplicates import without, write
from pocketindex.builder import Settings, build
from pocketindex.contamination import _WORD, SHORT, Checker, parts
from test_cli import run

OTHERS = [d["text"] for d in made_up(400)[300:]]


@pytest.fixture(scope="module")
def train(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Documents of two of the made-up ones each, 120 words or so, and a short one."""
    folder = tmp_path_factory.mktemp("train")
    texts = [d["text"] for d in made_up(300)]
    documents = [{"id": f"d{i}", "title": f"Two {i}", "text": f"{texts[2 * i]}\n\n{texts[2 * i + 1]}"} for i in range(150)]
    documents.append({"id": "short", "title": "Short", "text": texts[0][:80]})
    target = folder / "train.pocket"
    build([str(write(folder / "d.jsonl", documents))], target, Settings(profile="learn"))
    return target


def items() -> list[dict[str, str]]:
    texts = [d["text"] for d in made_up(300)]
    return [
        {"id": "whole", "text": f"{texts[10]}\n\n{texts[11]}"},
        {"id": "edited", "text": without(f"{texts[20]} {texts[21]}", 3, 50, 80)},
        {"id": "hidden", "text": "\n".join([*OTHERS[:3], f"{texts[30]} {texts[31]}", OTHERS[3]])},
        {"id": "foreign", "text": "\n".join(OTHERS[4:7])},
        {"id": "tiny", "text": "basket candle"},
        {"id": "short-exact", "text": texts[0][:80]},
        {"text": OTHERS[9][:90]},
    ]


def test_verdicts(train: Path, tmp_path: Path) -> None:
    testset = write(tmp_path / "test.jsonl", list(items()))
    done = run("check", testset, train, "--json")
    found = {(f["id"], f["line"]): f for f in map(json.loads, done.stdout.splitlines())}

    assert [(id, line, f["verdict"]) for (id, line), f in found.items()] == [
        ("whole", 1, "exact"),
        ("edited", 2, "near"),
        ("hidden", 3, "partly"),
        ("foreign", 4, "clean"),
        ("tiny", 5, "too short"),
        ("short-exact", 6, "exact"),
        ("7", 7, "clean"),
    ]
    best = found["hidden", 3]["evidence"][0]
    words = len(" ".join(OTHERS[:3]).split())
    assert (best["kind"], best["id"], best["title"], best["file"]) == ("partly", "d15", "Two 15", str(train))
    assert best["words"] == [words, words + len(f"{made_up(31)[30]['text']} {made_up(32)[31]['text']}".split())]
    assert found["whole", 1]["evidence"][0]["similarity"] == 1.0
    assert 0.8 <= found["edited", 2]["evidence"][0]["similarity"] < 1
    assert done.returncode == 0
    assert done.stderr.splitlines() == [
        "7 items",
        "  exact             2    28.6 %",
        "  near              1    14.3 %",
        "  partly            1    14.3 %",
        "  clean             2    28.6 %",
        "  too short         1    14.3 %  not looked for",
    ]


def test_for_people_and_compressed(train: Path, tmp_path: Path) -> None:
    testset = tmp_path / "test.jsonl.gz"
    testset.write_bytes(gzip.compress(write(tmp_path / "t.jsonl", items()[:1]).read_bytes()))
    done = run("check", testset, train, "--top", "1")

    assert done.stdout.splitlines()[:2] == [f"exact   1.000  whole  in  Two 5  <d5>  [{train}]", "1 items"]
    assert done.stderr == ""


def test_exit_codes(train: Path, tmp_path: Path) -> None:
    clean = write(tmp_path / "clean.jsonl", [{"text": text} for text in OTHERS[:5]])
    done = run("check", clean, train, train)
    assert (done.returncode, "clean             5   100.0 %" in done.stdout) == (1, True)

    clean.write_text(clean.read_text() + "no json\n")
    done = run("check", clean, train)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == f"pocketindex: {clean}: 1 lines were no item and were not looked for"
    assert f"{clean}:6: not JSON" in done.stderr

    for arguments, code, message in (
        ((tmp_path / "none.jsonl", train), 2, f"{tmp_path / 'none.jsonl'}: cannot be read: No such file or directory"),
        ((clean, tmp_path / "none.pocket"), 2, f"{tmp_path / 'none.pocket'}: No such file or directory"),
        ((clean, clean), 3, f"{clean}: not a pocket file"),
        ((clean, train, "--min-part", ".9"), 2, "the similarities are 0.9 (partly) and 0.8 (near); expected 0 < partly <= near <= 1"),
        ((clean, train, "--window", "10"), 2, "the window is 10 words; it must be at least 50"),
        ((clean, train, "--top", "0"), 2, "top is 0; it must be at least 1"),
    ):
        done = run("check", *arguments)
        assert (done.returncode, done.stderr.startswith(f"pocketindex: {message}")) == (code, True), done.stderr


def test_a_short_item_needs_a_near_exact_match(train: Path) -> None:
    text = f"{made_up(1)[0]['text'][:80]} {made_up(61)[60]['text'][:40]}"
    with pocketindex.open_many([train]) as many:
        best = many.query(text, top=1)[0]
        assert (best.id, 0.5 < best.similarity < 0.95) == ("short", True)
        assert Checker(many, partly=0.5).check(text).verdict == "clean"


@given(
    st.lists(st.tuples(st.integers(1, 260), st.sampled_from(["\n", "\n\n", " \n \n"])), max_size=8), st.integers(SHORT, 120), st.booleans()
)
def test_parts_cover_the_text(paragraphs: list[tuple[int, str]], window: int, dense: bool) -> None:
    text = "".join(("字" * n if dense else "word " * n) + end for n, end in paragraphs)
    spans = [match.span() for match in _WORD.finditer(text)]
    found = list(parts(text, spans, window))

    assert len(spans) == sum(n for n, _ in paragraphs)
    assert len(found) != 1
    if found:
        assert {word for first, end in found for word in range(first, end)} == set(range(len(spans)))
        assert all(0 <= first < end <= len(spans) for first, end in found)
        assert all(end - first < max(2 * window, 300) + SHORT for first, end in found)
    else:
        assert len(spans) < 2 * max(window, SHORT)


def test_parts_are_paragraphs_where_they_are_long_enough() -> None:
    text = "\n\n".join([" ".join(["a"] * 60), " ".join(["b"] * 20), " ".join(["c"] * 40), " ".join(["d"] * 250), "e"])
    spans = [match.span() for match in _WORD.finditer(text)]

    assert list(parts(text, spans, 100)) == [(0, 60), (60, 120), (120, 220), (170, 270), (220, 320), (270, 370), (320, 371)]
