"""Make the shipped profiles data/profiles/SCHEME-LANGUAGE.profile.

    python data/make_profiles.py ff                              from the word frequencies of wordfreq (pip install wordfreq)
    python data/make_profiles.py rff en english.jsonl.zst        from a collection of texts

What is taken from wordfreq is aggregated: the frequencies of its words summed up by prefix bin, and
which 150 words are the most frequent (as hashes). What is taken from a collection is in
docs/format.md 2.4: the weights of hashed terms. data/README.md names the origins and the licence.
"""

from __future__ import annotations

import heapq
import sys
from collections import Counter
from pathlib import Path

from pocketindex.builder import inputs
from pocketindex.builder.conventions import murmur
from pocketindex.builder.pipeline import SAMPLE
from pocketindex.builder.schemes.ff import FfSettings, of_counts, pack_ff
from pocketindex.builder.schemes.known_profiles import SHIPPED
from pocketindex.builder.schemes.profile import MARKED, Profile
from pocketindex.builder.schemes.rff import RffSettings, profile
from pocketindex.builder.schemes.weights import FEW_SLOTS, term_weights
from pocketindex.builder.tally import Tally
from pocketindex.queries.terms import terms_of

PER = 10**12  # frequencies become counts per so many words
FOLDER = Path(__file__).parent / "profiles"


def counts(language: str) -> Counter[str]:
    """How often each term occurs, by wordfreq's large list; a word of several terms counts for each
    of them.
    """
    from wordfreq import get_frequency_dict

    out: Counter[str] = Counter()
    for word, frequency in get_frequency_dict(language, "large").items():
        for term in terms_of(word.encode(), MARKED):
            out[term] += round(frequency * PER)
    return out


def sampled(source: str) -> list[bytes]:
    """The texts that a build of this collection would learn from."""
    documents = inputs.find(source, None).documents(source, Tally().reject)
    return [
        document.text.encode()
        for document in heapq.nsmallest(SAMPLE, documents, key=lambda d: murmur(d.id.encode()))
    ]


def write(scheme: str, language: str, data: bytes) -> None:
    (FOLDER / f"{scheme}-{language}.profile").write_bytes(data)
    print(scheme, language, len(data), "bytes", Profile(data, language).fingerprint)


def main(arguments: list[str]) -> None:
    match arguments:
        case ["ff"]:
            for language in SHIPPED:
                write(
                    "ff",
                    language,
                    pack_ff(language, of_counts(counts(language), FfSettings()), FfSettings()),
                )
        case ["rff", language, source]:
            # As of a sample: a term that it does not have is rare, not unknown.
            weights, count = term_weights(sampled(source), SAMPLE + 1, most=FEW_SLOTS)
            write("rff", language, profile(language, weights, count, RffSettings()))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
