"""From sources to a file: counts, reproducibility, settings."""

from __future__ import annotations

import dataclasses
import json
import os
import random
import re
import subprocess
import sys
from importlib import resources
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from made_up import made_up
from places import GOLDEN
from plain import PlainIndex
from pocketindex.builder import Refused, Settings, build
from pocketindex.builder.conventions import murmur
from pocketindex.builder.document import Document
from pocketindex.builder.inputs.source import SourceError
from pocketindex.builder.schemes.ff import FfSettings
from pocketindex.builder.spill.chunks.repeated_ids import repeated_ids
from pocketindex.builder.spill.chunks.sample import Sample
from pocketindex.builder.spill.chunks.spool import Spool
from pocketindex.builder.spill.journal import WorkFolder
from pocketindex.builder.spill.threads import Threads
from pocketindex.builder.tally import NoDocument

OLD = (GOLDEN / "rff.pocket").read_bytes()
LEARN = Settings(profile="learn")


def write(path: Path, documents: list[dict[str, str]]) -> str:
    path.write_text("".join(json.dumps(d) + "\n" for d in documents))
    return str(path)


def test_counts_add_up_with_reasons(tmp_path: Path) -> None:
    documents = [
        *made_up(30),
        made_up(3)[2],
        {"id": "short", "text": "two words"},
        {"id": "empty", "text": " "},
        {"id": "", "text": "no id here"},
    ]
    source = write(tmp_path / "docs.jsonl", documents)
    with open(source, "a") as stream:
        stream.write("not json\n")

    report = build([source], tmp_path / "docs.pocket", LEARN)

    assert (report.read, report.indexed, report.short) == (35, 31, 1)
    assert report.skipped == {
        "duplicate id": 1,
        "empty": 1,
        "no id": 1,
        "bad line": 1,
    }
    assert report.examples["bad line"][0].place.endswith("docs.jsonl:35")
    with pocketindex.open(tmp_path / "docs.pocket") as index:
        assert len(index) == 31


@pytest.mark.parametrize(
    "extra",
    [
        {"id": "doc-1", "text": made_up(2)[1]["text"]},
        {"id": "nothing", "text": " "},
        {"id": "", "text": "no id"},
    ],
)
def test_strict_refuses_and_leaves_the_old_file(tmp_path: Path, extra: dict[str, str]) -> None:
    target = tmp_path / "docs.pocket"
    target.write_bytes(OLD)
    source = write(tmp_path / "docs.jsonl", [*made_up(10), extra])

    with pytest.raises(Refused):
        build([source], target, dataclasses.replace(LEARN, strict=True))

    assert target.read_bytes() == OLD
    assert sorted(p.name for p in tmp_path.iterdir()) == ["docs.jsonl", "docs.pocket"]


def test_the_first_of_two_documents_with_one_id_wins(tmp_path: Path) -> None:
    one, two = made_up(10), made_up(20)
    two[3]["title"] = "the later one"
    build(
        [write(tmp_path / "a.jsonl", one), write(tmp_path / "b.jsonl", two)],
        tmp_path / "x.pocket",
        LEARN,
    )

    with pocketindex.open(tmp_path / "x.pocket") as index:
        assert len(index) == 20
        assert index.document("doc-3").title == one[3]["title"]


def test_same_input_same_bytes_in_other_processes(collection: Path, tmp_path: Path) -> None:
    """Whatever the hash seed, the locale, the folder, that of temporary files, and the number of
    threads.
    """
    files = []
    for seed, language, threads in (("1", "C", "1"), ("2", "C.UTF-8", "4")):
        folder, scratch = tmp_path / seed, tmp_path / f"{seed}-scratch"
        folder.mkdir()
        scratch.mkdir()
        target = folder / f"{seed}.pocket"
        command = [
            sys.executable,
            "-m",
            "pocketindex",
            "build",
            str(collection),
            "-o",
            str(target),
            "--profile",
            "learn",
        ]
        environment = {
            **os.environ,
            "PYTHONHASHSEED": seed,
            "LC_ALL": language,
            "TMPDIR": str(scratch),
        }
        subprocess.run(
            [*command, "--threads", threads],
            check=True,
            capture_output=True,
            env=environment,
            cwd=folder,
        )
        files.append(target.read_bytes())

    assert files[0] == files[1]


