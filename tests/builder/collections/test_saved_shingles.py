"""dedup --save-shingles, and --against what it has written."""

from __future__ import annotations

import hashlib
import json
import re
import struct
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up import made_up
from near_duplicates import collection, write
from plain.conventions import crc32c, mix, murmur
from pocketindex.builder.collections.shingles.saved import Saved
from pocketindex.builder.collections.shingles.sets import sets_of
from pocketindex.builder.inputs.source import SourceError
from run_command import run


def plain_shingles(text: str) -> list[int]:
    """Hash the shingles of a text of ASCII letters, digits and signs, as the page of the format
    has it.
    """
    hashes, before = list[int](), 0
    was_plain = False
    for found in re.finditer(r"[a-z0-9]+", text):
        term = found[0]
        value, is_plain = murmur(term.encode()), len(term) == 1 or term.isdecimal()
        between = text[before : found.start()]
        if was_plain and is_plain and re.fullmatch(r"[ ()\[\]+\-*/=<>^%]*", between):
            sign = 0
            for one in between:
                if one not in " ()[]":
                    sign = mix((sign + ord(one)) % 2**64)
            value = mix((value + sign) % 2**64) if sign else value
        hashes.append(value)
        before, was_plain = found.end(), is_plain
    runs = [hashes[i : i + 5] for i in range(max(len(hashes) - 4, min(len(hashes), 1)))]
    return sorted({murmur(b"".join(h.to_bytes(8, "little") for h in run)) for run in runs})


def plain_saved(data: bytes) -> list[tuple[bytes, list[int], list[Any]]]:
    """Read a file as the page of the format has it: of each document its digest, hashes and
    names.
    """
    magic, major, minor, terms, count, reserved, crc = struct.unpack_from("<8sHHIQII", data)
    assert magic == bytes.fromhex("8950434B530D0A1A")
    assert (major, minor, terms, reserved, crc) == (1, 0, 5, 0, crc32c(data[:28]))
    found, at = list[tuple[bytes, list[int], list[Any]]](), 32
    while at < len(data):
        start = at
        n, b, h = struct.unpack_from("<IIQ", data, at)
        digests, hashes, sizes = at + 16, at + 16 + 16 * n, at + 16 + 16 * n + 8 * h
        names = data[sizes + 4 * n :][:b].decode().splitlines()
        at = sizes + 4 * n + b + 4
        assert struct.unpack_from("<I", data, at - 4)[0] == crc32c(data[start : at - 4])
        place = hashes
        for i in range(n):
            (size,) = struct.unpack_from("<I", data, sizes + 4 * i)
            own = struct.unpack_from(f"<{size}Q", data, place)
            place += 8 * size
            found.append((data[digests + 16 * i :][:16], list(own), json.loads(names[i])))
        assert place == sizes
    assert len(found) == count
    return found


SIGNS = "1 + x = 2 and (a - b) * 10 / c, 3-4\n- 5 then a-bc"


def test_a_file_is_as_the_page_of_the_format_says(tmp_path: Path) -> None:
    texts = ["one two three", "a rose is a rose is a rose is a rose", f"  {SIGNS}\n", "..."]
    source = write(tmp_path / "a.jsonl", [{"id": f"d{i}", "text": t} for i, t in enumerate(texts)])
    saved = tmp_path / "a.shingles"
    done = run("dedup", source, "-o", tmp_path / "o.jsonl", "--save-shingles", saved)
    assert f"{saved}: the 5-grams of 4 documents" in done.stderr
    expected = [
        (
            hashlib.blake2b(" ".join(text.split()).encode(), digest_size=16).digest(),
            plain_shingles(text),
            [f"d{number}", str(source), number + 1],
        )
        for number, text in enumerate(texts)
    ]
    assert plain_saved(saved.read_bytes()) == expected


@settings(max_examples=100, deadline=None)
@given(st.text("ab1 2+-=()\n,", max_size=60))
def test_hashes_are_those_of_the_page(text: str) -> None:
    assert sets_of([text.encode()])[0].tolist() == plain_shingles(text)


@pytest.fixture
def months(tmp_path: Path) -> tuple[Path, Path]:
    """Some documents, and some later ones, of which some are near to or equal those."""
    random = Random(3)
    old = collection()
    new = made_up(90)[60:]
    for one in old[:40]:
        words = one["text"].split()
        words[random.randrange(len(words))] = "edited"
        new.append({"id": f"new-{one['id']}", "text": " ".join(words)})
    new += [{"id": f"spaced-{one['id']}", "text": f"\n{one['text']} "} for one in old[40:50]]
    return write(tmp_path / "old.jsonl", old), write(tmp_path / "new.jsonl", new)


@pytest.mark.parametrize("more", [[], ["--min-similarity", ".5"], ["--measure", "containment"]])
def test_what_was_saved_counts_as_the_documents_that_were_kept(
    months: tuple[Path, Path], more: list[str], tmp_path: Path
) -> None:
    old, new = months
    kept, saved = tmp_path / "kept.jsonl", tmp_path / "old.shingles"
    run("dedup", old, "-o", kept, "--save-shingles", saved, *more)
    rows = dict[str, Any]()
    for name, against in (("texts", kept), ("shingles", saved)):
        out, report = tmp_path / f"{name}.jsonl", tmp_path / f"{name}.report.jsonl"
        done = run(
            "dedup", new, "-o", out, "--against", against, "--report", report, "--json", *more
        )
        found = [json.loads(line) for line in report.read_text().splitlines()]
        assert json.loads(done.stdout)["against"] == len(kept.read_text().splitlines())
        rows[name] = (
            out.read_bytes(),
            [
                {k: v for k, v in row.items() if k not in ("kept_source", "kept_line")}
                for row in found
            ],
        )
    assert rows["texts"] == rows["shingles"]
    assert len(rows["shingles"][1]) >= 40
    lines = old.read_text().splitlines()
    for row in found:
        if row["kept_source"] != str(new):
            assert json.loads(lines[row["kept_line"] - 1])["id"] == row["kept"]


