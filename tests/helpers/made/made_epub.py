"""Small EPUB books."""

from __future__ import annotations

import io
import zipfile

CONTAINER = (
    '<?xml version="1.0"?><container version="1.0" '
    'xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile '
    'full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles>'
    "</container>"
)
PAGE = (
    '<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head>'
    '<title/><script src="x.js"/></head><body>{}</body></html>'
)
NAV = ' properties="nav"'


def made_epub(
    chapters: dict[str, str], spine: list[str], title: str = "", lang: str = "", encrypted: str = ""
) -> bytes:
    """Make a book with these chapters, by file name, read in the order of the spine.

    A chapter is markup; one named nav.xhtml is the table of contents. encrypted: the path of the
    file that its list of encrypted files has.
    """
    items = "".join(
        f'<item id="i{number}" href="{name.replace(" ", "%20")}" '
        'media-type="application/xhtml+xml"'
        f"{NAV if name == 'nav.xhtml' else ''}/>"
        for number, name in enumerate(chapters)
    )
    places = list(chapters)
    order = "".join(f'<itemref idref="i{places.index(name)}"/>' for name in spine)
    package = (
        '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<dc:title>{title}</dc:title><dc:language>{lang}</dc:language></metadata>"
        f"<manifest>{items}</manifest><spine>{order}</spine></package>"
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as book:
        book.writestr("mimetype", "application/epub+zip")
        book.writestr("META-INF/container.xml", CONTAINER)
        if encrypted:
            book.writestr(
                "META-INF/encryption.xml",
                '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" '
                'xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:CipherData>'
                f'<enc:CipherReference URI="{encrypted}"/></enc:CipherData></enc:EncryptedData>'
                "</encryption>",
            )
        book.writestr("OEBPS/book.opf", package)
        for name, markup in chapters.items():
            book.writestr(f"OEBPS/{name}", PAGE.format(markup), zipfile.ZIP_DEFLATED)
    return out.getvalue()
