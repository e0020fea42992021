"""The rules of the house on names and sizes of files: whoever reads the listing finds the place.

Like those in `house`, they read the syntax tree only and return complaints.
"""

import ast
from collections import defaultdict

from tests.house import PACKAGE, Tree

FILE_LINES_MIN = 40
FOLDER_FILES_MAX = 15

VAGUE_NAMES = frozenset({"utils.py", "util.py", "helpers.py", "common.py", "misc.py"})
"""File names that say nothing."""

SIBLINGS = {
    "dialect.py": "contract",
    "english.py": "",
    "chinese.py": "",
    "phrases.py": "",
    "slots.py": "systems",
    "tool_descriptions.py": "systems",
    "panels.py": "systems",
    "narrator_notes.py": "systems",
    "rulebook.py": "systems",
    "checks.py": "systems",
    "app.py": "faces",
}
"""File names that may recur, and in which room: the same role in parallel plugs or languages."""

SHORT_FILES = {
    "version.py": "the build reads the version from it, and every room may use it",
    "__main__.py": "Python looks for it by this name",
    "hosting/plain_json_serializer.py": "DBOS takes it as one object, and nothing else writes as it does",
    "contract/dialect_table.py": "it imports every dialect, so nothing that a dialect imports can hold it",
}
"""Files that may be shorter than the rest, and why."""


def check_vague_names(tree: Tree) -> list[str]:
    """Modules called after nothing."""
    return [
        f"{module.file}: a helper lives with its noun, not in {_base(module.file)}"
        for module in tree.values()
        if _base(module.file) in VAGUE_NAMES
    ]


def check_class_names(tree: Tree) -> list[str]:
    """Public classes of one name in two modules: whoever searches for it finds the wrong one."""
    places: dict[str, list[str]] = defaultdict(list)
    for module in tree.values():
        for node in module.tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(module.file)
    return [f"the class {name} is defined in {', '.join(files)}" for name, files in _several(places)]


def check_file_names(tree: Tree) -> list[str]:
    """Files of one name in two folders, but for the siblings that are listed."""
    places: dict[str, list[str]] = defaultdict(list)
    for module in tree.values():
        if _base(module.file) not in ("__init__.py", "__main__.py"):
            places[_base(module.file)].append(module.file)
    return [
        f"{name} stands in {', '.join(files)}"
        for name, files in _several(places)
        if name not in SIBLINGS or any(not file.startswith(SIBLINGS[name]) for file in files)
    ]


def check_short_files(tree: Tree) -> list[str]:
    """Fragments: a helper lives with its one user. Files listed as short that are not, too."""
    sizes = {
        module.file: len(module.source.splitlines())
        for module in tree.values()
        if _base(module.file) != "__init__.py"
    }
    short = {file for file, lines in sizes.items() if lines < FILE_LINES_MIN}
    return [
        *(
            f"{file}: {sizes[file]} lines, at least {FILE_LINES_MIN}"
            for file in sorted(short - set(SHORT_FILES))
        ),
        *(
            f"{file} is listed as short and is not"
            for file in SHORT_FILES
            if file in sizes and file not in short
        ),
    ]


def check_folders(tree: Tree) -> list[str]:
    """Folders with too many files: they are divided by noun."""
    folders: dict[str, int] = defaultdict(int)
    for module in tree.values():
        if _base(module.file) != "__init__.py":
            folders[module.file.rpartition("/")[0] or PACKAGE] += 1
    return [
        f"{folder}: {count} files, at most {FOLDER_FILES_MAX}"
        for folder, count in sorted(folders.items())
        if count > FOLDER_FILES_MAX
    ]


def _base(file: str) -> str:
    return file.rpartition("/")[2]


def _several(places: dict[str, list[str]]) -> list[tuple[str, list[str]]]:
    return [(name, files) for name, files in sorted(places.items()) if len(files) > 1]
