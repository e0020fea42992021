"""Instructions of the cards dialect: its rules and the demands of a repair, in English and Chinese.

The same game and language give the same bytes; they contain nothing of a running campaign.
"""

from talewright.common.frozen_values import cached_by_identity, frozen
from talewright.common.language_tags import pick_words
from talewright.contract.answer_schema import GAMES_KEPT_MAX, list_places, sketch
from talewright.contract.cards.cards_schema import (
    CHOICES_MAX,
    CHOICES_MIN,
    LABEL_LENGTH_MAX,
    NARRATIVE_ASKED_MAX,
    UPDATES_ASKED_MAX,
)
from talewright.contract.dialect import AnswerGround
from talewright.kernel.game import Game
from talewright.kernel.judging.rulings import Flaw

FORM = """\
{"narrative_markdown": "...",
 "choices": [{"id": "...", "label": "...", "hint": "...", "risk": "low|medium|high", "tags": ["..."]}],
 "state_updates": [{"op": "set|inc|dec|push|remove|toggle", "path": "...", "value": 0, "reason": "..."}],
 "new_facts": ["..."],
 "events": [{"type": "info", "message": "..."}],
 "end": {"is_game_over": false, "ending_id": "", "reason": ""}}"""
"""The shape of an answer, as shown to a model."""


@frozen
class CardsWords:
    """All texts in one language."""

    rules: str
    may_end: str
    may_not_end: str
    places: str
    more_places: str
    no_places: str
    wrong: str
    again: str
    again_updates: str
    again_moves: str


ENGLISH = CardsWords(
    rules=f"""\
# How to answer
Answer with exactly one JSON object and nothing else: no words before or after it, no code fence. \
Give all members, in this order:
{FORM}
In a string write a line break as \\n and a quotation mark as \\".

- narrative_markdown: what happens now, at most {NARRATIVE_ASKED_MAX} characters. Write in the second person \
and the present tense unless the style notes of the game say otherwise. Never decide, speak or act for the \
player. Each turn brings one concrete change: a clue, a relationship, time, a danger. No numbers of the \
state, no lists of choices, no JSON in it.
- choices: {CHOICES_MIN} to {CHOICES_MAX} things the player might do next, each with an id of its own \
(snake_case) and a label of at most {LABEL_LENGTH_MAX} characters.
- state_updates: 0 to {UPDATES_ASKED_MAX}. Whatever the narration changes in the state must stand here, and \
nothing else. You only propose: the engine checks every update and owns the state.
  set takes a value of the place's own type; inc and dec take a number of 0 or more and are for numbers; \
push and remove are for lists; toggle is for true and false and takes null.
- new_facts: short sentences that must be remembered; [] if there are none.
- events: short messages for the log; [] if there are none.
""",
    may_end=(
        "- end: is_game_over is true only when the story is over; then ending_id names the ending and "
        "choices may be []. The endings: {endings}.\n"
    ),
    may_not_end="- end: leave is_game_over false; the engine ends the game when its conditions hold.\n",
    places="\nPaths you may change, and what they take:\n",
    more_places="... and {count} more, named as the state names them.\n",
    no_places="\nNothing in the state is yours to change: state_updates is always [].\n",
    wrong="Your last answer could not be used:",
    again=("Answer with the whole JSON object, with all its members. Nothing but the JSON object."),
    again_updates=(
        "Your narration stands and has been shown; do not tell it again. Answer with a JSON object that has "
        'only "state_updates" and "choices": all updates the narration needs, also those that were right, '
        f"and {CHOICES_MIN} to {CHOICES_MAX} choices. Nothing but the JSON object."
    ),
    again_moves=(
        'Answer with a JSON object that has only "state_updates" and "end": what should change, '
        "without any narration. Nothing but the JSON object."
    ),
)

