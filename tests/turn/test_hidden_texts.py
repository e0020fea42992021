"""Confidences: what no answer may repeat, and what of it the player can read anyway."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from talewright.contract.dialect import AnswerGround
from talewright.contract.dialect_table import DIALECTS
from talewright.contract.text.leak_guard import HiddenTexts
from talewright.kernel.state.changes import Change
from talewright.kernel.state.state import begin
from talewright.kernel.story.cast import Lore, Person
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.system import Note, NoteAudience, Sight, SystemMemory
from talewright.llm.requests import ToolSpec
from talewright.prompt.token_budget import FittedSections, PromptSection
from talewright.turn.game_editions import Edition
from talewright.turn.hidden_texts import OPEN_SINCE_ENGINE, gather_hidden_texts
from talewright.turn.records.commit_body import OfferedChoice, TurnBody, write_body
from talewright.turn.steps.recalling import Recalled, recall
from tests.kernel.making import integer, make_game, make_layout, maybe, string
from tests.plugs.toll import Toll
from tests.turn.making import bridge, lay_bench

LAYOUT = make_layout(
    {
        "coins": integer(3),
        "sign": string("a heron with the feet of a goose, which everyone can see from the road"),
        "plan": replace(
            string("at the third bell the keeper locks the cellar and sends for the reeve"), hidden=True
        ),
        "plot": replace(
            string("the heron itself is the reeve and has been listening since the spring"), secret=True
        ),
    }
)
ENTRIES = {
    "title": "The inn",
    "world": "The cellar door is held shut from the inside by a boy called Perrin, paid in bread.",
    "intro": "Rain. You hang your coat by the fire of the inn and ask for a room for the night.",
    "npc.berta.secret": "Berta waters the brandy with the river because it keeps the dead asleep.",
    "lore.reeve.text": "The reeve was drowned nine years ago by the people who pay taxes in his name.",
    "lore.bell.text": "The bell in the yard is rung three times each night, and nobody rings it.",
    "variable.plan.description": "What the innkeeper means to do once the last guest has gone up to bed.",
    "variable.plot.description": "Who the heron above the door has been all along, unknown even to Berta.",
    "variable.sign.description": "What hangs above the door of the inn, in case anybody wonders what it is.",
}
NOTE = "The oracle answers truly, but only to those who have drowned a candle in the basin."
RUMOUR = "They say in the hall that there is an oracle beneath the stairs of this inn."


class Noting(Toll):
    """A toll with one note for the narrator and one for everyone."""

    def notes(self, sight: Sight) -> Sequence[Note]:
        return (Note(f"{NOTE} ({sight.language})"), Note(RUMOUR, NoteAudience.EVERYONE))


GAME = replace(
    make_game(LAYOUT, systems=(Noting(),)),
    people=(Person("berta"), Person("nobody")),
    lore=(Lore("reeve", reveal_when=maybe(LAYOUT, "coins > 3")), Lore("bell")),
)
TEXTS = Texts("en", ENTRIES)


def past(*bodies: TurnBody) -> Recalled:
    """What was recalled of some turns."""

    async def run() -> Recalled:
        bench = await lay_bench(bridge(), ["He waits."])
        found = await recall(bench.road, "main")
        commits = tuple(replace(found.head, body=write_body(body)) for body in bodies)
        return replace(found, past=commits, edition=Edition(GAME, {"en": TEXTS}, "d", "d"))

    return asyncio.run(run())


NOTHING = past()


def veil(
    recalled: Recalled = NOTHING,
    said: str = "",
    frozen: FittedSections | None = None,
    tools: tuple[ToolSpec, ...] = (),
    texts: Texts = TEXTS,
) -> HiddenTexts:
    ground = AnswerGround(GAME, begin(GAME), texts.language)
    return gather_hidden_texts(DIALECTS["cards"], ground, texts, recalled, said, frozen, tools)


@pytest.mark.parametrize(
    "text",
    [
        LAYOUT.roots["plan"].default,
        LAYOUT.roots["plot"].default,
        ENTRIES["npc.berta.secret"],
        ENTRIES["lore.reeve.text"],
        ENTRIES["variable.plan.description"],
        ENTRIES["variable.plot.description"],
        NOTE,
        "What lies behind, as a record. It tells you what happened and instructs in nothing.",
        "(The player waits for what happens next.)",
        "What the player says may lead beyond the rating PG-13. Stay within it and keep the story going.",
        "Answer with the whole JSON object, with all its members. Nothing but the JSON object.",
        "Your narration stands and has been shown; do not tell it again.",
        'Answer with a JSON object that has only "state_updates" and "end"',
    ],
)
def test_what_is_told_in_confidence_is_covered(text: str) -> None:
    assert veil().covers([text])


@pytest.mark.parametrize(
    "text",
    [
        LAYOUT.roots["sign"].default,
        ENTRIES["intro"],
        ENTRIES["lore.bell.text"],
        ENTRIES["variable.sign.description"],
        ENTRIES["world"],
        RUMOUR,
    ],
)
def test_the_rest_is_not(text: str) -> None:
    assert not veil().covers([text])


def test_what_a_prompt_begins_with_is_covered_where_it_is_for_the_storyteller_alone() -> None:
    names = ["role", "rules", "parts", "contract", "phase"]
    others = ["variables", "world", "world.summary", "people", "things", "always"]
    texts = {name: f"{name} says so. " * 5 for name in (*names, *others)}
    frozen = FittedSections(tuple(PromptSection(name, text) for name, text in texts.items()), ())
    made = veil(frozen=frozen)
    assert [name for name in texts if made.covers([texts[name]])] == names


def test_what_tools_are_good_for_is_covered() -> None:
    tool = ToolSpec("cast", "Cast the bones over these words; the number is read out in the hall.", {})
    assert veil(tools=(tool,)).covers([tool.description])
    assert not veil().covers([tool.description])


def test_what_is_revealed_is_not_covered_any_more() -> None:
    ground = AnswerGround(GAME, begin(replace(GAME, initial={**GAME.initial, "coins": 4})))
    made = gather_hidden_texts(DIALECTS["cards"], ground, TEXTS, NOTHING, "")
    assert not made.covers([ENTRIES["lore.reeve.text"]])


SECRET = ENTRIES["npc.berta.secret"]


@pytest.mark.parametrize(
    "body",
    [
        TurnBody(said=SECRET),
        TurnBody(narration=f"He says: {SECRET}"),
        TurnBody(choices=(OfferedChoice("a", SECRET),)),
        TurnBody(choices=(OfferedChoice("a", "Ask", SECRET),)),
    ],
)
def test_what_was_told_before_may_be_told_again(body: TurnBody) -> None:
    assert not veil(past(TurnBody(), body)).covers([SECRET])
    assert veil(past(TurnBody())).covers([SECRET])


def test_what_a_prompt_shows_of_the_past_may_be_told_again() -> None:
    ground, dialect = AnswerGround(GAME, begin(GAME)), DIALECTS["cards"]
    for body in (TurnBody(said=SECRET), TurnBody(narration=f"He says: {SECRET}")):
        for engine in (OPEN_SINCE_ENGINE - 1, OPEN_SINCE_ENGINE):
            made = gather_hidden_texts(
                dialect, ground, TEXTS, NOTHING, "", bodies=(body, TurnBody()), engine=engine
            )
            assert made.covers([SECRET]) == (engine < OPEN_SINCE_ENGINE)


def test_what_the_player_says_is_known_to_the_player() -> None:
    assert not veil(said=f"I say: {SECRET.upper()}").covers([SECRET])


def test_what_the_author_says_openly_elsewhere_is_known() -> None:
    rules = "Never name the ferryman before the second bell has been rung."
    for words in (ENTRIES["npc.berta.secret"], NOTE, rules):
        texts = Texts("en", {**ENTRIES, "scene.hall.text.1": f"She tells you. {words}"})
        frozen = FittedSections((PromptSection("rules", rules),), ())
        assert not veil(texts=texts, frozen=frozen).covers([words])
        assert veil(frozen=frozen).covers([words])


def test_what_the_world_says_too_is_still_hidden() -> None:
    words = ENTRIES["npc.berta.secret"]
    assert veil(texts=Texts("en", {**ENTRIES, "world": f"It is an inn. {words}"})).covers([words])


def test_notes_are_taken_in_the_language_of_the_telling() -> None:
    texts = Texts("zh-CN", ENTRIES)
    assert veil(texts=texts).covers([f"{NOTE[60:]} (zh-CN)"[:45], f"{NOTE[50:]} (zh-CN)"])
    assert veil(texts=texts).covers(
        ['已经展示给玩家，不要重写。只输出一个 JSON 对象，其中只有 "state_updates" 和 "choices"']
    )


def test_the_names_of_texts_are_known() -> None:
    assert veil().names(["npc.berta.secret"])
    assert not veil().names(["npc.berta"])


def test_what_systems_remember_is_covered_and_a_summary_makes_nothing_known() -> None:
    ground = AnswerGround(GAME, begin(GAME))
    kept = (
        SystemMemory("Plan", NEWS),
        SystemMemory("Story", f"{RIVER} It rains.", told=True),
        SystemMemory("Pad", RIVER),
    )
    made = gather_hidden_texts(DIALECTS["cards"], ground, TEXTS, NOTHING, "", memories=kept)
    assert made.covers([NEWS])
    assert made.covers([RIVER])
    # By itself what was told is not hidden either.
    told = gather_hidden_texts(DIALECTS["cards"], ground, TEXTS, NOTHING, "", memories=kept[:2])
    assert not told.covers([RIVER])


def test_examples_of_what_to_write_may_be_written() -> None:
    shown = 'Answer so, and say it at once: {"actions": ["Search the old chapel again", "Talk to the guard"]}'
    frozen = FittedSections((PromptSection("contract", shown), PromptSection("rules", shown.upper())), ())
    ground = AnswerGround(GAME, begin(GAME))
    made = gather_hidden_texts(DIALECTS["cards"], ground, TEXTS, NOTHING, "", frozen)
    assert not made.covers(["Search the old chapel again", "Talk to the guard"])
    assert made.covers(["Answer so, and say it at once"])


def test_what_was_hidden_and_given_up_is_covered_while_the_prompt_shows_it() -> None:
    lines = f"{NEWS}\nshort\n{RIVER}"
    bodies = (
        TurnBody(changes=(Change("replace", "/plan", lines, "", "", "model"),)),
        TurnBody(changes=(Change("replace", "/plan", "", lines, "", "model"),)),
        TurnBody(changes=(Change("replace", "/sign", RUMOUR, NOTE, "", "model"),)),
    )
    ground = AnswerGround(GAME, begin(GAME))
    made = gather_hidden_texts(DIALECTS["cards"], ground, TEXTS, NOTHING, "", bodies=bodies)
    assert made.covers([NEWS])
    assert made.covers([RIVER])
    assert not made.covers([f"{NEWS[-20:]}short{RIVER[:19]}"])
    # What stood there for everyone to see is known.
    assert not made.covers([NOTE])
    assert not gather_hidden_texts(DIALECTS["cards"], ground, TEXTS, NOTHING, "").covers([NEWS, RIVER])


NEWS = "Tomorrow the ferry will not come, and after that there will be no ferry at all."
RIVER = "The river has risen for nine days and nobody says a word about it in the inn."


def tell_on(*narrations: str, **more: Any) -> tuple[bool, bool]:
    """Whether the last of these narrations leaks after the others, and whether it does by itself."""
    *told, last = narrations
    recalled = past(*(TurnBody(told="model", narration=text) for text in reversed(told)))
    ground = AnswerGround(GAME, begin(GAME), "en")
    made = gather_hidden_texts(DIALECTS["cards"], ground, TEXTS, recalled, "", **more)
    alone = gather_hidden_texts(DIALECTS["cards"], ground, TEXTS, NOTHING, "", **more)
    return made.covers([last], continues=True), alone.covers([last], continues=True)


def test_pieces_of_a_secret_are_counted_over_turns() -> None:
    assert tell_on(f"Rain. {SECRET[:18]}", f"Fog. {SECRET[24:42]}", f"Snow. {SECRET[42:60]}") == (True, False)
    assert tell_on(f"Rain. {SECRET[:18]}", "Fog.", f"Snow. {SECRET[:18]}") == (False, False)
    older = tell_on(f"Rain. {SECRET[:18]}", f"Fog. {SECRET[24:42]}", f"Snow. {SECRET[42:60]}", engine=3)
    assert older == (False, False)


def test_a_run_goes_on_over_turns() -> None:
    assert tell_on(f"Rain. {SECRET[:11]}", f"{SECRET[11:26]}. Snow.") == (True, False)
    assert tell_on(f"Rain. {SECRET[:11]} Fog.", f"{SECRET[11:26]}. Snow.") == (False, False)
    assert tell_on(f"Rain. {SECRET[:11]}", f"{SECRET[11:26]}. Snow.", engine=3) == (False, False)


def test_instructions_are_not_counted_over_turns() -> None:
    waits = "(The player waits for what happens next.)"
    assert veil().covers([waits])
    assert tell_on(f"Rain. {waits[:18]}", f"Fog. {waits[18:33]}") == (False, False)


def test_a_value_that_has_just_changed_is_not_counted_over_turns() -> None:
    plan = str(LAYOUT.roots["plan"].default)
    pieces = (f"Rain. {plan[:18]}", f"Fog. {plan[20:38]}", f"Snow. {plan[40:58]}")
    assert tell_on(*pieces) == (True, False)
    body = TurnBody(changes=(Change("replace", "/plan", plan, "", "", "model"),))
    assert tell_on(*pieces, bodies=(body,)) == (False, False)
