"""Composition: PyYAML's parser, held to our limits of depth and size while it builds its tree.

It gives PyYAML's own nodes or one of PyYAML's errors; `yaml_reading` makes ours of them.
"""

from dataclasses import dataclass

import yaml
from yaml.composer import Composer
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner

try:
    from yaml._yaml import CParser
except ImportError:  # pragma: no cover - PyYAML was built without libyaml
    CParser = None  # type: ignore[assignment, misc]  # the pure parser below takes its place

DEPTH_MAX = 32
"""Lists and mappings within one another. The parser recurses in C, so that this is checked while it runs."""

NODES_MAX = 1_500_000
"""Keys and values in all files of a folder together."""


@dataclass(slots=True)
class NodeBudget:
    """How many keys and values may still be read."""

    left: int = NODES_MAX


class LimitError(Exception):
    """A file goes beyond a limit."""

    def __init__(self, parent: yaml.Node | None, *, deep: bool) -> None:
        super().__init__()
        self.parent = parent
        """The node within which the limit was passed."""

        self.deep = deep
        """Whether it is the depth; else the number of nodes."""


class _Limits:
    """The resolver's hooks, which both parsers call around every node, used to count instead."""

    depth = 0
    budget: NodeBudget

    def descend_resolver(self, parent: yaml.Node | None, index: object) -> None:
        self.depth += 1
        self.budget.left -= 1
        if self.depth > DEPTH_MAX or self.budget.left < 0:
            raise LimitError(parent, deep=self.depth > DEPTH_MAX)

    def ascend_resolver(self) -> None:
        self.depth -= 1

    def resolve(self, kind: type[yaml.Node], value: object, implicit: object) -> str:
        """No types are told apart here: `core_types` does that."""
        return ""


class _PureComposer(_Limits, Reader, Scanner, Parser, Composer):
    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)
        Composer.__init__(self)


def compose_pure(text: str, budget: NodeBudget) -> yaml.Node | None:
    """The tree of a text by the parser written in Python: the same tree, ten times slower."""
    composer = _PureComposer(text)
    composer.budget = budget
    return composer.get_single_node()


if CParser is not None:

    class _FastComposer(_Limits, CParser):
        pass

    def compose(text: str, budget: NodeBudget) -> yaml.Node | None:
        """The tree of a text; None where there is nothing but comments."""
        composer = _FastComposer(text)
        composer.budget = budget
        return composer.get_single_node()

else:  # pragma: no cover - as above
    compose = compose_pure
