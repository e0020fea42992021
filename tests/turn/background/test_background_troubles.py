"""Background troubles: every place where a system may fail after a turn, and what is kept of it."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from talewright.chronicle.records import MAIN, Aside
from talewright.kernel.judging.rulings import Errand
from talewright.kernel.system import PastTurn, Sight
from talewright.providers.scripted import Scripted
from talewright.stores.memory_store import MemoryBook
from talewright.turn.background import asides
from talewright.turn.background.asides import SUMMARY, condense
from talewright.turn.background.background_troubles import (
    MESSAGE_LENGTH_MAX,
    BackgroundTrouble,
    BackgroundTroubles,
    BackgroundWork,
    record_troubles,
)
from talewright.turn.background.page_contents import make_projection, project
from talewright.turn.inputs.player_inputs import Say
from talewright.turn.steps.asking import Asker
from talewright.turn.steps.recalling import reach_back
from talewright.turn.turn_context import Teller
from talewright.turn.turn_signals import BackgroundDone, BackgroundFailed, Signal
from tests.plugs.toll import Toll
from tests.turn.background.test_summaries import play, telling
from tests.turn.making import Bench, altered, bridge, cards, lay_bench


def unnamed(signals: Sequence[Signal]) -> list[Signal]:
    """Signals without the turn they belong to."""
    return [replace(signal, branch="", operation_id="") for signal in signals]


class Broken(Toll):
    """A toll of which one place is broken."""

    def __init__(self, place: str) -> None:
        self.place = place

    def _try(self, place: str) -> None:
        if place == self.place:
            raise LookupError(place)

    def reach(self, sight: Sight) -> int:
        self._try("reach")
        return super().reach(sight)

    def pages(self, sight: Sight, turns: Sequence[PastTurn]) -> Mapping[str, str]:
        self._try("pages")
        if self.place == "no text":
            return {"a.md": "text", "b.md": 1}  # type: ignore[dict-item]
        return super().pages(sight, turns)

    def editable(self, sight: Sight) -> frozenset[str]:
        self._try("editable")
        return super().editable(sight)

    def heading(self, turn: PastTurn, sight: Sight) -> str:
        self._try("heading")
        return super().heading(turn, sight)

    def errands(self, sight: Sight, turns: Sequence[PastTurn]) -> Sequence[Errand]:
        self._try("errands")
        return super().errands(sight, turns)


class Other(Toll):
    """A second system, which is whole."""

    name = "other"

    def pages(self, sight: Sight, turns: Sequence[PastTurn]) -> Mapping[str, str]:
        return {"other.md": "here"}

    def heading(self, turn: PastTurn, sight: Sight) -> str:
        return "Seen by the other"


async def lay(place: str) -> Bench:
    """A turn taken with a toll that breaks afterwards."""
    toll = Broken("")
    bench = await lay_bench(altered(bridge(), systems=(toll, Other())), ["He waits."], opened=True)
    toll.place = place
    bench.signals.clear()
    return bench


async def kept(bench: Bench) -> list[Aside]:
    return [record for record in await bench.records() if isinstance(record, Aside)]


@pytest.mark.parametrize(
    ("place", "pages", "heading", "message"),
    [
        ("reach", ["state.json", "bridge.md", "other.md"], "At the bridge", "reach"),
        ("pages", ["state.json", "other.md"], "At the bridge", "pages"),
        ("no text", ["state.json", "other.md"], "At the bridge", "a page is text, and one of a.md, b.md"),
        ("editable", ["state.json", "bridge.md", "other.md"], "At the bridge", "editable"),
        ("heading", ["state.json", "bridge.md", "other.md"], "Seen by the other", "heading"),
    ],
)
def test_one_system_takes_no_pages_from_another(
    place: str, pages: list[str], heading: str, message: str
) -> None:
    async def run() -> None:
        bench = await lay(place)
        await project(bench.road, MAIN)
        assert isinstance(bench.book, MemoryBook)
        made = bench.book.projection
        assert made is not None
        assert (list(made.pages), made.heading) == (pages, heading)
        assert made.editable == {"keeper.md"}
        head = await bench.head()
        (aside,) = await kept(bench)
        assert aside.commit == head.id
        assert str(aside.body["message"]).startswith(message)
        error = "TypeError" if place == "no text" else "LookupError"
        assert {**aside.body, "message": ""} == {
            "kind": "trouble",
            "what": "pages",
            "system": "toll",
            "error": error,
            "message": "",
            "turn": head.version,
        }
        assert unnamed(bench.signals) == [BackgroundFailed("pages", "toll")]
        # The same trouble of the same turn is kept once, and told whenever it comes.
        await project(bench.road, MAIN)
        assert await kept(bench) == [aside]
        assert len(bench.signals) == 2
        # Whoever does not ask what went wrong is given the rest.
        recalled = await reach_back(bench.book, await bench.recall())
        assert make_projection(recalled).pages == made.pages

    asyncio.run(run())


def test_one_system_takes_no_errand_from_another_and_the_next_turn_passes_it_by() -> None:
    async def run() -> None:
        bench = await lay("errands")
        asking = bench.told_by('"An heir"')
        assert await condense(asking.road, MAIN) == 1
        answered, wrong = await kept(bench)
        assert (answered.body["system"], answered.body["errand"]) == ("other", "rumour")
        assert (wrong.body["what"], wrong.body["system"]) == ("errands", "toll")
        assert unnamed(bench.signals)[-2:] == [BackgroundDone("errand"), BackgroundFailed("errands", "toll")]
        body = await bench.told_by("He nods.").commit(Say("I wave"), "op-1")
        assert body.asides == (answered.id, wrong.id)

    asyncio.run(run())


def test_an_errand_that_breaks_is_kept_with_its_cost_and_the_next_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def run() -> None:
        bench = await lay("")
        asked: list[str] = []
        right = asides.run_errand

        async def wrong(asker: Asker, teller: Teller, errand: Errand) -> object:
            asked.append(errand.id)
            answer = await right(asker, teller, errand)
            if len(asked) == 1:
                raise RecursionError("too deep")
            return answer

        monkeypatch.setattr(asides, "run_errand", wrong)
        assert await condense(bench.told_by('"one"', '"two"').road, MAIN) == 1
        first, second, trouble = await kept(bench)
        assert (first.body["kind"], first.body["system"]) == ("unanswered", "toll")
        assert first.body["usage"]
        assert (second.body["kind"], second.body["system"]) == ("errand", "other")
        assert (trouble.body["error"], trouble.body["system"]) == ("RecursionError", "toll")

    asyncio.run(run())


class Speechless(Scripted):
    """A provider with a fault of its own."""

    async def stream(self, request: object):  # type: ignore[no-untyped-def]
        raise KeyError("request")
        yield


def test_a_summary_that_breaks_harms_nothing() -> None:
    async def run() -> None:
        bench = await play(5)
        broken = bench.with_road(teller=Teller(Scripted([]), Speechless([])))
        assert await condense(broken.road, MAIN) == 0
        unanswered, trouble = await kept(bench)
        assert (unanswered.body["kind"], unanswered.body["errand"]) == ("unanswered", SUMMARY)
        assert unanswered.body["asks"] == 1
        assert (trouble.body["what"], trouble.body["error"]) == ("summary", "KeyError")
        # The next turn goes on, and after it there is a summary.
        again = telling(bench, [cards("On.")], ["They met."])
        await again.commit(Say("On"), "op-next")
        assert await condense(again.road, MAIN) == 1

    asyncio.run(run())


def test_what_the_engine_itself_does_wrong_is_told_without_a_system(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        bench = await lay("")

        async def fail(*given: object) -> None:
            raise OSError("no room")

        monkeypatch.setattr(asides, "_run_errands", fail)
        monkeypatch.setattr(asides, "_sum_up", fail)
        monkeypatch.setattr(MemoryBook, "project", fail)
        await project(bench.road, MAIN)
        assert await condense(bench.told_by().road, MAIN) == 0
        assert unnamed(bench.signals) == [
            BackgroundFailed("pages"),
            BackgroundFailed("errands"),
            BackgroundFailed("summary"),
        ]

    asyncio.run(run())


def test_messages_are_short_and_on_one_line_and_a_book_that_refuses_is_no_trouble(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def run() -> None:
        bench = await lay("")
        troubles = BackgroundTroubles()
        with troubles.catch(BackgroundWork.PANELS, "toll"):
            raise ValueError("long\x1b\n" * 999)
        (trouble,) = troubles.found
        assert len(trouble.message) == MESSAGE_LENGTH_MAX
        assert trouble.message.isprintable()
        twice = [BackgroundTrouble(BackgroundWork.PAGES, "", "E", "m")] * 2
        await record_troubles(bench.road, await bench.head(), twice)
        assert len(await kept(bench)) == len(bench.signals) == 1

        async def refuse(*given: object) -> None:
            raise OSError("no room")

        monkeypatch.setattr(MemoryBook, "add", refuse)
        await record_troubles(bench.road, await bench.head(), [trouble])
        assert len(await kept(bench)) == 1
        assert unnamed(bench.signals)[-1] == BackgroundFailed("panels", "toll")

    asyncio.run(run())


def test_what_ends_the_world_is_not_caught() -> None:
    troubles = BackgroundTroubles()
    with pytest.raises(KeyboardInterrupt), troubles.catch(BackgroundWork.PAGES):
        raise KeyboardInterrupt
    with pytest.raises(asyncio.CancelledError), troubles.catch(BackgroundWork.PAGES):
        raise asyncio.CancelledError
    assert troubles.found == []
