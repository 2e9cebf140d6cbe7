"""`pocketindex serve` under eight clients for a minute: every answer the native one, and no memory
that grows.
"""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import threading
import time
from pathlib import Path

import pocketindex
import pytest
from made_up import made_up
from pocketindex.builder import Settings, build

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc"),
]

CLIENTS = 8
SECONDS = 60
WARM = 10
GROWTH = 4 << 20  # bytes that allocators may take after the first seconds


def resident(process: int) -> int:
    """Bytes."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("VmRSS:"))) << 10


def threads(process: int) -> int:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("Threads:")))


@pytest.fixture(scope="module")
def requests(
    collection: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, list[tuple[str, str, bytes, object]]]:
    """A file with everything, and requests: method, path, body, the JSON expected."""
    path = tmp_path_factory.mktemp("load") / "all.pocket"
    build([str(collection)], path, Settings(profile="learn", keep="text", titles=True))
    asked: list[tuple[str, str, bytes, object]] = []
    with pocketindex.open(path) as index:
        for document in made_up(60):
            hits = index.query(document["text"], 5)
            found = [
                {
                    "id": h.id,
                    "title": h.title,
                    "url": h.url,
                    "similarity": h.similarity,
                    "snippet": index.snippet(h),
                }
                for h in hits
            ]
            answer = {
                "hits": found,
                "terms": hits.terms,
                "candidates": hits.candidates,
                "capped": hits.capped,
            }
            asked.append(
                (
                    "POST",
                    "/api/0/query",
                    json.dumps({"text": document["text"], "top": 5}).encode(),
                    answer,
                )
            )
            number = int(document["id"].removeprefix("doc-"))
            record = index.record(number)
            fields = {"id": record.id, "title": record.title, "url": record.url}
            full = {**fields, "snippet": index.snippet(number), "text": index.text(number)}
            asked.append(("GET", f"/api/0/document?id={record.id}", b"", full))
            titles = [
                {"id": r.id, "title": r.title, "url": r.url}
                for r in index.titles(f"document {number}", 3)
            ]
            asked.append(
                ("GET", f"/api/0/titles?q=document%20{number}&top=3", b"", {"titles": titles})
            )
    return path, asked


def test_eight_clients_for_a_minute(
    requests: tuple[Path, list[tuple[str, str, bytes, object]]],
) -> None:
    path, asked = requests
    command = [sys.executable, "-m", "pocketindex", "serve", str(path), "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert server.stdout
    port = int(server.stdout.readline().strip().rstrip("/").rsplit(":", 1)[1])
    end = time.monotonic() + SECONDS
    counts = [0] * CLIENTS
    wrong = list[str]()

    def client(own: int) -> None:
        try:
            while time.monotonic() < end and not wrong:
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
                for i in range(50):
                    method, address, body, expected = asked[(counts[own] + own * 7) % len(asked)]
                    connection.request(method, address, body or None)
                    answer = connection.getresponse()
                    data = answer.read()
                    if answer.status != 200 or json.loads(data) != expected:
                        wrong.append(f"{address}: {answer.status} {data[:300]!r}")
                    counts[own] += 1
                    if i % 17 == 0:  # the page, and ranges of the file
                        connection.request(
                            "GET", "/c0/all.pocket", headers={"Range": f"bytes={i}-{i + 99_999}"}
                        )
                        connection.getresponse().read()
                connection.close()
        except (OSError, http.client.HTTPException) as error:
            wrong.append(repr(error))

    clients = [threading.Thread(target=client, args=(own,)) for own in range(CLIENTS)]
    try:
        for thread in clients:
            thread.start()
        time.sleep(WARM)
        before = resident(server.pid)
        for thread in clients:
            thread.join()
        after, running = resident(server.pid), threads(server.pid)
    finally:
        server.terminate()
        server.wait(20)
    print(
        f"{sum(counts):,} answers in {SECONDS} s; {before >> 10:,} KB after {WARM} s, "
        f"{after >> 10:,} KB at the end"
    )

    assert wrong == []
    assert min(counts) > 50
    assert after - before < GROWTH
    assert running < 64 + 3
    assert server.returncode == 0
