"""Words of the pages for looking back, in English and Chinese.

What happened comes from the views.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from talewright.common.language_tags import pick_words


@dataclass(frozen=True, slots=True, kw_only=True)
class PastPageWords:
    """Words of these pages; placeholders are the same in every language."""

    looking_back: str
    """The name of the links to these pages."""

    history: str
    book: str
    receipts: str
    ending: str
    tree_hint: str
    here: str
    mark: str
    skipped_one: str
    skipped: str
    outcomes: Mapping[str, str]
    """By outcome; any other ending gets the page's own name."""

    every: str
    fewer: str
    rows: str
    rows_before: str
    rows_after: str
    to_here: str
    beginning: str
    branches: str
    go_to_branch: str
    go_back: str
    fork: str
    fork_name: str
    fork_hint: str
    name_turn: str
    name_turn_button: str
    compare: str
    compare_here: str
    compare_with: str
    compare_hint: str
    one: str
    other: str
    compare_button: str
    on_branch: str
    parted: str
    same: str
    differences: str
    no_differences: str
    story_since: str
    nothing_since: str
    turns_before: str
    turns_after: str
    chapter: str
    chapters: str
    chapter_before: str
    chapter_after: str
    empty_book: str
    take_away: str
    export_forms: tuple[tuple[str, str], ...]
    """Form of the export, and name."""

    going_on: str
    receipt_hint: str
    receipt_now: str
    receipt_download: str
    verify: str
    verify_hint: str
    verify_button: str
    verify_receipt: str
    verified_good: str
    verified_bad: str
    verified_partly: str
    verified_derived: str
    verified_imported: str
    verified_older: str
    receipt_good: str
    receipt_bad: str
    bad_hint: str
    verdicts: Mapping[str, str]
    dice_of_turns: str
    no_dice: str
    not_verified: str
    turn_column: str
    dice_column: str
    verdict_column: str
    figures: tuple[str, str, str, str, str]
    """Names of the statistics: turns, rolls, successes, failures, branches."""

    figures_of: str
    told_on: str
    told_from: str
    read_story: str
    see_tree: str
    last_turn: str


ENGLISH = PastPageWords(
    looking_back="Looking back",
    history="History",
    book="Book",
    receipts="Receipts",
    ending="The ending",
    tree_hint="Every turn is kept. Choose one to read it, to go back to it, or to try something else there.",
    here="you are here",
    mark="Mark",
    skipped_one="1 turn",
    skipped="{count} turns",
    outcomes={"win": "won", "lose": "lost"},
    every="Show every turn",
    fewer="Show only forks and named turns",
    rows="Rows {first} to {last} of {total}",
    rows_before="Earlier",
    rows_after="Later",
    to_here="Go to the current turn",
    beginning="Beginning",
    branches="Branches",
    go_to_branch="Switch to branch {name}",
    go_back="Go back to this turn",
    fork="Start a new branch here",
    fork_name="Name of the branch (optional)",
    fork_hint="The story so far stays as it is.",
    name_turn="Give this turn a name",
    name_turn_button="Save the name",
    compare="Compare",
    compare_here="Compare with the current turn",
    compare_with="Compare with another branch",
    compare_hint="Choose two branches to see how each turned out.",
    one="One",
    other="Other",
    compare_button="Compare",
    on_branch="Branch {name}, turn {version}",
    parted="Both are the same up to turn {version}.",
    same="Both are the same turn.",
    differences="What is different at the end",
    no_differences="Nothing that you can see is different.",
    story_since="The story since then",
    nothing_since="It stops here.",
    turns_before="Earlier turns",
    turns_after="Later turns",
    chapter="Chapter {number}",
    chapters="Chapters",
    chapter_before="Chapter {number}",
    chapter_after="Chapter {number}",
    empty_book="The story has not started yet.",
    take_away="Download",
    export_forms=(
        ("html", "Web page"),
        ("epub", "E-book"),
        ("md", "Markdown"),
        ("json", "Save file"),
        ("jsonl", "Save file with the full history"),
    ),
    going_on="The story is not over yet.",
    receipt_hint="A receipt is one line of text. With it, you can prove later that nothing recorded so far, "
    "dice included, has been changed. Keep it, or send it to a friend.",
    receipt_now="Receipt for the first {records} records",
    receipt_download="Download the receipt",
    verify="Verify the record",
    verify_hint="Every turn is replayed from the record, and its dice are recalculated. "
    "For a long campaign, this takes a few seconds.",
    verify_button="Verify now",
    verify_receipt="Also check an older receipt (optional)",
    verified_good="All {turns} turns match the record.",
    verified_bad="The record is wrong: {count} problems were found.",
    verified_partly="{count} turns were played with another version of the program and could not be replayed "
    "exactly. Their records are consistent.",
    verified_derived="All dice follow from the secret that was fixed before the first turn.",
    verified_imported="The campaign was started from a save file. What came before it cannot be verified.",
    verified_older="The story has continued since this check.",
    receipt_good="The receipt is valid: its {records} records are unchanged.",
    receipt_bad="The receipt does not match what is recorded now.",
    bad_hint="For the details run: talewright verify {campaign}",
    verdicts={"proven": "matches", "folded": "not replayed exactly", "wrong": "does not match"},
    dice_of_turns="Dice, turn by turn",
    no_dice="no dice",
    not_verified="not verified yet",
    turn_column="Turn",
    dice_column="Dice",
    verdict_column="Replay",
    figures=("Turns", "Rolls", "Successes", "Failures", "Branches"),
    figures_of="Dice of the last {count} turns",
    told_on="Played on {began}",
    told_from="Played from {began} to {ended}",
    read_story="Read the story as a book",
    see_tree="View the story tree",
    last_turn="The last turn",
)

