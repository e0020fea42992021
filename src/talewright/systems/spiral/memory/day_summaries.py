"""Day summaries: the errand that summarizes a finished day, and which memories the prompt keeps.

It never blocks a player: without an answer the days stay unsummarized. A whole day is dropped from the prompt
at once, in the morning. Sentences that quote hidden notes, as the engine's leak guard defines it, are removed
from a summary.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from talewright.common.json_values import Json
from talewright.common.quote_search import QuoteIndex, QuoteSearch, fold_all, take_out
from talewright.kernel.judging.moves import Op, Update
from talewright.kernel.judging.rulings import Errand
from talewright.kernel.state.state_paths import pointer
from talewright.kernel.system import PastTurn, Retention, SystemMemory
from talewright.systems.spiral.memory.spiral_pages import find_log_start
from talewright.systems.spiral.memory.turn_headings import DiaryEntry, write_diary
from talewright.systems.spiral.slots import (
    OWN,
    REVIEW_ENTRIES_MAX,
    SEGMENTS_KEPT,
    STORY_LENGTH_MAX,
    SUMMARIES_MAX,
    SUMMARY_LENGTH_MAX,
    TEXT_LENGTH_MAX,
)
from talewright.systems.spiral.spiral_state import SpiralState
from talewright.systems.spiral.tags import to_line
from talewright.systems.spiral.words.phrases import SpiralPhrases

DAY_TEXT_LENGTH_MAX = 60_000
"""Characters of a day's turns passed on for a summary."""

STORY_AFTER_DAYS = 10
"""Separate summaries before the older ones are merged into one story."""

STORY_KEEPS_DAYS = 4
"""The newest summaries, which stay separate when that happens."""


def memories_of(standing: SpiralState, words: SpiralPhrases) -> tuple[SystemMemory, ...]:
    """The scratchpad, the story so far, and the summaries of the days not in it, oldest first."""
    own = standing.own
    found = [
        SystemMemory(words.scratchpad, str(own["scratchpad"]).strip()),
        SystemMemory(words.story, str(own["story_so_far"]), told=True),
    ]
    for day, text in later_summaries(standing).items():
        found.append(SystemMemory(words.day.format(day=day), text, told=True))
    return tuple(memory for memory in found if memory.text)


def later_summaries(standing: SpiralState) -> dict[int, str]:
    """The summaries of the days that are not in the story so far, by day."""
    summaries, upto = standing.own["summaries"], standing.own["story_upto"]
    assert isinstance(summaries, dict)
    assert isinstance(upto, int)
    days = sorted((int(day) for day in summaries if day.isdigit()), key=int)
    return {day: str(summaries[str(day)]) for day in days if day > upto}


def retention_of(standing: SpiralState) -> Retention | None:
    """The current segment and the four before it stay; older ones are dropped when a day has started."""
    starts = standing.own["segment_starts"]
    if not standing.is_set_up or not isinstance(starts, list) or not starts:
        return None
    return Retention(int(starts[-SEGMENTS_KEPT - 1 :][0]), standing.segment == 1)


def reach_of(standing: SpiralState) -> int:
    """The oldest turn that pages and errands need."""
    wanted = find_log_start(standing, max(standing.turn - 1, 1))
    before = standing.own["day_before_start"]
    if isinstance(before, int) and before and is_unsummed(standing):
        return min(wanted, before)
    return wanted


def is_unsummed(standing: SpiralState) -> bool:
    """Whether the previous day has no summary yet."""
    summaries = standing.own["summaries"]
    yesterday = standing.day - 1
    return (
        standing.is_set_up
        and yesterday >= 1
        and isinstance(summaries, dict)
        and str(yesterday) not in summaries
    )


NOTHING_LEFT = "…"
"""Stands for a summary in which nothing may be kept."""


def withhold(text: str, hidden: Iterable[str], known: Iterable[str] = ()) -> str:
    """The text without sentences that quote something hidden, ignoring words that are known."""
    index, letters = QuoteIndex(hidden), fold_all(known)
    return take_out(text, lambda: QuoteSearch(index, lambda: letters, finds_all=True)) or NOTHING_LEFT


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


def errands_of(standing: SpiralState, turns: Sequence[PastTurn], words: SpiralPhrases) -> tuple[Errand, ...]:
    """The errand that summarizes yesterday, unless that is done."""
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


def _find_story_end(standing: SpiralState) -> int:
    """The last day whose summary is to be merged into the story; 0 if there are few enough summaries."""
    days = list(later_summaries(standing))
    return days[-STORY_KEEPS_DAYS - 1] if len(days) >= STORY_AFTER_DAYS else 0


def _write_material(standing: SpiralState, entries: Sequence[DiaryEntry], words: SpiralPhrases) -> str:
    """Everything the answer is based on."""
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


def take_answer(errand: str, answer: Json, standing: SpiralState) -> tuple[Update, ...]:
    """The updates from an answer: none if it is not understood, or if the day already has a summary."""
    found = _ID.fullmatch(errand)
    if found is None or not isinstance(answer, Mapping):
        return ()
    day, known = int(found[1]), standing.own["summaries"]
    summaries = answer.get("summaries")
    text = summaries.get(f"day_{day}") if isinstance(summaries, Mapping) else None
    if not isinstance(text, str) or not text.strip() or not isinstance(known, Mapping) or str(day) in known:
        return ()
    hidden, open_words = _list_hidden(standing), _list_open(standing)
    summary = _trim(withhold(text, hidden, open_words), SUMMARY_LENGTH_MAX)
    updates = [Update(Op.SET, pointer((OWN, "summaries", str(day))), summary)]
    upto, story = _find_story_end(standing), answer.get("story_so_far")
    if upto and isinstance(story, str) and story.strip():
        kept = _trim(withhold(story, hidden, open_words), STORY_LENGTH_MAX)
        updates.append(Update(Op.SET, f"{OWN}.story_so_far", kept))
        updates.append(Update(Op.SET, f"{OWN}.story_upto", upto))
    if len(known) >= SUMMARIES_MAX:
        updates.insert(0, Update(Op.DELETE, pointer((OWN, "summaries", min(known, key=int)))))
    review = answer.get("logbook_review")
    if isinstance(review, Mapping):
        updates.append(Update(Op.SET, f"{OWN}.review", _read_review(review, standing.turn)))
    return tuple(updates)


def _list_hidden(standing: SpiralState) -> list[str]:
    """The material of a summary besides the turns."""
    wants = [str(person[name]) for person in standing.people.values() for name in ("goal", "concept")]
    return [str(standing.own["scratchpad"]), *wants]


def _list_open(standing: SpiralState) -> list[str]:
    """Names that a summary may use even if they are in the notes: people, places, and what is on the sheets.

    Earlier summaries do not count: a leak in one of them does not make anything known.
    """
    people = [str(person["name"]) for person in standing.people.values()]
    sheets = [standing.player, standing.scene, standing.companion or {}]
    return people + [text for sheet in sheets for value in sheet.values() for text in _list_texts(value)]


def _list_texts(value: Json) -> Sequence[str]:
    if isinstance(value, str):
        return [value]
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _read_review(review: Mapping[str, Json], turn: int) -> Json:
    """A review in the form in which it is stored, to be shown for one turn."""
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
    """A text without control characters, cut to its maximum length."""
    kept = "".join(c for c in text.strip() if c == "\n" or c.isprintable() or c.isspace())
    return kept if len(kept) <= length else kept[: length - 1].rstrip() + "…"