def test_the_sample_does_not_depend_on_order_and_has_no_duplicates(tmp_path: Path) -> None:
    ids = [f"d{i % 900}" for i in range(1000)]
    samples = []
    for name, order in (("a", ids), ("b", random.Random(5).sample(ids, 1000))):
        with Threads(1) as pool:
            (tmp_path / name).mkdir()
            work = WorkFolder(tmp_path / name, {})
            spool, sample = Spool(work, 1 << 22, pool), Sample(300)
            for id in order:
                if spool.add(Document(id, id, "text")):
                    spool.finish()
            spool.end()
            assert len(spool.chunks) > 2
            assert repeated_ids(spool, work.folder, 1 << 10, sample).count == 100
            samples.append([spool.details_at(place).id for place in sample.places])

    assert samples[0] == samples[1] == sorted({id.encode() for id in ids}, key=murmur)[:300]


@pytest.mark.parametrize("checksum_bits", [0, 8, 16, 32])
@pytest.mark.parametrize("keys_per_part", [1, 37, 60_000])
def test_answers_do_not_depend_on_checksums_and_parts(
    collection: Path, pocket: Path, tmp_path: Path, checksum_bits: int, keys_per_part: int
) -> None:
    other = tmp_path / "other.pocket"
    build(
        [str(collection)],
        other,
        Settings(
            profile="learn",
            checksum_bits=checksum_bits,
            keys_per_part=keys_per_part,
            identity_bits=16,
        ),
    )
    with pocketindex.open(pocket) as index, pocketindex.open(other) as same:
        same.verify()
        for document in made_up(300)[::29]:
            text = document["text"][:-20]
            expected = [(h.id, h.similarity, h.keys) for h in index.query(text, top=50, probes=200)]

            assert [
                (h.id, h.similarity, h.keys) for h in same.query(text, top=50, probes=200)
            ] == expected


def test_one_profile_for_two_files(collection: Path, pocket: Path, tmp_path: Path) -> None:
    target = tmp_path / "second.pocket"
    build([write(tmp_path / "few.jsonl", made_up(20))], target, Settings(profile=str(pocket)))

    with pocketindex.open(pocket) as first, pocketindex.open(target) as second:
        assert first.info().profile_fingerprint == second.info().profile_fingerprint


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"scheme": "minhash"}, "scheme is minhash; the profile {} has rff"),
        ({"shape": "wide"}, "components of the shape is 256; the profile {} has 168"),
        ({"components": 64}, "components is 64; the profile {} has 168"),
        ({"tables": 5}, "tables is 5; the profile {} has 1"),
        ({"bits": 7}, "bits is 7; the profile {} has "),
        ({"least_terms": 9}, "least_terms is 9; the profile {} has 5"),
    ],
)
def test_what_a_profile_decides_is_not_chosen_otherwise(
    choices: dict[str, Any], message: str, pocket: Path, tmp_path: Path
) -> None:
    target = tmp_path / "x.pocket"
    texts = [one["text"] for one in made_up(20)]
    with pytest.raises(ValueError, match=re.escape(message.format(pocket))):
        pocketindex.build(texts, target, profile=pocket, **choices)
    assert not target.exists()


def test_what_a_profile_decides_may_be_said_again(pocket: Path, tmp_path: Path) -> None:
    target = tmp_path / "x.pocket"
    texts = [one["text"] for one in made_up(20)]
    pocketindex.build(texts, target, profile=pocket)
    expected = target.read_bytes()
    with pocketindex.open(pocket) as index:
        components = index.info().components
    pocketindex.build(texts, target, profile=pocket, tables=1, components=components)
    assert target.read_bytes() == expected


