"""Plots on Goblin Road and in the Dusty Tankard: fights and checks, and a town that lives off-screen."""

from collections.abc import Mapping

from talewright.chronicle.records import QUICK
from talewright.common.json_values import Json
from talewright.llm.requests import Request
from talewright.play.session import ResultKind
from talewright.providers.scripted import ScriptedReply
from tests.faces.mcp.goblin_road_script import CHARACTER
from tests.kept_campaigns.plots import CHOOSE, SAY, Following, Plot
from tests.kept_campaigns.workshop import BROKEN, Player, Workshop, calls, data

ATTACK = "tabletop.attack-road-goblin-"
FLEE = "tabletop.flee"
TURNS_MAX = 60
"""After so many turns a game by scenes must have ended."""


async def walk_goblin_road(shop: Workshop) -> Following:
    """Goblin Road from its scenes: a fight won, taken back, made again and fled from; an end on a branch."""
    player = await shop.begin("goblin_road", "en")
    session = player.session
    for choice in ("drover", "brandy", "refuse", "marsh", "past"):
        await player.choose(choice)
    await session.mark("ambush")
    await player.choose(f"{ATTACK}1")
    await player.retry()
    await session.undo()
    await player.choose("sand")
    await player.choose("tabletop.defend")
    await player.choose("tabletop.attack-no-one", ResultKind.UNSPENT)
    await session.load("ambush")
    await player.rest()
    await session.fork((await session.view()).head, "to-the-end")
    await player.rest()
    await _fight(player)
    for _ in range(TURNS_MAX):
        view = await session.view()
        if view.end is not None:
            break
        offered = [choice.id for choice in view.choices]
        await player.choose(FLEE if FLEE in offered else offered[0])
    assert (await session.view()).end is not None
    await session.mark(QUICK)
    await session.switch("main")
    await player.rest()
    while FLEE in [choice.id for choice in (await session.view()).choices]:
        await player.choose(FLEE)
    await player.choose_first(2)
    await player.leave()
    return Following(CHOOSE)


async def _fight(player: Player) -> None:
    """Attack whoever still stands, until the fight is over."""
    for _ in range(TURNS_MAX):
        choices = [choice.id for choice in (await player.session.view()).choices]
        attacks = [choice for choice in choices if choice.startswith(ATTACK)]
        if not attacks:
            return
        await player.choose(attacks[0])
    raise AssertionError("the fight has not ended")


async def tell_goblin_road(shop: Workshop) -> Following:
    """Goblin Road in Chinese, narrated with tools: checks, a hidden roll, a fight, and what is refused."""
    snag: Mapping[str, Json] = {"enemies": [{"template": "Road Goblin", "count": 1, "name": "Snag"}]}
    snow: Mapping[str, Json] = {"updates": [{"op": "inc", "path": "snow", "value": 1, "reason": "下雪了"}]}
    attack = calls("", ("take_turn", {"action": "attack", "target": "Snag"}))
    player = await shop.begin(
        "goblin_road",
        "zh-CN",
        calls("", ("set_character", CHARACTER)),
        calls("那就是安莎，很少觉得冷。"),
        calls(
            "",
            ("skill_check", {"skill": "Dancing", "difficulty": 10}),
            ("skill_check", {"skill": "Athletics", "difficulty": 10}),
            ("roll_dice", {"expression": "1d20", "visible": False, "context": "霜做了什么"}),
        ),
        calls("麻袋去了它该去的地方。", ("award", {"xp": 5, "loot": ["3 torches"]})),
        BROKEN,
        calls("", ("start_fight", snag)),
        calls("这一个没有带账本。"),
        attack,
        calls("钢铁，和喘息。"),
        attack,
        calls("又是钢铁。"),
        calls("", ("take_turn", {"action": "defend"})),
        calls("它退了一步。"),
        calls("", ("apply_damage", {"target": "npc", "npcName": "Snag", "amount": 20})),
        calls("它躺下了，没有人再碰它。", ("award", {"lost": ["1 loaves"]})),
        calls("它躺下了，什么也没有少。"),
        calls("", ("propose_updates", snow)),
        calls("雪下得像它做别的事一样。"),
        cheap=[calls("安莎天没亮就上了路，路上打了一架。")] * 3,
    )
    await player.say("我是赶骡人安莎，带着一把钩镰")
    await player.say("最后一袋我自己扛")
    await player.choose_first()
    await player.say("又有一个跳出来了！")
    await player.say("我朝它挥过去")
    await player.retry()
    await player.session.undo()
    await player.say("我先守住")
    await player.say("我把它绊倒")
    await player.say("开始下雪了吗？")
    await player.leave()
    return Following(SAY, "我牵着骡子绕过冰面", (calls("骡子有它的看法。").text,))


