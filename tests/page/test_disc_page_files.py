"""Files that are dropped on the page: DOCX, ODT and EPUB become the text that a build reads of them,
and what the page cannot read it says at once.
"""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from made_epub import made_epub
from made_office import made_docx, made_odf, paragraph
from made_pdf import made_pdf
from made_up import made_up
from pages import Shown, index_of, native, quiet, served
from pocketindex.builder import inputs
from pocketindex.builder.page.folder import write

pytestmark = pytest.mark.browser

TEXTS = [row["text"] for row in made_up(300)[:9]]
ROW = "<w:tr>{}</w:tr>"
CELL = "<w:tc>{}</w:tc>"


def docx() -> bytes:
    table = ROW.format("".join(CELL.format(paragraph(word)) for word in ("Bergen", "Genoa")))
    deleted = "<w:del><w:r><w:delText>never</w:delText></w:r></w:del>"
    field = "<w:p><w:r><w:instrText>PAGE</w:instrText></w:r><w:r><w:t>seven</w:t></w:r></w:p>"
    body = f"{paragraph(TEXTS[0])}<w:p>{deleted}<w:r><w:t>kept</w:t></w:r></w:p>{field}"
    return made_docx(f"{body}<w:tbl>{table}</w:tbl>{paragraph(TEXTS[1])}")


def odt() -> bytes:
    return made_odf(
        f"<text:h>Heading</text:h><text:p>{TEXTS[2]}<text:line-break/>after<text:s/>it</text:p>"
        f"<text:list><text:list-item><text:p>{TEXTS[3]}</text:p></text:list-item></text:list>"
    )


def epub() -> bytes:
    chapters = {"two.xhtml": f"<p>{TEXTS[5]}</p>", "one.xhtml": f"<h1>One</h1><p>{TEXTS[4]}</p>"}
    return made_epub(chapters, ["one.xhtml", "two.xhtml"], title="A book")


MADE = {"essay.docx": docx, "essay.odt": odt, "book.epub": epub}


