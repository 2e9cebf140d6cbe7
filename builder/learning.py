"""The profile of a build: the one that the settings name, or the one that suits the collection."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pocketindex.builder import shipped
from pocketindex.builder.profile import Profile
from pocketindex.builder.progress import Progress
from pocketindex.builder.report import Report
from pocketindex.builder.same_ids import Duplicates
from pocketindex.builder.sample import LEARNED, LOOKED_AT, Bounds, Sample
from pocketindex.builder.schemes import SCHEMES
from pocketindex.builder.schemes.rff import Learned
from pocketindex.builder.schemes.term_rows import TermRows
from pocketindex.builder.schemes.tuning import Expectation, Target, choose
from pocketindex.builder.settings import Settings
from pocketindex.builder.spool import Spool
from pocketindex.builder.work import Work
from pocketindex.builder.workers import Workers

LEARN_FROM = 2_000  # documents: a smaller collection says less of its language than a shipped profile does
# What learning takes at its peak, measured: bytes for what is loaded, a byte of text, a term learned from, and a term looked at.
_LOADED, _TEXTS, _LEARNED, _LOOKED_AT = 64 << 20, 1, 40, 45
_COUNTED = 1 << 17  # bytes of texts whose terms are counted at once


def profile(
    settings: Settings,
    spool: Spool,
    duplicates: Duplicates,
    sample: Sample,
    work: Work,
    report: Report,
    progress: Progress,
    workers: Workers,
) -> Profile:
    """Choose, or learn from the sample; a profile that a stopped build has learned is taken. Raises NoSuchProfile, Damaged, TooNew."""
    scheme, choice, count = SCHEMES[settings.scheme], settings.profile, spool.count - duplicates.count
    if choice == "auto":
        choice = "learn" if count >= LEARN_FROM else shipped.for_languages(_languages(spool, duplicates)) or scheme.otherwise
    if choice != "learn":
        chosen = shipped.load(choice, settings.scheme)
        return Profile(scheme.fit(chosen.data, count), choice) if choice in shipped.SHIPPED else chosen
    name = "learned from this collection"
    for entry in work.of("profile"):
        report.expectation = Expectation.of_state(entry["expectation"]) if entry["expectation"] else None
        return Profile(work.path(entry).read_bytes(), name)
    data = _learn(name, settings, spool, count, sample, report, progress, workers)
    with work.file("profile") as file:
        file.write(data)
    work.record("profile", ("profile", file), expectation=report.expectation.state() if report.expectation else None)
    return Profile(data, name)


def _learn(
    name: str, settings: Settings, spool: Spool, documents: int, sample: Sample, report: Report, progress: Progress, workers: Workers
) -> bytes:
    progress.phase("learning the profile")
    looked_at, learned_from = _texts(spool, sample, settings, workers)
    texts = looked_at[:learned_from]
    scheme = SCHEMES[settings.scheme]
    choices = settings.scheme_settings or scheme.settings()
    if settings.scheme != "rff" or not texts:
        return bytes(scheme.learn(name, texts, documents, choices))
    learned = Learned(name, texts, documents, choices)
    progress.phase("choosing tables, probes and sketch")
    beside = settings.identity_bits, settings.shared_bits
    data, report.expectation = choose(learned, looked_at, Target.parse(settings.target), settings.probes, *beside)
    return data


def _texts(spool: Spool, sample: Sample, settings: Settings, workers: Workers) -> tuple[list[bytes], int]:
    """Sampled texts within what memory there must be for them, and how many of them may be learned from.

    Raises ValueError where max_memory is less than that.
    """
    numbers = sample.places()
    lengths, bounds = spool.lengths(numbers), Bounds(LOOKED_AT)
    numbers = [number for number in numbers if bounds.take(lengths[number])]
    by_number = spool.texts(numbers)
    texts = [by_number.pop(number) for number in numbers]
    terms = [n for piece in workers.map(_terms, _pieces(texts)) for n in piece]
    bounds = Bounds(LOOKED_AT)
    sampled = [(text, n) for text, n in zip(texts, terms, strict=True) if bounds.take(len(text), n)]
    bounds = Bounds(LEARNED)
    learned = sum(bounds.take(len(text), n) for text, n in sampled[: settings.sample])
    needed = _LOADED + _TEXTS * sum(len(text) for text, _ in sampled)
    needed += _LEARNED * sum(n for _, n in sampled[:learned]) + _LOOKED_AT * sum(n for _, n in sampled)
    if needed > settings.max_memory:
        raise ValueError(
            f"to learn a profile from this collection takes about {needed >> 20} MiB; give max_memory as much, or a profile that is there"
        )
    return [text for text, _ in sampled], learned


def _pieces(texts: list[bytes]) -> Iterator[list[bytes]]:
    piece: list[bytes] = []
    for text in texts:
        if piece and sum(map(len, piece)) + len(text) > _COUNTED:
            yield piece
            piece = []
        piece.append(text)
    if piece:
        yield piece


def _terms(texts: list[bytes]) -> list[int]:
    """Of each text, how many different ones it has."""
    ends = TermRows.of(texts, 0).ends.tolist()
    return [end - start for start, end in zip([0, *ends], ends, strict=False)]


def _languages(spool: Spool, duplicates: Duplicates) -> Counter[str]:
    """How many documents are in which language."""
    found: Counter[str] = Counter()
    for chunk in spool.chunks:
        again = duplicates.among(chunk.first, chunk.count).tolist()
        found.update(head.language.decode() for head, known in zip(chunk.all_heads(), again, strict=True) if not known)
    return found
