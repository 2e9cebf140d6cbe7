"""`pocketindex serve`: the native answers as JSON, byte ranges, and nothing for those who should
have nothing.
"""

from __future__ import annotations

import http.client
import json
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from made_up import made_up
from pocketindex.builder import Settings as BuildSettings
from pocketindex.builder import build
from pocketindex.builder.page.serving import api
from pocketindex.builder.page.serving.server import Server, run
from pocketindex.builder.page.site import Site

TEXT = made_up(300)[11]["text"]


def started(pocket: Path, **choices: Any) -> tuple[Server, threading.Event, threading.Thread]:
    server, stopped = Server(Site([str(pocket)], "Made <up>"), **choices), threading.Event()
    thread = threading.Thread(target=run, args=(server, stopped), daemon=True)
    thread.start()
    return server, stopped, thread


@pytest.fixture(scope="module")
def server(pocket: Path) -> Iterator[Server]:
    server, stopped, thread = started(pocket)
    yield server
    stopped.set()
    thread.join()


def ask(
    server: Server, method: str, path: str, body: bytes | None = None, **headers: str
) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    headers = {
        "Host": f"127.0.0.1:{server.port}",
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    if body is not None:
        headers.setdefault("Content-Length", str(len(body)))
    for name, value in headers.items():
        if value:
            connection.putheader(name, value)
    connection.endheaders(body)
    answer = connection.getresponse()
    data = answer.read()
    connection.close()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, data


def refused(found: tuple[int, dict[str, str], bytes]) -> tuple[int, str]:
    """Status and sentence; a refusal is JSON that no browser takes for a page."""
    status, headers, data = found
    assert (headers["content-type"], headers["x-content-type-options"]) == (
        "application/json",
        "nosniff",
    )
    assert b"<" not in data
    return status, json.loads(data)["error"]


def test_the_page_and_its_headers(server: Server) -> None:
    for path in ("/", "/index.html", "/?q=1"):
        status, headers, data = ask(server, "GET", path)
        assert status == 200
        assert headers["content-type"] == "text/html; charset=utf-8"
        assert (
            headers["x-frame-options"],
            headers["x-content-type-options"],
            headers["referrer-policy"],
        ) == (
            "DENY",
            "nosniff",
            "no-referrer",
        )
        assert b"<h1>Made &lt;up&gt;</h1>" in data
        assert str(Path.cwd()).encode() not in data
    assert ask(server, "HEAD", "/")[2] == b""


def test_answers_are_the_native_ones(server: Server, pocket: Path) -> None:
    status, headers, data = ask(
        server,
        "POST",
        "/api/0/query",
        json.dumps({"text": TEXT, "top": 3, "min_similarity": 0}).encode(),
    )
    with pocketindex.open(pocket) as index:
        hits = [
            {
                "id": h.id,
                "title": h.title,
                "url": h.url,
                "similarity": h.similarity,
                "snippet": None,
            }
            for h in index.query(TEXT, 3, min_similarity=0)
        ]
        info = index.info().as_dict()
    del info["path"]

    assert (status, headers["content-type"]) == (200, "application/json")
    assert json.loads(data)["hits"] == hits
    assert json.loads(ask(server, "GET", "/api/0/info")[2]) == info
    assert (
        json.loads(ask(server, "GET", "/api/0/document?id=doc-7")[2])["title"]
        == "Document 7 — Übersicht"
    )


def test_all_files_asked_as_one(pocket: Path, collection: Path, tmp_path: Path) -> None:
    build([str(collection)], tmp_path / "other.pocket", BuildSettings(profile="en", keep="snippet"))
    paths = [str(pocket), str(tmp_path / "other.pocket")]
    server, stopped = Server(Site(paths)), threading.Event()
    thread = threading.Thread(target=run, args=(server, stopped), daemon=True)
    thread.start()
    status, _, data = ask(
        server,
        "POST",
        "/api/query",
        json.dumps({"text": TEXT, "top": 4, "min_similarity": 0.2}).encode(),
    )
    too_short = refused(ask(server, "POST", "/api/query", b'{"text": "two words"}'))
    nothing = refused(ask(server, "POST", "/api/query/", b'{"text": "two words"}'))
    stopped.set()
    thread.join()
    with pocketindex.open_many(paths) as files:
        hits = files.query(TEXT, 4, min_similarity=0.2)
        snippets = [files.indexes[hit.file_number].snippet(hit) for hit in hits]
        assert [
            hit.id for hit in hits
        ]  # looked at while the files are open, so that they can be shown afterwards

    assert status == 200
    assert {hit.file_number for hit in hits} == {0, 1}
    assert json.loads(data) == {
        "hits": [
            {
                "file": h.file_number,
                "id": h.id,
                "title": h.title,
                "url": h.url,
                "similarity": h.similarity,
                "snippet": snippet,
            }
            for h, snippet in zip(hits, snippets, strict=True)
        ],
        "files": [
            {"terms": own.terms, "candidates": own.candidates, "capped": own.capped}
            for own in hits.by_file
        ],
    }
    assert too_short == (
        422,
        (
            "the text has 2 terms besides stop words; 3 are needed to find similar documents, "
            "and no document has exactly this text; give more text"
        ),
    )
    assert nothing == (404, "there is nothing here")


def test_titles_and_texts_where_the_file_has_them(
    server: Server, collection: Path, tmp_path: Path
) -> None:
    build(
        [str(collection)],
        tmp_path / "all.pocket",
        BuildSettings(profile="learn", keep="text", titles=True),
    )
    other, stopped, thread = started(tmp_path / "all.pocket")
    titles = json.loads(ask(other, "GET", "/api/0/titles?q=DOCUMENT%2012&top=2")[2])["titles"]
    document = json.loads(ask(other, "GET", "/api/0/document?id=doc-7")[2])
    refusals = [
        refused(ask(other, "GET", f"/api/0/titles?q=a&top={top}")) for top in ("0", "x", "1001")
    ]
    stopped.set()
    thread.join()
    with pocketindex.open(tmp_path / "all.pocket") as index:
        assert titles == [
            {"id": r.id, "title": r.title, "url": r.url} for r in index.titles("document 12", 2)
        ]
        assert (document["text"], document["snippet"]) == (index.text(7), index.snippet(7))
    assert refusals == [
        (400, f"top is {top!r}; it must be 1 .. 1000") for top in ("0", "x", "1001")
    ]
    assert refused(ask(server, "GET", "/api/0/titles?q=a")) == (
        404,
        "the file has no titles to look up; build it with --titles",
    )


def test_ranges(server: Server, pocket: Path) -> None:
    data, path = pocket.read_bytes(), "/c0/docs.pocket"
    size = len(data)
    for asked, start, end in (
        ("0-31", 0, 32),
        (f"{size - 5}-", size - 5, size),
        (f"100-{size + 99}", 100, size),
        ("7-7", 7, 8),
        ("-500", size - 500, size),
        (f"-{size + 9}", 0, size),
    ):
        status, headers, got = ask(server, "GET", path, Range=f"bytes={asked}")
        assert (status, got, headers["content-range"]) == (
            206,
            data[start:end],
            f"bytes {start}-{end - 1}/{size}",
        )
    for asked in (f"{size}-", "9-3", "-0", "-", "0-1,4-5", "x", "99999999999999999999-"):
        status, headers, got = ask(server, "GET", path, Range=f"bytes={asked}")
        assert (status, got, headers["content-range"]) == (416, b"", f"bytes */{size}")
    status, headers, got = ask(server, "GET", path)
    assert (status, got, headers["accept-ranges"]) == (200, data, "bytes")


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "127.0.0.1",
        "127.0.0.1.evil.example:{port}",
        "127.0.0.1:1",
        "[::1]:{port}",
        "127.0.0.1:{port}@x",
    ],
)
def test_a_name_that_points_here_is_not_enough(host: str, server: Server) -> None:
    status, sentence = refused(ask(server, "GET", "/", Host=host.format(port=server.port)))
    assert (status, sentence) == (421, f"this server is http://127.0.0.1:{server.port}/ only")
    assert ask(server, "GET", "/", Host=f"localhost:{server.port}")[0] == 200


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "https://127.0.0.1:{port}",
        "http://127.0.0.1:1",
        "http://127.0.0.1:{port}.evil.example",
    ],
)
def test_pages_of_others_are_refused(origin: str, server: Server) -> None:
    body = json.dumps({"text": TEXT}).encode()
    found = ask(server, "POST", "/api/0/query", body, Origin=origin.format(port=server.port))
    assert refused(found) == (403, "only this server's own page may ask from a browser")
    assert "access-control-allow-origin" not in found[1]
    assert (
        ask(server, "POST", "/api/0/query", body, Origin=f"http://127.0.0.1:{server.port}")[0]
        == 200
    )


