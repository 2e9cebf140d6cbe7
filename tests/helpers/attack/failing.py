"""The command with one kind of its calls of the C library failing, each in a process of its own
(tests/c/faults.c has to be preloaded).

    python failing.py CALL first|lasting FROM STEP COUNT TARGET ARGUMENT...

The call number FROM fails, in the next process number FROM + STEP, and so on COUNT times or until
no call is left. Prints how many calls there are, then for each process its code, whether TARGET is
the old file or the new one, what lies about, and what was said.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import signal
import sys
import traceback
from pathlib import Path

from pocketindex.builder.work.chunks import spool
from pocketindex.cbits._core import ffi, lib
from pocketindex.cli import main

SECONDS = 60
faults = ctypes.CDLL(None)
faults.faults_seen.restype = ctypes.c_uint64
faults.faults_arm.argtypes = (ctypes.c_char_p, ctypes.c_uint64, ctypes.c_int)
spool.CHUNK_DOCUMENTS = 20


def build(call: str, number: int, lasting: bool, arguments: list[str]) -> tuple[int, str]:
    """Run the command in a child; number 0: let nothing fail, and say how many calls there were.

    Returns its code and what it said.
    """
    out, into = os.pipe()  # what is said goes into no file: writing it would count
    child = os.fork()
    if child == 0:
        code = 70
        try:
            signal.alarm(SECONDS)
            os.dup2(into, 1)
            os.dup2(into, 2)
            faults.faults_arm(call.encode(), number, lasting)
            code = main(arguments)
            seen = faults.faults_seen()
            faults.faults_arm(b"", 0, 0)
            if not number:
                print(seen)
        except BaseException:
            faults.faults_arm(b"", 0, 0)
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            os._exit(code)
    os.close(into)
    with os.fdopen(out, "rb") as pipe:
        said = pipe.read().decode(errors="replace")
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), said


def run() -> None:
    call, how, (start, step, count) = sys.argv[1], sys.argv[2], map(int, sys.argv[3:6])
    target, arguments = Path(sys.argv[6]), sys.argv[7:]
    old, folder = target.read_bytes(), target.parent
    faults.faults_from(
        ctypes.c_void_p(int(ffi.cast("uintptr_t", ffi.addressof(lib, "pocket_verify"))))
    )

    def once(number: int) -> dict[str, object]:
        before = {path.name for path in folder.iterdir()}
        code, said = build(call, number, how == "lasting", arguments)
        data = target.read_bytes()
        which = "old" if data == old else "new" if data == new else "neither"
        litter = sorted({path.name for path in folder.iterdir()} - before)
        for name in litter:
            path = folder / name
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        target.write_bytes(old)
        return {"number": number, "code": code, "file": which, "litter": litter, "said": said}

    main(arguments)  # what is imported on the way is here now
    new = target.read_bytes()
    target.write_bytes(old)
    whole = once(0)
    calls = int(str(whole["said"]).splitlines()[-1])
    print(json.dumps({"calls": calls, "file": whole["file"], "differs": old != new}))
    for number in range(start, min(calls, start + step * (count - 1)) + 1, step):
        print(json.dumps(once(number)))


if __name__ == "__main__":
    run()
