"""Triggers checked: those that can never fire, and those that never stop.

How often a trigger fires in one turn is bounded by the rules themselves and not looked at here.
"""

from talewright.kernel.conditions.satisfiability import Outlook
from talewright.pack.faults import Code
from talewright.pack.files.nodes import shorten
from talewright.pack.meaning.conditions import Consequence, check_condition
from talewright.pack.meaning.inquiry import Inquiry
from talewright.pack.meaning.lasting import lasts


def check_triggers(inquiry: Inquiry) -> None:
    """Tell which triggers never fire."""
    for trigger in inquiry.library.triggers:
        if inquiry.desk.full:
            return
        node = trigger.when
        if not trigger.once and inquiry.outlooks.judge(inquiry.tree(node)) is Outlook.ALWAYS:
            # That it holds always is told as what it leads to.
            continue
        check_condition(
            inquiry, node, Consequence(Code.TRIGGER_NEVER_FIRES, f"the trigger `{trigger.id}` never fires")
        )


def check_stops(inquiry: Inquiry) -> None:
    """Tell which triggers fire in every turn once they have fired."""
    deeds = {deed.owner: deed for deed in inquiry.deeds.all if deed.owner.startswith("trigger:")}
    for trigger in inquiry.library.triggers:
        if inquiry.desk.full or inquiry.outlooks.spent:
            return
        condition = inquiry.conditions[trigger.when]
        # Whoever writes `true` means every turn.
        if trigger.once or not condition.reads or inquiry.outlooks.judge(condition.tree) is Outlook.NEVER:
            continue
        if lasts(inquiry, condition, deeds[f"trigger:{trigger.id}"]):
            place = trigger.place("once" if "once" in trigger.node.entries else "id")
            message = (
                f"the trigger `{trigger.id}` fires in every turn while `{shorten(condition.source)}` holds, "
                "and nothing that it does ends that"
            )
            suggestion = "Write `once: true`, or add an effect after which the condition no longer holds."
            inquiry.desk.report(Code.TRIGGER_FIRES_FOR_EVER, place, message, suggestion)
