"""Pages: the files a person finds in the folder of a solo campaign.

They are made from the state and the past turns. They are the owner's: what players may not see stands
here too.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from talewright.kernel.documents import Json
from talewright.kernel.system import PastTurn
from talewright.systems.spiral.diary import Entry, Moment, write_diary
from talewright.systems.spiral.limits import LOG_TURNS_MAX
from talewright.systems.spiral.panels import to_dots
from talewright.systems.spiral.rulebook import FILE
from talewright.systems.spiral.slots import DISPOSITIONS
from talewright.systems.spiral.standing import Member, Standing
from talewright.systems.spiral.tags import read_list
from talewright.systems.spiral.words.words import Words

PROMPT, NOTES = FILE, "scratchpad.md"


def pages_of(standing: Standing, turns: Sequence[PastTurn], words: Words) -> dict[str, str]:
    """Every page, by its path. Of the logs only those whose turns are all at hand."""
    own = standing.own
    pages = {NOTES: str(own["scratchpad"])}
    if own["prompt"]:
        pages[PROMPT] = str(own["prompt"])
    for day, text in cast(Member, own["summaries"]).items():
        pages[f"summaries/day{day}.md"] = f"# {words.day.format(day=day)}\n\n{text}\n"
    for name, person in standing.people.items():
        pages[f"world/npcs/{name}.md"] = _write_person(person, words)
    for slug, place in cast(Mapping[str, Member], own["places"]).items():
        pages[f"world/locations/{slug}.md"] = _write_place(place, words)
    pages.update(_write_logs(standing, turns))
    return pages


def find_log_start(standing: Standing, newest: int) -> int:
    """The first turn of the log file in which a turn stands; 1 where that is as far as anybody knows."""
    starts = standing.own["segment_starts"]
    known = [start for start in starts if isinstance(start, int)] if isinstance(starts, list) else []
    first = max((start for start in known if start <= newest), default=1)
    return first + (newest - first) // LOG_TURNS_MAX * LOG_TURNS_MAX


def _write_logs(standing: Standing, turns: Sequence[PastTurn]) -> Iterator[tuple[str, str]]:
    if not turns:
        return
    oldest = turns[0].version
    files: dict[int, list[Entry]] = {}
    for entry in write_diary(turns, standing):
        start = find_log_start(standing, entry.turn.version)
        # The part of a file that is not at hand must not be written over.
        if start >= oldest and _is_known(standing, entry):
            files.setdefault(start, []).append(entry)
    for start, entries in files.items():
        lines = [json.dumps(line, ensure_ascii=False) for entry in entries for line in _write_turn(entry)]
        yield _name_log(standing, start, entries[0].moment), "\n".join(lines) + "\n"


def _is_known(standing: Standing, entry: Entry) -> bool:
    """Whether the state still says where the segment of a turn began."""
    starts = standing.own["segment_starts"]
    if not entry.moment.is_play or not isinstance(starts, list) or not starts:
        return True
    oldest = starts[0]
    return isinstance(oldest, int) and entry.turn.version >= oldest


def _name_log(standing: Standing, start: int, moment: Moment) -> str:
    starts = standing.own["segment_starts"]
    known = [first for first in starts if isinstance(first, int)] if isinstance(starts, list) else []
    first = max((each for each in known if each <= start), default=1)
    number = (start - first) // LOG_TURNS_MAX + 1
    more = "" if number == 1 else f"-{number}"
    return (
        f"logs/day{moment.day}-seg{moment.segment}{more}.jsonl"
        if moment.is_play
        else f"logs/setup{more}.jsonl"
    )


def _write_turn(entry: Entry) -> Iterator[Json]:
    """The messages of a turn, one each; what was said and told, where they are not at hand."""
    turn = entry.turn
    messages = turn.messages
    if not messages:
        said: list[Json] = [{"role": "user", "content": turn.input}] if turn.input else []
        messages = (*said, {"role": "assistant", "content": turn.narration})
    for message in messages:
        members = message if isinstance(message, Mapping) else {"content": message}
        yield {"turn": turn.version, **members}


def _write_person(person: Member, words: Words) -> str:
    clock, full = person["clock"], person["clock_max"]
    assert isinstance(clock, int)
    assert isinstance(full, int)
    named = dict(zip(DISPOSITIONS, words.dispositions, strict=True))
    facts = {
        words.disposition: named[str(person["disposition"])],
        words.goal: person["goal"],
        words.clock: f"{to_dots(clock, full)} ({clock}/{full})",
        words.good_at: words.comma.join(read_list(person["positive_tags"])),
        words.weak_at: words.comma.join(read_list(person["negative_tags"])),
        words.last_seen: person["last_location"],
    }
    return _write_page(str(person["name"]), str(person["concept"]), facts)


def _write_place(place: Member, words: Words) -> str:
    seen = (
        f"{words.day.format(day=place['first_day'])} · {words.labels[int(str(place['first_segment'])) - 1]}"
    )
    tags = [f"+ {tag}" for tag in read_list(place["positive_tags"])]
    tags += [f"- {tag}" for tag in read_list(place["negative_tags"])]
    facts = {words.first_seen: seen, words.visits: place["visits"], words.tags: words.semicolon.join(tags)}
    return _write_page(str(place["name"]), "", facts)


def _write_page(title: str, about: str, facts: Mapping[str, Json]) -> str:
    lines = "\n".join(f"- **{label}**: {fact}" for label, fact in facts.items() if fact)
    return "\n\n".join(filter(None, (f"# {title}", about, lines))) + "\n"
