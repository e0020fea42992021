"""The keyboard: lines from a terminal, a pipe, a file or memory, and a player who wants to leave."""

import asyncio
import io
import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from talewright.faces.plain import console
from talewright.faces.plain.console import LINE_BYTES_MAX, Keyboard


async def read_all(keyboard: Keyboard) -> list[str]:
    lines = []
    while (line := await keyboard.read()) is not None:
        lines.append(line)
    return lines


def test_lines_from_memory() -> None:
    assert asyncio.run(read_all(Keyboard(io.StringIO("one\r\n\ntwo")))) == ["one", "", "two"]


def test_lines_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "typed"
    file.write_bytes("一\n\xe9 two\r\n".encode() + b"\xff\nlast")
    with file.open(encoding="utf-8") as source:
        assert asyncio.run(read_all(Keyboard(source))) == ["一", "\xe9 two", "\ufffd", "last"]


def test_lines_from_a_pipe_do_not_hold_up_other_work() -> None:
    reading, writing = os.pipe()

    async def run() -> list[str]:
        async def type_slowly() -> None:
            for part in (b"wh", b"at?\nne", b"xt\n"):
                await asyncio.sleep(0)
                os.write(writing, part)
            os.close(writing)

        typing = asyncio.create_task(type_slowly())
        lines = await read_all(Keyboard(source))
        await typing
        return lines

    with open(reading, encoding="utf-8") as source:
        assert asyncio.run(run()) == ["what?", "next"]


def test_a_line_without_end_is_read_in_parts(tmp_path: Path) -> None:
    file = tmp_path / "typed"
    file.write_bytes(b"x" * (LINE_BYTES_MAX + 100_000))
    with file.open(encoding="utf-8") as source:
        lines = asyncio.run(read_all(Keyboard(source)))
    assert len(lines) == 2
    assert max(map(len, lines)) < LINE_BYTES_MAX + 100_000


def test_giving_up_ends_the_line_that_is_waited_for() -> None:
    reading, writing = os.pipe()

    async def run() -> str | None:
        keyboard = Keyboard(source)
        keyboard.give_up()
        waiting = asyncio.create_task(keyboard.read())
        await asyncio.sleep(0)
        keyboard.give_up()
        keyboard.give_up()
        return await waiting

    with open(reading, encoding="utf-8") as source:
        assert asyncio.run(run()) is None
    os.close(writing)


def test_a_console_of_windows_is_read_through_its_stream(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class WindowsConsole(io.StringIO):
        def isatty(self) -> bool:
            return True

        def fileno(self) -> int:
            # Its bytes would be those of a code page.
            return typed.fileno()

    monkeypatch.setattr(console, "os", SimpleNamespace(**{**vars(os), "name": "nt"}))
    (tmp_path / "typed").write_bytes("看海\n".encode("gbk"))
    with open(tmp_path / "typed", "rb") as typed:
        keyboard = Keyboard(WindowsConsole("看海\n"))
        assert asyncio.run(keyboard.read()) == "看海"
        assert not keyboard.hears_enter
