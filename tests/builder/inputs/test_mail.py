"""Mail: what a reader sees of a message, attachments, mbox files and Maildirs, broken mail."""

from __future__ import annotations

import gzip
import zipfile
from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_pdf import made_pdf
from pocketindex.builder.document import URL_BYTES, Unfit
from pocketindex.builder.inputs import INPUTS, find
from pocketindex.builder.inputs.pages import html
from pocketindex.builder.inputs.pages.mail import mail
from pocketindex.builder.inputs.source import SourceError
from reading import brief, read

HEAD = b"From: Ada <ada@example.org>\nSubject: Tides\nDate: Tue, 3 Mar 2020 10:00:00 +0100\n"


def message(text: str = "The tide turns at noon.", **headers: str) -> EmailMessage:
    made = EmailMessage()
    made["From"], made["Subject"] = "Ada <ada@example.org>", "Tides"
    made["Date"], made["Message-ID"] = "Tue, 3 Mar 2020 10:00:00 +0100", "<one+two@example.org>"
    for name, value in headers.items():
        made[name] = value
    made.set_content(text)
    return made


def texts(tmp_path: Path, content: bytes) -> list[str]:
    (tmp_path / "a.eml").write_bytes(content)
    return [document.text for document in read(tmp_path / "a.eml")[0]]


def test_what_a_reader_sees(tmp_path: Path) -> None:
    (tmp_path / "a.eml").write_bytes(message("Hello\n> quoted\n-- \nAda").as_bytes())
    (document,), skips = read(tmp_path / "a.eml")
    assert skips == []
    assert (document.id, document.title, document.date) == (
        *("a.eml", "Tides", "2020-03-03T10:00:00+01:00"),
    )
    assert document.url == "mid:one%2Btwo@example.org"
    assert document.text == "From: Ada <ada@example.org>\n\nHello\n> quoted\n-- \nAda"


@pytest.mark.parametrize(
    ("plain", "page", "expected"),
    [
        ("plain words", "<p>words of a page</p>", "plain words"),
        ("", "<nav>words</nav><p>of a page</p>", "words\nof a page"),
        ("see the page", f"<p>{'many words ' * 20}</p>", ("many words " * 20).strip()),
    ],
)
def test_alternatives(tmp_path: Path, plain: str, page: str, expected: str) -> None:
    made = message(plain)
    made.add_alternative(page, subtype="html")
    assert texts(tmp_path, made.as_bytes()) == [f"From: Ada <ada@example.org>\n\n{expected}"]


def test_attachments_are_documents_of_their_own(tmp_path: Path) -> None:
    made, inner = message(), message("Words within.", To="b@example.org")
    made.add_attachment(b"# Notes\n\nof an attachment", "text", "markdown", filename="notes.md")
    made.add_attachment(made_pdf(["a page"], "Its title"), "application", "pdf")
    made.add_attachment(b"\xff\xd8picture", "image", "jpeg", filename="a.jpg")
    made.add_attachment(inner)
    (tmp_path / "a.eml").write_bytes(made.as_bytes())
    documents, skips = read(tmp_path / "a.eml")
    assert [(one.id, one.title) for one in documents] == [
        ("a.eml", "Tides"),
        ("a.eml/1", "Notes"),
        ("a.eml/2", "Its title"),
        ("a.eml/4", "Tides"),
    ]
    assert documents[3].text.endswith("Words within.")
    assert [(skip.place.removeprefix(str(tmp_path)), skip.reason) for skip in skips] == [
        ("/a.eml/3", "other kind: .jpg")
    ]


def test_attachments_of_an_alternative_that_is_not_read_are_kept(tmp_path: Path) -> None:
    made = (
        HEAD + b"MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=a\n\n"
        b"--a\n\nplain words\n"
        b"--a\nContent-Type: multipart/mixed; boundary=b\n\n"
        b"--b\nContent-Type: text/html\n\n<p>page\n"
        b"--b\nContent-Type: text/plain; name=notes.txt\n\nattached words\n--b--\n--a--\n"
    )
    assert texts(tmp_path, made) == ["From: Ada <ada@example.org>\n\nplain words", "attached words"]


