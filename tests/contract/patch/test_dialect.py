"""The patch dialect: prose is shown while it arrives, the block never, and flaws say what to do."""

import json
from collections.abc import Sequence

import pytest

from talewright.common.json_values import Json
from talewright.contract.dialect import AnswerGround, Dialect, ModelAnswer
from talewright.contract.patch.dialect import PatchDialect
from talewright.contract.patch.patch_instructions import patch_demand, patch_rules
from talewright.contract.text import hidden_tail
from talewright.kernel.judging.moves import Call
from talewright.kernel.judging.rulings import Flaw
from talewright.llm.profiles import AnswerMode, Profile
from talewright.llm.reply_chunks import CallPart, Piece, Stop, StopReason, Text, Usage, Used
from tests.contract.chapel import chapel, fence, ground, make_bundle, trying

DIALECT: Dialect = PatchDialect()
END = Stop(StopReason.END)
NO_BLOCK = Flaw("there is no json block; end the answer with exactly one, fenced by ```json and ```")


def read(text: str, where: AnswerGround | None = None, stop: Stop | None = END) -> ModelAnswer:
    chunks: Sequence[Piece] = [Text(text), *([stop] if stop else [])]
    reader = DIALECT.reader(where or ground())
    told = "".join([reader.feed(chunk) for chunk in chunks])
    answer = reader.finish()
    assert told == answer.prose
    return answer


def block(content: str) -> str:
    return f"You wait.\n```json\n{content}\n```"


def test_dialect_has_a_name_and_neither_schema_nor_tools() -> None:
    profile = Profile("x", AnswerMode.SCHEMA)
    assert DIALECT.name == "patch"
    assert DIALECT.schema(ground(), profile) is None
    assert DIALECT.tools(trying(), profile) == ()
    assert DIALECT.rules(chapel(), "en") == patch_rules(chapel(), "en")
    assert DIALECT.demand((NO_BLOCK,), ground()) == patch_demand((NO_BLOCK,), ground())


def test_good_answer() -> None:
    answer = read(fence(make_bundle(next_actions=["Wait"])))
    assert (answer.prose, answer.flaws, answer.prose_stands) == ("You wait.", (), True)
    assert (answer.operation_id, [offer.label for offer in answer.choices]) == ("find-coin-7f3", ["Wait"])


def test_chunks_of_other_kinds_show_nothing_and_text_after_the_stop_is_none() -> None:
    reader = DIALECT.reader(ground())
    assert reader.feed(Text("You \x1b[31mwait")) == "You [31mwait"
    assert reader.feed(CallPart(0, "x", "pay", "{}")) == ""
    assert reader.feed(Used(Usage())) == ""
    assert reader.feed(Text(" for the game")) == " for the"
    assert reader.feed(END) == " game"
    assert reader.feed(Text(" more")) == ""
    assert reader.finish().prose == "You [31mwait for the game"


def test_strings_of_a_bundle_carry_no_controls() -> None:
    answer = read(fence(make_bundle(next_actions=["W\u202eait\x1b"], operation_id="a\x00b")))
    assert (answer.choices[0].label, answer.operation_id) == ("Wait", "ab")


def test_narration_may_be_too_long_by_words() -> None:
    assert read(fence(make_bundle(), "You " * 40)).flaws == ()
    told = Flaw("the narration has 41 words; stay within 40 from now on", soft=True)
    answer = read(fence(make_bundle(), "You " * 41))
    assert (answer.flaws, answer.prose_stands) == ((told,), True)


def test_narration_is_needed() -> None:
    answer = read(fence(make_bundle(), ""))
    told = "there is no narration; tell what happens before the json block"
    assert (answer.flaws, answer.prose, answer.prose_stands) == ((Flaw(told),), "", False)
    assert answer.operation_id == "find-coin-7f3"


def test_endless_narration_does_not_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hidden_tail, "TELLING_LENGTH_MAX", 20)
    answer = read(fence(make_bundle(), "You wait and wait and wait."))
    told = Flaw("the narration has more than 20000 characters; tell far less")
    assert (answer.flaws[0], answer.prose_stands) == (told, False)


def test_endless_block_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hidden_tail, "BEHIND_LENGTH_MAX", 20)
    answer = read(fence(make_bundle()))
    told = Flaw("the json block has more than 400000 characters; be far shorter")
    assert (answer.flaws, answer.prose_stands, answer.operation_id) == ((told,), True, "")


def test_declined_answer_is_told() -> None:
    told = Flaw("you declined to answer; go on with the story in a way you can tell")
    answer = read("I cannot.", stop=Stop(StopReason.REFUSAL))
    assert (answer.flaws, answer.prose_stands) == ((told,), False)


