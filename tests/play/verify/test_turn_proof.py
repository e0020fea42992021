"""Turn proof: what cannot be played again here is named, and what is missing is wrong."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from talewright.chronicle.records import Commit
from talewright.chronicle.store import BlobKind
from talewright.common.json_values import Json
from talewright.common.work_meter import WORK_MAX
from talewright.errors import Fault
from talewright.kernel.state.state import State
from talewright.play.playable_games import UnplayableGameError
from talewright.play.verify import turn_proof
from talewright.play.verify.campaign_verification import verify
from talewright.play.verify.turn_comparison import compare_turns
from talewright.play.verify.turn_proof import TurnStanding, _prove_root, engine_of
from talewright.turn.engine_number import ENGINE_NUMBER
from talewright.turn.game_editions import Edition
from talewright.turn.records.turn_replay import REPLAY_WORK_MAX
from talewright.turn.turn_outcomes import OutcomeReason, Unspent
from tests.play.history.campaigns import SECRET
from tests.play.history.tiny import EDITIONS, TINY, begin_tiny, gain, run, take


def commit(**body: Json) -> Commit:
    """A turn with a body."""
    return Commit("c", "p", "main", 1, "op", "", "game", "state", body)


@pytest.mark.parametrize(
    ("old", "new", "unlike"),
    [
        ({"said": "a"}, {"said": "a"}, ()),
        ({"said": "a"}, {"said": "b"}, ("said",)),
        ({}, {"facts": ["x"]}, ("facts",)),
        ({"engine": 1, "cuts": [1]}, {"engine": 2, "window": {}}, ()),
        ({"blessing": 1}, {"blessing": 1}, ("blessing",)),
        ({}, {"nonce": "00"}, ()),
        ({"draws": [[1, 0, 6, 3, "a"]]}, {"draws": [[1, 0, 6, 3, "b"]]}, ()),
        ({"draws": 5}, {"draws": [[1, 0, 6, 3, "b"]]}, ("draws",)),
        ({}, {"circumstances": {"main": {}}}, ()),
        ({"engine": 1}, {"circumstances": {"main": {}}}, ("circumstances",)),
        ({"edits": [{"path": "a", "refused": "no"}]}, {}, ()),
        ({"edits": [{"path": "a", "text": "x"}]}, {}, ("edits",)),
        ({"events": [{"type": "a", "text": "It rains."}]}, {"events": [{"type": "a", "text": "Rain!"}]}, ()),
        ({"events": [{"text": "event.a"}]}, {"events": [{"text": "event.b"}]}, ("events",)),
        ({"rolls": [{"text": "2d6 (3, 4) = 7"}]}, {"rolls": [{"text": "2d6: 3, 4. 7"}]}, ()),
        ({"rolls": [{"text": "2d6 (3, 4) = 7"}]}, {"rolls": [{"text": "2d6 (3, 5) = 8"}]}, ("rolls",)),
        ({"rolls": [{"result": {"refused": "no"}}]}, {"rolls": [{"result": {"refused": "not so"}}]}, ()),
        ({"lore": [{"id": "a", "why": "x"}]}, {"lore": [{"id": "a", "why": "y"}]}, ()),
        ({"lore": [{"id": "a"}]}, {"lore": [{"id": "b"}]}, ("lore",)),
        ({"exchanges": [{"flaws": ["x"]}]}, {"exchanges": [{"flaws": ["y"]}]}, ()),
        *(
            ({"exchanges": [{name: 1}]}, {"exchanges": [{name: 2}]}, ("exchanges",))
            for name in ("purpose", "model", "text", "stop", "calls", "trouble", "usage", "objection")
        ),
        (
            {"decisions": [{"id": "d", "question": "Roll?", "options": [{"id": "y", "label": "Yes"}]}]},
            {"decisions": [{"id": "d", "question": "Roll?!", "options": [{"id": "y", "label": "Sure"}]}]},
            (),
        ),
        (
            {"decisions": [{"id": "d", "options": [{"id": "y"}]}]},
            {"decisions": [{"id": "d", "options": [{"id": "n"}]}]},
            ("decisions",),
        ),
    ],
)
def test_what_is_compared(old: Mapping[str, Any], new: Mapping[str, Any], unlike: tuple[str, ...]) -> None:
    assert compare_turns(commit(**old), commit(**new)) == unlike


def test_the_state_is_compared() -> None:
    assert compare_turns(commit(), replace(commit(), state_digest="other")) == ("state_digest",)


@pytest.mark.parametrize(
    ("altered", "standing"),
    [
        ({}, TurnStanding.PROVEN),
        ({"_engine": {}}, TurnStanding.FOLDED),
        ({"gold": 99}, TurnStanding.WRONG),
        ({"_engine": {}, "gold": 99}, TurnStanding.WRONG),
    ],
)
def test_how_a_campaign_may_begin(altered: Mapping[str, Json], standing: TurnStanding) -> None:
    begun = State({**TINY.game.initial, **altered}, 0)
    assert _prove_root(first_commit(), begun, TINY).standing is standing


NO_START = "no new campaign has this in its first record"


def first_commit(root: Mapping[str, Json] | None = None, **body: Json) -> Commit:
    """A first commit with a root, and with something else."""
    start: dict[str, Json] = {"commitment": "0" * 64, "document": {}, **(root or {})}
    return replace(commit(told="nobody", language="en", format=2, root=start, **body), parent="")


@pytest.mark.parametrize(
    ("begun", "why"),
    [
        (first_commit(), ""),
        (first_commit(narration="You have won."), f"{NO_START}: narration"),
        (first_commit(rolls=[{"kind": "roll", "text": "6"}]), f"{NO_START}: rolls"),
        (replace(first_commit(), body={}), f"{NO_START}: told"),
        (first_commit({"blessing": 1}), f"{NO_START}: root"),
        (first_commit({"commitment": "x"}), f"{NO_START}: root"),
        (first_commit({"imported": {"blessing": 1}}), f"{NO_START}: imported"),
        (first_commit({"imported": {"history": []}}), "it started from a save game"),
        (replace(first_commit(), branch="other"), f"{NO_START}: branch"),
        (replace(first_commit(), replaces="x"), f"{NO_START}: branch"),
    ],
)
def test_the_first_commit_is_compared_as_a_whole(begun: Commit, why: str) -> None:
    assert _prove_root(begun, State(TINY.game.initial, 0), TINY).why.startswith(why)


@pytest.mark.parametrize(("body", "number"), [({}, 0), ({"engine": 3}, 3), ({"engine": True}, 0)])
def test_number_of_the_engine(body: Mapping[str, Json], number: int) -> None:
    assert engine_of(commit(**body)) == number


def test_a_game_that_cannot_be_played_here_leaves_turns_unproven() -> None:
    class Elsewhere:
        def unpack(self, form: Json) -> Edition:
            raise UnplayableGameError("a system is not installed")

        def latest(self, game: str) -> Edition | None:
            return None

        def find_faults(self, game: str) -> tuple[Fault, ...]:
            return ()

    async def go() -> list[tuple[TurnStanding, str]]:
        scribe = await begin_tiny()
        await take(scribe, "walk", gain(1))
        report = await verify(scribe.book, editions=Elsewhere(), secret=SECRET)
        assert report.good
        return [(turn.verdict.standing, turn.verdict.why) for turn in report.turns]

    assert run(go()) == [(TurnStanding.FOLDED, "a system is not installed")] * 2


def test_a_game_that_is_gone_is_wrong() -> None:
    async def go() -> list[TurnStanding]:
        scribe = await begin_tiny()
        await scribe.book.keep(BlobKind.GAME, TINY.digest, None)
        report = await verify(scribe.book, editions=EDITIONS, secret=SECRET)
        assert [each.invariant for each in report.violations] == ["I14"]
        return [turn.verdict.standing for turn in report.turns]

    assert run(go()) == [TurnStanding.WRONG]


@pytest.mark.parametrize("engine", [3, ENGINE_NUMBER])
def test_a_turn_that_takes_too_long_is_not_proven_and_the_next_ones_get_less_time(
    monkeypatch: pytest.MonkeyPatch, engine: int
) -> None:
    given: list[object] = []

    async def stop(*arguments: object) -> Unspent:
        given.append(arguments[-1])
        return Unspent(OutcomeReason.TOO_MUCH_WORK)

    async def go() -> list[tuple[TurnStanding, str]]:
        scribe = await begin_tiny()
        for said in ("walk", "run"):
            await take(scribe, said, gain(1), more={"engine": engine})
        report = await verify(scribe.book, editions=EDITIONS, secret=SECRET)
        return [(turn.verdict.standing, turn.verdict.why) for turn in report.turns[1:]]

    monkeypatch.setattr(turn_proof, "replay_turn", stop)
    assert run(go()) == [(TurnStanding.FOLDED, "judging it again takes too many steps")] * 2
    assert given == [REPLAY_WORK_MAX, WORK_MAX]
