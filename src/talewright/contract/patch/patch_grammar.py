"""The grammar of a short patch answer: whole sentences, then one block in a fixed form.

No JSON Schema can describe prose followed by a block; a llama.cpp grammar can. The model chooses every word
of the prose; paths and values are those that would be granted now.
"""

import json

from talewright.contract.answer_grammar import any_value, literal, one_of, write_prose_rules
from talewright.contract.dialect import AnswerGround
from talewright.contract.patch.patch_bundle import ATTEMPT
from talewright.contract.possible_updates import PossibleUpdate, list_possible
from talewright.kernel.judging.moves import Op
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.state.state_paths import pointer
from talewright.llm.profiles import Profile

PROSE_LENGTH_MAX = 240
"""Characters of a narration, however many the profile allows: about the forty words that are asked for."""

ACTIONS = 2
"""Things the player might do next."""

_NEXT = literal('", "')
_BREAK = literal("\n")
_OPS = {Op.SET: "replace", Op.PUSH: "add"}


def patch_grammar(ground: AnswerGround, profile: Profile) -> str:
    """The grammar of what is wanted now: the mechanics, the block alone, or narration and block."""
    mechanics = _write_mechanics(ground)
    if ground.moves_only:
        whole = [literal('```json\n{"mechanics": '), mechanics or literal("null"), literal("}\n```")]
        return f"root ::= {' '.join(whole)}"
    changes = [_write_change(update) for update in list_possible(ground, frozenset(_OPS))]
    # With moves first the attempt was judged before; a second one would be refused.
    judged = ground.game.plan == "moves_first" or not mechanics
    block = [
        literal('```json\n{"patch": ['),
        "change?" if changes else "",
        literal("]"),
        "" if ground.author_offers else _write_actions(),
        "" if judged else literal(', "mechanics": ') + f" {mechanics}",
        literal("}\n```"),
    ]
    root = " ".join(filter(None, block))
    if not ground.updates_only:
        root = f"prose {_BREAK} {root}"
    rules = [f"root ::= {root}", *([f"change ::= {one_of(changes)}"] if changes else [])]
    length = min(profile.string_length_max, PROSE_LENGTH_MAX)
    return "\n".join((*rules, *write_prose_rules(length, ground.language)))


def _write_actions() -> str:
    """Suggestions for the player's next action, if no scene offers any."""
    return " ".join((literal(', "next_actions": ["'), f" {_NEXT} ".join(["label"] * ACTIONS), literal('"]')))


def _write_change(update: PossibleUpdate) -> str:
    path = pointer(update.path) + ("/-" if update.op is Op.PUSH else "")
    begin = f'{{"op": "{_OPS[update.op]}", "path": {json.dumps(path)}, "value": '
    return f"{literal(begin)} {any_value(update.values) if update.values else 'text'} {literal('}')}"


def _write_mechanics(ground: AnswerGround) -> str:
    """The attempt, with the names that the game accepts; empty if nothing can be attempted."""
    if ATTEMPT not in ground.tools:
        return ""
    table = WorkingState(ground.game, ground.position)
    found = (one.argument_values(ATTEMPT, table.sight(one)) for one in ground.game.parts.argument_values)
    names = next((one for one in found if one.get("skill") and one.get("difficulty")), None)
    if names is None:
        return literal("null")
    begin, middle = literal('{"skill_used": '), literal(', "difficulty": ')
    tried = f"{begin} {any_value(names['skill'])} {middle} {any_value(names['difficulty'])} {literal('}')}"
    return one_of((literal("null"), tried))
