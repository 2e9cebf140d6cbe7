"""`pocketindex site`: which pages are in the index, and what it writes."""

from __future__ import annotations

import json
import random
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pocketindex
import pytest
from plain.site import names
from pocketindex.builder.page.shard import deflated, script
from pocketindex.builder.site.cache import Cache, Row, cache_of
from pocketindex.builder.site.html_page import Record
from pocketindex.builder.site.menus import COMPARED
from pocketindex.builder.site.scripts import core, engine, squeezed
from pocketindex.builder.site.site import NoPages
from pocketindex.cli import main
from sites import drawn, made, page, write

pytest.importorskip("resiliparse")

OUT = "_pocketindex"
DOCS = Path(__file__).parents[3] / "docs"
DAMAGED = "the cache is damaged,"


def left_out(site: Path) -> dict[str, str]:
    return {one.path: one.reason for one in pocketindex.site(site).left_out}


def contents(site: Path) -> dict[str, bytes]:
    """The files of the index that the entry names, in the end."""
    folder = site / OUT
    return {name: (folder / name).read_bytes() for name in ("entry.js", *names(folder))}


def test_each_page_that_is_left_out_has_its_reason(tmp_path: Path) -> None:
    site = write(
        tmp_path / "site",
        {
            "index.html": page("a"),
            "old.HTM": page("b"),
            "404.html": page("c"),
            "sub/404.html": page("c"),
            "hidden.html": page("d", "<meta name=robots content=noindex>"),
            "moved.html": page("e", "<meta http-equiv=refresh content='0;url=./'>"),
            "stays.html": page("e", "<meta http-equiv=refresh content='0;url=stays.html'>"),
            "fragment.html": "<p>f",
            "nothing.html": "",
            "empty.html": page(""),
            "pictures.html": page("", title="Gallery"),
            "feed.xml": page("g"),
            "pagefind/x.html": page("h"),
        },
    )

    assert left_out(site) == {
        "404.html": "not found",
        "hidden.html": "noindex",
        "moved.html": "redirect",
        "fragment.html": "fragment",
        "nothing.html": "empty",
        "empty.html": "textless",
    }


def test_a_body_somewhere_leaves_out_pages_without_one(tmp_path: Path) -> None:
    body = page("<p data-pagefind-body>a")
    site = write(tmp_path / "site", {"a.html": page("a"), "de/b.html": body})

    assert left_out(site) == {"a.html": "body"}


@pytest.mark.parametrize("base", ["https://x.example/docs/", ""])
def test_a_canonical_address_leaves_out_copies_of_pages_that_are_there(
    tmp_path: Path, base: str
) -> None:
    def to(address: str) -> str:
        return page("a", f"<link rel=canonical href='{address}'>")

    own = "https://x.example/docs/"
    site = write(
        tmp_path / "site",
        {
            "index.html": to(own),
            "a/index.html": to(f"{own}a/"),
            "copy.html": to(f"{own}a"),
            "relative.html": to("a/index.html"),
            "elsewhere.html": to("https://y.example/docs/a/"),
            "not_built.html": to(f"{own}b/"),
            "one.html": to(f"{own}other.html"),
            "other.html": to(f"{own}one.html"),
            "to_hidden.html": to(f"{own}hidden.html"),
            "hidden.html": page("a", "<meta name=robots content=noindex>"),
        },
    )
    report = pocketindex.site(site, base=base)
    reasons = {one.path: one.reason for one in report.left_out}

    assert reasons == {
        "copy.html": "canonical",
        "relative.html": "canonical",
        "hidden.html": "noindex",
    }
    assert [warning.split(":")[0] for warning in report.warnings] == [
        *("one.html", "other.html", "to_hidden.html")
    ]


def test_a_menu_in_most_pages_is_told(tmp_path: Path) -> None:
    menu = "<ul>" + "".join(f"<li>entry {n}" for n in range(40)) + "</ul>"
    pages = {f"{n}.html": page(f"{menu}<p>text {n}") for n in range(4)}
    site = write(tmp_path / "site", pages)
    report = pocketindex.site(site)
    marked = write(
        tmp_path / "marked",
        {k: v.replace("<ul>", "<ul data-pagefind-ignore>") for k, v in pages.items()},
    )

    assert report.menu == pocketindex.Menu(4, 4, "entry 0. entry 1. entry 2. entry 3.")
    assert "put data-pagefind-body on the element" in report.text()
    assert pocketindex.site(marked).menu is None


