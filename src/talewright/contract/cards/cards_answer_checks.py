"""The members of a cards answer: validated and converted to moves, choices, facts and events.

Unknown members are ignored. `new_facts`, `events` and `end` may be missing, meaning that nothing happened;
`state_updates` may not, since forgotten changes would look the same. The kernel judges whether a path exists
and a value fits.

Choices are silently corrected where the player would not notice: a missing, numeric or duplicate id, a choice
that is only a label or occurs twice, a missing risk (low), a risk in other letter case or in Chinese, one tag
instead of a list. Everything else that does not fit is a flaw.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import replace

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json, quote_value
from talewright.common.name_suggestions import nearest
from talewright.contract.cards.cards_schema import (
    CHOICES_MAX,
    CHOICES_MIN,
    EVENT_LENGTH_MAX,
    EVENT_TYPE_LENGTH_MAX,
    EVENTS_MAX,
    FACT_LENGTH_MAX,
    FACTS_MAX,
    HINT_LENGTH_MAX,
    ID_LENGTH_MAX,
    LABEL_LENGTH_MAX,
    MEMBERS,
    NARRATIVE,
    NARRATIVE_ASKED_MAX,
    REASON_LENGTH_MAX,
    TAG_LENGTH_MAX,
    TAGS_MAX,
)
from talewright.contract.dialect import AnswerGround, ModelAnswer, SuggestedChoice
from talewright.contract.text.answer_json import AnswerFindings, strip_controls, strip_document
from talewright.kernel.judging.moves import CARD_OPS, MODEL, End, Move, Op, Update
from talewright.kernel.judging.rulings import Flaw
from talewright.kernel.state.state_paths import PATH_LENGTH_MAX
from talewright.kernel.story.scenes import Risk
from talewright.kernel.story.triggers import Event

CHOICE_EXAMPLE = '{"id": "...", "label": "...", "hint": "...", "risk": "low", "tags": []}'

_RISKS = {**{risk.value: risk for risk in Risk}, "低": Risk.LOW, "中": Risk.MEDIUM, "高": Risk.HIGH}


def read_choices(value: Json, findings: AnswerFindings) -> tuple[SuggestedChoice, ...]:
    """The choices that can be read; their number is not checked here."""
    offers: list[SuggestedChoice] = []
    taken: set[str] = set()
    labels: set[str] = set()
    for number, element in enumerate(findings.take_list(value, "choices", CHOICES_MAX)):
        where = f"choices[{number}]"
        fields = {"label": element} if isinstance(element, str) else element
        known = findings.take_object(fields, where, CHOICE_EXAMPLE)
        offer = _read_choice(known, where, findings) if known is not None else None
        if offer is None or _plain(offer.label) in labels:
            continue
        labels.add(_plain(offer.label))
        offers.append(replace(offer, id="") if offer.id in taken else offer)
        taken.add(offer.id)
    return tuple(
        offer if offer.id else replace(offer, id=_make_id(number, taken))
        for number, offer in enumerate(offers, start=1)
    )


def _make_id(number: int, taken: set[str]) -> str:
    made = f"choice_{number}"
    while made in taken:
        made += "_"
    return made


def _read_choice(fields: Mapping[str, Json], where: str, findings: AnswerFindings) -> SuggestedChoice | None:
    label = findings.take_text(fields.get("label"), f"{where}.label", LABEL_LENGTH_MAX, needed=True)
    given = fields.get("id")
    if isinstance(given, int) and not isinstance(given, bool):
        given = str(given)
    offer = SuggestedChoice(
        findings.take_text(given, f"{where}.id", ID_LENGTH_MAX),
        label,
        findings.take_text(fields.get("hint"), f"{where}.hint", HINT_LENGTH_MAX),
        _read_risk(fields.get("risk"), f"{where}.risk", findings),
        _read_tags(fields.get("tags"), f"{where}.tags", findings),
    )
    return offer if label else None


def _read_risk(value: Json, where: str, findings: AnswerFindings) -> Risk:
    if value is None or value == "":
        return Risk.LOW
    risk = _RISKS.get(_plain(value)) if isinstance(value, str) else None
    if risk is None:
        findings.add(f"`{where}` must be low, medium or high, not {quote_value(value)}")
        return Risk.LOW
    return risk


def _plain(word: str) -> str:
    return unicodedata.normalize("NFKC", word).strip().casefold()


def _read_tags(value: Json, where: str, findings: AnswerFindings) -> tuple[str, ...]:
    elements = [value] if isinstance(value, str) else findings.take_list(value, where, TAGS_MAX)
    texts = (
        findings.take_text(element, f"{where}[{number}]", TAG_LENGTH_MAX)
        for number, element in enumerate(elements)
    )
    return tuple(dict.fromkeys(filter(None, texts)))


UPDATE_EXAMPLE = '{"op": "inc", "path": "...", "value": 1, "reason": "..."}'
EVENT_EXAMPLE = '{"type": "info", "message": "..."}'
END_EXAMPLE = '{"is_game_over": false, "ending_id": "", "reason": ""}'
EVENT_TYPE = "info"
"""The default type of an event."""

_OPS = {op.value: op for op in CARD_OPS}
_OPS_OF_OTHERS = {
    "add": "inc for numbers, push for lists",
    "append": "push",
    "assign": "set",
    "decrease": "dec",
    "decrement": "dec",
    "delete": "remove for lists, set for others",
    "increase": "inc",
    "increment": "inc",
    "insert": "push",
    "replace": "set",
    "subtract": "dec",
    "update": "set",
}
"""Operations of other dialects that models write; reported, not corrected, since some are ambiguous."""


def read_members(document: Mapping[str, Json], ground: AnswerGround) -> ModelAnswer:
    """The content of an answer's members, without its prose; flaws are about their form only."""
    return _Members(document, ground).read()


