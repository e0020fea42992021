"""Small games for tests, made from slots and conditions in text."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from talewright.common.json_values import Json
from talewright.kernel.chance import Chance
from talewright.kernel.conditions.conditions import Condition, parse_condition, parse_expression
from talewright.kernel.game import DerivedSlot, Game, GameLimits
from talewright.kernel.judging.moves import Update
from talewright.kernel.slots.engine_slots import with_engine_root
from talewright.kernel.slots.slot_types import Layout, Slot, SlotKind, inherit
from talewright.kernel.state.state_paths import parse_path
from talewright.kernel.story.endings import Ending, Outcome, Route
from talewright.kernel.story.scenes import Choice, Scene, Variant
from talewright.kernel.story.triggers import Event, Trigger
from talewright.kernel.system import System


class Scripted:
    """A chance whose faces are written down beforehand."""

    def __init__(self, *faces: int) -> None:
        self.faces = list(faces)

    def draw(self, sides: int, why: str = "") -> int:
        return self.faces.pop(0)


def _chance_is_a_chance(scripted: Scripted) -> Chance:
    return scripted


def integer(default: int = 0, minimum: int | None = None, maximum: int | None = None, **more: object) -> Slot:
    return replace(
        Slot(kind=SlotKind.INTEGER, default=default, minimum=minimum, maximum=maximum),
        **more,  # type: ignore[arg-type]
    )


def number(default: float = 0, minimum: float | None = None, maximum: float | None = None) -> Slot:
    return Slot(kind=SlotKind.NUMBER, default=default, minimum=minimum, maximum=maximum)


def boolean(default: bool = False) -> Slot:
    return Slot(kind=SlotKind.BOOLEAN, default=default)


def string(default: str = "", max_length: int = 2_000) -> Slot:
    return Slot(kind=SlotKind.STRING, default=default, max_length=max_length)


def enum(*values: str) -> Slot:
    return Slot(kind=SlotKind.ENUM, enum_values=values, default=values[0])


def listing(element: Slot, *default: Json, max_items: int = 500) -> Slot:
    return Slot(kind=SlotKind.LIST, element=element, default=list(default), max_items=max_items)


def record(**fields: Slot) -> Slot:
    return Slot(kind=SlotKind.OBJECT, fields=fields)


def opened(values: Slot, default: Mapping[str, Json] | None = None, max_items: int = 500) -> Slot:
    return Slot(kind=SlotKind.OBJECT, values=values, default=default or {}, max_items=max_items)


def make_layout(slots: Mapping[str, Slot]) -> Layout:
    return with_engine_root(Layout({name: inherit(slot) for name, slot in slots.items()}))


def make_trigger(
    layout: Layout,
    name: str,
    when: str,
    *effects: Update,
    once: bool = False,
    priority: int = 100,
    event: str = "",
) -> Trigger:
    events = (Event("info", event, f"trigger:{name}"),) if event else ()
    return Trigger(name, parse_condition(when, layout), effects, events, once, priority)


def make_scene(
    layout: Layout, name: str, when: str | None, *choices: Choice, priority: int = 0, once: bool = False
) -> Scene:
    variants = (Variant(f"scene.{name}.text.1"),)
    return Scene(name, variants, choices, maybe(layout, when), priority, once)


def maybe(layout: Layout, when: str | None) -> Condition | None:
    return None if when is None else parse_condition(when, layout)


def make_ending(layout: Layout, name: str, when: str, kind: Outcome = Outcome.LOSE, *finale: Route) -> Ending:
    return Ending(name, parse_condition(when, layout), kind, finale)


def make_game(
    layout: Layout,
    *,
    triggers: Sequence[Trigger] = (),
    endings: Sequence[Ending] = (),
    scenes: Sequence[Scene] = (),
    systems: Sequence[System] = (),
    derived: Sequence[tuple[str, str]] = (),
    limits: GameLimits | None = None,
    model_may_end: bool = False,
) -> Game:
    return Game(
        id="test",
        version="1",
        language="en",
        languages=("en",),
        layout=layout,
        initial=layout.defaults(),
        triggers=tuple(triggers),
        endings=tuple(endings),
        scenes={scene.id: scene for scene in scenes},
        systems=tuple(systems),
        derived=tuple(
            DerivedSlot(parse_path(path), parse_expression(text, layout)) for path, text in derived
        ),
        limits=limits or GameLimits(),
        model_may_end=model_may_end,
    )
