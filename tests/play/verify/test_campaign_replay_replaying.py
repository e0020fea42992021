"""Replaying: every digest compared on every branch, and the campaign as a patch for any library."""

from collections.abc import AsyncIterator
from dataclasses import replace

import jsonpatch

from talewright.chronicle.records import Commit, Record
from talewright.play.history.campaign_history import read_history
from talewright.play.verify.campaign_replay import Replay, ReplayMismatch, replay
from talewright.stores.memory_store import MemoryStore
from talewright.turn.steps.recalling import fold
from tests.play.history.campaigns import begin_campaign, endless, mist_harbor, to_patch, walk
from tests.play.history.tiny import begin_tiny, gain, run, take

TURNS = 150
SEED = 11


def test_campaign_of_a_shipped_game_replays_and_its_patch_gives_the_same_state() -> None:
    print(f"seed {SEED}")

    async def go() -> None:
        scribe = await begin_campaign(MemoryStore(), endless(mist_harbor()))
        await walk(scribe, TURNS, SEED)
        fork = (await scribe.book.back(scribe.head.id, 40))[-1]
        state, _ = await fold(scribe.book, fork.id)
        await scribe.fork(fork, "second", state.document)
        await walk(scribe, TURNS + 20, SEED + 1)
        told: list[tuple[int, int]] = []
        result = await replay(scribe.book, lambda *counts: told.append(counts))
        assert result == Replay(TURNS + 1 + 59, {"main": TURNS, "second": TURNS + 20}, ())
        assert told[-1] == (TURNS + 60, TURNS + 60)
        history = await read_history(scribe.book)
        patch = to_patch(history.lineage(history.head))
        assert len(patch) > TURNS
        first = scribe.game.initial
        assert jsonpatch.apply_patch(first, patch) == scribe.position.state.document

    run(go())


def test_first_wrong_turn_of_a_line_is_told() -> None:
    async def go() -> None:
        scribe = await begin_tiny()
        await take(scribe, "walk", gain(1))
        wrong = await take(scribe, "run", gain(1))
        await take(scribe, "sit", gain(1))

        class Altered:
            async def look(self) -> object:
                return await scribe.book.look()

            async def records(self) -> AsyncIterator[Record]:
                async for record in scribe.book.records():
                    if isinstance(record, Commit) and record.version >= 2:
                        record = replace(record, state_digest="0")
                    yield record

        result = await replay(Altered())  # type: ignore[arg-type]
        why = "its changes do not lead to the recorded state"
        assert result.mismatches == (ReplayMismatch(wrong.id, "main", 2, why),)
        assert result.turns == 4

    run(go())
