"""Response models: response bodies that no port has, and the descriptions that all routes share.

They only describe; `json_answers` writes the bodies.
"""

from typing import Any

from pydantic import BaseModel, Field

from talewright.common.frozen_values import frozen
from talewright.faces.http.problems import PROBLEM_TYPE
from talewright.play.campaign_view import DecisionView
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

BINARY_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
"""The description of a body that is a file."""

PROBLEMS: dict[int | str, dict[str, Any]] = {"4XX": PROBLEM, "5XX": PROBLEM}
"""The errors of every route."""


@frozen
class CampaignPage:
    """One page of campaigns, most recently played first."""

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
class ClosedCampaign:
    """A campaign that was closed on a host."""

    campaign: str


@frozen
class ImportedCampaign:
    """A campaign that was started from a file."""

    campaign: str


@frozen
class ImportedGame:
    """A game that was made from a scenario."""

    game: str


@frozen
class MadeToken:
    """A narrower token."""

    token: str
    expires_at: str
    """As ISO 8601 in UTC."""


@frozen
class TokenProof:
    """What only a server that knows the token can answer."""

    proof: str
    """HMAC-SHA256 in hexadecimal digits."""


@frozen
class HealthView:
    """Whether the server answers."""

    status: str


@frozen
class ChosenModel:
    """Which model narrates a campaign."""

    name: str
    campaign: str = ""


@frozen
class DoneView:
    """What was done, in words."""

    text: str


@frozen
class MadeReceipt:
    """A receipt of a campaign."""

    campaign: str
    records: int
    """How many records it covers."""

    receipt: str


class InspectionPartModel(BaseModel):
    """One part of a turn's record."""

    name: str
    lines: list[str]
    raw: Any = Field(description="The same as JSON.")


class InspectionModel(BaseModel):
    """A turn's record."""

    version: int
    commit: str
    parts: list[InspectionPartModel]


class ToolModel(BaseModel):
    """A tool that a game master may call."""

    name: str
    description: str
    parameters: dict[str, Any] = Field(description="JSON Schema of the arguments.")


class BriefSectionModel(BaseModel):
    """One part of what a narrator knows."""

    name: str
    text: str
    is_new: bool


class ErrandModel(BaseModel):
    """A question that waits for an answer."""

    system: str
    id: str
    question: str
    answer_schema: Any


class OpenTurnModel(BaseModel):
    """The open turn of a campaign."""

    operation_id: str = Field(description="Opening a turn with it continues the turn, if it is yours.")
    said: str = Field(description="The player's input in words.")
    until: str = Field(description="When its lease ends: ISO 8601 in UTC.")
    input: dict[str, Any] = Field(description="The player's input as it is recorded.")
    rounds: int = Field(description="How many rounds have been submitted already.")
    handle: str = Field(description="Names it in further calls; empty if someone else holds it.")
    is_told: bool = Field(description="Whether its narration is stored: finishing it commits that.")


class BriefModel(BaseModel):
    """Everything a game master needs to narrate the next turn."""

    version: int = Field(description="Pass it next time to see what is new since.")
    sections: list[BriefSectionModel]
    tools: list[ToolModel]
    errands: list[ErrandModel]
    summary: str = Field(description="The instructions for a summary that is due; empty if none is.")
    open_turn: OpenTurnModel | None = Field(description="The open turn of the campaign, if there is one.")


class OutsideTurnModel(BaseModel):
    """A turn that is waiting to be narrated."""

    handle: str = Field(description="Names the open turn in every further call.")
    said: str = Field(description="The player's input in words.")
    results: list[Any] = Field(description="What has been decided already, such as rolls.")
    rounds: int = Field(description="How many rounds have been submitted already.")
    situation: list[BriefSectionModel] = Field(description="Where the input, and the rounds, have led.")
    decisions: list[DecisionView] = Field(description="What the player must answer after the turn.")
