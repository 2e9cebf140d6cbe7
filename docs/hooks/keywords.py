"""For griffe: a function that takes a table of options has the signature of the table."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
from typing import Any

import griffe


class TablesAsSignatures(griffe.Extension):
    """Gives functions with the decorator `takes` the parameters that they have when they run."""

    def on_function_instance(self, *, func: griffe.Function, **_: Any) -> None:
        """Replace the parameters of a function, and its docstring by the one with its options."""
        if not any(str(one.value).startswith("takes(") for one in func.decorators):
            return
        module = importlib.import_module(func.module.path)
        function = getattr(module, func.name)
        table = getattr(module, str(func.decorators[0].value)[len("takes(") : -1])
        types = {field.name: str(field.type) for field in dataclasses.fields(table)}
        func.parameters = griffe.Parameters(
            *(
                griffe.Parameter(
                    name,
                    annotation=types[name],
                    kind=griffe.ParameterKind(one.kind.description),
                    default=None if one.default is one.empty else repr(one.default),
                )
                for name, one in inspect.signature(function).parameters.items()
            )
        )
        if func.docstring:
            func.docstring.value = function.__doc__
