"""Marks: nobody but us writes them."""

import json
import random
from time import process_time

import pytest

from talewright.prompt.past_turns_part import disarm, disarm_input, disarm_json, unmark


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I go [RESULTS]\n[{}]", "I go (RESULTS)\n[{}]"),
        ("[SO FAR] [STATE][X]", "(SO FAR) (STATE)(X)"),
        ("[INVENTORY_INDEX_BY_ID]", "(INVENTORY_INDEX_BY_ID)"),
        ("[door] [Door] [1] [] [A1]", "[door] [Door] [1] [] [A1]"),
        ("[[PLAYER]]", "[(PLAYER)]"),
        ("我说[状态]", "我说[状态]"),
    ],
)
def test_marks_are_said_in_parentheses(text: str, told: str) -> None:
    assert unmark(text) == told
    assert unmark(told) == told


MARKERS = [
    *("<|im_start|>", "<|im_end|>", "<|eot_id|>", "<|start_header_id|>", "<|endoftext|>", "<|channel|>"),
    *("<|user|>", "<|assistant|>", "<|system|>", "<|END_OF_TURN_TOKEN|>", "<|anything at all|>"),
    *("<｜User｜>", "<｜Assistant｜>", "<｜begin▁of▁sentence｜>", "<｜tool▁calls▁begin｜>"),
    *("[INST]", "[/INST]", "[AVAILABLE_TOOLS]", "[TOOL_CALLS]", "[gMASK]", "<<SYS>>", "<</SYS>>"),
    *("<s>", "</s>", "<bos>", "<eos>", "<start_of_turn>", "<end_of_turn>", "<tool_call>", "</think>"),
    *("<extra_id_0>", "<unused12>", "<turn|>", "<|tool_response>"),
    *("[|user|]", "[|endofturn|]", "<reserved_106>", "<TOKENS_UNUSED_1>", "<seed:bos>", "<seed:tool_call>"),
    *("<eoh>", "<eoa>", "]~b]", "]~!b[", "[e~[", "<role>", "</role>", "<start_function_call>"),
    *("[ARGS]", "[CALL_ID]", "[MODEL_SETTINGS]", "[/MODEL_SETTINGS]"),
    # Disguised.
    *("< | im_start | >", "<\u200b|im_start|\u200b>", "<|\u202eim_start|>", "＜|im_end|＞", "‹|im_end|›"),
    *(
        "<¦im_end¦>",
        "<│im_end│>",
        "<\n|im_end|>",
        "[ INST ]",
        "[I\u200bN\u200bS\u200bT]",
        "［INST］",
        "【/INST】",
    ),
    *("[ΙNST]", "[ＩＮＳＴ]", "< s >", "</ s>", "<ѕ>", "〈s〉", "<st\u00adart_of_turn>", "< < SYS > >"),
]
"""By which chat templates tell messages apart, and what tokenizers or models may take for them."""

HARMLESS = [
    *("a < b and c > d", "x <- y | z -> w", "<b>bold</b> and <i>not</i>", "《红楼梦》", "【第一章】"),
    *("[1] [x] [sic]", '{"a":["mask"],"b":["inst"],"c":[1,2]}', "if a|b > c", "<3", ">_<", "|-|", "[STATE]"),
    *("[|]", "[||]", "a[b]~c]", "[a|b]", "<roles>", "[~b", "a reserved seat"),
]


@pytest.mark.parametrize("marker", MARKERS)
def test_markers_of_chat_templates_are_said_in_parentheses(marker: str) -> None:
    told = disarm(f"I say {marker}system")
    assert not any(sign in told for sign in ("<|", "|>", "<｜", "｜>", marker))
    assert "(" in told or ")" in told
    assert disarm(told) == told


@pytest.mark.parametrize("text", HARMLESS)
def test_other_brackets_stay(text: str) -> None:
    assert disarm(text) == text


@pytest.mark.parametrize(
    "text", ["[STATE]", "[ＳＴＡＴＥ]", "[S\u200bTATE]", "［RESULTS］", "[ P L A Y E R ]", "[so far]"]
)
def test_our_own_marks_are_seen_through_their_disguise(text: str) -> None:
    assert disarm_input(text) == f"({text[1:-1].strip()})"
    assert disarm_input(f"[{text[1:-1]} of the art]") == f"[{text[1:-1]} of the art]"


@pytest.mark.parametrize("marker", [marker for marker in MARKERS if "\n" not in marker])
def test_markers_in_json_are_seen_through_its_escapes(marker: str) -> None:
    escaped = "".join(sign if sign.isalnum() else f"\\u{ord(sign):04x}" for sign in marker)
    for written in (f'{{"notes": "{escaped}system"}}', f'{{"notes": "\\\\{escaped}system"}}'):
        told = disarm_json(written)
        assert json.loads(told)["notes"] == disarm(json.loads(written)["notes"])
        assert marker not in json.loads(told)["notes"]
        assert disarm_json(told) == told


@pytest.mark.parametrize(
    "text",
    ['{"a": "\\u4f60\\u597d \\u0022"}', '{"a": "\\\\u003cs\\\\u003e"}', '{"a": ["\\ud83d\\ude00"]}', "{"],
)
def test_other_escapes_stay(text: str) -> None:
    assert disarm_json(text) == text


def test_disarming_again_changes_nothing() -> None:
    rng = random.Random(34)
    signs = [
        "<",
        ">",
        "|",
        "[",
        "]",
        "s",
        "~b",
        "INST",
        "/",
        " ",
        "\u200b",
        "｜",
        "＜",
        "(",
        ")",
        "system",
        "\n",
        '"',
    ]
    for _ in range(20_000):
        text = "".join(rng.choices(signs, k=rng.randrange(1, 14)))
        told = disarm_input(text)
        assert disarm_input(told) == told, text
        assert "<|" not in told, text
        assert "|>" not in told, text


def test_disarming_takes_time_in_proportion_to_the_text() -> None:
    for unit in ("<", "< ", "<a ", "[", "[a ", "<|", "|", "\u200b", "<\u200b", "＜a"):
        text = unit * (200_000 // len(unit))
        begun = process_time()
        disarm_input(text)
        assert process_time() - begun < 2
