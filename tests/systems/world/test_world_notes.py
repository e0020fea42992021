"""World notes: the guide that a prompt begins with, and the places, people and events of a turn."""

import asyncio
from dataclasses import replace

import pytest

from talewright.kernel.game import Game
from talewright.kernel.system import NoteAudience
from talewright.llm.requests import SystemMessage
from talewright.systems.world.time_words import world_phrases_in
from talewright.systems.world.tool_descriptions import ADVANCE, DISCOVER, MOVE, NOTE_FACT
from talewright.systems.world.world_notes import GUIDED_SINCE_ENGINE, PLACES_DESCRIBED_MAX
from talewright.turn.inputs.player_inputs import Say
from talewright.turn.records.prompt_rebuild import rebuild
from tests.systems.world.making import GAME, PLACES, WORLD, Play, make_world
from tests.turn.making import lay_bench, make_edition


def find_place(play: Play) -> str:
    (note,) = (text for text in play.notes() if text.startswith("The player is at"))
    return note


def guide(game: Game = GAME, language: str = "en") -> str:
    phase = WORLD.phase(Play(game, language).sight)
    assert phase is not None
    return phase.rulebook


def test_all_known_places_are_named_and_those_nobody_hides_described() -> None:
    play = Play()
    assert find_place(play).endswith("Low beams and a long fire. Ways lead to: Market Square.")
    play.go("square")
    play.go("mill")
    assert find_place(play).endswith("Ways lead to: Market Square. Also known: The Dusty Tankard.")
    places = guide().partition("### Places\n\n")[2]
    assert places == (
        "- The Dusty Tankard: Low beams and a long fire.\n"
        "- Market Square: Stalls under striped cloth.\n"
        "- Old Mill: The wheel stands still."
    )


def test_the_guide_is_the_same_wherever_the_player_is() -> None:
    play = Play()
    play.go("square")
    assert WORLD.phase(play.sight) == WORLD.phase(Play().sight)


def test_time_passes_without_the_place_being_described_again() -> None:
    play = Play()
    before = play.notes()
    play.wait(1)
    assert [note for note in play.notes() if note not in before] == ["It is afternoon, about 16:35 (tick 1)."]


def test_only_so_many_places_are_described() -> None:
    rows = [f"- {{id: p{n}, name: P{n}, description: It is {n}.}}\n" for n in range(PLACES_DESCRIBED_MAX + 2)]
    described = guide(make_world({"world/places.yaml": PLACES + "".join(rows)}))
    assert described.count(": It is ") + 3 == PLACES_DESCRIBED_MAX


def test_a_long_description_is_whole_in_the_guide_and_cut_in_the_notes() -> None:
    long = "Low beams and a long fire. " + "So many people, and so little to drink. " * 5
    game = make_world({"world/places.yaml": PLACES.replace("Low beams and a long fire.", long)})
    assert f"- The Dusty Tankard: {long.strip()}\n" in guide(game)
    note = find_place(Play(game))
    assert "Low beams and a long fire. So many people" in note
    assert 100 < len(note) < 250


def test_what_the_player_knows_is_no_secret_and_in_no_prompt() -> None:
    play = Play()
    play.do("noteFact", fact="The bridge is down.")
    (known,) = (note for note in WORLD.notes(play.sight) if note.ear is NoteAudience.PLAYER)
    assert known.text == "The bridge is down"


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_the_guide_has_the_discovery_rule_and_its_examples(language: str) -> None:
    text = guide(language=language)
    assert all(tool in text for tool in (MOVE, ADVANCE, DISCOVER, NOTE_FACT))
    _, discovering, places = text.split("\n\n### ")
    rules, example = discovering.split("\n\n", 1)[1].split("\n\n", 1)
    assert len(rules.splitlines()) == 4
    assert example.count("\n- ") == 3
    assert places
    assert "Two to four paragraphs" in text or "两到四段" in text
    # What the tools are for is said once.
    assert world_phrases_in(language).rules not in "\n".join(Play(language=language).notes())


def test_the_guide_is_in_what_stays_the_same_and_older_engines_had_a_note() -> None:
    async def run() -> None:
        bench = await lay_bench(make_edition(GAME), ["It begins."], opened=True)
        bench = bench.told_by("You wait.")
        await bench.commit(Say("I wait"), "op")
        head, words = await bench.head(), world_phrases_in("en")
        for engine in (GUIDED_SINCE_ENGINE - 1, GUIDED_SINCE_ENGINE):
            old = replace(head, body={**head.body, "engine": engine})
            rebuilt = await rebuild(bench.road, old, bench.provider.profile)
            assert rebuilt is not None
            first, *_, last = rebuilt.requests[0].messages
            assert isinstance(first, SystemMessage)
            guided = engine >= GUIDED_SINCE_ENGINE
            assert (words.guide in first.text) == guided
            assert (words.rules in last.text) != guided
            # The place and the time were one note.
            assert ("\n- It is " in last.text) == guided

    asyncio.run(run())
