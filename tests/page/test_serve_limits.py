"""`pocketindex serve` and clients that take without end: connections, answers that nobody reads,
memory. Others are answered meanwhile.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pocketindex.builder import Settings, build
from pocketindex.builder.page.serving import api, clients
from pocketindex.builder.page.serving.server import HEAD_BYTES, Server
from test_serve import ask, refused, started

MOST_MEMORY = 300 << 20  # of a server that gets 24 posts of 16 MiB at once


@pytest.fixture(scope="module")
def file(collection: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("limits") / "docs.pocket"
    build([str(collection)], path, Settings(profile="learn", titles=True))
    return path


@pytest.fixture
def server(file: Path) -> Iterator[Server]:
    server, stopped, thread = started(file)
    yield server
    stopped.set()
    thread.join()


def connect(server: Server, data: bytes) -> socket.socket:
    """A connection that takes few bytes, and has sent these."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
    connection.settimeout(20)
    connection.connect(("127.0.0.1", server.port))
    connection.sendall(data.replace(b"{host}", b"Host: 127.0.0.1:%d" % server.port))
    return connection


@pytest.mark.parametrize("path", [b"/", b"/c0/docs.pocket", b"/api/0/titles?q=d&top=1000"])
def test_nobody_waits_for_those_who_do_not_read(path: bytes, server: Server) -> None:
    request = b"GET %b HTTP/1.1\r\n{host}\r\n\r\n" % path
    kept = [connect(server, request * 10) for _ in range(clients.MOST_AT_ONCE + 16)]
    try:
        time.sleep(0.5)
        before = time.monotonic()
        assert ask(server, "GET", "/api/0/info")[0] == 200
        assert time.monotonic() - before < 20
    finally:
        for connection in kept:
            connection.close()


def test_who_does_not_read_is_cut_off(file: Path) -> None:
    server, stopped, thread = started(file, seconds=1.0)
    with connect(server, b"GET / HTTP/1.1\r\n{host}\r\n\r\n" * 400) as connection:
        end = time.monotonic() + 15
        while server.clients.open and time.monotonic() < end:
            time.sleep(0.05)
        assert server.clients.open == 0
        connection.recv(100)
    stopped.set()
    thread.join()


def test_more_connections_than_threads(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clients, "MOST_CONNECTIONS", 8)
    kept = [connect(server, b"") for _ in range(8)]
    while server.clients.open < 8:
        time.sleep(0.01)
    with connect(server, b"") as late:
        answer = late.recv(4096)
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
    assert b"\r\nRetry-After: 1\r\n" in head
    assert json.loads(body) == {"error": "too many connections at once; ask again later"}
    assert f"Content-Length: {len(body)}".encode() in head
    for connection in kept:
        connection.close()
    while server.clients.open:
        time.sleep(0.01)
    assert ask(server, "GET", "/api/0/info")[0] == 200