def test_languages_and_pages_without_one(tmp_path: Path) -> None:
    site = write(
        tmp_path / "site",
        {
            "a.html": page("a"),
            "b.html": page("a", lang="EN"),
            "c.html": page("a", lang="de"),
            "d.html": page("a", lang=""),
        },
    )

    assert pocketindex.site(site).languages == {"en": 3, "de": 1}
    assert pocketindex.site(site, force_language="DE").languages == {"de": 4}


def test_a_build_after_changes_has_the_bytes_of_a_fresh_one(tmp_path: Path) -> None:
    pages = made(60)
    parts = [f"<h2 id=p{n}>Part {n}</h2><p>{f'word{n} of many ' * 120}</p>" for n in range(60)]
    pages["long.html"] = page("".join(parts))
    site = write(tmp_path / "site", pages)
    first = pocketindex.site(site)
    before = contents(site)
    (site / "1/p1.html").unlink()
    parts[30] += "<p>A sentence more.</p>"
    longer = page("".join(parts))
    changed = {
        "long.html": longer,
        "2/p2.html": drawn(2, random.Random(9)),
        "new.html": drawn(61, random.Random(8)),
    }
    write(site, changed)
    second = pocketindex.site(site)
    rest = {path: text for path, text in pages.items() if path != "1/p1.html"}
    fresh = write(tmp_path / "fresh", {**rest, **changed})
    pocketindex.site(fresh, cache=False)

    assert (first.parsed, second.parsed) == (61, 3)
    assert contents(site) == contents(fresh)
    assert not cache_of(fresh).exists()
    # What readers of the earlier index may still load stays, until the next build.
    assert before.keys() - {"entry.js"} <= {path.name for path in (site / OUT).iterdir()}
    write(site, {"new.html": drawn(61, random.Random(7))})
    pocketindex.site(site)
    gone = before.keys() - contents(site).keys() - contents(fresh).keys()
    assert gone
    assert not gone & {path.name for path in (site / OUT).iterdir()}


def test_texts_are_read_of_pieces_that_have_a_changed_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = made(200)
    site = write(tmp_path / "site", pages)
    pocketindex.site(site)
    pocketindex.site(site)  # one without a change forgets nothing
    write(site, {"2/p2.html": pages["2/p2.html"].replace("Page 2", "Page two")})
    asked, stored = list[int](), Cache.stored

    def noted(own: Cache, number: int) -> bytes:
        asked.append(number)
        return stored(own, number)

    monkeypatch.setattr(Cache, "stored", noted)
    pocketindex.site(site)

    assert COMPARED < len(asked) < COMPARED + 60


def test_the_same_site_changes_nothing(tmp_path: Path) -> None:
    site = write(tmp_path / "site", made(20))
    pocketindex.site(site)
    before = {path.name: path.stat().st_mtime_ns for path in (site / OUT).iterdir()}
    report = pocketindex.site(site)

    assert (report.parsed, report.written) == (0, 0)
    assert {path.name: path.stat().st_mtime_ns for path in (site / OUT).iterdir()} == before


def test_other_ways_of_reading_read_anew(tmp_path: Path) -> None:
    site = write(tmp_path / "site", {"a.html": page("<main>a</main>b")})
    pocketindex.site(site)

    assert pocketindex.site(site, root="main").parsed == 1
    assert pocketindex.site(site, root="main").parsed == 0


def test_a_damaged_cache_and_a_cut_piece_are_made_again(tmp_path: Path) -> None:
    site = write(tmp_path / "site", made(5))
    pocketindex.site(site)
    whole = contents(site)
    cache_of(site).write_bytes(b"no database" * 100)
    (site / OUT / next(name for name in whole if name[0] == "t")).write_bytes(b"pocketShard(")
    report = pocketindex.site(site)

    assert (report.parsed, report.written) == (5, 1)
    assert report.warnings == (f"{cache_of(site)}: {DAMAGED} so all pages are read anew",)
    assert contents(site) == whole


@pytest.mark.parametrize(
    ("statement", "parsed", "warning"),
    [
        ("UPDATE texts SET stored = x'5B5D' WHERE id = 2", 5, "all pages"),
        ("UPDATE counts SET numbers = x'00' WHERE id = 3", 5, "all pages"),
        ("DELETE FROM texts WHERE id = 2", 5, "all pages"),
        ("UPDATE pages SET said = 'other' WHERE id = 2", 2, "some pages"),
        ("UPDATE vocabulary SET words = x'00'", 5, "all pages"),
        ("DELETE FROM vocabulary", 5, "all pages"),
        ("UPDATE kept SET made = x'5B5D'", 1, ""),
        ("UPDATE how SET how = 'that of an older version'", 5, ""),
    ],
)
def test_what_is_wrong_in_a_cache_is_read_anew_and_told(
    tmp_path: Path, statement: str, parsed: int, warning: str
) -> None:
    pages = made(5)
    site = write(tmp_path / "site", {**pages, "0/p0.html": page("Other words")})
    pocketindex.site(site)
    with closing(sqlite3.connect(cache_of(site))) as connection, connection:
        assert connection.execute(statement).rowcount > 0
    write(site, pages)
    report = pocketindex.site(site)
    expected = (f"{cache_of(site)}: {DAMAGED} so {warning} are read anew",) if warning else ()
    pocketindex.site(write(tmp_path / "fresh", pages), cache=False)

    assert (report.parsed, report.warnings) == (parsed, expected)
    assert contents(site) == contents(tmp_path / "fresh")
    assert pocketindex.site(site).parsed == 0


