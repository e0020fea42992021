"""What measures the small model is right itself; no model is needed for that."""

import asyncio
import json
from dataclasses import replace

import pytest

from talewright.llm.reply_chunks import StopReason, Usage
from talewright.llm.requests import AssistantMessage, Request, SystemMessage, UserMessage
from talewright.providers.scripted import Scripted, ScriptedReply
from tests.models.casts import FERRY
from tests.models.games import load_edition
from tests.models.grammars import spell_patch
from tests.models.measuring import count_cuts, find_illegal, find_unbounded, keeps_schema, measure_cache
from tests.models.playing import How, Player, Run, Turn, play
from tests.models.serving import choose_threads
from tests.models.transcripts import write_transcript
from tests.models.watching import Ask, Watched
from tests.turn.making import cards

SCHEMA = {
    "type": "object",
    "properties": {"mood": {"type": "string", "maxLength": 5}, "lamps": {"type": "array", "maxItems": 1}},
}


def make_ask(text: str = "", used: tuple[int, int] = (100, 0), *messages: str) -> Ask:
    asked = Request(
        (SystemMessage("tell"), *(UserMessage(message) for message in messages)), answer_schema=SCHEMA
    )
    return Ask(asked, text, Usage(used[0], 5, used[1]), StopReason.END, 0.5, 1.0)


def make_turn(number: int, *asks: Ask) -> Turn:
    return Turn(1, number, "go", How.MODEL, asks, None, (), {})


def play_scripted(*lines: str | ScriptedReply) -> Run:
    async def take() -> Run:
        player = Player(FERRY.sayings, seed=1)
        return await play(load_edition(FERRY.game), Watched(Scripted(lines)), player, 1)

    return asyncio.run(take())


def test_what_has_no_bound_is_found() -> None:
    assert find_unbounded(SCHEMA) == []
    assert find_unbounded({"type": "string", "enum": ["a"]}) == []
    assert find_unbounded({"anyOf": [{"type": ["string", "null"]}]}) == ["/anyOf/0: a text"]
    assert find_unbounded({"properties": {"a": {"type": "array"}}}) == ["/properties/a: a list"]


@pytest.mark.parametrize(
    ("text", "kept"), [('{"mood": "glad"}', True), ('{"mood": "joyful"}', False), ('{"mood": "gl', False)]
)
def test_an_answer_keeps_its_schema_or_does_not(text: str, kept: bool) -> None:
    assert keeps_schema(make_ask(text)) is kept


def test_the_share_counts_from_the_third_turn_on_and_leaves_cuts_out() -> None:
    first, second = make_ask("", (100, 0), "a", "now"), make_ask("", (100, 50), "a", "b", "now")
    third, cut = make_ask("", (100, 80), "a", "b", "c", "now"), make_ask("", (100, 10), "b", "c", "now")
    asks = (first, second, third, cut)
    run = Run(tuple(make_turn(number, ask) for number, ask in enumerate(asks, 1)), ())
    assert count_cuts(run) == 1
    assert measure_cache(run).share == 0.8
    assert measure_cache(run).asks == 1


def test_how_a_turn_was_told_is_seen() -> None:
    good = cards("The rope creaks.")
    assert [turn.how for turn in play_scripted(good).turns] == [How.MODEL]
    assert [turn.how for turn in play_scripted("no", good).turns] == [How.REPAIR]
    assert [turn.how for turn in play_scripted("no", "no").turns] == [How.SCENE]


def test_a_page_tells_what_was_told_and_what_was_not_used() -> None:
    run = play_scripted("# no", cards("## The rope creaks."))
    page = write_transcript(run, 1, "A page", "About.")
    assert find_illegal(load_edition(FERRY.game).game, run) == []
    assert page.startswith(
        "# A page\n\nAbout.\n\nOf 1 turns: 0 narrated by the model; 1 narrated by the model after a repair; "
    )
    assert " The rope creaks." in page
    assert "````text\n# no\n````" in page
    assert page.count("\n## ") == 1


def test_the_grammar_of_a_patch_names_the_version_it_was_given() -> None:
    asked = Request(
        (
            SystemMessage("tell"),
            UserMessage("[VERSION]\n4\n\nold"),
            AssistantMessage("x"),
            UserMessage("[VERSION]\n7\n\nnow"),
        )
    )
    assert json.dumps('"base_version": 7, "patch"')[1:-1] in spell_patch(asked)
    alone = replace(asked, messages=(*asked.messages, UserMessage('Answer with {"mechanics": ...} alone')))
    assert "skill_used" in spell_patch(alone)
    assert "base_version" not in spell_patch(alone)


def test_there_is_always_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    for load, threads in ((0.0, 2), (1.0, 2), (2.0, 1), (9.0, 1)):
        monkeypatch.setattr("os.getloadavg", lambda load=load: (load, 0.0, 0.0))
        assert choose_threads() == threads
