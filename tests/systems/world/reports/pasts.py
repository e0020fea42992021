"""Plays with their past turns, as reports are given them."""

from talewright.kernel.system import PastTurn
from tests.systems.world.making import Play


class RecordedPlay(Play):
    """A play that keeps its turns."""

    def begin_record(self) -> None:
        """Start with no past."""
        self.turns: list[PastTurn] = []
        self.counted = 0

    def end(self) -> None:
        """End the turn and keep it."""
        self.end_turn()
        steps, self.counted = self.steps[self.counted :], len(self.steps)
        changes = tuple(change for step in steps for change in step.changes)
        self.turns.append(PastTurn(len(self.turns) + 1, "", "", changes))


def play_a_day() -> RecordedPlay:
    """The player goes to the square with Grim, waits for Bran to act, and goes to the mill."""
    play = RecordedPlay()
    play.begin_record()
    play.do("askCharacter", characterName="Grim", topic="")
    play.end()
    play.go("square", "Grim")
    play.end()
    play.wait(60)
    play.end()
    play.go("mill")
    play.do("discoverCharacter", characterName="Tobb", introduction="A tinker.", goals="")
    play.end()
    play.wait(100)
    play.end()
    return play
