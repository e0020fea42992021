"""Causes in words: who or what brought a change about.

The names of scenes and triggers stay inside: they may tell what is yet to come.
"""

from collections.abc import Mapping

from talewright.kernel.judging.moves_and_rulings import ENGINE, MODEL, PLAYER
from talewright.play.showing.messages import Phrase
from talewright.play.showing.wording import Wording, clean_line

_WHOLE: Mapping[str, Phrase] = {
    MODEL: Phrase.BY_MODEL,
    PLAYER: Phrase.BY_PLAYER,
    ENGINE: Phrase.BY_ENGINE,
    "import": Phrase.BY_IMPORT,
}
_KINDS: Mapping[str, Phrase] = {
    PLAYER: Phrase.BY_EDIT,
    "scene": Phrase.BY_SCENE,
    "finale": Phrase.BY_FINALE,
    "trigger": Phrase.BY_TRIGGER,
    "system": Phrase.BY_SYSTEM,
    "aside": Phrase.BY_ASIDE,
}


def tell_cause(cause: str, wording: Wording) -> str:
    """A cause such as `trigger:<id>`; what is not known is the game itself."""
    kind, _, name = cause.partition(":")
    phrase = _WHOLE.get(cause) or _KINDS.get(kind) or Phrase.BY_ENGINE
    return wording.say(phrase, name=clean_line(name))
