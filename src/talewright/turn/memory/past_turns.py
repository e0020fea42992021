"""Past turns: finished turns, as shown again to a storyteller and as systems see them when they look back.

The model's answers stay as they came, tool rounds included, except for the choices they offered. A turn
narrated by scenes or from outside is put into the form of the model's own answers, since the model learns
that form from what it sees.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import cast

from talewright.chronicle.records import Commit
from talewright.common.json_values import Json
from talewright.contract.cards.cards_schema import NARRATIVE
from talewright.contract.patch.patch_bundle import SCHEMA_VERSION
from talewright.contract.text.sentences import keep_whole_sentences
from talewright.contract.tools.engine_tools import OFFER_CHOICES
from talewright.kernel.game import Game
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.system import PastTurn
from talewright.llm.reply_chunks import StopReason
from talewright.llm.requests import AssistantMessage, Message, ToolCall, ToolResult
from talewright.prompt.lore.lore_selection import word_entry
from talewright.prompt.past_turns_part import (
    DISARMED_SINCE_ENGINE,
    SILENCE,
    TranscriptInput,
    TranscriptTurn,
    disarm_input,
)
from talewright.turn.engine_number import ENGINE_NUMBER
from talewright.turn.fold_cache import PastBodies
from talewright.turn.records.commit_body import MODEL, TurnBody, read_body

ANSWER_LENGTH_MAX = 16_000
"""The longest answer, in characters, that is shown again as it came; a longer one is cut to its narration."""

ERRAND = "errand "
"""How the purposes of asks that are not part of the narration begin."""

TOOLS = "tools"

TRIMMED_SINCE_ENGINE = 3
"""From this engine number on, past answers are repeated without the choices they offered."""


PLAIN_SINCE_ENGINE = 5
"""From this engine number on, an external game master reads past turns as they were narrated."""


def is_trimmed(engine: int) -> bool:
    """Whether a turn of this engine number gets past answers without their choices."""
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

    With `plainly` it is prose: for a model whose answers must follow a form anyway, and for a game master.
    """
    entries = {entry.id: entry for entry in game.lore}
    told = (cast(Mapping[str, str], fired)["id"] for fired in body.lore)
    lore = tuple(word_entry(entries[name], texts) for name in told if name in entries)
    opening = isinstance(body.input, Mapping) and body.input.get("kind") == "opening"
    intro = texts.find("intro")
    # Only an introduction that a model continued is missing from its answer.
    unheard = opening and body.told == MODEL and intro != "" and body.narration.startswith(intro)
    said = disarm_input(body.said) if engine >= DISARMED_SINCE_ENGINE else body.said
    asked = TranscriptInput(said, opening, lore, intro if unheard else "")
    if plainly:
        prose = body.narration.removeprefix(intro).strip() if unheard else body.narration
        return TranscriptTurn(version, asked, (AssistantMessage(prose or SILENCE),))
    answer = _retell_answer(version, body, game)
    trimmed = _trim(answer, game) if is_trimmed(engine) else answer
    return TranscriptTurn(version, asked, trimmed, trimmed != answer)


def list_past(commits: Sequence[Commit], kept: PastBodies | None = None) -> tuple[PastTurn, ...]:
    """Finished turns as systems look back on them, oldest first; `commits` are newest first."""
    read = _read_anew if kept is None else kept.read
    bodies = [(commit, read(commit)) for commit in reversed(commits) if commit.parent]
    return tuple(
        PastTurn(
            commit.version,
            body.said,
            body.narration,
            body.changes,
            body.draws,
            tuple(_list_messages(body)),
            body.rolls,
            commit.at,
        )
        for commit, body in bodies
    )


def _read_anew(commit: Commit) -> TurnBody:
    return read_body(commit.body)


def _list_messages(body: TurnBody) -> Iterator[Json]:
    """The messages of a turn in both directions, as they were."""
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
    """The results of calls that had waited for the player: no reply of this turn made them."""
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
    """The replies that no later reply replaced."""
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
        # If a repair brought only the updates, its text is not the accepted answer.
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
    """One reply with its calls and their results."""
    calls = cast(Sequence[Mapping[str, str]], exchange.get("calls", ()))
    results = cast(Sequence[Mapping[str, Json]], exchange.get("results", ()))
    named = {call["id"]: call["name"] for call in calls}
    made = tuple(ToolCall(call["id"], call["name"], call["arguments"]) for call in calls)
    text = str(exchange["text"])
    if exchange["stop"] == StopReason.LENGTH.value:
        # The text after its last whole sentence was not narrated.
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
        # Until the window is cut, no other part of a prompt remembers them.
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


_DECODER = json.JSONDecoder(strict=False)

_LISTS: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        name: re.compile(rf'"{member}"\s*+:\s*+(?=\[)')
        for name, member in (("cards", "choices"), ("patch", "next_actions"), (OFFER_CHOICES, "choices"))
    }
)
"""Where the choices begin, by the name of the dialect or of the tool. Within a JSON string the quotes would
be escaped, so that narration is never taken for a member.
"""


def drop_choices(dialect: str, answer: str) -> str:
    """An answer in a dialect, with an empty list for its choices."""
    return _empty_list(_LISTS[dialect], answer) if dialect in _LISTS else answer


def drop_offered(tool: str, arguments: str) -> str:
    """The arguments of a tool call; a call that offers choices gets an empty list of them."""
    return _empty_list(_LISTS[tool], arguments) if tool == OFFER_CHOICES else arguments


def _empty_list(pattern: re.Pattern[str], text: str) -> str:
    # The bundle of a patch answer comes last, whatever the narration before it.
    starts = [found.end() for found in pattern.finditer(text)]
    if not starts:
        return text
    try:
        _, end = _DECODER.raw_decode(text, starts[-1])
    except (ValueError, RecursionError):
        return text
    return f"{text[: starts[-1]]}[]{text[end:]}"
