"""The command with one kind of its calls of the C library failing, each in a process of its own
(tests/c/faults.c has to be preloaded).

    python failing.py CALL:HOW:FROM:STEP,... TARGET ARGUMENT...

HOW is "first" (one call fails), "lasting" (all from then on) or "kill" (the process ends there).
The call number FROM fails, in the next process number FROM + STEP, and so on until no call is left;
FROM -9 is the ninth of the last ones.
Prints how many calls of each kind there are, then for each process its code, whether TARGET, a file
or a folder, is the old one or the new one, what lies about, and what was said. After a kill the
command runs again. Where the message promises that the next run finishes what was begun in a
folder, and where a kill has left a folder without its page, that is done first.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import signal
import sys
import time
import traceback
from itertools import count
from pathlib import Path

from pocketindex.builder.spill.chunks import spool
from pocketindex.builder.spill.swap import KEPT_BACK, PAGE, settle
from pocketindex.cbits._core import ffi, lib
from pocketindex.cli import USAGE, main

SECONDS = 600  # a machine may have much else to do
HOW = {"first": 0, "lasting": 1, "kill": 2}
faults = ctypes.CDLL(None)
faults.faults_seen.restype = ctypes.c_uint64
faults.faults_arm.argtypes = (ctypes.c_char_p, ctypes.c_uint64, ctypes.c_int)
spool.CHUNK_DOCUMENTS = 20

Content = dict[str, bytes]


def command(call: str, number: int, how: str, arguments: list[str]) -> tuple[int, str]:
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
            faults.faults_arm(call.encode(), number, HOW[how])
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


def content(target: Path) -> Content:
    """The bytes of a file, or of all files of a folder by their names."""
    if not target.is_dir():
        return {"": target.read_bytes()} if target.exists() else {}
    return {
        path.relative_to(target).as_posix(): path.read_bytes()
        for path in sorted(target.rglob("*"))
        if path.is_file() and not is_kept_back(path.relative_to(target).parts[0])
    }


def is_kept_back(name: str) -> bool:
    """Whether the name, in a folder, is that of what a run has begun there."""
    return name in KEPT_BACK or (name.startswith(".") and name.endswith(".tmp"))


def put(target: Path, data: Content) -> None:
    """Make target what content() has found."""
    if target.is_dir():
        shutil.rmtree(target)
    for name, own in data.items():
        path = target / name if name else target
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(own)


def litter_of(target: Path) -> set[str]:
    """What lies beside target, and in it of what a run has begun there."""
    names = {path.name for path in target.parent.iterdir()}
    inside = {path.name for path in target.iterdir()} if target.is_dir() else set[str]()
    return names | {f"{target.name}/{name}" for name in inside if is_kept_back(name)}


def run() -> None:
    specs, target, arguments = sys.argv[1].split(","), Path(sys.argv[2]), sys.argv[3:]
    old, beside = content(target), litter_of(target)
    faults.faults_from(
        ctypes.c_void_p(int(ffi.cast("uintptr_t", ffi.addressof(lib, "pocket_verify"))))
    )

    def which() -> str:
        data = content(target)
        return "old" if data == old else "new" if data == new else "neither"

    def once(call: str, how: str, number: int) -> dict[str, object]:
        code, said = command(call, number, how, arguments)
        found = which()
        if found == "neither" and code == USAGE and "run the same command again" in said:
            settle(target, lambda name: not name.startswith("."))
            found = which()
        if how == "kill" and code == -signal.SIGKILL:
            if target.is_dir() and not (target / PAGE).exists():
                settle(target, lambda name: not name.startswith("."))
                found = which()
            lost = found == "neither"
            is_resumed = (target.parent / f"{target.name}.work").exists()
            code, said = command("", 0, "first", [*arguments, *["--resume"] * is_resumed])
            if code and is_resumed:  # it was killed after all was done
                code, said = command("", 0, "first", arguments)
            found = "lost" if lost else which()
        litter = sorted(litter_of(target) - beside)
        for name in litter:
            path = target.parent / name
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        put(target, old)
        return {"call": call, "how": how, "number": number, "code": code, "file": found} | {
            "litter": litter,
            "said": said,
        }

    if arguments[0] == "evaluate":  # whose report has times, which are no two times the same
        clock = count()
        time.perf_counter = lambda: next(clock) / 1024
    main(arguments)  # what is imported on the way is here now
    new = content(target)
    put(target, old)
    for spec in specs:
        call, how, start, step = spec.split(":")
        whole = once(call, "first", 0)
        calls = int(str(whole["said"]).splitlines()[-1])
        print(
            json.dumps(
                {"calls": calls, "file": whole["file"], "differs": old != new} | {"of": spec}
            )
        )
        first = int(start) if int(start) > 0 else max(1, calls + 1 + int(start))
        for number in range(first, calls + 1, int(step)):
            print(json.dumps(once(call, how, number)))


if __name__ == "__main__":
    run()
