"""readme.txt: what to do with the folder, for who finds it."""

from __future__ import annotations

from pocketindex.builder.page.page import BROWSERS

BEGIN = f"""\
Open index.html with a browser: double-click it. Nothing has to be installed, \
and no network is used.
The browser: {BROWSERS} or newer.
"""
END = "\nmanifest.json has the size and the SHA-256 of every file.\n"
WITH_SCRIPTS = f"""\
{BEGIN}On a web server this folder is a static site as it is.
{END}\
The folders c0, c1 ... hold collections made by pocketindex, cut into scripts \
(a page may not read other files of its folder).
"""
WITHOUT_SCRIPTS = f"""\
{BEGIN}Then choose a .pocket file of the folders c0, c1 ... in the page, or drop it there: \
a page may not read other files of its folder.
On a web server that sends parts of files (ranges) this folder is a static site as it is.
{END}"""


def readme(scripts: bool, programs: list[str], file: str) -> str:
    """Return readme.txt, for a disc with scripts or without.

    programs: their names on the disc; file: that of the first collection, which they can ask.
    """
    text = WITH_SCRIPTS if scripts else WITHOUT_SCRIPTS
    return text + (_of_programs(programs, file) if programs else "")


def _of_programs(programs: list[str], file: str) -> str:
    commands = "".join(f"    {how_to(name, file)}\n" for name in programs)
    return f"""
Without a browser: the folder programs has a program for each system. \
In a terminal, from this folder:
{commands}prints the documents that are most similar to the text in a file: \
rank, similarity, id, title.
Where the system refuses to run a program from this disc, copy it to your computer first; \
on Linux and macOS: chmod +x pocketquery
"""


def how_to(program: str, file: str) -> str:
    """Return the command for a terminal that stands in the disc's folder."""
    return f"{program} {file} TEXT.txt".replace("/", "\\" if program.endswith(".exe") else "/")
