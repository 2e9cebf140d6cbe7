"""Shingles of words looked for in the documents themselves: pocketindex check --source."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from made_up import made_up
from near_duplicates import without, write
from pocketindex import check
from pocketindex.builder import Settings, build
from pocketindex.builder.collections import sketch_hits, together
from pocketindex.builder.inputs.source import SourceError
from run_command import run

WORDS = "basket candle lantern meadow orchard pebble quarry raven"


@pytest.fixture(scope="module")
def train(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Documents of ten of the made-up ones each, and the file that is built from them."""
    folder = tmp_path_factory.mktemp("train")
    texts = [d["text"] for d in made_up(300)]
    documents = [
        {"id": f"d{i}", "title": f"Ten {i}", "text": "\n\n".join(texts[10 * i : 10 * i + 10])}
        for i in range(30)
    ]
    source, target = write(folder / "d.jsonl", documents), folder / "train.pocket"
    build([str(source)], target, Settings(profile="learn"))
    return source, target


def documents(number: int) -> str:
    """Return the text of a document of the file."""
    return "\n\n".join(d["text"] for d in made_up(300)[10 * number : 10 * number + 10])


def sentence(words: list[str]) -> list[str]:
    """End the sentence before the words, and that which they are."""
    return [".", *words, "."]


def test_what_is_in_the_source_is_found(train: tuple[Path, Path], tmp_path: Path) -> None:
    source, target = train
    texts = [d["text"] for d in made_up(400)]
    words = [text.split()[-40:] for text in texts]  # those that no two texts have in common
    # Of an item of 100 words, 26 are of one document and 21 of another.
    essay = [
        *words[350][:20],
        *sentence(words[37][5:31]),
        *words[351][:17],
        *sentence(words[121][8:29]),
        *words[352][:16],
    ]
    items = [
        {"id": "hidden", "text": texts[37]},
        {"id": "essay", "text": " ".join(essay)},
        {"id": "edited", "text": without(" ".join(words[121]), 12, 25, 30)},
        {"id": "foreign", "text": " ".join(words[350])},
        {"id": "whole", "text": "\n\n".join(texts[50:60])},
        {"id": "tiny", "text": "basket candle"},
    ]
    testset = write(tmp_path / "test.jsonl", list(items))
    before = [
        json.loads(line)["verdict"]
        for line in run("check", target, testset, "--json").stdout.splitlines()
    ]
    assert before == ["not found", "not found", "not found", "not found", "copy", "not found"]

    done = run("check", target, testset, "--json", "--source", source, "--fail-on", "passage")
    found = {f["id"]: f for f in map(json.loads, done.stdout.splitlines())}
    assert {id: f["verdict"] for id, f in found.items()} == {
        "hidden": "passage",
        "essay": "passage",
        "edited": "passage",
        "foreign": "not found",
        "whole": "copy",
        "tiny": "not found",
    }
    hidden = found["hidden"]["evidence"]
    passages = [one.pop("passages") for one in hidden]
    assert passages[0][0]["document_start"] == documents(3).index(texts[37])
    assert hidden[:1] == [
        {
            "kind": "passage",
            "id": "d3",
            "title": "Ten 3",
            "url": "",
            "file": str(source),
            "verified": True,
            "coverage": 1.0,
            "passage": texts[37].rstrip("."),
        }
    ]
    assert {one["id"] for one in found["essay"]["evidence"]} == {"d3", "d12"}
    kinds = [(one["kind"], one["id"]) for one in found["whole"]["evidence"]]
    assert [one for one in kinds if one[0] == "copy"] == [("copy", "d5")]
    assert found["foreign"]["looked"] == ["sketches", "source"]
    assert found["tiny"]["looked"] == []
    assert (done.returncode, "  passage           3    50.0 %" in done.stderr.splitlines()) == (
        1,
        True,
    )
    assert (
        "  source, 5 items: compares the item with every document; misses what was rewritten or "
        "translated, and edited sentences of fewer than nine words"
    ) in (done.stderr.splitlines())


