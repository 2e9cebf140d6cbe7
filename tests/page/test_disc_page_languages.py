"""The page in the visitor's language, and whatever language it is in: no sentence is outside the
table.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from made_up import made_up
from pages import Shown, index_of, saved, served
from pocketindex.builder import Settings as BuildSettings
from pocketindex.builder import build
from pocketindex.builder.page.folder import Settings, write
from pocketindex.builder.page.page import BROWSERS

pytestmark = pytest.mark.browser

DOCUMENTS = [
    {name: text.upper() for name, text in row.items()} for row in made_up(40) if row["text"]
]
TABLES = re.compile(r'(<script type="application/json" id="languages">)(.*?)(</script>)', re.DOTALL)
# What is shown, said or offered as text in the page; names of files and terms are nobody's words.
SAID = """() => {
  const own = (node) => !node.parentElement.closest("script, style, .words mark, textarea");
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    if (own(walker.currentNode)) found.push(walker.currentNode.nodeValue.trim());
  }
  for (const element of document.querySelectorAll("*")) {
    for (const name of ["aria-label", "placeholder", "title", "alt"]) {
      if (element.hasAttribute(name)) found.push(element.getAttribute(name));
    }
  }
  return found.filter(Boolean);
}"""


@pytest.fixture(scope="module")
def shouted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A disc of two collections, in capitals."""
    folder = tmp_path_factory.mktemp("shouted")
    source = folder / "docs.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in DOCUMENTS), encoding="utf-8")
    for name, keep in (("FIRST", "text"), ("SECOND", "snippet")):
        build(
            [str(source)],
            folder / f"{name}.pocket",
            BuildSettings(
                profile="learn", keep=keep, titles=True, index=("documents", "passages", "words")
            ),
        )
    paths = [str(folder / f"{name}.pocket") for name in ("FIRST", "SECOND")]
    return write(paths, folder / "out", Settings(title="LOUD")).folder


def capitals(sentence: str) -> str:
    """Return a sentence in capitals, with the names of its values as they are."""
    return re.sub(r"(\{\w+\})|[^{}]+", lambda part: part[1] or part[0].upper(), sentence)


@pytest.fixture(scope="module")
def loud(shouted: Path) -> Path:
    """The page of that disc in a language that nobody speaks: English in capitals."""
    page = (shouted / "index.html").read_text(encoding="utf-8")
    found = TABLES.search(page)
    assert found
    english = json.loads(found[2])["en"]
    table = {
        key: capitals(said)
        if isinstance(said, str)
        else {form: capitals(text) for form, text in said.items()}
        for key, said in english.items()
    }
    copy = shouted / "loud.html"
    text = json.dumps({"en": table}).replace("<", "\\u003c")
    copy.write_text(TABLES.sub(lambda part: part[1] + text + part[3], page), encoding="utf-8")
    return copy


def passage(number: int) -> str:
    return " ".join(DOCUMENTS[number]["text"].split()[-40:])


def asked(shown: Shown) -> None:
    own = " ".join(f"OWN{i} THOUGHT{i} SENTENCE{i}." for i in range(90))
    shown.put(f"{own} {passage(3)}. {own[::-1]} {passage(4)}")


def why(shown: Shown) -> None:
    shown.put(DOCUMENTS[5]["text"])
    shown.page.click("#hits > li:first-child summary")
    shown.page.wait_for_selector(".why li")


def read(shown: Shown) -> None:
    shown.put(DOCUMENTS[5]["text"].split()[-1])
    shown.page.click("#hits h3 a")
    shown.page.wait_for_selector("#read-text p")
    shown.page.keyboard.press("End")
    shown.page.wait_for_selector("#like a, #like-note:not(:empty)")


def problem(shown: Shown, name: str = "A.BIN", content: bytes = b"\0" * 9) -> None:
    file = {"name": name, "mimeType": "", "buffer": content}
    shown.answered(lambda: shown.page.set_input_files("#file", files=[file]))


