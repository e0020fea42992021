"""Plain telling: narrates a turn in the world when neither a model nor a scene does.

It reads the state after the turn. The wording varies with the time, so that it does not repeat itself.
"""

from collections.abc import Sequence

from talewright.kernel.judging.moves import Call
from talewright.systems.world import tool_descriptions as tools
from talewright.systems.world.authored.authored_world import AuthoredPerson
from talewright.systems.world.people.knowledge import knowledge_of, word_fact
from talewright.systems.world.people.whereabouts import list_visible
from talewright.systems.world.slots import TOLD
from talewright.systems.world.time_words import tell_clock
from talewright.systems.world.words.phrases import WorldPhrases
from talewright.systems.world.world_state import WorldState


def tell_turn(calls: Sequence[Call], state: WorldState, words: WorldPhrases) -> str:
    """The results of the player's calls; without any, where the player is."""
    if not calls:
        return _join(_place(state), _people(state, words))
    return _join(*(_tell_call(call, state, words) for call in calls))


def _tell_call(call: Call, state: WorldState, words: WorldPhrases) -> str:
    time = tell_clock(state.world, state.tick, words)
    match call.tool:
        case tools.MOVE:
            line = _vary(words.arrive, state).format(place=state.places[state.at].name)
            return _join(line, _place(state), _people(state, words))
        case tools.ADVANCE:
            return _join(
                _vary(words.wait_told, state).format(time=time), _seen(state, words), _people(state, words)
            )
        case tools.ASK:
            return _answer(state, words, time)
        case _:
            return ""


def _place(state: WorldState) -> str:
    return state.places[state.at].description


def _people(state: WorldState, words: WorldPhrases) -> str:
    people = list_visible(state)
    if not people:
        return _vary(words.see_nobody, state)
    new = [one.name for one in people if one.hidden and _is_new(state, one)]
    names = words.comma.join(one.name for one in people)
    noticed = words.new_face.format(names=words.comma.join(new)) if new else ""
    return _join(noticed, words.see.format(names=names))


def _is_new(state: WorldState, person: AuthoredPerson) -> bool:
    """Whether the player has discovered this person in this turn."""
    tick = state.part("met").get(person.id)
    return isinstance(tick, int) and tick > state.count("turn_start")


def _seen(state: WorldState, words: WorldPhrases) -> str:
    """Events that the player saw in this turn."""
    seen = state.events_since(state.count("turn_start") + 1)
    return " ".join(words.happened.format(event=text) for text in seen)


def _answer(state: WorldState, words: WorldPhrases, time: str) -> str:
    """What someone has just told the player, and who told them."""
    said = state.part("said")
    teller, twist = str(said["by"]), said["twist"]
    fact = state.fact(str(said["fact"]))
    name = state.name_of(teller)
    if fact is None:
        return _vary(words.nothing_new, state).format(name=name, time=time)
    assert isinstance(twist, int)
    text = word_fact(fact, twist).rstrip(".。")
    source = knowledge_of(state, teller).get(fact.id)
    if source is not None and source.source == TOLD:
        by = state.name_of(source.by) or words.somebody
        return _vary(words.says_heard, state).format(name=name, fact=text, by=by)
    return _vary(words.says, state).format(name=name, fact=text)


def _vary(wordings: Sequence[str], state: WorldState) -> str:
    return wordings[state.turn % len(wordings)]


def _join(*parts: str) -> str:
    return " ".join(filter(None, parts))
