"""The folder of a campaign that is played: its history as a table of contents, and pages changed by hand."""

import asyncio
import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from talewright.common.json_values import Json
from talewright.kernel.judging.moves import Op, Update
from talewright.kernel.slots.slot_types import Slot
from talewright.kernel.story.scenes import Choice
from talewright.kernel.system import AuthorFiles, Denial, PastTurn, Sight
from talewright.play.sessions.store_session import StoreSession
from talewright.stores.folder.folder_store import FolderStore
from talewright.turn.game_editions import Edition
from talewright.turn.steps.recalling import recall
from tests.kernel.making import integer, make_game, make_layout, make_scene, string
from tests.play.making import make_edition, make_lobby
from tests.stores.sessions import QUICK

pytestmark = pytest.mark.process

RULES = "rules.md"


class Rules:
    """Rules of the house, which whoever owns the folder may write."""

    name = "rules"

    def slots(self, files: AuthorFiles) -> Mapping[str, Slot]:
        return {"rules": replace(string("Be kind.\n"), readonly=True)}

    def pages(self, sight: Sight, turns: Sequence[PastTurn]) -> Mapping[str, str]:
        return {RULES: str(sight.document["rules"]), "diary.md": f"{len(turns)} turns\n"}

    def editable(self, sight: Sight) -> frozenset[str]:
        return frozenset({RULES})

    def edited(self, path: str, text: str, sight: Sight) -> Sequence[Update] | Denial:
        if not text.strip():
            return Denial(f"{path} is empty; the one from before holds")
        return (Update(Op.SET, "rules", text),)


def make_house() -> Edition:
    layout = make_layout({"steps": integer(0), "rules": Rules().slots({})["rules"]})
    step = Choice("step", updates=(Update(Op.INC, "steps", 1),), next="hall")
    scene = make_scene(layout, "hall", "steps >= 0", step, Choice("wait", next="hall"))
    words = {
        "scene.hall.text.1": "A hall.",
        "scene.hall.step.label": "Step forward",
        "scene.hall.wait.label": "Wait",
    }
    return make_edition(make_game(layout, scenes=[scene], systems=(Rules(),)), words)


async def begin(tmp_path: Path, language: str = "en") -> StoreSession:
    lobby = replace(make_lobby(make_house()), store=FolderStore(tmp_path, disk=QUICK))
    return await lobby.begin("test", language)


def read_log(folder: Path, *more: str) -> list[str]:
    """What plain git tells a reader, oldest first."""
    done = subprocess.run(
        ["git", "log", "--reverse", "--format=%s", *more],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"},
        capture_output=True,
        check=True,
    )
    return done.stdout.decode().splitlines()


def test_the_history_is_a_table_of_contents(tmp_path: Path) -> None:
    async def main() -> None:
        session = await begin(tmp_path)
        # Turns that come faster than pages are written have an entry each all the same.
        for choice in ("step", "wait", "step"):
            await session.choose(choice)
        await session.undo(2)
        await session.undo(0)
        await session.choose("wait")
        await session.retry()
        await session.fork(name="side")
        await session.choose("step")
        await session.switch("main")
        await session.switch("main")
        await session.choose("step")
        await session.mark("here")
        await session.load("here")
        await session.close()
        folder = tmp_path / "test-1"
        assert read_log(folder) == [
            "Turn 1",
            "Turn 2: Step forward",
            "Turn 3: Wait",
            "Turn 4: Step forward",
            "Back to turn 2",
            "Turn 3: Wait",
            "Back to turn 2",
            "Turn 3: Wait",
            "Branch side, from turn 3",
            "Turn 4: Step forward",
            "Over to branch main, at turn 3",
            "Turn 4: Step forward",
            "Branch here-1, from turn 4",
        ]
        assert '"steps": 2' in (folder / "state.json").read_text()

    asyncio.run(main())


def test_the_history_speaks_the_players_language(tmp_path: Path) -> None:
    async def main() -> None:
        session = await begin(tmp_path, "zh-CN")
        await session.choose("step")
        await session.retry()
        await session.undo()
        # The first turn can be taken once more as well, from before it.
        await session.retry()
        await session.fork()
        await session.switch("main")
        await session.close()
        told = read_log(tmp_path / "test-1")
        assert told[2:] == [
            "回到第 1 回合",
            "Turn 2: 中Step forward",
            "回到第 1 回合",
            "回到开头",
            "Turn 1",
            "分支 branch-1，始于第 1 回合",
            "转到分支 main，第 1 回合",
        ]

    asyncio.run(main())


