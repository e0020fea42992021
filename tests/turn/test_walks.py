"""Games told through `turn` from their scenes alone are the games that the kernel's narrator plays."""

import asyncio
import random

import pytest

from talewright.kernel.chance import Fate
from talewright.kernel.state.state import begin
from talewright.kernel.story.scene_rules import is_over
from talewright.pack.compiler import compile_folder
from talewright.turn.game_editions import Edition
from talewright.turn.inputs.player_inputs import Choose, Opening, Say
from talewright.turn.records.commit_body import read_body
from talewright.turn.turn_outcomes import Committed
from tests.games.walking import options
from tests.kernel.scene_walk import begin_story, play
from tests.plays.stage import ROOT
from tests.turn.making import SECRET, lay_bench

TURNS = 20
SEEDS = (1, 2, 3)
ENDS_AT_MOST = 3
"""Walks that may be begun anew because the game was over before its twentieth turn."""


def load(name: str) -> Edition:
    made = compile_folder(ROOT / "games" / name, {})
    assert made.game is not None, made.faults
    return Edition(made.game, made.texts, made.digest, made.digest)


@pytest.mark.parametrize("name", ["lantern_road", "mist_harbor"])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_digests_along_a_walk(name: str, seed: int) -> None:
    edition = load(name)
    game, texts = edition.game, edition.words("")

    async def run() -> int:
        print(f"{name}, seed {seed}")
        choose = random.Random(seed)
        turns = 0
        for _ in range(ENDS_AT_MOST):
            bench = await lay_bench(edition)
            kernel = begin_story(game, begin(game), Fate(SECRET, 1))
            outcome = await bench.take(Opening(), "op-1")
            while True:
                assert isinstance(outcome, Committed)
                commit = outcome.commit
                turns += 1
                body = read_body(commit.body)
                assert (commit.version, commit.state_digest) == (
                    kernel.position.state.version,
                    kernel.position.state.digest,
                )
                told = [texts.find(key) for key in kernel.texts if texts.find(key)]
                if commit.version == 1 and texts.find("intro"):
                    told.insert(0, texts.get("intro"))
                assert body.narration == "\n\n".join(told)
                assert body.changes == kernel.changes
                assert body.events == kernel.events
                assert [choice.id for choice in body.choices] == options(game, kernel.position)
                if is_over(kernel.position) or turns >= TURNS:
                    break
                choice = choose.choice(body.choices)
                fate = Fate(SECRET, kernel.position.turn)
                kernel = play(game, kernel.position, choice.id, fate)
                # Half of the choices are made by the words of their labels.
                named = Say(choice.label) if choose.random() < 0.5 else Choose(choice.id)
                operation = f"op-{commit.version + 1}"
                outcome = await bench.take(named, operation)
                if not isinstance(outcome, Committed):
                    # Two choices may have the same label; then only the id says which.
                    outcome = await bench.take(Choose(choice.id), f"{operation}-again")
                assert isinstance(outcome, Committed)
                assert read_body(outcome.commit.body).draws == fate.draws
            if turns >= TURNS:
                break
        return turns

    assert asyncio.run(run()) >= TURNS
