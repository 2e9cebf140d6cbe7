"""Kept texts on the command line: build, get, query and what is shown of passages."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from made_up import made_up
from pocketindex.builder import Settings, build
from pocketindex.wording.snippet import snippet
from run_command import run
from test_texts import built, written


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("whole"), made_up(60))


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    path = tmp_path / "draft.txt"
    path.write_text(made_up(60)[7]["text"], encoding="utf-8")
    return path


def test_build_get_query_info(tmp_path: Path, draft: Path) -> None:
    source, target = written(tmp_path / "docs.jsonl", made_up(20)), tmp_path / "x.pocket"
    assert (
        run("build", source, "-o", target, "--keep", "snippet", "--snippet", "30").returncode == 0
    )
    shown = snippet(made_up(20)[7]["text"], 30)

    assert (
        run("get", target, "doc-7").stdout == f"doc-7\tDocument 7 — Übersicht\t\n       {shown}\n"
    )
    assert json.loads(run("get", target, "doc-7", "--json").stdout)["snippet"] == shown
    assert (
        run("query", target, draft, "--top", "1").stdout
        == f"  1  1.000  Document 7 — Übersicht  <doc-7>\n       {shown}\n"
    )
    assert (
        json.loads(run("query", target, draft, "--top", "1", "--json").stdout)["snippet"] == shown
    )
    assert "\n  texts       snippet\n" in run("info", target).stdout
    assert json.loads(run("info", target, "--json").stdout)["sections"]["texts"] > 200
    refused = run("get", target, "doc-7", "--full-text")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == (
        f"pocketindex: {target}: expected the texts of its documents, found only snippets of "
        "them; build it with --keep text\n"
    )


def test_texts_on_the_command_line(whole: Path, draft: Path) -> None:
    text = made_up(60)[7]["text"]

    assert run("get", whole, "doc-7", "--full-text").stdout == text
    assert json.loads(run("get", whole, "doc-7", "--full-text", "--json").stdout)["text"] == text
    shown = run("query", whole, draft, "--exact", "--explain", "--top", "1").stdout.splitlines()
    assert shown[1] == (
        "       cosine 1.000; has 100% of your text's shingles of 3 words; both texts share 100% "
        "of all"
    )
    assert any(line.startswith("       both have ") for line in shown)
    assert shown[-1] == "       " + snippet(text)
    line = json.loads(
        run("query", whole, draft, "--exact", "--explain", "--json", "--top", "1").stdout
    )
    assert (line["cosine"], line["shared"]) == (1.0, {"jaccard": 1.0, "containment": 1.0})
    assert line["explanation"]["passages"][0]["words"] > 30
    batch = json.loads(
        run(
            "query",
            whole,
            "--batch",
            "-",
            "--exact",
            "--top",
            "1",
            stdin=json.dumps(made_up(60)[7]),
        ).stdout
    )
    assert (batch["hits"][0]["cosine"], "snippet" in batch["hits"][0]) == (1.0, False)


def test_a_paragraph_is_contained_whatever_both_texts_share(tmp_path: Path) -> None:
    """Of all shingles of both texts the paragraph has few, of its own the document has all; a file
    without texts says the first alone.
    """
    texts = [document["text"] for document in made_up(60)]
    documents = [{"id": str(i), "text": " ".join(texts[6 * i : 6 * i + 6])} for i in range(10)]
    source, paragraph = tmp_path / "d.jsonl", " ".join(texts[19].split()[-40:])
    source.write_text("".join(json.dumps(document) + "\n" for document in documents))
    asked = ("-", "--top", "1", "--min-similarity", "0")
    kept, plain = tmp_path / "kept.pocket", tmp_path / "plain.pocket"
    for target, keep in ((kept, "text"), (plain, "none")):
        build([str(source)], target, Settings(profile="learn", keep=keep))
    hit = json.loads(run("query", kept, *asked, "--json", stdin=paragraph).stdout)
    assert (hit["id"], hit["shared"]["containment"], 0 < hit["shared"]["jaccard"] < 0.25) == (
        "3",
        1.0,
        True,
    )
    shown = run("query", kept, *asked, stdin=paragraph).stdout.splitlines()
    share = hit["shared"]["jaccard"]
    assert (
        shown[1]
        == f"       has 100% of your text's shingles of 3 words; both texts share {share:.0%} "
        "of all"
    )
    assert "both texts share" not in shown[0]
    (line,) = run("query", plain, *asked, stdin=paragraph).stdout.splitlines()
    assert "both texts share" not in line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--snippet", "9"), "--snippet has no effect unless --keep is snippet"),
        (("--keep", "text", "--snippet", "9"), "--snippet has no effect unless --keep is snippet"),
        (("--keep", "snippet", "--snippet", "0"), "snippet is 0; it must be between 1 and 10000"),
        (("--keep", "all"), "invalid choice: 'all'"),
    ],
)
def test_choices_that_are_none(
    collection: Path, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    done = run("build", collection, "-o", tmp_path / "x.pocket", *arguments)

    assert (done.returncode, message in done.stderr, (tmp_path / "x.pocket").exists()) == (
        2,
        True,
        False,
    )
    with pytest.raises(ValueError, match="keep is 'all'; it must be one of none, text, snippet"):
        Settings(keep="all")


def test_numpy_is_not_imported_for_a_plain_query(whole: Path) -> None:
    import subprocess

    program = (
        "import sys, pocketindex; pocketindex.open(sys.argv[1]).query('one two three four "
        "five six'); print('numpy' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, whole], capture_output=True, text=True, check=True
    )

    assert done.stdout == "False\n"
