"""A real model: SmolLM2 on llama.cpp tells 40 turns held to a schema, the same 40 free, and ten by tools.

It checks form, law and cache, not taste. `python -m bench.local_model held` plays one part; `patch` is played
only by name. With `--transcripts` what was told is written to `docs/play/transcripts`.
"""

import asyncio
import json
import statistics
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from time import perf_counter

from bench.figures import Figure, at_least, at_most, report
from talewright.llm.requests import Request, SystemMessage
from tests.models.casts import CHAPEL, LANTERN, LANTERN_FREE, LOCKBOX, Cast
from tests.models.games import load_edition
from tests.models.measuring import count_cuts, find_illegal, find_unbounded, keeps_schema, measure_cache
from tests.models.playing import How, Player, Run, Turn, play
from tests.models.serving import MISSING, choose_threads, find_weights, serve_model
from tests.models.tellers import make_teller
from tests.models.transcripts import FOLDER, write_transcript

SEED = 1
TOOL_TURNS = 10
TRANSCRIPT_TURNS = 20
CACHED_SHARE_MIN = 0.75
"""Of the prompt tokens from the third turn of a campaign on, by the server's own count, cuts left out."""

FIRST_TOKEN_RATIO_MAX = 1 / 3
"""Time to the first token with the prefix of the turn before, to that with its first line changed."""

ROUNDS = 3
"""How often the two are timed, one after the other."""

RESULTS = Path(__file__).parent / "results" / "local_model.json"


@dataclass(frozen=True, slots=True)
class Part:
    """One game as it is played here, and the page that its first turns make."""

    cast: Cast
    turns: int
    page: str = ""
    title: str = ""
    held: str = ""


PARTS: Mapping[str, Part] = {
    "held": Part(
        LANTERN,
        40,
        "cards",
        "Lantern Road, in the cards format",
        "The server enforces the JSON Schema of an answer.",
    ),
    "free": Part(LANTERN_FREE, 40),
    "tools": Part(
        LOCKBOX,
        TRANSCRIPT_TURNS,
        "tools",
        "The Lockbox, in the tools format",
        "Three scripted turns with one tool call each come before its own.",
    ),
    "patch": Part(
        CHAPEL,
        TRANSCRIPT_TURNS,
        "patch",
        "Chapel Watch, in the patches format",
        "The server enforces a grammar for the patch block.",
    ),
}
USUAL = ("held", "free", "tools")
"""The parts that have a limit."""


async def perform(name: str, part: Part, url: str) -> tuple[Run, list[Figure], dict[str, object]]:
    """Play a part; what came of it, its figures and its row in the table."""
    cast = part.cast
    print(f"{name}: {part.turns} turns of {cast.game}, seed {SEED}", flush=True)
    edition, began = load_edition(cast.game), perf_counter()
    teller = make_teller(url, cast.profile, cast.spell)
    player = Player(cast.sayings, cast.every, seed=SEED)
    run = await play(edition, teller, player, part.turns, lead=cast.lead, tell=report_turns(part.turns))
    await teller.close()
    illegal = find_illegal(edition.game, run)
    for found in illegal:
        print(f"  {found}")
    row = describe(run) | {"illegal_changes": len(illegal), "seconds": round(perf_counter() - began)}
    return run, [at_most(f"{name}_illegal_changes", len(illegal), 0)], row


def report_turns(turns: int) -> Callable[[Turn], None]:
    """Say every turn as it is told."""

    def tell(turn: Turn) -> None:
        asks = " + ".join(
            ask.trouble or f"{ask.usage.output_tokens} in {ask.seconds:.0f} s" for ask in turn.asks
        )
        print(f"  {turn.campaign}.{turn.number} of {turns}: {turn.how.value}, {asks}", flush=True)

    return tell


def describe(run: Run) -> dict[str, object]:
    """What was measured of a run."""
    asks, counts, cached = run.asks(), run.count(), measure_cache(run)
    written = sum(ask.usage.output_tokens for ask in asks)
    writing = sum(ask.seconds - ask.first_seconds for ask in asks)
    return {
        **{how.value: counts[how] for how in How},
        "asks": len(asks),
        "cuts": count_cuts(run),
        "cached_share": round(cached.share, 3),
        "prompt_tokens": round(statistics.mean(ask.usage.input_tokens for ask in asks)),
        "first_token_seconds": round(statistics.median(ask.first_seconds for ask in asks), 2),
        "tokens_a_second": round(written / writing, 1) if writing else 0.0,
    }


