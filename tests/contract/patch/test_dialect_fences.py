"""Fenced blocks are found where a line begins with a fence, and end where a line ends with one."""

import time

import pytest

from talewright.contract.patch.dialect import FencedBlock, find_blocks


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("", ()),
        ("no fence ``` here ``` x", ()),
        ("PATCH_BUNDLE: ```json\n{}\n```", (FencedBlock("json", "\n{}\n", 28),)),
        ("a ~~~ JSONC\n{}\n~~~", (FencedBlock("jsonc", "\n{}\n", 18),)),
        ('{"a": "```json"}', ()),
        ('"a": ```json', ()),
        ("a `x` ```json\n{}\n```", (FencedBlock("", "", 20, closed=False),)),
        ("a ```text\n```json\n{}\n```", (FencedBlock("json", "\n{}\n", 24),)),
        ("```json\n{}\n```", (FencedBlock("json", "\n{}\n", 14),)),
        ("```JSON {} ```\nx", (FencedBlock("json", " {} ", 14),)),
        ("``` json\n{}\n``` \t\nx", (FencedBlock("json", "\n{}\n", 17),)),
        ("~~~\n{}\n~~~", (FencedBlock("", "\n{}\n", 10),)),
        ("x\n  ```json\n{}\n  ```", (FencedBlock("json", "\n{}\n  ", 20),)),
        ('```json\n{"a": "```"}\n```', (FencedBlock("json", '\n{"a": "```"}\n', 24),)),
        ('```json\n{"a": "```json"}\n```', (FencedBlock("json", '\n{"a": "```json"}\n', 28),)),
        ("````json\n```\n````", (FencedBlock("json", "\n```\n", 17),)),
        ("```json\n````", (FencedBlock("json", "\n", 12),)),
        ("```json\n~~~\n```", (FencedBlock("json", "\n~~~\n", 15),)),
        ("```json\n{", (FencedBlock("json", "\n{", 9, closed=False),)),
        ("```js", (FencedBlock("js", "", 5, closed=False),)),
        ("```a\n1\n```\n```b2\n2\n```", (FencedBlock("a", "\n1\n", 10), FencedBlock("b2", "\n2\n", 22))),
        ("```a\n1\n``` ```b\n2\n```", (FencedBlock("a", "\n1\n``` ```b\n2\n", 21),)),
    ],
)
def test_blocks(text: str, blocks: tuple[FencedBlock, ...]) -> None:
    assert find_blocks(text) == blocks


def test_runs_of_fences_take_no_time_to_speak_of() -> None:
    started = time.process_time()
    for text in ("`" * 400_000 + "x", "```json\n" + "````x" * 80_000, " " * 400_000, "\n```" * 100_000):
        find_blocks(text)
    assert time.process_time() - started < 5
