"""Trigger fields: triggers.yaml, and the updates in triggers, scenes and finales.

Whether a path exists and a value fits its slot is not checked here.
"""

from talewright.common.json_values import Json
from talewright.kernel.judging.moves import CARD_OPS, Op
from talewright.pack.faults import FaultCode, FaultList
from talewright.pack.files.yaml_nodes import ScalarNode
from talewright.pack.schema.container_forms import AnyValueForm, ListForm, ListOrOtherForm
from talewright.pack.schema.record_form import SourceRecord, SourceRecordForm, needs, source, takes
from talewright.pack.schema.scalar_forms import (
    CONDITION,
    LINE,
    NAME,
    PATH,
    FixedWordForm,
    FlagForm,
    WholeNumberForm,
)

UPDATES_MAX = 64
"""Operations in one list."""


@source
class UpdateSource(SourceRecord):
    """One operation."""

    op: Op = needs(
        FixedWordForm(CARD_OPS),
        "set a value; inc or dec a number; push to or remove from a list; toggle true and false.",
    )
    path: str = needs(PATH, "The path in the state, such as `hp` or `flags.met_lian`.")
    value: Json = takes(
        AnyValueForm(), None, "The new value, the amount, or the element; toggle needs none, all others do."
    )
    reason: str = takes(LINE, "", "Why it happens, for the log.")


def _check_value(update: UpdateSource, fault_list: FaultList) -> None:
    given = "value" in update.node.entries
    if update.op is Op.TOGGLE and given:
        fault_list.report(
            FaultCode.UNKNOWN_FIELD,
            update.node.key_place("value"),
            "`toggle` takes no `value`",
            "Delete the field.",
        )
    elif update.op is not Op.TOGGLE and not given:
        message = f"`{update.op}` is missing the field `value`"
        fault_list.report(FaultCode.MISSING_FIELD, update.node.place, message, "Add `value:`.")


UPDATE = SourceRecordForm(
    UpdateSource,
    "op, path and value",
    called="update",
    check=_check_value,
    extra={
        "if": {"properties": {"op": {"const": "toggle"}}},
        "then": {"properties": {"value": False}},
        "else": {"required": ["value"]},
    },
)
UPDATES = ListForm(UPDATE, UPDATES_MAX, noun="updates")

TRIGGERS_MAX = 20_000
"""Triggers in one game."""


@source
class EventSource(SourceRecord):
    """A message that a trigger shows."""

    type: str = needs(NAME, "Its kind, such as danger or info.")
    message: str = needs(LINE, "What the player sees.")


@source
class TriggerSource(SourceRecord):
    """A rule of the world."""

    id: str = needs(NAME, "Its id, unique in the game.")
    when: ScalarNode = needs(CONDITION, "It fires while this holds, at most once a turn.")
    effects: tuple[UpdateSource, ...] = takes(UPDATES, (), "What it changes.")
    events: tuple[EventSource, ...] = takes(
        ListForm(SourceRecordForm(EventSource, "type and message", called="event"), 20, noun="events"),
        (),
        "Messages it shows.",
    )
    once: bool = takes(FlagForm(), False, "Whether it fires only once in a campaign.")
    priority: int = takes(WholeNumberForm(), 100, "Lower fires first; ties go by id.")


_TRIGGERS = ListForm(
    SourceRecordForm(TriggerSource, "id, when and effects", called="trigger"), TRIGGERS_MAX, noun="triggers"
)


@source
class TriggerFileSource(SourceRecord):
    """triggers.yaml with its list under the key `triggers`."""

    triggers: tuple[TriggerSource, ...] = needs(_TRIGGERS, "All triggers of the game.")


TRIGGER_FILE = ListOrOtherForm(_TRIGGERS, SourceRecordForm(TriggerFileSource, "triggers"))
