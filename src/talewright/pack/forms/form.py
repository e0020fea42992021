"""The form: what every kind of form can do, and how one says that a node is not for it.

A form never raises anything but Unreadable, and only after the desk has been told why.
"""

from typing import NoReturn, Protocol, TypeAlias, TypeVar

from talewright.kernel.state.documents import Json
from talewright.pack.desk import Desk
from talewright.pack.faults import Code
from talewright.pack.files.nodes import BrokenNode, Node, describe

T_co = TypeVar("T_co", covariant=True)

Schema: TypeAlias = dict[str, Json]
Shared: TypeAlias = dict[str, Schema]
"""Schemas that are referred to by name, filled while a schema is told."""


class UnreadableError(Exception):
    """The node is not what the form takes; its fault has been told."""


class Form(Protocol[T_co]):
    """What may stand in one place."""

    @property
    def expects(self) -> str:
        """What it takes, as words that follow `expected`."""

    def read(self, node: Node, desk: Desk, name: str) -> T_co:
        """The value of a node; `name` is what messages call the place."""

    def schema(self, shared: Shared) -> Schema:
        """JSON Schema (draft 2020-12) of what it takes."""


def refuse(node: Node, desk: Desk, name: str, expects: str, suggestion: str = "") -> NoReturn:
    """Tell that a node is of another type; a broken one has been told already."""
    if not isinstance(node, BrokenNode):
        message = f"`{name}`: expected {expects}, found {describe(node)}"
        desk.report(Code.WRONG_TYPE, node.place, message, suggestion or f"Write {expects}.")
    raise UnreadableError
