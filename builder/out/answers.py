"""What a pocket file answers, and which options of a build give it the rest."""

from __future__ import annotations

from collections.abc import Collection

# What a file may have, the commands that need it, and the option that puts it in.
_PARTS = (
    ("passages", ("sources",), "--index documents,passages,words"),
    ("words", ("search", "sources"), "--index documents,passages,words"),
    ("titles", ("titles",), "--titles"),
    ("texts", ("query --exact", "get --full-text"), "--keep text"),
)


def answers(sections: Collection[str], kept: str) -> str:
    """Return what a file answers, and the options for the rest, in a line.

    sections: names of those that it has; kept: what it keeps of texts, which is no answer unless it
    is all of them.
    """
    there, missing = ["query"], dict[str, list[str]]()
    for name, commands, option in _PARTS:
        has = kept == "text" if name == "texts" else name in sections
        for command in commands:
            if has and command not in there:
                there.append(command)
            elif not has:
                missing.setdefault(option, []).append(command)
    said = f"it answers {', '.join(there)}"
    rest = [
        f"{', '.join(dict.fromkeys(own))} with {option}"
        for option, commands in missing.items()
        if (own := [command for command in commands if command not in there])
    ]
    return f"{said}; {'; '.join(rest)}" if rest else said
