"""The page of a disc on loopback, from the files themselves: byte ranges for the page, JSON for
programs.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import socket
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from typing import Any
from urllib.parse import SplitResult, urlsplit

from pocketindex.builder.page import api
from pocketindex.builder.page.api import Refused
from pocketindex.builder.page.request import asked_range, fields, hosts
from pocketindex.builder.page.site import Site
from pocketindex.errors import PocketError
from pocketindex.index import Index
from pocketindex.joint_index import JointIndex
from pocketindex.wording.counted import counted

BODY_BYTES = 16 << 20
REQUEST_SECONDS = (
    60.0  # for a request to arrive and be answered; an idle connection is closed then, too
)
# for a place among those that are answered; then the connection that is idle longest is closed
WAIT_SECONDS = 0.1
STOP_SECONDS = 5.0  # that running requests have when the server stops
MOST_AT_ONCE = 64
CHUNK = 1 << 20
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Server(ThreadingHTTPServer):
    """A server on 127.0.0.1. port 0 is any that is free."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 2 * MOST_AT_ONCE  # who finds it full tries again only after a second

    def __init__(self, site: Site, port: int = 0, seconds: float = REQUEST_SECONDS) -> None:
        self.site, self.seconds = site, seconds
        self.running = 0
        self.idle: dict[Handler, None] = {}  # those that wait for a request, the longest first
        self.changed = threading.Condition()
        self.places = threading.BoundedSemaphore(MOST_AT_ONCE)
        super().__init__(("127.0.0.1", port), Handler)
        self.port = int(self.server_address[1])
        self.hosts = hosts(self.port)

    def server_bind(self) -> None:
        """Bind without HTTPServer's question to the resolver for this computer's name."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = "127.0.0.1", self.server_address[1]

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        while not self.places.acquire(timeout=WAIT_SECONDS):
            with self.changed:
                if idle := next(iter(self.idle), None):
                    del self.idle[idle]
                    idle.cut()
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.places.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Pass over a connection that breaks off: it is nobody's fault."""

    def stop(self) -> None:
        """Take no more requests and give those that run some seconds."""
        self.shutdown()
        self.server_close()
        with self.changed:
            self.changed.wait_for(lambda: self.running == 0, STOP_SECONDS)
        self.site.close()


