"""What fuzzing of the inputs starts from: small files of each kind, made here or by other tests."""

from __future__ import annotations

import io
import json
import tempfile
import zlib
from email.message import EmailMessage
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as arrow
import pyarrow.feather as feather
import pyarrow.parquet as parquet
import test_docx
import test_epub
import test_inputs_pages
import test_jsonl_batches
import test_mediawiki
import test_odt
import test_rtf
from fuzzed_inputs import KINDS
from libzim.writer import Creator
from made_epub import made_epub
from made_office import made_docx, made_odf, made_pptx, paragraph, shape
from made_pdf import made_pdf
from made_up import SENTENCES, made_up
from made_warc import http, warc
from places import TESTS
from test_inputs_archives import FILES, tar, zip_
from test_inputs_web import Entry

CORPUS = TESTS / "input_corpus"  # what a reader has failed on, in a folder for each kind
ROWS = made_up(3)
PAGE = test_inputs_pages.PAGE.encode()
MARKDOWN = (
    b"---\ntitle: T\nlang: de\n---\n# H\n\nA [link](u 't') and `code`, **b** _i_ ~~s~~ <b>x</b>.\n"
    b"\n- one\n  1. two\n\n> said\n\na | b\n--|--\n1 | 2\n\n```py\nx\n```\n\n[a]: /u\n[^1]: n\n"
)


def seeds(name: str) -> list[bytes]:
    """Return the seeds of a kind, and what its reader has failed on before. A kind that has none
    of its own starts from those of all others.
    """
    known = _known()
    own = known.get(name) or [one for others in known.values() for one in others]
    return own + [path.read_bytes() for path in sorted((CORPUS / name).glob("*"))]


@cache
def _known() -> dict[str, list[bytes]]:
    texts = [sentence.encode() for sentence in SENTENCES[-3:]]
    texts += [SENTENCES[-2].encode("utf-16"), b"caf\xe9 at n\xf6on\r\nre-\r\nopened\f\0"]
    pages = [PAGE, b"<html lang=en><title>A</title><body>\n<nav>x</nav><main><p>b<br>c</main>"]
    pages += ["<meta charset=cp1251><p>Ночью<table><tr><td>a<td>b</table>".encode("cp1251")]
    office = {
        "docx": [made_docx(body, lang="en") for body, _ in test_docx.BODIES.values()]
        + [made_docx(paragraph("w"), _docx_parts(), title="T")],
        "pptx": [
            made_pptx([shape("a"), shape("b", "title") + shape("7", "sldNum")], title="T"),
            made_pptx([shape("a\nb", hidden=True)], {0: {"notesSlide1": _notes()}}),
        ],
        "odt": [made_odf(body) for body, _ in test_odt.BODIES.values()]
        + [made_odf("<draw:page><draw:frame/></draw:page>", "presentation")],
        "rtf": [
            rb"{\rtf1\ansi" + test_rtf.FONTS.encode() + body.encode("latin-1") + b"}"
            for body, _ in test_rtf.BODIES.values()
        ],
    }
    books = [test_epub.BOOK, made_epub({"1.html": "a"}, ["1.html"], encrypted="OEBPS/1.html")]
    mail = _mail(office["docx"][0])
    known = {
        "text": texts,
        "markdown": [
            MARKDOWN,
            b"\\* <details>\n\n| a\n|-\n| b\n\n***x** `y`\n===\n&amp; \t![a](b)",
        ],
        "html": pages,
        "epub": books,
        "pdf": _pdfs(),
        **office,
        "mail": mail,
        "mbox": [b"".join(map(_of_box, mail))],
        "csv": _tables(","),
        "tsv": _tables("\t"),
        "jsonl": _json(),
        "parquet": _arrow(),
        "mediawiki": [_wiki()],
        "warc": [_warc(pages[1])],
        "zim": [_zim()],
        "tar": [tar(FILES), tar({"é/" * 60 + "a.txt": b"words", "b.eml": mail[0]})],
        "zip": [zip_(FILES), zip_({"a.docx": office["docx"][0], "b.epub": books[0]}, 0)],
    }
    known["folder"] = [
        zip_(FILES),
        zip_({f"{at}/{i}:2,S": one for i, one in enumerate(mail) for at in ("cur", "new", "tmp")}),
        zip_({f"a/b.{name}": files[0] for name, files in known.items() if name != "zim"}),
    ]
    assert set(known) <= set(KINDS)
    return known


def _docx_parts() -> dict[str, str]:
    note = '<w:footnotes><w:footnote w:id="1">{}</w:footnote></w:footnotes>'
    return {
        "footnotes1": note.format(paragraph("note")),
        "comments1": note.replace("footnote", "comment").format(paragraph("c")),
        "header1": f"<w:hdr>{paragraph('head')}</w:hdr>",
        "styles1": '<w:styles><w:style w:styleId="a"><w:rPr><w:vanish/></w:rPr></w:style>'
        "</w:styles>",
    }


def _notes() -> str:
    return f"<p:notes><p:cSld><p:spTree>{shape('said', 'body')}</p:spTree></p:cSld></p:notes>"


