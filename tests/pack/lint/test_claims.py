"""No false alarms: whatever the checks say of random games and of the shipped ones, plays bear it out."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path as File

import pytest

from talewright.common.json_values import Json
from talewright.errors import Fault, Severity
from talewright.kernel.conditions.expression_tree import TURN
from talewright.kernel.conditions.satisfiability import Outlook
from talewright.kernel.conditions.value_domains import (
    ChoiceDomain,
    ContentsDomain,
    Domain,
    NumberDomain,
    TextDomain,
)
from talewright.kernel.judging.move_resolution import settle
from talewright.kernel.judging.moves import Update
from talewright.kernel.judging.rulings import Granted
from talewright.kernel.judging.state_updates import judge_update
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.state.documents import find
from talewright.kernel.state.state import Position, advance
from talewright.kernel.story.scene_rules import current_scene, is_over, offered
from talewright.pack import compiler
from talewright.pack.faults import FaultCode, FaultList
from talewright.pack.files.folder_reader import GameFolder, read_folder
from talewright.pack.lint.lint_context import LintContext, make_lint_context
from talewright.pack.lint.linter import CHECKS
from tests.kernel.scene_walk import Played
from tests.pack.lint.games import Dice, walk, write_game

GAMES = File(__file__).parents[3] / "games"
SEEDS = range(30)
WALKS = 4


def inspect(
    folder: GameFolder, monkeypatch: pytest.MonkeyPatch
) -> tuple[LintContext, tuple[Fault, ...]] | None:
    """The inquiry into a game and what the checks found; None where the game has errors."""
    opened: list[LintContext] = []

    def look(*arguments: object) -> tuple[()]:
        opened.append(make_lint_context(*arguments))  # type: ignore[arg-type]  # handed on as they are
        return ()

    monkeypatch.setattr(compiler, "lint_game", look)
    faults = compiler.compile_files(folder, {}, FaultList(), meaning=True).faults
    if any(fault.severity is Severity.ERROR for fault in faults):
        return None
    for check in CHECKS:
        check(opened[0])
    return opened[0], opened[0].fault_list.faults()


class Claims:
    """What was found, sorted by what would contradict it."""

    def __init__(self, inquiry: LintContext, faults: Iterable[Fault]) -> None:
        self.inquiry = inquiry
        text = "\n".join(fault.message for fault in faults)
        self.silent = set(re.findall(r"the trigger `(\w+)` never fires", text))
        self.endless = set(re.findall(r"the trigger `(\w+)` fires in every turn", text))
        self.closed = set(re.findall(r"the scene `(\w+)` (?:never opens|is only named)", text))
        self.closed |= set(re.findall(r"nothing leads to the scene `(\w+)`", text))
        self.withheld = set(re.findall(r"the choice `(\w+)` of `(\w+)` is never offered", text))
        self.unreached = set(re.findall(r"the ending `(\w+)` can never be reached", text))
        self.untold = {
            f"scene.{name}.text.{number}" for number, name in re.findall(r"wording (\d) of `(\w+)`", text)
        }
        refused = {fault.place for fault in faults if fault.code == FaultCode.UPDATE_ALWAYS_REFUSED.text}
        self.refused = [
            (deed, writing)
            for deed in inquiry.deeds.all
            for number, writing in enumerate(deed.writings)
            if writing.update.place("value") in refused and not deed.before and number == 0
        ]
        self.outlooks = {
            condition: inquiry.outlooks.judge(condition.tree) for condition in inquiry.conditions.values()
        }

    def count(self) -> int:
        """How many claims can be contradicted."""
        decided = sum(outlook is not Outlook.UNKNOWN for outlook in self.outlooks.values())
        names = (
            self.silent,
            self.endless,
            self.closed,
            self.withheld,
            self.unreached,
            self.untold,
            self.refused,
        )
        return decided + sum(map(len, names))

    def contradictions(self, position: Position, played: Played | None) -> Iterator[object]:
        """What a position, and the turn that led to it, say against the claims."""
        document, game = position.state.document, self.inquiry.game
        yield from self._of_state(position)
        ended = find(document, ("_engine", "ending"))
        if ended in self.unreached:
            yield "reached", ended
        scene = current_scene(game, position)
        if scene is not None and not is_over(position):
            if scene.id in self.closed:
                yield "opened", scene.id
            if played is not None and played.scene is scene:
                yield from self.withheld & {(choice.id, scene.id) for choice in offered(scene, position)}
        if played is not None:
            yield from self.untold & set(played.texts)
            yield from (
                event for event in played.events if event.cause.removeprefix("trigger:") in self.silent
            )

    def _of_state(self, position: Position) -> Iterator[object]:
        document = position.state.document
        for path, domain in self.inquiry.reach.facts.items():
            value = position.turn if path == TURN else find(document, path)
            if not contains(domain, value):  # type: ignore[arg-type]  # what is fixed is never absent
                yield path, domain, value
        for condition, outlook in self.outlooks.items():
            holds = condition.holds(document, position.turn)
            if outlook is (Outlook.NEVER if holds else Outlook.ALWAYS):
                yield condition, outlook
        for deed, writing in self.refused:
            if all(condition.holds(document, position.turn) for condition in deed.conditions):
                update = Update(writing.update.op, writing.update.path, writing.update.value)
                table = WorkingState(self.inquiry.game, position)
                if isinstance(judge_update(table, update, deed.owner), Granted):
                    yield "granted", update

    def stopped(self, position: Position) -> Iterator[object]:
        """Triggers without end that fire now and would not fire again."""
        game, dice = self.inquiry.game, Dice(0)
        first = settle(game, position, dice)
        again = settle(game, advance(first.position), dice)
        if is_over(first.position):
            return
        for name in self.endless & {event.cause.removeprefix("trigger:") for event in first.events}:
            if f"trigger:{name}" not in {event.cause for event in again.events}:
                yield "stopped", name


def contains(domain: Domain, value: Json) -> bool:
    """Whether a value stands in a domain."""
    if value is None:
        return domain.null
    match domain:
        case NumberDomain(low, high, whole):
            return (
                isinstance(value, int | float) and low <= value <= high and (not whole or value == int(value))
            )
        case ChoiceDomain(values):
            return value in values
        case TextDomain(length_max):
            return isinstance(value, str) and len(value) <= length_max
        case ContentsDomain(size_min, size_max, items):
            assert isinstance(value, dict | list)
            within = all(items is not None and contains(items, item) for item in value)
            return size_min <= len(value) <= size_max and within


def check_claims(folder: GameFolder, seed: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """Play one game against what is claimed of it; gives the number of claims."""
    inspected = inspect(folder, monkeypatch)
    if inspected is None:
        return 0
    claims = Claims(*inspected)
    for number in range(WALKS):
        for position, played in walk(claims.inquiry.game, seed * WALKS + number):
            assert list(claims.contradictions(position, played)) == [], f"seed {seed}"
            if not is_over(position):
                assert list(claims.stopped(position)) == [], f"seed {seed}"
    return claims.count()


@pytest.mark.slow
def test_no_play_contradicts_what_is_said_of_random_games(monkeypatch: pytest.MonkeyPatch) -> None:
    total = 0
    for seed in SEEDS:
        files = {name: text.encode() for name, text in sorted(write_game(seed).items())}
        total += check_claims(GameFolder(files, ()), seed, monkeypatch)
    assert total > 200


@pytest.mark.parametrize("name", ["lantern_road", "mist_harbor"])
def test_no_play_contradicts_what_is_said_of_the_shipped_games(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = read_folder(GAMES / name, FaultList())
    assert folder is not None
    check_claims(folder, 1, monkeypatch)
