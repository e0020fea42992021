"""Editing: what a person may change by hand in the folder of a campaign, and how it is taken up.

Only `prompt.md`. Its words hold at once; rules with a mistake in them leave those from before in force.
"""

from collections.abc import Mapping, Sequence

from talewright.kernel.judging.moves_and_rulings import Op, Update
from talewright.kernel.state.documents import Json
from talewright.kernel.system import Denial
from talewright.systems.spiral.limits import PROMPT_LENGTH_MAX
from talewright.systems.spiral.rulebook import FILE, front_of, read_rulebook
from talewright.systems.spiral.slots import OWN
from talewright.systems.spiral.words.words import Words

EDITABLE = frozenset({FILE})


def take_edit(path: str, text: str) -> Sequence[Update] | Denial:
    """What a changed file changes."""
    if path not in EDITABLE:
        return Denial(f"{path} is made from the state; only {FILE} can be changed by hand")
    text = text.replace("\r\n", "\n")
    if not text.strip():
        return Denial(f"{FILE} is empty; the one from before holds")
    if len(text) > PROMPT_LENGTH_MAX:
        return Denial(
            f"{FILE} has at most {PROMPT_LENGTH_MAX} characters, this one has {len(text)}; shorten it"
        )
    _, faults = read_rulebook(text)
    rules = () if faults else (Update(Op.SET, f"{OWN}.rules", front_of(text)),)
    return (Update(Op.SET, f"{OWN}.prompt", text), *rules)


def find_trouble(own: Mapping[str, Json], words: Words) -> str:
    """What is wrong with the rules of a campaign's own `prompt.md`, in words; empty where nothing is."""
    _, faults = read_rulebook(str(own["prompt"]))
    if not faults:
        return ""
    first = faults[0]
    return words.old_rules.format(place=first.place, message=first.message)
