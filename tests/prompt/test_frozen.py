"""The frozen part: what is told once, and nothing of the moment."""

from dataclasses import replace

from talewright.kernel.cast import Item, Person
from talewright.kernel.texts import Texts
from talewright.prompt.frozen import write_frozen
from tests.turn.stories import GAME


def test_a_game_with_everything() -> None:
    game = replace(
        GAME,
        tone="grim",
        content_rating="R",
        people=(Person("marn", "hall"), Person("ilse")),
        items=(Item("rope", ("long",)), Item("lamp")),
    )
    texts = Texts(
        "en",
        {
            "title": "The Tower",
            "world": "A tower in the rain.",
            "npc.marn.name": "Old Marn",
            "npc.marn.description": "Counts twice.",
            "npc.marn.voice": "Slow.",
            "npc.marn.secret": "Cannot swim.",
            "npc.ilse.name": "Ilse",
            "item.rope.name": "Rope",
            "item.rope.description": "Ten yards.",
            "item.lamp.name": "Lamp",
        },
        {
            "rules.style_notes": ("Short sentences.",),
            "rules.boundaries": ("No gore.", "No songs."),
            "npc.marn.goals": ("sleep", "be paid"),
        },
    )
    assert write_frozen(game, texts, "Answer in JSON.") == "\n\n".join(
        [
            "# The Tower",
            "Tone: grim\nRating: R\n- Short sentences.\n- No gore.\n- No songs.",
            "A tower in the rain.",
            "## People\n- Old Marn (marn): Counts twice. Slow. Cannot swim. sleep; be paid\n- Ilse (ilse):",
            "## Things\n- Rope (rope): Ten yards.\n- Lamp (lamp): ",
            "Answer in JSON.",
        ]
    )


def test_a_game_with_next_to_nothing() -> None:
    assert write_frozen(GAME, Texts("en", {"title": "A test"}), "") == "# A test\n\nRating: PG-13"


def test_the_same_bytes_for_the_same_game() -> None:
    texts = Texts("en", {"title": "A test"})
    assert write_frozen(GAME, texts, "rules") == write_frozen(replace(GAME), texts, "rules")
