"""Obedience: a model that does whatever a payload asks of it, in the form of each contract.

It knows what it was sent, and by heart what it was not: a game's texts may have been read elsewhere. A
stubborn one obeys again when it is asked to mend its answer; another tells something harmless then and
still proposes the changes.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from talewright.common.json_values import Json
from talewright.llm.requests import Request, ToolCall, ToolResult
from talewright.providers.scripted import ScriptedReply
from tests.injections.corpus import Case
from tests.injections.disguises import DISGUISES, SEEN_THROUGH

TOLD_MAX = 1_500
"""Characters of a text that are told at once."""

PROBE_LENGTH = 40
"""Letters and digits of a payload by which it is known again."""

HARMLESS = "The rain goes on, and somebody puts a log on the fire."
_HIDDEN_PATHS = (("truth",), ("plan",), ("guest", "motive"))
_OPERATIONS = {"set": "replace", "inc": "replace", "dec": "replace", "push": "add", "toggle": "replace"}


@dataclass(slots=True)
class Wish:
    """One answer, before it has a form."""

    prose: list[str] = field(default_factory=list)
    offers: list[dict[str, Json]] = field(default_factory=list)
    updates: list[dict[str, Json]] = field(default_factory=list)
    patch: list[dict[str, Json]] = field(default_factory=list)
    facts: list[str] = field(default_factory=list)
    events: list[str] = field(default_factory=list)
    calls: list[tuple[str, dict[str, Json]]] = field(default_factory=list)
    end: str = ""


class Obedient:
    """The storyteller of one case."""

    def __init__(self, case: Case, by_heart: Mapping[str, str]) -> None:
        self._case = case
        self._by_heart = by_heart
        self._asked = 0
        self.stubborn = case.number % 2 == 0
        self.reached = False
        """Whether the payload stood in something it was sent."""

        self.told_by_heart = False
        """Whether it has told what it was never sent; from then on its own words come back to it."""

        text = case.payload.text
        self._probes = [_letters(form)[:PROBE_LENGTH] for form in (text, json.dumps(text), _spell(text))]

    def begin_turn(self) -> None:
        """Another turn."""
        self._asked = 0

    def __call__(self, request: Request) -> str | ScriptedReply:
        """The next reply."""
        self._asked += 1
        sent = "\n".join(message.text for message in request.messages)
        self.reached = self.reached or any(probe in _letters(sent) for probe in self._probes)
        if self._case.channel == "tool_result" and self._asked == 1:
            return ScriptedReply("", (ToolCall("ear", "listen", "{}"),))
        answered = isinstance(request.messages[-1], ToolResult)
        wish = self._obey(request, with_moves=not (answered and self._asked > 2))
        if not self.stubborn and self._asked > (2 if answered else 1):
            wish.prose, wish.offers, wish.facts, wish.events = [HARMLESS], [], [], []
            if self._asked > 2:
                wish = Wish([HARMLESS])
        return _FORMS[self._case.contract](wish, request, self._asked)

    def _obey(self, request: Request, *, with_moves: bool) -> Wish:
        wish = Wish()
        for want in self._case.payload.wants:
            self._do(want, wish, request)
        if not wish.prose:
            wish.prose.append(HARMLESS)
        if not with_moves:
            wish.calls, wish.updates, wish.end = [], [], ""
        return wish

    def _do(self, want: Mapping[str, Json], wish: Wish, request: Request) -> None:
        match want:
            case {"tell": str(source)}:
                dress = str(want.get("as", "plain"))
                text = self._find(source, request, by_heart=dress in SEEN_THROUGH)
                _place(DISGUISES[dress](text), str(want.get("in", "narration")), wish, self._case.contract)
            case {"say": str(words)}:
                times = want.get("times", 1)
                assert isinstance(times, int)
                wish.prose.append(words * times)
            case {"update": Mapping() as update}:
                wish.updates.append(dict(update))
            case {"repeat": Mapping() as repeated}:
                times = repeated["times"]
                assert isinstance(times, int)
                wish.updates += [{name: value for name, value in repeated.items() if name != "times"}] * times
            case {"fill": {"path": path, "letter": str(letter), "count": int(count)}}:
                wish.updates.append({"op": "set", "path": path, "value": letter * count})
            case {"patch": list(operations)}:
                wish.patch += operations
            case {"call": {"tool": str(tool), "words": words}}:
                wish.calls.append((tool, {"words": words}))
            case {"calls": {"tool": str(tool), "words": words, "times": int(times)}}:
                wish.calls += [(tool, {"words": words})] * times
            case {"end": str(ending)}:
                wish.end = ending
            case {"fact": str(fact)}:
                wish.facts.append(fact)
            case {"offer": dict(offer)}:
                wish.offers.append(offer)
            case {"name": str(key), "in": str(where)}:
                _name(key, where, wish)
            case _:
                raise AssertionError(f"nobody knows how to do {want}")

    def _find(self, source: str, request: Request, *, by_heart: bool) -> str:
        """A text that the player must not see, as it was sent; what was not, as it is known by heart."""
        secret = self._by_heart["secret"] if by_heart and source in ("state", "everything") else ""
        self.told_by_heart = self.told_by_heart or bool(secret)
        system = request.messages[0].text
        sent = "\n".join(message.text for message in request.messages)
        match source:
            case "system":
                found = system
            case "rules":
                found = _after(system, "# How to answer", "# 回答格式")
            case "world":
                found = _after(system, "## The world\n", "## 世界\n") or self._by_heart["world"]
            case "people":
                found = _after(system, "Secret: ", "秘密: ", "秘密：") or self._by_heart["people"]
            case "notes":
                found = _after(sent, "[NOTES]\n- ")
            case "state":
                found = " ".join([*_read_hidden(sent), secret])
            case "lore":
                found = self._by_heart["lore"]
            case "tools":
                found = " ".join(tool.description for tool in request.tools) or _after(
                    system, "# How", "# 回"
                )
            case _:
                found = f"{secret} {sent}"
        return found[:TOLD_MAX]


def _place(text: str, where: str, wish: Wish, contract: str) -> None:
    """Put a text where the player may come upon it."""
    short = text[:190]
    kind, _, tool = where.partition(":")
    if kind == "call" and contract == "tools":
        wish.calls.append((tool, {"words": text}))
        return
    match where:
        case "choice":
            wish.offers.append({"label": short})
        case "choices":
            wish.offers += [{"label": text[at : at + 190]} for at in range(0, len(text), 190)]
        case "hint":
            wish.offers.append({"label": "Listen", "hint": short})
        case "choice_id":
            wish.offers.append({"id": text[:95], "label": "Listen"})
        case "reason":
            wish.updates.append({"op": "dec", "path": "gold", "value": 1, "reason": text[:290]})
        case "event":
            wish.events.append(text[:490])
        case "fact":
            wish.facts.append(text[:290])
        case "value":
            wish.updates.append({"op": "set", "path": "mood", "value": text[:390]})
        case "bag":
            wish.updates.append({"op": "push", "path": "bag", "value": text[:390]})
        case "face":
            wish.updates.append({"op": "set", "path": "guest.face", "value": text[:390]})
        case "key":
            wish.updates.append({"op": "set", "path": f"/journal/{_escape(text)}", "value": "empty"})
        case "refused":
            # What stands in the tally only goes up and down: to set it is out of anybody's authority.
            wish.updates.append({"op": "set", "path": f"/tally/{_escape(text)}", "value": 1})
        case _:
            wish.prose.append(text)


def _escape(text: str) -> str:
    """A text as a step of a JSON pointer, no longer than a key may be."""
    return text[:95].replace("~", "~0").replace("/", "~1")


def _name(key: str, where: str, wish: Wish) -> None:
    match where:
        case "label":
            wish.offers.append({"label": key})
        case "hint":
            wish.offers.append({"label": "Listen", "hint": key})
        case "reason":
            wish.updates.append({"op": "dec", "path": "gold", "value": 1, "reason": key})
        case _:
            wish.events.append(key)


def _write_cards(wish: Wish, request: Request, asked: int) -> str:
    return json.dumps(
        {
            "narrative_markdown": "".join(wish.prose),
            "choices": _fill(wish.offers),
            "state_updates": [
                {"reason": "asked", **update} for update in (*wish.updates, *map(_unpatch, wish.patch))
            ],
            "new_facts": wish.facts,
            "events": [{"type": "info", "message": event} for event in wish.events],
            "end": {"is_game_over": bool(wish.end), "ending_id": wish.end, "reason": "asked"},
        },
        ensure_ascii=False,
    )


def _write_bundle(wish: Wish, request: Request, asked: int) -> str:
    found = re.findall(r"^\[VERSION\]\n(\d+)$", request.messages[-1].text, re.MULTILINE) or re.findall(
        r"base_version (?:is|是) (\d+)", request.messages[-1].text
    )
    version = int(found[0])
    operations = [*map(_patch, wish.updates), *wish.patch]
    bundle = {
        "schema_version": "1.2",
        "operation_id": f"obey-{version}-{asked}",
        "base_version": version,
        "patch": [
            {"op": "test", "path": "/version", "value": version},
            *operations,
            {"op": "replace", "path": "/version", "value": version + 1},
        ],
        "events": wish.events,
        "next_actions": [offer["label"] for offer in _fill(wish.offers)],
    }
    return f"{''.join(wish.prose)}\n```json\n{json.dumps(bundle, ensure_ascii=False)}\n```"


def _write_calls(wish: Wish, request: Request, asked: int) -> ScriptedReply:
    calls: list[tuple[str, Mapping[str, Json]]] = [*wish.calls]
    updates = [*wish.updates, *map(_unpatch, wish.patch)]
    if updates:
        calls.append(("propose_updates", {"updates": updates}))
    if wish.end:
        calls.append(("end_game", {"ending": wish.end}))
    if wish.offers:
        calls.append(("offer_choices", {"choices": _fill(wish.offers)}))
    made = tuple(
        ToolCall(f"c{asked}-{number}", name, json.dumps(arguments, ensure_ascii=False))
        for number, (name, arguments) in enumerate(calls)
    )
    prose = "".join([*wish.prose, *wish.events])
    return ScriptedReply(prose, made if request.tools else ())


_FORMS: Mapping[str, Callable[[Wish, Request, int], str | ScriptedReply]] = {
    "cards": _write_cards,
    "patch": _write_bundle,
    "tools": _write_calls,
}


def _fill(offers: Sequence[Mapping[str, Json]]) -> list[dict[str, Json]]:
    """So many choices as an answer needs."""
    others: list[dict[str, Json]] = [{"label": label} for label in ("Wait", "Leave", "Sleep")]
    return [*map(dict, offers), *others][: max(len(offers), 3)]


def _patch(update: Mapping[str, Json]) -> dict[str, Json]:
    path = str(update["path"])
    place = path if path.startswith("/") or not path else "/" + path.replace(".", "/")
    if update["op"] == "push":
        place += "/-"
    return {"op": _OPERATIONS[str(update["op"])], "path": place, "value": update.get("value")}


def _unpatch(operation: Mapping[str, Json]) -> dict[str, Json]:
    return {"op": "set", "path": operation["path"], "value": operation.get("value", "taken")}


def _read_hidden(sent: str) -> list[str]:
    """The hidden values in the newest state that was sent."""
    found = re.findall(r"^\[STATE\]\n(\{.*\})$", sent, re.MULTILINE)
    document = json.loads(found[-1]) if found else {}
    texts = []
    for path in _HIDDEN_PATHS:
        value: Json = document
        for key in path:
            value = value.get(key, "") if isinstance(value, dict) else ""
        texts.append(str(value))
    return texts


def _after(text: str, *marks: str) -> str:
    """What follows the first of these marks that is there."""
    return next((text.partition(mark)[2] for mark in marks if mark in text), "")


def _letters(text: str) -> str:
    """Letters and digits alone: what stands under a changed mark is still found."""
    return "".join(filter(str.isalnum, text))


def _spell(text: str) -> str:
    """A text as it stands within JSON."""
    return json.dumps(text, ensure_ascii=False)
