"""Upkeep: what is brought into order at the end of every turn, whoever changed the state.

Authors' scenes may write anywhere; here the lists that follow from others are made to follow again.
"""

from collections.abc import Iterator, Mapping

from talewright.kernel.judging.moves_and_rulings import Op, Update
from talewright.kernel.state.documents import Json
from talewright.systems.spiral.calendar import note_moment, start_segment
from talewright.systems.spiral.people import gather, meet
from talewright.systems.spiral.places import note_place
from talewright.systems.spiral.rulebook import find_prompt, front_of
from talewright.systems.spiral.slots import OWN
from talewright.systems.spiral.standing import Standing


def tidy_up(standing: Standing, files: Mapping[str, Json], language: str) -> Iterator[Update]:
    """The updates of a turn's end."""
    yield from _take_prompt(standing, files, language)
    yield from gather(standing.people, standing)
    yield from meet(standing)
    yield from note_place(standing, standing.scene)
    yield from _note_time(standing)


def _note_time(standing: Standing) -> Iterator[Update]:
    """Note the beginning of a segment to which an author's scene has led, and that the story was opened."""
    starts = standing.own["segment_starts"]
    if not standing.is_set_up:
        return
    noted = (standing.own["noted_day"], standing.own["noted_segment"])
    if isinstance(starts, list) and starts and noted == (0, 0):
        # A campaign from before moments were noted; the beginning of this one is the newest start.
        yield from note_moment(standing.day, standing.segment)
    elif noted != (standing.day, standing.segment):
        yield from start_segment(standing, standing.day, standing.segment)
    if (
        isinstance(starts, list)
        and starts
        and standing.own["opened"] is not True
        and standing.turn >= starts[0]
    ):
        yield Update(Op.SET, f"{OWN}.opened", True)


def _take_prompt(standing: Standing, files: Mapping[str, Json], language: str) -> Iterator[Update]:
    """A new campaign takes its own copy of `prompt.md`."""
    if standing.own["prompt"]:
        return
    text = find_prompt(files, language)
    if text:
        yield Update(Op.SET, f"{OWN}.prompt", text)
        yield Update(Op.SET, f"{OWN}.rules", front_of(text))