def _pdfs() -> list[bytes]:
    packed = zlib.compress(b"BT /F1 9 Tf 9 9 Td [(wo) -300 (rds)] TJ ET")
    stream = f"<< /Length {len(packed)} /Filter [/ASCIIHexDecode /FlateDecode] >>\nstream\n"
    return [
        made_pdf(["first page\nof two", "second"], "T"),
        made_pdf(["a"], more=[f"{stream}{packed.hex()}>\nendstream"], of_page={0: " /Rotate 90"}),
        made_pdf([]),
    ]


def _mail(attached: bytes) -> list[bytes]:
    plain = EmailMessage()
    plain["From"], plain["Subject"] = "Ada <ada@example.org>", "=?utf-8?q?T=C3=AFdes?="
    plain["Date"], plain["Message-ID"] = "Tue, 3 Mar 2020 10:00:00 +0100", "<one@example.org>"
    plain.set_content("Hello\n> quoted\nFrom here\n-- \nAda")
    both = EmailMessage()
    both["Subject"] = "Grüße"
    both.set_content("plain", cte="quoted-printable")
    both.add_alternative("<p>words <b>of</b> a page</p>", subtype="html", cte="base64")
    both.add_attachment(attached, "application", "octet-stream", filename="ä.docx")
    both.add_attachment("a;b", subtype="csv", filename="b.txt")
    both.add_attachment(plain)
    odd = b"\r\n".join(
        [
            *(b"Subject: =?iso-8859-1?Q?caf=e9?= =?x?b?!?=",),
            *(b"Content-Type: multipart/mixed; boundary=b", b"", b"preamble"),
            *(b"--b", b"Content-Type: text/plain; charset=utf-7; format=flowed; delsp=yes"),
            *(b"", b"+AOk- ", b"goes on"),
            *(b"--b", b"Content-Type: text/richtext", b"Content-Transfer-Encoding: x-uuencode"),
            *(b"", b"begin 666 a.txt", b"%%=V]R9',", b"`", b"end"),
            *(b"--b", b"Content-Type: message/rfc822", b"", b"Subject: in", b"", b"side"),
            *(b"--b--", b"epilogue"),
        ]
    )
    return [plain.as_bytes(), both.as_bytes(), odd]


def _of_box(message: bytes) -> bytes:
    quoted = message.replace(b"\nFrom ", b"\n>From ")
    return b"From a@b Tue Mar  3 10:00:00 2020\n" + quoted + b"\n"


def _tables(separator: str) -> list[bytes]:
    lines = [["id", "title", "text"], ["a", '"x ""y"""', "words"], ["", "é", '"two\nlines"']]
    whole = "\n".join(separator.join(line) for line in lines).encode()
    return [whole, whole.replace(b"\n", b"\r\n") + b"\r\n", f"sep={separator}\n".encode() + whole]


def _json() -> list[bytes]:
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS).encode()
    odd = b'{"text": "a\\ud83d\\n", "id": 7, "x": [1.5e3, null]}\n\n{"text": ["a"]}\n["text"]\nx'
    forms = [json.dumps(ROWS), json.dumps(ROWS[:2], indent=1)]
    for lines_ in (test_jsonl_batches.PLAIN, test_jsonl_batches.LEFT):
        forms.append("\n".join(line for line in lines_ if len(line) < 300))
    return [lines, odd, *(form.encode(errors="surrogatepass") for form in forms)]


def _arrow() -> list[bytes]:
    table = arrow.table(
        {
            "id": ["a", None, "c"],
            "text": arrow.array(["words", "ünï", "x"]).dictionary_encode(),
            "title": [b"t", b"\xff", None],
            "n": [{"x": [1]}, None, {"x": []}],
        }
    )
    found = []
    for packing in ("none", "zstd"):
        out = io.BytesIO()
        parquet.write_table(table, out, compression=packing, store_schema=packing == "none")
        found.append(out.getvalue())
    for write in (feather.write_feather, _stream):
        out = io.BytesIO()
        write(table, out)
        found.append(out.getvalue())
    return found


def _stream(table: Any, out: io.BytesIO) -> None:
    with arrow.ipc.new_stream(out, table.schema) as writer:
        writer.write_table(table)


def _wiki() -> bytes:
    return (test_mediawiki.HEAD + "".join(test_mediawiki.PAGES) + test_mediawiki.TAIL).encode()


def _warc(page: bytes) -> bytes:
    chunked = b"5\r\nwords\r\n0\r\n\r\n"
    packed = zlib.compress(page)
    head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked"
    return b"".join(
        [
            warc(b"software: x", "warcinfo", "", "application/warc-fields"),
            warc(http(page)),
            warc(http(chunked, "text/plain", head)),
            warc(http(packed, status="HTTP/1.1 200 OK\r\nContent-Encoding: deflate")),
            warc(b"words", "conversion", type="text/plain; charset=latin-1", end="\n"),
        ]
    )


def _zim() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.zim"
        with Creator(path).config_verbose(False).config_clustersize(64) as creator:
            creator.set_mainpath("Home")
            creator.add_item(Entry("Home", "Main", "<html lang=en><p>welcome"))
            creator.add_item(Entry("é.txt", "", "words", "text/plain"))
            creator.add_redirection("Start", "Start", "Home", {})
        return path.read_bytes()
