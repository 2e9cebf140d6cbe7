"""A web server on loopback that gives the files of a folder, well or badly."""

from __future__ import annotations

import base64
import html
import re
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit


@dataclass
class FileServer:
    """How it answers; asked: the method, path and range of each request.

    ranges: whether it knows them, and says so; length: whether it says how many bytes come; cut:
    the bytes after which it stops in the middle; status: of every answer; wait: seconds before it
    answers; tag: an ETag; user: "user:password" that it wants to see; refused: the name of a file
    that nobody may read; tls: its certificate, of an https:// server.
    """

    folder: Path
    ranges: bool = True
    length: bool = True
    cut: int | None = None
    status: int = 200
    wait: float = 0
    tag: str = ""
    user: str = ""
    refused: str = ""
    tls: ssl.SSLContext | None = None
    url: str = ""
    asked: list[tuple[str, str, str]] = field(default_factory=list)

    def with_user(self, user: str) -> str:
        return self.url.replace("://", f"://{user}@")


@contextmanager
def file_server(folder: Path, **how: object) -> Iterator[FileServer]:
    server = FileServer(folder, **how)  # type: ignore[arg-type]

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *arguments: object) -> None: ...

        def do_HEAD(self) -> None:
            self.do_GET()

        def do_GET(self) -> None:
            range = self.headers.get("Range", "")
            server.asked.append((self.command, self.path, range))
            time.sleep(server.wait)
            path = server.folder / unquote(urlsplit(self.path).path).lstrip("/")
            wanted = "Basic " + base64.b64encode(server.user.encode()).decode()
            if server.user and self.headers.get("Authorization") != wanted:
                return self.answer(401, b"")
            if server.refused and path.name == server.refused:
                return self.answer(403, b"")
            if server.status != 200:
                return self.answer(server.status, b"")
            if path.is_dir():
                names = [one.name + "/" * one.is_dir() for one in sorted(path.iterdir())]
                links = "".join(
                    f'<a href="{quote(name)}">{html.escape(name)}</a>\n'
                    for name in ("../", "?C=N;O=D", *names)
                )
                return self.answer(200, links.replace("%3FC%3DN%3BO%3DD", "?C=N;O=D").encode())
            if not path.is_file():
                return self.answer(404, b"")
            data = path.read_bytes()
            asked = re.fullmatch(r"bytes=(\d+)-(\d+)", range)
            if not asked or not server.ranges:
                return self.answer(200, data)
            start, end = int(asked[1]), min(int(asked[2]), len(data) - 1)
            return self.answer(206, data[start : end + 1], f"bytes {start}-{end}/{len(data)}")

        def answer(self, status: int, data: bytes, content_range: str = "") -> None:
            self.send_response(status)
            if server.length:
                self.send_header("Content-Length", str(len(data)))
            if server.ranges:
                self.send_header("Accept-Ranges", "bytes")
            if content_range:
                self.send_header("Content-Range", content_range)
            if server.tag:
                self.send_header("ETag", server.tag)
            self.end_headers()
            if self.command != "HEAD":
                with suppress(OSError):  # who asked has gone
                    self.wfile.write(data[: server.cut])

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listener:
        if server.tls:
            listener.socket = server.tls.wrap_socket(listener.socket, server_side=True)
        server.url = f"http{'s' if server.tls else ''}://127.0.0.1:{listener.server_address[1]}/"
        thread = threading.Thread(target=listener.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            listener.shutdown()
            thread.join()
