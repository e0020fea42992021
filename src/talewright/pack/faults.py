"""Faults: the codes for everything that can be wrong in a game folder, and the list that collects them.

Reporting a fault does not stop a reader, so all faults are shown at once.
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
    """One kind of mistake. Its text never changes: scripts and editors may rely on it."""

    # The folder and its bytes.
    NO_FOLDER = "no-folder", _ERROR, "The path is not a readable folder."
    MISSING_FILE = "missing-file", _ERROR, "A required file is missing."
    UNEXPECTED_FILE = (
        "unexpected-file",
        _WARNING,
        "A file that is never read, often because its name is misspelt.",
    )
    BARE_RULEBOOK = "bare-rulebook", _HINT, "A folder with a rulebook and no `game.yaml`."
    NOT_A_FILE = "not-a-file", _ERROR, "A link, a pipe or a device instead of a regular file."
    UNREADABLE_FILE = "unreadable-file", _ERROR, "The operating system refused to open a file or a folder."
    BAD_FILE_NAME = "bad-file-name", _ERROR, "A file name is too long or has characters that are not allowed."
    FILE_TOO_LARGE = "file-too-large", _ERROR, "A file is too large."
    FOLDER_TOO_LARGE = (
        "folder-too-large",
        _ERROR,
        "The folder has too many files, is nested too deep or is too large.",
    )
    NOT_UTF8 = "not-utf8", _ERROR, "A text file is not encoded in UTF-8."
    CONTROL_CHARACTER = "control-character", _ERROR, "A text contains a character that is not allowed."

    # YAML itself.
    YAML_SYNTAX = "yaml-syntax", _ERROR, "The file is not valid YAML."
    YAML_DOCUMENTS = "yaml-documents", _ERROR, "A file contains more than one YAML document."
    YAML_ANCHOR = "yaml-anchor", _ERROR, "YAML anchors and aliases are not supported."
    YAML_TAG = "yaml-tag", _ERROR, "YAML tags are not supported."
    YAML_MERGE = "yaml-merge", _ERROR, "YAML merge keys are not supported."
    YAML_TOO_DEEP = "yaml-too-deep", _ERROR, "Lists and mappings are nested too deep."
    YAML_TOO_MANY = "yaml-too-many", _ERROR, "The folder contains too many values."
    DUPLICATE_KEY = "duplicate-key", _ERROR, "A mapping has the same key twice."
    KEY_NOT_TEXT = "key-not-text", _ERROR, "A key is a list or a mapping."
    COMMA_IN_LIST = "comma-in-list", _ERROR, "An unquoted comma splits a text in two."
    BAD_NUMBER = "bad-number", _ERROR, "A number that JSON cannot store exactly: too large, or not finite."

    # The form of one value.
    WRONG_TYPE = "wrong-type", _ERROR, "A value has the wrong type for its field."
    UNKNOWN_FIELD = "unknown-field", _ERROR, "A mapping has a field that does not exist there."
    MISSING_FIELD = "missing-field", _ERROR, "A required field is missing."
    NOT_ONE_OF = "not-one-of", _ERROR, "A value is not one of those that its field allows."
    OUT_OF_RANGE = "out-of-range", _ERROR, "A number is too small or too large for its field."
    BAD_LENGTH = "bad-length", _ERROR, "A text, list or mapping is too short or too long."
    BAD_NAME = "bad-name", _ERROR, "An id, a path or a language has the wrong format."
    DUPLICATE_ID = "duplicate-id", _ERROR, "Two things of the same kind have the same id."

    # Variables.
    RESERVED_NAME = "reserved-name", _ERROR, "A variable has a name that the engine or a system uses."
    FIELD_NOT_FOR_TYPE = "field-not-for-type", _ERROR, "A variable has a field that its type does not have."
    EMPTY_RANGE = "empty-range", _ERROR, "A variable's `min` is greater than its `max`."
    BAD_VALUE = "bad-value", _ERROR, "A default or initial value does not fit its variable."
    BAD_CARRY = "bad-carry", _ERROR, "A `carry` that cannot work: wrong type, wrong place, or circular."
    BAD_DERIVED = "bad-derived", _ERROR, "A derived variable that cannot work: wrong place, or circular."
    UNKNOWN_PATH = "unknown-path", _ERROR, "A path to a variable that does not exist."

    # Rules and scenes.
    BAD_CONDITION = "bad-condition", _ERROR, "A condition or expression that is not valid in this game."
    BAD_UPDATE = "bad-update", _ERROR, "An update that is not valid: wrong operation, type or value."
    BAD_DICE = "bad-dice", _ERROR, "Dice that cannot be rolled, or that this game does not allow."
    BAD_PATTERN = "bad-pattern", _ERROR, "A regular expression that is invalid or could take too long."
    BAD_WORDINGS = (
        "bad-wordings",
        _ERROR,
        "In a scene with several texts, the last one has a `when`, or an earlier one has none.",
    )
    BAD_RESULTS = (
        "bad-results",
        _ERROR,
        "Results of a roll that are out of order, or that do not cover every total.",
    )
    UNKNOWN_SCENE = "unknown-scene", _ERROR, "A reference to a scene that does not exist."
    UNKNOWN_SYSTEM = "unknown-system", _ERROR, "A reference to a system that is not installed."
    UNKNOWN_TOOL = "unknown-tool", _ERROR, "A reference to a tool that no system of the game provides."
    FEW_CHOICES = (
        "few-choices",
        _WARNING,
        "A scene has fewer than three choices, and no system adds any.",
    )
    METER_WITHOUT_RANGE = "meter-without-range", _ERROR, "A meter for a variable without `min` or `max`."
    LOW_CONTRAST = "low-contrast", _ERROR, "A colour of a theme that cannot be read on its paper."
    BAD_DIAL = "bad-dial", _ERROR, "A dial or a place of the cover that cannot show its value."

    # Texts.
    MISSING_TEXT = "missing-text", _WARNING, "A text is missing in a language that the game offers."
    UNTITLED_ENDING = "untitled-ending", _HINT, "An ending without a title."
    UNKNOWN_TEXT = "unknown-text", _WARNING, "A text for something that is not in the game."
    UNDECLARED_LANGUAGE = "undeclared-language", _WARNING, "Texts in a language that the game does not offer."
    OVERRIDDEN_TEXT = (
        "overridden-text",
        _WARNING,
        "Texts in `texts/` for the base language, which replace those in the game's own files.",
    )
    COMMENT_IN_TEXT = "comment-in-text", _WARNING, "An unquoted text that is cut off at a `#`."
    SCENE_LENGTH = "scene-length", _HINT, "A scene with fewer than 60 or more than 200 words."
    NO_INTERFACE_WORDS = (
        "no-interface-words",
        _HINT,
        "A language into which the engine's own interface is not translated.",
    )

    # Meaning.
    NEVER_HOLDS = "never-holds", _WARNING, "A condition, or a part of one, that is never true."
    ALWAYS_HOLDS = "always-holds", _WARNING, "A condition, or a part of one, that is always true."
    CARRY_TRAP = (
        "carry-trap",
        _WARNING,
        "A condition that is never true, because a `carry` resets the number first.",
    )
    DIVISION_BY_ZERO = "division-by-zero", _WARNING, "A division whose divisor may be zero."
    TRIGGER_NEVER_FIRES = "trigger-never-fires", _WARNING, "A trigger whose condition is never true."
    TRIGGER_FIRES_FOR_EVER = (
        "trigger-fires-for-ever",
        _WARNING,
        "A trigger that fires every turn once it has fired.",
    )
    MUCH_WORK = "much-work", _WARNING, "Rules that may take so many steps that a turn is stopped."
    UNREACHABLE_ENDING = "unreachable-ending", _WARNING, "An ending that cannot be reached."
    ENDS_AT_ONCE = "ends-at-once", _WARNING, "An ending or a finale that comes before the first choice."
    DEAD_END = "dead-end", _WARNING, "A choice after which no scene is open and no system offers a choice."
    UNREACHABLE_SCENE = "unreachable-scene", _WARNING, "A scene that never opens and that no choice leads to."
    WORDING_NEVER_TOLD = "wording-never-told", _WARNING, "One of the texts of a scene is never shown."
    CHOICE_NEVER_OFFERED = "choice-never-offered", _WARNING, "A choice that is never offered."
    SAME_LABEL = "same-label", _WARNING, "Two choices with the same label that may be offered together."
    RESULT_NEVER_REACHED = (
        "result-never-reached",
        _WARNING,
        "A result, a success or a failure that no total of the roll gives.",
    )
    UPDATE_ALWAYS_REFUSED = (
        "update-always-refused",
        _WARNING,
        "A valid update that the rules refuse in every state, for example because of a range.",
    )
    UNREAD_VARIABLE = "unread-variable", _WARNING, "A variable that is never read."
    UNCHANGING_VARIABLE = "unchanging-variable", _WARNING, "A variable that never changes."
    FRACTION_LOST = (
        "fraction-lost",
        _HINT,
        "A whole number computed from an expression that may have a fraction.",
    )
    UNDECLARED_RANGE = (
        "undeclared-range",
        _WARNING,
        "A description mentions a range, but the variable has no `min` and `max`.",
    )
    THRESHOLD_OUT_OF_RANGE = (
        "threshold-out-of-range",
        _WARNING,
        "A threshold at which a value is never, or always, critical.",
    )
    UNKNOWN_ITEM = "unknown-item", _WARNING, "A list of items contains one that is not in items.yaml."
    UNUSED_ITEM = "unused-item", _WARNING, "An item that nothing gives, shows or mentions."
    UNUSED_NPC = "unused-npc", _WARNING, "A character that nothing mentions."
    UNKNOWN_WHERE = "unknown-where", _WARNING, "A character is at a place that does not exist."
    LORE_NEVER_TOLD = "lore-never-told", _WARNING, "A lore entry that is never used."
    HIDDEN_IN_PROMPT = "hidden-in-prompt", _WARNING, "A hidden text that every prompt contains."

    def __init__(self, text: str, severity: Severity, meaning: str) -> None:
        self.text = text
        self.severity = severity
        self.meaning = meaning

    def fault(self, place: SourcePlace, message: str, suggestion: str) -> Fault:
        """Return a fault of this kind. Every fault has a suggestion."""
        return Fault(self.text, message, place, suggestion, self.severity)


FAULTS_MAX = 500
"""Faults reported for one folder. Nobody reads more, and a hostile folder could cause millions."""


class FaultList:
    """Collects faults; each code is reported once per place."""

    def __init__(self) -> None:
        self._faults: dict[tuple[str, SourcePlace], Fault] = {}
        self.stumbles = 0
        """How many problems readers have met. If it grew during a read, the result is incomplete."""

    @property
    def full(self) -> bool:
        """Whether the list has reached its limit."""
        return len(self._faults) >= FAULTS_MAX

    @property
    def has_errors(self) -> bool:
        """Whether any fault keeps the folder from becoming a game."""
        return any(fault.severity is Severity.ERROR for fault in self._faults.values())

    def report(self, code: FaultCode, place: SourcePlace, message: str, suggestion: str) -> None:
        """Add a fault."""
        self.add(code.fault(place, message, suggestion))

    def add(self, fault: Fault) -> None:
        """Add a fault that was created elsewhere, for example by a system in a file it reads."""
        self.stumbles += 1
        if not self.full:
            # Invisible and control characters are escaped.
            message, suggestion = (
                make_safe(text, FAULT_MESSAGE) for text in (fault.message, fault.suggestion)
            )
            told = replace(fault, message=message, suggestion=suggestion)
            self._faults.setdefault((fault.code, fault.place), told)

    def remark(self, code: FaultCode, place: SourcePlace, message: str, suggestion: str) -> None:
        """Add a fault about something that was still read completely."""
        self.report(code, place, message, suggestion)
        self.stumbles -= 1

    def suggest(self, word: str, names: Collection[str], noun: str = "names") -> str:
        """Suggest what to write instead of a word that is not one of the names."""
        if self.full:
            return ""
        near = nearest(word, names)
        if near:
            return f"Write `{near}`."
        return f"The {noun} here are: {listed(names)}." if names else f"There are no {noun} here."

    def faults(self) -> tuple[Fault, ...]:
        """All faults, in the order of the files."""
        return tuple(sorted(self._faults.values(), key=lambda fault: (fault.place, fault.code)))
