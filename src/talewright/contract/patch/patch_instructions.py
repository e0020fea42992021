"""Instructions of the patch dialect: its rules and the demands of a repair, in English and Chinese.

The same game and language give the same bytes; only the demands change from turn to turn.
"""

import json

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.common.language_tags import pick_words
from talewright.contract.answer_grammar import RULES_WITHOUT_CHOICES
from talewright.contract.answer_schema import INDEX_TITLE
from talewright.contract.dialect import AnswerGround, has_authored_choices
from talewright.contract.patch.patch_bundle import ATTEMPT, NEXT_ACTIONS_MAX, SCHEMA_VERSION
from talewright.contract.patch.patch_operations import PATCH_OPERATIONS_MAX
from talewright.kernel.game import Game
from talewright.kernel.judging.rulings import Flaw

WORDS_MAX = 40
"""Words of a narration, or twice as many Chinese characters; see `brevity`."""

MOVES_FIRST = "moves_first"


@frozen
class _Words:
    """All texts in one language."""

    telling: str
    bundle: str
    inventories: str
    mechanics: str
    moves_first: str
    example: str
    example_prose: str
    example_event: str
    example_actions: tuple[str, str]
    wrong: str
    whole: str
    """What is wanted in an ordinary answer."""

    updates: str
    """What is wanted if the narration is already accepted."""

    moves: str
    """What is wanted in the first request of `moves_first`."""


_ENGLISH = _Words(
    telling=f"""\
# How to answer
First the narration: second person, at most {WORDS_MAX} words, plain prose. No JSON, no code, no state, no \
suggestions in it.
Then EXACTLY ONE final block, fenced by ```json and ```, and nothing after it.
""",
    bundle=f"""\
The block is one JSON object:
- schema_version: "{SCHEMA_VERSION}".
- operation_id: a short name no other answer of this story has had.
- base_version: the version of the state you were given.
- patch: RFC 6902 operations add, replace, remove and test, at most {PATCH_OPERATIONS_MAX}; never move or \
copy. The first tests /version against base_version, the last replaces /version by base_version + 1, no \
other touches it. Use replace for what exists. Whatever the narration changes must stand here. You only \
propose: the engine checks every operation.
- events: short texts for the log, or [].
- next_actions: up to {NEXT_ACTIONS_MAX} things the player might do, short texts; only here, never in the \
prose.
""",
    inventories=f"""\
A list whose things have id and qty is an inventory; {INDEX_TITLE} gives each thing's index. A new thing is \
added at the end: add .../-. Of a thing that is there, replace .../<index>/qty. At qty 0 or less, remove \
.../<index>. Never reorder; after a remove the things behind it move up by one.
""",
    mechanics="""\
- mechanics: where something may go wrong, {skill_used, difficulty} and, if you like, skill_value, rand, p, \
outcome, notes; else null. Skill and difficulty are of the game's own. The engine draws rand and decides the \
outcome: success, fail or blocked. What you say of it is overwritten where it differs.
""",
    moves_first="""\
Each turn has two steps. First you are asked for the mechanics alone: answer with one ```json block \
{"mechanics": {"skill_used": "...", "difficulty": "..."}}, or {"mechanics": null} where nothing can go \
wrong; no narration, no patch. Then you are told what came of it, and answer in full.
""",
    example="For example, at version 12 (paths are those of your game):\n",
    example_prose="You kneel by the pew. Something glints between the boards: a copper coin.",
    example_event="Found a coin",
    example_actions=("Search the chapel", "Talk to the guard"),
    wrong="Your last answer could not be used:",
    whole=(
        "Answer in full: the narration, then exactly one final ```json block. base_version is {version}; "
        "the patch begins with {first} and ends with {last}."
    ),
    updates=(
        "The narration stands and has been shown; do not tell it again. Answer with the whole ```json block "
        "alone. base_version is {version}; the patch begins with {first} and ends with {last}."
    ),
    moves=(
        "Answer with one ```json block alone and no narration: "
        '{{"mechanics": {{"skill_used": "...", "difficulty": "..."}}}}, or {{"mechanics": null}} where '
        "nothing can go wrong."
    ),
)

