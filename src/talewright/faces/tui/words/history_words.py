"""Words of the history screens, in English and Chinese.

Words only; placeholders in braces are filled in by the screens.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from talewright.common.language_tags import pick_words
from talewright.faces.tui.words.shared_words import CHINESE_CODE, ENGLISH_CODE


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryWords:
    """Words of the history screens."""

    back: str
    looking: str
    join: str
    turn: str
    wrong: str
    wrong_hint: str

    now: str
    low: str
    high: str
    range: str
    causes: str
    no_trail: str
    no_causes: str
    by: str
    reason: str
    said: str
    older: str

    tree: str
    here: str
    skipped_one: str
    skipped: str
    start: str
    """Shown for a turn without input."""

    picked: str
    undo_to: str
    undo_question: str
    undo_text: str
    fork: str
    cancel: str
    fork_from: str
    fork_name: str
    fork_hint: str
    fork_text: str
    switch_to: str
    pick_for: str
    unpick: str
    compare_with: str
    compare_picked: str
    inspect: str
    here_already: str
    not_behind: str
    no_branch: str
    which_branch: str
    pick_one: str
    pick_first: str
    not_a_turn: str
    untaken: str
    what_now: str
    yes: str
    no: str

    compare_title: str
    parted: str
    alone: str
    alone_one: str
    alone_none: str
    differences: str
    same: str
    left_out: str

    inspector: str
    inspector_warning: str
    inspector_text: str
    show: str
    search: str
    search_hint: str
    found: str
    found_none: str
    again: str
    empty: str
    parts: Mapping[str, str]
    """Titles of the known parts; others are shown by their own names."""


ENGLISH = HistoryWords(
    back="Back",
    looking="Loading ...",
    join=" · ",
    turn="turn {turn}",
    wrong="Something went wrong: {error}",
    wrong_hint="The campaign is safe.",
    now="now {value}",
    low="lowest {value} (turn {turn})",
    high="highest {value} (turn {turn})",
    range="from {low} to {high}",
    causes="What changed it, newest first",
    no_trail="There is no history of this value.",
    no_causes="Nothing has changed it yet.",
    by="{cause}",
    reason="Reason: {reason}",
    said="You had said: {said}",
    older="and {count} earlier changes",
    tree="Story tree",
    here="you are here",
    skipped_one="1 turn",
    skipped="{count} turns",
    start="the beginning",
    picked="picked",
    undo_to="Go back to turn {turn}",
    undo_question="Go back {count} turns?",
    undo_text="Nothing is deleted: the turns stay in the tree.",
    fork="Start the branch",
    cancel="Cancel",
    fork_from="Start a branch at turn {turn}",
    fork_name="Branch name (optional)",
    fork_hint="for example what-if",
    fork_text="You continue from turn {turn}. The other branch stays as it is.",
    switch_to="Switch to branch {branch}",
    pick_for="Pick turn {turn} for comparison",
    unpick="Clear the picked turn",
    compare_with="Compare turn {turn} with the current one",
    compare_picked="Compare turn {turn} with the picked one (turn {other})",
    inspect="Inspect",
    here_already="You are already here.",
    not_behind="Turn {turn} is not on this branch. Start a branch there, or switch to its branch.",
    no_branch="No branch ends here. Press b to start one.",
    which_branch="Which branch?",
    pick_one="Turn {turn} is picked. Go to another turn and press c.",
    pick_first="Pick another turn first: move to it and press Space.",
    not_a_turn="These turns are folded. Press a to show them.",
    untaken="You could have done this at turn {turn}. Press Enter to start a branch there.",
    what_now="Turn {turn}",
    yes="Go back",
    no="Stay",
    compare_title="Comparison",
    parted="Both are the same up to turn {turn}.",
    alone="{name}: {count} turns since then",
    alone_one="{name}: 1 turn since then",
    alone_none="No turns since then.",
    differences="Differences",
    same="Both end in the same state.",
    left_out="({count} more)",
    inspector="Everything recorded about turn {turn}",
    inspector_warning="! This spoils the game",
    inspector_text="The inspector is for game authors. It shows what players do not see: the full prompt, "
    "raw replies, secrets and rulings. You will not be asked again.",
    show="Show it",
    search="Find",
    search_hint="text to find, then Enter",
    found="{at} of {count}",
    found_none="Not found.",
    again="Next",
    empty="Nothing is recorded here.",
    parts=MappingProxyType(
        {
            "sections": "Prompt",
            "lore": "Lore",
            "cuts": "Left out",
            "fit": "Fitted to the model",
            "prefix": "Same as before",
            "reply": "Reply",
            "replies": "Replies",
            "repairs": "Repairs",
            "rulings": "Rulings",
            "cost": "Cost",
            "input": "Input",
            "changes": "Changes",
            "draws": "Draws",
            "rolls": "Rolls",
            "events": "Events",
            "attempts": "Attempts",
            "narration": "Narration",
            "usage": "Usage",
            "exchanges": "Exchanges",
        }
    ),
)

CHINESE = HistoryWords(
    back="返回",
    looking="正在加载……",
    join=" · ",
    turn="第 {turn} 回合",
    wrong="出了差错：{error}",
    wrong_hint="存档没有受损。",
    now="现在 {value}",
    low="最低 {value}（第 {turn} 回合）",
    high="最高 {value}（第 {turn} 回合）",
    range="范围 {low} 至 {high}",
    causes="变化的原因，新的在前",
    no_trail="没有它的历史记录。",
    no_causes="还没有变化过。",
    by="出自{cause}",
    reason="原因：{reason}",
    said="当时你说：{said}",
    older="更早还有 {count} 次变化",
    tree="故事树",
    here="你在这里",
    skipped_one="1 个回合",
    skipped="{count} 个回合",
    start="开头",
    picked="已选",
    undo_to="退回第 {turn} 回合",
    undo_question="退回 {count} 个回合？",
    undo_text="什么都不会删除：这些回合还留在树上。",
    fork="新建分支",
    cancel="取消",
    fork_from="从第 {turn} 回合新建分支",
    fork_name="分支名称（可以不填）",
    fork_hint="例如 what-if",
    fork_text="从第 {turn} 回合继续；另一个分支保持不变。",
    switch_to="切换到分支 {branch}",
    pick_for="选第 {turn} 回合来比较",
    unpick="取消选择",
    compare_with="比较第 {turn} 回合与当前回合",
    compare_picked="比较第 {turn} 回合与所选的第 {other} 回合",
    inspect="检视",
    here_already="你已经在这里了。",
    not_behind="第 {turn} 回合不在当前分支上。可以从那里新建分支，或者切换到它的分支。",
    no_branch="没有分支停在这里。按 b 新建一个。",
    which_branch="切换到哪个分支？",
    pick_one="已选第 {turn} 回合。到另一个回合上按 c。",
    pick_first="请先选另一个回合：移过去按空格。",
    not_a_turn="这些回合已折叠。按 a 展开。",
    untaken="第 {turn} 回合时本可以这样做。按回车，从那里新建分支。",
    what_now="第 {turn} 回合",
    yes="退回",
    no="留下",
    compare_title="比较",
    parted="到第 {turn} 回合为止，两边相同。",
    alone="{name}：此后 {count} 个回合",
    alone_one="{name}：此后 1 个回合",
    alone_none="此后没有回合。",
    differences="不同之处",
    same="两边最后的状态相同。",
    left_out="（还有 {count} 个）",
    inspector="第 {turn} 回合的全部记录",
    inspector_warning="! 这会剧透",
    inspector_text="检视页是给游戏作者用的。它会显示玩家看不到的内容：完整的提示词、原始回答、秘密和规则的裁定。"
    "之后不再提醒。",
    show="显示",
    search="查找",
    search_hint="输入要找的文字，按回车",
    found="第 {at} 处，共 {count} 处",
    found_none="没有找到。",
    again="下一处",
    empty="这里没有记录。",
    parts=MappingProxyType(
        {
            "sections": "提示词",
            "lore": "设定",
            "cuts": "删去的",
            "fit": "按模型调整",
            "prefix": "与上次相同",
            "reply": "回答",
            "replies": "回答",
            "repairs": "修补",
            "rulings": "裁定",
            "cost": "花费",
            "input": "输入",
            "changes": "变化",
            "draws": "抽取",
            "rolls": "掷骰",
            "events": "事件",
            "attempts": "尝试",
            "narration": "叙述",
            "usage": "用量",
            "exchanges": "往来",
        }
    ),
)


def history_words(language: str) -> HistoryWords:
    """The history words that best match a language."""
    return pick_words(language, {ENGLISH_CODE: ENGLISH, CHINESE_CODE: CHINESE})
