"""`pocketindex serve` with a call of the C library that fails, in a process of its own for each
number of the call (tests/c/faults.c has to be preloaded).

    python failing_server.py CALL STEP FILE.pocket

Call number 1 fails, in the next process number 1 + STEP, and so on. Prints for each process the
number, what each request of the first round got, what each of the second got, and the code at the
end; and first, as number 0, the same without a failure, and how many calls there were.
"""

from __future__ import annotations

import ctypes
import http.client
import json
import os
import signal
import sys
import threading

from pocketindex.builder.page.serving.server import Server, run
from pocketindex.builder.page.site import Site
from pocketindex.cbits._core import ffi, lib

SECONDS = 60
BODY = json.dumps({"text": " ".join(f"word{i} word" for i in range(20_000))}).encode()
REQUESTS = (
    ("GET", "/", b""),
    ("GET", "/api/0/info", b""),
    ("GET", "/c0/docs.pocket", b""),
    ("POST", "/api/query", BODY),
    ("GET", "/api/0/document?id=doc-7", b""),
)
faults = ctypes.CDLL(None)
faults.faults_seen.restype = ctypes.c_uint64
faults.faults_arm.argtypes = (ctypes.c_char_p, ctypes.c_uint64, ctypes.c_int)


def serve(server: Server, call: str, number: int, report: int) -> None:
    """Serve until SIGTERM with the call of this number failing; report how many there were."""
    signal.alarm(SECONDS)
    stopped = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stopped.set())
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    faults.faults_arm(call.encode(), number, 0)
    run(server, stopped)
    seen = faults.faults_seen()
    faults.faults_arm(b"", 0, 0)
    os.write(report, b"%d" % seen)


def answers(port: int) -> list[object]:
    """Ask all REQUESTS, each in a connection of its own and two in one; of each the status and
    the length of the answer, or what went wrong.
    """
    found: list[object] = []
    for together in (REQUESTS, (*REQUESTS[1:3], *REQUESTS[1:2])):
        connection = None
        for method, path, body in together:
            if together is REQUESTS or not connection:
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
            try:
                connection.request(method, path, body or None)
                answer = connection.getresponse()
                found.append([answer.status, len(answer.read())])
            except (OSError, http.client.HTTPException) as error:
                found.append(type(error).__name__)
                connection.close()
                connection = None
        if connection:
            connection.close()
    return found


def once(call: str, number: int, path: str) -> dict[str, object]:
    server = Server(Site([path]))
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        code = 70
        try:
            serve(server, call, number, into)
            code = 0
        finally:
            os._exit(code)
    os.close(into)
    server.server_close()
    rounds = [answers(server.port) for _ in range(2)]
    os.kill(child, signal.SIGTERM)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with os.fdopen(out, "rb") as pipe:
        seen = int(pipe.read() or b"0")
    server.site.close()
    return {"number": number, "calls": seen, "rounds": rounds, "code": code}


def main() -> None:
    faults.faults_from(
        ctypes.c_void_p(int(ffi.cast("uintptr_t", ffi.addressof(lib, "pocket_verify"))))
    )
    call, step, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    whole = once(call, 0, path)
    print(json.dumps(whole), flush=True)
    for number in range(1, int(str(whole["calls"])) + 1, step):
        print(json.dumps(once(call, number, path)), flush=True)


if __name__ == "__main__":
    main()