def test_rules_that_are_changed_by_hand_hold_from_the_next_turn_on(tmp_path: Path) -> None:
    async def main() -> None:
        session = await begin(tmp_path)
        page = tmp_path / "test-1" / RULES
        await session.seat.afterwards.rest()
        assert page.read_text() == "Be kind.\n"
        page.write_text("Be brave.\n")
        await session.choose("step")
        view = await session.view()
        assert view.notices == ("Your edit of rules.md takes effect from this turn on.",)
        await session.seat.afterwards.rest()
        assert page.read_text() == "Be brave.\n"
        assert await read_rules(session) == "Be brave.\n"
        # Going back brings the older text back as the page; the newer one stays in the history.
        assert (await session.undo()).notices == ()
        await session.seat.afterwards.rest()
        assert page.read_text() == "Be kind.\n"
        await session.choose("step")
        assert await read_rules(session) == "Be kind.\n"
        # A text that was not taken up yet is not written over by going back.
        page.write_text("Be quick.\n")
        await session.undo()
        await session.seat.afterwards.rest()
        assert page.read_text() == "Be quick.\n"
        page.unlink()
        await session.choose("wait")
        await session.close()
        assert page.read_text() == "Be kind.\n"
        assert "Be brave." in "\n".join(read_log(tmp_path / "test-1", "-p", "--", RULES))

    asyncio.run(main())


async def read_rules(session: StoreSession) -> Json:
    """The rules as the state has them."""
    return (await recall(session.seat.road, session.seat.branch)).position.state.document["rules"]


def test_rules_that_cannot_hold_are_told_of_once_and_left_alone(tmp_path: Path) -> None:
    async def main() -> None:
        session = await begin(tmp_path)
        await session.seat.afterwards.rest()
        page = tmp_path / "test-1" / RULES
        page.write_text("\n")
        await session.choose("step")
        assert (await session.view()).notices == (
            "Your edit of rules.md was rejected: rules.md is empty; the one from before holds. "
            "The file is left unchanged.",
        )
        await session.choose("step")
        assert (await session.view()).notices == ()
        await session.close()
        assert page.read_text() == "\n"

    asyncio.run(main())


def test_a_page_made_from_the_record_is_kept_with_a_notice(tmp_path: Path) -> None:
    async def main() -> None:
        session = await begin(tmp_path)
        await session.seat.afterwards.rest()
        folder = tmp_path / "test-1"
        (folder / "diary.md").write_text("Dear diary\n")
        (folder / RULES).write_bytes(b"\xff")
        await session.choose("step")
        await session.seat.afterwards.rest()
        kept, unread = sorted((await session.view()).notices)
        assert "saved as hand-edits/diary.md.1" in kept
        assert unread.startswith("rules.md in this campaign’s folder was edited by hand, but")
        await session.close()
        assert (folder / "diary.md").read_text() == "2 turns\n"
        assert (folder / "hand-edits/diary.md.1").read_text() == "Dear diary\n"
        assert (folder / RULES).read_bytes() == b"\xff"

    asyncio.run(main())


@pytest.mark.parametrize("edit", ["Be brave.\n", "Be brave.\r\n"])
def test_a_crash_after_the_turn_and_before_its_pages_loses_nothing(edit: str, tmp_path: Path) -> None:
    async def main() -> None:
        session = await begin(tmp_path)
        await session.seat.afterwards.rest()
        page = tmp_path / "test-1" / RULES
        page.write_bytes(edit.encode())

        def forget(commit: object) -> None:
            """Nothing follows the turn: the process ends here."""

        session.seat.afterwards.follow = forget  # type: ignore[method-assign]  # a crash, as far as pages go
        await session.choose("step")
        await session.seat.road.book.close()
        lobby = replace(make_lobby(make_house()), store=FolderStore(tmp_path, disk=QUICK))
        session = await lobby.open("test-1")
        await session.choose("step")
        assert (await session.view()).notices == ()
        await session.close()
        assert page.read_bytes() == edit.encode()

    asyncio.run(main())
