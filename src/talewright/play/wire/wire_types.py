"""Wire types: everything that a lobby or a session takes and gives, as JSON by pydantic, and back.

Only rooms that have a wire import this; the core needs no pydantic. The JSON is that of `view_codec`. Members
that are not known are passed over, and those that are missing have their defaults, so that the two ends of a
wire need not be of one version.
"""

from functools import cache, partial
from typing import Annotated, Any, TypeVar

from pydantic import PlainSerializer, PlainValidator, TypeAdapter, ValidationError

from talewright.play.campaign_past import (
    ComparisonView,
    InspectionPart,
    InspectionView,
    Provenance,
    TreeRow,
    VariableTrail,
)
from talewright.play.campaign_view import TurnView, View
from talewright.play.lobby import CampaignDetails, CampaignInfo, GameInfo
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
    Provenance,
    VariableTrail,
    ComparisonView,
)
"""What a lobby and a session give."""

TAKEN_TYPES: tuple[type, ...] = (Stamp, Say, Choose, AnswerDecision, GoOn, Retry, Undo, Fork, Switch, Load)
"""What a session takes."""

FREE_TYPES: tuple[type[Sendable], ...] = (News, InspectionView, InspectionPart)
"""What holds any JSON or depends on a kind: pydantic hands these to `view_codec`."""

WIRE_TYPES: tuple[type, ...] = (*GIVEN_TYPES, *TAKEN_TYPES, *FREE_TYPES)
"""Everything that may travel by itself."""


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
    """A value from JSON; a WireError where it is none."""
    try:
        return adapter_of(kind).validate_json(data, strict=True)
    except ValidationError as error:
        raise WireError(_tell(kind, error)) from error


def _by_codec(kind: type[Sendable]) -> Any:
    # The type itself is not named: pydantic would look into it and find JSON, which never ends.
    read = PlainValidator(partial(from_wire, kind), json_schema_input_type=dict)
    return Annotated[Any, read, PlainSerializer(to_wire, return_type=Any)]


def _tell(kind: type, error: ValidationError) -> str:
    """What is wrong first, without what was sent: it may be long, and not for everybody's eyes."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = ".".join([kind.__name__, *map(str, first["loc"])])
    return f"{place}: {first['msg']}"
