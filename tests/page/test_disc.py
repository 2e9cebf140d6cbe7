"""The folder that `pocketindex disc` writes: the file's bytes in few scripts, the same each time,
and nothing that a name could break.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import sys
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pocketindex
import pytest
import run_command
from core_sources import script
from places import GOLDEN, ROOT
from pocketindex.builder.page import cut, folder
from pocketindex.builder.page.folder import Settings, write
from pocketindex.builder.page.page import BROWSERS
from pocketindex.builder.sections.pocket_file import PocketFile
from pocketindex.builder.spill.output import Output
from pocketindex.errors import Damaged, NotAPocketFile
from written_page import collections, on_page

SHARD = re.compile(rb'pocketShard\("([0-9a-f]{16})",(\d+),"((?:[^"\\\n\r]|\\["\\nr])*)"\);\n')
ESCAPES = {b"n": b"\n", b"r": b"\r"}


def tree(target: Path) -> dict[str, str]:
    """SHA-256 of every file."""
    paths = (path for path in target.rglob("*") if path.is_file())
    return {
        path.relative_to(target).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in paths
    }


def unpacked(target: Path, described: dict[str, Any]) -> dict[int, int]:
    """Every byte that the shards hold, by its offset; a shard's checks on the way."""
    out: dict[int, int] = {}
    for number, (name, ranges) in enumerate(described["shards"]):
        call = SHARD.fullmatch((target / described["folder"] / name).read_bytes())
        assert call
        assert (call[1].decode(), int(call[2])) == (described["identity"], number)
        data = zlib.decompress(
            re.sub(rb"\\(.)", lambda escape: ESCAPES.get(escape[1], escape[1]), call[3]), -15
        )
        for offset, length in zip(ranges[::2], ranges[1::2], strict=True):
            for at in range(length):
                assert offset + at not in out
                out[offset + at] = data[at]
            data = data[length:]
        assert data == b""
    return out


@pytest.mark.parametrize("name", ["radix", "rff-wide", "empty", "short-alone"])
def test_the_shards_hold_the_files_bytes(name: str, tmp_path: Path) -> None:
    path = GOLDEN / f"{name}.pocket"
    write([str(path)], tmp_path / "out")
    (described,) = collections(tmp_path / "out")
    data, held = path.read_bytes(), unpacked(tmp_path / "out", described)

    assert all(data[at] == byte for at, byte in held.items())
    with PocketFile(path) as file:
        sections = file.sections
    for section in sections:
        end = (
            section.offset + section.head + section.ends[-1]
            if section.ends and section.kind in (2, 3, 4, 12)
            else section.offset + section.head
        )
        assert set(range(section.offset, end)) <= set(held)
    assert set(range(sections[0].offset)) <= set(held)


