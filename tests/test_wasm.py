"""The reading half as WebAssembly, from the same files, free-standing: the same sketches, keys and answers."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from compiled import CORE
from core_sources import reading_half, run, tool
from vectors import expected, questions

EXPORTS = ("open", "close", "summarize", "sketch", "query", "terms_write", "malloc", "free", "document_get", "find", "verify")


@pytest.mark.slow
def test_answers_are_the_native_ones(tmp_path: Path) -> None:
    node = tool("node")
    if importlib.util.find_spec("ziglang") is None:
        pytest.skip("needs ziglang")
    module, cases = tmp_path / "pocket.wasm", tmp_path / "cases"
    sources = [p for p in reading_half() if p.name != "map.c"] + [CORE / "terms_write.c"]
    flags = ["-target", "wasm32-freestanding", "-std=c11", "-O2", "-DPOCKET_FREESTANDING", "-nostdlib", "-fno-builtin", f"-I{CORE}"]
    link = ["-Wl,--no-entry", "-Wl,--strip-all", *(f"-Wl,--export=pocket_{name}" for name in EXPORTS)]
    command = [sys.executable, "-m", "ziglang", "cc", *flags, *link, "-o", str(module), *map(str, sources)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:4000]
    cases.write_text(questions())
    replayed = run(node, Path(__file__).parent / "wasm" / "answers.mjs", module, cases)

    assert replayed.returncode == 0
    assert replayed.stdout == expected()
    packed = len(zlib.compress(module.read_bytes(), 9))
    print(f"{module.stat().st_size} bytes, {packed} compressed")
    assert packed <= 65_536