def test_small_collections_take_a_shipped_profile(tmp_path: Path) -> None:
    own = "weights of this collection"
    for scheme, language, expected in (
        ("rff", "de-AT", "de"),
        ("rff", "en", "en"),
        ("rff", "fi", own),
        ("rff", "", own),
        ("ff", "de-AT", "de"),
        ("ff", "fi", "en"),
        ("ff", "", "en"),
    ):
        documents = [{**d, "lang": language} for d in made_up(12)]
        build(
            [write(tmp_path / "docs.jsonl", documents)],
            tmp_path / "x.pocket",
            Settings(scheme=scheme),
        )
        with pocketindex.open(tmp_path / "x.pocket") as index:
            assert index.info().profile == expected
            for document in documents:
                assert index.query(document["text"], top=1)[0].id == document["id"]


GERMAN = (
    "Im Herbst fallen die Blätter von den Bäumen, und die Tage werden kürzer. Viele Menschen "
    "gehen dann gern spazieren, weil die Luft so "
    "klar ist und die Farben leuchten. Wer früh aufsteht, sieht den Nebel über den Wiesen, bevor "
    "die Sonne ihn vertreibt."
)


def test_languages_are_detected_when_asked(tmp_path: Path) -> None:
    pytest.importorskip("resiliparse", reason="needs resiliparse")
    documents = [{"id": f"d{i}", "text": f"Nummer {i}. {GERMAN}"} for i in range(7)]
    documents += [
        {"id": "said", "text": GERMAN, "lang": "en"},
        {"id": "short", "text": GERMAN[:100]},
    ]
    source, profiles = write(tmp_path / "docs.jsonl", documents), list[str]()
    for detect in (False, True):
        report = build([source], tmp_path / "x.pocket", Settings(detect_language=detect))
        with pocketindex.open(tmp_path / "x.pocket") as index:
            profiles.append(index.info().profile)
        said = "languages, detected where a document does not say its own: de 7, en 1, unknown 1"
        assert (said in report.notes) == detect

    assert profiles == ["en", "de"]


def test_without_resiliparse_the_message_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "resiliparse.parse.lang", None)
    source = write(tmp_path / "docs.jsonl", made_up(5))
    with pytest.raises(
        ValueError,
        match=r"to detect languages takes another package: pip install 'pocketindex\[html\]'",
    ):
        build([source], tmp_path / "x.pocket", Settings(detect_language=True))
    assert not (tmp_path / "x.pocket").exists()


def test_a_shipped_profile_is_fitted_to_the_collection(tmp_path: Path) -> None:
    """Its sub-keys get shorter in a small collection; one that is named by its path is taken as it
    is.
    """
    build(
        [write(tmp_path / "docs.jsonl", made_up(12))], tmp_path / "x.pocket", Settings(profile="en")
    )
    with pocketindex.open(tmp_path / "x.pocket") as index:
        assert [table.components for table in index.info().tables] == [8]
    path = Path(str(resources.files("pocketindex.data"))) / "profiles/rff-en.profile"
    build(
        [write(tmp_path / "docs.jsonl", made_up(12))],
        tmp_path / "x.pocket",
        Settings(profile=str(path)),
    )
    with pocketindex.open(tmp_path / "x.pocket") as index:
        assert [table.components for table in index.info().tables] == [14, 14]


def test_a_file_without_documents() -> None:
    """No build makes one, and the format has it."""
    path = GOLDEN / "empty.pocket"
    with pocketindex.open(path) as index:
        index.verify()
        assert len(index) == 0
        assert not index.query(made_up(1)[0]["text"])
        assert "x" not in index
        assert index.info().bytes_per_document["look-up"] == 0
    PlainIndex.open(str(path)).verify()


def test_thousands_of_equal_documents(tmp_path: Path) -> None:
    text = made_up(1)[0]["text"]
    documents = [{"id": f"{i}", "title": "the same", "text": text} for i in range(3000)]
    build(
        [write(tmp_path / "same.jsonl", documents)],
        tmp_path / "same.pocket",
        Settings(profile="en"),
    )

    with pocketindex.open(tmp_path / "same.pocket") as index:
        index.verify()
        hits = index.query(text, top=5)
        assert [h.id for h in hits] == ["0", "1", "2", "3", "4"]
        assert (hits.candidates, hits.capped, {h.similarity for h in hits}) == (512, False, {1.0})
        hits = index.query(text, top=5, probes=1)
        assert ([h.id for h in hits], hits.candidates) == (["0", "1", "2", "3", "4"], 3000)


