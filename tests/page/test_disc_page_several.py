"""Several collections on a disc's page asked as one: those in the text's language, hits merged as
the package merges them.
"""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path
from random import Random
from typing import Any

import pocketindex
import pytest
from made_up import SYLLABLES
from pages import Shown, index_of, merged, quiet, served
from pocketindex.builder import Settings as BuildSettings
from pocketindex.builder import build
from pocketindex.builder.page.folder import write

pytestmark = pytest.mark.browser

MANY = 2_000  # documents from which on a collection tells its language
SENTENCES = {
    "en": [
        "It was not the first time that they had seen what was left of the old house on the hill.",
        (
            "There are some who say that this has been so from the beginning, and others who do "
            "not "
            "believe it."
        ),
        (
            "When he was asked about it he said only that it had been there for more than a "
            "hundred "
            "years."
        ),
        (
            "She also wrote about the people of the town and their work, which is known as one of "
            "the "
            "best of its time."
        ),
    ],
    "de": [
        (
            "Es war nicht das erste Mal, dass sie gesehen hatten, was von dem alten Haus auf dem "
            "Hügel noch übrig war."
        ),
        (
            "Manche sagen, dass es von Anfang an so gewesen ist, und andere, die auch dort waren, "
            "glauben das nicht."
        ),
        (
            "Als er danach gefragt wurde, sagte er nur, dass es schon seit mehr als hundert Jahren "
            "dort gestanden hat."
        ),
        (
            "Sie schrieb auch über die Menschen in der Stadt und ihre Arbeit, die als eine der "
            "besten "
            "ihrer Zeit gilt."
        ),
    ],
}


def told(language: str, seed: int) -> str:
    """Three sentences and twenty invented words, the same for the same seed."""
    random = Random(f"{language} {seed}")
    words = ["".join(random.choices(SYLLABLES, k=random.randint(2, 4))) for _ in range(20)]
    return " ".join([*random.sample(SENTENCES[language], 3), *words])


