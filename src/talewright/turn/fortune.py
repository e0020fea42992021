"""Fortune: the chance of one turn, of which only those draws are kept whose judgement stood.

A judgement that is thrown away gives its draws back: asking again never changes what will fall.
"""

from talewright.kernel.chance import Draw, Fate


class Fortune:
    """The draws of one turn."""

    def __init__(self, secret: bytes, version: int, nonce: bytes = b"") -> None:
        self._secret = secret
        self._version = version
        self.nonce = nonce
        self._kept: list[Draw] = []

    def open(self) -> Fate:
        """A chance for one judgement, beginning where the kept draws end."""
        return Fate(self._secret, self._version, self.nonce, start=len(self._kept))

    def keep(self, fate: Fate) -> None:
        """Let the draws of a judgement stand."""
        self._kept += fate.draws

    @property
    def draws(self) -> tuple[Draw, ...]:
        """The draws that stand, in order."""
        return tuple(self._kept)
