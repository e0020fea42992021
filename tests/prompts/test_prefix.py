"""Between two declared cuts every request begins with the stable part of the one before it.

`bench/prefix.py` plays 200 turns of the same; here it is a fifth.
"""

import asyncio
from itertools import pairwise

import pytest

from talewright.llm.requests import AssistantMessage, Message, SystemMessage, ToolResult, UserMessage
from talewright.turn.records.commit_body import read_body
from talewright_testkit.fake_provider.vendor_cache import OPENAI_CACHE
from tests.prompts.campaigns import TALES, Campaign, Tale, begin
from tests.prompts.counting import bill, find_broken

pytestmark = pytest.mark.slow

TURNS = 40
FIRST_COUNTED = 20
UNCACHED_MAX = 3_500


async def tell(tale: Tale) -> tuple[Campaign, list[int]]:
    """A campaign, and the versions of the turns that declared a cut."""
    campaign = await begin(tale)
    await campaign.play(TURNS)
    commits = await campaign.bench.book.back((await campaign.bench.head()).id, TURNS)
    return campaign, [commit.version for commit in reversed(commits) if read_body(commit.body).cuts]


def is_orderly(messages: tuple[Message, ...]) -> bool:
    """Whether no message is empty, and the player and the model speak by turns."""
    speaking = [message for message in messages if not isinstance(message, SystemMessage)]
    roles = "".join(
        {UserMessage: "u", AssistantMessage: "a", ToolResult: "t"}[type(message)] for message in speaking
    )
    silent = [m for m in messages if not m.text.strip() and not (isinstance(m, AssistantMessage) and m.calls)]
    return not silent and roles[0] == "u" and "uu" not in roles and "aa" not in roles and "ut" not in roles


@pytest.mark.parametrize("tale", TALES, ids=lambda tale: tale.name)
def test_prompts_go_on_from_one_another(tale: Tale) -> None:
    campaign, cuts = asyncio.run(tell(tale))
    assert 1 <= len(cuts) <= 4
    told = [(version, asked) for version, asked in enumerate(campaign.turns, 1) if asked]
    for (_, before), (version, after) in pairwise(told):
        assert version in cuts or find_broken(before, after) == "", version
        assert all(is_orderly(request.messages) for request in after)
    requests = [
        [("main", request) for request in asked] + [("cheap", request) for request in summaries]
        for asked, summaries in zip(campaign.turns, campaign.summaries, strict=True)
    ]
    counted = bill(OPENAI_CACHE, requests)[FIRST_COUNTED - 1 :]
    assert sum(one.uncached for one in counted) / len(counted) <= UNCACHED_MAX
