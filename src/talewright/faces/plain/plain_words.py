"""Words of the plain face, in English and Chinese, and which of them a language tag means.

Words only; what the game and the engine say comes from the view, in words already.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from talewright.common.language_tags import pick_language, pick_words


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainWords:
    """The face's own words; parts in braces are filled in, the same ones in every language."""

    language: str
    """The code by which the language is asked for."""

    name: str
    """What its speakers call it."""

    prompt: str
    join: str
    """Between the parts of one line."""

    space: str
    """Between two sentences."""

    pair: str
    """A name and its value."""

    opening: str
    """Once, under the first choices."""

    opening_fixed: str
    """The same where no storyteller understands words of one's own."""

    going_on: str
    """The campaign that was opened, and how to begin anew."""

    receipt: str
    """What the line below it is: the first receipt of a campaign that was begun."""

    note: str
    """Before something the player should know about the campaign."""

    asked: str
    """Before what the player had said."""

    dice: str
    changed: str
    becomes: str
    """Between what was there and what is there now."""

    status: str
    critical: str
    delta: str
    risk_medium: str
    risk_high: str
    hint: str
    """A choice's hint, on the line of the choice."""

    nothing_to_choose: str
    no_such_number: str
    number_first: str
    own_words: str
    """Asks for the note of a decision."""

    unfinished: str
    unfinished_yes: str
    unfinished_no: str
    begins_again: str
    """What was told so far is void."""

    won: str
    lost: str
    ended: str
    """How it ended where it is neither."""

    after_end: str
    read_only: str
    back_at: str
    same_again: str
    """When a turn that is taken again would only be told a second time."""

    at_start: str
    """There is nothing to take back."""

    saved: str
    saves: str
    no_saves: str
    no_such_save: str
    turn: str
    """The heading of a turn in the history."""

    no_history: str
    range: str
    """The bounds of a card's value."""

    no_cards: str
    why: str
    why_reason: str
    why_said: str
    why_what: str
    no_such_variable: str
    told_in: str
    """Which language the face speaks."""

    retold_in: str
    """Which one the story is told in, and how to have it told in another."""

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
    pair="{name}: {value}",
    opening="Type a number, or say in your own words what you do. /help tells the rest.",
    opening_fixed="Type a number, or the words of a choice. /help tells the rest.",
    going_on="Going on with {campaign}. To begin anew: talewright play {game} --new",
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
    own_words="Add a word of your own, or just press Enter.",
    unfinished="You had said: {said}. That turn was not finished.",
    unfinished_yes="Go on with it",
    unfinished_no="Drop it, and choose again",
    begins_again="The storyteller starts over.",
    won="The end: won.",
    lost="The end: lost.",
    ended="The end.",
    after_end="/undo takes back the last turn, /history reads back, /quit leaves.",
    read_only="This campaign can be read, not played on.",
    back_at="Back at turn {version}.",
    same_again="Without a model the same words lead to the same turn. /undo takes it back; "
    "/retry with other words says those instead.",
    at_start="This is where it begins; there is nothing to take back.",
    saved="This place is saved as {name}. /load {name} comes back to it.",
    saves="Saved places: {names}. /load NAME goes there.",
    no_saves="No place is saved by name yet. /save NAME does it; the story itself is always kept.",
    no_such_save="No place is saved as {name}.",
    turn="Turn {version}",
    no_history="Nothing has happened yet.",
    range="{low} to {high}",
    no_cards="There are no cards yet.",
    why="Turn {version}: {text}. By {cause}.",
    why_reason="Reason: {reason}.",
    why_said="You had said: {said}",
    why_what="/why NAME tells where a value comes from. There is: {names}.",
    no_such_variable="There is nothing here called {name}.",
    told_in="These words are in {face}; /language {codes} changes them, and them alone.",
    retold_in="The story is told in {story}. In another language of its game: "
    "talewright play --campaign {campaign} --language CODE",
    no_such_language="These words exist in {codes}.",
    unknown_command="There is no /{name}.",
    did_you_mean="Did you mean /{name}?",
    number_wanted="/{name} takes a number, such as /{name} 2.",
    games="Games to begin:",
    campaigns="Campaigns to go on with:",
    campaign="{title}, {campaign} (last played {at})",
    damaged="{text}, damaged",
    menu="Type a number. /quit leaves.",
    no_games="No game was found. Name a folder: talewright play FOLDER",
    kept="Your story is kept as {campaign} in {place}.",
    goodbye="Go on with it: talewright play --campaign {campaign}{options}",
    wrong="Something went wrong: {error}",
    wrong_hint="Finished turns are safe. Start again to go on; TALEWRIGHT_DEBUG=1 shows where it happened.",
    help=(
        ("1, 2, 3 ...", "take that choice"),
        ("anything else", "say it or do it, in your own words"),
        ("/look", "read where you are again"),
        ("/cards", "everything you know about how things stand"),
        ("/why NAME", "what made a value what it is"),
        ("/history 5", "the last five turns"),
        ("/go", "let the story go on without you"),
        ("/undo 1", "take back a turn, or more"),
        ("/retry", "the last turn again; /retry with other words, to say them instead"),
        ("/save NAME", "give this place a name"),
        ("/load NAME", "go back to it"),
        ("/language", "the language of these words"),
        ("/quit", "leave; everything is kept"),
        ("", "Where nothing is said of a choice's risk, it is low."),
    ),
    commands=(),
)