def test_the_source_decides_on_what_sketches_propose(
    train: tuple[Path, Path], tmp_path: Path
) -> None:
    """The cosine of the texts stands beside the estimate; a copy is one whatever its id; another
    text under an id is none.
    """
    source, target = train
    documents = [json.loads(line) for line in source.read_text().splitlines()]
    whole, other = documents[7]["text"], "lantern quarry " * 50
    testset = write(
        tmp_path / "test.jsonl",
        [
            {"id": "edited", "text": without(whole, *range(3, 600, 7))},
            {"id": "whole", "text": whole},
        ],
    )

    def verdicts(*texts: tuple[str, str]) -> list[tuple[str, list[Any]]]:
        given = write(tmp_path / "given.jsonl", [{"id": id, "text": text} for id, text in texts])
        found = map(
            json.loads,
            run("check", target, testset, "--json", "--source", given).stdout.splitlines(),
        )
        return [
            (f["verdict"], [(one["id"], one.get("cosine")) for one in f["evidence"]]) for f in found
        ]

    edited, (copied, by) = verdicts(("d7", whole))
    assert (edited[0], copied, by) == ("near", "copy", [("d7", 1.0)])
    assert 0.7 <= edited[1][0][1] < 1
    assert verdicts(("d7", other)) == [("not found", []), ("not found", [])]
    assert ("x", None) in verdicts(("d7", other), ("x", whole))[1][1]


def test_what_cannot_be_looked_into(train: tuple[Path, Path], tmp_path: Path) -> None:
    source, target = train
    testset = write(tmp_path / "test.jsonl", [{"text": made_up(8)[7]["text"]}])
    for arguments, message in (
        (("--source", tmp_path / "none.jsonl"), f"{tmp_path / 'none.jsonl'}: "),
    ):
        done = run("check", target, testset, *arguments)
        assert (done.returncode, done.stderr.startswith(f"pocketindex: {message}")) == (2, True), (
            done.stderr
        )

    more = tmp_path / "more.jsonl"
    more.write_text("no json\n" + source.read_text())
    done = run("check", target, testset, "--source", more)
    assert done.returncode == 0
    assert (
        f"pocketindex: {more}: 1 record was skipped, because no document could be read there"
        in done.stderr.splitlines()
    )
    assert run("check", target, testset, "--source", tmp_path / "mor?.jsonl").stdout == done.stdout

    # Nothing is found in what has no document; that is no answer.
    bodies = write(tmp_path / "bodies.jsonl", [{"id": "a", "body": "no text"}])
    done = run("check", target, testset, "--source", source, "--source", bodies)
    assert done.returncode == 2
    assert (
        f'{bodies}: its only record is not a document: 1 no text ({bodies}:1: no field "text" '
        'among "id", "body"; did you mean --source-text body?); give what the file was built from'
    ) in done.stderr
    with pytest.raises(SourceError, match="its only record is not a document: 1 no text"):
        check(target, ["a text"], source=[{"id": "a", "body": "no text"}])
    some = [{"id": "a", "body": "no text"}, {"id": "b", "text": "one that is a document"}]
    (note,) = check(target, ["a text"], source=some).report.notes
    assert note.endswith(": 1 record was skipped, because no document could be read there")

    empty = tmp_path / "empty.jsonl"
    empty.touch()
    done = run("check", target, testset, "--source", empty)
    assert done.returncode == 2
    assert f"{empty}: there is no record in it; give what the file was built from" in done.stderr
    assert run("check", target, testset, "--source", empty, "--source", source).returncode == 0

    done = run("check", target, "-", "--source", "-", stdin=testset.read_text())
    assert (done.returncode, "both standard input" in done.stderr) == (2, True)


PAGE = (
    "<meta charset=cp1252><nav>Home Contents Index</nav><p>{}</p>"
    "<aside>Read our newsletter, {}.</aside>"
)


def built_of_pages(folder: Path, words: list[str]) -> tuple[Path, Path]:
    """Return a folder of pages with the words as their paragraphs, and the index of these."""
    pages, target = folder / "pages", folder / "x.pocket"
    pages.mkdir()
    for number, text in enumerate(words):
        page = PAGE.format(text, f"reader of page {number}")
        (pages / f"{number}.html").write_bytes(page.encode("koi8-r", "xmlcharrefreplace"))
    chosen = Settings(profile="learn", select="p", encoding="koi8-r")
    build([str(pages)], target, chosen)
    return pages, target


def test_a_source_is_read_as_it_was_built(tmp_path: Path) -> None:
    """An item is a copy only of what --select and --source-encoding leave of a page."""
    words = [one["text"] + " лодка стояла у самого берега" for one in made_up(12)]
    pages, target = built_of_pages(tmp_path, words)
    items = write(tmp_path / "test.jsonl", [{"id": "a", "text": words[7]}])

    def verdict(*arguments: str) -> str:
        done = run("check", target, items, "--source", pages, "--json", *arguments)
        return str(json.loads(done.stdout)["evidence"][0].get("cosine"))

    chosen = ("--select", "p", "--source-encoding", "koi8-r")
    assert verdict(*chosen) == "1.0"
    assert verdict("--exclude", "aside, nav", "--source-encoding", "koi8-r") == "1.0"
    assert verdict(*chosen[:2]) != "1.0"
    assert verdict(*chosen[2:]) != "1.0"

    choices: dict[str, Any] = {"select": "p", "source_encoding": "koi8-r"}
    (found,) = check(target, [words[7]], source=pages, **choices)
    assert found.evidence[0].cosine == 1
    (found,) = check(target, [words[7]], source=pages, select="p")
    assert found.evidence[0].cosine != 1


