"""Turns that several real processes take together: from recorded steps, and round by round from outside."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from talewright.chronicle.record_codec import encode
from talewright.chronicle.records import MAIN
from talewright.stores.folder.folder_store import FolderStore
from talewright.turn.game_editions import OpenedEditions
from talewright.turn.inputs.player_inputs import Input, Opening, Say, to_json
from talewright.turn.new_campaign import write_first_commit
from talewright.turn.turn_outcomes import Committed, Outcome
from tests.plays.crashes import Crash
from tests.plays.process_driver import Names, serve
from tests.plays.recorded_steps import RecordingRunner, SteppedStage, unlike
from tests.plays.scripts import PLAYS, Play, Turn, read_play
from tests.plays.stage import CAMPAIGN, NOW, ROOT, SECRET, Screen, Stage, load_edition, read_move
from tests.turn.mastering import to_calls

pytestmark = pytest.mark.process

BRIDGE = "tests/plays/games/bridge"
LATER = "2026-01-01T00:20:00Z"
"""Within every lease that was taken, or taken again, before."""

MUCH_LATER = "2026-01-02T00:00:00Z"
"""After it."""


class Worker:
    """Another process on the folder."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def send(self, order: Mapping[str, Any]) -> None:
        """Give an order."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()

    def hear(self) -> dict[str, Any]:
        """The next answer."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the process has ended"
        answer: dict[str, Any] = json.loads(line)
        return answer

    def ask(self, order: Mapping[str, Any]) -> dict[str, Any]:
        """Give an order and wait for the answer."""
        self.send(order)
        return self.hear()


@pytest.fixture(scope="module", name="workers")
def start_workers() -> Iterator[list[Worker]]:
    """Three processes that are ready."""
    with ExitStack() as stack:
        workers = []
        for _ in range(3):
            process = subprocess.Popen(
                [sys.executable, "-m", "tests.plays.process_driver"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT)))},
            )
            stack.enter_context(process)
            assert process.stdin is not None
            stack.callback(process.stdin.close)
            workers.append(Worker(process))
        for worker in workers:
            assert worker.hear() == {"ready": True}
        yield workers


def found(root: Path, game: str = BRIDGE) -> None:
    """A campaign that has only begun."""

    async def main() -> None:
        store = FolderStore(root, git=False)
        book = await write_first_commit(
            store,
            load_edition(game),
            campaign=CAMPAIGN,
            language="en",
            secret=SECRET,
            now=lambda: NOW,
            new_id=Names("founding"),
        )
        await book.close()

    asyncio.run(main())


def read(root: Path) -> list[bytes]:
    """Every record of the campaign, byte for byte."""

    async def main() -> list[bytes]:
        book = await FolderStore(root, git=False).open(CAMPAIGN)
        records = [encode(record) async for record in book.records()]
        assert await book.open_turn(MAIN) is None
        await book.close()
        return records

    return asyncio.run(main())


def order(root: Path, do: str, ids: str, **more: Any) -> dict[str, Any]:
    """What a process is to do."""
    return {"root": str(root), "do": do, "game": BRIDGE, "ids": ids, "now": NOW, **more}


def begin(root: Path, given: Input, operation: str, ids: str, **more: Any) -> dict[str, Any]:
    """The order to open a turn."""
    return order(root, "begin", ids, given=to_json(given), operation=operation, **more)


Ask = Callable[[int, Mapping[str, Any]], dict[str, Any]]
"""Gives an order to one of three processes."""

ROUNDS: tuple[dict[str, Any], ...] = (
    {"calls": [["c1", "pay", '{"coins": 1}']]},
    {"calls": [["c2", "ask_keeper", "{}"]], "answers": {"keeper-name": "Old Marn"}},
)
TOLD = {"text": "He tells you.", "facts": ["The keeper is Old Marn."]}


def tell_two_turns(root: Path, ask: Ask, other_ids: str) -> list[Any]:
    """The opening, and a turn that three processes take together; what they were answered."""
    found(root)
    handle = ask(0, begin(root, Opening(), "opening", "opening"))["opened"]
    ask(0, order(root, "finish", "opening", handle=handle, text="A man under a lamp."))
    handle = ask(0, begin(root, Say("Who are you?"), "op", "one"))["opened"]
    answers = [ask(1, order(root, "propose", other_ids, handle=handle, now=LATER, **one)) for one in ROUNDS]
    return [*answers, ask(2, order(root, "finish", other_ids, handle=handle, now=LATER, **TOLD))]


def test_begun_in_one_process_continued_in_a_second_finished_in_a_third(
    workers: list[Worker], tmp_path: Path
) -> None:
    straight, hopped = tmp_path / "straight", tmp_path / "hopped"
    wanted = tell_two_turns(straight, lambda number, one: asyncio.run(serve(one)), "one")
    assert wanted[-1]["repeated"] is False
    # The others have ids of their own; none of them is wanted.
    assert tell_two_turns(hopped, lambda number, one: workers[number].ask(one), "another") == wanted
    assert unlike(read(hopped), read(straight)) == []
    assert len(read(hopped)) == len(read(straight))


