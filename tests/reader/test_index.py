"""The reader's Python face."""

from __future__ import annotations

import math
import pickle
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from made_up import made_up
from places import GOLDEN
from plain import PlainIndex
from pocketindex.queries import hits


def test_every_document_finds_itself(pocket: Path) -> None:
    with pocketindex.open(pocket) as index:
        for document in made_up(300):
            best = index.query(document["text"], top=1)[0]

            assert best.similarity == 1.0
            assert index.record(best.number) == pocketindex.Record(
                best.number, best.id, best.title, best.url
            )
            assert (best.id, best.title) == (document["id"], document["title"])


def test_a_hit_says_all_of_itself(pocket: Path) -> None:
    with pocketindex.open(pocket) as index:
        hits = index.query(made_up(300)[7]["text"], top=3, probes=1, min_similarity=0)

        hit = hits[0]
        assert (hit.id, hit.title) == ("doc-7", "Document 7 — Übersicht")
        assert hit.url == "https://example.org/doc-7?t=Document%207%20%E2%80%94%20%C3%9Cbersicht"
        assert (hit.similarity, hit.keys, hit.number) == (1.0, (0,), 7)
        assert (hit.cosine, hit.shared) == (None, None)
        assert (hits.probes, hits.parts, hits.capped, hits.too_short) == (1, 1, False, False)
        assert hits.terms > 30


@pytest.mark.parametrize("probes", [1, 16, 500])
def test_answers_are_those_of_the_plain_reader(pocket: Path, probes: int) -> None:
    plain = PlainIndex.open(str(pocket))
    with pocketindex.open(pocket) as index:
        for document in made_up(300)[:60:3]:
            text = document["text"][:-40]
            expected = [
                (h.document, h.id, h.url, h.similarity, h.tables)
                for h in plain.query(text, top=20, probes=probes)
            ]
            hits = index.query(text, top=20, probes=probes, min_similarity=0)

            assert [
                (h.number, h.id, h.url, round(h.similarity * 10000), sum(1 << k for k in h.keys))
                for h in hits
            ] == expected


def test_more_probes_find_no_fewer(pocket: Path) -> None:
    with pocketindex.open(pocket) as index:
        texts = [" ".join(d["text"].split()[3:]) for d in made_up(40)]
        found = [
            {
                (i, h.id)
                for i, t in enumerate(texts)
                for h in index.query(t, top=300, probes=p, min_similarity=0)
            }
            for p in (1, 10, 100, 2000)
        ]

        assert found[0] <= found[1] <= found[2] <= found[3]
        assert len(found[3]) > len(found[0])


def test_short_texts_say_so(pocket: Path) -> None:
    with pocketindex.open(pocket) as index:
        with pytest.raises(
            pocketindex.TextTooShort,
            match="the text has 0 terms besides stop words; 3 are needed",
        ):
            index.query("2007 + 12")
        with pytest.raises(ValueError, match="2 terms"):
            index.query("zebra xylophone")


def test_query_many_goes_on_after_a_short_text(pocket: Path) -> None:
    with pocketindex.open(pocket) as index:
        first, second, third = index.query_many(
            [made_up(3)[0]["text"], "", made_up(3)[2]["text"].encode()], top=1
        )

        assert [h.id for h in first] == ["doc-0"]
        assert (list(second), second.too_short) == ([], True)
        assert [h.id for h in third] == ["doc-2"]


def test_documents_by_id(pocket: Path) -> None:
    with pocketindex.open(pocket) as index:
        assert index.document("doc-42").number == 42
        assert "doc-42" in index
        assert "doc-300" not in index
        assert 42 not in index
        assert len(index) == 300
        with pytest.raises(KeyError, match="no document has the id 'nobody'"):
            index.document("nobody")
        with pytest.raises(IndexError, match="no document number 300; there are 300"):
            index.record(300)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"top": 0}, "top is 0"),
        ({"probes": 0}, "probes is 0"),
        ({"probes": 65_537}, "between 1 and 65536"),
    ],
)
def test_arguments_out_of_range(pocket: Path, arguments: dict[str, Any], message: str) -> None:
    with pocketindex.open(pocket) as index, pytest.raises(ValueError, match=message):
        index.query(made_up(1)[0]["text"], **arguments)


def test_lone_surrogates_are_replaced_not_refused(pocket: Path) -> None:
    with pocketindex.open(pocket) as index:
        assert index.query(made_up(1)[0]["text"] + " \ud800", top=1)[0].id == "doc-0"


