"""Authored outcomes: for every choice of every game, a game master reads what follows before it narrates.

The choices are found by walking the scenes. Each is taken from a position in which it is offered, as a game
master takes it, and what the author wrote for it must be in the answer.
"""

import asyncio
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache

from talewright.chronicle.records import MAIN, AttemptVerdict, Commit
from talewright.kernel.game import Game
from talewright.kernel.state.state import Position, State, begin
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.story.scene_rules import current_scene, is_over, open_finale, wording
from talewright.kernel.story.scenes import Check, Choice, Ladder, Trial
from talewright.turn.engine_number import ENGINE_NUMBER
from talewright.turn.game_editions import Edition
from talewright.turn.game_master.master_turn import OpenedTurn, begin_outside
from talewright.turn.inputs.player_choices import lay_out
from talewright.turn.inputs.player_inputs import Choose
from talewright.turn.records.commit_body import TurnBody, read_body, write_body
from talewright.turn.records.turn_attempts import AttemptLedger, make_attempt
from talewright.turn.steps.recalling import recall
from talewright.turn.turn_outcomes import Committed
from tests.games.walking import Rigged, Search, options, take
from tests.kernel.scene_walk import Played, begin_story
from tests.sweep.parts import Progress
from tests.turn.making import NOW, Bench, lay_bench, play_edition
from tests.turn.mastering import Master

FULL_COUNT = 862
"""Every choice that the authors of our games have written."""

CHUNK = FULL_COUNT

GAMES = ("chapel_watch", "dusty_tankard", "goblin_road", "lantern_road", "mist_harbor", "solo")

WALKS_MAX = 3_000
POSITIONS_MAX = 4
"""Positions from which a choice is tried, until one of them offers it."""

NARRATION = "It happens."

Name = tuple[str, str]
"""A scene or finale, and a choice of it."""


def run(count: int, seed: int, progress: Progress | None = None) -> int:
    """Take so many choices, of all that authors have written; walks must meet each of them."""
    written = [(game, *name) for game in GAMES for name in sorted(list_choices(read_game(game)))]
    assert len(written) == FULL_COUNT, f"{len(written)} choices are written"
    chosen = random.Random(seed).sample(written, count)
    for number, (game, scene, choice) in enumerate(chosen):
        met = find_positions(game, WALKS_MAX)
        assert (scene, choice) in met, f"{game}, {scene}, {choice}: no walk has met it"
        check_choice(game, scene, choice, met[scene, choice])
        if progress:
            progress(number + 1)
    return len(chosen)


class ChoiceSearch(Search):
    """A walker that keeps positions for every choice it could take."""

    def __init__(self, game: Game, seed: int) -> None:
        super().__init__(game, seed)
        self.met: dict[Name, list[Position]] = defaultdict(list)
        self._wanted = list_choices(game)

    @property
    def has_all(self) -> bool:
        """Whether no choice is missing."""
        return self._wanted <= set(self.met)

    def arrive(self, turn: Played) -> None:
        self._note(turn.position)
        super().arrive(turn)

    def _note(self, position: Position) -> None:
        """Keep a position for every choice that it offers."""
        name = name_place(self.game, position)
        for option in options(self.game, position):
            kept = self.met[name, option] if (name, option) in self._wanted else []
            if len(kept) < POSITIONS_MAX:
                kept.append(position)

    def stroll(self) -> None:
        """From the opening to the end of the game: any choice, any dice."""
        turn = begin_story(self.game, begin(self.game), Rigged(1))
        while open_options := options(self.game, turn.position):
            option = self._choose.choice(open_options)
            turn = take(self.game, turn.position, option, Rigged(self._choose.random()))
            self.arrive(turn)

    def step_aside(self) -> None:
        """Let a storyteller narrate a turn without a choice: some scenes open only then.

        The search does not continue from them, because they need not lead to an end.
        """
        position = begin_story(self.game, self._archive.pick(), Rigged(1)).position
        self._note(position)
        if open_options := options(self.game, position):
            self._note(take(self.game, position, self._choose.choice(open_options), Rigged(1)).position)


def name_place(game: Game, position: Position) -> str:
    """The scene or finale in which a position is."""
    scene, finale = current_scene(game, position), open_finale(game, position)
    return f"finale {finale.id}" if finale is not None else "" if scene is None else scene.id


def list_choices(game: Game) -> set[Name]:
    """Every choice that an author has written."""
    of_scenes = {(scene.id, choice.id) for scene in game.scenes.values() for choice in scene.choices}
    return of_scenes | {(f"finale {one.id}", route.id) for one in game.endings for route in one.finale}


