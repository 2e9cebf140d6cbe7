"""pocketindex check by the passages of a file: how much of an item has to be in them."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pocketindex
import pytest
from made_up import made_up
from near_duplicates import write
from pocketindex.builder import Settings, build
from pocketindex.builder.collections.contamination import Checker
from pocketindex.builder.collections.findings import Finding
from pocketindex.queries import sources
from pocketindex.queries.sources import by_shingles

INVENTED = [" ".join(document["text"].split()[-38:]) for document in made_up(240)]
TEXTS = {f"d{i}": " ".join(INVENTED[4 * i : 4 * i + 4]) for i in range(60)}  # of 152 words
# Words of 20 documents in an order of nobody's.
OWN = random.Random(4).sample(" ".join(list(TEXTS.values())[30:50]).split(), 400)


def made(path: Path, *index: str, keep: str = "none") -> Path:
    source = write(
        path.with_suffix(".jsonl"), [{"id": key, "text": text} for key, text in TEXTS.items()]
    )
    build([source], path, Settings(index=("documents", *index), keep=keep, profile="learn"))
    return path


@pytest.fixture(scope="module")
def passages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("passages") / "a.pocket", "passages")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("kept") / "a.pocket", "passages", keep="text")


def of(document: str, start: int, words: int) -> list[str]:
    return TEXTS[document].split()[start : start + words]


def checked(path: Path, *items: list[str]) -> list[Finding]:
    with pocketindex.open_many([path]) as indexes:
        return Checker(indexes).check([" ".join(item) for item in items])


def test_sentences_in_common_are_no_passage(passages: Path) -> None:
    """Two of 15 words have a source, which `sources` names; 75 words in a row are a passage."""
    two = [*OWN[:150], *of("d5", 10, 15), *OWN[150:180], *of("d5", 120, 15), *OWN[180:]]
    long = [*OWN[:150], *of("d5", 10, 75), *OWN[150:]]
    with pocketindex.open(passages) as index:
        assert [one.id for one in index.sources(" ".join(two))] == ["d5"]
    of_two, of_long = checked(passages, two, long)

    assert (of_two.verdict, of_two.coverage, of_two.evidence) == ("not found", 0, [])
    assert (of_long.verdict, of_long.evidence[0].id) == ("passage", "d5")
    assert of_long.coverage == pytest.approx(75 / 475, abs=12 / 475)


def test_a_passage_with_changes_is_one(passages: Path, tmp_path: Path) -> None:
    """Five pieces of 14 words, each too short, have 6 other words between them. That is evidence
    together, but not where half of the documents have these words, too.
    """
    own = TEXTS["d5"].split()
    pieces = [word for i in range(5) for word in (*own[20 * i : 20 * i + 14], *OWN[6 * i :][:6])]
    item = [*OWN[50:200], *pieces, *OWN[200:350]]
    common = {
        key: f"{text} {TEXTS['d5']}" if int(key[1:]) % 2 else text for key, text in TEXTS.items()
    }
    source = write(
        tmp_path / "c.jsonl", [{"id": key, "text": text} for key, text in common.items()]
    )
    other = tmp_path / "c.pocket"
    build([source], other, Settings(index=("documents", "passages"), profile="learn"))

    (of_one,), (of_many,) = checked(passages, item), checked(other, item)
    assert (of_one.verdict, of_one.evidence[0].id) == ("passage", "d5")
    assert of_many.verdict == "not found"
    for path, least, most in ((passages, 35, 98), (other, 12, 34)):
        with pocketindex.open(path) as index:
            assert least <= index.sources(" ".join(item))[0].evidence <= most


def test_pieces_with_other_words_between_are_a_form(passages: Path, tmp_path: Path) -> None:
    """Twelve pieces of seven words say as much as five shingles that no other document has, among
    twice as many other words. Fifty say enough, whatever lies between.
    """
    own, other = TEXTS["d5"].split(), iter(OWN * 2)
    form = OWN[:100]
    for i in range(12):
        form = [*form, *own[12 * i : 12 * i + 7], *(next(other) for _ in range(14))]
    documents = [{"id": "long", "text": " ".join(OWN)}]
    documents += [{"id": key, "text": text} for key, text in TEXTS.items()]
    source = write(tmp_path / "a.jsonl", documents)
    settings = Settings(index=("documents", "passages"), profile="learn")
    build([source], tmp_path / "a.pocket", settings)
    many = TEXTS["d5"].split()
    for i in range(50):
        many = [*many, *OWN[8 * i : 8 * i + 6], f"one{i}", f"two{i}"]
    with pocketindex.open(passages) as index:
        assert 35 <= index.sources(" ".join(form))[0].evidence < 84
    with pocketindex.open(tmp_path / "a.pocket") as index:
        found = {one.id: one for one in index.sources(" ".join(many))}["long"]
        assert 84 <= found.evidence < 0.45 * 7 * 400 / 6.5

    (of_form,), (of_many,) = checked(passages, form), checked(tmp_path / "a.pocket", many)
    assert of_form.verdict == "not found"
    assert "long" in [one.id for one in of_many.evidence]


def test_a_passage_is_one_however_long_the_item(passages: Path) -> None:
    long = [*OWN, *of("d5", 10, 80), *(word for _ in range(9) for word in OWN)]
    (finding,) = checked(passages, long)

    assert (finding.verdict, finding.evidence[0].id) == ("passage", "d5")


@pytest.mark.parametrize("owners", [1, 8, 16, 40])
def test_a_whole_item_is_a_passage_however_many_documents_have_it(
    tmp_path: Path, owners: int
) -> None:
    item = OWN[:120]
    documents = [
        {"id": key, "text": " ".join([text, *(item if number < owners else []), text])}
        for number, (key, text) in enumerate(TEXTS.items())
    ]
    source = write(tmp_path / "a.jsonl", documents)
    settings = Settings(index=("documents", "passages"), profile="learn")
    build([source], tmp_path / "a.pocket", settings)
    (finding,) = checked(tmp_path / "a.pocket", item)

    assert finding.verdict == "passage"
    assert (finding.coverage or 0) > 0.9


@pytest.mark.parametrize("between", [60, 70, 80, 95])
def test_paragraphs_of_one_document_are_passages_whatever_lies_between(
    passages: Path, between: int
) -> None:
    """The terms of one are not counted for another."""
    one, other = of("d7", 0, 75), of("d7", 77, 75)
    item = [*OWN[:150], *one, *OWN[150 : 150 + between], *other, *OWN[250:]]
    (finding,) = checked(passages, item)

    assert (finding.verdict, finding.evidence[0].id) == ("passage", "d7")


def test_a_text_without_spaces_is_no_passage_by_one_sentence(tmp_path: Path) -> None:
    """Terms count, because words are not told apart."""
    chance, letters = random.Random(5), [chr(place) for place in range(0xE01, 0xE2F)]
    texts = ["".join(chance.choices(letters, k=900)) for _ in range(40)]
    documents = [{"id": str(number), "text": text} for number, text in enumerate(texts[:30])]
    source = write(tmp_path / "a.jsonl", documents)
    settings = Settings(index=("documents", "passages"), profile="learn")
    build([source], tmp_path / "a.pocket", settings)
    sentence, paragraph = (
        [texts[35][:400] + texts[3][200 : 200 + count] + texts[36][:400]] for count in (45, 250)
    )
    of_sentence, of_paragraph = checked(tmp_path / "a.pocket", sentence, paragraph)
    with pocketindex.open(tmp_path / "a.pocket") as index:
        assert [one.id for one in index.sources(sentence[0])] == ["3"]

    assert of_sentence.verdict == "not found"
    assert (of_paragraph.verdict, of_paragraph.evidence[0].id) == ("passage", "3")


@pytest.mark.parametrize("terms", [1, 2, 4, 8, 16])
def test_the_same_passage_is_one_whatever_shingles_a_file_has(tmp_path: Path, terms: int) -> None:
    """Of longer shingles that do not overlap fewer lie in it. Single words have to be many more."""
    source = write(tmp_path / "a.jsonl", [{"id": key, "text": text} for key, text in TEXTS.items()])
    settings = Settings(index=("documents", "passages"), profile="learn", run_terms=terms)
    build([source], tmp_path / "a.pocket", settings)
    long, short = ([*OWN[:150], *of("d5", 10, words), *OWN[150:]] for words in (80, 15))
    of_long, of_short = checked(tmp_path / "a.pocket", long, short)
    ids = [one.id for one in of_long.evidence]
    assert (of_long.verdict, ids) == (("not found", []) if terms == 1 else ("passage", ["d5"]))
    assert of_short.verdict == "not found"


def test_a_short_item_is_a_passage_where_most_of_it_is_one(passages: Path) -> None:
    whole, half = checked(passages, of("d8", 50, 25), [*OWN[:20], *of("d8", 50, 16)])

    assert (whole.verdict, whole.evidence[0].id) == ("passage", "d8")
    assert 0.8 <= (whole.coverage or 0) <= 1
    assert half.verdict == "not found"


def test_a_part_in_other_words_is_no_passage(passages: Path, tmp_path: Path) -> None:
    """A paragraph with the words of a document in another order is similar to it, and shares no
    shingle. Where a file has no passages, its sketch is all there is. In the document's order both
    say so.
    """
    words = TEXTS["d5"].split()
    mixed, same = (
        ["\n\n".join(map(" ".join, (OWN[:150], part, OWN[150:])))]
        for part in (random.Random(8).sample(words, 152), words)
    )
    of_mixed, of_same = checked(passages, mixed, same)
    alone, _ = checked(made(tmp_path / "plain.pocket"), mixed, same)

    assert (of_mixed.verdict, of_mixed.evidence) == ("not found", [])
    assert (of_same.verdict, of_same.evidence[0].id) == ("passage", "d5")
    assert (alone.verdict, alone.evidence[0].id) == ("passage", "d5")


def test_kept_texts_are_compared_once(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By their shingles, which tell the coverage exactly; what has none is told by the file's."""

    def never(*_: object) -> None:
        raise AssertionError("compared twice")

    monkeypatch.setattr(sources, "common_passages", never)
    own, words = OWN[:300], of("d9", 20, 120)
    words[::11] = OWN[-len(words[::11]) :]
    exact, edited = checked(kept, [*own, *of("d9", 20, 60)], [*own, *words])

    assert exact.evidence[0].coverage == pytest.approx(60 / 360)
    assert exact.evidence[0].passage == " ".join(of("d9", 20, 60))
    assert (edited.verdict, edited.evidence[0].id) == ("passage", "d9")
    assert 0.15 < (edited.coverage or 0) < 0.3


