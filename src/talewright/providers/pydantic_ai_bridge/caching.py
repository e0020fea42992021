"""Cache marks: where in a request a provider is told to keep what came before.

Only places are chosen here, by the request and the profile's rules; a vendor's own side writes them down.
"""

from dataclasses import dataclass

from talewright.llm.messages import System, User
from talewright.llm.profiles import CacheKind, CacheRules
from talewright.llm.requests import Request


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks of one request."""

    before: int | None = None
    """The message before which one stands; None: nowhere."""

    rules: bool = False
    """Whether one stands after the first rules: they outlive the memory and transcript that follow them."""

    end: bool = False
    """Whether one stands after the last message."""


def place_marks(request: Request, rules: CacheRules) -> Marks:
    """Marks where the next request will still be the same, the most useful ones first.

    The last question is new in every turn; what stands before it is the beginning of the next turn's request.
    Where there are tools, a further round is likely, and it begins with this whole request.
    """
    if rules.kind is not CacheKind.MARKS:
        return Marks()
    asked = [place for place, message in enumerate(request.messages) if isinstance(message, User)]
    said = [place for place, message in enumerate(request.messages) if not isinstance(message, System)]
    before = asked[-1] if asked and asked[-1] > said[0] else None
    ruled = isinstance(request.messages[0], System)
    left = rules.marks_max - (before is not None)
    at_rules = ruled and left > 0
    at_end = bool(request.tools) and left - at_rules > 0
    return Marks(before if rules.marks_max > 0 else None, at_rules, at_end)
