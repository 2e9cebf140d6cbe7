"""Make the shipped profiles data/profiles/*.profile from the word frequencies of wordfreq (pip install wordfreq).

    python data/make_profiles.py

What is taken from wordfreq is aggregated: the frequencies of its words summed up by prefix bin, and which 150 words are the most frequent
(as hashes).
data/README.md names the origin and the licence.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from pocketindex.builder.learn import of_counts
from pocketindex.builder.profile import FfSettings, Profile, pack_ff
from pocketindex.builder.shipped import SHIPPED
from pocketindex.explain import terms_of
from wordfreq import get_frequency_dict

PER = 10**12  # frequencies become counts per so many words


def counts(language: str) -> Counter[str]:
    """How often each term occurs, by wordfreq's large list; a word of several terms counts for each of them."""
    out: Counter[str] = Counter()
    for word, frequency in get_frequency_dict(language, "large").items():
        for term in terms_of(word.encode()):
            out[term] += round(frequency * PER)
    return out


def main() -> None:
    settings = FfSettings()
    folder = Path(__file__).parent / "profiles"
    for language in SHIPPED:
        data = pack_ff(language, of_counts(counts(language), settings), settings)
        (folder / f"{language}.profile").write_bytes(data)
        print(language, len(data), "bytes", Profile(data, language).fingerprint)


if __name__ == "__main__":
    main()
