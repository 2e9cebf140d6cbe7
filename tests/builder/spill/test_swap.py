"""A folder that stays, and whose content is swapped by renames: at every moment the old content or
the new one is there, or can be brought back. tests/builder/spill/test_exchange.py has the others.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from pocketindex.builder.spill import swap
from pocketindex.builder.spill.swap import KEPT_BACK, folder_replaced, settle

OLD = {"index.html": "old", "c0/a": "old a", "c1/b": "old b", "gone.txt": "old"}
NEW = {"index.html": "new", "c0/a": "new a", "c2/d": "new d", "more.txt": "new"}
OTHERS = {".Trashes/x": "of the system", "notes.txt": "of somebody"}


def own(name: str) -> bool:
    return not name.startswith(".") and name != "notes.txt"


def put(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def content(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture(autouse=True)
def stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(swap, "_exchanged", lambda *_: False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    put(tmp_path / "disc", OLD | OTHERS)
    return tmp_path / "disc"


def shown_of(files: dict[str, str]) -> dict[str, str]:
    return {name: text for name, text in (files | OTHERS).items() if name[0] != "."}


class Killed(BaseException):
    """Stands for a kill: nothing of what a process does after it happens."""


def replaced(folder: Path) -> None:
    with folder_replaced(folder, own) as fresh:
        put(fresh, NEW)


def renames(folder: Path, monkeypatch: pytest.MonkeyPatch, at: int, error: BaseException) -> bool:
    """Replace the content of a folder, with an error instead of the rename of this number; whether
    there was one.
    """
    whole, seen = os.rename, 0

    def rename(*arguments: Any, **more: Any) -> None:
        nonlocal seen
        seen += 1
        if seen == at:
            raise error
        whole(*arguments, **more)

    with monkeypatch.context() as patch:
        patch.setattr(os, "rename", rename)
        if isinstance(error, Killed):
            patch.setattr(swap, "_back", lambda *_: None)
        try:
            replaced(folder)
        except type(error):
            assert seen >= at
            return True
    return False


def test_what_is_not_its_own_stays(folder: Path) -> None:
    inode = folder.stat().st_ino
    replaced(folder)
    assert content(folder) == NEW | OTHERS
    assert folder.stat().st_ino == inode
    assert {path.name for path in folder.iterdir()}.isdisjoint(KEPT_BACK)


def test_a_folder_that_is_not_there_comes_when_it_is_whole(tmp_path: Path) -> None:
    with folder_replaced(tmp_path / "a" / "b", own) as fresh:
        put(fresh, NEW)
        assert not (tmp_path / "a" / "b").exists()
    assert content(tmp_path / "a" / "b") == NEW
    with pytest.raises(ValueError, match="of the writer"), folder_replaced(tmp_path / "c", own):
        raise ValueError("of the writer")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize("error", [OSError(5, "Input/output error"), KeyboardInterrupt()])
def test_an_error_at_any_rename_brings_the_old_content_back(
    folder: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    at = 1
    while renames(folder, monkeypatch, at, error):
        assert content(folder) == OLD | OTHERS, at
        assert {path.name for path in folder.iterdir()}.isdisjoint(KEPT_BACK)
        at += 1
    assert at > 9
    assert content(folder) == NEW | OTHERS


@pytest.mark.parametrize("again", range(4))
def test_a_kill_at_any_rename_is_finished_by_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, again: int
) -> None:
    """Also where the next run is killed in its turn."""
    at = 1
    while True:
        folder = tmp_path / str(at)
        put(folder, OLD | OTHERS)
        if not renames(folder, monkeypatch, at, Killed()):
            break
        shown = {name: text for name, text in content(folder).items() if name[0] != "."}
        assert "index.html" not in shown or shown in (shown_of(OLD), shown_of(NEW)), at
        texts = sorted(content(folder).values())
        if at > 1:  # before it nothing has begun
            assert set(texts) >= {*NEW.values(), *OTHERS.values()}
            whole, left = os.rename, again

            def rename(*arguments: Any, whole: Any = whole, **more: Any) -> None:
                nonlocal left
                left -= 1
                if left == -1:
                    raise Killed
                whole(*arguments, **more)

            with monkeypatch.context() as patch:
                patch.setattr(os, "rename", rename)
                with contextlib.suppress(Killed):
                    settle(folder, own)
        settle(folder, own)
        expected = OLD if at == 1 else NEW
        assert content(folder) == expected | OTHERS, at
        assert {path.name for path in folder.iterdir()}.isdisjoint(KEPT_BACK)
        at += 1
    assert at > 9


def test_what_is_given_up_is_not_taken_for_whole(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing can be renamed, and half of what is new is gone when the process is killed."""
    whole, seen = os.rename, 0

    def once(*arguments: Any, **more: Any) -> None:
        nonlocal seen
        seen += 1
        if seen > 1:
            raise OSError(5, "Input/output error")
        whole(*arguments, **more)

    def half(path: Path, **_: Any) -> None:
        if path.name == swap.NEW:
            (path / "index.html").unlink()
            raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(os, "rename", once)
        patch.setattr(shutil, "rmtree", half)
        with pytest.raises(Killed):
            replaced(folder)
    assert (folder / swap.GIVEN_UP).is_dir()
    settle(folder, own)
    assert content(folder) == OLD | OTHERS
    assert {path.name for path in folder.iterdir()}.isdisjoint(KEPT_BACK)


def test_where_nothing_can_be_renamed_back_the_message_says_where_all_is(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, seen = os.rename, 0

    def rename(*arguments: Any, **more: Any) -> None:
        nonlocal seen
        seen += 1
        if seen >= 3:
            raise OSError(30, "Read-only file system")
        whole(*arguments, **more)

    with monkeypatch.context() as patch:
        patch.setattr(os, "rename", rename)
        with pytest.raises(OSError, match=r"the old content is in \.old-content and here, the new"):
            replaced(folder)
    replaced(folder)
    assert content(folder) == NEW | OTHERS