class Handler(BaseHTTPRequestHandler):
    """One connection. Every request passes the same checks before its address is looked at."""

    server: Server
    protocol_version = "HTTP/1.1"
    server_version = "pocketindex"
    sys_version = ""
    wbufsize = -1
    disable_nagle_algorithm = True

    def log_message(self, format: str, *arguments: object) -> None: ...

    def handle_one_request(self) -> None:
        # A client that sends or takes a byte now and then would hold a thread for ever.
        clock = threading.Timer(self.server.seconds, self.cut)
        clock.daemon = True
        clock.start()
        with self.server.changed:
            self.server.idle[self] = None
        try:
            super().handle_one_request()
        finally:
            clock.cancel()
            self.arrived()

    def arrived(self) -> None:
        """Note that the connection is no longer idle: its request is there, or none will come."""
        with self.server.changed:
            self.server.idle.pop(self, None)

    def cut(self) -> None:
        self.close_connection = True
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:  # noqa: ARG002, of the base class
        """Send what the base class refuses: a request line or headers that are none, another
        method.
        """
        self.close_connection = True
        self.command = self.command or "GET"
        self.send_json({"error": message or HTTPStatus(code).phrase}, code)

    def do_GET(self) -> None:
        self.reply(self.get)

    def do_HEAD(self) -> None:
        self.reply(self.get)

    def do_POST(self) -> None:
        self.reply(self.post)

    def reply(self, answer: Any) -> None:
        with self.server.changed:
            self.server.running += 1
        try:
            self.check()
            answer(self.address())
        except Refused as refusal:
            # What the client still sends is not read: the connection ends.
            self.close_connection = True
            self.send_json({"error": refusal.sentence}, refusal.status)
        except PocketError as error:
            self.send_json({"error": str(error)}, 500)
        finally:
            with self.server.changed:
                self.server.running -= 1
                self.server.changed.notify_all()

    def check(self) -> None:
        """Refuse all but pages and programs of this computer: a page elsewhere may have had its
        name point here.
        """
        host = self.headers.get_all("Host", [])
        origin = self.headers.get("Origin")
        site = self.headers.get("Sec-Fetch-Site", "none")
        if len(host) != 1 or host[0].lower() not in self.server.hosts:
            raise Refused(421, f"this server is http://127.0.0.1:{self.server.port}/ only")
        if (
            origin is not None and origin not in {f"http://{name}" for name in self.server.hosts}
        ) or site not in ("none", "same-origin"):
            raise Refused(403, "only this server's own page may ask from a browser")
        if self.headers.get("Transfer-Encoding") is not None:
            raise Refused(411, "give a Content-Length; chunks are not taken")
        if self.command != "POST" and any(
            length != "0" for length in self.headers.get_all("Content-Length", [])
        ):
            raise Refused(400, f"expected no body, as {self.command} has none")

    def address(self) -> SplitResult:
        try:
            return urlsplit(self.path)
        except ValueError:
            raise Refused(400, "the address is malformed") from None

    def get(self, address: SplitResult) -> None:
        self.arrived()
        if address.path in ("/", "/index.html"):
            return self.send(200, "text/html; charset=utf-8", self.server.site.page)
        if address.path in self.server.site.files:
            return self.send_file(*self.server.site.files[address.path])
        if (asked := self.asked_for("sources", address)) is not None:
            return self.send_json(api.sources_of_address(asked, fields(address)))
        if (asked := self.asked_for("search", address)) is not None:
            return self.send_json(api.search(asked, fields(address)))
        if found := re.fullmatch(r"/api/(\d{1,4})/(info|document|titles)", address.path):
            index = self.index(found[1])
            if found[2] == "info":
                return self.send_json(api.info(index))
            said = fields(address)
            if found[2] == "titles":
                return self.send_json(
                    api.titles(index, said.get("q", [""])[0], said.get("top", ["10"])[0])
                )
            ids = said.get("id", [])
            if len(ids) != 1:
                raise Refused(400, "expected one id, as in ?id=12")
            return self.send_json(api.document(index, ids[0]))
        raise Refused(404, "there is nothing here")

    def post(self, address: SplitResult) -> None:
        if address.path == "/api/query":
            return self.send_json(api.query_all(self.server.site.many, self.body()))
        if (asked := self.asked_for("sources", address)) is not None:
            return self.send_json(api.sources(asked, self.body()))
        if found := re.fullmatch(r"/api/(\d{1,4})/query", address.path):
            index = self.index(found[1])
            return self.send_json(api.query(index, self.body()))
        raise Refused(404, "there is nothing here")

    def asked_for(self, name: str, address: SplitResult) -> Index | JointIndex | None:
        """Return what is asked for sources or words, if that is what an address asks."""
        found = re.fullmatch(rf"/api/(?:(\d{{1,4}})/)?{name}", address.path)
        if not found:
            return None
        return self.index(found[1]) if found[1] else self.server.site.many

    def index(self, number: str) -> Index:
        if int(number) >= len(self.server.site.indexes):
            count = len(self.server.site.indexes)
            there = f"there {'is' if count == 1 else 'are'} {counted(count, 'file')}"
            raise Refused(404, f"{there}, counted from 0")
        return self.server.site.indexes[int(number)]

    def body(self) -> bytes:
        lengths = self.headers.get_all("Content-Length", [])
        if len(lengths) != 1 or not re.fullmatch(r"[0-9]{1,20}", lengths[0]):
            raise Refused(411, "give one Content-Length")
        if int(lengths[0]) > BODY_BYTES:
            raise Refused(413, f"expected at most {BODY_BYTES} bytes, found {lengths[0]}")
        data = self.rfile.read(int(lengths[0]))
        if len(data) != int(lengths[0]):
            raise Refused(400, "the request broke off")
        self.arrived()
        return data

    def send_json(self, data: dict[str, Any], status: int = 200) -> None:
        # ASCII without "<": no browser takes it for a page, whatever it guesses.
        text = json.dumps(data).replace("<", "\\u003c")
        self.send(
            status,
            "application/json",
            text.encode("ascii"),
            {"Content-Security-Policy": "default-src 'none'"},
        )

    def send(self, status: int, kind: str, data: bytes, more: dict[str, str] | None = None) -> None:
        self.head(status, kind, len(data), more)
        if self.command != "HEAD":
            self.wfile.write(data)

    def head(self, status: int, kind: str, length: int, more: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {
            "Content-Type": kind,
            "Content-Length": str(length),
            **HEADERS,
            **(more or {}),
        }.items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()

    def send_file(self, descriptor: int, size: int) -> None:
        """Send the file, or the one range that was asked for."""
        start = 0
        end = size
        status = 200
        more = {"Accept-Ranges": "bytes"}
        asked = self.headers.get("Range")
        if asked is not None:
            start, end = asked_range(asked, size)
            if start >= end:
                self.send(416, "text/plain", b"", {"Content-Range": f"bytes */{size}"})
                return
            status, more["Content-Range"] = 206, f"bytes {start}-{end - 1}/{size}"
        self.head(status, "application/octet-stream", end - start, more)
        while start < end and self.command != "HEAD":
            data = os.pread(descriptor, min(CHUNK, end - start), start)
            if not data:  # it was shortened: the client sees that bytes are missing
                self.close_connection = True
                return
            self.wfile.write(data)
            start += len(data)


def run(server: Server, stopped: threading.Event) -> None:
    """Serve until stopped is set."""
    thread = threading.Thread(
        target=server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True
    )
    thread.start()
    while not stopped.wait(0.2):
        pass
    server.stop()
    thread.join()
