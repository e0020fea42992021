"""Scalar forms: texts, numbers, flags, fixed words, ids, conditions and dice.

A form reads one scalar. It raises only UnreadableError, after reporting the fault.
"""

import re
from collections.abc import Callable, Collection
from typing import Generic, NoReturn, Protocol, TypeAlias, TypeVar

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.common.name_suggestions import listed
from talewright.errors import SourcePlace
from talewright.kernel.conditions.expression_parser import EXPRESSION_LENGTH_MAX
from talewright.kernel.dice.dice_tree import DEFAULT_LIMITS
from talewright.kernel.state.state_paths import PATH_LENGTH_MAX
from talewright.pack.faults import FaultCode, FaultList
from talewright.pack.files.yaml_nodes import BrokenNode, Node, ScalarNode, describe_node, shorten
from talewright.pack.schema.language_names import guess_tag

T_co = TypeVar("T_co", covariant=True)

Schema: TypeAlias = dict[str, Json]
Shared: TypeAlias = dict[str, Schema]
"""Schemas that are referenced by name; filled while a schema is generated."""


class UnreadableError(Exception):
    """The node does not match the form; its fault is already reported."""


class Form(Protocol[T_co]):
    """What one value may be."""

    @property
    def expects(self) -> str:
        """What it accepts, in words that follow `expected`."""

    def read(self, node: Node, fault_list: FaultList, name: str) -> T_co:
        """Read a node; `name` is the name of the field in messages."""

    def schema(self, shared: Shared) -> Schema:
        """The JSON Schema (draft 2020-12) of what it accepts."""


def refuse(node: Node, fault_list: FaultList, name: str, expects: str, suggestion: str = "") -> NoReturn:
    """Report a node of the wrong type, unless it is broken and already reported."""
    if not isinstance(node, BrokenNode):
        message = f"`{name}`: expected {expects}, found {describe_node(node)}"
        fault_list.report(FaultCode.WRONG_TYPE, node.place, message, suggestion or f"Write {expects}.")
    raise UnreadableError


T = TypeVar("T", bound=str)

TEXT_LENGTH_MAX = 20_000
"""Characters in a passage of prose."""

LINE_LENGTH_MAX = 500
"""Characters in a label, a hint or a reason."""

NAME_LENGTH_MAX = 64
"""Characters in an id."""

_SPOKEN = frozenset({"label", "hint", "title", "text", "message", "also", "name", "word"})
"""Fields whose text players see; a comment right after one is suspicious."""

_TRUE_WORDS = frozenset({"yes", "on", "y", "1", "true"})
_FALSE_WORDS = frozenset({"no", "off", "n", "0", "false"})


@frozen
class TextForm:
    """A text; whitespace alone counts as empty."""

    length_max: int = LINE_LENGTH_MAX
    empty: bool = False
    """Whether an empty text is allowed."""

    expects: str = "a text"
    example: str = ""
    """An example to suggest if putting the value in quotes would not help."""

    def read(self, node: Node, fault_list: FaultList, name: str) -> str:
        if not isinstance(node, ScalarNode) or not isinstance(node.value, str):
            remedy = f"Write it like `{self.example}`." if self.example else _quoting(node)
            refuse(node, fault_list, name, self.expects, remedy)
        text = node.value
        if len(text) > self.length_max:
            _refuse_length(
                node, fault_list, f"`{name}` may have at most {self.length_max} characters, not {len(text)}"
            )
        if not self.empty and not text.strip():
            _refuse_length(node, fault_list, f"`{name}` is empty", "Write a text.")
        if node.comment and not self.example:
            _report_comment(node, fault_list, name)
        return text

    def schema(self, shared: Shared) -> Schema:
        schema: Schema = {"type": "string", "maxLength": self.length_max}
        return schema if self.empty else {**schema, "pattern": r"\S"}


