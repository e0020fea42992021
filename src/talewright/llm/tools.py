"""Tools: what a model may call, and the calls it makes.

A call holds what the model wrote, also where it is no JSON; reading it is the contract's business.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

Schema: TypeAlias = Mapping[str, object]
"""A JSON Schema."""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as the model is told of it."""

    name: str
    description: str
    parameters: Schema


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool, as the model wrote it."""

    id: str
    name: str
    arguments: str
    """JSON text, or what the model took for it."""
