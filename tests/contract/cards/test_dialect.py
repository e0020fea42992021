from dataclasses import replace

import pytest

from talewright.common.json_values import Json
from talewright.contract.cards.cards_schema import ANSWER_LENGTH_MAX, NARRATIVE_LENGTH_MAX
from talewright.contract.cards.dialect import NEAR_LENGTH, CardsDialect
from talewright.contract.dialect import Dialect, ModelAnswer, SuggestedChoice
from talewright.kernel.judging.moves import Op, Update
from talewright.llm.profiles import AnswerMode, Profile
from talewright.llm.reply_chunks import CallPart, Piece, Stop, StopReason, Text, Usage, Used
from tests.contract.cards_making import flaws, make_ground, read, read_chunks, write

GOOD = ModelAnswer(
    prose="You wait.",
    choices=(
        SuggestedChoice("on", "Go on"),
        SuggestedChoice("back", "Go back"),
        SuggestedChoice("up", "Go up"),
    ),
    prose_stands=True,
)
SECOND = "there is a second JSON object after the first; answer with exactly one"
NONE = "there is no JSON object in the answer; answer with one and nothing else"
UNCLOSED = "the answer ends before the JSON object is closed; close every quote and bracket"


def is_a_dialect(cards: CardsDialect) -> Dialect:
    return cards


def test_dialect_has_its_parts() -> None:
    cards, ground = is_a_dialect(CardsDialect()), make_ground()
    assert cards.name == "cards"
    assert cards.tools(ground, Profile("any")) == ()
    assert cards.rules(ground.game, "en").startswith("# How to answer")
    assert cards.demand((), ground).startswith("Answer with the whole JSON object")
    schema = cards.schema(ground, Profile("firm", AnswerMode.SCHEMA))
    assert schema is not None
    assert schema["type"] == "object"
    assert cards.schema(ground, Profile("some", AnswerMode.JSON)) == schema
    assert cards.schema(ground, Profile("free")) is None


def test_good_answer_is_read() -> None:
    assert read(write()) == GOOD


@pytest.mark.parametrize(
    "around",
    [
        "{}",
        "\ufeff{}",
        "```json\n{}\n```",
        "Sure! }} \n{}\nThat is {{it}}. {{",
        " [{}] ",
        "{{{}",
        "{}}}",
        "{} {{",
    ],
)
def test_words_around_the_object_are_passed_over(around: str) -> None:
    assert read(around.format(write())) == GOOD


def test_narration_is_told_while_it_arrives() -> None:
    reader = CardsDialect().reader(make_ground())
    assert reader.feed(Text('```json\n{"narrative_markdown"  :\n "You ')) == "You "
    assert reader.feed(Text("wait")) == "wait"
    assert reader.feed(Text(".\\")) == "."
    assert reader.feed(Text("u00e")) == ""
    assert reader.feed(Text('9"')) == "é"
    assert reader.feed(Text(', "choices": ["narr"], "narrative_markdown": "no"}')) == ""
    answer = reader.finish()
    assert answer.prose == "You wait.é"
    assert flaws(answer)[0].endswith("'narrative_markdown' stands twice in one object")
    assert answer.prose_stands


def test_only_the_outermost_narration_is_told() -> None:
    text = write(
        aside={"narrative_markdown": "no"}, narrative_markdown_2="no", list=["narrative_markdown", "no"]
    )
    assert read(text).prose == "You wait."
    inner = '{"choices": {"narrative_markdown": "no"}, "x": ["narrative_markdown", "no"]}'
    answer = read(inner)
    assert answer.prose == ""
    assert not answer.prose_stands


def test_name_may_be_written_with_escapes() -> None:
    assert read(write().replace("narrative_markdown", "narrative\\u005fmarkdown")) == GOOD


def test_breaks_within_strings_are_mended() -> None:
    answer = read(write(narrative_markdown="One. Two.").replace("One. Two.", "One.\r\n\tTwo."))
    assert answer == replace(GOOD, prose="One.\n\tTwo.")


def test_controls_are_left_out() -> None:
    answer = read(write(narrative_markdown="You \x1b[1mwait\x00.\u202e"))
    assert answer == replace(GOOD, prose="You [1mwait.")


def test_second_object_is_a_flaw_and_the_first_is_told() -> None:
    for second in (write(), '{ "x', '{"'):
        answer = read(write() + "\n" + second)
        assert flaws(answer) == [SECOND]
        assert replace(answer, flaws=()) == GOOD


def test_other_chunks_tell_nothing() -> None:
    chunks: list[Piece] = [
        Used(Usage(1, 1)),
        Text(write()),
        CallPart(0, "c", "roll", "{}"),
        Stop(StopReason.END),
    ]
    assert read_chunks(chunks) == GOOD
    assert read_chunks([Text(write())]) == GOOD


@pytest.mark.parametrize("text", ["", "You wait.", "{ ", "{{", "[1, 2]", "```json\n{"])
def test_answer_without_an_object_has_one_flaw(text: str) -> None:
    assert read(text) == ModelAnswer(flaws=read("").flaws)
    assert flaws(read(text)) == [NONE]


@pytest.mark.parametrize(
    "begun", ["{'narrative_markdown': 'You wait.',", "{narrative_markdown:", "{ 1", "{\\"]
)
def test_object_with_wrong_names_is_not_looked_into(begun: str) -> None:
    answer = read(begun + ' "x": {"narrative_markdown": "no"}}')
    assert answer.prose == ""
    (told,) = flaws(answer)
    assert "expected a member's name in double quotes, found" in told