_CHINESE = _Words(
    telling=f"""\
# 回答格式
先写叙事：第二人称，不超过 {WORDS_MAX * 2} 个汉字，纯文字。其中不写 JSON、代码、状态，也不写行动建议。
然后是唯一一个收尾代码块，以 ```json 开头、以 ``` 结束，其后不得再有任何内容。
""",
    bundle=f"""\
代码块里是一个 JSON 对象：
- schema_version："{SCHEMA_VERSION}"。
- operation_id：一个简短的名字，本故事里其他回答没有用过。
- base_version：给你的状态的版本号。
- patch：RFC 6902 操作，只用 add、replace、remove、test，最多 {PATCH_OPERATIONS_MAX} 条；\
不得使用 move 和 copy。\
第一条用 test 核对 /version 等于 base_version，最后一条用 replace 把 /version 改为 base_version + 1，\
其余操作不得碰它。已有的内容用 replace。叙事改变了什么，这里就写什么。你只是提议：每一条都由引擎校验。
- events：给日志的短句，没有就写 []。
- next_actions：玩家接下来可做的事，最多 {NEXT_ACTIONS_MAX} 条短句；只写在这里，绝不写进叙事。
""",
    inventories=f"""\
元素带有 id 和 qty 的列表是物品栏；{INDEX_TITLE} 给出每件物品的下标。新物品加在末尾：add .../-。\
已有的物品改数量：replace .../<下标>/qty。数量降到 0 或以下：remove .../<下标>。不得调换次序；\
remove 之后，排在后面的物品下标减一。
""",
    mechanics="""\
- mechanics：凡是可能不成的事，写 {skill_used, difficulty}，也可再写 skill_value、rand、p、outcome、notes；\
否则写 null。技能和难度须是本游戏所有的。rand 由引擎抽取，结果由引擎判定：success、fail 或 blocked。\
你写的若与之不同，以引擎为准。
""",
    moves_first="""\
每回合分两步。第一步只问 mechanics：只回答一个 ```json 代码块 \
{"mechanics": {"skill_used": "...", "difficulty": "..."}}，没有什么会失败时写 {"mechanics": null}；\
不写叙事，不写 patch。第二步会告诉你结果，这时再完整回答。
""",
    example="例如在版本 12（路径以你的游戏为准）：\n",
    example_prose="你在长椅旁跪下。木板缝里有什么一闪：一枚铜币。",
    example_event="找到一枚铜币",
    example_actions=("搜查礼拜堂", "与守卫交谈"),
    wrong="你上一次的回答无法使用：",
    whole=(
        "请完整回答：先叙事，再以唯一一个 ```json 代码块收尾。base_version 是 {version}；"
        "patch 以 {first} 开头，以 {last} 结束。"
    ),
    updates=(
        "叙事有效，已经展示给玩家，不要重写。只输出完整的 ```json 代码块。base_version 是 {version}；"
        "patch 以 {first} 开头，以 {last} 结束。"
    ),
    moves=(
        '只输出一个 ```json 代码块，不写叙事：{{"mechanics": {{"skill_used": "...", "difficulty": "..."}}}}，'
        '没有什么会失败时写 {{"mechanics": null}}。'
    ),
)


def patch_rules(game: Game, language: str) -> str:
    """The instructions on how to answer, given to the model once."""
    words = _choose(language)
    draws = ATTEMPT in game.tools
    parts = [words.telling, words.bundle, words.mechanics if draws else "", words.inventories]
    if draws and game.plan == MOVES_FIRST:
        parts.append(words.moves_first)
    return "".join([*parts, words.example, _write_example(words, draws)])


