"""Plots: what happens in the campaigns that are kept, and how each can be gone on with.

Together they go through everything that leaves its own trace in a record; `features` says what that is.
"""

import asyncio
import shutil
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from talewright.chronicle.records import QUICK
from talewright.common.json_values import Json
from talewright.kernel.judging.moves import Call
from talewright.play.lobby import ExportForm
from talewright.play.session import ResultKind
from talewright.play.sessions.store_session import StoreSession
from talewright.turn.inputs.player_inputs import Say
from talewright.turn.turn_context import Teller
from tests.kept_campaigns.workshop import (
    BROKEN,
    Stalling,
    Workshop,
    bundle,
    calls,
    cards,
    data,
)
from tests.opened import opened
from tests.turn.mastering import begin_master

GAMES = Path(__file__).parent / "games"
"""Games of which only tests know."""

CHOOSE, SAY, GO_ON = "choose", "say", "go_on"
"""How a campaign is gone on with."""


@dataclass(frozen=True, slots=True)
class Following:
    """The turn that can be taken after the last one."""

    kind: str
    text: str = ""
    """What is said or chosen; empty chooses the first of the choices."""

    replies: tuple[str, ...] = ()
    """What the storyteller says to it; without any the scenes tell it."""


@dataclass(frozen=True, slots=True)
class Plot:
    """One campaign."""

    play: Callable[[Workshop], Awaitable[Following]]
    git: bool = False
    """Whether its git copy is kept as well."""

    made: tuple[str, ...] = ()
    """How it was made, if its records do not show that."""


async def tell_harbor(shop: Workshop) -> Following:
    """Mist Harbor in Chinese: a mended answer, scenes for a teller who fails, retry, undo, a stopped turn."""
    inc: dict[str, Json] = {"op": "inc", "path": "clues", "value": 1, "reason": "巡检表"}
    player = await shop.begin(
        "mist_harbor",
        "zh-CN",
        BROKEN,
        cards("黎安没有坐下。", inc, facts=["旧电厂有一条维修通道。"]),
        cards("她把纸推过来。", {**inc, "path": "cluez"}),
        data({"state_updates": [{**inc, "path": "time.minute", "value": 5}]}),
        BROKEN,
        cards("雾里有人咳嗽。"),
        cards("雾里有人笑。", {"op": "inc", "path": "suspicion", "value": 3, "reason": "被看见"}),
        cards("灯灭了。"),
    )
    await player.choose_first()
    await player.say("先问黎安她知道些什么")
    await player.choose("m0")
    await player.say("我往窗外看", ResultKind.DEGRADED)
    await player.retry()
    await player.retry()
    await player.choose("no-such-choice", ResultKind.UNSPENT)
    await player.session.undo()
    await player.say("我回头看她")
    await player.leave()
    provider = Stalling([cards("雾更浓了。")])
    session = await opened(shop.lobby(Teller(provider)).open(shop.campaign))
    saying = asyncio.create_task(session.say("我走进雾里"))
    await provider.stalled.wait()
    await session.cancel()
    assert (await saying).kind is ResultKind.FAILED
    await session.close()
    return Following(GO_ON, replies=(cards("雾散了一点。").text,))


async def walk_lantern_road(shop: Workshop) -> Following:
    """Lantern Road from its scenes: marks, undo, retry, a branch, the end, and back to a mark."""
    player = await shop.begin("lantern_road", "en")
    session = player.session
    await player.choose_first(2)
    await session.mark("camp")
    await player.choose_first(2)
    await session.undo(2)
    await player.choose((await session.view()).choices[1].id)
    await player.retry()
    await session.fork((await session.view()).head, "to-the-end")
    await player.rest()
    while (await session.view()).end is None:
        await player.choose_first()
    await session.mark(QUICK)
    await session.switch("main")
    await player.rest()
    await player.choose_first()
    await session.load("camp")
    await player.rest()
    await player.choose_first()
    await player.leave()
    data = await shop.lobby().write_out(shop.campaign, ExportForm.SAVE)
    (shop.home / "lantern_import.json").write_bytes(data)
    return Following(CHOOSE)


async def import_lantern_road(shop: Workshop) -> Following:
    """What was written out of the campaign before, brought in as one of its own, and told on by a model."""
    await shop.lobby().bring_in((shop.home / "lantern_import.json").read_bytes(), shop.campaign)
    spend: Json = {"op": "dec", "path": "oil", "value": 2, "reason": "a longer way"}
    player = await shop.open(BROKEN, cards("The road goes on.", spend))
    await player.choose_first()
    await player.say("I hold the lamp up")
    await player.leave()
    return Following(SAY, "I walk on", (cards("It goes on some more.").text,))


