"""A folder that is exchanged for another in one step: its name stands for the old content or for
the new one, whatever fails, and wherever the process is killed.
"""

from __future__ import annotations

import errno
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pocketindex.builder.spill import swap
from pocketindex.builder.spill.exchange import exchange
from pocketindex.builder.spill.swap import folder_replaced

OLD = {"index.html": "old", "c0/a": "old a", "gone.txt": "old"}
NEW = {"index.html": "new", "c0/a": "new a", "c2/d": "new d"}
OTHERS = {".htaccess": "of the server"}
KILLED = 9
STEPS = ((os, "rename"), (os, "link"), (swap, "exchange"), (shutil, "rmtree"))

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="needs a call of Linux"
)


def own(name: str) -> bool:
    return not name.startswith(".")


def put(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def content(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in folder.rglob("*")
        if path.is_file() and not path.relative_to(folder).parts[0].endswith(".tmp")
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    put(tmp_path / "disc", OLD | OTHERS)
    return tmp_path / "disc"


def replaced(folder: Path) -> None:
    with folder_replaced(folder, own) as fresh:
        put(fresh, NEW)


def interrupted(
    folder: Path, monkeypatch: pytest.MonkeyPatch, at: int, happens: Callable[[], None], after: bool
) -> bool:
    """Replace the content of a folder, and let something happen before or after the step with this
    number; whether there is such a step.
    """
    seen = 0

    def step(whole: Callable[..., Any]) -> Callable[..., Any]:
        def one(*arguments: Any, **more: Any) -> Any:
            nonlocal seen
            seen += 1
            if seen == at and not after:
                happens()
            found = whole(*arguments, **more)
            if seen == at and after:
                happens()
            return found

        return one

    with monkeypatch.context() as patch:
        for module, name in STEPS:
            patch.setattr(module, name, step(getattr(module, name)))
        replaced(folder)
    return seen >= at


@pytest.mark.parametrize("after", [False, True])
def test_a_kill_at_any_step_leaves_the_old_folder_or_the_new_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch, after: bool
) -> None:
    """And the next run leaves nothing of it."""
    found, at, is_killed = list[str](), 1, True
    while is_killed:
        child = os.fork()
        if child == 0:
            try:
                interrupted(folder, monkeypatch, at, lambda: os._exit(KILLED), after)
            finally:
                os._exit(0)
        is_killed = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == KILLED
        assert content(folder) in (OLD | OTHERS, NEW | OTHERS), at
        found.append(content(folder)["index.html"])
        replaced(folder)
        assert content(folder) == NEW | OTHERS
        assert [path.name for path in folder.parent.iterdir()] == [folder.name]
        shutil.rmtree(folder)
        put(folder, OLD | OTHERS)
        at += 1
    # A rename, a link, the exchange, the removal of what is old; and a run to its end.
    assert found == [*["old"] * (2 if after else 3), *["new"] * (3 if after else 2)]


@pytest.mark.parametrize("error", [OSError(5, "Input/output error"), KeyboardInterrupt()])
def test_an_error_at_any_step_leaves_a_whole_folder_and_no_litter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    def fail() -> None:
        raise error

    for at in range(1, 5):
        folder = tmp_path / str(at) / "disc"
        put(folder, OLD | OTHERS)
        try:
            interrupted(folder, monkeypatch, at, fail, after=False)
            raised = False
        except type(error):
            raised = True
        # Where the exchange cannot be done, the entries are moved instead.
        assert raised == (at == 4 or isinstance(error, KeyboardInterrupt))
        assert content(folder) == (OLD if raised and at < 4 else NEW) | OTHERS
        if at < 4:
            assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def test_mode_and_other_files_of_the_folder_stay(folder: Path) -> None:
    folder.chmod(0o2751)
    before = folder.stat().st_ino
    replaced(folder)
    assert content(folder) == NEW | OTHERS
    assert folder.stat().st_mode & 0o7777 == 0o2751
    assert folder.stat().st_ino != before


def test_a_link_to_the_folder_stays_a_link(folder: Path) -> None:
    link = folder.with_name("link")
    link.symlink_to(folder)
    replaced(link)
    assert link.is_symlink()
    assert content(folder) == NEW | OTHERS


@pytest.mark.parametrize("why", ["a folder of others", "the current folder", "no such call"])
def test_the_folder_itself_stays_where_it_has_to(
    folder: Path, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    others = dict(OTHERS)
    if why == "a folder of others":
        others[".git/HEAD"] = "ref: refs/heads/main"
        put(folder, others)
    elif why == "the current folder":
        monkeypatch.chdir(folder / "c0")
    else:
        monkeypatch.setattr(sys, "platform", "other")
    before = folder.stat().st_ino
    replaced(folder)
    assert content(folder) == NEW | others
    assert folder.stat().st_ino == before
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def test_exchange_says_which_name_it_could_not_exchange(folder: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        exchange(folder / "not there", folder)
    assert (caught.value.errno, caught.value.filename) == (errno.ENOENT, str(folder))
