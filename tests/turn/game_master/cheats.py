"""A game master who would like better dice: looks at checks, abandons turns and takes others."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from talewright.chronicle.records import PointerKind, Pointing
from talewright.kernel.game import ChanceRules, FateKind
from talewright.kernel.judging.moves import Call
from talewright.play.verify.campaign_verification import verify
from talewright.turn.game_master.master_turn import give_up
from talewright.turn.inputs.player_inputs import Opening, Say
from tests.faces.mcp.goblin_road_script import AGREED
from tests.turn.making import NOW, Bench, altered, lay_bench, play_edition
from tests.turn.mastering import Master, begin_master

HARD: dict[str, Any] = {"skill": "Athletics", "difficulty": 15}
SEVERAL = (HARD, {"skill": "Stealth", "difficulty": 15}, {"skill": "Insight", "difficulty": 15})
"""Together they are hardly ever the same by accident."""

EASY: dict[str, Any] = {"skill": "Athletics", "difficulty": 1}
OTHER: dict[str, Any] = {"skill": "Survival", "difficulty": 15}


@dataclass
class Cheat:
    """A game master who would like better dice."""

    bench: Bench
    branch: str = "main"
    operations: list[str] = field(default_factory=list)

    async def begin(self) -> Master:
        self.operations.append(f"op-{len(self.operations)}")
        return await begin_master(self.bench.road, self.branch, Say("I heave."), self.operations[-1])

    async def look(self, *checks: dict[str, Any]) -> list[list[int]]:
        """Begin a turn, see the dice of checks and abandon it."""
        turn = await self.begin()
        faces = [await check(turn, **arguments) for arguments in checks]
        await give_up(self.bench.road, turn.opened.handle)
        return faces

    async def use(self, *checks: dict[str, Any]) -> list[list[int]]:
        """Take a turn with checks."""
        turn = await self.begin()
        faces = [await check(turn, **arguments) for arguments in checks]
        await turn.finish("So it goes.")
        return faces

    async def fork(self, branch: str) -> None:
        head = (await self.bench.book.look(self.branch)).head
        await self.bench.book.point(Pointing(PointerKind.BRANCH, branch, head, NOW))
        self.branch = branch


async def roll(turn: Master, tool: str, **arguments: Any) -> dict[str, Any]:
    (result,) = (await turn.propose([Call(tool, arguments)])).results
    answer: dict[str, Any] = json.loads(result.text)
    return answer


async def check(turn: Master, tool: str = "skill_check", **arguments: Any) -> list[int]:
    answer = await roll(turn, tool, **arguments)
    faces: list[int] = answer["result"]["individualRolls"]
    return faces


async def lay_cheat(*, fresh: bool = False) -> Cheat:
    """A campaign with a character, after two turns."""
    edition = play_edition("games/goblin_road")
    if fresh:
        edition = altered(edition, chance=ChanceRules(FateKind.FRESH))
    bench = await lay_bench(edition)
    await (await begin_master(bench.road, "main", Opening(), "opening")).finish("It is early.")
    turn = await begin_master(bench.road, "main", Say("A drover."), "drover")
    await turn.propose([Call("set_character", AGREED)])
    await turn.finish("Ansa, then.")
    return Cheat(bench)


async def play_looks() -> Cheat:
    """A campaign in which dice were seen, used at once, used later, and seen again after an undo."""
    cheat = await lay_cheat()
    await cheat.look(*SEVERAL)
    await cheat.use(OTHER, HARD)
    await cheat.look(OTHER, OTHER)
    await cheat.use(SEVERAL[1])
    await cheat.bench.go_back()
    await cheat.look({"tool": "roll_dice", "expression": "2d6"})
    await cheat.use(OTHER, SEVERAL[1])
    await cheat.use(
        {"tool": "roll_dice", "expression": "2d6"}, {"tool": "roll_dice", "expression": "1d4"}, OTHER
    )
    return cheat


def cheating(attack: Callable[[Cheat], Awaitable[None]], *, fresh: bool = False) -> None:
    """Try something; afterwards every turn must be proven."""

    async def run() -> None:
        cheat = await lay_cheat(fresh=fresh)
        await attack(cheat)
        book = cheat.bench.book
        found = await verify(book, editions=cheat.bench.library, secret=await book.secret())
        assert found.violations == ()
        assert [turn.verdict.why for turn in found.turns if turn.verdict.why] == []

    asyncio.run(run())