def test_files_of_several_months_are_given_together(tmp_path: Path) -> None:
    texts = [one["text"] for one in made_up(4)]
    months = [
        write(tmp_path / f"{i}.jsonl", [{"id": str(i), "text": t}]) for i, t in enumerate(texts)
    ]
    saved = list[str | Path]()
    for number, month in enumerate(months):
        more: list[str | Path] = []
        for one in saved:
            more += ["--against", one]
        own = tmp_path / f"{number}.shingles"
        run("dedup", month, "-o", tmp_path / "o.jsonl", "--save-shingles", own, *more)
        saved.append(own)
    again = [*(x for one in saved for x in ("--against", one))]
    done = run("dedup", *months, "-o", tmp_path / "o.jsonl", "--json", *again)
    assert json.loads(done.stdout)["dropped_against"] == 4


def test_a_run_that_goes_on_saves_the_same(months: tuple[Path, Path], tmp_path: Path) -> None:
    old, _ = months
    saved = [tmp_path / name for name in ("a.shingles", "b.shingles")]
    for one in saved:
        run("dedup", old, "-o", tmp_path / "o.jsonl", "--save-shingles", one, "--resume")
    assert saved[0].read_bytes() == saved[1].read_bytes()


def made(tmp_path: Path) -> tuple[Path, Path]:
    rows = [{"id": one["id"], "text": one["text"]} for one in made_up(3)]
    source = write(tmp_path / "a.jsonl", rows)
    saved = tmp_path / "a.shingles"
    run("dedup", source, "-o", tmp_path / "o.jsonl", "--save-shingles", saved)
    return source, saved


def two_names_on_a_line(data: bytes) -> bytes:
    """Return a file with one block in which the last two names are one line, with its checksum."""
    end = data.rindex(b"\n", 0, len(data) - 5)
    block = data[32:end] + b" " + data[end + 1 : -4]
    return data[:32] + block + crc32c(block).to_bytes(4, "little")


def test_a_damaged_file_is_never_taken_for_a_whole_one(tmp_path: Path) -> None:
    _, saved = made(tmp_path)
    data = saved.read_bytes()
    random = Random(1)
    places = [*range(8, 64), *(random.randrange(64, len(data)) for _ in range(40))]
    changed = [
        data[:i] + bytes([data[i] ^ 1 << random.randrange(8)]) + data[i + 1 :] for i in places
    ]
    changed += [data[:end] for end in (*range(8, 60), len(data) - 1)] + [data + b"x"]
    for content in changed:
        saved.write_bytes(content)
        with pytest.raises(SourceError, match=re.escape(str(saved))):
            for _ in (opened := Saved(str(saved))).blocks():
                pass
            opened.close()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d[:8] + b"\2" + d[9:], r"found version 2 with 5; save the shingles"),
        (
            lambda d: d[:40],
            r"the file ends at byte 40, expected 48 bytes or more",
        ),
        (
            lambda d: d[:-9] + b"?" + d[-8:],
            r"the block at byte 32 is damaged: expected",
        ),
        (lambda d: d + b"more", r"found 4 more bytes"),
        (two_names_on_a_line, r"found 3 with [0-9,]+ and 2 names"),
    ],
)
def test_errors_name_the_file_and_the_place(change: Any, message: str, tmp_path: Path) -> None:
    source, saved = made(tmp_path)
    saved.write_bytes(change(saved.read_bytes()))
    done = run("dedup", source, "-o", tmp_path / "o.jsonl", "--against", saved)
    assert done.returncode == 2
    assert re.search(f"{re.escape(str(saved))}: .*{message}", done.stderr)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (
            ["--measure", "cosine", "--save-shingles", "s"],
            "--save-shingles needs --measure jaccard or",
        ),
        (["--replay", "r.jsonl", "--save-shingles", "s"], "--replay finds no 5-grams; omit"),
        (
            ["--measure", "records", "--against", "a.shingles"],
            "has shingles and no texts, by",
        ),
        (["--save-shingles", "a.jsonl"], "would replace"),
        (["--save-shingles", "other"], "exists and is not a file of saved shingles"),
    ],
)
def test_what_does_not_go_together_is_refused(
    more: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(tmp_path)
    monkeypatch.chdir(tmp_path)
    Path("other").write_text("something else")
    done = run("dedup", "a.jsonl", "-o", "o.jsonl", *more)
    assert done.returncode == 2
    assert message in done.stderr


@pytest.mark.parametrize("command", ["build", "dedup", "info", "query"])
def test_a_file_that_is_given_for_another_kind_is_named(command: str, tmp_path: Path) -> None:
    source, _ = made(tmp_path)
    saved, out = tmp_path / "saved", tmp_path / "out.pocket"
    run("dedup", source, "-o", tmp_path / "o.jsonl", "--save-shingles", saved)
    more = {"build": ("-o", out), "dedup": ("-o", tmp_path / "o.jsonl"), "query": ("some words",)}
    done = run(command, saved, *more.get(command, ()))
    assert done.returncode in (2, 3)
    assert f"{saved}: " in done.stderr
    assert "it is a file of saved shingles; it has no texts; give it to dedup --ag" in done.stderr


def test_a_dry_run_saves_nothing(tmp_path: Path) -> None:
    source, _ = made(tmp_path)
    done = run("dedup", source, "--dry-run", "--save-shingles", tmp_path / "s")
    assert "--dry-run writes no output; omit it, or --save-shingles" in done.stderr