@pytest.mark.parametrize(
    ("head", "body", "expected"),
    [
        (b"Content-Type: text/plain; charset=iso-8859-1", b"caf\xe9", "café"),
        (b"Content-Type: text/plain; charset=us-ascii", "café".encode(), "café"),
        (b"Content-Type: text/plain; charset=nonsense", "café".encode(), "café"),
        *(
            (b"Content-Type: text/plain; charset=" + name, rb"a caf\u00e9", r"a caf\u00e9")
            for name in (b"undefined", b"idna", b"punycode", b"unicode_escape", b"base64")
        ),
        (b"X: y", b"caf\xe9 \x93so\x94", "café “so”"),
        (b"Content-Type: text/plain; charset=iso-2022-jp", "日本".encode("iso-2022-jp"), "日本"),
        (b"Content-Transfer-Encoding: quoted-printable", b"caf=C3=A9=\n s", "café s"),
        (b"Content-Transfer-Encoding: base64", b"d29yZHM", "words"),
        (b"Content-Type: text/plain; format=flowed", b"a \nb\n> c \n> d\ne", "a b\n> c d\ne"),
        (b"Content-Type: text/plain; format=flowed; delsp=yes", b"lan \ntern", "lantern"),
        (b"Content-Type: text/enriched", b"<bold>so</bold> it << is", "so it < is"),
        (b"Content-Type: nonsense", b"words", "words"),
    ],
)  # fmt: skip
def test_encodings(tmp_path: Path, head: bytes, body: bytes, expected: str) -> None:
    (found,) = texts(tmp_path, HEAD + head + b"\n\n" + body)
    assert found == f"From: Ada <ada@example.org>\n\n{expected}"


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        (b"=?utf-8?q?caf=C3=A9?= =?utf-8?b?IMOk?=", "café ä"),
        ("Über uns".encode(), "Über uns"),
        ("Über uns".encode("cp1252"), "Über uns"),
        (b"=?nonsense?q?caf=C3=A9?=", "café"),
        (b"=?utf-8?b?abc?=", None),
        (b"folded\n over lines", "folded over lines"),
    ],
)
def test_subjects(tmp_path: Path, subject: bytes, expected: str | None) -> None:
    (tmp_path / "a.eml").write_bytes(b"Subject: " + subject + b"\n\nwords")
    (document,), _ = read(tmp_path / "a.eml")
    assert document.text == "words"
    assert expected is None or document.title == expected


def test_an_mbox_file(tmp_path: Path) -> None:
    box = (
        b"From ada@example.org Tue Mar  3 10:00:00 2020\nSubject: One\n\n"
        b"first\n\n>From the sea\n>>From twice\n\nFrom here on it is text\n\n"
        b"From - Tue Mar  3 10:00:00 2020\nSubject: Two\n\nsecond\n\n"
        b"From bob@example.org\nSubject: Three\n\nthird\n"
    )
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "box.mbox.gz").write_bytes(gzip.compress(box))
    (tmp_path / "box").write_bytes(box)
    documents, skips = read(tmp_path / "box")
    assert find(str(tmp_path / "box")) is INPUTS["mbox"]
    assert skips == []
    assert [(one.id, one.title, one.text) for one in documents] == [
        ("box/1", "One", "first\n\nFrom the sea\n>From twice\n\nFrom here on it is text"),
        ("box/2", "Two", "second"),
        ("box/3", "Three", "third"),
    ]
    (tmp_path / "box").unlink()
    assert [one.id for one in read(tmp_path)[0]] == [f"in/box.mbox.gz/{n}" for n in (1, 2, 3)]
    (tmp_path / "b.mbox").write_bytes(b"no mail\n" + box)
    with pytest.raises(SourceError, match="expected a line that begins with"):
        read(tmp_path / "b.mbox")


def test_a_maildir(tmp_path: Path) -> None:
    for folder in "cur", "new", "tmp", ".Sent/cur", ".Sent/new":
        (tmp_path / "m" / folder).mkdir(parents=True)
    for name in "cur/1.host:2,S", "new/2.host", "tmp/3.host", ".Sent/cur/4.host:2,RS":
        (tmp_path / "m" / name).write_bytes(message(f"words of {name}").as_bytes())
    documents, skips = read(tmp_path)
    assert [one.id for one in documents] == ["m/.Sent/4.host", "m/1.host", "m/2.host"]
    assert [one.id for one in read(tmp_path / "m")[0]] == [".Sent/4.host", "1.host", "2.host"]
    assert skips == []


def test_mail_in_archives(tmp_path: Path) -> None:
    made = message()
    made.add_attachment("attached", filename="b.txt")
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("in/a.eml", made.as_bytes())
    documents, _ = read(tmp_path / "a.zip")
    assert [one.id for one in documents] == ["in/a.eml", "in/a.eml/1"]


def test_broken_mail_loses_nothing_but_what_is_broken(tmp_path: Path) -> None:
    deep = b"".join(b"Content-Type: message/rfc822\n\n" for _ in range(200))
    (tmp_path / "deep.eml").write_bytes(HEAD + deep + b"words")
    (tmp_path / "empty.eml").write_bytes(b"")
    (tmp_path / "sealed.eml").write_bytes(
        HEAD + b"Content-Type: application/pkcs7-mime; smime-type=enveloped-data\n\nabcd"
    )
    (tmp_path / "z.eml").write_bytes(
        HEAD + b"Content-Type: multipart/mixed; boundary=a\n\n--a\n\nw"
    )
    documents, skips = read(tmp_path)
    assert [one.id for one in documents if "/" not in one.id] == [
        *("deep.eml", "sealed.eml", "z.eml"),
    ]
    assert {("empty.eml", "empty"), ("sealed.eml", "damaged mail")} <= set(brief(skips))
    assert "unreadable" in {skip.reason for skip in skips if "deep" in skip.place}


