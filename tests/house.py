"""The rules of the house, as functions from a source tree to complaints; `test_house` applies them.

They read the syntax tree only: nothing of the tree is imported or run.
"""

import ast
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

PACKAGE = "talewright"
TESTKIT = "talewright_testkit"
FILE_LINES_WARNED = 600
"""More lines suggest a second subject. It is only a warning: files are cut by subject, not by length."""

FUNCTION_LINES_MAX = 50
CLASS_METHODS_MAX = 15

GROUND = frozenset({"version", "errors", "crashpoints", "common"})
"""Rooms that every room may use."""

ARROWS: dict[str, frozenset[str]] = {
    room: frozenset(targets.split())
    for room, targets in {
        # The package itself is the front door, which no room uses.
        "": "bootstrap play",
        "version": "",
        "errors": "",
        "crashpoints": "",
        "common": "",
        "kernel": "",
        "llm": "",
        "chronicle": "",
        "prompt": "kernel llm",
        "contract": "kernel llm",
        "systems": "kernel",
        "providers": "llm",
        "stores": "chronicle",
        "turn": "prompt contract kernel llm chronicle",
        "pack": "prompt contract kernel llm",
        "play": "turn prompt llm kernel chronicle",
        "config": "turn llm",
        "faces": "play",
        "hosting": "play turn chronicle llm stores config",
        "remote": "play",
        "workshop": "play pack kernel turn",
        "testing": "play llm chronicle",
        "cli": "bootstrap play pack workshop config kernel",
        # `python -m talewright` is the command under another name.
        "__main__": "cli",
    }.items()
}
"""Which room may use which, besides itself and the ground."""
ARROWS["bootstrap"] = frozenset(ARROWS) - {"", "cli", "__main__"}

SEPARATE_PLUGS = frozenset({"systems", "faces"})
"""Wings whose plugs do not use one another."""

PLUG_ARROWS = frozenset({("faces.web", "faces.http")})
"""The exceptions from that."""

FILE_ARROWS = PLUG_ARROWS | {("faces.mcp", "faces.web")}
"""Plugs that may read the files of another: the MCP App is made of the scripts and styles of the pages."""

KERNEL_LIBRARIES = frozenset({"rfc8785"})
"""All the kernel may import from outside the standard library."""

KERNEL_REFUSED = frozenset(
    "asyncio concurrent ctypes datetime fcntl glob http io logging multiprocessing os pathlib queue random"
    " secrets select selectors shutil signal socket sqlite3 ssl subprocess tempfile threading time urllib"
    " uuid".split()
)
"""Parts of the standard library that mean I/O, clock, async or chance."""

IMPORT_BY_NAME_FILES = frozenset(
    {
        "bootstrap/reports/installed_reports.py",
        "cli/__init__.py",
        "providers/pydantic_ai_bridge/bridge.py",
    }
)
"""Files that look up which module to import: what a package declares, a command, the side of a vendor."""

CATCH_ALL_FILES = re.compile(
    r"^(turn/pipeline\.py|turn/background/background_troubles\.py|hosting/durable_runner\.py|"
    r"hosting/news/redis_stream_(reader|writer)\.py|faces/.*)$"
)
"""Where `except Exception` may stand: where a turn or a durable step ends, in the work that follows a turn,
in the two loops that carry the news of a whole process, and in the faces."""


PYDANTIC_FILES = re.compile(r"^(faces/(http|mcp|web)/|providers/pydantic_ai_bridge/)")
"""Where pydantic, or what is built on it, may be imported; no other module imports these unasked."""


@dataclass(frozen=True)
class Module:
    """One source file of the tree."""

    file: str
    """Its path beneath the package, such as `kernel/slots/slot_types.py`."""

    source: str

    @cached_property
    def tree(self) -> ast.Module:
        """Its syntax tree."""
        return ast.parse(self.source, self.file)

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Every node of it: walking the trees takes longer than all that the rules ask of them."""
        return tuple(ast.walk(self.tree))

    @property
    def name(self) -> str:
        """Its dotted name, such as `talewright.kernel.slots.slot_types`."""
        parts = [PACKAGE, *self.file.removesuffix(".py").split("/")]
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


Tree: TypeAlias = dict[str, Module]
"""Modules by dotted name."""

Rule: TypeAlias = Callable[[Tree], list[str]]
"""What a tree does wrong, one sentence each."""


def read_tree(root: Path) -> Tree:
    """Every Python file beneath the package's folder."""
    return make_tree(
        {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in root.rglob("*.py")}
    )


