"""Answer queries to open indexes as JSON: the addresses of `pocketindex serve` below /api/."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, overload

from pocketindex.errors import NeedsTitles, NoPassages, NoWords, TextTooLong, TextTooShort
from pocketindex.ffi.interrupt import Deadline, stop_at
from pocketindex.index import Index
from pocketindex.joint_index import JointIndex
from pocketindex.queries.hits import FileHits, Hit, Hits
from pocketindex.queries.sources import Source, WordsOnly
from pocketindex.queries.word_search import WordHit

NO_PASSAGES = "no file has passages or words; build it with --index documents,passages,words"
NO_WORDS = "no file has words; build it with --index documents,words"
# The fields of a query, and their types.
FIELDS: dict[str, tuple[type, ...]] = {
    "text": (str,),
    "top": (int,),
    "probes": (int,),
    "min_similarity": (int, float),
}
MOST_HITS = 1_000  # for each hit a block of documents is read


@dataclass(eq=False)
class Refused(Exception):
    """Raised for a request that is refused. status: of HTTP; sentence: the reason, for people."""

    status: int
    sentence: str


@contextmanager
def in_time(seconds: float) -> Iterator[None]:
    """Limit the time that searches of this thread take in a block. Raises Refused when it is
    over.
    """
    stop_at(Deadline(seconds))
    try:
        yield
    except CancelledError:
        raise Refused(
            422,
            f"this takes longer than {seconds:g} seconds, the limit for one question; give a part "
            "of the text",
        ) from None
    finally:
        stop_at(None)


def query(index: Index, body: bytes | bytearray) -> dict[str, Any]:
    """Return the hits of a query. body: a JSON object of FIELDS. Raises Refused."""
    hits = _asked(index, body)
    return {"hits": [_hit(index, hit) for hit in hits], **_effort(hits)}


def query_all(files: JointIndex, body: bytes | bytearray) -> dict[str, Any]:
    """Return the hits of all files. body: as for query. Each hit has the number of its file, and
    "files" has the terms, the candidates and whether these were capped, for each file. Raises
    Refused.
    """
    hits = _asked(files, body)
    found = [{"file": hit.file_number, **_hit(files.indexes[hit.file_number], hit)} for hit in hits]
    return {"hits": found, "files": [_effort(own) for own in hits.by_file]}


def _hit(index: Index, hit: Hit) -> dict[str, Any]:
    row: dict[str, Any] = {
        "id": hit.id,
        "title": hit.title,
        "url": hit.url,
        "similarity": hit.similarity,
        "snippet": index.snippet(hit),
    }
    return row | ({"labels": list(hit.labels)} if hit.labels else {})


def _effort(hits: Hits) -> dict[str, Any]:
    return {"terms": hits.terms, "candidates": hits.candidates, "capped": hits.capped}


@overload
def _asked(index: Index, body: bytes | bytearray) -> Hits: ...
@overload
def _asked(index: JointIndex, body: bytes | bytearray) -> FileHits: ...
def _asked(index: Index | JointIndex, body: bytes | bytearray) -> Hits | FileHits:
    asked = _read(body, FIELDS)
    top = asked.get("top", 10)
    try:
        return index.query(
            asked["text"],
            top=top,
            probes=asked.get("probes"),
            min_similarity=asked.get("min_similarity"),
        )
    except (TextTooShort, TextTooLong) as error:
        raise Refused(422, str(error)) from None
    except ValueError as error:
        raise Refused(400, str(error)) from None


def _read(body: bytes | bytearray, known: dict[str, tuple[type, ...]]) -> dict[str, Any]:
    """Parse and check the body of a request. known: the fields that it may have. Raises Refused."""
    try:
        asked = json.loads(body)
    except (ValueError, RecursionError):
        raise Refused(400, "expected a JSON object with a text") from None
    if not isinstance(asked, dict) or not isinstance(asked.get("text"), str):
        raise Refused(400, "expected a JSON object with a text")
    for name, value in asked.items():
        if name not in known or not isinstance(value, known[name]) or isinstance(value, bool):
            raise Refused(
                400,
                f"{name}: expected one of {', '.join(known)}, text a string, the others numbers",
            )
    top = asked.get("top", 10)
    if not 1 <= top <= MOST_HITS:
        raise Refused(400, f"top is {top}; it must be 1 .. {MOST_HITS}")
    return asked


def sources(index: Index | JointIndex, body: bytes | bytearray) -> dict[str, Any]:
    """Return the documents that passages of a text come from, with places in code points.

    body: a JSON object with text and top. Raises Refused.
    """
    asked = _read(body, {name: FIELDS[name] for name in ("text", "top")})
    return _sources(index, **asked)


def sources_of_address(index: Index | JointIndex, fields: dict[str, list[str]]) -> dict[str, Any]:
    """Return the same as sources. fields: those of an address, text and top. Raises Refused."""
    texts = fields.get("text", [])
    top = {"top": _top(fields["top"][0])} if "top" in fields else {}
    if len(texts) != 1:
        raise Refused(400, "expected one text, as in ?text=some+words")
    return _sources(index, texts[0], **top)


def search(index: Index | JointIndex, fields: dict[str, list[str]]) -> dict[str, Any]:
    """Return the documents that have a few words.

    fields: those of an address: q, top, group and prefix. If there are several files, each hit has
    the number of its file. Raises Refused.
    """
    texts, top = fields.get("q", []), _top(fields.get("top", ["10"])[0])
    if len(texts) != 1:
        raise Refused(400, "expected one q, as in ?q=volcano+iceland")
    try:
        found = index.search(
            texts[0], top, prefix=_flag(fields, "prefix"), group=_flag(fields, "group")
        )
    except NoWords:
        raise Refused(404, NO_WORDS) from None
    return {
        "hits": [{"rank": rank, **_word_hit(index, hit)} for rank, hit in enumerate(found, 1)],
        **found.as_dict(),
    }


def _word_hit(index: Index | JointIndex, hit: WordHit) -> dict[str, Any]:
    row: dict[str, Any] = hit.as_dict()
    if isinstance(index, JointIndex):
        row["file"] = index.paths.index(hit.file)
    else:
        del row["file"]  # a path of the server
    if hit.like:
        row["like"] = [_word_hit(index, other) for other in hit.like]
    return row


def _flag(fields: dict[str, list[str]], name: str) -> bool:
    said = fields.get(name, ["0"])
    if said not in (["0"], ["1"]):
        raise Refused(400, f"{name}: expected 0 or 1, found {said[0][:20]!r}")
    return said == ["1"]


def document(index: Index, id: str) -> dict[str, Any]:
    """Return a document as JSON. snippet and text are None if the file does not keep them. Raises
    Refused.
    """
    try:
        record = index.document(id)
    except KeyError:
        raise Refused(404, f"no document has the id {id!r}") from None
    labels = index.labels(record) if index.has_labels else ()
    return {
        "id": record.id,
        "title": record.title,
        "url": record.url,
        "snippet": index.snippet(record),
        "text": index.text(record),
        **({"labels": list(labels)} if labels else {}),
    }


def titles(index: Index, text: str, top: str) -> dict[str, Any]:
    """Return the documents whose titles begin with text. Raises Refused."""
    try:
        found = index.titles(text, _top(top))
    except NeedsTitles:
        raise Refused(404, "the file has no titles to look up; build it with --titles") from None
    return {
        "titles": [{"id": record.id, "title": record.title, "url": record.url} for record in found]
    }


def _top(top: str) -> int:
    number = re.fullmatch(r"0*([1-9]\d{0,3})", top, re.ASCII)
    if not number or int(number[1]) > MOST_HITS:
        raise Refused(400, f"top is {top[:20]!r}; it must be 1 .. {MOST_HITS}")
    return int(number[1])


def info(index: Index) -> dict[str, Any]:
    """Return the properties of the index, without its path."""
    return {name: value for name, value in index.info().as_dict().items() if name != "path"}


def _sources(index: Index | JointIndex, text: str, **top: Any) -> dict[str, Any]:
    """Return the sources of a text. If there are several files, each source has the number of its
    file. top: as of Index.sources, which has the default. Raises Refused.
    """
    try:
        found = index.sources(text, **top)
    except NoPassages:
        raise Refused(404, NO_PASSAGES) from None
    except TextTooLong as error:
        raise Refused(422, str(error)) from None
    return {
        "coverage": round(found.coverage, 4),
        "terms": found.terms,
        "capped": found.capped,
        "total": found.total,
        "sources": [
            {"rank": rank, **_with_number(index, one)} for rank, one in enumerate(found, 1)
        ],
        "words_only": [_with_number(index, one) for one in found.words_only],
        "frequent": [one.as_dict() for one in found.frequent],
    }


def _with_number(index: Index | JointIndex, one: Source | WordsOnly) -> dict[str, Any]:
    """Return the fields of a source, with the number of its file if there are several."""
    plain = one.as_dict()
    if isinstance(index, JointIndex):
        return plain | {"file": index.paths.index(one.file)}
    del plain["file"]
    return plain
