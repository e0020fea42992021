"""The inn: the game of the corpus, compiled once, with a payload put into one of its texts.

A payload that an author's file could not hold is put in all the same: a translation or an import may.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from talewright.common.json_values import Json
from talewright.kernel.game import Game
from talewright.kernel.slots.engine_slots import ENGINE_ROOT, FACT_LENGTH_MAX
from talewright.kernel.story.game_texts import Texts
from talewright.pack.compiler import compile_folder
from talewright.turn.game_editions import Edition
from tests.injections.corpus import Case
from tests.injections.oracle import Oracle

FOLDER = Path(__file__).parent / "game"

PROTECTED = ("rank", "wealth", "truth", "plot", "code", "guest.alias", "oracle.favour", "oracle.seal")
"""Places that no answer of a model may change: readonly, derived and secret ones."""

NAMES = (
    "npc.berta.name",
    "item.rope.name",
    "variable.mood",
    "scene.hall.sit.label",
    "mood",
    "npc.berta.description",
)
"""Where a payload goes that comes by a name; `mood` is the value of that variable, the others are texts."""

LORE = ("lore.sign.text", "lore.bell.text")
"""Lore that is always told, and lore that is brought up."""

SLOT_LENGTH_MAX = 400


@cache
def compile_inn() -> tuple[Game, Mapping[str, Texts]]:
    """The game as its folder says."""
    compiled = compile_folder(FOLDER, {"oracle": Oracle()})
    assert compiled.game is not None, compiled.faults
    return compiled.game, compiled.texts


def make_inn(case: Case) -> Edition:
    """The game with the payload of a case in it."""
    game, texts = compile_inn()
    game = replace(game, contract=case.contract, plan="tool_loop" if case.contract == "tools" else "one_ask")
    payload = case.payload.text
    match case.channel:
        case "world":
            texts = _put(texts, "world", payload, after=True)
        case "lore":
            texts = _put(texts, LORE[case.number // 3 % len(LORE)], payload)
        case "name":
            key = NAMES[case.number // 3 % len(NAMES)]
            if key == "mood":
                game = _begin_with(game, mood=payload[:SLOT_LENGTH_MAX])
            else:
                texts = _put(texts, key, " ".join(payload.split()))
        case "memory":
            engine = game.initial[ENGINE_ROOT]
            assert isinstance(engine, Mapping)
            facts: Json = [payload[:FACT_LENGTH_MAX]]
            game = _begin_with(game, **{ENGINE_ROOT: {**engine, "summary": payload, "facts": facts}})
        case "tool_result":
            game = replace(game, systems=(Oracle(payload),))
        case _:
            pass
    return Edition(game, texts, "d1", "d1")


def _put(texts: Mapping[str, Texts], key: str, payload: str, *, after: bool = False) -> dict[str, Texts]:
    """The texts of all languages with a payload in place of one of them, or after it."""
    put = {}
    for language, words in texts.items():
        text = f"{words.get(key)}\n\n{payload}" if after else payload
        put[language] = replace(words, entries={**words.entries, key: text})
    return put


def _begin_with(game: Game, **values: Json) -> Game:
    return replace(game, initial={**game.initial, **values})