async def live_in_tankard(shop: Workshop) -> Following:
    """The Dusty Tankard in Chinese from its scenes: talk, places, days that go by, and plans of others."""
    player = await shop.begin("dusty_tankard", "zh-CN")
    session = player.session
    for choice in ("bed", "ask_ibby", "praise", "world.talk-prewitt", "world.wait"):
        await player.choose(choice)
    await session.mark("evening")
    for choice in ("world.go-measure_house", "pint", *["world.wait-long"] * 3):
        await player.choose(choice)
    await player.retry()
    await session.undo()
    await session.fork(name="另一天")
    await player.rest()
    for choice in ("world.go-taproom", *["world.wait-long"] * 5):
        await player.choose(choice)
    await player.leave()
    return Following(CHOOSE, "world.wait")


SUMMARY: Json = {"summary": "Hob coiled the same rope twice, and Mrs Prewitt counted the times."}
CONVERSATION: Json = {
    "dialogue": ['Mrs Prewitt: "Warm straw."', 'Hob: "Not a bailiff." *looks at his ropes*'],
    "reportSimulation": {
        "events": [
            {"description": "Mrs Prewitt bet Hob a dozen sheets.", "witnesses": ["Hob", "Mrs Prewitt"]},
            {"description": "A bargeman heard every word.", "witnesses": ["the bargeman"]},
        ],
        "movements": [{"characterName": "Hob", "destination": "the moon"}],
        "told": [{"fact": "warm_straw", "by": "Mrs Prewitt", "to": "Hob"}],
        "relationships": [{"characterName": "Hob", "towards": "Mrs Prewitt", "change": -5}],
    },
}


def live_off_screen(request: Request) -> ScriptedReply:
    """What happens while the player is elsewhere, in the form that is asked for."""
    return data(CONVERSATION if "reportSimulation" in str(request.answer_schema) else SUMMARY)


def _ask(name: str, topic: str) -> ScriptedReply:
    return calls("", ("askCharacter", {"characterName": name, "topic": topic}))


def _go(place: str, *company: str) -> ScriptedReply:
    there: dict[str, Json] = {"destination": place, "narrativeTime": "", "accompaniedBy": [*company]}
    return calls("", ("moveToLocation", there))


async def tell_tankard(shop: Workshop) -> Following:
    """The Dusty Tankard told by a model, and the life off-screen by another; one answer is of no use."""
    player = await shop.begin(
        "dusty_tankard",
        "en",
        calls("You dry forty pots for a penny."),
        _ask("Mrs Prewitt", ""),
        calls('"The pots here are short," says Mrs Prewitt.'),
        BROKEN,
        calls("Miss Stroud rubs out the duck."),
        calls("An hour of rain and steam."),
        _go("the square"),
        calls("The square is wet."),
        _go("the far side of the moon"),
        _go("the pub", "Dorcas"),
        _go("the pub"),
        calls("The stool is still warm."),
        calls("", ("advanceTime", {"narrativeTime": "Tuesday morning", "ticks": 110})),
        calls("You sleep with your boots on."),
        calls(
            "A bargeman calls across that the bridge is down.",
            ("discoverCharacter", {"characterName": "Tobb", "introduction": "A tinker.", "goals": "sell"}),
            ("noteFact", {"fact": "The bridge at Sallow is down.", "told_by": "Tobb"}),
        ),
        calls("The lock is high."),
        calls("Hob stands at the upper gate."),
        calls("It gets dark by degrees."),
        calls("The lamps are lit."),
        calls("They are put out."),
        calls("Somebody has swept."),
        cheap=live_off_screen,
    )
    await player.choose("bed")
    await player.say("I ask Mrs Prewitt what people talk about here")
    await player.choose("ask_ibby")
    await player.choose("praise")
    await player.choose("world.wait")
    await player.say("I walk over to the square")
    await player.say("I go back by way of the moon, with Dorcas")
    await player.say("I sleep on the settle until it gets light")
    await player.say("Who is calling there?")
    await player.choose("world.go-lock")
    await player.session.undo()
    await player.choose("world.go-lock")
    for _ in range(4):
        await player.choose("world.wait-long")
    await player.leave()
    player = await shop.open(
        calls("Another hour."),
        calls("The gate drips."),
        calls("A barge goes by."),
        cheap=[calls("I would rather tell you about the ducks.")] * 3,
    )
    for _ in range(3):
        await player.choose("world.wait-long")
    await player.leave()
    return Following(SAY, "I look at the water", ("It says nothing.",))


PLOTS: Mapping[str, Plot] = {
    "goblin_scenes": Plot(walk_goblin_road),
    "goblin_told": Plot(tell_goblin_road),
    "tankard_scenes": Plot(live_in_tankard),
    "tankard_told": Plot(tell_tankard),
}
"""In the order in which they are made."""
