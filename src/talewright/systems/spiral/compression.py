"""Compression: the errand that sums up a finished day and reviews the scratchpad, and what comes of it.

It never stands in a player's way: without an answer the days stay as they are.
"""

import re
from collections.abc import Mapping, Sequence
from typing import cast

from talewright.kernel.judging.moves_and_rulings import Errand, Op, Update
from talewright.kernel.state.documents import Json
from talewright.kernel.state.state_paths import pointer
from talewright.kernel.system import PastTurn
from talewright.systems.spiral.diary import Entry, write_diary
from talewright.systems.spiral.discretion import withhold
from talewright.systems.spiral.limits import (
    DAY_TEXT_LENGTH_MAX,
    REVIEW_ENTRIES_MAX,
    STORY_AFTER_DAYS,
    STORY_KEEPS_DAYS,
    STORY_LENGTH_MAX,
    SUMMARIES_MAX,
    SUMMARY_LENGTH_MAX,
    TEXT_LENGTH_MAX,
)
from talewright.systems.spiral.memories import is_unsummed, later_summaries
from talewright.systems.spiral.slots import OWN
from talewright.systems.spiral.standing import Standing
from talewright.systems.spiral.tags import to_line
from talewright.systems.spiral.words.words import Words

ANSWER_TOKENS_MAX = 3_000
_ID = re.compile(r"day-(\d{1,4})")
_TEXT: Json = {"type": "string"}


def _rows(**members: Json) -> Json:
    return {
        "type": "array",
        "items": {"type": "object", "properties": members, "required": list(members)},
    }


_REVIEW: Json = {
    "type": "object",
    "properties": {
        "stale": _rows(section=_TEXT, entry=_TEXT, reason=_TEXT),
        "consolidate": _rows(entries={"type": "array", "items": _TEXT}, suggested=_TEXT),
        "contradictions": _rows(a=_TEXT, b=_TEXT, note=_TEXT),
        "missing": {"type": "array", "items": _TEXT},
    },
    "required": ["stale", "consolidate", "contradictions", "missing"],
}


def errands_of(standing: Standing, turns: Sequence[PastTurn], words: Words) -> tuple[Errand, ...]:
    """Yesterday is to be summed up, where that has not been done."""
    if not is_unsummed(standing):
        return ()
    day = standing.day - 1
    entries = [e for e in write_diary(turns, standing) if e.moment.is_play and e.moment.day == day]
    if not entries:
        return ()
    upto = _find_story_end(standing)
    parts = [words.condense.format(day=day)]
    parts += [words.condense_story.format(day=upto)] if upto else []
    parts.append(_write_material(standing, entries, words))
    return (
        Errand(f"day-{day}", "\n\n".join(parts), _schema(day, bool(upto)), answer_tokens=ANSWER_TOKENS_MAX),
    )


def _schema(day: int, with_story: bool) -> Json:
    summary: Json = {"type": "object", "properties": {f"day_{day}": _TEXT}, "required": [f"day_{day}"]}
    members: dict[str, Json] = {"summaries": summary, "logbook_review": _REVIEW}
    if with_story:
        members["story_so_far"] = _TEXT
    return {"type": "object", "properties": members, "required": list(members)}


def _find_story_end(standing: Standing) -> int:
    """Up to which day the summaries are to become one story; 0 where they are few enough as they are."""
    days = list(later_summaries(standing))
    return days[-STORY_KEEPS_DAYS - 1] if len(days) >= STORY_AFTER_DAYS else 0


