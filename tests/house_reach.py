"""The rule of the house on code that only tests use: every module and name is used by the program itself.

Like the rules in `house`, it reads the syntax tree only. What a plug-in author imports is listed here.
"""

import ast
import re
from collections.abc import Iterator
from contextlib import suppress

from tests.house import PACKAGE, Module, Tree, find_imports, resolve

ENTRY_MODULES = frozenset({PACKAGE, f"{PACKAGE}.__main__", f"{PACKAGE}.cli"})
"""Where the program begins."""

ENTRY_FOLDERS = re.compile(r"^(testing/|systems/[a-z_]+/__init__\.py$)")
"""Code for others: the contract suites and servers for tests, and systems, which are entry points."""

PUBLIC_MODULES = {
    "stores/memory_store.py": "docs/plug/stores.md: the smallest store, which a plug-in's tests can use",
    "providers/scripted.py": "docs/plug/providers.md: the simplest provider, which a plug-in's tests can use",
}
"""Modules that others import and the program does not, and where that is documented."""

PUBLIC_NAMES = {
    ("crashpoints.py", "set_hook"): "a test sets the hook; the program only passes the crash points",
    ("stores/memory_store.py", "MemoryStore"): "docs/plug/stores.md",
    ("providers/scripted.py", "Scripted"): "docs/plug/providers.md",
}
"""The same for names."""


def check_modules_used(tree: Tree) -> list[str]:
    """Modules that the program never imports, not even by name: only tests can use them."""
    waiting = [
        name
        for name, module in tree.items()
        if name in ENTRY_MODULES or ENTRY_FOLDERS.match(module.file) or module.file in PUBLIC_MODULES
    ]
    reached: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in tree and name not in reached:
            reached.add(name)
            waiting += [target for target in _imported(tree[name], tree) if target not in reached]
            # A module may be loaded by its name, which need not stand whole in the source.
            words = set(_named_modules(tree[name]))
            waiting += [other for other in tree if other.rpartition(".")[2] in words]
    return [
        f"{module.file}: only tests use this module; move it to them or delete it"
        for name, module in tree.items()
        if name not in reached and len(module.tree.body) > 1
    ]


def check_names_used(tree: Tree) -> list[str]:
    """Public functions and classes that no module mentions besides their definition."""
    used: set[str] = set()
    prefixes: set[str] = set()
    for module in tree.values():
        for node in module.nodes:
            match node:
                case ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(attr=name):
                    used.add(name)
                case ast.ImportFrom(names=names):
                    used.update(alias.name for alias in names)
                case ast.Call(
                    func=ast.Name(id="getattr"),
                    args=[_, ast.JoinedStr(values=[ast.Constant(value=str(prefix)), *_]), *_],
                ):
                    prefixes.add(prefix)
                case ast.Constant(value=str(text)):
                    used.update(_quoted_names(text))
                case _:
                    pass
    return [
        f"{module.file}: only tests use {name}; move it to them or delete it"
        for module in tree.values()
        if not ENTRY_FOLDERS.match(module.file)
        for name in _public_names(module)
        if name not in used
        and not any(name.startswith(prefix) for prefix in prefixes)
        and (module.file, name) not in PUBLIC_NAMES
    ]


def _imported(module: Module, tree: Tree) -> Iterator[str]:
    for _, name in find_imports(module, tree):
        target = resolve(name, tree)
        if target is not None:
            yield target


def _named_modules(module: Module) -> Iterator[str]:
    """The last words of dotted names in strings, such as `f"{ROOM}.api_app"` or `load("host_admin")`."""
    for node in module.nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if re.fullmatch(r"[a-z_0-9.]+", node.value):
                yield node.value.rpartition(".")[2]


def _quoted_names(text: str) -> Iterator[str]:
    """The names in a type that stands in quotes, or the one that getattr asks for."""
    if re.fullmatch(r"[\w.,| \[\]]+", text):
        with suppress(SyntaxError):
            for node in ast.walk(ast.parse(text, mode="eval")):
                if isinstance(node, ast.Name):
                    yield node.id


def _public_names(module: Module) -> Iterator[str]:
    for node in module.tree.body:
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                # A decorator may register the function that it decorates.
                is_plain = isinstance(node, ast.ClassDef) or not node.decorator_list
                if is_plain and not name.startswith("_"):
                    yield name
            case _:
                pass
