"""Words of the game table, in English and Chinese.

What happens in the game comes from the views.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from talewright.common.language_tags import pick_words
from talewright.faces.tui.words.shared_words import CHINESE_CODE, ENGLISH_CODE


@dataclass(frozen=True, slots=True, kw_only=True)
class TableWords:
    """Words of the table; placeholders are the same in every language."""

    turn: str
    """The current turn, in the top line."""

    branch: str
    story: str
    unseen: str
    """Shown when the story continues below the visible part."""

    cards: str
    """The two tabs of a narrow terminal."""

    no_cards: str
    """Shown when there are no cards, or none yet."""

    line_free: str
    """In the empty input line where free input is understood."""

    line_words: str
    """The same, where there are no numbered choices."""

    line_fixed: str
    line_busy: str
    line_decision: str
    line_ended: str
    line_read_only: str
    note: str
    """Placeholder of the field for a note to an answer."""

    note_why: str
    """The same, where the note is the answer."""

    busy: str
    """When something is sent while a turn runs."""

    answer_first: str
    no_such_number: str
    nothing_to_choose: str
    risks: Mapping[str, str]
    """By risk; a low risk is not shown."""

    range: str
    stopping: str
    working: str
    """Until the engine reports what it is doing."""

    waited: str
    """How long a turn has run."""

    waited_usual: str
    """The same, where it is known how long it usually takes."""

    waited_longer: str
    """The same, where it already takes longer."""

    skipping: str
    skip_not: str
    """When the player does not want to wait, and the game has no written scene for the turn."""

    skip_nothing: str
    """The same, when no turn is running."""

    done: str
    critical: str
    """When a value has just become critical; the status bar shows it too."""

    join: str
    """Separates several such values."""

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
    """When one of these is chosen before the player has read to the end."""

    press_number: str
    """When Enter is pressed on the option that starts a new game."""

    read_only: str
    back_at: str
    at_start: str
    moved: str
    """When the story was continued in another session."""

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
    """When a retry would only repeat the turn."""

    dice: str
    inspector_hidden: str
    """When the inspector is requested but turned off."""

    needs_turn: str
    """When the inspector is requested before the first turn."""


ENGLISH = TableWords(
    turn="turn {version}",
    branch="branch {name}",
    story="Story",
    unseen="↓ more",
    cards="Cards",
    no_cards="Nothing here yet.",
    line_free="What do you do?  Or type a number.",
    line_words="What do you do?",
    line_fixed="Type a number, or the words of a choice.",
    line_busy="You can type ahead. Esc stops the turn.",
    line_decision="Type a number to answer.",
    line_ended="The story has ended.",
    line_read_only="This campaign can be read, not continued.",
    note="Add a note (optional)",
    note_why="Type your answer, then press Enter",
    busy="A turn is in progress. Esc stops it.",
    answer_first="Answer the question first.",
    no_such_number="There is no choice {number}; the last one is {last}.",
    nothing_to_choose="Nothing to choose here. ctrl+z undoes a turn.",
    risks={"medium": "some risk", "high": "high risk"},
    range="{low} to {high}",
    stopping="Stopping",
    working="One moment",
    waited="{seconds} s",
    waited_usual="{seconds} s of about {usual} s",
    waited_longer="{seconds} s, usually {usual} s",
    skipping="Continuing without the model",
    skip_not="No written scene for this turn. Esc stops it.",
    skip_nothing="No turn is in progress.",
    done="Saved",
    critical="Critical: {items}",
    join=", ",
    unfinished="Your last turn was not finished. You had said:",
    unfinished_yes="Continue with it",
    unfinished_no="Drop it and choose again",
    won="The end. You have won.",
    lost="The end. You have lost.",
    ended="The end.",
    end_again="Play again",
    end_again_hint="from the beginning, as a new campaign",
    end_tree="See the choices you did not take",
    end_undo="Undo the last turn",
    end_lobby="Back to the lobby",
    read_first="There is more below. Press Enter to read on.",
    press_number="Enter only scrolls. Type {number} to start a new game.",
    read_only="This campaign can be read, not continued.",
    back_at="Back at turn {version}.",
    at_start="This is the beginning; there is nothing to undo.",
    moved="The story continued elsewhere; here is the latest turn.",
    mark_title="Save this place",
    mark_label="A name for it (every turn is saved anyway)",
    mark_hint="before the pier",
    mark_do="Save this place",
    saved="Saved as {name}. ctrl+l returns to it.",
    load_title="Return to a saved place",
    no_marks="No saved places yet. Press ctrl+s to save one.",
    retry_title="Play the last turn again",
    retry_label="Say something else, or press Enter to repeat",
    retry_hint="the same words",
    retry_do="Play again",
    retry_same="Without a model, it would repeat. ctrl+z goes back.",
    dice="Dice",
    inspector_hidden="The inspector reveals secrets. Turn it on with ctrl+p.",
    needs_turn="There is no turn to inspect yet.",
)

CHINESE = TableWords(
    turn="第 {version} 回合",
    branch="分支 {name}",
    story="故事",
    unseen="↓ 更多",
    cards="卡片",
    no_cards="这里还没有东西。",
    line_free="你要做什么？也可以输入数字。",
    line_words="你要做什么？",
    line_fixed="输入数字，或输入选项里的话。",
    line_busy="可以先打字。按 Esc 停止这一回合。",
    line_decision="输入数字来回答。",
    line_ended="故事已经结束。",
    line_read_only="这个存档只能阅读，不能继续玩。",
    note="补充说明（可以不填）",
    note_why="输入你的回答，然后按回车",
    busy="正在讲述这一回合。按 Esc 停止。",
    answer_first="请先回答眼前的问题。",
    no_such_number="没有第 {number} 项，最后一项是 {last}。",
    nothing_to_choose="这里没有可选的。ctrl+z 撤销一回合。",
    risks={"medium": "有些风险", "high": "风险很大"},
    range="{low} 至 {high}",
    stopping="正在停止",
    working="稍等",
    waited="{seconds} 秒",
    waited_usual="{seconds} 秒，通常约 {usual} 秒",
    waited_longer="{seconds} 秒，比通常的 {usual} 秒久",
    skipping="不等模型，继续",
    skip_not="这一回合没有写好的场景。按 Esc 停止。",
    skip_nothing="现在没有进行中的回合。",
    done="已保存",
    critical="告急：{items}",
    join="、",
    unfinished="上一回合没有完成。你当时说：",
    unfinished_yes="继续这一回合",
    unfinished_no="放弃，重新选择",
    won="剧终。你赢了。",
    lost="剧终。你输了。",
    ended="剧终。",
    end_again="再玩一次",
    end_again_hint="从头开始，新建存档",
    end_tree="看看没有选的选项",
    end_undo="撤销最后一回合",
    end_lobby="回到大厅",
    read_first="下面还有内容。按回车继续阅读。",
    press_number="回车只用来翻页。要开始新游戏，请按 {number}。",
    read_only="这个存档只能阅读，不能继续玩。",
    back_at="回到第 {version} 回合。",
    at_start="这里就是开头，没有可以撤销的。",
    moved="故事在别处继续了，这是现在的进度。",
    mark_title="保存此处",
    mark_label="名称（每一回合本来就会自动保存）",
    mark_hint="去码头之前",
    mark_do="保存此处",
    saved="已保存为 {name}。按 ctrl+l 可以回来。",
    load_title="回到保存的位置",
    no_marks="还没有保存的位置。按 ctrl+s 保存一个。",
    retry_title="重玩上一回合",
    retry_label="换个说法，或直接回车照原话重来",
    retry_hint="原话",
    retry_do="重来",
    retry_same="没有模型，重来也是一样。按 ctrl+z 撤销这一回合。",
    dice="掷骰",
    inspector_hidden="检视页会剧透。要看的话，按 ctrl+p 打开它。",
    needs_turn="还没有可以检视的回合。",
)


def table_words(language: str) -> TableWords:
    """The words that best match a language."""
    return pick_words(language, {ENGLISH_CODE: ENGLISH, CHINESE_CODE: CHINESE})
