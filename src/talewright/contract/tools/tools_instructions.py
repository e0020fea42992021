"""Instructions of the tools dialect: its rules and the demands of a repair, in English and Chinese.

The same game and language give the same bytes; they contain nothing of a running campaign.
"""

from talewright.common.frozen_values import frozen
from talewright.common.language_tags import pick_words
from talewright.contract.dialect import AnswerGround
from talewright.contract.tools.engine_tools import OFFER_CHOICES
from talewright.kernel.judging.rulings import Flaw


@frozen
class _Words:
    """All texts in one language."""

    rules: str
    short_rules: str
    wrong: str
    whole: str
    """What is wanted in an ordinary answer."""

    moves: str
    """What is wanted in the first request of `moves_first`."""

    updates: str
    """What is wanted if the narration is already accepted."""


_ENGLISH = _Words(
    rules=f"""\
# How to answer
Whatever happens by the rules happens by a tool: call it, read its result, then tell. Never write a call, \
JSON or code as text, and never tell what a tool has not granted; a refused call says what would be accepted.
When all is done, write the narration as plain text: second person and present tense unless the style notes \
of the game say otherwise. Never decide, speak or act for the player. No numbers of the state, no lists of \
choices in it. With it, call {OFFER_CHOICES} once.
""",
    short_rules="""\
# How to answer
What the player tries happens by a tool: call it first. Then tell what came of it as plain text: two or \
three sentences, "you", in the present tense. Never act for the player. No code, no lists.
""",
    wrong="Your last answer could not be used:",
    whole="Call the tools you need, or tell what happens as plain text.",
    moves="Answer with tool calls alone, without any narration.",
    updates="The narration stands and has been shown; do not repeat it. Answer with tool calls alone.",
)

_CHINESE = _Words(
    rules=f"""\
# 回答格式
凡由规则决定的事都通过工具发生：先调用工具，读取结果，再讲述。绝不把调用、JSON 或代码写成文字，\
也绝不讲述工具没有准许的事；调用若被拒绝，会说明怎样才行。
一切办妥后，用纯文字写叙事：第二人称、现在时，除非本游戏的文风要求另有规定。绝不替玩家做决定、说话或行动。\
其中不写状态数值，不列选项。同时调用一次 {OFFER_CHOICES}。
""",
    short_rules="""\
# 回答格式
玩家要做的事通过工具发生：先调用工具，再用纯文字讲结果，两三句话，用“你”和现在时。绝不替玩家行动。不写代码，不列清单。
""",
    wrong="你上一次的回答无法使用：",
    whole="请调用需要的工具，或用纯文字讲述发生的事。",
    moves="请只调用工具，不写叙事。",
    updates="叙事有效，已经展示给玩家，不要重写。只调用工具。",
)


def tool_rules(language: str, *, short: bool = False) -> str:
    """The instructions on how to answer, given to the model once."""
    words = _choose(language)
    return words.short_rules if short else words.rules


def tool_demand(flaws: tuple[Flaw, ...], ground: AnswerGround) -> str:
    """The text of a repair: what was wrong and what is wanted now; without flaws only the latter."""
    words = _choose(ground.language)
    if ground.moves_only:
        wanted = words.moves
    else:
        wanted = words.updates if ground.updates_only else words.whole
    wrong = [words.wrong, *(f"- {flaw.message}" for flaw in flaws)] if flaws else []
    return "\n".join([*wrong, wanted])


def _choose(language: str) -> _Words:
    """The texts of a language; all but Chinese use English."""
    return pick_words(language, {"en": _ENGLISH, "zh-CN": _CHINESE})
