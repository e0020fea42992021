"""The tools dialect: the model calls tools, and its text is the narration.

It reads form only. Nothing is judged or applied here.

A narration is prose, as in every dialect: nothing after a fence, a brace or a dump is shown (see
`hidden_tail`), since it is a call or a state written in the wrong place.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import assert_never, cast

from talewright.common.argument_messages import complain
from talewright.common.frozen_values import cached_by_identity, frozen
from talewright.common.json_schema import read_schema
from talewright.common.json_values import Json, quote_value
from talewright.common.name_suggestions import listed, nearest
from talewright.contract.answer_schema import narrow
from talewright.contract.dialect import IN_CIRCLES, AnswerGround, ModelAnswer, SuggestedChoice
from talewright.contract.text.answer_json import JsonTextError, read_json, strip_controls, strip_document
from talewright.contract.text.hidden_tail import TELLING_LENGTH_MAX, HiddenTail
from talewright.contract.text.sentences import keep_whole_sentences
from talewright.contract.tools.engine_tools import REASON_TEXT, list_engine_tools, read_engine_call
from talewright.contract.tools.tools_instructions import tool_demand, tool_rules
from talewright.kernel.game import Game
from talewright.kernel.judging.moves import REASON, Call, Move
from talewright.kernel.judging.rulings import Flaw
from talewright.kernel.system import Tool
from talewright.llm.profiles import Profile
from talewright.llm.reply_chunks import CallPart, Piece, Stop, StopReason, Text, Used
from talewright.llm.requests import Schema, ToolSpec

CALLS_MAX = 16
"""Calls in one reply."""

ARGUMENTS_LENGTH_MAX = 20_000
"""Characters of the arguments of one call."""

NAME_LENGTH_MAX = 200
"""Characters of the name of a call."""

TOOLS_KEPT_MAX = 64
"""Cached lists of tools, one per game, language and situation."""

NOTE = "note"
SHORT_LENGTH_MAX = 3_000
"""Characters of all tools in a short prompt: a slow model reads them in about ten seconds."""

NOTE_LENGTH_MAX = 200
_NOTE: Schema = {"type": "string", "maxLength": NOTE_LENGTH_MAX}
"""The parameter of tools without arguments: some servers cannot handle an object without members."""


class ToolsDialect:
    """The dialect in which a turn is tool calls and a narration."""

    name = "tools"

    def rules(self, game: Game, language: str, profile: Profile | None = None) -> str:
        """The instructions on how to answer, given to the model once."""
        return tool_rules(language, short=profile is not None and profile.short_prompts)

    def grammar(self, ground: AnswerGround, profile: Profile) -> str:
        """None: servers that accept tools have their own grammar for calls."""
        return ""

    def schema(self, ground: AnswerGround, profile: Profile) -> Schema | None:
        """None: the text is free."""
        return None

    def tools(self, ground: AnswerGround, profile: Profile) -> tuple[ToolSpec, ...]:
        """The engine's tools, and those of the systems that may be called now.

        If systems have tools, a short prompt leaves out the engine's own and all but a few of the others.
        """
        return _narrow_tools(_find_tools(ground), profile)

    def reader(self, ground: AnswerGround) -> "ToolsReader":
        """A reader for one reply."""
        return ToolsReader(ground)

    def demand(self, flaws: tuple[Flaw, ...], ground: AnswerGround) -> str:
        """The text of a repair; without flaws, what is wanted now."""
        return tool_demand(flaws, ground)


def needs_no_reading(answer: ModelAnswer, game: Game) -> bool:
    """Whether the model need not see the results of its calls: then a text along with them ends the turn."""
    shown = {tool.name for tool in game.tools_in(game.language) if tool.must_see}
    called = {move.tool for move in answer.moves if isinstance(move, Call)}
    return not answer.refused_calls and not called & shown


def _choose_few(specs: Sequence[ToolSpec]) -> Iterator[ToolSpec]:
    """The first tool, and as many others as fit a short prompt; the most important come first."""
    left = SHORT_LENGTH_MAX
    for spec in specs:
        length = len(spec.description) + len(json.dumps(spec.parameters, ensure_ascii=False))
        if spec is specs[0] or length <= left:
            left -= length
            yield spec


@frozen
class _KnownTools:
    """The tools of a request, as the model may call them."""

    systems: Mapping[str, ToolSpec]
    own: Mapping[str, ToolSpec]
    """Those of the engine."""

    padded: frozenset[str]
    """Tools that got a note only because they need at least one member."""


FREER_SINCE_ENGINE = 5
"""From this engine number on, a storyteller may write more than an author: before, tools took the same."""


def _find_tools(ground: AnswerGround) -> _KnownTools:
    names, engine = "\n".join(ground.tools), ground.position.engine
    freer = engine is None or engine >= FREER_SINCE_ENGINE
    return _list_tools(ground.game, ground.language, names, ground.moves_only, freer, ground.reasons)


@cached_by_identity(TOOLS_KEPT_MAX)
def _list_tools(
    game: Game, language: str, callable_now: str, moves_only: bool, freer: bool, reasons: bool
) -> _KnownTools:
    names = callable_now.split("\n")
    tools = [tool for tool in game.tools_in(language) if tool.name in names]
    if not freer:
        tools = [replace(tool, parameters=tool.authored or tool.parameters) for tool in tools]
    asked = [_with_reason(tool) if reasons and tool.own else tool for tool in tools]
    specs = (ToolSpec(tool.name, tool.description, _with_note(tool.parameters)) for tool in asked)
    own = list_engine_tools(game, language, moves_only=moves_only, reasons=reasons)
    return _KnownTools(
        {spec.name: spec for spec in specs},
        {spec.name: spec for spec in own},
        frozenset(tool.name for tool in asked if not _has_members(tool.parameters)),
    )


def _with_reason(tool: Tool) -> Tool:
    """A tool whose caller must say why; some already have such an argument."""
    schema = cast(Mapping[str, Json], tool.parameters)
    members = cast(Mapping[str, Json], schema.get("properties", {}))
    required = cast(Sequence[str], schema.get("required", ()))
    parameters: Json = {
        **schema,
        "properties": {REASON: cast(Json, REASON_TEXT), **members},
        "required": [*dict.fromkeys((*required, REASON))],
    }
    return replace(tool, parameters=parameters)


@cached_by_identity(TOOLS_KEPT_MAX)
def _narrow_tools(known: _KnownTools, profile: Profile) -> tuple[ToolSpec, ...]:
    specs = list(known.systems.values())
    if not (specs and profile.short_prompts):
        specs += known.own.values()
    narrowed = [ToolSpec(spec.name, spec.description, narrow(spec.parameters, profile)) for spec in specs]
    return tuple(_choose_few(narrowed) if profile.short_prompts else narrowed)


def _with_note(parameters: Json) -> Schema:
    schema = parameters if isinstance(parameters, Mapping) else {"type": "object"}
    return schema if _has_members(parameters) else {**schema, "properties": {NOTE: _NOTE}}


def _has_members(parameters: Json) -> bool:
    return isinstance(parameters, Mapping) and bool(parameters.get("properties"))


@dataclass(slots=True)
class _Parts:
    """One call as far as it has arrived."""

    id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)
    length: int = 0
    """Characters of the arguments, including those that were not stored."""

    def take(self, part: CallPart) -> None:
        self.id = self.id or part.id
        self.name = (self.name + part.name)[:NAME_LENGTH_MAX]
        if self.length <= ARGUMENTS_LENGTH_MAX:
            self.arguments.append(part.arguments)
        self.length += len(part.arguments)


class ToolsReader:
    """Reads one reply while it arrives."""

    def __init__(self, ground: AnswerGround) -> None:
        self._ground = ground
        self._silent = ground.moves_only or ground.updates_only
        self._curtain = HiddenTail()
        self._prose: list[str] = []
        self._calls: dict[int, _Parts] = {}
        self._surplus = False
        """Whether there were more calls than are read."""

        self._stop: StopReason | None = None

    def feed(self, chunk: Piece) -> str:
        """Take a chunk; return the narration that may be shown now."""
        if self._stop is not None:
            return ""
        shown = ""
        match chunk:
            case Text(text):
                shown = self._curtain.feed(strip_controls(text))
            case CallPart():
                self._take_part(chunk)
            case Stop(reason):
                self._stop = reason
                shown = self._curtain.close()
            case Used():
                pass
            case _:
                assert_never(chunk)
        self._prose.append(shown)
        return "" if self._silent else shown

    def finish(self) -> ModelAnswer:
        """The whole answer."""
        told = "".join(self._prose)
        stops_well = self._stop in (StopReason.END, StopReason.CALLS)
        if self._stop is StopReason.LENGTH and not (self._calls or self._curtain.drawn):
            # There is only the narration, which can be used without its last words.
            kept = keep_whole_sentences(told)
            told, stops_well = kept or told, bool(kept)
        reading = _Reading(self._ground)
        for number in sorted(self._calls):
            reading.take(number, self._calls[number])
        prose = "" if self._silent else told
        whole = stops_well and not self._curtain.overlong
        return ModelAnswer(
            prose=prose,
            moves=tuple(reading.moves),
            choices=reading.choices,
            flaws=tuple(self._find_flaws(told, stops_well)),
            prose_stands=prose != "" and whole,
            refused_calls=tuple(reading.refused),
        )

    def _take_part(self, part: CallPart) -> None:
        if part.index not in self._calls and len(self._calls) == CALLS_MAX:
            self._surplus = True
        else:
            self._calls.setdefault(part.index, _Parts()).take(part)

    def _find_flaws(self, told: str, stops_well: bool) -> Iterator[Flaw]:
        if self._stop is None:
            yield Flaw("the answer broke off before its end; give it whole")
        elif self._stop is StopReason.LENGTH:
            yield Flaw("the answer reached its length limit; be shorter", soft=stops_well)
        elif self._stop is StopReason.REPETITION:
            yield IN_CIRCLES
        elif self._stop is StopReason.REFUSAL:
            yield Flaw("you declined to answer; go on with the story in a way you can tell")
        elif not told and not self._calls:
            yield Flaw("the answer is empty; call a tool, or tell what happens as plain text")
        if self._surplus:
            yield Flaw(f"there are more than {CALLS_MAX} calls; call at most {CALLS_MAX} tools at once")
        if self._curtain.overlong:
            yield Flaw(f"the narration has more than {TELLING_LENGTH_MAX} characters; tell far less")
        elif self._curtain.drawn:
            shown = "code, JSON and states are not shown: call tools, and keep the text to plain prose"
            yield Flaw(shown, soft=True)


class _Reading:
    """The calls of one reply, sorted into those that can be judged and those that cannot."""

    def __init__(self, ground: AnswerGround) -> None:
        self.game = ground.game
        known = _find_tools(ground)
        self.systems, self.own, self.padded = known.systems, known.own, known.padded
        self.moves: list[Move] = []
        self.choices: tuple[SuggestedChoice, ...] = ()
        self.refused: list[tuple[Call, str]] = []

    def take(self, number: int, parts: _Parts) -> None:
        """Read one call."""
        # A call without an id gets one from its position, as in `llm.chunks.gather`.
        call = Call(strip_controls(parts.name), {}, parts.id or f"call-{number + 1}")
        arguments = self.read_arguments(call.tool, parts)
        if isinstance(arguments, str):
            self.refused.append((call, arguments))
            return
        call = replace(call, arguments=arguments)
        refusal = self.take_own(call) if call.tool in self.own else self.take_system(call)
        if refusal:
            self.refused.append((call, refusal))

    def read_arguments(self, tool: str, parts: _Parts) -> Mapping[str, Json] | str:
        """The arguments, or why they cannot be read."""
        if tool not in self.own and tool not in self.systems:
            return self.say_unknown(tool)
        if parts.length > ARGUMENTS_LENGTH_MAX:
            return f"the arguments of {tool} have more than {ARGUMENTS_LENGTH_MAX} characters; give less"
        text = "".join(parts.arguments)
        try:
            arguments = read_json(text) if text.strip() else {}
        except JsonTextError as error:
            return f"the arguments of {tool} are no JSON: {error.message} (character {error.offset + 1})"
        if not isinstance(arguments, dict):
            return f"the arguments of {tool} must be one object {{...}}, not {quote_value(arguments)}"
        stripped = strip_document(arguments)
        assert isinstance(stripped, Mapping)
        return stripped

    def say_unknown(self, tool: str) -> str:
        known = [*self.systems, *self.own]
        if tool in self.game.tools:
            return f"{tool} cannot be called now; there is {listed(known)}"
        near = nearest(tool, known)
        meant = f"; did you mean {near}?" if near else ""
        return f"there is no tool {quote_value(tool)}; there is {listed(known)}{meant}"

    def take_own(self, call: Call) -> str:
        taken = read_engine_call(self.own[call.tool], call.arguments)
        if taken.choices and self.choices:
            return f"choices were offered already; call {call.tool} once"
        self.moves.extend(taken.moves)
        self.choices = self.choices or taken.choices
        return taken.refusal

    def take_system(self, call: Call) -> str:
        problem = complain(call.arguments, read_schema(self.systems[call.tool].parameters), call.tool)
        if problem:
            return problem
        if call.tool in self.padded:
            kept = {name: value for name, value in call.arguments.items() if name != NOTE}
            call = replace(call, arguments=kept)
        self.moves.append(call)
        return ""
