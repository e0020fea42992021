"""Usage, errors and profiles: poor values that add up."""

from talewright.errors import TalewrightError
from talewright.llm.profiles import AnswerMode, Profile
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.reply_chunks import Usage
from talewright.llm.requests import AssistantMessage, Request, ToolResult
from talewright.llm.retry import PASSING


def test_usage_adds_up_and_a_guess_stays_a_guess() -> None:
    assert Usage(1, 2, 3) + Usage(10, 20, 30) == Usage(11, 22, 33)
    assert Usage() + Usage(1, estimated=True) == Usage(1, estimated=True)
    assert Usage(1, estimated=True) + Usage() == Usage(1, estimated=True)
    assert sum([Usage(1), Usage(2)], Usage()) == Usage(3)


def test_an_error_says_what_it_is_and_what_to_do() -> None:
    error = ProviderError(Trouble.BUSY, "too many", "Wait.", retry_after_seconds=3.5, usage=Usage(1))
    assert isinstance(error, TalewrightError)
    assert (error.trouble, error.message, error.hint, str(error)) == (
        Trouble.BUSY,
        "too many",
        "Wait.",
        "too many",
    )
    assert (error.retry_after_seconds, error.usage) == (3.5, Usage(1))
    bare = ProviderError(Trouble.KEY, "no key")
    assert (bare.hint, bare.retry_after_seconds, bare.usage) == ("", None, None)


def test_troubles_that_may_pass() -> None:
    assert {Trouble.BUSY, Trouble.SLOW, Trouble.UNREACHABLE, Trouble.GARBLED} == PASSING
    assert set(Trouble) - PASSING == {
        Trouble.KEY,
        Trouble.MONEY,
        Trouble.BUDGET,
        Trouble.MISSING,
        Trouble.REQUEST,
        Trouble.SPENT,
    }


def test_what_is_taken_for_granted() -> None:
    profile = Profile("model")
    assert (profile.answer_mode, profile.takes_tools, profile.schema_keywords) == (
        AnswerMode.FREE,
        True,
        None,
    )
    assert (profile.enum_values_max, profile.string_length_max) == (500, 1_500)
    assert (profile.context_tokens, profile.output_tokens_max) == (16_000, 2_000)
    assert Request(()) == Request((), (), None, None, None)
    assert (AssistantMessage("x").calls, ToolResult("c", "pay", "{}").refused) == ((), False)
