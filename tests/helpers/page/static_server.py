"""A folder over HTTP on loopback, with byte ranges or without, and what was asked of it."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
}


@dataclass
class Server:
    """url ends in /; asked: (path, status) of each request; sent: the bytes of their answers."""

    url: str
    asked: list[tuple[str, int]] = field(default_factory=list)
    sent: list[int] = field(default_factory=list)

    def names(self) -> set[str]:
        return {path for path, _ in self.asked}


@contextmanager
def serving(folder: Path, ranges: bool) -> Iterator[Server]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1
        disable_nagle_algorithm = True

        def setup(self) -> None:
            super().setup()
            connections.append(self.connection)

        def log_message(self, format: str, *arguments: object) -> None: ...

        def do_GET(self) -> None:
            path = folder / self.path.split("?")[0].lstrip("/")
            if not path.is_file():
                return self.answer(404, b"")
            asked = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
            if not asked or not ranges:
                return self.answer(200, path.read_bytes())
            size = path.stat().st_size
            start, end = int(asked[1]), min(int(asked[2]), size - 1)
            with path.open("rb") as file:
                file.seek(start)
                return self.answer(206, file.read(end + 1 - start), f"bytes {start}-{end}/{size}")

        def answer(self, status: int, data: bytes, content_range: str = "") -> None:
            server.asked.append((self.path, status))
            server.sent.append(len(data))
            self.send_response(status)
            self.send_header(
                "Content-Type", TYPES.get(Path(self.path).suffix, "application/octet-stream")
            )
            self.send_header("Content-Length", str(len(data)))
            if content_range:
                self.send_header("Content-Range", content_range)
            self.end_headers()
            with suppress(ConnectionError):  # a page that aborts
                self.wfile.write(data)
                self.wfile.flush()

    connections: list[socket.socket] = []
    listener = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server = Server(f"http://127.0.0.1:{listener.server_address[1]}/")
    thread = threading.Thread(target=listener.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        listener.shutdown()
        listener.server_close()
        for connection in connections:  # which a browser keeps open, and would be answered on
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        thread.join()