@pytest.mark.parametrize(
    "path",
    [
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/c0/../../x",
        "//etc/passwd",
        "/c0/",
        "/c0/docs.pocket/",
        "/c1/docs.pocket",
        "/api",
        "/x<script>",
    ],
)
def test_nothing_else_has_an_address(path: str, server: Server) -> None:
    assert refused(ask(server, "GET", path)) == (404, "there is nothing here")


def test_damage_is_said_and_serving_goes_on(pocket: Path, tmp_path: Path) -> None:
    data = bytearray(pocket.read_bytes())
    with pocketindex.open(pocket) as index:
        sections = index.info().sections
    data[-sections["ids"] - 20] ^= 1
    (tmp_path / "docs.pocket").write_bytes(data)
    server, stopped, thread = started(tmp_path / "docs.pocket")
    assert re.search(
        r"damaged: section documents, block \d+: CRC32C",
        refused(ask(server, "GET", "/api/0/document?id=doc-299"))[1],
    )
    assert ask(server, "GET", "/api/0/info")[0] == 200
    stopped.set()
    thread.join()


def test_markup_is_escaped(server: Server) -> None:
    assert refused(ask(server, "GET", "/api/0/document?id=%3Cscript%3E")) == (
        404,
        "no document has the id '<script>'",
    )
    assert refused(ask(server, "GET", "/api/0/document")) == (400, "expected one id, as in ?id=12")
    assert refused(ask(server, "GET", "/api/3/info")) == (404, "there is 1 file, counted from 0")


