"""The engine's own words for players in Chinese (zh-CN).

Words only; the parts in braces are those of `phrases`.
"""

from collections.abc import Mapping

from talewright.play.presentation.words.phrases import Phrase

CHINESE: Mapping[Phrase, str] = {
    Phrase.YES: "是",
    Phrase.NO: "否",
    Phrase.NOTHING: "无",
    Phrase.AND: "、",
    Phrase.PART_OF: "·",
    Phrase.PAIR: "{name}：{value}",
    Phrase.WITHIN: "{value}（{low} 至 {high}）",
    Phrase.CHANGED: "{label} {was} -> {value}",
    Phrase.CHANGED_WORDS: "{label}：{was} -> {value}",
    Phrase.GAINED: "{label} + {value}",
    Phrase.LOST: "{label} - {value}",
    Phrase.SET: "{label}：{value}",
    Phrase.GONE: "{label}：不在了",
    Phrase.LATER: "过了 {span}",
    Phrase.EARLIER: "倒回 {span}",
    Phrase.HOUR_ONE: "{count} 小时",
    Phrase.HOURS: "{count} 小时",
    Phrase.MINUTE_ONE: "{count} 分钟",
    Phrase.MINUTES: "{count} 分钟",
    Phrase.COUNTED: "{label}：{value}",
    Phrase.COUNTED_SHORT: "第 {value} {label}",
    Phrase.WITH_REASON: "{text}（{reason}）",
    Phrase.WITH_DETAIL: "{text}{detail}",
    Phrase.REFUSED_CHANGE: "{label}保持原样：规则不允许这样改。",
    Phrase.UNMATCHED: "没有与这句话匹配的选项。请选一个，或换个说法。没有消耗回合。",
    Phrase.NO_SUCH_CHOICE: "现在没有这个选项，请从列出的里面选。",
    Phrase.NO_SUCH_DECISION: "这里没有这个问题要回答。",
    Phrase.DECISION_FIRST: "请先回答眼前的问题。",
    Phrase.PLAYER_DECIDES: (
        "这个问题只能由玩家本人回答。请等玩家在自己的会话里回答，或由客户端直接询问玩家，然后再继续。"
    ),
    Phrase.RELAYED: "{said}（由游戏主持人转达）",
    Phrase.TOO_LONG: "这句话太长了，请说短一些。",
    Phrase.EMPTY: "说点什么，或者选一个选项。",
    Phrase.OVER: "故事已经结束。可以退回一回合，或重新开始。",
    Phrase.NOT_ALLOWED: "这里不能这么说。没有消耗回合。",
    Phrase.RISKY: "这样说可能会超出这个故事的分级，还没有消耗回合。可以换个说法、放弃，或者仍然继续。",
    Phrase.NO_TELLER: "从这里往下需要讲述者，而现在没有设置。请退回一回合，换一条路走。",
    Phrase.MOVED: "这个存档刚才在别处玩了一回合。请看看故事到了哪里，如果还想这么做，再说一遍。",
    Phrase.TURN_OPEN: "游戏主持人正在进行一个回合。等它完成，再试一次。",
    Phrase.UNTOLD: "讲述者回答了，但不是这个游戏要的格式。一切都没有改变。请再试一次，或者换一个模型。",
    Phrase.DECLINED: "讲述者拒绝讲这一段。一切都没有改变。请换个说法，或者换一个模型。",
    Phrase.UNCHANGED: "一切都没有改变。",
    Phrase.BUDGET: (
        "预算不够讲述者再回答一次，所以没有发出请求。一切都没有改变。"
        "可以选故事自带的选项（如果有的话），换一个便宜些的模型（talewright play --model 名字），"
        "或者提高预算（talewright cost limit）。"
    ),
    Phrase.TIMED_OUT: "讲述者迟迟没有回答。一切都没有改变。",
    Phrase.SKIPPED: (
        "这一段只有讲述者能讲，游戏里没有对应的场景。一切都没有改变。你说的话已保存：可以继续，也可以换个选择。"
    ),
    Phrase.CANCELLED: "已停止，一切都没有改变。你说的话已保存，可以继续。",
    Phrase.READ_ONLY: "这个存档只能阅读，不能继续玩：它的记录有一部分损坏了。",
    Phrase.CRASHED: (
        "服务器每次处理这一回合都会崩溃，所以已经放弃。一切都没有改变。"
        "请换个说法再试；如果还是不行，请告诉服务器的管理者。"
    ),
    Phrase.UNSAVED: "这一回合没能保存，所以不算数。请腾出磁盘空间，或检查磁盘能否写入，然后再试。",
    Phrase.ERROR: "引擎出错了。一切都没有改变，详情已经记录下来。",
    Phrase.NOTHING_TO_RETRY: "没有可以重来的回合。",
    Phrase.LEAVING: "到这里为止都已保存。",
    Phrase.ROLLED_BACK: "已退回上一回合。",
    Phrase.CAUTION_REPHRASE: "换个说法",
    Phrase.CAUTION_GO_ON: "仍然继续",
    Phrase.CAUTION_WITHDRAW: "放弃",
    Phrase.REPHRASE: "请换个说法。下面是你的原话，没有为它消耗回合。",
    Phrase.WITHDRAWN: "已放弃，没有消耗回合。",
    Phrase.READING: "阅读中",
    Phrase.TELLING: "讲述中",
    Phrase.JUDGING: "查阅规则",
    Phrase.ROLLING: "掷骰",
    Phrase.UPDATING: "更新世界",
    Phrase.CONSULTING: "翻看笔记",
    Phrase.MENDING: "修正回答",
    Phrase.SAVING: "保存中",
    Phrase.WITH_SHARE: "{text}（已读 {percent}%）",
    Phrase.ASKING_AGAIN: "重新询问：{why}",
    Phrase.AGAIN_FORM: "回答的格式不对",
    Phrase.AGAIN_RULES: "回答不合游戏规则",
    Phrase.AGAIN_WORDS: "回答需要换个说法",
    Phrase.AGAIN_CUT: "回答太长",
    Phrase.AGAIN_BROKEN: "回答中断了",
    Phrase.STOOD_IN: "这一回合用的是写好的场景。",
    Phrase.STOOD_IN_FORM: "讲述者没有给出有效的回答。",
    Phrase.STOOD_IN_DECLINED: "讲述者拒绝讲这一段。",
    Phrase.STOOD_IN_SKIPPED: "你没有等讲述者。",
    Phrase.STOOD_IN_BUDGET: "预算不够讲述者再回答一次。",
    Phrase.STOOD_IN_HELP: (
        "最近 {turns} 回合用的都是写好的场景，不是讲述者讲的。可以试试：让 Talewright 测量这个模型"
        "（talewright models probe 名字），玩一个小一些的游戏，或者换一个模型"
        "（talewright play --model 名字）。"
    ),
    Phrase.BACKGROUND: "别处的时间也在走。",
    Phrase.BACKGROUND_FAILED: (
        "回合之后的一项任务失败了：{what}。故事是安全的，可以继续；`talewright doctor` 会显示错误。"
    ),
    Phrase.WORK_PAGES: "存档文件夹里的页面",
    Phrase.WORK_ERRANDS: "别处发生的事",
    Phrase.WORK_SUMMARY: "前情的摘要",
    Phrase.WORK_PANELS: "故事旁边显示的内容",
    Phrase.WORK_AHEAD: "让模型预读下一轮",
    Phrase.RETRY: "重试",
    Phrase.RETRY_HINT: "用同样的话再来一次",
    Phrase.ROLLBACK: "撤销",
    Phrase.ROLLBACK_HINT: "撤销前一回合",
    Phrase.QUIT: "退出",
    Phrase.QUIT_HINT: "到这里为止都已保存",
    Phrase.ADOPTED: "这个游戏有了新版本，本存档已改用新版本：{changes}。",
    Phrase.ADOPTING: "这个游戏有了新版本，下一回合起改用新版本：{changes}。",
    Phrase.ADOPTED_TEXTS: "文字有改动",
    Phrase.ADOPTED_NEW: "新增{names}",
    Phrase.ADOPTED_GONE: "去掉了一些内容",
    Phrase.ADOPTED_OTHER: "幕后有改动",
    Phrase.NOT_ADOPTED: "这个游戏有了新版本，但与本存档不兼容，所以本存档继续用开始时的版本。",
    Phrase.NOT_ADOPTED_WHY: "{text}原因：{reason}。",
    Phrase.DAMAGED: (
        "这个存档的记录有一部分损坏了（{place}）。最后一个完好的回合之前都能阅读，但不能继续玩。"
        "可以用 `talewright saves recover` 试着恢复其余部分。"
    ),
    Phrase.NO_SCENE: (
        "第 {turn} 回合之后没有场景可以打开，故事停在了这里。请退回一回合，换一条路走；"
        "有讲述者的话，也可以从这里讲下去。"
    ),
    Phrase.GAME_MISSING: "找不到或无法读取这个游戏的文件夹。本存档会用自带的那份游戏继续。",
    Phrase.GAME_FAULTY: "这个游戏的文件夹里有一处错误：{place}。改好之前，本存档会用自带的那份游戏继续。",
    Phrase.GAME_FAULTY_MORE: (
        "这个游戏的文件夹里有 {count} 处错误，第一处在 {place}。改好之前，本存档会用自带的那份游戏继续。"
    ),
    Phrase.CONTEXT_SMALL: (
        "{model} 一次只能读 {tokens} 个 token，对这个游戏来说太少。讲述者会忘掉故事的许多内容，"
        "有些回合可能讲不成。换用能读 {needed} 个 token 以上的模型会更好。"
    ),
    Phrase.RECORD_SHORTER: (
        "这个存档的记录缺了最新的一段。可以从剩下的地方继续玩；"
        "不过请先试试 `talewright saves recover {campaign}`，也许能恢复。"
    ),
    Phrase.PAGES_UNWRITTEN: ("存档文件夹里的页面没能更新。故事本身已经保存；请检查磁盘是否已满或只读。"),
    Phrase.PANELS_MISSING: (
        "这个游戏的规则（{name}）出错了，它们要显示在故事旁边的内容缺失。故事可以继续；"
        "`talewright doctor` 会显示错误。"
    ),
    Phrase.EDIT_KEPT: (
        "存档文件夹里的 {page} 被手工改过。这一页由故事的记录生成，已经重写；你的版本保存在 {kept}。"
    ),
    Phrase.EDIT_LEFT: "存档文件夹里的 {page} 被手工改过。这一页已不属于现在的故事；你的版本保存在 {kept}。",
    Phrase.EDIT_UNREAD: (
        "存档文件夹里的 {page} 被手工改过，但无法作为文本读取，所以没有采用。"
        "请把它存成长度适中的 UTF-8 纯文本。"
    ),
    Phrase.EDIT_TAKEN: "你对 {page} 的修改从这一回合起生效。",
    Phrase.EDIT_REFUSED: "你对 {page} 的修改没有被采用：{reason}。文件保持不变。",
    Phrase.HEADING_BACK: "回到第 {turn} 回合",
    Phrase.HEADING_BEGINNING: "回到开头",
    Phrase.HEADING_BRANCH: "分支 {branch}，始于第 {turn} 回合",
    Phrase.HEADING_SWITCH: "转到分支 {branch}，第 {turn} 回合",
    Phrase.UNFINISHED_OPENING: "（开场）",
    Phrase.UNFINISHED_GO_ON: "（继续）",
    Phrase.BY_MODEL: "讲述者",
    Phrase.BY_PLAYER: "你自己",
    Phrase.BY_EDIT: "你自己（手工改了 {name}）",
    Phrase.BY_SCENE: "某一幕里的选择",
    Phrase.BY_FINALE: "终幕",
    Phrase.BY_TRIGGER: "这个世界的规律",
    Phrase.BY_SYSTEM: "游戏规则",
    Phrase.BY_ASIDE: "别处发生的事",
    Phrase.BY_IMPORT: "导入的存档",
    Phrase.BY_ENGINE: "游戏本身",
    Phrase.BY_FOUNDING: "开局设定",
    Phrase.WITH_ROLL: "{cause}，掷骰之后：{roll}",
    Phrase.DICE_LEFT_OUT: "{kept}；不计 {dropped}",
    Phrase.DIE_REROLLED: "重掷得",
    Phrase.DIE_WORTH: "算作",
    Phrase.DIE_COUNTS: "计中",
    Phrase.DIE_AGAIN: "再掷得",
    Phrase.POOL_BEST_ONE: "{pool} 取最高",
    Phrase.POOL_BEST: "{pool} 取最高 {count} 个",
    Phrase.POOL_WORST_ONE: "{pool} 取最低",
    Phrase.POOL_WORST: "{pool} 取最低 {count} 个",
    Phrase.POOL_NOT_BEST_ONE: "{pool} 去掉最高",
    Phrase.POOL_NOT_BEST: "{pool} 去掉最高 {count} 个",
    Phrase.POOL_NOT_WORST_ONE: "{pool} 去掉最低",
    Phrase.POOL_NOT_WORST: "{pool} 去掉最低 {count} 个",
    Phrase.POOL_REROLL: "{pool}，{faces} 重掷",
    Phrase.POOL_EXPLODE: "{pool}，{faces} 加掷",
    Phrase.POOL_SUCCESS: "{pool}，只数 {faces}",
    Phrase.POOL_LEAST: "{pool}，每个至少算 {count}",
    Phrase.POOL_MOST: "{pool}，每个至多算 {count}",
    Phrase.FACES_FROM: "{count} 或以上",
    Phrase.FACES_TO: "{count} 或以下",
    Phrase.ROLL_CHANCE: "成功率 {percent}%",
    Phrase.ROLL_DRAWN: "抽到 {percent}",
    Phrase.ROLL_NEEDED: "{text}，需要 {needed} 或以上",
    Phrase.ROLL_SUCCESS: "{text}：成功",
    Phrase.ROLL_FAILURE: "{text}：失败",
    Phrase.ROLL_BLOCKED: "{text}：行不通",
    Phrase.ROLL_PARTIAL: "{text}：部分成功",
    Phrase.ROLL_CRITICAL_SUCCESS: "{text}：大成功",
    Phrase.ROLL_CRITICAL_FAILURE: "{text}：大失败",
    Phrase.CHANCE_SUCCESS: "成功率 {percent}%",
    Phrase.CHANCE_PARTIAL: "成功率 {percent}%，部分成功率 {partial}%",
    Phrase.CHANCE_TOTAL: "掷出 {total} 或以上的概率为 {percent}%",
}
