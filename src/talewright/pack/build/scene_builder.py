"""The scene builder: authored passages with choices, checks and trials, into the rules' own scenes.

What a trial hands to a system's tool is held against the tool's JSON Schema; the system judges the rest.
"""

from collections.abc import Mapping, Sequence
from itertools import count

from talewright.common.name_suggestions import listed, nearest
from talewright.errors import SourcePlace
from talewright.kernel.state.documents import Json, equal
from talewright.kernel.story.scenes_and_endings import (
    Check,
    Choice,
    Ladder,
    Rung,
    Scene,
    SceneResult,
    Trial,
    Variant,
)
from talewright.pack.build.build_context import BuildContext
from talewright.pack.build.trigger_and_update_builder import read_updates
from talewright.pack.faults import FaultCode, FaultList
from talewright.pack.files.yaml_nodes import (
    BrokenNode,
    ListNode,
    MapNode,
    Node,
    ScalarNode,
    describe_node,
    shorten,
)
from talewright.pack.schema.file_schemas import FileRole
from talewright.pack.schema.game_records import GameRecords, report_duplicate_id
from talewright.pack.schema.record_form import SourceRecord
from talewright.pack.schema.scene_fields import (
    CheckSource,
    ChoiceSource,
    LadderSource,
    OutcomeWord,
    ResultSource,
    SceneSource,
    TrialSource,
)

_NOUNS = {
    "string": "a text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping",
    "null": "nothing",
}


def check_tool_arguments(schema: Json, node: Node, name: str, desk: FaultList, under: str = "with") -> None:
    """Tell what of a value does not fit a schema; messages call it `name`; it stands under `under`."""
    if isinstance(node, BrokenNode) or not isinstance(schema, Mapping):
        return
    if not _fits_type(schema.get("type"), node):
        expected = " or ".join(_NOUNS.get(str(kind), str(kind)) for kind in _each(schema["type"]))
        message = f"`{name}`: expected {expected}, found {describe_node(node)}"
        desk.report(FaultCode.WRONG_TYPE, node.place, message, f"Write {expected}.")
    elif isinstance(node, MapNode):
        _check_members(schema, node, name, desk, under)
    elif isinstance(node, ListNode):
        for item in node.items:
            check_tool_arguments(schema.get("items"), item, name, desk, under)
    else:
        _check_scalar(schema, node, name, desk)


def _fits_type(wanted: Json, node: Node) -> bool:
    kinds = _kinds_of(node)
    return wanted is None or any(kind in kinds for kind in _each(wanted))


def _kinds_of(node: Node) -> tuple[str, ...]:
    """The names that JSON Schema has for a value."""
    match node:
        case MapNode():
            return ("object",)
        case ListNode():
            return ("array",)
        case ScalarNode(value=bool()):
            return ("boolean",)
        case ScalarNode(value=int()):
            return ("integer", "number")
        case ScalarNode(value=float()):
            return ("number",)
        case ScalarNode(value=str()):
            return ("string",)
        case _:
            return ("null",)


def _check_scalar(schema: Mapping[str, Json], node: ScalarNode, name: str, desk: FaultList) -> None:
    value = node.value
    words = schema.get("enum")
    if isinstance(words, Sequence) and not any(equal(word, value) for word in words):
        known = [str(word) for word in words]
        message = f"`{name}`: expected one of {listed(known)}, found {describe_node(node)}"
        desk.report(FaultCode.NOT_ONE_OF, node.place, message, desk.suggest(node.text, known, "words"))
    if isinstance(value, bool) or not isinstance(value, int | float):
        return
    low, high = schema.get("minimum"), schema.get("maximum")
    if isinstance(low, int | float) and value < low:
        message = f"`{name}` is {low} or more, not {node.text}"
        desk.report(FaultCode.OUT_OF_RANGE, node.place, message, f"Write {low} or more.")
    if isinstance(high, int | float) and value > high:
        message = f"`{name}` is {high} or less, not {node.text}"
        desk.report(FaultCode.OUT_OF_RANGE, node.place, message, f"Write {high} or less.")


