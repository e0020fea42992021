"""The world beside other systems: they compile together, hear each other's time, and play without a model."""

import tempfile
from pathlib import Path

from talewright.kernel.game import Game
from talewright.kernel.judging.rulings import Refused
from talewright.kernel.system import Tick
from talewright.pack.compiler import compile_folder
from talewright.systems.odds import system as odds
from talewright.systems.spiral import system as spiral
from tests.plugs.toll import Toll
from tests.systems.world.making import FILES, WORLD, Play


class Sundial(Toll):
    """A toll at which an hour passes every turn."""

    def tick(self, sight: object, chance: object) -> Tick:
        return Tick((), minutes=60)


def mix(**systems: object) -> Game:
    """The small world with other systems enabled."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            file = Path(folder) / name
            file.parent.mkdir(parents=True, exist_ok=True)
            names = ", ".join(("world", *systems))
            file.write_text(text.replace("systems: [world]", f"systems: [{names}]"), encoding="utf-8")
        compiled = compile_folder(Path(folder), {"world": WORLD, **systems})  # type: ignore[dict-item]
    assert compiled.game is not None, compiled.faults
    return compiled.game


def test_the_world_compiles_beside_every_other_system() -> None:
    for game in (mix(odds=odds()), mix(spiral=spiral()), mix(odds=odds(), spiral=spiral())):
        play = Play(game)
        for number in range(20):
            play.go("square" if number % 2 == 0 else "inn")
            step = play.end_turn(f"Turn {number}.")
            assert not [ruling for ruling in step.rulings if isinstance(ruling, Refused)]
        assert play.own["tick"] == 20 * 5 + 19


def test_time_of_others_passes_in_the_world() -> None:
    play = Play(mix(toll=Sundial()))
    play.end_turn()
    assert play.own["tick"] == 12
    play.end_turn()
    assert play.own["tick"] == 25