def browse(shown: Shown) -> None:
    shown.page.click("#holds a")
    shown.page.wait_for_selector(".titles li")


STATES: dict[str, Any] = {
    "start": lambda shown: None,
    "sources": asked,
    "why": why,
    "words": lambda shown: shown.put(f"{DOCUMENTS[5]['text'].split()[-1]} XYZZY -BREAD"),
    "sentence": lambda shown: shown.put("SOMETHING WRITTEN EVERY EVENING BY NOBODY"),
    "no word": lambda shown: shown.put("XYZZY"),
    "short": lambda shown: shown.page.evaluate("location.hash = 'as=text&q=A+B'"),
    "read": read,
    "titles": browse,
    "typed": lambda shown: (
        shown.page.type("#text", "DOCUMENT"),
        shown.page.wait_for_selector("#named a"),
    ),
    "no text": problem,
    "no archive": lambda shown: problem(shown, "A.DOCX", b"PK\x03\x04"),
    "no document": lambda shown: (
        shown.page.evaluate("location.hash = 'id=NONE&c=0'"),
        shown.page.wait_for_selector("#problem:not(:empty)"),
    ),
}


@pytest.mark.parametrize("state", STATES)
def test_no_sentence_is_outside_the_table(state: str, browser: Any, loud: Path) -> None:
    shown = Shown(browser, loud.as_uri())
    STATES[state](shown)
    shown.page.wait_for_timeout(300)
    said = shown.page.evaluate(SAID)
    assert len(said) > 20
    # Extensions, options and commands are spelled so in every language.
    names = rf"\.pocket|pocketindex build|--set mph=pilot|{BROWSERS}"
    assert [each for each in said if re.search(r"[a-z]{2}", re.sub(names, "", each))] == []
    assert shown.said == []
    shown.close()


def test_a_sentence_outside_the_table_is_seen(browser: Any, loud: Path) -> None:
    shown = Shown(browser, loud.as_uri())
    shown.page.evaluate("document.getElementById('found').textContent = 'not in it'")
    assert "not in it" in shown.page.evaluate(SAID)
    shown.close()


def test_a_german_browser_has_a_german_page(browser: Any, shouted: Path) -> None:
    shown = Shown(browser, index_of(shouted), locale="de-DE")
    assert shown.page.evaluate("document.documentElement.lang") == "de"
    assert shown.page.inner_text("#find") == "Suchen"
    assert shown.page.inner_text("#lead").endswith(f"– in {2 * len(DOCUMENTS)} Dokumenten.")
    asked(shown)
    share = r"Etwa \d+ % dieses Textes stehen in \d+ Dokumenten"
    assert re.fullmatch(share, shown.texts("#share")[0])
    report = saved(shown, lambda: shown.page.click("#save"))
    assert '<html lang="de">' in report
    assert "Woher ein Text stammt, nach einer Suche in FIRST, SECOND am " in report
    assert shown.texts("#share")[0] in report
    assert shown.said == []
    shown.close()


def test_a_browser_of_another_language_has_an_english_page(browser: Any, shouted: Path) -> None:
    shown = Shown(browser, index_of(shouted), locale="eo")
    assert shown.page.evaluate("document.documentElement.lang") == "en"
    assert shown.page.inner_text("#find") == "Search"
    shown.close()


def test_a_page_of_one_language_has_no_other(browser: Any, pocket: Path, tmp_path: Path) -> None:
    folder = write([str(pocket)], tmp_path / "out", Settings(language="de")).folder
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert page.startswith('<!doctype html>\n<html lang="de">')
    assert "Diese Seite braucht JavaScript" in page
    assert "This page needs JavaScript" not in page
    shown = Shown(browser, index_of(folder))
    assert shown.page.inner_text("#find") == "Suchen"
    shown.close()
    with served(pocket, language="de") as url:
        shown = Shown(browser, url)
        assert shown.page.inner_text("#find") == "Suchen"
        shown.close()