def _check_members(schema: Mapping[str, Json], node: MapNode, name: str, desk: FaultList, under: str) -> None:
    fields = schema.get("properties")
    known = fields if isinstance(fields, Mapping) else {}
    further = schema.get("additionalProperties")
    missing = [str(field) for field in _each(schema.get("required")) if field not in node.entries]
    for key, inner in node.entries.items():
        if key in known:
            check_tool_arguments(known[key], inner, key, desk, key)
        elif further is False:
            # A misspelt name is told once, and not as a missing one besides.
            meant = nearest(key, missing)
            missing = [field for field in missing if field != meant]
            suggestion = f"Write `{meant}`." if meant else desk.suggest(key, list(known), "arguments")
            message = f"`{name}` takes no `{shorten(key)}`"
            desk.report(FaultCode.UNKNOWN_FIELD, node.key_place(key), message, suggestion)
        else:
            check_tool_arguments(further, inner, key, desk, key)
    if missing:
        named = " and ".join(f"`{field}`" for field in missing)
        suggestion = f"Add {named} under `{under}`."
        desk.report(FaultCode.MISSING_FIELD, node.place, f"`{name}` needs {named}", suggestion)


def _each(value: Json) -> Sequence[Json]:
    """One value or several, as several."""
    if value is None:
        return ()
    return value if isinstance(value, list | tuple) else (value,)


CHOICES_WANTED = 3
"""Choices that a scene should leave a player."""


def read_scenes(library: GameRecords, work: BuildContext) -> dict[str, Scene]:
    """Read all scenes of a game."""
    return {source.id: _read_scene(source, library, work) for source in library.scenes}


def _read_scene(source: SceneSource, library: GameRecords, work: BuildContext) -> Scene:
    written = source.node.entries["choices"]
    if isinstance(written, ListNode) and len(written.items) < CHOICES_WANTED:
        message = (
            f"`{source.id}` has {len(written.items)} of the {CHOICES_WANTED} choices a player should have"
        )
        work.desk.report(FaultCode.FEW_CHOICES, source.node.key_place("choices"), message, "Add a choice.")
    choices: dict[str, Choice] = {}
    first: dict[str, ChoiceSource] = {}
    for number, choice in enumerate(source.choices, 1):
        name = choice.id or str(number)
        if name in first:
            report_duplicate_id(name, choice.node, first[name].node, work.desk)
            continue
        first[name] = choice
        choices[name] = _read_choice(choice, name, f"scene.{source.id}.{name}", library, work)
    return Scene(
        source.id,
        _read_variants(source, work),
        tuple(choices.values()),
        None if source.when is None else work.condition(source.when),
        source.priority,
        source.once,
    )


def _read_variants(source: SceneSource, work: BuildContext) -> tuple[Variant, ...]:
    prefix = f"scene.{source.id}.text"
    if isinstance(source.text, str):
        return (Variant(work.catalogue.say(f"{prefix}.1", source.text, source.place("text"))),)
    variants: list[Variant] = []
    for number, variant in enumerate(source.text, 1):
        last = number == len(source.text)
        if last and variant.when is not None and not source.broken:
            message = f"where no condition holds, `{source.id}` has no wording"
            suggestion = "Delete `when`, or add a last wording without it."
            work.desk.report(FaultCode.BAD_WORDINGS, variant.node.key_place("when"), message, suggestion)
        if not last and variant.when is None and "when" not in variant.broken:
            message = "this wording always holds, so that those below are never told"
            suggestion = "Add `when`, or move it to the end."
            work.desk.report(FaultCode.BAD_WORDINGS, variant.node.place, message, suggestion)
        condition = None if variant.when is None else work.condition(variant.when)
        key = work.catalogue.say(f"{prefix}.{number}", variant.text, variant.place("text"))
        variants.append(Variant(key, condition))
    return tuple(variants)


def _read_choice(
    source: ChoiceSource, name: str, prefix: str, library: GameRecords, work: BuildContext
) -> Choice:
    say = work.catalogue.say_field
    say(prefix, "label", source.label, source.node)
    say(prefix, "hint", source.hint, source.node)
    work.catalogue.say_all(f"{prefix}.also", source.also, source.place("also"))
    numbers = count(1)
    return Choice(
        name,
        None if source.when is None else work.condition(source.when),
        source.risk,
        say(prefix, "text", source.text, source.node),
        read_updates(source.updates, prefix, numbers, work),
        None if source.check is None else _read_check(source.check, prefix, numbers, library, work),
        _read_next(source, source.next, library, work),
    )


