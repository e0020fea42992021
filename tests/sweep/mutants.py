"""Mutants: every place of a source file where one small mistake can be put in, in a steady order.

A mutant is a value with the hook it hangs on. Putting it in changes the tree for good, so it is done in a
process of its own. Left alone: docstrings, annotations, decorators, imports, `assert`, `assert_never`.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import CodeType
from typing import TypeAlias

from tests.sweep.mistakes import is_text, turn_round, vary

LABEL_LENGTH_MAX = 70
"""Characters of the code that is shown on each side of a mutant's label."""

UNTOUCHED_CALLS = frozenset({"assert_never", "TypeVar", "NewType", "ParamSpec", "dataclass", "field"})
"""Calls whose arguments are for the type checker, or build a class rather than a value."""

FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
Hook: TypeAlias = tuple[ast.AST, str, int | None]
"""Parent, field and index of a node."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The outermost function a mutant stands in, as code objects name it."""

    qualname: str
    first_line: int


@dataclass(frozen=True, slots=True)
class Mutant:
    """One small mistake that could be in a file."""

    file: str
    line: int
    label: str
    """What stood there and what stands there now."""

    key: str
    """What the book of one state of the code calls it, by its line."""

    name: str
    """What stays the same when lines move: file, function, label, and a number where these repeat."""

    lines: range
    """Lines that run when the mistake runs."""

    scope: Scope | None
    """None where the mistake runs when the module is loaded."""

    is_text: bool
    tree: ast.Module = field(repr=False)
    hook: Hook = field(repr=False)
    """Where the node that is replaced hangs."""

    node: ast.AST = field(repr=False)

    def compile(self, filename: str) -> CodeType:
        """The code of the whole file with the mistake in it. The tree is spoilt afterwards."""
        parent, name, index = self.hook
        if index is None:
            setattr(parent, name, self.node)
        else:
            getattr(parent, name)[index] = self.node
        return compile(ast.fix_missing_locations(self.tree), filename, "exec", dont_inherit=True)


def find_mutants(file: str, source: str) -> list[Mutant]:
    """All mutants of a file, in the order of its text."""
    return list(_Finder(file, ast.parse(source)).find())


@dataclass
class _Finder:
    file: str
    tree: ast.Module
    taken: dict[str, int] = field(default_factory=dict)
    """How often a label was used on a line or in a function: keys and names must not repeat."""

    scope: Scope | None = None
    names: tuple[str, ...] = ()
    """Classes around the node at hand."""

    statement: ast.stmt | None = None

    def find(self) -> Iterator[Mutant]:
        yield from self._walk_field(self.tree, "body")

    def _walk_field(self, parent: ast.AST, name: str) -> Iterator[Mutant]:
        value = getattr(parent, name)
        for index, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(node, ast.AST):
                yield from self._walk(node, (parent, name, index))

    def _walk(self, node: ast.AST, hook: Hook) -> Iterator[Mutant]:
        outer = self.statement
        if isinstance(node, ast.stmt):
            self.statement = node
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from self._walk_function(node)
            case ast.ClassDef():
                self.names, names = (*self.names, node.name), self.names
                yield from self._walk_field(node, "body")
                self.names = names
            case ast.Import() | ast.ImportFrom() | ast.Assert() | ast.Expr(value=ast.Constant()):
                pass
            case ast.AnnAssign(annotation=ast.Name(id="TypeAlias")):
                pass
            case ast.Call(func=ast.Name(id=name)) if name in UNTOUCHED_CALLS:
                pass
            case ast.Expr(value=ast.Call(func=ast.Name(id="assert_never"))):
                pass
            case ast.Call(func=ast.Name(id="cast"), args=[_, _]):
                yield from self._walk(node.args[1], (node, "args", 1))
            case ast.Call(func=ast.Name(id="isinstance"), args=[_, ast.BinOp() as kinds]):
                yield from self._walk(node.args[0], (node, "args", 0))
                yield from (self._make(kinds, kind, (node, "args", 1)) for kind in (kinds.left, kinds.right))
            case _:
                yield from self._walk_plain(node, hook)
        self.statement = outer

    def _walk_plain(self, node: ast.AST, hook: Hook) -> Iterator[Mutant]:
        # At module level a lost assignment breaks the import, which shows nothing about the tests.
        if self.scope is not None or not isinstance(node, ast.stmt):
            yield from (self._make(node, other, hook) for other in vary(node))
        if isinstance(node, ast.If | ast.While | ast.IfExp):
            yield from (self._make(node.test, other, (node, "test", None)) for other in turn_round(node.test))
        if isinstance(node, ast.comprehension):
            for index, test in enumerate(node.ifs):
                yield from (self._make(test, other, (node, "ifs", index)) for other in turn_round(test))
        if isinstance(node, ast.match_case) and node.guard is not None:
            guard = node.guard
            yield from (self._make(guard, other, (node, "guard", None)) for other in turn_round(guard))
        if isinstance(node, ast.JoinedStr):
            return
        for name in node._fields:
            if name not in ("annotation", "returns", "decorator_list", "type_params"):
                yield from self._walk_field(node, name)

    def _walk_function(self, node: FunctionNode) -> Iterator[Mutant]:
        # Defaults are computed where the function is made, so they belong to the scope around it.
        for name in ("defaults", "kw_defaults"):
            yield from self._walk_field(node.args, name)
        outer = self.scope
        if outer is None:
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            self.scope = Scope(".".join((*self.names, node.name)), first)
        yield from self._walk_field(node, "body")
        self.scope = outer

    def _make(self, old: ast.AST, new: ast.AST, hook: Hook) -> Mutant:
        if not hasattr(new, "lineno"):
            ast.copy_location(new, old)
        line, last = _lines(old, new)
        label = f"{_show(old)} -> {_show(new)}"
        if isinstance(old, ast.Match) and isinstance(new, ast.Match):
            label = f"drop case {_show(_dropped(old, new).pattern)}"
        start = min(line, self.statement.lineno) if self.statement else line
        key = self._number(f"{self.file}:{line} {label}")
        name = self._number(f"{self.file} {self.scope.qualname if self.scope else 'module'}: {label}")
        lines = range(line if isinstance(old, ast.Match) else start, last + 1)
        return Mutant(
            self.file, line, label, key, name, lines, self.scope, is_text(old), self.tree, hook, new
        )

    def _number(self, name: str) -> str:
        self.taken[name] = self.taken.get(name, 0) + 1
        return f"{name} #{self.taken[name]}"


def _lines(old: ast.AST, new: ast.AST) -> tuple[int, int]:
    """First and last line of what is replaced; of a lost case only its pattern."""
    if isinstance(old, ast.Match) and isinstance(new, ast.Match):
        old = _dropped(old, new).pattern
    assert isinstance(old, ast.expr | ast.stmt | ast.pattern)
    return old.lineno, old.end_lineno or old.lineno


def _dropped(old: ast.Match, new: ast.Match) -> ast.match_case:
    return next(case for case in old.cases if case not in new.cases)


def _show(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= LABEL_LENGTH_MAX else text[: LABEL_LENGTH_MAX - 3] + "..."
