"""Provenance: what `blame` found, in words for one viewer.

A viewer who may not see a place is told nothing of it, not even that it was set.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import cast

from talewright.chronicle.records import Commit
from talewright.kernel.game import Game
from talewright.kernel.state.documents import ABSENT, Json
from talewright.kernel.state.state_paths import Path, PathError, parse_path
from talewright.play.home.looking import find_variable
from talewright.play.looking_back.archives import Past
from talewright.play.looking_back.blame import Blamed, blame
from talewright.play.looking_back.histories import imported_of
from talewright.play.looking_back.sayings import tell_blamed, tell_move
from talewright.play.showing.causes import tell_cause
from talewright.play.showing.messages import Phrase
from talewright.play.showing.privacy import SEES_SECRET, prune, visible_path, visible_slot
from talewright.play.showing.rolls import tell_rolls
from talewright.play.showing.wording import Wording, clean_line
from talewright.play.viewers import Viewer
from talewright.turn.steps.recalling import fold


@dataclass(frozen=True, slots=True)
class Origin:
    """One time that a place was set, in words."""

    version: int
    commit: str
    at: str
    text: str
    cause: str
    reason: str = ""
    move: str = ""
    said: str = ""
    rolls: tuple[str, ...] = ()
    raw: Json = None
    """The change and its ruling as they are recorded, for those who see everything."""

    def to_json(self) -> dict[str, Json]:
        """The same as data."""
        facts = {
            name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()
        }
        return cast(
            dict[str, Json], {name: value for name, value in facts.items() if value not in (None, "", [])}
        )


def find_place(game: Game, wording: Wording, text: str, viewer: Viewer) -> Path | None:
    """The place a person means: by its path, or by what it is called on its card."""
    try:
        path = parse_path(text.strip())
    except PathError:
        return None
    if visible_path(game, path, viewer):
        return path
    return find_variable(game, wording, text)


async def trace(past: Past, turn: Commit, path: Path, viewer: Viewer) -> Iterator[Origin]:
    """Everything that set a place, newest first, as a viewer may see it."""
    state, _ = await fold(past.book, turn.id)
    edition, wording = await past.read_with(turn)
    found = blame(past.history.lineage(turn), state.document, path)
    told = (_tell(edition.game, wording, each, path, viewer) for each in found)
    return (origin for origin in told if origin is not None)


def _tell(game: Game, wording: Wording, blamed: Blamed, path: Path, viewer: Viewer) -> Origin | None:
    commit, change = blamed.commit, blamed.change
    if change is None:
        return _tell_beginning(game, wording, blamed, path, viewer)
    text = tell_blamed(game, change, wording, viewer)
    if not text:
        return None
    knows = viewer in SEES_SECRET
    return Origin(
        commit.version,
        commit.id,
        commit.at,
        text,
        tell_cause(change.cause, wording) + (f" ({change.cause})" if knows and ":" in change.cause else ""),
        wording.line(change.reason),
        tell_move(blamed.move) if knows else "",
        clean_line(str(commit.body.get("said", ""))),
        tuple(roll.text for roll in tell_rolls(blamed.rolls, wording, viewer)),
        blamed.move if knows else None,
    )


def _tell_beginning(
    game: Game, wording: Wording, blamed: Blamed, path: Path, viewer: Viewer
) -> Origin | None:
    slot = visible_slot(game, path, viewer)
    if slot is None or blamed.value is ABSENT:
        return None
    value = prune(slot, blamed.value, viewer)
    assert value is not ABSENT
    text = wording.say(Phrase.SET, label=wording.full_label(path), value=wording.value(path, slot, value))
    cause = wording.say(Phrase.BY_IMPORT if imported_of(blamed.commit) else Phrase.BY_FOUNDING)
    return Origin(blamed.commit.version, blamed.commit.id, blamed.commit.at, text, cause)
