"""Told over turns: a hidden text that a storyteller quotes piece by piece, a little in every turn."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from talewright.contract.text.leak_guard import LEAK
from talewright.providers.scripted import ScriptedReply, by
from talewright.turn.inputs.player_inputs import Opening, Say
from talewright.turn.records.commit_body import TurnBody
from talewright.turn.records.turn_replay import replay_turn
from talewright.turn.steps.recalling import TOLD_TURNS
from talewright.turn.turn_signals import NarrationDelta
from tests.leaks.obfuscations import OBFUSCATIONS, cut
from tests.leaks.test_leak_corpus import CLEAN, SECRETS, change, make_edition, offer
from tests.turn.making import Bench, cards, lay_bench, update

LETTERS = {"en": 16, "zh-CN": 6}
"""Characters of a piece that is no quotation by itself."""


def list_pieces(language: str) -> list[str]:
    return cut(SECRETS[language][0], LETTERS[language])


async def begin(language: str) -> Bench:
    bench = await lay_bench(make_edition(language), [cards(CLEAN)])
    await bench.commit(Opening(), "opening")
    return bench


async def tell(bench: Bench, replies: Sequence[ScriptedReply], size: int = 4_000) -> list[TurnBody]:
    """The turns that a storyteller tells with these answers; one that is not taken is told again."""
    told = []
    for number, reply in enumerate(replies):
        bench.signals.clear()
        table = bench.told_by(reply, cards(CLEAN), cut=by(size))
        version = (await bench.head()).version
        told.append(await table.commit(Say(f"I wait, for the {number}th time."), f"op{version}"))
    return told


def was_stopped(body: TurnBody) -> bool:
    return LEAK.message in json.dumps(body.exchanges)


@pytest.mark.parametrize("dress", ["plain", "upper", "leet", "low_strokes", "entities"])
@pytest.mark.parametrize("language", SECRETS)
def test_a_text_is_not_narrated_piece_by_piece(language: str, dress: str) -> None:
    async def run() -> list[bool]:
        pieces = [OBFUSCATIONS[dress](piece) for piece in list_pieces(language)]
        replies = [cards(f"Rain. {piece} And so on.") for piece in pieces]
        return list(map(was_stopped, await tell(await begin(language), replies, size=3)))

    stopped = asyncio.run(run())
    assert not stopped[0]
    # What goes beyond half of the sentence is not told, however often it is begun.
    assert stopped.count(False) <= len(stopped) // 2 + 1, stopped


@pytest.mark.parametrize("language", SECRETS)
@pytest.mark.parametrize("field", ["labels", "hints", "events", "values"])
def test_nor_is_it_in_other_fields(language: str, field: str) -> None:
    def answer(at: int, piece: str) -> ScriptedReply:
        match field:
            case "labels":
                return change(cards(CLEAN), choices=offer([piece, "b", "c"]))
            case "hints":
                return change(cards(CLEAN), choices=offer(["a", "b", "c"], [piece]))
            case "events":
                return cards(CLEAN, events=[{"type": "note", "message": piece}])
            case _:
                return cards(CLEAN, update("set", f"note{at % 6}", piece))

    async def run() -> list[bool]:
        replies = [answer(at, piece) for at, piece in enumerate(list_pieces(language))]
        return list(map(was_stopped, await tell(await begin(language), replies)))

    stopped = asyncio.run(run())
    assert stopped.count(False) <= len(stopped) // 2 + 1, stopped


@pytest.mark.parametrize("language", SECRETS)
def test_a_run_that_the_next_turn_continues_is_one_run(language: str) -> None:
    secret, size = SECRETS[language][0], {"en": 11, "zh-CN": 4}[language]

    async def run() -> str:
        bench = await begin(language)
        # Pieces too short to be counted, one after the other.
        for piece in cut(secret, size):
            if any(map(was_stopped, await tell(bench, [cards(piece)], size=3))):
                break
        return "".join(one.text for one in bench.signals if isinstance(one, NarrationDelta))

    # The piece that would make it a run was not shown for a moment.
    assert asyncio.run(run()) == CLEAN


def test_what_is_told_again_is_no_new_piece() -> None:
    async def run() -> list[bool]:
        piece = list_pieces("en")[0]
        return list(map(was_stopped, await tell(await begin("en"), [cards(f"He hums: {piece}")] * 5)))

    assert asyncio.run(run()) == [False] * 5


def test_the_players_own_words_are_no_pieces() -> None:
    async def run() -> bool:
        bench, (first, second, *_) = await begin("en"), cut(SECRETS["en"][0], 30)
        await bench.told_by(cards(CLEAN)).commit(Say(f"Is it so? {first}"), "asked")
        told = await tell(bench, [cards(f"He repeats: {first}"), cards(f"And: {second[:14]}")])
        return any(map(was_stopped, told))

    assert not asyncio.run(run())


def test_pieces_count_for_as_many_turns_as_the_page_says() -> None:
    async def run(between: int) -> bool:
        pieces = cut(SECRETS["en"][0], 22)
        quiet = [cards(f"Rain falls on the yard for the {number}th time.") for number in range(between)]
        begun = [cards(f"He hums: {pieces[0][:17]}"), cards(f"Then: {pieces[1][:17]}")]
        told = await tell(await begin("en"), [*begun, *quiet, cards(f"At last: {pieces[2][:17]}")])
        return was_stopped(told[-1])

    assert asyncio.run(run(0))
    assert asyncio.run(run(TOLD_TURNS - 2))
    assert not asyncio.run(run(TOLD_TURNS))


@pytest.mark.parametrize("dress", ["leet", "low_strokes", ""])
def test_turns_of_older_engines_are_told_as_they_were(dress: str) -> None:
    async def run() -> tuple[bool, bool]:
        bench = await begin("en")
        pieces = [OBFUSCATIONS[dress](SECRETS["en"][0])] if dress else list_pieces("en")[:4]
        await tell(bench, [cards(f"Rain. {piece}") for piece in pieces])
        head = await bench.head()
        again = []
        for engine in (3, 4):
            older = replace(head, body={**head.body, "engine": engine})
            made = await replay_turn(bench.road, older, None)
            again.append(CLEAN in str(getattr(made, "body", {}).get("narration")))
        return again[0], again[1]

    assert asyncio.run(run()) == (False, True)
