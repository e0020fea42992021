"""Words of the history screens, in English and Chinese.

Words only; parts in braces are filled in where they are said.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from talewright.common.language_tags import pick_words
from talewright.faces.tui.words.shared_words import CHINESE_CODE, ENGLISH_CODE


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryWords:
    """What the screens that look back say."""

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
    """Of a turn before which nobody said anything."""

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
    """Names of the parts that are known; others keep their own."""


ENGLISH = HistoryWords(
    back="Back",
    looking="Looking back ...",
    join=" · ",
    turn="turn {turn}",
    wrong="Something went wrong: {error}",
    wrong_hint="The campaign is safe.",
    now="now {value}",
    low="lowest {value} (turn {turn})",
    high="highest {value} (turn {turn})",
    range="from {low} to {high}",
    causes="What changed it, newest first",
    no_trail="Nothing is known of this.",
    no_causes="Nothing has changed it yet.",
    by="{cause}",
    reason="Reason: {reason}",
    said="You had said: {said}",
    older="and {count} earlier changes",
    tree="The tree of this campaign",
    here="you are here",
    skipped_one="1 turn",
    skipped="{count} turns",
    start="the beginning",
    picked="picked",
    undo_to="Go back to turn {turn}",
    undo_question="Go back {count} turns?",
    undo_text="Nothing is deleted: the turns stay in the tree.",
    fork="Begin the branch",
    cancel="Cancel",
    fork_from="Begin a branch at turn {turn}",
    fork_name="Name of the branch (you may leave it empty)",
    fork_hint="such as what-if",
    fork_text="You go on from turn {turn}; the other way stays as it is.",
    switch_to="Switch to the branch {branch}",
    pick_for="Pick turn {turn} to compare it",
    unpick="Pick it no more",
    compare_with="Compare turn {turn} with where you are",
    compare_picked="Compare turn {turn} with the one picked (turn {other})",
    inspect="Inspect",
    here_already="You are here already.",
    not_behind="Turn {turn} does not lie behind you. Begin a branch there, or switch to its branch.",
    no_branch="No branch ends here. Begin one: b",
    which_branch="Which branch?",
    pick_one="Turn {turn} is picked. Go to another one and press c.",
    pick_first="Pick another turn first: move to it and press Space.",
    not_a_turn="These turns are folded away. Press a to see them.",
    untaken="You could have done this at turn {turn}. Enter begins a branch there.",
    what_now="Turn {turn}",
    yes="Go back",
    no="Stay",
    compare_title="Two ways the story went",
    parted="Up to turn {turn} both are the same.",
    alone="{name}: {count} turns of its own",
    alone_one="{name}: 1 turn of its own",
    alone_none="No turn of its own.",
    differences="What stands otherwise",
    same="At the two ends everything stands the same.",
    left_out="({count} more)",
    inspector="All that is recorded of turn {turn}",
    inspector_warning="! This spoils the game",
    inspector_text="The inspector is for whoever writes games. It shows what players do not see: the whole "
    "prompt, raw replies, secrets and what the rules decided. It does not ask again.",
    show="Show it",
    search="Find",
    search_hint="what to find, then Enter",
    found="{at} of {count}",
    found_none="Not found here.",
    again="Next",
    empty="Nothing is recorded here.",
    parts=MappingProxyType(
        {
            "sections": "Prompt",
            "lore": "Lore",
            "cuts": "Left out",
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
            "narration": "Told",
            "usage": "Usage",
            "exchanges": "Exchanges",
        }
    ),
)

CHINESE = HistoryWords(
    back="返回",
    looking="正在回看……",
    join=" · ",
    turn="第 {turn} 回合",
    wrong="出了差错：{error}",
    wrong_hint="存档没有受损。",
    now="现在 {value}",
    low="最低 {value}（第 {turn} 回合）",
    high="最高 {value}（第 {turn} 回合）",
    range="范围 {low} 至 {high}",
    causes="变化的缘由，新的在前",
    no_trail="对此一无所知。",
    no_causes="还没有变化过。",
    by="出自{cause}",
    reason="缘由：{reason}",
    said="当时你说：{said}",
    older="更早还有 {count} 次变化",
    tree="故事树",
    here="你在这里",
    skipped_one="1 个回合",
    skipped="{count} 个回合",
    start="开头",
    picked="已挑选",
    undo_to="退回第 {turn} 回合",
    undo_question="退回 {count} 个回合？",
    undo_text="什么都不会删除：这些回合还留在树上。",
    fork="另开一支",
    cancel="取消",
    fork_from="从第 {turn} 回合另开一支",
    fork_name="分支的名字（可以不填）",
    fork_hint="比如 what-if",
    fork_text="从第 {turn} 回合往下走；原来那条路照旧留着。",
    switch_to="转到分支 {branch}",
    pick_for="挑出第 {turn} 回合来比较",
    unpick="不再挑它",
    compare_with="拿第 {turn} 回合和现在比较",
    compare_picked="拿第 {turn} 回合和挑出的第 {other} 回合比较",
    inspect="检视",
    here_already="你就在这里。",
    not_behind="第 {turn} 回合不在你走过的路上。可以从那里另开一支，或者转到它的分支。",
    no_branch="没有分支停在这里。可以另开一支：b",
    which_branch="转到哪个分支？",
    pick_one="已挑出第 {turn} 回合。到另一个回合上按 c。",
    pick_first="请先再挑一个回合：移过去按空格。",
    not_a_turn="这些回合折叠起来了。按 a 展开。",
    untaken="第 {turn} 回合时本可以这样做。按回车，就从那里另开一支。",
    what_now="第 {turn} 回合",
    yes="退回",
    no="留下",
    compare_title="故事的两种走法",
    parted="到第 {turn} 回合为止，两边相同。",
    alone="{name}：独有 {count} 个回合",
    alone_one="{name}：独有 1 个回合",
    alone_none="没有独有的回合。",
    differences="不同之处",
    same="到头来，两边的局面一样。",
    left_out="（还有 {count} 个）",
    inspector="第 {turn} 回合的全部记录",
    inspector_warning="! 这会剧透",
    inspector_text="检视是给写游戏的人用的。它会显示玩家看不到的东西：完整的提示词、原始回答、秘密和规则的裁定。之后不再提醒。",
    show="显示",
    search="查找",
    search_hint="要找的字，按回车",
    found="第 {at} 处，共 {count} 处",
    found_none="这里没有。",
    again="下一处",
    empty="这里没有记录。",
    parts=MappingProxyType(
        {
            "sections": "提示词",
            "lore": "设定",
            "cuts": "删去的",
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
            "narration": "讲述",
            "usage": "用量",
            "exchanges": "往来",
        }
    ),
)


def history_words(language: str) -> HistoryWords:
    """The words of looking back nearest to a language."""
    return pick_words(language, {ENGLISH_CODE: ENGLISH, CHINESE_CODE: CHINESE})
