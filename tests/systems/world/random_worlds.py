"""Random worlds and histories: generated from a seed, played move by move.

The files are made as the reader would return them. Whatever is generated compiles.
"""

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from talewright.common.json_values import Json
from talewright.kernel.game import Game
from talewright.kernel.judging.move_resolution import carry_out as apply_updates
from talewright.kernel.judging.rulings import Refused
from talewright.systems.world.authored.world_files import FACTS, PEOPLE, PLACES, RULES
from tests.kernel.making import make_game, make_layout
from tests.systems.world.making import WORLD, Play

Files = dict[str, Any]
Deed = tuple[str, dict[str, Any]]


def make_files(chance: random.Random, people_max: int = 8, places_max: int = 6, facts_max: int = 6) -> Files:
    """A world of a few places, people and facts, with schedules, needs and agendas."""
    places = [f"p{number}" for number in range(chance.randint(2, places_max))]
    people = [f"c{number}" for number in range(chance.randint(2, people_max))]
    facts = [f"f{number}" for number in range(chance.randint(1, facts_max))]
    agendas: list[str] = []
    rows = [_make_person(chance, name, places, people, facts, agendas) for name in people]
    return {
        PLACES: [
            {
                "id": name,
                "name": f"Place {name}",
                "exits": [{"to": to} for to in chance.sample(places, chance.randint(0, len(places)))],
                "hidden": chance.random() < 0.2,
            }
            for name in places
        ],
        PEOPLE: rows,
        FACTS: [
            {
                "id": name,
                "topic": f"topic {name}",
                "text": f"Fact {name} is true.",
                "twists": [f"Fact {name} is twisted."] if chance.random() < 0.5 else [],
                "trust": chance.choice((-100, -100, 0, 30)),
            }
            for name in facts
        ],
        RULES: {
            "start": {"at": chance.choice(places), "time": chance.randrange(1440)},
            "gossip": {
                "chance": chance.random(),
                "delay_hours": chance.randint(0, 6),
                "loss": chance.random() / 2,
                "distortion": chance.random(),
            },
            "offscreen": {"every_turns": 1},
        },
    }


def _make_person(
    chance: random.Random,
    name: str,
    places: list[str],
    people: list[str],
    facts: list[str],
    agendas: list[str],
) -> dict[str, Any]:
    own = [
        _make_agenda(chance, f"a{len(agendas)}_{name}_{n}", places, people, facts, agendas) for n in range(2)
    ]
    kept = own[: chance.choice((0, 0, 1, 2))]
    agendas += [str(agenda["id"]) for agenda in kept]
    hours = sorted(chance.sample(range(25), 2))
    return {
        "id": name,
        "name": f"Name{name.upper()}",
        "description": f"The person {name}.",
        "goals": f"the goal of {name}" if chance.random() < 0.5 else "",
        "at": chance.choice(places),
        "hidden": chance.random() < 0.3,
        "encounter_chance": chance.random(),
        "knows": chance.sample(facts, chance.randint(0, min(2, len(facts)))),
        "relationships": {other: chance.randint(-100, 100) for other in people if chance.random() < 0.3},
        "schedule": [{"from": hours[0] * 60, "to": hours[1] * 60, "at": chance.choice(places)}]
        if chance.random() < 0.6
        else [],
        "needs": [{"id": "n", "at": chance.choice(places), "every_hours": chance.randint(2, 30), "hours": 1}]
        if chance.random() < 0.4
        else [],
        "agendas": kept,
    }


def _make_agenda(
    chance: random.Random, name: str, places: list[str], people: list[str], facts: list[str], known: list[str]
) -> dict[str, Any]:
    return {
        "id": name,
        "segments": chance.randint(1, 4),
        "every_hours": chance.randint(1, 12),
        "chance": chance.choice((1, 0.5, 0.1)),
        "after": chance.sample(known, 1) if known and chance.random() < 0.3 else [],
        "knows": chance.sample(facts, 1) if chance.random() < 0.3 else [],
        "outcome": {
            "event": f"Event {name} happened." if chance.random() < 0.8 else "",
            "twists": [f"Event {name} was worse."],
            "moves": {chance.choice(people): chance.choice(places)} if chance.random() < 0.5 else {},
            "relations": {chance.choice(people): chance.randint(-80, 80)},
            "learns": chance.sample(facts, 1) if chance.random() < 0.3 else [],
            "stops": chance.sample(known, 1) if known and chance.random() < 0.2 else [],
        },
    }


