"""Background work survives: a system that fails takes nothing from the next turn, and doctor names it."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from talewright.bootstrap.doctor_checks import check_campaigns
from talewright.chronicle.records import Aside
from talewright.common.json_values import Json
from talewright.kernel.judging.moves import Update
from talewright.kernel.judging.rulings import Errand, Flaw
from talewright.kernel.memory_rules import MemoryRules
from talewright.kernel.panel_parts import Lines, Panel
from talewright.kernel.story.scenes import Choice
from talewright.kernel.system import Note, PastTurn, ProposedTelling, Sight
from talewright.llm.profiles import Profile
from talewright.play.news import BackgroundNews
from talewright.play.session import ResultKind
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.play.sessions.store_session import StoreSession
from talewright.providers.scripted import Scripted
from talewright.stores.folder.folder_store import FolderStore
from talewright.turn.background.asides import SUMMARY
from talewright.turn.game_editions import Edition
from talewright.turn.turn_context import Teller
from tests.kernel.making import enum, make_game, make_layout, make_scene
from tests.play.hooked import HookedStore
from tests.play.making import make_edition, make_lobby
from tests.play.tellers import cards

TURNS = 6
LONG = "".join(
    f"He looks at the water and says nothing of it; after {n} breaths he says something. " for n in range(4)
)
SMALL = MemoryRules(summary_every_turns=2, keep_turns=1, window_tokens=2_000, cut_to_tokens=300)
PROFILE = Profile("scripted", context_tokens=64_000)
PLACES = ("pages", "errands", "notes", "panels", "audit")
IN_TURN = ("notes", "audit")


class Steady:
    """A system that does something everywhere, and never fails."""

    name = "steady"

    def pages(self, sight: Sight, turns: Sequence[PastTurn]) -> Mapping[str, str]:
        return {f"{self.name}.md": str(turns[-1].version)}

    def heading(self, turn: PastTurn, sight: Sight) -> str:
        return f"{self.name} {turn.version}"

    def errands(self, sight: Sight, turns: Sequence[PastTurn]) -> Sequence[Errand]:
        return (Errand(f"rumour-{turns[-1].version}", "What do they say?", {"type": "string"}),)

    def take(self, errand: str, answer: Json, sight: Sight) -> Sequence[Update]:
        return ()

    def notes(self, sight: Sight) -> Sequence[Note]:
        return (Note(f"A note of {self.name}."),)

    def panels(self, sight: Sight) -> Sequence[Panel]:
        return (Panel(self.name, self.name, (Lines("", ("shown",)),)),)

    def audit(self, telling: ProposedTelling, sight: Sight) -> Sequence[Flaw]:
        return ()


class Brittle(Steady):
    """The same, but one of its places breaks while it is told to."""

    name = "brittle"

    def __init__(self, place: str = "") -> None:
        self.place = place
        self.broken = False

    def _try(self, place: str) -> None:
        if self.broken and place == self.place:
            raise ZeroDivisionError("the abacus\nis broken")

    def pages(self, sight: Sight, turns: Sequence[PastTurn]) -> Mapping[str, str]:
        self._try("pages")
        return super().pages(sight, turns)

    def heading(self, turn: PastTurn, sight: Sight) -> str:
        self._try("heading")
        return super().heading(turn, sight)

    def errands(self, sight: Sight, turns: Sequence[PastTurn]) -> Sequence[Errand]:
        self._try("errands")
        return super().errands(sight, turns)

    def notes(self, sight: Sight) -> Sequence[Note]:
        self._try("notes")
        return super().notes(sight)

    def panels(self, sight: Sight) -> Sequence[Panel]:
        self._try("panels")
        return super().panels(sight)

    def audit(self, telling: ProposedTelling, sight: Sight) -> Sequence[Flaw]:
        self._try("audit")
        return super().audit(telling, sight)


def make_lobby_with(brittle: Brittle, saves: Path) -> StoreLobby:
    """A game with both systems, kept in a folder; the brittle one comes first."""
    lobby = make_lobby(edition_with(brittle), teller=_teller())
    return replace(lobby, store=FolderStore(saves, git=False))


def edition_with(*systems: Steady) -> Edition:
    layout = make_layout({"mood": enum("calm", "wild")})
    scene = make_scene(layout, "start", "mood == 'calm'", Choice("wait", text="done", next="start"))
    game = make_game(layout, scenes=[scene], systems=(*systems, Steady()))
    words = {"scene.start.wait.label": "Wait", "scene.start.text.1": "A bridge.", "done": "So be it."}
    return make_edition(replace(game, memory=SMALL), words)


def _teller() -> Teller:
    """One that answers everything; errands and summaries with the same words."""
    told = [cards(f"{number}. {LONG}") for number in range(3 * TURNS)]
    return Teller(Scripted(told, profile=PROFILE), Scripted(['"They met."'] * 99, profile=PROFILE))


async def read_asides(session: StoreSession) -> list[Aside]:
    return [one async for one in session.seat.road.book.records() if isinstance(one, Aside)]


@pytest.mark.parametrize("turn", range(2, TURNS))
@pytest.mark.parametrize("place", PLACES)
def test_a_system_that_fails_takes_nothing_from_the_next_turn(place: str, turn: int, tmp_path: Path) -> None:
    async def main() -> None:
        brittle = Brittle(place)
        lobby = make_lobby_with(brittle, tmp_path)
        session = await lobby.begin("test", "en")
        await session.seat.afterwards.rest()
        watch = session.watch()
        for number in range(2, TURNS + 1):
            brittle.broken = number == turn
            result = await session.say(f"Words {number}")
            view = await session.view()
            await session.seat.afterwards.rest()
            if brittle.broken and place in IN_TURN:
                assert (result.kind, result.reason) == (ResultKind.FAILED, "error")
                brittle.broken = False
                result = await session.say(f"Words {number} again")
            assert result.kind is ResultKind.COMMITTED
            await session.seat.afterwards.rest()
            shown = [panel.id for panel in view.panels]
            notices = [notice for notice in view.notices if "(brittle)" in notice]
            if brittle.broken and place == "panels":
                assert (shown, len(notices)) == (["steady"], 1)
            else:
                assert (shown, notices) == (["brittle", "steady"], [])
            pages = tmp_path / "test-1"
            assert (pages / "steady.md").read_text() == str(number)
            behind = brittle.broken and place == "pages"
            assert (pages / "brittle.md").read_text() == str(number - behind)
        brittle.broken = False
        kept = await read_asides(session)
        answered = {(one.body.get("system"), one.body.get("errand")) for one in kept}
        assert {("steady", f"rumour-{number}") for number in range(1, TURNS + 1)} <= answered
        missing = [n for n in range(1, TURNS + 1) if ("brittle", f"rumour-{n}") not in answered]
        assert missing == ([turn] if place == "errands" else [])
        assert any(one.body["kind"] == SUMMARY for one in kept)
        # All that went wrong is taken up as nothing by the turn that follows.
        wrong = [one for one in kept if one.body["kind"] == "trouble"]
        line = await session.seat.road.book.back(await session.seat.head(), 99)
        taken = [aside for commit in line for aside in commit.body.get("asides", ())]  # type: ignore[union-attr]
        assert {one.id for one in wrong} <= set(taken)
        assert len(wrong) == (place not in IN_TURN)
        await session.close()
        told = [one.event async for one in watch if isinstance(one.event, BackgroundNews)]
        troubles = [event for event in told if event.trouble]
        assert [event.trouble for event in troubles] == ([] if place in IN_TURN else [place])
        assert not any("abacus" in event.text for event in troubles)

    asyncio.run(main())
    if place in IN_TURN:
        said = f"turn {turn} failed: ZeroDivisionError: the abacus is broken"
    else:
        said = (
            f"after turn {turn} the {place} of the system brittle failed: "
            "ZeroDivisionError: the abacus is broken"
        )
    assert [(one.subject, one.text) for one in check_campaigns(tmp_path)] == [("campaign test-1", said)]


def test_a_failing_piece_does_not_keep_the_other_from_running(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the failure is the engine's own."""

    async def main() -> None:
        lobby = make_lobby(edition_with(), teller=_teller())
        session = await lobby.begin("test", "en")
        await session.seat.afterwards.rest()

        async def fail(*given: object) -> None:
            raise RuntimeError("not here")

        monkeypatch.setattr("talewright.play.sessions.session_background.project", fail)
        await session.say("On")
        await session.seat.afterwards.rest()
        kept = await read_asides(session)
        assert [one.body.get("errand") for one in kept if one.body["kind"] == "errand"] == [
            "rumour-1",
            "rumour-2",
        ]
        monkeypatch.undo()
        monkeypatch.setattr("talewright.play.sessions.session_background.condense", fail)
        await session.say("On")
        await session.seat.afterwards.rest()
        book = session.seat.road.book
        assert book.projection.pages["steady.md"] == "3"  # type: ignore[attr-defined]
        wrong = [one.body for one in await read_asides(session) if one.body["kind"] == "trouble"]
        assert [(body["what"], body["system"], body["message"]) for body in wrong] == [
            ("pages", "", "not here"),
            ("errands", "", "not here"),
        ]
        await session.close()

    asyncio.run(main())


