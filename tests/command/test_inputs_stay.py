"""No command writes its output over what it reads."""

from __future__ import annotations

from pathlib import Path

import pocketindex
import pytest
from made_up import made_up
from near_duplicates import write
from pocketindex.builder import Settings, build
from run_command import run

COMMANDS = {
    "update -o": "update {pocket} {source} -o {source}",
    "update --remove -o": "update {pocket} --remove {source} -o {source}",
    "profile": "profile {source} -o {source}",
    "check --source -o": "check {pocket} {test} --source {source} -o {source}",
    "sources --html": "sources {pocket} {text} --html {text}",
    "sources --html of the file": "sources {pocket} {text} --html {pocket}",
    "disc --iso": "disc {pocket} {folder} --iso {pocket}",
    "dedup --against -o": "dedup {test} --against {source} -o {source}",
    "dedup --report": "dedup {pattern} -o {pocket}.jsonl --report {source}",
}


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_read_stays(tmp_path: Path, command: str) -> None:
    documents = list(made_up(30))
    names = {
        "source": write(tmp_path / "d.jsonl", documents),
        "test": write(tmp_path / "t.jsonl", documents[:3]),
        "text": tmp_path / "essay.txt",
        "pocket": tmp_path / "x.pocket",
        "folder": tmp_path / "OUT",
        "pattern": tmp_path / "d*.jsonl",
    }
    names["text"].write_text(documents[7]["text"])
    build([str(names["source"])], names["pocket"], Settings(index=("documents", "passages")))
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    done = run(*COMMANDS[command].format_map(names).split())
    assert (done.returncode, "would replace" in done.stderr) == (2, True)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_link_to_what_is_read_is_no_other_name(tmp_path: Path) -> None:
    source = write(tmp_path / "d.jsonl", list(made_up(30)))
    build([str(source)], tmp_path / "x.pocket")
    (tmp_path / "link.jsonl").symlink_to(source)
    done = run("update", tmp_path / "x.pocket", source, "-o", tmp_path / "link.jsonl")
    assert (done.returncode, "would replace" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    "command", ["build {folder} -o {note}", "update {pocket} {folder} -o {note}"]
)
def test_a_document_of_a_folder_stays(tmp_path: Path, command: str) -> None:
    folder, pocket = tmp_path / "folder", tmp_path / "x.pocket"
    folder.mkdir()
    for i, one in enumerate(made_up(5)):
        (folder / f"{i}.txt").write_text(one["text"])
    build([str(folder)], pocket)
    note = folder / "3.txt"
    before = note.read_bytes()
    done = run(*command.format(folder=folder, note=note, pocket=pocket).split())
    assert (done.returncode, note.read_bytes()) == (2, before)
    assert f"the output would replace {note}, which is in it; give the output" in done.stderr
    older = folder / "old.pocket"
    older.write_bytes(pocket.read_bytes())
    assert run("build", folder, "-o", older).returncode == 0


def test_a_link_stays_and_what_it_leads_to_is_updated(tmp_path: Path) -> None:
    source = write(tmp_path / "d.jsonl", list(made_up(30)))
    (tmp_path / "versions").mkdir()
    file, link = tmp_path / "versions" / "1.pocket", tmp_path / "current.pocket"
    build([str(source)], file)
    link.symlink_to(file)
    more = write(tmp_path / "more.jsonl", [{**one, "id": f"m{one['id']}"} for one in made_up(40)])
    assert run("update", link, more).returncode == 0
    assert link.is_symlink()
    with pocketindex.open(file) as index:
        assert len(index) == 70
