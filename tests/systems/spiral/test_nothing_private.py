"""Hidden things of a solo campaign stay hidden: no canary reaches its player, by whatever way out.

The campaign is a long one: its game master has secrets in every place there is, and lets each of them slip.
"""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from talewright.common.json_values import Json
from talewright.faces.tui.launch_preferences import TerminalStartRequest
from talewright.llm.reply_chunks import StopReason
from talewright.llm.requests import ToolCall
from talewright.play.campaign_view import Viewer
from talewright.play.news import NewsKind
from talewright.play.session import ResultKind
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.providers.scripted import Scripted, ScriptedReply, by
from talewright.stores.folder.folder_store import FolderStore
from talewright.turn.steps.recalling import recall
from talewright.turn.turn_context import Teller
from tests.faces.tui.camera import hold_still, read
from tests.faces.tui.scenery import House
from tests.faces.tui.tours.album import press, visit
from tests.faces.tui.tours.table import sit_down as sit_at_table
from tests.opened import opened
from tests.play.making import make_lobby
from tests.privacy import MARK, Catch, find_canaries, listen, read_exports, sit_down
from tests.solo_privacy import (
    WHISPER,
    WHISPERED,
    Master,
    Reply,
    Sitting,
    bird,
    call,
    check,
    create,
    fail,
    quote,
    settle,
    solo_edition,
    tell,
    write,
)
from tests.stores.sessions import QUICK

TURNS_MIN = 60
DAYS = 12
"""Days that pass: enough for summaries to become one story."""

CAMPAIGN = "birds"
TYPED = """\
/cards
/history 40
/why scene
/why npcs
/why spiral
/why player
I look about.
1
/undo
/retry
/help
/quit
"""
"""What the player types at the end, at the plain face."""

SIZE = (120, 60)
"""Columns and rows of the terminal: much of the story at once."""

KEYS = ((), ("f2",), ("f1",), ("escape", "f3"), ("enter",), ("escape", "home", "down", "c"), ("escape",))
"""What the player presses at the terminal: the table, its cards, help, the tree, its menu, a comparison."""

PAGES = ("scratchpad.md", "prompt.md", "state.json", "world/npcs/cnry-unmet.md", "summaries/day3.md")
WAYS = {
    *("view", "news", "late news", "narrations", "result", "history", "why", "trail", "tree", "compare"),
    *("markdown", "html", "epub", "campaigns", "details", "plain face", "terminal"),
}
"""The ways out, each of which must have been taken."""

SHOWN = (
    *("Old Bram ●●●●", "Day 13", "New glitch: ", "Resist", "Climb the mast", "Bram is asleep", "wet rope"),
    *("Your edit of prompt.md takes effect", "hand-edits/scratchpad.md.1", "world/npcs/", "never_day"),
)
"""What the player does see: a filled clock, mornings, glitches, a contest, notices of edits."""

PRINCIPLE, THREAD, OPENING, LEDGER = "first principle", "frayed cord", "first morning", "private ledger"
OATH = "sworn oath"
"""A note that a summary of a day repeats."""

WORLD = (
    write("Principles", bird(PRINCIPLE)),
    write("Active Threads", bird(THREAD)),
    write("Opening Scene", bird(OPENING)),
    write("Ledger", bird(LEDGER)),
    write("Oath", bird(OATH)),
    write("Whisper", WHISPER),
    create("unmet"),
    create("stranger", clock_max=2),
    create("bram", name="Old Bram", positive_tags=["broad as a door"], negative_tags=["deaf in one ear"]),
)
ANN: Mapping[str, Json] = {
    "name": "Ann",
    "concept": "a pilot ashore",
    "inherent_tags": ["Quick", "Quiet", "Kind"],
}
SHEET = (
    call("set_genre", genre="A harbour in fog, dry and wry"),
    call("set_character", **ANN),
    call("set_companion", name="Gull", concept="a bird of few words", inherent_tags=["Sharp eyes"]),
)
NIGHT = tell("", *[call("advance_time", reason="sleep")] * 4)
"""A whole day goes by."""

DUMP = json.dumps({"npcs": {"cnry-unmet": {"name": f"{MARK} the unmet", "clock": 3}}})
CHOICES = ("Wait", "Leave", "Whistle")


def offer(*labels: str, hint: str = "") -> ToolCall:
    return call("offer_choices", choices=[{"label": label, "hint": hint} for label in labels])


EARLY_TEMPTATIONS: Mapping[str, tuple[Reply, ...]] = {
    "a principle as the world": (tell("So.", call("set_genre", genre=f"Where {bird(PRINCIPLE)}")),),
    "a principle on the sheet": (tell("So.", call("set_character", **{**ANN, "concept": quote(PRINCIPLE)})),),
    "a principle as a companion's": (
        tell("So.", call("set_companion", **{**ANN, "concept": quote(OPENING)})),
    ),
    "what is yet to come": (tell(f"It will begin so: {quote(OPENING)}."),),
}
"""The same while a campaign is made ready."""

