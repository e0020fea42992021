"""The guard and its layers of runs against a plain search that goes through everything anew."""

from unicodedata import east_asian_width

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talewright.contract.text import leak_guard
from talewright.contract.text.leak_guard import HiddenTexts, LeakGuard, fold, fold_text

LONG_LENGTH, LAYER_RUNS_MIN = 45, 10
"""As they are here, so that short texts are enough for several layers."""

PARTS = (
    "a",
    "b",
    "ab ",
    "井",
    "底，",
    "井a",
    "Ａ",
    "\u3000",
    "…",
    "ß",
    "*",
    "\u200b",
    "\x07",
    "井底井底井",
    "ababab",
)
"""What texts are made of: narrow and wide, nothing once folded, several letters once folded."""

words = st.lists(st.sampled_from(PARTS), min_size=18, max_size=40).map("".join)


def find_runs(texts: list[str]) -> set[str]:
    """Every run, place by place and character by character."""
    found = set()
    for text in texts:
        text = text.replace("\x07", "")
        for start in range(len(text)):
            for end in range(start, len(text) + 1):
                if sum(2 if east_asian_width(sign) in "WF" else 1 for sign in text[start:end]) >= 40:
                    found.add(fold_text(text[start:end]))
                    break
    return {run for run in found if len(run) >= 8}


def tell_naively(hidden: list[str], known: list[str], told: str) -> tuple[str, bool]:
    """What is shown of a narration, and whether it leaks."""
    closed = find_runs(hidden)
    leaks = {run for run in closed if not any(run in fold_text(text) for text in known)}
    letters = fold_text(told)
    places = [at for at, sign in enumerate(told) for _ in fold(sign)]
    for end in range(len(letters) + 1):
        if any(letters[:end].endswith(run) for run in leaks):
            start = min(at for at in range(end) if any(run.startswith(letters[at:end]) for run in closed))
            return told[: places[start]], True
    return told, False


@given(
    standing=st.lists(words, max_size=2),
    passing=st.lists(words, max_size=3),
    later=st.lists(words, max_size=3),
    known=st.lists(words, max_size=2),
    heard=st.lists(words, max_size=1),
    data=st.data(),
)
def test_whatever_the_layers_a_guard_shows_what_a_plain_search_would(
    standing: list[str],
    passing: list[str],
    later: list[str],
    known: list[str],
    heard: list[str],
    data: st.DataObject,
) -> None:
    hidden = [*standing, *passing, *later]
    pieces = st.tuples(st.sampled_from(["b", *hidden]), st.integers(0, 9), st.integers(20, 60))
    told = "".join(text[at : at + length] for text, at, length in data.draw(st.lists(pieces, max_size=3)))
    cut, size = data.draw(st.integers(0, 3)), data.draw(st.integers(1, 60))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(leak_guard, "LONG_LENGTH", LONG_LENGTH)
        patch.setattr(leak_guard, "LAYER_RUNS_MIN", LAYER_RUNS_MIN)
        veil = (
            HiddenTexts(passing, tuple(standing), lambda: known)
            .spread(later[:cut])
            .spread(later[cut:], heard)
        )
        guard = LeakGuard(veil)
        shown = [guard.feed(told[at : at + size]) for at in range(0, len(told), size)]
    shown.append(guard.finish())
    assert ("".join(shown), guard.leaked) == tell_naively(hidden, [*known, *heard], told)
