"""Nothing is written where most of what was given is bad, or nothing of what was asked applies."""

from __future__ import annotations

import json
from pathlib import Path

import pocketindex
import pytest
from made_up import made_up
from near_duplicates import write
from pocketindex.builder import MostlyBad, NothingToRemove
from pocketindex.builder.changing.merge import NotMerged
from run_command import run

DOCUMENTS = list(made_up(40))
WRITING = {
    "build": ("build {source} -o {out}", "x.pocket"),
    "update": ("update docs.pocket {source} -o {out}", "x.pocket"),
    "dedup": ("dedup {source} -o {out}", "x.jsonl"),
    "pairs": ("pairs {source} -o {out}", "x.jsonl"),
    "check": ("check docs.pocket {source} -o {out}", "x.jsonl"),
    "profile": ("profile {source} -o {out}", "x.profile"),
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    pocketindex.build(write(tmp_path / "docs.jsonl", DOCUMENTS), "docs.pocket", profile="en")
    twice = [*DOCUMENTS, *({**one, "id": f"{one['id']}b"} for one in DOCUMENTS)]
    write(tmp_path / "twice.jsonl", twice)
    return tmp_path


def bad(path: Path, share: float) -> Path:
    """Lines of which so large a share is none."""
    lines = [json.dumps({**one, "id": f"{one['id']}x"}) for one in DOCUMENTS]
    count = round(len(lines) * share)
    path.write_text("".join(f"{line}\n" for line in ["{bad"] * count + lines[count:]))
    return path


@pytest.mark.parametrize("command", WRITING)
def test_where_most_lines_are_bad_the_old_file_stays(command: str, here: Path) -> None:
    line, name = WRITING[command]

    def asked(source: str, *more: str) -> tuple[int, str]:
        done = run(*line.format(source=source, out=name).split(), *more)
        return done.returncode, done.stderr

    assert asked("twice.jsonl")[0] == 0
    before = {path.name: path.read_bytes() for path in here.iterdir()}
    bad(here / "bad.jsonl", 0.55)
    code, said = asked("bad.jsonl")
    assert code == 2
    assert "bad.jsonl: 22 of 40 records are bad: 22 bad line (bad.jsonl:1: not JSON" in said
    assert "; nothing is written: " in said
    assert "--keep-going to write the others" in said
    (here / "bad.jsonl").unlink()
    assert {path.name: path.read_bytes() for path in here.iterdir()} == before

    bad(here / "bad.jsonl", 0.55)
    # pairs finds none, and check says that lines were no items.
    going_on = {"pairs": 1, "check": 2}.get(command, 0)
    assert asked("bad.jsonl", "--keep-going")[0] == going_on
    assert (here / name).read_bytes() != before[name]
    bad(here / "half.jsonl", 0.5)
    assert asked("half.jsonl")[0] == going_on


@pytest.mark.parametrize("form", ["a line each", "pretty", "one line"])
def test_an_array_is_read_and_replaced_whole(form: str, here: Path) -> None:
    source = here / "t.jsonl"
    text = {
        "a line each": "[\n" + ",\n".join(map(json.dumps, DOCUMENTS)) + "\n]\n",
        "pretty": json.dumps(DOCUMENTS, indent=2),
        "one line": json.dumps(DOCUMENTS),
    }[form]
    source.write_text(text)
    done = run("build", "t.jsonl", "-o", "docs.pocket")
    assert done.returncode == 0
    assert f"{len(DOCUMENTS)} read, {len(DOCUMENTS)} indexed" in done.stderr
    assert run("dedup", "t.jsonl", "-o", "t.jsonl").returncode == 0
    assert len(source.read_text().splitlines()) == len(DOCUMENTS)


def test_python_says_it_too(here: Path) -> None:
    with pytest.raises(MostlyBad) as error:
        pocketindex.build(bad(here / "bad.jsonl", 0.6), "docs.pocket")
    assert error.value.report.malformed == 24
    report = pocketindex.build(here / "bad.jsonl", "docs.pocket", keep_going=True)
    assert (report.indexed, report.malformed) == (16, 24)
    with pytest.raises(NothingToRemove):
        pocketindex.update("docs.pocket", remove=["nobody", "nobody else"])


# Ids to remove


def ids(name: str, *given: str) -> str:
    Path(name).write_text("".join(f"{id}\n" for id in given))
    return name


def written(path: Path) -> tuple[int, int, int]:
    """Return what tells that a file is another one or was written to; not when it was read."""
    now = path.stat()
    return now.st_ino, now.st_size, now.st_mtime_ns


def test_ids_of_which_none_is_there_change_nothing(here: Path) -> None:
    before = written(here / "docs.pocket")
    done = run("update", "docs.pocket", "--remove", "docs.jsonl")
    shown = [json.dumps(one, ensure_ascii=False)[:39] + "…" for one in DOCUMENTS[:3]]
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "pocketindex: none of the 40 ids in docs.jsonl is in docs.pocket; nothing was written: "
        f"{', '.join(shown)}, ...\n"
    )
    done = run("update", "docs.pocket", "--remove", ids("gone.txt", "no-such-id"))
    assert (done.returncode, done.stderr) == (
        1,
        "pocketindex: 1 id is not in the index: no-such-id; nothing was written\n",
    )
    done = run("update", "docs.pocket", "--remove", "gone.txt", "-o", "new.pocket")
    assert (done.returncode, (here / "new.pocket").exists()) == (1, False)
    assert written(here / "docs.pocket") == before


