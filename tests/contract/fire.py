"""Fire: the same answers thrown at a reader whole and cut in every way, for any dialect.

A reader passes if it gives the same answer and the same narration however its reply was cut, if the narration
it gave out while reading is the one it reports, if nothing forbidden stands in it, and if nothing is raised.
"""

import codecs
import random
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from hypothesis import settings

from talewright.contract.dialect import AnswerGround, Dialect, ModelAnswer
from talewright.contract.text.answer_json import strip_controls
from talewright.llm.reply_chunks import CallPart, Stop, StopReason, Text

CANARY = "canary"
"""Stands in everything of an answer that is not narration, and in no narration."""

SMALL_BYTES = 400
"""Answers of at most this size are cut at every byte at once, and larger ones at random bytes."""

RANDOM_CUTS = 6
"""Ways in which a larger answer is cut."""

PIECES_MAX = 40
"""Pieces of an answer that is cut at random."""

FEW_SHOTS = 20
"""Answers fired under mutation, where the same tests run again for every mistake."""


@dataclass(frozen=True, slots=True)
class Shot:
    """One answer."""

    text: str
    kind: str
    prose: str | None = None
    """The narration it must give; None where that is not known beforehand."""

    forbidden: tuple[str, ...] = (CANARY,)
    """What must not stand in its narration."""

    calls: tuple[CallPart, ...] = ()
    """What follows the text."""

    stop: StopReason | None = StopReason.END


def count_shots(count: int) -> int:
    """How many answers an ordinary test fires: so many, or a few under mutation."""
    return FEW_SHOTS if settings.get_current_profile_name() == "mutation" else count


def fire(
    dialect: Dialect, ground: AnswerGround, shot: Shot, rng: random.Random, alone: int = SMALL_BYTES
) -> ModelAnswer:
    """Read one answer whole and in pieces; the answer it gave every time.

    Answers of at most `alone` bytes are also cut at each byte alone.
    """
    whole = read(dialect, ground, shot, [shot.text])
    assert strip_controls(whole.prose) == whole.prose, f"{shot.kind}: controls in {whole.prose!r}"
    for word in shot.forbidden:
        assert word not in whole.prose, f"{shot.kind}: {word!r} in the narration of {shot.text!r}"
    if shot.prose is not None:
        assert whole.prose == shot.prose, f"{shot.kind}: {whole.prose!r}, not {shot.prose!r}"
    for pieces in divide(shot.text, rng, alone):
        answer = read(dialect, ground, shot, pieces)
        assert answer == whole, f"{shot.kind}: {answer} in pieces {pieces}, {whole} in one"
    return whole


def read(dialect: Dialect, ground: AnswerGround, shot: Shot, pieces: Iterable[str]) -> ModelAnswer:
    """The answer that a reader makes of these pieces; what it gave out meanwhile must be its prose.

    At the length limit the prose may end earlier.
    """
    reader = dialect.reader(ground)
    told = [reader.feed(Text(piece)) for piece in pieces]
    told += [reader.feed(call) for call in shot.calls]
    if shot.stop is not None:
        told.append(reader.feed(Stop(shot.stop)))
    answer = reader.finish()
    shown = "".join(told)
    kept = shown[: len(answer.prose)] if shot.stop is StopReason.LENGTH else shown
    assert kept == answer.prose, f"{shot.kind}: {told} was told, {answer.prose!r} is reported"
    return answer


def divide(text: str, rng: random.Random, alone: int = SMALL_BYTES) -> Iterator[list[str]]:
    """Ways to cut a text at its bytes: a small one at all of them at once, and at each alone."""
    ends = _find_ends(text)
    size = ends[-1] if ends else 0
    if size <= SMALL_BYTES:
        yield _cut(text, ends, range(1, size))
    if size <= alone:
        yield from (_cut(text, ends, [place]) for place in range(1, size))
        return
    for _ in range(RANDOM_CUTS):
        yield _cut(text, ends, sorted(rng.randrange(size) for _ in range(rng.randint(1, PIECES_MAX))))


def decode(data: bytes) -> str:
    """Bytes of any kind as a provider would decode them while they arrive, byte by byte."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    parts = [decoder.decode(data[at : at + 1]) for at in range(len(data))]
    return "".join([*parts, decoder.decode(b"", final=True)])


def _find_ends(text: str) -> Sequence[int]:
    """Where each character ends among the bytes of a text; halves of surrogate pairs count as three."""
    if text.isascii():
        return range(1, len(text) + 1)
    return list(accumulate(len(sign.encode("utf-8", "surrogatepass")) for sign in text))


def _cut(text: str, ends: Sequence[int], places: Iterable[int]) -> list[str]:
    """The pieces in which a text arrives if its bytes are cut: a character comes with its last byte."""
    counts = [bisect_right(ends, place) for place in places]
    return [text[start:end] for start, end in pairwise([0, *counts, len(text)])]
