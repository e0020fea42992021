"""Words that every screen of the terminal face shares, in English and Chinese.

Keys and their descriptions are in `key_bindings`, from which the help is generated.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from talewright.common.language_tags import pick_language, pick_words

ENGLISH_CODE = "en"
CHINESE_CODE = "zh-CN"


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedWords:
    """Words used on every screen; placeholders are the same in every language."""

    language: str
    """The language tag."""

    name: str
    """The language's own name for itself."""

    join: str
    """Separates the parts of a line."""

    loading: str
    """While the services are loaded after the first paint."""

    opening: str
    """While a game or a campaign is opened."""

    tagline: str
    """Below the program's name on the title screen."""

    to_lobby: str
    """Below the error when something could not be opened."""

    wrong: str
    wrong_hint: str
    not_kept: str
    """When a preference could not be saved."""

    cancel: str
    close: str
    search: str
    """In the empty line of the command palette."""

    help_title: str
    help_here: str
    help_everywhere: str
    help_typing: str
    help_card: str
    help_foot: str
    leaving: str
    """When ctrl+c is pressed, which does not quit."""

    receipt: str
    """When a campaign is started: its first receipt."""

    theme: str
    themes: Mapping[str, str]
    """Display names of the themes."""

    theme_help: str
    languages: str
    language_help: str
    animations_on: str
    animations_off: str
    animations_help: str
    inspector_on: str
    inspector_off: str
    inspector_help: str


ENGLISH = SharedWords(
    language=ENGLISH_CODE,
    name="English",
    join="; ",
    loading="Loading ...",
    opening="Opening {name} ...",
    tagline="Stories that keep their word",
    to_lobby="Press Enter to go to the lobby.",
    wrong="Something went wrong: {error}",
    wrong_hint="Finished turns are saved. Restart to continue.",
    not_kept="This applies now, but could not be saved for next time: {error}",
    cancel="Cancel",
    close="Close",
    search="What would you like to do?",
    help_title="Keys",
    help_here="On this screen",
    help_everywhere="Everywhere",
    help_typing="In the input line",
    help_card="On a card",
    help_foot="You can also click any of these, or find them with ctrl+p. Esc closes this page.",
    leaving="Press ctrl+q to quit. Everything is saved.",
    receipt="Dice receipt of {campaign}. Keep a copy to prove later that nothing was changed. "
    "`talewright receipt` shows it again.\n{receipt}",
    theme="Colours: {name}",
    themes={
        "talewright-dark": "dark",
        "talewright-light": "light",
        "talewright-contrast": "high contrast",
        "talewright-safe": "safe for colour blindness",
    },
    theme_help="How the screen looks; your choice is saved",
    languages="Language: {name}",
    language_help="The language of the buttons and hints; the story keeps its own",
    animations_on="Turn animations on",
    animations_off="Turn animations off",
    animations_help="Rolling dice and the spinner",
    inspector_on="Show the inspector",
    inspector_off="Hide the inspector",
    inspector_help="For authors: the prompt, replies, rulings and cost of a turn. Reveals secrets.",
)

CHINESE = SharedWords(
    language=CHINESE_CODE,
    name="中文",
    join="；",
    loading="正在加载……",
    opening="正在打开《{name}》……",
    tagline="言出必行的故事",
    to_lobby="按回车前往大厅。",
    wrong="出错了：{error}",
    wrong_hint="已完成的回合都已保存，重新启动即可继续。",
    not_kept="这次已经生效，但没能保存到下次：{error}",
    cancel="取消",
    close="关闭",
    search="想做什么？",
    help_title="按键",
    help_here="本页面",
    help_everywhere="所有页面",
    help_typing="在输入行里",
    help_card="在卡片上",
    help_foot="以上各项也可以用鼠标点击，或按 ctrl+p 查找。按 Esc 关闭本页。",
    leaving="按 ctrl+q 退出。一切都已保存。",
    receipt="{campaign} 的骰子凭据。留一份，以后可以证明没有人改过。"
    "用 `talewright receipt` 可以再看。\n{receipt}",
    theme="配色：{name}",
    themes={
        "talewright-dark": "深色",
        "talewright-light": "浅色",
        "talewright-contrast": "高对比",
        "talewright-safe": "色盲友好",
    },
    theme_help="屏幕的外观；选择会保存",
    languages="语言：{name}",
    language_help="按钮和提示用哪种语言；故事本身不变",
    animations_on="打开动画",
    animations_off="关闭动画",
    animations_help="骰子滚动和加载动画",
    inspector_on="显示检视页",
    inspector_off="隐藏检视页",
    inspector_help="给作者用：一回合的提示词、回答、裁定和花费。会剧透。",
)

SPOKEN: Mapping[str, SharedWords] = {words.language: words for words in (ENGLISH, CHINESE)}
"""The interface languages by tag; the first one is the fallback."""


def spoken(language: str) -> str:
    """The tag of the interface language that best matches a tag."""
    return pick_language(language, SPOKEN, ENGLISH_CODE)


def shared_words(language: str) -> SharedWords:
    """The words that best match a language."""
    return pick_words(language, SPOKEN)