def test_a_body_waits_for_memory_and_those_who_hold_it_idly_are_cut_off(server: Server) -> None:
    """Two clients say that they will send all that there is room for, and send nothing."""
    begun = b"POST /api/query HTTP/1.1\r\n{host}\r\nContent-Length: %d\r\n\r\n{" % (16 << 20)
    kept = [connect(server, begun) for _ in range(clients.BODIES_BYTES // (16 << 20))]
    while server.clients.bodies:
        time.sleep(0.01)
    before = time.monotonic()
    assert ask(server, "POST", "/api/0/query", b'{"text": "two words"}')[0] == 422
    assert time.monotonic() - before < clients.MEMORY_SECONDS
    for connection in kept:
        connection.close()
    while server.clients.bodies != clients.BODIES_BYTES:
        time.sleep(0.01)


@pytest.mark.parametrize("kind", ["bodies", "answers"])
def test_without_memory_a_client_is_asked_to_come_again(
    kind: str, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clients, "MEMORY_SECONDS", 0.2)
    monkeypatch.setattr(clients, "SMALL_ANSWER", 0)
    free = getattr(server.clients, kind)
    setattr(server.clients, kind, 0)
    found = ask(server, "POST", "/api/0/query", b'{"text": "%b"}' % (b"a b c d e f g h i" * 9))
    assert refused(found) == (503, "too many large requests at once; ask again later")
    assert found[1]["retry-after"] == "1"
    setattr(server.clients, kind, free)
    assert ask(server, "GET", "/api/0/info")[0] == 200
    assert getattr(server.clients, kind) == free


def test_an_answer_larger_than_all_memory_is_given(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clients, "SMALL_ANSWER", 10)
    monkeypatch.setattr(clients, "ANSWERS_BYTES", 100)
    server.clients.answers = 100
    assert ask(server, "GET", "/api/0/info")[0] == 200
    assert server.clients.answers == 100


def test_all_headers_together_have_a_limit(server: Server) -> None:
    lines = b"".join(b"X-%d: %b\r\n" % (i, b"a" * 1000) for i in range(HEAD_BYTES // 1000 + 1))
    with connect(server, b"GET / HTTP/1.1\r\n{host}\r\n" + lines + b"\r\n") as connection:
        assert connection.recv(4096).startswith(b"HTTP/1.1 431 ")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (["Origin: {own}", "Origin: http://evil.example"], 403),
        (["Origin: http://evil.example", "Origin: {own}"], 403),
        (["Origin: {own} http://evil.example"], 403),
        (["Origin: {own}, http://evil.example"], 403),
        (["Origin:"], 403),
        (["Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: cross-site"], 403),
        (["Host: evil.example"], 421),
        (["Origin: {own}", "Origin: {own}"], 200),
        (["Origin: {own}"], 200),
    ],
)
def test_every_header_counts(headers: list[str], status: int, server: Server) -> None:
    own = f"http://127.0.0.1:{server.port}"
    lines = "".join(f"{line.format(own=own)}\r\n" for line in headers)
    request = f"GET /api/0/info HTTP/1.1\r\n{{host}}\r\n{lines}\r\n".encode()
    with connect(server, request) as connection:
        assert connection.recv(4096).split()[1] == b"%d" % status


@pytest.mark.parametrize(
    ("target", "status"),
    [("http://evil.example/", 421), ("ftp://{own}/", 421), ("http://{own}/", 200)],
)
def test_an_address_that_names_a_server(target: str, status: int, server: Server) -> None:
    target = target.format(own=f"127.0.0.1:{server.port}")
    with connect(server, f"GET {target} HTTP/1.1\r\n{{host}}\r\n\r\n".encode()) as connection:
        assert connection.recv(4096).split()[1] == b"%d" % status


@pytest.mark.parametrize(
    "error",
    [
        ValueError("{path}: an argument is outside its documented range"),
        LookupError("{path}: there is no such document"),
        MemoryError("{path}: memory ran out"),
        OSError("{path}: the file cannot be opened or read"),
        OSError(5, "Input/output error", "{path}"),
        RuntimeError("{path}"),
        MemoryError(),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_ends_one_request_and_says_no_folder(
    error: Exception, server: Server, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(file)
    arguments = [a.format(path=path) if isinstance(a, str) else a for a in error.args]

    def fails(*_: object) -> object:
        raise type(error)(*arguments)

    monkeypatch.setattr(api, "document", fails)
    status, said = refused(ask(server, "GET", "/api/0/document?id=1"))
    assert status == 500
    assert said
    assert str(file.parent) not in said
    assert ask(server, "GET", "/api/0/info")[0] == 200


def test_damage_is_told_without_the_folder(file: Path, tmp_path: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 2 :] = bytes(len(data) - len(data) // 2)
    (tmp_path / "docs.pocket").write_bytes(file.read_bytes())
    server, stopped, thread = started(tmp_path / "docs.pocket")
    with (tmp_path / "docs.pocket").open("r+b") as changed:
        changed.write(data)
    said = refused(ask(server, "GET", "/api/0/document?id=doc-299"))
    stopped.set()
    thread.join()
    assert said[0] == 500
    assert re.match(r"docs\.pocket: (damaged|changed): ", said[1])


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
def test_many_large_requests_at_once(file: Path) -> None:
    command = [sys.executable, "-m", "pocketindex", "serve", str(file), "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert server.stdout
    port = int(server.stdout.readline().strip().rstrip("/").rsplit(":", 1)[1])
    body = json.dumps({"text": ("abcdef ghijkl " * (1 << 21))[: (16 << 20) - 100]}).encode()
    found = list[int]()

    def client() -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=100)
        try:
            connection.request("POST", "/api/query", body)
            found.append(connection.getresponse().status)
        except OSError:  # refused before all of it was sent
            found.append(503)
        connection.close()

    threads = [threading.Thread(target=client) for _ in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = Path(f"/proc/{server.pid}/status").read_text().splitlines()
    peak = int(next(line.split()[1] for line in lines if line.startswith("VmHWM:"))) << 10
    server.terminate()
    server.wait(20)
    print(f"{peak >> 20} MB; {os.cpu_count()} processors")
    assert len(found) == 24
    assert set(found) <= {200, 422, 503}
    assert peak < MOST_MEMORY
