"""The engine's own root in a state: once marks, scenes seen, open decisions, the end.

Secret, and written by nobody but the rules.
"""

from talewright.kernel.slots import Kind, Slot, inherit

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
    kind=Kind.OBJECT,
    fields={
        "tool": Slot(kind=Kind.STRING, default=""),
        "arguments": Slot(kind=Kind.STRING, default="{}", max_length=ARGUMENTS_LENGTH_MAX),
    },
)

ENGINE_SLOT = inherit(
    Slot(
        kind=Kind.OBJECT,
        secret=True,
        readonly=True,
        fields={
            "once": Slot(
                kind=Kind.OBJECT, values=Slot(kind=Kind.BOOLEAN, default=False), max_items=MARKS_MAX
            ),
            "seen": Slot(
                kind=Kind.OBJECT,
                values=Slot(kind=Kind.INTEGER, default=0, minimum=0),
                max_items=MARKS_MAX,
            ),
            "scene": Slot(kind=Kind.STRING, default=""),
            "finale": Slot(kind=Kind.STRING, default=""),
            "ending": Slot(kind=Kind.STRING, default=""),
            "outcome": Slot(kind=Kind.STRING, default=""),
            "decisions": Slot(kind=Kind.OBJECT, values=_WAITING_CALL),
            "bundles": Slot(
                kind=Kind.LIST, default=[], element=Slot(kind=Kind.STRING), max_items=BUNDLES_MAX
            ),
            "facts": Slot(
                kind=Kind.LIST,
                default=[],
                element=Slot(kind=Kind.STRING, max_length=FACT_LENGTH_MAX),
                max_items=FACTS_MAX,
            ),
            "summary": Slot(kind=Kind.STRING, default="", max_length=SUMMARY_LENGTH_MAX),
        },
    )
)