def make_world_game(files: Mapping[str, Json]) -> Game:
    """A game with this world and nothing else."""
    layout = make_layout(WORLD.slots(files))
    return replace(make_game(layout, systems=[WORLD]), files={"world": files})


def make_deeds(chance: random.Random, files: Files, count: int) -> list[Deed]:
    """What the storyteller tries; much of it is refused."""
    places = [row["id"] for row in files[PLACES]]
    people = [row["name"] for row in files[PEOPLE]]
    facts = [row["text"] for row in files[FACTS]]
    deeds: list[Deed] = []
    for number in range(count):
        some = chance.sample(people, chance.randint(0, 2))
        match chance.randrange(8):
            case 0 | 1:
                goal = chance.choice((*places, f"the spot {number}"))
                went = {"destination": goal, "narrativeTime": "", "accompaniedBy": some}
                deeds.append(
                    ("moveToLocation", went if chance.random() < 0.3 else {**went, "accompaniedBy": []})
                )
            case 2 | 3:
                deeds.append(
                    ("advanceTime", {"narrativeTime": "later", "ticks": chance.choice((1, 12, 90, 900))})
                )
            case 4:
                text = chance.choice((f"Note {number} is so.", chance.choice(facts)))
                told = {"told_by": chance.choice((*people, "player")), "told_to": some}
                deeds.append(("noteFact", {"fact": text, **chance.choice(({}, {"witnesses": some}, told))}))
            case 5:
                new = {
                    "characterName": chance.choice((*people, f"New{number}")),
                    "introduction": "?",
                    "goals": "",
                }
                deeds.append(("discoverCharacter", new))
            case 6:
                topic = chance.choice(("", f"f{chance.randrange(6)}", "Name"))
                deeds.append(("askCharacter", {"characterName": chance.choice(people), "topic": topic}))
            case _:
                words = f"{chance.choice(people)} waves."
                noted = [f"Told {number} is known."] if chance.random() < 0.3 else []
                deeds.append(("", {"narration": words, "facts": noted}))
    return deeds


def carry_out(play: Play, deed: Deed) -> bool:
    """Do a deed; whether it was granted."""
    tool, arguments = deed
    if not tool:
        play.end_turn(arguments["narration"], arguments["facts"])
        return True
    return not isinstance(play.rule(tool, {"resolveLocation": None}, **arguments), Refused)


def answer_life(play: Play, chance: random.Random) -> bool:
    """Let a model that makes things up tell life off-screen, if it is asked; whether it was."""
    errands = WORLD.errands(play.sight, ())
    for errand in errands:
        state = play.state
        names = [person.name for person in state.people.values()] + ["player", "Nobody"]
        things: dict[str, list[Json]] = {
            "description": [f"Scene {chance.randrange(99)} was played.", f"{chance.choice(names)} left."],
            "fact": [*state.world.facts, *state.part("facts")],
            "destination": [place.name for place in state.places.values()],
            "change": [-30, -5, 5, 20],
            "witnesses": [[], chance.sample(names, 1)],
        }
        members = ("description", "witnesses", "fact", "by", "to", "characterName", "towards", "change")
        report: dict[str, Json] = {
            kind: [
                {name: chance.choice(things.get(name, names)) for name in (*members, "destination")}
                for _ in range(chance.randrange(4))
            ]
            for kind in ("events", "movements", "told", "relationships")
        }
        answer: Json = {"summary": chance.choice(things["description"]), "reportSimulation": report}
        updates = WORLD.take(errand.id, answer, play.sight)
        play.position = apply_updates(play.game, play.position, updates, "aside:life").position
    return bool(errands)
