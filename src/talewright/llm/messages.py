"""Messages: what is said to a model and what it said before.

Poor values: fields and equality. How a provider spells them on its wire is the provider's business.
"""

from dataclasses import dataclass
from typing import TypeAlias

from talewright.llm.tools import ToolCall


@dataclass(frozen=True, slots=True)
class System:
    """The rules a model is given before anything else."""

    text: str


@dataclass(frozen=True, slots=True)
class User:
    """What is asked of the model."""

    text: str


@dataclass(frozen=True, slots=True)
class Assistant:
    """What the model answered."""

    text: str
    calls: tuple[ToolCall, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What came of a call the model made."""

    call_id: str
    name: str
    text: str
    refused: bool = False
    """Whether the call was not carried out."""


Message: TypeAlias = System | User | Assistant | ToolResult