@pytest.fixture(scope="module")
def disc(pocket: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write([str(pocket)], tmp_path_factory.mktemp("disc") / "out").folder


@pytest.mark.parametrize("name", MADE)
def test_a_file_is_the_text_that_a_build_reads(
    name: str, browser: Any, disc: Path, tmp_path: Path
) -> None:
    for package in ("lxml", "resiliparse"):
        pytest.importorskip(package)
    path = tmp_path / name
    path.write_bytes(MADE[name]())
    ((_, kind),) = inputs.find_all([str(path)])
    left_out: list[Any] = []
    (document,) = kind.documents(str(path), left_out.append)
    shown = Shown(browser, index_of(disc))
    shown.answered(lambda: shown.page.set_input_files("#file", path))
    assert shown.page.input_value("#text").split() == document.text.split()
    assert shown.hits()
    assert shown.said == []
    shown.close()


def test_serve_reads_what_a_build_reads(browser: Any, pocket: Path) -> None:
    pytest.importorskip("pypdfium2")
    with served(pocket) as url:
        shown = Shown(browser, url)
        assert "Your text stays on this computer" in shown.texts("#private")[0]
        file = {"name": "essay.pdf", "mimeType": "", "buffer": made_pdf([TEXTS[0]])}
        shown.answered(lambda: shown.page.set_input_files("#file", files=[file]))
        assert shown.page.input_value("#text").split() == TEXTS[0].split()
        assert shown.hits()
        file = {"name": "cut.pdf", "mimeType": "", "buffer": b"%PDF-1.7\n1 0 obj\n"}
        shown.answered(lambda: shown.page.set_input_files("#file", files=[file]))
        assert shown.problem.startswith("“cut.pdf” cannot be read as text: unreadable: ")
        assert shown.hits() == []
        shown.page.evaluate("""() => {
          const file = new File([new ArrayBuffer((16 << 20) + 1)], "long.pdf");
          const files = new DataTransfer();
          files.items.add(file);
          const field = document.getElementById("file");
          field.files = files.files;
          field.dispatchEvent(new Event("change"));
        }""")
        shown.page.wait_for_selector("#problem:has-text('“long.pdf” is larger than 17 MB')")
        shown.close()


def test_what_cannot_be_read_is_said_at_once(browser: Any, disc: Path, tmp_path: Path) -> None:
    whole = docx()
    place = whole.index(b"word/document.xml")
    files = {
        "cut.docx": whole[: len(whole) // 2],
        "altered.docx": whole[: place + 60] + bytes(99) + whole[place + 159 :],
        "empty.docx": b"PK\x03\x04",
        "other.zip": made_odf("<text:p>x</text:p>").replace(b"content.xml", b"c0ntent.xml"),
        "scan.pdf": b"%PDF-1.7\n1 0 obj\n",
    }
    shown = Shown(browser, index_of(disc))
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
        shown.answered(lambda name=name: shown.page.set_input_files("#file", tmp_path / name))
        said = (
            "cannot be read as text" if name in ("scan.pdf", "other.zip") else "is damaged, encry"
        )
        assert f"“{name}” {said}" in shown.problem, json.dumps(shown.problem)
        assert shown.page.locator("#hits > li").count() == 0
    assert shown.said == []
    shown.close()


def test_a_part_that_unpacks_to_very_much_ends(browser: Any, disc: Path) -> None:
    """268 MB are the core's limit of a text; a bomb of 300 MB packs to 300 KB."""
    import io
    import zipfile

    packed = io.BytesIO()
    with (
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("word/document.xml", "w", force_zip64=False) as part,
    ):
        for _ in range(300):
            part.write(b" " * 1_000_000)
    shown = Shown(browser, index_of(disc))
    file = {"name": "bomb.docx", "mimeType": "", "buffer": packed.getvalue()}
    shown.answered(lambda: shown.page.set_input_files("#file", files=[file]))
    assert "“bomb.docx” is damaged, encrypted, or too large" in shown.problem
    shown.close()


def test_texts_from_files(browser: Any, disc: Path, tmp_path: Path) -> None:
    words = TEXTS[7]
    files = {
        "a.txt": words.encode(),
        "wide.txt": words.encode("utf-16"),
        "a.md": "---\ntitle: x\n---\n# "
        f"Heading\n{words.replace(' colour ', ' [colour](https://example.org/some/where) ')}".encode(),
        "a.html": (
            f"<!doctype html><style>p {{ color: red }}</style><script>window.hit = 1</script>"
            f"<p style='color: red'>{words}<img src=x onerror='window.hit=1'>"
        ).encode(),
    }
    shown = Shown(browser, index_of(disc))
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
        shown.answered(lambda name=name: shown.page.set_input_files("#file", tmp_path / name))
        assert [document for document, _ in shown.hits()[:1]] == [7], name
    assert shown.page.input_value("#text").strip() == words
    assert shown.page.evaluate("typeof window.hit") == "undefined"

    (tmp_path / "b.txt").write_bytes(b"\x00\x01\x02" * 50)
    shown.answered(lambda: shown.page.set_input_files("#file", tmp_path / "b.txt"))
    assert (
        shown.problem
        == "“b.txt” cannot be read as text. Plain text, Markdown, HTML, DOCX, ODT and EPUB files "
        "can be. From other files, such as PDF, copy the text and paste it."
    )
    quiet(shown, disc.as_uri())
    shown.close()


def test_dropped(browser: Any, disc: Path, pocket: Path) -> None:
    shown = Shown(browser, index_of(disc))
    drop = """([name, data]) => {
      const transfer = new DataTransfer();
      if (name) transfer.items.add(new File([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))], name));
      else transfer.setData("text/plain", atob(data));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }"""
    encoded = base64.b64encode(TEXTS[3].encode()).decode()
    for name in ("draft.txt", ""):
        shown.answered(lambda name=name: shown.page.evaluate(drop, [name, encoded]))
        assert shown.hits() == native(pocket, [TEXTS[3]])[0]
    shown.page.fill("#text", "")
    shown.page.evaluate(drop, ["other.pocket", base64.b64encode(pocket.read_bytes()).decode()])
    shown.page.wait_for_selector("#status:has-text('“other.pocket” is open: 300 documents.')")
    shown.close()
