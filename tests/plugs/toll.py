"""A small system that uses every part of the System port: a bridge with a toll and a keeper.

It exists for the tests: whatever the port promises, this system asks for.
"""

from collections.abc import Mapping, Sequence

from talewright.common.json_values import Json
from talewright.errors import Fault, Severity, SourcePlace
from talewright.kernel.chance import Chance
from talewright.kernel.judging.moves import Call, Op, Update
from talewright.kernel.judging.rulings import Decision, Errand, ErrandWeight, Flaw, Grade, Option
from talewright.kernel.panel_parts import Chips, Lines, Meter, Panel, Rolled
from talewright.kernel.slots.slot_types import ComputedSlot, Slot, SlotKind
from talewright.kernel.state.state_paths import Path
from talewright.kernel.story.scenes import Risk, SystemChoice
from talewright.kernel.story.triggers import Event
from talewright.kernel.system import (
    NO_TICK,
    AuthorFileReader,
    AuthorFiles,
    AuthorYaml,
    Denial,
    EventAppraisal,
    Favor,
    Grant,
    HasAppraisals,
    HasArgumentMeanings,
    HasArgumentValues,
    HasAudits,
    HasAuthorFiles,
    HasAuthorYaml,
    HasChoices,
    HasComputedSlots,
    HasEditablePages,
    HasErrands,
    HasFileChecks,
    HasHeadings,
    HasHearing,
    HasMemories,
    HasNotes,
    HasPages,
    HasPanels,
    HasPhases,
    HasReach,
    HasReports,
    HasRetention,
    HasScenarios,
    HasSlots,
    HasStarters,
    HasTelling,
    HasTicks,
    HasTools,
    Heard,
    ImportedScenario,
    Note,
    NoteAudience,
    PastTurn,
    Phase,
    ProposedTelling,
    Report,
    ReportContent,
    ReportSubject,
    Retention,
    RollAppraisal,
    ScenarioError,
    Sight,
    Stance,
    Starter,
    SystemAnswer,
    SystemMemory,
    Tick,
    Tool,
    ToolWork,
    Wait,
    deny_unknown,
)

NOTHING: Json = {"type": "object", "properties": {}, "additionalProperties": False}


BOARDS = ("low", "middle", "high")
"""The boards of the bridge, in the order in which the water covers them."""


def _water(document: Mapping[str, Json]) -> int:
    bridge = document["bridge"]
    assert isinstance(bridge, Mapping)
    return int(str(bridge["water"]))


