"""Sites with files that are no pages, and builds that were ended or disturbed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from pocketindex.builder.site import pages
from pocketindex.builder.site.cache import cache_of
from pocketindex.cli import main
from sites import made, page, write

pytest.importorskip("resiliparse")

OUT = "_pocketindex"


def contents(site: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (site / OUT).iterdir()}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither")
def test_what_is_no_file_is_left_out(tmp_path: Path) -> None:
    site = write(tmp_path / "site", {"index.html": page("a"), "folder.html/b.html": page("b")})
    os.mkfifo(site / "pipe.html")
    (site / "nowhere.html").symlink_to("gone.html")
    (site / "round.html").symlink_to("round.html")
    (site / "link.html").symlink_to("index.html")
    report = pocketindex.site(site)

    assert {one.path: one.reason for one in report.left_out} == dict.fromkeys(
        ["nowhere.html", "pipe.html", "round.html"], "no file"
    )
    assert report.pages == 3


def denied(where: str, call: Callable[..., Any]) -> Callable[..., Any]:
    def asked(path: Any, *arguments: Any, **options: Any) -> Any:
        if str(path).endswith(where):
            raise PermissionError(13, "Permission denied", str(path))
        return call(path, *arguments, **options)

    return asked


def test_what_cannot_be_read_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    site = write(tmp_path / "site", {name: page("a") for name in ("a.html", "b.html", "c/d.html")})
    pocketindex.site(site)
    monkeypatch.setattr(pages, "open", denied("b.html", open), raising=False)
    monkeypatch.setattr(os, "scandir", denied("/c", os.scandir))

    assert main(["site", str(site)]) == 0
    said = capsys.readouterr().err
    assert "left out: 2 files" in said
    assert "  b.html: it cannot be read: Permission denied\n" in said
    assert "  c/: it cannot be read\n" in said
    assert "1 page (en 1)" in said


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are any bytes on Linux alone")
def test_a_name_that_is_no_text(tmp_path: Path) -> None:
    site = write(tmp_path / "site", {"a.html": page("a")})
    odd = os.fsencode(site) + b"/caf\xe9.html"
    with open(odd, "w") as file:
        file.write(page("coffee"))
    with open(os.fsencode(site) + b"/gone\xe9.html", "w"):
        pass

    command = [sys.executable, "-m", "pocketindex", "site", str(site), "--json"]
    done = subprocess.run(command, env={**os.environ, "LC_ALL": "C"}, stdout=subprocess.PIPE)
    (gone,) = json.loads(done.stdout.decode())["left_out"]
    assert gone["path"] == os.fsdecode(b"gone\xe9.html")
    assert b"caf%E9.html" in b"".join(
        pages_of for name, pages_of in plain(site).items() if name.startswith("t-")
    )
    assert pocketindex.site(site).parsed == 0


def plain(site: Path) -> dict[str, bytes]:
    from pocketindex.builder.site.pieces import content_of

    return {n: content_of(own) for n, own in contents(site).items() if n[:2] in ("t-", "w-", "a-")}


@pytest.mark.parametrize("how", [lambda own: own[:50], lambda own: own + b"x", len])
def test_pieces_of_a_build_that_was_killed_are_written_over(
    tmp_path: Path, how: Callable[[bytes], Any]
) -> None:
    site = write(tmp_path / "site", made(5))
    pocketindex.site(site, cache=False)
    whole = contents(site)
    for name, own in whole.items():
        if name[1] == "-":
            (site / OUT / name).write_bytes(bytes(how(own)))
    pocketindex.site(site, cache=False)

    assert contents(site) == whole


def test_what_a_cache_left_on_a_full_disk_is_gone(tmp_path: Path) -> None:
    site = write(tmp_path / "site", made(5))
    pocketindex.site(site)
    file = cache_of(site)
    file.write_bytes(b"no cache" * 1000)
    journal = file.with_name(f"{file.name}-journal")
    journal.write_bytes(b"of a build that is no more")
    report = pocketindex.site(site)

    assert report.parsed == 5
    assert not journal.exists()
    assert pocketindex.site(site).parsed == 0


def taken_before(unlink: Callable[..., None]) -> Callable[..., None]:
    def asked(path: Path, **options: Any) -> None:
        os.unlink(path)
        unlink(path, **options)

    return asked


def test_a_file_that_another_build_takes_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = write(tmp_path / "site", made(5))
    for seed in (1, 2, 3):  # what the first one has written goes with the third
        write(site, made(5, seed))
        if seed == 3:
            monkeypatch.setattr(Path, "unlink", taken_before(Path.unlink))
        report = pocketindex.site(site, cache=False)

    assert report.files == len(contents(site))
