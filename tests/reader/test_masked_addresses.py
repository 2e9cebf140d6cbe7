"""Addresses are told from paths, and shown without what is secret in them."""

from __future__ import annotations

from pathlib import Path

import pocketindex
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pocketindex.addresses import is_address, masked
from run_command import run

SECRET = "https://me:secret@host.example/x.pocket"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("https://u:p@h/x.gz?download=1", "https://...@h/x.gz?download=..."),
        ("https://token@h/x", "https://...@h/x"),
        ("https://u:p/w@h/x?A=1&b=#f", "https://...@h/x?A=...&b=#f"),
        ("https://h/x?signature", "https://h/x?..."),
        ("https://h/x#access_token=1", "https://h/x#..."),
        ("https://h:80/x@1", "https://h:80/x@1"),
        ("https://h/@user/x", "https://h/@user/x"),
        ("http://[::1]:80/x?t=1", "http://[::1]:80/x?t=..."),
        ("abfs://container@account/x", "abfs://container@account/x"),
        ("s3://key:secret@b/k", "s3://...@b/k"),
        ("failed for 'https://u:p@h/x?t=1' (404)", "failed for 'https://...@h/x?t=...' (404)"),
        ("no address a:b@c?d=e", "no address a:b@c?d=e"),
    ],
)
def test_users_and_the_values_of_queries_are_masked(text: str, shown: str) -> None:
    assert masked(text) == shown


@given(st.text(st.sampled_from("ab:/@?#=&.0 '")))
def test_what_is_masked_stays_so(text: str) -> None:
    once = masked(f"https://{text}")
    assert masked(once) == once


def test_a_path_that_exists_is_no_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert is_address("https://host/x")
    (tmp_path / "https:" / "host").mkdir(parents=True)
    (tmp_path / "https:" / "host" / "x").write_text("a file")
    assert not is_address("https://host/x")
    assert not any(map(is_address, ("C:/x", "C://x", "pydoc:", "-", "://x", Path("s3://x"))))


@pytest.mark.parametrize(
    "arguments",
    [
        ("info", SECRET),
        ("query", SECRET, "a text"),
        ("search", SECRET, "words"),
        ("get", SECRET, "id"),
        ("verify", SECRET),
        ("diff", SECRET, "b.pocket"),
        ("merge", SECRET, "b.pocket", "-o", "c.pocket"),
        ("update", SECRET, "docs.jsonl"),
        ("check", SECRET, "docs.jsonl"),
        ("classify", SECRET, "text.txt"),
        ("pairs", SECRET),
        ("disc", SECRET, "OUT"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_an_index_at_an_address_that_cannot_be_had_is_told_in_one_sentence(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs.jsonl").write_text('{"id": "a", "text": "some words"}\n')
    done = run(*arguments)
    said = done.stderr + done.stdout
    assert done.returncode in (2, 3)
    made_anew = arguments[0] in ("diff", "merge", "update", "disc")  # from a file alone
    problem = "an index cannot be an address; " if made_anew else "its host cannot be reached; "
    assert f"https://...@host.example/x.pocket: {problem}" in said
    assert (said.count("\n"), "secret" in said) == (1, False)


def test_an_index_at_an_address_that_cannot_be_had_has_no_secrets_in_python() -> None:
    for function in (pocketindex.open, pocketindex.open_many):
        with pytest.raises(pocketindex.NotReachable, match="its host cannot be reached") as caught:
            function(SECRET)
        assert "secret" not in f"{caught.value} {caught.value!r}"
        assert caught.value.__cause__ is None


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (("build", "docs.jsonl", "-o", "s3://a/b"), "the output"),
        (
            ("build", "docs.jsonl", "-o", "o.pocket", "--skipped", "s3://a/b"),
            "the list of what was skipped",
        ),
        (("dedup", "docs.jsonl", "-o", "s3://a/b"), "the output"),
        (("pairs", "docs.jsonl", "-o", "s3://a/b"), "the output"),
        (("profile", "docs.jsonl", "-o", "s3://a/b.profile"), "the profile"),
        (("evaluate", "docs.jsonl", "-o", "s3://a/b"), "a report"),
        (("disc", "o.pocket", "s3://a/b"), "a disc"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_an_output_at_an_address_is_refused_and_makes_no_folder(
    arguments: tuple[str, ...], what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs.jsonl").write_text('{"id": "a", "text": "some words"}\n')
    done = run(*arguments)
    assert done.returncode == 2
    assert f"{arguments[-1]}: {what} cannot be an address; give the path of a" in done.stderr
    assert [one.name for one in tmp_path.iterdir()] == ["docs.jsonl"]
