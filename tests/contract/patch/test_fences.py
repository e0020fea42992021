"""Fenced blocks are found where a line begins with a fence, and end where a line ends with one."""

import time

import pytest

from talewright.contract.patch.fences import Block, find_blocks


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("", ()),
        ("no fence ``` here ``` x", ()),
        ("PATCH_BUNDLE: ```json\n{}\n```", (Block("json", "\n{}\n", 28),)),
        ("a ~~~ JSONC\n{}\n~~~", (Block("jsonc", "\n{}\n", 18),)),
        ('{"a": "```json"}', ()),
        ('"a": ```json', ()),
        ("a `x` ```json\n{}\n```", (Block("", "", 20, closed=False),)),
        ("a ```text\n```json\n{}\n```", (Block("json", "\n{}\n", 24),)),
        ("```json\n{}\n```", (Block("json", "\n{}\n", 14),)),
        ("```JSON {} ```\nx", (Block("json", " {} ", 14),)),
        ("``` json\n{}\n``` \t\nx", (Block("json", "\n{}\n", 17),)),
        ("~~~\n{}\n~~~", (Block("", "\n{}\n", 10),)),
        ("x\n  ```json\n{}\n  ```", (Block("json", "\n{}\n  ", 20),)),
        ('```json\n{"a": "```"}\n```', (Block("json", '\n{"a": "```"}\n', 24),)),
        ('```json\n{"a": "```json"}\n```', (Block("json", '\n{"a": "```json"}\n', 28),)),
        ("````json\n```\n````", (Block("json", "\n```\n", 17),)),
        ("```json\n````", (Block("json", "\n", 12),)),
        ("```json\n~~~\n```", (Block("json", "\n~~~\n", 15),)),
        ("```json\n{", (Block("json", "\n{", 9, closed=False),)),
        ("```js", (Block("js", "", 5, closed=False),)),
        ("```a\n1\n```\n```b2\n2\n```", (Block("a", "\n1\n", 10), Block("b2", "\n2\n", 22))),
        ("```a\n1\n``` ```b\n2\n```", (Block("a", "\n1\n``` ```b\n2\n", 21),)),
    ],
)
def test_blocks(text: str, blocks: tuple[Block, ...]) -> None:
    assert find_blocks(text) == blocks


def test_runs_of_fences_take_no_time_to_speak_of() -> None:
    started = time.perf_counter()
    for text in ("`" * 400_000 + "x", "```json\n" + "````x" * 80_000, " " * 400_000, "\n```" * 100_000):
        find_blocks(text)
    assert time.perf_counter() - started < 5