CHINESE = PlainWords(
    language="zh-CN",
    name="中文",
    prompt="> ",
    join="；",
    space="",
    pair="{name}：{value}",
    opening="输入数字，或者直接说你要做什么。其余见 /help。",
    opening_fixed="输入数字，或者输入选项里的话。其余见 /help。",
    going_on="接着玩 {campaign}。想重新开始：talewright play {game} --new",
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
    own_words="可以添一句自己的话，不添就直接回车。",
    unfinished="你上次说到：{said}。那一回合没有走完。",
    unfinished_yes="接着走完",
    unfinished_no="不管它，重新选",
    begins_again="讲述者从头再讲。",
    won="剧终：胜。",
    lost="剧终：败。",
    ended="剧终。",
    after_end="/undo 收回最后一回合，/history 回看，/quit 离开。",
    read_only="这个存档只能看，不能再往下玩。",
    back_at="回到第 {version} 回合。",
    same_again="没有模型，同样的话只会走出同样的一回合。/undo 收回它；/retry 后面跟上别的话，就换成那句话。",
    at_start="这里就是开头，没有可以收回的了。",
    saved="此处记作 {name}。/load {name} 可以回来。",
    saves="记下的地方：{names}。/load 名字，就回到那里。",
    no_saves="还没有记下的地方。/save 名字，可以记一处；故事本身一直都有保存。",
    no_such_save="没有记作 {name} 的地方。",
    turn="第 {version} 回合",
    no_history="还什么都没有发生。",
    range="{low} 至 {high}",
    no_cards="现在还没有卡片。",
    why="第 {version} 回合：{text}。出自{cause}。",
    why_reason="缘由：{reason}。",
    why_said="当时你说：{said}",
    why_what="/why 名字，就知道它是怎么来的。可以问：{names}。",
    no_such_variable="这里没有叫 {name} 的。",
    told_in="这些话用{face}说；/language {codes} 只改这些话。",
    retold_in="故事用{story}讲。要换成这个游戏的另一种语言："
    "talewright play --campaign {campaign} --language 代码",
    no_such_language="这些话有以下几种：{codes}。",
    unknown_command="没有 /{name} 这个命令。",
    did_you_mean="是不是 /{name}？",
    number_wanted="/{name} 后面要跟数字，比如 /{name} 2。",
    games="可以开始的游戏：",
    campaigns="可以接着玩的存档：",
    campaign="{title}，{campaign}（上次玩：{at}）",
    damaged="{text}，有损坏",
    menu="输入数字。/quit 离开。",
    no_games="没有找到游戏。可以指明文件夹：talewright play 文件夹",
    kept="你的故事保存为 {campaign}，在 {place}。",
    goodbye="接着玩：talewright play --campaign {campaign}{options}",
    wrong="出了差错：{error}",
    wrong_hint="走完的回合都还在，重新启动就能接着玩。设 TALEWRIGHT_DEBUG=1 可以看到出错的地方。",
    help=(
        ("1、2、3……", "选那一项"),
        ("别的话", "照你说的去说、去做"),
        ("/look", "再看一遍眼前"),
        ("/cards", "你所知道的一切现状"),
        ("/why 名字", "这个数是怎么来的"),
        ("/history 5", "最近五个回合"),
        ("/go", "你不开口，让故事往下走"),
        ("/undo 1", "收回一个或几个回合"),
        ("/retry", "上一回合重来；后面跟上话，就换成那句话"),
        ("/save 名字", "给此处起个名字"),
        ("/load 名字", "回到那里"),
        ("/language", "这些话用哪种语言"),
        ("/quit", "离开，一切都会保存"),
        ("", "选项没有提到风险的，就是风险小。"),
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
"""The face's own languages by their tags; the first one stands in for every other."""


def words_for(language: str) -> PlainWords:
    """The words nearest to a language."""
    return pick_words(language, SPOKEN)


def name_of(language: str) -> str:
    """What the speakers of a language call it; its code where the face does not speak it."""
    picked = pick_language(language, SPOKEN)
    return SPOKEN[picked].name if picked else language
