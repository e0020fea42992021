"""Scene fields: authored passages with choices, checks and trials, as scenes/*.yaml write them.

Whether `next` leads anywhere is not known here.
"""

from collections.abc import Mapping
from enum import StrEnum

from talewright.common.json_values import Json
from talewright.kernel.story.scenes_and_endings import Risk
from talewright.pack.files.yaml_nodes import ScalarNode
from talewright.pack.schema.container_forms import (
    LINES,
    AnyValueForm,
    ListForm,
    ListOrOtherForm,
    MapForm,
    MarkedOrOtherForm,
)
from talewright.pack.schema.record_form import SourceRecord, SourceRecordForm, needs, source, takes
from talewright.pack.schema.scalar_forms import (
    CONDITION,
    DICE,
    LINE,
    NAME,
    PROSE,
    FixedWordForm,
    FlagForm,
    WholeNumberForm,
)
from talewright.pack.schema.trigger_and_update_fields import UPDATES, UpdateSource

SCENES_MAX = 5_000
"""Scenes in one file."""

CHOICES_MAX = 12
"""Choices of one scene."""

VARIANTS_MAX = 20
"""Wordings of one scene."""

ARGUMENTS_MAX = 50
"""Arguments of one trial."""

RUNGS_MAX = 6
"""Results of one roll."""


class OutcomeWord(StrEnum):
    """How an author writes what a result is."""

    SUCCESS = "success"
    FAILURE = "failure"


@source
class ResultSource(SourceRecord):
    """What follows from a check."""

    text: str = takes(PROSE, "", "What is told.")
    updates: tuple[UpdateSource, ...] = takes(UPDATES, (), "What it changes.")
    next: str = takes(NAME, "", "The id of the scene that follows.")


_RESULT = SourceRecordForm(ResultSource, "text, updates and next")


@source
class CheckSource(SourceRecord):
    """A roll that the engine makes."""

    roll: ScalarNode = needs(DICE, "The dice, such as 2d6+1.")
    at_least: int = needs(WholeNumberForm(), "The total that is needed.")
    success: ResultSource = needs(_RESULT, "What follows if the total is reached.")
    failure: ResultSource = needs(_RESULT, "What follows if it is not.")


@source
class RungSource(ResultSource):
    """One of several results of a roll."""

    at_least: int | None = takes(
        WholeNumberForm(), None, "The lowest total that gives it; the last result has none."
    )
    outcome: OutcomeWord = needs(
        FixedWordForm(tuple(OutcomeWord)), "Whether it counts as a success or as a failure."
    )
    word: str = takes(LINE, "", "What players read instead of success or failure, such as Yes, but...")


@source
class LadderSource(SourceRecord):
    """A roll that the engine makes, with several results."""

    roll: ScalarNode = needs(DICE, "The dice, such as 2d6+1.")
    results: tuple[RungSource, ...] = needs(
        ListForm(SourceRecordForm(RungSource, "an outcome", called="result"), RUNGS_MAX, 2, "results"),
        "What may follow, the highest total first; the first whose `at_least` is reached does.",
    )


@source
class TrialSource(SourceRecord):
    """A tool of a system that the engine tries."""

    tool: str = needs(NAME, "The tool of a system that decides, such as attempt.", "try")
    arguments: Mapping[str, Json] = takes(
        MapForm(AnyValueForm(), ARGUMENTS_MAX, noun="values"), {}, "What the tool is told, by name.", "with"
    )
    success: ResultSource = needs(_RESULT, "What follows if the outcome is a success.")
    failure: ResultSource = needs(_RESULT, "What follows if it is not.")


_CHECK = MarkedOrOtherForm(
    ("results",),
    SourceRecordForm(LadderSource, "roll and results"),
    MarkedOrOtherForm(
        ("try", "with"),
        SourceRecordForm(TrialSource, "try, with, success and failure"),
        SourceRecordForm(CheckSource, "roll, at_least, success and failure"),
    ),
)


@source
class ChoiceSource(SourceRecord):
    """One thing a player may do."""

    id: str = takes(NAME, "", "A name for this choice; absent, its number.")
    label: str = needs(LINE, "What the player reads.")
    also: tuple[str, ...] = takes(LINES, (), "Other words a player may type for it.")
    hint: str = takes(LINE, "", "What it may lead to, in a few words.")
    risk: Risk = takes(FixedWordForm(tuple(Risk)), Risk.LOW, "What it puts at stake.")
    when: ScalarNode | None = takes(CONDITION, None, "Offered only while this holds.")
    text: str = takes(PROSE, "", "What happens, told before the next scene.")
    updates: tuple[UpdateSource, ...] = takes(UPDATES, (), "What it changes.")
    check: CheckSource | LadderSource | TrialSource | None = takes(
        _CHECK, None, "A roll, or a tool of a system, that decides the outcome."
    )
    next: str = takes(NAME, "", "The id of the scene that follows; absent, the first that is open.")


@source
class VariantSource(SourceRecord):
    """One wording of a scene."""

    when: ScalarNode | None = takes(CONDITION, None, "Told while this holds; the last wording has none.")
    text: str = needs(PROSE, "What is told.")


@source
class SceneSource(SourceRecord):
    """An authored passage."""

    id: str = needs(NAME, "Its name, once in the game.")
    when: ScalarNode | None = takes(CONDITION, None, "Open while this holds; absent, reached only by `next`.")
    priority: int = takes(WholeNumberForm(), 0, "Higher goes first among the open ones.")
    once: bool = takes(
        FlagForm(),
        False,
        "Whether it opens at most once in a campaign; a `next` that names it leads there all the same.",
    )
    text: str | tuple[VariantSource, ...] = needs(
        ListOrOtherForm(
            ListForm(
                SourceRecordForm(VariantSource, "when and text", called="wording"),
                VARIANTS_MAX,
                1,
                "wordings",
            ),
            PROSE,
        ),
        "What is told; or a list of wordings, of which the first whose `when` holds is told.",
    )
    choices: tuple[ChoiceSource, ...] = needs(
        ListForm(SourceRecordForm(ChoiceSource, "a label", called="choice"), CHOICES_MAX, 1, "choices"),
        "What the player may do.",
    )


SCENE_FILE = ListForm(
    SourceRecordForm(SceneSource, "id, text and choices", called="scene"), SCENES_MAX, noun="scenes"
)