def _read_check(
    source: CheckSource | LadderSource | TrialSource,
    prefix: str,
    numbers: "count[int]",
    library: GameRecords,
    work: BuildContext,
) -> Check | Ladder | Trial:
    def read_result(result: ResultSource, name: str) -> SceneResult:
        return SceneResult(
            work.catalogue.say(f"{prefix}.{name}", result.text, result.place("text")),
            read_updates(result.updates, prefix, numbers, work),
            _read_next(result, result.next, library, work),
        )

    if isinstance(source, LadderSource):
        work.check_dice(source.roll)
        _check_rungs(source, work)
        texts, words = count(1), count(1)
        rungs = [
            Rung(
                rung.at_least,
                rung.outcome is OutcomeWord.SUCCESS,
                _say_next(f"{prefix}.word", words, rung.word, rung.place("word"), work),
                read_result(rung, f"result.{next(texts)}" if rung.text else ""),
            )
            for rung in source.results
        ]
        return Ladder(source.roll.text, tuple(rungs))
    success, failure = read_result(source.success, "success"), read_result(source.failure, "failure")
    if isinstance(source, TrialSource):
        _check_call(source, work)
        return Trial(source.tool, dict(source.arguments), success, failure)
    work.check_dice(source.roll)
    return Check(source.roll.text, source.at_least, success, failure)


def _say_next(key: str, numbers: "count[int]", text: str, place: SourcePlace, work: BuildContext) -> str:
    """Keep a text under the next number, so that other languages may list theirs without gaps."""
    return work.catalogue.say(f"{key}.{next(numbers)}", text, place) if text else ""


def _check_rungs(source: LadderSource, work: BuildContext) -> None:
    """Tell which results are out of order, and whether some total has none."""
    if source.broken or any("at_least" in rung.broken for rung in source.results):
        return
    above: int | None = None
    for rung in source.results[:-1]:
        if rung.at_least is None:
            message = "this result takes every total, so that those below are never reached"
            suggestion = "Add `at_least`, or move it to the end."
            work.desk.report(FaultCode.BAD_RESULTS, rung.node.place, message, suggestion)
        elif above is not None and rung.at_least >= above:
            message = f"whoever rolls {rung.at_least} or more has reached the result above, at {above}"
            suggestion = f"Write less than {above}, or put the highest first."
            work.desk.report(FaultCode.BAD_RESULTS, rung.place("at_least"), message, suggestion)
        else:
            above = rung.at_least
    last = source.results[-1]
    if last.at_least is not None:
        message = f"whoever rolls less than {last.at_least} has no result"
        suggestion = "Delete `at_least`, or add a last result without it."
        work.desk.report(FaultCode.BAD_RESULTS, last.node.key_place("at_least"), message, suggestion)


def _check_call(source: TrialSource, work: BuildContext) -> None:
    """Tell what is wrong with the tool of a trial, or with what it is handed."""
    tools, name = work.tools, source.tool
    if name in tools.on:
        above = source.node
        written = above.entries.get("with", MapNode(above.file, above.line, above.column))
        check_tool_arguments(tools.on[name].parameters, written, name, work.desk)
        return
    if tools.unsure:
        work.desk.stumbles += 1
        return
    suggestion = work.desk.suggest(name, tools.on, "tools")
    if name in tools.off:
        suggestion = f"Add `{tools.off[name]}` to `systems` in game.yaml."
    elif not tools.on:
        suggestion = "Name a system that brings it under `systems` in game.yaml, or write `roll` instead."
    work.desk.report(FaultCode.UNKNOWN_TOOL, source.place("try"), f"there is no tool `{name}`", suggestion)


def _read_next(source: SourceRecord, name: str, library: GameRecords, work: BuildContext) -> str:
    if name and not library.knows(FileRole.SCENES, name):
        suggestion = work.desk.suggest(name, sorted(library.ids[FileRole.SCENES]), "scenes")
        work.desk.report(
            FaultCode.UNKNOWN_SCENE, source.place("next"), f"there is no scene `{name}`", suggestion
        )
    return name