def test_empty_object_is_the_answer() -> None:
    missing = [f"`{name}` is missing" for name in ("narrative_markdown", "choices", "state_updates")]
    for text in ("{}", "x { } y", "{\n}{"):
        assert flaws(read(text)) == missing
    answer = read("{}" + write())
    assert flaws(answer) == [SECOND, *missing]
    assert answer.prose == ""


def test_refusal_is_a_flaw() -> None:
    answer = read("I cannot tell this.", stop=StopReason.REFUSAL)
    assert flaws(answer) == ["you declined to answer; go on with the story in a way you can tell"]
    assert not answer.prose_stands


def test_unfinished_object_is_a_flaw() -> None:
    text = write()
    at = text.index("You") + 3
    assert flaws(read(text[:at])) == [UNCLOSED]
    assert flaws(read(text[:at], stop=StopReason.LENGTH)) == [
        "the answer reached its length limit before the JSON object was closed; be shorter"
    ]
    answer = read(text[:at])
    assert answer.prose == "You"
    assert not answer.prose_stands


def test_narration_stands_once_another_member_follows() -> None:
    text, ground = write(), make_ground()
    quote = text.index("wait.") + len("wait.")
    colon = text.index('"choices":') + len('"choices":')
    for end in range(quote, len(text)):
        answer = read(text[:end], ground)
        assert answer.prose == "You wait."
        assert answer.prose_stands is (end >= colon), text[:end]


def test_narration_with_a_bare_quotation_mark_does_not_stand() -> None:
    answer = read('{"narrative_markdown": "He says "Hello" to you.", "choices": []}')
    assert answer.prose == "He says "
    assert not answer.prose_stands
    assert flaws(answer) == [
        'the JSON is broken after \'arrative_markdown": "He says "\': '
        "expected ',' or '}', found 'Hello\" to you.\", \"ch'"
    ]
    answer = read('{"narrative_markdown": "He says ", "Hello": "to you."')
    assert not answer.prose_stands


def test_place_of_a_mistake_is_quoted() -> None:
    assert NEAR_LENGTH == 30
    assert flaws(read('{"a" 1}')) == [
        "the JSON is broken after '{\"a\" ': expected ':' after 'a', found '1}'"
    ]
    words = "x" * 40
    assert flaws(read(f'{{"{words}" 1}}')) == [
        f"the JSON is broken after '{'x' * 28}\" ': expected ':' after '{'x' * 20}...', found '1}}'"
    ]


def test_halves_of_pairs_spoil_the_narration() -> None:
    for half in ("\\ud83c", "\ud83c"):
        answer = read(write(narrative_markdown="Fog # here.").replace("#", half))
        assert answer.prose == "Fog  here."
        assert not answer.prose_stands
        assert flaws(answer)[0].endswith("a string has half a surrogate pair, which is no character")
    answer = read(write(new_facts=["#"]).replace("#", "\\ud83c"))
    assert answer.prose == "You wait."
    assert answer.prose_stands
    assert answer.choices == ()


def test_narration_is_told_up_to_its_limit() -> None:
    told = "x" * NARRATIVE_LENGTH_MAX
    answer = read(write(narrative_markdown=told))
    assert answer.prose == told
    assert answer.prose_stands
    assert [flaw.soft for flaw in answer.flaws] == [True]
    answer = read(write(narrative_markdown=told + "y"))
    assert answer.prose == told
    assert not answer.prose_stands
    assert flaws(answer)[0] == "`narrative_markdown` has more than 12000 characters; tell far less"
    assert len(answer.hard_flaws) == 1


def test_answer_is_read_up_to_its_limit() -> None:
    blanks = " " * (ANSWER_LENGTH_MAX - len(write()))
    assert read(blanks + write()) == GOOD
    assert read_chunks([Text(blanks), Text(write()), Text("")]) == GOOD
    told = "the answer is longer than 200000 characters; answer far shorter"
    for chunks in ([blanks + " ", write()], [blanks + write(), " "], [blanks + write() + "  "]):
        answer = read_chunks([Text(text) for text in chunks])
        assert flaws(answer) == [told]
        assert answer.prose == "You wait."
    assert flaws(read("x" * 10_000_000)) == [told]


def test_answer_that_tells_nothing_does_not_stand() -> None:
    for empty in ("", " \n ", "\x00"):
        answer = read(write(narrative_markdown=empty))
        assert flaws(answer) == ["`narrative_markdown` is empty; tell what happens"]
        assert not answer.prose_stands


def test_repair_of_updates_tells_nothing() -> None:
    ground = replace(make_ground(), updates_only=True)
    updates: list[Json] = [{"op": "toggle", "path": "flags.met", "value": None, "reason": "r"}]
    answer = read(write(state_updates=updates, new_facts=["f"]), ground)
    assert answer == ModelAnswer(moves=(Update(Op.TOGGLE, "flags.met", None, "r"),), choices=GOOD.choices)
    long = read(write(narrative_markdown="x" * (NARRATIVE_LENGTH_MAX + 1)), ground)
    assert long == ModelAnswer(choices=GOOD.choices)


def test_moves_alone_tell_nothing() -> None:
    ground = replace(make_ground(), moves_only=True)
    assert read(write(), ground) == ModelAnswer()
    assert read('{"state_updates": []}', ground) == ModelAnswer()