def test_the_same_input_gives_the_same_bytes(pocket: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        write(
            [str(pocket), str(GOLDEN / "radix.pocket")],
            tmp_path / name,
            Settings(title="Zwei", with_file=True),
        )

    assert tree(tmp_path / "a") == tree(tmp_path / "b")
    assert not list(tmp_path.glob(".*"))


def test_without_scripts_there_are_the_files_alone(pocket: Path, tmp_path: Path) -> None:
    written = write([str(pocket)], tmp_path / "out", Settings(scripts=False))
    name = f"c0/{folder.safe_name(pocket.stem)}.pocket"
    assert set(written.files) == {"index.html", "readme.txt", name}
    assert (written.folder / name).read_bytes() == pocket.read_bytes()
    (described,) = collections(written.folder)
    assert (described["shards"], described["file"], described["size"]) == (
        [],
        name,
        pocket.stat().st_size,
    )
    assert "choose a .pocket file" in (written.folder / "readme.txt").read_text()


def test_the_manifest_lists_every_file(pocket: Path, tmp_path: Path) -> None:
    written = write([str(pocket)], tmp_path / "out", Settings(with_file=True))
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    found = tree(tmp_path / "out")
    del found["manifest.json"]

    assert {name: entry["sha256"] for name, entry in manifest["files"].items()} == found
    assert all(
        (tmp_path / "out" / name).stat().st_size == entry["bytes"]
        for name, entry in manifest["files"].items()
    )
    assert (tmp_path / "out" / "c0" / "docs.pocket").read_bytes() == pocket.read_bytes()
    own = (tmp_path / "out" / "manifest.json").stat().st_size
    assert written.size == own + sum(entry["bytes"] for entry in manifest["files"].values())


def test_names_fit_fat_and_iso_9660(tmp_path: Path) -> None:
    hostile = tmp_path / 'A "very" <long> & Ünsafe name, CON.aux; with ? and more of it.pocket'
    hostile.write_bytes((GOLDEN / "radix.pocket").read_bytes())
    write(
        [str(hostile)], tmp_path / "out", Settings(programs=str(stand_ins(tmp_path / "programs")))
    )
    parts = {part for name in tree(tmp_path / "out") for part in name.split("/")}

    assert all(re.fullmatch(r"[a-z0-9_]{1,20}(\.[a-z]{1,8})?", part) for part in parts), parts
    assert collections(tmp_path / "out")[0]["name"] == hostile.stem


def test_the_number_of_shards_is_bounded(
    pocket: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = tuple(replace(kind, smallest=1) for kind in cut.KINDS)
    for module in (cut, folder):
        monkeypatch.setattr(module, "KINDS", small)
    for most in (3, 8, 20, 1024):
        monkeypatch.setattr(cut, "MOST_SHARDS", most)
        pieces = cut.cut(str(pocket))
        counts = [len(shards) for shards in pieces.shards.values()]
        assert max(counts) <= most
        assert most == 1024 or counts[0] >= most // 5

    write([str(pocket)], tmp_path / "out")
    assert len({name.split("/")[1] for name in tree(tmp_path / "out") if "/" in name}) <= 4
    monkeypatch.setattr(cut, "LARGEST", 100)
    with pytest.raises(
        ValueError,
        match=r"too large for a folder of scripts: expected at most 102,400 bytes, found [\d,]+; "
        r"give away",
    ):
        cut.cut(str(pocket))


def test_no_title_reaches_the_page_as_markup(tmp_path: Path) -> None:
    title = "</title></script><script>alert(1)</script>{{disc}}&amp;{{script}}"
    path = tmp_path / "a{{core}}<!--.pocket"
    path.write_bytes((GOLDEN / "radix.pocket").read_bytes())
    write([str(path)], tmp_path / "out", Settings(title=title))
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")

    assert "alert(1)</script>" not in page
    assert page.count("</script>") == 5
    assert json.loads(on_page(tmp_path / "out", "disc"))["title"] == title
    assert collections(tmp_path / "out")[0]["name"] == path.stem


def test_the_policy_names_the_pages_scripts_and_style(pocket: Path, tmp_path: Path) -> None:
    write([str(pocket)], tmp_path / "out")
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
    assert policy
    for name, count in (("style", 1), ("script", 2)):
        texts = re.findall(rf"<{name}>(.*?)</{name}>", page, re.S)
        digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()) for text in texts]
        assert len(digests) == count
        assert f"{name}-src " + " ".join(f"'sha256-{one.decode()}'" for one in digests) in policy[1]
    assert policy[1].startswith("default-src 'none'; ")
    assert "unsafe-inline" not in policy[1]
    assert not re.search(
        r"https?://(?!www\.w3\.org/2000/svg)", page.replace(on_page(tmp_path / "out", "disc"), "")
    )


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("https://example.org/", "has neither {id} nor {title}"),
        (
            "javascript:alert('{id}')",
            "must be a relative path or begin with http:, https: or file:",
        ),
        ("data:text/html,{id}", "must be a relative path"),
    ],
)
def test_link_templates_that_lead_nowhere_are_refused(
    template: str, message: str, pocket: Path, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        write([str(pocket)], tmp_path / "out", Settings(link_template=template))
    assert not list(tmp_path.iterdir())


def test_what_is_there_is_kept(pocket: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    for name, message in (
        ("mine", "the folder is not empty and no disc"),
        ("mine/letter.txt", "expected a folder or nothing, found a file"),
    ):
        with pytest.raises(ValueError, match=message):
            write([str(pocket)], tmp_path / name, Settings(force=True))
    assert tree(tmp_path) == {"mine/letter.txt": hashlib.sha256(b"dear").hexdigest()}

    write([str(pocket)], tmp_path / "out")
    before = tree(tmp_path / "out")
    with pytest.raises(ValueError, match="there is a disc already; force=True replaces it"):
        write([str(pocket)], tmp_path / "out")
    (tmp_path / "broken.pocket").write_bytes(
        pocket.read_bytes()[:-1] + bytes([pocket.read_bytes()[-1] ^ 1])
    )
    with pytest.raises(Damaged):
        write([str(tmp_path / "broken.pocket")], tmp_path / "out", Settings(force=True))
    assert tree(tmp_path / "out") == before
    write([str(GOLDEN / "radix.pocket")], tmp_path / "out", Settings(force=True))
    assert tree(tmp_path / "out") != before


def test_files_that_no_page_can_read_are_refused(
    pocket: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "no.pocket").write_bytes(b"no pocket file at all")
    with pytest.raises(NotAPocketFile):
        write([str(tmp_path / "no.pocket")], tmp_path / "out")
    with monkeypatch.context() as patched:
        patched.setattr(folder, "LARGEST_FILE", 99)
        with pytest.raises(
            ValueError,
            match=r"with_file: expected at most 99 bytes \(FAT32\), found [\d,]+; leave "
            r"with_file out",
        ):
            write([str(pocket)], tmp_path / "out", Settings(with_file=True))
    info = pocketindex.Index.info

    def other_hash(index: pocketindex.Index) -> object:
        found = info(index)
        object.__setattr__(found, "mph", "cmph-bdz")
        return found

    monkeypatch.setattr(pocketindex.Index, "info", other_hash)
    with pytest.raises(
        ValueError,
        match="a page has no libcmph, and this file's perfect hash is cmph-bdz; build it with "
        'mph="pilot"',
    ):
        write([str(pocket)], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return run_command.run("disc", *arguments)


def test_the_command(pocket: Path, tmp_path: Path) -> None:
    done = run(pocket, GOLDEN / "radix.pocket", tmp_path / "out", "--load-once", "3000")
    sizes = tree(tmp_path / "out")

    assert (done.returncode, done.stdout) == (0, "")
    assert f"{len(sizes)} files, " in done.stderr
    assert re.search(
        r"docs: 300 documents; a first query loads [\d,]+ bytes and parts of [\d,]+\n", done.stderr
    )
    assert re.search(
        r"radix: \d+ documents; a first query loads [\d,]+ bytes, [\d,]+ of them with the page\n",
        done.stderr,
    )
    assert [described["once"] for described in collections(tmp_path / "out")] == [False, True]

    again = run(pocket, tmp_path / "out")
    assert (again.returncode, again.stderr) == (
        2,
        f"pocketindex: {tmp_path / 'out'}: there is a disc already; --force replaces it\n",
    )
    said = json.loads(run(pocket, tmp_path / "out", "--force", "--json").stdout)
    assert said["files"] == len(tree(tmp_path / "out"))
    assert said["collections"][0]["look_up"] > 0


def test_the_image_holds_the_folder(
    pocket: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pycdlib = pytest.importorskip("pycdlib", reason="needs pycdlib")
    from pocketindex.builder.page import iso

    write([str(pocket)], tmp_path / "out", Settings(programs=str(stand_ins(tmp_path / "programs"))))
    for name, zone in (("a.iso", "UTC"), ("b.iso", "Asia/Tokyo")):
        monkeypatch.setenv("TZ", zone)
        iso.write_iso(tmp_path / "out", Output(tmp_path / name, iso.IMAGE), "Zwölf Hefte")
    assert (tmp_path / "a.iso").read_bytes() == (tmp_path / "b.iso").read_bytes()

    image = pycdlib.PyCdlib()
    image.open(str(tmp_path / "a.iso"))
    for name in tree(tmp_path / "out"):
        for place in ({"joliet_path": f"/{name}"}, {"iso_path": f"/{name.upper()};1"}):
            image.get_file_from_iso(str(tmp_path / "one"), **place)
            assert (tmp_path / "one").read_bytes() == (tmp_path / "out" / name).read_bytes()
    image.close()


def test_the_extra_is_named_where_it_is_missing(pocket: Path, tmp_path: Path) -> None:
    code = (
        "import importlib.util as util, sys; find = util.find_spec; "
        "util.find_spec = lambda name: None if name == 'pycdlib' else find(name); "
        "from pocketindex.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    command = [
        sys.executable,
        "-c",
        code,
        "disc",
        pocket,
        tmp_path / "out",
        "--iso",
        tmp_path / "a.iso",
    ]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)

    assert (done.returncode, done.stderr) == (
        2,
        "pocketindex: --iso needs pycdlib: pip install 'pocketindex[disc]'\n",
    )
    assert not (tmp_path / "out").exists()


def stand_ins(folder: Path) -> Path:
    """A folder as `make programs` fills it, of files that are no programs, and one thing more."""
    make = script(ROOT / "programs" / "make_programs.py")
    folder.mkdir()
    for target in make.TARGETS:
        make.program(folder, target).write_text(f"for {target}")
    (folder / "notes.txt").write_text("mine")
    return folder


def test_programs_are_put_in_with_the_files_that_they_ask(pocket: Path, tmp_path: Path) -> None:
    written = write(
        [str(pocket)], tmp_path / "out", Settings(programs=str(stand_ins(tmp_path / "programs")))
    )
    found = {name for name in tree(tmp_path / "out") if name.startswith("programs/")}
    readme = (tmp_path / "out" / "readme.txt").read_text("ascii")

    assert found == {
        f"programs/{system}_{machine}/pocketquery{'.exe' if system == 'windows' else ''}"
        for system in ("linux", "macos", "windows")
        for machine in ("x64", "arm64")
    }
    assert found <= set(written.files)
    assert (tmp_path / "out" / "programs/macos_arm64/pocketquery").read_text() == "for macos-arm64"
    assert all((tmp_path / "out" / name).stat().st_mode & 0o111 == 0o111 for name in found)
    assert (tmp_path / "out" / "c0" / "docs.pocket").read_bytes() == pocket.read_bytes()
    assert "    programs/linux_x64/pocketquery c0/docs.pocket TEXT.txt\n" in readme
    assert "    programs\\windows_arm64\\pocketquery.exe c0\\docs.pocket TEXT.txt\n" in readme
    assert (
        "programs"
        not in (write([str(pocket)], tmp_path / "plain").folder / "readme.txt").read_text()
    )


def test_without_programs_it_says_where_they_come_from(
    pocket: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "empty").mkdir()
    for name in ("empty", "nowhere"):
        done = run(pocket, tmp_path / "out", "--with-programs", tmp_path / name)
        assert (done.returncode, done.stderr) == (
            2,
            f"pocketindex: {tmp_path / name}: --with-programs: expected a folder with "
            "pocketquery-linux-x64 and the like, found none; "
            "`make programs` builds them from the sources of pocketindex, in build/programs\n",
        )
        assert not (tmp_path / "out").exists()
    monkeypatch.setattr(folder, "LARGEST_FILE", 99)
    with pytest.raises(
        ValueError,
        match=r"with_programs: expected at most 99 bytes .*; leave with_programs out",
    ):
        write(
            [str(pocket)],
            tmp_path / "out",
            Settings(programs=str(stand_ins(tmp_path / "programs"))),
        )


def test_one_choice_of_browsers_everywhere(pocket: Path, tmp_path: Path) -> None:
    root, disc = ROOT, write([str(pocket)], tmp_path / "out").folder
    told = [(root / name).read_text(encoding="utf-8") for name in ("README.md", "docs/disc.md")]
    told += [(disc / name).read_text(encoding="utf-8") for name in ("index.html", "readme.txt")]
    for text in told:
        said = text.split("<script")[0].replace("Chrome or Edge 103", "Chrome 103, Edge 103")
        assert f"{BROWSERS} or newer" in said
        assert len(re.findall(r"(?:Chrome|Edge|Firefox|Safari) \d+", said)) == 4


def test_a_file_in_the_disc_that_is_replaced_is_not_lost(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write([str(GOLDEN / "radix.pocket")], out, Settings(with_file=True))
    (inside,) = out.rglob("*.pocket")
    with pytest.raises(ValueError, match=r"radix\.pocket: it lies in .*out, which is replaced"):
        write([str(inside)], out, Settings(force=True))
    before = inside.read_bytes()
    write([str(inside)], out, Settings(force=True, with_file=True))
    assert inside.read_bytes() == before


def test_a_folder_that_is_there_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some folders cannot be replaced: a link, a mounted stick, the one that a shell is in."""
    pocket = str(GOLDEN / "radix.pocket")
    write([pocket], tmp_path / "out")
    expected = tree(tmp_path / "out")
    there = tmp_path / "there"
    there.mkdir()
    (tmp_path / "link").symlink_to(there)
    (there / ".there.123.tmp").mkdir()  # of a process that was killed
    write([pocket], tmp_path / "link")
    assert tree(there) == expected
    assert (tmp_path / "link").is_symlink()
    monkeypatch.chdir(there)
    number = there.stat().st_ino
    write([pocket], Path(), Settings(force=True))
    assert tree(there) == expected
    assert there.stat().st_ino == number
    assert {entry.name for entry in there.iterdir()} == {name.split("/")[0] for name in expected}


def test_what_is_not_of_the_disc_is_not_lost(tmp_path: Path) -> None:
    pocket, out = str(GOLDEN / "radix.pocket"), tmp_path / "out"
    write([pocket], out)
    mine = out / "c0" / "mine.txt"
    mine.write_text("a note")
    with pytest.raises(ValueError, match=r"c0/mine\.txt is not of the disc .*; move it away"):
        write([pocket], out, Settings(force=True))
    assert mine.read_text() == "a note"
    mine.rename(out / "c0" / ".DS_Store")
    write([pocket], out, Settings(force=True))
    (out / "manifest.json").write_text("{")
    with pytest.raises(ValueError, match=r"manifest\.json is damaged, so nothing says which files"):
        write([pocket], out, Settings(force=True))


def test_the_bytes_that_are_said_are_those_of_the_files(tmp_path: Path) -> None:
    """What a question, a hit that is shown and its text load of a disc."""
    out = tmp_path / "out"
    said = json.loads(run(GOLDEN / "text.pocket", out, "--json").stdout)
    (loads,) = said["collections"]
    scripts = {letter: sorted((out / "c0").glob(f"{letter}*/*.js")) for letter in "ldt"}
    sizes = {letter: [path.stat().st_size for path in own] for letter, own in scripts.items()}

    assert loads["look_up"] == loads["first"] == sum(sizes["l"])
    assert loads["opening"] == sum(
        (out / name).stat().st_size for name in ("index.html", "c0/heads.js")
    )
    for part, letter in ("titles", "d"), ("texts", "t"):
        assert loads[part] == {"total": sum(sizes[letter]), "largest": max(sizes[letter])}
    every = [path.stat().st_size for path in out.rglob("*") if path.is_file()]
    assert (said["files"], said["bytes"]) == (len(every), sum(every))