TEMPTATIONS: Mapping[str, tuple[Reply, ...]] = {
    # These come first: a storyteller no longer knows what has left its prompt.
    "what has been written over": (tell(f"He says: {quote('old plan')}."),),
    "a goal that was given up": (tell(f"He says: {quote('goal of bram')}."),),
    "a principle in the narration": (tell(f"He says: {quote(PRINCIPLE)}. That is all."),),
    "the middle of a principle": (tell(f"He says: {bird(PRINCIPLE)[60:120]}."),),
    "a principle in other letters": (tell(f"He says: *{bird(PRINCIPLE)[:60].upper()}*"),),
    "a thread": (tell(f"You remember that {quote(THREAD)}."),),
    "a note that a summary repeats": (tell(f"He says: {quote(OATH)}."),),
    "a note in Chinese": (tell(f"He says: {WHISPER[:WHISPERED]}."),),
    "a note in Chinese on a card": (tell("You try.", check(WHISPER[-WHISPERED:], "Quick")),),
    "a section of its own": (tell(f"It is written that {quote(LEDGER)}."),),
    "the goal of somebody not met": (tell(f"They want this: {quote('goal of unmet')}."),),
    "the concept of somebody who is here": (tell(f"Bram: {quote('concept of bram')}."),),
    "a label": (tell("You look about.", offer(*CHOICES, f"Ask whether {quote(PRINCIPLE)}")),),
    "a hint": (tell("You look about.", offer(*CHOICES, hint=quote(PRINCIPLE))),),
    "the context of a check": (tell("You try.", check(f"See whether {quote(PRINCIPLE)}", "Quick")),),
    "a tag that hinders": (tell("You go.", call("update_scene", add_negative=[quote(PRINCIPLE)])),),
    "a place": (tell("You go.", call("update_scene", location=quote(PRINCIPLE))),),
    "a glitch": (tell("It slips.", call("add_glitch", tag=quote(PRINCIPLE))),),
    "a condition": (tell("It hurts.", call("update_player", add_condition=[quote(PRINCIPLE)])),),
    "a tag of one's own": (tell("You learn.", call("update_player", add_inherent=[quote(PRINCIPLE)])),),
    "why time goes on": (tell("", call("advance_time", reason=f"Since {quote(PRINCIPLE)}")),),
    "a text of the author's on a card": (tell("You try.", check("ending.blue", "Quick")),),
    "a text of the author's as a place": (tell("You go.", call("update_scene", location="world")),),
    "a refusal": (ScriptedReply(f"I cannot tell that {quote(PRINCIPLE)}", stop=StopReason.REFUSAL),),
    "the rules by hand": (tell(f"He reads aloud: {quote('line by hand')}."),),
    "a review": (tell(f"He reads aloud: {quote('missing entry')}."),),
    "what was written a moment ago": (
        tell("", write("Plan", bird("fresh plan"))),
        tell(f"He says: {quote('fresh plan')}."),
    ),
    "somebody made a moment ago": (
        tell("", create("late"), call("scratchpad", operation="read", section="Ledger")),
        tell(f"He says: {quote('goal of late')}."),
    ),
    "a card about what was written in the same breath": (
        tell("", write("Plan", bird("other plan")), check(f"See whether {quote('other plan')}", "Quick")),
    ),
}
"""Ways to let a hidden text slip out; each by its name."""


async def begin(folder: Path, catch: Catch) -> tuple[StoreLobby, Sitting]:
    """A campaign of one's own, up to its opening scene."""
    master = Master()
    scripted = Scripted(master, cut=by(7))
    master.requests = scripted.requests
    lobby = make_lobby(solo_edition(), teller=Teller(scripted))
    lobby = replace(lobby, store=FolderStore(folder, git=False, disk=QUICK))
    sitting = Sitting(await opened(lobby.begin("solo", "en", CAMPAIGN)), master, catch, folder / CAMPAIGN)
    await sitting.say("A harbour, and I am Ann.", tell("Here is your sheet.", *SHEET))
    return lobby, sitting


async def open_world(sitting: Sitting) -> None:
    """Make the hidden world, and tell the opening scene."""
    await sitting.say("Make the world.", tell("", *WORLD), tell("It is made."))
    for name, replies in EARLY_TEMPTATIONS.items():
        await sitting.tempt(name, *replies)
    opening = tell("All is set.", call("finish_setup")), tell("Fog. A bell, twice.")
    await sitting.say("Yes, that is me.", *opening)
    await sitting.say(
        "I greet Bram.",
        tell("Old Bram nods.", call("update_npc", id="cnry-bram", active=True, clock_delta=1)),
    )


