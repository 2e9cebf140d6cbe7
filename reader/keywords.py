"""Functions whose arguments are the fields of a dataclass, so that a table of options is their
signature, too: for calls, for inspect.signature, for help() and for those who check types.

>>> from dataclasses import dataclass, field
>>> from pocketindex.options import option
>>> @dataclass(frozen=True, kw_only=True)
... class Found(Keywords):
...     text: str = field(kw_only=False)
...     top: int = option(10, "number of hits to show", least=1)
>>> @takes(Found)
... def find(call: Found) -> int:
...     return call.top
>>> find("a text", top=3)
3
>>> inspect.signature(find)
<Signature (text: str, *, top: int = 10) -> int>
>>> find("a text", tpo=3)
Traceback (most recent call last):
TypeError: there is no choice 'tpo'; is 'top' meant? (known: top)
"""

from __future__ import annotations

import difflib
import functools
import inspect
import typing
from collections.abc import Callable, Mapping
from typing import Any, ParamSpec, TypeVar

from pocketindex.options import Options

P = ParamSpec("P")
R = TypeVar("R")
K = TypeVar("K", bound="Keywords")


class Keywords(Options):
    """The arguments of a call.

    given: those that the caller named, without defaults.
    """

    given: Mapping[str, Any]


def takes(keywords: Callable[P, K]) -> Callable[[Callable[[K], R]], Callable[P, R]]:
    """Make a function of one argument, a dataclass, one that takes the fields of the dataclass.

    The function raises TypeError for an argument that there is not, with the nearest one, and what
    the dataclass raises.
    """

    def decorate(function: Callable[[K], R]) -> Callable[P, R]:
        signature = _signature(keywords, function)
        known = [name for name, one in signature.parameters.items() if one.kind is one.KEYWORD_ONLY]

        @functools.wraps(function)
        def called(*args: P.args, **kwargs: P.kwargs) -> R:
            for name in kwargs:
                if name not in signature.parameters:
                    near = difflib.get_close_matches(name, known, 1)
                    meant = f"; is {near[0]!r} meant?" if near else ""
                    raise TypeError(
                        f"there is no choice {name!r}{meant} (known: {', '.join(sorted(known))})"
                    )
            given = signature.bind(*args, **kwargs).arguments
            made = keywords(*args, **kwargs)
            object.__setattr__(made, "given", given)
            return function(made)

        called.__signature__ = signature  # type: ignore[attr-defined]
        called.__annotations__ = {
            **{name: one.annotation for name, one in signature.parameters.items()},
            "return": signature.return_annotation,
        }
        return called

    return decorate


def _signature(keywords: Callable[..., Any], function: Callable[..., Any]) -> inspect.Signature:
    """Return the signature of a dataclass with what a function returns. Types are evaluated, since
    the fields of a table come from several modules.
    """
    types = typing.get_type_hints(keywords)
    found = inspect.signature(keywords)
    return found.replace(
        parameters=[one.replace(annotation=types[name]) for name, one in found.parameters.items()],
        return_annotation=typing.get_type_hints(function)["return"],
    )
