"""Loaded dice: a Chance that gives what the test says, and remembers what it was asked."""


class LoadedDice:
    """Faces in a fixed order; asking for more, or for a face the die has not, is a mistake of the test."""

    def __init__(self, *faces: int) -> None:
        self.faces = list(faces)
        self.asked: list[tuple[int, str]] = []

    def draw(self, sides: int, why: str = "") -> int:
        face = self.faces.pop(0)
        assert 1 <= face <= sides
        self.asked.append((sides, why))
        return face
