"""Variable fields: the slots of the state and how they are shown, as game.yaml writes them.

Whether a field fits its type, and a default its range, is not known here.
"""

from collections.abc import Mapping
from types import MappingProxyType

from talewright.common.json_values import Json
from talewright.kernel.slots.slot_types import LIST_ITEMS_MAX, STRING_LENGTH_MAX, Policy, SlotKind
from talewright.kernel.story.cast_and_cards import CardFormat, PromptWeight
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
"""Variables of one game."""

MEMBERS_MAX = 5_000
"""Fields of one object."""

ENUM_VALUES_MAX = 500
"""Words of one enum."""

_NO_MEMBERS: Mapping[str, "SlotSource"] = MappingProxyType({})
_NO_LABELS: Mapping[str, str] = MappingProxyType({})


@source
class CardSource(SourceRecord):
    """How a variable is shown as a card."""

    visible: bool = takes(FlagForm(), True, "Whether there is a card at all. This is looks, not privacy.")
    order: int = takes(WholeNumberForm(), 0, "Lower stands first.")
    format: CardFormat | None = takes(
        FixedWordForm(tuple(CardFormat)), None, "How the value is drawn; absent, the type decides."
    )
    description: str = takes(LINE, "", "One sentence that explains the variable.")
    prompt_weight: PromptWeight = takes(
        FixedWordForm(tuple(PromptWeight)),
        PromptWeight.MEDIUM,
        "How long the value stays in a prompt that is too long.",
    )


@source
class RulesSource(SourceRecord):
    """Who may move a value, and how."""

    clamp: bool | None = takes(
        FlagForm(), None, "Whether a number out of range is brought to its bound (default), or refused."
    )
    readonly: bool = takes(FlagForm(), False, "Whether only triggers, scenes and systems may write it.")
    update_policy: Policy | None = takes(
        FixedWordForm(tuple(Policy)), None, "Whether it may be set, only go up and down, or both (default)."
    )


@source
class CarrySource(SourceRecord):
    """What happens to what runs over."""

    into: str = needs(VARIABLE_NAME, "The member of the same object that gains one.")
    at: int = needs(
        WholeNumberForm(2, 1_000_000), "The first value that is too large, such as 60 for minutes."
    )


@source
class SlotSource(SourceRecord):
    """One typed place in the state."""

    type: SlotKind = needs(FixedWordForm(tuple(SlotKind)), "What the variable holds.")
    label: str = takes(LINE, "", "The name that players see.")
    default: Json = takes(AnyValueForm(), None, "The first value; absent, the least one of the type.")
    min: int | float | None = takes(NumberForm(), None, "The least number.")
    max: int | float | None = takes(NumberForm(), None, "The greatest number.")
    enum_values: tuple[str, ...] = takes(
        ListForm(LINE, ENUM_VALUES_MAX, 1, "words"), (), "The words of an enum."
    )
    max_length: int = takes(WholeNumberForm(1, 100_000), STRING_LENGTH_MAX, "Characters of a string.")
    fields: Mapping[str, "SlotSource"] = takes(
        MapForm(LateForm(lambda: SLOT), MEMBERS_MAX, MEMBER_PATTERN, "members"),
        _NO_MEMBERS,
        "Members that an object always has. Without them, the default says which there are.",
    )
    items: "SlotSource | None" = takes(LateForm(lambda: SLOT), None, "What each element of a list is.")
    max_items: int = takes(
        WholeNumberForm(1, 100_000), LIST_ITEMS_MAX, "Elements of a list, or keys of an open object."
    )
    open: bool = takes(FlagForm(), False, "Whether an object may gain keys in play.")
    values: "SlotSource | None" = takes(
        LateForm(lambda: SLOT), None, "What the members an open object gains are."
    )
    nullable: bool = takes(FlagForm(), False, "Whether null may stand here.")
    max_step: int | float | None = takes(NumberForm(0), None, "How far one answer may move a number.")
    derived: ScalarNode | None = takes(
        EXPRESSION, None, "An expression it is computed from; nobody writes it."
    )
    carry: CarrySource | None = takes(
        SourceRecordForm(CarrySource, "into and at"),
        None,
        "Where a number runs over to, such as minutes into hours.",
    )
    hidden: bool = takes(FlagForm(), False, "The narrator sees it, players do not.")
    secret: bool = takes(FlagForm(), False, "Neither players nor the narrator see it.")
    labels: Mapping[str, str] = takes(
        MapForm(LINE), _NO_LABELS, "How values and members are shown: value or member to text."
    )
    card: CardSource | None = takes(
        SourceRecordForm(CardSource, "how a card looks"), None, "How it looks as a card."
    )
    rules: RulesSource | None = takes(
        SourceRecordForm(RulesSource, "clamp, readonly and update_policy"), None, "Who may move it, and how."
    )
    tags: tuple[str, ...] = takes(LINES, (), "Words to sort it by, such as resource or flag.")


@source
class VariableSource(SlotSource):
    """A root of the state."""

    id: str = needs(VARIABLE_NAME, "The name by which conditions and updates call it.")


SLOT: SourceRecordForm[SlotSource] = SourceRecordForm(SlotSource, "a type and what belongs to it")
VARIABLE = SourceRecordForm(VariableSource, "an id, a type and what belongs to it", called="variable")
VARIABLES = ListForm(VARIABLE, VARIABLES_MAX, noun="variables")
