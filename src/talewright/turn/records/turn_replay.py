"""Turn replay: recomputes a finished turn from its record, without calling a model or writing anything.

Everything that came from outside is in the record: the start and every reply. The rest is recomputed, so a
turn of the current engine number must be identical to what was committed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from talewright.chronicle.records import Accepted, Commit
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.common.work_meter import UNLIMITED, WORK_MAX, TooMuchWorkError
from talewright.llm.profiles import Profile, read_profile, write_profile
from talewright.llm.provider import ProfiledProvider, Trouble
from talewright.turn.background.page_contents import read_taken
from talewright.turn.game_master.judged_turn import judge_rounds
from talewright.turn.game_master.master_rounds import read_round
from talewright.turn.moderation import NoModeration
from talewright.turn.pipeline import make_turn
from talewright.turn.records.commit_body import BROKEN_OFF, OUTSIDE, TurnBody, read_body
from talewright.turn.records.turn_attempts import AttemptLedger
from talewright.turn.records.turn_circumstances import read_circumstances
from talewright.turn.steps.beginning import LIMITED_SINCE_ENGINE, Beginning, Turn, bind_road, recall_turn
from talewright.turn.steps.committing import MadeTurn
from talewright.turn.steps.recalling import Recalled
from talewright.turn.turn_context import Road, StepWork, Teller, TurnKey, hear_nothing, name_ask
from talewright.turn.turn_outcomes import Degraded, OutcomeReason, Unspent
from talewright.turn.turn_progress import RecordedDraws

_SILENT: Json = {"reply": {"text": "", "stop": None, "trouble": Trouble.UNREACHABLE.value, "message": ""}}
"""The result of a request without a record."""


class ReplayRunner:
    """Returns the recorded replies of one turn."""

    def __init__(self, body: TurnBody, seconds_max: float) -> None:
        refused = read_refused(body.circumstances)
        asked = [] if body.told == OUTSIDE else cast(Sequence[Mapping[str, Json]], body.exchanges)
        exchanges = iter(asked)
        self._results: dict[str, Json] = {}
        for number in range(1, len(asked) + len(refused) + 1):
            if number in refused:
                self._results[name_ask(number)] = {"refused": refused[number]}
            else:
                self._results[name_ask(number)] = _result_of(next(exchanges), seconds_max)

    async def run(self, key: TurnKey, name: str, step: StepWork) -> Json:
        return self._results.get(name, _SILENT)


def read_refused(circumstances: Json) -> dict[int, str]:
    """The requests that the budget refused, by their number, and why."""
    kept = circumstances.get("refused") if isinstance(circumstances, Mapping) else None
    return {int(number): str(why) for number, why in kept.items()} if isinstance(kept, Mapping) else {}


_OURS = frozenset({"purpose", "model", "flaws", "mend", "results", "updates_only", "objection"})
"""Members that the engine adds to a reply."""


def _result_of(exchange: Mapping[str, Json], seconds_max: float) -> Json:
    """The step result that an exchange was made from."""
    reply = {name: value for name, value in exchange.items() if name not in _OURS}
    usage = cast(Mapping[str, Json], exchange["usage"])
    result: dict[str, Json] = {"reply": reply, "spent": [{"model": exchange["model"], **usage}]}
    if exchange.get("trouble") == BROKEN_OFF:
        # There was no time left for another request.
        result["seconds"] = seconds_max
    if "objection" in exchange:
        result["objection"] = exchange["objection"]
    return result


@frozen
class RecordedTurn:
    """A finished turn, ready to be replayed."""

    road: Road
    """Bound to the turn, with a runner that returns the recorded replies."""

    turn: Turn
    recalled: Recalled
    body: TurnBody


REPLAY_WORK_MAX = 40 * WORK_MAX
"""Steps that replaying a turn may take if its record sets no limit, or a higher one: about 20 seconds."""


async def open_recorded_turn(
    road: Road,
    commit: Commit,
    profile: Profile | None = None,
    draws: RecordedDraws | None = None,
    work_max: int = REPLAY_WORK_MAX,
) -> RecordedTurn:
    """Read what a turn started with from its commit and the records before it.

    `profile` is the model's profile, for records that do not contain it. `draws` replace those derived from
    the campaign's secret. `work_max` limits turns whose record sets no limit up to `REPLAY_WORK_MAX`.
    """
    body = read_body(commit.body)
    circumstances = read_circumstances(body.circumstances)
    if circumstances.main is None and profile is not None:
        circumstances = replace(circumstances, main=write_profile(profile))
    beginning = Beginning(
        head=commit.parent,
        edition=commit.game_digest,
        language=body.language,
        asides=body.asides,
        edits=read_taken(body.edits),
        nonce=body.nonce,
        seen=_count_seen(body),
        commit_id=commit.id,
        attempt_id="",
        at=commit.at,
        circumstances=circumstances,
    )
    accepted = Accepted(
        commit.operation_id, commit.branch, commit.parent, body.input, commit.at, commit.replaces
    )
    key = TurnKey(road.book.campaign, commit.operation_id)
    turn = Turn(key, accepted, beginning, draws, body.engine or 0)
    again = replace(
        road,
        teller=_recorded_teller(body, circumstances.main),
        runner=ReplayRunner(body, circumstances.limits.turn_seconds_max),
        moderation=NoModeration(),
        listener=hear_nothing,
    )
    again = bind_road(again, turn)
    if not _sets_limit(body):
        again = replace(again, limits=replace(again.limits, work_max=work_max))
    return RecordedTurn(again, turn, await recall_turn(again, turn), body)


def _sets_limit(body: TurnBody) -> bool:
    """Whether the record of a turn limits its work, as far as a replay believes it."""
    work_max = read_circumstances(body.circumstances).limits.work_max
    is_valid = type(work_max) is int and UNLIMITED < work_max <= REPLAY_WORK_MAX
    return is_valid and (body.engine or 0) >= LIMITED_SINCE_ENGINE


def _count_seen(body: TurnBody) -> int:
    through = body.seen.get("through") if isinstance(body.seen, Mapping) and body.told == OUTSIDE else 0
    return through if isinstance(through, int) else 0


def _recorded_teller(body: TurnBody, main: Json) -> Teller | None:
    if not isinstance(main, Mapping):
        return None
    settings = body.model if isinstance(body.model, Mapping) else {}
    return Teller(
        ProfiledProvider(None, read_profile(main)),
        temperature=cast(float | None, settings.get("temperature")),
        max_output_tokens=cast(int | None, settings.get("max_output_tokens")),
    )


async def replay_turn(
    road: Road,
    commit: Commit,
    draws: RecordedDraws | None = None,
    profile: Profile | None = None,
    work_max: int = REPLAY_WORK_MAX,
) -> Commit | Unspent | Degraded:
    """The commit that the current engine makes from the recorded start and replies of a turn.

    `draws`, `profile` and `work_max` are as in `open_recorded_turn`. The reason is `TOO_MUCH_WORK` if the
    replay was stopped. Raises TooMuchWorkError if the turn takes more steps than its own record allows.
    """
    try:
        recorded = await open_recorded_turn(road, commit, profile, draws, work_max)
        outside = recorded.body.told == OUTSIDE
        made = await (_replay_outside(recorded) if outside else _replay_told(recorded))
    except TooMuchWorkError as error:
        if _sets_limit(read_body(commit.body)):
            raise
        return Unspent(OutcomeReason.TOO_MUCH_WORK, error.message)
    return replace(made.commit, sequence=commit.sequence) if isinstance(made, MadeTurn) else made


async def _replay_told(recorded: RecordedTurn) -> MadeTurn | Unspent | Degraded:
    return await make_turn(recorded.road, recorded.turn, recorded.recalled, AttemptLedger())


async def _replay_outside(recorded: RecordedTurn) -> MadeTurn | Unspent | Degraded:
    exchanges = cast(Sequence[Mapping[str, Json]], recorded.body.exchanges)
    rounds = [read_round(exchange) for exchange in exchanges]
    rounds[-1:] = [replace(one, final=True) for one in rounds[-1:]]
    progress, judged = await judge_rounds(recorded.road, recorded.turn, recorded.recalled, rounds)
    if isinstance(judged, Unspent):
        return judged
    if progress.flaws or not rounds:
        return Degraded(OutcomeReason.UNTOLD, "; ".join(flaw.message for flaw in progress.flaws))
    return await judged.make()
