"""Words of the plain interface, in English and Chinese, and which of them fit a language tag.

Only the interface's own words; those of the game and the engine come with the view.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from talewright.common.language_tags import pick_language, pick_words


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainWords:
    """The interface's own words; placeholders in braces are the same in every language."""

    language: str
    """The language tag."""

    name: str
    """The language's own name for itself."""

    prompt: str
    join: str
    """Separates the parts of a line."""

    space: str
    """Between two sentences."""

    stop: str
    """The end of a sentence."""

    pair: str
    """A name and its value."""

    opening: str
    """Shown once, below the first choices."""

    opening_fixed: str
    """The same without a storyteller to understand free text."""

    going_on: str
    """The campaign that was opened, and how to start a new one."""

    receipt: str
    """Heading of the first receipt of a new campaign."""

    note: str
    """Before a notice about the campaign."""

    asked: str
    """Before the player's words."""

    dice: str
    changed: str
    becomes: str
    """Between the old and the new value."""

    status: str
    critical: str
    delta: str
    risk_medium: str
    risk_high: str
    hint: str
    """A choice with its hint."""

    nothing_to_choose: str
    no_such_number: str
    number_first: str
    own_words: str
    """Asks for the note of a decision."""

    unfinished: str
    unfinished_yes: str
    unfinished_no: str
    begins_again: str
    """The narration so far is discarded."""

    wait: str
    """Shown until the engine reports what it is doing."""

    wait_seconds: str
    """What the engine is doing, and for how long."""

    wait_usual: str
    """The same, where it is known how long it usually takes."""

    wait_longer: str
    """The same, where it already takes longer."""

    wait_skip: str
    """What the player can do instead of waiting."""

    wait_stop: str
    """The same, where the game has no written scene for the turn."""

    won: str
    lost: str
    ended: str
    """The ending is neither won nor lost."""

    after_end: str
    read_only: str
    back_at: str
    same_again: str
    """Repeating the turn would give the same result."""

    at_start: str
    """There is nothing to undo."""

    saved: str
    saves: str
    no_saves: str
    no_such_save: str
    turn: str
    """The heading of a turn in the history."""

    no_history: str
    range: str
    """The range of a card's value."""

    no_cards: str
    why: str
    why_reason: str
    why_said: str
    why_what: str
    no_such_variable: str
    told_in: str
    """The language of the interface."""

    retold_in: str
    """The language of the story, and how to change it."""

    no_such_language: str
    unknown_command: str
    did_you_mean: str
    number_wanted: str
    games: str
    campaigns: str
    campaign: str
    damaged: str
    menu: str
    no_games: str
    kept: str
    goodbye: str
    wrong: str
    wrong_hint: str
    help: tuple[tuple[str, str], ...]
    """What can be typed, and what it does."""

    commands: tuple[tuple[str, str], ...]
    """Other names for the commands, in this language."""


