"""A file is opened from its path, its bytes, a file object or an address, and answers the same."""

from __future__ import annotations

import gzip
import io
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from file_server import FileServer, file_server
from made_up import made_up
from places import GOLDEN
from pocketindex.opening import ranges
from pocketindex.opening.pieces import _Block, _reads
from run_command import run

pytest.importorskip("aiohttp")

DOCUMENTS = [{**one, "topic": f"t{i % 3}"} for i, one in enumerate(made_up(600))]
TEXT = DOCUMENTS[123]["text"]
WORDS = " ".join(TEXT.split()[4:7])

# What is asked of an index. A file in pieces looks up keys where one at hand is scanned, so a query
# says how.
QUESTIONS: dict[str, Callable[[pocketindex.Index], Any]] = {
    "query": lambda index: index.query(TEXT, probes=500),
    "exhaustive": lambda index: index.query(TEXT, exhaustive=True, min_similarity=0),
    "exact": lambda index: index.query(TEXT, probes=500, exact=True),
    "many": lambda index: [hits.hits for hits in index.query_many([TEXT, "short"], probes=500)],
    "like": lambda index: index.like(7, min_similarity=0, exhaustive=True),
    "sources": lambda index: index.sources(TEXT).to_dicts(),
    "search": lambda index: index.search(WORDS).to_dicts(),
    "grouped": lambda index: index.search(TEXT.split()[4], group=True).to_dicts(),
    "replaced": lambda index: index.search(f"{WORDS}x").replacements,
    "classify": lambda index: index.classify(TEXT, by="texts").shares,
    "titles": lambda index: index.titles("Document 1", top=30),
    "text": lambda index: (index.text(5), index.snippet(5), index.labels(5)),
    "record": lambda index: (index.find("doc-9"), index.record(9), "doc-9" in index),
    "explain": lambda index: index.explain(TEXT, 3),
    "info": lambda index: replace(index.info(), path="", way=""),
    "verify": lambda index: index.verify(),
}


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("anything") / "a.pocket"
    pocketindex.build(
        DOCUMENTS, path, keep="text", index=("documents", "passages", "words"), titles=True,
        label="topic", progress=False,
    )  # fmt: skip
    return path


def without_file(answer: Any) -> Any:
    """The answer without the name of its file, which differs."""
    if isinstance(answer, list):
        return [
            {name: value for name, value in one.items() if name not in ("file", "like")}
            if isinstance(one, dict)
            else one
            for one in answer
        ]
    return answer


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.parametrize("kind", ["bytes", "file object", "address"])
def test_every_answer_is_that_of_the_path(
    kind: str, name: str, path: Path, request: pytest.FixtureRequest
) -> None:
    ask = QUESTIONS[name]
    with pocketindex.open(path) as index:
        expected = without_file(ask(index))

    if kind == "address":
        given: Any = f"{request.getfixturevalue('server').url}a.pocket"
    else:
        given = path.read_bytes() if kind == "bytes" else path.open("rb")
    with pocketindex.open(given) as index:
        assert without_file(ask(index)) == expected
    if kind == "file object":
        assert not given.closed
        given.close()


@pytest.fixture(scope="module")
def server(path: Path) -> Any:
    with file_server(path.parent) as server:
        yield server


def test_a_query_reads_few_ranges_and_the_second_one_fewer(path: Path) -> None:
    with file_server(path.parent) as server, pocketindex.open(f"{server.url}a.pocket") as index:
        opened = len(server.asked)
        hits = index.query(TEXT)
        assert hits[0].title == DOCUMENTS[123]["title"]
        asked = len(server.asked)
        index.query(TEXT)

        assert len(server.asked) == asked
        assert opened <= 8
        assert asked - opened <= 12
        assert all(method == "GET" and range for method, _, range in server.asked)
        assert index.cold


def test_blocks_that_lie_near_each_other_are_one_read() -> None:
    near = [_Block(3, i, 40_000 * i, 10_000) for i in range(50)]
    assert [len(one) for one in _reads(near)] == [50]
    far = [_Block(3, i, 1_000_000 * i, 10_000) for i in range(30)]
    assert [len(one) for one in _reads(far)] == [1] * 30
    long = [_Block(3, i, 3_000_000 * i, 3_000_000) for i in range(3)]
    assert [len(one) for one in _reads(long)] == [1] * 3
    assert _reads([]) == []


def test_many_reads_are_made_fewer_by_the_smallest_gaps_up_to_a_limit() -> None:
    """Gaps of 50,000 to 99,000 bytes; eleven of them have 600,000 bytes at least."""
    place, blocks = 0, list[_Block]()
    for i in range(50):
        blocks.append(_Block(3, i, place, 1_000))
        place += 1_000 + 50_000 + 1_000 * i
    reads = _reads(blocks)

    assert [len(one) for one in reads] == [11] + [1] * 39
    assert sum(one[-1].offset - one[0].offset for one in reads) < 620_000