def test_fields_of_a_source_have_names_of_their_own(
    train: tuple[Path, Path], tmp_path: Path
) -> None:
    _, target = train
    whole = " ".join(one["text"] for one in made_up(300)[290:])
    rows = [{"nr": "seven", "body": whole}]
    source, items = write(tmp_path / "own.jsonl", rows), tmp_path / "test.jsonl"
    write(items, [{"id": "a", "question": whole}])
    named = ("--text", "question", "--source-text", "body", "--source-id", "nr")
    done = run("check", target, items, "--source", source, "--json", *named)
    assert json.loads(done.stdout)["evidence"][0]["id"] == "seven"
    (found,) = check(target, [whole], source=rows, source_text="body", source_id="nr")
    assert found.evidence[0].id == "seven"
    with pytest.raises(TypeError, match="there is no choice 'source_select'"):
        check(target, [whole], source=source, source_select="p")  # type: ignore
    with pytest.raises(ValueError, match="source_text says how a source is read; give source"):
        check(target, [whole], source_text="body")


def test_an_option_that_neither_can_use_is_an_error(
    train: tuple[Path, Path], tmp_path: Path
) -> None:
    source, target = train
    items = write(tmp_path / "test.jsonl", [{"id": "a", "text": "a text"}])
    for option, message in (
        (("--select", "p"), "it has no pages of HTML; omit --select and --exclude"),
        (("--drop", "links"), "its texts have no 'links' to leave out with --drop"),
        (("--add", "notes"), "its texts have no 'notes' to add with --add"),
        (("--follow-links",), "it is not a folder, and --follow-links is for folders"),
    ):
        done = run("check", target, items, "--source", source, *option)
        assert (done.returncode, message in done.stderr) == (2, True), done.stderr
    done = run("check", target, items, "--source-text", "body")
    assert done.returncode == 2
    assert "--source-text says how a --source is read; give --source" in done.stderr
    with pytest.raises(SourceError, match="it has no pages of HTML"):
        check(target, ["a text"], source=source, select="p")
    with pytest.raises(ValueError, match="these documents are given directly"):
        check(target, ["a text"], select="p")


