"""Choices of a cards answer: read by hand into offers.

Mended in silence is what the player would not notice: a choice without an id, with a number for one or with
one that is taken, one that is only its label or stands there twice, a missing risk (low), a risk in other
letters or in Chinese, one tag in place of a list. Everything else that does not fit is a flaw.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import replace

from talewright.contract.answers import Offer
from talewright.contract.cards.limits import (
    CHOICES_MAX,
    HINT_LENGTH_MAX,
    ID_LENGTH_MAX,
    LABEL_LENGTH_MAX,
    TAG_LENGTH_MAX,
    TAGS_MAX,
)
from talewright.contract.findings import Findings
from talewright.kernel.state.documents import Json, quote_value
from talewright.kernel.story.scenes_and_endings import Risk

EXAMPLE = '{"id": "...", "label": "...", "hint": "...", "risk": "low", "tags": []}'

_RISKS = {**{risk.value: risk for risk in Risk}, "低": Risk.LOW, "中": Risk.MEDIUM, "高": Risk.HIGH}


def read_choices(value: Json, findings: Findings) -> tuple[Offer, ...]:
    """The choices that can be read; how many there must be is not asked here."""
    offers: list[Offer] = []
    taken: set[str] = set()
    labels: set[str] = set()
    for number, element in enumerate(findings.take_list(value, "choices", CHOICES_MAX)):
        where = f"choices[{number}]"
        fields = {"label": element} if isinstance(element, str) else element
        known = findings.take_object(fields, where, EXAMPLE)
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


def _read_choice(fields: Mapping[str, Json], where: str, findings: Findings) -> Offer | None:
    label = findings.take_text(fields.get("label"), f"{where}.label", LABEL_LENGTH_MAX, needed=True)
    given = fields.get("id")
    if isinstance(given, int) and not isinstance(given, bool):
        given = str(given)
    offer = Offer(
        findings.take_text(given, f"{where}.id", ID_LENGTH_MAX),
        label,
        findings.take_text(fields.get("hint"), f"{where}.hint", HINT_LENGTH_MAX),
        _read_risk(fields.get("risk"), f"{where}.risk", findings),
        _read_tags(fields.get("tags"), f"{where}.tags", findings),
    )
    return offer if label else None


def _read_risk(value: Json, where: str, findings: Findings) -> Risk:
    if value is None or value == "":
        return Risk.LOW
    risk = _RISKS.get(_plain(value)) if isinstance(value, str) else None
    if risk is None:
        findings.add(f"`{where}` must be low, medium or high, not {quote_value(value)}")
        return Risk.LOW
    return risk


def _plain(word: str) -> str:
    return unicodedata.normalize("NFKC", word).strip().casefold()


def _read_tags(value: Json, where: str, findings: Findings) -> tuple[str, ...]:
    elements = [value] if isinstance(value, str) else findings.take_list(value, where, TAGS_MAX)
    texts = (
        findings.take_text(element, f"{where}[{number}]", TAG_LENGTH_MAX)
        for number, element in enumerate(elements)
    )
    return tuple(dict.fromkeys(filter(None, texts)))
