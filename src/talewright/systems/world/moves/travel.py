"""Travel: the player goes somewhere or waits, others live on, and those present are updated.

Life off-screen is part of the move. Its results are returned as updates, together with those of the move.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from talewright.common.json_values import Json
from talewright.common.name_suggestions import listed
from talewright.kernel.chance import Chance
from talewright.kernel.judging.moves import Update
from talewright.kernel.judging.rulings import mend
from talewright.kernel.system import Grant, SystemAnswer, Wait
from talewright.systems.world.authored.authored_world import WHOLE, AuthoredPerson
from talewright.systems.world.moves.world_arguments import WorldArguments
from talewright.systems.world.offscreen.seeded_chance import SEED_SIDES
from talewright.systems.world.offscreen.simulation import LivedTime, live
from talewright.systems.world.people.whereabouts import list_hidden, list_present, list_visible
from talewright.systems.world.places.place_resolution import (
    ERRAND,
    ResolvedPlace,
    ask_place,
    find_place,
    list_names,
    take_answer,
)
from talewright.systems.world.places.routes import list_known, travel_ticks
from talewright.systems.world.slots import NAME_LENGTH_MAX, PEOPLE_MAX, TICKS_MAX
from talewright.systems.world.time_words import tell_time
from talewright.systems.world.words.phrases import WorldPhrases
from talewright.systems.world.world_state import Stay, WorldState, put

ACCOMPANY_MINUTES = 4 * 60
"""How long a companion stays before following a schedule again."""

LIFE_MINUTES = 60
"""After how much time in one place life off-screen is simulated without a move."""

DESTINATION_LENGTH_MAX = 120
"""Characters of a destination as the caller words it."""


def move_to_location(
    said: WorldArguments, state: WorldState, chance: Chance, words: WorldPhrases, answers: Mapping[str, Json]
) -> SystemAnswer:
    """The player goes to another place, perhaps in company."""
    wanted = said.needed("destination", DESTINATION_LENGTH_MAX)
    companions = said.people("accompaniedBy", list(list_present(state, state.at, state.tick)))
    place = find_place(wanted, state.places)
    if place is not None:
        resolved = ResolvedPlace(place.id)
    elif not state.world.rules.new_places:
        raise mend(
            f"{said.tool}: there is no place {wanted!r}; there is {listed(list_names(list_known(state)))}"
        )
    elif ERRAND not in answers:
        return Wait(ask_place(wanted, state.places, words))
    else:
        resolved = take_answer(wanted, answers[ERRAND], state.places)
    if resolved.id == state.at:
        raise mend(
            f"{said.tool}: the player is at {state.places[state.at].name} already; tell what happens here"
        )
    updates, goal = _enter(state, resolved)
    ticks = travel_ticks(state, state.at, goal) if resolved.id else state.world.rules.move_ticks
    arrival = _pass(state, ticks)
    stay = Stay(goal, arrival + state.world.ticks_in(ACCOMPANY_MINUTES))
    stays = {person.id: _stay_of(person, goal, stay) for person in companions}
    updates += [put("stays", name, value={"at": one.at, "until": one.until}) for name, one in stays.items()]
    lived = _live(state, arrival, "", chance)
    after = _after(state, updates, tick=arrival, at=goal, stays={**lived.stays, **stays})
    updates += [put("at", value=goal), put("left", state.at, value=state.tick), *lived.updates]
    return _arrive(after, updates, chance, words, said.line("narrativeTime", NAME_LENGTH_MAX), "Moved to")


def advance_time(
    said: WorldArguments, state: WorldState, chance: Chance, words: WorldPhrases
) -> SystemAnswer:
    """Time passes where the player is."""
    before = {person.id for person in list_visible(state)}
    later = _pass(state, said.ticks())
    lived = _live(state, later, state.at, chance)
    after = _after(state, (), tick=later, at=state.at, stays=lived.stays)
    told = said.line("narrativeTime", NAME_LENGTH_MAX)
    answer = _arrive(after, [*lived.updates], chance, words, told, "Time advanced at")
    here = {person.id for person in list_visible(after)}
    came = [after.name_of(name) for name in here - before]
    left = [after.name_of(name) for name in before - here]
    assert isinstance(answer.result, Mapping)
    return replace(answer, result={**answer.result, "came": sorted(came), "left": sorted(left)})


def pass_time(state: WorldState, ticks: int, chance: Chance) -> list[Update]:
    """Time passes automatically at the end of a turn; now and then life off-screen is simulated."""
    later = _pass(state, ticks)
    updates = [put("tick", value=later)] if later != state.tick else []
    if later - state.count("lived") >= state.world.ticks_in(LIFE_MINUTES):
        updates += _live(state, later, state.at, chance).updates
    return updates


def _pass(state: WorldState, ticks: int) -> int:
    return min(TICKS_MAX, state.tick + ticks)


def _enter(state: WorldState, resolved: ResolvedPlace) -> tuple[list[Update], str]:
    """The updates that create a new place, and its id."""
    if resolved.id:
        new = [name for name in (state.at, resolved.id) if name not in state.part("visited")]
        return [put("visited", name, value=state.tick) for name in new], resolved.id
    made = state.part("places")
    if len(made) >= PEOPLE_MAX or not resolved.name:
        raise mend(f"no more places can be added; there is {listed(list_names(list_known(state)))}")
    name = f"new_{len(made) + 1}"
    row: dict[str, Json] = {"name": resolved.name, "way": state.at}
    new = [one for one in (state.at, name) if one not in state.part("visited")]
    return [put("places", name, value=row), *(put("visited", one, value=state.tick) for one in new)], name


def _stay_of(person: AuthoredPerson, goal: str, stay: Stay) -> Stay:
    """People with a schedule return to it; others stay."""
    return stay if person.schedule or person.needs else Stay(goal)


def _live(state: WorldState, until: int, player_at: str, chance: Chance) -> LivedTime:
    """Simulate life off-screen up to a tick. All its chances follow from one draw."""
    updates: list[Update] = []
    if not state.count("seed"):
        seed = chance.draw(SEED_SIDES, "the world")
        updates.append(put("seed", value=seed))
        state = replace(state, own={**state.own, "seed": seed})
    lived = live(state, until, player_at, chance.draw(SEED_SIDES, "life off-screen"))
    return replace(lived, updates=(*updates, *lived.updates))


def _after(
    state: WorldState, updates: Iterable[Update], *, tick: int, at: str, stays: Mapping[str, Stay]
) -> WorldState:
    """The state once the player is there, as far as it decides who is here."""
    own: dict[str, Json] = {**state.own, "tick": tick, "at": at, "time": "", "time_tick": tick}
    for update in updates:
        parts = update.path.split("/")
        if parts[2] == "places":
            own["places"] = {**state.part("places"), parts[3]: update.value}
    return WorldState(state.world, own, state.turn, {**state.stays_since, **stays})


def _arrive(
    after: WorldState,
    updates: list[Update],
    chance: Chance,
    words: WorldPhrases,
    narrative_time: str,
    message: str,
) -> Grant:
    """Who is here, and which hidden people are met by chance."""
    found = [person for person in list_hidden(after) if _is_met(person, chance)]
    updates += [put("met", person.id, value=after.tick) for person in found]
    updates += [
        put("tick", value=after.tick),
        put("time", value=narrative_time),
        put("time_tick", value=after.tick),
    ]
    met: dict[str, Json] = {**after.part("met"), **{person.id: after.tick for person in found}}
    after = replace(after, own={**after.own, "met": met, "time": narrative_time})
    place = after.places[after.at]
    here = [person.name for person in list_visible(after)]
    result: dict[str, Json] = {
        "message": _word_result(message, place.name, here, [person.name for person in found]),
        "place": place.name,
        "time": tell_time(after, words),
        "tick": after.tick,
        "present": here,
    }
    return Grant(tuple(updates), result)


def _is_met(person: AuthoredPerson, chance: Chance) -> bool:
    odds = person.encounter_chance
    return bool(odds) and chance.draw(WHOLE, f"meeting {person.id}") <= odds


def _word_result(message: str, place: str, here: Sequence[str], found: Sequence[str]) -> str:
    parts = [f"{message} {place}.", f"Characters here: {', '.join(here) or 'none'}."]
    if found:
        parts.append(f"Just discovered, to be introduced: {', '.join(found)}.")
    return " ".join(parts)
