"""Words: the small forms that several files share: ids, languages, conditions, dice.

Only their spelling is known here.
"""

from talewright.kernel.conditions.expression_parser import EXPRESSION_LENGTH_MAX
from talewright.kernel.dice.dice_tree import DEFAULT_LIMITS
from talewright.kernel.state.state_paths import PATH_LENGTH_MAX
from talewright.pack.forms.containers import ListOf
from talewright.pack.forms.scalars import LINE_LENGTH_MAX, TEXT_LENGTH_MAX, Text, Word, Written

MEMBER_PATTERN = r"[A-Za-z][A-Za-z0-9_]{0,63}"
NAME_PATTERN = r"[A-Za-z0-9_][A-Za-z0-9_-]{0,63}"

VARIABLE_NAME = Word(MEMBER_PATTERN, "an id of ASCII letters, digits and _", "main_gate")
"""An id that conditions can name."""

NAME = Word(NAME_PATTERN, "an id of ASCII letters, digits, _ and -", "main_gate")
LANGUAGE = Word(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}", "a language such as en or zh-CN", "zh-CN")
PATH = Text(PATH_LENGTH_MAX, expects="a path such as time.minute", example="time.minute")
DIE = Text(LINE_LENGTH_MAX, expects="a die such as d20", example="d20")
CONDITION = Written("a condition such as hp <= 0", EXPRESSION_LENGTH_MAX, truths=True)
EXPRESSION = Written("an expression such as strength + level", EXPRESSION_LENGTH_MAX, truths=True)
DICE = Written("dice such as 2d6+1", DEFAULT_LIMITS.length)
LINE = Text(LINE_LENGTH_MAX)
"""A label, a hint, a reason."""

WORD = Text(LINE_LENGTH_MAX)
PROSE = Text(TEXT_LENGTH_MAX)
LINES = ListOf(LINE)
PROSE_LIST = ListOf(PROSE)
