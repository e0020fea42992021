"""Bands: every motif is drawn at every position of its dials, which move parts without redrawing them."""

import random
import re

import pytest

from talewright.faces.web.cover_bands import BANDS, RESTING, draw_band
from talewright.pack.schema.cover_fields import MOTIF_DIALS, CoverMotif

PATH = re.compile(r"[MLHVQTCZAmlhvqtcza0-9., -]+")
TRANSFORM = re.compile(r"(?:(?:translate|scale)\(-?[0-9.]+ -?[0-9.]+\) ?)*")
SEED = 37


def test_every_motif_has_a_band_and_every_dial_a_rest() -> None:
    assert set(BANDS) == {str(motif) for motif in CoverMotif}
    assert set(RESTING) == {dial for dials in MOTIF_DIALS.values() for dial in dials}
    assert draw_band("<script>", {}) == draw_band("hills", {})


@pytest.mark.parametrize("motif", CoverMotif)
def test_a_dial_only_moves_parts(motif: CoverMotif) -> None:
    for dial in MOTIF_DIALS[motif]:
        rest, *others = (draw_band(motif, {dial: share}) for share in (0.0, 0.37, 1.0, 7.0))
        assert others[1] == others[2], "a dial stops at its end"
        for other in others:
            assert [(part.name, part.shapes) for part in rest] == [(part.name, part.shapes) for part in other]
            moved = [part.name for part, at in zip(rest, other, strict=True) if part != at]
            assert moved
            assert all(moved), "what moves can be found again"
    named = [part.name for part in rest if part.name]
    assert len(named) == len(set(named))


@pytest.mark.parametrize("motif", CoverMotif)
def test_a_band_holds_numbers_only(motif: CoverMotif) -> None:
    pick = random.Random(SEED)
    for _ in range(20):
        for part in draw_band(motif, {dial: pick.random() for dial in MOTIF_DIALS[motif]}):
            assert TRANSFORM.fullmatch(part.transform)
            assert 0 <= part.opacity <= 1
            for shape in part.shapes:
                assert PATH.fullmatch(shape.path or "M0 0")
                assert not shape.within or PATH.fullmatch(shape.within)
