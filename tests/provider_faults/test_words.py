"""What a player is told when the storyteller fails: what happened, that nothing is lost, and what to do."""

import asyncio

import pytest

from talewright.common.word_catalogues import interface_languages
from talewright.llm.provider import ProviderError, Trouble, word_trouble
from talewright.play.campaign_view import View
from talewright.play.presentation.words.phrases import Phrase
from talewright.play.presentation.words.player_messages import FixedChoice, say
from talewright.play.session import InputResult, ResultKind
from talewright.providers.scripted import Scripted, ScriptedReply
from talewright.turn.turn_context import Teller
from tests.opened import opened
from tests.play.making import compiled, make_lobby

GAME = "lantern_road"


async def fail(trouble: Trouble, language: str) -> tuple[InputResult, View]:
    """Say something to a storyteller that has this trouble."""
    broken = ScriptedReply("He", error=ProviderError(trouble, "CNRY: api.example.com says no", "CNRY"))
    teller = Teller(Scripted(lambda request: broken))
    lobby = make_lobby(compiled(GAME), teller=teller, language=language)
    session = await opened(lobby.begin(GAME, language))
    result = await session.say("I sing to the lantern")
    view = await session.view()
    await session.close()
    return result, view


@pytest.mark.parametrize("language", interface_languages())
@pytest.mark.parametrize("trouble", Trouble)
def test_a_player_is_told_in_their_language_and_can_go_on(trouble: Trouble, language: str) -> None:
    result, view = asyncio.run(fail(trouble, language))
    assert result.kind is ResultKind.DEGRADED
    assert result.message
    assert "CNRY" not in result.message
    assert {choice.id for choice in view.choices} >= {FixedChoice.RETRY, FixedChoice.QUIT}


@pytest.mark.parametrize("language", interface_languages())
def test_a_player_is_told_what_to_do_about_each_trouble(language: str) -> None:
    for trouble in Trouble:
        result, _ = asyncio.run(fail(trouble, language))
        if trouble is Trouble.BUDGET:
            # Whoever set the budget, the player is told the same.
            assert (result.reason, result.message) == ("budget", say(language, Phrase.BUDGET))
            continue
        words = word_trouble(trouble, language)
        assert words.what in result.message
        assert words.then in result.message
