"""Variable history: what set a variable and its values over time, for `why` and card histories.

It reads a limited part of the past, and only what the viewer may see.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from typing import cast

from talewright.chronicle.records import Commit
from talewright.chronicle.store import CampaignBook
from talewright.common.json_values import Json
from talewright.common.safe_text import clean
from talewright.kernel.game import Game
from talewright.kernel.slots.slot_types import NUMERIC
from talewright.kernel.state.documents import ABSENT, find
from talewright.kernel.state.state_paths import Path, PathError, parse_path, parse_pointer, pointer
from talewright.play.campaign_past import Provenance, VariableTrail
from talewright.play.campaign_view import Viewer
from talewright.play.history.campaign_history import walk_back
from talewright.play.playable_games import PinnedGames
from talewright.play.presentation.change_wording import join_clocks, tell_cause, tell_change, visible_changes
from talewright.play.presentation.privacy import prune, visible_path, visible_slot
from talewright.play.presentation.roll_wording import tell_rolls
from talewright.play.presentation.value_wording import Wording, is_number
from talewright.play.presentation.words.phrases import Phrase
from talewright.turn.game_editions import Edition
from talewright.turn.records.commit_body import TurnBody, read_body

PROVENANCES_MAX = 20
"""The maximum number of changes in an answer to `why`."""

TRAIL_CAUSES_MAX = 200
"""The maximum number of changes listed with a variable's values."""


async def find_provenance(
    book: CampaignBook, games: PinnedGames, head: str, variable: str, language: str, viewer: Viewer
) -> tuple[Provenance, ...]:
    """What set a variable, newest first; empty if the viewer may not see it or it does not exist."""
    path = await _find_path(book, games, head, variable, language, viewer)
    if path is None:
        return ()
    told: list[Provenance] = []
    async for commit in _walk_back_over(book, head, path):
        told += _of_commit(commit, await games.of(commit), path, language, viewer)
        if len(told) >= PROVENANCES_MAX:
            break
    return tuple(told[:PROVENANCES_MAX])


async def find_trail(
    book: CampaignBook, games: PinnedGames, head: str, variable: str, language: str, viewer: Viewer
) -> VariableTrail | None:
    """The values of a variable over time; None if the viewer may not see it or it does not exist."""
    path = await _find_path(book, games, head, variable, language, viewer)
    if path is None:
        return None
    newest = await games.of(await book.read(head))
    slot = visible_slot(newest.game, path, viewer)
    assert slot is not None
    points: list[tuple[int, float]] = []
    causes: list[Provenance] = []
    async for commit in _walk_back_over(book, head, path):
        edition = await games.of(commit)
        if slot.kind in NUMERIC:
            points += _points_of(commit, edition, path, viewer)
        if len(causes) < TRAIL_CAUSES_MAX:
            causes += _of_commit(commit, edition, path, language, viewer)
    label = Wording(newest.words(language), language).full_label(path)
    low, high = (slot.lowest, slot.highest) if slot.kind in NUMERIC else (None, None)
    return VariableTrail(label, tuple(reversed(points)), tuple(causes[:TRAIL_CAUSES_MAX]), low, high)


async def _find_path(
    book: CampaignBook, games: PinnedGames, head: str, variable: str, language: str, viewer: Viewer
) -> Path | None:
    newest = await games.of(await book.read(head))
    return find_variable(newest.game, Wording(newest.words(language), language), variable, viewer)


async def _walk_back_over(book: CampaignBook, head: str, path: Path) -> AsyncIterator[Commit]:
    """The commits that concern a variable: the first, and those that changed it."""
    whole = pointer(path[:1])
    async for commit in walk_back(book, head):
        changes = cast(Sequence[Mapping[str, str]], commit.body.get("changes", ()))
        if not commit.parent or any(f"{change['path']}/".startswith(f"{whole}/") for change in changes):
            yield commit


def _points_of(commit: Commit, edition: Edition, path: Path, viewer: Viewer) -> list[tuple[int, float]]:
    """The number after a turn that set it, or at the start."""
    body = read_body(commit.body)
    if not commit.parent:
        document = body.root.get("document") if isinstance(body.root, Mapping) else None
        value = find(document, path) if visible_path(edition.game, path, viewer) else ABSENT
        return [(commit.version, value)] if is_number(value) else []
    # A changed game may have moved the number too; that is not reported, but the value counts from here.
    changes = (replace(change, reason="") for change in body.changes)
    for change in reversed(visible_changes(edition.game, changes, viewer)):
        where = parse_pointer(change.path)
        if where == path[: len(where)] and change.value is not ABSENT:
            value = find(change.value, path[len(where) :])
            return [(commit.version, value)] if is_number(value) else []
    return []


def _of_commit(
    commit: Commit, edition: Edition, path: Path, language: str, viewer: Viewer
) -> Sequence[Provenance]:
    """The changes of a turn to a value, the last first; for the first turn, its initial value."""
    wording = Wording(edition.words(language), language)
    body = read_body(commit.body)
    if commit.parent:
        return _of_turn(commit, body, edition, path, wording, viewer)
    return _of_root(body, edition, path, wording, viewer)


def find_variable(game: Game, wording: Wording, name: str, viewer: Viewer) -> Path | None:
    """The place with this path or card name."""
    try:
        path = parse_path(name.strip())
    except PathError:
        return None
    if visible_path(game, path, viewer):
        return path
    wanted = name.strip().casefold()
    for place, _ in game.layout.walk():
        if visible_path(game, place, viewer) and wanted in _names(place, wording):
            return place
    return None


def _names(place: Path, wording: Wording) -> tuple[str, ...]:
    shown = clean(wording.texts.find(f"status.{'.'.join(place)}"))
    return tuple(name.casefold() for name in (wording.label(place), wording.full_label(place), shown) if name)


def _of_turn(
    commit: Commit, body: TurnBody, edition: Edition, path: Path, wording: Wording, viewer: Viewer
) -> list[Provenance]:
    """The changes of one turn to a value, its children or its parents, the last first."""
    rolls = tell_rolls(body.rolls, edition.game, wording, viewer)
    found = []
    changes = visible_changes(edition.game, body.changes, viewer)
    touching = [change for change in changes if _touches(parse_pointer(change.path), path)]
    for change in join_clocks(edition.game, touching):
        cause = tell_cause(change.cause, wording)
        if rolls and change.cause.partition(":")[0] in ("scene", "system"):
            cause = wording.say(Phrase.WITH_ROLL, cause=cause, roll=rolls[-1].text)
        text = tell_change(edition.game, change, wording, with_reason=False).text
        found.append(Provenance(commit.version, text, cause, wording.line(change.reason), clean(body.said)))
    return found[::-1]


def _of_root(
    body: TurnBody, edition: Edition, path: Path, wording: Wording, viewer: Viewer
) -> Sequence[Provenance]:
    """The value when the campaign started."""
    root = body.root
    document: Json = root.get("document") if isinstance(root, Mapping) else None
    value = find(document, path)
    slot = visible_slot(edition.game, path, viewer)
    if value is ABSENT or slot is None:
        return ()
    seen = prune(slot, value, viewer)
    assert seen is not ABSENT
    text = wording.say(Phrase.SET, label=wording.full_label(path), value=wording.value(path, slot, seen))
    imported = isinstance(root, Mapping) and "imported" in root
    cause = wording.say(Phrase.BY_IMPORT if imported else Phrase.BY_FOUNDING)
    return (Provenance(0, text, cause),)


def _touches(changed: Path, asked: Path) -> bool:
    shorter = min(len(changed), len(asked))
    return changed[:shorter] == asked[:shorter]