def test_the_more_passages_say_the_less_similar_a_document_must_be(
    passages: Path, tmp_path: Path
) -> None:
    """1.6 errors above the threshold without a passage, .8 below it with evidence of 21 and three
    tenths of the item. A file without passages has the estimate alone.
    """
    chance, items = random.Random(3), list[tuple[str, str]]()
    for key, text in TEXTS.items():
        for count in (50, 65, 75):
            for places in (chance.sample(range(152), count), range(count)):
                words = text.split()
                for place in places:
                    words[place] = OWN[place]
                # In another order there are no passages.
                items += [(key, " ".join(words)), (key, " ".join(chance.sample(words, 152)))]
    plain = made(tmp_path / "plain.pocket")
    texts, seen = [text for _, text in items], Counter[str]()
    with pocketindex.open_many([passages]) as indexes, pocketindex.open_many([plain]) as others:
        index, found = indexes.indexes[0], Checker(indexes).check(texts)
        for (key, text), finding, alone in zip(
            items, found, Checker(others).check(texts), strict=True
        ):
            hits = {hit.id: hit for hit in index.query(text, top=20, min_similarity=0)}
            if key not in hits:
                continue
            told = {one.id: one for one in by_shingles(index, text, 20)}.get(key)
            says = min(told.evidence / 21, told.coverage / 0.3, 1) if told else 0
            hit = hits[key]
            near = key in {one.id for one in finding.evidence if one.kind == "near"}
            assert (alone.verdict == "near") == (hit.similarity >= 0.7)
            deviations = (hit.similarity - 0.7) / hit.similarity_error
            assert near == (deviations >= 1.6 - 2.4 * says)
            if -0.8 <= deviations < 1.6:
                seen[f"{near}, {'some' if 0 < says < 1 else 'much' if says else 'no'}"] += 1
    assert {"True, much", "True, some", "False, some", "False, no"} <= set(seen), seen
