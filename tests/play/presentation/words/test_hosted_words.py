"""Words for players on a host: nothing about commands that they cannot run or disks that they do not have."""

import asyncio
import re

import pytest

from talewright.llm.provider import Trouble
from talewright.play.presentation.words.phrases import Phrase
from talewright.play.presentation.words.player_messages import (
    ON_HOST,
    REASONS,
    explain,
    say,
    speak_to_hosted_players,
)
from talewright.turn.turn_outcomes import OutcomeReason

OUT_OF_REACH = re.compile(r"talewright [a-z]|(?i:disk)|磁盘|`")
PARTS = {"what": "errands", "place": "record 7", "name": "odds", "turns": "3"}


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_players_on_a_host_are_told_only_what_they_can_do(language: str) -> None:
    with speak_to_hosted_players():
        told = [explain(language, reason) for reason in OutcomeReason]
        told += [explain(language, OutcomeReason.UNTOLD, trouble=trouble.value) for trouble in Trouble]
        told += [say(language, phrase, **PARTS) for phrase in ON_HOST]
    assert not [text for text in told if OUT_OF_REACH.search(text)]
    # Everyone else is still told how to help themselves.
    assert OUT_OF_REACH.search(explain(language, OutcomeReason.UNSAVED))
    assert set(REASONS) == set(OutcomeReason)


def test_tasks_that_were_started_meanwhile_speak_the_same_way() -> None:
    async def tell() -> str:
        await asyncio.sleep(0)
        return say("en", Phrase.UNSAVED)

    async def run() -> None:
        with speak_to_hosted_players():
            task = asyncio.create_task(tell())
        assert "disk" not in await task
        assert "disk" in await tell()

    asyncio.run(run())
