"""Commands as people type them: what is not right is said in one sentence, with what was meant."""

from __future__ import annotations

import gzip
import json
import os
import pty
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pocketindex
import pytest
from made_up import made_up
from pocketindex.cli import COMMANDS
from run_command import Done, run

PLAIN = "pocketindex: "


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files as they lie in a folder of one's own."""
    folder = tmp_path_factory.mktemp("typed")
    documents = made_up(60)
    with (folder / "docs.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(one) + "\n" for one in documents)
    pocketindex.build(documents, folder / "docs.pocket", progress=False)
    pocketindex.build(
        documents,
        folder / "all.pocket",
        index=("documents", "passages", "words"),
        titles=True,
        progress=False,
    )
    (folder / "draft.txt").write_text(documents[11]["text"], encoding="utf-8")
    (folder / "other.txt").write_text("Nothing of this is in any of the other texts, not at all.")
    (folder / "-draft.txt").write_text("A draft whose name begins with a hyphen.")
    (folder / "empty.jsonl").write_text("")
    return folder


@pytest.fixture
def here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(folder)
    return folder


def typed(line: str) -> Done:
    return run(*shlex.split(line))


SEE = "See `pocketindex {} --help`"
WRONG = [
    (
        "query docs.pocket draft.txt --threshold .5",
        f"query has no option --threshold; did you mean --min-similarity? {SEE.format('query')}",
    ),
    (
        "build docs.jsonl -o n.pocket --quiet",
        f"build has no option --quiet; did you mean --progress none? {SEE.format('build')}",
    ),
    (
        "query docs.pocket draft.txt -n 5",
        f"query has no option -n; did you mean --top? {SEE.format('query')}",
    ),
    (
        "get docs.pocket d1 --jsno",
        f"get has no option --jsno; did you mean --json? {SEE.format('get')}",
    ),
    *(
        (
            f"build docs.jsonl -o n.pocket {mistake}",
            f"build has no option {mistake.split()[0].partition('=')[0]}; did you mean {meant}? "
            f"{SEE.format('build')}",
        )
        for mistake, meant in [
            ("--kep text", "--keep"),
            ("--keys-per-part 3", "--set keys_per_part=3"),
            ("--keys-per-part=3", "--set keys_per_part=3"),
            ("--title-wieght", "--set title_weight=VALUE"),
            ("--detect-language", "--set detect_language=yes"),
        ]
    ),
    (
        "build --mph split docs.jsonl -o n.pocket",
        f"build has no option --mph; did you mean --set mph=split? {SEE.format('build')}",
    ),
    (
        "search docs.pocket draft --lim 5",
        f"search has no option --lim; did you mean --top? {SEE.format('search')}",
    ),
    (
        "query docs.pocket draft.txt --thresh .5",
        f"query has no option --thresh; did you mean --min-similarity? {SEE.format('query')}",
    ),
    *(
        (
            f"build docs.jsonl -o n.pocket {option}",
            f"build has no option {option.split()[0]}; see `pocketindex build --help`",
        )
        for option in ("--verbose", "--tmpdir /tmp", "--temp /tmp")
    ),
    ("verify docs.pocket --zzz", "verify has no option --zzz; see `pocketindex verify --help`"),
    ("query docs.pocket draft.txt –top 5", "–top: this is not a hyphen; type --top"),
    ("get docs.pocket d1 —json", "—json: this is not a hyphen; type --json"),
    ("serach", "there is no command 'serach'; did you mean 'search'?"),
    ("index docs.jsonl", "there is no command 'index'; did you mean 'build'?"),
    ("help query", "there is no command 'help'; did you mean '--help'?"),
    ("zzzzqq", "there is no command 'zzzzqq'; `pocketindex --help` lists the commands"),
    (
        "docs.pocket",
        "docs.pocket is an index; to query it: pocketindex query docs.pocket DOCUMENT",
    ),
    ("query docs.pocket -draft.txt", "-draft.txt is a file; write ./-draft.txt"),
    ("verify docs.pocket -draft.txt", "-draft.txt is a file; write ./-draft.txt"),
    (
        "query docs.pocket other.txt draft.txt",
        "query takes one document; other.txt is not an index; for several, use --batch",
    ),
    (
        "sources all.pocket other.txt draft.txt",
        "sources takes one document; other.txt is not an index",
    ),
    (
        "update docs.jsonl docs.pocket",
        "docs.pocket is an index and comes first: pocketindex update docs.pocket docs.jsonl",
    ),
    (
        "check docs.jsonl docs.pocket",
        "docs.pocket is an index and comes first: pocketindex check docs.pocket docs.jsonl",
    ),
    (
        "titles Black all.pocket",
        "all.pocket is an index and comes first: pocketindex titles all.pocket Black",
    ),
    (
        "search 'two words' all.pocket",
        "all.pocket is an index and comes first: pocketindex search all.pocket 'two words'",
    ),
    (
        "disc OUT docs.pocket",
        "docs.pocket is an index and comes first: pocketindex disc docs.pocket OUT",
    ),
    (
        "update docs.pocket --remove 8",
        "--remove takes a file with one id per line; there is no file '8'. For single ids: "
        "--remove-id 8",
    ),
    (
        "query docs.pocket draft.txt --min-similarity 80",
        "--min-similarity is 80; it must be between 0 and 1 (for 80 %, write 0.8)",
    ),
    ("query docs.pocket draft.txt --min-similarity 1.5", "--min-similarity is 1.5; it must be "),
    ("query docs.pocket draft.txt --threads 0", "--threads is 0; it must be "),
    ("search all.pocket word --top 0", "--top is 0; it must be "),
    ("titles all.pocket word --top 0", "--top is 0; it must be "),
    (
        "fingerprint docs.jsonl",
        "docs.jsonl: expected one document, found more; give one, or say --format text",
    ),
    (
        "sources all.pocket docs.jsonl",
        "docs.jsonl: expected one document, found more; give one, or say --format text",
    ),
    (
        "query docs.pocket docs.jsonl",
        "docs.jsonl: expected one document, found more; give one, or many by --batch, or say "
        "--format text",
    ),
    (
        "query docs.pocket ''",
        "the name of the document is empty; give a file, or - for standard input",
    ),
    (
        "query docs.pocket --batch empty.jsonl",
        "empty.jsonl: it has no documents; give a source with some",
    ),
    ("query docs.pocket 'no file.txt'", "no file.txt: No such file or directory"),
    ("search docs.pocket word", "docs.pocket: expected words, found none; build it with --index d"),
    (
        "build docs.jsonl docs.jsonl",
        "the name of the index is implied by a single file or folder alone; give -o FILE.pocket",
    ),
    (
        "build docs.jsonl",
        "docs.pocket exists, and may be the index of another source; give -o docs.pocket to "
        "replace it",
    ),
]


@pytest.mark.parametrize(("line", "message"), WRONG, ids=[line for line, _ in WRONG])
def test_what_is_wrong_is_said_with_what_was_meant(line: str, message: str, here: Path) -> None:
    before = sorted(os.listdir(here))
    done = typed(line)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(PLAIN + message)
    assert done.stderr.count("\n") == 1
    assert sorted(os.listdir(here)) == before


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("titles all.pocket zzzz", 1, "no title begins with 'zzzz' or has these words"),
        (
            "info docs.jsonl",
            3,
            "docs.jsonl: not a pocket file: if it is a collection, build an index first: "
            "pocketindex build docs.jsonl -o docs.pocket",
        ),
    ],
)
def test_other_ends_are_said_too(line: str, code: int, message: str, here: Path) -> None:
    done = typed(line)

    assert (done.returncode, done.stderr) == (code, f"{PLAIN}{message}\n")


