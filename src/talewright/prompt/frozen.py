"""The frozen part: what a model is told once about a game, the same bytes in every turn of an edition.

Nothing of the moment stands here: no state, no clock, no turn number, and nothing secret.
"""

from talewright.kernel.game import Game
from talewright.kernel.texts import Texts


def write_frozen(game: Game, texts: Texts, answer_rules: str) -> str:
    """Rules of telling, the world, its people and things, and how to answer."""
    parts = [
        f"# {texts.get('title')}",
        _rules(game, texts),
        texts.find("world"),
        _people(game, texts),
        _items(game, texts),
        answer_rules,
    ]
    return "\n\n".join(part for part in parts if part)


def _rules(game: Game, texts: Texts) -> str:
    lines = [*texts.several("rules.style_notes"), *texts.several("rules.boundaries")]
    head = [f"Tone: {game.tone}"] if game.tone else []
    return "\n".join([*head, f"Rating: {game.content_rating}", *(f"- {line}" for line in lines)])


def _people(game: Game, texts: Texts) -> str:
    told = []
    for person in game.people:
        key = f"npc.{person.id}"
        words = [texts.find(f"{key}.{part}") for part in ("description", "voice", "secret")]
        goals = "; ".join(texts.several(f"{key}.goals"))
        told.append(
            " ".join([f"- {texts.get(f'{key}.name')} ({person.id}):", *filter(None, [*words, goals])])
        )
    return "\n".join(["## People", *told]) if told else ""


def _items(game: Game, texts: Texts) -> str:
    told = [
        f"- {texts.get(f'item.{item.id}.name')} ({item.id}): {texts.find(f'item.{item.id}.description')}"
        for item in game.items
    ]
    return "\n".join(["## Things", *told]) if told else ""
