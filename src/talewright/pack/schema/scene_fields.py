"""Scene fields: authored passages with choices, checks and trials, as written in scenes/*.yaml.

Whether `next` leads anywhere is not checked here.
"""

from collections.abc import Mapping
from enum import StrEnum

from talewright.common.json_values import Json
from talewright.kernel.story.scenes import Risk
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
from talewright.pack.schema.trigger_fields import UPDATES, UpdateSource

SCENES_MAX = 5_000
"""Scenes in one file."""

CHOICES_MAX = 12
"""Choices in one scene."""

VARIANTS_MAX = 20
"""Wordings in one scene."""

ARGUMENTS_MAX = 50
"""Arguments in one trial."""

RUNGS_MAX = 6
"""Results in one roll."""


class OutcomeWord(StrEnum):
    """Whether a result is a success or a failure."""

    SUCCESS = "success"
    FAILURE = "failure"


@source
class ResultSource(SourceRecord):
    """A result of a check."""

    text: str = takes(PROSE, "", "The text to show.")
    updates: tuple[UpdateSource, ...] = takes(UPDATES, (), "What it changes.")
    next: str = takes(NAME, "", "The id of the next scene.")


_RESULT = SourceRecordForm(ResultSource, "text, updates and next")


@source
class CheckSource(SourceRecord):
    """A roll of the dice by the engine."""

    roll: ScalarNode = needs(DICE, "The dice, such as 2d6+1.")
    at_least: int = needs(WholeNumberForm(), "The total that is needed.")
    success: ResultSource = needs(_RESULT, "What happens if the total is reached.")
    failure: ResultSource = needs(_RESULT, "What happens if it is not.")


@source
class RungSource(ResultSource):
    """One of several results of a roll."""

    at_least: int | None = takes(
        WholeNumberForm(), None, "The lowest total that gives this result; the last result has none."
    )
    outcome: OutcomeWord = needs(
        FixedWordForm(tuple(OutcomeWord)), "Whether it counts as a success or as a failure."
    )
    word: str = takes(LINE, "", "What players see instead of success or failure, such as Yes, but...")


@source
class LadderSource(SourceRecord):
    """A roll of the dice by the engine, with several results."""

    roll: ScalarNode = needs(DICE, "The dice, such as 2d6+1.")
    results: tuple[RungSource, ...] = needs(
        ListForm(SourceRecordForm(RungSource, "an outcome", called="result"), RUNGS_MAX, 2, "results"),
        "Possible results, the highest total first; the first whose `at_least` is reached applies.",
    )


@source
class TrialSource(SourceRecord):
    """A call of a system's tool by the engine."""

    tool: str = needs(NAME, "The system's tool that decides, such as attempt.", "try")
    arguments: Mapping[str, Json] = takes(
        MapForm(AnyValueForm(), ARGUMENTS_MAX, noun="values"), {}, "Arguments of the tool, by name.", "with"
    )
    success: ResultSource = needs(_RESULT, "What happens if the outcome is a success.")
    failure: ResultSource = needs(_RESULT, "What happens if it is not.")
    partial: ResultSource | None = takes(
        _RESULT, None, "What happens if it is a partial success; without this, the same as for a success."
    )


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
    """Something a player can do."""

    id: str = takes(NAME, "", "A name for this choice; by default, its number.")
    label: str = needs(LINE, "What the player sees.")
    also: tuple[str, ...] = takes(LINES, (), "Other words a player may type for it.")
    hint: str = takes(LINE, "", "What it may lead to, in a few words.")
    risk: Risk = takes(FixedWordForm(tuple(Risk)), Risk.LOW, "How risky it is.")
    when: ScalarNode | None = takes(CONDITION, None, "Offered only while this holds.")
    text: str = takes(PROSE, "", "What happens, shown before the next scene.")
    updates: tuple[UpdateSource, ...] = takes(UPDATES, (), "What it changes.")
    check: CheckSource | LadderSource | TrialSource | None = takes(
        _CHECK, None, "A roll or a system's tool that decides the outcome."
    )
    next: str = takes(NAME, "", "The id of the next scene; by default, the first open one.")


@source
class VariantSource(SourceRecord):
    """One wording of a scene."""

    when: ScalarNode | None = takes(CONDITION, None, "Used while this holds; the last wording has none.")
    text: str = needs(PROSE, "The text to show.")


@source
class SceneSource(SourceRecord):
    """An authored passage."""

    id: str = needs(NAME, "Its id, unique in the game.")
    when: ScalarNode | None = takes(
        CONDITION, None, "Open while this holds; without it, only `next` leads here."
    )
    priority: int = takes(WholeNumberForm(), 0, "The open scene with the highest number comes first.")
    once: bool = takes(
        FlagForm(),
        False,
        "Whether it opens at most once in a campaign; `next` can still lead to it.",
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
        "The text to show, or a list of wordings; the first whose `when` holds is used.",
    )
    choices: tuple[ChoiceSource, ...] = needs(
        ListForm(SourceRecordForm(ChoiceSource, "a label", called="choice"), CHOICES_MAX, 1, "choices"),
        "What the player can do.",
    )


SCENE_FILE = ListForm(
    SourceRecordForm(SceneSource, "id, text and choices", called="scene"), SCENES_MAX, noun="scenes"
)