def built(folder: Path, name: str, language: str, seeds: range, title: str = "Document") -> Path:
    source, target = folder / f"{name}.jsonl", folder / f"{name}.pocket"
    rows = [
        {"id": str(seed), "title": f"{title} {seed} in {name}", "text": told(language, seed)}
        for seed in seeds
    ]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    build([str(source)], target, BuildSettings(profile=language, keep="snippet", titles=True))
    return target


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Large and small, English and German; `more` has half of `english`, too."""
    folder = tmp_path_factory.mktemp("several")
    return {
        "english": built(folder, "english", "en", range(MANY)),
        "german": built(folder, "german", "de", range(MANY)),
        "more": built(folder, "more", "en", range(MANY // 2, MANY // 2 + MANY), "Page"),
        "few": built(folder, "few", "de", range(50)),
    }


def effort(shown: Shown) -> str:
    text: str = shown.page.inner_text("#effort")
    return text


@pytest.mark.parametrize("way", ["folder", "picked", "served"])
def test_the_language_of_the_text_chooses(
    way: str, browser: Any, files: dict[str, Path], tmp_path: Path
) -> None:
    english, german = files["english"], files["german"]
    folder = write(
        [str(english), *([] if way == "picked" else [str(german)])], tmp_path / "out"
    ).folder
    with served(english, german) if way == "served" else nullcontext(index_of(folder)) as url:
        shown = Shown(browser, url)
        if way == "picked":
            shown.page.set_input_files("#pocket", german)
            shown.page.wait_for_selector("#status:has-text('is open')")
            shown.page.check("input[name=collection] >> nth=0")
        assert shown.page.is_checked("input[name=collection] >> nth=0")
        assert shown.texts("#choices label")[0] == "All in the language of your text"
        for language, name in (("en", "english"), ("de", "german")):
            before = len(shown.asked)
            shown.ask(told(language, 7))
            own = "german.pocket" if way == "picked" and name == "german" else name
            assert [hit[1:] for hit in shown.found()] == [
                hit[1:] for hit in merged([files[name]], told(language, 7))
            ]
            assert shown.found()[0] == (own, 7, 10_000)
            assert effort(shown).endswith(f"documents compared in {own}")
            assert f"in {own}" in shown.texts("#hits .about")[0]
            with pocketindex.open(files[name]) as index:
                assert shown.texts(".excerpt") == [
                    index.snippet(number) for number, _ in shown.hits()
                ]
            if way == "folder" and browser.browser_type.name == "chromium":  # Firefox does not tell
                look_ups = {url.split("/")[-3] for url in shown.asked[before:] if "/l00/" in url}
                assert look_ups == {"c0" if language == "en" else "c1"}
        quiet(shown, url.removesuffix("index.html"))
        shown.close()


def test_hits_of_one_language_are_merged(
    browser: Any, files: dict[str, Path], tmp_path: Path
) -> None:
    """Ties in the order of the collections; a small one is always asked, a large one in another
    language is not.
    """
    folder = write([str(path) for path in files.values()], tmp_path / "out").folder
    shown = Shown(browser, index_of(folder))
    english = [files["english"], files["more"], files["few"]]
    for seed in (3, MANY - 5, MANY + 5):
        text = told("en", seed)
        shown.ask(text)
        assert shown.found() == merged(english, text)
        assert effort(shown).endswith("documents compared in english, more, few")
    shown.ask(told("en", MANY - 5))
    assert [hit[0] for hit in shown.found()[:2]] == ["english", "more"]
    shown.page.click("#hits > li:nth-child(2) summary")
    shown.page.wait_for_selector(".why li")
    with pocketindex.open(files["more"]) as index:
        why = index.explain(told("en", MANY - 5), index.record(shown.hits()[1][0]))
    assert shown.texts(".why mark") == [term.term for term in why.terms[:24]]

    shown.ask(told("de", 5))
    assert shown.found() == merged([files["german"], files["few"]], told("de", 5))
    assert [hit[:2] for hit in shown.found()[:2]] == [("german", 5), ("few", 5)]
    assert "c=" not in shown.page.evaluate("location.hash")
    assert shown.page.inner_text("#deeper") == "Search the other collections, too"
    shown.answered(lambda: shown.page.click("#deeper"))
    assert shown.found() == merged(list(files.values()), told("de", 5))
    assert effort(shown).endswith("documents compared in english, german, more, few")
    assert shown.page.is_hidden(
        "#deeper"
    )  # as many probes as these few documents have keys: all were compared
    shown.ask_all([{"q": told("de", 5), "probes": "1"}])
    shown.answered(lambda: shown.page.click("#deeper"))
    assert shown.page.inner_text("#deeper") == f"Compare with all {3 * MANY + 50:,} documents"
    assert shown.ask("two words") == []
    assert shown.problem == (
        "This text is too short: it has 2 usable words, and at least 3 are needed to find similar "
        "documents. No document has exactly this text. Paste more of it."
    )
    quiet(shown, folder.as_uri())
    shown.close()


@pytest.mark.parametrize("words", ["", " Maria und Anna die"], ids=["none", "hardly any"])
def test_a_text_that_tells_no_language_is_asked_of_all(
    words: str, browser: Any, files: dict[str, Path], tmp_path: Path
) -> None:
    shown = Shown(
        browser,
        index_of(write([str(files["english"]), str(files["german"])], tmp_path / "out").folder),
    )
    shown.ask(
        (
            "banana cekedi fogugu hakeli monuqua resito vuwaxe yizoba cedifo wanuha sicemo xefoke "
            "quagumo lihadi kenuvu tobace"
        )
        + words
    )
    assert effort(shown).endswith(" compared in english, german")
    shown.close()


def test_titles_of_all(browser: Any, files: dict[str, Path], tmp_path: Path) -> None:
    """In turn from each; the one that is chosen is asked of its own collection."""
    names = ["english", "german"]
    folder = write([str(files[name]) for name in names], tmp_path / "out").folder
    shown = Shown(browser, index_of(folder))
    shown.answered(lambda: shown.page.type("#text", "document 12"))
    expected = []
    for name in names:
        with pocketindex.open(files[name]) as index:
            found = index.titles("document 12", 20)
            expected.append([f"{record.title} · in {name}" for record in found])
    assert (
        shown.texts("#named li")
        == [title for pair in zip(*expected, strict=True) for title in pair][:20]
    )
    shown.page.click("#named li:nth-child(4) a")
    shown.page.wait_for_selector("#reading:not([hidden])")
    with pocketindex.open(files["german"]) as index:
        chosen = index.titles("document 12", 2)[1]
    assert shown.texts("#read-title") == [chosen.title]
    assert shown.texts("#read-about")[0].startswith("in german")
    shown.answered(lambda: shown.page.click("#alike"))
    assert shown.found()[0] == ("german", chosen.number, 10_000)
    assert {hit[0] for hit in shown.found()} == {"german"}
    assert shown.page.evaluate("location.hash") == f"#d={chosen.number}&c=1"

    again = Shown(browser, shown.page.url)
    again.page.wait_for_selector("#hits > li")
    assert again.hits() == shown.hits()
    assert again.page.is_checked("input[name=collection] >> nth=2")
    again.close()
    shown.close()


def test_damage_in_one_leaves_the_others_to_choose(
    browser: Any, files: dict[str, Path], tmp_path: Path
) -> None:
    folder = write([str(files["english"]), str(files["german"])], tmp_path / "out").folder
    (folder / "c1" / "heads.js").unlink()
    shown = Shown(browser, index_of(folder))
    assert shown.ask(told("en", 7)) == []
    assert shown.problem.startswith("The file c1/heads.js cannot be loaded.")
    shown.answered(lambda: shown.page.check("input[name=collection] >> nth=1"))
    assert shown.found()[0] == ("english", 7, 10_000)
    assert shown.problem == ""
    shown.close()
