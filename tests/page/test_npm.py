"""The npm package: made of the page's modules, packed, installed, and asked in Node and through Vite.
It answers like the Python package.
"""

from __future__ import annotations

import json
import re
import shutil
import socketserver
import subprocess
import threading
import zlib
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from core_sources import script, tool
from pages import launched
from places import GOLDEN, ROOT
from searched_site import Visitor, indexed, write_site
from static_server import serving

HERE = Path(__file__).parent / "npm"
MAKER = ROOT / "npm" / "make_npm.py"
VITE = "vite@7.2.4"
LOADED = 120_000  # bytes that a page loads, deflated
WORDS, PASSAGES, TITLES = (GOLDEN / f"{name}.pocket" for name in ("words", "passages", "titles"))
Answer = dict[str, Any]


def ran(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def bundle() -> str:
    module: str = script(MAKER).module(*script(MAKER).ENTRIES["index.js"])
    return module


def test_it_is_one_module_of_those_that_the_page_uses(bundle: str) -> None:
    imported = set(re.findall(r'import\(?\s*"?([^")]*)', bundle))

    assert imported == {"./wasm.js"}
    assert bundle.count("\nexport ") == 1
    assert "class Collection" in bundle


def test_it_has_no_message_for_the_visitors_of_a_page(bundle: str) -> None:
    path = ROOT / "builder" / "page" / "web" / "languages" / "en.json"
    page = path.read_text(encoding="utf-8")
    said = {text for text in re.findall(r'"([^"]{20,})"', page) if " " in text}

    assert len(said) > 30
    assert [text for text in said if text in bundle] == []
    assert not re.search("[“”]|browser|visitor|this page|Reload|Choose", bundle)


def test_every_message_that_its_modules_ask_for_is_there(bundle: str) -> None:
    own = (ROOT / "npm" / "language.js").read_text(encoding="utf-8")
    # The one key that is chosen before: of two, by whether the file has words.
    asked = set(re.findall(r'\bsay\("(\w+)"', bundle)) | {"tooShort", "tooShortOrWords"}
    has = set(re.findall(r"^  (\w+):", own, re.M))

    said = bundle.split("\nsaid(status, name) {")[1].split("\n}\n")[0]  # of the page's core
    of_statuses = set(re.findall(r'\bsay\("(\w+)"', said))

    assert len(has) > 8
    assert asked - has < of_statuses
    assert has < asked
    assert "said(_status, name)" in bundle  # of the package's, which asks pocket_describe


def test_the_version_is_the_packages_as_npm_writes_it() -> None:
    maker = script(MAKER)

    assert maker.version().replace("-", "").replace("rc.", "rc") == pocketindex.__version__


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the packed package in node_modules."""
    pytest.importorskip("ziglang", reason="needs ziglang")
    npm, folder = tool("npm"), tmp_path_factory.mktemp("npm")
    script(MAKER).make(folder / "package")
    app = folder / "app"
    app.mkdir()
    packed = ran(npm, "pack", "--json", cwd=folder / "package")
    (app / "package.json").write_text('{"private": true, "type": "module"}')
    tarball = folder / "package" / json.loads(packed)[0]["filename"]
    ran(npm, "install", "--offline", "--no-audit", tarball, cwd=app)
    for path in HERE.iterdir():
        shutil.copy(path, app)
    return app


def asked(installed: Path, what: object, *calls: tuple[object, ...], how: str = "") -> list[Any]:
    """What Node says of an open file, then the answers."""
    given = json.dumps({"what": str(what), "as": how or "as_it_is", "calls": calls})
    done = subprocess.run(
        [tool("node"), "ask.mjs"], input=given, cwd=installed, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    said: list[Any] = json.loads(done.stdout)
    return said


@pytest.mark.slow
def test_it_is_small_and_holds_what_it_says(installed: Path) -> None:
    folder = installed / "node_modules" / "pocketindex"
    described = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    loaded = [(folder / name).read_bytes() for name in ("index.js", "wasm.js")]

    assert sum(len(zlib.compress(data, 9)) for data in loaded) <= LOADED
    assert {path.name for path in folder.iterdir()} == {
        *("index.js", "wasm.js", "index.d.ts", "package.json", "README.md", "LICENSE"),
        *("pocket-search.js", "pocket-search.d.ts", "sbom.cdx.json"),
    }
    for entry in described["exports"].values():
        for target in entry.values() if isinstance(entry, dict) else [entry]:
            assert (folder / target).is_file()


@pytest.mark.slow
@pytest.mark.parametrize("how", ["as_it_is", "bytes", "buffer", "file"])
def test_whatever_is_opened_answers_alike(installed: Path, how: str) -> None:
    said, hits = asked(installed, PASSAGES, ("like", 0, {"all": True}), how=how)
    with pocketindex.open(PASSAGES) as index:
        expected = [(hit.id, hit.title, hit.similarity) for hit in index.like(0, min_similarity=0)]
        size = PASSAGES.stat().st_size
        assert (said["size"], said["documents"]) == (size, len(index))
    assert said["has"] == {"passages": True, "words": False, "titles": False}
    got = [(hit["id"], hit["title"], hit["similarity"]) for hit in hits["hits"]]
    assert got == expected
    assert len(got) == 3


@pytest.mark.slow
def test_queries_and_documents_are_those_of_the_package(installed: Path) -> None:
    with pocketindex.open(WORDS) as index:
        text = index.text(7)
        assert text
        ids = [index.record(number).id for number in range(len(index))]
        _, similar, *documents = asked(
            installed, WORDS, ("query", text), *(("document", id) for id in ids)
        )
        assert [(hit["id"], hit["similarity"]) for hit in similar["hits"]] == [
            (hit.id, hit.similarity) for hit in index.query(text)
        ]
        for number, got in enumerate(documents):
            record = index.record(number)
            assert (got["document"], got["title"], got["url"]) == (
                number,
                record.title,
                record.url,
            )
            assert got["text"] == index.text(number)
            assert got["labels"] == []


@pytest.mark.slow
def test_searches_are_those_of_the_package(installed: Path) -> None:
    searches = [
        "lighthouse",
        "émile zola",
        '"the sea" ships',
        "sea -ships",
        "nosuchword",
        "zol",
        "lighthuose",
        "sea label:deep lang:fr",
        "sea -lang:fr",
    ]
    with pocketindex.open(WORDS) as index:
        answers = asked(installed, WORDS, *(("search", words) for words in searches))[1:]
        for words, got in zip(searches, answers, strict=True):
            expected = index.search(words)
            assert [(hit["id"], hit["words"]) for hit in got["hits"]] == [
                (hit.id, hit.words) for hit in expected
            ], words
            assert [(one["word"], one["documents"]) for one in got["words"]] == [
                (one.word, one.documents) for one in expected.words
            ]
            assert got["asked"] == expected.text
            lacked = [kind for _, kinds in expected.unlabelled for kind in kinds]
            assert got["unlabelled"] == lacked
        text = "The Lighthouse of Émile"
        (marks,) = asked(installed, WORDS, ("marks", text, "émile lighthouse"))[1:]
        assert [text[start:end] for start, end in marks] == ["Lighthouse", "Émile"]


@pytest.mark.slow
def test_sources_are_those_of_the_package(installed: Path) -> None:
    with pocketindex.open(PASSAGES) as index:
        words = [index.record(number).title for number in range(len(index))]
        texts = ["\U0001f642 é " + " ".join(words), " ".join(words * 3), "alpha"]
        answers = asked(installed, PASSAGES, *(("sources", text) for text in texts))[1:]
        for text, got in zip(texts, answers, strict=True):
            expected = index.sources(text)
            assert got["coverage"] == pytest.approx(expected.coverage)
            assert [
                (one["id"], one["coverage"], [[p["start"], p["end"]] for p in one["passages"]])
                for one in got["sources"]
            ] == [
                (
                    one.id,
                    one.coverage,
                    # a string of JavaScript counts the smiling face twice
                    [[units(text, start), units(text, end)] for start, end in one.passages],
                )
                for one in expected
            ]


def units(text: str, place: int) -> int:
    return len(text[:place].encode("utf-16-le")) // 2


@pytest.mark.slow
def test_titles_are_those_of_the_package(installed: Path) -> None:
    with pocketindex.open(TITLES) as index:
        begun = ["", "a", "do", "zzz"]
        answers = asked(installed, TITLES, *(("titles", text) for text in begun))[1:]
        for text, got in zip(begun, answers, strict=True):
            assert [one["title"] for one in got] == [one.title for one in index.titles(text)]


@pytest.mark.slow
@pytest.mark.parametrize("kinds", [{"titles": True}, {"index": "documents,words"}])
def test_titles_are_whole_and_found_by_their_words(
    installed: Path, tmp_path: Path, kinds: dict[str, Any]
) -> None:
    long = "Zauber " + "é" * 150
    texts = {"a": "Zaun", "b": long, "c": f"{long} 2"}
    documents = [{"id": id, "title": title, "text": "one"} for id, title in texts.items()]
    path = tmp_path / "d.pocket"
    pocketindex.build(documents, path, progress=False, **kinds)
    with pocketindex.open(path) as index:
        (got,) = asked(installed, path, ("titles", "zau"))[1:]
        expected = [{"document": one.number, "title": one.title} for one in index.titles("zau")]
    assert got == expected
    assert {one["title"] for one in got} == {*texts.values()}


@pytest.mark.slow
def test_what_is_refused_says_what_to_do(installed: Path, tmp_path: Path) -> None:
    good = PASSAGES.read_bytes()
    names = {"cut": good[:-9], "other": b"no pocket file at all " * 9, "empty": b""}
    for name, data in names.items():
        (tmp_path / name).write_bytes(data)
    not_pocket = (
        "not a pocket file: expected the first bytes 89 50 43 4b 54 0d 0a 1a; check the path"
    )
    size = len(good)
    for name, code, message in (
        ("missing", "io", "cannot open the file: ENOENT"),
        (".", "io", "cannot open the file: it is no regular file"),
        ("other", "notPocket", not_pocket),
        ("empty", "notPocket", not_pocket),
        (
            "cut",
            "damagedLength",
            f"damaged: header: file size: expected {size}, found {size - 9}; copy or download the "
            "file again",
        ),
    ):
        path = tmp_path / name
        (refused,) = asked(installed, path)
        assert refused["code"] == code
        assert refused["message"].startswith(f"{path}: {message}")
    said = asked(installed, PASSAGES, ("search", "a"), ("query", "alpha"), ("like", 99999))[1:]
    assert [(one["code"], one["short"]) for one in said] == [
        ("noWords", False),
        ("textTooShort", True),
        ("notFound", False),
    ]
    assert said[0][
        "message"
    ] == f"{PASSAGES}: expected words, found none; build it with --index " + ("documents,words")
    (nothing,) = asked(installed, PASSAGES, ("document", "no such id"))[1:]
    assert nothing is None


class Breaking(socketserver.StreamRequestHandler):
    """A server that ends each connection in the middle of an answer."""

    def handle(self) -> None:
        self.request.recv(4096)
        head = "HTTP/1.1 206 Partial\r\nContent-Range: bytes 0-999/9999\r\nContent-Length: 1000"
        self.wfile.write(f"{head}\r\n\r\nhalf".encode())


@pytest.mark.slow
def test_a_connection_that_breaks_is_an_error_of_the_package(installed: Path) -> None:
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Breaking) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}/a.pocket"
        (refused,) = asked(installed, url)
        server.shutdown()
    assert refused["message"] == f"{url}: cannot open the file: the connection broke"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, pocket: Path) -> Path:
    folder = tmp_path_factory.mktemp("served")
    shutil.copy(pocket, folder / "docs.pocket")
    return folder


@pytest.mark.slow
def test_a_file_on_a_server_is_read_by_ranges(installed: Path, server: Path, pocket: Path) -> None:
    with pocketindex.open(pocket) as index, serving(server, ranges=True) as served:
        expected = [(hit.id, hit.similarity) for hit in index.like(11, min_similarity=0)]
        for how in ("as_it_is", "url"):
            _, similar = asked(
                installed, served.url + "docs.pocket", ("like", 11, {"all": True}), how=how
            )
            assert [(hit["id"], hit["similarity"]) for hit in similar["hits"]] == expected
    assert {status for _, status in served.asked} == {206}
    assert len(served.asked) // 2 <= 60


@pytest.mark.slow
def test_a_server_without_ranges_sends_the_whole_file(installed: Path, server: Path) -> None:
    with serving(server, ranges=False) as served:
        _, similar = asked(installed, served.url + "docs.pocket", ("query", "a"))
        (refused,) = asked(installed, served.url + "missing.pocket")
    assert similar["short"]
    assert [status for _, status in served.asked] == [200, 404]
    assert refused == {
        "code": "io",
        "message": f"{served.url}missing.pocket: cannot open the file: the server answered 404",
        "short": False,
    }


@pytest.mark.slow
def test_its_types_name_all_that_it_answers(installed: Path, tmp_path: Path) -> None:
    path, text = tmp_path / "d.pocket", "the keeper counts white whales by night"
    pocketindex.build(
        [{"id": f"{number}", "title": text, "text": text, "topic": "sea"} for number in range(3)],
        path,
        label="topic",
        keep="text",
        index=("documents", "passages", "words"),
        titles=True,
        progress=False,
    )
    calls = [("query", text), ("like", 0), ("sources", text), ("titles", ""), ("document", 0)]
    calls += [("search", words) for words in ("whitewhales", "keeper label:sea -lang:de label:se")]
    types = (installed / "node_modules" / "pocketindex" / "index.d.ts").read_text("utf-8")

    def named(answer: Any) -> set[str]:
        inner = answer.values() if isinstance(answer, dict) else answer
        own = set(answer) if isinstance(answer, dict) else set[str]()
        return own.union(*map(named, inner)) if isinstance(answer, dict | list) else own

    keys = named(asked(installed, path, *calls))
    assert {"verified", "instead", "near", "labels", "similarity"} <= keys
    assert {key for key in keys if not re.search(rf"\b{key}: ", types)} == set()


@pytest.mark.slow
def test_its_types_are_complete(installed: Path) -> None:
    compiler = ROOT / ".venv" / "npm" / "node_modules" / ".bin" / "tsc"
    if not compiler.exists():
        pytest.skip("needs npm: make js-tools")
    flags = ("--noEmit", "--strict", "--target", "es2022", "--module", "nodenext")
    done = subprocess.run(
        [compiler, *flags, "sample.ts"], cwd=installed, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
@pytest.mark.browser
def test_an_application_of_vite_searches_in_three_lines(installed: Path, tmp_path: Path) -> None:
    app = tmp_path / "app"
    shutil.copytree(installed, app)
    shutil.copy(app / "app.html", app / "index.html")
    (app / "public").mkdir()
    shutil.copy(WORDS, app / "public" / "docs.pocket")
    ran(tool("npm"), "install", "--no-audit", "--silent", VITE, cwd=app)
    ran(app / "node_modules" / ".bin" / "vite", "build", cwd=app)
    with pocketindex.open(WORDS) as index:
        expected = " ".join(hit.id for hit in index.search("lighthouse"))
    for ranges in (True, False):
        with serving(app / "dist", ranges=ranges) as served, launched("chromium") as browser:
            page = browser.new_page()
            page.goto(served.url + "index.html")
            page.wait_for_function("document.body.innerText !== 'nothing yet'", timeout=20_000)
            assert page.inner_text("#answer") == expected
    assert expected


@pytest.mark.slow
@pytest.mark.browser
def test_its_element_searches_the_index_of_a_site(installed: Path, tmp_path: Path) -> None:
    """The script is a module of the package, and finds the rest by the entry of the index."""
    site = indexed(write_site(tmp_path / "site"))
    shutil.copytree(installed / "node_modules" / "pocketindex", site / "package")
    (site / "own.html").write_text(
        '<!doctype html><title>Own</title><link rel="icon" href="pic.svg">'
        '<script type="module">import "./package/pocket-search.js"</script>'
        '<pocket-search base="/_pocketindex/"></pocket-search>'
    )
    with serving(site, False) as server, launched("chromium") as browser:
        visitor = Visitor(browser, server.url + "own.html")
        visitor.search("ferry")
        assert visitor.status == "3 pages"
        assert visitor.texts("hit-link")[0] == "Ferry"
        assert visitor.said == []
        assert not [url for url in visitor.asked if url.endswith("_pocketindex/pocket-search.js")]
