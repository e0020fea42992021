"""The bundle of a patch answer: its JSON object, validated and converted to moves, choices and events.

The essential members (version, id, operations) must be right. The advisory ones (`events`, `next_actions`,
the figures of `mechanics`) never cause a repair: what does not fit is reported once and left out.
"""

import json
from collections.abc import Mapping, Sequence

from talewright.common.json_values import Json, equal, quote_value
from talewright.contract.dialect import AnswerGround, ModelAnswer, SuggestedChoice
from talewright.contract.patch.patch_operations import frame_operation, read_operations
from talewright.contract.text.answer_json import AnswerFindings
from talewright.kernel.judging.moves import MODEL, Call, Move
from talewright.kernel.story.triggers import Event

SCHEMA_VERSION = "1.2"
ATTEMPT = "attempt"
"""The tool that judges `mechanics`, in games that have it."""

OPERATION_ID_LENGTH_MAX = 100
NEXT_ACTIONS_MAX = 6
ACTION_LENGTH_MAX = 200
EVENTS_MAX = 12
EVENT_LENGTH_MAX = 500
EVENT_TYPE_LENGTH_MAX = 50
EVENT_TYPE = "info"
"""The default type of an event."""

MECHANICS_LENGTH_MAX = 4_000
"""Characters of `mechanics`, written as JSON."""

_NUMBERS = ("skill_value", "rand", "p")
_TEXTS = ("outcome", "notes")
_NEEDED = (("skill_used", "skill"), ("difficulty",))
"""The members that an attempt must have, each under one of its names."""

_NOTHING: tuple[Json, ...] = (None, "")


def read_bundle(bundle: Mapping[str, Json], ground: AnswerGround) -> ModelAnswer:
    """The content of a bundle, without prose; flaws are about its form only."""
    findings = AnswerFindings()
    version = ground.position.state.version
    if ground.short:
        bundle = complete_bundle(bundle, ground)
    if bundle.get("schema_version") != SCHEMA_VERSION:
        given = quote_value(bundle.get("schema_version"))
        findings.add(f'`schema_version` must be "{SCHEMA_VERSION}", not {given}')
    operation_id = _read_operation_id(bundle.get("operation_id"), ground, findings)
    if not equal(bundle.get("base_version"), version):
        findings.add(f"`base_version` must be {version}, not {quote_value(bundle.get('base_version'))}")
    updates = read_operations(bundle.get("patch"), ground, findings)
    mechanics = _read_mechanics(bundle.get("mechanics"), findings)
    return ModelAnswer(
        moves=(*_attempt(mechanics, operation_id, ground), *updates),
        choices=_read_actions(bundle.get("next_actions"), findings),
        events=_read_events(bundle.get("events"), findings),
        flaws=findings.flaws,
        operation_id=operation_id,
        mechanics=mechanics,
    )


def complete_bundle(bundle: Mapping[str, Json], ground: AnswerGround) -> Mapping[str, Json]:
    """A bundle of the short form, completed with the members it leaves out because the engine knows them."""
    version = ground.position.state.version
    name = f"turn-{version + 1}"
    while name in ground.used_operations:
        name += "b"
    whole: dict[str, Json] = {
        "schema_version": SCHEMA_VERSION,
        "operation_id": name,
        "base_version": version,
        "patch": [],
        **bundle,
    }
    changes = whole["patch"]
    if "base_version" not in bundle and isinstance(changes, list):
        whole["patch"] = [frame_operation("test", version), *changes, frame_operation("replace", version + 1)]
    return whole


def read_attempt(bundle: Mapping[str, Json], ground: AnswerGround) -> ModelAnswer:
    """The content of a first request: only the attempt. The bundle that counts comes with the second."""
    findings = AnswerFindings()
    if "mechanics" not in bundle:
        findings.add(
            "`mechanics` is missing; name skill_used and difficulty, or give null if nothing is tried"
        )
    if bundle.get("patch"):
        findings.add(
            "`patch` was passed over; it comes with the narration, once the outcome is known", soft=True
        )
    mechanics = _read_mechanics(bundle.get("mechanics"), findings)
    for names in _NEEDED:
        if mechanics is not None and all(mechanics.get(name) in _NOTHING for name in names):
            findings.add(f"`mechanics.{names[0]}` is missing; without it the attempt cannot be judged")
    return ModelAnswer(
        moves=_attempt(mechanics, _take_name(bundle.get("operation_id")), ground),
        flaws=findings.flaws,
        mechanics=mechanics,
    )


