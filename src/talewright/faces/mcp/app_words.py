"""Words of the table app, in English and Chinese, as its script reads them.

What happens in the game comes from the view; these are only the words around it.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from talewright.common.json_values import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class AppWords:
    """Words of the app; placeholders are the same in every language."""

    language: str
    turn: str
    you: str
    dice: str
    colon: str
    critical: str
    choices: str
    risks: Mapping[str, str]
    """By risk; a low risk is not shown."""

    free: str
    fixed: str
    send: str
    note: str
    unfinished: str
    go_on: str
    wait: str
    told: str
    """Shown until a game master has answered the player."""

    the_end: str
    won: str
    lost: str
    failed: str
    map: str
    graph: str


ENGLISH = AppWords(
    language="en",
    turn="Turn {version}",
    you="You",
    dice="Dice",
    colon=": ",
    critical="critical",
    choices="What do you do?",
    risks={"medium": "some risk", "high": "high risk"},
    free="Or in your own words",
    fixed="Or type the words of a choice",
    send="Send",
    note="Add a note (optional)",
    unfinished="Your last turn was not finished. You had said:",
    go_on="Continue with it",
    wait="One moment",
    told="You: {said}",
    the_end="The end",
    won="You have won.",
    lost="You have lost.",
    failed="That did not work. Try again, or tell the assistant in the chat.",
    map="Map",
    graph="Links",
)

CHINESE = AppWords(
    language="zh-CN",
    turn="第 {version} 回合",
    you="你",
    dice="掷骰",
    colon="：",
    critical="告急",
    choices="你要做什么？",
    risks={"medium": "有些风险", "high": "风险很大"},
    free="或者用自己的话说",
    fixed="或者输入选项里的话",
    send="发送",
    note="补充说明（可以不填）",
    unfinished="上一回合没有完成。你当时说：",
    go_on="继续这一回合",
    wait="稍等",
    told="你：{said}",
    the_end="剧终",
    won="你赢了。",
    lost="你输了。",
    failed="没有成功。请再试一次，或者在对话里告诉助手。",
    map="地图",
    graph="关系",
)


def write_app_words() -> dict[str, Json]:
    """The words of every language."""
    return {words.language: asdict(words) for words in (ENGLISH, CHINESE)}
