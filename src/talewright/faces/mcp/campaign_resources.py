"""Campaign resources: the view, the sheet, the roll log, the rules, the story so far and the briefing.

Each is made for the server's role. What a player must not read is marked for the assistant alone.
"""

import json
from collections.abc import Awaitable, Callable, Mapping
from urllib.parse import quote, unquote

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.faces.mcp.answer_shapes import write_sheet, write_story
from talewright.faces.mcp.campaign_sessions import CampaignSessions
from talewright.faces.mcp.master_tools import write_briefing
from talewright.play.campaign_view import Viewer
from talewright.play.session import FollowingSession
from talewright.play.wire.view_codec import to_wire

SCHEME = "talewright://"
JSON_TYPE, MARKDOWN_TYPE, PLAIN_TYPE = "application/json", "text/markdown", "text/plain"

CAMPAIGNS_LISTED_MAX = 20
"""Campaigns whose resources are listed one by one; the templates name all."""

TURNS_MAX = 200
"""Turns in the story and in the roll log."""

RECAP_LENGTH_MAX = 60_000
"""Characters of the story in a recap; the resource has all of it."""

RULEBOOK = "rulebook"
"""The one resource that is the same for every campaign."""


@frozen
class ResourceKind:
    """One resource of every campaign."""

    name: str
    title: str
    description: str
    mime_type: str
    read: Callable[[FollowingSession], Awaitable[str]] | None
    """Makes its text from a session; None for the rulebook of the game."""

    hidden: bool = True
    """Whether a game master's version contains what a player must not read."""

    master_only: bool = False


def resource_uri(campaign: str, name: str) -> str:
    """The address of a campaign's resource."""
    return f"{SCHEME}{quote(campaign, safe='')}/{name}"


def read_uri(uri: str) -> tuple[str, str] | None:
    """The campaign and name of a resource; None if it is not one of ours."""
    campaign, slash, name = uri.removeprefix(SCHEME).partition("/")
    return (unquote(campaign), name) if uri.startswith(SCHEME) and slash and campaign else None


async def _view(session: FollowingSession) -> str:
    return _dump(to_wire(await session.view()))


async def _sheet(session: FollowingSession) -> str:
    return write_sheet(await session.view())


async def _rolls(session: FollowingSession) -> str:
    turns = await session.past.turns(TURNS_MAX)
    return _dump(
        [
            {
                "turn": turn.version,
                "text": roll.text,
                "pool": roll.pool,
                "faces": list(roll.faces),
                "total": roll.total,
                "outcome": roll.outcome,
            }
            for turn in turns
            for roll in turn.rolls
        ]
    )


async def _story(session: FollowingSession) -> str:
    return write_story((await session.view()).title, await session.past.turns(TURNS_MAX))


async def _briefing(session: FollowingSession) -> str:
    return _dump(await write_briefing(session))


def _dump(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)


RESOURCE_KINDS: Mapping[str, ResourceKind] = {
    kind.name: kind
    for kind in (
        ResourceKind("view", "View", "The campaign as it stands now.", JSON_TYPE, _view),
        ResourceKind("sheet", "Sheet", "Status, variables and panels in words.", MARKDOWN_TYPE, _sheet),
        ResourceKind("rolls", "Roll log", "Every roll, with its dice and outcome.", JSON_TYPE, _rolls),
        ResourceKind("story", "Story so far", "What was said and told.", MARKDOWN_TYPE, _story, hidden=False),
        ResourceKind(RULEBOOK, "Rulebook", "The rules of the game.", PLAIN_TYPE, None, master_only=True),
        ResourceKind(
            "briefing", "Briefing", "What a game master needs.", JSON_TYPE, _briefing, master_only=True
        ),
    )
}


@frozen
class CampaignResources:
    """The resources of one server."""

    campaigns: CampaignSessions

    def kinds(self) -> tuple[ResourceKind, ...]:
        """The resources of every campaign, for the role of the server."""
        served = self.campaigns.served
        return tuple(
            kind
            for kind in RESOURCE_KINDS.values()
            if (served.role is Viewer.MASTER or not kind.master_only) and (kind.read or served.has_rules)
        )

    def is_hidden(self, kind: ResourceKind) -> bool:
        """Whether a player must not read it."""
        return kind.hidden and self.campaigns.served.role is Viewer.MASTER

    async def read_recap(self, campaign: str) -> str:
        """The story for a recap: as many of the last turns as fit, in words that the player has read."""
        async with self.campaigns.use(campaign) as session:
            title, turns = (await session.view()).title, await session.past.turns(TURNS_MAX)
        told = 0
        for count, turn in enumerate(reversed(turns)):
            told += len(turn.said) + len(turn.narration)
            if count and told > RECAP_LENGTH_MAX:
                turns = turns[-count:]
                break
        first = turns[0].version if turns else 1
        earlier = f" (from turn {first})" if first > 1 else ""
        return write_story(f"{title}{earlier}", turns)

    async def read(self, kind: ResourceKind, campaign: str) -> str:
        """The text of a resource."""
        async with self.campaigns.use(campaign) as session:
            return await (self.campaigns.read_rules(campaign) if kind.read is None else kind.read(session))
