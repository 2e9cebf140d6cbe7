"""The documentation of Python itself, as JSON Lines for the demo: every module, class, function and
method of the running library that has a docstring.

    python_documentation.py [MODULE...]

Several thousand real documents that every machine with Python has; of the modules alone, where some
are named. They are imported, quietly; those that do more than define names are left out.
"""

from __future__ import annotations

import contextlib
import enum
import functools
import importlib
import importlib.util
import inspect
import io
import json
import locale
import os
import pkgutil
import re
import sys
import types
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

_LEFT_OUT = {
    "antigravity",  # opens a browser
    "this",  # prints
    "idlelib",  # an application with windows
    "turtledemo",  # programs that open a window
    "lib2to3",  # may write its grammar tables beside itself
    "distutils",  # another package may stand in for it
    "readline",  # sets up the terminal
    "_pyrepl",  # opens the terminal once more
    "rlcompleter",  # takes over the completion of the running Python
    "__main__",
    "test",
    "tests",
    "idle_test",
    "conftest",
}
_LEFT_OUT_TOO = re.compile(
    r"_test|_ctypes_test|_?xx|__p?hello"
)  # how the modules that test Python begin
_CACHED = type(functools.cache(len))
_ROUTINES = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    types.MethodDescriptorType,
    types.ClassMethodDescriptorType,
    _CACHED,
)
_LITERALS = (type(None), bool, int, float, complex, str, bytes)
_ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")


