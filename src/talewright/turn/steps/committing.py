"""Committing: everything that happened in a turn becomes one commit."""

from dataclasses import replace

from talewright.chronicle.records import AttemptVerdict, Commit
from talewright.chronicle.store import BlobKind, ChronicleError
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.kernel.judging.move_resolution import waiting_calls
from talewright.kernel.judging.rulings import Decision
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.state.state import advance
from talewright.kernel.story.scene_rules import is_over
from talewright.prompt.past_turns_part import write_window
from talewright.turn.engine_number import ENGINE_NUMBER
from talewright.turn.game_editions import Adoption
from talewright.turn.inputs.player_choices import lay_out
from talewright.turn.records.commit_body import (
    OUTSIDE,
    GameEnd,
    TurnBody,
    write_body,
    write_rulings,
    write_usage,
)
from talewright.turn.records.turn_attempts import AttemptLedger, make_attempt
from talewright.turn.records.turn_circumstances import write_circumstances
from talewright.turn.steps.beginning import Beginning, Turn
from talewright.turn.steps.recalling import Recalled, snapshot_due
from talewright.turn.turn_context import COMMIT, Road
from talewright.turn.turn_progress import PASSAGE_BREAK, TurnProgress, write_seen


@frozen
class MadeTurn:
    """A turn that was narrated but not committed yet."""

    commit: Commit
    working: TurnProgress
    recalled: Recalled
    """What it started with."""


def make_commit(
    road: Road,
    turn: Turn,
    recalled: Recalled,
    working: TurnProgress,
    ledger: AttemptLedger,
    *,
    said: str,
    told: str,
) -> MadeTurn:
    """Build the commit of a turn."""
    position = advance(working.position)
    accepted, beginning = turn.accepted, turn.beginning
    body = replace(
        _make_body(road, recalled, working, ledger),
        input=accepted.input,
        said=said,
        told=told,
        engine=ENGINE_NUMBER,
        seen=_seen(recalled, beginning, working, told),
        circumstances=_circumstances(beginning, ledger) or None,
    )
    made = Commit(
        id=beginning.commit_id,
        parent=recalled.head.id,
        branch=accepted.branch,
        version=position.state.version,
        operation_id=accepted.operation_id,
        at=beginning.at,
        game_digest=recalled.edition.digest,
        state_digest=position.state.digest,
        body=write_body(body),
        replaces=accepted.replaces,
    )
    return MadeTurn(made, working, recalled)


def _seen(recalled: Recalled, beginning: Beginning, working: TurnProgress, told: str) -> Json:
    """Return what game masters have seen and no turn has used; only their own turns use it."""
    if told != OUTSIDE:
        return recalled.body.seen
    if not beginning.seen:
        return None
    return {"through": beginning.seen, "waiting": [write_seen(one) for one in working.fortune.waiting]}


def _circumstances(beginning: Beginning, ledger: AttemptLedger) -> dict[str, Json]:
    raw = write_circumstances(beginning.circumstances)
    if ledger.refused:
        raw["refused"] = {str(step): why for step, why in ledger.refused.items()}
    return raw


def _make_body(road: Road, recalled: Recalled, working: TurnProgress, ledger: AttemptLedger) -> TurnBody:
    """Build the body of a commit, except for the input."""
    position = advance(working.position)
    edition = recalled.edition
    language = road.language or recalled.body.language
    return TurnBody(
        language=language,
        narration=PASSAGE_BREAK.join(working.narration),
        choices=lay_out(edition.game, edition.words(language), position, working.offers),
        changes=tuple(working.changes),
        events=tuple(working.events),
        events_at=working.events_at,
        decisions=_open_cards(recalled.body, working),
        end=_end(working),
        draws=working.fortune.draws,
        # Record it even if nothing was drawn in the end: a discarded judgement may have drawn with it.
        nonce=working.fortune.nonce.hex(),
        rolls=tuple(working.rolls),
        rulings=write_rulings(working.rulings, working.changes),
        exchanges=tuple(ledger.exchanges),
        asides=tuple(working.asides),
        edits=tuple(working.edits),
        adopted=_adopted(recalled.head, recalled.adoption),
        lore=working.lore,
        cuts=tuple(working.cuts),
        window=write_window(working.window),
        facts=working.facts,
        bundle=working.bundle,
        model=_model(road) if ledger.asks else None,
        usage=write_usage(ledger.usage) if ledger.asks else None,
    )


async def commit(road: Road, turn: Turn, made: MadeTurn, ledger: AttemptLedger) -> Commit:
    """Commit the turn: the one step after which it is saved."""
    beginning, wanted = turn.beginning, made.commit
    attempt = make_attempt(beginning.attempt_id, beginning.at, wanted, AttemptVerdict.COMMITTED, ledger)
    ledger.made = wanted.id
    here: list[Commit] = []

    async def step() -> Json:
        done = await road.book.commit(wanted, attempt)
        here.append(done)
        if done.id == wanted.id:
            road.folds.keep(advance(made.working.position).state, (done, *made.recalled.past))
            if snapshot_due(done):
                await _keep_snapshot(road, done, made.working)
        return done.id

    done = await road.runner.run(turn.key, COMMIT, step)
    return here[0] if here else await road.book.read(str(done))


async def _keep_snapshot(road: Road, done: Commit, working: TurnProgress) -> None:
    try:
        await road.book.keep(BlobKind.SNAPSHOT, done.id, working.position.state.document)
    except ChronicleError:
        # A snapshot can always be made again, and the turn is saved without it.
        return


def _open_cards(before: TurnBody, working: TurnProgress) -> tuple[Decision, ...]:
    """List the cards that still wait for an answer, those of earlier turns first."""
    new = {card.id for card in working.decisions}
    waiting = waiting_calls(working.position)
    left = (card for card in before.decisions if card.id in waiting and card.id not in new)
    return (*left, *working.decisions)


def _end(working: TurnProgress) -> GameEnd | None:
    memory = working.position.state.document[ENGINE_ROOT]
    assert isinstance(memory, dict)
    return GameEnd(memory["ending"], memory["outcome"]) if is_over(working.position) else None


def _adopted(head: Commit, adoption: Adoption | None) -> Json:
    if adoption is None or adoption.edition is None:
        return None
    return {"from": head.game_digest, "changes": len(adoption.changes)}


def _model(road: Road) -> Json:
    assert road.teller is not None
    settings: dict[str, Json] = {"name": road.teller.main.profile.name}
    if road.teller.temperature is not None:
        settings["temperature"] = road.teller.temperature
    if road.teller.max_output_tokens is not None:
        settings["max_output_tokens"] = road.teller.max_output_tokens
    return settings
