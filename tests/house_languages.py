"""A rule of the house: languages are picked by `common/language_tags`, never compared with a tag."""

import ast
import re
from collections.abc import Iterator

from tests.house import Tree

LANGUAGE_TAGS_FILE = "common/language_tags.py"

LANGUAGE_TAG = re.compile(r"(en|zh)([-_][A-Za-z]+)*[-_]?", re.IGNORECASE)
"""How the engine's own languages are written."""


def check_language_tags(tree: Tree) -> list[str]:
    """Comparisons of a language with a tag, by which `zh-cn` or `zh-Hans-CN` would go unnoticed."""
    constants = {
        target.id
        for module in tree.values()
        for node in module.tree.body
        if isinstance(node, ast.Assign) and _is_tag(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    return [
        f"{module.file}:{part.lineno}: a language is picked by {LANGUAGE_TAGS_FILE}"
        for module in tree.values()
        if module.file != LANGUAGE_TAGS_FILE
        for node in module.nodes
        for part in _compared(node)
        if _is_tag(part) or _name_of(part) in constants
    ]


def _compared(node: ast.AST) -> Iterator[ast.expr]:
    """What a piece of code compares with something."""
    match node:
        case ast.Compare(left=left, comparators=others):
            parts = [left, *others]
        case ast.Call(func=ast.Attribute(attr="startswith" | "endswith" | "removeprefix"), args=args):
            parts = args
        case ast.MatchValue(value=value):
            parts = [value]
        case _:
            return
    for part in parts:
        yield from part.elts if isinstance(part, ast.Tuple | ast.List | ast.Set) else [part]


def _is_tag(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and bool(LANGUAGE_TAG.fullmatch(str(node.value)))


def _name_of(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""