async def roll(sitting: Sitting) -> None:
    """A contested check, a withdrawn one, and rolls with what they demand."""
    risky = check("Climb the mast", "Quick", danger=["broad as a door"])
    await sitting.say(
        "I climb.", tell("Up?", call("update_scene", location="The mast", add_negative=["wet rope"]))
    )
    await sitting.say("I climb on.", tell("Up.", risky))
    await sitting.answer("contest", tell("Fair.", check("Climb the mast", "Quick")), note="Bram is asleep")
    await sitting.answer("withdraw")
    for number, option in enumerate(["roll", "roll", "roll_resist", "roll", "roll", "roll"]):
        count = await sitting.count_glitches()
        proposed = check(f"Reach yard {number}", "Quick", danger=["wet rope"][: number % 2], glitches=count)
        await sitting.say(f"I reach for yard {number}.", tell("You reach.", proposed))
        await sitting.answer(option, settle)
    await sitting.say("I climb down.", tell("You climb down.", call("flush_glitches")))


async def err(sitting: Sitting) -> None:
    """Calls that are refused or broken, a dump in the narration, silence, a provider that fails."""
    wrong = (
        check("Jump", "no such tag"),
        call("update_npc", id="cnry-nobody", goal=bird("goal of nobody")),
        call("update_npc", id="cnry-unmet", clock_delta=f"{MARK} much"),
        call("spend_resist", purpose="clear_condition", condition=f"{MARK} wound"),
        call("scratchpad", operation="read", section=f"{MARK} section"),
        call("scratchpad", operation="write", section="Ledger", content=MARK * 5_000),
        ToolCall("", "scratchpad", f'{{"operation": "{MARK}'),
        ToolCall("", f"{MARK}_tool", "{}"),
        call("propose_updates", updates=[{"op": "set", "path": f"scene.{MARK}", "value": MARK}]),
        call("propose_updates", updates=[{"op": "set", "path": "npcs.cnry-unmet.goal", "value": MARK}]),
    )
    await sitting.say("I fumble.", tell("", *wrong), tell("You fumble."))
    await sitting.say("I listen.", tell(f"You listen.\n```json\n{DUMP}\n```"))
    await sitting.say("I listen on.", tell(f"You hear this: {DUMP}"))
    silent = await sitting.say("I wait.", ScriptedReply(""), ScriptedReply(""), ScriptedReply(""))
    assert silent.kind is ResultKind.DEGRADED
    lost = await sitting.say("I wait on.", fail("The lamp "))
    assert lost.kind is ResultKind.DEGRADED
    sitting.catch.add("result", await sitting.session.choose("retry"))
    sitting.catch.add("result", await sitting.session.choose("no_such_choice"))


async def edit(sitting: Sitting) -> None:
    """Pages changed by hand: the rules, with a mistake and without, and pages made from the state."""
    rules = (sitting.folder / "prompt.md").read_text()
    sitting.edit("prompt.md", f"{rules}\n{bird('line by hand')}\n")
    sitting.edit("scratchpad.md", bird("note by hand"))
    sitting.edit("world/npcs/cnry-unmet.md", bird("page by hand"))
    await sitting.say("I read.")
    sitting.edit("prompt.md", rules.replace("tick: ", "tick: never_", 1) + bird("line by hand"))
    await sitting.say("I read on.")
    sitting.edit("prompt.md", "")
    await sitting.say("I stop reading.")
    sitting.edit("prompt.md", f"{rules}\n{bird('line by hand')}\n")
    await sitting.say("I read again.")
    notices = [text for text in sitting.catch.taken["view"] if "hand-edits" in text]
    assert notices, "the player must be told that pages were changed"


def sum_up(day: str) -> str:
    return bird(f"summary of {day}")


def sum_up_loosely(day: str) -> str:
    """A summary by somebody who has read the notes."""
    return f"They slept. {bird(OATH)}. Then it was morning."


async def sleep(sitting: Sitting) -> None:
    """Days go by: summaries, reviews, a story so far, full clocks; midnight is undone and told again."""
    await sitting.say("I sleep.", NIGHT, tell("Morning."))
    sitting.catch.add("view", await sitting.session.undo())
    await sitting.say("I sleep after all.", NIGHT, tell("Another morning."))
    sitting.catch.add("result", await sitting.session.retry())
    for day in range(DAYS):
        sitting.master.summary = sum_up_loosely if day == DAYS - 1 else sum_up
        if day == 2:
            notes = call("scratchpad", operation="append", section="Ledger", content=bird(f"day {day}"))
            await sitting.say("I doze.", tell("", notes), tell("You doze."))
        await sitting.say(f"I sleep, {day}.", NIGHT, tell(f"Morning {day}."))
    sitting.catch.add("view", await sitting.session.fork(name="other"))
    await sitting.say("I walk another way.")
    sitting.catch.add("view", await sitting.session.switch("main"))


