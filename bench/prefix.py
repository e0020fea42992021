"""What a provider has to read anew: 200 turns of four games against the fake provider's rules of caching.

Beside our layout the same campaigns with the system message rebuilt for every request (seed 004), and with
one turn trimmed from the window in every turn. All three run on the same words. Only tokens are counted, in
those of the fake provider; a high share of cached tokens alone says little.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.figures import Figure, at_least, at_most, report
from talewright.common.language_tags import pick_words
from talewright.prompt.past_turns_part import write_past
from talewright.prompt.words import PHRASES
from talewright.turn.memory.past_turns import retell
from talewright.turn.records.commit_body import read_body
from talewright_testkit.fake_provider.vendor_cache import DEEPSEEK_CACHE, LLAMA_CPP_CACHE, OPENAI_CACHE
from tests.prompts.campaigns import TALES, WINDOW, Campaign, begin
from tests.prompts.counting import Bill, Calls, Rebuilding, Trimming, bill, find_broken

TURNS = 200
FIRST_COUNTED = 20
UNCACHED_MAX = 3_500
"""Uncached input tokens of a turn, summaries and life off-screen included, on average."""

OURS, REBUILT, TRIMMED = "ours", "message 0 rebuilt", "one turn trimmed"
GATED = "openai"
RULES = {GATED: OPENAI_CACHE, "deepseek": DEEPSEEK_CACHE, "llama.cpp": LLAMA_CPP_CACHE}
"""The other layouts are set beside ours under the first of these; the rest shows that it holds there too."""

RESULTS = Path(__file__).parent / "results"


async def tell_tale(campaign: Campaign) -> Mapping[str, list[Calls]]:
    """Play a campaign; the requests of each turn in each layout, with the models they went to."""
    await campaign.play(TURNS)
    head = await campaign.bench.head()
    commits = (await campaign.bench.book.back(head.id, TURNS))[::-1]
    edition = (await campaign.bench.recall()).edition
    texts = edition.words(campaign.tale.language)
    phrases = pick_words(texts.language, PHRASES)
    rebuilding, trimming = Rebuilding(WINDOW.window_tokens), Trimming(WINDOW.window_tokens)
    laid: dict[str, list[Calls]] = {OURS: [], REBUILT: [], TRIMMED: []}
    for commit, asked, summaries in zip(commits, campaign.turns, campaign.summaries, strict=True):
        body = read_body(commit.body)
        past = write_past(retell(commit.version, body, edition.game, texts), phrases)
        ours = [("main", request) for request in asked] + [("cheap", request) for request in summaries]
        laid[OURS].append(ours)
        rebuilt = rebuilding.lay_out(asked, body.said or "...", body.narration or "...")
        laid[REBUILT].append([("main", request) for request in rebuilt])
        laid[TRIMMED].append([("main", request) for request in trimming.lay_out(asked, past)])
    return laid


async def count_broken(campaign: Campaign) -> tuple[int, int]:
    """Turns that do not begin with the turn before, without a cut having been declared; and cuts."""
    head = await campaign.bench.head()
    commits = (await campaign.bench.book.back(head.id, TURNS))[::-1]
    broken, cuts = 0, 0
    before = None
    for commit, asked in zip(commits, campaign.turns, strict=True):
        declared = [
            cut for cut in read_body(commit.body).cuts if isinstance(cut, dict) and "tokens" not in cut
        ]
        cuts += len(declared)
        if not asked:
            continue
        why = find_broken(before or asked, asked)
        if why and not declared:
            print(f"  turn {commit.version}: {why}")
            broken += 1
        before = asked
    return broken, cuts


def average(bills: Sequence[Bill]) -> tuple[float, float]:
    """Uncached tokens a turn, and the share that was cached."""
    counted = bills[FIRST_COUNTED - 1 :]
    whole = sum(counted, Bill())
    return whole.uncached / len(counted), whole.cached / whole.prompt


async def measure() -> int:
    figures: list[Figure] = []
    table: dict[str, dict[str, dict[str, dict[str, float]]]] = {}
    drawn: dict[str, dict[str, list[int]]] = {}
    for tale in TALES:
        campaign = await begin(tale)
        laid = await tell_tale(campaign)
        broken, cuts = await count_broken(campaign)
        asks = sum(len(asked) for asked in campaign.turns[FIRST_COUNTED - 1 :])
        print(
            f"{tale.name}: {asks / (TURNS - FIRST_COUNTED + 1):.1f} asks a turn, {cuts} cuts, {broken} broken"
        )
        figures.append(at_most(f"{tale.name}_broken_prefixes", broken, 0))
        rows = table[tale.name] = {}
        for vendor, rules in RULES.items():
            rows[vendor] = {}
            for layout, turns in laid.items():
                if layout != OURS and vendor != GATED:
                    continue
                bills = bill(rules, turns)
                uncached, share = average(bills)
                rows[vendor][layout] = {
                    "uncached_tokens_a_turn": round(uncached),
                    "cached_share": round(share, 3),
                }
                if vendor == GATED:
                    drawn.setdefault(tale.name, {})[layout] = [one.uncached for one in bills]
            told = ", ".join(
                f"{layout} {row['uncached_tokens_a_turn']:,.0f} ({row['cached_share']:.0%})"
                for layout, row in rows[vendor].items()
            )
            print(f"  {vendor}: {told}")
        gated = rows[GATED]
        ours = gated[OURS]["uncached_tokens_a_turn"]
        figures.append(at_most(f"{tale.name}_uncached_a_turn", ours, UNCACHED_MAX))
        for layout in (REBUILT, TRIMMED):
            ratio = gated[layout]["uncached_tokens_a_turn"] / ours
            figures.append(at_least(f"{tale.name}_{layout.replace(' ', '_')}_vs_ours", ratio, 1.0))
    (RESULTS / "prefix.json").write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    (RESULTS / "prefix.svg").write_text(draw(drawn), encoding="utf-8")
    return report(figures)


WIDTH, HEIGHT, LEFT, TOP = 860, 170, 60, 30
COLOURS = {OURS: "#1b7f4d", REBUILT: "#b3372f", TRIMMED: "#c98a1b"}


def draw(drawn: Mapping[str, Mapping[str, Sequence[int]]]) -> str:
    """One panel a game: uncached input tokens of every turn, in each layout."""
    whole = TOP + len(drawn) * (HEIGHT + 50) + 10
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 20} {whole}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="100%" height="{whole}" fill="#ffffff"/>',
    ]
    for number, (layout, colour) in enumerate(COLOURS.items()):
        place = LEFT + number * 190
        parts.append(f'<rect x="{place}" y="8" width="14" height="4" fill="{colour}"/>')
        parts.append(f'<text x="{place + 20}" y="14" fill="#333">{layout}</text>')
    for number, (name, lines) in enumerate(drawn.items()):
        parts += _draw_panel(name, lines, TOP + 20 + number * (HEIGHT + 50))
    return "\n".join([*parts, "</svg>", ""])


def _draw_panel(name: str, lines: Mapping[str, Sequence[int]], top: int) -> list[str]:
    most = max(max(line) for line in lines.values())
    step = 5_000 * max(1, round(most / 20_000))
    parts = [f'<text x="{LEFT}" y="{top - 6}" fill="#111">{name}: uncached input tokens a turn</text>']
    for value in range(0, most + 1, step):
        place = top + HEIGHT * (1 - value / most)
        parts.append(f'<path d="M{LEFT} {place:.1f}h{WIDTH}" stroke="#ddd"/>')
        parts.append(
            f'<text x="{LEFT - 6}" y="{place + 4:.1f}" text-anchor="end" fill="#666">{value:,}</text>'
        )
    for turn in (1, TURNS // 2, TURNS):
        place = LEFT + WIDTH * (turn - 1) / (TURNS - 1)
        spot = f'x="{place:.1f}" y="{top + HEIGHT + 16}" text-anchor="middle"'
        parts.append(f'<text {spot} fill="#666">turn {turn}</text>')
    for layout, line in lines.items():
        points = " ".join(
            f"{LEFT + WIDTH * at / (len(line) - 1):.1f},{top + HEIGHT * (1 - value / most):.1f}"
            for at, value in enumerate(line)
        )
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{COLOURS[layout]}" stroke-width="1.3"/>'
        )
    return parts


def main() -> int:
    return asyncio.run(measure())


if __name__ == "__main__":
    raise SystemExit(main())