def test_evaluate_takes_schemes_with_commas(here: Path) -> None:
    done = typed("evaluate --schemes rff,zz docs.jsonl -o e")

    assert done.returncode == 2
    assert "argument --schemes: there is no scheme 'zz'; (known: rff, " in done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_all_and_version(command: str) -> None:
    whole = run(command, "--help-all")
    assert (whole.returncode, whole.stderr) == (0, "")
    assert whole.stdout.startswith(f"usage: pocketindex {command}")
    assert "unrecognized" not in whole.stdout
    version = f"pocketindex {pocketindex.__version__}\n"
    assert run(command, "--version").stdout == version
    assert run("-V").stdout == version


def test_words_need_no_quotes(here: Path) -> None:
    two = typed("search all.pocket Document Übersicht")
    assert (two.returncode, two.stdout) == (
        0,
        typed("search all.pocket 'Document Übersicht'").stdout,
    )
    found = typed("titles all.pocket Document 1 --top 2")
    assert found.stdout == typed("titles all.pocket 'Document 1' --top 2").stdout
    assert found.stdout.startswith("doc-1\t")


def test_a_star_is_the_beginning_of_a_word(here: Path) -> None:
    starred = typed("search all.pocket 'Docum*' --json")

    assert starred.returncode == 0
    assert starred.stdout == typed("search all.pocket Docum --prefix --json").stdout


