"""`pocketindex serve` and those who ask it oddly, in great number, or from elsewhere: each has an
answer, and nobody waits for the idle.
"""

from __future__ import annotations

import json
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest
from core_sources import tool
from places import ROOT
from pocketindex.builder import Settings, build
from pocketindex.builder.page.serving.clients import MOST_AT_ONCE
from pocketindex.builder.page.serving.request import hosts
from pocketindex.builder.page.serving.server import Server
from test_serve import ask, refused, started

WEB = ROOT / "builder" / "page" / "web"
LINKS = WEB / "view" / "links.js"


@pytest.fixture(scope="module")
def server(collection: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    path = tmp_path_factory.mktemp("strangers") / "docs.pocket"
    build([str(collection)], path, Settings(profile="learn", titles=True))
    server, stopped, thread = started(path)
    yield server
    stopped.set()
    thread.join()


def sent(server: Server, request: str) -> bytes:
    """All that comes back."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        connection.sendall(request.format(host=f"Host: 127.0.0.1:{server.port}").encode("latin-1"))
        answer = b""
        while data := connection.recv(65_536):
            answer += data
    return answer


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("http://[/", "the address is malformed"),
        ("/api/0/titles?" + "&".join(["q=a"] * 10), "expected at most 9 fields after the ?"),
        ("/api/0/document?" + "&".join(["id=1"] * 10), "expected at most 9 fields after the ?"),
        (
            "/api/0/titles?q=a&top=" + "9" * 4_300,
            "top is '99999999999999999999'; it must be 1 .. 1000",
        ),
        (
            "/api/0/titles?q=a&top=" + "0" * 4_300,
            "top is '00000000000000000000'; it must be 1 .. 1000",
        ),
        ("/api/0/titles?q=a&top=%D9%A3", "top is '\u0663'; it must be 1 .. 1000"),
        ("/api/0/titles?q=a&top=01001", "top is '01001'; it must be 1 .. 1000"),
    ],
)
def test_odd_addresses(path: str, sentence: str, server: Server) -> None:
    answer = sent(server, f"GET {path} HTTP/1.1\r\n{{host}}\r\nConnection: close\r\n\r\n")
    head, _, body = answer.partition(b"\r\n\r\n")

    assert (head.splitlines()[0], json.loads(body)) == (
        b"HTTP/1.1 400 Bad Request",
        {"error": sentence},
    )


@pytest.mark.parametrize("value", ["1" + "0" * 4_000, "9" * 5_000, "-1", "1e999"])
@pytest.mark.parametrize("name", ["top", "probes", "min_similarity"])
def test_odd_numbers(name: str, value: str, server: Server) -> None:
    assert (
        refused(
            ask(
                server,
                "POST",
                "/api/0/query",
                b'{"text": "a b c d e f g h", "%b": %b}' % (name.encode(), value.encode()),
            )
        )[0]
        == 400
    )


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("length", ["45", "00", "-1", "x"])
def test_a_body_where_there_is_none_is_no_second_request(
    method: str, length: str, server: Server
) -> None:
    inner = "GET /api/0/info HTTP/1.1\r\n{host}\r\nConnection: close\r\n\r\n"
    answer = sent(
        server, f"{method} / HTTP/1.1\r\n{{host}}\r\nContent-Length: {length}\r\n\r\n{inner}"
    )

    assert answer.count(b"HTTP/1.1 ") == 1
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert method == "HEAD" or json.loads(answer.partition(b"\r\n\r\n")[2]) == {
        "error": "expected no body, as GET has none"
    }
    assert ask(server, "GET", "/", Content_Length="0")[0] == 200


@pytest.mark.parametrize(
    ("site", "status"),
    [("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)],
)
def test_a_browser_says_from_where_it_asks(site: str, status: int, server: Server) -> None:
    for path in ("/", "/c0/docs.pocket", "/api/0/titles?q=a"):
        found = ask(server, "GET", path, Sec_Fetch_Site=site)
        assert found[0] == status
        assert status == 200 or refused(found) == (
            403,
            "only this server's own page may ask from a browser",
        )


def test_the_port_of_http_need_not_be_named(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert hosts(81) == {"127.0.0.1:81", "localhost:81"}
    assert hosts(80) == {"127.0.0.1:80", "localhost:80", "127.0.0.1", "localhost"}
    monkeypatch.setattr(server, "hosts", hosts(80))
    for name in hosts(80):
        assert ask(server, "GET", "/", Host=name, Origin=f"http://{name}")[0] == 200
    assert refused(ask(server, "GET", "/", Host="evil.example"))[0] == 421


def test_the_port_of_http_itself(collection: Path, tmp_path: Path) -> None:
    """Clients leave port 80 out of `Host`."""
    path = tmp_path / "docs.pocket"
    build([str(collection)], path, Settings(profile="learn", titles=True))
    try:
        server, stopped, thread = started(path, port=80)
    except OSError as error:
        pytest.skip(f"port 80: {error.strerror}")
    try:
        for name in ("localhost", "localhost:80", "127.0.0.1", "127.0.0.1:80"):
            assert ask(server, "GET", "/", Host=name, Origin=f"http://{name}")[0] == 200
        for name in ("localhost:81", "evil.example", "evil.example:80"):
            status, sentence = refused(ask(server, "GET", "/", Host=name))
            assert (status, sentence) == (421, "this server is http://127.0.0.1:80/ only")
        with urlopen("http://localhost/api/0/info", timeout=20) as found:
            assert found.status == 200
    finally:
        stopped.set()
        thread.join()


@pytest.mark.parametrize(
    "begun",
    [
        "",
        "GET / HTTP/1.1\r\n{host}\r\nX-",
        "POST /api/query HTTP/1.1\r\n{host}\r\nContent-Length: 99\r\n\r\n{",
    ],
)
def test_nobody_waits_for_the_idle(begun: str, server: Server) -> None:
    """More connections than places: those that are idle longest go first, and one that asks is
    answered.
    """
    idle, data = [], begun.replace("{host}", f"Host: 127.0.0.1:{server.port}").encode()
    try:
        for _ in range(MOST_AT_ONCE + 6):
            idle.append(socket.create_connection(("127.0.0.1", server.port), timeout=20))
            idle[-1].sendall(data)
            while (
                not server.clients.waiting
            ):  # threads need not begin in the order of their connections
                time.sleep(0.001)
        before = time.monotonic()
        assert ask(server, "GET", "/api/0/info")[0] == 200
        assert time.monotonic() - before < 10  # of 60 that an idle connection may last
        assert idle[0].recv(100) == b""
    finally:
        for connection in idle:
            connection.close()


def test_who_is_answered_is_not_cut_off(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow answer is given, however many wait."""
    from pocketindex.builder.page.serving import api

    entered, native = threading.Event(), api.query

    def slow(*arguments: object) -> object:
        entered.set()
        time.sleep(0.5)  # five times as long as the others wait for a place
        return native(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(api, "query", slow)
    found: list[int] = []
    body = json.dumps({"text": "a b c d e f g h i j"}).encode()
    client = threading.Thread(
        target=lambda: found.append(ask(server, "POST", "/api/0/query", body)[0])
    )
    client.start()
    assert entered.wait(10)
    idle = [
        socket.create_connection(("127.0.0.1", server.port), timeout=20)
        for _ in range(MOST_AT_ONCE + 6)
    ]
    client.join()
    for connection in idle:
        connection.close()
    assert found[0] in (200, 422)


def test_links_lead_to_no_other_computers_files() -> None:
    cases = {
        "file:///C:/disc/index.html": {
            "a/b.html": True,
            "file:///etc/hostname": True,
            "//evil/x": False,
            "file://evil/x": False,
            "\\\\evil\\x": False,
            "file:\\\\evil\\x": False,
            "https://example.org/": True,
            "javascript:alert(1)": False,
            "data:text/html,x": False,
        },
        "file://share/disc/index.html": {
            "a/b.html": True,
            "file://share/x": True,
            "file://evil/x": False,
            "//evil/x": False,
        },
        "http://127.0.0.1:8007/": {
            "a": True,
            "file:///x": False,
            "file://evil/x": False,
            "https://example.org/": True,
        },
    }
    program = f"""
        import {{ safeLink }} from {json.dumps(LINKS.as_uri())};
        const cases = {json.dumps(cases)};
        const found = Object.entries(cases).map(([page, links]) => {{
          globalThis.location = new URL(page);
          return [page, Object.fromEntries(Object.keys(links).map((link) => [link, safeLink(link) === link]))];
        }});
        console.log(JSON.stringify(Object.fromEntries(found)));
    """
    command = [tool("node"), "--input-type=module", "-e", program]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == cases