def test_closing_always_closes_the_book() -> None:
    async def main() -> None:
        lobby = make_lobby(edition_with(), teller=_teller())
        store = HookedStore(lobby.store)
        session = await replace(lobby, store=store).begin("test", "en")
        await session.seat.afterwards.rest()
        calls: list[str] = []

        async def note(name: str) -> None:
            calls.append(name)
            if name in ("project", "add"):
                raise OSError("the disk is gone")

        assert store.opened is not None
        store.opened.hook = note
        watch = session.watch()
        await session.say("On")
        await session.close()
        assert calls[-1] == "close"
        # It could not be written down, but it was told.
        told = [one.event.trouble async for one in watch if isinstance(one.event, BackgroundNews)]
        assert told[0] == "pages"

    asyncio.run(main())


def test_closing_closes_the_book_where_the_work_was_cancelled() -> None:
    async def main() -> None:
        lobby = make_lobby(edition_with(), teller=_teller())
        store = HookedStore(lobby.store)
        session = await replace(lobby, store=store).begin("test", "en")
        await session.seat.afterwards.rest()
        calls: list[str] = []

        async def note(name: str) -> None:
            calls.append(name)
            if name == "project":
                raise asyncio.CancelledError

        assert store.opened is not None
        store.opened.hook = note
        await session.say("On")
        with pytest.raises(asyncio.CancelledError):
            await session.close()
        assert calls[-1] == "close"

    asyncio.run(main())


def test_a_panel_that_fails_is_recorded_once_a_turn() -> None:
    async def main() -> None:
        brittle = Brittle("panels")
        lobby = make_lobby(edition_with(brittle), teller=_teller())
        session = await lobby.begin("test", "en")
        brittle.broken = True
        for _ in range(3):
            await session.view()
        await session.close()
        session = await lobby.open("test-1")
        await session.view()
        await session.seat.afterwards.rest()
        wrong = [one.body for one in await read_asides(session) if one.body["kind"] == "trouble"]
        assert [(body["what"], body["turn"]) for body in wrong] == [("panels", 1)]
        await session.close()

    asyncio.run(main())
