"""The phrases in Chinese.

Plain and short: they appear next to a story narrated by someone else, or stand in for it.
"""

from talewright.systems.tabletop.words.phrases import BlowWordings, PersonWordings, TabletopPhrases

PLAY = """\
# 本游戏的规则

本游戏按下面的规则书进行。故事由你讲述；掷骰、计算和记数都由引擎负责。绝不可编造掷骰、生命值或结果。

- 行动结果难料时，先调用 `skill_check`（其他情形用 `roll_dice`），再照结果讲述。
- 不该让玩家知道的掷骰用 `visible: false`，讲述时不要提及。
- 与规则有关的人物都是 NPC：用 `create_npc` 创建，有模板就用模板；用 `update_npc` 和 `remove_npc` 随时更新。
- 战斗由 `start_fight` 或 `manage_combat` 排定顺序。攻击用 `attack`，整轮行动用 `take_turn`；\
其他伤害一律用 `apply_damage`。
- 生命值耗尽者失去行动能力，后果见规则书。
- 经验、物品和剧情标记用 `award` 发放。战斗中倒下的敌人，其奖励在战斗结束时自动发放。
"""

PLAY_BY_HAND = """\
# 本游戏的规则

本游戏按下面的规则书进行。故事由你讲述，规则由你裁定；掷骰和记数由引擎负责。绝不可编造掷骰或生命值。

- 行动结果难料时，先调用 `roll_dice`，再按规则书比较结果，然后讲述。
- 不该让玩家知道的掷骰用 `visible: false`，讲述时不要提及。
- 与规则有关的人物都是 NPC：用 `create_npc` 创建，有模板就用模板；用 `update_npc` 和 `remove_npc` 随时更新。
- 战斗由 `manage_combat` 排定顺序。攻击用 `roll_dice` 掷骰，伤害一律用 `apply_damage`。
- 生命值耗尽者失去行动能力，后果见规则书。
- 经验、物品和剧情标记用 `award` 发放。
"""

CREATION = """\
# 故事之前：玩家的角色

现在还没有角色。在别的事情发生之前，先在对话中创建一个。

- 一次只问一个问题。先问他是谁，再一起把回答变成数值。
- 玩家犹豫时给几个主意，让他自己选。
- 数值不超出规则书的范围{ranges}。玩家想要更多时，告诉他可行的上限。
- 规则书要求掷骰决定属性时，用 `roll_dice`。
- 把完整的角色卡给玩家看。玩家同意后，用 `set_character` 一次记下，然后开始故事。
"""