def make_tree(sources: dict[str, str]) -> Tree:
    """A tree from file names and texts."""
    modules = (Module(file, sources[file]) for file in sorted(sources))
    return {module.name: module for module in modules}


def room_of(name: str) -> str:
    """The room of a dotted name; empty for the package itself."""
    return name.split(".")[1] if "." in name else ""


def find_imports(module: Module, tree: Tree) -> Iterator[tuple[int, str]]:
    """Line and dotted name of everything a module imports, wherever the import stands in it."""
    for node in module.nodes:
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, alias.name) for alias in names)
            case ast.ImportFrom(module=source, names=names, level=0) if source is not None:
                # `from talewright.kernel import slots` names a module, `import Slot` a thing within one.
                for alias in names:
                    inner = f"{source}.{alias.name}"
                    yield node.lineno, inner if inner in tree or source == PACKAGE else source
            case ast.ImportFrom():
                yield node.lineno, "." * node.level + (node.module or "")
            case ast.Call(
                func=ast.Name(id="__import__") | ast.Attribute(attr="import_module"), args=[first, *_]
            ):
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    yield node.lineno, first.value
            case _:
                pass


def resolve(name: str, tree: Tree) -> str | None:
    """The module that an imported name of this package means; None for a name from outside."""
    if name.split(".")[0] != PACKAGE:
        return None
    while name not in tree and "." in name:
        parent = name.rpartition(".")[0]
        if parent == PACKAGE:
            break
        name = parent
    # `from talewright import __version__` means the package; an unknown room keeps its name and is refused.
    return PACKAGE if name not in tree and room_of(name).startswith("__") else name


def check_arrows(tree: Tree) -> list[str]:
    """Imports that point the wrong way between rooms, or from plug to plug."""
    complaints = []
    for module in tree.values():
        room = room_of(module.name)
        if room not in ARROWS:
            complaints.append(f"{module.file}: the house has no room {room!r}")
            continue
        for line, name in find_imports(module, tree):
            target = resolve(name, tree)
            if name.startswith("."):
                complaints.append(f"{module.file}:{line}: imports are written in full, not as {name!r}")
            elif target is not None and room_of(target) not in ARROWS[room] | GROUND | {room}:
                complaints.append(f"{module.file}:{line}: {room or PACKAGE} may not use {room_of(target)}")
            elif target is not None and _joins_plugs(module.name, target):
                complaints.append(f"{module.file}:{line}: one plug of {room} may not use another ({target})")
    return complaints


def check_testkit(tree: Tree) -> list[str]:
    """Imports of the testkit: players do not have it."""
    return [
        f"{module.file}:{line}: nothing in {PACKAGE} uses {TESTKIT}"
        for module in tree.values()
        for line, name in find_imports(module, tree)
        if name.split(".")[0] == TESTKIT
    ]


def check_files(tree: Tree) -> list[str]:
    """Packages whose files a module reads (`importlib.resources.files`) although it may not use them."""
    complaints = []
    for module in tree.values():
        room = room_of(module.name)
        for node in module.nodes:
            match node:
                case ast.Call(
                    func=ast.Name(id="files") | ast.Attribute(attr="files"),
                    args=[ast.Constant(value=str(target)), *_],
                ) if target.split(".")[0] == PACKAGE:
                    allowed = room_of(target) in ARROWS.get(room, frozenset()) | GROUND | {room}
                    if not allowed or _joins_plugs(module.name, target, FILE_ARROWS):
                        complaints.append(f"{module.file}:{node.lineno}: may not read the files of {target}")
                case _:
                    pass
    return complaints


def _joins_plugs(source: str, target: str, exceptions: frozenset[tuple[str, str]] = PLUG_ARROWS) -> bool:
    one, other = source.split(".")[1:3], target.split(".")[1:3]
    apart = len(one) == len(other) == 2 and one[0] == other[0] and one[1] != other[1]
    return apart and one[0] in SEPARATE_PLUGS and (".".join(one), ".".join(other)) not in exceptions


def check_circles(tree: Tree) -> list[str]:
    """Modules that import one another in a circle of any length."""
    arrows = {name: sorted(_targets(module, tree)) for name, module in tree.items()}
    finished: set[str] = set()
    complaints = []

    def visit(name: str, trail: list[str]) -> None:
        if name in trail:
            complaints.append("a circle: " + " -> ".join([*trail[trail.index(name) :], name]))
        elif name not in finished:
            for target in arrows[name]:
                visit(target, [*trail, name])
            finished.add(name)

    for name in arrows:
        visit(name, [])
    return complaints


def _targets(module: Module, tree: Tree) -> set[str]:
    found = {resolve(name, tree) for _, name in find_imports(module, tree)}
    return {name for name in found if name in tree}