async def watch_chapel(shop: Workshop) -> Following:
    """Chapel Watch: a trial in a scene, then bundles whose moves come first; one skill misspelt."""
    player = await shop.begin("chapel_watch", "en")
    await player.choose("look")
    await player.leave()
    mechanics: Mapping[str, Json] = {"mechanics": {"skill_used": "perception", "difficulty": 0.2}}
    player = await shop.open(
        bundle("", {"mechanics": {"skill_used": "perseption", "difficulty": 0.2}}),
        bundle("", mechanics),
        bundle(
            "Something is dragged.",
            _patch("listen-1", 2, {"op": "replace", "path": "/player/xp", "value": 2}),
        ),
        bundle("", {"mechanics": {"skill_used": "stealth", "difficulty": 0.6}}),
        bundle("Gravel.", _patch("slip-1", 3)),
        bundle("", mechanics),
        bundle("Nettles.", _patch("slip-2", 3)),
    )
    await player.say("I listen at the crypt door")
    await player.say("I slip along the wall")
    await player.session.undo()
    await player.say("I look at the nettles")
    await player.leave()
    after = _patch("wait-1", 4)
    return Following(SAY, "I wait", (bundle("", {"mechanics": None}).text, bundle("Rain.", after).text))


def _patch(operation: str, version: int, *more: Json) -> dict[str, Json]:
    """A bundle for a turn."""
    test: Json = {"op": "test", "path": "/version", "value": version}
    last: Json = {"op": "replace", "path": "/version", "value": version + 1}
    return {
        "schema_version": "1.2",
        "operation_id": operation,
        "base_version": version,
        "patch": [test, *more, last],
        "next_actions": ["Wait"],
    }


SHEET = (
    ("set_genre", {"genre": "noir"}),
    ("set_character", {"name": "Ann", "concept": "a spy", "inherent_tags": ["Quick", "Quiet", "Kind"]}),
    ("set_companion", {"none": True}),
)


def _note(section: str) -> tuple[str, dict[str, Json]]:
    return "scratchpad", {"operation": "write", "section": section, "content": "- Who sent the letter?"}


def _person(name: str) -> tuple[str, dict[str, Json]]:
    sheet: dict[str, Json] = {"id": name, "name": name.title(), "concept": "a fence", "goal": "The letter"}
    tags: dict[str, Json] = {"positive_tags": ["Big"], "negative_tags": ["Slow"]}
    return "create_npc", {**sheet, **tags, "disposition": "neutral", "clock_max": 6}


def _check(action_tags: list[Json], danger_tags: list[Json], wrong: int = 0) -> tuple[str, dict[str, Json]]:
    """A check with the dice that its tags give, or with too many."""
    numbers: dict[str, Json] = {"action_dice": 1 + len(action_tags) + wrong, "danger_dice": len(danger_tags)}
    tags: dict[str, Json] = {"action_tags": action_tags, "danger_tags": danger_tags}
    return "roll_check", {**numbers, **tags, "context": "Over the roofs"}


async def play_solo(shop: Workshop) -> Following:
    """Solo told with tools: made ready, checks contested and withdrawn, pages edited, a day summed up."""
    sleep = ("advance_time", {"reason": "The day goes by"})
    day: Json = {
        "summaries": {"day_1": "Ann came over the roofs."},
        "logbook_review": {"stale": [], "consolidate": [], "contradictions": [], "missing": []},
    }
    world = [_note(name) for name in ("Principles", "Active Threads", "Opening Scene")]
    player = await shop.begin(
        "solo",
        "en",
        calls("Here is your sheet.", *SHEET),
        calls("", *world, _person("gorm"), _person("mira")),
        calls("All is set.", ("finish_setup", {})),
        calls(
            "Rain on the tin roof.",
            ("update_scene", {"location": "The roofs", "set_negative": ["Wet tiles"]}),
        ),
        calls("It is far.", _check(["Quick"], ["Wet tiles"], wrong=2)),
        calls("It is far.", _check(["Quick"], ["Wet tiles"])),
        calls("Granted.", _check(["Quick", "Quiet"], [])),
        calls("You are over."),
    )
    await player.say("I am Ann")
    await player.say("Yes, that is me")
    await player.say("I go over the roofs")
    await player.answer("contest", "I am quick")
    await player.answer("roll")
    _write_into(shop.folder / "prompt.md", "\nSpeak in short sentences.\n")
    # This page is made from the record alone: what is written there is set aside.
    _write_into(shop.folder / "scratchpad.md", "my own notes\n")
    await player.leave()
    player = await shop.open(
        calls("The street is wet."),
        calls("A gutter hangs.", _check(["Quick"], ["Wet tiles"])),
        calls("You leave it."),
        calls("", sleep),
        calls("", sleep),
        calls("", sleep),
        calls("", sleep),
        calls("You sleep."),
        calls("Morning."),
        calls("Noon."),
        cheap=[data(day)],
    )
    await player.say("I climb down")
    await player.say("I try the gutter")
    await player.answer("withdraw")
    await _tell_outside(player.session, "I ask the doorman")
    await player.rest()
    await player.say("I find a bed")
    await player.say("I wake up")
    # A page with nothing in it is refused, and stays as it is for its writer to mend.
    (shop.folder / "prompt.md").write_bytes(b"")
    await player.say("I get up")
    await player.leave()
    return Following(SAY, "I look about", ("The street is dry.",))


