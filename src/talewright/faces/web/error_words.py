"""Error words: what an error page says in languages other than English.

Errors come with an English message and a hint. Where a language has a sentence of its own for a code, the
page shows it first.
"""

from collections.abc import Mapping

from talewright.common.language_tags import pick_words

_CHINESE: Mapping[str, str] = {
    "campaign_unknown": "没有这个存档，它可能已经被删除了。请回到所有故事里重新选择。",
    "turn_unknown": "没有这个回合。请从故事的历史里重新选择。",
    "name_unfit": "这个名字不能用。请换一个短一些、不含特殊符号的名字。",
    "name_taken": "这个名字已经有了。请换一个。",
    "campaign_refused": "这个存档现在不能这样做。请回到故事里看看。",
    "newer_format": "这个存档是用更新版本的 Talewright 写的。请先升级再打开。",
    "record_unreadable": "这个存档的记录读不出来。运行 talewright verify 可以查出坏在哪里。",
    "game_unknown": "没有这个游戏。请回到所有故事里重新选择。",
    "game_unplayable": "这个游戏现在玩不了，它的文件里有错误。请告诉作者。",
    "language_unknown": "这个游戏没有所选的语言。请换一种。",
    "teller_needed": "这个游戏需要一个模型来讲述。请先选择模型。",
    "model_unknown": "没有这个模型。请从列表里重新选择。",
    "key_missing": "这个模型还没有密钥。请先填入密钥。",
    "price_missing": "不知道这个模型的价格，预算无法计算。请填入价格，或者去掉预算。",
    "settings_unreadable": "设置文件读不出来。请检查它的内容。",
    "provider_failed": "模型的服务没有正常回答。请稍后再试，或者换一个模型。",
    "save_unreadable": "这个文件不是能读的存档。请换一个文件。",
    "scenario_unreadable": "这个文件不是能读的角色卡或剧本。请换一个文件。",
    "not_found": "这里什么也没有，或者你没有权限查看。",
    "request_refused": "这个请求读不懂。请回到上一页再试一次。",
    "body_too_large": "发送的内容太大了。请发小一些的。",
    "server_stopping": "服务器正在停止。请稍后再试。",
    "wire_unreadable": "这个表单读不懂。请回到上一页再试一次。",
    "moved": "故事已经往前走了。请看看现在的情形，再决定要不要发送。",
    "read_only": "这个存档只能阅读，不能继续玩。",
    "unsaved": "这一回合没有保存，什么也没有丢失。请再发送一次。",
    "turn_open_elsewhere": "另一个程序正在进行这个故事的回合。请等它结束。",
    "lease_lost": "另一个程序接管了这个存档。请重新打开它。",
    "database_unreachable": "数据库暂时连不上。请稍后再试。",
}

SENTENCES: Mapping[str, Mapping[str, str]] = {"en": {}, "zh-CN": _CHINESE}
"""By language and code; English uses the error's own message."""


def error_sentence(code: str, language: str) -> str:
    """What an error means, in this language; empty if only its own English message says so."""
    return pick_words(language, SENTENCES).get(code, "")
