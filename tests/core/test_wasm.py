"""data/pocket.wasm: the reading half as WebAssembly, from the same files, free-standing: the same
sketches, keys and answers.
"""

from __future__ import annotations

import importlib.util
import json
import zlib
from pathlib import Path

import pocketindex
import pytest
from core_sources import run, script, tool
from places import GOLDEN, ROOT, TESTS
from vectors import expected, questions

MODULE = ROOT / "data" / "pocket.wasm"
SCRIPTS = TESTS / "wasm"


NAMES = ("pocket.wasm", "page.wasm", "site.wasm")


def module(name: str) -> bytes:
    """Return one of NAMES. The page's is kept as a raw deflate stream."""
    path = ROOT / "data" / name
    return path.read_bytes() if path.exists() else zlib.decompress(shipped(name), -15)


def shipped(name: str) -> bytes:
    return (ROOT / "data" / f"{name}.deflate").read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_the_sources_give_the_same_bytes(tmp_path: Path, name: str) -> None:
    if importlib.util.find_spec("ziglang") is None:
        pytest.skip("needs ziglang")
    making = script(ROOT / "data" / "make_wasm.py")
    making.make(tmp_path / name, making.MODULES[name])

    # A comparison in the assertion would look for the differences for minutes.
    same = (tmp_path / name).read_bytes() == module(name)
    assert same, "run: make wasm"


def test_it_is_small() -> None:
    whole, of_page = (len(compressed(module(name))) for name in NAMES[:2])
    print(f"{whole} bytes compressed, for a page {of_page}, as it is kept {len(shipped(NAMES[1]))}")

    assert whole <= 118_000
    assert len(shipped(NAMES[1])) < 0.96 * of_page


def compressed(data: bytes) -> bytes:
    packing = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packing.compress(data) + packing.flush()


def test_answers_are_the_native_ones(tmp_path: Path) -> None:
    node, cases = tool("node"), tmp_path / "cases"
    cases.write_text(questions(inside=False))
    replayed = run(node, SCRIPTS / "answers.mjs", MODULE, cases)

    assert replayed.returncode == 0
    assert replayed.stdout == expected(inside=False)


@pytest.mark.parametrize("texts", [False, True], ids=["no texts", "texts"])
def test_documents_ids_texts_and_damage(pocket: Path, texts: bool) -> None:
    path = GOLDEN / "text.pocket" if texts else pocket
    done = run(tool("node"), SCRIPTS / "documents.mjs", MODULE, path)
    lines = done.stdout.splitlines()
    with pocketindex.open(path) as index:
        records = [index.record(number) for number in range(len(index))]
        kept = [[index.text(record)] if texts else [] for record in records]

    assert done.returncode == 0
    assert lines[0] == str(len(records))
    assert [json.loads(line) for line in lines[1:-1]] == [
        [r.id, r.title, r.url, *text] for r, text in zip(records, kept, strict=True)
    ]
    assert lines[-1] == "A checksum does not agree with the bytes it covers."


@pytest.mark.parametrize("name", NAMES)
def test_it_asks_nothing_of_its_host_and_exports_what_is_said(tmp_path: Path, name: str) -> None:
    exports = script(ROOT / "data" / "make_wasm.py").MODULES[name]
    program = "const m = new WebAssembly.Module(require('fs').readFileSync(process.argv[1])); " + (
        "console.log(WebAssembly.Module.imports(m).length, WebAssembly.Module.exports(m).map((e) "
        "=> e.name).sort().join())"
    )
    (tmp_path / name).write_bytes(module(name))
    done = run(tool("node"), "-e", program, tmp_path / name)

    assert done.stdout.strip() == "0 " + ",".join(
        sorted(["memory", *(f"pocket_{name}" for name in exports)])
    )
