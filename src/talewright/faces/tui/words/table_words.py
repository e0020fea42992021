"""Words of the game table, in English and Chinese.

What happens in the game is told by the views; these are only the face's own.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from talewright.common.language_tags import pick_words
from talewright.faces.tui.words.shared_words import CHINESE_CODE, ENGLISH_CODE


@dataclass(frozen=True, slots=True, kw_only=True)
class TableWords:
    """Said at the table; parts in braces are filled in, the same ones in every language."""

    turn: str
    """Where the story stands, in the line at the top."""

    branch: str
    story: str
    unseen: str
    """Under a story that went on below what is in sight."""

    cards: str
    """The two tabs of a narrow terminal."""

    no_cards: str
    """Beside a story that has no cards, or none yet."""

    line_free: str
    """In the empty input line where words of one's own are understood."""

    line_words: str
    """The same, where there is nothing that a number could take."""

    line_fixed: str
    line_busy: str
    line_decision: str
    line_ended: str
    line_read_only: str
    note: str
    """In the empty field for a note to an answer."""

    note_why: str
    """The same, where the words are the answer."""

    busy: str
    """When something is sent while a turn runs."""

    answer_first: str
    no_such_number: str
    nothing_to_choose: str
    risks: Mapping[str, str]
    """By the name of the risk; a low one is not told."""

    range: str
    stopping: str
    working: str
    """Before the engine says what it is doing."""

    done: str
    critical: str
    """When something has just become critical; it stands in the status bar too."""

    join: str
    """Between several such things."""

    unfinished: str
    unfinished_yes: str
    unfinished_no: str
    won: str
    lost: str
    ended: str
    end_again: str
    end_again_hint: str
    end_tree: str
    end_undo: str
    end_lobby: str
    read_first: str
    """When one of these is taken while the end is still below what is in sight."""

    press_number: str
    """When Enter is pressed on the one that begins a new game."""

    read_only: str
    back_at: str
    at_start: str
    moved: str
    """When the story went on elsewhere."""

    mark_title: str
    mark_label: str
    mark_hint: str
    mark_do: str
    saved: str
    load_title: str
    no_marks: str
    retry_title: str
    retry_label: str
    retry_hint: str
    retry_do: str
    retry_same: str
    """When it would only be told a second time."""

    dice: str
    inspector_hidden: str
    """When the inspector is asked for and was not switched on."""

    needs_turn: str
    """When the inspector is asked for before there is a turn."""


ENGLISH = TableWords(
    turn="turn {version}",
    branch="branch {name}",
    story="Story",
    unseen="↓ it goes on",
    cards="Cards",
    no_cards="Nothing here yet.",
    line_free="What do you do?  A number takes a choice.",
    line_words="What do you do?",
    line_fixed="Type a number, or the words of a choice.",
    line_busy="You can type ahead. Esc stops the turn.",
    line_decision="A number answers the question.",
    line_ended="The story has ended.",
    line_read_only="This campaign can be read, not played on.",
    note="A word of your own, if you like",
    note_why="Say it in your own words, and press Enter",
    busy="One moment: the story is being told. Esc stops it.",
    answer_first="There is a question to answer first.",
    no_such_number="There is no {number} here; the last one is {last}.",
    nothing_to_choose="Nothing to choose here. ctrl+z takes back a turn.",
    risks={"medium": "some risk", "high": "high risk"},
    range="{low} to {high}",
    stopping="Stopping",
    working="One moment",
    done="Saved",
    critical="Critical: {items}",
    join=", ",
    unfinished="Your last turn was not finished. You had said:",
    unfinished_yes="Go on with it",
    unfinished_no="Drop it, and choose again",
    won="The end. You have won.",
    lost="The end. You have lost.",
    ended="The end.",
    end_again="Play it again",
    end_again_hint="from the beginning, as a new campaign",
    end_tree="Look at the ways it could have gone",
    end_undo="Take back the last turn",
    end_lobby="Back to the lobby",
    read_first="The story goes on below. Enter reads on.",
    press_number="Enter only reads on. {number} begins a new game.",
    read_only="This campaign can be read, not played on.",
    back_at="Back at turn {version}.",
    at_start="This is the beginning; there is nothing to take back.",
    moved="The story went on elsewhere, and stands here now.",
    mark_title="Save this place",
    mark_label="A name for it; the story itself is always kept",
    mark_hint="before the pier",
    mark_do="Save this place",
    saved="Saved as {name}. ctrl+l comes back to it.",
    load_title="Go to a saved place",
    no_marks="No place is saved by name yet. ctrl+s does it.",
    retry_title="The last turn once more",
    retry_label="Say something else instead, or just press Enter",
    retry_hint="the same words",
    retry_do="Play it again",
    retry_same="No model: it would go the same way. ctrl+z goes back.",
    dice="Dice",
    inspector_hidden="The inspector tells secrets. ctrl+p switches it on.",
    needs_turn="There is no turn to look into yet.",
)

