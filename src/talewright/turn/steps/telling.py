"""Telling: one attempt at a turn, narrated by scenes, by a model following a plan, or from outside.

An attempt writes nothing. Restarted, it starts from the same state with the same dice. `pipeline` asks the
model: by the plan `one_ask` once, by `moves_first` with the moves judged before the narration; `tool_loop` is
in its own file.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.contract.dialect import AnswerGround, Dialect, ModelAnswer
from talewright.contract.dialect_table import DIALECTS
from talewright.contract.text.leak_guard import NOTHING_HIDDEN
from talewright.crashpoints import around
from talewright.kernel.game import FateKind, Game
from talewright.kernel.judging.move_resolution import current_phases, settle
from talewright.kernel.judging.moves import ENGINE, PLAYER, Call
from talewright.kernel.judging.rulings import Decision, Granted, Ruling
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.state.state import Position
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.story.scene_rules import (
    current_scene,
    enter,
    is_over,
    leave,
    may_stay,
    open_finale,
    open_scenes,
    wording,
)
from talewright.kernel.story.scenes import Scene
from talewright.kernel.story.story_rules import OPEN_FINALE
from talewright.kernel.system import Heard
from talewright.llm.profiles import Profile
from talewright.llm.provider import ProfiledProvider
from talewright.prompt.current_turn_part import show_changes
from talewright.prompt.past_turns_part import read_window
from talewright.turn.background.asides import take_up
from talewright.turn.background.page_contents import take_edits
from talewright.turn.engine_number import ENGINE_NUMBER
from talewright.turn.hidden_texts import gather_hidden_texts
from talewright.turn.inputs.player_inputs import Deed, Input, PlayersTable, Say, carry_out_input
from talewright.turn.memory.past_turns import PLAIN_SINCE_ENGINE
from talewright.turn.memory.story_memory import begin_epoch
from talewright.turn.records.commit_body import write_ruling
from talewright.turn.records.turn_attempts import AttemptLedger
from talewright.turn.steps.asking import AnswerGuard, Asker, AskSetting
from talewright.turn.steps.beginning import Turn
from talewright.turn.steps.briefing import Briefing, NarratorUpdates, brief, make_frame
from talewright.turn.steps.judging import Judge, note_rolled, report_rolls
from talewright.turn.steps.recalling import Recalled
from talewright.turn.steps.repairing import TellingContext
from talewright.turn.turn_context import Road, Teller, work_aside
from talewright.turn.turn_outcomes import Unspent
from talewright.turn.turn_progress import NAMED_SINCE_ENGINE, PASSAGE_BREAK, TurnDraws, TurnProgress
from talewright.turn.turn_signals import Activity, name_work

ONE_ASK = "one_ask"
TOOL_LOOP = "tool_loop"
MOVES_FIRST = "moves_first"


def show_ruling(game: Game, ruling: Ruling) -> Json:
    """Convert a ruling for the model: as it is recorded, without secrets."""
    raw = write_ruling(ruling)
    if isinstance(ruling, Granted) and ruling.changes:
        raw["changes"] = show_changes(game, ruling.changes)
    return raw


def show_shortly(game: Game, ruling: Ruling) -> Json:
    """The same for a slow model: only the result of a granted call."""
    if isinstance(ruling, Granted) and ruling.result is not None:
        return ruling.result
    return show_ruling(game, ruling)


def open_next(working: TurnProgress, follows: str, leaves: bool, *, by_system: bool = False) -> Scene | None:
    """Enter the next scene and return it; None if the player stays or no scene opens.

    A choice that leads nowhere leads back to its scene; a scene that is `once` or whose condition fails is
    left. If a system can narrate turns itself, any move leaves such a scene, since no scene need be open
    then. After a move of a system (in such a game, after every turn), a scene with a higher priority
    interrupts one that is open by condition.
    """
    game, position = working.game, working.position
    if is_over(position) or open_finale(game, position) is not None:
        return None
    here = current_scene(game, position)
    holds = here is not None and (
        here.when is None or here.when.holds(position.state.document, position.turn)
    )
    if holds and not leaves and not by_system and not game.parts.telling:
        return None
    scene = game.scenes[follows] if follows else next(iter(open_scenes(game, position)), None)
    if holds and not leaves and not _interrupts(scene, here):
        return None
    if scene is not None:
        working.take(enter(game, position, scene))
    elif here is not None and (leaves or game.parts.telling):
        if may_stay(here, position):
            return here
        working.take(leave(game, position))
    return scene


def _interrupts(scene: Scene | None, here: Scene | None) -> bool:
    return scene is not None and here is not None and here.when is not None and scene.priority > here.priority


def tell_by_systems(working: TurnProgress, moves: Sequence[Call]) -> tuple[str, ...]:
    """Return what systems narrate about the player's granted calls; without calls, about the first turn."""
    game, table = working.game, WorkingState(working.game, working.position)
    granted = [ruling.move for ruling in working.rulings if isinstance(ruling, Granted)]
    opening = not moves and working.position.turn == 1
    told: list[str] = []
    for system in game.parts.telling:
        calls = [call for call in moves if call in granted and game.tools[call.tool].name == system.name]
        if calls or opening:
            told.append(system.tell(calls, table.sight(system)))
    return tuple(filter(None, told))


