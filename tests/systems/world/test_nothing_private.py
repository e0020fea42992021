"""Nothing private: a player sees nobody undiscovered, no goal, and no fact the player does not know."""

import json
import random
from dataclasses import asdict

from talewright.kernel.system import NoteAudience
from talewright.systems.world.authored.world_files import PLAYER
from talewright.systems.world.people.knowledge import knowledge_of
from talewright.systems.world.places.routes import list_known
from tests.systems.world.making import WORLD, Play
from tests.systems.world.random_worlds import carry_out, make_deeds, make_files, make_world_game

WORLDS = 60


def shown(play: Play) -> str:
    """Everything the system shows to a player."""
    panels = [asdict(panel) for panel in WORLD.panels(play.sight)]
    choices = [(choice.label, choice.hint) for choice in WORLD.choices(play.sight)]
    told = [WORLD.tell([choice.call], play.sight) for choice in WORLD.choices(play.sight)]
    return json.dumps([panels, choices, told], ensure_ascii=False, default=str)


def test_a_player_sees_only_what_the_player_may_know() -> None:
    for number in range(WORLDS):
        chance = random.Random(f"private {number}")
        files = make_files(chance)
        play = Play(make_world_game(files), seed=chance.randbytes(8))
        for deed in make_deeds(chance, files, 12):
            carry_out(play, deed)
            state, text = play.state, shown(play)
            for person in state.people.values():
                if not state.is_discovered(person):
                    # Somebody hidden may be named by somebody who has told the player something.
                    told_by = {entry.by for entry in knowledge_of(state, PLAYER).values()}
                    heard = {one.by for name in told_by for one in knowledge_of(state, name).values()}
                    assert person.name not in text or person.id in told_by | heard, f"world {number}"
                assert not person.goals or person.goals not in text, f"world {number}"
            known = knowledge_of(state, PLAYER)
            for fact in (*state.world.facts.values(), *filter(None, map(state.fact, state.part("facts")))):
                assert fact.id in known or not fact.text or fact.text.rstrip(".") not in text, (
                    f"world {number}: {fact.id}"
                )
            visible = {place.id for place in list_known(state)}
            for place in state.places.values():
                assert place.id in visible or f'"{place.name}"' not in text, f"world {number}: {place.id}"


def test_goals_secrets_and_hidden_people_are_for_the_narrator_alone() -> None:
    for number in range(WORLDS):
        chance = random.Random(f"private {number}")
        files = make_files(chance)
        play = Play(make_world_game(files), seed=chance.randbytes(8))
        for deed in make_deeds(chance, files, 8):
            carry_out(play, deed)
            state = play.state
            everyone = "\n".join(
                note.text for note in WORLD.notes(play.sight) if note.ear is NoteAudience.EVERYONE
            )
            for person in state.people.values():
                assert not person.goals or person.goals not in everyone


def test_players_see_no_more_of_the_state_than_where_they_are() -> None:
    root = WORLD.slots({})["world"]
    assert [name for name, slot in root.fields.items() if not slot.secret] == ["tick", "time", "at"]
    assert root.readonly
