"""`build --index documents,words`: the section has the words of every document with the levels of
docs/format.md 6.4, whatever the threads, the memory, the order of the documents, and where the
build stopped.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pocketindex
import pytest
import test_resume
from made_up import made_up
from plain import PlainIndex
from pocketindex.builder import Settings, build
from pocketindex.builder.passes.context import Context
from pocketindex.builder.schemes.rff import RffSettings
from pocketindex.builder.spill.chunks import spool
from test_resume import killed_and_resumed
from word_blocks import WordSettings, collect

# Titles with words that the texts have, too; texts with words that many have.
DOCUMENTS = [
    {**document, "title": f"{document['title']} the {document['text'].split()[i % 7]}"}
    for i, document in enumerate(made_up(300))
]
source = test_resume.source


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("words") / "docs.jsonl"
    path.write_text("".join(json.dumps(document) + "\n" for document in DOCUMENTS))
    return path


def built(source: Path, target: Path, words: str = "words", **more: Any) -> PlainIndex:
    how = {"profile": "learn", "index": ("documents", words), **more}
    build([str(source)], target, Settings(**how))
    with pocketindex.open(target) as index:
        index.verify()
    plain = PlainIndex.open(target)
    plain.verify()
    return plain


def told(plain: PlainIndex) -> dict[bytes, tuple[int, dict[str, int]]]:
    """Of each word how many documents have it, and the ranks by id."""
    assert plain.words
    ids = [plain.record(number).id for number in range(plain.count)]
    return {
        word.word: (word.having, {ids[document]: rank for document, rank in word.postings})
        for word in plain.words.all.values()
    }


@pytest.mark.parametrize(
    ("heaviest", "title_weight", "cells"),
    [(0, 3, 0), (0, 0, 0), (0, 100, 16), (5, 3, 16), (9, 0, 0)],
)
def test_words_have_the_levels_of_the_texts(
    documents: Path, tmp_path: Path, heaviest: int, title_weight: int, cells: int
) -> None:
    """Also where cells reorder the documents; of the heaviest, equal ones by their bytes."""
    said = collect(
        [(document["text"], document["title"]) for document in DOCUMENTS],
        WordSettings(heaviest=heaviest, title_weight=title_weight, marks=True),
    )
    words = f"words:{heaviest}" if heaviest else "words"
    with built(
        documents,
        tmp_path / "x.pocket",
        words,
        title_weight=title_weight,
        scheme_settings=RffSettings(cells=cells),
    ) as plain:
        assert plain.words
        assert plain.words.average == said.average
        assert told(plain) == {
            word: (said.having[word], {DOCUMENTS[i]["id"]: rank for i, rank in own.items()})
            for word, own in said.ranks.items()
        }
        assert {rank for own in said.ranks.values() for rank in own.values()} >= {3, 4}


@pytest.mark.parametrize(("title_weight", "cells"), [(3, 0), (0, 16)])
def test_words_are_counted_of_the_collection_of_the_profile(
    documents: Path, tmp_path: Path, title_weight: int, cells: int
) -> None:
    """A count of two or more stays, also without a posting; a word that comes later counts one."""
    chosen = {"title_weight": title_weight, "scheme_settings": RffSettings(cells=cells)}
    first, later = DOCUMENTS[:120], DOCUMENTS[100:]
    for number, some in enumerate((first, later)):
        lines = "".join(json.dumps(document) + "\n" for document in some)
        (tmp_path / f"{number}.jsonl").write_text(lines)
    old, new = tmp_path / "old.pocket", tmp_path / "new.pocket"
    built(tmp_path / "0.jsonl", old, "words:5", **chosen).close()
    of_first = tuple((document["text"], document["title"]) for document in first)
    settings = WordSettings(heaviest=5, title_weight=title_weight, counted_of=of_first, marks=True)
    said = collect([(document["text"], document["title"]) for document in later], settings)
    chosen["scheme_settings"] = None

    with built(tmp_path / "1.jsonl", new, "words:5", profile=str(old), **chosen) as plain:
        assert plain.words
        assert (plain.words.counted, plain.words.average) == (120, said.average)
        assert {word.word: word.counted for word in plain.words.every()} == said.counted
        assert told(plain) == {
            word: (said.having[word], {later[i]["id"]: level for i, level in own.items()})
            for word, own in said.ranks.items()
        }
    unlike = [word for word, own in said.ranks.items() if not own]
    assert unlike
    assert any(len(own) > said.counted[word] for word, own in said.ranks.items())
    assert new.stat().st_size > old.stat().st_size
    with pocketindex.open(new) as index:
        assert not index.search(unlike[0].decode())
        info = index.info()
    assert (info.words_heaviest, info.words_counted) == (5, 120)


@pytest.mark.parametrize(
    ("words", "more"),
    [("words:6", {}), ("words", {}), ("words:5", {"title_weight": 2})],
)
def test_words_are_counted_anew_where_the_profile_has_others(
    documents: Path, tmp_path: Path, words: str, more: dict[str, Any]
) -> None:
    old, new = tmp_path / "old.pocket", tmp_path / "new.pocket"
    built(documents, old, "words:5").close()
    own = tmp_path / "some.jsonl"
    own.write_text("".join(json.dumps(document) + "\n" for document in DOCUMENTS[:100]))
    with built(own, new, words, profile=str(old), **more) as plain:
        assert plain.words
        assert plain.words.counted == (0 if words == "words" else 100)


def test_the_same_bytes_by_any_threads_memory_and_chunks(
    documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for words in ("words", "words:7"):
        target = tmp_path / "x.pocket"
        built(documents, target, words, threads=1)
        expected = target.read_bytes()
        with monkeypatch.context() as patch:
            patch.setattr(spool, "CHUNK_DOCUMENTS", 30)
            patch.setattr(Context, "merging", property(lambda _: 1 << 10))
            built(documents, target, words, threads=2)
        assert target.read_bytes() == expected


def test_a_word_of_very_many_times(tmp_path: Path) -> None:
    """More than 32,767 times count as so many."""
    path = tmp_path / "docs.jsonl"
    texts = ["alpha " * 40_000 + "beta gamma mu nu", "beta gamma mu nu", "alpha beta nu mu xi"]
    path.write_text(
        "".join(json.dumps({"id": str(i), "text": text}) + "\n" for i, text in enumerate(texts))
    )
    said = collect([(text, "") for text in texts], WordSettings())
    with built(path, tmp_path / "x.pocket") as plain:
        assert told(plain)[b"alpha"] == (
            2,
            {str(i): rank for i, rank in said.ranks[b"alpha"].items()},
        )


def test_killed_and_resumed_gives_the_same_bytes(source: Path, tmp_path: Path) -> None:
    killed_and_resumed(source, tmp_path, 61, "--index", "documents,words:6", "--cells", "8")


@pytest.mark.parametrize("index", ["words:0", "words:x", "passages:3", "word"])
def test_what_is_no_index(index: str) -> None:
    with pytest.raises(ValueError, match=f"index has '{index}'"):
        Settings(index=("documents", index))


@pytest.mark.parametrize("weight", [-1, 101])
def test_what_is_no_title_weight(weight: int) -> None:
    with pytest.raises(ValueError, match=f"title_weight is {weight}; it must be between 0 and 100"):
        Settings(title_weight=weight)
