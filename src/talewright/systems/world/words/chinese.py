"""The world's phrases in Chinese."""

from talewright.systems.world.words.phrases import WorldPhrases

CHINESE = WorldPhrases(
    told="{fact}（听{by}说的）",
    inferred="{fact}（自己推断的）",
    witnessed="{fact}",
    somebody="某人",
    character="{name}：{about}",
    knows="知道：{facts}。",
    keeps="{name}还知道这些，但不会告诉玩家：{facts}。",
    goals="{name}想要：{goals}。",
    between="；",
    comma="、",
    voice="你只替{name}一个人说话。{name}只知道这里写下的事。",
    which_place=(
        "玩家要去的地方叫作“{said}”。已知的地点有：\n{places}\n"
        "请判断是不是其中一个；换一种说法也算同一个地方。matchedClusterId 填它的 id，如果是新地点就填 null；"
        "canonicalName 填一个简短的专名；confidence 填你有多大把握，从 0 到 1。"
    ),
    simulate=("请模拟{names}在{place}的一次谈话。没有其他人参与。每个人只知道写在自己名下的事："),
    sum_up=(
        "请概述{names}在{place}的 {minutes} 分钟里可能发生了什么。没有其他人参与。"
        "每个人只知道写在自己名下的事："
    ),
    scene_scenario="故事背景：{about}",
    scene_place="地点：{place}。{about}",
    scene_time="时间：{time}",
    scene_feeling="{name} {felt}",
    scene_feelings="好感（从 -100 到 100）：{felt}。",
    scene_thread="尚未了结：{name}想要{goal}。",
    report=(
        "在 dialogue 里写大约 {exchanges} 个来回的对话，每行写作“人名：台词”，"
        "必要时用 *星号* 写简短的动作。然后在 reportSimulation 里报告结果。"
        "events：以后会有用的约定、消息和冲突，每条一句话，写明谁做了什么，以及谁在场目睹；不提其他人的名字。"
        "movements：只有明确决定离开的人才写；目的地只能是：{places}。"
        "told：上面列出的事实里，谁告诉了谁哪一条，填方括号里的 id。"
        "relationships：好感变化了多少，从 -{step} 到 {step}。各个列表都可以为空。"
    ),
    sum_up_form="用一两句话写明谁做了什么，不提其他人的名字；要具体、简短，不要编造重大变故。",
    sum_up_alone=(
        "{names}独自在这里待了 {minutes} 分钟。用一两句话、以第三人称写明{names}做了什么，"
        "不提其他人的名字，要具体、简短，不要编造重大变故。"
    ),
    here="玩家在{place}。{about}",
    exits="从这里可以去：{places}。",
    time="现在是{time}（第 {tick} 刻）。",
    alone="这里没有别人。",
    hidden=(
        "在这里但尚未被发现：{names}。玩家四下查看或他们现身时，先调用 discoverCharacter，再提到他们的名字。"
    ),
    events="最近发生：{events}",
    player_knows="玩家的角色已经得知：{facts}。",
    rules=(
        "每个人只知道写在自己名下的事。玩家去别处时调用 moveToLocation，时间流逝时调用 advanceTime，"
        "新人物出现时调用 discoverCharacter，有人得知以后会有用的事时调用 noteFact。"
    ),
    also_known="还知道：{places}。",
    places_heading="### 地点",
    place_line="- {name}：{about}",
    guide="""\
## 人与地方

- 在场的每个人都由你来演，各有各的声口。他们只知道写在自己名下的事：亲眼见过的，或听人说的。他们可以提议，\
绝不替玩家做主。
- 玩家来到新的地方，就描写它：看得见的、听得见的、闻得到的。
- 每回合两到四段，生动而简练；本故事的文风另有要求时，以文风为准。
- 由玩家带路。你始终是讲述者，不解释规则。

玩家去别处时调用 moveToLocation，时间流逝（长谈、等待、睡觉）时调用 advanceTime，新人物出现时调用 \
discoverCharacter，有人得知以后会有用的事时调用 noteFact。

### 发现人物

- 只有列为在场的人才在这里。别的人要被提到名字、开口或行动，先调用 discoverCharacter。
- 列为尚未被发现的人是这样，你自己添的每个人也是这样。
- 尚未被发现的人，要等玩家四下查看、打听，或他们自己现身，才会被发现；在那之前不要提他们的名字。
- 每个人调用一次，然后才写他们出场的文字。

例如：

- “我往集市走去。”先用集市调用 moveToLocation，看清那里有谁，再讲到达的情形。
- “我搜查地窖”，而那里有人尚未被发现：先用那人的名字调用 discoverCharacter，再讲玩家怎样找到他。
- “我向一个渔夫打听潮水”，而名单上没有渔夫：先调用 discoverCharacter，给他一个名字，写明他是谁、想要什么，再\
让他回答。""",
    days=("深夜", "凌晨", "清晨", "上午", "正午", "下午", "傍晚", "夜里"),
    clock="{part}，大约 {hour}:{minute:02}",
    map="已知的地点",
    people="在场的人",
    known_facts="你知道的事",
    last_seen="最后见到的地方",
    last_seen_line="{name}：{place}，{ago}",
    ago_hours=("刚才", "一小时前", "{count} 小时前"),
    ago_days=("一天前", "{count} 天前"),
    elsewhere="世界",
    go="去{place}",
    go_hint="{minutes} 分钟",
    talk="和{name}聊聊",
    ask="向{name}打听{topic}",
    wait="等一个小时",
    wait_long="等六个小时",
    wait_hint="现在是{time}。",
    arrive=("你来到{place}。", "你一路走到{place}。", "这条路把你带到了{place}。"),
    wait_told=(
        "你不着急。现在已是{time}。",
        "没有什么催着你，不知不觉到了{time}。",
        "你坐着打量四周，直到{time}。",
        "时间过去了，现在是{time}。",
    ),
    see="你看见{names}。",
    see_nobody=("这里没有人。", "只有你一个人。", "除了你，谁也不在。"),
    says=("{name}说：“{fact}。”", "“{fact}。”{name}说。", "{name}告诉你：“{fact}。”"),
    says_heard=(
        "“我是听{by}说的，”{name}说，“{fact}。”",
        "{name}压低声音：“{by}跟我讲，{fact}。”",
        "“{fact}，”{name}说，“反正{by}是这么说的。”",
    ),
    nothing_new=(
        "{name}没有什么新鲜事可说。现在是{time}。",
        "你和{name}聊了聊天气，聊到了{time}。",
        "{name}耸耸肩，都是你听过的。这时已是{time}。",
        "{name}只是点点头。现在是{time}。",
    ),
    new_face="你注意到了{names}。",
    happened="就在你眼前：{event}",
)
