"""The tools that every role has: start a campaign, and list those that can be continued.

What a role may do with a campaign is in its own tools. A server for one campaign leaves out
`start_campaign`.
"""

from talewright.common.frozen_values import frozen
from talewright.faces.mcp.answer_shapes import CAMPAIGN_ROW, write_campaign, write_started
from talewright.faces.mcp.campaign_sessions import CampaignSessions
from talewright.faces.mcp.tool_calling import (
    OPERATION,
    OPERATION_TEXT,
    ToolAnswer,
    ToolRequest,
    each,
    record,
    text,
)

START_ARGUMENTS = record({OPERATION: OPERATION_TEXT, "language": text("Such as en or zh-CN.")}, "language")
"""The schema of the arguments of `start_campaign`."""

CAMPAIGN_LIST = record({"campaigns": each(CAMPAIGN_ROW)})
"""The schema of what `list_campaigns` returns."""


@frozen
class CampaignTools:
    """What the tools of every role do."""

    campaigns: CampaignSessions

    async def start_campaign(self, request: ToolRequest) -> ToolAnswer:
        """Start a campaign, or return the one this operation has already started."""
        view = await self.campaigns.start(request.text(OPERATION), request.text("language"))
        return ToolAnswer(write_started(view))

    async def list_campaigns(self, request: ToolRequest) -> ToolAnswer:
        """The campaigns that can be continued."""
        return ToolAnswer({"campaigns": [write_campaign(one) for one in await self.campaigns.list()]})