def tell_scene(
    working: TurnProgress, scene: Scene | None, texts: Texts, *, resumes: bool = False
) -> tuple[str, ...]:
    """Return the text of the scene that was entered, of the finale or of the ending."""
    if is_over(working.position) or open_finale(working.game, working.position) is not None:
        return tell_end(working, texts, resumes=resumes)
    return () if scene is None else (texts.get(wording(scene, working.position)),)


def tell_end(working: TurnProgress, texts: Texts, *, resumes: bool = False) -> tuple[str, ...]:
    """Return the text of the ending if the game is over, or of a finale as it opens.

    With `resumes`, a finale that is already open is narrated again.
    """
    memory = working.position.state.document[ENGINE_ROOT]
    assert isinstance(memory, dict)
    told = ""
    if is_over(working.position):
        told = texts.find(f"ending.{memory['ending']}")
    elif resumes or any(change.path == OPEN_FINALE for change in working.changes):
        told = texts.find(f"finale.{memory['finale']}")
    return (told,) if told else ()


TOOLS = "tools"
"""The dialect whose turns always run in rounds of tool calls."""

OUTSIDE_PROFILE = Profile("outside", context_tokens=64_000, output_tokens_max=4_000)
"""How much an outside game master gets to read, and how long a narration may be."""

OUTSIDE_TELLER = Teller(ProfiledProvider(None, OUTSIDE_PROFILE))
"""An outside game master is never asked."""


