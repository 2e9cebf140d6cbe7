"""The language of a text that does not say it, guessed by resiliparse from its letters."""

from __future__ import annotations

from collections.abc import Callable

LEAST, MOST = (
    200,
    10_000,
)  # characters: of shorter texts the guess is wrong too often, longer ones make it no better


def detector() -> Callable[[bytes], str]:
    """Return what gives the language of a text in UTF-8, as "de", or nothing.

    Raises ValueError where resiliparse is missing.
    """
    try:
        from resiliparse.parse.lang import detect_fast
    except ImportError as error:
        raise ValueError(
            "to detect languages takes another package: pip install 'pocketindex[html]'"
        ) from error

    def detected(text: bytes) -> str:
        characters = text[: 4 * MOST].decode(errors="ignore")[:MOST]
        language = detect_fast(characters)[0] if len(characters) >= LEAST else "unknown"
        return "" if language == "unknown" else str(language)

    return detected
