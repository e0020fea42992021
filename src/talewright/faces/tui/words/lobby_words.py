"""Words of the lobby, in English and Chinese.

Words only; placeholders in braces are filled in by the screens.
"""

from dataclasses import dataclass

from talewright.common.language_tags import pick_words
from talewright.faces.tui.words.shared_words import CHINESE_CODE, ENGLISH_CODE


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbyWords:
    """Words of the lobby."""

    title: str
    subtitle: str
    opening: str
    """While the services are loaded."""

    games: str
    campaigns: str
    no_games: str
    no_campaigns: str
    join: str
    """Separates the facts of a line."""

    needs_model: str
    plays_alone: str
    """Shown for a game that can be played without a model."""

    length: str
    turn: str
    begun: str
    """Shown for a campaign with no turn yet."""

    looking: str
    """Shown until the details are loaded."""

    scenes_tell: str
    free: str
    """The cost of a campaign without a model."""

    cost: str
    little: str
    """A cost that would round to zero."""

    won: str
    lost: str
    ended: str
    damaged: str
    damaged_hint: str
    no_details: str
    """Shown for a campaign whose details cannot be read; the reason follows."""

    just_now: str
    minute: str
    minutes: str
    hour: str
    hours: str
    yesterday: str
    days: str
    date: str
    """Format of older dates, for `strftime`."""

    beginning: str
    going_on: str
    first_turn: str
    """While the first turn runs."""

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
    subtitle="Start a story, or continue one.",
    opening="Opening the lobby ...",
    games="Games",
    campaigns="Your campaigns",
    no_games="No games found.\nStart with your own folder: talewright play FOLDER",
    no_campaigns="You have not started a story yet.\nPick a game and press Enter. Every turn is saved.",
    join=" · ",
    needs_model="needs a model",
    plays_alone="no model needed",
    length="about {turns} turns",
    turn="turn {turn}",
    begun="just started",
    looking="...",
    scenes_tell="written scenes",
    free="free",
    cost="${dollars} so far",
    little="under $0.01 so far",
    won="won",
    lost="lost",
    ended="ended",
    damaged="damaged",
    damaged_hint="Rebuild it: talewright saves recover {campaign}",
    no_details="details cannot be read",
    just_now="just now",
    minute="a minute ago",
    minutes="{count} minutes ago",
    hour="an hour ago",
    hours="{count} hours ago",
    yesterday="yesterday",
    days="{count} days ago",
    date="%Y-%m-%d",
    beginning="Starting {title} ...",
    going_on="Opening {campaign} ...",
    first_turn="Writing the first turn. Press Esc to stop.",
    stopped="Stopped. Finished turns are saved.",
    pick_campaign="Pick a campaign first.",
    pick_game="Pick a game first.",
    new_title="New: {title}",
    new_language="Language of the story",
    new_name="Name (optional)",
    new_name_hint="for example second-try",
    new_teller="Storyteller: {model}.",
    new_scenes="Uses written scenes. No model needed.",
    new_no_model="This game has no written scenes, so it needs a model, and none is chosen. Close this and "
    "press s to set one up.",
    begin="Start",
    cancel="Cancel",
    import_title="Import a save game",
    import_path="File",
    import_hint="for example ~/mist-harbor.json",
    import_name="Name (optional)",
    import_do="Import",
    imported="Imported {campaign}.",
    export_title="Export {campaign}",
    export_form="Format",
    export_path="New file",
    export_do="Export",
    export_save="Save game (can be imported)",
    export_markdown="Story as Markdown",
    export_html="Story as a web page",
    export_epub="Story as an e-book",
    export_hint="for example ~/story.md",
    exported="Exported {campaign} to {file}",
    path_wanted="Enter a file name first.",
    delete_title="Delete {campaign}?",
    delete_text="It is moved to a bin, not erased. You will see where.",
    delete_do="Move to the bin",
    deleted="Moved {campaign} to the bin: {place}",
    model_chosen="{model} will narrate {campaign} from the next time you open it.",
    model_none="{campaign} will use written scenes from the next time you open it.",
    wrong="Something went wrong: {error}",
    wrong_hint="Nothing is lost. Try again, or restart the program.",
)

CHINESE = LobbyWords(
    title="Talewright",
    subtitle="开始一个新故事，或者继续之前的。",
    opening="正在打开大厅……",
    games="游戏",
    campaigns="你的存档",
    no_games="这里没有找到游戏。\n可以用自己的文件夹：talewright play 文件夹",
    no_campaigns="还没有开始任何故事。\n选一个游戏，按回车。每一回合都会自动保存。",
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
    no_details="无法读取详情",
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
    first_turn="正在讲述第一回合。按 Esc 停止。",
    stopped="已停止。完成的回合都已保存。",
    pick_campaign="请先选一个存档。",
    pick_game="请先选一个游戏。",
    new_title="新存档：{title}",
    new_language="故事的语言",
    new_name="名字（可以不填）",
    new_name_hint="例如 second-try",
    new_teller="讲述者：{model}。",
    new_scenes="由剧本讲述，不需要模型。",
    new_no_model="这个游戏没有写好的剧本，需要模型来讲述，而现在还没有选定模型。请关闭后按 s 设置一个。",
    begin="开始",
    cancel="取消",
    import_title="导入存档文件",
    import_path="文件",
    import_hint="例如 ~/mist-harbor.json",
    import_name="名字（可以不填）",
    import_do="导入",
    imported="已导入 {campaign}。",
    export_title="导出 {campaign}",
    export_form="格式",
    export_path="新文件",
    export_do="导出",
    export_save="存档文件（可再导入）",
    export_markdown="故事，Markdown",
    export_html="故事，网页",
    export_epub="故事，电子书",
    export_hint="例如 ~/story.md",
    exported="{campaign} 已导出到 {file}",
    path_wanted="请先填写文件名。",
    delete_title="删除 {campaign}？",
    delete_text="存档会移到回收站，不会彻底删除；之后会显示它的位置。",
    delete_do="移到回收站",
    deleted="{campaign} 已移到回收站：{place}",
    model_chosen="下次打开 {campaign} 时，由 {model} 讲述。",
    model_none="下次打开 {campaign} 时，由剧本讲述。",
    wrong="出错了：{error}",
    wrong_hint="没有丢失任何内容。请再试一次，或者重新启动程序。",
)


def lobby_words(language: str) -> LobbyWords:
    """The lobby words that best match a language."""
    return pick_words(language, {ENGLISH_CODE: ENGLISH, CHINESE_CODE: CHINESE})
