"""The page of a disc on loopback, from the files themselves: byte ranges for the page, JSON for
programs.
"""

from __future__ import annotations

import contextlib
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from http import HTTPStatus
from http.client import LineTooLong
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from typing import Any
from urllib.parse import SplitResult

from pocketindex.builder.page.serving import api, dropped
from pocketindex.builder.page.serving.answer import Answer, as_json, of_file
from pocketindex.builder.page.serving.api import Refused
from pocketindex.builder.page.serving.clients import MOST_AT_ONCE, STALL_SECONDS, Clients
from pocketindex.builder.page.serving.request import (
    BODY_BYTES,
    address_of,
    asked_range,
    check,
    fields,
    hosts,
)
from pocketindex.builder.page.site import Site
from pocketindex.index import Index
from pocketindex.joint_index import JointIndex
from pocketindex.wording.counted import counted

HEAD_BYTES = 64 << 10  # of all headers of a request
REQUEST_SECONDS = 60.0  # for a request to arrive and be answered
# Without a byte that the client sends or takes; an idle connection is closed then, too.
SILENT_SECONDS = 15.0
STOP_SECONDS = 5.0  # that running requests have when the server stops
PASSED_OVER_BYTES = 64 << 20  # of a body that is not wanted
PIECE = 64 << 10  # of an answer, which a client that takes it has to take before it is cut off
LONG_ADDRESS = "the address is too long: expected less than 65536 bytes; send a long text with POST"
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_BUSY = as_json({"error": "too many connections at once; ask again later"}, 503).data
BUSY = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 1\r\n"
    b"Connection: close\r\nContent-Length: %d\r\n\r\n%b" % (len(_BUSY), _BUSY)
)


class Server(ThreadingHTTPServer):
    """A server on 127.0.0.1. port 0 is any that is free."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 2 * MOST_AT_ONCE  # who finds it full tries again only after a second

    def __init__(self, site: Site, port: int = 0, seconds: float = REQUEST_SECONDS) -> None:
        self.site, self.seconds = site, seconds
        self.clients = Clients()
        super().__init__(("127.0.0.1", port), Handler)
        self.port = int(self.server_address[1])
        self.hosts = hosts(self.port)

    def server_bind(self) -> None:
        """Bind without HTTPServer's question to the resolver for this computer's name."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = "127.0.0.1", self.server_address[1]

    def service_actions(self) -> None:
        self.clients.cut_late()

    def get_request(self) -> Any:
        try:
            return super().get_request()
        except OSError:
            # Without descriptors or memory the next try would come at once, and fail, too.
            if not self.clients.cut_one():
                time.sleep(0.05)
            raise

    def process_request(self, request: Any, client_address: Any) -> None:
        if not self.clients.enter():
            with contextlib.suppress(OSError):
                request.setblocking(False)
                request.send(BUSY)
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except BaseException:  # no thread began
            self.clients.leave()
            raise

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            with self.clients.place():
                super().process_request_thread(request, client_address)
        finally:
            self.clients.leave()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Pass over a connection that breaks off: it is nobody's fault."""

    def stop(self) -> None:
        """Take no more requests and give those that run some seconds."""
        self.shutdown()
        self.server_close()
        with self.clients.changed:
            self.clients.changed.wait_for(lambda: self.clients.running == 0, STOP_SECONDS)
        self.site.close()


class _Head:
    """The lines of a request's head, of HEAD_BYTES together."""

    def __init__(self, file: Any) -> None:
        self.file, self.left = file, HEAD_BYTES

    def readline(self, most: int) -> bytes:
        line: bytes = self.file.readline(most)
        self.left -= len(line)
        if self.left < 0:
            raise LineTooLong("head")
        return line