_SHORT = {
    "en": """\
# How to answer
First two or three sentences about what happens now: plain prose, "you", in the present tense. Never act for \
the player. Then exactly one block, and nothing after it:
```json
{"patch": [{"op": "replace", "path": "...", "value": 0}], "next_actions": ["...", "..."]}
```
patch holds what changes in the state, or nothing; next_actions what the player might do next.
""",
    "zh-CN": """\
# 回答格式
先写两三句话，讲此刻发生的事：纯文字，用“你”和现在时，绝不替玩家行动。然后是唯一一个代码块，其后不得再有内容：
```json
{"patch": [{"op": "replace", "path": "...", "value": 0}], "next_actions": ["...", "..."]}
```
patch 写状态的变化，没有就写 []；next_actions 写玩家接下来可做的事。
""",
}
_HELD = {
    "en": """\
Tell what happens now in two or three sentences: "you", in the present tense. Never act for the player. Then \
write what changes in the state, and two things the player might do next.
""",
    "zh-CN": """\
用两三句话写此刻发生的事：用“你”和现在时，绝不替玩家行动。然后写状态有什么变化，以及玩家接下来可做的两件事。
""",
}
"""If a grammar enforces the form, the rules need not describe it."""

_SHORT_WHOLE = {"en": "Tell what happens now, then the block.", "zh-CN": "讲此刻发生的事，再写代码块。"}
_SHORT_UPDATES = {
    "en": "The narration stands. Answer with the ```json block alone.",
    "zh-CN": "叙事有效。只输出 ```json 代码块。",
}
_SHORT_MOVES = {
    "en": 'First only what is tried: {"mechanics": {"skill_used": "...", "difficulty": "..."}}, or '
    '{"mechanics": null} where nothing can go wrong.',
    "zh-CN": '先只写玩家在尝试什么：{"mechanics": {"skill_used": "...", "difficulty": "..."}}，'
    '没有什么会失败时写 {"mechanics": null}。',
}


def short_patch_rules(game: Game, language: str, *, held: bool) -> str:
    """How to answer, for slow and small models, given once; `held` means that a grammar enforces the form."""
    if not held:
        return pick_words(language, _SHORT)
    return pick_words(language, RULES_WITHOUT_CHOICES if has_authored_choices(game) else _HELD)


def patch_demand(flaws: tuple[Flaw, ...], ground: AnswerGround) -> str:
    """The text of a repair: what was wrong and what is wanted now; without flaws only the latter."""
    words = _choose(ground.language)
    wanted = _want_shortly(ground) if ground.short else _want(words, ground)
    wrong = [words.wrong, *(f"- {flaw.message}" for flaw in flaws)] if flaws else []
    return "\n".join([*wrong, wanted])


def _want(words: _Words, ground: AnswerGround) -> str:
    if ground.moves_only:
        wanted = words.moves
    else:
        wanted = words.updates if ground.updates_only else words.whole
    version = ground.position.state.version
    return wanted.format(
        version=version, first=_operation("test", version), last=_operation("replace", version + 1)
    )


def _want_shortly(ground: AnswerGround) -> str:
    if ground.moves_only:
        return pick_words(ground.language, _SHORT_MOVES)
    return pick_words(ground.language, _SHORT_UPDATES if ground.updates_only else _SHORT_WHOLE)


def _write_example(words: _Words, draws: bool) -> str:
    bundle: dict[str, Json] = {
        "schema_version": SCHEMA_VERSION,
        "operation_id": "find-coin-7f3",
        "base_version": 12,
    }
    operations = (
        _operation("test", 12),
        '{"op":"replace","path":"/player/xp","value":1}',
        '{"op":"add","path":"/player/inventory/-","value":{"id":"copper_coin","qty":1}}',
        _operation("replace", 13),
    )
    after: dict[str, Json] = {"events": [words.example_event], "next_actions": [*words.example_actions]}
    if draws:
        after["mechanics"] = {"skill_used": "perception", "difficulty": "easy"}
    head, tail = (json.dumps(part, ensure_ascii=False)[1:-1] for part in (bundle, after))
    patch = ",\n    ".join(operations)
    return f'{words.example_prose}\n```json\n{{{head},\n  "patch": [\n    {patch}],\n  {tail}}}\n```\n'


def _operation(op: str, version: int) -> str:
    return f'{{"op":"{op}","path":"/version","value":{version}}}'


def _choose(language: str) -> _Words:
    """The texts of a language; all but Chinese use English."""
    return pick_words(language, {"en": _ENGLISH, "zh-CN": _CHINESE})