@pytest.mark.parametrize("statement", ["UPDATE kept SET made = x'5B5D'", "DELETE FROM kept"])
def test_an_index_that_nothing_is_known_of_is_made_again(tmp_path: Path, statement: str) -> None:
    site = write(tmp_path / "site", made(5))
    pocketindex.site(site)
    whole = contents(site)
    with closing(sqlite3.connect(cache_of(site))) as connection, connection:
        assert connection.execute(statement).rowcount > 0
    report = pocketindex.site(site)

    assert (report.parsed, report.written) == (0, 0)
    assert contents(site) == whole


def test_a_disk_that_loses_what_was_written_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = write(tmp_path / "site", made(2))
    put = Cache.put

    def lost(cache: Cache, path: str, key: bytes, record: Record) -> Row:
        row = put(cache, path, key, record)
        cache._execute("DELETE FROM texts")
        return row

    monkeypatch.setattr(Cache, "put", lost)
    with pytest.raises(OSError, match=r"pocketindex-cache: what the cache has .* check the disk"):
        pocketindex.site(site)


def test_a_file_of_the_index_that_is_gone_is_made_again(tmp_path: Path) -> None:
    site = write(tmp_path / "site", made(5))
    pocketindex.site(site)
    whole = contents(site)
    for letter in "wta":
        (site / OUT / next(name for name in whole if name[0] == letter)).unlink()
    report = pocketindex.site(site)

    assert (report.parsed, report.written) == (0, 3)
    assert contents(site) == whole


