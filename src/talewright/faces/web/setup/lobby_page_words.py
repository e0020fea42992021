"""Words of the lobby's campaigns, imports and costs in the browser, in English and Chinese.

Placeholders are the same in every language.
"""

from dataclasses import dataclass

from talewright.common.language_tags import pick_words


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbyPageWords:
    """Words of the lobby besides those that every page has."""

    turn: str
    begun: str
    won: str
    lost: str
    ended: str
    scenes: str
    no_details: str
    join: str
    cost: str
    """What something has cost; `{money}` is an amount."""

    little: str
    """An amount that would round to zero."""

    total: str
    total_part: str
    """A total that does not include all campaigns yet."""

    unpriced: str
    just_now: str
    minutes: str
    hours: str
    yesterday: str
    days: str
    languages: str
    all_languages: str
    newer: str
    older: str
    storyteller: str
    remove: str
    remove_title: str
    remove_about: str
    remove_do: str
    removed: str
    removed_to: str
    cancel: str
    import_title: str
    import_about: str
    import_file: str
    import_do: str
    import_drop: str
    import_large: str
    """Shown by a script; `{megabytes}` is the limit."""

    cost_title: str
    cost_about: str
    cost_free: str
    cost_rows: tuple[tuple[str, str], ...]
    """Parts of a cost: the name in the report, and in words."""

    cost_total: str
    cost_model: str
    cost_what: str
    cost_tokens: str
    cost_money: str
    cost_unknown: str
    cost_estimated: str
    cost_requests: str


ENGLISH = LobbyPageWords(
    turn="turn {turn}",
    begun="just started",
    won="won",
    lost="lost",
    ended="ended",
    scenes="written scenes",
    no_details="Its details cannot be read.",
    join=" · ",
    cost="about {money}",
    little="under $0.01",
    total="All campaigns together have cost about {money}.",
    total_part="The campaigns counted so far have cost about {money}; reload the page to count more.",
    unpriced="Models without a known price are not included.",
    just_now="just now",
    minutes="{count} min ago",
    hours="{count} h ago",
    yesterday="yesterday",
    days="{count} days ago",
    languages="Language of the stories",
    all_languages="All",
    newer="Newer campaigns",
    older="Older campaigns",
    storyteller="Models",
    remove="Remove",
    remove_title="Remove {title}?",
    remove_about="The campaign {campaign} is moved to a bin, not erased. You will see where.",
    remove_do="Move to the bin",
    removed="Removed",
    removed_to="{campaign} was moved to the bin: {place}",
    cancel="Cancel",
    import_title="Import",
    import_about="A saved campaign (.json or .jsonl), or a scenario (.json), which becomes a game.",
    import_file="File",
    import_do="Import",
    import_drop="You can also drop the file anywhere on this page.",
    import_large="This file is too large. The limit is {megabytes} MB.",
    cost_title="What it has cost",
    cost_about="Amounts are estimates: tokens times the list price. Only your provider's bill is exact.",
    cost_free="Nothing: no model was used.",
    cost_rows=(
        ("told", "Turns"),
        ("failed", "Failed attempts"),
        ("aside", "Summaries and off-screen events"),
        ("ahead", "Reading ahead"),
    ),
    cost_total="Total",
    cost_model="Model",
    cost_what="For",
    cost_tokens="Tokens",
    cost_money="About",
    cost_unknown="unknown price",
    cost_estimated="Some token counts are estimates too: a provider did not report them.",
    cost_requests="Your {actions} actions took {requests} requests to models.",
)

CHINESE = LobbyPageWords(
    turn="第 {turn} 回合",
    begun="刚开始",
    won="胜",
    lost="败",
    ended="剧终",
    scenes="由剧本讲述",
    no_details="无法读取详情。",
    join=" · ",
    cost="约 {money}",
    little="不到 $0.01",
    total="所有存档一共花费约 {money}。",
    total_part="已统计的存档一共花费约 {money}；再次打开页面会继续统计。",
    unpriced="不包括价格未知的模型。",
    just_now="刚刚",
    minutes="{count} 分钟前",
    hours="{count} 小时前",
    yesterday="昨天",
    days="{count} 天前",
    languages="故事的语言",
    all_languages="全部",
    newer="较新的存档",
    older="较早的存档",
    storyteller="模型",
    remove="删除",
    remove_title="删除《{title}》？",
    remove_about="存档 {campaign} 会移到回收站，不会彻底删除；之后会显示它的位置。",
    remove_do="移到回收站",
    removed="已删除",
    removed_to="{campaign} 已移到回收站：{place}",
    cancel="取消",
    import_title="导入",
    import_about="可以导入存档文件（.json 或 .jsonl），也可以导入剧本文件（.json），做成一个新游戏。",
    import_file="文件",
    import_do="导入",
    import_drop="也可以把文件拖到页面上的任何地方。",
    import_large="文件太大了，上限是 {megabytes} MB。",
    cost_title="花费",
    cost_about="金额是估计值：用量乘以模型的标价。实际费用以服务商的账单为准。",
    cost_free="没有花费：没有用过模型。",
    cost_rows=(
        ("told", "回合"),
        ("failed", "没有成功的尝试"),
        ("aside", "摘要与幕后事件"),
        ("ahead", "提前阅读"),
    ),
    cost_total="合计",
    cost_model="模型",
    cost_what="用途",
    cost_tokens="词元",
    cost_money="约",
    cost_unknown="价格未知",
    cost_estimated="部分用量也是估计值：服务商没有报告用量。",
    cost_requests="你行动了 {actions} 次，共向模型请求 {requests} 次。",
)


def lobby_page_words(language: str) -> LobbyPageWords:
    """The words that best match a language."""
    return pick_words(language, {"en": ENGLISH, "zh-CN": CHINESE})
