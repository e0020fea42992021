"""Response models: bodies of answers that no port has, and the descriptions that all routes share.

They describe; the bodies are written by `json_answers`.
"""

from typing import Any

from pydantic import BaseModel, Field

from talewright.common.frozen_values import frozen
from talewright.faces.http.problems import PROBLEM_TYPE
from talewright.play.lobby import CampaignInfo


class ProblemModel(BaseModel):
    """Problem details (RFC 9457)."""

    type: str = Field(examples=["about:blank"])
    title: str = Field(examples=["Not Found"])
    status: int = Field(examples=[404])
    detail: str = Field(description="What went wrong.")
    code: str = Field(description="A stable code, as in docs/run/error_codes.md.", examples=["not_found"])
    hint: str = Field(description="What to do next; may be empty.")
    result: dict[str, Any] | None = Field(None, description="With `moved`: the result of the input.")


PROBLEM: dict[str, Any] = {
    "description": "What went wrong, as problem details (RFC 9457).",
    "content": {PROBLEM_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemModel"}}},
}

PROBLEMS: dict[int | str, dict[str, Any]] = {"4XX": PROBLEM, "5XX": PROBLEM}
"""The errors of every route."""


@frozen
class CampaignPage:
    """One page of the campaigns, the last played first."""

    items: tuple[CampaignInfo, ...]
    page: int
    size: int
    total: int
    """How many there are on all pages."""


@frozen
class RemovedCampaign:
    """Where a removed campaign is."""

    moved_to: str


@frozen
class ImportedCampaign:
    """A campaign that was started from a file."""

    campaign: str


@frozen
class ImportedGame:
    """A game that was made of a scenario."""

    game: str


@frozen
class MadeToken:
    """A narrower token."""

    token: str


@frozen
class HealthView:
    """Whether the server answers."""

    status: str


@frozen
class ChosenModel:
    """Which model tells a campaign."""

    name: str
    campaign: str = ""


@frozen
class DoneView:
    """What was done, in words."""

    text: str