@frozen
class _Closing:
    """The content of `end`."""

    moves: tuple[Move, ...] = ()
    over: bool = False


class _Members:
    """Reads one object."""

    def __init__(self, document: Mapping[str, Json], ground: AnswerGround) -> None:
        self.document = document
        self.ground = ground
        self.findings = AnswerFindings()

    def read(self) -> ModelAnswer:
        if self.ground.updates_only:
            # It is not asked for again; if its form was the flaw, a repair may still bring it.
            moves = (*self.read_updates(), *self.read_end().moves)
            choices = read_choices(self.document.get("choices"), self.findings)
            return ModelAnswer(moves=moves, choices=choices, flaws=self.findings.flaws)
        if self.ground.moves_only:
            moves = (*self.read_updates(), *self.read_end().moves)
            return ModelAnswer(moves=moves, flaws=self.findings.flaws)
        self.check_narrative()
        closing = self.read_end()
        choices = self.read_enough_choices(closing.over)
        updates = self.read_updates()
        return ModelAnswer(
            moves=(*updates, *closing.moves),
            choices=choices,
            facts=self.read_facts(),
            events=self.read_events(),
            flaws=self.findings.flaws,
        )

    def is_there(self, name: str) -> bool:
        """Whether a required member is present; otherwise a flaw names what was perhaps written instead."""
        if name in self.document:
            return True
        near = nearest(name, (other for other in self.document if other not in MEMBERS))
        told = f"; you wrote {quote_value(near)}" if near else ""
        self.findings.add(f"`{name}` is missing{told}")
        return False

    def check_narrative(self) -> None:
        if not self.is_there(NARRATIVE):
            return
        value = self.document[NARRATIVE]
        if not isinstance(value, str):
            self.findings.add(f"`{NARRATIVE}` must be a text in quotes, not {quote_value(value)}")
            return
        text = strip_controls(value)
        if not text.strip():
            self.findings.add(f"`{NARRATIVE}` is empty; tell what happens")
        if len(text) > NARRATIVE_ASKED_MAX:
            told = f"`{NARRATIVE}` has {len(text)} characters; stay within {NARRATIVE_ASKED_MAX} from now on"
            self.findings.add(told, soft=True)

    def read_enough_choices(self, over: bool) -> tuple[SuggestedChoice, ...]:
        needed = not over and not self.ground.author_offers
        if needed and not self.is_there("choices"):
            return ()
        value = self.document.get("choices") or []
        choices = read_choices(value, self.findings)
        if needed and isinstance(value, list) and len(value) < CHOICES_MIN:
            self.findings.add(f"`choices` has {len(value)} choices; give {CHOICES_MIN} to {CHOICES_MAX}")
        return choices

    def read_updates(self) -> tuple[Move, ...]:
        if not self.is_there("state_updates"):
            return ()
        count_max = self.ground.game.limits.moves_max
        elements = self.findings.take_list(self.document["state_updates"], "state_updates", count_max)
        updates = (self.read_update(element, f"state_updates[{n}]") for n, element in enumerate(elements))
        return tuple(update for update in updates if update is not None)

    def read_update(self, element: Json, where: str) -> Update | None:
        fields = self.findings.take_object(element, where, UPDATE_EXAMPLE)
        if fields is None:
            return None
        op = self.read_op(fields.get("op"), f"{where}.op")
        path = self.findings.take_text(fields.get("path"), f"{where}.path", PATH_LENGTH_MAX, needed=True)
        reason = self.findings.take_text(fields.get("reason"), f"{where}.reason", REASON_LENGTH_MAX)
        if op is Op.TOGGLE:
            return Update(op, path, None, reason) if path else None
        if "value" not in fields:
            near = nearest("value", fields)
            told = f"; you wrote {quote_value(near)}" if near else f"; {op or 'an update'} needs one"
            self.findings.add(f"`{where}.value` is missing{told}")
            return None
        return Update(op, path, strip_document(fields["value"]), reason) if op and path else None

    def read_op(self, value: Json, where: str) -> Op | None:
        written = value.strip().lower() if isinstance(value, str) else ""
        op = _OPS.get(written)
        if op is None:
            near = _OPS_OF_OTHERS.get(written) or nearest(written, _OPS)
            told = f"; did you mean {near}?" if near else ""
            self.findings.add(f"`{where}` must be one of {', '.join(_OPS)}, not {quote_value(value)}{told}")
        return op

    def read_facts(self) -> tuple[str, ...]:
        return _read_facts(self.document.get("new_facts"), "new_facts", self.findings)

    def read_events(self) -> tuple[Event, ...]:
        elements = self.findings.take_list(self.document.get("events"), "events", EVENTS_MAX)
        events = (self.read_event(element, f"events[{number}]") for number, element in enumerate(elements))
        return tuple(event for event in events if event is not None)

    def read_event(self, element: Json, where: str) -> Event | None:
        """An event; a bare message gets the default type, and one without a message is dropped."""
        given = {"message": element} if isinstance(element, str) else element
        fields = self.findings.take_object(given, where, EVENT_EXAMPLE)
        if fields is None:
            return None
        kind = self.findings.take_text(fields.get("type"), f"{where}.type", EVENT_TYPE_LENGTH_MAX)
        message = self.findings.take_text(fields.get("message"), f"{where}.message", EVENT_LENGTH_MAX)
        return Event(kind or EVENT_TYPE, message, MODEL) if message else None

    def read_end(self) -> _Closing:
        value = self.document.get("end")
        fields = None if value is None else self.findings.take_object(value, "end", END_EXAMPLE)
        if fields is None:
            return _Closing()
        over = fields.get("is_game_over")
        if over is not None and not isinstance(over, bool):
            self.findings.add(f"`end.is_game_over` must be true or false, not {quote_value(over)}")
        ending = self.findings.take_text(fields.get("ending_id"), "end.ending_id", ID_LENGTH_MAX)
        reason = self.findings.take_text(fields.get("reason"), "end.reason", REASON_LENGTH_MAX)
        return _Closing((End(ending, reason),), True) if over is True else _Closing()


def read_fact_list(value: Json) -> tuple[tuple[str, ...], tuple[Flaw, ...]]:
    """Facts that were submitted separately, and what is wrong with them."""
    findings = AnswerFindings()
    return _read_facts(value, "facts", findings), findings.flaws


def _read_facts(value: Json, name: str, findings: AnswerFindings) -> tuple[str, ...]:
    elements = [value] if isinstance(value, str) else findings.take_list(value, name, FACTS_MAX)
    facts = (
        findings.take_text(element, f"{name}[{number}]", FACT_LENGTH_MAX)
        for number, element in enumerate(elements)
    )
    return tuple(dict.fromkeys(filter(None, facts)))
