"""Committing: everything a turn has brought about, as one commit.

Nothing of a turn is safe before this, and all of it after.
"""

from collections.abc import Sequence
from dataclasses import replace

from talewright.chronicle.records import Accepted, Attempt, AttemptVerdict, Commit
from talewright.chronicle.store import BlobKind, ChronicleError
from talewright.kernel.judging.move_resolution import carry_out
from talewright.kernel.judging.moves_and_rulings import ENGINE, Decision, Op, Update
from talewright.kernel.judging.open_decisions import waiting_calls
from talewright.kernel.slots.engine_slots import BUNDLES_MAX, ENGINE_ROOT, FACT_LENGTH_MAX, FACTS_MAX
from talewright.kernel.state.documents import Json
from talewright.kernel.state.state import advance
from talewright.kernel.story.scene_rules import is_over
from talewright.turn.adoption import Adoption
from talewright.turn.asking import Ledger
from talewright.turn.bodies import Body, End, to_json
from talewright.turn.budgets import write_spendings
from talewright.turn.exchanges import write_usage
from talewright.turn.offers import lay_out
from talewright.turn.recalling import Recalled, snapshot_due
from talewright.turn.road import Road
from talewright.turn.scenery import BREAK
from talewright.turn.windows import write_window
from talewright.turn.working import Working, write_rulings


def remember(working: Working) -> None:
    """Keep the facts of this turn and the name of its bundle in the engine's own part of the state."""
    memory = working.position.state.document[ENGINE_ROOT]
    assert isinstance(memory, dict)
    new = [fact[:FACT_LENGTH_MAX] for fact in working.facts if fact.strip()]
    updates = _append(f"{ENGINE_ROOT}.facts", memory["facts"], new, FACTS_MAX)
    if working.bundle:
        updates += _append(f"{ENGINE_ROOT}.bundles", memory["bundles"], [working.bundle], BUNDLES_MAX)
    if updates:
        working.take(carry_out(working.game, working.position, updates, ENGINE))


def _append(path: str, known: Sequence[str], new: Sequence[str], count_max: int) -> list[Update]:
    """What adds to a list what is not in it yet; where it is full, the oldest goes.

    Element by element: a list that is set anew would stand in the record three times over.
    """
    wanted = list(dict.fromkeys([*known, *new]))[-count_max:]
    gone = [one for one in known if one not in wanted]
    added = wanted[len(known) - len(gone) :]
    return [*(Update(Op.REMOVE, path, one) for one in gone), *(Update(Op.PUSH, path, one) for one in added)]


def make_commit(
    road: Road,
    recalled: Recalled,
    accepted: Accepted,
    working: Working,
    ledger: Ledger,
    *,
    said: str,
    told: str,
) -> Commit:
    """The commit of a turn."""
    position = advance(working.position)
    body = replace(_make_body(road, recalled, working, ledger), input=accepted.input, said=said, told=told)
    return Commit(
        id=road.new_id(),
        parent=recalled.head.id,
        branch=accepted.branch,
        version=position.state.version,
        operation_id=accepted.operation_id,
        at=road.now(),
        game_digest=recalled.edition.digest,
        state_digest=position.state.digest,
        body=to_json(body),
    )


def _make_body(road: Road, recalled: Recalled, working: Working, ledger: Ledger) -> Body:
    """What happened, but for what was put in."""
    position = advance(working.position)
    edition = recalled.edition
    language = road.language or recalled.body.language
    return Body(
        language=language,
        narration=BREAK.join(working.narration),
        choices=lay_out(edition.game, edition.words(language), position, working.offers),
        changes=tuple(working.changes),
        events=tuple(working.events),
        decisions=_open_cards(recalled.body, working),
        end=_end(working),
        draws=working.fortune.draws,
        nonce=working.fortune.nonce.hex() if working.fortune.draws else "",
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
        model=_model(road) if ledger.exchanges else None,
        usage=write_usage(ledger.usage) if ledger.exchanges else None,
    )


async def commit(road: Road, recalled: Recalled, made: Commit, working: Working, ledger: Ledger) -> Commit:
    """Make the turn part of the story: the one step after which it is safe."""
    if recalled.adoption is not None and recalled.adoption.edition is not None:
        await road.book.keep(BlobKind.GAME, recalled.edition.digest, recalled.edition.form)
    attempt = make_attempt(road, made, AttemptVerdict.COMMITTED, ledger)
    ledger.made = made.id
    done = await road.book.commit(made, attempt)
    if road.teller is not None and road.teller.purse is not None:
        road.teller.purse.follow(done.sequence)
    if snapshot_due(done) and done.id == made.id:
        await _keep_snapshot(road, done, working)
    return done


async def _keep_snapshot(road: Road, done: Commit, working: Working) -> None:
    try:
        await road.book.keep(BlobKind.SNAPSHOT, done.id, working.position.state.document)
    except ChronicleError:
        # It can always be made again, and the turn is safe without it.
        return


def make_attempt(
    road: Road,
    about: Accepted | Commit,
    verdict: AttemptVerdict,
    ledger: Ledger,
    reason: str = "",
    detail: str = "",
) -> Attempt:
    """The record of one try. Of a committed turn the replies stand in the commit and not here."""
    body = write_cost(ledger)
    if ledger.exchanges and verdict is not AttemptVerdict.COMMITTED:
        body["exchanges"] = list(ledger.exchanges)
    if reason:
        body["reason"] = reason
    if detail:
        body["detail"] = detail
    base = about.base if isinstance(about, Accepted) else about.parent
    return Attempt(road.new_id(), about.operation_id, about.branch, base, road.now(), verdict, body)


def write_cost(ledger: Ledger) -> dict[str, Json]:
    """What was spent, as it is kept; nothing where nobody was asked."""
    if not ledger.exchanges:
        return {}
    cost: dict[str, Json] = {"usage": write_usage(ledger.usage), "asks": ledger.asks}
    if ledger.spent:
        cost["spent"] = write_spendings(ledger.spent)
    return cost


def _open_cards(before: Body, working: Working) -> tuple[Decision, ...]:
    """The cards that still wait for an answer, those of earlier turns first."""
    new = {card.id for card in working.decisions}
    waiting = waiting_calls(working.position)
    left = (card for card in before.decisions if card.id in waiting and card.id not in new)
    return (*left, *working.decisions)


def _end(working: Working) -> End | None:
    memory = working.position.state.document[ENGINE_ROOT]
    assert isinstance(memory, dict)
    return End(memory["ending"], memory["outcome"]) if is_over(working.position) else None


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
