"""Fuzz targets: bytes turned into a reply in pieces, and what every reader owes whatever they are.

The first byte says how the answer is asked for and how it stops. 0xFF, which no UTF-8 has, ends a piece, and
0xFE ends the text and begins a call: its name up to the first line break, then its arguments.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from talewright.contract.dialect import AnswerGround, Dialect, ModelAnswer
from talewright.contract.dialect_table import DIALECTS
from talewright.contract.text.answer_json import strip_controls
from talewright.llm.reply_chunks import CallPart, Piece, Stop, StopReason, Text
from tests.contract.cards_making import make_ground
from tests.contract.chapel import tolled, trying

PIECE_END = b"\xff"
CALL_BEGIN = b"\xfe"
SINGLE_MAX = 400
"""Characters of a text that is also read one by one."""

STOPS = (StopReason.END, StopReason.CALLS, StopReason.LENGTH, StopReason.REFUSAL, None)

GROUNDS: Mapping[str, Callable[[], AnswerGround]] = {"cards": make_ground, "patch": trying, "tools": tolled}
FORBIDDEN: Mapping[str, tuple[str, ...]] = {
    "cards": (),
    "patch": ("{", "```", "~~~", "game_state", "state_ops", "patch_bundle"),
    "tools": ("{", "```", "~~~", "game_state", "state_ops", "patch_bundle"),
}
"""What the narration of a reader never holds, in small letters."""


class Target:
    """One reader to be tried."""

    def __init__(self, name: str) -> None:
        self.dialect: Dialect = DIALECTS[name]
        self.forbidden = FORBIDDEN[name]
        ground = GROUNDS[name]()
        self.grounds = (ground, replace(ground, updates_only=True), replace(ground, moves_only=True))

    def check(self, data: bytes) -> ModelAnswer:
        """Read the bytes as one text, in their own pieces and character by character; all must agree."""
        head = data[0] if data else 0
        ground, stop = self.grounds[head % len(self.grounds)], STOPS[head // 16 % len(STOPS)]
        body, *calls = data[1:].split(CALL_BEGIN)
        pieces = [_decode(piece) for piece in body.split(PIECE_END)]
        parts = [_make_call(number, call.split(PIECE_END)) for number, call in enumerate(calls)]
        text = "".join(pieces)
        answer = self._read(ground, [text], map(_join, parts), stop)
        in_pieces = self._read(ground, pieces, (part for call in parts for part in call), stop)
        assert in_pieces == answer, f"{in_pieces} in pieces, {answer} in one"
        if len(text) <= SINGLE_MAX:
            singly = self._read(ground, text, map(_join, parts), stop)
            assert singly == answer, f"{singly} singly, {answer} in one"
        told = answer.prose.lower()
        assert strip_controls(answer.prose) == answer.prose
        assert not any(word in told for word in self.forbidden), f"{answer.prose!r} shows what it must not"
        return answer

    def _read(
        self, ground: AnswerGround, pieces: Iterable[str], calls: Iterable[CallPart], stop: StopReason | None
    ) -> ModelAnswer:
        chunks: list[Piece] = [*map(Text, pieces), *calls, *([Stop(stop)] if stop else [])]
        reader = self.dialect.reader(ground)
        told = "".join([reader.feed(chunk) for chunk in chunks])
        answer = reader.finish()
        assert told == answer.prose, f"{told!r} was told, {answer.prose!r} is reported"
        return answer


def write(text: str, calls: Iterable[CallPart] = (), head: int = 0) -> bytes:
    """The bytes that stand for a reply."""
    parts = [text, *(f"{call.name}\n{call.arguments}" for call in calls)]
    return bytes([head]) + CALL_BEGIN.join(part.encode("utf-8", "replace") for part in parts)


def _decode(data: bytes) -> str:
    # Bytes that are no UTF-8 become halves of surrogate pairs, which a careless provider may hand on.
    return data.decode("utf-8", "surrogateescape")


def _make_call(number: int, pieces: list[bytes]) -> list[CallPart]:
    name, _, arguments = pieces[0].partition(b"\n")
    first = CallPart(number, f"c{number}", _decode(name), _decode(arguments))
    return [first, *(CallPart(number, arguments=_decode(piece)) for piece in pieces[1:])]


def _join(parts: list[CallPart]) -> CallPart:
    return replace(parts[0], arguments="".join(part.arguments for part in parts))
