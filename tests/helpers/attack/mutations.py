"""Small changes of a file of Python: the mistakes that a test should notice."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from pathlib import Path

OTHER = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult, ast.Div: ast.Mult, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip


@dataclass(frozen=True)
class Mutation:
    """A change of a file. line: where it is; lines: those that a test executes when it meets it."""

    path: Path
    line: int
    lines: range
    kind: str
    source: bytes
    changed: bytes


def mutations_of(path: Path) -> Iterator[Mutation]:
    """Yield every change of a file, in the order of its places."""
    source = path.read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node, lines, condition in _visit(ast.parse(source), range(1, len(starts) + 1), False):
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
        for kind, new in _changes(node, condition):
            changed = source[:start] + new.encode() + source[end:]
            yield Mutation(path, node.lineno, lines, kind, source, changed)


def _visit(
    node: ast.AST, lines: range, inside: bool
) -> Iterator[tuple[ast.expr | ast.stmt, range, bool]]:
    """Yield what may change, the lines that a test executes when it meets the change, and whether
    it is a condition.

    These lines are the statement's. inside: whether the node is in the body of a function; what
    stands elsewhere is evaluated on import, and meets all who use the function or the module.
    """
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "bases"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.JoinedStr):
                continue
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
                continue
            own, within = lines, inside
            if isinstance(node, ast.FunctionDef):
                own, within = range(node.body[0].lineno, (node.end_lineno or 0) + 1), name == "body"
            if isinstance(child, ast.stmt) and within:
                body = getattr(child, "body", None)
                last = body[0].lineno - 1 if body else child.end_lineno or 0
                own = range(child.lineno, max(last, child.lineno) + 1)
            if isinstance(child, ast.expr | ast.stmt):
                yield child, own, name == "test"
            yield from _visit(child, own, within)


def _changes(node: ast.AST, condition: bool) -> Iterator[tuple[str, str]]:
    match node:
        case ast.Compare(ops=[op]) if type(op) in OTHER:
            yield "comparison", _with(node, ops=[OTHER[type(op)]()])
        case ast.BoolOp(op=op):
            yield "and, or", _with(node, op=OTHER[type(op)]())
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "not", f"({ast.unparse(operand)})"
        case ast.BinOp(op=op) if type(op) in OTHER and not _is_text(node):
            yield "arithmetic", _with(node, op=OTHER[type(op)]())
        case ast.Constant(value=bool(value)):
            yield "constant", repr(not value)
        case ast.Constant(value=int() | float() as value):
            yield "constant", repr(value + 1)
        case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Raise():
            yield "removed", "pass"
        case ast.Continue() | ast.Break():
            yield "removed", "pass"
        case ast.Return(value=ast.expr() as value) if ast.unparse(value) != "None":
            yield "return", "return None"
        case ast.Name() | ast.Call() | ast.Attribute() | ast.NamedExpr() if condition:
            yield "not", f"(not ({ast.unparse(node)}))"


def _with(node: ast.expr, **fields: object) -> str:
    """Return the source of an expression with other fields, in brackets."""
    other = copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return f"({ast.unparse(other)})"


def _is_text(node: ast.BinOp) -> bool:
    """Say whether a sum is of texts, as far as one sees."""
    return any(
        isinstance(side, ast.JoinedStr)
        or (isinstance(side, ast.Constant) and isinstance(side.value, str | bytes))
        for side in (node.left, node.right)
    )