CHINESE = CardsWords(
    rules=f"""\
# 回答格式
只输出一个 JSON 对象，前后不得有任何文字，也不要代码围栏。所有字段都要有，顺序如下：
{FORM}
字符串里换行写作 \\n，双引号写作 \\"。

- narrative_markdown：此刻发生的事，最多 {NARRATIVE_ASKED_MAX} 个字符。用第二人称、现在时，\
除非本游戏的文风要求另有规定。绝不替玩家做决定、说话或行动。每回合推进一个具体变化：线索、关系、时间或风险。\
其中不写状态数值，不列选项，不写 JSON。
- choices：{CHOICES_MIN} 到 {CHOICES_MAX} 个玩家接下来可做的事，每个都有不重复的 id（snake_case），\
label 不超过 {LABEL_LENGTH_MAX} 个字符。
- state_updates：0 到 {UPDATES_ASKED_MAX} 条。叙事改变了状态里的什么，这里就写什么，不多也不少。\
你只是提议：每一条都由引擎校验，状态归引擎所有。
  set 的值须与该处类型一致；inc 和 dec 只用于数字，值为不小于 0 的数；push 和 remove 只用于列表；\
toggle 只用于布尔值，值写 null。
- new_facts：需要记住的短句；没有就写 []。
- events：给日志的简短消息；没有就写 []。
""",
    may_end=(
        "- end：只有故事真正结束时 is_game_over 才为 true；此时 ending_id 写结局的 id，choices 可为 []。"
        "结局有：{endings}。\n"
    ),
    may_not_end="- end：is_game_over 保持 false；条件满足时由引擎结束游戏。\n",
    places="\n你可以改变的路径及其取值：\n",
    more_places="……另有 {count} 处，路径与状态中的名称相同。\n",
    no_places="\n状态里没有可由你改变的内容：state_updates 永远是 []。\n",
    wrong="你上一次的回答无法使用：",
    again="请输出完整的 JSON 对象，所有字段都要有。除 JSON 对象外什么都不要写。",
    again_updates=(
        "你的叙事有效，已经展示给玩家，不要重写。只输出一个 JSON 对象，"
        '其中只有 "state_updates" 和 "choices"：'
        f"这段叙事需要的全部更新（原先正确的也要写上），以及 {CHOICES_MIN} 到 {CHOICES_MAX} 个选项。"
        "除 JSON 对象外什么都不要写。"
    ),
    again_moves=(
        '请只输出一个 JSON 对象，其中只有 "state_updates" 和 "end"：写应当改变什么，不写叙事。'
        "除 JSON 对象外什么都不要写。"
    ),
)

PLACES_LISTED_MAX = 150
"""Paths that the rules list; a game with more shows the others with the state."""


@cached_by_identity(GAMES_KEPT_MAX)
def cards_rules(game: Game, language: str) -> str:
    """The instructions on how to answer, given to the model once."""
    words = _choose(language)
    return words.rules + _describe_end(game, words) + _list_places(game, words)


def cards_demand(flaws: tuple[Flaw, ...], ground: AnswerGround) -> str:
    """The text of a repair: what was wrong and what is wanted now; without flaws only the latter."""
    words = _choose(ground.language)
    if ground.updates_only:
        wanted = words.again_updates
    elif ground.moves_only:
        wanted = words.again_moves
    else:
        wanted = words.again
    wrong = [words.wrong, *(f"- {flaw.message}" for flaw in flaws)] if flaws else []
    return "\n".join([*wrong, wanted])


def _describe_end(game: Game, words: CardsWords) -> str:
    # A finale is not an ending itself: its routes lead to the endings.
    endings = [
        name for ending in game.endings for name in ([route.ending for route in ending.finale] or [ending.id])
    ]
    if not (game.model_may_end and endings):
        return words.may_not_end
    return words.may_end.format(endings=", ".join(dict.fromkeys(endings)))


def _list_places(game: Game, words: CardsWords) -> str:
    places = list_places(game)
    if not places:
        return words.no_places
    lines = "".join(f"- {place.path}: {sketch(place.slot)}\n" for place in places[:PLACES_LISTED_MAX])
    more = len(places) - PLACES_LISTED_MAX
    return words.places + lines + (words.more_places.format(count=more) if more > 0 else "")


def _choose(language: str) -> CardsWords:
    """The texts of a language; all but Chinese use English."""
    return pick_words(language, {"en": ENGLISH, "zh-CN": CHINESE})
