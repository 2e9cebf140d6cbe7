"""A disc that is made of documents in one command: what is on it, what hits lead to, what is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from made_up import made_up
from pocketindex.builder.page.links import links_of, templates_of
from run_command import run

PAGE = "<title>{title}</title><h1>{title}</h1><p><img src='images/a.png'> {text}</p>"


@pytest.fixture
def manuals(tmp_path: Path) -> Path:
    """A folder of pages with an image, and what is not read."""
    folder = tmp_path / "manuals"
    (folder / "images").mkdir(parents=True)
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_text("secret")
    (folder / "images" / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    for i, row in enumerate(made_up(6)):
        (folder / f"page {i}.html").write_text(PAGE.format(**row), encoding="utf-8")
    return folder


def described(out: Path) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads((out / "manifest.json").read_text())["collections"]
    return found


def test_documents_become_a_disc_that_answers_everything(manuals: Path, tmp_path: Path) -> None:
    done = run("disc", str(manuals), str(tmp_path / "out"))
    assert done.returncode == 0
    assert "7 read, 6 indexed, 1 skipped\n  1 other kind: .png" in done.stderr
    (collection,) = described(tmp_path / "out")
    assert (collection["name"], collection["documents"]) == ("manuals", 6)
    assert [collection[name] for name in ("titles", "passages", "words")] == [True] * 3
    kinds = {path.name[0] for path in (tmp_path / "out" / "c0").glob("*/*.js")}
    assert kinds == set("ldtnpwi")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["manuals", "out"]


def test_a_disc_of_standard_input_has_a_name(tmp_path: Path) -> None:
    lines = "".join(json.dumps(row) + "\n" for row in made_up(3))
    assert run("disc", "-", str(tmp_path / "out"), stdin=lines).returncode == 0
    assert described(tmp_path / "out")[0]["name"] == "documents"


def test_the_same_documents_give_the_same_bytes(manuals: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        assert run("disc", str(manuals), str(tmp_path / name), "--originals").returncode == 0
    first, second = (
        {path.relative_to(root): path.read_bytes() for path in root.rglob("*") if path.is_file()}
        for root in (tmp_path / "a", tmp_path / "b")
    )
    assert first == second


def test_originals_lie_beside_the_disc_and_hits_lead_to_them(manuals: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = run("disc", str(manuals), str(out), "--originals")
    assert done.returncode == 0
    assert described(out)[0]["link"] == "o0/{id}"
    assert (out / "o0" / "page 3.html").read_bytes() == (manuals / "page 3.html").read_bytes()
    assert (out / "o0" / "images" / "a.png").is_file()
    assert not (out / "o0" / ".git").exists()
    assert "o0/images/a.png" in json.loads((out / "manifest.json").read_text())["files"]
    again = run("disc", str(manuals), str(out), "--originals", "--force")
    assert again.returncode == 0


def test_of_two_originals_of_a_name_the_first_is_taken(manuals: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "page 3.html").write_text("<p>Another page of this name, with other words in it</p>")
    (other / "own.html").write_text("<p>A page that only the other folder has</p>")
    out = tmp_path / "out"
    assert run("disc", str(manuals), str(other), str(out), "--originals").returncode == 0
    assert (out / "o0" / "page 3.html").read_bytes() == (manuals / "page 3.html").read_bytes()
    assert (out / "o0" / "own.html").is_file()
    assert described(out)[0]["documents"] == 7


def test_a_pocket_file_and_documents_are_two_collections(
    manuals: Path, pocket: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    done = run(
        *("disc", str(pocket), str(manuals), str(out), "--json"),
        *("--link-template", "https://example.org/{id}"),
        *("--link-template", "manuals=../manuals/{id}"),
    )
    assert done.returncode == 0
    said = json.loads(done.stdout)
    assert (said["read"], said["indexed"], said["skipped"]) == (
        7,
        6,
        {"other kind: .png": 1},
    )
    assert [(each["name"], each["link"]) for each in described(out)] == [
        (pocket.stem, "https://example.org/{id}"),
        ("manuals", "../manuals/{id}"),
    ]


def test_what_is_left_out_is_said(manuals: Path, tmp_path: Path) -> None:
    (manuals / "empty.txt").write_text("")
    skipped = tmp_path / "skipped.jsonl"
    done = run("disc", str(manuals), str(tmp_path / "out"), "--skipped", str(skipped))
    assert "8 read, 6 indexed, 2 skipped" in done.stderr
    assert "empty.txt" in skipped.read_text()
    strict = run("disc", str(manuals), str(tmp_path / "other"), "--strict")
    assert strict.returncode != 0
    assert "empty.txt" in strict.stderr
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("{pocket}", "{out}", "--originals"), "a .pocket file has none; give the folder that it"),
        (("{pocket}", "{out}", "--select", "p"), "--select says how a SOURCE is read; these are"),
        (("{rows}", "{out}", "--originals"), "rows.jsonl: --originals needs a folder, or a file"),
        (("{manuals}", "{manuals}/out"), "the disc would be read as a part of it; write it else"),
        (
            ("{manuals}", "{out}", "--link-template", "wiki=../{id}"),
            "--link-template: there is no collection 'wiki' (there are: manuals)",
        ),
        (("{manuals}/nothing", "{out}"), "nothing: "),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_written(
    arguments: tuple[str, ...], said: str, manuals: Path, pocket: Path, tmp_path: Path
) -> None:
    (tmp_path / "rows.jsonl").write_text('{"id": "1", "text": "a text of some words"}\n')
    places = {"pocket": pocket, "manuals": manuals, "out": tmp_path / "out"}
    places["rows"] = tmp_path / "rows.jsonl"
    done = run("disc", *(one if "{id}" in one else one.format(**places) for one in arguments))
    assert done.returncode == 2
    assert said in done.stderr
    assert not (tmp_path / "out").exists()
    assert not (manuals / "out").exists()


def test_a_template_is_of_one_collection_or_of_all() -> None:
    templates = templates_of(["../all/{id}", "wiki=https://x.org/?q={title}&a=b"])
    assert links_of(["wiki", "news"], templates) == ["https://x.org/?q={title}&a=b", "../all/{id}"]
    # What stands before the sign may be a part of the address.
    assert templates_of("https://x.org/?q={id}") == {"": "https://x.org/?q={id}"}
    assert templates_of([]) == {}
    assert links_of(["wiki"], {}) == [""]
    with pytest.raises(ValueError, match="are both of 'wiki'"):
        templates_of(["wiki=a/{id}", "wiki=b/{id}"])
    with pytest.raises(ValueError, match="must be a relative path or begin with http"):
        templates_of(["wiki=javascript:{id}"])