def _write_into(page: Path, text: str) -> None:
    """Add to a page by hand."""
    page.write_bytes(page.read_bytes() + text.encode())


async def _tell_outside(session: StoreSession, said: str) -> None:
    """A turn that a game master outside tells."""
    seat = session.seat
    turn = await begin_master(seat.road, seat.branch, Say(said), seat.road.new_id())
    moved = {"location": "The door", "reason": "the player has gone there"}
    await turn.propose([Call("update_scene", moved, "outside-1")])
    await turn.finish("He has seen nobody.")


async def read_solo(shop: Workshop) -> Following:
    """Solo in Chinese from its scenes, with a branch."""
    player = await shop.begin("solo", "zh-CN")
    await player.choose_first(2)
    await player.session.fork(name="另一条路")
    await player.rest()
    await player.choose((await player.session.view()).choices[1].id)
    await player.leave()
    return Following(CHOOSE)


async def cross_millrace(shop: Workshop) -> Following:
    """A small game with fresh fate: rolls, summaries, and a folder that changes while it is played."""
    folder = shop.home / "games" / "millrace"
    shutil.copytree(GAMES / "millrace", folder, dirs_exist_ok=True)
    player = await shop.begin("millrace", "en")
    for choice in ("cross", "cross", "wait"):
        await player.choose(choice)
    await player.session.undo()
    await player.choose("cross")
    await player.retry()
    await player.leave()
    long = "".join(
        f"The water says {n} things to everybody it meets, and takes its time for it. " for n in range(8)
    )
    player = await shop.open(
        *(cards(f"{number}. {long}") for number in range(6)), cheap=[calls("Much water.")]
    )
    for number in range(6):
        await player.say(f"I listen, {number}")
    await player.leave()
    settings = folder / "game.yaml"
    text = settings.read_text("utf-8").replace("1.0.0", "1.1.0")
    lamp = "  - {id: lamp, label: Lamp, type: integer, min: 0, max: 9, default: 3}\n"
    settings.write_text(text.replace("variables:\n", f"variables:\n{lamp}"), "utf-8")
    player = await shop.open(
        cards("The lamp is lit.", {"op": "dec", "path": "lamp", "value": 1, "reason": "wind"})
    )
    await player.say("I light a lamp")
    await player.leave()
    return Following(SAY, "I put it out", (cards("It is dark.").text,))


async def wait_at_millrace(shop: Workshop) -> Following:
    """The same game for as long as it takes until a snapshot is kept."""
    shutil.copytree(GAMES / "millrace", shop.home / "games" / "millrace", dirs_exist_ok=True)
    player = await shop.begin("millrace", "en")
    for number in range(33):
        await player.choose("wait" if number % 8 else "cross")
    await player.leave()
    return Following(CHOOSE, "cross")


PLOTS: Mapping[str, Plot] = {
    "harbor_told": Plot(tell_harbor),
    "lantern_scenes": Plot(walk_lantern_road),
    "lantern_imported": Plot(import_lantern_road),
    "chapel_bundles": Plot(watch_chapel),
    "solo_tools": Plot(play_solo),
    "solo_scenes": Plot(read_solo),
    "millrace_fresh": Plot(cross_millrace, git=True),
    "millrace_long": Plot(wait_at_millrace),
}
"""In the order in which they are made: one is imported from the one before it.

The plots of later sets are in `road_and_town_plots` and `served_plots`.
"""
