"""Cast and lore fields: people, things and lore, as npcs.yaml, items.yaml and lore/*.yaml write them.

Whether anybody speaks of them is not known here.
"""

from talewright.kernel.story.cast_and_cards import LoreLogic
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
"""People, things or entries of lore in one file."""


@source
class PersonSource(SourceRecord):
    """A character."""

    id: str = needs(NAME, "The name by which the game calls them.")
    name: str = needs(LINE, "The name that players read.")
    also: tuple[str, ...] = takes(LINES, (), "Other names they go by.")
    description: str = takes(PROSE, "", "Who they are, as anybody can see.")
    voice: str = takes(PROSE, "", "How they speak.")
    secret: str = takes(PROSE, "", "What the narrator knows and players do not.")
    where: str = takes(LINE, "", "Where they are found.")
    goals: tuple[str, ...] = takes(LINES, (), "What they want.")


@source
class ItemSource(SourceRecord):
    """A thing."""

    id: str = needs(NAME, "The name by which the game calls it.")
    name: str = needs(LINE, "The name that players read.")
    description: str = takes(PROSE, "", "What it looks like and is good for.")
    tags: tuple[str, ...] = takes(LINES, (), "Words to sort it by.")
    stack: bool = takes(FlagForm(), False, "Whether several of them lie in one place as a number.")


@source
class LoreSource(SourceRecord):
    """A piece of knowledge."""

    id: str = needs(NAME, "Its name, once in the game.")
    text: str = needs(PROSE, "What the narrator is told.")
    keys: tuple[str, ...] = takes(LINES, (), "Words that bring it up.")
    secondary_keys: tuple[str, ...] = takes(LINES, (), "Words that must, or must not, stand beside them.")
    logic: LoreLogic = takes(
        FixedWordForm(tuple(LoreLogic)), LoreLogic.ANY_AND_ANY, "How the secondary keys narrow the first."
    )
    whole_words: bool = takes(FlagForm(), True, "Whether a key must be a word of its own.")
    regex: bool = takes(FlagForm(), False, "Whether the keys are regular expressions.")
    case_sensitive: bool = takes(FlagForm(), False, "Whether capitals matter in keys.")
    constant: bool = takes(FlagForm(), False, "Whether it is always told.")
    when: ScalarNode | None = takes(CONDITION, None, "It is told while this holds.")
    reveal_when: ScalarNode | None = takes(CONDITION, None, "Withheld from the narrator until this holds.")
    priority: int = takes(WholeNumberForm(), 100, "Lower is told first where there is not room for all.")
    sticky: int = takes(WholeNumberForm(0, 10_000), 0, "Turns it stays after it was last mentioned.")
    cooldown: int = takes(WholeNumberForm(0, 10_000), 0, "Turns before it may come up again.")
    group: str = takes(LINE, "", "Of the entries of a group only one is told.")
    weight: int = takes(WholeNumberForm(0, 1_000_000), 100, "How likely it is the one of its group.")
    recurse: bool = takes(FlagForm(), False, "Whether its own text may bring up further entries.")
    budget: int = takes(WholeNumberForm(0, 1_000_000), 0, "Tokens it may take; 0 leaves that to the prompt.")


def _check_occasion(lore: LoreSource, fault_list: FaultList) -> None:
    if not lore.keys and not lore.constant and lore.when is None:
        fault_list.report(
            FaultCode.MISSING_FIELD,
            lore.node.place,
            f"nothing ever brings up `{lore.id}`: it lacks the field `keys`",
            "Add `keys:` with a list of words, or `constant: true`, or `when:` with a condition.",
        )


PERSON_FILE = ListForm(
    SourceRecordForm(PersonSource, "id and name", called="character"), CAST_MAX, noun="people"
)
ITEM_FILE = ListForm(SourceRecordForm(ItemSource, "id and name", called="thing"), CAST_MAX, noun="things")
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