def documents(modules: Sequence[str] = ()) -> Iterator[dict[str, str]]:
    """Yield a record for each docstring of these modules, or of the whole library, sorted by id,
    which is the qualified name: "textwrap.TextWrapper.wrap".

    The title is the name with its signature, where one is known; the text is that line and the
    docstring. What several names lead to is documented once, under the module that defines it. No
    memory address gets into a record: every run gives the same. A module that cannot be imported
    is named on standard error. Raises SystemExit for one that does not exist or is left out.
    """
    problems: list[str] = []
    with _quiet():
        for root in modules:
            _check(root)
        found = _named(_modules(modules or _library(), problems))
        records = [_record(name, found[name]) for name in sorted(found)]
    for problem in problems:
        print(problem, file=sys.stderr)
    yield from records


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Print nothing and show no warning within the block; after it folder and locale are what they
    were.

    It holds for the whole process, so a generator must not yield within the block.
    """
    language, folder = locale.setlocale(locale.LC_ALL), _folder()
    try:
        with (
            warnings.catch_warnings(),
            contextlib.redirect_stdout(io.StringIO()),
            contextlib.redirect_stderr(io.StringIO()),
        ):
            warnings.simplefilter("ignore")
            yield
    finally:
        if folder is not None and folder != _folder():
            os.chdir(folder)
        if locale.setlocale(locale.LC_ALL) != language:
            locale.setlocale(locale.LC_ALL, language)


def _folder() -> str | None:
    try:
        return os.getcwd()
    except OSError:  # it was deleted
        return None


def _library() -> Iterable[str]:
    return (
        name
        for name in {*sys.builtin_module_names, *sys.stdlib_module_names}
        if not _left_out(name) and _exists(name)
    )


def _check(root: str) -> None:
    if _left_out(root):
        raise SystemExit(
            f"{root}: left out, because to import it does more than define names; choose another "
            "module"
        )
    if not all(part.isidentifier() for part in root.split(".")) or not _exists(root):
        raise SystemExit(
            f"this Python has no module {root!r}; check the name, or install it for "
            f"{sys.executable}"
        )


def _left_out(name: str) -> bool:
    return any(part in _LEFT_OUT or _LEFT_OUT_TOO.match(part) for part in name.split("."))


def _exists(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except (Exception, SystemExit):  # a dotted name imports its parents
        return name in sys.modules


def _modules(roots: Iterable[str], problems: list[str]) -> dict[str, types.ModuleType]:
    """Return the modules by name, with all that is in packages."""
    modules = {}
    waiting = sorted(roots, reverse=True)
    while waiting:
        name = waiting.pop()
        try:
            module = importlib.import_module(name)
            inner = sorted(
                f"{name}.{found.name}"
                for found in pkgutil.iter_modules(getattr(module, "__path__", []))
            )
        except (Exception, SystemExit) as error:
            problem = _ADDRESS.sub("", f"{type(error).__name__}: {error}")
            problems.append(f"{name}: import error: {problem}")
            continue
        if isinstance(module, types.ModuleType):
            modules[name] = module
        waiting += reversed([name for name in inner if not _left_out(name)])
    return modules


def _named(modules: dict[str, types.ModuleType]) -> dict[str, Any]:
    """Return everything with a docstring, each under one name."""
    names = _Names(modules)
    for name, module in modules.items():
        defined = module.__name__ if modules.get(module.__name__) is module else name
        names.add(0, defined, module)
        public = vars(module).get("__all__") or ()
        for inner, value in _members(module):
            own = _attribute(value, "__module__") in (None, module.__name__, name)
            names.add(1 if inner in public else 2 if own else None, f"{defined}.{inner}", value)
    found: dict[str, Any] = {}
    while fresh := names.settle():
        found.update(fresh)
        for name, value in fresh.items():
            if issubclass(type(value), type):
                for inner, member in _members(value):
                    own = _attribute(member, "__module__") in (
                        None,
                        _attribute(value, "__module__"),
                    )
                    names.add(2 if own else None, f"{name}.{inner}", member)
    return {
        name: value for name, value in found.items() if (_attribute(value, "__doc__") or "").strip()
    }


class _Names:
    """The choice among the names of a thing: the one it calls itself, if that leads to it; else a
    public one; else where it lies.
    """

    def __init__(self, modules: dict[str, types.ModuleType]) -> None:
        self._modules = modules
        self._seen: dict[
            int, Any
        ] = {}  # holds what it has seen: an id is unique among living things only
        self._offers: list[tuple[int, str, Any]] = []

    def add(self, rank: int | None, name: str, value: Any) -> None:
        """Offer a name; a rank of None is for things that belong elsewhere, and come only under the
        name they call themselves.
        """
        if not isinstance(value, types.ModuleType) and (defined := self._defined(value)):
            rank, name = 0, defined
        if rank is not None:
            self._offers.append((rank, name, value))

    def settle(self) -> dict[str, Any]:
        """Return what is new among the things offered since the last call, by the best of their
        names.
        """
        fresh: dict[str, Any] = {}
        for _, name, value in sorted(self._offers, key=lambda offer: offer[:2]):
            if id(value) not in self._seen:
                self._seen[id(value)] = value
                fresh.setdefault(name, value)
        self._offers = []
        return fresh

    def _defined(self, value: Any) -> str | None:
        module, path = _attribute(value, "__module__"), _attribute(value, "__qualname__")
        if module is None or path is None or module not in self._modules:
            return None
        place: Any = self._modules[module]
        for part in path.split("."):
            try:
                place = _bare(vars(place)[part])
            except (KeyError, TypeError):
                return None
        return f"{module}.{path}" if place is value else None


def _members(place: Any) -> list[tuple[str, Any]]:
    """Return the classes and routines in a module or class, methods without their wrapping."""
    members = []
    for name, wrapped in sorted(
        (name, value) for name, value in vars(place).items() if isinstance(name, str)
    ):
        value = _bare(wrapped)
        # C gives every class the same sentences for these.
        stock = (
            name.startswith("__") and name.endswith("__") and type(value) is not types.FunctionType
        )
        if issubclass(type(value), type) or (isinstance(value, _ROUTINES) and not stock):
            members.append((name, value))
    return members


def _bare(value: Any) -> Any:
    return value.__func__ if type(value) in (types.MethodType, staticmethod, classmethod) else value


def _attribute(value: Any, name: str) -> str | None:
    try:
        text = getattr(value, name)
    except Exception:  # a metaclass may do anything here
        return None
    return text if isinstance(text, str) else None


def _record(name: str, value: Any) -> dict[str, str]:
    docstring = _ADDRESS.sub("", inspect.cleandoc(value.__doc__))
    title = _ADDRESS.sub("", name + _signature(value, docstring))
    return {"id": name, "title": title, "text": f"{title}\n\n{docstring}", "lang": "en"}


def _signature(value: Any, docstring: str) -> str:
    """Return the signature in parentheses; where only the first line of the docstring has it, from
    there; or nothing.
    """
    if isinstance(value, types.ModuleType):
        return ""
    try:
        return str(_steady(inspect.signature(value)))
    except Exception:  # C code without one, or whatever a default's repr raises
        line = docstring.partition("\n")[0]
        own = _attribute(value, "__name__") or "("
        return line.removeprefix(own) if line.startswith(f"{own}(") else ""


def _steady(signature: inspect.Signature) -> inspect.Signature:
    """Return the signature with defaults that look the same in every run."""
    parameters: Mapping[str, inspect.Parameter] = signature.parameters
    return signature.replace(
        parameters=[
            one
            if one.default is one.empty or type(one.default) in _LITERALS
            else one.replace(default=_Shown(one.default))
            for one in parameters.values()
        ]
    )


class _Shown:
    """A default that is no literal: classes and functions by name, all else as "...", as stub files
    have it.
    """

    def __init__(self, default: Any) -> None:
        if isinstance(default, enum.Enum):
            self._text = f"{type(default).__qualname__}.{default.name or '...'}"
        elif type(default) in (tuple, list, dict) and not default:
            self._text = repr(default)
        else:
            self._text = _attribute(default, "__qualname__") or "..."

    def __repr__(self) -> str:
        return self._text


if __name__ == "__main__":
    for record in documents(sys.argv[1:]):
        print(json.dumps(record))
