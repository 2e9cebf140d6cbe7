"""The work folder of a build belongs to who builds: what others put in its place is refused, and
nobody else looks in.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from pocketindex.builder.spill.folder import work_folder
from pocketindex.builder.spill.journal import NotResumed, WorkFolder
from pocketindex.builder.spill.replace import replacing, sweep

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX permissions")
STRANGER = 65_533  # a user that has no name
as_root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="two users: needs root"
)


def build_once(target: Path, resume: bool = False) -> WorkFolder:
    with (
        work_folder(target, {"begun": "so"}, resume, lambda note: None) as work,
        work.file("documents-000000") as file,
    ):
        file.write(b"text")
    return work


def refused(target: Path) -> str:
    with pytest.raises(NotResumed) as caught:
        build_once(target)
    return str(caught.value)


@pytest.fixture
def shared() -> Iterator[Path]:
    """Make a folder where everybody may write, as /tmp."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o1777)
    yield folder
    shutil.rmtree(folder)


def stranger(script: str, *arguments: Path) -> subprocess.CompletedProcess[str]:
    """Another user runs a shell script."""
    return subprocess.run(
        ["sh", "-c", script, "sh", *map(str, arguments)],
        user=STRANGER,
        group=STRANGER,
        capture_output=True,
        text=True,
    )


@as_root
def test_a_folder_that_another_user_prepared_is_refused(shared: Path, tmp_path: Path) -> None:
    target = shared / "x.pocket"
    work = shared / "x.pocket.work"
    victim = tmp_path / "victim"
    victim.write_text("precious")
    assert stranger('mkdir -m 777 "$1"; ln -s "$2" "$1/lock"', work, victim).returncode == 0

    expected = f"{work}: in the way: it belongs to user {STRANGER}, expected user 0, who builds; "
    assert (
        refused(target)
        == expected + "move it away, or build in a folder where nobody else may write"
    )
    assert victim.read_text() == "precious"

    (work / "lock").unlink()
    assert stranger('touch "$1/lock" "$1/journal"', work).returncode == 0
    assert refused(target).startswith(expected)
    assert sorted(path.name for path in work.iterdir()) == ["journal", "lock"]