@frozen
class PatternForm:
    """A text with a fixed format: an id, a language, a path."""

    pattern: str
    """A regular expression for the whole text, valid in both Python and JavaScript."""

    expects: str
    example: str
    length_max: int = NAME_LENGTH_MAX
    guess: Callable[[str], str] | None = None
    """Guesses the intended spelling; empty if it cannot."""

    def read(self, node: Node, fault_list: FaultList, name: str) -> str:
        if not isinstance(node, ScalarNode) or not isinstance(node.value, str):
            quoted = isinstance(node, ScalarNode) and re.fullmatch(self.pattern, node.text)
            refuse(node, fault_list, name, self.expects, _quoting(node) if quoted else self._remedy)
        text = node.value
        if len(text) > self.length_max or not re.fullmatch(self.pattern, text):
            message = f'`{name}`: expected {self.expects}, found "{shorten(text)}"'
            meant = self.guess(text) if self.guess else ""
            remedy = f"Write `{meant}`." if meant else self._remedy
            fault_list.report(FaultCode.BAD_NAME, node.place, message, remedy)
            raise UnreadableError
        return text

    @property
    def _remedy(self) -> str:
        return f"Write it like `{self.example}`."

    def schema(self, shared: Shared) -> Schema:
        return {"type": "string", "pattern": f"^(?:{self.pattern})$", "maxLength": self.length_max}


@frozen
class FormulaForm:
    """A condition, an expression or dice; kept as a node, so that a fault can point inside it."""

    expects: str
    length_max: int
    truths: bool = False
    """Whether `true` and `false` are allowed."""

    def read(self, node: Node, fault_list: FaultList, name: str) -> ScalarNode:
        if not isinstance(node, ScalarNode) or not isinstance(node.value, str | bool):
            refuse(node, fault_list, name, self.expects)
        if isinstance(node.value, bool) and not self.truths:
            refuse(node, fault_list, name, self.expects)
        if len(node.text) > self.length_max:
            message = f"`{name}` may have at most {self.length_max} characters, not {len(node.text)}"
            _refuse_length(node, fault_list, message)
        return node

    def schema(self, shared: Shared) -> Schema:
        kinds: Json = ["string", "boolean"] if self.truths else "string"
        return {"type": kinds, "maxLength": self.length_max}


@frozen
class NumberForm:
    """A number, whole or not."""

    minimum: int | float | None = None
    maximum: int | float | None = None

    @property
    def expects(self) -> str:
        return _expected("a number", self.minimum, self.maximum)

    def read(self, node: Node, fault_list: FaultList, name: str) -> int | float:
        value = node.value if isinstance(node, ScalarNode) else None
        if isinstance(value, bool) or not isinstance(value, int | float):
            refuse(node, fault_list, name, self.expects, _unquoting(node))
        _check_range(self, node, value, fault_list, name)
        return value

    def schema(self, shared: Shared) -> Schema:
        return _number_schema("number", self.minimum, self.maximum)


@frozen
class WholeNumberForm:
    """A whole number."""

    minimum: int | None = None
    maximum: int | None = None

    @property
    def expects(self) -> str:
        return _expected("a whole number", self.minimum, self.maximum)

    def read(self, node: Node, fault_list: FaultList, name: str) -> int:
        value = node.value if isinstance(node, ScalarNode) else None
        if isinstance(value, bool) or not isinstance(value, int):
            nearby = f"Write {round(value)}." if isinstance(value, float) else _unquoting(node)
            refuse(node, fault_list, name, self.expects, nearby)
        _check_range(self, node, value, fault_list, name)
        return value

    def schema(self, shared: Shared) -> Schema:
        return _number_schema("integer", self.minimum, self.maximum)


@frozen
class FlagForm:
    """True or false."""

    expects: str = "true or false"

    def read(self, node: Node, fault_list: FaultList, name: str) -> bool:
        if not isinstance(node, ScalarNode) or not isinstance(node.value, bool):
            refuse(node, fault_list, name, self.expects, _truth(node))
        return node.value

    def schema(self, shared: Shared) -> Schema:
        return {"type": "boolean"}


@frozen
class FixedWordForm(Generic[T]):
    """One word of a fixed list."""

    words: Collection[T]

    @property
    def expects(self) -> str:
        return f"one of {listed(self.words)}"

    def read(self, node: Node, fault_list: FaultList, name: str) -> T:
        if not isinstance(node, ScalarNode) or not isinstance(node.value, str):
            refuse(node, fault_list, name, self.expects)
        for word in self.words:
            if word == node.value:
                return word
        message = f'`{name}`: expected {self.expects}, found "{shorten(node.value)}"'
        fault_list.report(
            FaultCode.NOT_ONE_OF, node.place, message, fault_list.suggest(node.value, self.words, "words")
        )
        raise UnreadableError

    def schema(self, shared: Shared) -> Schema:
        return {"enum": [str(word) for word in self.words]}