def test_a_sentence_is_a_text(here: Path) -> None:
    text = " ".join((here / "draft.txt").read_text(encoding="utf-8").split()[:60])
    done = run("query", "docs.pocket", text, "--top", "1", "--min-similarity", "0")

    assert done.returncode == 0
    assert done.stderr == "pocketindex: there is no such file; the argument is the text\n"
    assert run("sources", "all.pocket", text).stderr.startswith(done.stderr)


def indexed(folder: Path, texts: list[str]) -> Path:
    source, pocket = folder / "texts.jsonl", folder / "texts.pocket"
    lines = [json.dumps({"id": str(n), "text": text}) for n, text in enumerate(texts)]
    source.write_text("\n".join(lines))
    index = ("--index", "documents,passages,words", "--keep", "text")
    assert run("build", source, "-o", pocket, *index).returncode == 0
    return pocket


@pytest.mark.parametrize("text", ["東京は日本の首都であり", "ภาษาไทยเป็นภาษาที่มี", "北京是中国的首都"])
def test_a_text_in_a_script_without_blanks_is_a_text(text: str, tmp_path: Path) -> None:
    pocket = indexed(tmp_path, [f"{text}。"])
    done = run("query", pocket, text)
    assert done.stderr == "pocketindex: there is no such file; the argument is the text\n"
    assert done.returncode == 0
    named = run("query", pocket, f"{text}.txt")
    assert named.stderr == f"pocketindex: {text}.txt: No such file or directory\n"


def test_what_is_left_out_though_it_has_the_words_is_said(tmp_path: Path) -> None:
    random = Random(3)
    words = [f"{a}{b}{c}" for a in "bdfglmnprs" for b in "aeiou" for c in "kltvz"]
    texts = [
        [random.choice(words[:60] if random.random() < 0.5 else words) for _ in range(80)]
        for _ in range(60)
    ]
    pocket = indexed(tmp_path, [" ".join(text) for text in texts])
    done = run("query", pocket, "-", stdin=" ".join(texts[9][20:28]))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("nothing similar found: the best, at 0.")
    assert done.stderr.endswith(
        "; --min-similarity 0 shows it; it has 100% of your text's rarest words, so `pocketindex "
        "sources` may find passages of your text in it\n"
    )


def test_a_copy_without_words_says_nothing_of_shingles(tmp_path: Path) -> None:
    done = run("query", indexed(tmp_path, ["☺ ☺", "☹"]), "☺ ☺")
    assert done.returncode == 0
    assert "shingles" not in done.stdout


@pytest.mark.parametrize(
    "argument", ["no_blanks", "a/b c", "a draft.txt", "a page.HTML", "the file docs.jsonl.gz"]
)
def test_what_may_be_a_file_is_no_sentence(argument: str, here: Path) -> None:
    done = run("query", "docs.pocket", argument)

    assert (done.returncode, done.stderr) == (
        2,
        f"pocketindex: {argument}: No such file or directory\n",
    )


def test_patterns_are_expanded_where_no_shell_does(here: Path) -> None:
    done = typed("verify '*.pocket'")

    assert done.stdout == ("all.pocket: whole, 60 documents\ndocs.pocket: whole, 60 documents\n")
    assert "[all.pocket]" in typed("query '*.pocket' draft.txt").stdout
    assert "none.*: No such file" in typed("verify './none.*'").stderr


def test_info_takes_several_files(here: Path) -> None:
    shown = typed("info docs.pocket all.pocket --json").stdout.splitlines()

    assert [json.loads(line)["path"] for line in shown] == ["docs.pocket", "all.pocket"]


def test_no_passage_ends_with_1(here: Path) -> None:
    assert typed("sources all.pocket other.txt").returncode == 1
    assert typed("sources all.pocket draft.txt").returncode == 0


def test_one_id_is_removed(here: Path, tmp_path: Path) -> None:
    target = tmp_path / "less.pocket"
    done = run("update", "docs.pocket", "--remove-id", "doc-3", "-o", target)

    assert done.returncode == 0
    assert run("get", target, "doc-3").returncode == 1
    assert run("get", target, "doc-4").returncode == 0


