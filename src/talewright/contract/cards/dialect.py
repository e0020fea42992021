"""The cards dialect: a JSON object with narration, choices and updates, shown while it arrives.

It reads form only. Nothing is judged or applied here.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from talewright.common.frozen_values import cached_by_identity
from talewright.common.json_values import Json
from talewright.contract.answer_schema import GAMES_KEPT_MAX, narrow_answer
from talewright.contract.cards.cards_answer_checks import read_members
from talewright.contract.cards.cards_instructions import cards_demand, cards_rules
from talewright.contract.cards.cards_json_stream import CardsStage, CardsStream, StreamedNarration
from talewright.contract.cards.cards_schema import (
    ANSWER_LENGTH_MAX,
    NARRATIVE,
    NARRATIVE_LENGTH_MAX,
    cards_schema,
)
from talewright.contract.cards.cards_short_form import (
    short_cards_grammar,
    short_cards_rules,
    short_cards_schema,
)
from talewright.contract.dialect import IN_CIRCLES, AnswerGround, ModelAnswer
from talewright.contract.text.answer_json import JsonTextError, read_json
from talewright.contract.text.sentences import keep_whole_sentences
from talewright.kernel.game import Game
from talewright.kernel.judging.rulings import Flaw
from talewright.llm.profiles import Profile
from talewright.llm.reply_chunks import CallPart, Piece, Stop, StopReason, Text, Used
from talewright.llm.requests import Schema, ToolSpec

NEAR_LENGTH = 30
"""Characters quoted before the position of a JSON error."""


class CardsDialect:
    """The dialect in which every turn is one JSON object."""

    name = "cards"

    def rules(self, game: Game, language: str, profile: Profile | None = None) -> str:
        """The instructions on how to answer, given to the model once."""
        if profile is None or not profile.short_prompts:
            return cards_rules(game, language)
        return short_cards_rules(game, language, held=profile.takes_grammar)

    def grammar(self, ground: AnswerGround, profile: Profile) -> str:
        """A grammar for the short form: unlike a schema it ends a narration with a whole sentence."""
        fits = profile.takes_grammar and profile.short_prompts
        return short_cards_grammar(ground, profile) if fits else ""

    def schema(self, ground: AnswerGround, profile: Profile) -> Schema | None:
        """The JSON Schema of an answer, from the game's slots; None if the model supports none."""
        if profile.short_prompts:
            # It lists what the state allows now.
            return narrow_answer(short_cards_schema(ground), profile)
        return _narrow(cards_schema(ground), profile)

    def tools(self, ground: AnswerGround, profile: Profile) -> tuple[ToolSpec, ...]:
        """None: this dialect has no tools."""
        return ()

    def reader(self, ground: AnswerGround) -> "CardsReader":
        """A reader for one reply."""
        return CardsReader(ground)

    def demand(self, flaws: tuple[Flaw, ...], ground: AnswerGround) -> str:
        """The text of a repair."""
        return cards_demand(flaws, ground)


@cached_by_identity(GAMES_KEPT_MAX)
def _narrow(schema: Schema, profile: Profile) -> Schema | None:
    return narrow_answer(schema, profile)


class CardsReader:
    """Reads one reply while it arrives."""

    def __init__(self, ground: AnswerGround) -> None:
        self._ground = ground
        self._silent = ground.moves_only or ground.updates_only
        self._stream = CardsStream()
        self._texts: list[str] = []
        self._room = ANSWER_LENGTH_MAX
        self._too_long = False
        self._prose: list[str] = []
        self._stop: StopReason | None = None

    def feed(self, chunk: Piece) -> str:
        """Take a chunk; return the narration that may be shown now."""
        match chunk:
            case Text(text):
                return self._read(text)
            case Stop(reason):
                self._stop = reason
            case CallPart() | Used():
                pass
            case _:
                assert_never(chunk)
        return ""

    def finish(self) -> ModelAnswer:
        """The whole answer."""
        narration = self._stream.narration
        read = self._read_object()
        answer = ModelAnswer(flaws=(read,)) if isinstance(read, Flaw) else read_members(read, self._ground)
        more = []
        if self._stream.doubled:
            more.append(Flaw("there is a second JSON object after the first; answer with exactly one"))
        if narration.cut and not self._silent:
            more.append(Flaw(f"`{NARRATIVE}` has more than {NARRATIVE_LENGTH_MAX} characters; tell far less"))
        prose = "".join(self._prose)
        whole = narration.whole and not (narration.cut or narration.damaged)
        if self._broke_off(narration):
            kept = keep_whole_sentences(prose)
            prose, whole = kept or prose, bool(kept)
        return replace(
            answer,
            prose=prose,
            flaws=(*more, *answer.flaws),
            prose_stands=whole and bool(prose.strip()),
        )

    def _broke_off(self, narration: StreamedNarration) -> bool:
        """Whether the length limit was reached within a narration that is good so far."""
        good = not (narration.cut or narration.damaged or self._stream.stage is CardsStage.BROKEN)
        return self._stop is StopReason.LENGTH and not narration.whole and good

    def _read(self, text: str) -> str:
        self._too_long = self._too_long or len(text) > self._room
        text = text[: self._room]
        if not text:
            return ""
        self._room -= len(text)
        self._texts.append(text)
        told = self._stream.feed(text)
        if self._silent:
            return ""
        self._prose.append(told)
        return told

    def _read_object(self) -> Mapping[str, Json] | Flaw:
        """The object of the answer, or a flaw that says why there is none."""
        stream = self._stream
        if self._stop is StopReason.REFUSAL:
            return Flaw("you declined to answer; go on with the story in a way you can tell")
        if self._too_long:
            return Flaw(f"the answer is longer than {ANSWER_LENGTH_MAX} characters; answer far shorter")
        whole = stream.stage in (CardsStage.AFTER, CardsStage.AFTER_BRACE)
        if self._stop is StopReason.REPETITION and not whole:
            return IN_CIRCLES
        if stream.stage in (CardsStage.BEFORE, CardsStage.BRACE):
            return Flaw("there is no JSON object in the answer; answer with one and nothing else")
        text = "".join(self._texts)[stream.start : stream.end if whole else None]
        try:
            document = read_json(text, breaks=True)
        except JsonTextError as error:
            return self._describe(text, error)
        assert isinstance(document, dict)
        return document

    def _describe(self, text: str, error: JsonTextError) -> Flaw:
        if self._stream.stage is not CardsStage.BROKEN and not self._stream.end:
            if self._stop is StopReason.LENGTH:
                return Flaw(
                    "the answer reached its length limit before the JSON object was closed; be shorter"
                )
            return Flaw("the answer ends before the JSON object is closed; close every quote and bracket")
        near = text[max(0, error.offset - NEAR_LENGTH) : error.offset]
        return Flaw(f"the JSON is broken after {near!r}: {error.message}")