def _take_name(value: Json) -> str:
    return value.strip() if isinstance(value, str) else ""


def _read_operation_id(value: Json, ground: AnswerGround, findings: AnswerFindings) -> str:
    name = _take_name(value)
    if not name or len(name) > OPERATION_ID_LENGTH_MAX:
        told = f"a text of 1 to {OPERATION_ID_LENGTH_MAX} characters that no other bundle has"
        findings.add(f"`operation_id` must be {told}, not {quote_value(value)}")
        return ""
    if name in ground.used_operations:
        findings.add(
            f"`operation_id` {quote_value(name)} has been used already in this story; choose another"
        )
    return name


def _attempt(mechanics: Mapping[str, Json] | None, name: str, ground: AnswerGround) -> tuple[Move, ...]:
    if mechanics is None or ATTEMPT not in ground.tools:
        return ()
    return (Call(ATTEMPT, mechanics, name),)


def _read_mechanics(value: Json, findings: AnswerFindings) -> dict[str, Json] | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        findings.add(f"`mechanics` must be an object, not {quote_value(value)}", soft=True)
        return None
    if len(json.dumps(value, ensure_ascii=False)) > MECHANICS_LENGTH_MAX:
        findings.add(f"`mechanics` has more than {MECHANICS_LENGTH_MAX} characters", soft=True)
        return None
    kept = dict(value)
    for name in (*_NUMBERS, *_TEXTS):
        given = value.get(name)
        fits = isinstance(given, str) if name in _TEXTS else _is_number(given)
        if given is not None and not fits:
            wanted = "a text" if name in _TEXTS else "a number"
            findings.add(f"`mechanics.{name}` must be {wanted}, not {quote_value(given)}", soft=True)
            del kept[name]
    return kept


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _read_actions(value: Json, findings: AnswerFindings) -> tuple[SuggestedChoice, ...]:
    labels = []
    for number, element in enumerate(_take_list(value, "next_actions", NEXT_ACTIONS_MAX, findings)):
        label = " ".join(element.split()) if isinstance(element, str) else ""
        if not label or len(label) > ACTION_LENGTH_MAX:
            told = f"must be a text of 1 to {ACTION_LENGTH_MAX} characters, not {quote_value(element)}"
            findings.add(f"`next_actions[{number}]` {told}", soft=True)
        else:
            labels.append(label)
    return tuple(
        SuggestedChoice(f"action_{number}", label) for number, label in enumerate(dict.fromkeys(labels), 1)
    )


def _read_events(value: Json, findings: AnswerFindings) -> tuple[Event, ...]:
    events = (_read_event(element) for element in _take_list(value, "events", EVENTS_MAX, findings))
    return tuple(event for event in events if event.text)


def _read_event(element: Json) -> Event:
    """An event in words: the message of an object, or all of it if it has none."""
    kind, text = EVENT_TYPE, element
    if isinstance(element, dict):
        kind = _take_name(element.get("type"))[:EVENT_TYPE_LENGTH_MAX] or kind
        said = (element.get(name) for name in ("message", "text", "description"))
        text = next((words for words in said if isinstance(words, str)), element)
    if not isinstance(text, str):
        text = json.dumps(text, ensure_ascii=False)
    return Event(kind, text.strip()[:EVENT_LENGTH_MAX], MODEL)


def _take_list(value: Json, where: str, count_max: int, findings: AnswerFindings) -> Sequence[Json]:
    if value is None:
        return ()
    if not isinstance(value, list):
        findings.add(f"`{where}` must be a list in brackets [], not {quote_value(value)}", soft=True)
        return ()
    if len(value) > count_max:
        findings.add(f"`{where}` has {len(value)} elements; give at most {count_max}", soft=True)
    return value[:count_max]
