"""What holds for every scheme: core and plain reader agree; whole and edited documents are found,
in every script.
"""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from made_up import made_up
from plain import PlainIndex
from pocketindex.builder.pipeline import Settings, build
from pocketindex.builder.schemes import SCHEMES
from pocketindex.builder.schemes.minhash import MinHashSettings
from pocketindex.builder.schemes.plsh import PlshSettings

# Scheme, choices, and how many of 60 documents with a tenth of their words replaced it must find
# among the first three.
CASES: dict[str, tuple[str, Any, int]] = {
    "rff": ("rff", None, 60),
    "ff": ("ff", None, 40),
    "plsh concat": ("plsh", None, 45),
    "plsh sum": ("plsh", PlshSettings(form="sum"), 10),
    "minhash": ("minhash", None, 55),
    "minhash of pairs": ("minhash", MinHashSettings(shingle=2, rows=2), 40),
    "wminhash": ("wminhash", None, 50),
}


def write(path: Path, documents: list[dict[str, str]]) -> str:
    path.write_text(
        "".join(json.dumps(document) + "\n" for document in documents), encoding="utf-8"
    )
    return str(path)


@pytest.fixture(scope="module", params=CASES)
def case(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, int]:
    scheme, choices, least = CASES[request.param]
    folder = tmp_path_factory.mktemp("schemes")
    source = write(folder / "docs.jsonl", made_up(300))
    build(
        [source],
        folder / "x.pocket",
        Settings(scheme=scheme, profile="learn", scheme_settings=choices, keys_per_part=70),
    )
    return folder / "x.pocket", least


def test_core_and_plain_reader_agree(case: tuple[Path, int]) -> None:
    plain = PlainIndex.open(str(case[0]))
    plain.verify()
    with pocketindex.open(case[0]) as index:
        index.verify()
        for document in made_up(300)[::59]:
            text = document["text"][20:]
            for probes in (1, 3, 60):
                expected = [
                    (h.document, h.similarity, h.tables)
                    for h in plain.query(text, top=20, probes=probes)
                ]
                hits = index.query(text, top=20, probes=probes, min_similarity=0)

                assert [
                    (h.number, round(h.similarity * 10000), sum(1 << k for k in h.keys))
                    for h in hits
                ] == expected
                assert (hits.probes, hits.candidates) == (
                    plain.report.probes,
                    plain.report.candidates,
                )


def test_every_document_finds_itself_first(case: tuple[Path, int]) -> None:
    with pocketindex.open(case[0]) as index:
        for document in made_up(300)[::7]:
            hit = index.query(document["text"], top=1, probes=1)[0]
            assert (hit.id, hit.similarity) == (document["id"], 1.0)


def test_edited_documents_are_found(case: tuple[Path, int]) -> None:
    chance, found = random.Random(1), 0
    documents = made_up(300)
    words = [word for document in documents for word in document["text"].split()]
    with pocketindex.open(case[0]) as index:
        for document in documents[:60]:
            edited = " ".join(
                chance.choice(words) if chance.random() < 0.1 else word
                for word in document["text"].split()
            )
            found += document["id"] in [
                hit.id for hit in index.query(edited, top=3, min_similarity=0)
            ]
    print(found, "of 60")

    assert found >= case[1]


def test_explain_every_scheme(case: tuple[Path, int]) -> None:
    document = made_up(300)[5]
    with pocketindex.open(case[0]) as index:
        explanation = index.explain(document["text"], index.query(document["text"], top=1)[0])

        assert explanation.agreement == 1.0
        assert sum(term.weight for term in explanation.terms) <= 1 + 1e-9


