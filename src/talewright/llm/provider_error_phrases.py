"""Provider error phrases: what each problem means for a player and what to do, in two languages.

The phrases fit every provider; a provider's own words are in the error's message.
"""

from collections.abc import Mapping
from types import MappingProxyType

from talewright.common.frozen_values import frozen
from talewright.common.language_tags import pick_words
from talewright.llm.provider import Trouble


@frozen
class TroubleWords:
    """Two sentences for a player."""

    what: str
    then: str


_ENGLISH: Mapping[Trouble, TroubleWords] = MappingProxyType(
    {
        Trouble.KEY: TroubleWords(
            "The storyteller refused the key.", "Enter it again with `talewright setup`."
        ),
        Trouble.MONEY: TroubleWords(
            "The storyteller's account has no credit left.", "Add credit there, or choose another model."
        ),
        Trouble.BUDGET: TroubleWords(
            "The budget does not cover another reply from the storyteller.",
            "Ask whoever runs the server for a higher one, or choose a cheaper model.",
        ),
        Trouble.MISSING: TroubleWords(
            "There is no such model.", "List the available models with `talewright models`."
        ),
        Trouble.BUSY: TroubleWords("The storyteller is overloaded.", "Wait a minute and try again."),
        Trouble.SLOW: TroubleWords("The storyteller took too long.", "Try again, or choose a faster model."),
        Trouble.UNREACHABLE: TroubleWords(
            "The storyteller could not be reached.",
            "Check that you are online, or that the model on your machine is running.",
        ),
        Trouble.GARBLED: TroubleWords(
            "The storyteller's answer arrived damaged.",
            "Try again. If it happens again, check the address with `talewright doctor`.",
        ),
        Trouble.REQUEST: TroubleWords(
            "The storyteller refused the request.",
            "Choose another model, or see the reason with `talewright inspect`.",
        ),
        Trouble.SPENT: TroubleWords("The script has no reply left.", "Choose a model to continue."),
    }
)
_CHINESE: Mapping[Trouble, TroubleWords] = MappingProxyType(
    {
        Trouble.KEY: TroubleWords("讲述者不接受这个密钥。", "请用 `talewright setup` 重新输入。"),
        Trouble.MONEY: TroubleWords("讲述者那边的账户余额用完了。", "请去充值，或者换一个模型。"),
        Trouble.BUDGET: TroubleWords(
            "预算不够讲述者再回答一次。", "请向服务器管理员申请提高预算，或者换一个便宜些的模型。"
        ),
        Trouble.MISSING: TroubleWords("没有这个模型。", "可用 `talewright models` 查看有哪些模型。"),
        Trouble.BUSY: TroubleWords("讲述者现在太忙。", "请等一分钟再试。"),
        Trouble.SLOW: TroubleWords("讲述者太久没有回答。", "请再试一次，或者换一个更快的模型。"),
        Trouble.UNREACHABLE: TroubleWords(
            "联系不上讲述者。", "请检查网络；如果模型在你自己的电脑上，请确认它已经启动。"
        ),
        Trouble.GARBLED: TroubleWords(
            "讲述者的回答在传输中损坏了。", "请再试一次。如果一直如此，请用 `talewright doctor` 检查地址。"
        ),
        Trouble.REQUEST: TroubleWords(
            "讲述者拒绝了这样的请求。", "请换一个模型，或用 `talewright inspect` 查看原因。"
        ),
        Trouble.SPENT: TroubleWords("脚本里的回答已经用完。", "请选一个模型继续玩。"),
    }
)

_WORDS = {"en": _ENGLISH, "zh-CN": _CHINESE}
"""Languages other than Chinese use English."""


def word_trouble(trouble: Trouble, language: str) -> TroubleWords:
    """The phrases for a player."""
    return pick_words(language, _WORDS)[trouble]
