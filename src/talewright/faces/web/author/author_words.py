"""Words of the author's pages, in English and Chinese.

Faults, rulings and reasons come from the engine, in its own words.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from talewright.common.language_tags import pick_words


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorWords:
    """Words of the pages; placeholders are the same in every language."""

    mark: str
    """The label of every page for authors."""

    spoilers: str
    """What that label means."""

    desk: str
    own_games: str
    """The link to the desk."""

    desk_hint: str
    no_games: str
    no_games_hint: str
    playable: str
    unplayable: str
    never_playable: str
    goes_on: str
    """While the files have errors, with the time of the last good version."""

    checked: str
    severities: Mapping[str, tuple[str, str]]
    """One and several, by severity."""

    no_faults: str
    suggestion: str
    other_faults: str
    campaigns: str
    reload: str
    reloaded: str
    """Said when the files have changed."""

    not_here: str
    """At the table of a game that is not on the workbench."""

    as_player: str
    inspect_turn: str
    values: str
    notices: str
    inspector: str
    inspected: str
    turns: str
    earlier: str
    any_value: str
    any_value_hint: str
    show: str
    empty: str
    parts: Mapping[str, str]
    """Titles of the parts of an inspection, by name."""

    part: str
    tokens: str
    weight: str
    never_cut: str
    total_tokens: str
    differs: str
    told: str
    kept_out: str
    asked: str
    """The head of a reply: its number, what it was for, and the model."""

    usage: str
    no_text: str
    calls: str
    rulings: Mapping[str, str]
    """By ruling."""


ENGLISH = AuthorWords(
    mark="Author",
    spoilers="This page shows what players do not see.",
    desk="Games you are working on",
    own_games="Your games",
    desk_hint="When you save a file, the game is checked again. Campaigns switch to the new version between "
    "turns.",
    no_games="You have no games of your own here.",
    no_games_hint="Create one with `talewright new my_game`, then start the server in the folder it is in.",
    playable="can be played",
    unplayable="cannot be played now",
    never_playable="cannot be played yet",
    goes_on="Campaigns continue with the version from {time}.",
    checked="Checked at {time}",
    severities={
        "error": ("{count} error", "{count} errors"),
        "warning": ("{count} warning", "{count} warnings"),
        "hint": ("{count} hint", "{count} hints"),
    },
    no_faults="no faults",
    suggestion="Suggestion",
    other_faults="Warnings and hints",
    campaigns="Campaigns",
    reload="Reload",
    reloaded="The files have changed; the game was checked again.",
    not_here="This game is not one of yours, so its files are not watched.",
    as_player="View as a player",
    inspect_turn="Inspect turn {version}",
    values="All values",
    notices="Notices",
    inspector="Inspector",
    inspected="Everything recorded about turn {version}",
    turns="Turns",
    earlier="Earlier turns",
    any_value="Why does a variable have its value?",
    any_value_hint="its name, such as flags.coin",
    show="Show",
    empty="Nothing is recorded here.",
    parts={
        "sections": "Prompt",
        "lore": "Lore",
        "cuts": "Left out",
        "fit": "Fitted to the model",
        "prefix": "Same as before",
        "replies": "Replies",
        "repairs": "Repairs",
        "rulings": "Rulings",
        "cost": "Cost",
    },
    part="Part",
    tokens="Tokens",
    weight="Weight",
    never_cut="never cut",
    total_tokens="About {count} tokens. If they do not fit, the lowest weights are cut first.",
    differs="The record describes a different prompt: the model's context window has changed since.",
    told="Added in this turn",
    kept_out="Not added",
    asked="{number}. {purpose}, by {model}",
    usage="{read} tokens read, {cached} of them cached; {written} written",
    no_text="(no text)",
    calls="Tool calls",
    rulings={"granted": "granted", "refused": "refused", "waiting": "waiting"},
)

CHINESE = AuthorWords(
    mark="作者",
    spoilers="本页显示玩家看不到的内容。",
    desk="正在制作的游戏",
    own_games="我的游戏",
    desk_hint="保存文件后，游戏会自动重新检查；存档在两个回合之间换用新版本。",
    no_games="这里没有你自己的游戏。",
    no_games_hint="先用 `talewright new my_game` 新建一个，再从它所在的文件夹启动服务器。",
    playable="可以玩",
    unplayable="目前不能玩",
    never_playable="还不能玩",
    goes_on="存档继续使用 {time} 的版本。",
    checked="检查于 {time}",
    severities={
        "error": ("{count} 个错误", "{count} 个错误"),
        "warning": ("{count} 个警告", "{count} 个警告"),
        "hint": ("{count} 条提示", "{count} 条提示"),
    },
    no_faults="没有问题",
    suggestion="建议",
    other_faults="警告和提示",
    campaigns="存档",
    reload="重新加载",
    reloaded="文件有改动，游戏已重新检查。",
    not_here="这不是你自己的游戏，所以不会留意它的文件。",
    as_player="以玩家身份查看",
    inspect_turn="检视第 {version} 回合",
    values="全部数值",
    notices="通知",
    inspector="检视",
    inspected="第 {version} 回合的全部记录",
    turns="回合",
    earlier="更早的回合",
    any_value="某个变量为什么是现在这样？",
    any_value_hint="变量名，例如 flags.coin",
    show="查看",
    empty="这里没有记录。",
    parts={
        "sections": "提示词",
        "lore": "设定",
        "cuts": "删去的",
        "fit": "按模型调整",
        "prefix": "与上次相同",
        "replies": "回答",
        "repairs": "修补",
        "rulings": "裁定",
        "cost": "花费",
    },
    part="部分",
    tokens="词元",
    weight="权重",
    never_cut="不会删",
    total_tokens="约 {count} 个词元。放不下时，先删权重最小的。",
    differs="记录里的提示词与此不同：模型的上下文窗口后来变了。",
    told="本回合加入的",
    kept_out="没有加入的",
    asked="{number}. {purpose}，模型 {model}",
    usage="读入 {read} 个词元，其中 {cached} 个来自缓存；写出 {written} 个",
    no_text="（没有文字）",
    calls="工具调用",
    rulings={"granted": "准许", "refused": "拒绝", "waiting": "等待"},
)


def author_words(language: str) -> AuthorWords:
    """The words that best match a language."""
    return pick_words(language, {"en": ENGLISH, "zh-CN": CHINESE})