CHINESE = TableWords(
    turn="第 {version} 回合",
    branch="分支 {name}",
    story="故事",
    unseen="↓ 还有下文",
    cards="卡片",
    no_cards="这里还没有东西。",
    line_free="你要做什么？按数字直接选。",
    line_words="你要做什么？",
    line_fixed="按数字，或输入选项里的话。",
    line_busy="可以先打字。按 Esc 停下这一回合。",
    line_decision="按数字回答上面的问题。",
    line_ended="故事已经结束。",
    line_read_only="这个存档只能看，不能再往下玩。",
    note="想说的话，可以不填",
    note_why="用自己的话说，然后按回车",
    busy="稍等，故事正讲着。按 Esc 可以停下。",
    answer_first="得先回答眼前的问题。",
    no_such_number="没有第 {number} 项，最后一项是 {last}。",
    nothing_to_choose="这里没有可选的。ctrl+z 收回一回合。",
    risks={"medium": "有些风险", "high": "风险很大"},
    range="{low} 至 {high}",
    stopping="正在停下",
    working="稍等",
    done="已保存",
    critical="告急：{items}",
    join="、",
    unfinished="上一回合没有走完。你当时说：",
    unfinished_yes="接着走完",
    unfinished_no="不管它，重新选",
    won="剧终。你赢了。",
    lost="剧终。你输了。",
    ended="剧终。",
    end_again="再玩一次",
    end_again_hint="从头开始，另存一份",
    end_tree="看看别的走法",
    end_undo="收回最后一回合",
    end_lobby="回到大厅",
    read_first="下面还有。按回车往下看。",
    press_number="回车只用来往下看。要重新开始，请按 {number}。",
    read_only="这个存档只能看，不能再往下玩。",
    back_at="回到第 {version} 回合。",
    at_start="这里就是开头，没有可以收回的了。",
    moved="故事在别处往前走了。现在到了这里。",
    mark_title="记下此处",
    mark_label="起个名字；故事本身一直都有保存",
    mark_hint="去码头之前",
    mark_do="记下此处",
    saved="已记作 {name}。按 ctrl+l 可以回来。",
    load_title="回到记下的地方",
    no_marks="还没有记下的地方。按 ctrl+s 可以记一处。",
    retry_title="上一回合重来",
    retry_label="换个说法；直接回车就照原话再来",
    retry_hint="原话",
    retry_do="重来",
    retry_same="没有模型，重来也是一样。按 ctrl+z 收回这一回合。",
    dice="掷骰",
    inspector_hidden="检视页会剧透。要看的话，先按 ctrl+p 打开它。",
    needs_turn="还没有可以检视的回合。",
)


def table_words(language: str) -> TableWords:
    """The words nearest to a language."""
    return pick_words(language, {ENGLISH_CODE: ENGLISH, CHINESE_CODE: CHINESE})
