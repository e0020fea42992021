"""Fuzzing: the targets without the fuzzer, and the part that runs it. Nothing here needs `atheris`."""

import importlib.util
import random

import pytest

from talewright.kernel.judging.moves import Call
from talewright.llm.reply_chunks import CallPart
from tests.contract.chapel import fence, make_bundle
from tests.contract.fuzz_targets import Target, write
from tests.sweep import fuzz
from tests.sweep.parts import SEED, Order, find_part


@pytest.mark.parametrize("reader", ["cards", "patch", "tools"])
def test_targets_hold_for_seeds_and_what_becomes_of_them(reader: str) -> None:
    target = Target(reader)
    for name, data in list(fuzz.make_seeds(reader))[:40]:
        rng = random.Random(f"{reader}:{name}:{SEED}")
        target.check(data)
        cut = bytearray(data)
        for _ in range(rng.randint(1, 6)):
            at = rng.randrange(len(cut) + 1)
            cut[at : at + rng.randint(0, 2)] = rng.choice(
                (b"\xff", b"\xfe", b"{", b"`", bytes([rng.randrange(256)]))
            )
        target.check(bytes(cut))


def test_bytes_say_what_they_should() -> None:
    good = Target("patch").check(write(fence(make_bundle())))
    assert (good.prose, good.flaws) == ("You wait.", ())
    assert Target("patch").check(b"").flaws
    assert Target("patch").check(b"\x00You \xff wait.\xff\n``\xff`").prose == "You  wait."
    assert Target("patch").check(write("You wait.", head=2)).prose == ""
    assert not Target("patch").check(write("You wait", head=2 * 16 + 1)).prose_stands
    called = Target("tools").check(write("You pay.", [CallPart(0, name="pay", arguments='{"coins": 1}')]))
    assert called.moves == (Call("pay", {"coins": 1}, "c0"),)
    assert Target("tools").check(b"\x00You\xfepay\n{\xff}").moves == (Call("pay", {}, "c0"),)


def test_part_gives_every_reader_ten_minutes() -> None:
    part = find_part("fuzz")
    assert part is not None
    assert part.sweep is fuzz.sweep
    assert (fuzz.SECONDS, fuzz.CHUNK_SECONDS) == (1_800, 60)
    turns = [(SEED + number) % len(fuzz.READERS) for number in range(fuzz.SECONDS // fuzz.CHUNK_SECONDS)]
    assert [turns.count(reader) for reader in range(3)] == [10, 10, 10]


def test_without_the_fuzzer_the_part_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    outcome = fuzz.sweep(Order(None, SEED, 60.0))
    assert (outcome.result, outcome.done, outcome.total) == ("unfinished", 0, 1_800)
    assert "atheris is not installed" in capsys.readouterr().out
