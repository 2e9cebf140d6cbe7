"""The page that asks pocket files: as a folder of static files, which a double click opens without
a server, and served on this computer.

What lies here: the page out of its source (page, join), pocket files cut into scripts (cut, shard),
the folder (folder, readme, programs, offline) and its image (iso), and the server (serving, site).
web/ has the source: page.html, style/, and ES modules in rooms, each of which imports from itself
and from those before it: base, texts, bytes, core, ask, view, visit, main.js.
make_layout.py writes what the modules know of the C headers.

Imports: the reader, and of the builder `container` (the kinds of sections) and `replace`.
"""