@pytest.mark.parametrize(
    "line",
    [
        b"DELETE / HTTP/1.1",
        b"<script> / HTTP/1.1",
        b"nonsense",
        b"GET / HTTP/9.9",
        b"GET " + b"a" * 70_000 + b" HTTP/1.1",
    ],
)
def test_other_methods_and_nonsense(line: bytes, server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        connection.sendall(line + b"\r\nHost: x\r\n\r\n")
        answer = b""
        while data := connection.recv(65_536):
            answer += data
    assert b"<" not in answer
    assert re.match(rb'(HTTP/1\.[01] (400|414|501|505) .*\r\n\r\n)?\{"error": ', answer, re.S)


def test_it_listens_on_loopback_alone(server: Server) -> None:
    assert server.server_address[0] == "127.0.0.1"
    name = socket.gethostbyname(socket.gethostname())
    if name.startswith("127."):
        return
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((name, server.port), timeout=5)


def test_a_slow_client_is_cut_off(pocket: Path) -> None:
    server, stopped, thread = started(pocket, seconds=0.5)
    begun = time.monotonic()
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        connection.sendall(
            b"POST /api/0/query HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 99\r\n\r\n"
            % server.port
        )
        try:
            while time.monotonic() - begun < 15:
                connection.sendall(b" ")
                time.sleep(0.05)
                connection.setblocking(False)
                try:
                    if connection.recv(4096) == b"":
                        break
                except BlockingIOError:
                    pass
                connection.setblocking(True)
        except OSError:
            pass
    assert time.monotonic() - begun < 5
    assert ask(server, "GET", "/")[0] == 200
    stopped.set()
    thread.join()


def test_running_requests_end_before_it_stops(
    pocket: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entered, native = threading.Event(), api.query

    def slow(index: pocketindex.Index, body: bytes) -> dict[str, Any]:
        entered.set()
        time.sleep(0.7)
        return native(index, body)

    monkeypatch.setattr(api, "query", slow)
    server, stopped, thread = started(pocket)
    found: list[int] = []
    client = threading.Thread(
        target=lambda: found.append(
            ask(server, "POST", "/api/0/query", json.dumps({"text": TEXT}).encode())[0]
        )
    )
    client.start()
    assert entered.wait(10)
    stopped.set()
    thread.join()
    client.join()
    assert found == [200]
    with pytest.raises(ConnectionRefusedError):
        ask(server, "GET", "/")


def goes_away(port: int) -> None:
    """A client that asks for more than it takes, and is gone while the server writes."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % port * 40)
        connection.recv(100)


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_command(number: int, pocket: Path) -> None:
    command = [sys.executable, "-m", "pocketindex", "serve", str(pocket), "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout
    url = process.stdout.readline().strip()
    port = int(url.rstrip("/").rsplit(":", 1)[1])
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", "/api/0/info")
    assert json.loads(connection.getresponse().read())["documents"] == 300
    for _ in range(20):
        goes_away(port)
    connection.request("GET", "/api/0/info")
    assert json.loads(connection.getresponse().read())["documents"] == 300

    taken = subprocess.run([*command[:-1], str(port)], capture_output=True, text=True)
    assert taken.returncode == 2
    assert re.fullmatch(
        rf"pocketindex: port {port} cannot be used: .+; choose another with --port, or 0\n",
        taken.stderr,
    )

    process.send_signal(number)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (0, "", "Ctrl-C ends it\n")