def _expected(noun: str, minimum: int | float | None, maximum: int | float | None) -> str:
    if minimum is not None and maximum is not None:
        return f"{noun} from {minimum} to {maximum}"
    if minimum is not None:
        return f"{noun} of {minimum} or more"
    return noun if maximum is None else f"{noun} of {maximum} or less"


def _check_range(
    form: NumberForm | WholeNumberForm, node: Node, value: float, fault_list: FaultList, name: str
) -> None:
    if form.minimum is not None and value < form.minimum:
        suggestion = f"Write {form.minimum} or more."
    elif form.maximum is not None and value > form.maximum:
        suggestion = f"Write {form.maximum} or less."
    else:
        return
    message = f"`{name}`: expected {form.expects}, found {describe_node(node)}"
    fault_list.report(FaultCode.OUT_OF_RANGE, node.place, message, suggestion)
    raise UnreadableError


def _number_schema(kind: str, minimum: float | None, maximum: float | None) -> Schema:
    schema: Schema = {"type": kind}
    if minimum is not None:
        schema["minimum"] = minimum
    if maximum is not None:
        schema["maximum"] = maximum
    return schema


def _refuse_length(
    node: ScalarNode, fault_list: FaultList, message: str, suggestion: str = "Shorten it."
) -> None:
    fault_list.report(FaultCode.BAD_LENGTH, node.place, message, suggestion)
    raise UnreadableError


def _report_comment(node: ScalarNode, fault_list: FaultList, name: str) -> None:
    """Report a comment that may be the rest of a text."""
    rest = node.comment.lstrip()
    blanks = len(node.comment) - len(rest)
    # A real comment has two spaces before `#` (one in fields that players do not see) and one after.
    written = re.match("#[ \t]", rest) and not re.match(r"#\s*[0-9]", rest)
    if written and (blanks > 1 or name not in _SPOKEN):
        return
    last = node.place_at(len(node.text) - 1)
    place = SourcePlace(last.file, last.line, last.column + 1 + blanks)
    message = f'`{name}` ends at "{shorten(node.text)}": what follows the `#` is a comment'
    remedy = (
        f'Put the text in quotes: "{shorten(f"{node.text} {rest}")}"; or move the comment to its own line.'
    )
    fault_list.remark(FaultCode.COMMENT_IN_TEXT, place, message, remedy)


def _quoting(node: Node) -> str:
    if isinstance(node, ScalarNode) and node.value is not None:
        return f'Put it in quotes: "{shorten(node.text)}".'
    return "Write a text."


def _unquoting(node: Node) -> str:
    text = node.text.strip() if isinstance(node, ScalarNode) and isinstance(node.value, str) else ""
    return f"Write {text} without quotes." if re.fullmatch(r"-?[0-9]{1,15}(\.[0-9]{1,15})?", text) else ""


def _truth(node: Node) -> str:
    word = node.text.lower() if isinstance(node, ScalarNode) else ""
    if word in _TRUE_WORDS:
        return "Write true."
    return "Write false." if word in _FALSE_WORDS else ""


MEMBER_PATTERN = r"[A-Za-z][A-Za-z0-9_]{0,63}"
NAME_PATTERN = r"[A-Za-z0-9_][A-Za-z0-9_-]{0,63}"

VARIABLE_NAME = PatternForm(MEMBER_PATTERN, "an id of ASCII letters, digits and _", "main_gate")
"""An id that conditions can use."""

NAME = PatternForm(NAME_PATTERN, "an id of ASCII letters, digits, _ and -", "main_gate")
LANGUAGE = PatternForm(
    r"[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}", "a language such as en or zh-CN", "zh-CN", guess=guess_tag
)
COLOR = PatternForm("#[0-9A-Fa-f]{6}", 'a colour such as "#2b4a5f", in quotes', '"#2b4a5f"', 7)
PATH = TextForm(PATH_LENGTH_MAX, expects="a path such as time.minute", example="time.minute")
DIE = TextForm(LINE_LENGTH_MAX, expects="a die such as d20", example="d20")
CONDITION = FormulaForm("a condition such as hp <= 0", EXPRESSION_LENGTH_MAX, truths=True)
EXPRESSION = FormulaForm("an expression such as strength + level", EXPRESSION_LENGTH_MAX, truths=True)
DICE = FormulaForm("dice such as 2d6+1", DEFAULT_LIMITS.length)
LINE = TextForm(LINE_LENGTH_MAX)
"""A label, a hint or a reason."""
PROSE = TextForm(TEXT_LENGTH_MAX)
