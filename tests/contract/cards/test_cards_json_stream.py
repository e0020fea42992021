"""The stream of a cards answer: where its object is, and which of its strings is the narration."""

import pytest

from talewright.contract.cards.cards_json_stream import CardsStage, CardsStream, StreamedNarration
from talewright.contract.text.answer_json import DEPTH_MAX
from tests.contract.cards_making import flaws, read

TELLING = '"narrative_markdown": "You wait."}'


def test_stream_begins_with_nothing() -> None:
    stream, narration = CardsStream(), StreamedNarration()
    assert (stream.stage, stream.start, stream.end, stream.doubled) == (CardsStage.BEFORE, 0, 0, False)
    assert (narration.cut, narration.closed, narration.damaged, narration.whole) == (False,) * 4


def test_object_is_placed_in_the_whole_reply() -> None:
    stream = CardsStream()
    for piece in ("Sure! ", '{"narrative', '_markdown": "You', ' wait."', " } x"):
        stream.feed(piece)
    assert (stream.start, stream.end) == (len("Sure! "), len('Sure! {"narrative_markdown": "You wait." }'))
    assert (stream.stage, stream.narration.whole) == (CardsStage.AFTER, True)
    empty = CardsStream()
    empty.feed("x {")
    empty.feed(" } {")
    assert (empty.start, empty.end, empty.stage) == (2, 5, CardsStage.AFTER_BRACE)


@pytest.mark.parametrize(
    "pieces",
    [
        ('{"narrative": "_markdown', 'no", "x": 1}'),
        ('{"narrative_markdown_": "no', 'no"}'),
        ('{"x": {"narrative_mark', 'down": "no', 'no"}}'),
        ('{"narrative": {"_markdown": 1}, "x": "no', 'no"}'),
        ('{"x": ["narrative_markdown", "no', 'no"]}'),
    ],
)
def test_no_other_string_is_told(pieces: tuple[str, ...]) -> None:
    stream = CardsStream()
    assert [stream.feed(piece) for piece in pieces] == [""] * len(pieces)
    assert stream.stage is CardsStage.AFTER


def test_each_chunk_gives_what_it_brought() -> None:
    stream = CardsStream()
    assert stream.feed('{"narrative_markdown": "You') == "You"
    assert stream.feed(' wait.", "x": ["no"], ') == " wait."
    assert stream.feed('"narrative_markdown": "no"}') == ""


@pytest.mark.parametrize(("deeper", "told"), [(0, "You wait."), (1, "")])
@pytest.mark.parametrize("opening", ["[", '{"a": '])
def test_nesting_is_followed_as_deep_as_it_is_read(deeper: int, told: str, opening: str) -> None:
    # The answer itself is one of the levels.
    depth = DEPTH_MAX - 1 + deeper
    closing = "]" if opening == "[" else "}"
    stream = CardsStream()
    assert stream.feed(f'{{"x": {opening * depth}1{closing * depth}, {TELLING}') == told
    assert stream.stage is (CardsStage.BROKEN if deeper else CardsStage.AFTER)


def test_word_that_is_no_value_does_not_stop_the_telling() -> None:
    answer = read('{"mood": Xen, ' + TELLING)
    assert answer.prose == "You wait."
    assert flaws(answer) == [
        "the JSON is broken after '{\"mood\": ': expected a value, found 'Xen, \"narrative_mark'"
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"a": ?', "the JSON is broken after '{\"a\": ': expected a value, found '?'"),
        ('{"a": "\x01', "the JSON is broken after '{\"a\": \"': a string has '\\x01' without an escape"),
        ('{"a"?', "the JSON is broken after '{\"a\"': expected ':' after 'a', found '?'"),
    ],
)
def test_mistake_at_the_very_end_is_no_missing_end(text: str, told: str) -> None:
    assert flaws(read(text)) == [told]
    stream = CardsStream()
    assert stream.feed(text) == ""
    assert stream.stage is CardsStage.BROKEN
    assert stream.feed(", " + TELLING) == ""
