"""A hostile game master, generated: it looks, abandons, undoes and forks, and never chooses its dice."""

import asyncio
import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from talewright.chronicle.records import Aside, Commit, PointerKind, Pointing
from talewright.play.verify.campaign_verification import verify
from talewright.turn.game_master.master_turn import give_up
from talewright.turn.records.commit_body import read_body
from talewright.turn.turn_progress import number_of_turn
from tests.turn.game_master.cheats import Cheat, lay_cheat, roll
from tests.turn.making import NOW

STEPS = 40
OBEYS = 0.4
"""How often it makes a check as it was told to."""

Terms = tuple[str, str]
"""A check and its terms, in words."""

OFFERS: tuple[tuple[str, Terms, Mapping[str, Any]], ...] = (
    *(
        ("roll_dice", ("roll_dice", dice), {"expression": dice})
        for dice in ("1d20", "1d20+3", "2d20kh1", "2d6", "1d20+1d4", "1d8")
    ),
    *(
        (
            "skill_check",
            (f"skill_check {skill.lower()}", str(difficulty)),
            {"skill": skill, "difficulty": difficulty},
        )
        for skill in ("Athletics", "Stealth")
        for difficulty in (5, 15, 25)
    ),
)
"""Tools, what their calls are for, and arguments."""


def reword(rng: Random, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The same call in other words."""
    if tool == "roll_dice":
        return {**arguments, "context": rng.choice(("luck", "the weather", "a knife in the dark"))}
    return {**arguments, **rng.choice(({}, {"attribute": "STR"}, {"visible": True}, {"advantage": False}))}


@dataclass
class Hostile:
    """A game master who does anything, and what its committed turns were granted."""

    rng: Random
    cheat: Cheat
    granted: dict[str, list[Terms]] = field(default_factory=dict)
    """By the commit, in order."""

    refusals: int = 0
    heads: list[tuple[str, str]] = field(default_factory=list)
    """Branches, and the commits they pointed at."""

    async def take_step(self) -> None:
        cheat, rng = self.cheat, self.rng
        what = rng.choice(("look", "look", "look", "use", "use", "use", "undo", "redo", "fork"))
        if what in ("look", "use"):
            await self._take_turn(finish=what == "use")
            return
        head = (await cheat.bench.book.look(cheat.branch)).head
        if what == "fork":
            await cheat.fork(f"branch-{len(cheat.operations)}-{rng.randrange(10**6)}")
            return
        if what == "undo":
            parent = (await cheat.bench.book.read(head)).parent
            goal = parent if (await cheat.bench.book.read(parent)).version > 1 else head
        else:
            goal = rng.choice([commit for branch, commit in self.heads if branch == cheat.branch] or [head])
        pointing = Pointing(PointerKind.BRANCH, cheat.branch, goal, NOW)
        await cheat.bench.book.point(pointing, expected=head)

    async def _take_turn(self, *, finish: bool) -> None:
        turn, granted = await self.cheat.begin(), []
        for tool, terms, arguments in self.rng.choices(OFFERS, k=self.rng.randrange(1, 6)):
            answer = await roll(turn, tool, **reword(self.rng, tool, arguments))
            if "error" in answer:
                self.refusals += 1
                (named,) = re.findall(r"was rolled before.*which were (.*), or not at all", answer["error"])
                if self.rng.random() < OBEYS:
                    asked = json.loads(named)
                    answer = await roll(turn, tool, **{**arguments, **asked})
                    terms = (terms[0], str(asked.get("expression") or asked["difficulty"]))
            if "result" in answer:
                granted.append(terms)
        if not finish:
            await give_up(self.cheat.bench.road, turn.opened.handle)
            return
        done = (await turn.finish("So it goes.")).commit
        self.granted[done.id] = granted
        self.heads.append((self.cheat.branch, done.id))


def name_look(raw: Mapping[str, Any]) -> Terms:
    """What seen dice were for, in the words of this test."""
    (tool, check), terms = raw["for"]["check"], raw["for"]["terms"]
    if tool == "roll_dice":
        return tool, terms["expression"]
    return f"{tool} {check['skill']}", str(terms["difficulty"])


def list_streams(commit: Commit) -> list[str]:
    streams = (draw.name.rpartition(":d")[0] for draw in read_body(commit.body).draws)
    return list(dict.fromkeys(streams))


def check_order(commits: Sequence[Commit | Aside], granted: Mapping[str, Sequence[Terms]]) -> int:
    """Every check has the oldest dice that its line has not used, on the terms on which they were seen.

    Computed from the records alone. Returns how many seen dice were used.
    """
    seen: defaultdict[str, dict[str, set[Terms]]] = defaultdict(dict)
    used: dict[str, set[str]] = {"": set()}
    count = 0
    for record in commits:
        if isinstance(record, Aside):
            checks: Any = record.body["checks"]
            for raw in checks:
                terms = name_look(raw)
                seen[terms[0]].setdefault(raw["stream"], set()).add(terms)
            continue
        streams = list_streams(record)
        used[record.id] = used[record.parent] | set(streams)
        wanted = granted.get(record.id, ())
        assert len(streams) == len(wanted)
        before = set(used[record.parent])
        for stream, terms in zip(streams, wanted, strict=True):
            waiting = [one for one in seen[terms[0]] if one not in before]
            if waiting:
                assert stream == waiting[0]
                assert terms in seen[terms[0]][stream]
                count += 1
            else:
                assert stream not in seen[terms[0]]
                assert number_of_turn(stream) == record.version
            before.add(stream)
    return count


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_committed_dice_are_always_the_oldest_that_were_seen(seed: int) -> None:
    async def run() -> None:
        hostile = Hostile(Random(seed), await lay_cheat(fresh=seed % 2 == 1))
        for _ in range(STEPS):
            await hostile.take_step()
        book = hostile.cheat.bench.book
        records = [one for one in await hostile.cheat.bench.records() if isinstance(one, Commit | Aside)]
        assert check_order(records, hostile.granted) > 5
        assert hostile.refusals > 5
        found = await verify(book, editions=hostile.cheat.bench.library, secret=await book.secret())
        assert found.violations == ()
        assert [turn.verdict.why for turn in found.turns if turn.verdict.why] == []

    asyncio.run(run())
