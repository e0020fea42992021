"""Rebuilt prompts: the requests of a finished turn made anew from the record, byte for byte.

Prompts are not kept. Nobody is asked: what the model said then is read from the record. Nothing is written.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress

from talewright.chronicle.records import Commit
from talewright.common.frozen_values import frozen
from talewright.errors import TalewrightError
from talewright.llm.profiles import Profile
from talewright.llm.requests import Request
from talewright.prompt.memory_window import write_window
from talewright.prompt.prompt_inspection import PromptInspection, inspect_prompt
from talewright.turn.inputs.player_inputs import Deed
from talewright.turn.inputs.player_inputs import from_json as input_from_json
from talewright.turn.records.commit_body import MODEL, OUTSIDE, TurnBody, read_body
from talewright.turn.records.turn_attempts import AttemptLedger
from talewright.turn.records.turn_replay import open_recorded_turn
from talewright.turn.steps.asking import UntoldError
from talewright.turn.steps.briefing import Briefing
from talewright.turn.steps.telling import Try
from talewright.turn.turn_context import Road
from talewright.turn.turn_progress import RecordedDraws, TurnProgress

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


async def rebuild(
    road: Road, commit: Commit, profile: Profile, *, imported: bool = False
) -> RebuiltPrompt | None:
    """The requests of the turn that made a commit; None where no model was asked.

    `profile` is that of the model which told it, for records that do not say what it could read. The dice of
    an imported turn do not follow from the campaign's secret: they are taken from the record.
    """
    body = read_body(commit.body)
    if not body.exchanges or body.told == OUTSIDE:
        return None
    draws = RecordedDraws(body.draws) if imported else None
    recorded = await open_recorded_turn(road, commit, profile, draws)
    ledger = AttemptLedger()
    secret = await road.folds.read_secret(road.book)
    attempt = Try(recorded.road, recorded.turn, recorded.recalled, ledger, secret)
    deed = attempt.begin(input_from_json(recorded.body.input))
    if not isinstance(deed, Deed):
        raise NotRebuiltError(
            f"the input of turn {commit.version} does not fit where it was put ({deed.reason})",
            "Run `talewright verify` to see whether the record is whole.",
        )
    # Where the scenes told it in the end, what the model was asked before that is all the same.
    with suppress(UntoldError):
        await attempt.tell_by_model(deed)
    assert attempt.briefing is not None
    return RebuiltPrompt(attempt.briefing, tuple(ledger.requests), _differs(attempt.working, recorded.body))


async def look_into(
    road: Road, commit: Commit, lookup: Callable[[str], Profile], imported_through: int = -1
) -> PromptInsight | None:
    """The prompt of the turn that made a commit, taken apart and set beside the last one before it.

    None where no model was asked. `lookup` gives the profile of a model by the name its server has for it;
    `imported_through` is the counter of the last commit that was imported.
    """
    rebuilt = await _rebuild_by(road, commit, lookup, imported_through)
    if rebuilt is None:
        return None
    prompt, lore = rebuilt.briefing.prompt, rebuilt.briefing.lore
    for earlier in await road.book.back(commit.parent, COMPARED_COMMITS):
        before = await _rebuild_by(road, earlier, lookup, imported_through)
        if before is not None:
            inspection = inspect_prompt(prompt, lore, before.briefing.prompt)
            return PromptInsight(rebuilt, inspection, earlier.version)
    return PromptInsight(rebuilt, inspect_prompt(prompt, lore))


async def _rebuild_by(
    road: Road, commit: Commit, lookup: Callable[[str], Profile], imported_through: int
) -> RebuiltPrompt | None:
    settings = commit.body.get("model")
    # It stands there wherever a model was asked.
    if not isinstance(settings, Mapping):
        return None
    imported = commit.sequence <= imported_through
    return await rebuild(road, commit, lookup(str(settings["name"])), imported=imported)


def _differs(working: TurnProgress, body: TurnBody) -> bool:
    """Whether what was decided on the way to a prompt is not what the record says."""
    # Where the scenes told the turn in the end, nothing of it was recorded.
    decided = (working.lore, tuple(working.cuts), write_window(working.window))
    return body.told == MODEL and decided != (body.lore, body.cuts, body.window)