@as_root
def test_a_folder_that_another_user_linked_is_refused(shared: Path, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    for name in ("lock", "journal", "profile", "tax.pdf"):
        (precious / name).write_text("precious")
    assert stranger('ln -s "$1" "$2"', precious, shared / "x.pocket.work").returncode == 0

    work = shared / "x.pocket.work"
    assert (
        refused(shared / "x.pocket")
        == f"{work}: in the way: it is a link or a file, no folder of a build; move it away"
    )
    assert [path.read_text() for path in precious.iterdir()] == ["precious"] * 4


@as_root
def test_nobody_else_looks_in(shared: Path) -> None:
    before = os.umask(0)
    try:
        with work_folder(shared / "x.pocket", {}, False, lambda note: None) as work:
            with work.file("profile") as file:
                file.write(b"secret")
            seen = stranger('ls "$1"; cat "$1/profile"; touch "$1/mine"', work.folder)
            modes = {
                path.name: path.stat().st_mode & 0o777
                for path in (work.folder, *work.folder.iterdir())
            }
    finally:
        os.umask(before)
    assert (seen.stdout, seen.stderr.count("Permission denied")) == ("", 3)
    assert modes == {"x.pocket.work": 0o700, "lock": 0o600, "journal": 0o600, "profile": 0o600}
    assert list(shared.iterdir()) == []


@as_root
def test_what_another_user_calls_a_temporary_file_stays(shared: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    litter = shared / f".x.pocket.{ended.pid}.tmp"
    assert stranger('mkdir "$1"; touch "$1/theirs"', litter).returncode == 0
    sweep(shared / "x.pocket")
    assert (litter / "theirs").exists()


def test_an_open_folder_of_ours_is_closed_to_others(tmp_path: Path) -> None:
    work = tmp_path / "x.pocket.work"
    work.mkdir(0o755)
    with work_folder(tmp_path / "x.pocket", {}, False, lambda note: None):
        assert work.stat().st_mode & 0o777 == 0o700


def test_a_link_or_a_file_in_its_place_is_refused(tmp_path: Path) -> None:
    elsewhere, work = tmp_path / "elsewhere", tmp_path / "x.pocket.work"
    elsewhere.mkdir()
    work.symlink_to(elsewhere)
    assert "is a link or a file" in refused(tmp_path / "x.pocket")
    assert list(elsewhere.iterdir()) == []
    work.unlink()
    work.symlink_to(tmp_path / "nowhere")
    assert "is a link or a file" in refused(tmp_path / "x.pocket")
    work.unlink()
    work.write_text("mine")
    assert "is a link or a file" in refused(tmp_path / "x.pocket")
    assert work.read_text() == "mine"


@pytest.mark.parametrize("name", ["tax.pdf", "lock", "journal", "documents-000000.txt", "..."])
def test_a_folder_with_anything_else_in_it_is_refused(name: str, tmp_path: Path) -> None:
    work, precious = tmp_path / "x.pocket.work", tmp_path / "precious"
    precious.write_text("precious")
    work.mkdir()
    for own in ("lock", "journal"):
        (work / own).touch()
    (work / name).unlink(missing_ok=True)
    (work / name).symlink_to(precious)

    assert refused(tmp_path / "x.pocket") == (
        f"{work}: in the way: it is no folder of a build: {name!r} is none of its files; move "
        "it away"
    )
    assert precious.read_text() == "precious"


def test_what_is_put_in_meanwhile_stays(tmp_path: Path) -> None:
    work = tmp_path / "x.pocket.work"
    with work_folder(tmp_path / "x.pocket", {}, False, lambda note: None):
        (work / "tax.pdf").write_text("precious")
    assert [path.name for path in work.iterdir()] == ["tax.pdf"]
    assert [path.name for path in tmp_path.iterdir()] == ["x.pocket.work"]


@pytest.mark.parametrize("name", ["{precious}", "../precious", "./profile", "lock", "tax.pdf"])
def test_a_journal_names_files_of_its_folder_alone(name: str, tmp_path: Path) -> None:
    """An entry of another file is damage: what came before it is kept, and the build goes on from
    there.
    """
    precious, work = tmp_path / "precious", tmp_path / "x.pocket.work"
    precious.write_bytes(b"precious")
    with (
        pytest.raises(KeyboardInterrupt),
        work_folder(tmp_path / "x.pocket", {}, False, lambda note: None) as begun,
    ):
        begun.enter("read", position={})
        with begun.file("profile") as file:
            file.write(b"precious")
        begun.enter("profile", (name.format(precious=precious), file))
        shutil.copytree(work, tmp_path / "kept")
        raise KeyboardInterrupt
    (tmp_path / "kept").rename(work)
    with work_folder(tmp_path / "x.pocket", {}, True, lambda note: None) as resumed:
        assert [entry["kind"] for entry in resumed.entries] == ["read"]
        assert [
            json.loads(line.partition(b" ")[2])
            for line in (work / "journal").read_bytes().splitlines()
        ] == [{}, *resumed.entries]
    assert precious.read_bytes() == b"precious"


def test_a_temporary_file_is_no_way_out(tmp_path: Path) -> None:
    """Where another user has guessed the name of a temporary file and put a link there, the target
    is not written through it.
    """
    precious, target = tmp_path / "precious", tmp_path / "file"
    precious.write_text("precious")
    (tmp_path / f".file.{os.getpid()}.tmp").symlink_to(precious)
    with replacing(target) as out:
        out.write(b"new")
    assert (precious.read_text(), target.read_text()) == ("precious", "new")


def test_where_none_can_be_made_it_is_not_tried_for_ever(tmp_path: Path) -> None:
    with (
        pytest.raises(FileNotFoundError),
        work_folder(tmp_path / "gone" / "x.pocket", {}, False, lambda note: None),
    ):
        pass