@pytest.mark.parametrize("given", ["a.jsonl", "a.jsonl.gz", "notes", "notes/"])
def test_an_index_is_named_after_its_source(
    given: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("notes").mkdir()
    Path("notes", "one.txt").write_text(made_up(1)[0]["text"])
    lines = "".join(json.dumps(one) + "\n" for one in made_up(5)).encode()
    if given.startswith("a."):
        Path(given).write_bytes(gzip.compress(lines) if given.endswith("gz") else lines)
    name = Path("notes.pocket" if given.startswith("notes") else "a.pocket")

    assert run("build", given).returncode == 0
    assert name.is_file()
    assert run("build", given).returncode == 2
    assert run("build", given, "--force").returncode == 0


# ---- terminals, pipes and signals ----


def at_a_terminal(words: list[str], keys: bytes, cwd: Path) -> tuple[int, str]:
    """Run the command with standard input from a terminal on which keys are typed."""
    own, others = pty.openpty()
    command = [sys.executable, "-m", "pocketindex", *words]
    process = subprocess.Popen(
        command, stdin=others, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd
    )
    os.close(others)
    assert process.stderr
    said = process.stderr.readline().decode()  # it waits for somebody who types
    os.write(own, keys)
    try:
        process.communicate(timeout=60)
    finally:
        process.kill()
        os.close(own)
    return process.returncode, said


@pytest.mark.parametrize("words", ["query docs.pocket -", "search all.pocket -", "fingerprint"])
def test_a_terminal_is_told_to_be_read_and_ends_once(words: str, folder: Path) -> None:
    code, said = at_a_terminal(words.split(), b"Document 11 is of this kind\n\x04", folder)

    assert said == "reading from the terminal; press Ctrl-D to finish\n"
    assert code in (0, 1)


def test_what_a_locale_does_not_have_is_escaped(folder: Path) -> None:
    plain = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    for more in [], ["--json"]:
        done = subprocess.run(
            [sys.executable, "-m", "pocketindex", "search", "all.pocket", "document", *more],
            cwd=folder,
            env=plain,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert b"\\u00dcbersicht" in done.stdout
    assert "Übersicht" in json.loads(done.stdout.splitlines()[0])["title"]


@pytest.mark.parametrize(
    ("mixed", "plain"),
    [
        ("query docs.pocket --json draft.txt", "query docs.pocket draft.txt --json"),
        (
            "query docs.pocket --top 2 all.pocket draft.txt",
            "query docs.pocket all.pocket draft.txt --top 2",
        ),
        ("sources all.pocket --json -- -draft.txt", "sources --json -- all.pocket -draft.txt"),
        ("search all.pocket --top 2 the --json of", "search all.pocket the of --top 2 --json"),
        ("search all.pocket --json the -- -of", "search --json -- all.pocket the -of"),
        (
            "pairs docs.jsonl --csv --threads 1 docs.jsonl",
            "pairs docs.jsonl docs.jsonl --csv --threads 1",
        ),
    ],
)
def test_options_may_stand_between_files(mixed: str, plain: str, here: Path) -> None:
    one, other = typed(mixed), typed(plain)
    assert one.returncode == other.returncode < 2
    assert (one.stdout, one.stderr) == (other.stdout, other.stderr)


def test_one_argument_too_many_is_one(here: Path) -> None:
    done = typed("diff docs.pocket --csv all.pocket draft.txt")
    assert (done.returncode, done.stderr) == (
        2,
        "pocketindex: diff: there is one argument too many, 'draft.txt'; see `pocketindex diff "
        "--help`\n",
    )


EARLY = """
import os, signal, sys

class Interrupted:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupted())
when, sys.argv[0] = sys.argv[1], "/usr/bin/pocketindex"
from pocketindex.cli import main
sys.exit(main(["info", "docs.pocket"]))
"""


@pytest.mark.parametrize("when", ["inspect", "pocketindex.errors", "pocketindex.commands.info"])
def test_an_early_ctrl_c_ends_without_a_traceback(when: str, folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", EARLY, when], cwd=folder, capture_output=True, text=True, check=False
    )

    assert done.returncode == 130
    assert done.stderr in ("", "pocketindex: interrupted\n")


@pytest.mark.parametrize(
    "way",
    [
        ["-m", "pocketindex"],
        ["-c", "from pocketindex.cli import main; import sys; sys.exit(main(sys.argv[1:]))"],
    ],
)
def test_a_later_ctrl_c_is_said(way: list[str], folder: Path) -> None:
    command = [sys.executable, *way, "query", "docs.pocket", "-"]
    process = subprocess.Popen(
        command, cwd=folder, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdin
    process.stdin.write("word " * (1 << 18))  # more than a pipe holds: the command reads
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)

    assert (process.returncode, said) == (130, "pocketindex: interrupted\n")


def test_a_program_that_uses_the_package_keeps_its_ctrl_c() -> None:
    script = "import signal, pocketindex; print(signal.getsignal(2) is signal.default_int_handler)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)

    assert done.stdout == "True\n"
