"""Adjacent passages: seeded walks through a game with no model, and every pair of passages met, once.

To be read by a person, for what contradicts what has happened:

    python -m tests.games.adjacent_passages mist_harbor --language en --walks 400 > pairs.txt
"""

import argparse
import asyncio
import itertools
import random
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field

from talewright.stores.memory_store import MemoryStore
from talewright.turn.game_editions import Edition
from talewright.turn.inputs.player_choices import FINALE
from talewright.turn.inputs.player_inputs import Choose, Opening
from talewright.turn.new_campaign import write_first_commit
from talewright.turn.pipeline import take_turn
from talewright.turn.records.commit_body import TurnBody, read_body
from talewright.turn.turn_context import Road
from talewright.turn.turn_outcomes import Committed
from tests.turn.making import NOW, Library, play_edition

GAMES = ("mist_harbor", "lantern_road", "chapel_watch", "goblin_road", "dusty_tankard", "solo")
WALKS = 200
TURNS_MAX = 120
"""A walk is broken off after so many turns: a campaign of solo need not end."""

CURIOUS = 0.7
"""How often a walk takes the choice that has been taken least."""


@dataclass(frozen=True, slots=True)
class Passage:
    """One turn as a reader meets it: what the choice came to, and the scene after it."""

    choice: str
    """`scene/choice`, empty for the first turn."""

    label: str
    outcome: str
    """The words of the choice and of its roll."""

    events: tuple[str, ...]
    scene: str
    """The id of the scene that follows; empty in a finale and at an ending."""

    text: str
    """The scene's own words, or those of the ending."""

    visit: int
    """How often this scene has been told in this walk, with this time."""


@dataclass
class Walker:
    """Walks one game over and over, where it has been least."""

    edition: Edition
    language: str
    taken: Counter[str] = field(default_factory=Counter)

    async def walk(self, seed: int) -> AsyncIterator[Passage]:
        """The passages of one walk, in order."""
        choose, seen = random.Random(seed), Counter[str]()
        road = await self._open_road(seed)
        scene, chosen, label = "", "", ""
        given: Opening | Choose = Opening()
        for turn in range(TURNS_MAX):
            outcome = await take_turn(road, "main", given, f"op-{turn}", "")
            assert isinstance(outcome, Committed), outcome
            body = read_body(outcome.commit.body)
            scene = find_scene(body) or (scene if goes_on(body, scene) else "")
            seen[scene] += 1
            told, text = self._divide(scene, body.narration)
            events = tuple(self.edition.words(self.language).get(event.text) for event in body.events)
            yield Passage(chosen, label, told, events, scene, text, seen[scene])
            if not body.choices or body.end:
                return
            choice = self._choose(choose, scene, [offer.id for offer in body.choices])
            label = next(offer.label for offer in body.choices if offer.id == choice)
            chosen, given = f"{scene}/{choice}", Choose(choice)

    def _choose(self, choose: random.Random, scene: str, offered: list[str]) -> str:
        choice = choose.choice(offered)
        if choose.random() < CURIOUS:
            choice = min(offered, key=lambda one: self.taken[f"{scene}/{one}"])
        self.taken[f"{scene}/{choice}"] += 1
        return choice

    def _divide(self, scene: str, narration: str) -> tuple[str, str]:
        """What the choice came to, and the words of the scene."""
        if not scene:
            return "", narration
        texts = self.edition.words(self.language)
        for variant in self.edition.game.scenes[scene].variants:
            words = texts.get(variant.text)
            if narration.endswith(words):
                return narration.removesuffix(words).strip(), words
        return "", narration

    async def _open_road(self, seed: int) -> Road:
        counter = itertools.count(1)

        def new_id() -> str:
            return f"{next(counter):032x}"

        book = await write_first_commit(
            MemoryStore(),
            self.edition,
            campaign="walk",
            language=self.language,
            secret=seed.to_bytes(32, "big"),
            now=lambda: NOW,
            new_id=new_id,
        )
        library = Library(None, {self.edition.digest: self.edition})
        return Road(book=book, editions=library, now=lambda: NOW, new_id=new_id, language=self.language)


def find_scene(body: TurnBody) -> str:
    """The scene that a turn has opened; empty in a finale and at an ending."""
    opened = [str(change.value) for change in body.changes if change.path == "/_engine/scene"]
    return opened[-1] if opened and not body.end else ""


def goes_on(body: TurnBody, scene: str) -> bool:
    """Whether the scene before goes on, such as in a fight."""
    left = any(change.path == "/_engine/scene" for change in body.changes)
    finale = any(choice.source == FINALE for choice in body.choices)
    return bool(scene and body.choices) and not (left or finale or body.end)


async def gather_walks(name: str, language: str, walks: int, seed: int) -> list[list[Passage]]:
    """So many walks through a game."""
    walker = Walker(play_edition(f"games/{name}"), language)
    return [[passage async for passage in walker.walk(seed + number)] for number in range(walks)]


def find_pairs(walks: list[list[Passage]]) -> Iterator[tuple[Passage, Passage]]:
    """Every two passages that follow one another, once each by their words."""
    known = set[tuple[str, str, str, str]]()
    for walk in walks:
        for before, after in itertools.pairwise(walk):
            key = before.text, after.choice, after.outcome, after.text
            if key not in known:
                known.add(key)
                yield before, after


def write_pairs(pairs: list[tuple[Passage, Passage]]) -> Iterator[str]:
    """The pairs as pages: each passage in full, then each choice there, and how what follows begins."""
    by_text: dict[str, list[tuple[Passage, Passage]]] = {}
    for before, after in pairs:
        by_text.setdefault(before.text, []).append((before, after))
    for text, found in sorted(by_text.items(), key=lambda item: item[1][0][0].scene):
        yield f"\n=== {found[0][0].scene or 'finale'}\n{text}"
        by_outcome: dict[tuple[str, str, str], list[Passage]] = {}
        for _, after in found:
            by_outcome.setdefault((after.choice, after.label, after.outcome), []).append(after)
        for (choice, label, outcome), followers in sorted(by_outcome.items()):
            yield f"\n--- {choice}: {label}\n{outcome}"
            for after in followers:
                events = "".join(f"[{event}] " for event in after.events)
                begins = after.text.partition("\n")[0]
                yield f"    -> {after.scene or 'finale'}: {events}{begins}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--language", default="en")
    parser.add_argument("--walks", type=int, default=WALKS)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    walks = asyncio.run(gather_walks(wanted.game, wanted.language, wanted.walks, wanted.seed))
    for line in write_pairs(list(find_pairs(walks))):
        print(line)


if __name__ == "__main__":
    main()
