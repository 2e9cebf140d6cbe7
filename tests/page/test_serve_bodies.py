"""Bodies of requests to `pocketindex serve`: their lengths and their content."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pocketindex.builder.page.serving.server import Server
from test_serve import TEXT, ask, refused, started


@pytest.fixture(scope="module")
def server(pocket: Path) -> Iterator[Server]:
    server, stopped, thread = started(pocket)
    yield server
    stopped.set()
    thread.join()


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Content_Length": "1000000000000"}, 413),
        ({"Content_Length": str((16 << 20) + 1)}, 413),
        ({"Content_Length": "-1"}, 411),
        ({"Content_Length": "1e3"}, 411),
        ({"Content_Length": "+5"}, 411),
        ({"Content_Length": ""}, 411),
        ({"Content_Length": "", "Transfer_Encoding": "chunked"}, 411),
    ],
)
def test_lengths(headers: dict[str, str], status: int, server: Server) -> None:
    found = ask(server, "POST", "/api/0/query", b"{}", **headers)
    assert refused(found)[0] == status
    assert found[1]["connection"] == "close"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ("Content-Length: 20000000", 413),
        ("Transfer-Encoding: chunked", 411),
        ("Content-Length: 20000000\r\nOrigin: http://elsewhere.example", 403),
        ("Content-Length: 20000000\r\nX: " + "x" * 70_000, 431),
    ],
)
def test_a_refused_body_is_answered_while_it_is_sent(
    headers: str, status: int, server: Server
) -> None:
    """And not reset, which would hide the answer from a client that is still sending."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as client:
        head = f"POST /api/0/query HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n{headers}\r\n\r\n"
        client.sendall(head.encode())
        for _ in range(20):
            client.sendall(bytes(1_000_000))
            time.sleep(0.005)
        client.shutdown(socket.SHUT_WR)
        answer = b""
        while data := client.recv(65_536):
            answer += data
    assert answer.startswith(b"HTTP/1.1 %d " % status)
    assert b'{"error": ' in answer


def test_a_body_that_waits_to_be_asked_for(server: Server) -> None:
    """As curl sends one of more than a MiB."""

    def asked(size: int, body: bytes) -> list[bytes]:
        with socket.create_connection(("127.0.0.1", server.port), timeout=20) as client:
            client.sendall(
                b"POST /api/0/query HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: %d\r\n"
                b"Expect: 100-continue\r\nConnection: close\r\n\r\n" % (server.port, size)
            )
            answers = client.makefile("rb")
            first = answers.readline()
            if b" 100 " in first:
                answers.readline()
                client.sendall(body)
                return [first, answers.readline()]
            return [first]

    body = json.dumps({"text": TEXT}).encode()
    assert asked(len(body), body) == [b"HTTP/1.1 100 Continue\r\n", b"HTTP/1.1 200 OK\r\n"]
    assert asked(20_000_000, b"")[0].startswith(b"HTTP/1.1 413 ")


@pytest.mark.parametrize(
    ("body", "status", "sentence"),
    [
        (b"", 400, "expected a JSON object with a text"),
        (b"\xff", 400, "expected a JSON object with a text"),
        (b"[" * 200_000, 400, "expected a JSON object with a text"),
        (b'{"text": 7}', 400, "expected a JSON object with a text"),
        (b'{"text": "<script>&</script>"}', 422, "the text has 2 terms besides stop words"),
        (b'{"text": "a", "top": 0}', 400, "top is 0; it must be 1 .. 1000"),
        (
            b'{"text": "a", "top": true}',
            400,
            "top: expected one of text, top, probes, min_similarity",
        ),
        (b'{"text": "a", "path": "/etc/passwd"}', 400, "path: expected one of"),
        (b'{"text": "a", "probes": 65537}', 400, "probes is 65537; it must be between 1 and 65536"),
        (b'{"text": "a", "min_similarity": NaN}', 400, "min_similarity is nan"),
    ],
)
def test_bodies(body: bytes, status: int, sentence: str, server: Server) -> None:
    found = refused(ask(server, "POST", "/api/0/query", body))
    assert found[0] == status
    assert found[1].startswith(sentence)