class Toll(
    HasSlots,
    HasTools,
    HasTicks,
    HasPhases,
    HasNotes,
    HasPanels,
    HasAppraisals,
    HasAuthorFiles,
    HasFileChecks,
    HasAudits,
    HasErrands,
    HasPages,
    HasEditablePages,
    HasHeadings,
    HasMemories,
    HasRetention,
    HasReach,
    HasArgumentMeanings,
    HasArgumentValues,
    HasReports,
    HasHearing,
    HasChoices,
    HasStarters,
    HasTelling,
    HasAuthorYaml,
    HasScenarios,
    HasComputedSlots,
):
    """Pay, gamble or ask the keeper; the water rises by itself."""

    name = "toll"

    def slots(self, files: AuthorFiles) -> Mapping[str, Slot]:
        things = _things(files)
        load = {"load": Slot(kind=SlotKind.ENUM, enum_values=("", *things), default="")} if things else {}
        return {
            "bridge": Slot(
                kind=SlotKind.OBJECT,
                fields={
                    "coins": Slot(kind=SlotKind.INTEGER, default=3, minimum=0, maximum=9, clamp=False),
                    "water": Slot(kind=SlotKind.INTEGER, default=0, minimum=0, maximum=5),
                    "crossed": Slot(kind=SlotKind.BOOLEAN, default=False),
                    "keeper": Slot(kind=SlotKind.STRING, default=""),
                    "last_roll": Slot(kind=SlotKind.INTEGER, default=0),
                    **load,
                },
            )
        }

    def computed_slots(self, files: AuthorFiles) -> Mapping[Path, ComputedSlot]:
        boards = Slot(kind=SlotKind.LIST, default=[], element=Slot(kind=SlotKind.ENUM, enum_values=BOARDS))
        depth = Slot(kind=SlotKind.INTEGER, default=5, minimum=0, maximum=5)
        water = ("bridge", "water")
        return {
            ("bridge", "dry_boards"): ComputedSlot(boards, (water,), lambda it: [*BOARDS[_water(it) :]]),
            ("bridge", "freeboard"): ComputedSlot(depth, (water,), lambda it: 5 - _water(it)),
        }

    def tools(self, files: AuthorFiles, language: str) -> tuple[Tool, ...]:
        things = _things(files)
        load: dict[str, Json] = {"load": {"type": "string", "enum": [*things]}} if things else {}
        return (
            Tool(
                "pay",
                "在桥上付钱。" if language == "zh-CN" else "Pay coins at the bridge.",
                {"type": "object", "properties": {"coins": {"type": "integer"}, **load}},
            ),
            Tool("gamble", "Roll for the passage.", NOTHING, work=ToolWork.ROLLING),
            Tool(
                "ask_keeper", "Ask who keeps the bridge.", NOTHING, must_see=False, work=ToolWork.CONSULTING
            ),
        )

    def judge(self, call: Call, sight: Sight, chance: Chance, answers: Mapping[str, Json]) -> SystemAnswer:
        match call.tool:
            case "pay":
                coins = call.arguments.get("coins")
                if coins == "all":
                    return Denial("the keeper does not want everything", Grade.DROP)
                if not isinstance(coins, int):
                    return Denial("pay takes coins: a whole number")
                load = call.arguments.get("load")
                loaded = (Update(Op.SET, "bridge.load", load),) if load else ()
                event = Event("toll", "toll.paid", "system:toll")
                return Grant(
                    (Update(Op.SET, "bridge.crossed", True), Update(Op.DEC, "bridge.coins", coins), *loaded),
                    {"paid": coins},
                    (event,),
                )
            case "gamble":
                return self._gamble(chance, answers)
            case "ask_keeper":
                name = answers.get("keeper-name")
                if not isinstance(name, str):
                    return Wait(
                        Errand("keeper-name", "Who keeps the bridge?", {"type": "string"}, ErrandWeight.MAIN)
                    )
                return Grant((Update(Op.SET, "bridge.keeper", name),), name)
            case _:
                return deny_unknown(call)

    def _gamble(self, chance: Chance, answers: Mapping[str, Json]) -> SystemAnswer:
        answer = answers.get("gamble")
        if answer is None:
            options = (Option("roll", "Roll"), Option("withdraw", "Step back"))
            return Wait(Decision("gamble", "Roll for the passage?", options, ("4 or more lets you pass",)))
        if answer == "withdraw":
            return Grant(result={"rolled": None})
        face = chance.draw(6, "gamble")
        return Grant(
            (Update(Op.SET, "bridge.last_roll", face), Update(Op.SET, "bridge.crossed", face >= 4)),
            {"rolled": face},
        )

    def argument_meanings(self, call: Call, sight: Sight) -> Mapping[str, Json]:
        return {}

    def argument_values(self, tool: str, sight: Sight) -> Mapping[str, Sequence[str]]:
        return {}

    def tick(self, sight: Sight, chance: Chance) -> Tick:
        return Tick((Update(Op.INC, "bridge.water", 1, "the river rises"),))

    def hear(self, heard: Heard, sight: Sight, chance: Chance) -> Tick:
        """The river rises by itself, and once more for every hour."""
        hours = heard.minutes // 60
        return Tick((Update(Op.INC, "bridge.water", hours, "it is late"),)) if hours else NO_TICK

    def phase(self, sight: Sight) -> Phase | None:
        bridge = sight.document["bridge"]
        assert isinstance(bridge, Mapping)
        if bridge["crossed"]:
            return Phase("across", "toll.across", tools=frozenset({"ask_keeper"}), plan="tool_loop")
        return None

    def notes(self, sight: Sight) -> Sequence[Note]:
        return (
            Note("The keeper is afraid of the water."),
            Note("The bridge has a toll.", NoteAudience.EVERYONE),
        )

    def choices(self, sight: Sight) -> Sequence[SystemChoice]:
        chinese = sight.language == "zh-CN"
        return tuple(
            SystemChoice(
                f"pay-{thing}",
                f"付{thing}的钱" if chinese else f"Pay for a {thing}",
                Call("pay", {"coins": 1, "load": thing}),
                risk=Risk.MEDIUM,
            )
            for thing in _things(sight.files)
        )

    def tell(self, calls: Sequence[Call], sight: Sight) -> str:
        return " ".join(f"The keeper nods: {call.tool}." for call in calls)

    def yaml_patterns(self) -> tuple[str, ...]:
        return ("toll/*.yaml",)

    def read_yaml(self, files: Mapping[str, AuthorYaml]) -> tuple[AuthorFiles, tuple[Fault, ...]]:
        """Every member of a file is a boat; one without a price is a mistake."""
        boats = {name: file.value for name, file in files.items()}
        faults = [
            Fault("toll-boat", f"{boat} has no price", file.locate((boat, "price")), "Write `price: 1`.")
            for file in files.values()
            if isinstance(file.value, Mapping)
            for boat, about in file.value.items()
            if not isinstance(about, Mapping) or "price" not in about
        ]
        return boats, tuple(faults)

    def appraise_rolls(self, recorded: Json, sight: Sight) -> Sequence[RollAppraisal]:
        # The water rolls against whoever crosses.
        drawn = isinstance(recorded, Mapping) and recorded.get("by") == "water"
        return (RollAppraisal(Stance.AGAINST, "the water"),) if drawn else ()

    def appraise_events(
        self, events: Sequence[Event], rolls: Sequence[Json], sight: Sight
    ) -> Sequence[EventAppraisal]:
        bad = EventAppraisal(Favor.BAD)
        return [bad if event.type == "toll:flood" else EventAppraisal() for event in events]

    def panels(self, sight: Sight) -> Sequence[Panel]:
        bridge = sight.document["bridge"]
        assert isinstance(bridge, Mapping)
        water, last = bridge["water"], bridge["last_roll"]
        assert isinstance(water, int)
        assert isinstance(last, int)
        parts = (
            Meter("Water", water, 5),
            Chips("Mood", ("wary",)),
            Lines("Toll", ("3 coins",)),
            Rolled("Last", (last,), last),
        )
        return (Panel("bridge", "The bridge", parts),)

    def errands(self, sight: Sight, turns: Sequence[PastTurn]) -> Sequence[Errand]:
        return (Errand("rumour", "What do they say downstream?", {"type": "string"}),)

    def take(self, errand: str, answer: Json, sight: Sight) -> Sequence[Update]:
        return (Update(Op.SET, "bridge.keeper", answer),) if errand == "rumour" else ()

    def pages(self, sight: Sight, turns: Sequence[PastTurn]) -> Mapping[str, str]:
        return {"bridge.md": "\n".join(f"{turn.version}. {turn.input}" for turn in turns)}

    def heading(self, turn: PastTurn, sight: Sight) -> str:
        return f"At the bridge: {turn.input[:20]}"

    def editable(self, sight: Sight) -> frozenset[str]:
        return frozenset({"keeper.md"})

    def edited(self, path: str, text: str, sight: Sight) -> Sequence[Update] | Denial:
        if not text.strip():
            return Denial("the keeper has a name")
        return (Update(Op.SET, "bridge.keeper", text.strip()),)

    def memories(self, sight: Sight) -> Sequence[SystemMemory]:
        keeper = _keeper(sight)
        if not keeper:
            return ()
        return (
            SystemMemory("The keeper", f"The bridge is kept by {keeper}.", told=True),
            SystemMemory("The water", f"{keeper} has never learned to swim, and nobody knows it."),
        )

    def retention(self, sight: Sight) -> Retention | None:
        """Beyond the bridge the last two turns are enough."""
        return Retention(sight.turn - 2, due=True) if _keeper(sight) else None

    def reach(self, sight: Sight) -> int:
        """Beyond the bridge it wants to see all of it."""
        return 1 if _keeper(sight) else 0

    def reads(self) -> tuple[AuthorFileReader, ...]:
        return (AuthorFileReader("Toll.md", read_prices),)

    def check_files(self, files: AuthorFiles) -> Sequence[Fault]:
        message, hint = "a cart and a barge have no horse between them", "Write `horse: 2`."
        lacks = {"cart", "barge"} <= {*_things(files)} and "horse" not in _things(files)
        place = SourcePlace("Toll.md")
        return (Fault("toll-horse", message, place, hint, Severity.WARNING),) if lacks else ()

    def reports(self) -> tuple[Report, ...]:
        return (
            Report("prices", "show the 100% honest prices of a bridge", ReportSubject.GAME),
            Report(
                "crossings",
                "show who has crossed",
                ReportSubject.CAMPAIGN,
                pictures=("river",),
                example="toll_road-1",
            ),
        )

    def report(self, name: str, sight: Sight, turns: Sequence[PastTurn], *, spoilers: bool) -> ReportContent:
        if name == "prices":
            return ReportContent(tuple(f"for a {thing}" for thing in _things(sight.files)), sight.files)
        said: list[Json] = [f"{turn.version}: {turn.input}" for turn in turns]
        lines = (*map(str, said), *(("The keeper cannot swim.",) if spoilers else ()))
        return ReportContent(lines, {"said": said}, {"river": "<svg/>"} if spoilers else {})

    def starters(self) -> tuple[Starter, ...]:
        intro = "NAME_TITLE\n\nA bridge, and somebody who wants paying."
        dear = Starter("dear", "100% honest prices", {"Toll.md": "cart: 9\n", "intro.md": intro})
        return (dear, Starter("free", "no prices at all", {}))

    def read_scenario(self, data: bytes) -> ImportedScenario:
        """A bridge in one line: its name."""
        name = data.decode("utf-8", "replace").strip()
        if not name:
            raise ScenarioError("the scenario has no name", "Write one.")
        return ImportedScenario(name, "", "en", {"Toll.md": "cart: 9\n"}, ("the view",))

    def write_scenario(self, sight: Sight, *, spoilers: bool) -> Json:
        return {"keeper": _keeper(sight)} if spoilers else {}

    def audit(self, telling: ProposedTelling, sight: Sight) -> Sequence[Flaw]:
        paid = any(call.tool == "pay" for call in (*telling.calls, *telling.granted))
        if telling.final and "free" in telling.prose and not paid:
            return (Flaw("the passage is never free; tell what it costs"),)
        return ()


def _things(files: AuthorFiles) -> tuple[str, ...]:
    """What has a price of its own."""
    prices = files.get("Toll.md")
    return tuple(prices) if isinstance(prices, Mapping) else ()


def _keeper(sight: Sight) -> str:
    """The keeper's name, once it is known to somebody who has crossed."""
    bridge = sight.document.get("bridge")
    return str(bridge["keeper"]) if isinstance(bridge, Mapping) and bridge["crossed"] else ""


def read_prices(text: str, file: str) -> tuple[Json, tuple[Fault, ...]]:
    """Lines of `thing: price`; anything else is a fault at its line."""
    prices: dict[str, Json] = {}
    faults: list[Fault] = []
    for number, line in enumerate(text.splitlines(), 1):
        thing, _, price = line.partition(":")
        if price.strip().isdigit():
            prices[thing.strip()] = int(price)
        else:
            faults.append(
                Fault(
                    "toll-price", f"{line!r} has no price", SourcePlace(file, number, 1), "Write `cart: 3`."
                )
            )
    return prices, tuple(faults)
