"""Making: a small game to answer in, and answers for the tests of the cards dialect."""

import json
from dataclasses import replace

from talewright.common.json_values import Json
from talewright.contract.cards.dialect import CardsDialect
from talewright.contract.dialect import AnswerGround, ModelAnswer
from talewright.kernel.game import Game
from talewright.kernel.state.state import begin
from talewright.llm.reply_chunks import Piece, Stop, StopReason, Text
from tests.kernel.making import (
    boolean,
    enum,
    integer,
    listing,
    make_game,
    make_layout,
    opened,
    record,
    string,
)


def make_well() -> Game:
    """A game with slots of every kind, some of them closed to models."""
    layout = make_layout(
        {
            "hp": integer(80, 0, 100),
            "place": enum("docks", "tower"),
            "time": record(hour=integer(20), minute=integer(10)),
            "flags": record(met=boolean(), plot=replace(boolean(), hidden=True)),
            "notes": listing(string()),
            "bonds": opened(integer(0, -100, 100)),
            "party": listing(record(name=string(), key=replace(string(), secret=True))),
            "fate": replace(integer(), readonly=True),
            "doom": replace(record(name=string("Ahti")), secret=True),
        }
    )
    return make_game(layout)


def make_ground(game: Game | None = None, language: str = "en") -> AnswerGround:
    game = game or make_well()
    return AnswerGround(game, begin(game), language)


def choice(name: str, **more: Json) -> dict[str, Json]:
    return {"id": name, "label": f"Go {name}", "hint": "", "risk": "low", "tags": [], **more}


def members(**more: Json) -> dict[str, Json]:
    """The members of a good answer, some of them others."""
    return {
        "narrative_markdown": "You wait.",
        "choices": [choice("on"), choice("back"), choice("up")],
        "state_updates": [],
        "new_facts": [],
        "events": [],
        "end": {"is_game_over": False, "ending_id": "", "reason": ""},
        **more,
    }


def write(**more: Json) -> str:
    return json.dumps(members(**more), ensure_ascii=False)


def read(text: str, ground: AnswerGround | None = None, stop: StopReason = StopReason.END) -> ModelAnswer:
    """What the reader makes of a text that comes in one."""
    return read_chunks([Text(text), Stop(stop)], ground)


def read_chunks(chunks: list[Piece], ground: AnswerGround | None = None) -> ModelAnswer:
    reader = CardsDialect().reader(ground or make_ground())
    told = [reader.feed(chunk) for chunk in chunks]
    answer = reader.finish()
    assert answer.prose == "".join(told)
    return answer


def flaws(answer: ModelAnswer) -> list[str]:
    """What is wrong with an answer; soft flaws are marked."""
    return [("soft: " if flaw.soft else "") + flaw.message for flaw in answer.flaws]
