"""Words of the lobby, in English and Chinese.

Words only; parts in braces are filled in where they are said.
"""

from dataclasses import dataclass

from talewright.common.language_tags import pick_words
from talewright.faces.tui.words.shared_words import CHINESE_CODE, ENGLISH_CODE


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbyWords:
    """What the lobby says."""

    title: str
    subtitle: str
    opening: str
    """While the rooms are entered."""

    games: str
    campaigns: str
    no_games: str
    no_campaigns: str
    join: str
    """Between the facts of one line."""

    needs_model: str
    plays_alone: str
    """Of a game whose scenes can tell it."""

    length: str
    turn: str
    begun: str
    """Of a campaign with no turn yet."""

    looking: str
    """Where details are still to come."""

    scenes_tell: str
    free: str
    """What a campaign without a model has cost."""

    cost: str
    little: str
    """A cost that would round to nothing."""

    won: str
    lost: str
    ended: str
    damaged: str
    damaged_hint: str
    no_details: str
    """Of a campaign whose details cannot be read; the reason follows."""

    just_now: str
    minute: str
    minutes: str
    hour: str
    hours: str
    yesterday: str
    days: str
    date: str
    """How a day longer ago is written, for `strftime`."""

    beginning: str
    going_on: str
    first_turn: str
    """While the first turn is taken."""

    stopped: str
    pick_campaign: str
    pick_game: str
    new_title: str
    new_language: str
    new_name: str
    new_name_hint: str
    new_teller: str
    new_scenes: str
    new_no_model: str
    begin: str
    cancel: str
    import_title: str
    import_path: str
    import_hint: str
    import_name: str
    import_do: str
    imported: str
    export_title: str
    export_form: str
    export_path: str
    export_do: str
    export_save: str
    export_markdown: str
    export_html: str
    export_epub: str
    export_hint: str
    exported: str
    path_wanted: str
    delete_title: str
    delete_text: str
    delete_do: str
    deleted: str
    model_chosen: str
    model_none: str
    wrong: str
    wrong_hint: str


ENGLISH = LobbyWords(
    title="Talewright",
    subtitle="Begin a story, or go on with one.",
    opening="Opening the door ...",
    games="Games",
    campaigns="Your campaigns",
    no_games="No game was found here.\nStart with a folder of your own: talewright play FOLDER",
    no_campaigns="No story has begun yet.\nPick a game and press Enter: it is kept from the first turn on.",
    join=" · ",
    needs_model="needs a model",
    plays_alone="no model needed",
    length="about {turns} turns",
    turn="turn {turn}",
    begun="just begun",
    looking="...",
    scenes_tell="told by its scenes",
    free="free",
    cost="${dollars} so far",
    little="under $0.01 so far",
    won="won",
    lost="lost",
    ended="ended",
    damaged="damaged",
    damaged_hint="Rebuild it: talewright saves recover {campaign}",
    no_details="its details cannot be read",
    just_now="just now",
    minute="a minute ago",
    minutes="{count} minutes ago",
    hour="an hour ago",
    hours="{count} hours ago",
    yesterday="yesterday",
    days="{count} days ago",
    date="%Y-%m-%d",
    beginning="Beginning {title} ...",
    going_on="Opening {campaign} ...",
    first_turn="The first turn is being told. Esc stops it.",
    stopped="Stopped. What was finished is kept.",
    pick_campaign="Pick a campaign first.",
    pick_game="Pick a game first.",
    new_title="New: {title}",
    new_language="Language of the story",
    new_name="Name (you may leave it empty)",
    new_name_hint="such as second-try",
    new_teller="Told by {model}.",
    new_scenes="Told by its scenes. No model is needed.",
    new_no_model="This game has no scenes: only a model can tell it, and none is chosen. "
    "Close this and press s to set one up.",
    begin="Begin",
    cancel="Cancel",
    import_title="Import a save game",
    import_path="File",
    import_hint="such as ~/mist-harbor.json",
    import_name="Name (you may leave it empty)",
    import_do="Import",
    imported="{campaign} is here now.",
    export_title="Export {campaign}",
    export_form="As",
    export_path="To this new file",
    export_do="Export",
    export_save="Save game, to import again",
    export_markdown="Story as Markdown",
    export_html="Story as a web page",
    export_epub="Story as an e-book",
    export_hint="such as ~/story.md",
    exported="{campaign} is written to {file}",
    path_wanted="Name a file first.",
    delete_title="Delete {campaign}?",
    delete_text="It goes to a bin, not away: you are told where it lies.",
    delete_do="Put it into the bin",
    deleted="{campaign} is in the bin: {place}",
    model_chosen="From when it is opened next, {model} tells {campaign}.",
    model_none="From when it is opened next, the scenes tell {campaign}.",
    wrong="Something went wrong: {error}",
    wrong_hint="Nothing is lost. Try again, or start again.",
)

