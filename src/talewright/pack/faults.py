"""Faults: every code for what can be wrong in a game folder, and the list in which they are gathered.

It stops nothing by itself: a reader goes on, so that all faults are shown at once.
"""

from collections.abc import Collection
from dataclasses import replace
from enum import Enum

from talewright.common.name_suggestions import listed, nearest
from talewright.common.safe_text import FAULT_MESSAGE, make_safe
from talewright.errors import Fault, Severity, SourcePlace

_ERROR = Severity.ERROR
_WARNING = Severity.WARNING
_HINT = Severity.HINT


class FaultCode(Enum):
    """One kind of mistake. The text is stable: scripts and editors may look for it."""

    # The folder and its bytes.
    NO_FOLDER = "no-folder", _ERROR, "The path given is not a folder that can be read."
    MISSING_FILE = "missing-file", _ERROR, "A file that every game needs is not there."
    UNEXPECTED_FILE = "unexpected-file", _WARNING, "A file that nothing reads; often a misspelt name."
    NOT_A_FILE = "not-a-file", _ERROR, "A link, a pipe or a device stands where only plain files may."
    UNREADABLE_FILE = "unreadable-file", _ERROR, "The system refused to open a file or a folder."
    BAD_FILE_NAME = "bad-file-name", _ERROR, "A file's name is too long or has characters no name may have."
    FILE_TOO_LARGE = "file-too-large", _ERROR, "One file is larger than a game's file may be."
    FOLDER_TOO_LARGE = "folder-too-large", _ERROR, "The files together are too many, too deep or too large."
    NOT_UTF8 = "not-utf8", _ERROR, "A text file is not written in UTF-8."
    CONTROL_CHARACTER = "control-character", _ERROR, "A text holds a character that no text may hold."

    # YAML itself.
    YAML_SYNTAX = "yaml-syntax", _ERROR, "The file is not YAML."
    YAML_DOCUMENTS = "yaml-documents", _ERROR, "A file holds more than one YAML document."
    YAML_ANCHOR = "yaml-anchor", _ERROR, "Anchors and aliases are not read."
    YAML_TAG = "yaml-tag", _ERROR, "Tags are not read."
    YAML_MERGE = "yaml-merge", _ERROR, "Merge keys are not read."
    YAML_TOO_DEEP = "yaml-too-deep", _ERROR, "Lists and mappings stand too deep in one another."
    YAML_TOO_MANY = "yaml-too-many", _ERROR, "The files of a folder hold too many values."
    DUPLICATE_KEY = "duplicate-key", _ERROR, "A mapping has the same key twice."
    KEY_NOT_TEXT = "key-not-text", _ERROR, "A key is a list or a mapping."
    COMMA_IN_LIST = "comma-in-list", _ERROR, "A comma without quotes has cut a text in two."
    BAD_NUMBER = "bad-number", _ERROR, "A number that JSON cannot hold exactly: too large, or not finite."

    # The form of one value.
    WRONG_TYPE = "wrong-type", _ERROR, "A value is of another type than its field takes."
    UNKNOWN_FIELD = "unknown-field", _ERROR, "A mapping has a field that does not exist there."
    MISSING_FIELD = "missing-field", _ERROR, "A mapping lacks a field it must have."
    NOT_ONE_OF = "not-one-of", _ERROR, "A value is none of those its field takes."
    OUT_OF_RANGE = "out-of-range", _ERROR, "A number is below or above what its field takes."
    BAD_LENGTH = "bad-length", _ERROR, "A text, list or mapping is too short or too long."
    BAD_NAME = "bad-name", _ERROR, "An id, a path or a language is not written as such."
    DUPLICATE_ID = "duplicate-id", _ERROR, "Two things of one kind have the same id."

    # Variables.
    RESERVED_NAME = "reserved-name", _ERROR, "A variable is called like a word of the engine or of a system."
    FIELD_NOT_FOR_TYPE = "field-not-for-type", _ERROR, "A variable has a field that its type does not take."
    EMPTY_RANGE = "empty-range", _ERROR, "A variable's least value is above its greatest."
    BAD_VALUE = "bad-value", _ERROR, "A default or first value does not fit its variable."
    BAD_CARRY = "bad-carry", _ERROR, "A carry that cannot work: wrong type, wrong place, or in a circle."
    BAD_DERIVED = "bad-derived", _ERROR, "A derived variable that cannot be: wrong place, or in a circle."
    UNKNOWN_PATH = "unknown-path", _ERROR, "A path leads to no variable."

    # Rules and scenes.
    BAD_CONDITION = "bad-condition", _ERROR, "A condition or expression that means nothing for this game."
    BAD_UPDATE = "bad-update", _ERROR, "An update that would always be refused."
    BAD_DICE = "bad-dice", _ERROR, "Dice that cannot be rolled, or that this game does not have."
    BAD_PATTERN = "bad-pattern", _ERROR, "A regular expression that is none, or that could run without end."
    BAD_WORDINGS = "bad-wordings", _ERROR, "Wordings of which some are never told, or none at times."
    BAD_RESULTS = "bad-results", _ERROR, "Results of a roll out of order, or none for some of its totals."
    UNKNOWN_SCENE = "unknown-scene", _ERROR, "A scene is named that does not exist."
    UNKNOWN_SYSTEM = "unknown-system", _ERROR, "A system is named that is not installed."
    UNKNOWN_TOOL = "unknown-tool", _ERROR, "A tool is named that no system of the game brings."
    FEW_CHOICES = "few-choices", _WARNING, "A scene leaves the player fewer than three choices."
    METER_WITHOUT_RANGE = "meter-without-range", _ERROR, "A meter shows what has no least or greatest value."

    # Texts.
    MISSING_TEXT = "missing-text", _WARNING, "A text is missing in a language that the game offers."
    UNKNOWN_TEXT = "unknown-text", _WARNING, "A text for something that is not in the game."
    UNDECLARED_LANGUAGE = "undeclared-language", _WARNING, "Texts in a language that the game does not offer."
    OVERRIDDEN_TEXT = (
        "overridden-text",
        _WARNING,
        "Words in texts/ that replace the game's own in its language.",
    )
    COMMENT_IN_TEXT = "comment-in-text", _WARNING, "A text without quotes that ends where a `#` begins."
    SCENE_LENGTH = "scene-length", _HINT, "A scene with fewer than 60 or more than 200 words."
    NO_INTERFACE_WORDS = (
        "no-interface-words",
        _HINT,
        "A language for which the engine has no words of its own.",
    )

    # Meaning.
    NEVER_HOLDS = "never-holds", _WARNING, "A condition, or a part of one, that holds in no state."
    ALWAYS_HOLDS = "always-holds", _WARNING, "A condition, or a part of one, that holds in every state."
    CARRY_TRAP = "carry-trap", _WARNING, "A condition that could hold but for a carry."
    DIVISION_BY_ZERO = "division-by-zero", _WARNING, "A division whose divisor may be zero."
    TRIGGER_NEVER_FIRES = "trigger-never-fires", _WARNING, "A trigger whose condition never holds."
    TRIGGER_FIRES_FOR_EVER = "trigger-fires-for-ever", _WARNING, "A trigger that nothing stops once it fires."
    UNREACHABLE_ENDING = "unreachable-ending", _WARNING, "An ending that no path can reach."
    ENDS_AT_ONCE = "ends-at-once", _WARNING, "An ending, or a finale, that comes before the first choice."
    DEAD_END = "dead-end", _WARNING, "A choice after which no scene is open: the story stops."
    UNREACHABLE_SCENE = "unreachable-scene", _WARNING, "A scene that no state opens and no choice leads to."
    WORDING_NEVER_TOLD = "wording-never-told", _WARNING, "A wording of a scene that is never told."
    CHOICE_NEVER_OFFERED = "choice-never-offered", _WARNING, "A choice that is never offered."
    SAME_LABEL = "same-label", _WARNING, "Two choices that may be offered together and read alike."
    RESULT_NEVER_REACHED = (
        "result-never-reached",
        _WARNING,
        "A result, a success or a failure that no total of its roll reaches.",
    )
    UPDATE_ALWAYS_REFUSED = "update-always-refused", _WARNING, "An update that no state lets through."
    UNREAD_VARIABLE = "unread-variable", _WARNING, "A variable that nobody reads."
    UNCHANGING_VARIABLE = "unchanging-variable", _WARNING, "A variable that never changes."
    FRACTION_LOST = "fraction-lost", _HINT, "A whole number computed from what may have a fraction."
    UNDECLARED_RANGE = "undeclared-range", _WARNING, "A range that is told in words and not declared."
    THRESHOLD_OUT_OF_RANGE = "threshold-out-of-range", _WARNING, "A value that is never, or always, critical."
    UNKNOWN_ITEM = "unknown-item", _WARNING, "A list of items names one that items.yaml does not have."
    UNUSED_ITEM = "unused-item", _WARNING, "An item that nothing gives, shows or mentions."
    UNUSED_NPC = "unused-npc", _WARNING, "A character that nothing mentions."
    UNKNOWN_WHERE = "unknown-where", _WARNING, "A character is at a place that is none."
    LORE_NEVER_TOLD = "lore-never-told", _WARNING, "A piece of lore that is never told."

    def __init__(self, text: str, severity: Severity, meaning: str) -> None:
        self.text = text
        self.severity = severity
        self.meaning = meaning

    def fault(self, place: SourcePlace, message: str, suggestion: str) -> Fault:
        """One mistake of this kind. There is always something to suggest."""
        return Fault(self.text, message, place, suggestion, self.severity)


