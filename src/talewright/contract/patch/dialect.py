"""The patch dialect: prose, then one final fenced JSON block with a patch between two versions.

It reads form only. Nothing is judged or applied here.

A JSON string contains no line break, so a fence inside one neither starts nor ends a line. A JSON block may
also open after a few words (`PATCH_BUNDLE: ```json`), as long as there is no quote or brace among them.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import assert_never

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json, quote_value
from talewright.contract.dialect import IN_CIRCLES, AnswerGround, ModelAnswer
from talewright.contract.patch.patch_bundle import read_attempt, read_bundle
from talewright.contract.patch.patch_grammar import patch_grammar
from talewright.contract.patch.patch_instructions import (
    WORDS_MAX,
    patch_demand,
    patch_rules,
    short_patch_rules,
)
from talewright.contract.text.answer_json import JsonTextError, read_json, strip_controls, strip_document
from talewright.contract.text.hidden_tail import (
    BEHIND_LENGTH_MAX,
    TELLING_LENGTH_MAX,
    HiddenTail,
    begins_with_sign,
)
from talewright.contract.text.sentences import keep_whole_sentences
from talewright.kernel.game import Game
from talewright.kernel.judging.rulings import Flaw
from talewright.llm.profiles import Profile
from talewright.llm.reply_chunks import CallPart, Piece, Stop, StopReason, Text, Used
from talewright.llm.requests import Schema, ToolSpec

_WORD = re.compile(r"\w+(?:['’-]\w+)*")


@cache
def _ideographs() -> re.Pattern[str]:
    """Ideographs and kana: written without spaces, and two of them say about as much as one English word.

    Compiling such a large set takes longer than loading many modules, and most games never need it.
    """
    return re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")


def count_words(text: str) -> int:
    """Words between spaces and punctuation, and half a word for each ideograph, rounded up."""
    spaced, ideographs = _ideographs().subn(" ", text)
    return len(_WORD.findall(spaced)) + (ideographs + 1) // 2


_OPENING = re.compile(
    r"""(?:\A|(?<=\n))(?:
        [ \t]*+(?P<fence>`{3,}+|~{3,}+)[ \t]*+(?P<word>[A-Za-z][A-Za-z0-9]*+)?
        |[^`~"{\n]*+(?P<late_fence>`{3,}+|~{3,}+)[ \t]*+(?P<late_word>json[a-z0-9]*+)
    )""",
    re.ASCII | re.IGNORECASE | re.VERBOSE,
)
_CLOSING = {sign: re.compile(rf"(?<!{sign})({sign}{{3,}}+)[ \t]*+(?=\n|\Z)") for sign in "`~"}


@frozen
class FencedBlock:
    """One fenced block."""

    word: str
    """The lower-case word after the opening fence; empty if there is none."""

    content: str
    end: int
    """Where the block ends in the text."""

    closed: bool = True


def find_blocks(text: str) -> tuple[FencedBlock, ...]:
    """The blocks of a text, in order. An unclosed block contains all the rest."""
    blocks: list[FencedBlock] = []
    opening = _OPENING.search(text)
    while opening is not None:
        fence = opening["fence"] or opening["late_fence"]
        word = (opening["word"] or opening["late_word"] or "").lower()
        block = FencedBlock(word, text[opening.end() :], len(text), closed=False)
        for closing in _CLOSING[fence[0]].finditer(text, opening.end()):
            if len(closing[1]) >= len(fence):
                block = FencedBlock(word, text[opening.end() : closing.start()], closing.end())
                break
        blocks.append(block)
        opening = _OPENING.search(text, block.end)
    return tuple(blocks)


NEAR_LENGTH = 30
"""Characters quoted before the position of a JSON error."""

JSON_WORDS = frozenset({"json", "jsonc", "json5"})


class PatchDialect:
    """The dialect in which every turn is a short narration and a JSON Patch."""

    name = "patch"

    def rules(self, game: Game, language: str, profile: Profile | None = None) -> str:
        """The instructions on how to answer, given to the model once."""
        if profile is None or not profile.short_prompts:
            return patch_rules(game, language)
        return short_patch_rules(game, language, held=profile.takes_grammar)

    def grammar(self, ground: AnswerGround, profile: Profile) -> str:
        """A grammar for a short narration and its block, if the server enforces one."""
        fits = profile.takes_grammar and profile.short_prompts
        return patch_grammar(ground, profile) if fits else ""

    def schema(self, ground: AnswerGround, profile: Profile) -> Schema | None:
        """None: the answer starts with prose, which a JSON Schema cannot express."""
        return None

    def tools(self, ground: AnswerGround, profile: Profile) -> tuple[ToolSpec, ...]:
        """None: this dialect has no tools."""
        return ()

    def reader(self, ground: AnswerGround) -> "PatchReader":
        """A reader for one reply."""
        return PatchReader(ground)

    def demand(self, flaws: tuple[Flaw, ...], ground: AnswerGround) -> str:
        """The text of a repair; without flaws, what is wanted now."""
        return patch_demand(flaws, ground)


class PatchReader:
    """Reads one reply while it arrives."""

    def __init__(self, ground: AnswerGround) -> None:
        self._ground = ground
        self._silent = ground.moves_only or ground.updates_only
        self._curtain = HiddenTail()
        self._prose: list[str] = []
        self._stop: StopReason | None = None

    def feed(self, chunk: Piece) -> str:
        """Take a chunk; return the narration that may be shown now."""
        shown = ""
        match chunk:
            case Text(text) if self._stop is None:
                shown = self._curtain.feed(strip_controls(text))
            case Stop(reason):
                self._stop = reason
                shown = self._curtain.close()
            case Text() | CallPart() | Used():
                pass
            case _:
                assert_never(chunk)
        if self._silent:
            return ""
        self._prose.append(shown)
        return shown

    def finish(self) -> ModelAnswer:
        """The whole answer."""
        prose = "".join(self._prose)
        whole = self._is_whole()
        if self._stop is StopReason.LENGTH and not self._curtain.drawn:
            kept = keep_whole_sentences(prose)
            prose, whole = kept or prose, bool(kept)
        telling = () if self._silent else self._judge_telling(prose)
        bundle, flaws = self._find_bundle()
        answer = ModelAnswer()
        if bundle is not None:
            read = read_attempt if self._ground.moves_only else read_bundle
            answer = read(bundle, self._ground)
        return replace(
            answer,
            prose=prose,
            flaws=(*telling, *flaws, *answer.flaws),
            prose_stands=prose != "" and whole,
        )

    def _is_whole(self) -> bool:
        """Whether the narration is complete: a sign followed it, or the model stopped on its own."""
        if self._curtain.drawn:
            return not self._curtain.overlong
        return self._stop in (StopReason.END, StopReason.CALLS)

    def _judge_telling(self, prose: str) -> tuple[Flaw, ...]:
        if self._curtain.overlong:
            return (Flaw(f"the narration has more than {TELLING_LENGTH_MAX} characters; tell far less"),)
        if not prose:
            return (Flaw("there is no narration; tell what happens before the json block"),)
        words = count_words(prose)
        if words > WORDS_MAX:
            told = f"the narration has {words} words; stay within {WORDS_MAX} from now on"
            return (Flaw(told, soft=True),)
        return ()

    def _find_bundle(self) -> tuple[Mapping[str, Json] | None, tuple[Flaw, ...]]:
        """The object in the one required block, and what is wrong with the form around it."""
        behind = self._curtain.behind
        if self._stop is StopReason.REFUSAL:
            return None, (Flaw("you declined to answer; go on with the story in a way you can tell"),)
        if self._curtain.overfull:
            return None, (
                Flaw(f"the json block has more than {BEHIND_LENGTH_MAX} characters; be far shorter"),
            )
        blocks = [block for block in find_blocks(behind) if _is_json(block)]
        if not blocks and self._silent and behind.startswith("{"):
            # If only the object was requested, the fence around it does not matter.
            blocks = [FencedBlock("json", behind, len(behind))]
        if self._stop is StopReason.REPETITION and not any(block.closed for block in blocks):
            return None, (IN_CIRCLES,)
        if len(blocks) != 1:
            found = f"there are {len(blocks)} json blocks" if blocks else "there is no json block"
            return None, (Flaw(f"{found}; end the answer with exactly one, fenced by ```json and ```"),)
        bundle = self._read_block(blocks[0])
        if isinstance(bundle, Flaw):
            return None, (bundle,)
        after = behind[blocks[0].end :].strip()
        if after and not begins_with_sign(after):
            return bundle, (Flaw("text after the json block is not shown; end with the block", soft=True),)
        return bundle, ()

    def _read_block(self, block: FencedBlock) -> Mapping[str, Json] | Flaw:
        try:
            bundle = strip_document(read_json(block.content))
        except JsonTextError as error:
            if not block.closed:
                shorter = "; be shorter" if self._stop is StopReason.LENGTH else ""
                return Flaw(f"the answer broke off within the json block; give it whole{shorter}")
            near = block.content[max(0, error.offset - NEAR_LENGTH) : error.offset]
            return Flaw(f"the JSON of the block is broken after {near!r}: {error.message}")
        if isinstance(bundle, Mapping):
            return bundle
        return Flaw(f"the json block must hold one object {{...}}, not {quote_value(bundle)}")


def _is_json(block: FencedBlock) -> bool:
    return block.word in JSON_WORDS or (not block.word and block.content.lstrip().startswith("{"))
