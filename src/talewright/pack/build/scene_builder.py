"""The scene builder: builds scenes with their choices, checks and trials.

The arguments of a trial are checked against the JSON Schema of the tool; the system checks the rest.
"""

from itertools import count
from typing import assert_never

from talewright.common.json_schema import Mismatch, SchemaFinding, Where, check_value, read_schema
from talewright.common.json_values import Json
from talewright.common.name_suggestions import listed, nearest
from talewright.errors import SourcePlace
from talewright.kernel.conditions.conditions import Condition
from talewright.kernel.story.scenes import (
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
from talewright.pack.build.trigger_builder import read_updates
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

_SIDES = {"minimum": "or more", "maximum": "or less"}
"""On which side of a limit a number must be."""


def check_tool_arguments(schema: Json, node: Node, tool: str, fault_list: FaultList) -> None:
    """Report arguments of a tool that do not match its schema."""
    nodes: dict[Where, Node] = {}
    value = _lay_out(node, (), nodes)
    findings = list(check_value(value, read_schema(schema)))
    missing: dict[Where, list[str]] = {}
    for finding in findings:
        if finding.kind is Mismatch.MISSING:
            missing.setdefault(finding.where, []).append(finding.name)
    for finding in findings:
        there, name = nodes[finding.where], _last_name(finding.where, tool)
        if isinstance(there, MapNode) and finding.kind is Mismatch.UNKNOWN:
            _report_unknown(finding, there, name, missing.get(finding.where, []), fault_list)
        elif not isinstance(there, BrokenNode):
            _report_misfit(finding, there, name, fault_list)
    for where, fields in missing.items():
        if fields:
            named = " and ".join(f"`{field}`" for field in fields)
            message = f"`{_last_name(where, tool)}` needs {named}"
            suggestion = f"Add {named} under `{_last_name(where, 'with')}`."
            fault_list.report(FaultCode.MISSING_FIELD, nodes[where].place, message, suggestion)


def _lay_out(node: Node, where: Where, nodes: dict[Where, Node]) -> Json:
    """The value of a node, with its parts added to `nodes` by path; broken parts become null."""
    nodes[where] = node
    match node:
        case ScalarNode():
            return node.value
        case ListNode():
            return [_lay_out(item, (*where, number), nodes) for number, item in enumerate(node.items)]
        case MapNode():
            return {key: _lay_out(inner, (*where, key), nodes) for key, inner in node.entries.items()}
        case BrokenNode():
            return None
        case _:
            assert_never(node)


def _last_name(where: Where, root: str) -> str:
    """The name of a part of a value: that of the nearest member."""
    return next((part for part in reversed(where) if isinstance(part, str)), root)


def _report_unknown(
    finding: SchemaFinding, node: MapNode, name: str, missing: list[str], fault_list: FaultList
) -> None:
    """Report an unknown member. A misspelt name is not reported as missing too."""
    key = finding.name
    meant = nearest(key, missing)
    if meant:
        missing.remove(meant)
    suggestion = (
        f"Write `{meant}`."
        if meant
        else fault_list.suggest(key, list(finding.schema.properties), "arguments")
    )
    message = f"`{name}` has no parameter `{shorten(key)}`"
    fault_list.report(FaultCode.UNKNOWN_FIELD, node.key_place(key), message, suggestion)


def _report_misfit(finding: SchemaFinding, node: Node, name: str, fault_list: FaultList) -> None:
    """Report a wrong type, word or number; the system checks lengths and `anyOf`."""
    schema = finding.schema
    if finding.kind is Mismatch.TYPE:
        expected = " or ".join(_NOUNS[kind] for kind in schema.types)
        message = f"`{name}`: expected {expected}, found {describe_node(node)}"
        fault_list.report(FaultCode.WRONG_TYPE, node.place, message, f"Write {expected}.")
    elif finding.kind is Mismatch.ENUM and isinstance(node, ScalarNode):
        known = [str(word) for word in schema.enum or ()]
        message = f"`{name}`: expected one of {listed(known)}, found {describe_node(node)}"
        fault_list.report(
            FaultCode.NOT_ONE_OF, node.place, message, fault_list.suggest(node.text, known, "words")
        )
    elif finding.kind is Mismatch.BOUND and finding.name in _SIDES and isinstance(node, ScalarNode):
        allowed = f"{schema.bounds[finding.name]} {_SIDES[finding.name]}"
        message = f"`{name}` must be {allowed}, not {node.text}"
        fault_list.report(FaultCode.OUT_OF_RANGE, node.place, message, f"Write {allowed}.")


CHOICES_WANTED = 3
"""Choices that a scene should have."""


def read_scenes(library: GameRecords, work: BuildContext) -> dict[str, Scene]:
    """Read all scenes of a game."""
    return {source.id: _read_scene(source, library, work) for source in library.scenes}


def _read_scene(source: SceneSource, library: GameRecords, work: BuildContext) -> Scene:
    choices: dict[str, Choice] = {}
    first: dict[str, ChoiceSource] = {}
    for number, choice in enumerate(source.choices, 1):
        name = choice.id or str(number)
        if name in first:
            report_duplicate_id(name, choice.node, first[name].node, work.fault_list)
            continue
        first[name] = choice
        choices[name] = _read_choice(choice, name, f"scene.{source.id}.{name}", library, work)
    variants = _read_variants(source, work)
    when = None if source.when is None else work.condition(source.when)
    _count_choices(source, when, work)
    return Scene(source.id, variants, tuple(choices.values()), when, source.priority, source.once)


def _count_choices(source: SceneSource, when: Condition | None, work: BuildContext) -> None:
    """Report a scene with few choices, unless a system may offer more while it is open."""
    written = source.node.entries["choices"]
    offered = when is not None and any(path[0] in work.tools.offering for path in when.reads)
    if isinstance(written, ListNode) and len(written.items) < CHOICES_WANTED and not offered:
        message = f"`{source.id}` has fewer than {CHOICES_WANTED} choices: {len(written.items)}"
        work.fault_list.report(
            FaultCode.FEW_CHOICES, source.node.key_place("choices"), message, "Add a choice."
        )


def _read_variants(source: SceneSource, work: BuildContext) -> tuple[Variant, ...]:
    prefix = f"scene.{source.id}.text"
    if isinstance(source.text, str):
        return (Variant(work.catalogue.say(f"{prefix}.1", source.text, source.place("text"))),)
    variants: list[Variant] = []
    for number, variant in enumerate(source.text, 1):
        last = number == len(source.text)
        if last and variant.when is not None and not source.broken:
            message = f"if no condition holds, `{source.id}` has no text"
            suggestion = "Delete `when`, or add a last wording without it."
            work.fault_list.report(
                FaultCode.BAD_WORDINGS, variant.node.key_place("when"), message, suggestion
            )
        if not last and variant.when is None and "when" not in variant.broken:
            message = "this wording has no `when`, so those below it are never shown"
            suggestion = "Add `when`, or move it to the end."
            work.fault_list.report(FaultCode.BAD_WORDINGS, variant.node.place, message, suggestion)
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
        partial = None if source.partial is None else read_result(source.partial, "partial")
        return Trial(source.tool, dict(source.arguments), success, failure, partial)
    work.check_dice(source.roll)
    return Check(source.roll.text, source.at_least, success, failure)


def _say_next(key: str, numbers: "count[int]", text: str, place: SourcePlace, work: BuildContext) -> str:
    """Add a text under the next number, so that translations can list theirs without gaps."""
    return work.catalogue.say(f"{key}.{next(numbers)}", text, place) if text else ""


def _check_rungs(source: LadderSource, work: BuildContext) -> None:
    """Report results that are out of order, and totals without a result."""
    if source.broken or any("at_least" in rung.broken for rung in source.results):
        return
    above: int | None = None
    for rung in source.results[:-1]:
        if rung.at_least is None:
            message = "this result accepts every total, so those below it are never reached"
            suggestion = "Add `at_least`, or move it to the end."
            work.fault_list.report(FaultCode.BAD_RESULTS, rung.node.place, message, suggestion)
        elif above is not None and rung.at_least >= above:
            message = f"a total of {rung.at_least} or more already gives the result above, from {above}"
            suggestion = f"Write a number below {above}, or put the highest first."
            work.fault_list.report(FaultCode.BAD_RESULTS, rung.place("at_least"), message, suggestion)
        else:
            above = rung.at_least
    last = source.results[-1]
    if last.at_least is not None:
        message = f"a total below {last.at_least} has no result"
        suggestion = "Delete `at_least`, or add a last result without it."
        work.fault_list.report(FaultCode.BAD_RESULTS, last.node.key_place("at_least"), message, suggestion)


def _check_call(source: TrialSource, work: BuildContext) -> None:
    """Report faults in the tool of a trial and its arguments."""
    tools, name = work.tools, source.tool
    if name in tools.on:
        above = source.node
        written = above.entries.get("with", MapNode(above.file, above.line, above.column))
        tool = tools.on[name]
        check_tool_arguments(tool.authored or tool.parameters, written, name, work.fault_list)
        return
    if tools.unsure:
        work.fault_list.stumbles += 1
        return
    suggestion = work.fault_list.suggest(name, tools.on, "tools")
    if owner := tools.find_owner(name):
        suggestion = f"Add `{owner}` to `systems` in game.yaml."
    elif not tools.on:
        suggestion = "Add a system that provides it to `systems` in game.yaml, or use `roll` instead."
    work.fault_list.report(
        FaultCode.UNKNOWN_TOOL, source.place("try"), f"there is no tool `{name}`", suggestion
    )


def _read_next(source: SourceRecord, name: str, library: GameRecords, work: BuildContext) -> str:
    if name and not library.knows(FileRole.SCENES, name):
        suggestion = work.fault_list.suggest(name, sorted(library.ids[FileRole.SCENES]), "scenes")
        work.fault_list.report(
            FaultCode.UNKNOWN_SCENE, source.place("next"), f"there is no scene `{name}`", suggestion
        )
    return name
