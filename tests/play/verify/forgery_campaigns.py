"""Campaigns to forge: every kept one, plays that begin as their game does, and some that were imported."""

import asyncio
import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from talewright.chronicle.records import Commit
from talewright.common.json_values import Json
from talewright.kernel.chance import commitment
from talewright.play.verify.dice_commitments import renew_commitment
from talewright.stores.memory_store import MemoryReader
from tests.kept_campaigns.keeping import Kept, find_kept
from tests.play.verify.forging import KeptEditions, read_lines
from tests.play.verify.generated_forgeries import Honest, SharedEditions, Workshop, prepare
from tests.plays.performances import perform_straight
from tests.plays.scripts import read_plays
from tests.plays.stage import SECRET, Shelf
from tests.turn.game_master.cheats import play_looks

NEW_SECRET = b"another secret for imported dice"
IMPORTED = frozenset({("fourth", "lantern_scenes"), ("fourth", "millrace_fresh")})
"""Kept campaigns that are imported as well."""

CAMPAIGNS_MIN = 50


@cache
def open_workshop() -> Workshop:
    """All campaigns."""
    return Workshop(list_campaigns())


@cache
def open_small_workshop() -> Workshop:
    """A few campaigns, for a test: told by scenes and by models with cards, patches and tools; imported."""
    names = {"chapel_bundles", "harbor_told", "lantern_imported", "millrace_fresh", "solo_scenes"}
    kept = [one for one in find_kept() if one.place.name == "fourth" and one.name in names]
    return Workshop([prepare(one) for one in (*_read_kept(kept), _play_looks())])


def list_campaigns() -> list[Honest]:
    """Each campaign, verified."""
    campaigns = [prepare(one) for one in (*_read_kept(find_kept()), *_perform_plays(), _play_looks())]
    assert len(campaigns) >= CAMPAIGNS_MIN
    return campaigns


def _read_kept(kept: Sequence[Kept]) -> Iterator[Honest]:
    editions, games = SharedEditions(KeptEditions()), dict[str, Json]()
    for one in kept:
        lines = tuple(read_lines((one.folder / "chronicle.jsonl").read_bytes()))
        for digest in _list_digests(lines):
            if digest not in games:
                packed = (one.place / "games" / f"{digest}.json.gz").read_bytes()
                games[digest] = json.loads(gzip.decompress(packed))["value"]
        secret = bytes.fromhex((one.folder / "secret").read_text().split()[0])
        honest = Honest(f"{one.place.name} {one.name}", lines, secret, games, editions)
        yield honest
        if (one.place.name, one.name) in IMPORTED:
            yield _import(honest)


def _import(honest: Honest) -> Honest:
    """The campaign as if it had been imported: all its dice are those of an earlier secret."""
    form = honest.format
    root = form.read(honest.lines[0])
    assert isinstance(root, Commit)
    through = len(_list_commits(honest.lines)) - 1
    renewed = renew_commitment(root, commitment(NEW_SECRET), through, "2026-11-18T00:00:00Z")
    lines = (form.write(renewed), *honest.lines[1:])
    return replace(honest, name=f"{honest.name} imported", lines=lines, secret=NEW_SECRET)


def _perform_plays() -> Iterator[Honest]:
    for play in read_plays():
        # A play that begins in a state of its own is no honest campaign of its game.
        if play.start or play.is_long:
            continue
        book = perform_straight(play.name).book
        assert isinstance(book, MemoryReader)
        lines, games = asyncio.run(_read_book(book))
        yield Honest(f"play {play.name}", lines, SECRET, games, SharedEditions(Shelf(play.game)))


def _play_looks() -> Honest:
    """A campaign whose game master abandoned turns after seeing dice."""

    async def play() -> Honest:
        bench = (await play_looks()).bench
        lines, games = await _read_book(bench.book)
        return Honest("seen dice", lines, await bench.book.secret(), games, SharedEditions(bench.library))

    return asyncio.run(play())


async def _read_book(book: Any) -> tuple[tuple[bytes, ...], Mapping[str, Json]]:
    lines = tuple([line async for line in book.lines()])
    return lines, {digest: await book.kept("game", digest) for digest in _list_digests(lines)}


def _list_commits(lines: Sequence[bytes]) -> list[dict[str, Any]]:
    return [form for form in map(json.loads, lines) if form["kind"] == "commit"]


def _list_digests(lines: Sequence[bytes]) -> list[str]:
    return list(dict.fromkeys(form["game_digest"] for form in _list_commits(lines)))
