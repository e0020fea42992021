"""Prompt rebuilding: the requests of a finished turn, rebuilt from its record byte for byte.

Prompts are not stored. No model is called: replies are read from the record. Nothing is written.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress

from talewright.chronicle.records import Commit
from talewright.common.frozen_values import frozen
from talewright.errors import TalewrightError
from talewright.llm.profiles import Profile
from talewright.llm.requests import Request
from talewright.prompt.past_turns_part import write_window
from talewright.prompt.prompt_inspection import PromptInspection, inspect_prompt
from talewright.turn.inputs.player_inputs import Deed
from talewright.turn.inputs.player_inputs import from_json as input_from_json
from talewright.turn.pipeline import narrate
from talewright.turn.records.commit_body import MODEL, OUTSIDE, TurnBody, read_body
from talewright.turn.records.turn_attempts import AttemptLedger
from talewright.turn.records.turn_replay import open_recorded_turn
from talewright.turn.steps.asking import UntoldError
from talewright.turn.steps.briefing import Briefing
from talewright.turn.steps.telling import Try
from talewright.turn.turn_context import Road
from talewright.turn.turn_progress import RecordedDraws, TurnProgress

COMPARED_COMMITS = 4
"""How many commits back to search for an earlier prompt to compare with."""


@frozen
class RebuiltPrompt:
    """The requests to a model in one turn."""

    briefing: Briefing
    """The first request, by its parts."""

    requests: tuple[Request, ...]
    """Every request, including errands and repairs, in order."""

    differs: bool = False
    """Whether the record describes a different prompt: other lore, other cuts, another frozen part. Then the
    model's context window has changed since, or the engine writes prompts differently.
    """


@frozen
class PromptInsight:
    """A turn's prompt by its parts, compared with the previous one."""

    rebuilt: RebuiltPrompt
    inspection: PromptInspection
    before: int | None = None
    """The version of the turn it is compared with."""


class NotRebuiltError(TalewrightError):
    """The prompt of a turn cannot be rebuilt."""


async def rebuild(
    road: Road, commit: Commit, profile: Profile, *, imported: bool = False
) -> RebuiltPrompt | None:
    """The requests of the turn that made a commit; None if no model was asked.

    `profile` is the model's profile, for records that do not contain it. The dice of an imported turn do not
    follow from the campaign's secret: they are taken from the record.
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
            f"the input of turn {commit.version} is not valid at that point of the story ({deed.reason})",
            "Run `talewright verify` to check the record.",
        )
    # Even if the scenes narrated the turn in the end, the earlier requests are the same.
    with suppress(UntoldError):
        await narrate(recorded.road, attempt, deed)
    assert attempt.briefing is not None
    return RebuiltPrompt(attempt.briefing, tuple(ledger.requests), _differs(attempt.working, recorded.body))


async def look_into(
    road: Road, commit: Commit, lookup: Callable[[str], Profile], imported_through: int = -1
) -> PromptInsight | None:
    """The prompt of the turn that made a commit, by its parts, compared with the last one before it.

    None if no model was asked. `lookup` returns the profile of a model by its name at the provider;
    `imported_through` is the sequence number of the last imported commit.
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
    # It is recorded whenever a model was asked.
    if not isinstance(settings, Mapping):
        return None
    imported = commit.sequence <= imported_through
    return await rebuild(road, commit, lookup(str(settings["name"])), imported=imported)


def _differs(working: TurnProgress, body: TurnBody) -> bool:
    """Whether decisions that shaped the prompt differ from the record."""
    # If the scenes narrated the turn in the end, none of them was recorded.
    decided = (working.lore, tuple(working.cuts), write_window(working.window))
    return body.told == MODEL and decided != (body.lore, body.cuts, body.window)
