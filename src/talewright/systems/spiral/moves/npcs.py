"""NPCs: everyone in the world with a goal and a clock, and which of them are in the scene.

`scene.active_npcs` is always derived from `active`; it is never written separately.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from talewright.common.json_values import Json, quote_value
from talewright.common.name_suggestions import listed, nearest
from talewright.kernel.judging.moves import Op, Update
from talewright.kernel.judging.rulings import mend
from talewright.kernel.state.state_paths import pointer
from talewright.kernel.story.game_texts import WIDE_WEIGHT, weigh
from talewright.kernel.system import Grant
from talewright.systems.spiral.moves.spiral_arguments import NOTE, SpiralArguments
from talewright.systems.spiral.slots import (
    CLOCK_MAX,
    DISPOSITIONS,
    NPC_NAME_LENGTH_MAX,
    NPC_TAG_LENGTH_MAX,
    NPC_TAGS_MAX,
    NPCS,
    NPCS_MAX,
    SCENE,
    TEXT_LENGTH_MAX,
)
from talewright.systems.spiral.spiral_state import Member, SpiralState, present
from talewright.systems.spiral.tags import add_to, read_list, take_away, to_slug

NPC_ID_LENGTH_MAX = 40

_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
COLOURS = ("positive", "negative")


def create_npc(said: SpiralArguments, standing: SpiralState) -> Grant:
    """Create a person, not yet in the scene."""
    name = _read_new_id(said, standing)
    person: dict[str, Json] = {
        "name": _read_name(said),
        "concept": said.text("concept", TEXT_LENGTH_MAX, "who they are, in a few words"),
        "positive_tags": _add([], said, "positive_tags"),
        "negative_tags": _add([], said, "negative_tags"),
        "disposition": said.choice("disposition", DISPOSITIONS),
        "goal": said.text("goal", TEXT_LENGTH_MAX, "a deed with an end that would matter"),
        "clock": 0,
        "clock_max": said.whole("clock_max", 1, CLOCK_MAX),
        "last_location": "",
        "active": False,
    }
    return Grant((Update(Op.INSERT, pointer((NPCS, name)), {**person, "met": False}),), {"npc": person})


def _read_new_id(said: SpiralArguments, standing: SpiralState) -> str:
    value = said.members.get("id")
    if not isinstance(value, str) or not _ID.fullmatch(value) or len(value) > NPC_ID_LENGTH_MAX:
        raise mend(
            f"create_npc: `id` is a name in kebab-case such as zogar-sag, of small letters a to z and "
            f"digits, at most {NPC_ID_LENGTH_MAX}; not {quote_value(value)}"
        )
    if value in standing.people:
        raise mend(f"create_npc: there is {value} already; change them with update_npc, or take another id")
    if len(standing.people) >= NPCS_MAX:
        raise mend(f"create_npc: a world has at most {NPCS_MAX} people; let somebody stay unnamed")
    return value


def _read_name(said: SpiralArguments) -> str:
    name = said.text("name", NPC_NAME_LENGTH_MAX, "what they are called")
    _check_weight(name, f"{said.tool}: `name`", NPC_NAME_LENGTH_MAX)
    return name


def _add(current: Sequence[str], said: SpiralArguments, name: str) -> list[str]:
    """A person's tags with more of them added."""
    about, tags = f"{said.tool}: `{name}`", said.tags(name, NPC_TAG_LENGTH_MAX)
    for tag in tags:
        _check_weight(tag, about, NPC_TAG_LENGTH_MAX)
    return add_to(current, tags, about, NPC_TAGS_MAX)


def _check_weight(words: str, about: str, length_max: int) -> None:
    """Ensure that visible words of a hidden person are too short to count as a leak."""
    if weigh(words) > length_max:
        raise mend(
            f"{about}: at most {length_max} characters, {length_max // WIDE_WEIGHT} of Chinese; "
            f"shorten {quote_value(words)}"
        )


def find_person(said: SpiralArguments, standing: SpiralState) -> str:
    """The person a call is about: by id, or by name as in the state."""
    value, people = said.members.get("id"), standing.people
    wanted = value.strip().casefold() if isinstance(value, str) else ""
    for name, person in people.items():
        if wanted in (name, str(person["name"]).casefold()):
            return name
    near = nearest(wanted, people) if wanted else ""
    there = f"did you mean {near}?" if near else f"there is {listed(people) or 'nobody yet'}"
    raise mend(f"update_npc: `id` names somebody of the world, not {quote_value(value)}; {there}")


def update_npc(said: SpiralArguments, standing: SpiralState) -> Grant:
    """Change a person: goal, clock, and presence."""
    name = find_person(said, standing)
    person = dict(standing.people[name])
    if said.has("disposition"):
        person["disposition"] = said.choice("disposition", DISPOSITIONS)
    if said.has("goal"):
        person["goal"] = said.text("goal", TEXT_LENGTH_MAX, "a deed with an end that would matter")
    if said.has("clock_delta"):
        person["clock"] = _move(person, said.whole("clock_delta"))
    if said.has("active"):
        person["active"] = said.truth("active")
        person["met"] = person["met"] or person["active"]
        person["last_location"] = to_slug(str(standing.scene["location"])) or person["last_location"]
    for colour in COLOURS:
        member, about = f"{colour}_tags", f"update_npc: `remove_{colour}`"
        left = take_away(read_list(person[member]), said.tags(f"remove_{colour}"), about)
        person[member] = _add(left, said, f"add_{colour}")
    if not any(said.has(member) for member in said.members if member not in ("id", NOTE)):
        raise mend("update_npc changes something: disposition, goal, clock_delta, active, add_positive, ...")
    updates = [Update(Op.SET, pointer((NPCS, name)), person)]
    updates += gather({**standing.people, name: person}, standing)
    return Grant(tuple(updates), {"npc": show(person)})


def show(person: Member) -> Json:
    """A person with the member names of the original design."""
    return {name: value for name, value in person.items() if name != "met"}


def _move(person: Member, delta: int) -> int:
    """A moved clock, limited to between zero and full."""
    clock, full = person["clock"], person["clock_max"]
    assert isinstance(clock, int)
    assert isinstance(full, int)
    return max(0, min(full, clock + delta))


def gather(people: Mapping[str, Member], standing: SpiralState) -> tuple[Update, ...]:
    """Update the list of those present."""
    here = [name for name, person in people.items() if person["active"] is True]
    there = list(read_list(standing.scene["active_npcs"]))
    return (Update(Op.SET, f"{SCENE}.active_npcs", here),) if here != there else ()


def follow(standing: SpiralState, location: str) -> Iterable[Update]:
    """Move everyone in the scene along with it."""
    slug = to_slug(location)
    for name, person in present(standing):
        if slug and person["last_location"] != slug:
            yield Update(Op.SET, pointer((NPCS, name, "last_location")), slug)


def meet(standing: SpiralState) -> Iterable[Update]:
    """Mark everyone in the scene as met, even if an authored scene brought them."""
    for name, person in present(standing):
        if person["met"] is not True:
            yield Update(Op.SET, pointer((NPCS, name, "met")), True)


def tick_clocks(standing: SpiralState) -> tuple[list[Update], list[Json]]:
    """Advance every clock by one, and list those that are full."""
    updates: list[Update] = []
    filled: list[Json] = []
    for name, person in standing.people.items():
        clock = _move(person, 1)
        if clock != person["clock"]:
            updates.append(Update(Op.SET, pointer((NPCS, name, "clock")), clock))
        if clock == person["clock_max"]:
            filled.append({"id": name, "name": person["name"], "goal": person["goal"]})
    return updates, filled