def judge_held(run: Run, first_token_ratio: float) -> list[Figure]:
    """Form, cache and time of turns that were held to a schema."""
    asks = run.asks()
    unbounded = [place for ask in asks for place in find_unbounded(ask.request.answer_schema)]
    return [
        at_most("held_unbounded_parts", len(unbounded), 0),
        at_most("held_answers_that_do_not_parse", sum(not keeps_schema(ask) for ask in asks), 0),
        at_most("held_turns_untold", run.count()[How.NOBODY], 0),
        at_least("cached_share", measure_cache(run).share, CACHED_SHARE_MIN),
        at_most("first_token_ratio", first_token_ratio, FIRST_TOKEN_RATIO_MAX),
    ]


async def compare_first_tokens(run: Run, url: str) -> float:
    """Seconds to the first token after the turn before, to those of the same with the first line changed."""
    teller = make_teller(url, LANTERN.profile)

    async def time(request: Request, line: int) -> float:
        asked = change_first_line(replace(request, max_output_tokens=1), line)
        async for _ in teller.stream(asked):
            pass
        return teller.asks[-1].first_seconds

    ratios: list[float] = []
    chain = find_chain(run)[-ROUNDS - 1 :]
    await time(chain[0], 0)
    for line, request in enumerate(chain[1:]):
        # The second is the turn before for the next round as well.
        warm, cold = await time(request, line), await time(request, line + 1)
        ratios.append(warm / cold)
        print(f"  first token: {warm:.2f} s with its prefix, {cold:.2f} s without", flush=True)
    await teller.close()
    return statistics.median(ratios)


def find_chain(run: Run) -> list[Request]:
    """The first questions of the most turns in a row that each go on from the one before."""
    asked = [(turn.campaign, turn.asks[0].request) for turn in run.turns if turn.asks]
    chains: list[list[Request]] = [[asked[0][1]]]
    for (campaign, one), (following, other) in pairwise(asked):
        goes_on = campaign == following and other.messages[: len(one.messages) - 1] == one.messages[:-1]
        chains[-1:] = [[*chains[-1], other]] if goes_on else [chains[-1], [other]]
    return max(chains, key=len)


def change_first_line(request: Request, number: int) -> Request:
    """The request with another first line, so that nothing of it is found in the server's memory."""
    first, *rest = request.messages
    assert isinstance(first, SystemMessage)
    return replace(request, messages=(SystemMessage(f"Draft {number}.\n{first.text}"), *rest))


async def measure(url: str, names: Sequence[str], transcripts: bool) -> int:
    figures: list[Figure] = []
    for name in names:
        part = PARTS[name]
        run, found, row = await perform(name, part, url)
        figures += found
        match name:
            case "held":
                ratio = await compare_first_tokens(run, url)
                row["first_token_ratio"] = round(ratio, 3)
                figures += judge_held(run, ratio)
            case "free":
                figures.append(at_most("free_turns_untold", run.count()[How.NOBODY], 0))
            case "tools":
                told = len(run.turns) - run.count()[How.NOBODY]
                figures.append(at_least("tools_turns", told, TOOL_TURNS))
            case _:
                pass
        print(f"  {json.dumps(row)}", flush=True)
        record(name, row)
        if transcripts and part.page:
            write_page(part, run)
    return report(figures)


def record(name: str, row: Mapping[str, object]) -> None:
    """Keep the row of a part beside those of the others."""
    rows = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    RESULTS.write_text(json.dumps(rows | {name: row}, indent=1) + "\n", encoding="utf-8")


def write_page(part: Part, run: Run) -> None:
    """The first turns of a run as a page."""
    by_lot = "The player picks the author's choices at random. " if part.page != "tools" else ""
    about = (
        f"Narrated by SmolLM2-135M-Instruct on llama.cpp, seed {SEED}. {part.held} {by_lot}"
        "Nothing has been edited. Written by `python -m bench.local_model --transcripts`."
    )
    FOLDER.mkdir(exist_ok=True)
    page = write_transcript(run, TRANSCRIPT_TURNS, part.title, about)
    (FOLDER / f"{part.page}.md").write_text(page, encoding="utf-8")


def main() -> int:
    weights = find_weights()
    if weights is None:
        print(f"nothing is measured: {MISSING}")
        return 0
    given = [word for word in sys.argv[1:] if word != "--transcripts"]
    unknown = [name for name in given if name not in PARTS]
    if unknown:
        print(f"no part is called {', '.join(unknown)}; there are: {', '.join(PARTS)}", file=sys.stderr)
        return 2
    with serve_model(weights, threads=choose_threads()) as served:
        return asyncio.run(measure(served.url, given or USUAL, "--transcripts" in sys.argv[1:]))


if __name__ == "__main__":
    raise SystemExit(main())
