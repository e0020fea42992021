"""Engine slots: the engine's own root in a state (once marks, scenes seen, decisions, facts, the end).

Secret, and written only by the rules.
"""

from talewright.kernel.slots.slot_types import Layout, Slot, SlotKind, inherit

ENGINE_ROOT = "_engine"

MARKS_MAX = 1_000_000
"""Once marks and scenes seen; no game has more triggers or scenes."""

ARGUMENTS_LENGTH_MAX = 20_000
"""Characters of the arguments of a waiting call."""

BUNDLES_MAX = 64
"""Ids of a model's own bundles that are remembered, since an id may not be used twice."""

FACTS_MAX = 200
"""Facts remembered word for word; the oldest is dropped first."""

FACT_LENGTH_MAX = 300
"""Characters of one fact."""

SUMMARY_LENGTH_MAX = 20_000
"""Characters of the summary of earlier turns."""

_WAITING_CALL = Slot(
    kind=SlotKind.OBJECT,
    fields={
        "tool": Slot(kind=SlotKind.STRING, default=""),
        "arguments": Slot(kind=SlotKind.STRING, default="{}", max_length=ARGUMENTS_LENGTH_MAX),
    },
)

ENGINE_SLOT = inherit(
    Slot(
        kind=SlotKind.OBJECT,
        secret=True,
        readonly=True,
        fields={
            "once": Slot(
                kind=SlotKind.OBJECT, values=Slot(kind=SlotKind.BOOLEAN, default=False), max_items=MARKS_MAX
            ),
            "seen": Slot(
                kind=SlotKind.OBJECT,
                values=Slot(kind=SlotKind.INTEGER, default=0, minimum=0),
                max_items=MARKS_MAX,
            ),
            "scene": Slot(kind=SlotKind.STRING, default=""),
            "finale": Slot(kind=SlotKind.STRING, default=""),
            "ending": Slot(kind=SlotKind.STRING, default=""),
            "outcome": Slot(kind=SlotKind.STRING, default=""),
            "decisions": Slot(kind=SlotKind.OBJECT, values=_WAITING_CALL),
            "bundles": Slot(
                kind=SlotKind.LIST, default=[], element=Slot(kind=SlotKind.STRING), max_items=BUNDLES_MAX
            ),
            "facts": Slot(
                kind=SlotKind.LIST,
                default=[],
                element=Slot(kind=SlotKind.STRING, max_length=FACT_LENGTH_MAX),
                max_items=FACTS_MAX,
            ),
            "summary": Slot(kind=SlotKind.STRING, default="", max_length=SUMMARY_LENGTH_MAX),
        },
    )
)


def with_engine_root(layout: Layout) -> Layout:
    """A layout with the engine's reserved root added."""
    return Layout({**layout.roots, ENGINE_ROOT: ENGINE_SLOT}, layout.computed)
