"""Briefing: what the storyteller is given for one turn.

The words are put together by `prompt`; here they are gathered from what was recalled.
"""

from collections.abc import Sequence

from talewright.contract.dialect import Dialect
from talewright.contract.patch.inventories import index_by_id
from talewright.kernel.documents import Json
from talewright.kernel.engine_slots import ENGINE_ROOT
from talewright.kernel.game import Game
from talewright.kernel.positions import Position
from talewright.kernel.texts import Texts
from talewright.llm.messages import Message
from talewright.prompt.assembly import Past, assemble
from talewright.prompt.frozen import write_frozen
from talewright.prompt.tail import Moment, write_tail
from talewright.turn.bodies import from_json
from talewright.turn.deeds import Deed
from talewright.turn.recalling import Recalled
from talewright.turn.working import Working


def brief(
    dialect: Dialect,
    recalled: Recalled,
    working: Working,
    texts: Texts,
    deed: Deed,
    results: tuple[Json, ...],
) -> tuple[Message, ...]:
    """The messages of the first ask of a turn."""
    game = working.game
    document = working.position.state.document
    moment = Moment(
        deed.said,
        tuple(texts.get(passage) for passage in deed.passages),
        results,
        tuple(filter(None, [index_by_id(document, game.layout)])),
    )
    return assemble(
        write_frozen(game, texts, dialect.rules(game, texts.language)),
        _write_memory(working.position),
        _transcript(recalled, game),
        write_tail(game, texts, working.position, moment),
    )


def _transcript(recalled: Recalled, game: Game) -> list[Past]:
    turns = [from_json(commit.body) for commit in recalled.past[: game.memory.keep_turns] if commit.parent]
    return [Past(turn.said, turn.narration) for turn in reversed(turns)]


def _write_memory(position: Position) -> str:
    memory = position.state.document[ENGINE_ROOT]
    assert isinstance(memory, dict)
    facts: Sequence[str] = memory["facts"]
    parts = [memory["summary"], "\n".join(f"- {fact}" for fact in facts)]
    return "\n\n".join(part for part in parts if part)


def list_unrevealed(game: Game, position: Position, texts: Texts) -> list[str]:
    """Texts that no narration may quote: secrets of people, and lore that is not revealed yet."""
    document, turn = position.state.document, position.turn
    secrets = [texts.find(f"npc.{person.id}.secret") for person in game.people]
    lore = [
        texts.find(f"lore.{entry.id}.text")
        for entry in game.lore
        if entry.reveal_when is not None and not entry.reveal_when.holds(document, turn)
    ]
    return [text for text in (*secrets, *lore) if text]
