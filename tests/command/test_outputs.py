"""Where commands write: every command that makes a file, to every sort of place."""

from __future__ import annotations

import contextlib
import io
import os
import stat
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pocketindex
import pytest
from made_up import made_up
from near_duplicates import write
from pocketindex.builder.commands.evaluate import _check_output as check_output
from pocketindex.builder.spill import output
from run_command import run

# The command of each output, {out}; the name that it may have; whether a terminal may have it.
COMMANDS: dict[str, tuple[str, str, bool]] = {
    "build": ("build docs.jsonl -o {out} --profile en", "x.pocket", False),
    "build --skipped": (
        "build bad.jsonl -o y.pocket --profile en --skipped {out}",
        "x.jsonl",
        True,
    ),
    "update": ("update docs.pocket more.jsonl -o {out}", "x.pocket", False),
    "merge": ("merge docs.pocket more.pocket -o {out}", "x.pocket", False),
    "pairs": ("pairs twice.jsonl -o {out}", "x.jsonl", True),
    "pairs, CSV": ("pairs twice.jsonl --csv -o {out}", "x.csv", True),
    "dedup": ("dedup twice.jsonl -o {out}", "x.jsonl", True),
    "dedup --report": ("dedup twice.jsonl -o z.jsonl --report {out}", "x.jsonl", True),
    "check": ("check docs.pocket more.jsonl -o {out}", "x.jsonl", True),
    "profile": ("profile docs.jsonl --name p -o {out}", "x.profile", False),
    "sources": ("sources docs.pocket essay.txt --html {out}", "x.html", True),
    "disc --iso": ("disc docs.pocket OUT --iso {out}", "x.iso", False),
}
FOLDERS = {
    "disc": "disc docs.pocket {out}",
    "evaluate": "evaluate docs.jsonl -o {out}",
}
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX permissions")
OF_SOMEBODY = b"a text of somebody\n"


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("inputs")
    documents = list(made_up(24))
    write(folder / "docs.jsonl", documents[:18])
    write(folder / "more.jsonl", documents[18:])
    write(
        folder / "twice.jsonl", documents[:6] + [{**d, "id": f"{d['id']}b"} for d in documents[:6]]
    )
    lines = (folder / "docs.jsonl").read_text() + "{\n[\n"
    (folder / "bad.jsonl").write_text(lines)
    (folder / "essay.txt").write_text(documents[3]["text"])
    for name, index in ("docs", ("documents", "passages")), ("more", ("documents", "passages")):
        source, target = folder / f"{name}.jsonl", folder / f"{name}.pocket"
        profile = "en" if name == "docs" else folder / "docs.pocket"
        pocketindex.build(source, target, profile=profile, index=index)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def here(inputs: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, data in inputs.items():
        (tmp_path / name).write_bytes(data)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(output, "READER_SECONDS", 0.05)
    return tmp_path


def tree(folder: Path) -> dict[str, bytes | str]:
    """What a folder has: bytes of files, and of what else lies there its sort."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        if stat.S_ISREG(path.lstat().st_mode)
        else f"{stat.S_IFMT(path.lstat().st_mode):o}"
        for path in sorted(folder.rglob("*"))
    }


def words(command: str, out: str | Path) -> list[str]:
    line = (COMMANDS.get(command) or (FOLDERS[command],))[0]
    return [word.replace("{out}", str(out)) for word in line.split()]


def written(command: str, here: Path) -> bytes:
    """What a command makes of a file that is not there yet; the rest of what it makes goes."""
    name = COMMANDS[command][1]
    before = {path.name for path in here.iterdir()}
    done = run(*words(command, name))
    assert done.returncode == 0, done.stderr
    data = (here / name).read_bytes()
    assert data
    for path in here.iterdir():
        if path.name not in before and path.is_file():
            path.unlink()
    if (here / "OUT").exists():
        (here / "OUT").rename(here / "OUT.before")
    return data


@contextlib.contextmanager
def standard_output(terminal: bool = False) -> Iterator[io.BytesIO]:
    """Standard output in this process, whose bytes stay."""
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, "utf-8", newline="", write_through=True)
    with pytest.MonkeyPatch.context() as patch:
        if terminal:
            patch.setattr(out, "isatty", lambda: True, raising=False)
        patch.setattr(sys, "stdout", out)
        yield raw
        out.flush()
        out.detach()


def refused(done: object, message: str) -> None:
    code, said = done.returncode, done.stderr  # type: ignore[attr-defined]
    assert (code, message in said, said.count("\n")) == (2, True, 1), said


@pytest.mark.parametrize("command", COMMANDS)
def test_a_line_is_standard_output(command: str, here: Path) -> None:
    expected = written(command, here)
    from pocketindex.cli import main

    (here / "-").write_bytes(OF_SOMEBODY)
    with standard_output() as out:
        assert main(words(command, "-")) == 0
        assert out.getvalue() == expected
    assert (here / "-").read_bytes() == OF_SOMEBODY


@pytest.mark.parametrize("command", [command for command in COMMANDS if not COMMANDS[command][2]])
def test_what_is_no_text_is_not_for_a_terminal(
    command: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from pocketindex.cli import main

    before = tree(here)
    with standard_output(terminal=True) as out:
        assert main(words(command, "-")) == 2
        assert out.getvalue() == b""
    said = "pocketindex: standard output is a terminal; redirect it or give -o FILE\n"
    assert capsys.readouterr().err == said
    assert tree(here) == before


@pytest.mark.parametrize(
    "arguments",
    [
        "build bad.jsonl -o - --skipped -",
        "build docs.jsonl -o - --json",
        "update docs.pocket more.jsonl -o - --json",
        "merge docs.pocket more.pocket -o - --json",
        "dedup twice.jsonl -o - --report -",
        "dedup twice.jsonl -o - --json",
        "sources docs.pocket essay.txt --html - --csv",
        "disc docs.pocket OUT --iso - --json",
    ],
)
def test_standard_output_has_room_for_one(arguments: str, here: Path) -> None:
    before = tree(here)
    refused(run(*arguments.split()), "write to standard output, which can take only one")
    assert tree(here) == before


@pytest.mark.parametrize("command", COMMANDS)
def test_a_fifo_is_written_to(command: str, here: Path) -> None:
    expected = written(command, here)
    fifo = here / COMMANDS[command][1]
    os.mkfifo(fifo)
    read = list[bytes]()
    reader = threading.Thread(target=lambda: read.append(fifo.read_bytes()))
    reader.start()
    done = run(*words(command, fifo.name))
    reader.join(10)
    assert (done.returncode, read) == (0, [expected]), done.stderr
    assert stat.S_ISFIFO(fifo.lstat().st_mode)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_fifo_that_nobody_reads_is_said(command: str, here: Path) -> None:
    os.mkfifo(here / COMMANDS[command][1])
    before = tree(here)
    refused(
        run(*words(command, COMMANDS[command][1])),
        "a FIFO that nobody reads; start its reader first",
    )
    assert tree(here) == before


def can_make_devices(folder: Path) -> bool:
    try:
        os.mknod(folder / "device", 0o600 | stat.S_IFCHR, os.makedev(1, 3))
        os.unlink(folder / "device")
    except OSError:
        return False
    return True


@pytest.mark.parametrize("command", COMMANDS)
def test_a_device_is_written_to(command: str, here: Path) -> None:
    """Devices of the kinds that take everything, and that are full; never a real one."""
    if not can_make_devices(here):
        return  # nobody but root makes one; a FIFO is written to in the same way
    for minor, code in (3, 0), (7, 2):
        device = here / COMMANDS[command][1]
        os.mknod(device, 0o600 | stat.S_IFCHR, os.makedev(1, minor))
        done = run(*words(command, device.name))
        assert done.returncode == code, done.stderr
        assert code == 0 or f"pocketindex: {device.name}: No space left on device" in done.stderr
        assert stat.S_ISCHR(device.lstat().st_mode)
        device.unlink()
        if (here / "OUT").exists():
            (here / "OUT").rename(here / f"OUT.{minor}")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_link_is_followed(command: str, here: Path) -> None:
    name = COMMANDS[command][1]
    expected = written(command, here)
    elsewhere = here / "elsewhere"
    elsewhere.mkdir()
    (here / name).symlink_to(Path("elsewhere") / f"real-{name}")
    for old in None, b"", OF_SOMEBODY:
        target = elsewhere / f"real-{name}"
        if old is not None:
            target.write_bytes(old)
        done = run(*words(command, name), *["--force"] * bool(old))
        assert done.returncode == 0, done.stderr
        assert (here / name).is_symlink()
        assert target.read_bytes() == expected
        assert [path.name for path in elsewhere.iterdir()] == [target.name]
        if (here / "OUT").exists():
            (here / "OUT").rename(here / f"OUT.{old!r:.3}")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_link_that_leads_nowhere_is_said(command: str, here: Path) -> None:
    name = COMMANDS[command][1]
    (here / name).symlink_to(name)
    before = tree(here)
    refused(run(*words(command, name)), f"{name}: a link that leads to itself; give the name of")
    (here / name).unlink()
    (here / name).symlink_to(Path("nowhere") / name)
    refused(run(*words(command, name)), "does not exist")
    (here / name).unlink()
    (here / name).symlink_to(name)
    assert tree(here) == before


# dedup writes a file of each source into a folder.
@pytest.mark.parametrize("command", sorted(COMMANDS.keys() - {"dedup"}))
def test_a_folder_is_said(command: str, here: Path) -> None:
    name = COMMANDS[command][1]
    (here / name).mkdir()
    before = tree(here)
    refused(run(*words(command, name)), "is a folder; give the name of a file in it")
    assert tree(here) == before


@pytest.mark.parametrize("command", COMMANDS)
def test_only_a_file_of_the_same_kind_is_replaced(command: str, here: Path) -> None:
    name = COMMANDS[command][1]
    expected = written(command, here)
    out = here / name
    for old in OF_SOMEBODY, b'{"some": "thing"}\n', b"some,thing\n1,2\n":
        out.write_bytes(old)
        before = tree(here)
        refused(run(*words(command, name)), f"{name} exists and is not ")
        assert tree(here) == before
    forced = run(*words(command, name), "--force")
    assert (forced.returncode, out.read_bytes()) == (0, expected), forced.stderr
    for own in expected, b"":
        if (here / "OUT").exists():
            (here / "OUT").rename(here / f"OUT.{len(own)}")
        out.write_bytes(own)
        again = run(*words(command, name))
        assert (again.returncode, out.read_bytes()) == (0, expected), again.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder_that_may_not_be_written_is_said(
    command: str, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = here / "ro"
    folder.mkdir()
    # Root may write everywhere, so that the rights of a folder would say nothing to it.
    allowed = os.access

    def access(path: str | Path, mode: int) -> bool:
        return allowed(path, mode) and not os.path.samefile(path, folder)

    monkeypatch.setattr(os, "access", access)
    before = tree(here)
    done = run(*words(command, f"ro/{COMMANDS[command][1]}"))
    refused(done, "pocketindex: ro: you have no permission to write in this folder")
    assert tree(here) == before


@pytest.mark.parametrize("command", COMMANDS)
def test_an_empty_name_is_said(command: str, here: Path) -> None:
    before = tree(here)
    done = run(*words(command, ""))
    assert (done.returncode, "is empty; give the name of a file" in done.stderr) == (2, True)
    assert tree(here) == before


@pytest.mark.parametrize("command", FOLDERS)
def test_a_folder_of_somebody_stays(command: str, here: Path) -> None:
    out = here / "theirs"
    for name in "index.html", "notes.txt":
        out.mkdir()
        (out / name).write_bytes(OF_SOMEBODY)
        before = tree(here)
        refused(run(*words(command, "theirs")), "the folder is not empty and ")
        assert tree(here) == before
        (out / name).unlink()
        out.rmdir()
    out.write_bytes(OF_SOMEBODY)
    assert run(*words(command, "theirs")).returncode == 2
    assert out.read_bytes() == OF_SOMEBODY
    refused(
        run(*words(command, "-")), "cannot be standard input or output; give the path of a folder"
    )
    assert not (here / "-").exists()


def test_an_image_does_not_lie_in_the_folder_that_it_has(here: Path) -> None:
    before = tree(here)
    refused(run("disc", "docs.pocket", "OUT", "--iso", "OUT/x.iso"), "does not exist")
    (here / "OUT").mkdir()
    refused(
        run("disc", "docs.pocket", "OUT", "--iso", "OUT/x.iso"), "the image would lie in OUT, whose"
    )
    (here / "OUT").rmdir()
    assert tree(here) == before


def test_an_open_file_of_the_process_is_written_to(here: Path) -> None:
    """/dev/stdout and its like are links to what is open, which may be a file."""
    expected = written("build", here)
    with (here / "redirected").open("wb") as file:
        number = file.fileno()
        for place in f"/dev/fd/{number}", f"/proc/self/fd/{number}":
            if not os.path.isdir(os.path.dirname(place)):
                continue  # /proc is Linux's
            os.truncate(number, 0)
            os.lseek(number, 0, os.SEEK_SET)
            (here / "handle").symlink_to(place)
            inode = (here / "redirected").stat().st_ino
            assert run(*words("build", "handle")).returncode == 0
            assert (here / "redirected").read_bytes() == expected
            assert (here / "redirected").stat().st_ino == inode
            (here / "handle").unlink()


def test_something_that_comes_to_the_output_meanwhile_is_not_renamed_over(here: Path) -> None:
    from pocketindex.builder.spill.replace import replacing

    target = here / "x.pocket"
    with pytest.raises(OSError, match="no longer a regular file"), replacing(target) as out:
        out.write(b"new")
        os.mkfifo(target)
    assert stat.S_ISFIFO(target.lstat().st_mode)
    assert not [path.name for path in here.iterdir() if path.name.startswith(".")]


def test_resume_needs_a_file(here: Path) -> None:
    refused(run(*words("build", "-"), "--resume"), "-: --resume needs a regular file")


# Python


def test_functions_write_where_commands_do(here: Path) -> None:
    texts = [document["text"] for document in made_up(9)]
    pocketindex.build(texts, Path("-"), profile="en")
    expected = (here / "-").read_bytes()
    with standard_output() as out:
        report = pocketindex.build(texts, "-", profile="en")
        assert (out.getvalue(), report.size) == (expected, len(expected))
    (here / "notes.txt").write_bytes(OF_SOMEBODY)
    calls: list[Callable[..., object]] = [
        lambda **more: pocketindex.build(texts, "notes.txt", **more),
        lambda **more: pocketindex.update(
            "docs.pocket", enumerate(texts), output="notes.txt", **more
        ),
        lambda **more: pocketindex.merge(["docs.pocket", "more.pocket"], "notes.txt", **more),
        lambda **more: pocketindex.build(texts, "x.pocket", skipped="notes.txt", **more),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=r"notes\.txt(: the list| exists and is not a pocket)"):
            call()
        assert (here / "notes.txt").read_bytes() == OF_SOMEBODY
    for call in calls[:3]:
        (here / "notes.txt").write_bytes(OF_SOMEBODY)
        call(force=True)
        assert (here / "notes.txt").read_bytes() != OF_SOMEBODY
    for opened in lambda: pocketindex.open("-"), lambda: pocketindex.open_many(["-"]):
        with pytest.raises(ValueError, match="an index cannot be standard input or output"):
            opened()
    with pocketindex.open(Path("-")) as index:
        assert len(index) == 9


@pytest.mark.parametrize(
    ("inside", "force", "refused"),
    [("", False, False), ("notes.txt", False, True), ("notes.txt", True, False)],
)
def test_a_report_replaces_no_other_folder(
    inside: str, force: bool, refused: bool, tmp_path: Path
) -> None:
    if inside:
        (tmp_path / inside).write_text("words")
    with pytest.raises(ValueError, match="not empty") if refused else contextlib.nullcontext():
        check_output(tmp_path, force)