FAULTS_MAX = 500
"""Faults kept of one folder. A person mends the first ones; a hostile folder could make millions."""


class FaultList:
    """Gathers faults, each kind once at one place."""

    def __init__(self) -> None:
        self._faults: dict[tuple[str, SourcePlace], Fault] = {}
        self.stumbles = 0
        """How often a reader met something wrong. Where it has grown, what was read is not whole."""

    @property
    def full(self) -> bool:
        """Whether no further fault is kept."""
        return len(self._faults) >= FAULTS_MAX

    @property
    def has_errors(self) -> bool:
        """Whether the folder cannot become a game."""
        return any(fault.severity is Severity.ERROR for fault in self._faults.values())

    def report(self, code: FaultCode, place: SourcePlace, message: str, suggestion: str) -> None:
        """Keep one fault."""
        self.add(code.fault(place, message, suggestion))

    def add(self, fault: Fault) -> None:
        """Keep a fault that somebody else has worded, such as a system in a file it reads."""
        self.stumbles += 1
        if not self.full:
            # What nobody sees, or what would move a cursor, is written out.
            message, suggestion = (
                make_safe(text, FAULT_MESSAGE) for text in (fault.message, fault.suggestion)
            )
            told = replace(fault, message=message, suggestion=suggestion)
            self._faults.setdefault((fault.code, fault.place), told)

    def remark(self, code: FaultCode, place: SourcePlace, message: str, suggestion: str) -> None:
        """Keep one fault of something that was read whole all the same."""
        self.report(code, place, message, suggestion)
        self.stumbles -= 1

    def suggest(self, word: str, names: Collection[str], noun: str = "names") -> str:
        """What to write instead of a word that is none of the names."""
        if self.full:
            return ""
        near = nearest(word, names)
        if near:
            return f"Write `{near}`."
        return f"The {noun} here are: {listed(names)}." if names else f"There are no {noun} here."

    def faults(self) -> tuple[Fault, ...]:
        """Everything found, in the order of the files."""
        return tuple(sorted(self._faults.values(), key=lambda fault: (fault.place, fault.code)))