ENGLISH = PlainWords(
    language="en",
    name="English",
    prompt="> ",
    join="; ",
    space=" ",
    stop=".",
    pair="{name}: {value}",
    opening="Type a number, or say what you do in your own words. /help lists all commands.",
    opening_fixed="Type a number, or the words of a choice. /help lists all commands.",
    going_on="Continuing {campaign}. To start a new campaign: talewright play {game} --new",
    receipt="Dice receipt of {campaign}; keep a copy to prove later that nothing was changed:",
    note="Note: {text}",
    asked="You: {said}",
    dice="Dice: {text}",
    changed="Changed: {text}",
    becomes=" to ",
    status="Now: {text}",
    critical="{text}, critical",
    delta="{text} ({delta})",
    risk_medium="Some risk.",
    risk_high="High risk.",
    hint="{label} ({hint})",
    nothing_to_choose="There is nothing to choose here. /undo goes back a turn.",
    no_such_number="There is no choice {number}; the last one is {last}.",
    number_first="Answer this first, with a number from 1 to {last}.",
    own_words="Add a note, or just press Enter.",
    unfinished="You had said: {said}. That turn was not finished.",
    unfinished_yes="Continue with it",
    unfinished_no="Drop it and choose again",
    begins_again="The storyteller starts over.",
    wait="One moment",
    wait_seconds="{text}: {seconds} s so far.",
    wait_usual="{text}: {seconds} s so far, usually about {usual} s.",
    wait_longer="{text}: {seconds} s so far, longer than the usual {usual} s.",
    wait_skip="Press Enter to use a written scene instead, or Ctrl+C to stop the turn.",
    wait_stop="Ctrl+C stops the turn.",
    won="The end: won.",
    lost="The end: lost.",
    ended="The end.",
    after_end="/undo undoes the last turn, /history shows past turns, /quit exits.",
    read_only="This campaign can be read, not continued.",
    back_at="Back at turn {version}.",
    same_again="Without a model, the same words lead to the same turn. Use /undo to go back, or /retry with "
    "other words.",
    at_start="This is the beginning; there is nothing to undo.",
    saved="This place is saved as {name}. /load {name} returns to it.",
    saves="Saved places: {names}. /load NAME goes there.",
    no_saves="No saved places yet. /save NAME saves one; every turn is saved anyway.",
    no_such_save="No place is saved as {name}.",
    turn="Turn {version}",
    no_history="Nothing has happened yet.",
    range="{low} to {high}",
    no_cards="There are no cards yet.",
    why="Turn {version}: {text}. By {cause}.",
    why_reason="Reason: {reason}.",
    why_said="You had said: {said}",
    why_what="/why NAME explains a value. Known names: {names}.",
    no_such_variable="There is nothing here called {name}.",
    told_in="The interface language is {face}; /language {codes} changes it, but not the story.",
    retold_in="The story is told in {story}. To play it in another language the game has: talewright play "
    "--campaign {campaign} --language CODE",
    no_such_language="The interface has these languages: {codes}.",
    unknown_command="There is no /{name}.",
    did_you_mean="Did you mean /{name}?",
    number_wanted="/{name} takes a number, such as /{name} 2.",
    games="New games:",
    campaigns="Your campaigns:",
    campaign="{title}, {campaign} (last played {at})",
    damaged="{text}, damaged",
    menu="Type a number. /quit exits.",
    no_games="No games found. Give a folder: talewright play FOLDER",
    kept="Your story is saved as {campaign} in {place}.",
    goodbye="To continue: talewright play --campaign {campaign}{options}",
    wrong="Something went wrong: {error}",
    wrong_hint="Finished turns are saved. Restart to continue; TALEWRIGHT_DEBUG=1 shows where it happened.",
    help=(
        ("1, 2, 3 ...", "take that choice"),
        ("anything else", "say it or do it, in your own words"),
        ("/look", "show the current turn again"),
        ("/cards", "show all your stats"),
        ("/why NAME", "what changed a value, and why"),
        ("/history 5", "the last five turns"),
        ("/go", "continue without typing anything"),
        ("/undo 1", "undo one or more turns"),
        ("/retry", "play the last turn again; add words to say those instead"),
        ("/save NAME", "save this place under a name"),
        ("/load NAME", "return to a saved place"),
        ("/language", "the language of the interface"),
        ("/quit", "quit; everything is saved"),
        ("", "A choice without a risk label has low risk."),
    ),
    commands=(),
)

