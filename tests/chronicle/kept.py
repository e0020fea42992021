"""A small chronicle as it is kept for every save format, and how it becomes a file.

`python -m tests.chronicle.kept` writes the file of the newest number where there is none yet.
"""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from talewright.chronicle.chained_lines import GENESIS, BrokenFrame, TornFrame, frame, read_frame
from talewright.chronicle.record_codec import encode
from talewright.chronicle.records import (
    MAIN,
    QUICK,
    Accepted,
    Aside,
    Attempt,
    AttemptVerdict,
    Commit,
    PointerKind,
    Pointing,
    Record,
)
from talewright.chronicle.save_format import FORMAT_NUMBER, format_of

FOLDER = Path(__file__).parent / "formats"

ROOT = Commit(
    id="00000000000000000000000000000001",
    parent="",
    branch=MAIN,
    version=0,
    operation_id="founding",
    at="2026-01-01T00:00:00Z",
    game_digest="a" * 64,
    state_digest="b" * 64,
    body={"format": FORMAT_NUMBER, "state": {"health": 10, "place": "雾港"}},
)
WISH = Accepted("op-1", MAIN, ROOT.id, {"say": "去灯塔 🌫"}, "2026-01-01T00:00:01Z")
TURN = Commit(
    id="00000000000000000000000000000002",
    parent=ROOT.id,
    branch=MAIN,
    version=1,
    operation_id="op-1",
    at="2026-01-01T00:00:02Z",
    game_digest="a" * 64,
    state_digest="c" * 64,
    body={"narration": 'The light turns.\n"Who goes there?"', "draws": [0.5, None, True, -3]},
    sequence=1,
)
FIRST_FORMAT: tuple[Record, ...] = (
    ROOT,
    WISH,
    Attempt("try-1", "op-1", MAIN, ROOT.id, WISH.at, AttemptVerdict.CANCELLED, {"why": "closed"}),
    TURN,
    Attempt("try-2", "op-1", MAIN, ROOT.id, TURN.at, AttemptVerdict.COMMITTED, {"usage": {"input": 9}}),
    Aside("aside-1", TURN.id, "2026-01-01T00:00:03Z", {"summary": "A walk."}),
    Pointing(PointerKind.MARK, QUICK, TURN.id, "2026-01-01T00:00:04Z"),
    Pointing(PointerKind.BRANCH, "另一条路", ROOT.id, "2026-01-01T00:00:05Z"),
    Accepted("op-2", MAIN, TURN.id, None, "2026-01-01T00:00:06Z"),
)
"""What could be said in format 1."""

AGAIN = Accepted("op-3", MAIN, ROOT.id, {"say": "再来"}, "2026-01-01T00:00:07Z", replaces=TURN.id)
RECORDS: tuple[Record, ...] = (
    *FIRST_FORMAT,
    AGAIN,
    Attempt("try-3", "op-3", MAIN, ROOT.id, AGAIN.at, AttemptVerdict.INTERRUPTED, {}),
    replace(TURN, id="3" * 32, operation_id="op-3", at="2026-01-01T00:00:08Z", sequence=2, replaces=TURN.id),
    Attempt("try-4", "op-3", MAIN, ROOT.id, "2026-01-01T00:00:08Z", AttemptVerdict.COMMITTED, {}),
)
SAID_IN = {1: FIRST_FORMAT, 2: RECORDS}
"""The records of the kept file of each number."""


def file_of(number: int) -> Path:
    """Where the chronicle of a format is kept."""
    return FOLDER / str(number) / "chronicle.jsonl"


def write_chronicle(records: Iterable[Record]) -> bytes:
    """The bytes of a chronicle, in the newest format."""
    lines, chain = [], GENESIS
    for record in records:
        framed = frame(chain, encode(record))
        chain = framed.chain
        lines.append(framed.line)
    return b"".join(lines)


def read_frames(data: bytes) -> tuple[list[bytes], TornFrame | BrokenFrame | None]:
    """The records' bytes of a chronicle, and what stands behind them."""
    found: list[bytes] = []
    offset, chain = 0, GENESIS
    while offset < len(data):
        step = read_frame(data, offset, chain)
        if isinstance(step, TornFrame | BrokenFrame):
            return found, step
        found.append(step.record)
        offset, chain = offset + step.size, step.chain
    return found, None


def read_chronicle(data: bytes) -> list[Record]:
    """The records of a whole chronicle of any format."""
    found, rest = read_frames(data)
    assert rest is None
    form = format_of(found[0])
    return [form.read(record) for record in found]


if __name__ == "__main__":
    path = file_of(FORMAT_NUMBER)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as file:
        file.write(write_chronicle(RECORDS))
