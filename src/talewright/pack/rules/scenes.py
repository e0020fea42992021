"""Scenes read: authored passages with their choices, into the rules' own scenes.

A scene keeps only keys; its words go into the catalogue.
"""

from itertools import count

from talewright.errors import SourcePlace
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
from talewright.pack.compilation import Compilation
from talewright.pack.faults import Code
from talewright.pack.files.nodes import ListNode, MapNode
from talewright.pack.forms.records import Source
from talewright.pack.library import Library, report_double
from talewright.pack.rules.arguments import check_arguments
from talewright.pack.rules.updates import read_updates
from talewright.pack.schemas import Role
from talewright.pack.sources.scenes import (
    CheckSource,
    ChoiceSource,
    LadderSource,
    OutcomeWord,
    ResultSource,
    SceneSource,
    TrialSource,
)

CHOICES_WANTED = 3
"""Choices that a scene should leave a player."""


def read_scenes(library: Library, work: Compilation) -> dict[str, Scene]:
    """Read all scenes of a game."""
    return {source.id: _read_scene(source, library, work) for source in library.scenes}


def _read_scene(source: SceneSource, library: Library, work: Compilation) -> Scene:
    written = source.node.entries["choices"]
    if isinstance(written, ListNode) and len(written.items) < CHOICES_WANTED:
        message = (
            f"`{source.id}` has {len(written.items)} of the {CHOICES_WANTED} choices a player should have"
        )
        work.desk.report(Code.FEW_CHOICES, source.node.key_place("choices"), message, "Add a choice.")
    choices: dict[str, Choice] = {}
    first: dict[str, ChoiceSource] = {}
    for number, choice in enumerate(source.choices, 1):
        name = choice.id or str(number)
        if name in first:
            report_double(name, choice.node, first[name].node, work.desk)
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


def _read_variants(source: SceneSource, work: Compilation) -> tuple[Variant, ...]:
    prefix = f"scene.{source.id}.text"
    if isinstance(source.text, str):
        return (Variant(work.catalogue.say(f"{prefix}.1", source.text, source.place("text"))),)
    variants: list[Variant] = []
    for number, variant in enumerate(source.text, 1):
        last = number == len(source.text)
        if last and variant.when is not None and not source.broken:
            message = f"where no condition holds, `{source.id}` has no wording"
            suggestion = "Delete `when`, or add a last wording without it."
            work.desk.report(Code.BAD_WORDINGS, variant.node.key_place("when"), message, suggestion)
        if not last and variant.when is None and "when" not in variant.broken:
            message = "this wording always holds, so that those below are never told"
            suggestion = "Add `when`, or move it to the end."
            work.desk.report(Code.BAD_WORDINGS, variant.node.place, message, suggestion)
        condition = None if variant.when is None else work.condition(variant.when)
        key = work.catalogue.say(f"{prefix}.{number}", variant.text, variant.place("text"))
        variants.append(Variant(key, condition))
    return tuple(variants)


def _read_choice(source: ChoiceSource, name: str, prefix: str, library: Library, work: Compilation) -> Choice:
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
    library: Library,
    work: Compilation,
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


def _say_next(key: str, numbers: "count[int]", text: str, place: SourcePlace, work: Compilation) -> str:
    """Keep a text under the next number, so that other languages may list theirs without gaps."""
    return work.catalogue.say(f"{key}.{next(numbers)}", text, place) if text else ""


def _check_rungs(source: LadderSource, work: Compilation) -> None:
    """Tell which results are out of order, and whether some total has none."""
    if source.broken or any("at_least" in rung.broken for rung in source.results):
        return
    above: int | None = None
    for rung in source.results[:-1]:
        if rung.at_least is None:
            message = "this result takes every total, so that those below are never reached"
            suggestion = "Add `at_least`, or move it to the end."
            work.desk.report(Code.BAD_RESULTS, rung.node.place, message, suggestion)
        elif above is not None and rung.at_least >= above:
            message = f"whoever rolls {rung.at_least} or more has reached the result above, at {above}"
            suggestion = f"Write less than {above}, or put the highest first."
            work.desk.report(Code.BAD_RESULTS, rung.place("at_least"), message, suggestion)
        else:
            above = rung.at_least
    last = source.results[-1]
    if last.at_least is not None:
        message = f"whoever rolls less than {last.at_least} has no result"
        suggestion = "Delete `at_least`, or add a last result without it."
        work.desk.report(Code.BAD_RESULTS, last.node.key_place("at_least"), message, suggestion)


def _check_call(source: TrialSource, work: Compilation) -> None:
    """Tell what is wrong with the tool of a trial, or with what it is handed."""
    tools, name = work.tools, source.tool
    if name in tools.on:
        above = source.node
        written = above.entries.get("with", MapNode(above.file, above.line, above.column))
        check_arguments(tools.on[name].parameters, written, name, work.desk)
        return
    if tools.unsure:
        work.desk.stumbles += 1
        return
    suggestion = work.desk.suggest(name, tools.on, "tools")
    if name in tools.off:
        suggestion = f"Add `{tools.off[name]}` to `systems` in game.yaml."
    elif not tools.on:
        suggestion = "Name a system that brings it under `systems` in game.yaml, or write `roll` instead."
    work.desk.report(Code.UNKNOWN_TOOL, source.place("try"), f"there is no tool `{name}`", suggestion)


def _read_next(source: Source, name: str, library: Library, work: Compilation) -> str:
    if name and not library.knows(Role.SCENES, name):
        suggestion = work.desk.suggest(name, sorted(library.ids[Role.SCENES]), "scenes")
        work.desk.report(Code.UNKNOWN_SCENE, source.place("next"), f"there is no scene `{name}`", suggestion)
    return name
