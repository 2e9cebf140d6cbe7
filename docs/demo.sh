#!/bin/sh
# The demo: the documentation of the running Python becomes a pocket file, and then we ask it.
set -e
pocketindex=$1
mkdir -p demo
say() { printf '\n$ %s\n' "$*"; }

say pocketindex build pydoc: -o demo/python.pocket --url-template "'https://docs.python.org/3/search.html?q={id}'"
"$pocketindex" build pydoc: -o demo/python.pocket --url-template 'https://docs.python.org/3/search.html?q={id}'

say pocketindex info demo/python.pocket
"$pocketindex" info demo/python.pocket

# A document nobody indexed: someone's own words about opening archives, near to what the library says of it.
cat > demo/draft.txt <<'TEXT'
Extract all members from the archive to the current working directory or directory path. If optional members is given, it must be a
subset of the list returned by getmembers. If numeric_owner is True, only the numbers for user and group names are used, not the names.
TEXT

say pocketindex query demo/python.pocket demo/draft.txt --top 5 --explain
"$pocketindex" query demo/python.pocket demo/draft.txt --top 5 --explain || true

say pocketindex verify demo/python.pocket
"$pocketindex" verify demo/python.pocket
