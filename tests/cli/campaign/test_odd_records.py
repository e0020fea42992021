"""Records of odd types, rechained so that every hash is right: no command ends with a raw exception."""

import io
import json
import random
import shutil
import sys
from pathlib import Path

import pytest

from talewright.chronicle.chained_lines import GENESIS, frame
from tests.cli.campaign.test_damaged_campaigns import COMMANDS
from tests.cli.campaigns import NAME, Console

pytestmark = pytest.mark.slow

SEED = 20261115
FORGERIES = 40
ODD: tuple[object, ...] = (None, True, -1, 2**70, 1.5, "x", "", [], {}, [[]], {"a": 1}, [None])
WRONG = "Something went wrong"
"""What a face says of an exception that should not happen."""

Place = tuple[str | int, ...]


def list_places(value: object, path: Place = ()) -> list[Place]:
    """Where something stands in JSON."""
    inner: list[tuple[str | int, object]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    return [path, *(place for key, part in inner for place in list_places(part, (*path, key)))]


def put(value: object, path: Place, new: object) -> object:
    """JSON with something else in one place."""
    if not path:
        return new
    copied: dict[str | int, object] | list[object]
    copied = dict(value) if isinstance(value, dict) else list(value) if isinstance(value, list) else []
    copied[path[0]] = put(copied[path[0]], path[1:], new)  # type: ignore[index]  # the place fits what is there
    return copied


def rechain(records: list[object]) -> bytes:
    """A chronicle of records, every hash right."""
    chain, lines = GENESIS, []
    for record in records:
        one = frame(chain, json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode())
        chain = one.chain
        lines.append(one.line)
    return b"".join(lines)


def forge(chance: random.Random, good: bytes) -> tuple[bytes, str]:
    """A chronicle with something odd in one place, and what it is."""
    records = [json.loads(line)["record"] for line in good.splitlines()]
    number = chance.randrange(len(records))
    deep = chance.choice((1, 2, 2, 3, 3, 9))
    place = chance.choice([one for one in list_places(records[number]) if 0 < len(one) <= deep])
    new = chance.choice(ODD)
    records[number] = put(records[number], place, new)
    return rechain(records), f"record {number}, {place}: {new!r}"


def test_no_forged_record_ends_in_a_raw_exception(
    own_console: Console, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    print(f"seed {SEED}")
    chance = random.Random(SEED)
    folder = own_console.saves / NAME
    good = (folder / "chronicle.jsonl").read_bytes()
    shutil.copytree(folder, tmp_path / "kept")
    names = [name for name in COMMANDS if "--" not in name]
    for count in range(FORGERIES):
        data, what = forge(chance, good)
        # Each forgery meets a third of the commands, in turn.
        for name in names[count % 3 :: 3]:
            shutil.rmtree(folder)
            shutil.copytree(tmp_path / "kept", folder)
            (folder / "chronicle.jsonl").write_bytes(data)
            (folder / "index.bin").unlink()
            monkeypatch.setattr(sys, "stdin", io.StringIO("1\n/cards\n/history\n"))
            try:
                found = own_console.run(*COMMANDS[name])
            except Exception as error:
                raise AssertionError(f"{name}, {what}: {error!r}") from error
            assert WRONG not in found.out, f"{name}, {what}: {found.out}"
