"""Games whose every word is hostile: titles, cards, choices, lore, people, and what their model tells."""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path

from talewright.llm.profiles import Profile
from talewright.llm.provider import Provider
from talewright.llm.requests import Request
from talewright.providers.scripted import Scripted, by
from tests.faces.web.in_chromium.hostile_texts import make_hostile_texts

CHOICES = 10
"""Texts of a scene, each with a choice."""

TOLD_CHOICES = 5
TOLD_LENGTH = 100
COVER = 3
"""Texts of a game that is only seen in the lobby."""

PIECES = (1, 1, 2, 1, 7)
ORDER = re.compile(r"tell (\d+) of (\d+) with (http://\S+)")
"""What a player says, so that the model tells the same texts."""


def write_hostile_game(folder: Path, name: str, texts: Sequence[str]) -> None:
    """A game made of texts; each is a label, a value and a description, and some are more."""
    home = folder / name
    (home / "scenes").mkdir(parents=True)
    (home / "lore").mkdir()
    said = [make_writable(text) for text in texts]
    variables = [
        {"id": f"v{at}", "label": text, "type": "string", "default": text, "max_length": 1000}
        | {"card": {"order": at, "format": "plain", "description": text}}
        for at, text in enumerate(said)
    ]
    status = [{"var_id": f"v{at}", "style": "text", "label": text} for at, text in enumerate(said[:8])]
    game: dict[str, object] = {
        "game_id": name,
        "title": said[0],
        "version": "1.0.0",
        "language": "en",
        "variables": variables,
    }
    game |= {"tone": said[0], "description": said[0], "status_bar": {"items": status}}
    counter = {"id": "page", "label": "Page", "type": "integer", "min": 0, "max": 99, "default": 0}
    variables.append(counter | {"card": {"visible": False}})
    scenes = [write_scene(at // CHOICES, said[at : at + CHOICES]) for at in range(0, len(said), CHOICES)]
    people = [
        {"id": f"n{at}", "name": text, "description": text} for at, text in enumerate(said[:TOLD_CHOICES])
    ]
    lore = [{"id": f"l{at}", "constant": True, "text": text} for at, text in enumerate(said[:TOLD_CHOICES])]
    for path, value in (
        ("game.yaml", game),
        ("scenes/all.yaml", scenes),
        ("npcs.yaml", people),
        ("lore/all.yaml", lore),
    ):
        (home / path).write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    for path in ("intro.md", "world.md"):
        (home / path).write_text("\n\n".join(said[:TOLD_CHOICES]), encoding="utf-8")
    for at in range(0, len(said), COVER):
        write_cover(folder / f"{name}-{at}", said[at : at + COVER])


def write_cover(home: Path, said: Sequence[str]) -> None:
    """A game with nothing but a cover, for the lobby."""
    cover = {"game_id": home.name, "version": "1.0.0", "language": "en", "variables": []}
    cover |= {"title": said[0], "tone": said[-1], "description": said[len(said) // 2]}
    home.mkdir()
    (home / "game.yaml").write_text(json.dumps(cover, ensure_ascii=False), encoding="utf-8")
    for path in ("intro.md", "world.md"):
        (home / path).write_text(said[0], encoding="utf-8")


def write_scene(page: int, said: Sequence[str]) -> dict[str, object]:
    """The scene of a page: its texts are told, and are what one can choose; each choice leads to the next."""
    choices = [
        {"id": f"c{page}-{at}", "label": text, "hint": text, "risk": "high", "text": text}
        | {"updates": [{"op": "inc", "path": "page", "value": 1}]}
        for at, text in enumerate(said)
    ]
    return {"id": f"s{page}", "when": f"page == {page}", "text": "\n\n".join(said), "choices": choices}


def make_writable(text: str) -> str:
    """A text as an author's file can hold it: without control characters."""
    return "".join(one if one.isprintable() else " " for one in text)


def cut_story(reply: str) -> Iterator[str]:
    """The story in small pieces, many of them single characters, and what follows it in larger ones."""
    told = reply.partition('"choices": ')[0]
    at = 0
    for size in cycle(PIECES):
        if at >= len(told):
            break
        yield reply[at : at + size]
        at += size
    yield from by(200)(reply[at:])


class HostileModel(Scripted):
    """Tells hostile texts, one character at a time, and sets every variable to one."""

    def __init__(self) -> None:
        super().__init__(self.reply, profile=Profile("scripted", context_tokens=512_000), cut=cut_story)

    def reply(self, request: Request) -> str:
        """The texts that the player ordered."""
        found = ORDER.findall("\n".join(message.text for message in request.messages))
        if not found:
            return "Nothing."
        count, seed, evil = found[-1]
        texts = make_hostile_texts(int(count), int(seed), evil)
        choices = [
            {"id": f"m{at}", "label": text[:TOLD_LENGTH], "hint": text[:TOLD_LENGTH], "risk": "high"}
            for at, text in enumerate(texts[-TOLD_CHOICES:])
        ]
        updates = [
            {"op": "set", "path": f"v{at}", "value": text, "reason": text}
            for at, text in enumerate(texts[::-1])
        ]
        return json.dumps(
            {
                "narrative_markdown": "\n\n".join(texts),
                "choices": choices,
                "state_updates": updates,
                "new_facts": texts[:3],
                "events": [],
                "end": {"is_game_over": False, "ending_id": "", "reason": ""},
            }
        )


def make_models() -> tuple[Provider, Provider]:
    """The hostile model, for everything."""
    return HostileModel(), HostileModel()
