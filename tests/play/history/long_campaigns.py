"""Long campaigns in a folder, for the benches: written as turns write them, but not waiting for the disk."""

import hashlib
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import cast

from talewright.chronicle.store import CampaignBook
from talewright.common.json_values import Json
from talewright.errors import Fault
from talewright.kernel.state.state import canonical
from talewright.pack.cache.compiled_game import pack_game, unpack_game
from talewright.stores.folder.disk import Disk
from talewright.stores.folder.folder_store import FolderStore
from talewright.turn.game_editions import Edition
from tests.play.history.campaigns import Scribe, begin_campaign, endless, mist_harbor, walk

SEED = 7


class Careless(Disk):
    """A disk that says it is done before it is; what is written here can be written again."""

    def sync_data(self, file: int) -> None:
        pass

    def sync(self, file: int) -> None:
        pass

    def sync_folder(self, path: Path) -> None:
        pass


class Unpacking:
    """Editions as a campaign keeps them, unpacked every time as in a new process."""

    def unpack(self, form: Json) -> Edition:
        game, texts, _ = unpack_game(cast(dict[str, Json], form), {})
        return Edition(game, texts, endless_harbor().digest, form)

    def latest(self, game: str) -> Edition | None:
        return None

    def find_faults(self, game: str) -> tuple[Fault, ...]:
        return ()


@cache
def endless_harbor() -> Edition:
    """Mist Harbor with no way to end it, in its whole form."""
    edition = endless(mist_harbor())
    form = cast(Json, pack_game(edition.game, edition.texts, ()))
    return replace(edition, form=form, digest=_digest(form))


async def write_campaign(saves: Path, name: str, turns: int) -> Scribe:
    """A campaign of so many turns, walked at random."""
    store = FolderStore(saves, git=False, disk=Careless())
    scribe = await begin_campaign(store, endless_harbor(), campaign=name, prefix=name)
    await walk(scribe, turns, SEED)
    return scribe


async def open_book(saves: Path, name: str) -> CampaignBook:
    """The campaign as a new process opens it."""
    return await FolderStore(saves, git=False).open(name)


def _digest(form: Json) -> str:
    return hashlib.sha256(canonical(form)).hexdigest()
