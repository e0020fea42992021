"""Words of the browser's pages, in English and Chinese.

What happens in the game comes from the views; errors of the engine come with their own words.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from talewright.common.language_tags import pick_words

PAGE_LANGUAGES: Mapping[str, str] = {"en": "English", "zh-CN": "中文"}
"""The languages of the pages, with their own names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebWords:
    """Words of the pages; placeholders are the same in every language."""

    language: str
    to_story: str
    """The link that skips to the story."""

    lobby: str
    subtitle: str
    games: str
    no_games: str
    campaigns: str
    no_campaigns: str
    begin: str
    go_on: str
    told_in: str
    """The language of a new story."""

    needs_model: str
    turns_about: str
    damaged: str
    damaged_hint: str
    turn: str
    branch: str
    story: str
    earlier: str
    newest: str
    """The link from an earlier part of the story to the newest turn."""

    you: str
    dice: str
    status: str
    changed: str
    cards: str
    panels: str
    no_cards: str
    critical: str
    choices: str
    risks: Mapping[str, str]
    """By risk; a low risk is not shown."""

    free: str
    fixed: str
    send: str
    note: str
    answer: str
    unfinished: str
    unfinished_yes: str
    retry: str
    undo: str
    carry_on: str
    """The button that continues the story without an input."""

    wait: str
    wait_hint: str
    """On a page without scripts, while a turn is in progress."""

    waited: str
    waited_usual: str
    stop: str
    skip: str
    lost_connection: str
    saved: str
    moved: str
    unreachable: str
    the_end: str
    won: str
    lost: str
    again: str
    read: str
    read_forms: tuple[tuple[str, str], ...]
    """The formats in which a story can be downloaded: export format, and name."""

    why: str
    """Heading of the changes of one value."""

    unchanged: str
    back: str
    colon: str
    read_only: str
    nothing_to_choose: str
    display: str
    theme: str
    themes: tuple[tuple[str, str], ...]
    size: str
    sizes: tuple[tuple[str, str], ...]
    tongue: str
    """The language of the pages outside a story."""

    apply: str
    log_out: str
    read_aloud: str
    pause_reading: str
    resume_reading: str
    stop_reading: str
    teller: str
    """The link from a table to the models."""

    error: str
    map: str
    graph: str
    here: str
    links: str
    for_authors: str


ENGLISH = WebWords(
    language="en",
    to_story="Skip to the story",
    lobby="All stories",
    subtitle="Start a story, or continue one.",
    games="Games",
    no_games="No games found. Start the server in a folder that has one, or import a scenario.",
    campaigns="Continue",
    no_campaigns="You have not started a story yet. Every turn is saved as you play.",
    begin="Start",
    go_on="Continue",
    told_in="Language of the story",
    needs_model="needs a model",
    turns_about="about {turns} turns",
    damaged="damaged",
    damaged_hint="Rebuild it: talewright saves recover {campaign}",
    turn="Turn {version}",
    branch="branch {name}",
    story="Story",
    earlier="Earlier turns",
    newest="To the newest turn",
    you="You",
    dice="Dice",
    status="Status",
    changed="Changes",
    cards="Cards",
    panels="Sheets and maps",
    no_cards="Nothing here yet.",
    critical="critical",
    choices="What do you do?",
    risks={"medium": "some risk", "high": "high risk"},
    free="Or in your own words",
    fixed="Or type the words of a choice",
    send="Send",
    note="Add a note (optional)",
    answer="Your answer",
    unfinished="Your last turn was not finished. You had said:",
    unfinished_yes="Continue with it",
    retry="Retry",
    undo="Undo",
    carry_on="Continue",
    wait="One moment",
    wait_hint="This page refreshes automatically.",
    waited="{seconds} s",
    waited_usual="{seconds} s of about {usual} s",
    stop="Stop",
    skip="Continue without the model",
    lost_connection="Connection lost. Reconnecting ...",
    saved="Saved",
    moved="The story continued elsewhere; here is the latest turn.",
    unreachable="The server cannot be reached. Your words are still here; try again.",
    the_end="The end",
    won="You have won.",
    lost="You have lost.",
    again="Play again from the beginning",
    read="Download the story",
    read_forms=(("html", "Web page"), ("epub", "E-book"), ("md", "Markdown")),
    why="What changed it",
    unchanged="It has not changed yet.",
    back="Back to the story",
    colon=": ",
    read_only="This campaign can be read, not continued.",
    nothing_to_choose="There is nothing to choose here. Undo goes back a turn.",
    display="Display",
    theme="Theme",
    themes=(("auto", "System"), ("light", "Light"), ("dark", "Dark")),
    size="Text size",
    sizes=(("small", "Small"), ("medium", "Medium"), ("large", "Large")),
    tongue="Language",
    apply="Apply",
    log_out="Log out",
    read_aloud="Read aloud",
    pause_reading="Pause",
    resume_reading="Resume",
    stop_reading="Stop reading",
    teller="Storyteller",
    error="That did not work",
    map="Map",
    graph="Links",
    here="you are here",
    links="{one} and {other}",
    for_authors="For authors",
)