def test_every_list_of_ids_counts(here: Path) -> None:
    lists = ids("a.txt", "doc-1"), ids("b.txt", "doc-2", "nobody"), ids("c.txt", "steers\x1b[2J")
    done = run("update", "docs.pocket", *(word for one in lists for word in ("--remove", one)))
    assert done.returncode == 0
    assert "2 ids are not in the index: nobody, steers?[2J" in done.stderr
    with pocketindex.open("docs.pocket") as index:
        assert len(index) == 38
        assert "doc-1" not in index
        assert "doc-2" not in index


def test_a_list_of_ids_is_not_replaced(here: Path) -> None:
    lists = ids("a.txt", "doc-1"), ids("b.txt", "doc-2")
    removing = [word for one in lists for word in ("--remove", one)]
    for option in ("-o", "b.txt"), ("--skipped", "b.txt"):
        done = run("update", "docs.pocket", "docs.jsonl", *removing, *option)
        assert done.returncode == 2
        assert (here / "b.txt").read_text() == "doc-2\n"


# The source as the output


@pytest.mark.parametrize("name", ["twice.jsonl", "link.jsonl", "hard.jsonl"])
def test_dedup_over_its_source_keeps_what_stays(name: str, here: Path) -> None:
    (here / "link.jsonl").symlink_to("twice.jsonl")
    (here / "hard.jsonl").hardlink_to(here / "twice.jsonl")
    before = (here / "twice.jsonl").read_bytes()
    assert run("dedup", "twice.jsonl", "-o", name).returncode == 0
    assert (here / name).read_bytes() == b"".join(before.splitlines(keepends=True)[:40])
    assert (here / "link.jsonl").is_symlink()
    if name == "hard.jsonl":
        assert (here / "twice.jsonl").read_bytes() == before


# Ids that collide


def test_documents_that_a_merge_replaces_are_counted(here: Path) -> None:
    other = [{**one, "text": f"{one['text']} and more"} for one in DOCUMENTS[:1]]
    for count, have, whose in (1, "1 document has", "its"), (5, "5 documents have", "their"):
        said = f"{have} the id of a document of a later file, which takes {whose}"
        more = [{**one, "text": f"{one['text']} and more"} for one in DOCUMENTS[:count]]
        more += [{**one, "id": "own"} for one in other]
        pocketindex.build(write(here / "m.jsonl", more), "m.pocket", profile="docs.pocket")
        done = run("merge", "docs.pocket", "m.pocket", "-o", "x.pocket")
        assert (done.returncode, f"{said} place: doc-0" in done.stderr) == (0, True), done.stderr
        before = (here / "x.pocket").read_bytes()
        done = run("merge", "docs.pocket", "m.pocket", "-o", "x.pocket", "--refuse-replace")
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert said.partition(",")[0] in done.stderr
        assert (here / "x.pocket").read_bytes() == before
        assert not (here / "x.pocket.work").exists()
    with pytest.raises(NotMerged, match="5 documents have the id"):
        pocketindex.merge(["docs.pocket", "m.pocket"], "x.pocket", refuse_replace=True)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"index": ("documents", "words")}, "it has words, and docs.pocket has none"),
        ({"index": ("documents", "passages")}, "it has passages, and docs.pocket has none"),
        ({"keep": "text"}, "keep is 'text', not 'none'"),
        (
            {"titles": True, "index": ("documents", "words")},
            "it has words, and docs.pocket has none, titles is True, not False",
        ),
    ],
)
def test_what_keeps_files_from_being_merged_is_named(
    options: dict[str, object], said: str, here: Path
) -> None:
    pocketindex.build("docs.jsonl", "other.pocket", profile="en", **options)  # type: ignore[arg-type]
    done = run("merge", "docs.pocket", "other.pocket", "-o", "x.pocket")
    assert (done.returncode, done.stderr) == (
        2,
        f"pocketindex: other.pocket: it is built with other settings than docs.pocket: {said}; "
        "build it with the same\n",
    )
    done = run("merge", "other.pocket", "docs.pocket", "-o", "x.pocket")
    assert (done.returncode, "another profile" in done.stderr) == (2, False)


def test_another_profile_and_other_settings_are_named_together(here: Path) -> None:
    write(here / "long.jsonl", list(made_up(80)))
    pocketindex.build("long.jsonl", "other.pocket", profile="learn", titles=True)
    done = run("merge", "docs.pocket", "other.pocket", "-o", "x.pocket")
    assert done.stderr == (
        "pocketindex: other.pocket: it has another profile than docs.pocket, so their sketches "
        "cannot be compared; it is built with other settings than docs.pocket: titles is True, not "
        "False; build it with --profile docs.pocket and with the same settings\n"
    )