def _write_material(standing: Standing, entries: Sequence[Entry], words: Words) -> str:
    """Everything the answer is made from."""
    own = standing.own
    known = [("story", own["story_so_far"])]
    known += [(f"day_{day}", text) for day, text in later_summaries(standing).items()]
    clocks = [
        f"{person['name']}: {person['goal']} ({person['clock']}/{person['clock_max']})"
        for person in standing.people.values()
    ]
    share = DAY_TEXT_LENGTH_MAX // len(entries)
    turns = [
        words.turn.format(
            version=entry.turn.version,
            segment=entry.moment.segment,
            input=to_line(entry.turn.input)[:TEXT_LENGTH_MAX],
            narration=" ".join(entry.turn.narration.split())[:share],
        )
        for entry in entries
    ]
    sections = {
        "SUMMARIES": "\n".join(f"{name}: {text}" for name, text in known if text),
        "SCRATCHPAD": str(own["scratchpad"]).strip(),
        "CLOCKS": "\n".join(clocks),
        "TURNS": "\n\n".join(turns),
    }
    return "\n\n".join(f"[{name}]\n{text}" for name, text in sections.items() if text)


def take_answer(errand: str, answer: Json, standing: Standing) -> tuple[Update, ...]:
    """What an answer changes: nothing where it is not understood, or the day has its summary already."""
    found = _ID.fullmatch(errand)
    if found is None or not isinstance(answer, Mapping):
        return ()
    day, known = int(found[1]), standing.own["summaries"]
    summaries = answer.get("summaries")
    text = summaries.get(f"day_{day}") if isinstance(summaries, Mapping) else None
    if not isinstance(text, str) or not text.strip() or not isinstance(known, Mapping) or str(day) in known:
        return ()
    hidden = _list_hidden(standing)
    summary = _trim(withhold(text, hidden), SUMMARY_LENGTH_MAX)
    updates = [Update(Op.SET, pointer((OWN, "summaries", str(day))), summary)]
    upto, story = _find_story_end(standing), answer.get("story_so_far")
    if upto and isinstance(story, str) and story.strip():
        kept = _trim(withhold(story, hidden), STORY_LENGTH_MAX)
        updates.append(Update(Op.SET, f"{OWN}.story_so_far", kept))
        updates.append(Update(Op.SET, f"{OWN}.story_upto", upto))
    if len(known) >= SUMMARIES_MAX:
        updates.insert(0, Update(Op.DELETE, pointer((OWN, "summaries", min(known, key=int)))))
    review = answer.get("logbook_review")
    if isinstance(review, Mapping):
        updates.append(Update(Op.SET, f"{OWN}.review", _read_review(review, standing.turn)))
    return tuple(updates)


def _list_hidden(standing: Standing) -> list[str]:
    """What the material of a summary holds beside the turns."""
    wants = [str(person[name]) for person in standing.people.values() for name in ("goal", "concept")]
    return [str(standing.own["scratchpad"]), *wants]


def _read_review(review: Mapping[str, Json], turn: int) -> Json:
    """A review in the form in which it is kept, for one turn to be shown."""
    return {
        "for_turn": turn,
        "stale": _read_rows(review.get("stale"), "section", "entry", "reason"),
        "consolidate": [
            {"entries": _read_lines(row.get("entries")), "suggested": _read_line(row.get("suggested"))}
            for row in _find_rows(review.get("consolidate"))
        ],
        "contradictions": _read_rows(review.get("contradictions"), "a", "b", "note"),
        "missing": _read_lines(review.get("missing")),
    }


def _find_rows(value: Json) -> list[Mapping[str, Json]]:
    rows = value if isinstance(value, list) else []
    return [cast(Mapping[str, Json], row) for row in rows if isinstance(row, Mapping)][:REVIEW_ENTRIES_MAX]


def _read_rows(value: Json, *names: str) -> list[Json]:
    return [{name: _read_line(row.get(name)) for name in names} for row in _find_rows(value)]


def _read_lines(value: Json) -> Sequence[Json]:
    lines = [_read_line(line) for line in value] if isinstance(value, list) else []
    return [line for line in lines if line][:REVIEW_ENTRIES_MAX]


def _read_line(value: Json) -> str:
    return to_line(value)[:TEXT_LENGTH_MAX] if isinstance(value, str) else ""


def _trim(text: str, length: int) -> str:
    """A text without control characters, cut where it is too long."""
    kept = "".join(c for c in text.strip() if c == "\n" or c.isprintable() or c.isspace())
    return kept if len(kept) <= length else kept[: length - 1].rstrip() + "…"
