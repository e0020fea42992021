"""Briefing: the messages of a turn, what is noted on the way to them, and what may not be quoted from."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from talewright.chronicle.records import Aside
from talewright.contract.dialect import AnswerGround
from talewright.contract.dialect_table import DIALECTS
from talewright.kernel.memory_rules import MemoryRules
from talewright.kernel.state.state import begin
from talewright.kernel.story.cast import Lore, Person
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.story.scenes import Choice, Ladder, Rung, SceneResult
from talewright.kernel.system import Phase, Sight
from talewright.llm.profiles import AnswerMode, Profile
from talewright.llm.requests import AssistantMessage, Request, SystemMessage, UserMessage
from talewright.llm.token_estimate import estimate_request
from talewright.prompt.words.english import ENGLISH
from talewright.providers.scripted import Scripted
from talewright.turn.engine_number import ENGINE_NUMBER
from talewright.turn.game_editions import Edition
from talewright.turn.hidden_texts import list_unrevealed
from talewright.turn.inputs.player_inputs import Choose, GoOn, Say
from talewright.turn.memory.past_turns import drop_choices, is_trimmed
from talewright.turn.steps.briefing import DIGEST_LENGTH, make_frame
from talewright.turn.turn_context import Teller
from tests.kernel.making import maybe
from tests.plugs.toll import Toll
from tests.turn.making import NOW, Bench, altered, bridge, bundle, cards, chapel, ferry, lay_bench, plain
from tests.turn.stories import GAME, LAYOUT, stand, tower


async def play(turns: int = 3, edition: Edition | None = None) -> Bench:
    script = [cards(f"Answer {number}.") for number in range(turns + 1)]
    bench = await lay_bench(edition or ferry(), script, opened=True)
    for number in range(turns):
        await bench.commit(Say(f"Words {number}"), f"op-{number}")
    return bench


def test_the_transcript_is_what_was_said_and_answered() -> None:
    async def run() -> None:
        bench = await play()
        await bench.commit(Say("Words 3"), "op")
        frozen, opening, scene, *told, tail = bench.provider.requests[-1].messages
        assert isinstance(frozen, SystemMessage)
        assert opening == UserMessage(f"[PLAYER]\n{ENGLISH.opening}")
        assert isinstance(scene, AssistantMessage)
        answers = [cards(f"Answer {number}.").text for number in range(3)]
        if is_trimmed(ENGINE_NUMBER):
            answers = [drop_choices("cards", answer) for answer in answers]
        assert ("[FORM]" in tail.text) is is_trimmed(ENGINE_NUMBER)
        assert told == [
            message
            for number in range(3)
            for message in (UserMessage(f"[PLAYER]\nWords {number}"), AssistantMessage(answers[number]))
        ]
        assert isinstance(tail, UserMessage)
        assert tail.text.endswith("[PLAYER]\nWords 3")
        assert "[TABLE]\n- a: A\n- b: B\n- c: C\n" in tail.text
        # Every prompt begins with all of the one before but its tail.
        requests = bench.provider.requests
        for before, after in pairwise(requests):
            assert after.messages[: len(before.messages) - 1] == before.messages[:-1]

    asyncio.run(run())


def test_going_on_without_words() -> None:
    async def run() -> None:
        bench = await play(1)
        await bench.commit(GoOn(), "op")
        assert bench.provider.requests[-1].messages[-1].text.endswith(f"[PLAYER]\n{ENGLISH.going_on}")

    asyncio.run(run())


def test_the_memory_stands_after_the_frozen_part() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), [cards("Hm.", new_facts=["He is old.", "It rains."])], opened=True)
        await bench.commit(Say("I wave"), "op-1")
        head = (await bench.head()).id
        await bench.book.add(
            Aside("a", head, NOW, {"kind": "summary", "text": "They met.", "from": 1, "upto": 1})
        )
        after = bench.told_by(cards("Hm."))
        body = await after.commit(Say("I wave"), "op-2")
        _, memory, *rest = after.provider.requests[0].messages
        assert memory == SystemMessage(
            f"{ENGLISH.memory}\n\nThey met.\n\n{ENGLISH.facts}\n- He is old.\n- It rains."
        )
        # The turn that was summed up is no longer there word for word.
        assert rest[0] == UserMessage("[PLAYER]\nI wave")
        assert body.cuts == ({"cut": "window", "from": 1, "first": 2, "by": "model", "aside": "a"},)
        assert plain(body.window)["first"] == 2

    asyncio.run(run())


def test_what_a_choice_has_brought_about_is_told() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), [cards("Hm.")], opened=True)
        await bench.commit(Choose("haggle"), "op")
        tail = bench.provider.requests[0].messages[-1].text
        assert "[HAPPENED]\n" in tail
        assert '[RESULTS]\n[{"kind":"roll","needed":7,' in tail
        assert tail.endswith("[PLAYER]\nHaggle")

    asyncio.run(run())


def test_a_roll_is_told_with_the_authors_word_for_it() -> None:
    ladder = Ladder(
        "7", (Rung(7, True, "hall.word", SceneResult("lucky")), Rung(None, False, "", SceneResult()))
    )
    scene = replace(GAME.scenes["hall"], choices=(Choice("dice", check=ladder),))
    edition = tower()
    words = {**edition.texts["en"].entries, "hall.word": "Yes, and..."}
    edition = altered(
        replace(edition, texts={"en": Texts("en", words)}), scenes={**GAME.scenes, "hall": scene}
    )

    async def run() -> None:
        bench = await lay_bench(edition, [cards("Hm.")], opened=True)
        body = await bench.commit(Choose("dice"), "op")
        shown = '[RESULTS]\n[{"kind":"roll","success":true,"text":"7 = 7","total":7,"word":"Yes, and..."}]'
        assert shown in bench.provider.requests[0].messages[-1].text
        assert plain(body.rolls[0])["word"] == "hall.word"

    asyncio.run(run())


def test_the_index_of_an_inventory() -> None:
    async def run() -> None:
        bench = await lay_bench(chapel(), opened=True)
        telling = bench.told_by("nonsense")
        await telling.take(Say("I listen"), "op")
        assert "[INVENTORY_INDEX_BY_ID]\n" in telling.provider.requests[0].messages[-1].text

    asyncio.run(run())


def lorebook(*lore: Lore, keys: Mapping[str, tuple[str, ...]]) -> Edition:
    edition = altered(ferry(), lore=lore)
    texts = edition.texts["en"]
    entries = {**texts.entries, **{f"lore.{entry.id}.text": f"About {entry.id}." for entry in lore}}
    lists = {**texts.lists, **{f"lore.{name}.keys": words for name, words in keys.items()}}
    return replace(edition, texts={"en": Texts("en", entries, lists)})


async def say(bench: Bench, words: str, answer: str = "Hm.") -> tuple[Any, str]:
    telling = bench.told_by(cards(answer))
    body = await telling.commit(Say(words), f"op {words}")
    return body, telling.provider.requests[0].messages[-1].text


def test_lore_comes_up_once_and_stays_in_the_transcript() -> None:
    async def run() -> None:
        edition = lorebook(Lore("heron"), Lore("toll"), keys={"heron": ("heron",), "toll": ("penny",)})
        bench = await lay_bench(edition, opened=True)
        body, tail = await say(bench, "A heron?", "It wants a penny.")
        assert tail.endswith("[LORE]\n- About heron.\n\n[PLAYER]\nA heron?")
        assert body.lore == ({"id": "heron", "why": "key heron"},)
        # The last answers are looked into as well; what is in view is not told again.
        body, tail = await say(bench, "The heron!")
        assert tail.endswith("[LORE]\n- About toll.\n\n[PLAYER]\nThe heron!")
        assert body.lore == ({"id": "toll", "why": "key penny"},)
        body, tail = await say(bench, "heron, penny")
        assert (body.lore, "[LORE]" in tail) == ((), False)
        telling = bench.told_by(cards("Hm."))
        await telling.commit(Say("x"), "op")
        told = [message.text for message in telling.provider.requests[0].messages]
        assert "[LORE]\n- About heron.\n\n[PLAYER]\nA heron?" in told

    asyncio.run(run())


async def cut(bench: Bench, upto: int) -> None:
    head = await bench.head()
    first = plain(head.body.get("window") or {}).get("first", 1)
    body = {"kind": "summary", "text": f"So far, {upto}.", "from": first, "upto": upto}
    await bench.book.add(Aside(f"a{upto}", head.id, NOW, body))


def test_after_a_cut_lore_may_come_up_again() -> None:
    async def run() -> None:
        lore = (Lore("free"), Lore("sticky", sticky=9), Lore("rests", cooldown=4))
        edition = lorebook(*lore, keys={name.id: ("heron",) for name in lore})
        bench = await lay_bench(edition, opened=True)
        body, _ = await say(bench, "A heron?")
        assert [entry["id"] for entry in body.lore] == ["free", "rests", "sticky"]
        assert plain(body.window)["lore"] == {"rests": 2, "sticky": 2}
        await cut(bench, 2)
        body, _ = await say(bench, "I wait")
        # One stays beyond the cut, unasked; that does not make it stay longer.
        assert body.lore == ({"id": "sticky", "why": "sticky"},)
        assert plain(body.window)["lore"] == {"rests": 2, "sticky": 2}
        body, _ = await say(bench, "The heron again")
        assert [entry["id"] for entry in body.lore] == ["free"]
        assert plain(body.window)["lore"] == {"rests": 2, "sticky": 4}
        await cut(bench, 4)
        body, _ = await say(bench, "And the heron?")
        assert [entry["id"] for entry in body.lore] == ["free", "sticky"]
        body, _ = await say(bench, "heron")
        assert [entry["id"] for entry in body.lore] == ["rests"]

    asyncio.run(run())


def test_when_an_entry_was_told_is_forgotten_once_the_game_has_it_no_more() -> None:
    async def run() -> None:
        edition = lorebook(Lore("heron", cooldown=50), keys={"heron": ("heron",)})
        bench = await lay_bench(edition, opened=True)
        body, _ = await say(bench, "A heron?")
        assert plain(body.window)["lore"] == {"heron": 2}
        bench.library.put(replace(ferry(), digest="newer", form="newer"))
        body, _ = await say(bench, "The heron!")
        assert "lore" not in plain(body.window)

    asyncio.run(run())


class Dawning(Toll):
    """A toll whose phase changes with the water."""

    def phase(self, sight: Sight) -> Phase | None:
        water = plain(sight.document["bridge"])["water"]
        return Phase("dawn", prompt="The sun rises.") if water > 1 else None


def frozen_cuts(body: Any) -> list[Any]:
    return [cut["why"] for cut in body.cuts if cut["cut"] == "frozen"]


def test_it_is_declared_where_the_frozen_part_is_another() -> None:
    async def run() -> None:
        bench = await lay_bench(
            altered(bridge(), "dawning", systems=(Dawning(),)), ["He waits."], opened=True
        )
        first = (await bench.recall()).body
        assert (frozen_cuts(first), len(plain(first.window)["frozen"])) == ([], DIGEST_LENGTH)
        body = await bench.told_by("He waits.").commit(Say("x"), "op-1")
        assert frozen_cuts(body) == []
        dawn = bench.told_by("He waits.")
        assert frozen_cuts(await dawn.commit(Say("x"), "op-2")) == ["phase"]
        assert f"{ENGLISH.phase}\nThe sun rises." in dawn.provider.requests[0].messages[0].text
        other = bench.with_road(teller=Teller(Scripted(["Hm."], profile=Profile("other", takes_tools=False))))
        # A model of another name that reads the same is no other prompt.
        assert frozen_cuts(await other.commit(Say("x"), "op-3")) == []
        small = Profile("small", context_tokens=6_000, schema_keywords=frozenset({"type"}))
        smaller = bench.with_road(teller=Teller(Scripted(["Hm."], profile=small)))
        assert frozen_cuts(await smaller.commit(Say("x"), "op-4")) == ["model"]
        edition = altered(bridge(), "changed", systems=(Dawning(),), tone="grim")
        bench.library.put(edition)
        again = bench.with_road(teller=Teller(Scripted(["Hm."], profile=small)))
        assert frozen_cuts(await again.commit(Say("x"), "op-5")) == ["edition"]

    asyncio.run(run())


def test_another_language_is_another_frozen_part() -> None:
    async def run() -> None:
        bench = await lay_bench(chapel(), opened=True)
        tried = '```json\n{"mechanics": null}\n```'
        await bench.told_by(tried, bundle("He nods.", 1)).commit(Say("x"), "op-1")
        chinese = bench.told_by(tried, bundle("He nods.", 2)).with_road(language="zh-CN")
        assert frozen_cuts(await chinese.commit(Say("x"), "op-2")) == ["language"]

    asyncio.run(run())


def test_what_is_left_out_of_a_prompt_is_noted() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        tiny = Profile("tiny", context_tokens=2_500, output_tokens_max=500)
        telling = bench.with_road(teller=Teller(Scripted([cards("Hm.")], profile=tiny)))
        body = await telling.commit(Say("I wave"), "op")
        named = {plain(cut)["cut"]: plain(cut) for cut in body.cuts}
        assert "variables" in named
        assert named["variables"]["tokens"] > 0

    asyncio.run(run())


def test_texts_that_no_narration_may_quote() -> None:
    game = replace(
        GAME,
        people=(Person("marn"), Person("ilse")),
        lore=(
            Lore("river", reveal_when=maybe(LAYOUT, "coins > 3")),
            Lore("bridge", reveal_when=maybe(LAYOUT, "coins > 2")),
            Lore("open"),
            Lore("bare", reveal_when=maybe(LAYOUT, "coins > 3")),
        ),
    )
    texts = Texts(
        "en",
        {
            "npc.marn.secret": "He drowned a man.",
            "lore.river.text": "It rises.",
            "lore.bridge.text": "It falls.",
            "lore.open.text": "All know.",
        },
    )
    assert list_unrevealed(game, stand(coins=3), texts) == ["He drowned a man.", "It rises."]
    assert list_unrevealed(game, stand(coins=4), texts) == ["He drowned a man."]


class Opened(Toll):
    """A toll whose phase has words of its own, and opens until the water has risen."""

    def phase(self, sight: Sight) -> Phase | None:
        water = plain(sight.document["bridge"])["water"]
        return Phase("dawn", text="The sun rises." if water < 3 else "It is noon.", opens=water < 1)


def test_only_other_words_of_a_phase_are_another_frozen_part() -> None:
    async def run() -> None:
        edition = altered(bridge(), "opened", systems=(Opened(),))
        bench = await lay_bench(edition, ["He waits."] * 4, opened=True)
        cuts = [frozen_cuts(await bench.commit(Say("x"), f"op-{number}")) for number in range(3)]
        assert cuts == [[], [], ["phase"]]
        first, *_, last = bench.provider.requests
        assert f"{ENGLISH.phase}\nThe sun rises." in first.messages[0].text
        assert f"{ENGLISH.phase}\nIt is noon." in last.messages[0].text

    asyncio.run(run())


@pytest.mark.parametrize(("edition", "plain"), [(ferry, True), (bridge, False)], ids=["cards", "tools"])
def test_a_model_that_is_held_to_a_form_is_told_the_past_as_prose(
    edition: Callable[[], Edition], plain: bool
) -> None:
    game, texts = edition().game, edition().words("en")
    small = Teller(Scripted([], profile=Profile("m", short_prompts=True, takes_grammar=True)))
    frame = make_frame(DIALECTS[game.contract], AnswerGround(game, begin(game)), texts, small)
    assert frame.plain_past is plain


def test_the_window_may_be_a_share_of_the_context() -> None:
    dialect, texts = DIALECTS["cards"], ferry().words("en")
    game = replace(ferry().game, memory=MemoryRules(window_share=0.5))
    teller = Teller(Scripted([], profile=Profile("m", context_tokens=100_000)))
    frame = make_frame(dialect, AnswerGround(game, begin(game)), texts, teller)
    assert (frame.marks.high, frame.marks.low) == (50_000, 8_000)


def test_a_schema_that_the_model_never_reads_takes_no_room() -> None:
    dialect, texts, game = DIALECTS["cards"], ferry().words("en"), ferry().game

    def find_room(*, reads_schema: bool) -> int:
        profile = Profile(
            "m", answer_mode=AnswerMode.SCHEMA, context_tokens=20_000, reads_schema=reads_schema
        )
        return make_frame(
            dialect, AnswerGround(game, begin(game)), texts, Teller(Scripted([], profile=profile))
        ).budget.room

    profile = Profile("m", answer_mode=AnswerMode.SCHEMA)
    schema = dialect.schema(AnswerGround(game, begin(game)), profile)
    assert find_room(reads_schema=False) - find_room(reads_schema=True) == estimate_request(
        Request((), (), schema)
    )
