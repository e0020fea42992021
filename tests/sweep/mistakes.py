"""Mistakes: the small things that can be wrong with one node of a syntax tree.

Each function takes a node and gives what could stand in its place. None knows where the node hangs.
"""

import ast
from collections.abc import Iterator
from typing import TypeVar

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}

OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
}

PAIRS = (
    ("min", "max"),
    ("any", "all"),
    ("startswith", "endswith"),
    ("lower", "upper"),
    ("lstrip", "rstrip"),
    ("find", "rfind"),
    ("index", "rindex"),
    ("partition", "rpartition"),
    ("removeprefix", "removesuffix"),
    ("ceil", "floor"),
)
CALLS = dict(PAIRS) | {other: one for one, other in PAIRS} | {"strip": "lstrip"}
"""Functions and methods that are easily taken for one another."""

DECIDED_ELSEWHERE = (ast.Compare, ast.BoolOp, ast.Constant)
"""Conditions that have mistakes of their own, so that turning them round would count the same twice."""

NodeT = TypeVar("NodeT", bound=ast.AST)
ItemT = TypeVar("ItemT")


def vary(node: ast.AST) -> Iterator[ast.AST]:
    """What could stand in the place of an expression or a statement."""
    match node:
        case ast.expr():
            yield from _vary_expression(node)
        case ast.stmt():
            yield from _vary_statement(node)
        case _:
            pass


def turn_round(test: ast.expr) -> Iterator[ast.expr]:
    """The opposite of a condition."""
    negated = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
    if not negated and not isinstance(test, DECIDED_ELSEWHERE):
        yield ast.UnaryOp(op=ast.Not(), operand=test)


def is_text(node: ast.AST) -> bool:
    """Whether a string is a sentence for a reader; such mutants are counted apart."""
    match node:
        case ast.Constant(value=str(value)):
            return " " in value
        case ast.JoinedStr(values=values):
            return any(is_text(value) for value in values)
        case _:
            return False


def _vary_expression(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Constant():
            yield from _vary_constant(node)
        case ast.JoinedStr():
            yield _with(node, values=[ast.Constant("XX"), *node.values])
        case ast.Compare():
            for index, operator in enumerate(node.ops):
                yield _with(node, ops=_put(node.ops, index, COMPARISONS[type(operator)]()))
        case ast.BoolOp():
            yield _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
        case ast.UnaryOp(op=ast.Not() | ast.USub() | ast.Invert()):
            yield node.operand
        case ast.BinOp() if not _is_string(node.left) and not _is_string(node.right):
            yield _with(node, op=OPERATORS[type(node.op)]())
        case ast.Call():
            yield from _vary_call(node)
        case ast.Lambda() if not isinstance(node.body, ast.Constant):
            yield _with(node, body=ast.Constant(None))
        case ast.Yield(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield _with(node, value=ast.Constant(None))
        case ast.Set() if len(node.elts) > 1:
            for index in range(len(node.elts)):
                yield _with(node, elts=_drop(node.elts, index))
        case ast.Dict() if len(node.keys) > 1:
            for index in range(len(node.keys)):
                yield _with(node, keys=_drop(node.keys, index), values=_drop(node.values, index))
        case _:
            pass


def _vary_constant(node: ast.Constant) -> Iterator[ast.expr]:
    match node.value:
        case bool(value):
            yield ast.Constant(not value)
        case int(value) | float(value):
            yield ast.Constant(value + 1)
        case str(value):
            yield ast.Constant(f"XX{value}")
        case bytes(value):
            yield ast.Constant(b"XX" + value)
        case _:
            pass


def _vary_call(node: ast.Call) -> Iterator[ast.expr]:
    for index, keyword in enumerate(node.keywords):
        if keyword.arg is not None:
            yield _with(node, keywords=_drop(node.keywords, index))
    match node.func:
        case ast.Name(id=name) if name in CALLS:
            yield _with(node, func=ast.Name(CALLS[name], ast.Load()))
        case ast.Attribute(attr=name) if name in CALLS:
            yield _with(node, func=_with(node.func, attr=CALLS[name]))
        case _:
            pass


def _vary_statement(node: ast.stmt) -> Iterator[ast.stmt]:
    match node:
        case ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom()) | ast.Raise() | ast.Delete():
            yield ast.Pass()
        case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
            if not isinstance(value, ast.Constant):
                yield _with(node, value=ast.Constant(None))
        case ast.AugAssign():
            yield _with(node, op=OPERATORS[type(node.op)]())
            yield ast.Assign(targets=[node.target], value=node.value)
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield ast.Return(ast.Constant(None))
        case ast.Break():
            yield ast.Return()
        case ast.Continue():
            yield ast.Break()
        case ast.Match() if len(node.cases) > 1:
            for index, case in enumerate(node.cases):
                if not _is_unreachable(case):
                    yield _with(node, cases=_drop(node.cases, index))
        case _:
            pass


def _is_unreachable(case: ast.match_case) -> bool:
    match case.body:
        case [ast.Expr(value=ast.Call(func=ast.Name(id="assert_never")))]:
            return True
        case _:
            return False


def _is_string(node: ast.expr) -> bool:
    literal = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return literal or isinstance(node, ast.JoinedStr)


def _with(node: NodeT, **fields: object) -> NodeT:
    """A copy of a node with other fields; what hangs beneath is shared."""
    changed = type(node)(**{**dict(ast.iter_fields(node)), **fields})
    return ast.copy_location(changed, node)


def _put(items: list[NodeT], index: int, item: NodeT) -> list[NodeT]:
    return [*items[:index], item, *items[index + 1 :]]


def _drop(items: list[ItemT], index: int) -> list[ItemT]:
    return items[:index] + items[index + 1 :]