@pytest.mark.parametrize("stop", [StopReason.END, StopReason.CALLS])
def test_prose_stands_where_the_model_stopped_of_its_own_will(stop: StopReason) -> None:
    answer = read("You wait.", stop=Stop(stop))
    assert (answer.prose, answer.flaws, answer.prose_stands) == ("You wait.", (NO_BLOCK,), True)


@pytest.mark.parametrize("stop", [None, Stop(StopReason.LENGTH)])
def test_prose_that_was_cut_off_does_not_stand(stop: Stop | None) -> None:
    answer = read("You wait", stop=stop)
    assert (answer.prose, answer.flaws, answer.prose_stands) == ("You wait", (NO_BLOCK,), False)
    assert read("You wait.\n```js", stop=stop).prose_stands


def test_block_that_broke_off() -> None:
    text = fence(make_bundle())
    told = "the answer broke off within the json block; give it whole"
    assert read(text[:-20]).flaws == (Flaw(told),)
    assert read(text[:-20], stop=Stop(StopReason.LENGTH)).flaws == (Flaw(f"{told}; be shorter"),)
    assert read(text[:-20], stop=None).prose_stands
    # All that is missing is the fence: nothing is lost by it.
    assert read(text[:-3]).flaws == ()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (block("{}") + "\n" + block("{}"), "there are 2 json blocks"),
        (block("{}").replace("json", "text"), "there is no json block"),
        (block("[]").replace("json", ""), "there is no json block"),
        ("You wait.\n{}", "there is no json block"),
    ],
)
def test_exactly_one_block(text: str, told: str) -> None:
    end = "; end the answer with exactly one, fenced by ```json and ```"
    assert read(text).flaws == (Flaw(told + end),)


@pytest.mark.parametrize("word", ["json", "JSON", "jsonc", "json5", ""])
def test_block_may_be_called_so(word: str) -> None:
    assert read(fence(make_bundle()).replace("```json", f"```{word}")).flaws == ()


def test_block_must_be_an_object_in_json() -> None:
    assert read(block("[1]")).flaws == (Flaw("the json block must hold one object {...}, not a list"),)
    told = "the JSON of the block is broken after '\\n{\"a\": 1,': expected a member's name in double quotes"
    assert read(block('{"a": 1,}')).flaws[0].message.startswith(told)
    told = "the JSON of the block is broken after '" + "x" * 28 + "\" ': expected"
    assert read(block(f'{{"{"x" * 40}" 1}}')).flaws[0].message.startswith(told)


def test_text_after_the_block_is_not_shown() -> None:
    told = Flaw("text after the json block is not shown; end with the block", soft=True)
    answer = read(fence(make_bundle()) + "\nEnjoy!")
    assert (answer.prose, answer.flaws) == ("You wait.", (told,))
    for dump in ("\n \n", "\nGAME_STATE: hp 5", '\n{"hp": 5}', "\n```text\nhp 5\n```"):
        answer = read(fence(make_bundle()) + dump)
        assert (answer.prose, answer.flaws) == ("You wait.", ())


def test_dump_or_other_fence_before_the_block_ends_the_telling() -> None:
    text = fence(make_bundle(), "You wait.\n```text\nhp 5\n```\nYou go on.\nGAME_STATE x")
    answer = read(text)
    assert (answer.prose, answer.flaws) == ("You wait.", ())


def test_first_ask_shows_nothing_and_takes_the_attempt() -> None:
    mechanics: dict[str, Json] = {"skill_used": "stealth", "difficulty": "hard"}
    wanted = (Call("attempt", mechanics),)
    first = trying(moves_only=True)
    object_text = json.dumps({"mechanics": mechanics})
    for text in (fence({"mechanics": mechanics}), object_text, f" \n{object_text}\n", f"Sure: {object_text}"):
        answer = read(text, first)
        assert (answer.prose, answer.moves, answer.flaws, answer.prose_stands) == ("", wanted, (), False)
    assert read("You wait.", first).flaws == (NO_BLOCK,)
    assert (
        read(object_text + " and more", first).flaws[0].message.startswith("the JSON of the block is broken")
    )


def test_repair_of_updates_reads_the_block_alone() -> None:
    repair = ground(updates_only=True)
    for text in (fence(make_bundle()), json.dumps(make_bundle())):
        answer = read(text, repair)
        assert (answer.prose, answer.flaws, answer.operation_id) == ("", (), "find-coin-7f3")
        assert not answer.prose_stands
