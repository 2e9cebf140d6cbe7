"""A server on loopback that answers as a hub of data sets does: one data set, o/n, of a folder."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

SET = "/api/datasets/o/n"
COMMIT = "1" * 40


@contextmanager
def hub_server(folder: Path) -> Iterator[str]:
    """Yield the address that HF_ENDPOINT takes."""

    def entry(path: Path) -> dict[str, object]:
        kind, size = ("directory", 0) if path.is_dir() else ("file", path.stat().st_size)
        name = path.relative_to(folder).as_posix()
        return {"type": kind, "oid": COMMIT, "size": size, "path": name}

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *arguments: object) -> None: ...

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
            names = json.loads(body)["paths"] if body[:1] == "{" else parse_qs(body)["paths"]
            self.tell([entry(folder / name) for name in names if (folder / name).exists()])

        def do_HEAD(self) -> None:
            self.do_GET()

        def do_GET(self) -> None:
            url = urlsplit(self.path)
            path = unquote(url.path)
            listed = re.fullmatch(rf"{SET}/tree/main/?(.*)", path)
            wanted = re.fullmatch(r"/datasets/o/n/resolve/main/(.+)", path)
            if path in (SET, f"{SET}/revision/main"):
                self.tell({"id": "o/n", "sha": COMMIT, "siblings": [], "tags": []})
            elif listed and (folder / listed[1]).is_dir():
                deep = parse_qs(url.query).get("recursive", [""])[0].lower() == "true"
                found = (folder / listed[1]).rglob("*") if deep else (folder / listed[1]).iterdir()
                self.tell([entry(one) for one in sorted(found)])
            elif wanted and (folder / wanted[1]).is_file():
                self.send_file((folder / wanted[1]).read_bytes())
            else:
                which = "EntryNotFound" if listed or wanted else "RepoNotFound"
                self.answer(404, b"{}", {"X-Error-Code": which})

        def send_file(self, data: bytes) -> None:
            known = {"ETag": '"tag"', "X-Repo-Commit": COMMIT}
            asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
            if asked:
                start, end = int(asked[1]), min(int(asked[2] or len(data)), len(data) - 1)
                known["Content-Range"] = f"bytes {start}-{end}/{len(data)}"
                self.answer(206, data[start : end + 1], known)
            else:
                self.answer(200, data, known)

        def tell(self, value: object) -> None:
            self.answer(200, json.dumps(value).encode(), {"Content-Type": "application/json"})

        def answer(self, status: int, data: bytes, headers: dict[str, str]) -> None:
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(data))}.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
