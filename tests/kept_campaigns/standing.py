"""Standing: what a campaign has come to, as JSON that can be kept and compared.

It is read from the records and the games they pin; no turn is taken.
"""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from talewright.chronicle.records import Accepted, Attempt, AttemptVerdict, Commit, Record
from talewright.chronicle.store import CampaignBook
from talewright.play.export.campaign_story import ExportedStory, tell_story
from talewright.play.history.campaign_history import ArchivedCampaign, CampaignArchive
from tests.kept_campaigns.features import find_features


async def describe(archive: CampaignArchive, folder: Path) -> dict[str, Any]:
    """Where every branch of a campaign stands, and what occurs in it."""
    async with archive.past(folder.name) as past:
        records = [record async for record in past.book.records()]
        features = set(find_features(records))
        features |= {"waiting"} if _find_waiting(records) else set()
        features |= {"snapshot"} if any((folder / "snapshots").iterdir()) else set()
        features |= await _describe_games(past, [one for one in records if isinstance(one, Commit)])
        return {
            "features": sorted(features),
            "records": len(records),
            "chain": _read_chain(folder),
            "marks": dict(await past.book.marks()),
            "branches": {
                branch: await _describe_head(past, await past.book.read(head))
                for branch, head in (await _list_branches(past.book)).items()
            },
        }


def _find_waiting(records: list[Record]) -> set[str]:
    """Inputs that nothing came of, though nobody refused them or could not tell them."""
    stopped = (AttemptVerdict.CANCELLED, AttemptVerdict.INTERRUPTED)
    ended = {one.operation_id for one in records if isinstance(one, Attempt) and one.verdict not in stopped}
    return {one.operation_id for one in records if isinstance(one, Accepted)} - ended


async def _describe_head(past: ArchivedCampaign, head: Commit) -> dict[str, Any]:
    story = await tell_story(past.games, past.history, head)
    return {
        "head": head.id,
        "version": head.version,
        "state": head.state_digest,
        "story": hashlib.sha256(spell(story).encode()).hexdigest(),
    }


async def _describe_games(past: ArchivedCampaign, commits: Sequence[Commit]) -> set[str]:
    """The games and languages in which turns were told."""
    found = set()
    for commit in commits:
        game = (await past.games.of(commit)).game
        found |= {f"game {game.id}", f"contract {game.contract}", f"plan {game.plan}"}
        found |= {f"system {system.name}" for system in game.systems}
        found |= {f"language {commit.body['language']}"} if "language" in commit.body else set()
    return found


def _read_chain(folder: Path) -> str:
    """The hash behind the last record."""
    *_, last = (folder / "chronicle.jsonl").read_bytes().splitlines()
    return str(json.loads(last)["chain"])


def spell(story: ExportedStory) -> str:
    """A story in its bare words: how it is set for a reader may change."""
    lines = [story.title]
    for passage in story.passages:
        lines.append(f"> {passage.said}")
        for block in passage.blocks:
            lines += ["".join(span.text for span in line) for line in block.lines]
    return "\n".join([*lines, story.outcome])


async def _list_branches(book: CampaignBook) -> dict[str, str]:
    """The branches; the one that moved last stands last."""
    branches = dict(await book.branches())
    newest = (await book.look()).branch
    branches[newest] = branches.pop(newest)
    return branches