async def give_up_plans(sitting: Sitting) -> None:
    """Write something hidden, then something else in its place."""
    await sitting.say("I think.", tell("", write("Plan", bird("old plan"))), tell("You think."))
    changes = write("Plan", bird("new plan")), call("update_npc", id="cnry-bram", goal=bird("new goal"))
    await sitting.say("I think again.", tell("", *changes), tell("You think again."))


async def play(folder: Path, catch: Catch) -> tuple[StoreLobby, Sitting]:
    """The whole campaign, with everything that reaches its player."""
    lobby, sitting = await begin(folder, catch)
    session = sitting.session
    late, listening = session.watch(after=0), asyncio.create_task(listen(session.watch(), "news", catch))
    for act in (open_world, roll, err, edit, sleep, give_up_plans):
        await act(sitting)
    for name, replies in TEMPTATIONS.items():
        await sitting.tempt(name, *replies)
    await sitting.look_back()
    await read_exports(session.seat.road.book, session.seat.games, catch)
    session.seat.broadcast.close()
    await listening
    await listen(late, "late news", catch)
    return lobby, sitting


async def look_in(lobby: StoreLobby, catch: Catch) -> None:
    """Take what the lobby and the two faces show."""
    listed = await lobby.campaigns()
    catch.add("campaigns", *listed)
    catch.add("details", *[await lobby.details(one.name) for one in listed])
    await sit_down(lobby, CAMPAIGN, TYPED, catch)
    async with visit(
        House(lobby, "en").door(TerminalStartRequest(campaign=CAMPAIGN, language="en")), SIZE
    ) as pilot:
        await sit_at_table(pilot)
        for keys in KEYS:
            await press(pilot, *keys)
            await hold_still(pilot)
            catch.add("terminal", read(pilot.app))


async def check_alive(sitting: Sitting) -> None:
    """The birds are there: whoever may see everything sees them, and record and pages are full of them."""
    session, author = sitting.session, Catch()
    author.add("view", await replace(session, role=Viewer.AUTHOR).view())
    author.add("record", *[repr(record) async for record in session.seat.road.book.records()])
    author.add("anatomy", await replace(session, role=Viewer.AUTHOR).past.inspect(await session.seat.head()))
    author.add("asked", *map(repr, sitting.master.requests))
    for way, texts in author.taken.items():
        assert find_canaries("".join(texts)), way
    for page in PAGES:
        assert find_canaries((sitting.folder / page).read_text()), page
    recalled = await recall(session.seat.road, session.seat.branch)
    kept = json.dumps(dict(recalled.position.state.document))
    for name in (
        PRINCIPLE,
        OPENING,
        LEDGER,
        "goal of unmet",
        "story so far",
        "summary of day_9",
        "missing entry",
    ):
        assert bird(name) in kept, name


def join_deltas(catch: Catch) -> str:
    """The narrations as they arrived, piece after piece; what was taken back later is in it too."""
    news = map(json.loads, catch.taken["news"])
    return "".join(one["data"]["text"] for one in news if one["kind"] == NewsKind.NARRATION_DELTA)


@pytest.mark.slow
def test_no_canary_reaches_the_player_of_a_solo_campaign(tmp_path: Path) -> None:
    catch = Catch()

    async def main() -> None:
        lobby, sitting = await play(tmp_path, catch)
        assert (await sitting.session.view()).version >= TURNS_MIN
        await check_alive(sitting)
        await sitting.session.close()
        await look_in(lobby, catch)
        assert sitting.slipped == []

    asyncio.run(main())
    catch.add("narrations", join_deltas(catch))
    assert set(catch.taken) == WAYS
    everything = catch.stream()
    assert [words for words in SHOWN if json.dumps(words)[1:-1] not in everything] == []
    assert catch.hits()[:5] == []


def test_what_a_ready_start_hides_is_kept_as_well(tmp_path: Path) -> None:
    async def main() -> None:
        master = Master()
        lobby = make_lobby(solo_edition(), teller=Teller(Scripted(master, cut=by(7))))
        sitting = Sitting(await opened(lobby.begin("solo", "en")), master, Catch(), tmp_path)
        await sitting.session.choose("city")
        own = (await recall(sitting.session.seat.road, "main")).position.state.document["spiral"]
        assert isinstance(own, Mapping)
        principles = str(own["scratchpad"]).split("\n- ")[1:4]
        assert len(principles) == 3
        for principle in principles:
            await sitting.tempt(principle[:20], tell(f"He says: {principle}"))
        assert sitting.slipped == []

    asyncio.run(main())
