#!/bin/sh
# The demo: the documentation of the running Python (docs/python_documentation.py) becomes a pocket file, and then we ask it. $1: the pocketindex command, $2: its Python.
set -e
run() {
    printf '\n$ pocketindex'
    for word in "$@"; do case $word in *[{\ ]*) printf " '%s'" "$word" ;; *) printf ' %s' "$word" ;; esac; done
    printf '\n'
    "$pocketindex" "$@"
}
pocketindex=$1 python=$2
mkdir -p demo

printf '\n$ python docs/python_documentation.py >demo/python.jsonl\n'
"$python" "$(dirname "$0")/python_documentation.py" >demo/python.jsonl
run build demo/python.jsonl -o demo/python.pocket --url-template 'https://docs.python.org/3/search.html?q={id}'
run info demo/python.pocket

# A text that is not in the file: the documentation of a module without its beginning, other words put in for some of its own.
"$python" -c 'import heapq; print(" ".join(heapq.__doc__.split()[5:]).replace("element", "member"))' >demo/draft.txt
printf '\n$ head -c 300 demo/draft.txt\n%s ...\n' "$(head -c 300 demo/draft.txt)"

run query demo/python.pocket demo/draft.txt --top 3 --explain
run query demo/python.pocket demo/draft.txt --top 3 --probes 1024 --json
run verify demo/python.pocket

# The same documents as a folder for a browser, in one command.
rm -rf demo/disc
begun=$("$python" -c 'import time; print(time.monotonic_ns())')
run disc demo/python.jsonl demo/disc/ --title 'What Python says of itself'
"$python" - "$begun" demo/disc <<'END'
import json, pathlib, sys, time
milliseconds = (time.monotonic_ns() - int(sys.argv[1])) // 1_000_000
folder = pathlib.Path(sys.argv[2])
manifest = json.loads((folder / "manifest.json").read_text())
documents = sum(each["documents"] for each in manifest["collections"])
size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
print(f"\n{documents:,} documents, {size:,} bytes, {milliseconds:,} milliseconds. Open it in a browser:")
print((folder / "index.html").resolve().as_uri())
END