def read_game(name: str) -> Game:
    """One of our games."""
    return play_edition(f"games/{name}").game


@cache
def find_positions(name: str, walks_max: int) -> Mapping[Name, list[Position]]:
    """Positions for the choices of a game, found by walking its scenes."""
    search = ChoiceSearch(read_game(name), 1)
    search.begin()
    for _ in range(walks_max):
        if search.has_all:
            break
        search.go()
        search.stroll()
        search.step_aside()
    return dict(search.met)


def check_choice(name: str, scene: str, choice: str, positions: list[Position]) -> None:
    """Take a choice from the first position that offers it, and look at what the game master has read."""
    edition = play_edition(f"games/{name}")
    try:
        assert asyncio.run(take_choice(edition, scene, choice, positions)), "it is not offered"
    except AssertionError as error:
        raise AssertionError(f"{name}, {scene}, {choice}: {error}") from error


async def take_choice(edition: Edition, scene: str, choice: str, positions: list[Position]) -> bool:
    """Take a choice as a game master does; whether any of the positions offers it."""
    texts = edition.words("")
    for position in positions:
        bench = await open_at(edition, position)
        opened = await begin_outside(bench.road, MAIN, Choose(choice), "op")
        if not isinstance(opened, OpenedTurn):
            # What it depends on may be the number of the turn.
            continue
        told = read_situation(opened)
        if scene in edition.game.scenes:
            check_passages(edition.game, texts, scene, choice, told)
        done = await Master(bench.road, opened).tell(NARRATION)
        assert isinstance(done, Committed), done
        await check_end(bench, texts, told)
        return True
    return False


async def open_at(edition: Edition, position: Position) -> Bench:
    """A campaign whose last turn has led to a position."""
    document = position.state.document
    bench = await lay_bench(edition, document=document)
    recalled = await recall(bench.road, MAIN)
    game, texts = edition.game, edition.words("")
    body = TurnBody(
        language=game.language,
        choices=lay_out(game, texts, position, ()),
        engine=ENGINE_NUMBER,
        narration=".",
    )
    before = Commit(
        id="f" * 32,
        parent=recalled.head.id,
        branch=MAIN,
        version=1,
        operation_id="before",
        at=NOW,
        game_digest=edition.digest,
        state_digest=State(document, version=1).digest,
        body=write_body(body),
    )
    attempt = make_attempt("e" * 32, NOW, before, AttemptVerdict.COMMITTED, AttemptLedger())
    await bench.book.commit(before, attempt)
    return bench


def read_situation(opened: OpenedTurn) -> str:
    """All that a game master reads when its turn opens."""
    return "\n".join(section.text for section in opened.situation)


def check_passages(game: Game, texts: Texts, scene: str, choice: str, told: str) -> None:
    """Check that the author's words for a choice were read: its own, and those of its result."""
    (taken,) = (one for one in game.scenes[scene].choices if one.id == choice)
    assert not taken.text or texts.get(taken.text) in told
    results = [texts.get(key) if key else "" for key in list_results(taken)]
    assert not results or any(one in told for one in results)


def list_results(choice: Choice) -> Iterator[str]:
    """The keys of the texts of which one is told if a choice has a check."""
    match choice.check:
        case Check(_, _, success, failure):
            yield from (success.text, failure.text)
        case Ladder() as ladder:
            yield from (rung.result.text for rung in ladder.rungs)
        case Trial() as trial:
            yield from (trial.success.text, trial.failure.text)
            yield from () if trial.partial is None else (trial.partial.text,)
        case _:
            return


async def check_end(bench: Bench, texts: Texts, told: str) -> None:
    """Check that what follows was read: the scene, the finale or the ending that the turn has led to."""
    recalled = await recall(bench.road, MAIN)
    game, position = recalled.edition.game, recalled.position
    memory, finale = position.state.document["_engine"], open_finale(game, position)
    assert isinstance(memory, dict)
    if is_over(position):
        assert texts.find(f"ending.{memory['ending']}") in told
    elif finale is not None:
        assert texts.find(f"finale.{finale.id}") in told
    elif (scene := current_scene(game, position)) is not None:
        assert texts.get(wording(scene, position)) in told
    # Whatever the engine added to the narration was read, too.
    for passage in read_body(recalled.head.body).narration.split("\n\n"):
        assert passage == NARRATION or passage in told