CHINESE = WebWords(
    language="zh-CN",
    to_story="跳到故事",
    lobby="所有故事",
    subtitle="开始一个新故事，或者继续之前的。",
    games="游戏",
    no_games="没有找到游戏。请在有游戏的文件夹里启动服务器，或者导入一个剧本。",
    campaigns="继续",
    no_campaigns="还没有开始任何故事。每一回合都会自动保存。",
    begin="开始",
    go_on="继续",
    told_in="故事的语言",
    needs_model="需要模型",
    turns_about="约 {turns} 回合",
    damaged="有损坏",
    damaged_hint="修复：talewright saves recover {campaign}",
    turn="第 {version} 回合",
    branch="分支 {name}",
    story="故事",
    earlier="更早的回合",
    newest="回到最新的回合",
    you="你",
    dice="掷骰",
    status="状态",
    changed="变化",
    cards="卡片",
    panels="人物与地图",
    no_cards="这里还没有东西。",
    critical="告急",
    choices="你要做什么？",
    risks={"medium": "有些风险", "high": "风险很大"},
    free="或者用自己的话说",
    fixed="或者输入选项里的话",
    send="发送",
    note="补充说明（可以不填）",
    answer="你的回答",
    unfinished="上一回合没有完成。你当时说：",
    unfinished_yes="继续这一回合",
    retry="重来",
    undo="撤销",
    carry_on="让故事继续",
    wait="稍等",
    wait_hint="页面会自动刷新。",
    waited="{seconds} 秒",
    waited_usual="{seconds} 秒，通常约 {usual} 秒",
    stop="停止",
    skip="不等模型，继续",
    lost_connection="连接断开，正在重新连接……",
    saved="已保存",
    moved="故事在别处继续了，这是现在的进度。",
    unreachable="连不上服务器。你的话还在，请再试一次。",
    the_end="剧终",
    won="你赢了。",
    lost="你输了。",
    again="从头再玩一次",
    read="下载故事",
    read_forms=(("html", "网页"), ("epub", "电子书"), ("md", "Markdown")),
    why="变化的由来",
    unchanged="还没有变化过。",
    back="回到故事",
    colon="：",
    read_only="这个存档只能阅读，不能继续玩。",
    nothing_to_choose="这里没有可选的。可以撤销一回合。",
    display="显示",
    theme="主题",
    themes=(("auto", "跟随系统"), ("light", "浅色"), ("dark", "深色")),
    size="字号",
    sizes=(("small", "小"), ("medium", "中"), ("large", "大")),
    tongue="语言",
    apply="应用",
    log_out="退出登录",
    read_aloud="朗读",
    pause_reading="暂停",
    resume_reading="继续朗读",
    stop_reading="停止朗读",
    teller="讲述者",
    error="没有成功",
    map="地图",
    graph="关系",
    here="你在这里",
    links="{one}与{other}",
    for_authors="作者工具",
)


def web_words(language: str) -> WebWords:
    """The words that best match a language."""
    return pick_words(language, {"en": ENGLISH, "zh-CN": CHINESE})
