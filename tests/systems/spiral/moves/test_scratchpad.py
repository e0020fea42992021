"""The notebook and its sections: reading, writing, limits, and that no write reaches another section."""

import pytest

from talewright.common.json_values import Json
from talewright.systems.spiral.moves import scratchpad
from talewright.systems.spiral.moves.scratchpad import SECTION_LENGTH_MAX
from tests.systems.spiral.making import READY, call, granted, read, refused, write

TEXT = "A line before.\n\n## Principles\nThe river takes.\n\n## Active Threads\n- the ferry\n"
NOTED = write(READY, {"spiral.scratchpad": TEXT})


def use(**said: Json) -> Json:
    return granted(call("scratchpad", said, position=NOTED))["content"]


def test_a_section_and_the_whole_are_read() -> None:
    assert use(operation="read") == TEXT
    assert use(operation="read", section=None) == TEXT
    assert use(operation="read", section="principles") == "The river takes."
    assert use(operation="read", section="## Active  Threads") == "- the ferry"


def test_a_section_is_replaced_gone_on_with_or_made() -> None:
    assert use(operation="write", section="Principles", content="\nNobody swims.\n") == "Nobody swims."
    assert (
        use(operation="append", section="Active Threads", content="- the drum") == "- the ferry\n- the drum"
    )
    step = call("scratchpad", {"operation": "write", "section": "Resolved", "content": "-"}, position=NOTED)
    assert read(step.position, "spiral.scratchpad") == TEXT + "\n## Resolved\n-\n"
    assert use(operation="append", section="World State", content="x") == "x"
    assert use(operation="write", section="Principles", content="") == ""


def test_the_whole_is_replaced_or_gone_on_with() -> None:
    assert use(operation="write", content="## One\n\n\na") == "## One\na\n"
    assert use(operation="append", content="## New\nb") == TEXT + "\n## New\nb\n"
    fresh = call("scratchpad", {"operation": "append", "content": "first"})
    assert granted(fresh) == {"content": "first\n"}
    assert use(operation="write", content="") == ""


def test_headings_within_a_section_are_brought_lower() -> None:
    content = "a\n## Active Threads\nmine now\n```\n## in code\n```\n##  spaced\n##\n## "
    body = "a\n### Active Threads\nmine now\n```\n## in code\n```\n###  spaced\n##\n## "
    assert use(operation="write", section="Principles", content=content) == body
    step = call(
        "scratchpad", {"operation": "write", "section": "Principles", "content": content}, position=NOTED
    )
    whole = read(step.position, "spiral.scratchpad")
    assert scratchpad.read_section(str(whole), "Active Threads") == "- the ferry"
    assert scratchpad.section_names(str(whole)) == ["Principles", "Active Threads"]


def test_control_characters_and_foreign_line_ends_go() -> None:
    assert use(operation="write", section="Principles", content="a\r\nb\rc\x1b[0m\td\x00") == "a\nb\nc[0m\td"


UNCLOSED = "scratchpad: a code fence (```) is opened and not closed; close it"


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({}, "scratchpad: `operation` is one of read, write, append"),
        ({"operation": "erase"}, "scratchpad: `operation` is one of read, write, append, not 'erase'"),
        (
            {"operation": "read", "section": "Secrets"},
            "scratchpad: there is no section 'Secrets'; there is `Principles`, `Active Threads`",
        ),
        (
            {"operation": "read", "section": 3},
            "scratchpad: `section` is the name of a section, or null for the whole; not 3",
        ),
        (
            {"operation": "read", "section": "x" * 81},
            "scratchpad: the name of a section has at most 80 characters",
        ),
        (
            {"operation": "write"},
            "scratchpad needs `content`: the Markdown to write, a text, not null",
        ),
        ({"operation": "write", "section": "A", "content": "a\n ```py\nb"}, UNCLOSED),
        ({"operation": "append", "content": "```"}, UNCLOSED),
        (
            {"operation": "write", "section": "A", "content": "x" * (SECTION_LENGTH_MAX + 1)},
            "scratchpad: a section has at most 6000 characters, `A` would have 6001; write it anew, shorter",
        ),
        (
            {"operation": "append", "content": "\n".join(f"## {n}\n" + "x" * 5_000 for n in range(4))},
            "scratchpad: the whole has at most 20000 characters, this would make 20106; "
            "write a section anew, shorter, or prune `Resolved`",
        ),
        (
            {"operation": "append", "content": "## principles\nmore"},
            "scratchpad: the section `principles` stands there twice; name it as `section` instead",
        ),
    ],
)
def test_what_is_not_written(said: dict[str, Json], reason: str) -> None:
    assert refused(call("scratchpad", said, position=NOTED)) == reason


def test_an_empty_notebook_says_so() -> None:
    assert refused(call("scratchpad", {"operation": "read", "section": "A"})).endswith("there is none yet")
    assert granted(call("scratchpad", {"operation": "read"})) == {"content": ""}


@pytest.mark.parametrize(
    "text",
    ["", "a\n", "## A\n", "## A\nb\n\n## C\n", "a\n\n## B\n```\n## C\n```\n", "## A\n\n## B\n \n"],
)
def test_joining_what_was_split_gives_the_text_back(text: str) -> None:
    assert scratchpad.join_sections(scratchpad.split_sections(text)) == text