def test_a_cache_that_breaks_off_is_told_and_gone(tmp_path: Path) -> None:
    site = write(tmp_path / "site", made(40))
    pocketindex.site(site)
    whole, file = contents(site), cache_of(site)
    with file.open("r+b") as cut:
        cut.seek(file.stat().st_size // 2)
        cut.write(b"\xff" * (file.stat().st_size // 2))
    report = pocketindex.site(site)

    assert len(report.warnings) == 1
    assert str(file) in report.warnings[0]
    assert contents(site) == whole
    assert pocketindex.site(site).pages == 40


def test_a_cache_of_words_that_no_page_has_any_more_is_begun_anew(tmp_path: Path) -> None:
    site = write(tmp_path / "site", {"a.html": page("one"), "b.html": page("two")})
    parsed = []
    for before in "xyyzz":
        write(site, {"b.html": page(" ".join(f"{before}{n}" for n in range(20)))})
        parsed.append(pocketindex.site(site).parsed)

    # The fourth build knows more than twice as many words as the first one did.
    assert parsed == [2, 1, 0, 1, 2]


def test_a_cache_knows_pages_that_are_in_no_index(tmp_path: Path) -> None:
    many = page("two three four five six", head='<meta name="robots" content="noindex">')
    site = write(tmp_path / "site", {"a.html": page("one"), "b.html": many})
    reports = [pocketindex.site(site).parsed for _ in range(3)]

    assert reports == [2, 0, 0]


def test_a_build_that_ends_early_keeps_what_was_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = write(tmp_path / "site", made(5))
    pocketindex.site(site)
    with monkeypatch.context() as patched:
        patched.setattr("pocketindex.builder.site.site.choose", lambda *_: 1 // 0)
        with pytest.raises(ZeroDivisionError):
            pocketindex.site(site)

    assert pocketindex.site(site).parsed == 0


def test_a_cache_that_cannot_be_kept_is_told(tmp_path: Path) -> None:
    site = write(tmp_path / "site", {"a.html": page("a")})
    cache_of(site).mkdir()
    (warning,) = pocketindex.site(site).warnings

    assert "nothing is kept for the next build" in warning


def test_two_builds_at_once_do_not_share_a_cache(tmp_path: Path) -> None:
    site = write(tmp_path / "site", {"a.html": page("a")})
    other = Cache(cache_of(site), "")

    with pytest.raises(ValueError, match="another build of the site is using it"):
        pocketindex.site(site)
    other.close()
    assert pocketindex.site(site).pages == 1


def test_what_is_not_of_an_index_is_never_replaced(tmp_path: Path) -> None:
    site = write(tmp_path / "site", {"a.html": page("a"), f"{OUT}/notes.txt": "mine"})

    with pytest.raises(ValueError, match=r"_pocketindex: it is no folder of an index: notes\.txt"):
        pocketindex.site(site)
    assert (site / OUT / "notes.txt").read_text() == "mine"


def test_a_site_without_pages_says_why(tmp_path: Path) -> None:
    with pytest.raises(NoPages, match=r"there are no \*\.html or \*\.htm files"):
        pocketindex.site(tmp_path)
    write(tmp_path, {"a.html": "<p>a"})
    with pytest.raises(NoPages, match=r"none of 1 file can be indexed; a\.html: a fragment"):
        pocketindex.site(tmp_path)
    with pytest.raises(ValueError, match="not a CSS selector"):
        pocketindex.site(tmp_path, exclude="[")


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site = write(tmp_path / "site", {"a.html": page("a"), "404.html": page("b")})

    assert main(["site", str(site), "--json", "--related", "2"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["pages"], report["languages"]) == (1, {"en": 1})
    assert report["left_out"][0]["path"] == "404.html"
    assert json.loads((site / OUT / "related.json").read_bytes()) == {"a.html": []}
    assert main(["site", str(site), "--glob", "*.php"]) == 2
    assert "there are no files that match *.php" in capsys.readouterr().err
    assert main(["site", str(site), "--glob", "a*"]) == 0
    assert "404.html" not in capsys.readouterr().err
    assert main(["site", str(site), "--root", "a["]) == 2
    assert "--root is 'a[', which is not a CSS selector" in capsys.readouterr().err
    assert cache_of(site).exists()
    cache_of(site).unlink()
    assert main(["site", str(site), "--no-cache"]) == 0
    assert not cache_of(site).exists()
    assert main(["site", str(tmp_path / "none")]) == 2
    assert "expected the folder of a built site" in capsys.readouterr().err


def test_each_flag_that_the_documents_name_is_one(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["site", "--help"])
    known = set(re.findall(r"--[a-z-]+", capsys.readouterr().out)) | {"--dry-run"}  # a word there

    assert set(re.findall(r"--[a-z][a-z-]+", (DOCS / "site.md").read_text("utf-8"))) <= known


def test_the_report_counts_every_file_of_the_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = write(tmp_path / "site", {"a.html": page("a"), "404.html": page("b")})
    said = []
    for change in ({}, {"b.html": page("other words")}):
        write(site, change)
        assert main(["site", str(site)]) == 0
        sizes = [path.stat().st_size for path in (site / OUT).iterdir()]
        said.append(capsys.readouterr().err)
        assert f" in {len(sizes)} files, {sum(sizes):,} bytes; parsed " in said[-1]

    count = re.search(r"in (\d+) files", said[0])
    assert count
    assert f"1 page (en 1) in {count[1]} files" in said[0]
    assert f"parsed 2 HTML files and wrote {count[1]} files\n" in said[0]
    assert "2 pages (en 2)" in said[1]
    assert "parsed 1 HTML file and wrote " in said[1]
    assert "/docs/_pocketindex/pocket-search.js\n  <script src=" in said[1]


def test_related_pages(tmp_path: Path) -> None:
    pages = made(12)
    twin = pages["0/p0.html"].replace("Page 0", "Twin").replace("Part", "Piece")
    site = write(tmp_path / "site", {**pages, "twin.html": twin})
    pocketindex.site(site, related=1)
    found = json.loads((site / OUT / "related.json").read_bytes())

    assert [one["url"] for one in found["twin.html"]] == ["0/p0.html"]
    assert found["0/p0.html"][0]["title"] == "Twin"


def test_engine_and_core_are_small() -> None:
    whole = len(engine()) + len(script("a" * 10, 1, deflated(core())))

    assert whole <= 100_000  # bytes, from a server that compresses nothing
    assert b"import " not in engine()


def test_a_script_loses_only_spaces_that_mean_nothing() -> None:
    assert squeezed('const one = { a: "b , c" };') == 'const one={a:"b , c"};'
    assert squeezed("if (a < !--b && c - -d) return [b];") == "if(a < !--b&&c - -d)return[b];"
    for kept in ("say(`{ a } , ${b}`, c)", "split(/ , /, 2)"):
        assert squeezed(kept) == kept