CHINESE = PlainWords(
    language="zh-CN",
    name="中文",
    prompt="> ",
    join="；",
    space="",
    stop="。",
    pair="{name}：{value}",
    opening="输入数字，或者直接说你要做什么。/help 列出所有命令。",
    opening_fixed="输入数字，或者输入选项里的话。/help 列出所有命令。",
    going_on="继续 {campaign}。要新开一个存档：talewright play {game} --new",
    receipt="{campaign} 的骰子凭据；留一份，以后可以证明没有人改过：",
    note="提示：{text}",
    asked="你：{said}",
    dice="掷骰：{text}",
    changed="变化：{text}",
    becomes=" 变为 ",
    status="现状：{text}",
    critical="{text}，告急",
    delta="{text}（{delta}）",
    risk_medium="有些风险。",
    risk_high="风险很大。",
    hint="{label}（{hint}）",
    nothing_to_choose="这里没有可选的。/undo 退回一回合。",
    no_such_number="没有第 {number} 项，最后一项是 {last}。",
    number_first="请先回答这一问，输入 1 到 {last}。",
    own_words="可以补充一句，不补充就直接回车。",
    unfinished="你上次说：{said}。那一回合没有完成。",
    unfinished_yes="继续这一回合",
    unfinished_no="放弃，重新选择",
    begins_again="讲述者重新开始讲。",
    wait="稍等",
    wait_seconds="{text}：已经 {seconds} 秒。",
    wait_usual="{text}：已经 {seconds} 秒，通常约 {usual} 秒。",
    wait_longer="{text}：已经 {seconds} 秒，比通常的 {usual} 秒久。",
    wait_skip="按回车改用写好的场景，不再等讲述者；按 Ctrl+C 停止这一回合。",
    wait_stop="按 Ctrl+C 停止这一回合。",
    won="剧终：胜。",
    lost="剧终：败。",
    ended="剧终。",
    after_end="/undo 撤销最后一回合，/history 回看，/quit 退出。",
    read_only="这个存档只能阅读，不能继续玩。",
    back_at="回到第 {version} 回合。",
    same_again="没有模型，同样的话只会得到同样的一回合。用 /undo 退回，或者用 /retry 加上别的话。",
    at_start="这里就是开头，没有可以撤销的。",
    saved="此处已保存为 {name}。/load {name} 可以回来。",
    saves="保存的位置：{names}。/load 名字，回到那里。",
    no_saves="还没有保存的位置。/save 名字，可以保存一个；每一回合本来就会自动保存。",
    no_such_save="没有名为 {name} 的位置。",
    turn="第 {version} 回合",
    no_history="还没有发生任何事。",
    range="{low} 至 {high}",
    no_cards="现在还没有卡片。",
    why="第 {version} 回合：{text}。出自{cause}。",
    why_reason="原因：{reason}。",
    why_said="当时你说：{said}",
    why_what="/why 名字，查看一个值的由来。可以查：{names}。",
    no_such_variable="这里没有名为 {name} 的值。",
    told_in="界面语言是{face}；/language {codes} 只改界面，不改故事。",
    retold_in="故事用{story}讲述。要换成这个游戏的另一种语言："
    "talewright play --campaign {campaign} --language 代码",
    no_such_language="界面有以下几种语言：{codes}。",
    unknown_command="没有 /{name} 这个命令。",
    did_you_mean="是不是 /{name}？",
    number_wanted="/{name} 后面要跟数字，比如 /{name} 2。",
    games="新游戏：",
    campaigns="你的存档：",
    campaign="{title}，{campaign}（上次玩：{at}）",
    damaged="{text}，有损坏",
    menu="输入数字。/quit 退出。",
    no_games="没有找到游戏。可以指明文件夹：talewright play 文件夹",
    kept="你的故事保存为 {campaign}，在 {place}。",
    goodbye="要继续：talewright play --campaign {campaign}{options}",
    wrong="出错了：{error}",
    wrong_hint="已完成的回合都已保存，重新启动即可继续。设 TALEWRIGHT_DEBUG=1 可以看到出错的位置。",
    help=(
        ("1、2、3……", "选那一项"),
        ("别的话", "用自己的话说或做"),
        ("/look", "再看一遍当前回合"),
        ("/cards", "你知道的所有状态"),
        ("/why 名字", "一个值怎么变的，为什么"),
        ("/history 5", "最近五个回合"),
        ("/go", "不输入，让故事继续"),
        ("/undo 1", "撤销一个或几个回合"),
        ("/retry", "重玩上一回合；后面可以加上别的话"),
        ("/save 名字", "给此处起名保存"),
        ("/load 名字", "回到保存的位置"),
        ("/language", "界面语言"),
        ("/quit", "退出，一切都已保存"),
        ("", "没有标明风险的选项，风险较小。"),
    ),
    commands=(
        ("看", "look"),
        ("卡片", "cards"),
        ("为什么", "why"),
        ("历史", "history"),
        ("继续", "go"),
        ("撤回", "undo"),
        ("重来", "retry"),
        ("记下", "save"),
        ("回到", "load"),
        ("语言", "language"),
        ("帮助", "help"),
        ("离开", "quit"),
    ),
)

SPOKEN: Mapping[str, PlainWords] = {words.language: words for words in (ENGLISH, CHINESE)}
"""The interface's languages by their tags; the first one is the default."""


def words_for(language: str) -> PlainWords:
    """Return the words that best match a language."""
    return pick_words(language, SPOKEN)


def name_of(language: str) -> str:
    """Return the native name of a language, or its code when the interface does not speak it."""
    picked = pick_language(language, SPOKEN)
    return SPOKEN[picked].name if picked else language