CHINESE = LobbyWords(
    title="Talewright",
    subtitle="开始一个故事，或者接着讲下去。",
    opening="正在开门……",
    games="游戏",
    campaigns="你的存档",
    no_games="这里没有找到游戏。\n可以用自己的文件夹：talewright play 文件夹",
    no_campaigns="还没有开始任何故事。\n选一个游戏，按回车：从第一回合起就会保存。",
    join=" · ",
    needs_model="需要模型",
    plays_alone="不需要模型",
    length="约 {turns} 回合",
    turn="第 {turn} 回合",
    begun="刚开始",
    looking="……",
    scenes_tell="由剧本讲述",
    free="免费",
    cost="已花费 ${dollars}",
    little="花费不到 $0.01",
    won="胜",
    lost="败",
    ended="剧终",
    damaged="有损坏",
    damaged_hint="可以修复：talewright saves recover {campaign}",
    no_details="读不到详情",
    just_now="刚刚",
    minute="1 分钟前",
    minutes="{count} 分钟前",
    hour="1 小时前",
    hours="{count} 小时前",
    yesterday="昨天",
    days="{count} 天前",
    date="%Y-%m-%d",
    beginning="正在开始《{title}》……",
    going_on="正在打开 {campaign}……",
    first_turn="正在讲第一回合。按 Esc 可以停下。",
    stopped="已停下。走完的都还在。",
    pick_campaign="请先选一个存档。",
    pick_game="请先选一个游戏。",
    new_title="新开：{title}",
    new_language="故事的语言",
    new_name="名字（可以不填）",
    new_name_hint="比如 second-try",
    new_teller="由 {model} 讲述。",
    new_scenes="由剧本讲述，不需要模型。",
    new_no_model="这个游戏没有写好的剧本，只能由模型来讲，而现在还没有选定模型。请关闭后按 s 设置一个。",
    begin="开始",
    cancel="取消",
    import_title="导入存档文件",
    import_path="文件",
    import_hint="比如 ~/mist-harbor.json",
    import_name="名字（可以不填）",
    import_do="导入",
    imported="{campaign} 已经在这里了。",
    export_title="导出 {campaign}",
    export_form="格式",
    export_path="写到这个新文件",
    export_do="导出",
    export_save="存档文件，可以再导入",
    export_markdown="故事，Markdown",
    export_html="故事，网页",
    export_epub="故事，电子书",
    export_hint="比如 ~/story.md",
    exported="{campaign} 已写到 {file}",
    path_wanted="请先写明文件。",
    delete_title="删除 {campaign}？",
    delete_text="它会进回收处，不会消失；之后会告诉你放在哪里。",
    delete_do="放进回收处",
    deleted="{campaign} 已放进回收处：{place}",
    model_chosen="下次打开 {campaign} 时，由 {model} 讲述。",
    model_none="下次打开 {campaign} 时，由剧本讲述。",
    wrong="出了差错：{error}",
    wrong_hint="什么都没有丢。请再试一次，或者重新启动。",
)


def lobby_words(language: str) -> LobbyWords:
    """The lobby's words nearest to a language."""
    return pick_words(language, {ENGLISH_CODE: ENGLISH, CHINESE_CODE: CHINESE})
