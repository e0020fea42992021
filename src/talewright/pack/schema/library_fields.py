"""Library fields: characters, items and lore as written in npcs.yaml, items.yaml and lore/*.yaml.

Whether anything mentions them is not checked here.
"""

from talewright.kernel.story.cast import LoreLogic
from talewright.pack.faults import FaultCode, FaultList
from talewright.pack.files.yaml_nodes import ScalarNode
from talewright.pack.schema.container_forms import LINES, ListForm
from talewright.pack.schema.record_form import SourceRecord, SourceRecordForm, needs, source, takes
from talewright.pack.schema.scalar_forms import (
    CONDITION,
    LINE,
    NAME,
    PROSE,
    FixedWordForm,
    FlagForm,
    WholeNumberForm,
)

CAST_MAX = 5_000
"""Characters, items or lore entries in one file."""


@source
class PersonSource(SourceRecord):
    """A character."""

    id: str = needs(NAME, "The id that the rules of the game use.")
    name: str = needs(LINE, "The name that players see.")
    also: tuple[str, ...] = takes(LINES, (), "Other names for them.")
    description: str = takes(PROSE, "", "What everybody can know about them.")
    voice: str = takes(PROSE, "", "How they speak.")
    secret: str = takes(PROSE, "", "What the storyteller knows and players do not.")
    where: str = takes(LINE, "", "Where they are found.")
    goals: tuple[str, ...] = takes(LINES, (), "What they want.")


@source
class ItemSource(SourceRecord):
    """An item."""

    id: str = needs(NAME, "The id that the rules of the game use.")
    name: str = needs(LINE, "The name that players see.")
    description: str = takes(PROSE, "", "What it looks like and what it is for.")
    tags: tuple[str, ...] = takes(LINES, (), "Words for grouping.")
    stack: bool = takes(FlagForm(), False, "Whether several of them are kept as a number.")


@source
class LoreSource(SourceRecord):
    """A lore entry."""

    id: str = needs(NAME, "Its id, unique in the game.")
    text: str = needs(PROSE, "What the storyteller is told.")
    keys: tuple[str, ...] = takes(LINES, (), "Words that activate it.")
    secondary_keys: tuple[str, ...] = takes(LINES, (), "Words that must, or must not, occur as well.")
    logic: LoreLogic = takes(
        FixedWordForm(tuple(LoreLogic)), LoreLogic.ANY_AND_ANY, "How keys and secondary keys combine."
    )
    whole_words: bool = takes(FlagForm(), True, "Whether a key matches whole words only.")
    regex: bool = takes(FlagForm(), False, "Whether the keys are regular expressions.")
    case_sensitive: bool = takes(FlagForm(), False, "Whether keys are case-sensitive.")
    constant: bool = takes(FlagForm(), False, "Whether it is always active.")
    when: ScalarNode | None = takes(CONDITION, None, "Active while this holds.")
    reveal_when: ScalarNode | None = takes(CONDITION, None, "Withheld from the storyteller until this holds.")
    priority: int = takes(WholeNumberForm(), 100, "Lower goes first if there is not room for all.")
    sticky: int = takes(WholeNumberForm(0, 10_000), 0, "Turns it stays active after the last mention.")
    cooldown: int = takes(WholeNumberForm(0, 10_000), 0, "Turns before it can become active again.")
    group: str = takes(LINE, "", "Only one entry of a group is active at a time.")
    weight: int = takes(WholeNumberForm(0, 1_000_000), 100, "How likely it is to be chosen in its group.")
    recurse: bool = takes(FlagForm(), False, "Whether its text can activate other entries.")
    budget: int = takes(WholeNumberForm(0, 1_000_000), 0, "Maximum tokens; 0 leaves it to the prompt.")


def _check_occasion(lore: LoreSource, fault_list: FaultList) -> None:
    if not lore.keys and not lore.constant and lore.when is None:
        fault_list.report(
            FaultCode.MISSING_FIELD,
            lore.node.place,
            f"nothing ever activates `{lore.id}`: it has no field `keys`",
            "Add `keys:` with a list of words, or `constant: true`, or `when:` with a condition.",
        )


PERSON_FILE = ListForm(
    SourceRecordForm(PersonSource, "id and name", called="character"), CAST_MAX, noun="characters"
)
ITEM_FILE = ListForm(SourceRecordForm(ItemSource, "id and name", called="item"), CAST_MAX, noun="items")
LORE_FILE = ListForm(
    SourceRecordForm(
        LoreSource,
        "id, text and keys",
        called="entry",
        check=_check_occasion,
        extra={
            "anyOf": [
                {"required": ["keys"], "properties": {"keys": {"minItems": 1}}},
                {"required": ["constant"], "properties": {"constant": {"const": True}}},
                {"required": ["when"]},
            ]
        },
    ),
    CAST_MAX,
    noun="entries",
)