def test_hashed_keys(collection: Path, tmp_path: Path) -> None:
    choices = FfSettings(classes=60, borders=((-0.5, 0.0, 0.5), (0.0,)))
    build(
        [str(collection)],
        tmp_path / "x.pocket",
        Settings(scheme="ff", profile="learn", scheme_settings=choices, keys_per_part=50),
    )
    plain = PlainIndex.open(str(tmp_path / "x.pocket"))
    with pocketindex.open(tmp_path / "x.pocket") as index:
        index.verify()
        for document in made_up(300)[::60]:
            text = document["text"][:-9]
            expected = [
                (h.document, h.similarity, h.tables) for h in plain.query(text, top=20, probes=80)
            ]
            hits = index.query(text, top=20, probes=80)

            assert [
                (h.number, round(h.similarity * 10000), sum(1 << k for k in h.keys)) for h in hits
            ] == expected


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"mph": "chm"}, "mph is 'chm'; it must be one of"),
        ({"checksum_bits": 12}, "checksum_bits is 12; it must be one of 0, 8, 16, 32"),
        ({"keys_per_part": 0}, "keys_per_part is 0; it must be between 1 and 65000"),
        ({"probes": 70_000}, "probes is 70000; it must be between 1 and 65536"),
        ({"url_template": "x" * 1025}, "url_template has 1025 bytes; it may have 1024"),
    ],
)
def test_settings_out_of_range(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Settings(**settings)  # type: ignore[arg-type]


def test_a_profile_that_is_none(collection: Path, tmp_path: Path) -> None:
    with pytest.raises(
        pocketindex.PocketError,
        match="nowhere: no such profile of scheme rff: expected auto, learn, en, de, or the path",
    ):
        build([str(collection)], tmp_path / "x.pocket", Settings(profile="nowhere"))
    with pytest.raises(pocketindex.NotAPocketFile):
        build([str(collection)], tmp_path / "x.pocket", Settings(profile=str(collection)))
    bad = tmp_path / "bad.profile"
    bad.write_bytes(bytes(64))
    with pytest.raises(pocketindex.PocketError, match=r"bad\.profile"):
        build([str(collection)], tmp_path / "x.pocket", Settings(profile=str(bad)))
    assert not (tmp_path / "x.pocket").exists()


def test_the_folder_of_the_output_must_exist(collection: Path, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="the folder of the output does not exist"):
        build([str(collection)], tmp_path / "no" / "x.pocket")


def test_the_output_replaces_no_source(tmp_path: Path) -> None:
    source = Path(write(tmp_path / "docs.jsonl", made_up(5)))
    before = source.read_bytes()
    (tmp_path / "same.jsonl").symlink_to(source)
    for target in (source, tmp_path / "same.jsonl"):
        with pytest.raises(
            SourceError,
            match=r"docs\.jsonl: it is the output, too, which would replace it; give the output "
            r"another name",
        ):
            build([str(source)], target)
    assert source.read_bytes() == before
    with pytest.raises(
        IsADirectoryError, match="the output is a folder; give the name of a file in it"
    ):
        build([str(source)], tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["docs.jsonl", "same.jsonl"]


def test_records_of_which_none_is_a_document_replace_nothing(tmp_path: Path) -> None:
    target = tmp_path / "x.pocket"
    target.write_bytes(OLD)
    source = write(
        tmp_path / "docs.jsonl",
        [{"id": "a", "body": "text"}, {"id": "", "text": "text"}, {"id": "c", "body": "text"}],
    )
    with pytest.raises(NoDocument) as error:
        build([source], target)
    assert str(error.value) == (
        f'{source}: none of the 3 records is a document: 2 no text ({source}:1: no field "text" '
        'among "id", "body"; did you mean text="body"?), '
        f"1 no id ({source}:2: the id is empty); nothing is written"
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["docs.jsonl", "x.pocket"]
    assert target.read_bytes() == OLD
    with pytest.raises(NoDocument):
        build([source], target)