def minutes_between(earlier: str, later: str) -> int:
    """Whole minutes between two moments; 0 if one of them is unknown, or the clock was set back."""
    try:
        passed = datetime.fromisoformat(later) - datetime.fromisoformat(earlier)
    except (ValueError, TypeError):
        return 0
    return max(0, int(passed.total_seconds() // 60))


def start_progress(recalled: Recalled, fortune: TurnDraws, engine: int = ENGINE_NUMBER) -> TurnProgress:
    """A turn before its input: it takes in a newer edition, finished asides and edits by hand."""
    working = TurnProgress(recalled.edition.game, recalled.position, fortune, engine)
    working.game_digest = recalled.edition.digest
    working.window = read_window(recalled.body.window, recalled.head.version)
    if recalled.adoption is not None:
        working.changes += recalled.adoption.changes
        if recalled.adoption.changes and working.game.systems:
            begin_epoch(working)
    take_up(working, recalled.asides)
    take_edits(working, recalled.edits, recalled.body.edits)
    return working


async def work_on(working: TurnProgress, work: Callable[[], None]) -> None:
    """Do work on a turn; if it is done again in a thread, it starts from the same progress."""
    restart = working.restart_point()

    def start() -> None:
        restart()
        work()

    await work_aside(start)


@frozen
class ForeseenEnd:
    """How a turn would end if nothing else happened in it."""

    position: Position
    added: tuple[str, ...] = ()
    """What the engine would add to the narration, in the author's words: events, a finale, an ending."""


class Try:
    """One attempt at a turn."""

    def __init__(
        self, road: Road, turn: Turn, recalled: Recalled, ledger: AttemptLedger, secret: bytes
    ) -> None:
        """`road` must be bound to the turn."""
        self._road = road
        self._turn = turn
        self.recalled = recalled
        self._ledger = ledger
        self._secret = secret
        self.working = self._start()
        self.briefing: Briefing | None = None
        """The storyteller's briefing, once it is written."""

        self.updates: NarratorUpdates | None = None
        """What the storyteller is told after it."""

    @property
    def _texts(self) -> Texts:
        return self.recalled.edition.words(self._road.language or self.recalled.body.language)

    def _start(self, *, told_outside: bool = False) -> TurnProgress:
        game = self.recalled.edition.game
        # With fixed fate, a nonce would let whoever chooses it choose the dice.
        nonce = self._turn.beginning.nonce if game.chance.fate is FateKind.FRESH else ""
        turn = self.recalled.position.turn
        fortune = TurnDraws(self._secret, turn, bytes.fromhex(nonce), self._turn.recorded)
        if told_outside and self._turn.engine >= NAMED_SINCE_ENGINE:
            fortune = fortune.named(self.recalled.seen)
        away = minutes_between(self.recalled.head.at, self._turn.beginning.at)
        recalled = replace(self.recalled, position=replace(self.recalled.position, away_minutes=away))
        return start_progress(recalled, fortune, self._turn.engine)

    def begin(self, given: Input, *, told_outside: bool = False) -> Deed | Unspent:
        """Carry out the input; calling it again starts over."""
        self.working = self._start(told_outside=told_outside)
        self.working.care = isinstance(given, Say) and given.sure
        root = self.recalled.body.root
        table = PlayersTable(
            self.recalled.body,
            self._texts,
            has_teller=told_outside or self._road.teller is not None,
            begun=self.recalled.head.version > 0,
            imported=isinstance(root, Mapping) and "imported" in root,
            told_outside=told_outside,
        )
        deed = carry_out_input(table, self.working, given)
        self.working.settled = isinstance(deed, Deed) and deed.leaves
        return deed

    def needs_teller(self) -> bool:
        """Whether a model should narrate this turn; an opening by scenes stays as the author wrote it."""
        opening = self.recalled.head.version == 0
        game, position = self.working.game, self.working.position
        scenes = bool(open_scenes(game, position)) or current_scene(game, position) is not None
        return self._road.teller is not None and not (opening and scenes)

    async def tell_by_scenes(self, deed: Deed) -> None:
        """Narrate the deed in the author's words."""
        working, texts = self.working, self._texts
        await self.judge_waiting(Judge(working), deed)
        report_rolls(self._road, working)
        working.narration += [texts.get(passage) for passage in deed.passages]

        def follow() -> None:
            passages = len(working.narration)
            _settle(working)
            scene = open_next(working, deed.follows, deed.leaves, by_system=deed.by_system)
            if scene is None and (deed.resumes or deed.by_system):
                scene = current_scene(working.game, working.position)
            if deed.moves or scene is None:
                working.narration += tell_by_systems(working, deed.moves)
            if deed.by_system and self._was_told(scene):
                scene = None
            working.narration += tell_scene(working, scene, texts, resumes=deed.resumes)
            working.place_events(passages)

        await work_on(working, follow)

    def _was_told(self, scene: Scene | None) -> bool:
        """Whether the player has just read this scene, in the same words."""
        before = self.recalled.position
        if scene is None or current_scene(self.working.game, before) is not scene:
            return False
        return wording(scene, before) == wording(scene, self.working.position)

    def open_conversation(self, deed: Deed) -> tuple[TellingContext, Asker]:
        """Return what is needed to ask the storyteller, and to judge its answers."""
        road, turn = self._road, self._turn
        assert road.teller is not None
        dialect = DIALECTS[self.working.game.contract]
        guard = AnswerGuard(NOTHING_HIDDEN)
        setting = AskSetting(
            turn.key, turn.beginning.spent, can_skip=deed.authored, engine=self.working.engine
        )
        asker = Asker(road, setting, dialect, guard, self._ledger)
        judge = Judge(self.working, guard, asker, road.teller, road.limits.errands_max)
        return self._make_context(road.teller, dialect, guard, judge), asker

    def context_outside(self) -> TellingContext:
        """Return the context for an outside game master: that of a model with tools, without errands."""
        guard = AnswerGuard(NOTHING_HIDDEN)
        judge = Judge(self.working, guard)
        return replace(self._make_context(OUTSIDE_TELLER, DIALECTS[TOOLS], guard, judge), outside=True)

    def _make_context(
        self, teller: Teller, dialect: Dialect, guard: AnswerGuard, judge: Judge
    ) -> TellingContext:
        memory = self.working.position.state.document[ENGINE_ROOT]
        assert isinstance(memory, dict)
        used = frozenset(memory["bundles"])
        return TellingContext(
            self._road, teller, dialect, self.working, guard, judge, self._texts.language, used
        )

    async def brief(self, context: TellingContext, deed: Deed) -> bool:
        """Judge the waiting calls and write the briefing; return whether anything was decided."""
        road, working, texts, recalled = self._road, self.working, self._texts, self.recalled
        dialect, guard = context.dialect, context.guard
        if deed.moves:
            # Before the prompt is written, only calls of the player can ask or show anything.
            ground = AnswerGround(working.game, working.position, texts.language)
            gather = partial(
                gather_hidden_texts, dialect, ground, texts, recalled, deed.said, engine=working.engine
            )
            guard.veil = await work_aside(gather)
        rolled = len(working.rolls)
        await self.judge_waiting(context.judge, deed)
        results = (*deed.results, *working.rolls[rolled:])
        with around("assemble"):
            ground = context.ground()
            frame = make_frame(dialect, ground, texts, context.teller)
            if context.outside and working.engine >= PLAIN_SINCE_ENGINE:
                frame = replace(frame, plain_past=True)
            name = context.teller.main.profile.name
            self.briefing = await brief(road, recalled, working, texts, deed, results, frame, name)
            self.updates = NarratorUpdates(recalled, working, texts, deed.said, self.briefing, frame.budget)
            gather = partial(
                gather_hidden_texts,
                dialect,
                ground,
                texts,
                recalled,
                deed.said,
                frame.frozen,
                frame.tools,
                self.briefing.memories,
                self.briefing.bodies,
                working.engine,
            )
            guard.veil = await work_aside(gather)
        return bool(results)

    async def conclude(self, deed: Deed, answer: ModelAnswer) -> None:
        """Apply an answer whose moves were judged, and its consequences."""
        working, texts = self.working, self._texts

        def apply() -> None:
            working.narration += [texts.get("intro")] if "intro" in deed.passages else []
            working.narration += [answer.prose] if answer.prose else []
            working.offers = answer.choices
            working.facts = answer.facts
            working.bundle = answer.operation_id
            passages = len(working.narration)
            working.events += answer.events
            _settle(working)
            open_next(working, deed.follows, deed.leaves, by_system=deed.by_system)
            working.narration += tell_end(working, texts)
            working.place_events(passages)

        await work_on(working, apply)

    def plan(self) -> str:
        """Return the name of the plan by which the storyteller is asked."""
        game = self.working.game
        if game.contract == TOOLS:
            return TOOL_LOOP
        phases = current_phases(WorkingState(game, self.working.position))
        named = next((phase.plan for phase in phases if phase.plan), game.plan)
        # Without tools there is nothing to loop over, and flaws must be repaired.
        return ONE_ASK if named == TOOL_LOOP else named

    async def judge_waiting(self, judge: Judge, deed: Deed) -> None:
        """Judge calls that the player has started or that had waited for the player; record refusals."""
        for call in deed.moves:
            self._road.listener(Activity(name_work(self.working.game, call)))
        judged = await judge.judge(deed.moves, PLAYER, deed.answers)
        self.working.rulings += judged.mends


async def foresee(working: TurnProgress, texts: Texts, deed: Deed) -> ForeseenEnd:
    """Return how a turn would end if nothing else happened in it; nothing of that has happened yet.

    What dice would decide then is left out: nobody sees those draws before the turn is committed.
    """
    restart = working.restart_point()
    drawn, events = len(working.fortune.draws), len(working.events)

    def follow(*, settles: bool) -> None:
        if settles:
            _settle(working)
        open_next(working, deed.follows, deed.leaves, by_system=deed.by_system)

    try:
        await work_on(working, partial(follow, settles=True))
        if len(working.fortune.draws) > drawn:
            restart()
            await work_on(working, partial(follow, settles=False))
        told = [texts.find(one.text) for one in working.events[events:] if one.cause != ENGINE]
        return ForeseenEnd(working.position, (*filter(None, told), *tell_end(working, texts)))
    finally:
        restart()


def _settle(working: TurnProgress) -> None:
    """Apply what follows automatically; calls that systems make on their own may open cards."""
    fate = working.fortune.open()
    told = Heard(narration=PASSAGE_BREAK.join(working.narration), facts=working.facts)
    step = settle(working.game, working.position, fate, working.events, told)
    working.take(step)
    working.decisions += [wait.need for wait in step.waits if isinstance(wait.need, Decision)]
    note_rolled(working, step.rulings)
    working.fortune.keep(fate)
