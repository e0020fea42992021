"""Lint of texts: same labels, scenes too short or too long, endings without titles, untranslated interfaces.

It does not judge meaning or style.
"""

import re
from collections.abc import Iterator

from talewright.common.language_tags import pick_language
from talewright.common.word_catalogues import interface_languages
from talewright.errors import SourcePlace
from talewright.kernel.story.endings import ENDING_TITLE
from talewright.pack.faults import FaultCode
from talewright.pack.files.yaml_nodes import ListNode, shorten
from talewright.pack.lint.lint_context import LintContext
from talewright.pack.schema.scene_fields import ChoiceSource, SceneSource

SCENE_WORDS_MIN, SCENE_WORDS_MAX = 60, 200
"""Words in a scene that fits well on one screen."""

SCENE_CHARACTERS_MIN, SCENE_CHARACTERS_MAX = 80, 300
"""The same in characters, for scripts without spaces between words."""

_CHARACTER = re.compile(
    "[\u3001-\u3003\u3008-\u3011\uff01\uff0c\uff1a\uff1b\uff1f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_ENDING = "ending."
_WORD = re.compile(r"\w+(?:['’-]\w+)*")


def check_texts(inquiry: LintContext) -> None:
    """Report texts that are likely to bother players."""
    for scene in inquiry.library.scenes:
        if inquiry.fault_list.full:
            return
        _check_lengths(inquiry, scene)
        _check_labels(inquiry, scene)
    _check_finales(inquiry)
    _check_ending_titles(inquiry)
    _check_languages(inquiry)


def _check_lengths(inquiry: LintContext, scene: SceneSource) -> None:
    if isinstance(scene.text, str):
        wordings = [(scene.text, scene.place("text"))]
    else:
        wordings = [(variant.text, variant.place("text")) for variant in scene.text]
    for text, place in wordings:
        characters = len(_CHARACTER.findall(text))
        words = len(_WORD.findall(_CHARACTER.sub(" ", text)))
        count, low, high, noun = words, SCENE_WORDS_MIN, SCENE_WORDS_MAX, "words"
        if characters > words:
            count, noun = characters + words, "characters"
            low, high = SCENE_CHARACTERS_MIN, SCENE_CHARACTERS_MAX
        if low <= count <= high:
            continue
        size = f"{count} {noun}" if count != 1 else f"1 {noun[:-1]}"
        side = "shorter" if count < low else "longer"
        message = f"the text of `{scene.id}` has {size}, {side} than most players like to read at once"
        suggestion = f"Write {low} to {high} {noun} where you can."
        inquiry.fault_list.report(FaultCode.SCENE_LENGTH, place, message, suggestion)


def _check_labels(inquiry: LintContext, scene: SceneSource) -> None:
    """Report choices with the same label, in any language, that may be offered together."""
    names = {choice.id or str(number): choice for number, choice in enumerate(scene.choices, 1)}
    told = [[(choice, choice.label, choice.place("label")) for choice in scene.choices]]
    for words in inquiry.library.translations.values():
        if scene.id in words.scenes:
            texts = words.scenes[scene.id].choices
            told.append(
                [
                    (names[name], text.label, text.place("label"))
                    for name, text in texts.items()
                    if text.label and name in names
                ]
            )
    for labels in told:
        seen: dict[str, list[ChoiceSource]] = {}
        for choice, label, place in labels:
            others = seen.setdefault(_plain(label), [])
            if any(_may_meet(inquiry, scene, choice, other) for other in others):
                _report_label(inquiry, label, place)
            others.append(choice)


def _may_meet(inquiry: LintContext, scene: SceneSource, one: ChoiceSource, other: ChoiceSource) -> bool:
    """Whether two choices may be offered at the same time, as far as their conditions tell."""
    asked = [inquiry.tree(when) for when in (one.when, other.when) if when is not None]
    if scene.when is not None and scene.id not in inquiry.named:
        asked.append(inquiry.tree(scene.when))
    return len(asked) < 2 or not inquiry.outlooks.exclude(*asked)


def _check_finales(inquiry: LintContext) -> None:
    for ending in inquiry.source.endings:
        seen: set[str] = set()
        for route in ending.finale:
            if _plain(route.label) in seen:
                _report_label(inquiry, route.label, route.place("label"))
            seen.add(_plain(route.label))


def _check_ending_titles(inquiry: LintContext) -> None:
    """Ask for the titles of endings; in a single fault if none has one."""
    catalogue = inquiry.catalogue
    names = [key.removeprefix(_ENDING) for key in catalogue.places if key.startswith(_ENDING)]
    untitled = [name for name in names if f"{ENDING_TITLE}.{name}" not in catalogue.entries]
    alone = len(untitled) == len(names)
    for name in untitled[:1] if alone else untitled:
        message = "no ending has a title" if alone else f"the ending `{name}` has no title"
        suggestion = f"Write it in the heading, for those who find it: `## {name}: The Long Way Home`."
        place = catalogue.places[f"{_ENDING}{name}"]
        inquiry.fault_list.report(FaultCode.UNTITLED_ENDING, place, message, suggestion)


def _plain(label: str) -> str:
    return " ".join(label.casefold().split())


def _report_label(inquiry: LintContext, label: str, place: SourcePlace) -> None:
    message = f'another choice offered with this one has the same label, "{shorten(label)}"'
    suggestion = "Write another label, or give the two `when` conditions that never hold together."
    inquiry.fault_list.report(FaultCode.SAME_LABEL, place, message, suggestion)


def _check_languages(inquiry: LintContext) -> None:
    """Report languages into which the engine's interface is not translated."""
    for language, place in _languages(inquiry):
        if not pick_language(language, interface_languages()):
            message = (
                f"the interface is not translated into `{language}`: keys, menus and messages are in English"
            )
            suggestion = (
                "That is fine if your players also read English; the texts of the game are not affected."
            )
            inquiry.fault_list.report(FaultCode.NO_INTERFACE_WORDS, place, message, suggestion)


def _languages(inquiry: LintContext) -> Iterator[tuple[str, SourcePlace]]:
    """The languages of the game, each with its place."""
    source = inquiry.source
    written = source.node.entries.get("languages")
    if isinstance(written, ListNode):
        yield from (
            (language, node.place) for language, node in zip(source.languages, written.items, strict=True)
        )
    if source.language not in source.languages:
        yield source.language, source.place("language")
