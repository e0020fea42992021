"""Engine slots: the engine's own root in a state (once marks, scenes seen, decisions, facts, the end).

Secret, and written by nobody but the rules.
"""

from talewright.kernel.slots.slot_types import Layout, Slot, SlotKind, inherit

ENGINE_ROOT = "_engine"

MARKS_MAX = 1_000_000
"""Once marks and scenes seen; a game has no more triggers or scenes than this."""

ARGUMENTS_LENGTH_MAX = 20_000
"""Characters of the arguments of a call that waits."""

BUNDLES_MAX = 64
"""Names of a model's own bundles that are remembered; one of them may not come again."""

FACTS_MAX = 200
"""Facts of play that are remembered word for word; the oldest goes first."""

FACT_LENGTH_MAX = 300
"""Characters of one fact."""

SUMMARY_LENGTH_MAX = 20_000
"""Characters of the summary of what lies behind."""

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
    """A layout with the reserved root in which the engine remembers."""
    return Layout({**layout.roots, ENGINE_ROOT: ENGINE_SLOT})
