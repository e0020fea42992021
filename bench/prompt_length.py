"""What a prompt is and costs around turn 5,000 against turn 200: means over one whole cycle from cut to cut.

Both campaigns are told by the same made-up model, turn by turn. The time is that of putting the prompt
together, reading the past turns included; the two campaigns take turns, so that a slow second hits both.
"""

import asyncio
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import process_time

from bench.figures import at_most, report
from talewright.contract.dialect import AnswerGround
from talewright.contract.dialect_table import DIALECTS
from talewright.kernel.judging.move_resolution import allowed_tools
from talewright.kernel.judging.working_state import WorkingState
from talewright.llm.token_estimate import estimate_request
from talewright.prompt.prompt_assembly import spell_request
from talewright.providers.scripted import Scripted
from talewright.turn.inputs.player_inputs import Deed, Say
from talewright.turn.memory.story_memory import WINDOW
from talewright.turn.records.commit_body import read_body
from talewright.turn.steps.briefing import brief, make_frame
from talewright.turn.turn_context import Teller
from tests.prompts.campaigns import MIST, PROFILE, Campaign, begin
from tests.turn.making import make_try

SHORT, LONG = 200, 5_000
REPEATS = 9
SIZE_RATIO_MAX = 1.05
TIME_RATIO_MAX = 1.25


@dataclass
class Cycle:
    """One campaign on its way from a cut to the next."""

    campaign: Campaign
    tokens: list[int] = field(default_factory=list)
    size_bytes: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    async def was_cut(self) -> bool:
        """Whether the newest turn cut the window."""
        body = read_body((await self.campaign.bench.head()).body)
        return any(isinstance(cut, dict) and cut.get("cut") == WINDOW for cut in body.cuts)

    async def go_to_cut(self) -> None:
        """Play on until the window has just been cut."""
        await self.campaign.play(1, forget=True)
        while not await self.was_cut():
            await self.campaign.play(1, forget=True)

    async def assemble(self) -> float:
        """Put the next prompt together; the seconds that took."""
        bench = self.campaign.bench.with_road(teller=Teller(Scripted([], profile=PROFILE)))
        recalled = await bench.recall()
        attempt = make_try(bench.road, recalled)
        deed = attempt.begin(Say(MIST.says[0]))
        assert isinstance(deed, Deed)
        assert bench.road.teller is not None
        game, position = recalled.edition.game, attempt.working.position
        texts = recalled.edition.words(MIST.language)
        start = process_time()
        ground = AnswerGround(
            game, position, texts.language, tools=allowed_tools(WorkingState(game, position))
        )
        frame = make_frame(DIALECTS[game.contract], ground, texts, bench.road.teller)
        await brief(bench.road, recalled, attempt.working, texts, deed, (), frame, PROFILE.name)
        return process_time() - start

    def note(self) -> None:
        """Write down the sizes of the turn just taken."""
        request = self.campaign.turns[-1][0]
        self.tokens.append(estimate_request(request))
        self.size_bytes.append(len(spell_request(request)))


async def measure() -> int:
    short, long = [Cycle(await begin(MIST)) for _ in range(2)]
    for cycle, turns in ((short, SHORT), (long, LONG)):
        await cycle.campaign.play(turns - 1, forget=True)
        await cycle.go_to_cut()
        print(f"  at turn {(await cycle.campaign.bench.head()).version}", flush=True)
    going = {id(short): short, id(long): long}
    while going:
        for cycle in list(going.values()):
            await cycle.campaign.take()
            cycle.note()
        taken: dict[int, list[float]] = {name: [] for name in going}
        for number in range(REPEATS):
            order = list(going.items())
            for name, cycle in order if number % 2 else order[::-1]:
                taken[name].append(await cycle.assemble())
        for name, cycle in list(going.items()):
            cycle.seconds.append(statistics.median(taken[name]))
            if await cycle.was_cut():
                del going[name]
    for label, cycle in (("short", short), ("long", long)):
        print(
            f"  {label}: {len(cycle.tokens)} turns, {mean(cycle.tokens):,.0f} tokens, "
            f"{mean(cycle.size_bytes):,.0f} bytes, {mean(cycle.seconds) * 1000:.2f} ms"
        )
    return report(
        [
            at_most("prompt_tokens_long_vs_short", mean(long.tokens) / mean(short.tokens), SIZE_RATIO_MAX),
            at_most(
                "prompt_bytes_long_vs_short", mean(long.size_bytes) / mean(short.size_bytes), SIZE_RATIO_MAX
            ),
            at_most("assembly_long_vs_short", mean(long.seconds) / mean(short.seconds), TIME_RATIO_MAX),
        ]
    )


def mean(values: Sequence[float]) -> float:
    return statistics.fmean(values)


def main() -> int:
    return asyncio.run(measure())


if __name__ == "__main__":
    raise SystemExit(main())
