"""Words of the pages for reading offline, in English and Chinese.

The stories themselves are in their own languages.
"""

from dataclasses import dataclass

from talewright.common.language_tags import pick_words


@dataclass(frozen=True, slots=True, kw_only=True)
class OfflineWords:
    """Words of the pages that a browser shows while it cannot reach the server."""

    description: str
    """What the app is, where it is installed."""

    away: str
    kept: str
    """Above the list of the stories that can be read."""

    nothing_kept: str
    copy: str
    """On each copy of a story: what it is."""

    to_table: str
    to_list: str
    try_again: str
    part: str
    """Which turns a copy has."""

    not_yet: str


ENGLISH_OFFLINE = OfflineWords(
    description="Games narrated by a language model, where the rules decide.",
    away="The server cannot be reached",
    kept="You can read these stories offline:",
    nothing_kept="This browser has not saved any stories yet. It saves the ones you open.",
    copy="A copy for reading offline, saved in this browser.",
    to_table="Continue playing",
    to_list="All stories",
    try_again="Try again",
    part="Turns {first} to {last}",
    not_yet="The story has not started yet.",
)

CHINESE_OFFLINE = OfflineWords(
    description="由语言模型讲述、规则说了算的游戏。",
    away="连不上服务器",
    kept="这些故事可以离线阅读：",
    nothing_kept="这个浏览器里还没有保存故事。打开过的故事会自动保存，供离线阅读。",
    copy="供离线阅读的副本，保存在这个浏览器里。",
    to_table="继续玩",
    to_list="所有故事",
    try_again="再试一次",
    part="第 {first} 至 {last} 回合",
    not_yet="故事还没有开始。",
)


def offline_words(language: str) -> OfflineWords:
    """The words that best match a language."""
    return pick_words(language, {"en": ENGLISH_OFFLINE, "zh-CN": CHINESE_OFFLINE})