class Handler(BaseHTTPRequestHandler):
    """One connection. Every request passes the same checks before its address is looked at."""

    server: Server
    protocol_version = "HTTP/1.1"
    server_version = "pocketindex"
    sys_version = ""
    wbufsize = -1
    disable_nagle_algorithm = True

    def setup(self) -> None:
        self.holds = 0  # bytes of memory
        super().setup()
        self.connection.settimeout(min(self.server.seconds, SILENT_SECONDS))

    def log_message(self, format: str, *arguments: object) -> None: ...

    def handle_one_request(self) -> None:
        # A client that sends or takes a byte now and then would hold a thread for ever.
        self.server.clients.begin(self, self.server.seconds)
        self.server.clients.wait_for(self)
        try:
            super().handle_one_request()
        except OSError:  # the client is gone, or the system has no memory for it
            self.close_connection = True
        finally:
            self.server.clients.end(self)

    def parse_request(self) -> bool:
        self.is_asked_for_body = True
        whole = self.rfile
        self.rfile = _Head(whole)  # type: ignore[assignment]
        try:
            return super().parse_request()
        finally:
            self.rfile = whole

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
        sentence = LONG_ADDRESS if code == HTTPStatus.REQUEST_URI_TOO_LONG else message
        self.send(as_json({"error": sentence or HTTPStatus(code).phrase}, code))
        self.hang_up()

    def do_GET(self) -> None:
        self.reply(self.get)

    def do_HEAD(self) -> None:
        self.reply(self.get)

    def do_POST(self) -> None:
        self.reply(self.post)

    def reply(self, method: Callable[[SplitResult, contextlib.ExitStack], Answer]) -> None:
        is_refused = False
        with self.server.clients.answering(), contextlib.ExitStack() as held:
            try:
                check(self.headers, self.command, self.server.hosts, self.server.port)
                answer = method(address_of(self.path, self.server.hosts), held)
            except Refused as refusal:
                # What the client still sends is not read: the connection ends.
                self.close_connection = is_refused = True
                sentence = self.server.site.without_folders(refusal.sentence)
                answer = as_json({"error": sentence}, refusal.status)
            except Exception as error:  # ends this request, and nothing else
                answer = as_json({"error": self.server.site.sentence(error)}, 500)
            self.send(answer)
        if is_refused:
            self.hang_up()

    def hang_up(self) -> None:
        """End the answer, and read past what the client still sends: a connection that is closed
        with something unread is reset, and the client may never see the answer.
        """
        with contextlib.suppress(OSError):
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_WR)
            self.connection.settimeout(STALL_SECONDS)
            left = PASSED_OVER_BYTES
            while left > 0:
                self.server.clients.wait_for(self)
                if not (data := self.connection.recv(PIECE)):
                    break
                left -= len(data)

    def handle_expect_100(self) -> bool:
        """Ask for the body only when it is known that it is wanted."""
        self.is_asked_for_body = False
        return True

    def get(self, address: SplitResult, held: contextlib.ExitStack) -> Answer:
        self.server.clients.go_on(self)
        if address.path in ("/", "/index.html"):
            return Answer(200, "text/html; charset=utf-8", self.server.site.page)
        if address.path in self.server.site.files:
            return self.file(*self.server.site.files[address.path])
        if (asked := self.asked_for("sources", address)) is not None:
            return self.look_up(held, partial(api.sources_of_address, asked, fields(address)))
        if (asked := self.asked_for("search", address)) is not None:
            return self.look_up(held, partial(api.search, asked, fields(address)))
        if found := re.fullmatch(r"/api/(\d{1,4})/(info|document|titles)", address.path):
            index, said = self.index(found[1]), fields(address)
            if found[2] == "info":
                return self.look_up(held, partial(api.info, index))
            if found[2] == "titles":
                text, top = said.get("q", [""])[0], said.get("top", ["10"])[0]
                return self.look_up(held, partial(api.titles, index, text, top))
            ids = said.get("id", [])
            if len(ids) != 1:
                raise Refused(400, "expected one id, as in ?id=12")
            return self.look_up(held, partial(api.document, index, ids[0]))
        raise Refused(404, "there is nothing here")

    def post(self, address: SplitResult, held: contextlib.ExitStack) -> Answer:
        question: partial[dict[str, Any]]
        if address.path == "/api/query":
            question = partial(api.query_all, self.server.site.many)
        elif address.path == "/api/text":
            question = partial(dropped.read, fields(address).get("name", [""])[0])
        elif (asked := self.asked_for("sources", address)) is not None:
            question = partial(api.sources, asked)
        elif found := re.fullmatch(r"/api/(\d{1,4})/query", address.path):
            question = partial(api.query, self.index(found[1]))
        else:
            raise Refused(404, "there is nothing here")
        with self.body() as data:
            return self.look_up(held, partial(question, data))

    def look_up(self, held: contextlib.ExitStack, question: Callable[[], dict[str, Any]]) -> Answer:
        """Return the answer to a question; held: until it is sent, the memory that it takes."""
        with self.server.clients.work, api.in_time(self.server.seconds / 2):
            found = question()
            if notes := found.get("notes"):
                found["notes"] = list(map(self.server.site.without_folders, notes))
            answer = as_json(found)
            held.enter_context(self.server.clients.answer(self, answer.length))
        return answer

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

    @contextlib.contextmanager
    def body(self) -> Iterator[bytearray]:
        """Read the body of a request, and hold the memory that it takes."""
        lengths = self.headers.get_all("Content-Length", [])
        if len(lengths) != 1 or not re.fullmatch(r"[0-9]{1,20}", lengths[0]):
            raise Refused(411, "give one Content-Length")
        size = int(lengths[0])
        if size > BODY_BYTES:
            raise Refused(
                413,
                f"the question is too long: expected at most {BODY_BYTES} bytes, found {size}; "
                "give a part of the text",
            )
        with self.server.clients.body(self, size):
            if not self.is_asked_for_body:
                self.send_response_only(HTTPStatus.CONTINUE)
                self.end_headers()
                self.wfile.flush()
            data, at = bytearray(size), 0
            while at < size:
                self.server.clients.wait_for(self, STALL_SECONDS)
                try:
                    arrived = self.rfile.readinto1(memoryview(data)[at : at + PIECE])
                except OSError:
                    raise Refused(408, "the request did not arrive in time") from None
                if not arrived:
                    raise Refused(400, "the request broke off")
                at += arrived
            self.server.clients.go_on(self)
            yield data

    def file(self, descriptor: int, size: int) -> Answer:
        """Return the file, or the one range that was asked for."""
        headers = {"Accept-Ranges": "bytes"}
        asked = self.headers.get("Range")
        if asked is None:
            return of_file(descriptor, 0, size, 200, headers)
        start, end = asked_range(asked, size)
        if start >= end:
            return Answer(416, "text/plain", headers={"Content-Range": f"bytes */{size}"})
        headers["Content-Range"] = f"bytes {start}-{end - 1}/{size}"
        return of_file(descriptor, start, end, 206, headers)

    def send(self, answer: Answer) -> None:
        self.send_response(answer.status)
        for name, value in {
            "Content-Type": answer.kind,
            "Content-Length": str(answer.length),
            **HEADERS,
            **answer.headers,
        }.items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.server.clients.wait_for(self, STALL_SECONDS)
        self.end_headers()
        if self.command == "HEAD":
            return
        left = answer.length
        for data in answer.pieces():
            left -= len(data)
            for at in range(0, len(data), PIECE):
                self.server.clients.wait_for(self, STALL_SECONDS)
                self.wfile.write(memoryview(data)[at : at + PIECE])
        if left:  # the file was shortened: the client sees that bytes are missing
            self.close_connection = True


def run(server: Server, stopped: threading.Event) -> None:
    """Serve until stopped is set."""

    def serve() -> None:
        while not stopped.is_set():
            # A call of the system that fails here ends no server.
            with contextlib.suppress(OSError):
                server.serve_forever(poll_interval=0.1)
            stopped.wait(0.1)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    while not stopped.wait(0.2):
        pass
    server.stop()
    thread.join()
