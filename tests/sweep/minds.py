"""Minds: nothing that a character cannot know changes what a model reads when it speaks for that character.

Five thousand generated worlds with their histories by default; CI plays the first of them.
"""

import copy
import json
import random
from collections.abc import Mapping

from talewright.systems.world.authored.world_files import FACTS, PEOPLE
from talewright.systems.world.offscreen.simulated_scenes import find_scene
from talewright.systems.world.offscreen.simulation_prompt import ask_simulation
from talewright.systems.world.people.knowledge import knowledge_of, voice_prompt
from talewright.systems.world.time_words import world_phrases_in
from talewright.systems.world.world_notes import notes_on
from tests.sweep.parts import Progress
from tests.systems.world.making import Play
from tests.systems.world.random_worlds import (
    Deed,
    Files,
    answer_life,
    carry_out,
    make_deeds,
    make_files,
    make_world_game,
)

FULL_COUNT = 5_000
CHUNK = 100

CANARY = "the canary sings at Quillfeather"
"""Words that stand in no world by themselves."""

ALTERED_MAX = 3
"""Facts that are altered in one history."""

TOGETHER = "+"
"""Between the names of people whom a model is asked about together, and after them."""

Minds = list[dict[str, str]]
"""What a model would read for each character, and for those it is asked about off-screen, step by step."""


def run(count: int, seed: int, progress: Progress | None = None) -> int:
    """Play so many worlds, and each of them again with facts altered."""
    for number in range(count):
        try:
            check_world(random.Random(f"{seed} {number}"))
        except AssertionError as problem:
            raise AssertionError(f"seed {seed}, world {number}: {problem}") from problem
        if progress:
            progress(1)
    return count


def check_world(chance: random.Random) -> int:
    """Alter facts that somebody cannot know; how many characters did read the altered words."""
    files = make_files(chance)
    deeds = make_deeds(chance, files, chance.randint(5, 20))
    secret = chance.randbytes(32)
    minds, play = read_minds(files, deeds, secret)
    facts = [*play.state.world.facts, *play.state.part("facts")]
    heard = 0
    for fact in chance.sample(facts, min(ALTERED_MAX, len(facts))):
        text = play.state.fact(fact)
        if text is None or not text.text:
            continue
        others, again = read_minds(*alter(files, deeds, fact, text.text), secret)
        for group in dict.fromkeys(name for one in (minds, others) for step in one for name in step):
            before, after = ([step.get(group, "") for step in one] for one in (minds, others))
            people = filter(None, group.split(TOGETHER))
            if any(fact in knowledge_of(again.state, person) for person in people):
                heard += any(CANARY in mind for mind in after)
                continue
            assert before == after, f"{group} reads something of {fact}"
            assert not any(CANARY in mind for mind in after), f"{group} hears the canary {fact}"
    return heard


def read_minds(files: Files, deeds: list[Deed], secret: bytes) -> tuple[Minds, Play]:
    """Play a history, and read after every step what a model would read for each character."""
    play = Play(make_world_game(files), seed=secret)
    minds: Minds = []
    for number, deed in enumerate(deeds):
        carry_out(play, deed)
        state, words = play.state, world_phrases_in("en")
        step = {
            name: "\n".join(
                [voice_prompt(state, person, words), *(note.text for note in notes_on(state, person, words))]
            )
            for name, person in state.people.items()
        }
        scene = find_scene(state)
        if scene is not None:
            together = TOGETHER.join((*scene.people, ""))
            step[together] = ask_simulation(state, scene, words).question
            # What a model makes up about life elsewhere is the same in every version of a history.
            answer_life(play, random.Random(number))
        minds.append(step)
    return minds, play


def alter(files: Files, deeds: list[Deed], fact: str, text: str) -> tuple[Files, list[Deed]]:
    """The same world and history, with a fact in other words wherever it is written."""
    changed: Files = copy.deepcopy(files)
    for row in changed[FACTS]:
        if row["id"] == fact:
            row.update(text=f"{CANARY}.", twists=[f"{CANARY} twice." for _ in row["twists"]])
    for person in changed[PEOPLE]:
        for agenda in person["agendas"]:
            if agenda["id"] == fact:
                agenda["outcome"].update(event=f"{CANARY}.", twists=[f"{CANARY} twice."])
    return changed, [(tool, _alter_words(arguments, text)) for tool, arguments in deeds]


def _alter_words(arguments: Mapping[str, object], text: str) -> dict[str, object]:
    written = json.dumps(arguments).replace(json.dumps(text), json.dumps(f"{CANARY}."))
    altered: dict[str, object] = json.loads(written)
    return altered