@pytest.mark.parametrize("scheme", SCHEMES)
def test_next_to_no_documents(scheme: str, tmp_path: Path) -> None:
    for count in (1, 3):
        build(
            [write(tmp_path / "x.jsonl", made_up(count))],
            tmp_path / "x.pocket",
            Settings(scheme=scheme),
        )
        with pocketindex.open(tmp_path / "x.pocket") as index:
            index.verify()
            assert [h.id for h in index.query(made_up(1)[0]["text"], top=1)] == ["doc-0"]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_small_collection_that_says_its_language(scheme: str, tmp_path: Path) -> None:
    """A scheme without a shipped profile of that language learns one."""
    source = write(tmp_path / "x.jsonl", [{**document, "lang": "en"} for document in made_up(5)])
    target = tmp_path / "x.pocket"
    build([source], target, Settings(scheme=scheme))
    with pocketindex.open(target) as index:
        assert index.query(made_up(5)[3]["text"], top=1)[0].id == "doc-3"
        shipped = "weights of this collection" not in index.info().profile and scheme in (
            "rff",
            "ff",
        )
    if not shipped:
        with pytest.raises(
            pocketindex.PocketError,
            match=f"en: no such profile of scheme {scheme}: expected auto, learn, or the path",
        ):
            build([source], target, Settings(scheme=scheme, profile="en"))


@pytest.mark.parametrize(
    ("scheme", "choices", "message"),
    [
        ("plsh", {"form": "product"}, "form is 'product'; it must be one of concat, sum"),
        (
            "plsh",
            {"tables": 50, "functions": 30},
            "functions is 30; with tables 50 it must be at most 20",
        ),
        ("plsh", {"width": 0.0}, "width is 0; it must be between 0.01 and 100"),
        ("minhash", {"rows": 0}, "rows is 0; it must be between 1 and 64"),
        ("wminhash", {"bits": 5}, "bits is 5; it must be between 1 and 4"),
        (
            "rff",
            {"tables": 20, "bits": 20, "components": 128},
            "tables x bits is 400; it must be at most 128, the components of a sketch",
        ),
        ("rff", {"shape": "round"}, "shape is 'round'; it must be one of small, balanced, wide"),
    ],
)
def test_choices_out_of_range(scheme: str, choices: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        SCHEMES[scheme].settings(**choices)


# Letters of scripts with and without spaces.
SCRIPTS = {
    "Chinese": (
        "的一是不了人我在有他这中大来上个国到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么",
        "",
    ),
    "Japanese": (
        "いろはにほへとちりぬるをわかよたれそつねならむうゐのおくやまけふこえてあさきゆめみしゑひもせす東京日本語",
        "",
    ),
    "Thai": ("กขคงจฉชซญฐณดตถทนบปผฝพฟภมยรลวศสหอฮะาเแโใไ", ""),
    "Arabic": ("ابتثجحخدذرزسشصضطظعغفقكلمنهوي", " "),
    "Russian": ("абвгдежзийклмнопрстуфхцчшщыьэюя", " "),
    "Hindi": ("अआइईउऊएऐओऔकखगघचछजझटठडढतथदधनपफबभमयरलवशषसह", " "),
    "Tamil": ("அஆஇஈஉஊஎஏஐஒகஙசஞடணதநபமயரலவழளறன", " "),
}


@pytest.mark.parametrize("script", SCRIPTS)
def test_edited_documents_are_found_in_every_script(script: str, tmp_path: Path) -> None:
    """5 % of the characters replaced."""
    letters, space = SCRIPTS[script]
    chance = random.Random(script)
    words = ["".join(chance.choices(letters, k=chance.randint(2, 6))) for _ in range(1500)]
    texts = [
        space.join(chance.choices(words, weights=[1 / (i + 3) for i in range(1500)], k=250))
        for _ in range(300)
    ]
    target = tmp_path / "x.pocket"
    build(
        [
            write(
                tmp_path / "x.jsonl",
                [{"id": str(i), "title": "", "text": text} for i, text in enumerate(texts)],
            )
        ],
        target,
    )
    found = 0
    with pocketindex.open(target) as index:
        for i, text in enumerate(texts[:60]):
            edited = "".join(
                chance.choice(letters) if c != " " and chance.random() < 0.05 else c for c in text
            )
            hits = index.query(edited, top=1, min_similarity=0)
            found += bool(hits) and hits[0].id == str(i)

    assert found == 60