class LongFileWarning(UserWarning):
    """A file is long; look for a second subject in it."""


def warn_of_long_files(sources: Mapping[str, str]) -> None:
    """Warn of files, given by name, that probably have a second subject."""
    for file, source in sources.items():
        lines = len(source.splitlines())
        if lines > FILE_LINES_WARNED:
            message = f"{file}: {lines} lines, more than {FILE_LINES_WARNED}; does it have a second subject?"
            warnings.warn(message, LongFileWarning, stacklevel=2)


def check_sizes(tree: Tree) -> list[str]:
    """Functions and classes that have outgrown a room."""
    complaints = []
    for module in tree.values():
        for node in module.nodes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > FUNCTION_LINES_MAX:
                    where = f"{module.file}:{node.lineno}: {node.name}"
                    complaints.append(f"{where} has {lines} lines, at most {FUNCTION_LINES_MAX}")
            elif isinstance(node, ast.ClassDef):
                methods = sum(
                    isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef) for inner in node.body
                )
                if methods > CLASS_METHODS_MAX:
                    where = f"{module.file}:{node.lineno}: {node.name}"
                    complaints.append(f"{where} has {methods} methods, at most {CLASS_METHODS_MAX}")
    return complaints


def check_docstrings(tree: Tree) -> list[str]:
    """Modules whose first line does not say what they are."""
    return [
        f"{module.file}: the first line of a module is a docstring that says what it is"
        for module in tree.values()
        if not (ast.get_docstring(module.tree, clean=False) or "").split("\n")[0].strip()
    ]


def check_kernel(tree: Tree) -> list[str]:
    """Imports by which the kernel would touch the outside."""
    complaints = []
    for module in tree.values():
        if room_of(module.name) != "kernel":
            continue
        for line, name in find_imports(module, tree):
            top = name.split(".")[0]
            if top in KERNEL_REFUSED:
                complaints.append(f"{module.file}:{line}: the kernel has no I/O, clock or chance ({top})")
            elif top not in KERNEL_LIBRARIES | {PACKAGE} and not _is_standard(top):
                complaints.append(f"{module.file}:{line}: the kernel does not use {top}")
    return complaints


def check_pydantic(tree: Tree) -> list[str]:
    """Imports by which the core would need pydantic."""
    complaints = []
    for module in tree.values():
        if PYDANTIC_FILES.match(module.file):
            continue
        for line, name in find_imports(module, tree):
            top = name.split(".")[0]
            if top.startswith("pydantic"):
                complaints.append(f"{module.file}:{line}: the core does not use {top}")
    return complaints


def _is_standard(name: str) -> bool:
    return name in sys.stdlib_module_names


def check_late_imports(tree: Tree) -> list[str]:
    """Modules that are imported by name, where no type checker sees what they offer."""
    return [
        f"{module.file}:{node.lineno}: import it inside the function instead: as late, and typed"
        for module in tree.values()
        if module.file not in IMPORT_BY_NAME_FILES
        for node in module.nodes
        if (isinstance(node, ast.Attribute) and node.attr == "import_module")
        or (isinstance(node, ast.ImportFrom) and any(one.name == "import_module" for one in node.names))
    ]


def check_catching(tree: Tree) -> list[str]:
    """Places that catch everything and are neither the end of a turn, nor what follows it, nor a face."""
    complaints = []
    for module in tree.values():
        if CATCH_ALL_FILES.match(module.file):
            continue
        for node in module.nodes:
            if isinstance(node, ast.ExceptHandler) and _catches_all(node.type):
                complaints.append(f"{module.file}:{node.lineno}: name the errors; a turn's end catches all")
    return complaints


def _catches_all(caught: ast.expr | None) -> bool:
    match caught:
        case None | ast.Name(id="Exception" | "BaseException"):
            return True
        case ast.Tuple(elts=elements):
            return any(_catches_all(element) for element in elements)
        case _:
            return False


def check_sleeping(tree: Tree) -> list[str]:
    """Places that hope that another task gets somewhere while they sleep for no time."""
    return [
        f"{module.file}:{line}: wait for what is meant to happen, not with sleep(0)"
        for module in tree.values()
        for line in find_empty_sleeps(module.nodes)
    ]


def find_empty_sleeps(nodes: Iterable[ast.AST]) -> Iterator[int]:
    """The lines of all calls of `sleep(0)`."""
    for node in nodes:
        match node:
            case ast.Call(
                func=ast.Name(id="sleep") | ast.Attribute(attr="sleep"), args=[ast.Constant(value=0)]
            ):
                yield node.lineno
            case _:
                pass
