"""Memory of the story: past turns as a storyteller is shown them, summary, facts, and when turns are cut.

What the model answered stands as it came, tool rounds included, but for the choices it offered. A turn that
scenes or somebody outside told is put into the form the model is to answer in, for it learns that form from
what it sees. Nothing is asked here: a model's summary comes as an aside. Without one, a full window is cut
all the same.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast

from talewright.chronicle.records import Commit
from talewright.chronicle.store import CampaignBook
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.common.language_tags import pick_words
from talewright.contract.cards.cards_schema import NARRATIVE
from talewright.contract.past_answers import drop_choices, drop_offered
from talewright.contract.patch.patch_bundle import SCHEMA_VERSION
from talewright.contract.text.sentences import keep_whole_sentences
from talewright.kernel.game import Game
from talewright.kernel.judging.move_resolution import carry_out
from talewright.kernel.judging.moves_and_rulings import ENGINE, Op, Update
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.slots.engine_slots import BUNDLES_MAX, ENGINE_ROOT, FACT_LENGTH_MAX, FACTS_MAX
from talewright.kernel.state.changes import Change, apply, invert
from talewright.kernel.state.state import Position, State
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.system import PastTurn, Retention, SystemMemory
from talewright.llm.reply_chunks import StopReason
from talewright.llm.requests import AssistantMessage, Message, ToolCall, ToolResult
from talewright.prompt.lore.lore_selection import word_entry
from talewright.prompt.memory_window import TranscriptWindow, WindowMarks, count_due, is_full
from talewright.prompt.prompt_transcript import (
    SILENCE,
    TranscriptInput,
    TranscriptTurn,
    measure_past,
    write_past,
)
from talewright.prompt.summary_and_facts_part import digest
from talewright.prompt.words import PHRASES
from talewright.turn.engine_number import ENGINE_NUMBER
from talewright.turn.records.commit_body import MODEL, TurnBody, read_body
from talewright.turn.steps.recalling import Recalled
from talewright.turn.turn_progress import TurnProgress

ANSWER_LENGTH_MAX = 16_000
"""Characters of an answer that is shown again as it came; of a longer one only the narration is."""

ERRAND = "errand "
"""How the purposes of asks begin that are no part of the telling."""

TOOLS = "tools"

TRIMMED_SINCE_ENGINE = 3
"""From this engine number on, past answers are repeated without the choices they offered."""


def is_trimmed(engine: int) -> bool:
    """Whether a turn of this engine number is asked for with trimmed answers."""
    return engine >= TRIMMED_SINCE_ENGINE


def retell(
    version: int,
    body: TurnBody,
    game: Game,
    texts: Texts,
    engine: int = ENGINE_NUMBER,
    *,
    plainly: bool = False,
) -> TranscriptTurn:
    """One finished turn, as it is shown in a prompt; `engine` is the number of the turn that asks.

    `plainly`: as prose, for a model that is held to the form of its answers anyway.
    """
    entries = {entry.id: entry for entry in game.lore}
    told = (cast(Mapping[str, str], fired)["id"] for fired in body.lore)
    lore = tuple(word_entry(entries[name], texts) for name in told if name in entries)
    opening = isinstance(body.input, Mapping) and body.input.get("kind") == "opening"
    intro = texts.find("intro")
    # Only an introduction that a model went on from stands nowhere in an answer.
    unheard = opening and body.told == MODEL and intro != "" and body.narration.startswith(intro)
    asked = TranscriptInput(body.said, opening, lore, intro if unheard else "")
    if plainly and game.contract != TOOLS:
        prose = body.narration.removeprefix(intro).strip() if unheard else body.narration
        return TranscriptTurn(version, asked, (AssistantMessage(prose or SILENCE),))
    answer = _retell_answer(version, body, game)
    trimmed = _trim(answer, game) if is_trimmed(engine) else answer
    return TranscriptTurn(version, asked, trimmed, trimmed != answer)


def list_past(commits: Sequence[Commit]) -> tuple[PastTurn, ...]:
    """Finished turns as systems look back on them, oldest first; `commits` are newest first."""
    bodies = [(commit.version, read_body(commit.body)) for commit in reversed(commits) if commit.parent]
    return tuple(
        PastTurn(version, body.said, body.narration, body.changes, body.draws, tuple(_list_messages(body)))
        for version, body in bodies
    )


def _list_messages(body: TurnBody) -> Iterator[Json]:
    """What was said to and fro in a turn, as it was."""
    if body.said:
        yield {"role": "user", "content": body.said}
    yield from _list_answered(body)
    spoken = _find_spoken(body) if body.told == MODEL else []
    for exchange in spoken:
        for message in _retell_round(exchange):
            yield _write_message(message)
    if not spoken and body.narration:
        yield {"role": "assistant", "content": body.narration}


def _list_answered(body: TurnBody) -> Iterator[Json]:
    """What came of a call that had waited for the player: no reply of this turn has made it."""
    answered = body.input.get("decision") if isinstance(body.input, Mapping) else None
    for ruling in cast(Sequence[Mapping[str, Json]], body.rulings):
        move = cast(Mapping[str, Json], ruling["move"])
        if answered and move.get("id") == answered:
            came = {"error": ruling["reason"]} if "reason" in ruling else {"result": ruling.get("result")}
            content = json.dumps(came, ensure_ascii=False, sort_keys=True)
            yield {"role": "tool", "id": answered, "name": move["call"], "content": content}


def _write_message(message: AssistantMessage | ToolResult) -> Json:
    if isinstance(message, AssistantMessage):
        calls: list[Json] = [
            {"id": call.id, "name": call.name, "arguments": call.arguments} for call in message.calls
        ]
        return {"role": "assistant", "content": message.text, **({"calls": calls} if calls else {})}
    refused = {"refused": True} if message.refused else {}
    return {"role": "tool", "id": message.call_id, "name": message.name, "content": message.text, **refused}


def _find_spoken(body: TurnBody) -> list[Mapping[str, Json]]:
    """The replies that were not put right by later ones."""
    return [
        exchange
        for exchange in cast(Sequence[Mapping[str, Json]], body.exchanges)
        if not ("mend" in exchange or "trouble" in exchange or str(exchange["purpose"]).startswith(ERRAND))
    ]


def _retell_answer(version: int, body: TurnBody, game: Game) -> tuple[Message, ...]:
    spoken = _find_spoken(body)
    if body.told == MODEL and spoken:
        if game.contract == TOOLS:
            return tuple(message for exchange in spoken for message in _retell_round(exchange))
        text = str(spoken[-1]["text"])
        # Where a repair brought only the updates, its text is not the answer that stands.
        if len(text) <= ANSWER_LENGTH_MAX and "updates_only" not in spoken[-1]:
            return (AssistantMessage(text),)
    spell = _SPELLINGS.get(game.contract, _spell_plainly)
    return (AssistantMessage(spell(version, body)),)


def _trim(answer: tuple[Message, ...], game: Game) -> tuple[Message, ...]:
    """An answer without the choices it offered."""
    return tuple(
        AssistantMessage(
            drop_choices(game.contract, message.text),
            tuple(replace(call, arguments=drop_offered(call.name, call.arguments)) for call in message.calls),
        )
        if isinstance(message, AssistantMessage)
        else message
        for message in answer
    )


def _retell_round(exchange: Mapping[str, Json]) -> list[AssistantMessage | ToolResult]:
    """One reply with its calls, and what came of them."""
    calls = cast(Sequence[Mapping[str, str]], exchange.get("calls", ()))
    results = cast(Sequence[Mapping[str, Json]], exchange.get("results", ()))
    named = {call["id"]: call["name"] for call in calls}
    made = tuple(ToolCall(call["id"], call["name"], call["arguments"]) for call in calls)
    text = str(exchange["text"])
    if exchange["stop"] == StopReason.LENGTH.value:
        # What came after its last whole sentence was not told.
        text = keep_whole_sentences(text)
    return [
        AssistantMessage(text, made),
        *(
            ToolResult(str(one["id"]), named[str(one["id"])], str(one["text"]), bool(one["refused"]))
            for one in results
        ),
    ]


def _spell_plainly(version: int, body: TurnBody) -> str:
    return body.narration or SILENCE


def _spell_card(version: int, body: TurnBody) -> str:
    answer: dict[str, Json] = {
        NARRATIVE: body.narration or SILENCE,
        "choices": [
            {"id": offer.id, "label": offer.label, "hint": offer.hint, "risk": offer.risk, "tags": []}
            for offer in body.choices
        ],
        "state_updates": [],
        # Until the window is cut they are remembered nowhere else in a prompt.
        "new_facts": list(body.facts),
        "events": [],
        "end": {"is_game_over": False, "ending_id": "", "reason": ""},
    }
    return json.dumps(answer, ensure_ascii=False)


def _spell_bundle(version: int, body: TurnBody) -> str:
    before = version - 1
    bundle: dict[str, Json] = {
        "schema_version": SCHEMA_VERSION,
        "operation_id": f"turn-{version}",
        "base_version": before,
        "patch": [
            {"op": "test", "path": "/version", "value": before},
            {"op": "replace", "path": "/version", "value": version},
        ],
        "events": [],
        "next_actions": [offer.label for offer in body.choices],
    }
    return f"{body.narration or SILENCE}\n```json\n{json.dumps(bundle, ensure_ascii=False)}\n```"


_SPELLINGS: Mapping[str, Callable[[int, TurnBody], str]] = {"cards": _spell_card, "patch": _spell_bundle}

WINDOW = "window"
"""The cut of the oldest turns of a transcript: `{cut, by, first, from}`."""

MEMORY = "memory"
"""The cut that says that the memory was made anew: `{cut, why}`."""


@frozen
class Recollection:
    """The past turns of a window, oldest first."""

    bodies: tuple[TurnBody, ...]
    pasts: tuple[TranscriptTurn, ...]
    sizes: tuple[int, ...]
    """A guess at the tokens of each."""

    def after(self, count: int) -> "Recollection":
        """Without the oldest turns."""
        return Recollection(self.bodies[count:], self.pasts[count:], self.sizes[count:])

    def tell(self, count: int) -> list[tuple[int, str, str]]:
        """The oldest turns as they are condensed: version, what was said, what was told."""
        turns = zip(self.pasts[:count], self.bodies, strict=False)
        return [(past.version, body.said, body.narration) for past, body in turns]


async def recollect(
    book: CampaignBook,
    recalled: Recalled,
    window: TranscriptWindow,
    game: Game,
    texts: Texts,
    engine: int = ENGINE_NUMBER,
    *,
    plainly: bool = False,
) -> Recollection:
    """Read the turns of a window, for a turn of this engine number; `plainly` as in `retell`."""
    commits = [commit for commit in recalled.past if commit.version >= window.first]
    wanted = recalled.head.version - window.first + 1
    if len(commits) < wanted:
        commits = list(await book.back(recalled.head.id, wanted))
    bodies = {commit.version: read_body(commit.body) for commit in reversed(commits)}
    pasts = tuple(
        retell(version, body, game, texts, engine, plainly=plainly) for version, body in bodies.items()
    )
    phrases = pick_words(texts.language, PHRASES)
    sizes = tuple(measure_past(write_past(past, phrases)) for past in pasts)
    return Recollection(tuple(bodies.values()), pasts, sizes)


def find_due(
    recollection: Recollection,
    window: TranscriptWindow,
    turn: int,
    marks: WindowMarks,
    wish: Retention | None = None,
) -> int:
    """How many of the oldest turns are to be condensed before the turn that comes next."""
    spared_from = None if wish is None else count_older(recollection, window, wish)
    return count_due(recollection.sizes, turn - window.cut_at, marks, spared_from)


def ask_retention(game: Game, position: Position) -> Retention | None:
    """Which turns the systems want to stay word for word: the oldest that any of them names."""
    table = WorkingState(game, position)
    asked = (system.retention(table.sight(system)) for system in game.systems)
    wishes = [wish for wish in asked if wish is not None]
    if not wishes:
        return None
    return Retention(min(wish.first for wish in wishes), any(wish.due for wish in wishes))


def count_older(recollection: Recollection, window: TranscriptWindow, wish: Retention) -> int:
    """How many turns of a window nobody needs to have there word for word."""
    return min(max(wish.first - window.first, 0), len(recollection.sizes))


def cut_by_engine(
    working: TurnProgress, recollection: Recollection, marks: WindowMarks, texts: Texts
) -> Recollection:
    """Cut a window that is full and for which no summary has come, or whose oldest turns the systems let go.

    What goes is told in a summary of the engine's own.
    """
    window, turn = working.window, working.position.turn
    wish = ask_retention(working.game, working.position)
    let_go = count_older(recollection, window, wish) if wish is not None and wish.due else 0
    full = is_full(recollection.sizes, marks)
    count = max(let_go, find_due(recollection, window, turn, marks, wish) if full else 0)
    if not count:
        return recollection
    summary = digest(
        read_summary(working.position), recollection.tell(count), pick_words(texts.language, PHRASES)
    )
    by = "system" if count == let_go else "engine"
    take_summary(working, summary, window.first + count, {"by": by})
    return recollection.after(count)


def begin_epoch(working: TurnProgress) -> None:
    """Have the memory made anew from here on: what systems kept before may not fit their slots any more."""
    working.window = replace(working.window, cut_at=working.position.turn, known=len(working.changes))
    working.cuts.append({"cut": MEMORY, "why": "edition"})


def take_summary(working: TurnProgress, summary: Json, first: int, about: dict[str, Json]) -> bool:
    """Let a summary stand for the turns before `first`; false where it cannot be kept."""
    update = Update(Op.SET, f"{ENGINE_ROOT}.summary", summary)
    step = carry_out(working.game, working.position, (update,), ENGINE)
    if step.events:
        return False
    # The ruling would only repeat the text, which stands in the change already.
    working.position = step.position
    working.changes += step.changes
    window = working.window
    turn, known = working.position.turn, len(working.changes)
    working.window = replace(window, first=first, cut_at=turn, known=known)
    working.cuts.append({"cut": WINDOW, "from": window.first, "first": first, **about})
    return True


def read_summary(position: Position) -> str:
    """What lies behind the window, in words."""
    memory = position.state.document[ENGINE_ROOT]
    assert isinstance(memory, dict)
    return cast(str, memory["summary"])


def find_cut(recalled: Recalled, working: TurnProgress, recollection: Recollection) -> Position:
    """The position as it was when the window was last cut: what came later stands in the transcript still."""
    window = working.window
    if window.cut_at == working.position.turn:
        return working.position
    since: list[Change] = []
    for past, body in zip(recollection.pasts, recollection.bodies, strict=True):
        if past.version >= window.cut_at:
            since += body.changes[window.known if past.version == window.cut_at else 0 :]
    if recalled.adoption is not None:
        since += recalled.adoption.changes
    document = apply(recalled.position.state.document, invert(since))
    return replace(recalled.position, state=State(document, max(window.cut_at - 1, 0)))


def read_facts(position: Position) -> tuple[str, ...]:
    """What is remembered as true."""
    memory = position.state.document[ENGINE_ROOT]
    assert isinstance(memory, dict)
    return tuple(memory["facts"])


def list_memories(game: Game, position: Position) -> tuple[SystemMemory, ...]:
    """What the systems want to be kept in view."""
    table = WorkingState(game, position)
    found = (memory for system in game.systems for memory in system.memories(table.sight(system)))
    return tuple(memory for memory in found if memory.text.strip())


def remember(working: TurnProgress) -> None:
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
