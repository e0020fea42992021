"""A small game for the tests of sessions: a room with three choices, a clock, a bag, something hidden."""

from dataclasses import replace

from talewright.kernel.game import Game
from talewright.kernel.judging.moves import Op, Update
from talewright.kernel.story.cards import Card, CardFormat, CriticalWhen, StatusItem, StatusStyle
from talewright.kernel.story.endings import Outcome
from talewright.kernel.story.scenes import Check, Choice, SceneResult
from talewright.turn.game_editions import Edition
from tests.kernel.making import (
    boolean,
    enum,
    integer,
    listing,
    make_ending,
    make_game,
    make_layout,
    make_scene,
    make_trigger,
    number,
    opened,
    record,
    string,
)
from tests.play.making import make_edition

WORDS = {
    "title": "The Room",
    "intro": "You wake.",
    "variable.hp": "Health",
    "variable.hp.description": "How long you last.",
    "variable.time": "Time",
    "variable.time.day": "Day",
    "variable.bag": "Bag",
    "value.bag.rope": "a rope",
    "variable.place": "Place",
    "value.place.dock": "The dock",
    "variable.ties": "Ties",
    "variable.ties.lian": "Lian",
    "status.hp": "Life",
    "scene.room.text.1": "A room with a door.",
    "scene.room.wait.label": "Wait",
    "scene.room.wait.text": "You wait.",
    "scene.room.fight.label": "Fight",
    "scene.room.fight.hint": "It may hurt.",
    "scene.room.fight.reason": "a punch",
    "scene.room.take.label": "Take the rope",
    "ending.dead": "You die.",
    "hurt": "That hurt.",
}


def room_game() -> Game:
    """The game."""
    layout = make_layout(
        {
            "hp": integer(30, 0, 100),
            "time": record(day=integer(1), hour=integer(22), minute=integer(50)),
            "bag": listing(string(), "coin"),
            "place": enum("home", "dock"),
            "ties": record(lian=integer(5, -100, 100), spy=replace(integer(9), hidden=True)),
            "lit": boolean(),
            "weight": number(1.5),
            "notes": opened(string()),
            "plan": replace(string("to leave"), hidden=True),
            "code": replace(string("1234"), secret=True),
        }
    )
    room = make_scene(
        layout,
        "room",
        "hp > 0",
        Choice(
            "wait",
            text="scene.room.wait.text",
            updates=(Update(Op.INC, "time.minute", 5), Update(Op.SET, "plan", "to stay")),
            next="room",
        ),
        Choice(
            "fight",
            updates=(Update(Op.DEC, "hp", 10, "scene.room.fight.reason"),),
            check=Check("1d6", 7, SceneResult(), SceneResult(updates=(Update(Op.SET, "place", "dock"),))),
            next="room",
        ),
        Choice("take", updates=(Update(Op.PUSH, "bag", "rope"),), next="room"),
    )
    game = make_game(
        layout,
        scenes=(room,),
        triggers=(make_trigger(layout, "pain", "hp < 30", event="hurt", once=True),),
        endings=(make_ending(layout, "dead", "hp == 0", Outcome.LOSE),),
    )
    return replace(
        game,
        languages=("en", "zh-CN"),
        cards=(
            Card("hp", False, 0, CardFormat.BAR),
            Card("time", True, 10, CardFormat.KEYVALUE),
            Card("bag", True, 20, CardFormat.LIST),
            Card("place", True, 5),
            Card("ties", True, 30, CardFormat.KEYVALUE),
            Card("lit", True, 40),
            Card("weight", True, 50),
            Card("notes", True, 60, CardFormat.KEYVALUE),
            Card("plan", True, 70),
            Card("code", True, 80),
        ),
        status_bar=(
            StatusItem("hp", StatusStyle.METER, critical_threshold=25),
            StatusItem("time", show_delta=False),
            StatusItem("ties.lian", critical_threshold=5, critical_when=CriticalWhen.ABOVE),
            StatusItem("plan"),
        ),
    )


def room() -> Edition:
    """The game with its words."""
    return make_edition(room_game(), WORDS)