CHINESE = TabletopPhrases(
    hit=BlowWordings(
        by_player=(
            "你击中{target}（{attack}），造成 {damage} 点伤害。",
            "{target}慢了一步（{attack}），受到 {damage} 点伤害。",
            "你看准破绽，打中{target}（{attack}），造成 {damage} 点伤害。",
            "{target}没有躲开（{attack}），受到 {damage} 点伤害。",
        ),
        on_player=(
            "{attacker}击中你（{attack}），你受到 {damage} 点伤害。",
            "你没有躲开{attacker}（{attack}），受到 {damage} 点伤害。",
            "你慢了一步，被{attacker}打中（{attack}），受到 {damage} 点伤害。",
            "你脚下不稳，{attacker}趁机得手（{attack}），你受到 {damage} 点伤害。",
        ),
        of_others=(
            "{attacker}击中{target}（{attack}），造成 {damage} 点伤害。",
            "{target}没有躲开{attacker}（{attack}），受到 {damage} 点伤害。",
        ),
    ),
    critical_hit=BlowWordings(
        by_player=(
            "你重创{target}（{attack}），造成 {damage} 点伤害。",
            "你正中{target}的要害（{attack}），造成 {damage} 点伤害。",
        ),
        on_player=(
            "{attacker}重创了你（{attack}），你受到 {damage} 点伤害。",
            "你眼看着它过来，却来不及躲：{attacker}重创了你（{attack}），你受到 {damage} 点伤害。",
        ),
        of_others=("{attacker}重创{target}（{attack}），造成 {damage} 点伤害。",),
    ),
    miss=BlowWordings(
        by_player=(
            "你没有打中{target}（{attack}）。",
            "{target}闪开了（{attack}）。",
            "你扑了个空，{target}已经不在那里（{attack}）。",
            "差一点：你够不着{target}（{attack}）。",
        ),
        on_player=(
            "{attacker}没有打中你（{attack}）。",
            "{attacker}冲你来了（{attack}），你已经闪开。",
            "你看得清楚，{attacker}落了空（{attack}）。",
            "{attacker}擦着你过去，什么也没打着（{attack}）。",
        ),
        of_others=(
            "{attacker}没有打中{target}（{attack}）。",
            "{target}躲开了{attacker}（{attack}）。",
        ),
    ),
    strikes_back=BlowWordings(
        by_player=("{target}还击，你受到 {damage} 点伤害。",),
        on_player=("你还击，{attacker}受到 {damage} 点伤害。",),
        of_others=("{target}还击，{attacker}受到 {damage} 点伤害。",),
    ),
    falls=PersonWordings("你倒下了。", "{name}倒下了。"),
    hurt=PersonWordings("你受到 {amount} 点伤害。", "{name}受到 {amount} 点伤害。"),
    healed=PersonWordings("你恢复了 {amount} 点生命值。", "{name}恢复了 {amount} 点生命值。"),
    hesitates="{name}犹豫不前。",
    defends="你严加防备。",
    uses="你使用了{item}。",
    flees="你脱身了。",
    cannot_flee="你没能脱身。",
    runs_away="{name}无心再战，走了。",
    surprised=PersonWordings("你措手不及。", "{name}措手不及。"),
    condition=PersonWordings("你的状态：{condition}。", "{name}：{condition}。"),
    fight_starts="战斗开始。行动顺序：{order}。",
    fight_won="战斗胜利。",
    fight_lost="战斗失败。",
    fight_fled="你脱离了战斗。",
    fight_ended="战斗结束。",
    fight_left="没有人再打下去，战斗就此结束。",
    gains="你获得{gains}。",
    xp="{xp} 点经验",
    loses="你失去{items}。",
    level="{level} 级",
    experience="经验",
    hit_points="生命值",
    armor="护甲",
    conditions="状态",
    attributes="属性",
    skills="技能",
    attacks="攻击",
    inventory="物品",
    fight="战斗，第 {round} 轮",
    order="行动顺序",
    rolls="掷骰",
    no_character="角色",
    check="{name}，{skill}",
    attack="{name}攻击，{attack}",
    defence="{name}防御",
    damage="伤害，{attack}",
    initiative="{name}，先攻",
    flight="{name}逃跑",
    healing="{name}，{item}",
    unarmed="徒手",
    hit_brief="{name}命中（{total} 对 {needed}）",
    miss_brief="{name}落空（{total} 对 {needed}）",
    damage_brief="{total} 点伤害",
    initiative_brief="{name}先攻 {total}",
    roll_brief="{name} {total}",
    lost=(
        ("造成 {damage} 点伤害", "对方失去 {damage} 点生命值", "对方失去 {damage} 点生命值"),
        ("受到 {damage} 点伤害", "失去 {damage} 点生命值", "失去 {damage} 点生命值"),
    ),
    lost_on_player=(("受到 {damage} 点伤害", "失去 {damage} 点生命值", "失去 {damage} 点生命值"),),
    overkill="（另有 {excess} 点溢出）",
    attack_choice="用{attack}攻击{target}",
    attack_hint="生命值 {hp}/{max}",
    defend_choice="严加防备",
    use_choice="使用{item}",
    flee_choice="逃跑",
    comma="、",
    colon="：",
    outcomes=("大成功", "成功", "有代价的成功", "失败", "大失败"),
    note_turn="战斗正在进行，第 {round} 轮，轮到{name}。行动顺序：{order}。",
    note_out="已退出战斗：{names}。",
    note_left="战斗已搁置 {turns} 个回合。请继续战斗，或用 manage_combat 结束。",
    note_away="玩家离开 {hours} 小时后回到这场战斗。先提醒他各人的处境，再继续，或用 manage_combat 结束。",
    note_creation="还没有角色：与玩家一起创建，然后调用 set_character。",
    play=PLAY,
    play_by_hand=PLAY_BY_HAND,
    creation=CREATION,
    rulebook="# 规则书",
)
