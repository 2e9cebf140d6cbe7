"""Sources at addresses give what files on a disk do, and say in one sentence what is wrong."""

from __future__ import annotations

import contextlib
import gzip
import os
import shutil
import socket
import sqlite3
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import fsspec
import pocketindex
import pyarrow.parquet as pq
import pytest
from address_sources import KINDS, write_sources
from file_server import FileServer, file_server
from fsspec.config import conf
from fsspec.registry import _registry
from hub_server import hub_server
from pocketindex.builder.inputs import find_all
from pocketindex.builder.inputs.opening.addresses import Address
from pocketindex.builder.inputs.source import NeedsPackage, SourceError
from pocketindex.builder.passes.reading import state_of
from run_command import run, run_process


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_sources(tmp_path_factory.mktemp("sources"))


@pytest.fixture
def here(sources: Path) -> Iterator[FileServer]:
    with file_server(sources) as server:
        yield server


def built(source: object, path: Path, **choices: object) -> tuple[bytes, dict[str, int]]:
    report = pocketindex.build(source, path, progress=False, force=True, **choices)  # type: ignore[arg-type]
    return path.read_bytes(), dict(report.as_dict()["skipped"])


@pytest.mark.parametrize("kind", KINDS)
def test_a_build_from_the_web_has_the_bytes_of_one_from_a_disk(
    kind: str, sources: Path, here: FileServer, tmp_path: Path
) -> None:
    own = built(f"{sources}/{KINDS[kind]}", tmp_path / "disk.pocket")
    assert built(here.url + KINDS[kind], tmp_path / "web.pocket") == own


@pytest.mark.parametrize("how", ["no ranges", "no length", "neither"])
@pytest.mark.parametrize("name", ["docs.jsonl.gz", "rows.parquet", "files.zip"])
def test_a_server_may_have_no_ranges_and_tell_no_length(
    how: str, name: str, sources: Path, here: FileServer, tmp_path: Path
) -> None:
    here.ranges, here.length = how == "no length", how == "no ranges"
    own = built(sources / name, tmp_path / "disk.pocket")
    assert built(here.url + name, tmp_path / "web.pocket") == own


@pytest.mark.parametrize("kind", KINDS)
def test_a_build_from_another_file_system_has_the_bytes_of_one_from_a_disk(
    kind: str, sources: Path, tmp_path: Path
) -> None:
    memory = fsspec.filesystem("memory")
    memory.put(f"{sources}/", "/store/", recursive=True)
    try:
        own = built(f"{sources}/{KINDS[kind]}", tmp_path / "disk.pocket")
        assert built(f"memory://store/{KINDS[kind]}", tmp_path / "memory.pocket") == own
        if kind == "a folder":  # without the slash
            assert built("memory://store/folder", tmp_path / "memory.pocket") == own
    finally:
        memory.rm("/store", recursive=True)