def test_threads_ask_the_same_file_in_pieces(server: FileServer) -> None:
    with pocketindex.open(f"{server.url}a.pocket") as index, ThreadPoolExecutor(4) as pool:
        texts = [one["text"] for one in DOCUMENTS[:40]]
        found = list(pool.map(lambda text: index.query(text, probes=300)[0].id, texts))
        numbers = index.query_many(texts, numbers=True, probes=300).numbers

    assert found == [one["id"] for one in DOCUMENTS[:40]]
    assert numbers[:, 0].tolist() == list(range(40))


def test_several_files_of_every_kind_are_asked_as_one(path: Path, server: FileServer) -> None:
    with path.open("rb") as file:
        given: list[Any] = [path, path.read_bytes(), file, f"{server.url}a.pocket"]
        with pocketindex.open_many(given) as many:
            hits = many.query(TEXT)
            assert [hit.file for hit in hits[:4]] == [
                str(path), "<bytes>", str(path), f"{server.url}a.pocket",
            ]  # fmt: skip
            assert [hit.id for hit in hits[:4]] == ["doc-123"] * 4
    with pocketindex.open_many(path.read_bytes()) as one:
        assert len(one) == 600


def test_it_pickles_but_for_a_file_object(path: Path, server: FileServer) -> None:
    for given in (path.read_bytes(), f"{server.url}a.pocket"):
        again = pickle.loads(pickle.dumps(pocketindex.open(given)))
        assert again.query(TEXT)[0].id == "doc-123"
    with pytest.raises(TypeError, match="<file object>: an index of a file object cannot be pick"):
        pickle.dumps(pocketindex.open(io.BytesIO(path.read_bytes())))


def test_hits_are_looked_at_after_the_index_is_closed(server: FileServer) -> None:
    with pocketindex.open(f"{server.url}a.pocket") as index:
        hits = index.query(TEXT)

    assert hits[0].title == DOCUMENTS[123]["title"]


def test_the_command_asks_a_file_at_an_address(server: FileServer) -> None:
    done = run("query", f"{server.url}a.pocket", TEXT)

    assert done.returncode == 0, done.stderr
    assert "Document 123" in done.stdout
    assert run("verify", f"{server.url}a.pocket").returncode == 0


def test_the_builder_asks_it_too(server: FileServer) -> None:
    found = pocketindex.check(f"{server.url}a.pocket", [TEXT])
    assert [one.verdict for one in found] == ["copy"]
    with pocketindex.open(f"{server.url}a.pocket") as index:
        assert len(pocketindex.pairs(index)) == 0


def test_an_address_of_a_file_system_of_fsspec(path: Path) -> None:
    memory = pytest.importorskip("fsspec").filesystem("memory")
    memory.pipe("/a.pocket", path.read_bytes())

    with pocketindex.open("memory://a.pocket") as index:
        assert index.query(TEXT)[0].id == "doc-123"
    with pocketindex.open(path.as_uri()) as index:
        assert index.path == str(path)
    with pytest.raises(pocketindex.NotReachable, match="there is no such file or folder"):
        pocketindex.open("memory://b.pocket")


def test_a_small_file_is_read_whole_where_a_server_sends_no_ranges(path: Path) -> None:
    with file_server(path.parent, ranges=False) as server:
        url = f"{server.url}a.pocket"
        with pocketindex.open(url) as index:
            assert index.query(TEXT)[0].id == "doc-123"
        assert len(server.asked) == 1
        assert pickle.loads(pickle.dumps(pocketindex.open(url))).path == url


@pytest.mark.parametrize("length", [True, False])
def test_a_large_file_without_ranges_is_told_and_not_read(
    length: bool, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranges, "_WHOLE", 1_000)
    with (
        file_server(path.parent, ranges=False, length=length) as server,
        pytest.raises(pocketindex.NotReachable) as error,
    ):
        pocketindex.open(f"{server.url}a.pocket")
    assert str(error.value) == (
        f"{server.url}a.pocket: its server sends no byte ranges, and the file is too large to be "
        "read whole (more than 1,000 bytes, or the server does not say how many); have it send "
        "ranges, or download the file and give its path"
    )


def test_what_a_server_refuses_is_told(path: Path) -> None:
    for status, said in ((503, r"status 503\); try again later"), (404, "there is no such file")):
        with (
            file_server(path.parent, status=status) as server,
            pytest.raises(pocketindex.NotReachable, match=said),
        ):
            pocketindex.open(f"{server.url}a.pocket")


def test_a_server_that_goes_away_is_told_and_may_come_back(path: Path) -> None:
    with file_server(path.parent) as server, pocketindex.open(f"{server.url}a.pocket") as index:
        server.status = 503
        with pytest.raises(pocketindex.NotReachable, match="HTTP status 503"):
            index.query(TEXT)
        server.status = 200
        assert index.query(TEXT)[0].id == "doc-123"


