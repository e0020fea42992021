"""Pages of a solo campaign: the readable files in its folder: logs, people, places.

They are generated from the state and the past turns. They are for the owner and include what players may not
see.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import cast

from talewright.common.json_values import Json
from talewright.kernel.system import PastTurn
from talewright.systems.spiral import spiral_labels
from talewright.systems.spiral.memory.turn_headings import DiaryEntry, TurnMoment, write_diary
from talewright.systems.spiral.moves.day_advance import show_moment
from talewright.systems.spiral.panels import to_dots
from talewright.systems.spiral.rulebook import FILE
from talewright.systems.spiral.slots import DISPOSITIONS, NPCS
from talewright.systems.spiral.spiral_labels import show, show_all, show_person, show_whereabouts
from talewright.systems.spiral.spiral_state import Member, SpiralState
from talewright.systems.spiral.tags import read_list
from talewright.systems.spiral.words.phrases import SpiralPhrases

LOG_TURNS_MAX = 50
"""Turns in one log file; a longer segment continues in a second file."""

PROMPT, NOTES = FILE, "scratchpad.md"


def pages_of(standing: SpiralState, turns: Sequence[PastTurn], words: SpiralPhrases) -> dict[str, str]:
    """Every page by its path. Logs are included only if all their turns are at hand."""
    own = standing.own
    pages = {NOTES: str(own["scratchpad"])}
    if own["prompt"]:
        pages[PROMPT] = str(own["prompt"])
    for day, text in cast(Member, own["summaries"]).items():
        pages[f"summaries/day{day}.md"] = f"# {words.day.format(day=day)}\n\n{text}\n"
    for name in standing.people:
        pages[f"world/npcs/{name}.md"] = _write_person(name, standing, words)
    for slug, place in cast(Mapping[str, Member], own["places"]).items():
        pages[f"world/locations/{slug}.md"] = _write_place(place, standing, words)
    pages.update(_write_logs(standing, turns))
    return pages


def find_log_start(standing: SpiralState, newest: int) -> int:
    """The first turn of the log file that contains a turn; 1 if no later start is known."""
    first = max((start for start in _list_known(standing) if start <= newest), default=1)
    return first + (newest - first) // LOG_TURNS_MAX * LOG_TURNS_MAX


def _list_known(standing: SpiralState) -> list[int]:
    """The turns with which the last segments started."""
    starts = standing.own["segment_starts"]
    return [start for start in starts if isinstance(start, int)] if isinstance(starts, list) else []


def _write_logs(standing: SpiralState, turns: Sequence[PastTurn]) -> Iterator[tuple[str, str]]:
    entries = write_diary(turns, standing)
    begun = [entry.turn.version for before, entry in pairwise(entries) if before.moment != entry.moment]
    starts = {*_list_known(standing), *begun}
    files: dict[tuple[int, int], list[DiaryEntry]] = {}
    for entry in entries:
        place = _find_place(entry, starts, entries[0].turn.version)
        if place is not None:
            files.setdefault(place, []).append(entry)
    for (_, part), group in files.items():
        lines = [json.dumps(line, ensure_ascii=False) for entry in group for line in _write_turn(entry)]
        yield _name_log(part, group[0].moment), "\n".join(lines) + "\n"


def _find_place(entry: DiaryEntry, starts: Collection[int], oldest: int) -> tuple[int, int] | None:
    """The first turn of a turn's segment, and the number of its file; None if part of that file is missing.

    The missing part of a file must not be overwritten.
    """
    version = entry.turn.version
    before = [start for start in starts if start <= version]
    if not before and entry.moment.is_play and oldest > 1:
        return None
    # Before any segment a campaign is being set up, from its first turn on.
    first = max(before, default=1)
    part = (version - first) // LOG_TURNS_MAX
    return (first, part) if first + part * LOG_TURNS_MAX >= oldest else None


def _name_log(part: int, moment: TurnMoment) -> str:
    more = f"-{part + 1}" if part else ""
    when = f"day{moment.day}-seg{moment.segment}" if moment.is_play else "setup"
    return f"logs/{when}{more}.jsonl"


def _write_turn(entry: DiaryEntry) -> Iterator[Json]:
    """The messages of a turn; if they are not at hand, the player's words and the narration."""
    turn = entry.turn
    messages = turn.messages
    if not messages:
        said: list[Json] = [{"role": "user", "content": turn.input}] if turn.input else []
        messages = (*said, {"role": "assistant", "content": turn.narration})
    for message in messages:
        members = message if isinstance(message, Mapping) else {"content": message}
        yield {"turn": turn.version, **members}


def _write_person(name: str, standing: SpiralState, words: SpiralPhrases) -> str:
    person = standing.people[name]
    clock, full = person["clock"], person["clock_max"]
    assert isinstance(clock, int)
    assert isinstance(full, int)
    named = dict(zip(DISPOSITIONS, words.dispositions, strict=True))
    strong, weak = (
        words.comma.join(show_all(standing, f"{NPCS}.{name}.{tags}", read_list(person[tags])))
        for tags in ("positive_tags", "negative_tags")
    )
    facts = {
        words.disposition: named[str(person["disposition"])],
        words.goal: show_person(standing, name, "goal"),
        words.clock: f"{to_dots(clock, full)} ({clock}/{full})",
        words.good_at: strong,
        words.weak_at: weak,
        words.last_seen: show_whereabouts(standing, name),
    }
    return _write_page(
        show_person(standing, name, "name"), show_person(standing, name, "concept"), facts, words
    )


def _write_place(place: Member, standing: SpiralState, words: SpiralPhrases) -> str:
    day, segment = place["first_day"], place["first_segment"]
    assert isinstance(day, int)
    assert isinstance(segment, int)
    helps = show_all(standing, spiral_labels.HELPS, read_list(place["positive_tags"]))
    hinders = show_all(standing, spiral_labels.HINDERS, read_list(place["negative_tags"]))
    tags = (*(f"+ {tag}" for tag in helps), *(f"- {tag}" for tag in hinders))
    facts = {
        words.first_seen: show_moment(standing, day, segment, words),
        words.visits: place["visits"],
        words.tags: words.semicolon.join(tags),
    }
    return _write_page(show(standing, spiral_labels.LOCATION, place["name"]), "", facts, words)


def _write_page(title: str, about: str, facts: Mapping[str, Json], words: SpiralPhrases) -> str:
    lines = "\n".join(words.fact.format(label=label, fact=fact) for label, fact in facts.items() if fact)
    return "\n\n".join(filter(None, (f"# {title}", about, lines))) + "\n"