def test_a_source_that_is_read_again_is_counted_once(
    train: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = train
    more = tmp_path / "more.jsonl"
    more.write_text("no json\n" + source.read_text())
    testset = write(tmp_path / "test.jsonl", list(made_up(3)))
    monkeypatch.setattr(together, "EACH", 1 << 27)  # one item at a time
    done = run("check", target, testset, "--source", more, "--max-memory", "128M")
    assert f"{more}: 1 record was skipped" in done.stderr

    renamed = tmp_path / "renamed.jsonl"
    renamed.write_text(
        "".join(
            json.dumps({"question": json.loads(line)["text"]}) + "\n"
            for line in testset.read_text().splitlines()
        )
    )
    assert (
        run("check", target, renamed, "--text", "question").stdout.splitlines()[-5:]
        == run("check", target, testset).stdout.splitlines()[-5:]
    )
    done = run("check", target, renamed)
    assert (done.returncode, "did you mean --text question?" in done.stderr) == (2, True)


@pytest.mark.parametrize("keep", ["none", "text"])
def test_documents_of_one_id_are_told_apart(tmp_path: Path, keep: str) -> None:
    """Files may number their documents alike: what is said of one is not said of the other."""
    ours = [d["text"] for d in made_up(60)]
    theirs = [without(text, *range(3, 600, 7)) for text in ours]
    files, sources = list[Path](), list[Any]()
    for name, texts in ("ours", ours), ("theirs", theirs):
        documents = [
            {"id": str(i), "title": f"{name} {i}", "text": text} for i, text in enumerate(texts)
        ]
        source = write(tmp_path / f"{name}.jsonl", documents)
        files.append(tmp_path / f"{name}.pocket")
        build([str(source)], files[-1], Settings(profile="en", keep=keep))
        sources += ["--source", source]
    items = [{"id": f"q{i}", "text": text} for i, text in enumerate(ours)]
    testset = write(tmp_path / "test.jsonl", items)
    for looked_into in [], sources, sources[:2]:
        done = run("check", *files, testset, "--json", "--top", "20", *looked_into)
        found = [json.loads(line) for line in done.stdout.splitlines()]
        for i, item in enumerate(found):
            copies = [one["title"] for one in item["evidence"] if one["kind"] == "copy"]
            assert copies == [f"ours {i}"]
        near = [one for item in found for one in item["evidence"] if one["kind"] == "near"]
        assert {one["title"].split()[0] for one in near} >= {"theirs"}
        assert all(one.get("cosine", 0) < 0.9999 for one in near)


def test_a_text_of_the_collection_is_not_taken_for_another_of_its_id(tmp_path: Path) -> None:
    """The source may have documents that the file has not, under ids that it has."""
    text = made_up(8)[7]["text"]
    edited = without(text, *range(3, 600, 7))
    target = tmp_path / "train.pocket"
    build([str(write(tmp_path / "d.jsonl", [{"id": "0", "title": "old", "text": edited}]))], target)
    source = write(tmp_path / "s.jsonl", [{"id": "0", "title": "new", "text": text}])
    testset = write(tmp_path / "test.jsonl", [{"id": "q", "text": text}])
    (found,) = map(
        json.loads,
        run("check", target, testset, "--json", "--source", source).stdout.splitlines(),
    )
    copies = [(one["title"], one["file"]) for one in found["evidence"] if one["kind"] == "copy"]
    assert copies == [("new", str(source))]


def of_ids(folder: Path, name: str, texts: list[str]) -> tuple[Path, Path]:
    """Documents 0, 1, ... of these texts, and the file that is built from them."""
    documents = [
        {"id": str(i), "title": f"{name} {i}", "text": text} for i, text in enumerate(texts)
    ]
    source, target = write(folder / f"{name}.jsonl", documents), folder / f"{name}.pocket"
    build([str(source)], target, Settings(profile="en"))
    return source, target


def test_a_text_is_not_taken_for_a_document_of_another_file(tmp_path: Path) -> None:
    """The source is of one file, what is near is in the other, and both number theirs alike."""
    texts = [d["text"] for d in made_up(60)]
    source, ours = of_ids(tmp_path, "ours", texts[:30])
    _, theirs = of_ids(tmp_path, "theirs", texts[30:])
    items = [
        {"id": f"q{i}", "text": without(text, *range(3, 600, 12))}
        for i, text in enumerate(texts[30:])
    ]
    testset = write(tmp_path / "test.jsonl", items)
    titles, both = [], list[list[str | Path]]([[], ["--source", source]])
    for looked_into in both:
        done = run("check", ours, theirs, testset, "--json", *looked_into)
        found = [json.loads(line)["evidence"] for line in done.stdout.splitlines()]
        titles.append([[one["title"] for one in own if one["kind"] == "near"] for own in found])
    assert titles[0] == [[f"theirs {i}"] for i in range(30)]
    assert titles[1] == titles[0]


def test_a_text_is_that_of_each_file_that_has_it(tmp_path: Path) -> None:
    """Files of two years have documents in common."""
    texts = [d["text"] for d in made_up(30)]
    source, old = of_ids(tmp_path, "old", texts[:20])
    _, new = of_ids(tmp_path, "new", texts)
    testset = write(tmp_path / "test.jsonl", [{"id": "q", "text": texts[7]}])
    done = run("check", old, new, testset, "--json", "--source", source)
    found = json.loads(done.stdout)["evidence"]
    copies = [one for one in found if one["kind"] == "copy"]
    assert [(one["kind"], one["file"], one.get("cosine")) for one in copies] == [
        ("copy", str(old), 1.0),
        ("copy", str(new), 1.0),
    ]


def test_a_text_that_very_many_documents_have_is_compared_with_each(tmp_path: Path) -> None:
    """More documents have one sketch than are asked for, and another file has their ids."""
    texts = [d["text"] for d in made_up(60)]
    # Another order of the words gives the same sketch.
    words = texts[7].split()
    alike = [" ".join(random.Random(i).sample(words, len(words))) for i in range(25)]
    source, ours = of_ids(tmp_path, "ours", alike)
    _, theirs = of_ids(tmp_path, "theirs", texts[30:55])
    item = without(texts[7], 3, 12)
    testset = write(tmp_path / "test.jsonl", [{"id": "q", "text": item}])
    done = run("check", ours, theirs, testset, "--json", "--top", "30", "--source", source)
    near = [one for one in json.loads(done.stdout)["evidence"] if one["title"][:4] == "ours"]

    assert {one["title"] for one in near} >= {f"ours {i}" for i in range(sketch_hits.TOP)}
    assert len({one["cosine"] for one in near}) == 1