def nested(depth: int) -> bytes:
    part = b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n"
    return b"".join(part % (n, n) for n in range(depth))


def test_headers_that_nest_too_deeply_cost_themselves(tmp_path: Path) -> None:
    (tmp_path / "a.eml").write_bytes(
        HEAD + b"Content-Type: multipart/mixed; boundary=a\n\n--a\n\nwords\n"
        b"--a\nContent-Type: text/rfc822-headers\n\n" + nested(60) + b"\n--a--\n"
    )
    (document,), (notice,) = read(tmp_path / "a.eml")
    assert document.text == "From: Ada <ada@example.org>\n\nwords"
    assert (notice.reason, notice.detail) == (
        "damaged mail",
        "the headers of a message in it are left out: its parts are nested too deeply",
    )


@pytest.mark.parametrize(("depth", "is_read"), [(49, True), (50, False)])
def test_lines_within_many_parts_take_no_minutes(depth: int, is_read: bool) -> None:
    """Each line is looked at once for each part that it lies in."""
    alternative = (
        b"Content-Type: multipart/alternative; boundary=a\n\n--a\n\nwords\n--a\n"
        + nested(depth)
        + b"Content-Type: text/html\n\npage"
    )
    if is_read:
        assert [part.content for part in mail.read(mail.parsed(alternative)).body] == [b"words"]
        return
    with pytest.raises(ValueError, match="its parts are nested too deeply"):
        mail.parsed(alternative + b"\n" * 1_000_000)


def test_a_message_id_that_is_too_long_costs_itself(tmp_path: Path) -> None:
    (tmp_path / "a.eml").write_bytes(HEAD + b"Message-ID: <" + b"(" * 3_000 + b">\n\nwords")
    (document,), (notice,) = read(tmp_path / "a.eml")
    assert (document.url, document.title) == ("", "Tides")
    assert notice.detail == "its Message-ID of 3,000 characters is left out"


@pytest.mark.parametrize("name", ["Subject", "Content-Type"])
def test_a_header_without_end_is_cut(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.eml").write_bytes(name.encode() + b": text/plain" + b"; a=b" * 9_000 + b"\n\nw")
    (document,), (notice,) = read(tmp_path / "a.eml")
    assert document.text == "w"
    assert notice.detail == f"its {name} is cut after 16,384 characters"


def test_a_page_that_cannot_be_read_costs_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*given: object, **more: object) -> html.Page:
        raise Unfit("unreadable", "its reader needed more than 5.0 s")

    monkeypatch.setattr(html, "read", refused)
    page = b"Content-Type: text/html\n\n<p>page\n"
    mixed = b"Content-Type: multipart/mixed; boundary=a\n\n--a\n\nwords\n--a\n" + page
    (tmp_path / "a.eml").write_bytes(HEAD + mixed)
    (tmp_path / "b.eml").write_bytes(HEAD + page)
    (document,), skips = read(tmp_path)
    assert document.text == "From: Ada <ada@example.org>\n\nwords"
    assert [(skip.place.rsplit("/", 1)[1], skip.reason, skip.detail) for skip in skips] == [
        ("a.eml", "damaged mail", "a page in it is left out: its reader needed more than 5.0 s"),
        ("b.eml", "unreadable", "its reader needed more than 5.0 s"),
    ]


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                *(b"Content-Type: multipart/mixed; boundary=a\n", b"--a\n", b"--a--\n", b"\n"),
                *(b"Content-Type: message/rfc822\n", b"Content-Transfer-Encoding: base64\n"),
                *(
                    b"Content-Type: text/html\n",
                    b"Subject: =?utf-8?b?\xff?=\n",
                    b"\xff\0",
                    b"words",
                ),
                *(
                    b"Content-Type: multipart/alternative; boundary=\n",
                    b"Date: x\n",
                    b"begin 644 a",
                ),
                *(
                    b"Content-Transfer-Encoding: x-uuencode\n",
                    b"Content-Type: text/plain; charset*=x",
                ),
            ]
        ),
        max_size=20,
    )
)
def test_any_message_gives_what_can_be_written(pieces: list[bytes]) -> None:
    found = mail.read(mail.parsed(b"".join(pieces)))
    f"{found.subject}{found.sender}{found.date}{found.url}".encode()


@pytest.mark.parametrize("more", [0, 1])
def test_an_address_may_be_as_long_as_an_address_may_be(more: int, tmp_path: Path) -> None:
    identifier = "a" * (URL_BYTES - len("mid:") + more)
    (tmp_path / "a.eml").write_bytes(HEAD + f"Message-ID: <{identifier}>\n\nwords".encode())
    (document,), notices = read(tmp_path / "a.eml")

    assert (document.url, len(notices)) == (("", 1) if more else (f"mid:{identifier}", 0))