def test_what_a_hit_shows_is_read_when_it_is_looked_at(
    pocket: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[list[int]] = []
    documents = vars(hits)["read_documents"]

    def noted(handle: object, path: str, numbers: Sequence[int]) -> object:
        read.append(list(numbers))
        return documents(handle, path, numbers)

    monkeypatch.setattr(hits, "read_documents", noted)
    with pocketindex.open(pocket) as index:
        found = index.query(made_up(300)[7]["text"], top=100, exhaustive=True, min_similarity=0)
        numbers = [hit.number for hit in found]
        assert (found[0].similarity, found[0].keys, read) == (1.0, (), [])

        assert [hit.title for hit in found[:3]] == [
            index.record(number).title for number in numbers[:3]
        ]
        assert read == [numbers[:32]]
        assert (found[99].id, found[98].url) == (
            index.record(numbers[99]).id,
            index.record(numbers[98]).url,
        )
        assert read == [numbers[:32], numbers[96:]]


def test_hits_of_a_closed_index_can_be_looked_at(pocket: Path) -> None:
    with pocketindex.open(pocket) as index:
        looked_at, other = (index.query(made_up(300)[7]["text"], top=1)[0] for _ in range(2))
        same = pickle.loads(pickle.dumps(looked_at))
        assert (looked_at == other, looked_at == same, hash(other), {looked_at}) == (
            True,
            True,
            hash(same),
            {same},
        )
        assert looked_at != index.query(made_up(300)[8]["text"], top=1)[0]
        unseen = index.query(made_up(300)[7]["text"], top=1)[0]

    assert (looked_at.id, looked_at.title, same.id) == ("doc-7", "Document 7 — Übersicht", "doc-7")
    assert repr(looked_at).startswith(
        "Hit(id='doc-7', title='Document 7 — Übersicht', url='https://example.org/doc-7?"
    )
    assert repr(unseen).startswith("Hit(id='doc-7', title=")
    assert (unseen.number, unseen.title, unseen.similarity_error) == (
        7,
        "Document 7 — Übersicht",
        0.0,
    )


def test_damaged_documents_damage_no_query(pocket: Path, tmp_path: Path) -> None:
    data, path = bytearray(pocket.read_bytes()), tmp_path / "damaged.pocket"
    section = PlainIndex.open(bytes(data)).documents.section
    data[section.offset + section.head_length] ^= 1
    path.write_bytes(data)
    with pocketindex.open(path) as index:
        hit = index.query(made_up(1)[0]["text"], top=1)[0]

        assert (hit.number, hit.similarity) == (0, 1.0)
        with pytest.raises(pocketindex.Damaged, match="section documents, block 0: CRC32C"):
            _ = hit.title


def test_numbers_are_those_of_the_hits(pocket: Path) -> None:
    texts = [" ".join(d["text"].split()[3:]) for d in made_up(5)]
    with pocketindex.open(pocket) as index:
        choices: dict[str, Any] = {"top": 20, "min_similarity": 0.35}
        numbers, similarities = index.query_many([*texts, ""], **choices, numbers=True)
        assert numbers.shape == similarities.shape == (6, 20)
        for found, own, shown in zip(
            index.query_many([*texts, ""], **choices),
            numbers.tolist(),
            similarities.tolist(),
            strict=True,
        ):
            missing = 20 - len(found)
            assert [hit.number for hit in found] + [-1] * missing == own
            assert [hit.similarity for hit in found] + [0] * missing == shown
        with pytest.raises(ValueError, match="numbers and exact exclude each other"):
            index.query_many(texts, numbers=True, exact=True)


def test_a_closed_index_says_so(pocket: Path) -> None:
    index = pocketindex.open(pocket)
    index.close()
    index.close()

    with pytest.raises(ValueError, match="the index is closed"):
        index.query("anything")


def test_it_pickles_as_its_path(pocket: Path) -> None:
    with pocketindex.open(pocket) as index:
        again = pickle.loads(pickle.dumps(index))

        assert again.path == index.path
        assert again.query(made_up(1)[0]["text"]) == index.query(made_up(1)[0]["text"])


def test_many_threads_get_the_same_answers(pocket: Path) -> None:
    texts = [d["text"] for d in made_up(40)]
    with pocketindex.open(pocket) as index:
        expected = [index.query(t, probes=50) for t in texts]
        wrong: list[int] = []

        def work() -> None:
            for _ in range(5):
                wrong.extend(
                    i for i, t in enumerate(texts) if index.query(t, probes=50) != expected[i]
                )

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert wrong == []


def test_explain_adds_up(pocket: Path) -> None:
    document = made_up(300)[5]
    with pocketindex.open(pocket) as index:
        text = document["text"] + " " + made_up(300)[6]["text"][:60]
        hit = next(
            h for h in index.query(text, top=300, probes=5000, min_similarity=0) if h.id == "doc-5"
        )
        explanation = index.explain(text, hit)
        agreeing = sum(c.weight for c in explanation.components if c.agrees)

        assert 0 < explanation.agreement < 1
        assert explanation.agreement == pytest.approx(
            agreeing / sum(c.weight for c in explanation.components)
        )
        # What is missing in both texts agrees, too, and has no term.
        assert 0.3 < sum(t.weight for t in explanation.terms) <= explanation.agreement + 1e-9
        assert list(explanation) == sorted(explanation, key=lambda t: (-t.weight, t.term))
        assert {t.term for t in explanation.terms} <= set(text.lower().split()) | {
            t.term for t in explanation.terms
        }


def test_info_counts_every_byte(pocket: Path) -> None:
    with pocketindex.open(pocket) as index:
        info = index.info()

    assert info.documents == 300
    assert info.file_size == pocket.stat().st_size
    assert 0 <= info.file_size - sum(info.sections.values()) < 8 * len(info.sections)
    assert info.keys == sum(t.keys for t in info.tables)
    assert all(t.postings == 300 for t in info.tables)
    assert info.as_dict()["tables"][0]["average_postlist"] >= 1.0
    assert info.scheme == "rff"
    assert info.mph == "pilot"
    assert 2 < info.mph_bits_per_key < 6


def test_a_whole_file_verifies(pocket: Path) -> None:
    with pocketindex.open(pocket) as index:
        index.verify()
    PlainIndex.open(str(pocket)).verify()


def test_missing_files_and_folders(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        pocketindex.open(tmp_path / "none.pocket")
    with pytest.raises(IsADirectoryError):
        pocketindex.open(tmp_path)


def test_other_files_are_no_pocket_files(tmp_path: Path) -> None:
    for content in (b"", b"hello", b"PK\x03\x04" * 100):
        path = tmp_path / "other"
        path.write_bytes(content)
        with pytest.raises(pocketindex.NotAPocketFile, match="other: not a pocket file"):
            pocketindex.open(path)


def test_truncation_while_open_is_an_error(pocket: Path, tmp_path: Path) -> None:
    path = tmp_path / "short.pocket"
    path.write_bytes(pocket.read_bytes())
    with pocketindex.open(path) as index:
        with path.open("r+b") as stream:
            stream.truncate(64)
        with pytest.raises(
            pocketindex.FileChanged, match="changed: it was written to while open; open it again"
        ):
            index.verify()
        with pytest.raises(pocketindex.FileChanged):
            index.query(made_up(1)[0]["text"])
        with pytest.raises(pocketindex.FileChanged):
            index.record(250)


def test_numbers_of_numpy_are_numbers(pocket: Path) -> None:
    text = made_up(1)[0]["text"]
    with pocketindex.open(pocket) as index:
        number = index.query_many([text], 1, numbers=True).numbers[0, 0]
        assert index.record(number) == index.record(int(number))
        assert type(index.record(number).number) is int
        assert index.like(number, min_similarity=0) == index.like(int(number), min_similarity=0)
        assert index.text(number) == index.text(int(number))
        assert index.snippet(number) == index.snippet(int(number))
        assert index.query(text, number + 3) == index.query(text, 3)
        with pytest.raises(pocketindex.PocketError, match="labels"):
            index.labels(number)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda index: index.query("words", top="5"), "top is '5'; it must be a whole number"),
        (lambda index: index.query("words", 1.5), "expected QueryOptions or a number for top"),
        (lambda index: index.query("words", probes=2.5), "probes is 2.5; it must be a whole"),
        (lambda index: index.query("words", min_similarity=".5"), "it must be a number or None"),
        (lambda index: index.query(7), "expected a text, str or bytes, found one of type int"),
        (lambda index: index.query_many("words"), "expected texts, found a single one"),
        (lambda index: index.query_many(b"words", numbers=True), "found a single one"),
        (lambda index: index.document(12), "expected an id, which is a str, found 12"),
        (lambda index: index.record(b"12"), "found a value of type bytes"),
        (lambda index: index.like(1.0), "expected the number of a document, a record or a hit"),
    ],
)
def test_arguments_of_other_types(call: Any, message: str, pocket: Path) -> None:
    with pocketindex.open(pocket) as index, pytest.raises(TypeError, match=message):
        call(index)


def test_a_single_text_is_no_texts_of_several_files(pocket: Path) -> None:
    with (
        pocketindex.open_many([pocket, pocket]) as joint,
        pytest.raises(TypeError, match="expected texts, found a single one"),
    ):
        joint.query_many("words")


@pytest.mark.parametrize(
    ("file", "variance"), [("rff", math.pi / 2 * 0.75**1.5), ("minhash", 0.25)]
)
def test_the_error_of_a_similarity_is_that_of_the_scheme(file: str, variance: float) -> None:
    """A cosine is told by projections, a share of terms by a binomial (docs/format.md 8)."""
    with pocketindex.open(GOLDEN / f"{file}.pocket") as index:
        components = index.info().components
        expected = math.sqrt(variance / components)
        assert index.similarity_error(0.5) == pytest.approx(expected)
        assert index.similarity_error(1.0) == 0


def test_a_with_block_closes_what_it_opened(pocket: Path) -> None:
    with pocketindex.open(pocket) as one, pocketindex.open_many([pocket]) as several:
        assert len(one) == len(several)

    for index in one, *several.indexes:
        with pytest.raises(ValueError, match="the index is closed"):
            index.query("anything")
