"""Briefing: the messages of a turn, and what may not be quoted from."""

import asyncio
from dataclasses import replace

from talewright.chronicle.records import Aside
from talewright.kernel.cast import Lore, Person
from talewright.kernel.game import Memory
from talewright.kernel.texts import Texts
from talewright.llm.messages import Assistant, System, User
from talewright.turn.briefing import list_unrevealed
from talewright.turn.inputs import Choose, GoOn, Say
from tests.kernel.making import maybe
from tests.turn.making import NOW, Bench, altered, cards, chapel, ferry, lay_bench
from tests.turn.stories import GAME, LAYOUT, stand


async def play(keep_turns: int) -> Bench:
    edition = altered(ferry(), memory=Memory(keep_turns=keep_turns))
    bench = await lay_bench(edition, [cards(f"Answer {number}.") for number in range(4)], opened=True)
    for number in range(3):
        await bench.commit(Say(f"Words {number}"), f"op-{number}")
    return bench


def test_the_transcript_is_what_was_said_and_told_and_no_more_of_it_than_is_kept() -> None:
    async def run() -> None:
        bench = await play(2)
        await bench.commit(Say("Words 3"), "op")
        frozen, *told, tail = bench.provider.requests[-1].messages
        assert isinstance(frozen, System)
        assert told == [User("Words 1"), Assistant("Answer 1."), User("Words 2"), Assistant("Answer 2.")]
        assert isinstance(tail, User)
        assert tail.text.endswith("[PLAYER]\nWords 3")
        # The frozen part is the same bytes in every turn.
        assert {request.messages[0] for request in bench.provider.requests} == {frozen}

    asyncio.run(run())


def test_the_whole_past_where_more_is_kept_than_there_is() -> None:
    async def run() -> None:
        bench = await play(6)
        intro = (await bench.book.back((await bench.head()).id, 4))[-1].body["narration"]
        await bench.commit(GoOn(), "op")
        messages = bench.provider.requests[-1].messages
        assert messages[1:3] == (User(""), Assistant(str(intro)))
        assert len(messages) == 1 + 2 * 4 + 1
        assert messages[-1].text.endswith("[PLAYER]\n(goes on)")

    asyncio.run(run())


def test_the_memory_stands_after_the_frozen_part() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), [cards("Hm.", new_facts=["He is old.", "It rains."])], opened=True)
        await bench.commit(Say("I wave"), "op-1")
        head = (await bench.head()).id
        await bench.book.add(Aside("a", head, NOW, {"kind": "summary", "text": "They met."}))
        after = bench.told_by(cards("Hm."))
        await after.commit(Say("I wave"), "op-2")
        assert after.provider.requests[0].messages[1] == System("They met.\n\n- He is old.\n- It rains.")

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


def test_the_index_of_an_inventory() -> None:
    async def run() -> None:
        bench = await lay_bench(chapel(), opened=True)
        telling = bench.told_by("nonsense")
        await telling.take(Say("I listen"), "op")
        assert "[INVENTORY_INDEX_BY_ID]\n" in telling.provider.requests[0].messages[-2].text

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
