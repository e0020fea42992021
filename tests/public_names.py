"""The public names of the package, from its syntax trees: `python -m tests.public_names` writes their list.

`docs/plug/stability.md` says which modules are public.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "plug" / "stability.md"
LIST = ROOT / "tests" / "public_names.txt"

MODULES_HEADING = "## Public modules\n"


def read_modules(page: str) -> list[str]:
    """The modules that the page names as public, in its order."""
    listed = page.partition(MODULES_HEADING)[2].partition("\n## ")[0]
    rows = re.findall(r"^- (.*?)(?=^- |^\S|\Z|\n\n)", listed, re.MULTILINE | re.DOTALL)
    return re.findall(r"`(talewright[\w.]*)`", "\n".join(rows))


def find_file(module: str) -> Path:
    """The source of a module or package."""
    place = ROOT / "src" / Path(*module.split("."))
    return place / "__init__.py" if place.is_dir() else place.with_suffix(".py")


def list_names(module: str, source: str) -> Iterator[str]:
    """A line for each public name of a module, and for each public member of its classes."""
    tree = ast.parse(source)
    exported = _find_exports(tree)
    defined = set()
    for node in tree.body:
        for name, shown in _describe(node):
            if name in exported if exported is not None else not name.startswith("_"):
                defined.add(name)
                yield f"{module}.{shown}"
                if isinstance(node, ast.ClassDef):
                    yield from (f"{module}.{name}.{member}" for member in _list_members(node))
    # Names from elsewhere that the module passes on, with all they have where they are defined.
    for name in sorted((exported or set()) - defined):
        home = next(
            node.module
            for node in tree.body
            if isinstance(node, ast.ImportFrom) and node.module and name in {one.name for one in node.names}
        )
        file = find_file(home)
        lines = [*list_names(home, file.read_text("utf-8"))] if file.is_file() else []
        members = [line.removeprefix(f"{home}.") for line in lines]
        found = [one for one in members if re.match(rf"{name}\b", one)]
        yield from (f"{module}.{one}" for one in found or [name])


def _find_exports(tree: ast.Module) -> set[str] | None:
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id="__all__")], value=value):
                return set(ast.literal_eval(value))
            case _:
                pass
    return None


def _describe(node: ast.stmt) -> Iterator[tuple[str, str]]:
    """The names that a statement defines, each as it is listed: a function with its parameters."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name, f"{name}({', '.join(_list_parameters(node.args))})"
        case ast.ClassDef(name=name):
            yield name, f"{name}({', '.join(ast.unparse(base) for base in node.bases)})"
        case ast.Assign(targets=targets):
            yield from ((target.id, target.id) for target in targets if isinstance(target, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name), value=value):
            yield name, name if value is None else f"{name} = ..."
        case _:
            pass


def _list_parameters(arguments: ast.arguments) -> Iterator[str]:
    ordered = [*arguments.posonlyargs, *arguments.args]
    required = len(ordered) - len(arguments.defaults)
    for number, one in enumerate(ordered):
        yield one.arg if number < required else f"{one.arg}=..."
    if arguments.vararg is not None or arguments.kwonlyargs:
        yield "*" + (arguments.vararg.arg if arguments.vararg is not None else "")
    for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield one.arg if default is None else f"{one.arg}=..."
    if arguments.kwarg is not None:
        yield f"**{arguments.kwarg.arg}"


def _list_members(node: ast.ClassDef) -> Iterator[str]:
    for inner in node.body:
        for name, shown in _describe(inner):
            if name == "__init__" or not name.startswith("_"):
                yield shown


def list_all() -> list[str]:
    """All public names, in the order of the page and of the sources."""
    lines: list[str] = []
    for module in read_modules(PAGE.read_text("utf-8")):
        lines += list_names(module, find_file(module).read_text("utf-8"))
    return lines


def main() -> None:
    """Write the list."""
    lines = list_all()
    LIST.write_text("\n".join(lines) + "\n", "utf-8", newline="\n")
    print(f"{LIST.relative_to(ROOT)}: {len(lines)} names")


if __name__ == "__main__":
    main()
