"""The catalogue of one language."""

from talewright.kernel.story.game_texts import Texts

TEXTS = Texts(
    "en", {"title": "Mist Harbor", "value.place.docks": "The docks"}, {"npc.lian.also": ("Li", "An")}
)


def test_texts_are_found_by_key() -> None:
    assert TEXTS.get("title") == "Mist Harbor"
    assert TEXTS.get("a reason in words") == "a reason in words"
    assert TEXTS.find("title") == "Mist Harbor"
    assert TEXTS.find("nothing") == ""
    assert TEXTS.several("npc.lian.also") == ("Li", "An")
    assert TEXTS.several("nobody") == ()
    assert TEXTS.value("place", "docks") == "The docks"
    assert TEXTS.value("place", "moon") == "moon"