@pytest.mark.slow
def test_a_build_from_a_bucket_has_the_bytes_of_one_from_a_disk(
    sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        how = {"endpoint_url": f"http://{host}:{port}", "key": "key", "secret": "secret"}
        monkeypatch.setitem(conf, "s3", how)
        bucket = fsspec.filesystem("s3")
        bucket.mkdir("bucket")
        bucket.put(f"{sources}/", "bucket/", recursive=True)
        for name in (*KINDS.values(), "folder"):
            own = built(f"{sources}/{name}", tmp_path / "disk.pocket")
            assert built(f"s3://bucket/{name}", tmp_path / "bucket.pocket") == own, name
        for wrong in ("bucket/none.jsonl", "bucket/none/", "nowhere/x.jsonl"):
            with pytest.raises(SourceError, match="there is no such file"):
                built(f"s3://{wrong}", tmp_path / "bucket.pocket")
    finally:
        server.stop()


def ask_of_a_store(
    address: Callable[[str], str], missing: tuple[str, ...], sources: Path, tmp_path: Path
) -> None:
    """Each kind has the bytes of a build from a disk; what is not there is said."""
    for name in KINDS.values():
        own = built(f"{sources}/{name}", tmp_path / "disk.pocket")
        assert built(address(name), tmp_path / "store.pocket") == own, name
    for wrong in missing:
        with pytest.raises(SourceError, match="there is no such file"):
            built(wrong, tmp_path / "store.pocket")


@pytest.mark.nightly
def test_a_build_from_google_storage_has_the_bytes_of_one_from_a_disk(
    sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It asks over gRPC otherwise, and reads this when it is imported.
    monkeypatch.setenv("GCSFS_EXPERIMENTAL_ZB_HNS_SUPPORT", "false")
    pytest.importorskip("gcsfs")
    emulator = pytest.importorskip("gcp_storage_emulator.server")
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    server = emulator.create_server("localhost", port, in_memory=True, default_bucket="bucket")
    server.start()
    try:
        where = f"http://localhost:{port}"
        monkeypatch.setenv("STORAGE_EMULATOR_HOST", where)
        monkeypatch.setitem(conf, "gs", {"token": "anon", "endpoint_url": where})
        fsspec.filesystem("gs").put(f"{sources}/", "bucket/", recursive=True)
        missing = ("gs://bucket/none.jsonl", "gs://bucket/none/", "gs://nowhere/x.jsonl")
        ask_of_a_store(lambda name: f"gs://bucket/{name}", missing, sources, tmp_path)
    finally:
        server.stop()


HUB = """
import sys
from pathlib import Path
import pytest
from test_addresses import ask_of_a_store
start = "hf://datasets/o/"
missing = tuple(start + name for name in ("n/none.jsonl", "n/none/", "m/x.jsonl"))
ask_of_a_store(lambda name: f"{start}n/{name}", missing, Path(sys.argv[1]), Path(sys.argv[2]))
"""


@pytest.mark.nightly
def test_a_build_from_a_hub_of_data_sets_has_the_bytes_of_one_from_a_disk(
    sources: Path, tmp_path: Path
) -> None:
    pytest.importorskip("huggingface_hub")
    with hub_server(sources) as where:  # huggingface_hub reads its address when it is imported
        ran = subprocess.run(
            [sys.executable, "-c", HUB, str(sources), str(tmp_path)],
            env={
                **os.environ,
                "HF_ENDPOINT": where,
                "HF_HUB_DISABLE_XET": "1",
                "HF_HOME": str(tmp_path / "home"),
                "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path]),
            },
            capture_output=True,
            text=True,
            check=False,
        )
    assert ran.returncode == 0, ran.stderr


def test_a_file_address_is_a_path(sources: Path, tmp_path: Path) -> None:
    own = built(sources / "one file.txt", tmp_path / "disk.pocket")
    for host in ("", "localhost"):
        address = f"file://{host}{sources}/one%20file.txt"
        assert built(address, tmp_path / "file.pocket") == own


def test_a_path_that_looks_like_an_address_is_a_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s3:" / "bucket").mkdir(parents=True)
    (tmp_path / "s3:" / "bucket" / "a.txt").write_text("some words")
    assert documents("s3://bucket/a.txt") == [("a.txt", "some words")]


def documents(source: str) -> list[tuple[str, str]]:
    return [
        (one.id, one.text)
        for path, kind in find_all([source])
        for one in kind.documents(path, lambda skip: None)
    ]


@pytest.mark.parametrize("behind", ["?download=1", "#part", "?a=b.csv&c=/d.txt#e"])
def test_a_query_and_a_fragment_are_no_part_of_the_name(here: FileServer, behind: str) -> None:
    assert [id for id, _ in documents(f"{here.url}one%20file.txt{behind}")] == ["one file.txt"]
    assert len(documents(f"{here.url}docs.jsonl.gz{behind}")) == 8


def test_a_stream_is_read_by_one_request_and_a_table_by_ranges(here: FileServer) -> None:
    documents(here.url + "docs.jsonl.gz")
    assert {range for _, _, range in here.asked} == {""}
    here.asked.clear()
    documents(here.url + "rows.parquet")
    assert any(range for _, _, range in here.asked)


def test_progress_tells_the_bytes_of_an_address(sources: Path, here: FileServer) -> None:
    ((source, kind),) = find_all([here.url + "docs.jsonl.gz"])
    seen = list[tuple[int, int | None]]()
    assert len(list(kind.documents(source, lambda skip: None, lambda *own: seen.append(own)))) == 8
    size = (sources / "docs.jsonl.gz").stat().st_size
    assert seen[-1] == (size, size)


WRONG: dict[str, tuple[dict[str, Any], str, str]] = {
    "refused": ({"status": 403}, "docs.jsonl.gz", "the server refuses it (HTTP status 403); give "),
    "a folder refused": ({"status": 403}, "folder/", "the server refuses it (HTTP status 403); "),
    "no user": ({"user": "a:b"}, "docs.jsonl.gz", "the server refuses it (HTTP status 401); give "),
    "missing": ({}, "none.jsonl", "there is no such file (HTTP status 404); check the address"),
    "a folder missing": ({}, "none/", "there is no such file"),
    "a pattern without a file": ({}, "*.csv", "no file or folder fits it as a pattern; check the"),
    "broken": ({"status": 503}, "docs.jsonl.gz", "an error (HTTP status 503); try again later"),
    "cut": ({"cut": 100}, "docs.jsonl.gz", "ends early: "),
    "cut within a table": ({"cut": 100}, "rows.parquet", "ends early: "),
    "cut within a folder": ({"cut": 100}, "folder/", "ends early: "),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_is_one_sentence_without_secrets(
    wrong: str, here: FileServer, tmp_path: Path
) -> None:
    how, name, said = WRONG[wrong]
    for attribute, value in how.items():
        setattr(here, attribute, value)
    if wrong == "cut within a folder":
        here.cut = 400  # behind the listing
    source = here.with_user("me:secret") + name
    if "*" not in name and not name.endswith("/"):
        source += "?signature=secret"
    done = run("build", source, "-o", tmp_path / "o.pocket")
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.startswith("pocketindex: http://...@127.0.0.1:")
    assert done.stderr.count("\n") == 1
    assert "secret" not in done.stderr
    assert not (tmp_path / "o.pocket").exists()


def test_a_file_of_a_folder_that_is_refused_is_left_out_and_reported(
    here: FileServer, tmp_path: Path
) -> None:
    here.refused = "b.txt"
    skipped = tmp_path / "skipped.jsonl"
    _, counts = built(here.url + "folder/", tmp_path / "o.pocket", skipped=skipped)
    assert counts["unreadable"] == 1
    assert "folder/b.txt" in skipped.read_text()
    assert "the server refuses it (HTTP status 403)" in skipped.read_text()


def test_a_file_of_fewer_bytes_than_its_size_is_an_error_that_names_it() -> None:
    memory = fsspec.filesystem("memory")
    memory.pipe("/short/docs.jsonl", b'{"text": "some words"}\n')
    try:
        info = {"name": "/short/docs.jsonl", "size": 100, "type": "file"}
        short = Address("memory://short/docs.jsonl", info)
        said = r"^memory://short/docs.jsonl: ends early: expected 100 bytes, found 23; run again"
        for opened in (short.open, short.seekable):
            file = opened()
            assert file
            with file, pytest.raises(SourceError, match=said):
                file.read()
        with pytest.raises(SourceError, match=said):
            documents(short)
    finally:
        memory.rm("/short", recursive=True)


def test_a_server_that_does_not_answer_is_a_sentence(
    here: FileServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    here.wait = 0.3
    monkeypatch.setitem(conf, "http", {"timeout": 0.05})
    with pytest.raises(SourceError, match="the server took too long to answer; try again, or"):
        find_all([here.url + "docs.jsonl.gz?slow"])


@pytest.mark.parametrize("address", ["http://127.0.0.1:1/x.jsonl", "https://nobody.invalid/x"])
def test_a_host_that_is_not_there_is_a_sentence(address: str) -> None:
    with pytest.raises(SourceError, match=r"its host cannot be reached; check the address and"):
        find_all([address])


def test_a_server_without_tls_is_told_from_a_host_that_is_not_there(here: FileServer) -> None:
    with pytest.raises(SourceError, match=r"no secure connection to its host \(wrong version numb"):
        find_all([here.url.replace("http:", "https:") + "docs.jsonl.gz"])


@pytest.mark.slow
def test_a_certificate_that_nobody_vouches_for_is_a_sentence_and_can_be_named(
    sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not shutil.which("openssl"):
        pytest.skip("there is no openssl to make a certificate")
    own, key, index = (tmp_path / name for name in ("own.pem", "key.pem", "o.pocket"))
    words = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=here",
        "-addext",
    ]
    more = ["subjectAltName=IP:127.0.0.1", "-out", str(own), "-keyout", str(key)]
    subprocess.run([*words, *more], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(own, key)
    with file_server(sources, tls=context) as here:
        build = ("build", here.url + "docs.jsonl.gz", "-o", index)
        done = run_process(*build)
        assert done.returncode == 2
        said = "no secure connection to its host (self-signed certificate); check the address, or"
        assert said in done.stderr
        monkeypatch.setenv("SSL_CERT_FILE", str(own))  # which is read when a process begins
        done = run_process(*build)
        assert done.returncode == 0, done.stderr
    with file_server(tmp_path, tls=context) as there:  # an index at an address, too
        done = run_process("info", there.url + "o.pocket")
        assert done.returncode == 0, done.stderr
        assert there.url.startswith("https://")
        assert all(range for _, _, range in there.asked)


def test_no_cause_of_an_error_has_what_is_secret(here: FileServer) -> None:
    here.status = 403
    with pytest.raises(SourceError) as caught:
        find_all([here.with_user("me:secret") + "docs.jsonl?sig=secret"])
    assert (caught.value.__cause__, caught.value.__suppress_context__) == (None, True)
    assert "secret" not in f"{caught.value} {caught.value.source}"


@pytest.mark.parametrize(
    ("address", "missing", "said"),
    [
        ("s3://a/b.jsonl", "fsspec.core", r"pip install 'pocketindex\[url\]'"),
        ("s3://a/b.jsonl", "s3fs", "s3:// addresses need another package: pip install s3fs"),
        ("gs://a/b.jsonl", "gcsfs", "gs:// addresses need another package: pip install gcsfs"),
        ("hf://datasets/a/b", "huggingface_hub", "pip install huggingface_hub"),
    ],
)
def test_a_package_that_is_missing_is_named(
    address: str, missing: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.delitem(_registry, address.partition(":")[0], raising=False)
    with pytest.raises(NeedsPackage, match=said):
        find_all([address])


def test_a_kind_that_is_known_and_not_read_is_downloaded_first(
    sources: Path, here: FileServer
) -> None:
    path = sources / "unread"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("create table t (id, text)")
    (sources / "unread.db.gz").write_bytes(gzip.compress(path.read_bytes()))
    said = {
        "unread": "it is a SQLite database; download it, then export it: sqlite3 -json unread 'sel",
        "unread.db.gz": "it is a SQLite database; download it, then unpack it, then export it: "
        "sqlite3 -json unread.db 'select",
    }
    try:
        for name, problem in said.items():
            with pytest.raises(SourceError) as caught:
                find_all([f"{here.url}{name}?sig=secret"])
            assert caught.value.problem.startswith(problem)
    finally:
        for name in said:
            (sources / name).unlink()


def test_a_kind_of_address_that_there_is_not_is_a_sentence() -> None:
    with pytest.raises(SourceError, match="fsspec knows no nothing://; check"):
        find_all(["nothing://a/b"])


def test_nothing_of_fsspec_is_loaded_for_a_path(sources: Path, tmp_path: Path) -> None:
    program = f"""
import sys, pocketindex
pocketindex.build({str(sources / "docs.jsonl.gz")!r}, {str(tmp_path / "o.pocket")!r})
print([name for name in ("fsspec", "aiohttp", "asyncio") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("[]\n", 0), done.stderr


def test_an_address_that_has_changed_is_told_to_a_build_that_goes_on(here: FileServer) -> None:
    here.tag = '"1"'
    address = here.url + "docs.jsonl.gz?sig=secret"
    first, second = (state_of(find_all([address])) for _ in range(2))
    assert first == second
    assert "secret" not in str(first)
    here.tag = '"2"'
    assert state_of(find_all([address])) != first


def test_every_command_that_reads_sources_reads_addresses(
    sources: Path, here: FileServer, tmp_path: Path
) -> None:
    index, lines = tmp_path / "o.pocket", here.url + "docs.jsonl.gz?sig=secret"
    built(sources / "docs.jsonl.gz", index)
    for arguments in (
        ("update", index, lines, "-o", tmp_path / "u.pocket"),
        ("check", index, lines, "--source", lines),
        ("dedup", lines, "-o", tmp_path / "d.jsonl"),
        ("dedup", here.url + "rows.parquet", "-o", tmp_path / "d.parquet"),
        ("pairs", lines),
        ("profile", lines, "-o", tmp_path / "p.profile"),
        ("query", index, here.url + "one%20file.txt"),
        ("query", index, "--batch", lines),
        ("fingerprint", here.url + "one%20file.txt"),
    ):
        done = run(*arguments, *(["--progress", "json"] if arguments[0] != "fingerprint" else []))
        assert done.returncode in (0, 1), done.stderr
        assert "secret" not in done.stdout + done.stderr
        assert "pocketindex:" not in done.stderr, done.stderr
    assert (tmp_path / "d.jsonl").read_bytes() == gzip.decompress(
        (sources / "docs.jsonl.gz").read_bytes()
    )
    assert pq.read_table(tmp_path / "d.parquet").num_rows == 8


def test_an_address_that_went_through_a_path_is_told() -> None:
    with pytest.raises(SourceError, match="a path has lost a slash of this address; give it as a"):
        find_all([str(Path("s3://bucket/docs.jsonl"))])


def test_a_list_of_addresses_is_no_list_of_texts() -> None:
    with pytest.raises(ValueError, match=r"the first text is the address https://h/x\?a=\.\.\.; "):
        pocketindex.build(["https://h/x?a=secret", "https://h/y"], "o.pocket")
