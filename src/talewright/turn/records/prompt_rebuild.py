"""Rebuilt prompts: the requests of a finished turn made anew from the record, byte for byte.

Prompts are not kept. Nobody is asked: what the model said then is said again by an echo. Nothing is
written. Where a host's moderation objected to a narration, the asks after that one are not found again.
"""

from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import cast

from talewright.chronicle.records import Commit
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.errors import TalewrightError
from talewright.llm.profiles import Profile
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.reply_chunks import Chunk
from talewright.llm.requests import Request
from talewright.prompt.memory_window import write_window
from talewright.prompt.prompt_inspection import PromptInspection, inspect_prompt
from talewright.turn.game_editions import Edition, Editions
from talewright.turn.inputs.player_inputs import Deed
from talewright.turn.inputs.player_inputs import from_json as input_from_json
from talewright.turn.moderation import NoModeration
from talewright.turn.page_contents_and_git_subject import read_taken
from talewright.turn.records.commit_body import MODEL, TurnBody, read_body, read_reply, replay
from talewright.turn.records.turn_attempts import AttemptLedger
from talewright.turn.steps.asking import UntoldError
from talewright.turn.steps.briefing import Briefing
from talewright.turn.steps.recalling import recall_at
from talewright.turn.steps.telling import Try
from talewright.turn.turn_context import PlainRunner, Road, Teller, hear_nothing
from talewright.turn.turn_progress import TurnProgress

COMPARED_COMMITS = 4
"""How many commits back an earlier prompt is looked for, to compare with."""


@frozen
class RebuiltPrompt:
    """What a model was given in one turn."""

    briefing: Briefing
    """The first ask, by its parts."""

    requests: tuple[Request, ...]
    """Every ask, errands and repairs included, in order."""

    differs: bool = False
    """Whether the record says that it was another prompt: other lore, other cuts, another frozen part. Then
    the model can read more or less today than it could, or the engine writes otherwise."""


@frozen
class PromptInsight:
    """A turn's prompt, taken apart and set beside the one before it."""

    rebuilt: RebuiltPrompt
    inspection: PromptInspection
    before: int | None = None
    """The version of the turn it is set beside."""


class NotRebuiltError(TalewrightError):
    """The prompt of a turn cannot be made anew."""


class _Echo:
    """Says again what a model said, and remembers what it was asked."""

    def __init__(self, profile: Profile, exchanges: Sequence[Mapping[str, Json]]) -> None:
        self._profile = profile
        self._left: Iterator[Mapping[str, Json]] = iter(exchanges)
        self.requests: list[Request] = []

    @property
    def profile(self) -> Profile:
        return self._profile

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        exchange = next(self._left, {})
        self.requests.append(request)
        if "text" in exchange:
            for chunk in replay(read_reply(exchange)):
                yield chunk
        if "trouble" in exchange or "text" not in exchange:
            raise ProviderError(Trouble.UNREACHABLE, str(exchange.get("message", "")))

    async def close(self) -> None:
        """Nothing to let go of."""


@frozen
class _Fixed:
    """Editions of which the newest is the one that was played."""

    editions: Editions
    newest: Edition | None = None

    def unpack(self, form: Json) -> Edition:
        return self.editions.unpack(form)

    def latest(self, game: str) -> Edition | None:
        return self.newest


async def rebuild(road: Road, commit: Commit, profile: Profile) -> RebuiltPrompt | None:
    """The requests of the turn that made a commit; None where no model was asked.

    `profile` is that of the model which told it: what it can read decides what it was given.
    """
    body = read_body(commit.body)
    if not body.exchanges:
        return None
    played = (await recall_at(replace(road, editions=_Fixed(road.editions)), commit.id)).edition
    echo = _Echo(profile, cast(Sequence[Mapping[str, Json]], body.exchanges))
    again = _make_road(road, body, echo, played)
    before = await recall_at(again, commit.parent)
    taken = tuple(aside for aside in before.asides if aside.id in body.asides)
    before = replace(before, asides=taken, edits=read_taken(body.edits))
    attempt = Try(again, before, AttemptLedger(), await road.book.secret())
    deed = attempt.begin(input_from_json(body.input))
    if not isinstance(deed, Deed):
        raise NotRebuiltError(
            f"the input of turn {commit.version} does not fit where it was put ({deed.reason})",
            "Run `talewright verify` to see whether the record is whole.",
        )
    # Where the scenes told it in the end, what the model was asked before that is all the same.
    with suppress(UntoldError):
        await attempt.tell_by_model(deed)
    assert attempt.briefing is not None
    return RebuiltPrompt(attempt.briefing, tuple(echo.requests), _differs(attempt.working, body))


async def look_into(road: Road, commit: Commit, lookup: Callable[[str], Profile]) -> PromptInsight | None:
    """The prompt of the turn that made a commit, taken apart and set beside the last one before it.

    None where no model was asked. `lookup` gives the profile of a model by the name its server has for it.
    """
    rebuilt = await _rebuild_by(road, commit, lookup)
    if rebuilt is None:
        return None
    prompt, lore = rebuilt.briefing.prompt, rebuilt.briefing.lore
    for earlier in await road.book.back(commit.parent, COMPARED_COMMITS):
        before = await _rebuild_by(road, earlier, lookup)
        if before is not None:
            inspection = inspect_prompt(prompt, lore, before.briefing.prompt)
            return PromptInsight(rebuilt, inspection, earlier.version)
    return PromptInsight(rebuilt, inspect_prompt(prompt, lore))


async def _rebuild_by(road: Road, commit: Commit, lookup: Callable[[str], Profile]) -> RebuiltPrompt | None:
    settings = commit.body.get("model")
    # It stands there wherever a model was asked.
    if not isinstance(settings, Mapping):
        return None
    return await rebuild(road, commit, lookup(str(settings["name"])))


def _differs(working: TurnProgress, body: TurnBody) -> bool:
    """Whether what was decided on the way to a prompt is not what the record says."""
    # Where the scenes told the turn in the end, nothing of it was recorded.
    decided = (working.lore, tuple(working.cuts), write_window(working.window))
    return body.told == MODEL and decided != (body.lore, body.cuts, body.window)


def _make_road(road: Road, body: TurnBody, echo: _Echo, played: Edition) -> Road:
    settings = body.model if isinstance(body.model, Mapping) else {}
    temperature = cast(float | None, settings.get("temperature"))
    output = cast(int | None, settings.get("max_output_tokens"))
    return replace(
        road,
        editions=_Fixed(road.editions, played),
        teller=Teller(echo, temperature=temperature, max_output_tokens=output),
        language=body.language,
        new_id=lambda: body.nonce or "00",
        moderation=NoModeration(),
        runner=PlainRunner(),
        listener=hear_nothing,
    )
