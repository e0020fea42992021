"""Wire types: everything that a lobby or a session takes and returns, as JSON by pydantic and back.

Only packages with a network interface import this; the core does not need pydantic. The JSON is that of
`view_codec`. Unknown members are ignored and missing ones get their defaults, so that both sides need not
have the same version.
"""

from functools import cache, partial
from typing import Annotated, Any, TypeVar

from pydantic import PlainSerializer, PlainValidator, TypeAdapter, ValidationError

from talewright.play.campaign_past import (
    CardTrend,
    ComparisonView,
    InspectionPart,
    InspectionView,
    Provenance,
    StoryStatistics,
    TreePage,
    TreeRow,
    VariableTrail,
)
from talewright.play.campaign_view import TurnView, View
from talewright.play.lobby import CampaignDetails, CampaignInfo, GameInfo
from talewright.play.model_choices import ModelTrialView
from talewright.play.news import News
from talewright.play.session import InputResult, Stamp
from talewright.play.session_inputs import (
    AnswerDecision,
    Choose,
    Fork,
    GoOn,
    Load,
    Retry,
    Say,
    Switch,
    Undo,
)
from talewright.play.wire.view_codec import Sendable, WireError, from_wire, to_wire

T = TypeVar("T")

GIVEN_TYPES: tuple[type, ...] = (
    View,
    TurnView,
    InputResult,
    GameInfo,
    CampaignInfo,
    CampaignDetails,
    TreeRow,
    TreePage,
    CardTrend,
    StoryStatistics,
    Provenance,
    VariableTrail,
    ComparisonView,
    ModelTrialView,
)
"""What a lobby and a session return."""

TAKEN_TYPES: tuple[type, ...] = (Stamp, Say, Choose, AnswerDecision, GoOn, Retry, Undo, Fork, Switch, Load)
"""What a session takes."""

FREE_TYPES: tuple[type[Sendable], ...] = (News, InspectionView, InspectionPart)
"""Types with arbitrary JSON, or whose members depend on a kind: pydantic delegates these to `view_codec`."""

WIRE_TYPES: tuple[type, ...] = (*GIVEN_TYPES, *TAKEN_TYPES, *FREE_TYPES)
"""All types that can be sent on their own."""


def adapter_of(kind: type[T]) -> TypeAdapter[T]:
    """The adapter of a type; it also makes its JSON Schema."""
    named: Any = kind
    made: TypeAdapter[T] = _make_adapter(named)
    return made


@cache
def _make_adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(_by_codec(kind) if kind in FREE_TYPES else kind)


def write_wire(value: object) -> bytes:
    """A value as JSON."""
    return adapter_of(type(value)).dump_json(value)


def read_wire(kind: type[T], data: bytes | str) -> T:
    """Parse a value. Raises WireError if it is malformed."""
    try:
        return adapter_of(kind).validate_json(data, strict=True)
    except ValidationError as error:
        raise WireError(_tell(kind, error)) from error


def _by_codec(kind: type[Sendable]) -> Any:
    # The type itself is not named: pydantic would look into it and find JSON, which is recursive.
    read = PlainValidator(partial(from_wire, kind), json_schema_input_type=dict)
    return Annotated[Any, read, PlainSerializer(to_wire, return_type=Any)]


def _tell(kind: type, error: ValidationError) -> str:
    """The first error, without the data: it may be long and private."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = ".".join([kind.__name__, *map(str, first["loc"])])
    return f"{place}: {first['msg']}"