def test_a_file_that_changes_on_its_server_is_found_out(tmp_path: Path, path: Path) -> None:
    own = tmp_path / "a.pocket"
    own.write_bytes(path.read_bytes())
    with file_server(tmp_path) as server, pocketindex.open(f"{server.url}a.pocket") as index:
        own.write_bytes(bytes(byte ^ 1 for byte in own.read_bytes()))
        with pytest.raises(pocketindex.Damaged, match="CRC32C"):
            index.query(TEXT)
        own.write_bytes(path.read_bytes()[:1000])
    with path.open("rb") as whole:
        short = io.BytesIO(whole.read())
    with pocketindex.open(short) as index:
        short.truncate(3_000)
        with pytest.raises(pocketindex.FileChanged):
            index.query(TEXT)


BYTES = (GOLDEN / "rff.pocket").read_bytes()


@pytest.mark.parametrize(
    ("content", "error", "said"),
    [
        (b"", pocketindex.NotAPocketFile, "its first bytes are wrong; check where it comes from"),
        (b"no pocket file" * 100, pocketindex.NotAPocketFile, "first bytes are wrong"),
        (gzip.compress(BYTES), pocketindex.NotAPocketFile, "compressed with gzip; unpack it first"),
        (BYTES[:8] + b"\2" + BYTES[9:], pocketindex.TooNew, "major version: expected 1, found 2"),
        (BYTES[:-1], pocketindex.Damaged, "file size"),
        (BYTES + b"x", pocketindex.Damaged, "file size"),
        (BYTES[:20], pocketindex.NotAPocketFile, "not a pocket file"),
        (BYTES[:12] + b"\xff" + BYTES[13:], pocketindex.Damaged, "sections: expected"),
        (BYTES[:40] + b"\xff" * 8 + BYTES[48:], pocketindex.Damaged, "end of a section"),
        (BYTES[:28] + b"\0" + BYTES[29:], pocketindex.Damaged, "CRC32C"),
    ],
)
def test_bad_heads_are_told_in_the_words_of_the_core(
    content: bytes, error: type[Exception], said: str
) -> None:
    with pytest.raises(error) as caught:
        pocketindex.open(io.BytesIO(content))
    assert said in str(caught.value)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize("content", [b"", b"no pocket file" * 10_000, BYTES[:-1], b"\0" * 99_999])
def test_errors_do_not_print_their_input(content: bytes) -> None:
    for function in (pocketindex.open, pocketindex.open_many):
        for given in (content, bytearray(content), memoryview(content), io.BytesIO(content)):
            with pytest.raises(pocketindex.PocketError) as caught:
                function(given)
            assert len(str(caught.value)) < 300
            assert len(repr(caught.value)) < 300


def test_arguments_that_are_no_files_are_told_in_a_short_sentence(path: Path) -> None:
    long = "a word " * 10_000
    with pocketindex.open(path) as index:
        calls: list[Callable[[], Any]] = [
            lambda: pocketindex.open(12),  # type: ignore[arg-type]
            lambda: pocketindex.open(long),
            lambda: pocketindex.open_many([long]),
            lambda: pocketindex.open_many(12),  # type: ignore[arg-type]
            lambda: pocketindex.open(io.StringIO(long)),  # type: ignore[arg-type]
            lambda: pocketindex.merge(long, "x.pocket"),
            lambda: pocketindex.Document("id", long.encode(), "text"),  # type: ignore[arg-type]
            lambda: pocketindex.Document("id", "", "text", labels=long),  # type: ignore[arg-type]
            lambda: index.document(long),
            lambda: index.find(long.encode()),  # type: ignore[arg-type]
            lambda: index.query(long, top=long),  # type: ignore[arg-type]
            lambda: index.query_many(long),
            lambda: pocketindex.dedup([object(), long]),
        ]
        for call in calls:
            with pytest.raises(Exception) as caught:  # noqa: PT011  each of its own kind
                call()
            assert len(str(caught.value)) < 300, str(caught.value)[:400]


def test_a_stream_that_cannot_be_sought_is_told() -> None:
    class Stream(io.RawIOBase):
        def readable(self) -> bool:
            return True

    with pytest.raises(ValueError, match="cannot be read at any place") as caught:
        pocketindex.open(Stream())  # type: ignore[arg-type]
    assert "give its bytes, or the path of a file" in str(caught.value)


def test_a_file_object_may_give_fewer_bytes_than_it_is_asked_for(path: Path) -> None:
    class Slow(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            return super().read(min(size or 0, 1_000))

    with pocketindex.open(Slow(path.read_bytes())) as index:
        assert index.query(TEXT)[0].id == "doc-123"


def test_closing_frees_what_was_read(path: Path) -> None:
    from pocketindex.cbits import IN_PIECES

    before = len(IN_PIECES)
    index = pocketindex.open(io.BytesIO(path.read_bytes()))
    assert len(IN_PIECES) == before + 1
    index.query(TEXT)
    index.close()
    del index

    assert len(IN_PIECES) == before
