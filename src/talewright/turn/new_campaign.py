"""A new campaign: from an edition of a game, or from an imported state, to its first commit.

No turn is taken here; the opening is a turn like any other.
"""

from collections.abc import Callable, Mapping

from talewright.chronicle.records import MAIN, Commit
from talewright.chronicle.save_format import FORMAT, FORMAT_NUMBER
from talewright.chronicle.store import CampaignBook, Founding, Store
from talewright.common.json_values import Json
from talewright.kernel.chance import commitment
from talewright.kernel.state.state import State
from talewright.turn.game_editions import Edition
from talewright.turn.records.commit_body import TurnBody, write_body


async def write_first_commit(
    store: Store,
    edition: Edition,
    *,
    campaign: str,
    language: str,
    secret: bytes,
    now: Callable[[], str],
    new_id: Callable[[], str],
    document: Mapping[str, Json] | None = None,
    imported: Json = None,
    operation_id: str = "",
) -> CampaignBook:
    """Start a campaign from the game's initial state or from an imported document."""
    state = State(edition.game.initial if document is None else document, version=0)
    root: dict[str, Json] = {
        "commitment": commitment(secret),
        "document": state.document,
    }
    if imported is not None:
        root["imported"] = imported
    first = Commit(
        id=new_id(),
        parent="",
        branch=MAIN,
        version=0,
        operation_id=operation_id or new_id(),
        at=now(),
        game_digest=edition.digest,
        state_digest=state.digest,
        body={FORMAT: FORMAT_NUMBER, **write_body(TurnBody(language=language, root=root))},
    )
    about = {
        "game": edition.game.id,
        "title": edition.words(language).get("title"),
        "language": language,
    }
    return await store.found(Founding(campaign, first, secret, about, edition.form))
