"""Variable fields: the slots of the state and how they are shown, as written in game.yaml.

Whether a field fits its type and a default its range is not checked here.
"""

from collections.abc import Mapping
from types import MappingProxyType

from talewright.common.json_values import Json
from talewright.kernel.slots.slot_types import LIST_ITEMS_MAX, STRING_LENGTH_MAX, Policy, SlotKind
from talewright.kernel.story.cards import CardFormat, PromptWeight
from talewright.pack.files.yaml_nodes import ScalarNode
from talewright.pack.schema.container_forms import LINES, AnyValueForm, LateForm, ListForm, MapForm
from talewright.pack.schema.record_form import SourceRecord, SourceRecordForm, needs, source, takes
from talewright.pack.schema.scalar_forms import (
    EXPRESSION,
    LINE,
    MEMBER_PATTERN,
    VARIABLE_NAME,
    FixedWordForm,
    FlagForm,
    NumberForm,
    WholeNumberForm,
)

VARIABLES_MAX = 5_000
"""Variables in one game."""

MEMBERS_MAX = 5_000
"""Fields in one object."""

ENUM_VALUES_MAX = 500
"""Values in one enum."""

_NO_MEMBERS: Mapping[str, "SlotSource"] = MappingProxyType({})
_NO_LABELS: Mapping[str, str] = MappingProxyType({})


@source
class CardSource(SourceRecord):
    """How a variable is shown as a card."""

    visible: bool = takes(FlagForm(), True, "Whether it has a card. This affects display only, not privacy.")
    order: int = takes(WholeNumberForm(), 0, "Lower comes first.")
    format: CardFormat | None = takes(
        FixedWordForm(tuple(CardFormat)), None, "How the value is shown; by default, the type decides."
    )
    description: str = takes(LINE, "", "One sentence that explains the variable.")
    prompt_weight: PromptWeight = takes(
        FixedWordForm(tuple(PromptWeight)),
        PromptWeight.MEDIUM,
        "How long the value stays in the prompt when space runs out.",
    )


@source
class RulesSource(SourceRecord):
    """Who may change a value, and how."""

    clamp: bool | None = takes(
        FlagForm(), None, "Whether a number out of range is clamped (default) or refused."
    )
    readonly: bool = takes(FlagForm(), False, "Whether only triggers, scenes and systems may write it.")
    update_policy: Policy | None = takes(
        FixedWordForm(tuple(Policy)),
        None,
        "Whether it can only be set, only go up and down, or both (default).",
    )


@source
class CarrySource(SourceRecord):
    """What happens when a number overflows."""

    into: str = needs(VARIABLE_NAME, "The member of the same object that increases by one.")
    at: int = needs(
        WholeNumberForm(2, 1_000_000), "The first value that is too large, such as 60 for minutes."
    )


@source
class SlotSource(SourceRecord):
    """A typed place in the state."""

    type: SlotKind = needs(FixedWordForm(tuple(SlotKind)), "What the variable holds.")
    label: str = takes(LINE, "", "The name that players see.")
    default: Json = takes(AnyValueForm(), None, "The initial value; by default, the lowest of the type.")
    min: int | float | None = takes(NumberForm(), None, "The smallest number.")
    max: int | float | None = takes(NumberForm(), None, "The largest number.")
    enum_values: tuple[str, ...] = takes(
        ListForm(LINE, ENUM_VALUES_MAX, 1, "words"), (), "The values of an enum."
    )
    max_length: int = takes(WholeNumberForm(1, 100_000), STRING_LENGTH_MAX, "Maximum characters in a string.")
    fields: Mapping[str, "SlotSource"] = takes(
        MapForm(LateForm(lambda: SLOT), MEMBERS_MAX, MEMBER_PATTERN, "members"),
        _NO_MEMBERS,
        "Members that an object always has; by default, those of its default value.",
    )
    items: "SlotSource | None" = takes(LateForm(lambda: SLOT), None, "What each element of a list is.")
    max_items: int = takes(
        WholeNumberForm(1, 100_000), LIST_ITEMS_MAX, "Maximum elements of a list, or keys of an open object."
    )
    open: bool = takes(FlagForm(), False, "Whether play can add keys to the object.")
    values: "SlotSource | None" = takes(
        LateForm(lambda: SLOT), None, "What the added members of an open object are."
    )
    nullable: bool = takes(FlagForm(), False, "Whether it can be null.")
    max_step: int | float | None = takes(NumberForm(0), None, "How much one reply may change a number.")
    derived: ScalarNode | None = takes(
        EXPRESSION, None, "An expression it is computed from; it cannot be written."
    )
    carry: CarrySource | None = takes(
        SourceRecordForm(CarrySource, "into and at"),
        None,
        "Where a number overflows to, such as minutes into hours.",
    )
    hidden: bool = takes(FlagForm(), False, "The storyteller sees it, players do not.")
    secret: bool = takes(FlagForm(), False, "Neither players nor the storyteller see it.")
    labels: Mapping[str, str] = takes(MapForm(LINE), _NO_LABELS, "Display names of values or members.")
    card: CardSource | None = takes(
        SourceRecordForm(CardSource, "settings of a card"), None, "How it is shown as a card."
    )
    rules: RulesSource | None = takes(
        SourceRecordForm(RulesSource, "clamp, readonly and update_policy"),
        None,
        "Who may change it, and how.",
    )
    tags: tuple[str, ...] = takes(LINES, (), "Words for grouping, such as resource or flag.")


@source
class VariableSource(SlotSource):
    """A top-level variable of the state."""

    id: str = needs(VARIABLE_NAME, "The name that conditions and updates use.")


SLOT: SourceRecordForm[SlotSource] = SourceRecordForm(SlotSource, "a type and its fields")
VARIABLE = SourceRecordForm(VariableSource, "an id, a type and its fields", called="variable")
VARIABLES = ListForm(VARIABLE, VARIABLES_MAX, noun="variables")