CHINESE = PastPageWords(
    looking_back="回顾",
    history="历程",
    book="故事书",
    receipts="凭据",
    ending="结局",
    tree_hint="每一回合都保留着。选一个来重读，回到那里，或者从那里另走一条路。",
    here="你在这里",
    mark="标记",
    skipped_one="1 个回合",
    skipped="{count} 个回合",
    outcomes={"win": "胜利", "lose": "失败"},
    every="显示每一回合",
    fewer="只显示分岔和有名字的回合",
    rows="第 {first} 到 {last} 行，共 {total} 行",
    rows_before="更早",
    rows_after="更晚",
    to_here="到当前回合",
    beginning="开始",
    branches="分支",
    go_to_branch="切换到分支“{name}”",
    go_back="回到这一回合",
    fork="从这里开始新分支",
    fork_name="分支的名字（可以不填）",
    fork_hint="已经讲过的故事原样保留。",
    name_turn="给这一回合起个名字",
    name_turn_button="保存名字",
    compare="比较",
    compare_here="与当前回合比较",
    compare_with="与另一个分支比较",
    compare_hint="选两个分支，看看各自走到了哪里。",
    one="其一",
    other="其二",
    compare_button="比较",
    on_branch="分支“{name}”，第 {version} 回合",
    parted="到第 {version} 回合为止，两边是同一个故事。",
    same="两边是同一个回合。",
    differences="最后有什么不同",
    no_differences="你能看到的都相同。",
    story_since="分岔之后的故事",
    nothing_since="到此为止。",
    turns_before="更早的回合",
    turns_after="更晚的回合",
    chapter="第 {number} 章",
    chapters="章节",
    chapter_before="第 {number} 章",
    chapter_after="第 {number} 章",
    empty_book="故事还没有开始。",
    take_away="下载",
    export_forms=(
        ("html", "网页"),
        ("epub", "电子书"),
        ("md", "Markdown"),
        ("json", "存档"),
        ("jsonl", "含完整历史的存档"),
    ),
    going_on="故事未完。",
    receipt_hint="凭据是一行文字，日后可以证明到现在为止的记录（包括掷骰）没有被改动。请保存好，或者发给朋友。",
    receipt_now="前 {records} 条记录的凭据",
    receipt_download="下载凭据",
    verify="验证记录",
    verify_hint="每一回合都按记录重演一遍，掷骰也重新推算。长篇存档需要几秒钟。",
    verify_button="现在验证",
    verify_receipt="同时核对一张旧凭据（可以不填）",
    verified_good="全部 {turns} 个回合都与记录一致。",
    verified_bad="记录有误：发现 {count} 个问题。",
    verified_partly="有 {count} 个回合是用另一版本的程序玩的，无法完全重演；它们的记录前后一致。",
    verified_derived="所有掷骰都出自第一回合之前就定下的密钥。",
    verified_imported="这局从存档文件开始，之前的事无从验证。",
    verified_older="验证之后，故事又继续了。",
    receipt_good="凭据有效：当时的 {records} 条记录没有变化。",
    receipt_bad="凭据不符：与现在的记录对不上。",
    bad_hint="详情请运行：talewright verify {campaign}",
    verdicts={"proven": "与记录一致", "folded": "无法完全重演", "wrong": "与记录不符"},
    dice_of_turns="逐回合的掷骰",
    no_dice="没有掷骰",
    not_verified="尚未验证",
    turn_column="回合",
    dice_column="掷骰",
    verdict_column="重演",
    figures=("回合", "掷骰", "成功", "失败", "分支"),
    figures_of="最近 {count} 个回合的掷骰",
    told_on="讲述于 {began}",
    told_from="讲述于 {began} 至 {ended}",
    read_story="像书一样阅读",
    see_tree="查看故事树",
    last_turn="最后一个回合",
)


def past_page_words(language: str) -> PastPageWords:
    """The words that best match a language."""
    return pick_words(language, {"en": ENGLISH, "zh-CN": CHINESE})
