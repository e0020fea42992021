"""Tries: one attempt to make a turn of an input, from what was recalled to a working state that can be kept.

A try writes nothing. Begun again, it begins where the first one did, with the same dice.
"""

from collections.abc import Mapping

from talewright.contract.answers import Offer
from talewright.contract.dialect import Ground
from talewright.contract.dialects import DIALECTS
from talewright.contract.text.guard import OPEN
from talewright.crashpoints import around
from talewright.kernel.game import FateKind
from talewright.kernel.judging.move_resolution import settle
from talewright.kernel.judging.moves_and_rulings import PLAYER
from talewright.kernel.judging.system_calls import current_phases
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.story.scene_rules import current_scene, open_scenes
from talewright.turn.asides import take_up
from talewright.turn.asking import Asker, Ledger
from talewright.turn.briefing import Briefing, brief, make_frame
from talewright.turn.confidences import make_veil
from talewright.turn.deeds import Deed, PlayersTable, carry_out_input
from talewright.turn.edits import take_edits
from talewright.turn.fortune import Fortune
from talewright.turn.inputs import Input, Say
from talewright.turn.judging import Judge
from talewright.turn.memory import begin_epoch
from talewright.turn.outcomes import Unspent
from talewright.turn.plans import ONE_ASK, TOOL_LOOP, follow
from talewright.turn.recalling import Recalled
from talewright.turn.road import Road
from talewright.turn.scenery import open_next, tell_end, tell_scene
from talewright.turn.signals import Activity, Doing, name_work
from talewright.turn.telling import Desk
from talewright.turn.windows import read_window
from talewright.turn.working import Working

TOOLS = "tools"
"""The dialect whose turns are always told in rounds."""


class Try:
    """One attempt at a turn."""

    def __init__(self, road: Road, recalled: Recalled, ledger: Ledger, secret: bytes) -> None:
        self._road = road
        self._recalled = recalled
        self._ledger = ledger
        self._secret = secret
        fresh = recalled.edition.game.chance.fate is FateKind.FRESH
        self._nonce = bytes.fromhex(road.new_id()) if fresh else b""
        self.working = self._start()
        self.briefing: Briefing | None = None
        """What the storyteller was given, once it was."""

    @property
    def _texts(self) -> Texts:
        return self._recalled.edition.words(self._road.language or self._recalled.body.language)

    def _start(self) -> Working:
        recalled = self._recalled
        position = recalled.position
        fortune = Fortune(self._secret, position.turn, self._nonce)
        working = Working(recalled.edition.game, position, fortune)
        working.window = read_window(recalled.body.window, recalled.head.version)
        if recalled.adoption is not None:
            working.changes += recalled.adoption.changes
            if recalled.adoption.changes and working.game.systems:
                begin_epoch(working)
        take_up(working, recalled.asides)
        take_edits(working, recalled.edits, recalled.body.edits)
        return working

    def begin(self, given: Input, *, told_outside: bool = False) -> Deed | Unspent:
        """Do what the input does; called again it begins anew."""
        self.working = self._start()
        self.working.care = isinstance(given, Say) and given.sure
        root = self._recalled.body.root
        table = PlayersTable(
            self._recalled.body,
            self._texts,
            has_teller=told_outside or self._road.teller is not None,
            begun=self._recalled.head.version > 0,
            imported=isinstance(root, Mapping) and "imported" in root,
        )
        return carry_out_input(table, self.working, given)

    def needs_teller(self) -> bool:
        """Whether a model should tell this turn: not an opening that scenes tell as the author wrote it."""
        opening = self._recalled.head.version == 0
        game, position = self.working.game, self.working.position
        scenes = bool(open_scenes(game, position)) or current_scene(game, position) is not None
        return self._road.teller is not None and not (opening and scenes)

    async def tell_by_scenes(self, deed: Deed) -> None:
        """Tell the deed in the author's words."""
        working, texts = self.working, self._texts
        await self.judge_waiting(Judge(working, None, None, 0), deed)
        working.narration += [texts.get(passage) for passage in deed.passages]
        self._settle()
        scene = open_next(working, deed.follows, deed.leaves)
        if scene is None and deed.resumes:
            scene = current_scene(working.game, working.position)
        working.narration += tell_scene(working, scene, texts)

    async def tell_by_model(self, deed: Deed) -> None:
        """Have the deed told by the storyteller, and its moves judged."""
        road, working, texts, recalled = self._road, self.working, self._texts, self._recalled
        assert road.teller is not None
        dialect = DIALECTS[working.game.contract]
        memory = working.position.state.document[ENGINE_ROOT]
        assert isinstance(memory, dict)
        ground = Ground(working.game, working.position, texts.language)
        # Nothing is asked or shown before the prompt is written, unless a call has waited for the player.
        veil = make_veil(dialect, ground, texts, recalled, deed.said) if deed.moves else OPEN
        asker = Asker(road, dialect, veil, self._ledger)
        judge = Judge(working, asker, road.teller, road.limits.errands_max)
        rolled = len(working.rolls)
        await self.judge_waiting(judge, deed)
        results = (*deed.results, *working.rolls[rolled:])
        desk = Desk(
            road, road.teller, dialect, working, asker, judge, texts.language, frozenset(memory["bundles"])
        )
        with around("assemble"):
            ground = desk.ground()
            frame = make_frame(dialect, ground, texts, road.teller)
            self.briefing = await brief(road, recalled, working, texts, deed, results, frame)
            asker.veil = make_veil(
                dialect,
                ground,
                texts,
                recalled,
                deed.said,
                frame.frozen,
                frame.tools,
                self.briefing.memories,
                self.briefing.bodies,
            )
        road.listener(Activity(Doing.TELLING))
        answer = await follow(self._plan(), desk, self.briefing.prompt.messages, decided=bool(results))
        working.narration += [texts.get("intro")] if "intro" in deed.passages else []
        working.narration += [answer.prose] if answer.prose else []
        working.offers = answer.choices
        working.facts = answer.facts
        working.bundle = answer.operation_id
        working.events += answer.events
        road.listener(Activity(Doing.UPDATING))
        self._settle()
        open_next(working, deed.follows, deed.leaves)
        working.narration += tell_end(working, texts)

    def tell_outside(self, narration: str, offers: tuple[Offer, ...], deed: Deed) -> None:
        """Take the words of a game master outside; the moves were judged as they came."""
        self.working.narration += [narration] if narration else []
        self.working.offers = offers
        self._settle()
        open_next(self.working, deed.follows, deed.leaves)
        self.working.narration += tell_end(self.working, self._texts)

    def _plan(self) -> str:
        game = self.working.game
        if game.contract == TOOLS:
            return TOOL_LOOP
        phases = current_phases(WorkingState(game, self.working.position))
        named = next((phase.plan for phase in phases if phase.plan), game.plan)
        # Where there are no tools to call there is nothing to loop over, and flaws must be mended.
        return ONE_ASK if named == TOOL_LOOP else named

    async def judge_waiting(self, judge: Judge, deed: Deed) -> None:
        """Judge the calls that had waited for the player; one that is refused stands in the record."""
        for call in deed.moves:
            self._road.listener(Activity(name_work(self.working.game, call)))
        judged = await judge.judge(deed.moves, PLAYER, deed.answers)
        self.working.rulings += judged.mends

    def _settle(self) -> None:
        """What follows by itself."""
        fate = self.working.fortune.open()
        self.working.take(settle(self.working.game, self.working.position, fate))
        self.working.fortune.keep(fate)
