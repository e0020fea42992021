"""The solo game in its folder: made ready, opened by itself, its `prompt.md` edited, its history read."""

import asyncio
import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from talewright.pack.compiler import compile_folder
from talewright.play.session import ResultKind, Stamp
from talewright.providers.scripted import Scripted, ScriptedReply
from talewright.stores.folder.folder_store import FolderStore
from talewright.systems.spiral.spiral_system import Spiral
from talewright.turn.game_editions import Edition
from talewright.turn.turn_context import Teller
from tests.play.making import GAMES, make_lobby
from tests.stores.sessions import QUICK
from tests.turn.making import calls

pytestmark = pytest.mark.process

SHEET = (
    ("set_genre", {"genre": "noir"}),
    ("set_character", {"name": "Ann", "concept": "a spy", "inherent_tags": ["Quick", "Quiet", "Kind"]}),
    ("set_companion", {"none": True}),
)


def write(section: str) -> tuple[str, dict[str, str]]:
    return "scratchpad", {"operation": "write", "section": section, "content": "CANARY-NOTE"}


def person(name: str) -> tuple[str, dict[str, object]]:
    sheet: dict[str, object] = {"id": name, "name": name.title(), "concept": "a fence", "goal": "CANARY-GOAL"}
    tags = {"positive_tags": ["Big"], "negative_tags": ["Slow"]}
    return "create_npc", {**sheet, **tags, "disposition": "neutral", "clock_max": 6}


def script() -> list[str | ScriptedReply]:
    world = [write(name) for name in ("Principles", "Active Threads", "Opening Scene")]
    return [
        calls("Here is your sheet.", *SHEET),
        calls("", *world, person("gorm"), person("mira")),  # type: ignore[arg-type]  # plain JSON
        calls("All is set.", ("finish_setup", {})),
        "Rain on the tin roof.",
        "You look about.",
        "You go on.",
    ]


def load_solo() -> Edition:
    made = compile_folder(GAMES / "solo", {"spiral": Spiral()})
    assert made.game is not None, made.faults
    return Edition(made.game, made.texts, made.digest, made.digest)


def test_a_solo_campaign_in_its_folder(tmp_path: Path) -> None:
    async def main() -> None:
        provider = Scripted(script())
        lobby = make_lobby(load_solo(), teller=Teller(provider))
        session = await replace(lobby, store=FolderStore(tmp_path, disk=QUICK)).begin("solo", "en")
        await session.say("I am Ann")
        result = await session.say("Yes, that is me", Stamp("yes"))
        view = await session.view()
        assert (result.kind, result.commit, view.version) == (ResultKind.COMMITTED, view.head, 4)
        assert view.turn is not None
        assert view.turn.narration == "Rain on the tin roof."
        await session.seat.afterwards.rest()
        prompt, notes = tmp_path / "solo-1" / "prompt.md", tmp_path / "solo-1" / "scratchpad.md"
        shipped = prompt.read_text()
        prompt.write_text(shipped + "\nSpeak in short sentences.\n")
        notes.write_text("my own notes\n")
        await session.say("I look about")
        asked = provider.requests[-1].messages
        assert any("Speak in short sentences." in getattr(message, "text", "") for message in asked)
        await session.seat.afterwards.rest()
        told = (await session.view()).notices
        assert told[0] == "Your edit of prompt.md takes effect from this turn on."
        assert told[1].endswith("your version is saved as hand-edits/scratchpad.md.1.")
        assert "CANARY" not in repr(told)
        assert prompt.read_text() == shipped + "\nSpeak in short sentences.\n"
        assert "CANARY-NOTE" in notes.read_text()
        await session.undo()
        await session.say("I go on")
        await session.close()
        assert prompt.read_text() == shipped
        assert read_subjects(tmp_path / "solo-1") == [
            "Setup: This is a game for one. You are somebody, in a pla",
            "Setup: I am Ann",
            "Setup: Yes, that is me",
            "Day 1 Seg 1: Rain on the tin roof.",
            "Day 1 Seg 1: I look about",
            "Back to turn 4",
            "Day 1 Seg 1: I go on",
        ]

    asyncio.run(main())


def read_subjects(folder: Path) -> list[str]:
    surroundings = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"}
    command = ["git", "log", "--reverse", "--format=%s"]
    done = subprocess.run(command, cwd=folder, env=surroundings, capture_output=True, check=True)
    return done.stdout.decode().splitlines()
