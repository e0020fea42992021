"""The short form of a cards answer for slow and small models: its rules, its schema and its grammar.

It has narration, choices that are only labels, and at most a few updates, all of which would be granted now.
The reader of the full form reads it too.
"""

from talewright.common.language_tags import pick_words
from talewright.contract.answer_grammar import (
    LABEL_LENGTH_MAX,
    QUOTE,
    RULES_WITHOUT_CHOICES,
    any_value,
    literal,
    one_of,
    write_prose_rules,
)
from talewright.contract.cards.cards_schema import CHOICES_MAX, CHOICES_MIN, NARRATIVE, NARRATIVE_ASKED_MAX
from talewright.contract.dialect import AnswerGround, has_authored_choices
from talewright.contract.possible_updates import TEXT_LENGTH_MAX, PossibleUpdate, list_possible
from talewright.kernel.game import Game
from talewright.kernel.judging.moves import CARD_OPS, Op
from talewright.llm.profiles import Profile
from talewright.llm.requests import Schema

UPDATES_MAX = 2
_RULES = {
    "en": """\
# How to answer
Answer with one JSON object and nothing else:
{form}
- narrative_markdown: two or three sentences about what happens now. Write "you", in the present tense. \
Never act for the player.
- choices: three different things the player might do next, a few words each.
- state_updates: [] or one change, such as {update}.
""",
    "zh-CN": """\
# 回答格式
只输出一个 JSON 对象：
{form}
- narrative_markdown：两三句话，写此刻发生的事。用“你”和现在时，绝不替玩家行动。
- choices：三件玩家接下来可做的事，各不相同，每件几个字。
- state_updates：写 []，或一处变化，如 {update}。
""",
}
_HELD = {
    "en": """\
Tell what happens now in two or three sentences: "you", in the present tense. Never act for the player. Then \
name three different things the player might do next, a few words each, and what changes in the state.
""",
    "zh-CN": """\
用两三句话写此刻发生的事：用“你”和现在时，绝不替玩家行动。然后写三件玩家接下来可做的事，各不相同，每件几个字，\
再写状态有什么变化。
""",
}
"""If a grammar enforces the form, the rules need not describe it."""

FORM = '{"narrative_markdown": "...", "choices": ["...", "...", "..."], "state_updates": []}'
UPDATE = '{"op": "dec", "path": "...", "value": 1}'


def short_cards_rules(game: Game, language: str, *, held: bool) -> str:
    """The instructions on how to answer, given to the model once; the state names the paths.

    `held` says that a grammar enforces the form.
    """
    if held:
        return pick_words(language, RULES_WITHOUT_CHOICES if has_authored_choices(game) else _HELD)
    return pick_words(language, _RULES).format(form=FORM, update=UPDATE)


def short_cards_schema(ground: AnswerGround) -> Schema:
    """The schema of a short answer: all members, or those wanted now."""
    label: Schema = {"type": "string", "maxLength": LABEL_LENGTH_MAX}
    updates = [_write_update(update) for update in _list_updates(ground)]
    parts: dict[str, Schema] = {
        NARRATIVE: {"type": "string", "maxLength": NARRATIVE_ASKED_MAX},
        "choices": {"type": "array", "items": label, "minItems": CHOICES_MIN, "maxItems": CHOICES_MAX},
        "state_updates": {
            "type": "array",
            "items": {"anyOf": updates} if updates else {"type": "null"},
            "maxItems": UPDATES_MAX if updates else 0,
        },
    }
    return _object({name: parts[name] for name in _list_wanted(ground)})


def short_cards_grammar(ground: AnswerGround, profile: Profile) -> str:
    """If the scene offers choices, there are no others."""
    updates = list(map(_spell_update, _list_updates(ground)))
    update = f"{literal('[')} update? {literal(']')}" if updates else literal("[]")
    parts = {
        NARRATIVE: " prose ".join((QUOTE, QUOTE)),
        "choices": " label ".join(map(literal, ('["', *['", "'] * (CHOICES_MIN - 1), '"]'))),
        "state_updates": update,
    }
    wanted = [name for name in _list_wanted(ground) if name != "choices" or not ground.author_offers]
    members = [literal(f'"{name}": ') + f" {parts[name]}" for name in wanted]
    root = f" {literal(', ')} ".join(members)
    rules = [f"root ::= {literal('{')} {root} {literal('}')}"]
    rules += [f"update ::= {one_of(updates)}"] if updates else []
    return "\n".join((*rules, *write_prose_rules(profile.string_length_max, ground.language)))


def _spell_update(update: PossibleUpdate) -> str:
    begin = literal(f'{{"op": "{update.op.value}", "path": "{update.place}", "value": ')
    return f"{begin} {any_value(update.values) if update.values else 'text'} {literal('}')}"


def _list_wanted(ground: AnswerGround) -> tuple[str, ...]:
    if ground.updates_only:
        return ("state_updates", "choices")
    if ground.moves_only:
        return ("state_updates",)
    return (NARRATIVE, "choices", "state_updates")


def _list_updates(ground: AnswerGround) -> tuple[PossibleUpdate, ...]:
    return list_possible(ground, frozenset(CARD_OPS) - {Op.TOGGLE})


def _write_update(update: PossibleUpdate) -> Schema:
    text: Schema = {"type": "string", "minLength": 1, "maxLength": TEXT_LENGTH_MAX}
    return _object(
        {
            "op": _constant(update.op.value),
            "path": _constant(update.place),
            "value": {"enum": list(update.values)} if update.values else text,
        }
    )


def _constant(word: str) -> Schema:
    return {"type": "string", "enum": [word]}


def _object(members: dict[str, Schema]) -> Schema:
    return {
        "type": "object",
        "properties": members,
        "required": list(members),
        "additionalProperties": False,
    }
