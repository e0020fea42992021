"""Update sources: operations on the state, as scenes, triggers and finales write them.

Whether the path exists and the operation fits is not known here.
"""

from talewright.kernel.judging.moves_and_rulings import CARD_OPS, Op
from talewright.kernel.state.documents import Json
from talewright.pack.desk import Desk
from talewright.pack.faults import Code
from talewright.pack.forms.containers import Anything, ListOf
from talewright.pack.forms.records import Record, Source, needs, source, takes
from talewright.pack.forms.scalars import OneOf
from talewright.pack.sources.words import LINE, PATH

UPDATES_MAX = 64
"""Operations in one place."""


@source
class UpdateSource(Source):
    """One operation."""

    op: Op = needs(
        OneOf(CARD_OPS),
        "set a value; inc or dec a number; push to or remove from a list; toggle true and false.",
    )
    path: str = needs(PATH, "The place in the state, such as `hp` or `flags.met_lian`.")
    value: Json = takes(
        Anything(), None, "The new value, the amount, or the element; toggle needs none, all others do."
    )
    reason: str = takes(LINE, "", "Why it happens, in words for the log.")


def _check_value(update: UpdateSource, desk: Desk) -> None:
    given = "value" in update.node.entries
    if update.op is Op.TOGGLE and given:
        desk.report(
            Code.UNKNOWN_FIELD,
            update.node.key_place("value"),
            "`toggle` takes no `value`",
            "Delete the field.",
        )
    elif update.op is not Op.TOGGLE and not given:
        message = f"`{update.op}` lacks the field `value`"
        desk.report(Code.MISSING_FIELD, update.node.place, message, "Add `value:`.")


UPDATE = Record(
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
UPDATES = ListOf(UPDATE, UPDATES_MAX, noun="updates")