def test_a_lease_that_has_run_out_frees_the_campaign(workers: list[Worker], tmp_path: Path) -> None:
    found(tmp_path)
    first, second, _ = workers
    handle = first.ask(begin(tmp_path, Opening(), "op", "one"))["opened"]
    held = second.ask(begin(tmp_path, Opening(), "other", "two"))
    assert held == {"error": "LeaseError", "message": "someone else is narrating a turn of this campaign"}
    opened = second.ask(begin(tmp_path, Opening(), "other", "two", now=MUCH_LATER))["opened"]
    late = first.ask(order(tmp_path, "finish", "one", handle=handle, now=MUCH_LATER, text="Too late."))
    assert late == {"error": "LeaseError", "message": "this turn is not open"}
    done = second.ask(order(tmp_path, "finish", "two", handle=opened, now=MUCH_LATER, text="In time."))
    assert done["repeated"] is False
    told = b"".join(read(tmp_path))
    assert b"In time." in told
    assert b"Too late." not in told


def test_of_two_processes_that_finish_one_does(workers: list[Worker], tmp_path: Path) -> None:
    found(tmp_path)
    for number in range(5):
        given = Say("I wait") if number else Opening()
        handle = workers[0].ask(begin(tmp_path, given, f"op-{number}", f"n{number}"))["opened"]
        for one, worker in enumerate(workers[:2]):
            text = f"Told by {one} in {number}."
            worker.send(order(tmp_path, "finish", f"n{number}-{one}", handle=handle, text=text))
        answers = [worker.hear() for worker in workers[:2]]
        (first,) = [answer for answer in answers if answer.get("repeated") is False]
        (other,) = [answer for answer in answers if answer is not first]
        # The other is told that it came too late, or is given what was told.
        assert other.get("error") in ("LeaseError", "OpenTurnMovedError") or other == {
            "committed": first["committed"],
            "repeated": True,
        }
        winner = answers.index(first)
        told = b"".join(read(tmp_path))
        assert f"Told by {winner} in {number}.".encode() in told
        assert f"Told by {1 - winner} in {number}.".encode() not in told


def test_an_outside_play_that_hops_between_processes(workers: list[Worker], tmp_path: Path) -> None:
    play = read_play(PLAYS / "10_outside.yaml")
    found(tmp_path, play.game)
    hop = cycle(workers)
    for number, turn in enumerate(play.turns):
        handle = next(hop).ask(begin(tmp_path, turn.given, f"turn-{number}", f"n{number}"))["opened"]
        for raw in turn.outside or ():
            calls = [[call.id, call.name, call.arguments] for call in to_calls([read_move(raw)])]
            result = next(hop).ask(order(tmp_path, "propose", "other", handle=handle, calls=calls))
            assert not result["flaws"]
        text = turn.replies[0].text
        assert next(hop).ask(order(tmp_path, "finish", "more", handle=handle, text=text))["committed"]
    head = [record for record in map(json.loads, read(tmp_path)) if "state_digest" in record][-1]
    assert head["state_digest"] == play.digest


class HandedOverStage(SteppedStage):
    """A performance in which every turn is finished by another process, from a file with its steps."""

    def __init__(self, play: Play, root: Path, ends_after: int, worker: Worker) -> None:
        super().__init__(play, root, ends_after)
        self._worker = worker
        self._root = root
        self._file = root.parent / "steps.json"
        self._turn = -1
        self.count = 0

    async def _take(self, turn: Turn, operation: str, screen: Screen) -> Outcome:
        self._turn += 1
        self._process, self._operation, self._given, self._condensing = "first", operation, 0, 0
        self._runner = RecordingRunner(self._runner.kept, next(self._ends_after))
        try:
            outcome = await Stage._take(self, turn, operation, screen)
        except Crash:
            self.ended += 1
            await self._leave()
            self._opened = OpenedEditions()
            self._file.write_text(json.dumps(self._runner.kept), encoding="utf-8")
            answer = self._worker.ask(
                {
                    "do": "finish recorded",
                    "root": str(self._root),
                    "play": self._play.name,
                    "turn": self._turn,
                    "operation": operation,
                    "steps": str(self._file),
                    "asked": len(self._asked),
                    "condensed": len(self._condensed),
                }
            )
            self._runner = RecordingRunner(answer["kept"])
            self.repeated += answer["repeated"]
            self.count += answer["asked"]
            assert answer["outcome"] == "Committed"
            done = (await (await self.book()).find(operation)).commit
            assert done is not None
            outcome = Committed(done)
        self.count += len(self._asked)
        return outcome

    async def _check(self, turn: Turn, outcome: Outcome, screen: Screen, before: tuple[str, int]) -> None:
        """What must come of it is compared with the performance in one process."""


@pytest.mark.parametrize("name", ["08_tool_loop", "09_moves_first", "12_errand_and_aside"])
def test_finished_by_a_real_second_process_from_recorded_steps(
    name: str, workers: list[Worker], tmp_path: Path
) -> None:
    play = read_play(PLAYS / f"{name}.yaml")
    root = tmp_path / "handed over"

    async def perform(stage: SteppedStage) -> list[bytes]:
        await stage._found()
        for number, turn in enumerate(play.turns, 1):
            await stage._perform_turn(turn, f"turn-{number}")
        return await stage.records()

    straight = SteppedStage(play, tmp_path / "straight", 0)
    wanted = asyncio.run(perform(straight))
    stage = HandedOverStage(play, root, 2, workers[0])
    handed_over = asyncio.run(perform(stage))
    assert stage.ended == len(play.turns)
    assert unlike(handed_over, wanted) == []
    assert len(handed_over) == len(wanted)
    assert stage.repeated == []
    assert stage.count == len(straight.asked)
