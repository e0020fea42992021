"""Game records: reads everything an author wrote, file by file, into records.

Each file is checked on its own; references between files are not checked here.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol, TypeVar, assert_never

from talewright.pack.faults import FaultCode, FaultList
from talewright.pack.files.folder_reader import GameFolder, decode
from talewright.pack.files.yaml_nodes import ListNode, MapNode, Node, ScalarNode
from talewright.pack.files.yaml_reader import NodeBudget, read_yaml
from talewright.pack.schema.file_names import SortedFiles, language_of
from talewright.pack.schema.file_schemas import FileRole
from talewright.pack.schema.game_fields import GAME_FILE, GameSource
from talewright.pack.schema.library_fields import (
    ITEM_FILE,
    LORE_FILE,
    PERSON_FILE,
    ItemSource,
    LoreSource,
    PersonSource,
)
from talewright.pack.schema.scalar_forms import Form, UnreadableError
from talewright.pack.schema.scene_fields import SCENE_FILE, SceneSource
from talewright.pack.schema.translation_fields import (
    ITEM_TEXT_FILE,
    LABEL_FILE,
    LORE_TEXT_FILE,
    PERSON_TEXT_FILE,
    SCENE_TEXT_FILE,
    TRIGGER_TEXT_FILE,
)
from talewright.pack.schema.trigger_fields import TRIGGER_FILE, TriggerFileSource, TriggerSource
from talewright.pack.texts.text_catalogue import Translation

T = TypeVar("T")


class RecordWithId(Protocol):
    """A record with an id."""

    @property
    def id(self) -> str: ...

    @property
    def node(self) -> MapNode: ...


N = TypeVar("N", bound=RecordWithId)


@dataclass(slots=True)
class GameRecords:
    """All records of a folder, in the order of the files; filled by `read_game_records`."""

    game: GameSource | None = None
    triggers: list[TriggerSource] = field(default_factory=list)
    scenes: list[SceneSource] = field(default_factory=list)
    people: list[PersonSource] = field(default_factory=list)
    items: list[ItemSource] = field(default_factory=list)
    lore: list[LoreSource] = field(default_factory=list)
    prose: dict[str, str] = field(default_factory=dict)
    """Markdown by file name."""

    translations: dict[str, Translation] = field(default_factory=dict)
    """The texts of other languages, by language."""

    ids: dict[FileRole, set[str]] = field(default_factory=dict)
    """Ids by kind of file, including those of records that could not be read."""

    unread: set[FileRole] = field(default_factory=set)
    """Kinds of files of which at least one could not be read, so that not all ids are known."""

    unread_prose: set[str] = field(default_factory=set)
    """Markdown files that exist but could not be read."""

    def knows(self, role: FileRole, name: str) -> bool:
        """Whether this id exists, or may exist in a file that could not be read."""
        return role in self.unread or name in self.ids.get(role, ())

    def keep(self, kept: list[N], records: Iterable[N] | None, role: FileRole, fault_list: FaultList) -> None:
        """Add the records of a file to those of earlier files; None if it could not be read."""
        if records is None:
            self.unread.add(role)
        seen = {record.id: record for record in kept}
        for record in records or ():
            first = seen.setdefault(record.id, record)
            if first is record:
                kept.append(record)
            else:
                report_duplicate_id(record.id, record.node, first.node, fault_list)


def read_game_records(folder: GameFolder, shelf: SortedFiles, fault_list: FaultList) -> GameRecords:
    """Read every file of the game except those of systems."""
    library = GameRecords()
    budget = NodeBudget()
    for name in shelf.prose:
        text = _decode(name, folder, fault_list)
        if text is None:
            library.unread_prose.add(name)
        else:
            library.prose[name] = text
    for name, kind in shelf.kinds.items():
        text = _decode(name, folder, fault_list)
        node = None if text is None else read_yaml(name, text, fault_list, budget)
        if node is None:
            library.unread.add(kind.role)
            continue
        if kind.empty and isinstance(node, ScalarNode) and node.text == "":
            continue
        if language_of(name):
            library.translations.setdefault(language_of(name), Translation())
        _read_file(library, kind.role, name, node, fault_list)
    return library


def _decode(name: str, folder: GameFolder, fault_list: FaultList) -> str | None:
    return None if name in folder.unread else decode(name, folder.files[name], fault_list)


def _read_file(library: GameRecords, role: FileRole, name: str, node: Node, fault_list: FaultList) -> None:
    words = library.translations.get(language_of(name), Translation())
    match role:
        case FileRole.GAME:
            library.game = _read(GAME_FILE, name, node, fault_list)
        case FileRole.TRIGGERS:
            read = _read(TRIGGER_FILE, name, node, fault_list)
            triggers = read.triggers if isinstance(read, TriggerFileSource) else read
            library.keep(library.triggers, triggers, role, fault_list)
        case FileRole.SCENES:
            library.keep(library.scenes, _read(SCENE_FILE, name, node, fault_list), role, fault_list)
        case FileRole.NPCS:
            library.keep(library.people, _read(PERSON_FILE, name, node, fault_list), role, fault_list)
        case FileRole.ITEMS:
            library.keep(library.items, _read(ITEM_FILE, name, node, fault_list), role, fault_list)
        case FileRole.LORE:
            library.keep(library.lore, _read(LORE_FILE, name, node, fault_list), role, fault_list)
        case FileRole.LABELS:
            words.take(words.labels, LABEL_FILE, role, name, node, fault_list)
        case FileRole.SCENE_TEXTS:
            words.take(words.scenes, SCENE_TEXT_FILE, role, name, node, fault_list)
        case FileRole.TRIGGER_TEXTS:
            words.take(words.triggers, TRIGGER_TEXT_FILE, role, name, node, fault_list)
        case FileRole.NPC_TEXTS:
            words.take(words.people, PERSON_TEXT_FILE, role, name, node, fault_list)
        case FileRole.ITEM_TEXTS:
            words.take(words.items, ITEM_TEXT_FILE, role, name, node, fault_list)
        case FileRole.LORE_TEXTS:
            words.take(words.lore, LORE_TEXT_FILE, role, name, node, fault_list)
        case _:
            assert_never(role)
    library.ids.setdefault(role, set()).update(_written_ids(node))


def _read(form: Form[T], name: str, node: Node, fault_list: FaultList) -> T | None:
    try:
        return form.read(node, fault_list, name)
    except UnreadableError:
        return None


def report_duplicate_id(name: str, node: MapNode, first: MapNode, fault_list: FaultList) -> None:
    """Report that an id is already taken."""
    fault_list.report(
        FaultCode.DUPLICATE_ID,
        node.value_place("id"),
        f"the id `{name}` is already used in {first.value_place('id')}",
        "Give this one another id.",
    )


def _written_ids(node: Node) -> Iterable[str]:
    """Every id in a list of records, even of records with faults."""
    if isinstance(node, MapNode) and len(node.entries) == 1:
        (node,) = node.entries.values()
    if isinstance(node, ListNode):
        for item in node.items:
            written = item.entries.get("id") if isinstance(item, MapNode) else None
            if isinstance(written, ScalarNode):
                yield written.text
