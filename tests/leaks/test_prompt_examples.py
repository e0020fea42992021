"""Prompt examples: what a prompt gives as an example may be written, by the model and by the player."""

import asyncio
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import pytest

from talewright.chronicle.records import MAIN
from talewright.common.json_values import Json
from talewright.contract.dialect import AnswerGround
from talewright.contract.dialect_table import DIALECTS
from talewright.kernel.game import Game
from talewright.kernel.judging.move_resolution import allowed_tools, current_phases
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.state.state import Position, begin
from talewright.turn.game_master.master_turn import OpenedTurn, begin_outside
from talewright.turn.hidden_texts import OPEN_SINCE_ENGINE, gather_hidden_texts
from talewright.turn.inputs.player_inputs import Say
from talewright.turn.steps.briefing import make_frame
from talewright.turn.steps.recalling import Recalled, recall
from talewright.turn.steps.telling import OUTSIDE_TELLER, TOOLS
from tests.games.walking import Rigged, options, take
from tests.kernel.scene_walk import begin_story
from tests.plays.stage import load_edition
from tests.sweep.ordinary_replies import GAMES
from tests.turn.making import Bench, bridge, calls, lay_bench, plain, play_edition

MARKS: Final = (("`", "`"), ('"', '"'), ("“", "”"), ("「", "」"))
STEPS: Final = 12
"""How far a game is walked for its phases."""

TAGS: Final = ["keen tracker", "father's longbow", "knows every ferryman"]
SHEET: Final[dict[str, Json]] = {"name": "Kael", "concept": "A hunter", "inherent_tags": [*TAGS]}
SAID: Final = f"I am Kael, and this is me: {', '.join(TAGS)}."


def list_examples(text: str) -> Iterator[str]:
    """The examples of a text one by one, and those of each line together."""
    for line in text.splitlines():
        found = []
        for opening, closing in MARKS:
            inside = f"[^{re.escape(opening + closing)}]+"
            found += re.findall(f"{re.escape(opening)}({inside}){re.escape(closing)}", line)
            yield from found
            yield ", ".join(found)


def list_phases(game: Game) -> Iterator[Position]:
    """A position in each phase that a walk through the scenes comes to."""
    seen = set()
    position = begin_story(game, begin(game), Rigged(1)).position
    for at in range(STEPS):
        phases = tuple(phase.name for phase in current_phases(WorkingState(game, position)))
        if phases not in seen:
            seen.add(phases)
            yield position
        choices = options(game, position)
        if not choices:
            return
        position = take(game, position, choices[at % len(choices)], Rigged(1)).position


def recall_nothing() -> Recalled:
    async def run() -> Recalled:
        return await recall((await lay_bench(bridge(), ["He waits."])).road, MAIN)

    return asyncio.run(run())


@pytest.mark.parametrize("name", GAMES)
def test_every_example_in_every_prompt_may_be_written(name: str) -> None:
    edition, recalled = load_edition(f"games/{name}"), recall_nothing()
    walked = 0
    for language, texts in edition.texts.items():
        for position in list_phases(edition.game):
            tools = allowed_tools(WorkingState(edition.game, position))
            ground = AnswerGround(edition.game, replace(position, language=language), language, tools=tools)
            # A game master outside reads the tools; the model reads the game's own form of an answer.
            for dialect in {DIALECTS[edition.game.contract], DIALECTS[TOOLS]}:
                frame = make_frame(dialect, ground, texts, OUTSIDE_TELLER)
                veil = gather_hidden_texts(dialect, ground, texts, recalled, "", frame.frozen, frame.tools)
                sources = [section.text for section in frame.frozen.sections]
                sources += [tool.description for tool in frame.tools]
                for example in (example for text in sources for example in list_examples(text)):
                    assert not veil.covers([example]), example
                    walked += 1
                # The instructions around them stay hidden.
                rules = next(one.text for one in frame.frozen.sections if one.name == "role")
                assert veil.covers([rules])
    assert walked > 20


def test_both_phases_of_the_games_that_have_two_are_walked() -> None:
    for name in ("solo", "goblin_road"):
        assert len(list(list_phases(load_edition(f"games/{name}").game))) == 2, name


def test_older_engines_guarded_examples() -> None:
    edition, recalled = load_edition("games/solo"), recall_nothing()
    ground = AnswerGround(edition.game, begin(edition.game), "en")
    texts, dialect = edition.texts["en"], DIALECTS[TOOLS]
    frame = make_frame(dialect, ground, texts, OUTSIDE_TELLER)
    for engine in (OPEN_SINCE_ENGINE - 1, OPEN_SINCE_ENGINE):
        veil = gather_hidden_texts(
            dialect, ground, texts, recalled, "", frame.frozen, frame.tools, engine=engine
        )
        assert veil.covers([", ".join(TAGS)]) == (engine < OPEN_SINCE_ENGINE)


async def at_setup() -> Bench:
    return await lay_bench(play_edition("games/solo"), opened=True)


def test_a_character_may_have_the_tags_of_the_example() -> None:
    async def run() -> None:
        bench = (await at_setup()).told_by(calls("", ("set_character", SHEET)), f"So: {', '.join(TAGS)}.")
        body = await bench.commit(Say("Make me somebody who knows the woods"), "op")
        assert [exchange.get("mend") for exchange in plain(body.exchanges)] == [None, None]
        assert await bench.value("player.inherent_tags") == TAGS

    asyncio.run(run())


def test_a_player_may_say_the_example_to_a_game_master() -> None:
    async def run() -> None:
        bench = await at_setup()
        assert isinstance(await begin_outside(bench.road, MAIN, Say(SAID), "op"), OpenedTurn)

    asyncio.run(run())
